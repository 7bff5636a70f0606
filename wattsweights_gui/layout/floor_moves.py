"""Racks put elsewhere on the floor by hand: where they may stand, and the sentence where they may not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from wattsweights_gui.engine.units import System, text
from wattsweights_gui.layout.edits import Edited, Outcome
from wattsweights_gui.layout.fit import NotPossible
from wattsweights_gui.layout.floor_plan import Box, FloorPlan, Places, Spot, box_of, quarter
from wattsweights_gui.layout.placements import Placements

_KEEP_OUT = "!"
# racks beside one another stand a finger apart in drawings of others
_SLACK_MM = 1.0


@dataclass(frozen=True)
class Standing:
    """What stands on a floor, to be looked up by place."""

    plan: FloorPlan
    spots: dict[str, Spot]
    places: Places

    @classmethod
    def of(cls, plan: FloorPlan, without: Iterable[str] = ()) -> Standing:
        """Return what stands on a floor, some racks taken away."""
        gone = set(without)
        spots = {s.id: s for s in plan.spots() if s.id not in gone}
        places = Places((id, s.box) for id, s in spots.items())
        for number, out in enumerate(plan.rules.keep_outs):
            places.add(f"{_KEEP_OUT}{number}", Box(out.x_mm, out.y_mm, out.width_mm, out.depth_mm))
        return cls(plan, spots, places)

    def name(self, id: str) -> str:
        """Return what something is called."""
        if id.startswith(_KEEP_OUT):
            return self.plan.rules.keep_outs[int(id[1:])].name
        return self.spots[id].name


def why_not_there(standing: Standing, spot: Spot, units: System = "si") -> NotPossible | None:
    """Return why a rack cannot stand somewhere; ``None`` where it can."""
    plan = standing.plan
    if plan.rules.hall_width_mm is not None and not 0 <= spot.box.x <= spot.box.right <= plan.outline.width + 1e-6:
        return NotPossible("space", f"{spot.name} would stand outside the hall, {_size(plan, units)}.")
    if plan.rules.hall_depth_mm is not None and not 0 <= spot.box.y <= spot.box.bottom <= plan.outline.depth + 1e-6:
        return NotPossible("space", f"{spot.name} would stand outside the hall, {_size(plan, units)}.")
    if spot.box.x < -1e-6 or spot.box.y < -1e-6:
        return NotPossible("space", f"{spot.name} would stand outside the hall: beyond its upper left corner.")
    for id, _ in standing.places.all_meeting(_shrunk(spot.box)):
        if id != spot.id:
            if id.startswith(_KEEP_OUT):
                return NotPossible("space", f"{spot.name} would stand on {standing.name(id)}, where nothing may stand.")
            return NotPossible("space", f"{spot.name} would overlap {standing.name(id)}.")
    return _narrow(standing, spot, units)


def _size(plan: FloorPlan, units: System) -> str:
    return f"{text(plan.outline.width / 1e3, 'm', units)} × {text(plan.outline.depth / 1e3, 'm', units)}"


def _shrunk(box: Box) -> Box:
    return Box(box.x + _SLACK_MM, box.y + _SLACK_MM, box.width - 2 * _SLACK_MM, box.depth - 2 * _SLACK_MM)


def ways(spot: Spot, deep: float) -> Iterator[tuple[str, Box]]:
    """Yield the floor before and behind a rack, ``deep`` mm of it."""
    box = _shrunk(spot.box)
    up = Box(box.x, spot.box.y - deep, box.width, deep)
    down = Box(box.x, spot.box.bottom, box.width, deep)
    left = Box(spot.box.x - deep, box.y, deep, box.depth)
    right = Box(spot.box.right, box.y, deep, box.depth)
    front, rear = {0: (down, up), 180: (up, down), 90: (left, right), 270: (right, left)}[spot.turned]
    yield "before", front
    yield "behind", rear


def _gap(one: Box, other: Box) -> float:
    return max(one.x - other.right, other.x - one.right, one.y - other.bottom, other.y - one.bottom)


def _narrow(standing: Standing, spot: Spot, units: System) -> NotPossible | None:
    """Return the way before or behind this rack, or one beside it, that would be too narrow."""
    least = standing.plan.rules.least_mm
    if least <= 0:
        return None
    for side, way in ways(spot, least):
        for id, box in standing.places.all_meeting(way):
            if id != spot.id and (gap := _gap(spot.box, box)) < least - _SLACK_MM:
                return _too_narrow(gap, least, f"{side} {spot.name}, up to {standing.name(id)}", units)
    around = Box(spot.box.x - least, spot.box.y - least, spot.box.width + 2 * least, spot.box.depth + 2 * least)
    for id, _ in standing.places.all_meeting(around):
        other = standing.spots.get(id)
        if other is None or other.kind != "rack" or id == spot.id:
            continue
        for side, way in ways(other, least):
            if way.meets(_shrunk(spot.box)) and (gap := _gap(spot.box, other.box)) < least - _SLACK_MM:
                return _too_narrow(gap, least, f"{side} {other.name}, up to {spot.name}", units)
    return None


def _too_narrow(gap: float, least: float, where: str, units: System) -> NotPossible:
    return NotPossible(
        "space",
        f"The way {where}, would be {text(max(gap, 0.0) / 1e3, 'm', units)} wide; "
        f"{text(least / 1e3, 'm', units)} must stay free.",
    )


def move_racks(
    placements: Placements,
    plan: FloorPlan,
    ids: Iterable[str],
    by_x_mm: float,
    by_y_mm: float,
    turn: int = 0,
    units: System = "si",
) -> Outcome:
    """Put racks elsewhere on the floor, all by the same distance, each turned by so many degrees; or say why not."""
    chosen = [id for id in ids if id in plan.racks]
    if not chosen:
        return NotPossible("unknown", "No rack is selected.")
    standing = Standing.of(plan, chosen)
    moved: dict[str, Spot] = {}
    for id in chosen:
        rack, before = placements.rack(id), plan.racks[id]
        if rack.locked:
            return NotPossible("locked", f"{rack.name} is locked: unlock it first.")
        turned = quarter(before.turned + turn)
        box = box_of(rack, before.box.x + by_x_mm, before.box.y + by_y_mm, turned)
        if turn % 180:  # about its middle
            box = Box(
                box.x + (before.box.width - box.width) / 2, box.y + (before.box.depth - box.depth) / 2, box.width,
                box.depth,
            )  # fmt: skip
        moved[id] = replace(before, box=box, turned=turned, row="", by_hand=True)
        standing.spots[id] = moved[id]
        standing.places.add(id, box)
    for spot in moved.values():
        refused = why_not_there(standing, spot, units)
        if refused is not None:
            return refused
    racks = tuple(
        replace(r, x_mm=moved[r.id].box.x, y_mm=moved[r.id].box.y, turned_deg=float(moved[r.id].turned))
        if r.id in moved
        else r
        for r in placements.racks
    )
    return Edited(replace(placements, racks=racks), (), tuple(chosen))


def back_in_rows(placements: Placements, ids: Iterable[str]) -> Outcome:
    """Let racks stand where the rows have their place, whatever a person had done with them."""
    chosen = {id for id in ids if id in placements.rack_of_id and placements.rack(id).x_mm is not None}
    if not chosen:
        return NotPossible("unknown", "None of these racks was put elsewhere by hand.")
    locked = next((placements.rack(id) for id in chosen if placements.rack(id).locked), None)
    if locked is not None:
        return NotPossible("locked", f"{locked.name} is locked: unlock it first.")
    racks = tuple(replace(r, x_mm=None, y_mm=None, turned_deg=None) if r.id in chosen else r for r in placements.racks)
    return Edited(replace(placements, racks=racks), (), tuple(chosen))
