"""What the loops carry: facility water, the approach, the limit that sets the CDUs, boiling loops."""

from __future__ import annotations

from typing import Any

from wattsweights_gui.engine.declare import Figure, calc, equation, stated, unknown
from wattsweights_gui.engine.equations import fluids, heat_exchanger, heat_rejection, hydraulics, two_phase
from wattsweights_gui.engine.heat_path import PUMP_EFFICIENCY, HeatPath, coolant_properties
from wattsweights_gui.engine.heat_split import gpu_power_w

_NO_BOILING = "only a two-phase loop boils"


def facility_water(inputs: Any, path: HeatPath) -> tuple[Figure, Figure, Figure]:
    """Return the facility water of the liquid loop, of the air handlers, and of both, in L/min."""
    rho, cp = coolant_properties("water", inputs.water_supply_c, inputs.water_rise_k, "cooling.water_supply_c")
    rise = inputs.fig("water_rise_k")
    to_air = path.cdu is not None and path.cdu.to_air
    direct = inputs.technology.kind != "air" and not to_air
    doors = (path.door_kw,) if inputs.technology.kind != "rear_door" and path.door_kw.value else ()

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

    if to_air and doors:
        liquid = flow("Facility water, doors", *doors)
        through_air = flow("Facility water, air handlers", path.room_air_kw, path.fan_power_kw, path.cdu_power_kw)
        both = flow("Facility water flow", *doors, path.room_air_kw, path.fan_power_kw, path.cdu_power_kw)
        return liquid, through_air, both
    if not direct:
        liquid = Figure(
            0.0, "l_min", "Facility water, liquid loop", formula="no liquid loop reaches the facility water"
        )
        through_air = flow("Facility water, air handlers", path.room_air_kw, path.fan_power_kw, path.cdu_power_kw)
        return liquid, through_air, through_air
    liquid = flow("Facility water, liquid loop", path.liquid_kw, path.cdu_power_kw, *doors)
    through_air = flow("Facility water, air handlers", path.room_air_kw, path.fan_power_kw)
    both = flow("Facility water flow", path.liquid_kw, path.cdu_power_kw, *doors, path.room_air_kw, path.fan_power_kw)
    return liquid, through_air, both


def cdu_limit(path: HeatPath) -> Figure:
    """Return which of heat, flow and head asks for most CDUs."""
    if path.cdu is None:
        return unknown("no CDUs with this technology", "text")
    if path.cdu.head_enough is False:
        words = "head"
    elif not path.cdus.known:
        return unknown(path.cdus.formula, "text")
    elif path.cdus_by_flow.number > path.cdus_by_heat.number:
        words = "flow"
    elif not path.cdu.flow_l_min.known and path.node_to_cdu_flow.known:
        words = "heat (no flow limit printed)"
    else:
        words = "heat"
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
    if technology.kind in ("single_phase", "immersion"):
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


_SINGLE = ("loop_dp_kpa", "rack_dp_kpa", "pipe_dp_kpa", "pipe_size", "pipe_velocity_m_s", "pump_power_kw")
_BOILING = (
    "saturation_pressure_bar", "refrigerant_flow_kg_s", "vapour_velocity_m_s", "vapour_line_mm", "vapour_dp_kpa",
    "saturation_shift_k", "liquid_velocity_m_s", "liquid_dp_kpa", "dry_out_margin_pct", "condenser_water_max_c",
    "charge_kg", "charge_t_co2", "gwp", "safety_class", "design_pressure_bar", "pressure_class_bar",
)  # fmt: skip
FLUID_ENTRIES = {"r1233zd(e)": "fluid_r1233zde", "r1234ze(e)": "fluid_r1234zee", "r1336mzz(z)": "fluid_r1336mzzz"}


def fluid_entry(up: Any, name: str) -> Any:
    """Return the catalogue entry of a refrigerant."""
    return up.entry(FLUID_ENTRIES.get(name.casefold(), f"fluid_{name.casefold()}"))


