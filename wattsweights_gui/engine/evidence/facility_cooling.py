"""Facility rows of heat, liquids, air and plant: predicted from their inputs by the engine's equations."""

from __future__ import annotations

import math

from wattsweights_gui.engine.equations import fluids, heat_rejection, hydraulics, two_phase
from wattsweights_gui.engine.evidence.facility_given import Given, Missing, in_unit_of
from wattsweights_gui.engine.evidence.facility_power import sum_of_racks

Answer = tuple[float, str]
_SIXTY_F = (60.0 - 32.0) / 1.8


def air_share(g: Given, quantity: str) -> Answer:
    """What liquid does not take, in per cent."""
    if g.has("liquid_capture_pct"):
        share = g.number("liquid_capture_pct")
    elif g.has("air_kw") and not g.has("liquid_kw"):
        share = 100.0 - heat_rejection.liquid_share_pct(g.number("air_kw"), g.quantity("power", "rack", "heat"))
    else:
        liquid = g.quantity("power", "liquid")
        whole = g.quantity("power", "rack", "heat", default=-1.0)
        share = heat_rejection.liquid_share_pct(liquid, whole if whole > 0 else liquid + g.number("air_kw"))
    return (share if quantity.startswith("liquid") else 100.0 - share), ""


def air_kw(g: Given, quantity: str) -> Answer:
    """The remainder of one rack, of several, or of all kinds of racks that a row counts."""
    if g.has("liquid_capture_pct"):
        heat = _rack_heat(g)
        liquid = heat_rejection.liquid_kw(heat, g.number("liquid_capture_pct"))
        return in_unit_of(quantity, heat_rejection.remainder_kw(heat, liquid), "power"), ""
    if g.has("rack_kw", "liquid_kw"):
        return in_unit_of(
            quantity, heat_rejection.remainder_kw(g.number("rack_kw"), g.number("liquid_kw")), "power"
        ), ""
    return in_unit_of(quantity, sum_of_racks(g, ("air_kw", "rack_kw", "kw")), "power"), ""


def liquid_kw(g: Given, quantity: str) -> Answer:
    """What liquid takes of one rack or of several."""
    return in_unit_of(quantity, heat_rejection.liquid_kw(_rack_heat(g), g.number("liquid_capture_pct")), "power"), ""


def _rack_heat(g: Given) -> float:
    racks = g.number("ai_racks", "racks", "liquid_racks", default=1.0)
    return racks * g.quantity("power", "ai_rack", "rack", "heat")


def _flow(g: Given, heat: float) -> Answer:
    """Return the flow in L/min of a heat: by L/min for each kW, or by fluid properties."""
    if g.has("l_min_per_kw"):
        return hydraulics.flow_by_kw(heat, g.number("l_min_per_kw")), ""
    fluid, rise = g.text("fluid", "water"), g.rise_k()
    assumed = "" if g.has("supply_c") else "supply 60 °F"
    supply = g.number("supply_c", default=_SIXTY_F)
    density, cp = fluids.density(fluid, supply), fluids.specific_heat(fluid, supply + rise / 2.0)
    return hydraulics.flow_l_min(heat, density, cp, rise), assumed


def water_flow(g: Given, quantity: str) -> Answer:
    """Flow for a heat, for a kW or for a ton."""
    if quantity.endswith("_per_kw"):
        flow, assumed = _flow(g, 1.0)
        return in_unit_of(quantity.removesuffix("_per_kw"), flow, "flow"), assumed
    if quantity.endswith("_per_ton"):
        flow, assumed = _flow(g, heat_rejection.KW_PER_TON)
        return in_unit_of(quantity.removesuffix("_per_ton"), flow, "flow"), assumed
    flow, assumed = _flow(g, g.quantity("power", "heat", "load", ""))
    return in_unit_of(quantity, flow, "flow"), assumed


def water_heat(g: Given, quantity: str) -> Answer:
    """Heat that a flow carries."""
    fluid, rise, supply = g.text("fluid", "water"), g.rise_k(), g.number("supply_c", "water_supply_c", default=_SIXTY_F)
    density, cp = fluids.density(fluid, supply), fluids.specific_heat(fluid, supply + rise / 2.0)
    return in_unit_of(quantity, hydraulics.heat_kw(g.quantity("flow", "flow", ""), density, cp, rise), "power"), ""


