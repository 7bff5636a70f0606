"""What a hand does on the canvas, one class a gesture: started, moved, then ended or cancelled."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QPoint, QRect, QRectF, Qt

from wattsweights_gui.gui.canvas import geometry
from wattsweights_gui.layout import edits, fit
from wattsweights_gui.layout.device_types import DeviceType
from wattsweights_gui.layout.edits import Edited
from wattsweights_gui.layout.fit import NotPossible
from wattsweights_gui.layout.placements import Device, Half

if TYPE_CHECKING:
    from wattsweights_gui.gui.canvas.view import RackView


class Gesture(Protocol):
    """What every gesture answers to; points are of the view's window."""

    def move(self, at: QPoint) -> None:
        """Follow the pointer."""

    def end(self, at: QPoint) -> None:
        """Do it."""

    def cancel(self) -> None:
        """Leave everything as it was."""


class Pan:
    """The sheet follows the hand."""

    def __init__(self, view: RackView, at: QPoint) -> None:
        self._view, self._last = view, at
        view.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)

    def move(self, at: QPoint) -> None:
        """Scroll by what the pointer moved."""
        step = at - self._last
        self._last = at
        for bar, by in ((self._view.horizontalScrollBar(), step.x()), (self._view.verticalScrollBar(), step.y())):
            bar.setValue(bar.value() - by)

    def end(self, at: QPoint) -> None:
        """Let go."""
        self._view.viewport().unsetCursor()

    def cancel(self) -> None:
        """Let go."""
        self._view.viewport().unsetCursor()


class Band:
    """A rectangle that chooses the devices in it."""

    def __init__(self, view: RackView, at: QPoint, add: bool) -> None:
        self._view, self._from = view, at
        self._before = set(view.look.chosen) if add else set()

    def move(self, at: QPoint) -> None:
        """Choose what lies in the rectangle now."""
        area = QRect(self._from, at).normalized()
        self._view.show_band(area)
        self._view.choose(self._before | self._view.devices_in(area), ())

    def end(self, at: QPoint) -> None:
        """Keep what was chosen."""
        self._view.show_band(None)

    def cancel(self) -> None:
        """Choose what had been chosen before."""
        self._view.show_band(None)
        self._view.choose(self._before, ())


class Place:
    """A new device from the palette on its way into a rack."""

    def __init__(self, view: RackView, kind: DeviceType) -> None:
        self._view, self._kind = view, kind
        rack = next(iter(view.session.placements.racks), None)
        self._device = None if rack is None else edits.new_device(view.session.placements, kind, rack, 1)
        self._where: tuple[str, Device] | None = None

    def move(self, at: QPoint) -> None:
        """Show where it would stand, or why not."""
        view = self._view
        self._where = None
        if not view.viewport().rect().contains(at) or self._device is None:
            view.ghost.setVisible(False)
            return
        point = view.mapToScene(at)
        spot = view.lines.spot(point.x(), point.y(), view.look.face)
        if spot is None:
            view.ghost.show_at([], "", f"{self._kind.name}: drop it into a rack", point)
            return
        rack = view.session.placements.racks[spot.rack]
        inside = view.session.placements.inside(rack.id)
        device = _standing(self._device, self._kind, spot, rack.height_u, view)
        refused = fit.why_not(rack, inside, device, view.session.hall, view.session.units)
        self._where = (rack.id, device)
        words = "" if device.zero_u else f"U{device.bottom_u}"
        view.ghost.show_at(
            [view.box_of(spot.rack, device)], refused.reason if refused else "", f"{self._kind.name} {words}", point
        )

    def end(self, at: QPoint) -> None:
        """Put it there."""
        self.move(at)
        view = self._view
        view.ghost.setVisible(False)
        if self._where is None:
            return
        rack, device = self._where
        outcome = edits.place(
            view.session.placements,
            view.session.hall,
            self._kind.id,
            rack,
            device.bottom_u,
            device.face,
            device.half,
        )
        view.take(outcome, f"Place {self._kind.name}")

    def cancel(self) -> None:
        """Put it back into the palette."""
        self._view.ghost.setVisible(False)


def _standing(device: Device, kind: DeviceType, spot: geometry.Spot, rack_u: int, view: RackView) -> Device:
    """Return a device as it would stand at a spot, at the face that is looked at."""
    half: Half = spot.half if kind.half_width or kind.zero_u else ""
    if kind.zero_u:
        return replace(device, half=half or "left")
    unit = spot.unit or 1
    bottom = 1 if kind.whole_rack else geometry.bottom_for(unit, kind.height_u, rack_u)
    return replace(device, bottom_u=bottom, face=view.look.face, half=half)