def loop_figures(inputs: Any, up: Any, path: HeatPath) -> dict[str, Figure]:
    """Return what is said only of single-phase or only of two-phase loops."""
    technology = inputs.technology
    figures = dict.fromkeys((*_SINGLE, *_BOILING), unknown(_NO_BOILING))
    if technology.kind == "two_phase":
        figures |= dict.fromkeys(_SINGLE, unknown("only a single-phase loop is worked out by its pressure drop"))
        return figures | two_phase_figures(inputs, up, path)
    if technology.kind in ("air", "rear_door"):
        nothing = unknown("no coolant loop with this technology")
        return dict.fromkeys(figures, nothing) | {"coolant_return_c": nothing}
    figures["coolant_return_c"] = stated(
        technology.supply_c + technology.rise_k,
        "c",
        formula="supply + rise",
        supply=inputs.fig("technology.supply_c"),
        rise=inputs.fig("technology.rise_k"),
    )
    drop = path.drop
    if drop is None:
        return figures | dict.fromkeys(_SINGLE, unknown("the tank's pressure drop is its maker's: not worked out"))
    return figures | {
        "loop_dp_kpa": drop.total,
        "rack_dp_kpa": drop.rack,
        "pipe_dp_kpa": calc(pipes_kpa, pipe_kpa=drop.pipe, fittings_kpa=drop.fittings),
        "pipe_size": stated(hydraulics.pipe_for(drop.pipe_id.number)[0], "text", formula="smallest steel pipe within "
                            "the velocity limit", source=hydraulics.PIPE_SOURCE, diameter=drop.pipe_id)
        if drop.pipe_id.known else unknown(drop.pipe_id.formula, "text"),
        "pipe_velocity_m_s": drop.velocity,
        "pump_power_kw": calc(
            hydraulics.pump_kw, flow_l_min=path.node_to_cdu_flow, dp_kpa=drop.total, efficiency=PUMP_EFFICIENCY
        ),
    }  # fmt: skip


@equation("Δp_pipes + Δp_fittings", "kpa", "what lies between CDU and rack")
def pipes_kpa(pipe_kpa: float, fittings_kpa: float) -> float:
    """Return the pressure drop between CDU and rack in kPa."""
    return pipe_kpa + fittings_kpa


@equation("100 (x_dry - x) / x_dry", "pct", "margin of the exit quality to dry-out")
def dry_out_margin(exit_quality: float, dry_out_quality: float) -> float:
    """Return how far the exit quality stays below dry-out, in per cent."""
    return 100.0 * (dry_out_quality - exit_quality) / dry_out_quality


def two_phase_figures(inputs: Any, up: Any, path: HeatPath) -> dict[str, Figure]:
    """Return what is said of a boiling loop."""
    technology = inputs.technology
    name, t_sat = inputs.fig("technology.fluid"), inputs.fig("technology.saturation_c")
    rho_v = calc(fluids.vapour_density, title="Vapour density", fluid=name, t_c=t_sat)
    rho_l = calc(fluids.liquid_density, title="Liquid density", fluid=name, t_c=t_sat)
    latent = calc(fluids.latent_heat, title="Latent heat", fluid=name, t_c=t_sat)
    mass, quality = path.rack_mass, inputs.fig("technology.exit_quality")
    vapour_id, liquid_id = inputs.fig("technology.vapour_line_id_mm"), inputs.fig("technology.liquid_line_id_mm")
    length = inputs.fig("technology.line_length_m")
    speed = calc(
        two_phase.vapour_velocity_m_s,
        title="Vapour velocity",
        mass_flow_kg_s=mass,
        exit_quality=quality,
        vapour_density_kg_m3=rho_v,
        inner_diameter_mm=vapour_id,
    )
    drop = calc(
        two_phase.vapour_drop_kpa,
        title="Pressure drop of the vapour line",
        velocity_m_s=speed,
        vapour_density_kg_m3=rho_v,
        length_m=length,
        diameter_mm=vapour_id,
    )
    entry = fluid_entry(up, technology.fluid)
    charge = calc(
        two_phase.charge_kg,
        title="Charge of a rack",
        line_m=length,
        liquid_id_mm=liquid_id,
        vapour_id_mm=vapour_id,
        liquid_density_kg_m3=rho_l,
        vapour_density_kg_m3=rho_v,
        plates_l=inputs.fig("technology.plates_l"),
        receiver_kg=inputs.fig("technology.receiver_kg"),
    )
    gwp = entry.fig("gwp100", "", "global warming potential")
    design = calc(fluids.saturation_pressure, fluid=name, t_c=inputs.fig("technology.standstill_c"))
    return {
        "coolant_return_c": stated(
            technology.saturation_c, "c", formula="vapour and liquid return at saturation", saturation=t_sat
        ),
        "saturation_pressure_bar": calc(fluids.saturation_pressure, fluid=name, t_c=t_sat),
        "refrigerant_flow_kg_s": path.mass_flow,
        "vapour_velocity_m_s": speed,
        "vapour_line_mm": calc(
            two_phase.line_diameter_mm,
            mass_flow_kg_s=calc(
                two_phase.vapour_flow_kg_s, title="Vapour of a rack", mass_flow_kg_s=mass, exit_quality=quality
            ),
            density_kg_m3=rho_v,
            velocity_m_s=inputs.fig("technology.vapour_velocity_limit_m_s"),
        ),
        "vapour_dp_kpa": drop,
        "saturation_shift_k": calc(
            two_phase.saturation_shift_k,
            drop_kpa=drop,
            saturation_c=t_sat,
            vapour_density_kg_m3=rho_v,
            liquid_density_kg_m3=rho_l,
            latent_heat_kj_kg=latent,
        ),
        "liquid_velocity_m_s": calc(
            two_phase.liquid_velocity_m_s,
            mass_flow_kg_s=mass,
            liquid_density_kg_m3=rho_l,
            inner_diameter_mm=liquid_id,
        ),
        "liquid_dp_kpa": _liquid_drop(inputs, path, rho_l),
        "dry_out_margin_pct": calc(
            dry_out_margin, exit_quality=quality, dry_out_quality=inputs.fig("technology.dry_out_quality")
        ),
        "condenser_water_max_c": calc(
            heat_exchanger.condenser_water_max_c,
            saturation_c=t_sat,
            pinch_k=inputs.fig("technology.condenser_pinch_k"),
            water_rise_k=inputs.fig("water_rise_k"),
        ),
        "charge_kg": charge,
        "charge_t_co2": calc(two_phase.charge_t_co2, charge_kg=charge, gwp=gwp),
        "gwp": gwp,
        "safety_class": entry.fig("safety_class", "text", "safety class"),
        "design_pressure_bar": design,
        "pressure_class_bar": calc(two_phase.pressure_class_bar, absolute_bar=design),
    }


