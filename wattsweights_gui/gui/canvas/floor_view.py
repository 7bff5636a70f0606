"""The floor under a hand: racks are chosen, carried, turned and put back, by mouse and by keys."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QToolTip

from wattsweights_gui.gui.canvas.floor_sheet import FloorSheet
from wattsweights_gui.layout.edits import Edited, Outcome
from wattsweights_gui.layout.fit import NotPossible
from wattsweights_gui.layout.floor_moves import back_in_rows, move_racks
from wattsweights_gui.layout.floor_plan import Spot

_STEP, _GRID_MM, _FAR_MM = 1.25, 50.0, 600.0
_LEFT, _MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
_ADDING = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
_WAYS: dict[int, tuple[int, int]] = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class FloorView(FloorSheet):
    """All racks of the hall where they stand, to be worked on."""

    # --------------------------------------------------------------------------------------------------------- edits

    def _take(self, outcome: Outcome, label: str, merge: str | None = None) -> bool:
        if isinstance(outcome, NotPossible):
            self.refused.emit(outcome.reason)
            return False
        self.refused.emit("")
        self.session.place(outcome.placements, label, merge)
        return True

    def _named(self) -> str:
        chosen = [s.name for i, s in self.plan.racks.items() if i in self.chosen_racks]
        return chosen[0] if len(chosen) == 1 else f"{len(chosen)} racks"

    def move_chosen(self, by_x: float, by_y: float, turn: int = 0, merge: str | None = None) -> bool:
        """Move the chosen racks, and turn them, as one undoable edit; say why where they cannot be."""
        label = f"Turn {self._named()}" if turn else f"Move {self._named()}"
        outcome = move_racks(
            self.session.placements, self.plan, self.chosen_racks, by_x, by_y, turn, self.session.units
        )
        return self._take(outcome, label, merge)

    def turn_chosen(self) -> None:
        """Turn the chosen racks by a quarter."""
        self.move_chosen(0.0, 0.0, 90)

    def back_in_rows(self) -> None:
        """Let the chosen racks stand in their rows again."""
        self._take(back_in_rows(self.session.placements, self.chosen_racks), f"{self._named()} back in the rows")

    # -------------------------------------------------------------------------------------------------------- events

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose a rack, or begin to pan."""
        at = event.position()
        self._press, self._drag, self._panning = at, None, False
        if event.button() == _MIDDLE or (event.button() == _LEFT and self._space):
            self._panning = True
            return
        if event.button() != _LEFT:
            return
        id = self.rack_at(at)
        if not id:
            self._panning = True
            if not event.modifiers() & _ADDING:
                self.choose(())
        elif event.modifiers() & _ADDING:
            self.choose(self.chosen_racks ^ {id})
        elif id not in self.chosen_racks:
            self.choose({id})
        self.refused.emit("")

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Pan, or carry the chosen racks."""
        at = event.position()
        if self._press is None:
            self._hover_at(event)
        elif self._panning:
            self._corner += at - self._press
            self._press, self._fitted = at, False
            self.update()
        elif self._drag is not None or (at - self._press).manhattanLength() > 6:
            self._drag = self._snapped(at - self._press)
            self._refusal = self._why_not()
            self.refused.emit(self._refusal)
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let the carried racks stand there."""
        drag, self._press, self._drag, self._panning = self._drag, None, None, False
        if drag is not None and (drag.x() or drag.y()):
            self.move_chosen(drag.x(), drag.y())
        self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """See what is in a rack."""
        if event.button() == _LEFT and (id := self.rack_at(event.position())):
            self.choose({id})
            self.opened.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom about the pointer."""
        self.zoom(_STEP ** (event.angleDelta().y() / 120.0), event.position())

    def _snapped(self, by: QPointF) -> QPointF:
        moved = by / self._scale
        return QPointF(round(moved.x() / _GRID_MM) * _GRID_MM, round(moved.y() / _GRID_MM) * _GRID_MM)

    def _why_not(self) -> str:
        if self._drag is None or not self.chosen_racks:
            return ""
        outcome = move_racks(
            self.session.placements, self.plan, self.chosen_racks, self._drag.x(), self._drag.y(),
            units=self.session.units,
        )  # fmt: skip
        return "" if isinstance(outcome, Edited) else outcome.reason

    def _hover_at(self, event: QMouseEvent) -> None:
        id = self.rack_at(event.position())
        if id != self._hover:
            self._hover = id
            QToolTip.showText(event.globalPosition().toPoint(), self.words(id) if id else "", self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose by arrows, move by Alt and arrows, turn, go back, fit, zoom."""
        key, held = event.key(), event.modifiers()
        way = _WAYS.get(key)
        if key == Qt.Key.Key_Escape:
            self._press, self._drag = None, None
            self.choose(())
            self.refused.emit("")
        elif way is not None and held & Qt.KeyboardModifier.AltModifier:
            far = _FAR_MM if held & Qt.KeyboardModifier.ShiftModifier else _GRID_MM
            self.move_chosen(way[0] * far, way[1] * far, merge="floor arrows " + " ".join(sorted(self.chosen_racks)))
        elif way is not None:
            self._choose_beside(*way)
        elif key == Qt.Key.Key_Space:
            self._space = True
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(_STEP)
        elif key == Qt.Key.Key_Minus:
            self.zoom(1 / _STEP)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.chosen_racks:
            self.opened.emit()
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Stop panning by the space bar."""
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._space = False

    def focusInEvent(self, event: Any) -> None:
        """Show that keys go here."""
        super().focusInEvent(event)
        self.update()

    def event(self, event: QEvent) -> bool:
        """Keep Alt and arrows from the menu bar."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() in _WAYS:
            event.accept()
            return True
        return super().event(event)

    def _choose_beside(self, by_x: int, by_y: int) -> None:
        """Choose the next rack in a direction, the first one where none is chosen."""
        racks = self.plan.racks
        now = next((racks[id] for id in racks if id in self.chosen_racks), None)
        if now is None:
            self.choose(list(racks)[:1])
            return

        def distance(spot: Spot) -> float | None:
            dx = spot.box.x + spot.box.width / 2 - now.box.x - now.box.width / 2
            dy = spot.box.y + spot.box.depth / 2 - now.box.y - now.box.depth / 2
            along, aside = dx * by_x + dy * by_y, abs(dx * by_y) + abs(dy * by_x)
            return along + 3 * aside if along > 1.0 and aside < 2 * along else None

        reached = [(d, id) for id, spot in racks.items() if (d := distance(spot)) is not None]
        if reached:
            self.choose({min(reached)[1]})
            box = self.box_on_screen(racks[next(iter(self.chosen_racks))].box)
            if not QRectF(self.rect()).contains(box):
                self._corner += QPointF(self.rect().center()) - box.center()
                self._fitted = False
