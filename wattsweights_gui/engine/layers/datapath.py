"""Data path: the way of a byte from storage to the GPU"""

from __future__ import annotations

import math
from typing import Any, Literal

from wattsweights_gui.engine import units
from wattsweights_gui.engine.declare import (
    Figure,
    Finding,
    LayerInputs,
    LayerResult,
    Sized,
    Table,
    calc,
    result,
    results,
    setting,
    stated,
    unknown,
)
from wattsweights_gui.engine.equations import datapath as equations
from wattsweights_gui.engine.equations import storage as storage_equations
from wattsweights_gui.engine.host_links import (
    gpus_per_host,
    pcie_gb_s,
    pcie_generation,
    plan_system,
    storage_gb_s_per_gpu,
)

PATHS = {
    "gds": "datapath_gds",
    "direct_io": "datapath_bounce_direct_io",
    "page_cache": "datapath_bounce_page_cache",
    "pageable": "datapath_bounce_pageable",
}
WORDS = {
    "storage": "storage",
    "adapters": "storage adapters",
    "pcie": "PCIe link of the GPU",
    "memory": "host memory",
    "copies": "CPU copies",
}
LINE_RATE_MARGIN = 1.02

NAME = "datapath"
TITLE = "Data path"
ABOUT = "the way of a byte from storage to the GPU"


class Inputs(LayerInputs):
    """Which way the bytes go."""

    path: Literal["gds", "direct_io", "page_cache", "pageable"] = setting(
        "gds",
        title="Path",
        help="GPUDirect Storage, or through a buffer in host memory.",
        source="DGX SuperPOD",
        choices={
            "gds": "GPUDirect Storage",
            "direct_io": "Bounce, direct I/O, pinned",
            "page_cache": "Bounce, page cache, pinned",
            "pageable": "Bounce, page cache, pageable",
        },
    )
    pcie_generation: int | None = setting(
        None, title="PCIe generation", help="Of the GPU's and the NIC's slots.", hard=(3, 7), when_none="the GPU's own"
    )
    host_memory_gb_s: float = setting(
        500.0,
        title="Host memory bandwidth",
        unit="gb_s",
        help="Of one node, both sockets.",
        source="two sockets of 8 DDR5-4800 channels, 614 GB/s, at 0.8",
        hard=(1, 100000),
    )
    io_cores: int = setting(
        32, title="Cores for I/O", help="CPU cores of one node that may copy.", source="ours", hard=(1, 4096)
    )


class Result(LayerResult):
    """What follows."""

    bottleneck: Figure = result(
        "Bottleneck", "text", "What bounds a read into the GPU.", headline=True, short="Bound by"
    )
    direct_gb_s_per_gpu: Figure = result("Direct, a GPU", "gb_s", "Through GPUDirect.", headline=True, short="Direct")
    bounce_gb_s_per_gpu: Figure = result("Bounce, a GPU", "gb_s", "Through host memory.", headline=True, short="Bounce")
    demand_gb_s_per_gpu: Figure = result("Asked for, a GPU", "gb_s", "What the job reads.")
    turning_point_gb_s: Figure = result(
        "Turns storage-bound at", "gb_s", "Above this read rate a GPU waits for storage."
    )
    gain: Figure = result(
        "Gain of the direct path", "ratio", "Ratio of the paths' limits; 1 where storage is the limit."
    )
    tightest: Figure = result("Tightest hop", "text", "Of the chosen path, whether the job comes near it or not.")
    hops: Table = result("Hops", "", "What each hop carries for one GPU, and what the job takes of it.")


def size(inputs: Inputs, up: Any) -> Sized:
    """Size the layer: the limit of each hop for one GPU, the tightest of both paths, and whether the job meets it."""
    system = plan_system(up)
    hosts = gpus_per_host(system)
    through = {
        "storage": calc(
            storage_equations.each,
            title="Storage, a GPU",
            total=up.storage.installed_read_gb_s,
            parts=up.parallelism.gpus,
        ),
        "adapters": storage_gb_s_per_gpu(up),
        "pcie": pcie_gb_s(up),
    }
    through["storage"] = _in_gb_s(through["storage"])
    bounced = inputs.path if inputs.path != "gds" else "direct_io"
    kind = up.entry(PATHS[bounced])
    memory = calc(
        equations.host_memory_gb_s_per_gpu,
        title="Host memory, a GPU",
        host_memory_gb_s=inputs.fig("host_memory_gb_s"),
        crossings=kind.fig("host_memory_traffic_per_byte", "count", "crossings of host memory"),
        gpus=hosts,
    )
    copies = calc(
        equations.copies_gb_s_per_gpu,
        title="CPU copies, a GPU",
        cores=inputs.fig("io_cores"),
        copies=kind.fig("cpu_copies", "count", "CPU copies"),
        gpus=hosts,
    )
    direct, direct_hop = _least("Direct path", through)
    bounce, bounce_hop = _least("Bounce path", {**through, "memory": memory, "copies": copies})
    chosen, hop = (direct, direct_hop) if inputs.path == "gds" else (bounce, bounce_hop)
    demand = up.storage.read_gb_s_per_gpu
    outcome = results(
        Result,
        bottleneck=_bottleneck(demand, chosen, hop),
        direct_gb_s_per_gpu=direct,
        bounce_gb_s_per_gpu=bounce,
        demand_gb_s_per_gpu=demand,
        turning_point_gb_s=chosen,
        gain=calc(equations.gain, direct=direct, bounce=bounce),
        tightest=_tightest(hop, chosen),
        hops=_hops(inputs, through, memory, copies, demand),
    )
    return Sized(outcome, tuple(_findings(inputs, up, outcome, bounce_hop)))


