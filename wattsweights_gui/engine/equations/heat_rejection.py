"""From the racks to the outside: shares of heat, CDUs, air handlers, plant, towers, ASHRAE water classes."""

from __future__ import annotations

import math

from wattsweights_gui.engine.declare import equation

KW_PER_TON = 3.5168528420667
WATER_CLASSES = ((17.0, "W17"), (27.0, "W27"), (32.0, "W32"), (40.0, "W40"), (45.0, "W45"))
CLASS_SOURCE = "ASHRAE TC 9.9, facility water classes W17 to W+"


@equation("Q share", "kw", "share of the heat that the cold plates take")
def liquid_kw(heat_kw: float, liquid_pct: float) -> float:
    """Return the heat to liquid in kW."""
    return heat_kw * liquid_pct / 100.0


@equation("Q - Q_liquid", "kw", "what is not taken by liquid goes to the room's air")
def remainder_kw(heat_kw: float, liquid_kw: float) -> float:
    """Return the heat to air in kW."""
    return heat_kw - liquid_kw


@equation("100 Q_liquid / Q", "pct", "catalogued heat of the rack")
def liquid_share_pct(liquid_kw: float, rack_kw: float) -> float:
    """Return the liquid share of a heat in per cent; 0 where there is no heat."""
    return 100.0 * liquid_kw / rack_kw if rack_kw else 0.0


@equation("100 (gpus P_gpu + cpus P_cpu) / P_node", "pct", "cold plates on GPUs and CPUs take the heat of these parts")
def component_share_pct(gpus: int, gpu_w: float, cpus: int, cpu_w: float, node_kw: float) -> float:
    """Return the share of a node's heat that cold plates on its GPUs and CPUs take, in per cent."""
    return min(100.0, 100.0 * (gpus * gpu_w + cpus * cpu_w) / 1e3 / node_kw)


@equation("min over the limits of Q_limit / share", "kw", "the first stage at its limit binds the rack")
def rack_kw_from_share(limit_kw: float, share_pct: float) -> float:
    """Return the rack heat at which a stage that takes a share of it reaches its limit; infinite for no share."""
    return limit_kw / (share_pct / 100.0) if share_pct > 0 else math.inf


@equation("⌈Q / Q_unit⌉", "count", "whole units; the limit that needs most of them counts")
def units_needed(amount: float, of_one: float) -> int:
    """Return whole units for an amount. A millionth of a unit too much is rounding, not another unit."""
    return max(0, math.ceil(amount / of_one - 1e-6))


@equation("max(⌈Q/Q_cdu⌉, ⌈V/V_cdu⌉) + spare", "count", "heat and flow each can bind")
def cdu_count(by_heat: int, by_flow: int, spare: int) -> int:
    """Return the CDUs with spares; none where there is no heat to liquid."""
    needed = max(by_heat, by_flow)
    return needed + spare if needed else 0


@equation("T_TCS - T_FWS", "k", "approach: technology supply less facility supply")
def approach_k(tcs_supply_c: float, fws_supply_c: float) -> float:
    """Return the approach in K."""
    return tcs_supply_c - fws_supply_c


@equation("T_FWS + approach", "c", "the coldest coolant supply of a CDU at its rating")
def coldest_supply_c(fws_supply_c: float, approach_k: float) -> float:
    """Return the coolant supply that a CDU reaches, in °C."""
    return fws_supply_c + approach_k


@equation("T_TCS - approach", "c", "the warmest facility water for a CDU at its rating")
def warmest_water_c(tcs_supply_c: float, approach_k: float) -> float:
    """Return the warmest facility water in °C."""
    return tcs_supply_c - approach_k


@equation(
    "Q = Q_rated min(1, approach / approach_rated)", "kw",
    "estimate: effectiveness of the rating point kept, rated flows; not extrapolated above the rating",
)  # fmt: skip
def cdu_kw_at_approach(rated_kw: float, rated_approach_k: float, approach_k: float) -> float:
    """Return an estimate of what a CDU takes at a smaller approach than its rating, in kW.

    With both flows at their rating the effectiveness is constant, so heat is in proportion to the approach.
    """
    return rated_kw * min(1.0, max(0.0, approach_k) / rated_approach_k)


