"""The floor as it is shown: where what stands, which racks are chosen, from near and far, in a picture."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QWidget

from wattsweights_gui.engine.units import text
from wattsweights_gui.gui.canvas.floor_paint import FloorPaint, Shown
from wattsweights_gui.gui.canvas.inks import Inks
from wattsweights_gui.gui.canvas.meters import METRICS
from wattsweights_gui.layout.floor_checks import floor_loads
from wattsweights_gui.layout.floor_plan import Box, FloorPlan, arranged
from wattsweights_gui.layout.floor_rules import FloorRules, floor_rules
from wattsweights_gui.layout.loads import RackLoad, rack_loads

NEAREST, FARTHEST = 0.4, 0.002  # pixels for a mm
_MARGIN_MM = 1200.0


class FloorSheet(QWidget):
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
        self._picture: QPixmap | None = None
        self._pictured, self._pictured_scale = Box(0, 0, 1, 1), 0.0
        self._sharpen = QTimer(self, singleShot=True, interval=0)
        self._sharpen.timeout.connect(self._paint_anew)
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
        self._paint_anew()

    def set_metric(self, name: str) -> None:
        """Colour racks by another metric."""
        self.coloured_by = name
        self._measure()
        self._paint_anew()

    def _measure(self) -> None:
        metric = METRICS[self.coloured_by]
        self._values = {id: metric.of(load) if metric.of is not None else None for id, load in self.loads.items()}

    def _theme_changed(self) -> None:
        self.brush = FloorPaint(Inks(self.theme))
        self._paint_anew()

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

    def _shown(self) -> Shown:
        return Shown(
            self.plan,
            self._values,
            METRICS[self.coloured_by].unit,
            max((v for v in self._values.values() if v), default=0.0) or 1.0,
            frozenset(self.chosen_racks),
            self._heavy,
            self.session.units,
            self._drag,
            bool(self._drag is not None and self._refusal),
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        """Show the picture of the floor, moved and scaled; it is taken anew when there is time, or at once if false."""
        if self._picture is None:
            self._take_picture()
        painter = QPainter(self)
        painter.fillRect(event.rect(), self.brush.inks.ground)
        place = self.box_on_screen(self._pictured)
        if self._picture is not None:
            painter.drawPixmap(place, self._picture, QRectF(self._picture.rect()))
        if self._pictured_scale != self._scale or not place.contains(QRectF(self.rect())):
            self._sharpen.start()
        self.brush.over(painter, self._shown(), self.box_on_screen)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QColor(self.brush.inks.accent))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def _take_picture(self) -> None:
        """Paint the floor in sight, and as much of it around that a hand can pan for a while."""
        beside, ratio = QPointF(self.width() / 3.0, self.height() / 3.0), self.devicePixelRatioF()
        corner, scale = self.floor_at(-beside), self._scale
        wide, high = round(self.width() + 2 * beside.x()), round(self.height() + 2 * beside.y())
        picture = QPixmap(round(wide * ratio), round(high * ratio))
        picture.setDevicePixelRatio(ratio)
        painter = QPainter(picture)

        def place(box: Box) -> QRectF:
            return QRectF(
                (box.x - corner.x()) * scale, (box.y - corner.y()) * scale, box.width * scale, box.depth * scale
            )

        self.brush.floor(painter, self._shown(), place, QRectF(0, 0, wide, high))
        painter.end()
        self._picture, self._pictured_scale = picture, scale
        self._pictured = Box(corner.x(), corner.y(), wide / scale, high / scale)

    def _paint_anew(self) -> None:
        self._picture = None
        self.update()

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
