"""What one rack can reject, by technology, and the stage that limits it."""

from __future__ import annotations

import math
from typing import Any

from wattsweights_gui.engine.cooling_hydraulics import coolant_name
from wattsweights_gui.engine.declare import Entry, Figure, Table, calc, equation, stated, unknown
from wattsweights_gui.engine.equations import air, fluids, heat_exchanger, hydraulics, two_phase
from wattsweights_gui.engine.heat_path import HeatPath, boiling_properties, coolant_properties, door_capacity
from wattsweights_gui.engine.heat_split import gpu_power_w
from wattsweights_gui.engine.racked_system import facility_data, system_of

Stage = tuple[str, Figure]


@equation("Q_limit / share", "kw", "a stage that takes a share of the rack's heat")
def rack_kw(limit_kw: float, share_pct: float) -> float:
    """Return the rack heat at which a stage is full; infinite where it takes nothing of it."""
    return limit_kw * 100.0 / share_pct if share_pct > 0 else math.inf


@equation("Q_limit / (1 - share)", "kw", "the room's air takes what liquid does not")
def rack_kw_by_air(limit_kw: float, share_pct: float) -> float:
    """Return the rack heat at which the air remainder is full; infinite where liquid takes everything."""
    return limit_kw / (1.0 - share_pct / 100.0) if share_pct < 100 else math.inf


@equation("(installed - spare) min(Q_cdu, V_cdu) / racks", "kw", "CDUs that are there, shared by the racks")
def cdu_share_kw(installed: int, spare: int, capacity_kw: float, heat_by_flow_kw: float, racks: float) -> float:
    """Return the liquid heat that each rack's share of the installed CDUs takes, in kW."""
    return max(0, installed - spare) * min(capacity_kw, heat_by_flow_kw) / racks if racks > 0 else math.inf


@equation("Q_rack P_limit / P_GPU", "kw", "the GPU's temperature limit, all heat of the rack in proportion")
def rack_kw_by_chip(rack_kw: float, limit_w: float, gpu_w: float) -> float:
    """Return the rack heat at which its GPUs reach their temperature limit, in kW."""
    return rack_kw * limit_w / gpu_w if gpu_w > 0 else math.inf


@equation("Q_rack V_limit / V_needed", "kw", "a rack's share of the facility water, in proportion to its heat")
def rack_kw_by_water(rack_kw: float, limit_l_min: float, needed_l_min: float) -> float:
    """Return the rack heat at which the facility water is used up, in kW."""
    return rack_kw * limit_l_min / needed_l_min if needed_l_min > 0 else math.inf


def rack_limit(inputs: Any, up: Any, path: HeatPath, water: Figure | None = None) -> tuple[Figure, Figure, Table]:
    """Return the heat that a rack can reject, the stage that limits it, and all stages.

    Facility water is the hall's limit with a need of its own, so it is shown among the stages and not counted twice.
    """
    stages = rack_stages(inputs, up, path, water)
    limit, by, _ = smallest([s for s in stages if s[0] != "facility water"])
    return limit, by, smallest(stages)[2]


def rack_stages(inputs: Any, up: Any, path: HeatPath, water: Figure | None = None) -> list[Stage]:
    """Return every stage on the way of a rack's heat, with the rack heat at which it is full."""
    kind = inputs.technology.kind
    stages: list[Stage] = []
    if kind == "air":
        stages.append(("room air", inputs.fig("technology.rack_limit_kw")))
        if inputs.technology.rack_airflow_m3_s is not None:
            stages.append(("airflow", _airflow(inputs)))
    elif kind == "rear_door":
        stages.append(("rear door", door_capacity(up, inputs.technology.door)))
    else:
        liquid = {"single_phase": _single_phase, "two_phase": _two_phase, "immersion": _immersion}[kind](inputs, up)
        liquid += _cdu_share(inputs, up, path)
        stages += [(name, calc(rack_kw, title=name, limit_kw=f, share_pct=path.liquid_pct)) for name, f in liquid]
        if kind != "immersion":
            stages += _cold_plate(inputs, up)
        remainder, name = inputs.fig("technology.air_remainder_limit_kw"), "air remainder"
        if getattr(inputs.technology, "remainder_to", "room") == "rear_door":
            remainder, name = door_capacity(up, inputs.technology.door), "air remainder (rear door)"
        stages.append((name, calc(rack_kw_by_air, title=name, limit_kw=remainder, share_pct=path.liquid_pct)))
    if inputs.water_limit_l_min is not None and water is not None and water.known:
        stages.append(
            (
                "facility water",
                calc(
                    rack_kw_by_water,
                    title="facility water",
                    rack_kw=up.power.rack_power_kw,
                    limit_l_min=inputs.fig("water_limit_l_min"),
                    needed_l_min=water,
                ),
            )
        )
    if inputs.rack_reject_limit_kw is not None:
        stages.append(("facility limit", inputs.fig("rack_reject_limit_kw")))
    return stages


