"""One array evaluation of a plan's layout and of the same layout with more and fewer replicas."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

import numpy as np

from wattsweights_gui.engine import training_plan, units
from wattsweights_gui.engine.declare import Figure, stated, unknown
from wattsweights_gui.engine.equations import reliability
from wattsweights_gui.engine.equations.job import Job
from wattsweights_gui.engine.equations.layouts import Layouts
from wattsweights_gui.engine.equations.machine import Machine
from wattsweights_gui.engine.equations.memory import memory
from wattsweights_gui.engine.equations.run_time import DAY_S
from wattsweights_gui.engine.equations.step_time import step_time
from wattsweights_gui.engine.equations.storage import copy_stall_s
from wattsweights_gui.engine.host_links import copy_gb_s_per_gpu
from wattsweights_gui.engine.least_gpus import Least, least_gpus

MOST_POINTS = 24
RECOMPUTES = {"none": "no recompute", "selective": "selective recompute", "full": "full recompute"}
LONG_CONTEXT = 32768
DEFAULT_SPREAD = 0.2
USUAL_CHECKPOINT_BYTES = 14.0


@dataclass(frozen=True)
class MemoryParts:
    """Bytes on the fullest GPU of this layout; ``stage`` is 0 first, 1 middle, 2 last."""

    weights: float
    gradients: float
    optimizer: float
    activations: float
    logits: float
    buffers: float
    stage: float


@dataclass(frozen=True)
class TimeParts:
    """Seconds of one step of this layout."""

    compute: float
    elementwise: float
    tensor: float
    pipeline: float
    data: float
    experts: float
    context: float
    bubble: float
    optimizer: float
    offload: float


@dataclass(frozen=True)
class Sweep:
    """What one array evaluation gives: the layout's own parts, and (GPUs, days) along the replicas.

    Attributes:
        memory, time: of the layout itself.
        points: (GPUs, days) for each number of replicas that divides the batch, fewest first.
        kind: class of the job, by which the evidence states its spread.
        stall_s: what one save stops the run for.
    """

    memory: MemoryParts
    time: TimeParts
    points: tuple[tuple[int, float], ...]
    kind: str
    stall_s: float


def kind_of(job: Job, machine: Machine) -> str:
    """Return the class of a job: long context, mixture of experts, dense on Ampere or dense on newer GPUs."""
    if job.seq_len >= LONG_CONTEXT:
        return "long_context"
    if job.shape.experts:
        return "moe"
    return "dense_ampere" if machine.generation == "ampere" else "dense_newer"


def spread_of(up: Any, kind: str) -> tuple[float, float]:
    """Return the factors on time between which nine in ten published runs of a class lie."""
    return spread_of_kind(up.catalog, kind)


@lru_cache(maxsize=32)
def spread_of_kind(catalog: Any, kind: str) -> tuple[float, float]:
    """Return the factors on time between which nine in ten published runs of a class lie."""
    for entry in catalog.of_kind("evidence_spread"):
        if entry.id == f"spread_{kind}":
            return float(entry.get("low")), float(entry.get("high"))
    return 1.0 - DEFAULT_SPREAD, 1.0 + DEFAULT_SPREAD


@lru_cache(maxsize=128)
def replica_counts(global_batch: int, micro_batch: int, ranks: int, experts: int) -> tuple[int, ...]:
    """Return the replicas to evaluate: those that divide the batch into whole micro batches, thinned evenly.

    Args:
        global_batch: sequences of a step.
        micro_batch: sequences of a forward pass.
        ranks: GPUs of a stage of one replica.
        experts: expert-parallel times expert-tensor-parallel degree, which must divide ranks × replicas.
    """
    most = max(1, global_batch // micro_batch)
    small = [d for d in range(1, int(most**0.5) + 1) if most % d == 0]
    divisors = sorted({*small, *(most // d for d in small)})
    fitting = [d for d in divisors if (ranks * d) % experts == 0 and global_batch % (d * micro_batch) == 0]
    if len(fitting) > MOST_POINTS:
        picked = np.unique(np.linspace(0, len(fitting) - 1, MOST_POINTS).round().astype(int))
        fitting = [fitting[i] for i in picked]
    return tuple(fitting)


def sweep_of(inputs: Any, up: Any, machine: Machine) -> Sweep:
    """Evaluate the layout and its replicas; remembered, as most edits leave both as they are."""
    job = training_plan.job_of(up)
    steps = up.workload.steps.number
    degrees = training_plan.degrees_of(inputs)
    return _swept(job, machine, degrees, Stalls.of(up), steps)


@lru_cache(maxsize=64)
def _swept(job: Job, machine: Machine, degrees: tuple[tuple[str, Any], ...], stalls: Stalls, steps: float) -> Sweep:
    d = dict(degrees)
    if not job.shape.experts:
        d |= {"ep": 1, "etp": 1}
    base = Layouts.of(**d)
    counts = replica_counts(int(job.global_batch), d["micro_batch"], d["tp"] * d["cp"], d["ep"] * d["etp"])
    layouts = base.repeat(dp=np.array([d["dp"], *counts], dtype=np.float64))
    time = step_time(job, machine, layouts)
    held = memory(job, base)
    totals = time.total
    replica = d["tp"] * d["cp"] * d["pp"]

    def days(gpus: int, seconds: float) -> float:
        share = stalls.goodput(gpus)
        return steps * seconds / share / DAY_S if share > 0 else float("inf")

    return Sweep(
        MemoryParts(
            float(held.weights[0]),
            float(held.gradients[0]),
            float(held.optimizer[0]),
            float(held.activations[0]),
            float(held.logits[0]),
            float(held.buffers[0]),
            float(held.stage[0]),
        ),
        TimeParts(*(float(getattr(time, f.name)[0]) for f in fields(TimeParts))),
        tuple((replica * n, days(replica * n, float(totals[i + 1]))) for i, n in enumerate(counts)),
        kind_of(job, machine),
        stalls.stall_s(replica * d["dp"]),
    )


@dataclass(frozen=True)
class Stalls:
    """What saves and faults cost a plan, for any number of GPUs.

    Attributes:
        failures: a 1,000 node-days of eight GPUs. restart_s: from a fault to the next step.
        synchronous: saves stop the run for write_s, else for the copy of saved_tb at copy_gb_s a GPU.
        interval_s: between saves; ``None`` takes Daly's.
    """

    failures: float
    restart_s: float
    synchronous: bool
    write_s: float
    saved_tb: float
    copy_gb_s: float
    interval_s: float | None

    @classmethod
    def of(cls, up: Any) -> Stalls:
        """Read a plan."""
        storage, split = up.inputs("storage"), up.inputs("parallelism")
        each = up.entry(storage.checkpoint_recipe).get("bytes_per_param")
        return cls(
            split.failures_per_1000_node_days,
            split.restart_min * 60.0,
            storage.checkpoint_mode == "sync",
            storage.write_target_s,
            float(each or USUAL_CHECKPOINT_BYTES) * up.workload.total_params.number / 1e12,
            float(copy_gb_s_per_gpu(up).value or 1.0),
            storage.checkpoint_interval_s,
        )

    def stall_s(self, gpus: int) -> float:
        """Return what one save stops the run for."""
        return self.write_s if self.synchronous else copy_stall_s(self.saved_tb, gpus, self.copy_gb_s)

    def goodput(self, gpus: int) -> float:
        """Return the share of the time that trains."""
        mtbf = reliability.job_mtbf_s(reliability.nodes_of_eight(gpus), self.failures)
        lost = self.stall_s(gpus)
        interval = self.interval_s or reliability.daly_interval_s(lost, mtbf)
        return float(reliability.efficiency(interval, lost, self.restart_s, mtbf))


def least_figures(inputs: Any, up: Any, machine: Machine) -> tuple[Figure, Figure, list[tuple[Any, ...]]]:
    """Return the least GPUs under the plan's recipe and options: with stages of any and of equal numbers of layers.

    With them come the rows of the table over all recipes.
    """
    chosen = up.inputs("workload").recipe
    job = training_plan.job_of(up)
    limit = machine.hbm_bytes - inputs.reserve_gb * 1e9
    found, rows = _least_rows(up.catalog, job, limit, machine.domain, inputs.sharding)
    recipe = {chosen: job.recipe}
    equal = least_gpus(job, limit, machine.domain, inputs.sharding, recipe, equal_stages=True)
    put_in = {
        "recipe": up.inputs("workload").fig("recipe"),
        "recompute": inputs.fig("recompute"),
        "sharding": inputs.fig("sharding"),
        "hbm": up.compute.hbm_visible_gb,
        "kept_free": inputs.fig("reserve_gb"),
        "parameters": up.workload.total_params,
    }

    mode = RECOMPUTES[inputs.recompute]
    gpu = up.entry(up.inputs("compute").gpu).name
    others = "; ".join(
        f"{units.text(best.gpus, 'count')} with {RECOMPUTES[other]}"
        for (recipe_id, other), best in found.items()
        if recipe_id == chosen and other != inputs.recompute and best.gpus is not None
    )
    held = f"under “{up.entry(chosen).name}” on {gpu}, with {mode}" + (f" ({others})" if others else "")

    def figure(best: Least, among: str) -> Figure:
        if best.gpus is None:
            words = (
                f"none of the layouts tried holds it: the smallest still takes "
                f"{units.text(best.memory_bytes / 1e9, 'gb')} a GPU ({layout_text(best)})"
            )
            return unknown(words, "count")
        return stated(
            best.gpus,
            "count",
            formula=f"smallest of {among} at micro batch 1 whose fullest stage fits, {held}: {layout_text(best)}",
            source="Megatron Core documentation, bytes a parameter; Korthikanti et al. 2022, arXiv 2205.05198",
            put_in=put_in,
        )

    key = (chosen, inputs.recompute)
    return figure(found[key], "all layouts"), figure(equal[key], "all layouts whose stages are equal"), rows


@lru_cache(maxsize=32)
def _least_rows(
    catalog: Any, job: Job, limit: float, domain: float, sharding: str
) -> tuple[dict[tuple[str, str], Least], list[tuple[Any, ...]]]:
    entries = catalog.of_kind("byte_recipe")
    recipes = {e.id: training_plan.recipe_of(e) for e in entries}
    found = least_gpus(job, limit, domain, sharding, recipes)
    rows = [
        (
            e.name,
            recipes[e.id].total,
            job.blocks.total_params * recipes[e.id].total / 1e12,
            mode,
            found[(e.id, mode)].gpus,
            layout_text(found[(e.id, mode)]),
            found[(e.id, mode)].memory_bytes / 1e9,
        )
        for e in entries
        for mode in ("none", "selective", "full")
    ]
    return found, rows


def layout_text(least: Least) -> str:
    """Return the degrees in words, those of one left out."""
    degrees = (("TP", least.tp), ("PP", least.pp), ("CP", least.cp), ("DP", least.dp), ("EP", least.ep))
    return " × ".join(f"{name} {n}" for name, n in degrees if n > 1) or "one GPU"


__all__ = ["Layouts", "Stalls", "Sweep", "kind_of", "least_figures", "replica_counts", "spread_of", "sweep_of"]
