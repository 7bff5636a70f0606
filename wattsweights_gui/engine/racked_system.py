"""The system that fills the compute racks: what the two catalogues know of it, what a node draws, what liquid takes."""

from __future__ import annotations

import dataclasses
import statistics
from functools import lru_cache
from typing import Any

from wattsweights_gui.engine.declare import Entry, Figure, calc, constant, stated, unknown
from wattsweights_gui.engine.equations import electrical, heat_rejection
from wattsweights_gui.engine.equations.systems import system_for

CPUS_PER_NODE = constant("cpus_per_node", 2, "count", "CPUs of an 8-GPU node", "dual-socket servers, such as DGX H100")
CPU_W = constant(
    "cpu_w",
    350.0,
    "w",
    "Power of one CPU",
    "assumption: Intel Xeon Platinum 8480C of DGX H100, 350 W; confirm it with the server's data sheet",
)
GPUS_PER_NODE = constant("gpus_per_node", 8, "count", "GPUs of a generic node", "HGX baseboards carry 8")


def system_of(up: Any) -> Entry | None:
    """Return the catalogue entry of the plan's system: what cluster chose; ``None`` where no server carries the GPU."""
    named = up.cluster.system.value
    if named is not None:
        return _named(up.catalog, named)
    return system_for(up.entry(up.inputs("compute").gpu), up.catalog, up.inputs("cluster").system)


@lru_cache(maxsize=128)
def _named(catalog: Any, name: str) -> Entry | None:
    return next((e for e in catalog.of_kind("system") if name in (e.id, e.name)), None)


def facility_data(up: Any, system: Entry | None) -> Entry | None:
    """Return what the facility catalogue adds to a system (heat split, flow limits, printed heat), or ``None``."""
    return _facility_entry(up.catalog, system.id) if system else None


@lru_cache(maxsize=128)
def _facility_entry(catalog: Any, system_id: str) -> Entry | None:
    entries = (*catalog.of_kind("rack"), *catalog.of_kind("node"))
    return next((e for e in entries if system_id in (e.get("systems") or ())), None)


def is_rack_scale(system: Entry | None) -> bool:
    """Return whether the system is a whole rack."""
    return bool(system and system.get("compute_trays"))


def node_max_kw(up: Any, system: Entry | None) -> Figure:
    """Return the maximum draw of one system: its nameplate, less what a power cap saves."""
    node = nameplate_kw(up, system)
    tdp = up.entry(up.inputs("compute").gpu).fig("tdp_w", "w", "thermal design power")
    if up.inputs("compute").power_cap_w is None or not tdp.known:
        return node
    return calc(
        electrical.capped_node_kw,
        title="Node under the power cap",
        node_kw=node,
        gpus=gpus_of(system),
        tdp_w=tdp,
        gpu_power_w=up.inputs("compute").fig("power_cap_w"),
    )


def gpus_of(system: Entry | None) -> Figure:
    """Return the GPUs of one system."""
    return system.fig("gpus", "count") if system else GPUS_PER_NODE


def nameplate_kw(up: Any, system: Entry | None) -> Figure:
    """Return the maximum draw of one system without a power cap: catalogued, or built up from its GPUs."""
    gpu = up.entry(up.inputs("compute").gpu)
    tdp = gpu.fig("tdp_w", "w", "thermal design power")
    if system is not None and system.get("power_max_kw") is not None:
        node = system.fig("power_max_kw", "kw", "maximum draw")
    else:
        share = gpu_share_pct(up.catalog, is_rack_scale(system))
        node = calc(
            electrical.node_build_up_kw,
            title="Node built up from its GPUs (estimate)",
            gpus=gpus_of(system),
            tdp_w=tdp,
            gpu_share_pct=share,
        )
        if node.known and share.low and share.high:
            node = dataclasses.replace(
                node, low=node.number * share.number / share.high, high=node.number * share.number / share.low
            )
    return node


@lru_cache(maxsize=8)
def gpu_share_pct(catalog: Any, rack_scale: bool) -> Figure:
    """Return the share that GPUs have of a system's maximum draw: the median of the catalogue's systems."""
    tdp = {e.id: e.get("tdp_w") for e in catalog.of_kind("gpu")}
    shares = [
        100.0 * e.get("gpus") * tdp[e.get("gpu")] / 1e3 / e.get("power_max_kw")
        for e in catalog.of_kind("system")
        if e.get("power_max_kw") and tdp.get(e.get("gpu")) and is_rack_scale(e) == rack_scale
    ]
    kind = "rack-scale systems" if rack_scale else "air-cooled nodes"
    if not shares:
        return unknown(f"the catalogue has no {kind} with known power", "pct", "Share of the GPUs")
    return stated(
        statistics.median(shares),
        "pct",
        "Share of the GPUs in a node's draw",
        formula=f"median of GPUs x TDP over maximum draw of the catalogue's {len(shares)} {kind}",
        source="the catalogue's systems; an estimate for any other",
        low=min(shares),
        high=max(shares),
    )


def own_liquid_pct(up: Any, system: Entry | None, node: Figure) -> Figure:
    """Return the share of a system's heat that its cold plates take.

    Catalogued for liquid-cooled systems; for an air-cooled one that gets cold plates, the share of its GPUs and CPUs.
    """
    data = facility_data(up, system)
    if data is not None and data.get("liquid_kw") and data.get("air_kw"):
        return _catalogued_share(up.catalog, data.id)
    if system is not None and system.get("liquid_heat_fraction") is not None:
        share = system.fig("liquid_heat_fraction", "ratio", "share of heat to liquid")
        named = (data.get("liquid_capture_pct") or {}) if data is not None else {}
        return stated(
            100.0 * share.number,
            "pct",
            "Heat to liquid",
            formula="catalogued share of the system",
            source=share.source,
            low=min(named.values(), default=None),
            high=max(named.values(), default=None),
            share=share,
        )
    gpu = up.entry(up.inputs("compute").gpu)
    cap = up.inputs("compute").power_cap_w
    power = up.inputs("compute").fig("power_cap_w") if cap is not None else gpu.fig("tdp_w", "w")
    return calc(
        heat_rejection.component_share_pct,
        title="Heat of GPUs and CPUs (estimate)",
        gpus=system.fig("gpus", "count") if system else GPUS_PER_NODE,
        gpu_w=power,
        cpus=CPUS_PER_NODE,
        cpu_w=CPU_W,
        node_kw=node,
    )


@lru_cache(maxsize=32)
def _catalogued_share(catalog: Any, id: str) -> Figure:
    entry: Entry = catalog.entry(id)
    liquid, air = entry.fig("liquid_kw", "kw", "heat to liquid"), entry.fig("air_kw", "kw", "heat to air")
    whole = stated(
        liquid.number + air.number, "kw", f"{entry.name}: heat", formula="liquid + air", liquid=liquid, air=air
    )
    return calc(heat_rejection.liquid_share_pct, title="Heat to liquid", liquid_kw=liquid, rack_kw=whole)