class Move:
    """Devices on their way to another place; the one that was taken leads."""

    def __init__(self, view: RackView, lead: Device, unit: int, at: QPoint) -> None:
        self._view, self._lead = view, lead
        self._ids = tuple(view.look.chosen)
        self._grip = unit - lead.bottom_u if lead.bottom_u is not None else 0
        self._last = at
        self._outcome: Edited | NotPossible | None = None

    def move(self, at: QPoint) -> None:
        """Show where they would stand, or why not."""
        view, placements = self._view, self._view.session.placements
        point = view.mapToScene(at)
        self._outcome = None
        spot = view.lines.spot(point.x(), point.y(), view.look.face)
        if spot is None:
            view.ghost.show_at([], "", "Drop it into a rack", point)
            return
        rack = placements.racks[spot.rack]
        lead = self._lead
        bottom = None
        if lead.bottom_u is not None:
            bottom = geometry.bottom_for(spot.unit or 1, lead.height_u, rack.height_u, self._grip)
        half = spot.half if lead.half and len(self._ids) == 1 else None
        self._outcome = edits.move(
            placements, view.session.hall, self._ids, rack.id, bottom, lead.id, half=half if half else None
        )
        reason = self._outcome.reason if isinstance(self._outcome, NotPossible) else ""
        view.ghost.show_at(list(self._boxes(spot.rack, bottom, half)), reason, f"U{bottom}" if bottom else "", point)

    def _boxes(self, target: int, bottom: int | None, half: Half | None) -> Iterable[QRectF]:
        view, placements = self._view, self._view.session.placements
        order = {rack.id: i for i, rack in enumerate(placements.racks)}
        steps = target - order[placements.place_of[self._lead.id]]
        up = bottom - self._lead.bottom_u if bottom is not None and self._lead.bottom_u is not None else 0
        for rack, device in placements.chosen(self._ids):
            number = order[rack] + steps
            if 0 <= number < len(placements.racks):
                moved = replace(device, half=half or device.half)
                if device.bottom_u is not None:
                    moved = replace(moved, bottom_u=device.bottom_u + up)
                yield view.box_of(number, moved)

    def end(self, at: QPoint) -> None:
        """Move the real things."""
        self.move(at)
        self._view.ghost.setVisible(False)
        if self._outcome is not None:
            count = len(self._ids)
            words = self._lead.name if count == 1 else f"{count} devices"
            self._view.take(self._outcome, f"Move {words}")

    def cancel(self) -> None:
        """Leave them where they are."""
        self._view.ghost.setVisible(False)


class Press:
    """A button that went down on a device or rack: a click, or the start of a move or of a rectangle."""

    def __init__(self, view: RackView, at: QPoint, add: bool) -> None:
        self._view, self._at, self._add = view, at, add
        self._inner: Gesture | None = None
        self._found = view.device_at(at)
        self._was_chosen = self._found is not None and self._found.id in view.look.chosen
        if self._found is not None and not self._was_chosen:
            view.choose({self._found.id} | (view.look.chosen if add else set()), ())

    def move(self, at: QPoint) -> None:
        """Become a move or a rectangle once the hand has gone far enough."""
        if self._inner is None:
            if (at - self._at).manhattanLength() < 6:
                return
            if self._found is not None:
                point = self._view.mapToScene(self._at)
                spot = self._view.lines.spot(point.x(), point.y(), self._view.look.face)
                self._inner = Move(self._view, self._found, spot.unit if spot is not None else 1, self._at)
            else:
                self._inner = Band(self._view, self._at, self._add)
        self._inner.move(at)

    def end(self, at: QPoint) -> None:
        """End what it became, or take it for a click."""
        if self._inner is not None:
            self._inner.end(at)
            return
        view = self._view
        if self._found is not None:
            if self._add and self._was_chosen:
                view.choose(view.look.chosen - {self._found.id}, ())
            elif not self._add:
                view.choose({self._found.id}, ())
            return
        rack = view.rack_at(at)
        racks = {rack} if rack else set()
        view.choose(set(), view.look.chosen_racks ^ racks if self._add else racks)

    def cancel(self) -> None:
        """Leave everything as it was."""
        if self._inner is not None:
            self._inner.cancel()
