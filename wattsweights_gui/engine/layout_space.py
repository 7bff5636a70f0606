"""All layouts of a model worth evaluating on a number of GPUs, as arrays; what the rules drop is counted."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from wattsweights_gui.engine.equations.job import Job
from wattsweights_gui.engine.equations.layouts import RECOMPUTE, SCHEDULE, SHARDING, Array, Layouts, concatenate

MICRO_BATCHES = (1.0, 2.0, 4.0, 8.0)
MOST_MICRO_BATCH = 16
INTERLEAVES = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, 16.0)
MOST_CONTEXT = 64.0
SHORTEST_CHUNK = 1024.0
USUAL_SCHEDULES = (SCHEDULE["1f1b"], SCHEDULE["interleaved"])
AS_TENSOR = 0.0
"""Stands for an expert-tensor degree that equals the tensor degree."""


class Lost(dict[str, int]):
    """How many layouts each rule ruled out, and how many of each tensor × pipeline degree."""

    def __init__(self) -> None:
        super().__init__()
        self.cells: dict[tuple[int, int], Counter[str]] = {}

    def copied(self) -> Lost:
        """Return what was counted so far, which counts no further."""
        copy = Lost()
        copy.update(self)
        copy.cells = {cell: Counter(counts) for cell, counts in self.cells.items()}
        return copy

    def count(self, rule: str, tensor: Array, depth: Array) -> None:
        """Count layouts of these degrees as ruled out."""
        self[rule] = self.get(rule, 0) + len(tensor)
        for cell, number in cells_of(tensor, depth):
            self.cells.setdefault(cell, Counter())[rule] += number


def cells_of(tensor: Array, depth: Array) -> list[tuple[tuple[int, int], int]]:
    """Return how many layouts there are of each tensor × pipeline degree."""
    width = float(depth.max(initial=0.0)) + 1.0
    codes = np.bincount((tensor * width + depth).astype(np.int64))
    return [((int(c // width), int(c % width)), int(codes[c])) for c in np.flatnonzero(codes)]


@dataclass(frozen=True)
class Space:
    """The axes of a model's layouts.

    Attributes:
        tensor, context, experts: degrees to try.
        depths: pipeline stages and interleave, as pairs.
        layers, batch: of the model and the step.
        modes: recompute codes worth trying (with fused attention, selective is the same as none).
        node: GPUs of one host; more than that come in whole hosts.
        micro_batches: to try.
        shardings, schedules: codes to try.
        expert_tensor: degrees to try, ``AS_TENSOR`` for the tensor degree.
        pipelined_fsdp: whether full sharding is tried in a pipeline too.
        grouped: whether sharding within a host (of the optimizer or of all), repeated over hosts, is tried.
        seq_len: of the model; 0 leaves sequence parallelism on wherever there is tensor parallelism.
    """

    tensor: tuple[float, ...]
    context: tuple[float, ...]
    experts: tuple[float, ...]
    depths: tuple[tuple[float, float], ...]
    layers: int
    batch: float
    modes: tuple[float, ...]
    node: float
    micro_batches: tuple[float, ...] = MICRO_BATCHES
    shardings: tuple[float, ...] = (SHARDING["zero1"], SHARDING["fsdp"])
    schedules: tuple[float, ...] = USUAL_SCHEDULES
    expert_tensor: tuple[float, ...] = (1.0,)
    pipelined_fsdp: bool = False
    grouped: bool = False
    seq_len: float = 0.0

    @classmethod
    def of(cls, job: Job, domain: float, node: float, wide: bool = False) -> Space:
        """Return the axes for a job on GPUs whose scale-up domain holds ``domain``.

        Args:
            job: what is trained.
            domain: GPUs of a scale-up domain.
            node: GPUs of a host.
            wide: every degree that divides, all schedules and all shardings; else what is usual: powers of two, 1F1B
                and interleaving, ZeRO-1 in pipelines and FSDP without, experts whole.
        """
        shape = job.shape
        whole = range(1, int(max(1.0, domain)) + 1)
        powers = [float(n) for n in whole if wide or n & (n - 1) == 0]
        tensor = [
            t
            for t in powers
            if shape.heads % t == 0
            and shape.hidden % t == 0
            and (shape.mla or shape.kv_heads % t == 0 or t % shape.kv_heads == 0)
        ]
        most = min(MOST_CONTEXT, job.seq_len / SHORTEST_CHUNK)
        chunks = [c for c in range(1, int(max(1.0, most)) + 1) if wide or c & (c - 1) == 0]
        context = [float(c) for c in chunks if job.seq_len % (2 * c) == 0]
        experts = [1.0]
        if shape.experts:
            experts = [float(e) for e in _divisors(shape.experts) if wide or e & (e - 1) == 0]
        layers, slots = shape.layers, shape.layers + 2 + shape.mtp_layers
        interleaves = tuple(float(v) for v in range(1, layers + 1)) if wide else INTERLEAVES
        depths = [
            (float(p), v)
            for p in range(1, layers + 1)
            for v in (interleaves if p > 1 else (1.0,))
            if layers % (p * v) == 0 or slots % (p * v) == 0 or (v == 1.0 and _worth(layers, p))
        ]
        modes = [RECOMPUTE["none"], RECOMPUTE["full"]]
        if not job.fused_attention:
            modes.insert(1, RECOMPUTE["selective"])
        return cls(
            tuple(tensor),
            tuple(context or [1.0]),
            tuple(experts),
            tuple(depths),
            layers,
            job.global_batch,
            tuple(modes),
            node,
            tuple(float(m) for m in _divisors(int(job.global_batch)) if m <= MOST_MICRO_BATCH)
            if wide
            else MICRO_BATCHES,
            tuple(SHARDING[s] for s in (("zero1", "fsdp", "zero2", "none") if wide else ("zero1", "fsdp"))),
            tuple(SCHEDULE.values()) if wide else USUAL_SCHEDULES,
            (1.0, AS_TENSOR) if wide and shape.experts else (1.0,),
            pipelined_fsdp=wide,
            grouped=wide,
            seq_len=job.seq_len,
        )


def _divisors(number: int) -> list[int]:
    small = [d for d in range(1, math.isqrt(number) + 1) if number % d == 0]
    return sorted({*small, *(number // d for d in small)})


def _worth(layers: int, stages: int) -> bool:
    """Return whether no smaller number of stages has as few layers on the fullest one."""
    return stages == 1 or math.ceil(layers / stages) < math.ceil(layers / (stages - 1))


def gpu_counts(space: Space, asked: int) -> list[int]:
    """Return the numbers of GPUs to try, the one asked for first, then smaller whole nodes."""
    node = int(space.node)
    whole = asked - asked % node if asked >= node else asked
    smaller = [n for n in range(whole, 0, -node)][:64] if asked > node else list(range(asked, 0, -1))
    return list(dict.fromkeys([asked, *smaller]))


def grid_at(space: Space, gpus: int, lost: dict[str, int]) -> Layouts:
    """Return the layouts that use exactly so many GPUs."""
    axes = _axes(space)
    replica = axes["tp"] * axes["pp"] * axes["cp"]
    dp = gpus / replica
    whole = (np.mod(float(gpus), replica) == 0) & (dp >= 1.0)
    _count(lost, "does not divide the GPUs", whole, axes)
    axes = {k: v[whole] for k, v in axes.items()}
    return _finished(space, axes, dp[whole], lost)


def grid_of(space: Space, counts: Sequence[int], lost: dict[str, int]) -> Layouts:
    """Return the layouts that use any of several numbers of GPUs, fewest GPUs first."""
    axes, dp, gpus = _replicated(space)
    asked = np.isin(gpus, np.array(counts, dtype=np.float64))
    _count(lost, "uses other numbers of GPUs", asked, axes)
    layouts = _finished(space, {k: v[asked] for k, v in axes.items()}, dp[asked], lost)
    return layouts.take(np.argsort(layouts.gpus, kind="stable"))


def grid_between(space: Space, least: float, most: float) -> Layouts:
    """Return all layouts of a range of GPUs in whole nodes, fewest GPUs first."""
    axes, dp, gpus = _replicated(space)
    keep = (gpus >= least) & (gpus <= most) & ((gpus < space.node) | (np.mod(gpus, space.node) == 0))
    layouts = _finished(space, {k: v[keep] for k, v in axes.items()}, dp[keep], {})
    return layouts.take(np.argsort(layouts.gpus, kind="stable"))


def _replicated(space: Space) -> tuple[dict[str, Array], Array, Array]:
    """Return all combinations with every number of replicas that divides the batch, and their GPUs."""
    axes = _axes(space)
    divisors = np.array(_divisors(int(space.batch)), dtype=np.float64)
    index, replicas = np.meshgrid(np.arange(len(axes["tp"])), divisors, indexing="ij")
    dp, at = replicas.ravel(), index.ravel()
    axes = {k: v[at] for k, v in axes.items()}
    return axes, dp, axes["tp"] * axes["pp"] * axes["cp"] * dp


def _axes(space: Space) -> dict[str, Array]:
    """Return tensor, context, depth, interleave, micro batch and recompute of all combinations."""
    t, c, d, b, m = np.meshgrid(
        space.tensor, space.context, np.arange(len(space.depths)), space.micro_batches, space.modes, indexing="ij"
    )
    depths = np.array(space.depths, dtype=np.float64)[d.ravel().astype(int)]
    return {
        "tp": t.ravel(),
        "cp": c.ravel(),
        "pp": depths[:, 0],
        "vpp": depths[:, 1],
        "micro_batch": b.ravel(),
        "recompute": m.ravel(),
    }


def _finished(space: Space, axes: dict[str, Array], dp: Array, lost: dict[str, int]) -> Layouts:
    """Apply the rules on batch, interleave and experts, and add experts' degrees, sharding and schedule."""
    divides = np.mod(space.batch, dp * axes["micro_batch"]) == 0
    _count(lost, "does not divide the batch", divides, axes)
    batches = np.where(divides, space.batch / (dp * axes["micro_batch"]), 1.0)
    grouped = (axes["vpp"] == 1.0) | (np.mod(batches, axes["pp"]) == 0)
    _count(lost, "interleave without a multiple of the stages in micro batches", grouped | ~divides, axes)
    keep = divides & grouped
    axes = {k: v[keep] for k, v in axes.items()} | {"dp": dp[keep]}
    with_experts = [_with_experts(space, axes, etp, lost) for etp in space.expert_tensor]
    axes = {k: np.concatenate([part[k] for part in with_experts]) for k in with_experts[0]}
    return concatenate([part for code in space.shardings for part in _sharded(space, axes, code)])


