"""The pressure drop of a single-phase loop outside the CDU: rack, pipes and fittings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wattsweights_gui.engine.declare import Figure, calc, constant, equation, stated, unknown
from wattsweights_gui.engine.equations import fluids, hydraulics
from wattsweights_gui.engine.racked_system import GPUS_PER_NODE, facility_data, is_rack_scale, system_of

KPA_PER_PSI = 6.894757293168
EXPONENT = constant("drop_exponent", 1.88, "ratio", "Exponent of flow", "Lenovo LP2357, five points of a GB300 rack")
TRAY_DP = constant("tray_dp", 70.0, "kpa", "Drop of a tray of four GPUs", "Lenovo LP2048, SC777 V4 at 40 °C")
TRAY_FLOW = constant("tray_gpu_flow", 1.5, "l_min", "Its flow for each GPU", "Lenovo LP2048: 6.0 L/min for four GPUs")


@dataclass(frozen=True)
class LoopDrop:
    """Pressure drops in kPa, and the pipe that they were worked out for."""

    rack: Figure
    pipe: Figure
    fittings: Figure
    total: Figure
    pipe_id: Figure
    velocity: Figure


@equation("Δp_rack + Δp_pipes + Δp_fittings", "kpa", "one way through the loop: the farthest rack")
def loop_kpa(rack_kpa: float, pipe_kpa: float, fittings_kpa: float) -> float:
    """Return the pressure drop of a loop outside the CDU in kPa."""
    return rack_kpa + pipe_kpa + fittings_kpa


@equation("V_rack / n_GPU", "l_min", "cold plates of the GPUs in parallel")
def flow_each(flow_l_min: float, gpus: float) -> float:
    """Return the flow for each GPU in L/min."""
    return flow_l_min / gpus


@equation("min(V_loop, V_CDU)", "l_min", "one CDU's pipes carry no more than the CDU pumps")
def header_flow(loop_l_min: float, cdu_l_min: float) -> float:
    """Return the flow in the pipes of one CDU in L/min."""
    return min(loop_l_min, cdu_l_min)


def coolant_name(technology: Any) -> str:
    """Return the coolant as the fluid properties know it: a mixture by its share where one is stated."""
    name: str = technology.fluid
    return f"{name}{technology.glycol_pct:g}" if name in ("pg", "eg") else name


def rack_drop(up: Any, inputs: Any, flow: Figure) -> Figure:
    """Return the pressure drop of one rack: stated, scaled from a printed point, or from a tray of its kind."""
    if inputs.technology.rack_dp_kpa is not None:
        return inputs.fig("technology.rack_dp_kpa")  # type: ignore[no-any-return]
    if not flow.known:
        return unknown(flow.formula, "kpa", "Pressure drop of a rack")
    system = system_of(up)
    data = facility_data(up, system)
    if data is not None:
        points = [(p["flow_l_min"], p["dp_psi"]) for p in data.get("flow_points") or () if p.get("dp_psi")]
        if not points and data.get("node_dp_psi") and data.get("max_flow_l_min"):
            points = [(data.get("max_flow_l_min"), data.get("node_dp_psi"))]
        if points:
            known_flow, psi = min(points, key=lambda p: abs(p[0] - flow.number))
            path = f"catalog.{data.id}." + ("flow_points" if data.get("flow_points") else "node_dp_psi")
            source = data.sources.get("flow_points") or data.sources.get("", "")
            return calc(
                hydraulics.scaled_drop,
                title="Pressure drop of a rack",
                known_drop=Figure(psi * KPA_PER_PSI, "kpa", f"{data.name}: printed drop", path, source=source),
                known_flow=Figure(known_flow, "l_min", f"{data.name}: its flow", path, source=source),
                flow=flow,
                exponent=EXPONENT,
            )
    per_rack = 1.0 if is_rack_scale(system) else up.cluster.nodes_per_rack.value
    each = system.get("gpus") if system is not None else GPUS_PER_NODE.number
    if not per_rack or not each:
        return unknown("the GPUs of a rack are not known", "kpa", "Pressure drop of a rack")
    gpus = Figure(per_rack * each, "count", "GPUs of a rack", formula="systems a rack x GPUs a system")
    return calc(
        hydraulics.scaled_drop,
        title="Pressure drop of a rack (estimate)",
        known_drop=TRAY_DP,
        known_flow=TRAY_FLOW,
        flow=calc(flow_each, title="Flow for each GPU", flow_l_min=flow, gpus=gpus),
        exponent=EXPONENT,
    )


def loop_drop(up: Any, inputs: Any, rack_flow: Figure, loop_flow: Figure, cdu_flow: Figure) -> LoopDrop:
    """Return the drops of a loop at its planned flows."""
    technology = inputs.technology
    rack = rack_drop(up, inputs, rack_flow)
    flow = (
        calc(header_flow, title="Flow in the pipes", loop_l_min=loop_flow, cdu_l_min=cdu_flow)
        if cdu_flow.known
        else loop_flow
    )
    name = Figure(coolant_name(technology), "text", "Coolant", "cooling.technology.fluid")
    supply = inputs.fig("technology.supply_c")
    rho = calc(fluids.density, title="Density at the supply", fluid=name, t_c=supply)
    mu = calc(fluids.viscosity, title="Viscosity at the supply", fluid=name, t_c=supply)
    limit = inputs.fig("technology.velocity_limit_m_s")
    least = calc(hydraulics.diameter_at_velocity_mm, title="Diameter at the limit", flow_l_min=flow, velocity_m_s=limit)
    pipe_id = calc(hydraulics.pipe_id_mm, title="Pipe, inner diameter", diameter_mm=least)
    velocity = calc(hydraulics.velocity_m_s, title="Velocity", flow_l_min=flow, inner_diameter_mm=pipe_id)
    pipe = calc(
        hydraulics.pipe_drop_kpa,
        title="Pressure drop of the pipes",
        flow_l_min=flow,
        inner_diameter_mm=pipe_id,
        length_m=inputs.fig("technology.pipe_length_m"),
        roughness_mm=inputs.fig("technology.roughness_mm"),
        density_kg_m3=rho,
        viscosity_mpa_s=mu,
    )
    fittings = calc(
        hydraulics.fitting_drop_kpa,
        title="Pressure drop of the fittings",
        velocity_m_s=velocity,
        density_kg_m3=rho,
        loss_coefficients=inputs.fig("technology.fittings_zeta"),
    )
    total = (
        inputs.fig("technology.loop_dp_kpa")
        if technology.loop_dp_kpa is not None
        else calc(loop_kpa, title="Pressure drop of the loop", rack_kpa=rack, pipe_kpa=pipe, fittings_kpa=fittings)
    )
    return LoopDrop(rack, pipe, fittings, total, pipe_id, velocity)


def water_pipe(inputs: Any, flow: Figure) -> dict[str, Figure]:
    """Return the main of the facility water: size, velocity and pressure drop."""
    name = Figure("water", "text", "Facility water", formula="water")
    supply = inputs.fig("water_supply_c")
    least = calc(
        hydraulics.diameter_at_velocity_mm,
        title="Diameter at the limit",
        flow_l_min=flow,
        velocity_m_s=inputs.fig("water_velocity_m_s"),
    )
    pipe_id = calc(hydraulics.pipe_id_mm, title="Main, inner diameter", diameter_mm=least)
    velocity = calc(hydraulics.velocity_m_s, title="Velocity", flow_l_min=flow, inner_diameter_mm=pipe_id)
    size = (
        stated(hydraulics.pipe_for(least.number)[0], "text", formula="smallest steel pipe within the velocity limit",
               source=hydraulics.PIPE_SOURCE, diameter=least)
        if least.known
        else unknown(least.formula, "text")
    )  # fmt: skip
    return {
        "water_pipe": size,
        "water_velocity_m_s": velocity,
        "water_dp_kpa": calc(
            hydraulics.pipe_drop_kpa,
            flow_l_min=flow,
            inner_diameter_mm=pipe_id,
            length_m=inputs.fig("water_pipe_m"),
            roughness_mm=Figure(0.045, "mm", "Roughness", formula="commercial steel", source="Moody 1944"),
            density_kg_m3=calc(fluids.density, title="Density", fluid=name, t_c=supply),
            viscosity_mpa_s=calc(fluids.viscosity, title="Viscosity", fluid=name, t_c=supply),
        ),
    }
