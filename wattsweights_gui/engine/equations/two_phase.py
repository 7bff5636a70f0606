"""Two-phase direct-to-chip loops: mass flow from latent heat, vapour and liquid lines."""

from __future__ import annotations

import math

from wattsweights_gui.engine.declare import equation

DRY_OUT_QUALITY = 0.8
BALANCE = "energy balance of the evaporator"


@equation("x h_fg + Δh_sub", "kj_kg", BALANCE)
def heat_per_kg(exit_quality: float, latent_heat_kj_kg: float, subcooling_kj_kg: float) -> float:
    """Return the heat that each kg of refrigerant takes up, in kJ/kg."""
    return exit_quality * latent_heat_kj_kg + subcooling_kj_kg


@equation("m = Q / (x h_fg + Δh_sub)", "kg_s", BALANCE)
def mass_flow_kg_s(heat_kw: float, heat_per_kg_kj: float) -> float:
    """Return the mass flow that takes up a heat, in kg/s."""
    return heat_kw / heat_per_kg_kj


@equation("V = 60 000 m / ρ_l", "l_min", "liquid line, at the density of the feed")
def liquid_flow_l_min(mass_flow_kg_s: float, liquid_density_kg_m3: float) -> float:
    """Return the flow in the liquid line in L/min."""
    return 60_000.0 * mass_flow_kg_s / liquid_density_kg_m3


@equation("w = x m / (ρ_v A)", "m_s", "superficial velocity of the vapour")
def vapour_velocity_m_s(
    mass_flow_kg_s: float, exit_quality: float, vapour_density_kg_m3: float, inner_diameter_mm: float
) -> float:
    """Return the superficial vapour velocity in the return line, in m/s."""
    area = math.pi / 4.0 * (inner_diameter_mm / 1e3) ** 2
    return exit_quality * mass_flow_kg_s / (vapour_density_kg_m3 * area)


@equation("Q = ρ_v A w (x h_fg + Δh_sub) / x", "kw", "vapour line at its velocity limit")
def vapour_line_kw(
    velocity_m_s: float,
    inner_diameter_mm: float,
    vapour_density_kg_m3: float,
    exit_quality: float,
    heat_per_kg_kj: float,
) -> float:
    """Return the heat that a vapour line carries at a velocity, in kW."""
    area = math.pi / 4.0 * (inner_diameter_mm / 1e3) ** 2
    return vapour_density_kg_m3 * area * velocity_m_s * heat_per_kg_kj / exit_quality


@equation("Q = ρ_l A w (x h_fg + Δh_sub)", "kw", "liquid line at its velocity limit")
def liquid_line_kw(
    velocity_m_s: float, inner_diameter_mm: float, liquid_density_kg_m3: float, heat_per_kg_kj: float
) -> float:
    """Return the heat that a liquid line feeds at a velocity, in kW."""
    area = math.pi / 4.0 * (inner_diameter_mm / 1e3) ** 2
    return liquid_density_kg_m3 * area * velocity_m_s * heat_per_kg_kj


@equation("d = √(4 V̇ / (π w))", "mm", "continuity at the velocity limit")
def line_diameter_mm(mass_flow_kg_s: float, density_kg_m3: float, velocity_m_s: float) -> float:
    """Return the inner diameter at which one phase flows at a velocity, in mm."""
    return 1e3 * math.sqrt(4.0 * mass_flow_kg_s / (density_kg_m3 * math.pi * velocity_m_s))


@equation("x m", "kg_s", "what leaves the cold plates as vapour")
def vapour_flow_kg_s(mass_flow_kg_s: float, exit_quality: float) -> float:
    """Return the mass flow of vapour behind the cold plates, in kg/s."""
    return mass_flow_kg_s * exit_quality


@equation("w = m / (ρ_l A)", "m_s", "continuity, liquid line full")
def liquid_velocity_m_s(mass_flow_kg_s: float, liquid_density_kg_m3: float, inner_diameter_mm: float) -> float:
    """Return the velocity in the liquid line, in m/s."""
    return mass_flow_kg_s / (liquid_density_kg_m3 * math.pi / 4.0 * (inner_diameter_mm / 1e3) ** 2)


@equation(
    "Δp = f L/d ρ_v w²/2", "kpa",
    "Darcy-Weisbach with f = 0.02, a rough turbulent vapour line; liquid carried along is left out (estimate)",
)  # fmt: skip
def vapour_drop_kpa(velocity_m_s: float, vapour_density_kg_m3: float, length_m: float, diameter_mm: float) -> float:
    """Return an estimate of the pressure drop of a vapour line, in kPa."""
    return 0.02 * length_m / (diameter_mm / 1e3) * vapour_density_kg_m3 * velocity_m_s**2 / 2.0 / 1e3


@equation("ΔT_sat = Δp T (1/ρ_v - 1/ρ_l) / h_fg", "k", "Clausius-Clapeyron")
def saturation_shift_k(
    drop_kpa: float,
    saturation_c: float,
    vapour_density_kg_m3: float,
    liquid_density_kg_m3: float,
    latent_heat_kj_kg: float,
) -> float:
    """Return by how much a pressure drop lowers the saturation temperature at the condenser, in K."""
    volume = 1.0 / vapour_density_kg_m3 - 1.0 / liquid_density_kg_m3
    return drop_kpa * (saturation_c + 273.15) * volume / latent_heat_kj_kg


@equation(
    "(V_l + V_plates / 2) ρ_l + V_v ρ_v + receiver", "kg", "volumes of lines and plates; plates half full of liquid"
)
def charge_kg(
    line_m: float,
    liquid_id_mm: float,
    vapour_id_mm: float,
    liquid_density_kg_m3: float,
    vapour_density_kg_m3: float,
    plates_l: float,
    receiver_kg: float,
) -> float:
    """Return the refrigerant in one rack's lines, plates and its share of the receiver, in kg."""
    liquid = math.pi / 4.0 * (liquid_id_mm / 1e3) ** 2 * line_m + plates_l / 2e3
    vapour = math.pi / 4.0 * (vapour_id_mm / 1e3) ** 2 * line_m
    return liquid * liquid_density_kg_m3 + vapour * vapour_density_kg_m3 + receiver_kg


@equation("m GWP / 1000", "t_co2", "if all of it were lost; IPCC GWP over 100 years")
def charge_t_co2(charge_kg: float, gwp: float) -> float:
    """Return the CO2 equivalent of a charge in tonnes."""
    return charge_kg * gwp / 1000.0


@equation("1 / x", "ratio", "liquid fed for each kg that evaporates")
def circulation_ratio(exit_quality: float) -> float:
    """Return the circulation ratio of a pumped loop."""
    return 1.0 / exit_quality


PRESSURE_CLASSES_BAR = (6.0, 10.0, 16.0, 25.0, 40.0, 63.0, 100.0)


@equation("smallest PN class that is not below the gauge pressure", "bar", "EN 1333, PN series")
def pressure_class_bar(absolute_bar: float) -> float:
    """Return the nominal pressure (PN) that holds an absolute pressure, in bar gauge; the largest class at most."""
    gauge = absolute_bar - 1.01325
    return next((pn for pn in PRESSURE_CLASSES_BAR if pn >= gauge - 1e-9), PRESSURE_CLASSES_BAR[-1])
