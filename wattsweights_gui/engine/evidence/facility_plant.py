"""Facility rows of air, plant and towers: predicted from their inputs by the engine's equations."""

from __future__ import annotations

import re

from wattsweights_gui.engine.equations import air, fluids, heat_rejection, hydraulics
from wattsweights_gui.engine.evidence.facility_given import Given, Missing, in_unit_of

Answer = tuple[float, str]


def _standard_air(g: Given) -> float | None:
    """Return the factor of standard air where the row asks for it (``1.08 BTU/h/cfm/F``)."""
    words = g.inputs.get("air")
    if not isinstance(words, str) or "standard" not in words:
        return None
    found = re.search(r"\d\.\d+", words)
    return float(found[0]) if found else 1.08


def airflow(g: Given, quantity: str) -> Answer:
    """Airflow for a heat and a rise."""
    heat = 1.0 if quantity.endswith("_per_kw") else g.quantity("power", "heat", "")
    name = quantity.removesuffix("_per_kw")
    factor = _standard_air(g)
    if factor is not None:
        flow = air.standard_cfm(heat * air.BTU_H_PER_KW, g.rise_k(), factor) / air.CFM_PER_M3_S
        return in_unit_of(name, flow, "air_flow"), "standard air"
    density, assumed = _air_density(g)
    return in_unit_of(name, air.airflow_m3_s(heat, density, g.rise_k()), "air_flow"), assumed


def _air_density(g: Given) -> tuple[float, str]:
    inlet, altitude = g.number("inlet_c", default=20.0), g.number("altitude_m", default=0.0)
    return air.air_density(inlet, altitude), "" if g.has("inlet_c") else "inlet 20 °C"


def air_rise(g: Given, quantity: str) -> Answer:
    """Rise of an airflow."""
    heat, flow = g.quantity("power", "heat", ""), g.quantity("air_flow", "airflow", "")
    factor = _standard_air(g)
    if factor is not None:
        rise = air.standard_rise_k(heat * air.BTU_H_PER_KW, flow * air.CFM_PER_M3_S, factor)
        assumed = "standard air"
    else:
        density, assumed = _air_density(g)
        rise = air.air_rise_k(heat, density, flow)
    return (rise * 1.8 if quantity.endswith("_f") else rise), assumed


def density_ratio(g: Given, quantity: str) -> Answer:
    """Pressure at an altitude over sea level, at equal temperature."""
    return air.pressure_kpa(g.number("altitude_m")) / air.pressure_kpa(0.0), "equal temperature"


def net_sensible(g: Given, quantity: str) -> Answer:
    """What an air handler takes from the room."""
    supply, rise = g.number("water_supply_c", "supply_c"), g.rise_k()
    fluid = g.text("fluid", "water")
    flow = g.quantity("flow", "water", "water_flow", "flow")
    heat = hydraulics.heat_kw(flow, fluids.density(fluid, supply), fluids.specific_heat(fluid, supply + rise / 2), rise)
    return in_unit_of(quantity, air.net_sensible_kw(heat, g.quantity("power", "fan", default=0.0)), "power"), ""


def psychrometric(g: Given, quantity: str) -> Answer:
    """Dew point and wet bulb."""
    pressure = g.number("pressure_pa", default=-1.0)
    if pressure < 0:
        pressure = air.pressure_kpa(g.number("altitude_m", default=0.0)) * 1e3
    function = air.dew_point_c if quantity.startswith("dew") else air.wet_bulb_c
    return function(g.number("dry_bulb_c"), g.number("relative_humidity_pct"), pressure), ""


def least_water(g: Given, quantity: str) -> Answer:
    """Coldest water that does not get a surface wet."""
    return g.number("max_dew_point_c", "dew_point_c") + g.number("margin_k", default=1.0), ""


def inlet_limit(g: Given, quantity: str) -> Answer:
    """Highest allowed inlet of an ASHRAE class at an altitude."""
    name = g.text("class").upper()
    entry = next((e for e in g.catalog.of_kind("ashrae_air_class") if e.name.upper().split()[-1] == name), None)
    if entry is None:
        raise Missing(f"the catalogue has no ASHRAE class {name}")
    top = float(max(entry.get("allowable_c")))
    altitude = g.number("altitude_m", default=0.0)
    if entry.get("derate_m_per_c") is None:
        if altitude > 0:
            raise Missing(f"the catalogue does not know the derating of {entry.name} with altitude")
        return top, ""
    value = air.derated_inlet_c(top, altitude, float(entry.get("derate_above_m")), float(entry.get("derate_m_per_c")))
    return value, ""


