"""All layouts of a model worth evaluating on a number of GPUs, as arrays; what the rules drop is counted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wattsweights_gui.engine.equations.job import Job
from wattsweights_gui.engine.equations.layouts import RECOMPUTE, SCHEDULE, SHARDING, Array, Layouts, concatenate

MICRO_BATCHES = (1.0, 2.0, 4.0, 8.0)
INTERLEAVES = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, 16.0)
MOST_CONTEXT = 64.0
SHORTEST_CHUNK = 1024.0


@dataclass(frozen=True)
class Space:
    """The axes of a model's layouts.

    Attributes:
        tensor, context, experts: degrees to try.
        depths: pipeline stages and interleave, as pairs.
        layers, batch: of the model and the step.
        modes: recompute codes worth trying (with fused attention, selective is the same as none).
        node: GPUs of one host; more than that come in whole hosts.
    """

    tensor: tuple[float, ...]
    context: tuple[float, ...]
    experts: tuple[float, ...]
    depths: tuple[tuple[float, float], ...]
    layers: int
    batch: float
    modes: tuple[float, ...]
    node: float

    @classmethod
    def of(cls, job: Job, domain: float, node: float) -> Space:
        """Return the axes for a job on GPUs whose scale-up domain holds ``domain``."""
        shape = job.shape
        powers = [float(2**i) for i in range(int(math.log2(max(1.0, domain))) + 1)]
        tensor = [
            t
            for t in powers
            if shape.heads % t == 0
            and shape.hidden % t == 0
            and (shape.mla or shape.kv_heads % t == 0 or t % shape.kv_heads == 0)
        ]
        most = min(MOST_CONTEXT, job.seq_len / SHORTEST_CHUNK)
        context = [float(2**i) for i in range(int(math.log2(max(1.0, most))) + 1) if job.seq_len % (2 * 2**i) == 0]
        experts = [1.0]
        if shape.experts:
            experts = [float(e) for e in range(1, shape.experts + 1) if shape.experts % e == 0 and e & (e - 1) == 0]
        layers, slots = shape.layers, shape.layers + 2 + shape.mtp_layers
        depths = [
            (float(p), v)
            for p in range(1, layers + 1)
            for v in (INTERLEAVES if p > 1 else (1.0,))
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
        )


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
    _count(lost, "does not divide the GPUs", whole)
    axes = {k: v[whole] for k, v in axes.items()}
    return _finished(space, axes, dp[whole], lost)


def grid_of(space: Space, counts: Sequence[int], lost: dict[str, int]) -> Layouts:
    """Return the layouts that use any of several numbers of GPUs, fewest GPUs first."""
    axes, dp, gpus = _replicated(space)
    asked = np.isin(gpus, np.array(counts, dtype=np.float64))
    _count(lost, "uses other numbers of GPUs", asked)
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
    batch = int(space.batch)
    small = [d for d in range(1, math.isqrt(batch) + 1) if batch % d == 0]
    divisors = np.array(sorted({*small, *(batch // d for d in small)}), dtype=np.float64)
    index, replicas = np.meshgrid(np.arange(len(axes["tp"])), divisors, indexing="ij")
    dp, at = replicas.ravel(), index.ravel()
    axes = {k: v[at] for k, v in axes.items()}
    return axes, dp, axes["tp"] * axes["pp"] * axes["cp"] * dp


def _axes(space: Space) -> dict[str, Array]:
    """Return tensor, context, depth, interleave, micro batch and recompute of all combinations."""
    t, c, d, b, m = np.meshgrid(
        space.tensor, space.context, np.arange(len(space.depths)), MICRO_BATCHES, space.modes, indexing="ij"
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
    """Apply the rules on batch, interleave and experts, and add expert parallelism and sharding."""
    divides = np.mod(space.batch, dp * axes["micro_batch"]) == 0
    _count(lost, "does not divide the batch", divides)
    batches = np.where(divides, space.batch / (dp * axes["micro_batch"]), 1.0)
    grouped = (axes["vpp"] == 1.0) | (np.mod(batches, axes["pp"]) == 0)
    _count(lost, "interleave without a multiple of the stages in micro batches", grouped | ~divides)
    keep = divides & grouped
    axes = {k: v[keep] for k, v in axes.items()} | {"dp": dp[keep]}
    number = len(axes["dp"])
    ranks = axes["tp"] * axes["cp"] * axes["dp"]
    index, experts = np.meshgrid(np.arange(number), np.array(space.experts), indexing="ij")
    at, ep = index.ravel(), experts.ravel()
    spreads = np.mod(ranks[at], ep) == 0
    _count(lost, "expert parallelism does not divide the ranks", spreads)
    at, ep = at[spreads], ep[spreads]
    axes = {k: v[at] for k, v in axes.items()} | {"ep": ep}
    alone = (axes["pp"] == 1.0) & (axes["dp"] * axes["cp"] > 1.0)
    zero1 = _layouts(axes, SHARDING["zero1"])
    fsdp = _layouts({k: v[alone] for k, v in axes.items()}, SHARDING["fsdp"])
    return concatenate([zero1, fsdp])


def _layouts(axes: dict[str, Array], sharding: float) -> Layouts:
    return Layouts.of(
        **axes,
        sharding=np.full(len(axes["tp"]), sharding),
        schedule=np.where(axes["vpp"] > 1.0, SCHEDULE["interleaved"], SCHEDULE["1f1b"]),
        sequence_parallel=np.where(axes["tp"] > 1.0, 1.0, 0.0),
    )


def _count(lost: dict[str, int], rule: str, kept: NDArray[np.bool_]) -> None:
    dropped = int(kept.size - np.count_nonzero(kept))
    if dropped:
        lost[rule] = lost.get(rule, 0) + dropped
