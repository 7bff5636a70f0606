"""The way of the heat from the racks to the cooling plant, and what moving it draws.

Power needs cooling's draw before the cooling layer is sized, so both layers walk this one path: power for its total,
cooling for what it shows. The loop is open: IT load is closed before, and what fans and pumps add is rejected too.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from wattsweights_gui.engine.cdu_count import cdu_counts
from wattsweights_gui.engine.cdu_ratings import Rating, cdu_capacity, cdu_rating, with_pump_curve
from wattsweights_gui.engine.cooling_hydraulics import LoopDrop, coolant_name, loop_drop
from wattsweights_gui.engine.cooling_year import design_cop
from wattsweights_gui.engine.declare import Entry, Figure, calc, constant, equation, stated, unknown
from wattsweights_gui.engine.equations import electrical, fluids, heat_rejection, hydraulics, two_phase
from wattsweights_gui.engine.heat_split import liquid_share
from wattsweights_gui.engine.racked_system import is_rack_scale, system_of

_NONE_LIQUID = constant("no_cold_plates", 0.0, "pct", "Heat to liquid", "air-cooled: no cold plates")
_NO_CDUS = Figure(0.0, "kw", "CDU power", formula="no CDUs with this technology")
_NO_DOORS = Figure(0.0, "kw", "Heat to the doors", formula="no rear doors with this technology")
_NO_DOOR_FANS = Figure(0.0, "pct", "Door fans", formula="no rear doors with this technology")
_ONE_SYSTEM = Figure(1, "count", "Rack-scale systems a rack", formula="one")
_REMAINDER_DOOR_FANS = constant("door_fans", 2.0, "pct", "Fans of doors for the air remainder", "ours: an estimate")
CDU_DRAW_PCT = constant(
    "cdu_draw_pct", 1.0, "pct", "CDU draw of its heat (estimate)", "Vertiv XDU1350: 13.7 kW at 1,368 kW"
)
PUMP_EFFICIENCY = constant(
    "cdu_pump_efficiency", 0.356, "ratio", "Wire to water of a CDU (estimate)", "Vertiv XDU1350: 1,200 L/min, 244 kPa"
)


@dataclass(frozen=True)
class HeatPath:
    """The figures of the way. ``water`` is what reaches facility water, by loop."""

    liquid_pct: Figure
    liquid_kw: Figure
    air_kw: Figure
    room_air_kw: Figure
    node_to_cdu_flow: Figure
    mass_flow: Figure
    cdu: Rating | None
    cdus_by_heat: Figure
    cdus_by_flow: Figure
    cdus: Figure
    cdu_power_kw: Figure
    fan_power_kw: Figure
    plant_heat_kw: Figure
    plant_power_kw: Figure
    cooling_kw: Figure
    rack_liquid_kw: Figure
    rack_flow: Figure
    rack_mass: Figure
    drop: LoopDrop | None
    cdu_capacity_kw: Figure
    door_kw: Figure
    plant_cop: Figure


@equation("n_racks min(Q_rack, Q_door)", "kw", "a door takes no more than its capacity; the rest goes to the room")
def doors_kw(compute_kw: float, racks: float, door_kw: float) -> float:
    """Return the heat that rear doors take, in kW."""
    return min(compute_kw, racks * door_kw)


@equation("Q_compute share", "kw", "cold plates are in the compute racks; network, storage and management are in air")
def plates_kw(compute_kw: float, liquid_pct: float) -> float:
    """Return the heat that cold plates take, in kW."""
    return compute_kw * liquid_pct / 100.0


@equation("min(air of the compute racks, n_racks Q_door)", "kw", "doors take the air remainder up to their capacity")
def remainder_to_doors_kw(compute_kw: float, plates_kw: float, racks: float, door_kw: float) -> float:
    """Return the air remainder of liquid-cooled racks that rear doors take, in kW."""
    return min(compute_kw - plates_kw, racks * door_kw)


@equation("air - doors", "kw", "what rear doors do not take goes to the room's air handlers")
def room_kw(air_kw: float, doors_kw: float) -> float:
    """Return the heat to the room's air handlers in kW."""
    return air_kw - doors_kw


