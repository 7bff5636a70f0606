"""Counterflow heat exchangers by effectiveness and NTU: conductance from a rating point, heat at other temperatures.

Source: W. M. Kays and A. L. London, Compact Heat Exchangers; VDI Heat Atlas, chapter C1.
"""

from __future__ import annotations

import math

from wattsweights_gui.engine.declare import equation

EPSILON_NTU = "effectiveness-NTU, counterflow (Kays and London)"


@equation("ε = (1 - e^(-NTU (1 - C_r))) / (1 - C_r e^(-NTU (1 - C_r)))", "ratio", EPSILON_NTU)
def effectiveness(ntu: float, capacity_ratio: float) -> float:
    """Return the effectiveness of a counterflow exchanger; a capacity ratio of 0 is a side that boils or condenses."""
    if abs(1.0 - capacity_ratio) < 1e-9:
        return ntu / (1.0 + ntu)
    # written with the exponent that cannot overflow
    decay = math.exp(-ntu * (1.0 - capacity_ratio))
    return (1.0 - decay) / (1.0 - capacity_ratio * decay)


@equation("NTU = ln((1 - ε C_r) / (1 - ε)) / (1 - C_r)", "ratio", EPSILON_NTU)
def ntu_needed(effectiveness: float, capacity_ratio: float) -> float:
    """Return the transfer units that an effectiveness asks for; infinite for an effectiveness of 1 or more."""
    if effectiveness >= 1.0:
        return math.inf
    if effectiveness <= 0.0:
        return 0.0
    if abs(1.0 - capacity_ratio) < 1e-9:
        return effectiveness / (1.0 - effectiveness)
    return math.log((1.0 - effectiveness * capacity_ratio) / (1.0 - effectiveness)) / (1.0 - capacity_ratio)


@equation("C = ρ cp V / 60 000", "kw_k", "heat capacity rate of a flow")
def capacity_rate(flow_l_min: float, density_kg_m3: float, cp_kj_kg_k: float) -> float:
    """Return the heat capacity rate of a flow in kW/K; L/min, kg/m³, kJ/(kg·K)."""
    return flow_l_min * density_kg_m3 * cp_kj_kg_k / 60_000.0


@equation(
    "UA = NTU C_min, ε = Q / (C_min (T_h,in - T_c,in))", "kw_k",
    EPSILON_NTU + "; facility side taken to carry its heat at the rise of the coolant side (estimate)",
)  # fmt: skip
def conductance_from_rating(capacity_kw: float, approach_k: float, coolant_rise_k: float) -> float:
    """Return the conductance of a CDU from its rating point, in kW/K.

    Makers print heat, approach and coolant flow, but seldom the facility flow of the same point. With equal rises the
    temperature difference is the approach at both ends, so this is the smallest conductance that the point allows for
    a facility flow of at least the coolant's.
    """
    hot_in_less_cold_in = approach_k + coolant_rise_k
    eps = coolant_rise_k / hot_in_less_cold_in
    return capacity_kw / coolant_rise_k * float(ntu_needed(eps, 1.0))


@equation(
    "Q = min(Q_rated, UA ΔT_max,side / NTU(ε, C_r)), 0 where streams would cross", "kw",
    EPSILON_NTU + "; conductance held at its rating, never above the rated heat (estimate)",
)  # fmt: skip
def heat_at(
    conductance_kw_k: float,
    rated_kw: float,
    coolant_supply_c: float,
    coolant_rise_k: float,
    water_supply_c: float,
    water_rise_k: float,
) -> float:
    """Return what a CDU takes at planned temperatures on all four connections, in kW."""
    hot_in = coolant_supply_c + coolant_rise_k
    approach = coolant_supply_c - water_supply_c
    if approach <= 0.0 or hot_in - (water_supply_c + water_rise_k) <= 0.0:
        return 0.0
    larger, smaller = max(coolant_rise_k, water_rise_k), min(coolant_rise_k, water_rise_k)
    # the stream with the larger change of temperature has the smaller capacity rate
    eps = larger / (hot_in - water_supply_c)
    ntu = float(ntu_needed(eps, smaller / larger))
    return min(rated_kw, conductance_kw_k * larger / ntu)


@equation("ε = ΔT_coolant / (T_return - T_FWS)", "ratio", "effectiveness on the coolant side, as CDU makers state it")
def coolant_effectiveness(coolant_supply_c: float, coolant_rise_k: float, water_supply_c: float) -> float:
    """Return the effectiveness on the coolant's side that planned temperatures ask for."""
    return coolant_rise_k / (coolant_supply_c + coolant_rise_k - water_supply_c)


@equation("T_sat - pinch - rise", "c", "condenser: its pinch lies where the water leaves (no desuperheating counted)")
def condenser_water_max_c(saturation_c: float, pinch_k: float, water_rise_k: float) -> float:
    """Return the warmest facility water that condenses at a saturation temperature, in °C."""
    return saturation_c - pinch_k - water_rise_k


@equation("T = T_coolant + R P", "c", "thermal resistance from coolant to chip, paste and cold plate included")
def chip_temperature_c(coolant_c: float, resistance_k_w: float, power_w: float) -> float:
    """Return the temperature of a chip under its cold plate, in °C."""
    return coolant_c + resistance_k_w * power_w


@equation(
    "P = (T_limit - T_coolant) / R", "w", "thermal resistance from coolant to chip, paste and cold plate included"
)
def chip_power_at_limit_w(limit_c: float, coolant_c: float, resistance_k_w: float) -> float:
    """Return the power at which a chip reaches its limit, in W; infinite without resistance."""
    return max(0.0, limit_c - coolant_c) / resistance_k_w if resistance_k_w > 0 else math.inf
