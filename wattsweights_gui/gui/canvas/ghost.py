"""What is being dragged: outlines where it would stand, and the reason where it cannot."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen, QTransform
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from wattsweights_gui.gui.canvas.inks import Inks, font_of

_WORDS_PX = 14.0
_WIDEST_PX = 340.0


class Ghost(QGraphicsItem):
    """Outlines in the scene and a sentence beside them.

    Attributes:
        reason: why it cannot stand there; empty where it can.
        shown: whether there is anything to see.
    """

    def __init__(self, inks: Inks) -> None:
        super().__init__()
        self.inks = inks
        self.reason = ""
        self.name = ""
        self._boxes: list[QRectF] = []
        self._at = QPointF()
        self.setZValue(10)
        self.setVisible(False)

    @property
    def shown(self) -> bool:
        """Whether there is anything to see."""
        return self.isVisible()

    @property
    def boxes(self) -> list[QRectF]:
        """The outlines, in the scene."""
        return list(self._boxes)

    def show_at(self, boxes: Sequence[QRectF], reason: str, name: str, at: QPointF) -> None:
        """Show outlines, and the reason at a point where there is one."""
        self.prepareGeometryChange()
        self._boxes, self.reason, self.name, self._at = list(boxes), reason, name, at
        self.setVisible(True)
        self.update()

    def boundingRect(self) -> QRectF:
        """Return the outlines with room for words at any zoom."""
        found = QRectF(self._at, self._at)
        for box in self._boxes:
            found = found.united(box)
        view = self.scene().views()[0] if self.scene() is not None and self.scene().views() else None
        scale = view.transform().m11() if view is not None else 1.0
        more = (_WIDEST_PX + 40.0) / max(scale, 1e-3)
        return found.adjusted(-more, -more, more, more)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Paint the outlines and the words."""
        world = painter.worldTransform()
        painter.setWorldTransform(QTransform())
        ink = self.inks.over if self.reason else self.inks.accent
        fill = ink.toRgb()
        fill.setAlpha(60)
        for box in self._boxes:
            seen = world.mapRect(box)
            painter.fillRect(seen, fill)
            painter.setPen(QPen(ink, 2, Qt.PenStyle.DashLine if self.reason else Qt.PenStyle.SolidLine))
            painter.drawRect(seen)
        self._words(painter, world.map(self._at), self.reason or self.name, ink)
        painter.setWorldTransform(world)

    def _words(self, painter: QPainter, at: QPointF, words: str, ink: object) -> None:
        if not words:
            return
        font = font_of(painter.font(), _WORDS_PX)
        wrap = int(Qt.TextFlag.TextWordWrap)
        needed = QFontMetricsF(font).boundingRect(QRectF(0, 0, _WIDEST_PX, 400), wrap, words)
        left, top = at.x() + 18, at.y() + 18
        room = painter.device()
        wide, high = room.width() / room.devicePixelRatio(), room.height() / room.devicePixelRatio()
        if left + needed.width() + 20 > wide:
            left = max(4.0, at.x() - needed.width() - 36)
        if top + needed.height() + 16 > high:
            top = max(4.0, at.y() - needed.height() - 32)
        bubble = QRectF(left, top, needed.width() + 16, needed.height() + 10)
        painter.setPen(QPen(ink, 1))  # type: ignore[call-overload]
        painter.setBrush(self.inks.raised)
        painter.drawRoundedRect(bubble, 4, 4)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setFont(font)
        painter.setPen(self.inks.text)
        painter.drawText(bubble.adjusted(8, 5, -8, -5), wrap, words)