@equation("IT - liquid", "kw", "every kW of IT that liquid does not take goes to air")
def to_air_kw(it_kw: float, liquid_kw: float) -> float:
    """Return the heat to air in kW."""
    return it_kw - liquid_kw


@equation("needed P", "kw", "the units that are needed at their rated draw; spares idle")
def cdu_power(needed: float, electric_kw: float) -> float:
    """Return the draw of the running CDUs in kW."""
    return needed * electric_kw


@equation("room e_room + doors e_doors", "kw", "fan power in per cent of the heat that the fans move")
def fans_kw(room_kw: float, fan_pct: float, door_kw: float, door_fan_pct: float) -> float:
    """Return the power of room and door fans in kW."""
    return (room_kw * fan_pct + door_kw * door_fan_pct) / 100.0


@equation("max(by heat, by flow)", "count", "the limit that needs more units binds")
def running_cdus(by_heat: float, by_flow: float) -> float:
    """Return the CDUs that must run."""
    return max(by_heat, by_flow)


def heat_path(up: Any, it_kw: Figure, compute_kw: Figure, node_kw: Figure) -> HeatPath:
    """Return the way of the heat for an IT load.

    Args:
        up: what the calling layer was handed; inputs of cooling and results of cluster are read.
        it_kw: all IT, maximum.
        compute_kw: of the compute racks.
        node_kw: of one system, for the share of its cold plates.
    """
    inputs = up.inputs("cooling")
    technology = inputs.technology
    kind = technology.kind
    none = unknown(f"no liquid loop with {technology.branch_title.lower()} cooling")
    share, flow, mass, door = _NONE_LIQUID, none, none, _NO_DOORS
    rack_liquid, rack_flow, rack_mass, capacity = none, none, none, none
    drop: LoopDrop | None = None
    rating: Rating | None = None
    by_heat = by_flow = cdus = Figure(0, "count", "CDUs", formula="no liquid loop")
    cdu_kw = _NO_CDUS
    racks = up.cluster.compute_racks
    if kind in ("single_phase", "two_phase", "immersion"):
        share = inputs.fig("technology.liquid_pct") if kind == "immersion" else liquid_share(up, inputs, node_kw)
        liquid = calc(plates_kw, title="Heat to liquid", compute_kw=compute_kw, liquid_pct=share)
        flow, mass = coolant_flow(inputs, liquid)
        per_rack = _ONE_SYSTEM if is_rack_scale(system_of(up)) else up.cluster.nodes_per_rack
        rack = calc(electrical.total_kw, title="Fullest rack", count=per_rack, each_kw=node_kw)
        rack_liquid = calc(plates_kw, title="Heat to liquid, fullest rack", compute_kw=rack, liquid_pct=share)
        rack_flow, rack_mass = coolant_flow(inputs, rack_liquid)
        if kind == "immersion":
            capacity = inputs.fig("technology.tank_kw")
            if capacity.number > 0:
                by_heat = calc(heat_rejection.units_needed, title="Tanks by heat", amount=liquid, of_one=capacity)
            else:
                by_heat = unknown("a tank takes no heat", "count")
            cdus = by_heat
            cdu_kw = calc(
                heat_rejection.draw_kw, title="Tank pumps", heat_kw=liquid, draw_pct=inputs.fig("technology.pump_pct")
            )
        else:
            if kind == "single_phase":
                first = cdu_rating(up.catalog, technology.cdu, None)
                drop = loop_drop(up, inputs, rack_flow, flow, first.flow_l_min)
            rating = cdu_rating(up.catalog, technology.cdu, drop.total.value if drop is not None else None)
            if kind == "single_phase" and technology.pump_curve.strip() and drop is not None:
                rating = with_pump_curve(inputs, rating, drop.total)
            capacity = cdu_capacity(inputs, rating)
            by_heat, by_flow, cdus = cdu_counts(inputs, rating, capacity, liquid, flow, racks)
            running = calc(running_cdus, title="CDUs that run", by_heat=by_heat, by_flow=by_flow)
            electric = cdu_electric(inputs, rating, flow, running)
            cdu_kw = calc(cdu_power, title="CDU power", needed=running, electric_kw=electric)
            if technology.remainder_to == "rear_door":
                door = calc(
                    remainder_to_doors_kw,
                    title="Air remainder to the doors",
                    compute_kw=compute_kw,
                    plates_kw=liquid,
                    racks=racks,
                    door_kw=door_capacity(up, technology.door),
                )
    elif kind == "rear_door":
        door = calc(
            doors_kw,
            title="Heat to the doors",
            compute_kw=compute_kw,
            racks=racks,
            door_kw=door_capacity(up, technology.door),
        )
        liquid = door
    else:
        liquid = Figure(0.0, "kw", "Heat to liquid", formula="no liquid at the racks with air cooling")
    air = calc(to_air_kw, title="Heat to air", it_kw=it_kw, liquid_kw=liquid)
    room = air
    if kind != "rear_door" and door is not _NO_DOORS:
        room = calc(room_kw, title="Heat to the air handlers", air_kw=air, doors_kw=door)
    if rating is not None and rating.to_air:
        room = stated(
            None if liquid.value is None or room.value is None else room.number + liquid.number,
            "kw",
            "Heat that the room's air handlers take",
            formula="air + liquid: this CDU gives its heat to the room's air",
            air=room,
            liquid=liquid,
        )
    fans = calc(
        fans_kw,
        title="Fans",
        room_kw=room,
        fan_pct=inputs.fig("fan_pct"),
        door_kw=door,
        door_fan_pct=_door_fans(inputs, door),
    )
    plant_heat = calc(
        heat_rejection.plant_heat_kw,
        title="Heat to the cooling plant",
        liquid_heat_kw=liquid,
        air_heat_kw=air,
        fan_kw=fans,
        cdu_kw=cdu_kw,
    )
    cop = design_cop(up, inputs)
    plant = calc(heat_rejection.plant_kw, title="Cooling plant", heat_kw=plant_heat, cop=cop)
    total = calc(heat_rejection.cooling_kw, title="Cooling power", cdu_kw=cdu_kw, fan_kw=fans, plant_kw=plant)
    return HeatPath(
        share, liquid, air, room, flow, mass, rating, by_heat, by_flow, cdus, cdu_kw, fans, plant_heat, plant, total,
        rack_liquid, rack_flow, rack_mass, drop, capacity, door, cop,
    )  # fmt: skip