@equation("Q e", "kw", "electrical draw in per cent of the heat moved")
def draw_kw(heat_kw: float, draw_pct: float) -> float:
    """Return an electrical draw given in per cent of a heat, in kW."""
    return heat_kw * draw_pct / 100.0


@equation("Q_IT + P_fans + P_CDU", "kw", "the plant also rejects what fans and pumps put into air and coolant")
def plant_heat_kw(liquid_heat_kw: float, air_heat_kw: float, fan_kw: float, cdu_kw: float) -> float:
    """Return the heat that reaches the cooling plant in kW."""
    return liquid_heat_kw + air_heat_kw + fan_kw + cdu_kw


@equation("P = Q / COP", "kw", "coefficient of performance of the whole plant")
def plant_kw(heat_kw: float, cop: float) -> float:
    """Return the plant's electrical draw in kW."""
    return heat_kw / cop


@equation("CDUs + fans + plant", "kw", "all that cooling draws")
def cooling_kw(cdu_kw: float, fan_kw: float, plant_kw: float) -> float:
    """Return the power of cooling in kW."""
    return cdu_kw + fan_kw + plant_kw


@equation("Q (1 + 1/COP)", "kw", "the condenser rejects load and compressor")
def condenser_kw(load_kw: float, cop: float) -> float:
    """Return the heat that a chiller's condenser rejects, in kW."""
    return load_kw * (1.0 + 1.0 / cop)


@equation("COP = 3.517 / (kW/ton)", "ratio", "a ton of refrigeration is 3.517 kW")
def cop_from_kw_per_ton(kw_per_ton: float) -> float:
    """Return the coefficient of performance."""
    return KW_PER_TON / kw_per_ton


@equation("T_supply - approach", "c", "dry cooler: below this ambient it holds the supply")
def dry_cooler_max_ambient_c(supply_c: float, approach_k: float) -> float:
    """Return the warmest ambient at which a dry cooler holds a supply temperature, in °C."""
    return supply_c - approach_k


@equation("T_db - η (T_db - T_wb)", "c", "adiabatic pad in front of a dry cooler")
def adiabatic_entering_c(dry_bulb_c: float, wet_bulb_c: float, effectiveness: float) -> float:
    """Return the air temperature behind an adiabatic pad, in °C."""
    return dry_bulb_c - effectiveness * (dry_bulb_c - wet_bulb_c)


@equation("E = gpm ΔT°F / 1000", "", "cooling tower practice: 1 % per 10 °F of range")
def tower_evaporation_gpm(flow_gpm: float, range_f: float) -> float:
    """Return the evaporation of a cooling tower in US gpm."""
    return flow_gpm * range_f / 1000.0


@equation("make-up = E C / (C - 1)", "", "blow-down and windage together are E / (C - 1)")
def tower_makeup(evaporation: float, cycles: float) -> float:
    """Return the make-up water in the unit of the evaporation.

    Raises:
        ValueError: one cycle of concentration or less would need endless water.
    """
    if cycles <= 1:
        raise ValueError("cycles of concentration are above 1")
    return evaporation * cycles / (cycles - 1.0)


@equation("3600 kJ / h_fg(T)", "l_kwh", "all heat leaves as vapour: an upper bound")
def evaporation_l_kwh(latent_heat_kj_kg: float) -> float:
    """Return the water evaporated for each kWh of heat, in L (1 kg a litre)."""
    return 3600.0 / latent_heat_kj_kg


def water_class(supply_c: float) -> str:
    """Return the smallest ASHRAE facility water class that allows a supply temperature."""
    return next((name for limit, name in WATER_CLASSES if supply_c <= limit + 1e-9), "W+")


def water_class_max_c(supply_c: float) -> float | None:
    """Return the largest supply temperature of that class, in °C; ``None`` for W+, which has none."""
    return next((limit for limit, _ in WATER_CLASSES if supply_c <= limit + 1e-9), None)
