"""What is wrong with a floor: what overlaps, stands on a keep-out, outside the hall or too heavy, as findings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from wattsweights_gui.engine.declare import Finding
from wattsweights_gui.engine.equations import floor_load
from wattsweights_gui.engine.units import System, number, text
from wattsweights_gui.layout.floor_moves import Standing, why_not_there
from wattsweights_gui.layout.floor_plan import FloorPlan, FloorRow, Spot
from wattsweights_gui.layout.loads import RackLoad, total


@dataclass(frozen=True)
class FloorLoads:
    """What a rack puts on the floor, in kg/m²: on its footprint, and with half of its aisles."""

    footprint: float
    spread: float


def floor_loads(plan: FloorPlan, spot: Spot, mass_kg: float) -> FloorLoads:
    """Return what a rack puts on the floor."""
    rules = plan.rules
    across = spot.turned % 180 == 90
    width, depth = (spot.box.depth, spot.box.width) if across else (spot.box.width, spot.box.depth)
    pitch = floor_load.row_pitch_mm(depth, rules.cold_mm, rules.hot_mm)
    return FloorLoads(
        float(floor_load.footprint_load(mass_kg, width, depth)), float(floor_load.spread_load(mass_kg, width, pitch))
    )


def row_load(row: FloorRow, loads: Mapping[str, RackLoad]) -> RackLoad:
    """Return the racks of a row added up."""
    return total(loads[id] for id in row.racks)


def floor_findings(plan: FloorPlan, loads: Mapping[str, RackLoad], units: System = "si") -> tuple[Finding, ...]:
    """Return what is wrong with a floor, one finding a kind with the first or worst rack and how many more."""
    found: list[Finding] = []
    if not plan.racks:
        return ()
    standing, refused = Standing.of(plan), []
    for spot in plan.racks.values():
        reason = why_not_there(standing, spot, units)
        if reason is not None:
            refused.append((spot.id, reason.reason.replace(" would stand ", " stands ").replace(" would be ", " is ")
                            .replace(" would overlap ", " overlaps ")))  # fmt: skip
    if refused:
        id, sentence = refused[0]
        found.append(Finding("floor.place", "blocker", f"racks.{id}", sentence + _more(len(refused) - 1)))
    limit = plan.rules.load_limit
    heavy = [(floor_loads(plan, s, loads[s.id].mass_kg).spread, s) for s in plan.racks.values()]
    worst, which = max(heavy, key=lambda pair: pair[0])
    if limit.known and worst > limit.number * (1 + 1e-9):
        over = sum(load > limit.number * (1 + 1e-9) for load, _ in heavy)
        found.append(
            Finding(
                "floor.load",
                "blocker",
                f"racks.{which.id}",
                f"{which.name} puts {text(worst, 'kg_m2', units)} on its footprint and half of its aisles; the floor "
                f"carries {limit.text(units)}.{_more(over - 1)}",
                limit.source,
            )
        )
    area = plan.rules.area_limit
    if area.known and plan.outline.area_m2 > area.number * (1 + 1e-9):
        found.append(
            Finding(
                "floor.outline",
                "caution",
                "floor.area_limit_m2",
                f"The rows with their aisles take {text(plan.outline.area_m2, 'm2', units)}; there are "
                f"{area.text(units)}.",
                area.source,
            )
        )
    for kind, asked in (("cdu", plan.rules.cdus), ("pdu", plan.rules.pdus)):
        there = sum(u.kind == kind for u in plan.units)
        if asked is not None and there < asked:
            found.append(
                Finding(
                    f"floor.{kind}s",
                    "caution",
                    "floor.keep_outs",
                    f"{number(asked - there)} of {number(asked)} {kind.upper()}s find no place in the rows.",
                )
            )
    return tuple(found)


def _more(count: int) -> str:
    return f" {number(count)} more racks stand like that." if count > 0 else ""
