"""What one CDU does: its rating point or a user's curve, and its heat at the planned temperatures."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

from wattsweights_gui.engine.declare import Entry, Figure, calc, constant, stated, unknown
from wattsweights_gui.engine.equations import fluids, heat_exchanger, heat_rejection
from wattsweights_gui.engine.rating_curve import points_of, read_off

RATED_RISE = constant(
    "rated_rise_k", 10.0, "k", "Coolant rise at the rating (estimate)", "ours: where the maker prints no coolant flow"
)


@dataclass(frozen=True)
class Rating:
    """What one CDU does at the rating point that is used; unknown figures where its maker does not print them."""

    entry: Entry
    capacity_kw: Figure
    approach_k: Figure
    flow_l_min: Figure
    head_kpa: Figure
    electric_kw: Figure
    to_air: bool
    head_enough: bool | None


@lru_cache(maxsize=64)
def cdu_rating(catalog: Any, cdu: str, loop_dp_kpa: float | None) -> Rating:
    """Return the rating point of a CDU: the first that has the head that the loop asks for, else the first."""
    entry: Entry = catalog.entry(cdu)
    points = entry.get("points") or [{}]
    point, enough = points[0], None
    heads = [p for p in points if p.get("external_head_kpa") is not None]
    if loop_dp_kpa is not None and heads:
        fitting = [p for p in heads if p["external_head_kpa"] >= loop_dp_kpa]
        enough, point = bool(fitting), (fitting or heads)[0]

    def of(name: str, unit: str, words: str) -> Figure:
        value = point.get(name)
        if value is None:
            return unknown(f"the maker of {entry.name} does not print its {words}", unit, words)
        return Figure(
            value,
            unit,
            f"{entry.name}: {words}",
            f"catalog.{cdu}.points.{points.index(point)}.{name}",
            source=entry.sources.get("points") or entry.sources.get("", ""),
        )

    return Rating(
        entry,
        of("capacity_kw", "kw", "capacity"),
        of("approach_k", "k", "approach"),
        of("secondary_flow_l_min", "l_min", "secondary flow"),
        of("external_head_kpa", "kpa", "external head"),
        of("electric_kw", "kw", "electrical draw"),
        entry.get("type") == "liquid_to_air",
        enough,
    )


def with_pump_curve(inputs: Any, rating: Rating, drop: Figure) -> Rating:
    """Return the rating with flow and head from the user's pump curve: the largest flow that has the loop's head."""
    points = points_of(inputs.technology.pump_curve)
    curve = inputs.fig("technology.pump_curve")
    if not drop.known:
        return rating
    flow = _largest_flow(points, drop.number)
    if flow is None:
        reason = f"the pump curve entered has no flow with a head of {drop.number:.0f} kPa: it is not extrapolated"
        best = stated(max(y for _, y in points), "kpa", "Largest head of the curve", formula="pump curve", curve=curve)
        return dataclasses.replace(rating, flow_l_min=unknown(reason, "l_min"), head_kpa=best, head_enough=False)
    return dataclasses.replace(
        rating,
        flow_l_min=stated(
            flow, "l_min", "Flow of one unit", formula="largest flow of the pump curve with the loop's head",
            source="pump curve set in this plan", curve=curve, drop=drop,
        ),
        head_kpa=stated(read_off(points, flow), "kpa", "Head at this flow", formula="pump curve", curve=curve),
        head_enough=True,
    )  # fmt: skip


def _largest_flow(points: tuple[tuple[float, float], ...], head: float) -> float | None:
    found = None
    for (x0, y0), (x1, y1) in pairwise(points):
        for x, y in ((x0, y0), (x1, y1)):
            if y >= head and (found is None or x > found):
                found = x
        if min(y0, y1) <= head <= max(y0, y1) and y0 != y1:
            crossing = x0 + (x1 - x0) * (head - y0) / (y1 - y0)
            found = crossing if found is None else max(found, crossing)
    return found


def cdu_capacity(inputs: Any, rating: Rating) -> Figure:
    """Return what one CDU takes at the planned temperatures, never more than its rating.

    By the user's curve where there is one; else by effectiveness and NTU from the rating point, an estimate; by the
    rating itself where its approach is not printed.
    """
    technology = inputs.technology
    boiling = technology.kind == "two_phase"
    planned_c = technology.saturation_c if boiling else technology.supply_c
    warm = "technology.saturation_c" if boiling else "technology.supply_c"
    cold = "technology.inlet_c" if rating.to_air else "water_supply_c"
    approach = calc(
        heat_rejection.approach_k,
        title="Planned approach",
        tcs_supply_c=inputs.fig(warm),
        fws_supply_c=inputs.fig(cold),
    )
    if technology.cdu_curve.strip():
        return _by_curve(inputs, approach)
    if boiling or not rating.approach_k.known or not rating.capacity_kw.known:
        return rating.capacity_kw
    if rating.to_air:
        heat = calc(
            heat_rejection.cdu_kw_at_approach,
            title="One CDU at the planned temperatures (estimate)",
            rated_kw=rating.capacity_kw,
            rated_approach_k=rating.approach_k,
            approach_k=approach,
        )
    else:
        conductance = calc(
            heat_exchanger.conductance_from_rating,
            title="Conductance at the rating (estimate)",
            capacity_kw=rating.capacity_kw,
            approach_k=rating.approach_k,
            coolant_rise_k=_rated_rise(rating, planned_c),
        )
        heat = calc(
            heat_exchanger.heat_at,
            title="One CDU at the planned temperatures (estimate)",
            conductance_kw_k=conductance,
            rated_kw=rating.capacity_kw,
            coolant_supply_c=inputs.fig("technology.supply_c"),
            coolant_rise_k=inputs.fig("technology.rise_k"),
            water_supply_c=inputs.fig("water_supply_c"),
            water_rise_k=inputs.fig("water_rise_k"),
        )
    if heat.known and heat.number <= 0:
        return unknown(
            f"{rating.entry.name} takes no heat at these temperatures: "
            + (
                "the room's air is as warm as the coolant"
                if rating.to_air
                else "coolant and facility water would cross"
            ),
            "kw",
            "One CDU at the planned temperatures",
            approach=approach,
        )
    return heat


def _by_curve(inputs: Any, approach: Figure) -> Figure:
    points = points_of(inputs.technology.cdu_curve)
    curve = inputs.fig("technology.cdu_curve")
    there = approach.number
    # a larger approach only helps: the last point holds beyond it, and nothing is added
    value = points[-1][1] if there > points[-1][0] else read_off(points, there)
    if value is None or value <= 0:
        return unknown(
            f"the capacity curve entered starts at {points[0][0]:g} K of approach, planned are {there:.3g} K: "
            "it is not extrapolated",
            "kw",
            "One CDU at the planned temperatures",
            curve=curve,
            approach=approach,
        )
    return stated(
        value,
        "kw",
        "One CDU at the planned temperatures",
        formula="read off the curve, between its points; its last point beyond them",
        source="capacity curve set in this plan",
        curve=curve,
        approach=approach,
    )


def _rated_rise(rating: Rating, supply_c: float) -> Figure:
    """Return the coolant's rise at the rating point, of PG25: most makers print no fluid, water gives 2 % less."""
    if not rating.flow_l_min.known or rating.flow_l_min.number <= 0:
        return RATED_RISE
    rate = heat_exchanger.capacity_rate(
        rating.flow_l_min.number, fluids.density("pg25", 40.0), fluids.specific_heat("pg25", 45.0)
    )
    return stated(
        rating.capacity_kw.number / rate,
        "k",
        "Coolant rise at the rating",
        formula="Q / (ρ cp V) of PG25 at 40 °C",
        capacity=rating.capacity_kw,
        flow=rating.flow_l_min,
    )
