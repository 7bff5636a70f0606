"""A plan as the training equations need it: the job, the machine and the layout, remembered by their inputs."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from wattsweights_gui.engine.declare import Entry
from wattsweights_gui.engine.equations.job import EIGHT_BIT, Job, Recipe
from wattsweights_gui.engine.equations.layouts import Layouts
from wattsweights_gui.engine.equations.machine import Machine, machine_of, peak_tflops
from wattsweights_gui.engine.equations.systems import system_for
from wattsweights_gui.engine.planned_fabric import fabric_of

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
)


def recipe_of(entry: Entry) -> Recipe:
    """Return the bytes a parameter of a catalogue row."""
    names = ("weights", "gradients", "master", "moments", "extra")
    return Recipe(*(float(entry.get(f"{name}_bytes") or 0.0) for name in names))


def job_of(up: Any) -> Job:
    """Return the job of a plan."""
    workload, split = up.inputs("workload"), up.inputs("parallelism")
    return _job(workload, _recipe(up.catalog, workload.recipe), split.expert_imbalance)


@lru_cache(maxsize=64)
def _recipe(catalog: Any, id: str) -> Recipe:
    return recipe_of(catalog.entry(id))


@lru_cache(maxsize=64)
def _job(workload: Any, recipe: Recipe, imbalance: float) -> Job:
    shape = workload.shape()
    return Job(
        shape=shape,
        seq_len=float(workload.seq_len),
        global_batch=float(workload.global_batch),
        precision=workload.precision,
        recipe=recipe,
        imbalance=imbalance if shape.experts else 1.0,
        fused_loss=True,
        graphed=True,
        dispatch_bytes=1.0 if workload.precision in EIGHT_BIT else 2.0,
    )


def machine_of_plan(up: Any) -> Machine | None:
    """Return the GPU and its network of a plan, or ``None`` (:func:`why_no_machine` says why)."""
    clock = up.compute.clock_share_pct.value
    fabric = up.inputs("fabric")
    return _machine(
        up.catalog,
        up.inputs("compute").gpu,
        up.inputs("cluster").system,
        up.inputs("workload").precision,
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
    if peak_tflops(gpu, precision) is None:
        return f"{gpu.name} has no units for {precision.upper()}, or the catalogue does not know their rate"
    return f"the catalogue does not know the memory of {gpu.name}"


def layout_of(inputs: Any) -> Layouts:
    """Return the layout that the split's inputs name."""
    return Layouts.of(**{name: getattr(inputs, name) for name in LAYOUT_FIELDS})
