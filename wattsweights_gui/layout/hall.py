"""What placing is judged by: the device types with the plan's own draw and heat, and what the hall gives a rack."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.declare import Figure, calc, equation, unknown
from wattsweights_gui.engine.equations import electrical, redundancy
from wattsweights_gui.layout.device_types import DeviceType, device_types


@equation("m_limit = q_floor × width × pitch", "kg", "the inverse of the floor load: footprint and half of the aisles")
def rack_mass_limit_kg(floor_load_kg_m2: float, width_mm: float, pitch_mm: float) -> float:
    """Return the mass of a rack at which the floor's limit is reached, in kg."""
    return floor_load_kg_m2 * width_mm * pitch_mm / 1e6


@equation("coolant flow of all racks / heat to liquid of all racks", "l_min_kw")
def flow_a_kw(flow_l_min: float, liquid_kw: float) -> float:
    """Return the coolant that a kW of heat to liquid needs, in L/min; 0 without such heat."""
    return flow_l_min / liquid_kw if liquid_kw > 0 else 0.0


@dataclass(frozen=True, eq=False)
class Hall:
    """What the plan says of a hall and its racks. Limits are unknown figures where none is stated.

    Attributes:
        types: what may be placed, by catalogue id.
        feed_kw: what a rack may draw: what its feeds give when one side is lost.
        reject_kw: the heat that a rack may give off.
        mass_kg: what a rack may weigh.
        reject_by: the stage that limits the heat.
        feeds_a, feeds_b, feeds_c: circuits of a rack on each side; a third side only in 3N/2.
        feeds_left: circuits that carry the rack when a side is lost.
        volts, phases, power_factor: of a circuit.
        plates_pct: share of a node's heat that cold plates take; 0 where there are none.
        door_pct: share of a compute rack's heat that its rear door takes; 0 without one.
        flow_l_min_kw: coolant for a kW of heat to liquid; unknown where there is no such loop.
        plates: whether there is a coolant loop at the racks.
    """

    types: Mapping[str, DeviceType]
    feed_kw: Figure
    reject_kw: Figure
    mass_kg: Figure
    reject_by: str
    feeds_a: int
    feeds_b: int
    feeds_left: int
    volts: Figure
    phases: Figure
    power_factor: Figure
    plates_pct: float
    door_pct: float
    flow_l_min_kw: Figure
    plates: bool
    rack_width_mm: float
    rack_depth_mm: float
    frame_kg: Figure
    racks_per_row: int
    feeds_c: int = 0

    @property
    def feeds(self) -> int:
        """Circuits of a rack, all sides."""
        return self.feeds_a + self.feeds_b + self.feeds_c

    def type_of(self, entry: str) -> DeviceType | None:
        """Return a device type; ``None`` for one that this catalogue does not have."""
        return self.types.get(entry)

    def amps(self, kw: float, feeds: int) -> float | None:
        """Return the amps per phase of each of some feeds that share a load; ``None`` where none is left."""
        if feeds <= 0:
            return None
        volts, phases = self.volts.number, int(self.phases.number)
        return float(electrical.amps_per_phase(kw / feeds, volts, phases, self.power_factor.number))


def hall_of(evaluation: Evaluation) -> Hall:
    """Return what a plan says of its hall."""
    layers: Mapping[str, Any] = evaluation.plan.layers
    power, cooling, floor = (layers[name] for name in ("power", "cooling", "floor"))
    results = evaluation.results
    technology = cooling.technology.kind
    plates = technology in ("single_phase", "two_phase")
    share = results["cooling"].liquid_pct
    liquid_pct = share.number if share.known else 0.0
    feed = evaluation.catalog.entry(power.feed)
    feeds = power.feeds_per_rack
    sides = (*redundancy.sides(feeds, power.scheme), 0, 0)
    pitch = results["floor"].row_pitch_mm
    mass = unknown("no floor load limit is stated", "kg", "A rack may weigh")
    if floor.floor_load_limit_kg_m2 is not None:
        mass = calc(
            rack_mass_limit_kg,
            title="A rack may weigh",
            floor_load_kg_m2=floor.fig("floor_load_limit_kg_m2"),
            width_mm=floor.fig("rack_width_mm"),
            pitch_mm=pitch,
        )
    by = results["cooling"].rack_limit_by
    return Hall(
        _types(evaluation),
        results["power"].rack_feed_kw,
        results["cooling"].rack_limit_kw,
        mass,
        str(by.value or ""),
        sides[0],
        sides[1],
        redundancy.surviving_feeds(feeds, power.scheme),
        feed.fig("volts_line_to_line", "v", "line-to-line volts"),
        feed.fig("phases", "count", "phases"),
        power.fig("power_factor"),
        liquid_pct if plates else 0.0,
        liquid_pct if technology == "rear_door" else 0.0,
        _flow(results["cooling"]),
        plates,
        floor.rack_width_mm,
        floor.rack_depth_mm,
        floor.fig("rack_frame_kg"),
        floor.racks_per_row,
        sides[2],
    )


def _flow(cooling: Any) -> Figure:
    flow, heat = cooling.coolant_flow_l_min, cooling.liquid_heat_kw
    if not flow.known or not heat.known or not math.isfinite(flow.number):
        return unknown(flow.formula or "there is no coolant loop", "l_min_kw", "Coolant for a kW")
    return calc(flow_a_kw, title="Coolant for a kW", flow_l_min=flow, liquid_kw=heat)


def _types(evaluation: Evaluation) -> Mapping[str, DeviceType]:
    """Return the catalogue's types, the plan's system with the draw that the plan counts for it."""
    catalog: Any = evaluation.catalog
    types = device_types(catalog)
    system = evaluation.results["cluster"].system.value
    node = evaluation.results["power"].node_power_max_kw
    own = types.get(str(system))
    if own is None or not node.known:
        return types
    remarks = tuple(r for r in own.remarks if "draw" not in r)
    return {**types, own.id: replace(own, power_kw=node, remarks=remarks)}
