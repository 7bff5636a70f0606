"""The floor under a hand: rows to scale, racks coloured by a metric with the number in them, chosen and moved."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QToolTip, QWidget

from wattsweights_gui.engine.units import text
from wattsweights_gui.gui.canvas.floor_paint import FloorPaint, Shown
from wattsweights_gui.gui.canvas.inks import Inks
from wattsweights_gui.gui.canvas.meters import METRICS
from wattsweights_gui.layout.edits import Edited, Outcome
from wattsweights_gui.layout.fit import NotPossible
from wattsweights_gui.layout.floor_checks import floor_loads
from wattsweights_gui.layout.floor_moves import back_in_rows, move_racks
from wattsweights_gui.layout.floor_plan import Box, FloorPlan, Spot, arranged
from wattsweights_gui.layout.floor_rules import FloorRules, floor_rules
from wattsweights_gui.layout.loads import RackLoad, rack_loads

NEAREST, FARTHEST = 0.4, 0.002  # pixels for a mm
_STEP, _GRID_MM, _FAR_MM = 1.25, 50.0, 600.0
_MARGIN_MM = 1200.0
_LEFT, _MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
_ADDING = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
_WAYS: dict[int, tuple[int, int]] = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class FloorView(QWidget):
    """All racks of the hall where they stand.

    Signals:
        chosen: other racks are chosen.
        refused: a sentence on why a rack cannot stand there; empty where it can.
        opened: somebody wants to see what is in the chosen rack.
    """

    chosen = Signal()
    refused = Signal(str)
    opened = Signal()

    def __init__(self, session: Any, theme: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("floor view")
        self.setAccessibleName("Floor with racks")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.session, self.theme = session, theme
        self.coloured_by = "power"
        self.chosen_racks: set[str] = set()
        self.loads: dict[str, RackLoad] = {}
        self.plan: FloorPlan = arranged(session.placements, floor_rules(session.evaluation))
        self._rules: tuple[object, FloorRules] = (session.evaluation, self.plan.rules)
        self._scale, self._corner = 0.02, QPointF(0, 0)
        self._fitted = True
        self._press: QPointF | None = None
        self._drag: QPointF | None = None
        self._panning = self._space = False
        self._hover = ""
        self._refusal = ""
        self._values: dict[str, float | None] = {}
        self._heavy: frozenset[str] = frozenset()
        self.brush = FloorPaint(Inks(theme))
        theme.changed.connect(self._theme_changed)

    # ------------------------------------------------------------------------------------------------- what is shown

    def show_placed(self) -> None:
        """Show what is placed now."""
        session = self.session
        if self._rules[0] is not session.evaluation:
            self._rules = (session.evaluation, floor_rules(session.evaluation))
        self.plan = arranged(session.placements, self._rules[1])
        self.loads = rack_loads(session.placements, session.hall)
        self._heavy = self._too_heavy()
        self._measure()
        self.choose(self.chosen_racks & set(self.plan.racks))
        if self._fitted:
            self.fit()
        self.update()

    def set_metric(self, name: str) -> None:
        """Colour racks by another metric."""
        self.coloured_by = name
        self._measure()
        self.update()

    def _measure(self) -> None:
        metric = METRICS[self.coloured_by]
        self._values = {id: metric.of(load) if metric.of is not None else None for id, load in self.loads.items()}

    def _theme_changed(self) -> None:
        self.brush = FloorPaint(Inks(self.theme))
        self.update()

    def choose(self, racks: Iterable[str]) -> None:
        """Choose racks."""
        racks = set(racks)
        if racks != self.chosen_racks:
            self.chosen_racks = racks
            self.chosen.emit()
            self.update()

    # ----------------------------------------------------------------------------------------------- zoom and place

    def box_on_screen(self, box: Box) -> QRectF:
        """Return a box of the floor in pixels of the view."""
        scale, corner = self._scale, self._corner
        return QRectF(corner.x() + box.x * scale, corner.y() + box.y * scale, box.width * scale, box.depth * scale)

    def floor_at(self, at: QPointF) -> QPointF:
        """Return the point of the floor, in mm, at a point of the view."""
        return (at - self._corner) / self._scale

    def rack_at(self, at: QPointF) -> str:
        """Return the id of the rack at a point of the view; empty where none stands."""
        point = self.floor_at(at)
        x, y = point.x(), point.y()
        for id, spot in self.plan.racks.items():
            box = spot.box
            if box.x <= x <= box.right and box.y <= y <= box.bottom:
                return id
        return ""

    def fit(self) -> None:
        """Show the whole floor."""
        whole = self.plan.outline
        self._fit(Box(-_MARGIN_MM, -_MARGIN_MM, whole.width + 2 * _MARGIN_MM, whole.depth + 2 * _MARGIN_MM))
        self._fitted = True

    def fit_chosen(self) -> None:
        """Show the chosen racks with what stands around them."""
        boxes = [self.plan.racks[id].box for id in self.chosen_racks if id in self.plan.racks]
        if not boxes:
            self.fit()
            return
        left, top = min(b.x for b in boxes) - 3000, min(b.y for b in boxes) - 3000
        right, bottom = max(b.right for b in boxes) + 3000, max(b.bottom for b in boxes) + 3000
        self._fit(Box(left, top, right - left, bottom - top))

    def _fit(self, area: Box) -> None:
        room = self.rect()
        scale = min(room.width() / max(area.width, 1.0), room.height() / max(area.depth, 1.0))
        self._scale = min(max(scale, FARTHEST), NEAREST)
        middle = QPointF(area.x + area.width / 2, area.y + area.depth / 2)
        self._corner = QPointF(room.center()) - middle * self._scale
        self._fitted = False
        self.update()

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom in or out about a point of the view; about its middle where none is given."""
        about = at if at is not None else QPointF(self.rect().center())
        point = self.floor_at(about)
        self._scale = min(max(self._scale * factor, FARTHEST), NEAREST)
        self._corner = about - point * self._scale
        self._fitted = False
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the whole floor in sight where it was."""
        super().resizeEvent(event)
        if self._fitted:
            self.fit()

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

    def words(self, id: str) -> str:
        """Return what is to be said of a rack."""
        spot, load, units = self.plan.racks[id], self.loads[id], self.session.units
        on_floor = floor_loads(self.plan, spot, load.mass_kg)
        where = f"row {spot.row}" if spot.row else "moved by hand"
        return "\n".join(
            (
                f"{spot.name}, {where}",
                f"{text(load.power_kw, 'kw', units)}: {text(load.liquid_kw, 'kw', units)} to liquid, "
                f"{text(load.air_kw, 'kw', units)} to air",
                f"{text(load.mass_kg, 'kg', units)}, {text(on_floor.spread, 'kg_m2', units)} with half of its aisles",
                f"{load.used_u} of {load.height_u} U",
            )
        )

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

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what is in sight."""
        values = self._values
        shown = Shown(
            self.plan,
            values,
            METRICS[self.coloured_by].unit,
            max((v for v in values.values() if v), default=0.0) or 1.0,
            frozenset(self.chosen_racks),
            self._heavy,
            self.session.units,
            self._drag,
            bool(self._drag is not None and self._refusal),
        )
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        self.brush.floor(painter, shown, self.box_on_screen, QRectF(event.rect()))
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QColor(self.brush.inks.accent))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def _too_heavy(self) -> frozenset[str]:
        limit = self.plan.rules.load_limit
        if not limit.known:
            return frozenset()
        most = limit.number * (1 + 1e-9)
        return frozenset(
            id
            for id, spot in self.plan.racks.items()
            if id in self.loads and floor_loads(self.plan, spot, self.loads[id].mass_kg).spread > most
        )
