"""Heat rejection outside at one dry bulb and wet bulb: electricity and water for each kW of heat, estimates.

Fans follow the cube of their speed, and a dry cooler's or tower's airflow is taken in proportion to its approach over
the temperature difference that there is. Chillers are a share of Carnot. Part load is not counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wattsweights_gui.engine.declare import equation

LATENT_KJ_KG = 2430.0  # water at 30 °C
LEAST_FAN = 0.01  # of full power: fans do not stop
LEAST_LIFT_K = 5.0  # a compressor needs some pressure ratio
KELVIN = 273.15


@dataclass(frozen=True)
class Outcome:
    """What a plant does in one state of the outside air, for each kW of heat.

    Attributes:
        power: kW of electricity.
        water_l_kwh: litres of make-up water for each kWh.
        free: share of the heat that no compressor moves.
        held_c: water supply that is reached, in °C.
    """

    power: float
    water_l_kwh: float
    free: float
    held_c: float


def fans(full: float, approach_k: float, difference_k: float) -> float:
    """Return fan power for a temperature difference, of ``full`` at the approach: cube of the airflow."""
    if difference_k <= approach_k:
        return full
    return full * max(LEAST_FAN, (approach_k / difference_k) ** 3)


def compressor_cop(evaporating_c: float, condensing_c: float, carnot_share: float) -> float:
    """Return a compressor's COP as a share of Carnot's; a lift of 5 K is the least."""
    lift = max(LEAST_LIFT_K, condensing_c - evaporating_c)
    return carnot_share * (evaporating_c + KELVIN) / lift


def evaporated_l_kwh(heat_kwh: float, cycles: float) -> float:
    """Return make-up water in L: all heat leaves as vapour, blow-down by the cycles of concentration."""
    return heat_kwh * 3600.0 / LATENT_KJ_KG * cycles / (cycles - 1.0)


def stated(cop: float, make_up_l_kwh: float | None, supply_c: float) -> Outcome:
    """Return the outcome of a plant that is known by its COP and, perhaps, its make-up water."""
    return Outcome(1.0 / cop, make_up_l_kwh or 0.0, 0.0, supply_c)


def dry_cooler(plant: Any, dry_c: float, wet_c: float, supply_c: float, rise_k: float) -> Outcome:
    """Return the outcome of a dry cooler."""
    p = plant
    power = fans(p.fan_pct / 100.0, p.approach_k, supply_c - dry_c) + p.pump_pct / 100.0
    return Outcome(power, 0.0, 1.0, max(supply_c, dry_c + p.approach_k))


def hybrid(plant: Any, dry_c: float, wet_c: float, supply_c: float, rise_k: float) -> Outcome:
    """Return the outcome of a dry cooler whose pads are wetted only when dry air is too warm."""
    p = plant
    pumps = p.pump_pct / 100.0
    if dry_c + p.approach_k <= supply_c:
        return Outcome(fans(p.fan_pct / 100.0, p.approach_k, supply_c - dry_c) + pumps, 0.0, 1.0, supply_c)
    # no colder than is needed: the pads are wetted in part
    coldest = dry_c - p.pad_pct / 100.0 * (dry_c - wet_c)
    entering = max(coldest, min(dry_c, supply_c - p.approach_k))
    # the air is taken to warm up by the water's rise, so that its mass follows from the heat
    evaporated = (dry_c - entering) / rise_k * 3600.0 / LATENT_KJ_KG
    return Outcome(
        p.fan_pct / 100.0 + pumps, evaporated * p.cycles / (p.cycles - 1.0), 1.0, max(supply_c, entering + p.approach_k)
    )


def tower(plant: Any, dry_c: float, wet_c: float, supply_c: float, rise_k: float) -> Outcome:
    """Return the outcome of an open tower with a heat exchanger."""
    p = plant
    coldest = wet_c + p.approach_k + p.exchanger_k
    power = fans(p.fan_pct / 100.0, p.approach_k, supply_c - p.exchanger_k - wet_c) + p.pump_pct / 100.0
    return Outcome(power, evaporated_l_kwh(1.0, p.cycles), 1.0, max(supply_c, coldest))


def _free(return_c: float, reached_c: float, rise_k: float) -> float:
    return min(1.0, max(0.0, (return_c - reached_c) / rise_k))


def air_chiller(plant: Any, dry_c: float, wet_c: float, supply_c: float, rise_k: float) -> Outcome:
    """Return the outcome of an air-cooled chiller with free cooling coils in front of its evaporator."""
    p = plant
    free = _free(supply_c + rise_k, dry_c + p.free_approach_k, rise_k)
    cop = compressor_cop(supply_c - p.evaporator_k, dry_c + p.condenser_k, p.carnot_pct / 100.0)
    by_compressor = 1.0 - free
    full = p.fan_pct / 100.0
    fan = free * fans(full, p.free_approach_k, supply_c - dry_c) + full * by_compressor * (1.0 + 1.0 / cop)
    return Outcome(by_compressor / cop + fan + p.pump_pct / 100.0, 0.0, free, supply_c)


def water_chiller(plant: Any, dry_c: float, wet_c: float, supply_c: float, rise_k: float) -> Outcome:
    """Return the outcome of a water-cooled chiller with tower and economiser."""
    p = plant
    tower_c = wet_c + p.tower_approach_k
    free = _free(supply_c + rise_k, tower_c + p.free_approach_k, rise_k)
    cop = compressor_cop(supply_c - p.evaporator_k, tower_c + p.condenser_k, p.carnot_pct / 100.0)
    by_compressor = 1.0 - free
    rejected = 1.0 + by_compressor / cop
    power = by_compressor / cop + p.auxiliary_pct / 100.0 * rejected
    return Outcome(power, evaporated_l_kwh(rejected, p.cycles), free, supply_c)


@equation(
    "COP = 1 / (compressors + fans + pumps, kW for each kW of heat)",
    "ratio",
    "estimate by Carnot share, cube of the fans' speed",
)
def plant_cop(power_per_kw: float) -> float:
    """Return the COP of the whole plant."""
    return 1.0 / power_per_kw


@equation("Q Σ h P(T) / 1000", "mwh", "hours of the site's bins, load held constant")
def plant_mwh(heat_kw: float, hours_power: float) -> float:
    """Return the plant's electricity in a year in MWh; ``hours_power`` is Σ hours × kW for each kW of heat."""
    return heat_kw * hours_power / 1000.0