def _with_experts(space: Space, axes: dict[str, Array], etp: float, lost: dict[str, int]) -> dict[str, Array]:
    """Return the layouts with every expert-parallel degree that divides their ranks."""
    if etp == AS_TENSOR and 1.0 in space.expert_tensor:
        axes = {k: v[axes["tp"] > 1.0] for k, v in axes.items()}
    ranks = axes["tp"] * axes["cp"] * axes["dp"]
    index, experts = np.meshgrid(np.arange(len(ranks)), np.array(space.experts), indexing="ij")
    at, ep = index.ravel(), experts.ravel()
    axes = {k: v[at] for k, v in axes.items()} | {"ep": ep}
    axes["etp"] = axes["tp"] if etp == AS_TENSOR else np.full(len(ep), etp)
    spreads = np.mod(ranks[at], ep * axes["etp"]) == 0
    _count(lost, "expert parallelism does not divide the ranks", spreads, axes)
    return {k: v[spreads] for k, v in axes.items()}


def _sharded(space: Space, axes: dict[str, Array], code: float) -> list[Layouts]:
    """Return the layouts under one sharding and every schedule; what another sharding equals is left out."""
    replicas, alone = axes["dp"] * axes["cp"], axes["pp"] == 1.0
    keep = np.ones(len(replicas), dtype=bool)
    if code != SHARDING["zero1"] and SHARDING["zero1"] in space.shardings:
        keep &= replicas > 1.0
    # gradients that are spread as they are made cannot be added up over the micro batches in flight
    if code == SHARDING["zero2"] or (code == SHARDING["fsdp"] and not space.pipelined_fsdp):
        keep &= alone
    axes = {k: v[keep] for k, v in axes.items()}
    plain = np.where(axes["vpp"] > 1.0, SCHEDULE["interleaved"], SCHEDULE["1f1b"])
    parts = [_layouts(space, axes, code, plain)]
    piped = (axes["pp"] > 1.0) & (axes["vpp"] == 1.0)
    for schedule in (s for s in space.schedules if s not in USUAL_SCHEDULES):
        in_pipeline = {k: v[piped] for k, v in axes.items()}
        parts.append(_layouts(space, in_pipeline, code, np.full(int(piped.sum()), schedule)))
    if space.grouped and code in (SHARDING["zero1"], SHARDING["fsdp"]):
        parts += [_in_hosts(space, part) for part in parts]
    return parts


def _in_hosts(space: Space, layouts: Layouts) -> Layouts:
    """Return those whose sharded states can be held once a host, and are repeated over hosts."""
    group, replicas = np.floor(space.node / layouts.tp), layouts.dp * layouts.cp
    keep = (group > 1.0) & (replicas > group) & (np.mod(replicas, np.maximum(group, 1.0)) == 0)
    return replace(layouts.take(keep), shard_group=group[keep])


def _layouts(space: Space, axes: dict[str, Array], sharding: float, schedule: Array) -> Layouts:
    cut = (axes["tp"] > 1.0) & (np.mod(space.seq_len, axes["tp"] * axes["cp"]) == 0)
    return Layouts.of(
        **axes,
        sharding=np.full(len(axes["tp"]), sharding),
        schedule=schedule,
        sequence_parallel=np.where(cut, 1.0, 0.0),
    )


def _count(lost: dict[str, int], rule: str, kept: NDArray[np.bool_], axes: Mapping[str, Array]) -> None:
    dropped = int(kept.size - np.count_nonzero(kept))
    if not dropped:
        return
    if isinstance(lost, Lost):
        lost.count(rule, axes["tp"][~kept], axes["pp"][~kept])
    else:
        lost[rule] = lost.get(rule, 0) + dropped
