"""Whether a device fits at a place, and if not, why not, in one sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from wattsweights_gui.engine.units import System, text
from wattsweights_gui.layout.device_types import DeviceType
from wattsweights_gui.layout.hall import Hall
from wattsweights_gui.layout.loads import RackLoad, rack_load
from wattsweights_gui.layout.placements import BITS_A_UNIT, ZERO_U_PLACES, Device, Face, Half, Rack, cells

Why = Literal["space", "power", "mass", "heat", "liquid", "airflow", "depth", "locked", "unknown"]
_LIMIT_TOLERANCE = 1 + 1e-9


@dataclass(frozen=True, slots=True)
class NotPossible:
    """Why an edit cannot be: what is short, and a sentence for the person who tried."""

    why: Why
    reason: str


def why_not_here(rack: Rack, devices: Iterable[Device], device: Device, hall: Hall) -> NotPossible | None:
    """Return why a device cannot stand where it says beside the devices of a rack; ``None`` where it can.

    What the rack draws, weighs and gives off is for :func:`why_not_load`.
    """
    inside = tuple(devices)
    kind = hall.type_of(device.entry)
    if rack.locked:
        return NotPossible("locked", f"{rack.name} is locked: unlock it to change what is in it.")
    return (
        _space(rack, inside, device, kind)
        or _depth(rack, inside, device, hall)
        or (_airflow(rack, device, kind) or _liquid(kind, hall) if kind is not None else None)
    )


def _space(rack: Rack, inside: tuple[Device, ...], device: Device, kind: DeviceType | None) -> NotPossible | None:
    if device.bottom_u is None:
        side = [d for d in inside if d.zero_u and d.half == device.half]
        if len(side) >= ZERO_U_PLACES // 2:
            places = ZERO_U_PLACES // 2
            return NotPossible(
                "space", f"The {device.half} side of {rack.name} has {places} places beside its units: both are taken."
            )
        return None
    if kind is not None and kind.whole_rack and (inside or device.height_u != rack.height_u):
        if inside:
            return NotPossible("space", f"{kind.name} is a whole rack; {rack.name} is not empty.")
        return NotPossible(
            "space",
            f"{kind.name} is a rack of {device.height_u} U; {rack.name} has {rack.height_u} U: they must agree.",
        )
    if device.bottom_u < 1 or device.top_u > rack.height_u:
        return NotPossible(
            "space",
            f"{device.name} takes {device.height_u} U: from U{device.bottom_u} it would end outside the "
            f"{rack.height_u} U of {rack.name}.",
        )
    taken = device.cells
    for other in inside:
        if other.cells & taken:
            where = f"U{other.bottom_u}" if other.height_u == 1 else f"U{other.bottom_u} to U{other.top_u}"
            return NotPossible("space", f"{other.name} stands at {where} of {rack.name}.")
    return None


def _depth(rack: Rack, inside: tuple[Device, ...], device: Device, hall: Hall) -> NotPossible | None:
    deep = _depth_mm(device, hall)
    if deep is None or device.zero_u:
        return None
    if deep > rack.depth_mm:
        return NotPossible(
            "depth", f"{device.name} is {text(deep, 'mm')} deep; {rack.name} has {text(rack.depth_mm, 'mm')}."
        )
    if device.full_depth:
        return None
    behind = cells(device.bottom_u or 1, device.height_u, device.face, device.half, True) & ~device.cells
    for other in inside:
        other_deep = _depth_mm(other, hall) if other.cells & behind else None
        if other_deep is not None and deep + other_deep > rack.depth_mm:
            return NotPossible(
                "depth",
                f"{device.name} and {other.name} behind it are {text(deep + other_deep, 'mm')} deep together; "
                f"{rack.name} has {text(rack.depth_mm, 'mm')}.",
            )
    return None


def _depth_mm(device: Device, hall: Hall) -> float | None:
    kind = hall.type_of(device.entry)
    return kind.depth_mm.number if kind is not None and kind.depth_mm.known else None


def _airflow(rack: Rack, device: Device, kind: DeviceType) -> NotPossible | None:
    blows = {("front_to_rear", "rear"), ("rear_to_front", "front")}
    if (kind.airflow, device.face) in blows and not device.zero_u:
        turned = "front" if device.face == "rear" else "rear"
        return NotPossible(
            "airflow",
            f"At the {device.face} of {rack.name}, {kind.name} would blow warm air into the cold aisle: "
            f"mount it at the {turned}.",
        )
    return None


def _liquid(kind: DeviceType, hall: Hall) -> NotPossible | None:
    if kind.needs_liquid and not hall.plates:
        return NotPossible(
            "liquid", f"{kind.name} needs a coolant loop; the plan's cooling has none at the racks: change Cooling."
        )
    return None


def why_not_load(rack: Rack, before: RackLoad, after: RackLoad, hall: Hall, units: System = "si") -> NotPossible | None:
    """Return why a rack cannot carry what it would hold; ``None`` where it can, or carries no more than now."""
    feed, heat, mass = hall.feed_kw, hall.reject_kw, hall.mass_kg
    if feed.known and _over(before.power_kw, after.power_kw, feed.number):
        return NotPossible(
            "power",
            f"{rack.name} would draw {text(after.power_kw, 'kw', units)}; its feeds give {feed.text(units)} "
            "when one side is lost.",
        )
    if heat.known and _over(before.power_kw, after.power_kw, heat.number):
        by = f" ({hall.reject_by})" if hall.reject_by else ""
        return NotPossible(
            "heat",
            f"{rack.name} would give off {text(after.power_kw, 'kw', units)}; a rack can reject "
            f"{heat.text(units)}{by}.",
        )
    if mass.known and _over(before.mass_kg, after.mass_kg, mass.number):
        return NotPossible(
            "mass",
            f"{rack.name} would weigh {text(after.mass_kg, 'kg', units)}; the floor carries {mass.text(units)} a rack.",
        )
    return None


def _over(before: float, after: float, limit: float) -> bool:
    return after > limit * _LIMIT_TOLERANCE and after > before * _LIMIT_TOLERANCE


def why_not(
    rack: Rack, devices: Iterable[Device], device: Device, hall: Hall, units: System = "si"
) -> NotPossible | None:
    """Return why one more device cannot be added to a rack, of any reason there is; ``None`` where it can."""
    inside = tuple(devices)
    found = why_not_here(rack, inside, device, hall)
    if found is not None:
        return found
    before = rack_load(rack, inside, hall)
    return why_not_load(rack, before, rack_load(rack, (*inside, device), hall), hall, units)


def free_places(
    rack: Rack, taken: int, height_u: int, face: Face, half: Half, full_depth: bool, halves: bool = False
) -> Iterator[tuple[int, Half]]:
    """Yield the places (lowest unit, half) where a device finds room, from the bottom up; both halves where wanted."""
    sides: tuple[Half, ...] = ("left", "right") if halves else (half,)
    first = [(side, cells(1, height_u, face, side, full_depth)) for side in sides]
    for bottom in range(1, rack.height_u - height_u + 2):
        for side, mask in first:
            if not (mask << BITS_A_UNIT * (bottom - 1)) & taken:
                yield bottom, side