def rack_flow(g: Given, quantity: str) -> Answer:
    """Flow of one rack for its liquid heat."""
    heat = g.quantity("power", "rack_liquid", "liquid", "rack", "heat")
    if g.has("liquid_capture_pct"):
        heat = heat_rejection.liquid_kw(heat, g.number("liquid_capture_pct"))
    flow, assumed = _flow(g, heat)
    return in_unit_of(quantity, flow, "flow"), assumed


def liquid_rise(g: Given, quantity: str) -> Answer:
    """Rise of a flow, with cp at the mean temperature."""
    if g.has("cdu"):
        flow, heat = _cdu(g)
    else:
        heat, flow = (
            g.quantity("power", "heat", "capacity", "rack_liquid", ""),
            g.quantity("flow", "flow", "rack_flow", ""),
        )
    rise = hydraulics.rise_k(g.text("fluid", "water"), heat, flow, g.number("supply_c"))
    return (rise * 1.8 if quantity.endswith("_f") else rise), ""


def scaled_drop(g: Given, quantity: str) -> Answer:
    """Pressure drop from one known point."""
    exponent = g.number("exponent", default=1.88)
    ratio = hydraulics.scaled_drop(
        g.quantity("pressure", "known_dp"), g.quantity("flow", "known_flow"), g.quantity("flow", "flow"), exponent
    )
    return in_unit_of(quantity, ratio, "pressure"), "" if g.has("exponent") else "exponent 1.88"


def pipe_drop(g: Given, quantity: str) -> Answer:
    """Pressure drop of a straight pipe."""
    if g.has("known_flow_l_min"):
        return scaled_drop(g, quantity)
    fluid, t_c = g.text("fluid", "water"), g.number("t_c", "supply_c")
    drop = hydraulics.pipe_drop_kpa(
        g.quantity("flow", "flow"),
        g.quantity("length", "pipe_id", "inner_diameter") * 1e3,
        g.quantity("length", "length"),
        g.quantity("length", "roughness", default=0.045e-3) * 1e3,
        fluids.density(fluid, t_c),
        fluids.viscosity(fluid, t_c),
    )
    return in_unit_of(quantity, drop, "pressure"), "" if g.has("roughness_mm") else "steel, 0.045 mm"


def pipe_velocity(g: Given, quantity: str) -> Answer:
    """Mean velocity."""
    return hydraulics.velocity_m_s(
        g.quantity("flow", "flow"), g.quantity("length", "pipe_id", "inner_diameter") * 1e3
    ), ""


def fluid_property(g: Given, quantity: str) -> Answer:
    """A property of a coolant at a temperature."""
    if quantity == "mass_pct":
        share = g.number("pg_volume_pct", "eg_volume_pct", "volume_pct") / 100.0
        glycol = share * g.number("pg_density_kg_m3", "eg_density_kg_m3", "glycol_density_kg_m3")
        return 100.0 * glycol / (glycol + (1.0 - share) * g.number("water_density_kg_m3")), ""
    fluid, t_c = g.text("fluid"), g.number("t_c")
    functions = {
        "cp_kj_kg_k": (fluids.specific_heat, 1.0),
        "cp_j_kg_k": (fluids.specific_heat, 1e3),
        "density_kg_m3": (fluids.density, 1.0),
        "viscosity_mpa_s": (fluids.viscosity, 1.0),
    }
    if quantity == "conductivity_w_m_k":
        return fluids.liquid_state(fluid, t_c).conductivity_w_m_k, "3 bar absolute"
    if quantity not in functions:
        raise Missing(f"{quantity} is no property that is known")
    function, factor = functions[quantity]
    return function(fluid, t_c) * factor, "3 bar absolute"


def cdu_rating(g: Given, quantity: str) -> Answer:
    """Flow for each kW of a rating."""
    flow, capacity = _cdu(g)
    return in_unit_of(quantity.removesuffix("_per_kw"), flow / capacity, "flow"), ""


def _cdu(g: Given) -> tuple[float, float]:
    """Return flow (infinite where none is given) and heat of a CDU: given, or the catalogue's first rating point."""
    entry = g.entry("cdu", "cdu")
    point = (entry.get("points") or [{}])[0] if entry is not None else {}
    capacity = g.quantity("power", "cdu", "capacity", default=float(point.get("capacity_kw") or -1.0))
    if capacity <= 0:
        raise Missing("the row does not give the CDU's capacity, and the catalogue does not know it")
    flow = g.quantity("flow", "cdu_flow", "flow", default=float(point.get("secondary_flow_l_min") or math.inf))
    return flow, capacity


