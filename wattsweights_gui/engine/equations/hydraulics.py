"""Flow in pipes: heat and flow, velocity, pressure drop, pumps."""

from __future__ import annotations

import math

from wattsweights_gui.engine.declare import equation
from wattsweights_gui.engine.equations import fluids

L_PER_US_GALLON = 3.785411784
BALANCE = "energy balance: density at the supply, cp at the mean temperature"


@equation("V = 60 000 Q / (ρ cp ΔT)", "l_min", BALANCE)
def flow_l_min(heat_kw: float, density_kg_m3: float, cp_kj_kg_k: float, rise_k: float) -> float:
    """Return the flow that carries a heat with a temperature rise, in L/min; kW, kg/m³, kJ/(kg·K), K."""
    return 60_000.0 * heat_kw / (density_kg_m3 * cp_kj_kg_k * rise_k)


@equation("Q = ρ cp V ΔT / 60 000", "kw", BALANCE)
def heat_kw(flow_l_min: float, density_kg_m3: float, cp_kj_kg_k: float, rise_k: float) -> float:
    """Return the heat that a flow carries, in kW."""
    return flow_l_min * density_kg_m3 * cp_kj_kg_k * rise_k / 60_000.0


@equation("V = Q v", "l_min", "flow per kW of a specification")
def flow_by_kw(heat_kw: float, l_min_per_kw: float) -> float:
    """Return the flow by a specified L/min for each kW."""
    return heat_kw * l_min_per_kw


def rise_k(fluid: str, heat_kw: float, flow_l_min: float, supply_c: float) -> float:
    """Return the temperature rise of a flow, with cp at the mean temperature (fixed point, 1e-12 K).

    Raises:
        fluids.UnknownFluid: no properties.
    """
    mass: float = fluids.density(fluid, supply_c) * flow_l_min / 60_000.0
    rise: float = heat_kw / (mass * fluids.specific_heat(fluid, supply_c))
    for _ in range(50):
        better = heat_kw / (mass * fluids.specific_heat(fluid, supply_c + rise / 2.0))
        if abs(better - rise) < 1e-12:
            break
        rise = better
    return rise


@equation("w = V / A", "m_s", "continuity")
def velocity_m_s(flow_l_min: float, inner_diameter_mm: float) -> float:
    """Return the mean velocity in a round pipe, in m/s."""
    return flow_l_min / 60_000.0 / (math.pi / 4.0 * (inner_diameter_mm / 1e3) ** 2)


@equation("V = w A", "l_min", "continuity at the velocity limit")
def flow_at_velocity(velocity_m_s: float, inner_diameter_mm: float) -> float:
    """Return the flow of a round pipe at a velocity, in L/min."""
    return velocity_m_s * math.pi / 4.0 * (inner_diameter_mm / 1e3) ** 2 * 60_000.0


def friction_factor(reynolds: float, relative_roughness: float) -> float:
    """Return the Darcy friction factor: 64/Re below 2,040, else Colebrook-White solved by Newton from Serghides' start.

    Source: C. F. Colebrook 1939; T. K. Serghides 1984. Between 2,040 and 4,000 the flow is in transition and the
    turbulent value, the larger one, is given.
    """
    if reynolds <= 0:
        return 0.0
    if reynolds < 2040.0:
        return 64.0 / reynolds
    a = -2.0 * math.log10(relative_roughness / 3.7 + 12.0 / reynolds)
    b = -2.0 * math.log10(relative_roughness / 3.7 + 2.51 * a / reynolds)
    x = b  # 1/√f
    for _ in range(30):
        inside = relative_roughness / 3.7 + 2.51 * x / reynolds
        value = x + 2.0 * math.log10(inside)
        slope = 1.0 + 2.0 * 2.51 / (reynolds * inside * math.log(10.0))
        step = value / slope
        x -= step
        if abs(step) < 1e-13:
            break
    return 1.0 / (x * x)


def reynolds(velocity_m_s: float, inner_diameter_mm: float, density_kg_m3: float, viscosity_mpa_s: float) -> float:
    """Return the Reynolds number of a round pipe."""
    return density_kg_m3 * velocity_m_s * inner_diameter_mm / viscosity_mpa_s


