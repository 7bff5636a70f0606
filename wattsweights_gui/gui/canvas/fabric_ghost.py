"""What a hand draws on the fabric: a link on its way from a port, outlines of what is moved, and the reason why not."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QTransform
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from wattsweights_gui.gui.canvas.ghost import Ghost
from wattsweights_gui.gui.canvas.inks import Inks


class FabricGhost(Ghost):
    """Outlines and words, and a line from port to port.

    Attributes:
        caution: what speaks against a link that is possible.
    """

    def __init__(self, inks: Inks) -> None:
        super().__init__(inks)
        self.caution = ""
        self._line: tuple[QPointF, QPointF] | None = None

    def show_line(self, start: QPointF, end: QPointF, reason: str, caution: str, name: str) -> None:
        """Show a link to a point, with the reason where it cannot be."""
        self._line, self.caution = (start, end), caution
        words = f"{name}\nCaution: {caution}" if caution and not reason else name
        self.show_at([QRectF(start, end).normalized().adjusted(-1, -1, 1, 1)], reason, words, end)

    def show_outlines(self, boxes: list[QRectF], name: str, at: QPointF) -> None:
        """Show outlines of devices."""
        self._line, self.caution = None, ""
        self.show_at(boxes, "", name, at)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Paint the line, or the outlines, and the words."""
        if self._line is None:
            super().paint(painter, option, widget)
            return
        world = painter.worldTransform()
        painter.setWorldTransform(QTransform())
        ink = self.inks.over if self.reason else self.inks.near if self.caution else self.inks.accent
        start, end = (world.map(point) for point in self._line)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(ink, 2, Qt.PenStyle.DashLine if self.reason else Qt.PenStyle.SolidLine))
        painter.drawLine(start, end)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        self._words(painter, end, self.reason or self.name, ink)
        painter.setWorldTransform(world)