def _door_fans(inputs: Any, door: Figure) -> Figure:
    if inputs.technology.kind == "rear_door":
        return inputs.fig("technology.fan_pct")  # type: ignore[no-any-return]
    return _NO_DOOR_FANS if door is _NO_DOORS else _REMAINDER_DOOR_FANS


def coolant_flow(inputs: Any, heat: Figure) -> tuple[Figure, Figure]:
    """Return the liquid-side flow in L/min and, for two phases, the mass flow in kg/s, that take up a heat."""
    technology = inputs.technology
    if technology.kind == "single_phase":
        rise = inputs.fig("technology.rise_k")
        rho, cp = coolant_properties(coolant_name(technology), technology.supply_c, technology.rise_k)
        flow = calc(
            hydraulics.flow_l_min,
            title="Coolant flow",
            heat_kw=heat,
            density_kg_m3=rho,
            cp_kj_kg_k=cp,
            rise_k=rise,
        )
        return flow, unknown("a single-phase loop is given by its volume flow", "kg_s")
    if technology.kind == "immersion":
        flow = calc(
            hydraulics.flow_l_min,
            title="Fluid flow through the tanks",
            heat_kw=heat,
            density_kg_m3=inputs.fig("technology.fluid_density_kg_m3"),
            cp_kj_kg_k=inputs.fig("technology.fluid_cp_kj_kg_k"),
            rise_k=inputs.fig("technology.rise_k"),
        )
        return flow, unknown("an immersion tank is given by its volume flow", "kg_s")
    per_kg, rho = boiling_properties(
        technology.fluid, technology.saturation_c, technology.exit_quality, technology.subcooling_k
    )
    mass = calc(two_phase.mass_flow_kg_s, title="Refrigerant mass flow", heat_kw=heat, heat_per_kg_kj=per_kg)
    flow = calc(
        two_phase.liquid_flow_l_min, title="Refrigerant, liquid line", mass_flow_kg_s=mass, liquid_density_kg_m3=rho
    )
    return flow, mass


