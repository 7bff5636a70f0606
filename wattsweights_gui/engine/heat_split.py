"""A node's heat by component, split into liquid and air; the shares of the hall's racks that nothing liquid reaches."""

from __future__ import annotations

from typing import Any

from wattsweights_gui.engine.declare import Entry, Figure, LaterTable, calc, equation
from wattsweights_gui.engine.racked_system import (
    CPU_W,
    CPUS_PER_NODE,
    GPUS_PER_NODE,
    facility_data,
    is_rack_scale,
    own_liquid_pct,
    system_of,
)

_COLUMNS = ("component", "count", "each_w", "heat_kw", "liquid_pct", "liquid_kw", "air_kw")
_UNITS = ("text", "count", "w", "kw", "pct", "kw", "kw")


@equation(
    "(GPUs c_GPU + CPUs c_CPU + rest c_rest) / node",
    "pct",
    "each component's heat times the share its cold plates take",
)
def captured_pct(
    gpus: int,
    gpu_w: float,
    cpus: int,
    cpu_w: float,
    node_kw: float,
    gpu_capture_pct: float,
    cpu_capture_pct: float,
    rest_capture_pct: float,
) -> float:
    """Return the share of a node's heat that its cold plates take, in per cent."""
    if node_kw <= 0:
        return 0.0
    gpu, cpu = min(node_kw, gpus * gpu_w / 1e3), cpus * cpu_w / 1e3
    cpu = min(cpu, node_kw - gpu)
    rest = node_kw - gpu - cpu
    return min(100.0, (gpu * gpu_capture_pct + cpu * cpu_capture_pct + rest * rest_capture_pct) / node_kw)


def liquid_share(up: Any, inputs: Any, node: Figure) -> Figure:
    """Return the share of a node's heat that cold plates take: stated, catalogued, or built up from components."""
    technology = inputs.technology
    if technology.liquid_pct is not None:
        return inputs.fig("technology.liquid_pct")  # type: ignore[no-any-return]
    system = system_of(up)
    if is_catalogued(up, system):
        return own_liquid_pct(up, system, node)
    gpu = up.entry(up.inputs("compute").gpu)
    cap = up.inputs("compute").power_cap_w
    return calc(
        captured_pct,
        title="Heat of a node to liquid, by component (estimate)",
        gpus=system.fig("gpus", "count") if system else GPUS_PER_NODE,
        gpu_w=up.inputs("compute").fig("power_cap_w") if cap is not None else gpu.fig("tdp_w", "w", "TDP"),
        cpus=CPUS_PER_NODE,
        cpu_w=CPU_W,
        node_kw=node,
        gpu_capture_pct=inputs.fig("technology.gpu_capture_pct"),
        cpu_capture_pct=inputs.fig("technology.cpu_capture_pct"),
        rest_capture_pct=inputs.fig("technology.rest_capture_pct"),
    )


def is_catalogued(up: Any, system: Entry | None) -> bool:
    """Return whether the catalogue knows the split of a system."""
    data = facility_data(up, system)
    if data is not None and data.get("liquid_kw") and data.get("air_kw"):
        return True
    return system is not None and system.get("liquid_heat_fraction") is not None


def gpu_power_w(up: Any) -> float | None:
    """Return the power of one GPU in W: its cap, else its thermal design power."""
    cap = up.inputs("compute").power_cap_w
    value = cap if cap is not None else up.entry(up.inputs("compute").gpu).get("tdp_w")
    return None if value is None else float(value)


def _parts(up: Any, system: Entry | None, node_kw: float) -> list[tuple[str, int | None, float | None, float]]:
    """Return the components that carry cold plates: name, count, W of each, kW together."""
    gpus = int(system.get("gpus")) if system is not None else int(GPUS_PER_NODE.number)
    data = facility_data(up, system)
    gpu_w = gpu_power_w(up) or 0.0
    parts: list[tuple[str, int | None, float | None, float]] = [("GPUs", gpus, gpu_w, gpus * gpu_w / 1e3)]
    if is_rack_scale(system):
        if data is not None and data.get("compute_tray_kw") and data.get("compute_trays"):
            trays = data.get("compute_tray_kw") * data.get("compute_trays")
            left = max(0.0, trays - parts[0][3])
            parts.append(("CPUs and the rest of the compute trays", data.get("compute_trays"), None, left))
        if data is not None and data.get("switch_trays_kw"):
            parts.append(("NVLink switch trays", data.get("switch_trays"), None, data.get("switch_trays_kw")))
    else:
        cpus = int(CPUS_PER_NODE.number)
        parts.append(("CPUs", cpus, CPU_W.number, cpus * CPU_W.number / 1e3))
    kept, left = [], node_kw
    for name, count, each, heat in parts:
        heat = min(heat, left)
        left -= heat
        kept.append((name, count, each, heat))
    return kept


def split_rows(
    up: Any, node_kw: float, share_pct: float, captures: tuple[float, ...] | None
) -> tuple[tuple[Any, ...], ...]:
    """Return the components of one node with their heat to liquid and air; both columns add up to the node.

    ``captures`` are per cent of GPUs, CPUs and the rest where the share was built from them; else the stated or
    catalogued share is given to the parts with cold plates first, and what is more goes to the rest.
    """
    system = system_of(up)
    parts = _parts(up, system, node_kw)
    plates = sum(p[3] for p in parts)
    rest = node_kw - plates
    liquid = node_kw * share_pct / 100.0
    rows: list[tuple[Any, ...]] = []
    for at, (name, count, each, heat) in enumerate(parts):
        taken = heat * captures[at] / 100.0 if captures else heat * (min(1.0, liquid / plates) if plates else 0.0)
        rows.append((name, count, each, heat, 100.0 * taken / heat if heat else 0.0, taken, heat - taken))
    given = liquid - sum(r[5] for r in rows)
    rows.append(
        ("memory, NICs, drives, fans and PSU losses", None, None, rest, 100.0 * given / rest if rest > 1e-9 else 0.0,
         given, rest - given)
    )  # fmt: skip
    rows.append(("one system", 1, None, node_kw, share_pct, liquid, node_kw - liquid))
    return tuple(rows)


def split_table(up: Any, inputs: Any, share: Figure) -> LaterTable:
    """Return the table of one system's heat by component."""
    technology, node = inputs.technology, up.power.node_power_max_kw
    captures = None
    by_component = hasattr(technology, "gpu_capture_pct") and technology.liquid_pct is None
    if by_component and not is_catalogued(up, system_of(up)):
        captures = (technology.gpu_capture_pct, technology.cpu_capture_pct)

    def rows() -> tuple[tuple[Any, ...], ...]:
        if not node.known or not share.known or node.number <= 0:
            return ()
        return split_rows(up, node.number, share.number, captures)

    key = (up.inputs("compute"), up.inputs("cluster"), node.value, share.value, captures)
    return LaterTable(
        _COLUMNS,
        _UNITS,
        key,
        rows,
        "Heat of one system by component",
        share.source or "component powers of the catalogue",
    )