def water_class_max(g: Given, quantity: str) -> Answer:
    """Largest supply of the smallest class that allows a supply."""
    limit = heat_rejection.water_class_max_c(g.number("fws_supply_c", "supply_c"))
    if limit is None:
        raise Missing("above W45 the class is W+, which has no largest supply")
    return limit, ""


def dry_cooler(g: Given, quantity: str) -> Answer:
    """Warmest ambient of a dry cooler."""
    return heat_rejection.dry_cooler_max_ambient_c(
        g.number("fws_supply_c", "supply_c"), g.number("dry_cooler_approach_k", "approach_k")
    ), ""


def cop(g: Given, quantity: str) -> Answer:
    """COP and kW/ton."""
    if quantity == "kw_per_ton":
        return heat_rejection.KW_PER_TON / g.number("cop"), ""
    return heat_rejection.cop_from_kw_per_ton(g.number("kw_per_ton")), ""


def condenser(g: Given, quantity: str) -> Answer:
    """Heat of a condenser."""
    return in_unit_of(
        quantity, heat_rejection.condenser_kw(g.quantity("power", "load", "heat"), g.number("cop")), "power"
    ), ""


def entering_air(g: Given, quantity: str) -> Answer:
    """Air behind an adiabatic pad."""
    return heat_rejection.adiabatic_entering_c(
        g.number("dry_bulb_c"), g.number("wet_bulb_c"), g.number("effectiveness", default=0.8)
    ), ""


def evaporation(g: Given, quantity: str) -> Answer:
    """Evaporation of a tower, a minute or a day."""
    gpm = heat_rejection.tower_evaporation_gpm(
        g.quantity("flow", "flow") / hydraulics.L_PER_US_GALLON, g.rise_k() * 1.8
    )
    return _tower_unit(quantity, gpm)


def _tower_unit(quantity: str, gpm: float) -> Answer:
    if quantity.endswith("gpd"):
        return gpm * 1440.0, ""
    return in_unit_of(quantity, gpm * hydraulics.L_PER_US_GALLON, "flow"), ""


def makeup(g: Given, quantity: str) -> Answer:
    """Make-up or blow-down water; windage is part of what leaves with E / (C - 1)."""
    gpm = g.number("evaporation_gpd", default=-1.0) / 1440.0
    if gpm < 0:
        gpm = g.quantity("flow", "evaporation", default=-1.0) / hydraulics.L_PER_US_GALLON
    if gpm < 0:
        flow = g.quantity("flow", "flow") / hydraulics.L_PER_US_GALLON
        gpm = heat_rejection.tower_evaporation_gpm(flow, g.rise_k() * 1.8)
    total = heat_rejection.tower_makeup(gpm, g.number("cycles"))
    return _tower_unit(quantity, total - gpm if quantity.startswith("blow") else total)


def evaporation_per_kwh(g: Given, quantity: str) -> Answer:
    """Water for each kWh of heat, all of it as vapour."""
    return heat_rejection.evaporation_l_kwh(fluids.latent_heat("water", g.number("t_c"))), "1 kg a litre"


HANDLERS = {
    "airflow": {
        "cfm": airflow,
        "m3_s": airflow,
        "airflow_cfm": airflow,
        "airflow_m3_s": airflow,
        "cfm_per_kw": airflow,
        "m3_s_per_kw": airflow,
        "temperature_rise_k": air_rise,
        "temperature_rise_f": air_rise,
        "density_ratio": density_ratio,
    },
    "crah": {"net_sensible_kw": net_sensible},
    "psychrometrics": {"dew_point_c": psychrometric, "wet_bulb_c": psychrometric, "min_water_c": least_water},
    "ashrae_class": {"max_inlet_c": inlet_limit, "w_class_max_c": water_class_max},
    "heat_rejection": {
        "max_ambient_c": dry_cooler,
        "cop": cop,
        "kw_per_ton": cop,
        "condenser_kw": condenser,
        "entering_c": entering_air,
    },
    "tower_water": {
        "evaporation_gpm": evaporation,
        "evaporation_gpd": evaporation,
        "evaporation_l_min": evaporation,
        "makeup_gpm": makeup,
        "makeup_gpd": makeup,
        "makeup_l_min": makeup,
        "blowdown_gpm": makeup,
        "blowdown_gpd": makeup,
        "evaporation_l_per_kwh": evaporation_per_kwh,
    },
}