def _airflow(inputs: Any) -> Figure:
    rho = calc(
        air.air_density,
        title="Density of the inlet air",
        inlet_c=inputs.fig("technology.inlet_c"),
        altitude_m=inputs.fig("altitude_m"),
    )
    return calc(
        air.air_heat_kw,
        title="Heat of the rack's airflow",
        airflow_m3_s=inputs.fig("technology.rack_airflow_m3_s"),
        density_kg_m3=rho,
        rise_k=inputs.fig("air_rise_k"),
    )


def _cold_plate(inputs: Any, up: Any) -> list[Stage]:
    watts, technology = gpu_power_w(up), inputs.technology
    if watts is None:
        return []
    coolant = inputs.fig("technology.saturation_c" if technology.kind == "two_phase" else "technology.supply_c")
    most = calc(
        heat_exchanger.chip_power_at_limit_w,
        title="GPU power at its temperature limit",
        limit_c=inputs.fig("technology.gpu_limit_c"),
        coolant_c=coolant,
        resistance_k_w=inputs.fig("technology.resistance_k_w"),
    )
    plate = calc(
        rack_kw_by_chip,
        title="cold plate",
        rack_kw=up.power.rack_power_kw,
        limit_w=most,
        gpu_w=Figure(watts, "w", "Power of one GPU", formula="power cap, else thermal design power"),
    )
    return [("cold plate", plate)]


def _immersion(inputs: Any, up: Any) -> list[Stage]:
    technology = inputs.technology
    stages: list[Stage] = [("tank", inputs.fig("technology.tank_kw"))]
    if technology.tank_flow_l_min is not None:
        stages.append(
            (
                "tank flow",
                calc(
                    hydraulics.heat_kw,
                    title="Heat at the tank's flow",
                    flow_l_min=inputs.fig("technology.tank_flow_l_min"),
                    density_kg_m3=inputs.fig("technology.fluid_density_kg_m3"),
                    cp_kj_kg_k=inputs.fig("technology.fluid_cp_kj_kg_k"),
                    rise_k=inputs.fig("technology.rise_k"),
                ),
            )
        )
    return stages


def smallest(stages: list[Stage]) -> tuple[Figure, Figure, Table]:
    table = Table(
        ("stage", "rack_kw"),
        ("text", "kw"),
        tuple((name, None if f.value is None or math.isinf(f.number) else f.number) for name, f in stages),
        "What a rack can reject, by stage",
    )
    finite = [(name, f) for name, f in stages if f.value is not None and not math.isinf(f.number)]
    if not finite:
        reason = next((f.formula for _, f in stages if f.value is None), "no stage states a limit")
        return unknown(reason, "kw", "A rack can reject"), unknown(reason, "text"), table
    name, least = min(finite, key=lambda s: s[1].number)
    limit = Figure(
        least.number,
        "kw",
        "A rack can reject",
        formula=f"the smallest of its stages: {name}",
        operands=tuple(stages),
        source=least.source,
    )
    return limit, stated(name, "text", "Limited by", formula="the stage with the smallest limit", limit=least), table


def flow_limit(inputs: Any, up: Any) -> Figure:
    """Return the coolant flow that one rack's manifold takes, in L/min."""
    technology = inputs.technology
    if technology.rack_flow_limit_l_min is not None:
        return inputs.fig("technology.rack_flow_limit_l_min")  # type: ignore[no-any-return]
    data = facility_data(up, system_of(up))
    if data is not None and data.get("max_flow_l_min") is not None:
        return data.fig("max_flow_l_min", "l_min", "largest flow")
    if data is not None and data.get("flow_points"):
        return _largest_point(data)
    return calc(
        hydraulics.flow_at_velocity,
        title="Flow of the manifold at its velocity limit",
        velocity_m_s=inputs.fig("technology.velocity_limit_m_s"),
        inner_diameter_mm=inputs.fig("technology.manifold_id_mm"),
    )


def _largest_point(data: Entry) -> Figure:
    flow = max(p["flow_l_min"] for p in data.get("flow_points"))
    return Figure(
        flow,
        "l_min",
        f"{data.name}: largest printed flow",
        f"catalog.{data.id}.flow_points",
        source=data.sources.get("flow_points") or data.sources.get("", ""),
    )


def return_limit_c(up: Any) -> float | None:
    """Return the warmest coolant that may leave the system's rack, in °C, where its makers say so."""
    data = facility_data(up, system_of(up))
    if data is None:
        return None
    value = data.get("max_return_c") or data.get("implied_return_c")
    return None if value is None else float(value)


