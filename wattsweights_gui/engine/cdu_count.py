"""How many CDUs: by heat and by flow, for one loop, group by group, or rack by rack, with spares."""

from __future__ import annotations

import math
from typing import Any

from wattsweights_gui.engine.cdu_ratings import Rating
from wattsweights_gui.engine.declare import Figure, calc, equation
from wattsweights_gui.engine.equations import heat_rejection


@equation("⌈racks / racks a group⌉", "count", "loops that CDUs serve")
def group_count(racks: float, racks_per_group: float) -> int:
    """Return the number of CDU groups."""
    return math.ceil(racks / racks_per_group - 1e-9) if racks_per_group else 0


@equation("groups ⌈(amount / racks) min(racks, racks a group) / one unit⌉", "count", "whole units in each group")
def grouped_units(amount: float, of_one: float, racks: float, racks_per_group: float, groups: float) -> int:
    """Return whole units where each group of racks has its own; a full group sets the number."""
    if racks <= 0:
        return 0
    each: int = heat_rejection.units_needed(amount / racks * min(racks, racks_per_group), of_one)
    return int(groups) * each


@equation("max(by heat, by flow) + groups spare", "count", "heat and flow each can bind; every group has its spares")
def with_spares(by_heat: float, by_flow: float, groups: float, spare: float) -> int:
    """Return the CDUs with spares; none where there is no heat to liquid."""
    needed = int(max(by_heat, by_flow))
    return needed + int(groups * spare) if needed else 0


def cdu_counts(
    inputs: Any, rating: Rating, capacity: Figure, liquid: Figure, flow: Figure, racks: Figure
) -> tuple[Figure, Figure, Figure]:
    """Return the CDUs by heat, by flow, and with spares; in-rack units are counted rack by rack."""
    technology = inputs.technology
    spare = inputs.fig("technology.spare_cdus")
    in_rack = rating.entry.get("position") == "in_rack"
    checked = rating.flow_l_min.known and technology.kind == "single_phase" and rating.flow_l_min.number > 0
    unchecked = Figure(0, "count", "CDUs by flow", formula="the maker prints no flow limit: not checked")
    if not in_rack and technology.racks_per_group is None:
        by_heat = calc(heat_rejection.units_needed, title="CDUs by heat", amount=liquid, of_one=capacity)
        by_flow = (
            calc(heat_rejection.units_needed, title="CDUs by flow", amount=flow, of_one=rating.flow_l_min)
            if checked
            else unchecked
        )
        cdus = calc(heat_rejection.cdu_count, title="CDUs", by_heat=by_heat, by_flow=by_flow, spare=spare)
        return by_heat, by_flow, cdus
    each = (
        Figure(1, "count", "Racks a CDU group", formula="in-rack units: each rack has its own")
        if in_rack
        else inputs.fig("technology.racks_per_group")
    )
    groups = calc(group_count, title="CDU groups", racks=racks, racks_per_group=each)
    grouped = {"racks": racks, "racks_per_group": each, "groups": groups}
    by_heat = calc(grouped_units, title="CDUs by heat", amount=liquid, of_one=capacity, **grouped)
    by_flow = (
        calc(grouped_units, title="CDUs by flow", amount=flow, of_one=rating.flow_l_min, **grouped)
        if checked
        else unchecked
    )
    shelf = Figure(1, "count", "Shelf of spares", formula="spare in-rack units are kept for all racks together")
    return (
        by_heat,
        by_flow,
        calc(
            with_spares,
            title="CDUs",
            by_heat=by_heat,
            by_flow=by_flow,
            groups=shelf if in_rack else groups,
            spare=spare,
        ),
    )
