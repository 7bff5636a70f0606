"""What the loops carry: facility water, the approach, the limit that sets the CDUs, boiling loops."""

from __future__ import annotations

from typing import Any

from wattsweights_gui.engine.declare import Figure, calc, stated, unknown
from wattsweights_gui.engine.equations import fluids, heat_rejection, hydraulics, two_phase
from wattsweights_gui.engine.heat_path import HeatPath, coolant_properties

_NO_BOILING = "only a two-phase loop boils"


def facility_water(inputs: Any, path: HeatPath) -> tuple[Figure, Figure, Figure]:
    """Return the facility water of the liquid loop, of the air handlers, and of both, in L/min."""
    rho, cp = coolant_properties("water", inputs.water_supply_c, inputs.water_rise_k, "cooling.water_supply_c")
    rise = inputs.fig("water_rise_k")
    to_air = path.cdu is not None and path.cdu.to_air
    direct = inputs.technology.kind != "air" and not to_air

    def flow(title: str, *heats: Figure) -> Figure:
        missing = next((h for h in heats if not h.known), None)
        total = missing or Figure(
            sum(h.number for h in heats),
            "kw",
            f"{title}: heat",
            formula="sum of the heats that the water takes",
            operands=tuple((h.title or f"heat {i}", h) for i, h in enumerate(heats, 1)),
        )
        return calc(hydraulics.flow_l_min, title=title, heat_kw=total, density_kg_m3=rho, cp_kj_kg_k=cp, rise_k=rise)

    if not direct:
        liquid = Figure(
            0.0, "l_min", "Facility water, liquid loop", formula="no liquid loop reaches the facility water"
        )
        through_air = flow("Facility water, air handlers", path.room_air_kw, path.fan_power_kw, path.cdu_power_kw)
        return liquid, through_air, through_air
    liquid = flow("Facility water, liquid loop", path.liquid_kw, path.cdu_power_kw)
    through_air = flow("Facility water, air handlers", path.room_air_kw, path.fan_power_kw)
    both = flow("Facility water flow", path.liquid_kw, path.cdu_power_kw, path.room_air_kw, path.fan_power_kw)
    return liquid, through_air, both


def cdu_limit(path: HeatPath) -> Figure:
    """Return which of heat, flow and head asks for most CDUs."""
    if path.cdu is None:
        return unknown("no CDUs with this technology", "text")
    if not path.cdus.known:
        return unknown(path.cdus.formula, "text")
    words = "flow" if path.cdus_by_flow.number > path.cdus_by_heat.number else "heat"
    if not path.cdu.flow_l_min.known and path.node_to_cdu_flow.known:
        words = "heat (no flow limit printed)"
    if path.cdu.head_enough is False:
        words = "head"
    return stated(
        words,
        "text",
        formula="the limit that asks for most units; head binds where the pumps cannot reach the loop's pressure drop",
        by_heat=path.cdus_by_heat,
        by_flow=path.cdus_by_flow,
    )


def approach(inputs: Any) -> Figure:
    """Return what lies between facility water and coolant supply, in K."""
    technology = inputs.technology
    if technology.kind == "single_phase":
        return calc(
            heat_rejection.approach_k,
            tcs_supply_c=inputs.fig("technology.supply_c"),
            fws_supply_c=inputs.fig("water_supply_c"),
        )
    if technology.kind == "two_phase":
        return calc(
            heat_rejection.approach_k,
            tcs_supply_c=inputs.fig("technology.saturation_c"),
            fws_supply_c=inputs.fig("water_supply_c"),
        )
    return unknown("no coolant loop with this technology", "k")


def loop_figures(inputs: Any, rack_mass: Figure, path: HeatPath) -> dict[str, Figure]:
    """Return what is said only of single-phase or only of two-phase loops."""
    technology = inputs.technology
    none = unknown("no coolant loop with this technology")
    if technology.kind == "single_phase":
        back = stated(
            technology.supply_c + technology.rise_k,
            "c",
            formula="supply + rise",
            supply=inputs.fig("technology.supply_c"),
            rise=inputs.fig("technology.rise_k"),
        )
        boiling = unknown(_NO_BOILING)
        return {
            "coolant_return_c": back,
            "saturation_pressure_bar": boiling,
            "refrigerant_flow_kg_s": boiling,
            "vapour_velocity_m_s": boiling,
        }
    if technology.kind != "two_phase":
        return dict.fromkeys(
            ("coolant_return_c", "saturation_pressure_bar", "refrigerant_flow_kg_s", "vapour_velocity_m_s"), none
        )
    name, t_sat = inputs.fig("technology.fluid"), inputs.fig("technology.saturation_c")
    return {
        "coolant_return_c": stated(
            technology.saturation_c, "c", formula="vapour and liquid return at saturation", saturation=t_sat
        ),
        "saturation_pressure_bar": calc(fluids.saturation_pressure, fluid=name, t_c=t_sat),
        "refrigerant_flow_kg_s": path.mass_flow,
        "vapour_velocity_m_s": calc(
            two_phase.vapour_velocity_m_s,
            mass_flow_kg_s=rack_mass,
            exit_quality=inputs.fig("technology.exit_quality"),
            vapour_density_kg_m3=calc(fluids.vapour_density, title="Vapour density", fluid=name, t_c=t_sat),
            inner_diameter_mm=inputs.fig("technology.vapour_line_id_mm"),
        ),
    }