def tcs_supply(g: Given, quantity: str) -> Answer:
    """Coldest coolant."""
    return heat_rejection.coldest_supply_c(g.number("fws_supply_c"), _approach(g)), ""


def fws_max(g: Given, quantity: str) -> Answer:
    """Warmest facility water."""
    return heat_rejection.warmest_water_c(g.number("tcs_max_c", "tcs_supply_c"), _approach(g)), ""


def _approach(g: Given) -> float:
    """Return the approach in K: given, or the catalogue's first rating point of the CDU."""
    entry = g.entry("cdu", "cdu")
    point = (entry.get("points") or [{}])[0] if entry is not None else {}
    return g.number("approach_k", default=point.get("approach_k"))


def approach(g: Given, quantity: str) -> Answer:
    """Coolant less facility water."""
    return heat_rejection.approach_k(g.number("tcs_supply_c"), g.number("fws_supply_c")), ""


def cdu_count(g: Given, quantity: str) -> Answer:
    """CDUs by heat and flow with spares, a pod at a time where there are pods."""
    flow, capacity = _cdu(g)
    pods = int(g.number("pods", default=1.0))
    racks = g.number("racks_per_pod", "racks")
    heat = _rack_liquid(g)
    each = g.number("rack_flow_l_min", default=-1.0)
    if each < 0:
        each = _flow(g, heat)[0] if g.has("l_min_per_kw") or g.has("supply_c", "return_c") else 0.0
    by_heat = heat_rejection.units_needed(racks * heat, capacity)
    by_flow = heat_rejection.units_needed(racks * each, flow) if math.isfinite(flow) else 0
    spare = int(g.number("spare_per_pod", "spare", default=0.0))
    return float(pods * heat_rejection.cdu_count(by_heat, by_flow, spare)), ""


def _rack_liquid(g: Given) -> float:
    if g.has("rack_liquid_kw"):
        return g.number("rack_liquid_kw")
    return heat_rejection.liquid_kw(g.quantity("power", "rack"), g.number("liquid_capture_pct", default=100.0))  # type: ignore[no-any-return]


def racks_of_cdu(g: Given, quantity: str) -> Answer:
    """Whole racks that CDUs serve, by heat and by flow."""
    flow, capacity = _cdu(g)
    heat = _rack_liquid(g)
    each = g.number("rack_flow_l_min") if g.has("rack_flow_l_min") else _flow(g, heat)[0]
    units = g.number("cdus", default=1.0) - g.number("spare", default=0.0)
    return float(math.floor(units * min(flow / each, capacity / heat) + 1e-9)), ""


def mass_flow(g: Given, quantity: str) -> Answer:
    """Refrigerant that takes up a heat."""
    return _mass_flow(g), ""


def _mass_flow(g: Given) -> float:
    fluid, t_sat = g.text("fluid"), g.number("t_sat_c", "t_c")
    quality = g.number("exit_quality", default=1.0)
    warm = fluids.subcooling_heat(fluid, t_sat, g.number("subcooling_k", default=0.0))
    per_kg = two_phase.heat_per_kg(quality, fluids.latent_heat(fluid, t_sat), warm)
    return two_phase.mass_flow_kg_s(g.quantity("power", "heat", ""), per_kg)  # type: ignore[no-any-return]


def liquid_line(g: Given, quantity: str) -> Answer:
    """Flow in the liquid line."""
    feed = g.number("t_sat_c", "t_c") - g.number("subcooling_k", default=0.0)
    flow = two_phase.liquid_flow_l_min(_mass_flow(g), fluids.liquid_density(g.text("fluid"), feed))
    return in_unit_of(quantity, flow, "flow"), ""


def vapour_velocity(g: Given, quantity: str) -> Answer:
    """Superficial velocity in the vapour line."""
    return two_phase.vapour_velocity_m_s(
        _mass_flow(g),
        g.number("exit_quality", default=1.0),
        fluids.vapour_density(g.text("fluid"), g.number("t_sat_c", "t_c")),
        g.quantity("length", "pipe_id", "inner_diameter") * 1e3,
    ), ""


