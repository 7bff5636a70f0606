"""What a plan says of the floor: sizes, aisles, how many CDUs and PDUs, and what must not be stood on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.declare import Figure, unknown
from wattsweights_gui.engine.keep_outs import KeepOut, keep_outs


@dataclass(frozen=True)
class FloorRules:
    """By what racks are arranged; lengths in mm.

    Attributes:
        containment: ``none``, ``cold`` or ``hot``: which aisles are closed off.
        cdus: that stand on the floor.
        cdu_name: of the unit, empty where there is none.
        cdus_in_rows: between the racks, not at the end of the rows.
        pdus: of all rows together; ``None`` where each row has ``row_pdus``.
        least_mm: that stays free before and behind a rack.
        hall_width_mm, hall_depth_mm: inside the walls; ``None`` where it is as large as the rows need.
        load_limit: of the floor in kg/m², on a rack's footprint and half of its aisles.
        area_limit: of the floor in m².
        overhead: what feeds the racks from above, empty where PDUs on the floor do.
    """

    racks_per_row: int
    rack_width_mm: float
    rack_depth_mm: float
    cold_mm: float
    hot_mm: float
    cross_mm: float
    containment: str
    cdus: int
    cdu_name: str
    cdus_in_rows: bool
    cdu_width_mm: float
    pdus: int | None
    row_pdus: int
    pdu_width_mm: float
    least_mm: float
    hall_width_mm: float | None
    hall_depth_mm: float | None
    keep_outs: tuple[KeepOut, ...]
    load_limit: Figure
    area_limit: Figure
    overhead: str = ""


def floor_rules(evaluation: Evaluation) -> FloorRules:
    """Return what a plan says of its floor."""
    floor: Any = evaluation.plan.inputs("floor")
    cdus, name = _cdus(evaluation)
    pdus, overhead = _distribution(evaluation)
    return FloorRules(
        floor.racks_per_row,
        floor.rack_width_mm,
        floor.rack_depth_mm,
        floor.cold_aisle_mm,
        floor.hot_aisle_mm,
        floor.cross_aisle_mm,
        floor.containment,
        cdus,
        name,
        floor.cdu_place == "in_row",
        floor.cdu_width_mm,
        pdus,
        floor.row_pdus,
        floor.row_pdu_width_mm,
        floor.least_aisle_mm,
        floor.hall_width_mm,
        floor.hall_depth_mm,
        keep_outs(floor.keep_outs),
        _limit(floor, "floor_load_limit_kg_m2"),
        _limit(floor, "area_limit_m2"),
        overhead,
    )


def _distribution(evaluation: Evaluation) -> tuple[int | None, str]:
    """Return how many PDUs stand on the floor, and what hangs over the rows in their place."""
    kind = getattr(evaluation.plan.inputs("power"), "distribution", None)
    if kind in ("busway", "dc_800"):
        return 0, "Busway"
    units = getattr(evaluation.results["power"], "distribution_units", None)
    return (int(units.number) if kind == "pdu" and units is not None and units.known else None), ""


def _cdus(evaluation: Evaluation) -> tuple[int, str]:
    """Return how many CDUs stand on the floor, and what they are called."""
    name = getattr(evaluation.plan.value("cooling.technology"), "cdu", None)
    count = evaluation.results["cooling"].cdus
    if not name or not count.known:
        return 0, ""
    entry = evaluation.catalog.entry(name)
    return (0, "") if entry.get("position") == "in_rack" else (int(count.number), entry.name)


def _limit(floor: Any, name: str) -> Figure:
    figure: Figure = floor.fig(name)
    return figure if figure.known else unknown("no limit is stated", figure.unit, figure.title)
