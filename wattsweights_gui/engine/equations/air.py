"""Air: density with altitude, airflow, dew point, ASHRAE classes."""

from __future__ import annotations

import math

from wattsweights_gui.engine.declare import equation
from wattsweights_gui.engine.equations import fluids

GAS_CONSTANT = 287.055  # J/(kg K), dry air
CP_AIR = 1.006  # kJ/(kg K)
CFM_PER_M3_S = 2118.880003289315
BTU_H_PER_KW = 3412.141633
SEA_LEVEL_PA = 101_325.0


@equation("p = 101 325 (1 - 2.25577e-5 z)^5.25588", "kpa", "ISA, ISO 2533")
def pressure_kpa(altitude_m: float) -> float:
    """Return the standard atmosphere's pressure in kPa."""
    return SEA_LEVEL_PA * math.pow(1.0 - 2.25577e-5 * altitude_m, 5.25588) / 1e3


@equation("ρ = p / (R T)", "kg_m3", "dry air, R = 287.055 J/(kg·K)")
def air_density(inlet_c: float, altitude_m: float) -> float:
    """Return the density of dry air in kg/m³."""
    return float(pressure_kpa(altitude_m)) * 1e3 / (GAS_CONSTANT * (inlet_c + 273.15))


@equation("V = Q / (ρ cp ΔT)", "m3_s", "sensible heat, dry air, cp = 1.006 kJ/(kg·K)")
def airflow_m3_s(heat_kw: float, density_kg_m3: float, rise_k: float) -> float:
    """Return the airflow that carries a heat, in m³/s."""
    return heat_kw / (density_kg_m3 * CP_AIR * rise_k)


@equation("ΔT = Q / (ρ cp V)", "k", "sensible heat, dry air, cp = 1.006 kJ/(kg·K)")
def air_rise_k(heat_kw: float, density_kg_m3: float, airflow_m3_s: float) -> float:
    """Return the temperature rise of an airflow in K."""
    return heat_kw / (density_kg_m3 * CP_AIR * airflow_m3_s)


@equation("cfm = BTU/h / (1.08 ΔT°F)", "", "standard air, 1.08 BTU/(h·cfm·°F)")
def standard_cfm(heat_btu_h: float, rise_k: float, factor: float = 1.08) -> float:
    """Return the airflow of standard air in cfm."""
    return heat_btu_h / (factor * rise_k * 1.8)


@equation("ΔT = BTU/h / (1.08 cfm) 5/9", "k", "standard air, 1.08 BTU/(h·cfm·°F)")
def standard_rise_k(heat_btu_h: float, cfm: float, factor: float = 1.08) -> float:
    """Return the temperature rise of standard air in K."""
    return heat_btu_h / (factor * cfm) / 1.8


@equation("Q_net = Q_water - P_fan", "kw", "fans heat the air that they move")
def net_sensible_kw(water_side_kw: float, fan_kw: float) -> float:
    """Return what an air handler takes from the room, in kW."""
    return water_side_kw - fan_kw


def dew_point_c(dry_bulb_c: float, relative_humidity_pct: float, pressure_pa: float = SEA_LEVEL_PA) -> float:
    """Return the dew point by CoolProp's humid air, in °C."""
    return fluids.humid_air("D", dry_bulb_c, relative_humidity_pct, pressure_pa) - 273.15


def wet_bulb_c(dry_bulb_c: float, relative_humidity_pct: float, pressure_pa: float = SEA_LEVEL_PA) -> float:
    """Return the wet bulb temperature by CoolProp's humid air, in °C."""
    return fluids.humid_air("B", dry_bulb_c, relative_humidity_pct, pressure_pa) - 273.15


@equation("T_max - (z - z₀) / (m per K)", "c", "ASHRAE TC 9.9, derating with altitude")
def derated_inlet_c(max_inlet_c: float, altitude_m: float, derate_above_m: float, derate_m_per_c: float) -> float:
    """Return the highest allowed inlet temperature at an altitude, in °C."""
    if derate_m_per_c <= 0 or math.isinf(derate_m_per_c):
        return max_inlet_c
    return max_inlet_c - max(0.0, altitude_m - derate_above_m) / derate_m_per_c
