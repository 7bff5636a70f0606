"""What is placed against what the plan asks for and what the hall carries, as findings, worst first."""

from __future__ import annotations

from collections.abc import Mapping

from wattsweights_gui.engine.declare import Finding
from wattsweights_gui.engine.units import System, number, text
from wattsweights_gui.layout.fit import why_not_here
from wattsweights_gui.layout.hall import Hall
from wattsweights_gui.layout.loads import RackLoad, rack_loads
from wattsweights_gui.layout.placements import Device, Placements
from wattsweights_gui.layout.wanted import Wanted

# what a plan does not count: an extra one is no disagreement
_UNPLANNED_GROUPS = frozenset({"Panels", "Power"})
_ORDER = {"blocker": 0, "caution": 1, "note": 2}


def disagreements(
    placements: Placements,
    wanted: Wanted,
    hall: Hall,
    loads: Mapping[str, RackLoad] | None = None,
    units: System = "si",
) -> tuple[Finding, ...]:
    """Return what no longer agrees; nothing where no rack is placed at all."""
    if not placements.racks:
        return ()
    by_rack = loads if loads is not None else rack_loads(placements, hall)
    found = [
        *_counts(placements, wanted, hall),
        *_racks(placements, wanted),
        *_over(placements, by_rack, hall, units),
        *_misfits(placements, hall),
        *(Finding("layout.not_placed", "note", "racks", note, wanted.source) for note in wanted.notes),
    ]
    return tuple(sorted(found, key=lambda f: _ORDER[f.severity]))


def _counts(placements: Placements, wanted: Wanted, hall: Hall) -> list[Finding]:
    found = []
    asked, there = wanted.counts(), placements.counts()
    for entry in dict.fromkeys((*asked, *there)):
        want, have = asked.get(entry, 0), there.get(entry, 0)
        kind = hall.type_of(entry)
        name = kind.name if kind is not None else entry
        if kind is None:
            message = f"{name} is not in the catalogue: its {number(have)} devices are not counted."
            found.append(Finding(f"layout.unknown.{entry}", "caution", f"racks.{entry}", message))
        elif have < want:
            message = f"The plan has {number(want)} × {name}; {number(have)} are placed: {number(want - have)} missing."
            found.append(Finding(f"layout.missing.{entry}", "caution", f"racks.{entry}", message, wanted.source))
        elif have > want and kind.group not in _UNPLANNED_GROUPS:
            message = (
                f"The plan has {number(want)} × {name}; {number(have)} are placed: {number(have - want)} too many."
            )
            found.append(Finding(f"layout.extra.{entry}", "caution", f"racks.{entry}", message, wanted.source))
    return found


def _racks(placements: Placements, wanted: Wanted) -> list[Finding]:
    found = []
    for role in ("compute", "network", "storage"):
        want = sum(r.role == role for r in wanted.racks)
        have = sum(r.role == role for r in placements.racks)
        if want != have:
            message = f"The plan has {number(want)} {role} racks; {number(have)} are placed."
            found.append(Finding(f"layout.racks.{role}", "note", "racks", message, wanted.source))
    return found


def _over(placements: Placements, loads: Mapping[str, RackLoad], hall: Hall, units: System) -> list[Finding]:
    """Return one finding a limit, with the worst rack and how many more there are."""
    found = []
    names = {rack.id: rack.name for rack in placements.racks}
    power = {rack: load.power_kw for rack, load in loads.items()}
    mass = {rack: load.mass_kg for rack, load in loads.items()}
    for id, limit, what, values, unit in (
        ("feeds", hall.feed_kw, "draws", power, "kw"),
        ("heat", hall.reject_kw, "gives off", power, "kw"),
        ("mass", hall.mass_kg, "weighs", mass, "kg"),
    ):
        if not limit.known:
            continue
        over = [(value, rack) for rack, value in values.items() if value > limit.number * (1 + 1e-9)]
        if over:
            worst, rack = max(over, key=lambda pair: pair[0])
            more = f" {number(len(over) - 1)} more racks are over it." if len(over) > 1 else ""
            words = {"feeds": "its feeds give", "heat": "a rack can reject", "mass": "the floor carries"}[id]
            by = f" ({hall.reject_by})" if id == "heat" and hall.reject_by else ""
            message = f"{names[rack]} {what} {text(worst, unit, units)}; {words} {limit.text(units)}{by}.{more}"
            found.append(Finding(f"layout.over.{id}", "blocker", f"racks.{rack}", message, limit.source))
    return found


def _misfits(placements: Placements, hall: Hall) -> list[Finding]:
    """Return devices that stand where they cannot: a file of somebody else, or another cooling since they were put."""
    found: dict[str, tuple[str, str, int]] = {}
    for rack in placements.racks:
        inside: tuple[Device, ...] = ()
        for device in placements.inside(rack.id):
            refused = why_not_here(rack, inside, device, hall) if not rack.locked else None
            if refused is not None:
                reason, where, count = found.get(refused.why, (refused.reason, device.id, 0))
                found[refused.why] = (reason, where, count + 1)
            inside = (*inside, device)
    return [
        Finding(
            f"layout.misfit.{why}",
            "blocker",
            f"racks.{where}",
            reason + (f" {number(count - 1)} more devices stand like that." if count > 1 else ""),
        )
        for why, (reason, where, count) in found.items()
    ]