@equation("Q Σ h W(T) / 1000", "m3", "hours of the site's bins, load held constant")
def water_m3(heat_kw: float, hours_water: float) -> float:
    """Return the make-up water in a year in m³; ``hours_water`` is Σ hours × L for each kWh."""
    return heat_kw * hours_water / 1000.0


@equation("WUE = 1000 V / E_IT", "l_kwh", "The Green Grid, site water only")
def wue(water_m3_year: float, it_mwh_year: float) -> float:
    """Return the water usage effectiveness in L/kWh."""
    return water_m3_year / it_mwh_year if it_mwh_year else 0.0


@equation("8.76 P", "mwh", "8,760 hours")
def year_mwh(power_kw: float) -> float:
    """Return a year's energy of a constant draw in MWh."""
    return power_kw * 8.76


@equation("8.76 (P_fans + P_CDUs) typical / maximum + E_plant", "mwh", "fans and pumps in proportion to the IT load")
def cooling_mwh(fans_kw: float, cdus_kw: float, it_kw: float, it_max_kw: float, plant_mwh: float) -> float:
    """Return a year's electricity of all cooling in MWh."""
    return 8.76 * (fans_kw + cdus_kw) * (it_kw / it_max_kw if it_max_kw else 0.0) + plant_mwh


@equation(
    "(E_IT + E_cooling + 8.76 (losses typical / maximum + auxiliary)) / E_IT", "ratio", "The Green Grid, over a year"
)
def annual_pue(
    it_mwh: float, cooling_mwh: float, loss_kw: float, auxiliary_kw: float, it_kw: float, it_max_kw: float
) -> float:
    """Return the PUE of a year."""
    losses = loss_kw * (it_kw / it_max_kw if it_max_kw else 0.0)
    return (it_mwh + cooling_mwh + 8.76 * (losses + auxiliary_kw)) / it_mwh


@equation("Q_max typical / maximum", "kw", "heat to the plant in proportion to the IT load")
def typical_heat_kw(heat_kw: float, it_kw: float, it_max_kw: float) -> float:
    """Return the heat to the plant at the typical IT load, in kW."""
    return heat_kw * it_kw / it_max_kw if it_max_kw else 0.0