@equation("Δp = f (L/d) ρ w²/2", "kpa", "Darcy-Weisbach, Colebrook-White friction factor")
def pipe_drop_kpa(
    flow_l_min: float,
    inner_diameter_mm: float,
    length_m: float,
    roughness_mm: float,
    density_kg_m3: float,
    viscosity_mpa_s: float,
) -> float:
    """Return the pressure drop of a straight round pipe in kPa."""
    speed = float(velocity_m_s(flow_l_min, inner_diameter_mm))
    factor = friction_factor(
        reynolds(speed, inner_diameter_mm, density_kg_m3, viscosity_mpa_s), roughness_mm / inner_diameter_mm
    )
    metres = inner_diameter_mm / 1e3
    return factor * length_m / metres * density_kg_m3 * speed * speed / 2.0 / 1e3


@equation("Δp = Δp₀ (V/V₀)^n", "kpa", "scaling from one known point; Lenovo LP2357: n = 1.88 within 1.8 %")
def scaled_drop(known_drop: float, known_flow: float, flow: float, exponent: float) -> float:
    """Return a pressure drop scaled from a known point; unit of the known drop."""
    return known_drop * math.pow(flow / known_flow, exponent)


@equation("P = V Δp / 60", "w", "hydraulic power; L/min and kPa give W")
def hydraulic_w(flow_l_min: float, dp_kpa: float) -> float:
    """Return hydraulic power in W."""
    return flow_l_min * dp_kpa / 60.0


@equation("P = V Δp / (60 000 η)", "kw", "pump and motor efficiency together")
def pump_kw(flow_l_min: float, dp_kpa: float, efficiency: float) -> float:
    """Return electrical pump power in kW."""
    return flow_l_min * dp_kpa / 60_000.0 / efficiency


@equation("η = V Δp / P", "pct", "wire to water, external head only")
def wire_to_water_pct(flow_l_min: float, dp_kpa: float, electric_kw: float) -> float:
    """Return the efficiency from plug to external head in per cent."""
    return 100.0 * flow_l_min * dp_kpa / 60_000.0 / electric_kw


@equation("P ∝ n³", "ratio", "affinity laws, without static head")
def pump_power_ratio(flow_ratio: float) -> float:
    """Return pump power as a ratio, for a ratio of flow."""
    return flow_ratio**3


@equation("Δp = ζ ρ w²/2", "kpa", "sum of loss coefficients of bends, valves, couplings and strainers")
def fitting_drop_kpa(velocity_m_s: float, density_kg_m3: float, loss_coefficients: float) -> float:
    """Return the pressure drop of fittings in kPa."""
    return loss_coefficients * density_kg_m3 * velocity_m_s * velocity_m_s / 2.0 / 1e3


@equation("d = √(4 V / (π w))", "mm", "continuity at the velocity limit")
def diameter_at_velocity_mm(flow_l_min: float, velocity_m_s: float) -> float:
    """Return the inner diameter at which a flow has a velocity, in mm."""
    return 1e3 * math.sqrt(4.0 * flow_l_min / 60_000.0 / (math.pi * velocity_m_s))


# nominal size -> inner diameter in mm of schedule 40 (standard weight from DN300 up) steel pipe
STEEL_PIPES = (
    ("DN15", 15.8), ("DN20", 20.9), ("DN25", 26.6), ("DN32", 35.1), ("DN40", 40.9), ("DN50", 52.5), ("DN65", 62.7),
    ("DN80", 77.9), ("DN100", 102.3), ("DN125", 128.2), ("DN150", 154.1), ("DN200", 202.7), ("DN250", 254.5),
    ("DN300", 304.8), ("DN350", 336.6), ("DN400", 387.4), ("DN450", 438.2), ("DN500", 489.0), ("DN600", 590.6),
    ("DN750", 742.9), ("DN900", 895.4),
)  # fmt: skip
PIPE_SOURCE = (
    "ASME B36.10M, schedule 40 to DN250, standard weight above; confirm inner diameters with the pipe supplier"
)


def pipe_for(diameter_mm: float) -> tuple[str, float]:
    """Return the smallest steel pipe of at least an inner diameter: its nominal size and inner diameter in mm."""
    return next((p for p in STEEL_PIPES if p[1] >= diameter_mm - 1e-9), STEEL_PIPES[-1])


@equation("smallest listed pipe whose velocity is not above the limit", "mm", PIPE_SOURCE)
def pipe_id_mm(diameter_mm: float) -> float:
    """Return the inner diameter of that pipe in mm; the largest listed where none is wide enough."""
    return pipe_for(diameter_mm)[1]
