"""The sheet under a hand: what it does becomes a gesture, and what a gesture ends in becomes an edit."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QToolTip, QWidget

from wattsweights_gui.gui.canvas.gestures import Gesture, Pan, Place, Press
from wattsweights_gui.gui.canvas.sheet import RackSheet
from wattsweights_gui.gui.canvas.words import device_words
from wattsweights_gui.layout.edits import Edited, Outcome
from wattsweights_gui.layout.fit import NotPossible

_STEP = 1.25


class RackView(RackSheet):
    """All racks of the hall, to be worked on."""

    def __init__(self, session: Any, theme: Any, parent: QWidget | None = None) -> None:
        self._gesture: Gesture | None = None
        self._band: QRect | None = None
        self._space = False
        super().__init__(session, theme, parent)

    def take(self, outcome: Outcome, label: str) -> bool:
        """Take over an edit, or say why it cannot be."""
        if isinstance(outcome, NotPossible):
            self.refused.emit(outcome.reason)
            self.session.refused.emit("racks", outcome.reason)
            return False
        self.session.place(outcome.placements, label)
        if isinstance(outcome, Edited) and (outcome.devices or outcome.racks):
            self.choose(outcome.devices, () if outcome.devices else outcome.racks)
        self.refused.emit(outcome.remark)
        return True

    # ---------------------------------------------------------------------------------------------------------- events

    def start_place(self, entry: str) -> None:
        """Begin to carry a device of the palette."""
        kind = self.session.hall.type_of(entry)
        if kind is not None:
            self._begin(Place(self, kind))

    def carry(self, global_at: QPoint) -> None:
        """Carry it to a point of the screen."""
        if self._gesture is not None:
            self._gesture.move(self.viewport().mapFromGlobal(global_at))

    def drop(self, global_at: QPoint) -> None:
        """Let it go at a point of the screen."""
        gesture, self._gesture = self._gesture, None
        if gesture is not None:
            gesture.end(self.viewport().mapFromGlobal(global_at))

    def cancel(self) -> bool:
        """Cancel what the hand is doing; say whether there was anything."""
        gesture, self._gesture = self._gesture, None
        if gesture is not None:
            gesture.cancel()
        return gesture is not None

    def _begin(self, gesture: Gesture) -> None:
        self.cancel()
        self._gesture = gesture

    def show_band(self, area: QRect | None) -> None:
        """Show the rectangle that chooses."""
        self._band = area
        self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a gesture."""
        at, add = event.position().toPoint(), bool(event.modifiers() & _ADDING)
        if event.button() == Qt.MouseButton.MiddleButton or (self._space and event.button() == _LEFT):
            self._begin(Pan(self, at))
        elif event.button() == _LEFT:
            self._begin(Press(self, at, add))
        elif event.button() == Qt.MouseButton.RightButton:
            found, rack = self.device_at(at), self.rack_at(at)
            if found is not None and found.id not in self.look.chosen:
                self.choose({found.id}, ())
            elif found is None and rack is not None:
                self.choose((), {rack})

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go on with it."""
        if self._gesture is not None:
            self._gesture.move(event.position().toPoint())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End it."""
        gesture, self._gesture = self._gesture, None
        if gesture is not None:
            gesture.end(event.position().toPoint())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Go near to a rack."""
        if (rack := self.rack_at(event.position().toPoint())) is not None and event.button() == _LEFT:
            self.choose((), {rack})
            self.fit_chosen()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom; with Shift scroll across, with Alt down."""
        steps = (event.angleDelta().y() or event.angleDelta().x()) / 120.0
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.horizontalScrollBar().setValue(round(self.horizontalScrollBar().value() - steps * 80))
        elif event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.verticalScrollBar().setValue(round(self.verticalScrollBar().value() - steps * 80))
        else:
            self.zoom(_STEP**steps)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave a gesture by Escape; pan with the space bar held."""
        if event.key() == Qt.Key.Key_Escape:
            if not self.cancel():
                self.choose((), ())
        elif event.key() == Qt.Key.Key_Space:
            self._space = True
        else:
            event.ignore()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """End panning by the space bar."""
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._space = False

    def focusOutEvent(self, event: Any) -> None:
        """Forget keys that are held down."""
        self._space = False
        super().focusOutEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell the overview."""
        super().resizeEvent(event)
        self.looked.emit()

    def showEvent(self, event: Any) -> None:
        """Show all racks the first time."""
        super().showEvent(event)
        if not self._fitted and self.items_of:
            self.fit_start()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the racks, and the rectangle that chooses over them."""
        super().paintEvent(event)
        if self._band is not None:
            painter = QPainter(self.viewport())
            fill = self.look.inks.accent.toRgb()
            fill.setAlpha(40)
            painter.fillRect(self._band, fill)
            painter.setPen(QPen(self.look.inks.accent, 1))
            painter.drawRect(self._band)

    def viewportEvent(self, event: QEvent) -> bool:
        """Say what is under the pointer."""
        if event.type() == QEvent.Type.ToolTip:
            self._tip(event)
            return True
        return super().viewportEvent(event)

    def _tip(self, event: Any) -> None:
        device = self.device_at(event.pos())
        QToolTip.showText(event.globalPos(), device_words(device, self.session) if device is not None else "", self)


_LEFT = Qt.MouseButton.LeftButton
_ADDING = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
