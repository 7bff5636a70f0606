"""A plan as the training equations need it: the job, the machine and the layout, remembered by their inputs."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

from wattsweights_gui.engine.declare import Entry
from wattsweights_gui.engine.equations.gpu import supports
from wattsweights_gui.engine.equations.job import EIGHT_BIT, Job, Recipe
from wattsweights_gui.engine.equations.layouts import Layouts
from wattsweights_gui.engine.equations.machine import Machine, machine_of, peak_tflops
from wattsweights_gui.engine.equations.systems import system_for
from wattsweights_gui.engine.host_links import copy_gb_s_per_gpu, gpus_per_host
from wattsweights_gui.engine.planned_fabric import fabric_of

FALL_BACK = "bf16"
TILE_INDEX: dict[str, int | None] = {"auto": None, "256x128": 0, "128x128": 1, "128x64": 2}
LAYOUT_FIELDS = (
    "tp",
    "pp",
    "dp",
    "cp",
    "ep",
    "etp",
    "micro_batch",
    "vpp",
    "schedule",
    "recompute",
    "sharding",
    "sequence_parallel",
    "shard_group",
    "recompute_layers",
)


def recipe_of(entry: Entry) -> Recipe:
    """Return the bytes a parameter of a catalogue row."""
    names = ("weights", "gradients", "master", "moments", "extra")
    return Recipe(*(float(entry.get(f"{name}_bytes") or 0.0) for name in names))


def running_precision(gpu: Entry, asked: str) -> str:
    """Return the format in which the matrices run: the one asked for, or BF16 where the GPU has no units for it."""
    return asked if supports(gpu, asked) else FALL_BACK


def job_of(up: Any) -> Job:
    """Return the job of a plan."""
    workload, split, gpu = up.inputs("workload"), up.inputs("parallelism"), up.inputs("compute")
    away = split.offload_layers or split.offload_optimizer
    host = _host_rates(up) if away else (math.inf, math.inf)
    options = (
        ("imbalance", split.capacity_factor or split.expert_imbalance),
        ("fused_attention", gpu.flash_attention),
        ("compiled", gpu.kernel_fusion),
        ("graphed", gpu.cuda_graphs),
        ("tile", TILE_INDEX[gpu.gemm_tile]),
        ("offload_layers", float(split.offload_layers)),
        ("offload_optimizer", split.offload_optimizer),
        ("host_bytes_s", host[0]),
        ("host_memory_bytes_s", host[1]),
    )
    runs = running_precision(up.entry(gpu.gpu), workload.precision)
    return _job(workload, runs, _recipe(up.catalog, workload.recipe), options)


def _host_rates(up: Any) -> tuple[float, float]:
    """Return one GPU's copy rate to host memory, and its share of that memory's bandwidth, in bytes/s."""
    system = system_for(up.entry(up.inputs("compute").gpu), up.catalog, up.inputs("cluster").system)
    share = float(gpus_per_host(system).number)
    return (
        float(copy_gb_s_per_gpu(up).value or 1.0) * 1e9,
        float(up.inputs("datapath").host_memory_gb_s) * 1e9 / share,
    )


@lru_cache(maxsize=64)
def _recipe(catalog: Any, id: str) -> Recipe:
    return recipe_of(catalog.entry(id))


@lru_cache(maxsize=64)
def _job(workload: Any, precision: str, recipe: Recipe, options: tuple[tuple[str, Any], ...]) -> Job:
    shape = workload.shape()
    chosen = dict(options)
    if not shape.experts:
        chosen["imbalance"] = 1.0
    return Job(
        shape=shape,
        seq_len=float(workload.seq_len),
        global_batch=float(workload.global_batch),
        precision=precision,
        recipe=recipe,
        fused_loss=True,
        dispatch_bytes=1.0 if precision in EIGHT_BIT else 2.0,
        **chosen,
    )


def machine_of_plan(up: Any, clock_share_pct: float | None = None, precision: str = "") -> Machine | None:
    """Return the GPU and its network of a plan, or ``None`` (:func:`why_no_machine` says why).

    ``clock_share_pct`` is for the GPU layer, which is not sized yet when it asks; ``precision`` for another format than
    the plan's.
    """
    clock = up.compute.clock_share_pct.value if clock_share_pct is None else clock_share_pct
    fabric = up.inputs("fabric")
    return _machine(
        up.catalog,
        up.inputs("compute").gpu,
        up.inputs("cluster").system,
        precision or running_precision(up.entry(up.inputs("compute").gpu), up.inputs("workload").precision),
        fabric_of(up).nic_gbit_s,
        1.0 if clock is None else float(clock) / 100.0,
        fabric.oversubscription,
        fabric.in_network_reduction,
    )


@lru_cache(maxsize=64)
def _machine(
    catalog: Any,
    gpu_id: str,
    system_id: str | None,
    precision: str,
    nic_gbit_s: float,
    clock_share: float,
    oversubscription: float,
    in_network: bool,
) -> Machine | None:
    gpu = catalog.entry(gpu_id)
    return machine_of(
        gpu,
        catalog,
        precision,
        nic_gbit_s,
        clock_share=clock_share,
        domain=domain_gpus(gpu, system_for(gpu, catalog, system_id)),
        oversubscription=oversubscription,
        in_network=in_network,
    )


def domain_gpus(gpu: Entry, system: Entry | None) -> float | None:
    """Return the GPUs of a scale-up domain: the catalogue's, but no more than one system holds."""
    domain, inside = gpu.get("scale_up_domain_gpus"), system.get("gpus") if system is not None else None
    if domain is None:
        return None if inside is None else float(inside)
    return float(min(domain, inside)) if inside else float(domain)


def why_no_machine(up: Any) -> str:
    """Return in a sentence why the GPU cannot run the plan's format."""
    gpu, precision = up.entry(up.inputs("compute").gpu), up.inputs("workload").precision
    if peak_tflops(gpu, running_precision(gpu, precision)) is None:
        return f"{gpu.name} has no units for {precision.upper()}, or the catalogue does not know their rate"
    return f"the catalogue does not know the memory of {gpu.name}"


def layout_of(inputs: Any) -> Layouts:
    """Return the layout that the split's inputs name."""
    return Layouts.of(**dict(degrees_of(inputs)))


def degrees_of(inputs: Any) -> tuple[tuple[str, Any], ...]:
    """Return the layout that the split's inputs name as pairs; what is left open is 0."""
    return tuple((name, getattr(inputs, name) or 0.0) for name in LAYOUT_FIELDS)