def _single_phase(inputs: Any, up: Any) -> list[Stage]:
    technology = inputs.technology
    if technology.rack_limit_kw is not None:
        return [("manifold (stated)", inputs.fig("technology.rack_limit_kw"))]
    flow = flow_limit(inputs, up)
    rho, cp = coolant_properties(coolant_name(technology), technology.supply_c, technology.rise_k)
    stages: list[Stage] = [
        (
            "manifold flow",
            calc(
                hydraulics.heat_kw,
                title="Heat at the manifold's flow",
                flow_l_min=flow,
                density_kg_m3=rho,
                cp_kj_kg_k=cp,
                rise_k=inputs.fig("technology.rise_k"),
            ),
        )
    ]
    back = return_limit_c(up)
    if back is not None and technology.supply_c + technology.rise_k > back:
        left = Figure(
            max(0.0, back - technology.supply_c),
            "k",
            "Rise that the return limit leaves",
            formula="return limit less supply",
            operands=(
                ("supply", inputs.fig("technology.supply_c")),
                ("return_limit", Figure(back, "c", "Return limit")),
            ),
        )
        stages.append(
            (
                "coolant return limit",
                calc(
                    hydraulics.heat_kw,
                    title="Heat at the return limit",
                    flow_l_min=flow,
                    density_kg_m3=rho,
                    cp_kj_kg_k=cp,
                    rise_k=left,
                ),
            )
        )
    return stages


def _two_phase(inputs: Any, up: Any) -> list[Stage]:
    technology = inputs.technology
    if technology.rack_limit_kw is not None:
        return [("lines (stated)", inputs.fig("technology.rack_limit_kw"))]
    per_kg, _ = boiling_properties(
        technology.fluid, technology.saturation_c, technology.exit_quality, technology.subcooling_k
    )
    vapour = calc(
        fluids.vapour_density,
        title="Vapour density",
        fluid=inputs.fig("technology.fluid"),
        t_c=inputs.fig("technology.saturation_c"),
    )
    line = calc(
        two_phase.vapour_line_kw,
        title="Heat at the vapour line's velocity limit",
        velocity_m_s=inputs.fig("technology.vapour_velocity_limit_m_s"),
        inner_diameter_mm=inputs.fig("technology.vapour_line_id_mm"),
        vapour_density_kg_m3=vapour,
        exit_quality=inputs.fig("technology.exit_quality"),
        heat_per_kg_kj=per_kg,
    )
    feed = calc(
        fluids.liquid_density,
        title="Liquid density",
        fluid=inputs.fig("technology.fluid"),
        t_c=inputs.fig("technology.saturation_c"),
    )
    liquid = calc(
        two_phase.liquid_line_kw,
        title="Heat at the liquid line's velocity limit",
        velocity_m_s=inputs.fig("technology.liquid_velocity_limit_m_s"),
        inner_diameter_mm=inputs.fig("technology.liquid_line_id_mm"),
        liquid_density_kg_m3=feed,
        heat_per_kg_kj=per_kg,
    )
    stages: list[Stage] = [("vapour line", line), ("liquid line", liquid)]
    if technology.exit_quality > technology.dry_out_quality:
        # a plate cannot be fed so little: it carries what it carries wet
        wet = Figure(0.0, "kw", "Heat without dry-out", formula="the exit quality planned is above the dry-out quality")
        stages.append(("dry-out", wet))
    return stages


def _cdu_share(inputs: Any, up: Any, path: HeatPath) -> list[Stage]:
    if inputs.cdus_installed is None or path.cdu is None:
        return []
    technology = inputs.technology
    by_flow: Figure = Figure(math.inf, "kw", "Heat at the CDU's flow", formula="no flow limit printed")
    if technology.kind == "single_phase" and path.cdu.flow_l_min.known:
        rho, cp = coolant_properties(coolant_name(technology), technology.supply_c, technology.rise_k)
        by_flow = calc(
            hydraulics.heat_kw,
            title="Heat at the CDU's flow",
            flow_l_min=path.cdu.flow_l_min,
            density_kg_m3=rho,
            cp_kj_kg_k=cp,
            rise_k=inputs.fig("technology.rise_k"),
        )
    share = calc(
        cdu_share_kw,
        title="Share of the installed CDUs",
        installed=inputs.fig("cdus_installed"),
        spare=inputs.fig("technology.spare_cdus"),
        capacity_kw=path.cdu_capacity_kw,
        heat_by_flow_kw=by_flow,
        racks=up.cluster.compute_racks,
    )
    return [("CDU share", share)]