def _liquid_drop(inputs: Any, path: HeatPath, rho: Figure) -> Figure:
    technology = inputs.technology
    if technology.liquid_viscosity_mpa_s is not None:
        viscosity = inputs.fig("technology.liquid_viscosity_mpa_s")
    else:
        found = fluids.saturated_liquid_viscosity(technology.fluid, technology.saturation_c)
        if found is None:
            return unknown(f"no viscosity of {technology.fluid} is known: enter its maker's", "kpa")
        viscosity = calc(
            fluids.saturated_liquid_viscosity,
            title="Liquid viscosity",
            fluid=inputs.fig("technology.fluid"),
            t_c=inputs.fig("technology.saturation_c"),
        )
    return calc(
        hydraulics.pipe_drop_kpa,
        flow_l_min=path.rack_flow,
        inner_diameter_mm=inputs.fig("technology.liquid_line_id_mm"),
        length_m=inputs.fig("technology.line_length_m"),
        roughness_mm=Figure(0.0015, "mm", "Roughness", formula="drawn copper tube", source="Moody 1944"),
        density_kg_m3=rho,
        viscosity_mpa_s=viscosity,
    )


def chip_figures(inputs: Any, up: Any) -> dict[str, Figure]:
    """Return the temperature of a GPU under its cold plate, and what is left to its limit."""
    technology, watts = inputs.technology, gpu_power_w(up)
    if technology.kind not in ("single_phase", "two_phase"):
        nothing = unknown("no cold plates: the heat sink is the system maker's", "c")
        return {"gpu_temperature_c": nothing, "gpu_margin_k": unknown(nothing.formula, "k")}
    power = (
        Figure(watts, "w", "Power of one GPU", formula="power cap, else thermal design power")
        if watts is not None
        else unknown("the power of this GPU is not known", "w")
    )
    coolant = inputs.fig("technology.saturation_c" if technology.kind == "two_phase" else "technology.supply_c")
    warm = calc(
        heat_exchanger.chip_temperature_c,
        title="GPU temperature",
        coolant_c=coolant,
        resistance_k_w=inputs.fig("technology.resistance_k_w"),
        power_w=power,
    )
    return {
        "gpu_temperature_c": warm,
        "gpu_margin_k": calc(chip_margin_k, limit_c=inputs.fig("technology.gpu_limit_c"), temperature_c=warm),
    }


@equation("T_limit - T", "k", "what is left to the GPU's limit")
def chip_margin_k(limit_c: float, temperature_c: float) -> float:
    """Return the margin of a temperature to its limit in K."""
    return limit_c - temperature_c
