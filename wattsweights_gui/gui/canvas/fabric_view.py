"""The fabric's sheet under a hand: what it does becomes a gesture, and what a gesture ends in becomes an edit."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QToolTip, QWidget

from wattsweights_gui.gui.canvas.fabric_gestures import DrawLink, PanFabric, PlaceKind, PressFabric
from wattsweights_gui.gui.canvas.fabric_look import DEVICES_FROM
from wattsweights_gui.gui.canvas.fabric_sheet import FabricSheet
from wattsweights_gui.gui.canvas.fabric_words import device_words, link_words
from wattsweights_gui.gui.canvas.gestures import Gesture
from wattsweights_gui.layout import fabric_edits
from wattsweights_gui.layout.fabric_edits import CannotBe, End, FabricOutcome, LinkKey
from wattsweights_gui.layout.fabric_kinds import FabricKind

_STEP = 1.25
_LEFT = Qt.MouseButton.LeftButton
_ADDING = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


class FabricView(FabricSheet):
    """The fabric, to be worked on.

    Attributes:
        linking: whether a drag from a device draws a link rather than moving it.
    """

    def __init__(self, session: Any, theme: Any, parent: QWidget | None = None) -> None:
        self._gesture: Gesture | None = None
        self._band: QRect | None = None
        self._space = False
        self.linking = False
        super().__init__(session, theme, parent)

    def take(self, outcome: FabricOutcome, label: str) -> bool:
        """Take over an edit, or say why it cannot be."""
        if isinstance(outcome, CannotBe):
            self.refused.emit(outcome.reason)
            self.session.refused.emit("fabric", outcome.reason)
            return False
        self.session.edit_fabric(outcome.edits, label)
        if outcome.devices:
            self.choose(outcome.devices)
        self.refused.emit(f"Caution: {outcome.remark}" if outcome.remark else "")
        return True

    def place(self, kind: FabricKind, at: QPointF) -> bool:
        """Put a device of the palette at a place; a switch becomes what the row there is."""
        role = "node" if kind.node else self.drawing.role_at(at.y())
        fabric = self.fabric
        outcome = fabric_edits.add_device(fabric.edits, fabric.own_names, kind, role, (at.x(), at.y()))
        return self.take(outcome, f"Add {kind.name} as a {role}")

    def key_at(self, end: End) -> LinkKey | None:
        """Return the link at a port."""
        link = self.fabric.link_of(self.fabric.index_of[end[0]], end[1])
        return self.fabric.key(link) if link is not None else None

    # ---------------------------------------------------------------------------------------------------------- events

    def start_place(self, kind: FabricKind) -> None:
        """Begin to carry a device of the palette."""
        if self.look.fabric is not None:
            self._begin(PlaceKind(self, kind))

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

    def _start_of_link(self, at: QPoint) -> End | None:
        """Return the port that a link would begin at: the one under the hand, or a free one of the device."""
        port = self.port_at(at)
        if port is not None or not self.linking:
            return port
        name = self.device_at(at)
        if not name:
            return None
        device = self.fabric.index_of[name]
        free = [p for p in range(int(self.fabric.devices.ports[device])) if self.fabric.link_of(device, p) is None]
        return name, free[0] if free else 0

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a gesture."""
        if self.look.drawing is None:
            return
        at, add = event.position().toPoint(), bool(event.modifiers() & _ADDING)
        if event.button() == Qt.MouseButton.MiddleButton or (self._space and event.button() == _LEFT):
            self._begin(PanFabric(self, at))
        elif event.button() == _LEFT:
            start = self._start_of_link(at) if not add else None
            self._begin(DrawLink(self, start, at) if start is not None else PressFabric(self, at, add))
        elif event.button() == Qt.MouseButton.RightButton:
            name = self.device_at(at)
            key = None if name else self.link_at(at)
            if name and name not in self.look.chosen:
                self.choose({name})
            elif key is not None and key not in self.look.chosen_links:
                self.choose((), {key})

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
        """Go near to a device, or to a block from far away."""
        at = event.position().toPoint()
        if event.button() != _LEFT:
            return
        block = self.block_at(at) if self.scale_now < DEVICES_FROM else None
        if block is not None:
            found = self.drawing.blocks[block]
            middle = QPointF(found.x + found.wide / 2.0, found.y + found.high / 2.0)
            self.zoom(0.8 * self.viewport().width() / max(found.wide, 1.0) / self.scale_now)
            self.centerOn(middle)
        elif name := self.device_at(at):
            self.go_to(name)

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
                self.choose(())
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
        """Keep the whole in sight where it was in sight."""
        super().resizeEvent(event)
        if self._whole:
            self.fit()
        self.looked.emit()

    def showEvent(self, event: Any) -> None:
        """Show the whole fabric the first time."""
        super().showEvent(event)
        if not self._fitted and self.look.fabric is not None:
            self.fit_start()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the fabric, and the rectangle that chooses over it."""
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
        if self.look.fabric is None:
            return
        at, words = event.pos(), ""
        port = self.port_at(at)
        key = self.key_at(port) if port is not None else None
        name = self.device_at(at)
        key = key if key is not None or name else self.link_at(at)
        if key is not None:
            words = link_words(self.fabric, key)
        elif name and self.scale_now >= DEVICES_FROM:
            words = device_words(self.fabric, name, self.session.catalog)
        elif (block := self.block_at(at)) is not None:
            words = f"{self.drawing.blocks[block].title}\n{self.drawing.blocks[block].words}"
        QToolTip.showText(event.globalPos(), words, self)
