"""The sheet with the racks: shows what is placed, which of it is chosen, from near and far; knows what is where."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QPoint, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QGraphicsScene, QGraphicsView, QWidget

from wattsweights_gui.gui.canvas import geometry
from wattsweights_gui.gui.canvas.ghost import Ghost
from wattsweights_gui.gui.canvas.inks import Inks
from wattsweights_gui.gui.canvas.meters import METRICS
from wattsweights_gui.gui.canvas.rack_item import NEAR, Look, RackItem
from wattsweights_gui.layout.loads import RackLoad, rack_load
from wattsweights_gui.layout.placements import Device, Face, Placements

NEAREST, FARTHEST = 1.6, 0.006
_MARGIN_MM = 150.0
# of a frame of 16 ms, for painting racks anew
_PICTURES_S = 0.006


class RackSheet(QGraphicsView):
    """All racks of the hall.

    Signals:
        chosen: other devices or racks are chosen.
        refused: a sentence on why an edit cannot be.
        looked: other racks are in sight, or at another zoom.
    """

    chosen = Signal()
    refused = Signal(str)
    looked = Signal()

    def __init__(self, session: Any, theme: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rack view")
        self.setAccessibleName("Racks")
        self.session, self.theme = session, theme
        self.look = Look(Inks(theme), session.hall, session.units)
        self.items_of: dict[str, RackItem] = {}
        self.loads: dict[str, RackLoad] = {}
        self.lines = geometry.Lines((), 1)
        self._shown: Placements | None = None
        self._sharpen = QTimer(self, singleShot=True, interval=0)
        self._sharpen.timeout.connect(self._paint_blurred)
        self._fitted = False
        self.setScene(QGraphicsScene(self))
        self.ghost = Ghost(self.look.inks)
        self.scene().addItem(self.ghost)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.AnchorUnderMouse)
        self.setResizeAnchor(QGraphicsView.ViewportAnchor.AnchorViewCenter)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.MinimalViewportUpdate)
        self.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontSavePainterState)
        self.setFrameShape(QGraphicsView.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        for bar in (self.horizontalScrollBar(), self.verticalScrollBar()):
            bar.valueChanged.connect(self.looked)
        theme.changed.connect(self._theme_changed)
        self._theme_changed()

    # ----------------------------------------------------------------------------------------------- what is shown

    def show_placed(self) -> None:
        """Show what is placed now; only racks that differ are painted anew."""
        placements, hall = self.session.placements, self.session.hall
        before, self._shown = self._shown, placements
        other_hall = hall is not self.look.hall
        self.look.hall, self.look.units = hall, self.session.units
        there = placements.rack_of_id
        for id in [id for id in self.items_of if id not in there]:
            item_gone = self.items_of.pop(id)
            self.look.kept.pop(item_gone, None)
            self.look.blurred.discard(item_gone)
            self.scene().removeItem(item_gone)
            del self.loads[id]
        for rack in placements.racks:
            inside, item = placements.inside(rack.id), self.items_of.get(rack.id)
            if item is not None and item.rack is rack and item.inside is inside and not other_hall:
                continue
            load = self.loads[rack.id] = rack_load(rack, inside, hall)
            if item is None:
                item = self.items_of[rack.id] = RackItem(self.look, rack, inside, load)
                self.scene().addItem(item)
            else:
                item.show_rack(rack, inside, load)
        self._arrange(before is None or [r.id for r in before.racks] != [r.id for r in placements.racks])
        self._scale_metric()
        kept = {id for id in self.look.chosen if id in placements.place_of}
        racks = {id for id in self.look.chosen_racks if id in there}
        if kept != self.look.chosen or racks != self.look.chosen_racks:
            self.choose(kept, racks)
        self.looked.emit()

    def _arrange(self, other_racks: bool) -> None:
        racks = self.session.placements.racks
        lines = geometry.Lines.of(racks, self.session.hall.racks_per_row)
        if not other_racks and lines == self.lines:
            return
        self.lines = lines
        for number, rack in enumerate(racks):
            self.items_of[rack.id].setPos(*lines.corner(number))
        wide, high = lines.size()
        self.scene().setSceneRect(QRectF(-_MARGIN_MM, -_MARGIN_MM, wide + 2 * _MARGIN_MM, high + 2 * _MARGIN_MM))
        if not self._fitted and racks and self.isVisible():
            self.fit_start()

    def _scale_metric(self) -> None:
        metric = METRICS[self.look.metric]
        values = [metric.of(load) or 0.0 for load in self.loads.values()] if metric.of is not None else []
        most = max(values, default=1.0) or 1.0
        if most != self.look.most:
            self.look.most = most
            if metric.of is not None:
                self.repaint_all()

    def repaint_all(self) -> None:
        """Paint every rack anew."""
        for item in self.items_of.values():
            item.repaint()

    def set_face(self, face: Face) -> None:
        """Look at the racks from the front or the rear."""
        if face != self.look.face:
            self.look.face = face
            self.repaint_all()

    def set_metric(self, name: str) -> None:
        """Colour racks by a metric, or devices by what they are."""
        self.look.metric = name
        self._scale_metric()
        self.repaint_all()

    def set_units(self) -> None:
        """Show the units that the session shows."""
        self.look.units = self.session.units
        self.repaint_all()

    def _theme_changed(self) -> None:
        self.look.inks = self.ghost.inks = Inks(self.theme)
        self.setBackgroundBrush(self.look.inks.ground)
        self.repaint_all()

    # -------------------------------------------------------------------------------------------------- what is where

    def rack_at(self, at: QPoint) -> str | None:
        """Return the id of the rack at a point of the view."""
        point = self.mapToScene(at)
        spot = self.lines.spot(point.x(), point.y(), self.look.face)
        return self.session.placements.racks[spot.rack].id if spot is not None else None

    def device_at(self, at: QPoint) -> Device | None:
        """Return the device at a point of the view, as it is seen from this face."""
        point, id = self.mapToScene(at), self.rack_at(at)
        if id is None:
            return None
        item = self.items_of[id]
        inner = point - item.pos()
        for device, (x, y, wide, high), _ in reversed(geometry.boxes(item.rack, item.inside, self.look.face)):
            if x <= inner.x() <= x + wide and y <= inner.y() <= y + high:
                return device
        return None

    def devices_in(self, area: QRect) -> set[str]:
        """Return the ids of the devices that a rectangle of the view touches."""
        part = self.mapToScene(area).boundingRect()
        found = set()
        for item in self.items_of.values():
            if not part.intersects(item.sceneBoundingRect()):
                continue
            inner = part.translated(-item.pos())
            for device, box, _ in geometry.boxes(item.rack, item.inside, self.look.face):
                if inner.intersects(QRectF(*box)):
                    found.add(device.id)
        return found

    def box_of(self, number: int, device: Device) -> QRectF:
        """Return the box in the scene of a device that stands, or would stand, in a rack."""
        rack = self.session.placements.racks[number]
        left, top = self.lines.corner(number)
        if device.bottom_u is None:
            beside = [d for d in self.session.placements.inside(rack.id) if d.zero_u and d.half == device.half]
            place = next((i for i, d in enumerate(beside) if d.id == device.id), len(beside))
            box = geometry.beside_box(rack, device.half, min(place, 1), self.look.face)
        else:
            box = geometry.units_box(rack, device.bottom_u, device.height_u, device.half, self.look.face)
        return QRectF(*box).translated(left, top)

    def point_of(self, number: int, unit: int) -> QPoint:
        """Return the middle of a rack unit as a point of the view."""
        rack = self.session.placements.racks[number]
        left, top = self.lines.corner(number)
        x, y, wide, high = geometry.units_box(rack, unit, 1, "", self.look.face)
        return self.mapFromScene(left + x + wide / 2, top + y + high / 2)

    # ------------------------------------------------------------------------------------------- choosing

    def choose(self, devices: Iterable[str], racks: Iterable[str]) -> None:
        """Choose devices, or racks."""
        old, new, new_racks = self.look.chosen, set(devices), set(racks)
        places = self.session.placements.place_of
        touched = {places[id] for id in old ^ new if id in places} | (self.look.chosen_racks ^ new_racks)
        if not touched and new == self.look.chosen and new_racks == self.look.chosen_racks:
            return
        self.look.chosen, self.look.chosen_racks = new, new_racks
        for id in touched:
            if id in self.items_of:
                self.items_of[id].repaint()
        self.chosen.emit()

    # --------------------------------------------------------------------------------------------------- zoom and pan

    def zoom(self, factor: float) -> None:
        """Zoom in or out, between limits."""
        now = self.transform().m11()
        factor = min(max(now * factor, FARTHEST), NEAREST) / now
        self.scale(factor, factor)
        self._zoomed()

    def fit(self) -> None:
        """Show all racks."""
        self._fit(self.scene().sceneRect())

    def fit_start(self) -> None:
        """Show all racks if their names can still be read then, else the first ones."""
        self._fitted = True
        area = self.scene().sceneRect()
        self._fit(area)
        least = self.viewport().height() / max(self.lines.line_mm, 1.0)
        if self.transform().m11() < least:
            self.scale(least / self.transform().m11(), least / self.transform().m11())
            half = self.viewport().rect().center()
            self.centerOn(half.x() / least - _MARGIN_MM, half.y() / least - _MARGIN_MM)
            self._zoomed()

    def fit_chosen(self) -> None:
        """Show the chosen racks, or those of the chosen devices, as large as they go."""
        places = self.session.placements.place_of
        racks = self.look.chosen_racks | {places[id] for id in self.look.chosen}
        area = QRectF()
        for id in racks:
            area = area.united(self.items_of[id].sceneBoundingRect())
        self._fit(area.adjusted(-60, -60, 60, 60) if racks else self.scene().sceneRect())

    def _fit(self, area: QRectF) -> None:
        self.fitInView(area, Qt.AspectRatioMode.KeepAspectRatio)
        if self.transform().m11() > NEAREST / 2:
            self.scale(NEAREST / 2 / self.transform().m11(), NEAREST / 2 / self.transform().m11())
        self._zoomed()

    def _zoomed(self) -> None:
        self.looked.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what there is time for in a frame; racks that were only scaled follow in the next."""
        look = self.look
        look.until = time.perf_counter() + _PICTURES_S
        super().paintEvent(event)
        look.until = math.inf
        if look.blurred:
            self._sharpen.start()

    def _paint_blurred(self) -> None:
        """Take the pictures of racks that were shown by older ones, as many as there is time for, and show those."""
        scale, ratio, look = self.transform().m11(), self.viewport().devicePixelRatioF(), self.look
        look.until = time.perf_counter() + 2 * _PICTURES_S  # nothing is painted meanwhile
        for item in list(look.blurred):
            if item.scene() is None or scale > NEAR or item.sharpen(scale, ratio):
                look.blurred.discard(item)
                item.update()
            elif time.perf_counter() >= look.until:
                break
        look.until = math.inf
        if look.blurred:
            self._sharpen.start()
