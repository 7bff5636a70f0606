"""The whole hall in a small map, each rack in the colour of its worst limit; the part in sight is framed."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QWidget

from wattsweights_gui.gui.canvas import geometry
from wattsweights_gui.gui.canvas.inks import state_of
from wattsweights_gui.gui.canvas.meters import worst_share


class Overview(QWidget):
    """A click or drag goes there."""

    def __init__(self, view: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("overview")
        self.setAccessibleName("Overview of all racks")
        self.view = view
        self._map: QPixmap | None = None
        self.setMinimumHeight(90)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        view.looked.connect(self.update)

    def sizeHint(self) -> QSize:
        """Return a small map."""
        return QSize(200, 120)

    def forget(self) -> None:
        """Draw the racks anew."""
        self._map = None
        self.update()

    def _scale(self) -> float:
        area = self.view.scene().sceneRect()
        return min(self.width() / max(area.width(), 1.0), self.height() / max(area.height(), 1.0))

    def _corner(self) -> QPointF:
        area, scale = self.view.scene().sceneRect(), self._scale()
        return QPointF((self.width() - area.width() * scale) / 2, (self.height() - area.height() * scale) / 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draw the racks anew."""
        super().resizeEvent(event)
        self.forget()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the map, and the frame of what is in sight."""
        view, painter = self.view, QPainter(self)
        if self._map is None:
            self._map = self._drawn()
        painter.drawPixmap(0, 0, self._map)
        if not view.items_of:
            return
        area, scale, corner = view.scene().sceneRect(), self._scale(), self._corner()
        seen = view.mapToScene(view.viewport().rect()).boundingRect().intersected(area)
        frame = QRectF((seen.topLeft() - area.topLeft()) * scale + corner, seen.size() * scale)
        painter.setPen(QPen(view.look.inks.accent, 2))
        painter.drawRect(frame.adjusted(1, 1, -1, -1))

    def _drawn(self) -> QPixmap:
        view, ratio = self.view, self.devicePixelRatioF()
        picture = QPixmap(self.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        inks = view.look.inks
        picture.fill(inks.surface)
        painter = QPainter(picture)
        area, scale, corner = view.scene().sceneRect(), self._scale(), self._corner()
        for id, item in view.items_of.items():
            state = state_of(worst_share(view.loads[id], view.session.hall))
            filled = bool(item.inside)
            at = (item.pos() - area.topLeft()) * scale + corner
            high = geometry.rack_height_mm(item.rack.height_u) * scale
            box = QRectF(at.x(), at.y(), max(geometry.RACK_MM * scale, 1.0), max(high, 1.0))
            painter.fillRect(box, inks.state[state] if filled else inks.edge)
        painter.end()
        return picture

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go there."""
        self._go(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go there while the button is down."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go(event)

    def _go(self, event: QMouseEvent) -> None:
        scale, area = self._scale(), self.view.scene().sceneRect()
        self.view.centerOn((event.position() - self._corner()) / scale + area.topLeft())