def _in_gb_s(figure: Figure) -> Figure:
    return Figure(figure.value, "gb_s", figure.title, figure.path, figure.formula, figure.operands, figure.source)


def _least(title: str, hops: dict[str, Figure]) -> tuple[Figure, str]:
    """Return the tightest of the known hops and its name; hops that are not known are named in the formula."""
    known: dict[str, Any] = {name: f for name, f in hops.items() if f.value is not None and f.number < math.inf}
    missing = [WORDS[name] for name, f in hops.items() if f.value is None]
    if not known:
        return unknown("no hop of the path is known", "gb_s", title), ""
    name = min(known, key=lambda n: known[n].number)
    formula = "the least of the hops" + (f"; not known: {', '.join(missing)}" if missing else "")
    return stated(known[name].value, "gb_s", title, formula=formula, **known), name


def _bottleneck(demand: Figure, chosen: Figure, hop: str) -> Figure:
    if demand.value is None or chosen.value is None:
        return unknown(demand.formula or chosen.formula, "text", demand=demand, path=chosen)
    enough = demand.number <= chosen.number
    formula = "compute where the path gives what the job asks for, else the tightest hop"
    return stated("compute" if enough else WORDS[hop], "text", formula=formula, demand=demand, path=chosen)


def _tightest(hop: str, chosen: Figure) -> Figure:
    if not hop:
        return unknown(chosen.formula, "text")
    return stated(WORDS[hop], "text", formula="the hop with the least bandwidth a GPU", path=chosen)


def _hops(inputs: Inputs, through: dict[str, Figure], memory: Figure, copies: Figure, demand: Figure) -> Table:
    crossed = inputs.path != "gds"
    rows = []
    for name, figure in (*through.items(), ("memory", memory), ("copies", copies)):
        limit = figure.value if isinstance(figure.value, int | float) and figure.value < math.inf else None
        used = name in through or crossed
        share = None
        if used and limit and demand.value is not None:
            share = 100 * demand.number / limit
        rows.append(
            (WORDS[name], limit, "yes" if name in through else "no", "yes" if limit is not None else "no", share)
        )
    columns = ("hop", "limit_gb_s_per_gpu", "on_direct_path", "on_bounce_path", "used_pct")
    return Table(columns, ("text", "gb_s", "text", "text", "pct"), tuple(rows), "Hops from storage to one GPU")


def _findings(inputs: Inputs, up: Any, outcome: Result, bounce_hop: str) -> list[Finding]:
    found: list[Finding] = []
    demand, limit = outcome.demand_gb_s_per_gpu, outcome.turning_point_gb_s
    if demand.known and limit.known and demand.number > limit.number:
        fix: tuple[tuple[str, Any], ...] = ()
        title = ""
        if inputs.path != "gds" and outcome.direct_gb_s_per_gpu.number > limit.number:
            fix, title = (("datapath.path", "gds"),), "GPUDirect Storage"
        text = (
            f"The job reads {demand.text()} a GPU, the path gives {limit.text()} "
            f"({outcome.tightest.value}): GPUs wait for storage."
        )
        found.append(Finding("datapath.storage_bound", "caution", "datapath.path", text, limit.source, fix, title))
    ratio = outcome.gain
    if ratio.known and ratio.number > 1.05 and inputs.path != "gds":
        text = (
            f"GPUDirect Storage would give {units.number(ratio.number)} times the bandwidth of this path, "
            f"which {WORDS[bounce_hop]} limits."
        )
        fix = (("datapath.path", "gds"),)
        found.append(Finding("datapath.bypass", "note", "datapath.path", text, ratio.source, fix, "GPUDirect Storage"))
    slot, adapter = pcie_generation(up), up.fabric.nic_gb_s_per_gpu
    if slot.known and adapter.known and "c2c_uni_gb_s" not in up.entry(up.inputs("compute").gpu).fields:
        raw = equations.pcie_raw_gb_s(slot.number, 16)
        if adapter.number > raw * LINE_RATE_MARGIN:
            text = (
                f"An adapter of {adapter.text()} a GPU is faster than a PCIe {slot.value:g}.0 x16 slot "
                f"({units.text(raw, 'gb_s')})."
            )
            found.append(Finding("datapath.slot", "caution", "fabric.nic_gbit_s", text, slot.source))
    return found