def saturation(g: Given, quantity: str) -> Answer:
    """A saturation property."""
    fluid, t_c = g.text("fluid"), g.number("t_c", "t_sat_c")
    if quantity.startswith("p_sat"):
        return in_unit_of(quantity, fluids.saturation_pressure(fluid, t_c) * 100.0, "pressure"), ""
    functions = {
        "h_fg_kj_kg": fluids.latent_heat,
        "rho_l_kg_m3": fluids.liquid_density,
        "rho_v_kg_m3": fluids.vapour_density,
    }
    if quantity not in functions:
        raise Missing(f"{quantity} is no saturation property that is known")
    return functions[quantity](fluid, t_c), ""


def pump_hydraulic(g: Given, quantity: str) -> Answer:
    """Hydraulic power."""
    watts = hydraulics.hydraulic_w(g.quantity("flow", "flow"), g.quantity("pressure", "dp", "head"))
    return in_unit_of(quantity, watts / 1e3, "power"), ""


def pump_electric(g: Given, quantity: str) -> Answer:
    """Electrical power."""
    efficiency = g.number("efficiency") if g.has("efficiency") else g.number("efficiency_pct") / 100.0
    kw = hydraulics.pump_kw(g.quantity("flow", "flow"), g.quantity("pressure", "dp", "head"), efficiency)
    return in_unit_of(quantity, kw, "power"), ""


def pump_efficiency(g: Given, quantity: str) -> Answer:
    """From plug to water."""
    return hydraulics.wire_to_water_pct(
        g.quantity("flow", "flow"), g.quantity("pressure", "dp", "head"), g.quantity("power", "electric")
    ), ""


def pump_ratio(g: Given, quantity: str) -> Answer:
    """Affinity law."""
    return hydraulics.pump_power_ratio(g.number("flow_ratio", "speed_ratio")), ""


_FLOWS = ("flow_l_min", "flow_gpm", "flow_m3_h", "flow_l_s")
HANDLERS = {
    "heat_split": {
        "air_share_pct": air_share,
        "liquid_share_pct": air_share,
        "air_kw": air_kw,
        "liquid_kw": liquid_kw,
    },
    "water_flow": dict.fromkeys((*_FLOWS, "gpm_per_ton", "l_min_per_kw", "gpm_per_kw", "l_min_per_ton"), water_flow)
    | {"heat_kw": water_heat, "temperature_rise_k": liquid_rise},
    "rack_flow": {
        "rack_flow_l_min": rack_flow,
        "rack_flow_gpm": rack_flow,
        "temperature_rise_k": liquid_rise,
        "temperature_rise_f": liquid_rise,
    },
    "pressure_drop": {
        "rack_dp_psi": scaled_drop,
        "rack_dp_kpa": scaled_drop,
        "dp_kpa": pipe_drop,
        "dp_psi": pipe_drop,
        "dp_bar": pipe_drop,
    },
    "pipe": {"velocity_m_s": pipe_velocity},
    "fluid_property": dict.fromkeys(
        ("cp_kj_kg_k", "cp_j_kg_k", "density_kg_m3", "viscosity_mpa_s", "conductivity_w_m_k", "mass_pct"),
        fluid_property,
    ),
    "cdu_rating": {
        "l_min_per_kw": cdu_rating,
        "gpm_per_kw": cdu_rating,
        "secondary_rise_k": liquid_rise,
        "tcs_supply_c": tcs_supply,
        "fws_max_c": fws_max,
        "approach_k": approach,
    },
    "cdu_count": {"cdus": cdu_count, "racks": racks_of_cdu},
    "two_phase": {
        "mass_flow_kg_s": mass_flow,
        "liquid_flow_l_min": liquid_line,
        "vapour_velocity_m_s": vapour_velocity,
    },
    "saturation": dict.fromkeys(("p_sat_bar", "p_sat_kpa", "h_fg_kj_kg", "rho_l_kg_m3", "rho_v_kg_m3"), saturation),
    "pump": {
        "hydraulic_w": pump_hydraulic,
        "hydraulic_kw": pump_hydraulic,
        "electric_w": pump_electric,
        "electric_kw": pump_electric,
        "efficiency_pct": pump_efficiency,
        "power_ratio": pump_ratio,
    },
}
