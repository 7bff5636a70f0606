"""What the items of the fabric's drawing have in common: they cover the whole sheet and paint in pixels.

Lines and letters so keep their size at any zoom.
"""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QTransform
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from wattsweights_gui.gui.canvas.fabric_look import FabricLook


class FabricItem(QGraphicsItem):
    """What the items have in common: the whole sheet as their area, and pixels to paint in."""

    def __init__(self, look: FabricLook) -> None:
        super().__init__()
        self.look = look
        self.area = QRectF()

    def boundingRect(self) -> QRectF:
        """Return the whole sheet."""
        return self.area

    def set_area(self, area: QRectF) -> None:
        """Take a sheet of another size."""
        self.prepareGeometryChange()
        self.area = area

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Paint what is in sight."""
        if self.look.drawing is None or widget is None:
            return
        world = painter.worldTransform()
        painter.setWorldTransform(QTransform())
        self.paint_at(painter, world.m11(), world.dx(), world.dy(), widget.width(), widget.height())
        painter.setWorldTransform(world)

    def paint_at(self, painter: QPainter, scale: float, dx: float, dy: float, wide: int, high: int) -> None:
        """Paint with the scene's origin at a point, at a scale, into so many pixels."""
        raise NotImplementedError