@lru_cache(maxsize=256)
def coolant_properties(
    fluid: str, supply_c: float, rise_k: float, path: str = "cooling.technology.supply_c"
) -> tuple[Figure, Figure]:
    """Return density at the supply and specific heat at the mean temperature."""
    name = Figure(fluid, "text", "Coolant", "cooling.technology.fluid" if "technology" in path else "")
    supply = Figure(supply_c, "c", "Supply temperature", path)
    mean = Figure(supply_c + rise_k / 2.0, "c", "Mean temperature", formula="supply + rise / 2")
    return (
        calc(fluids.density, title="Density at the supply", fluid=name, t_c=supply),
        calc(fluids.specific_heat, title="Specific heat at the mean temperature", fluid=name, t_c=mean),
    )


@lru_cache(maxsize=256)
def boiling_properties(fluid: str, t_sat_c: float, exit_quality: float, subcooling_k: float) -> tuple[Figure, Figure]:
    """Return the heat that each kg takes up, and the density of the liquid that is fed."""
    name = Figure(fluid, "text", "Refrigerant", "cooling.technology.fluid")
    t_sat = Figure(t_sat_c, "c", "Saturation temperature", "cooling.technology.saturation_c")
    subcooling = Figure(subcooling_k, "k", "Subcooling", "cooling.technology.subcooling_k")
    latent = calc(fluids.latent_heat, title="Latent heat", fluid=name, t_c=t_sat)
    warm = calc(
        fluids.subcooling_heat, title="Heat of the subcooled feed", fluid=name, t_sat_c=t_sat, subcooling_k=subcooling
    )
    quality = Figure(exit_quality, "ratio", "Exit quality", "cooling.technology.exit_quality")
    per_kg = calc(
        two_phase.heat_per_kg,
        title="Heat a kg takes up",
        exit_quality=quality,
        latent_heat_kj_kg=latent,
        subcooling_kj_kg=warm,
    )
    feed = Figure(t_sat_c - subcooling_k, "c", "Feed temperature", formula="saturation - subcooling")
    return per_kg, calc(fluids.liquid_density, title="Liquid density of the feed", fluid=name, t_c=feed)


def door_capacity(up: Any, door: str) -> Figure:
    """Return the capacity of a rear door in kW, as its maker prints it (an upper bound: "up to")."""
    entry: Entry = up.entry(door)
    name = "capacity_kw" if entry.get("capacity_kw") is not None else "capacity_kw_max"
    return entry.fig(name, "kw", "capacity")


@equation("V Δp / (60 000 η n)", "kw", "estimate where the maker prints no draw")
def unit_pump_kw(flow_l_min: float, dp_kpa: float, efficiency: float, units: float) -> float:
    """Return the pump power of one of several units that share a flow, in kW; 0 where none runs."""
    return hydraulics.pump_kw(flow_l_min, dp_kpa, efficiency) / units if units else 0.0


def cdu_electric(inputs: Any, rating: Rating, flow: Figure, running: Figure) -> Figure:
    """Return the draw of one CDU: printed, or from flow and head, or in per cent of its heat."""
    if rating.electric_kw.known:
        return rating.electric_kw
    if inputs.technology.kind == "two_phase":
        return calc(
            unit_pump_kw,
            title="Draw of one CDU (estimate)",
            flow_l_min=flow,
            dp_kpa=inputs.fig("technology.pump_head_kpa"),
            efficiency=PUMP_EFFICIENCY,
            units=running,
        )
    if rating.flow_l_min.known and rating.head_kpa.known:
        return calc(
            hydraulics.pump_kw,
            title="Draw of one CDU (estimate)",
            flow_l_min=rating.flow_l_min,
            dp_kpa=rating.head_kpa,
            efficiency=PUMP_EFFICIENCY,
        )
    return calc(
        heat_rejection.draw_kw,
        title="Draw of one CDU (estimate)",
        heat_kw=rating.capacity_kw,
        draw_pct=CDU_DRAW_PCT,
    )
