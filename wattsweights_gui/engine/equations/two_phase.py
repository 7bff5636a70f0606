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
