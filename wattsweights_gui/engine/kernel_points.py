"""This model's kernels on this GPU's roofline: FLOPs, bytes, time and what bounds each, on the slowest stage."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

from wattsweights_gui.engine.equations.blocks import Blocks, Matrices
from wattsweights_gui.engine.equations.gemm import TILES, gemm_s
from wattsweights_gui.engine.equations.job import LOW_PRECISION, Job
from wattsweights_gui.engine.equations.kernels import (
    ACCUMULATED_BYTES,
    BACKWARD_ATTENTION,
    FUSED_EXPERT_CASTS,
    fused_attention_flops_s,
    head_times,
    layer_times,
)
from wattsweights_gui.engine.equations.layouts import Array, Layouts
from wattsweights_gui.engine.equations.machine import Machine
from wattsweights_gui.engine.equations.stages import Stages, recomputed_share, stages_of

ELEMENTWISE_FLOP_BYTE = 1.0
"""A norm does four FLOPs on an element that is read and written in 16 bits."""
COMPUTE, MEMORY, LAUNCH = "compute", "memory", "launch"
LAUNCHES = ("host_us", "host_early_us", "host_experts_us")
FORWARD, BACKWARD, BOTH = "forward", "backward", "both"
ATTENTION, SCORES, HEAD, WAITING = "Attention core", "Attention scores in HBM", "Output head", "Waiting for launches"
SIXTEEN_BITS = "bf16"


@dataclass(frozen=True)
class Kernel:
    """One kernel of one layer (or of the head) on one GPU.

    Attributes:
        name, phase: which multiplication, forward or backward (both gradients together).
        calls: of it in one step, recompute included.
        flops, moved_bytes: of one call; bytes are HBM traffic.
        seconds: of one call. peak_flops_s: of its format, which is named as the workload layer does.
        bound: what its time follows from. filled: useful share of the tiles that run.
        l2_bytes: what its tiles read of their operands from the L2 cache.
        wide, deep: outputs and inputs of a matrix on this GPU, in elements of ``element_bytes``; 0 for other kernels.
        grouped: all experts of the GPU in one call.
    """

    name: str
    phase: str
    calls: float
    flops: float
    moved_bytes: float
    seconds: float
    peak_flops_s: float
    bound: str
    format: str = SIXTEEN_BITS
    filled: float = 1.0
    l2_bytes: float = 0.0
    wide: float = 0.0
    deep: float = 0.0
    element_bytes: float = 2.0
    grouped: bool = False

    @property
    def intensity(self) -> float:
        """FLOPs for each byte of HBM traffic."""
        return self.flops / self.moved_bytes if self.moved_bytes else 0.0

    @property
    def flops_s(self) -> float:
        """FLOP/s reached."""
        return self.flops / self.seconds if self.seconds else 0.0


@dataclass(frozen=True)
class _Gemm:
    name: str
    n: float
    k: float
    rows: float
    groups: float
    low: bool
    grouped: bool = False


Degrees: TypeAlias = tuple[tuple[str, Any], ...]
"""A layout as (name, value) pairs, which can be remembered."""


@dataclass(frozen=True)
class _Calls:
    """How often each part of a stage runs in one step, and how much of it runs a second time for the backward pass."""

    dense: float
    mixed: float
    heads: float
    again: float
    again_core: float
    again_scores: float


@lru_cache(maxsize=64)
def kernels_of(job: Job, machine: Machine, degrees: Degrees, stage: int | None = None) -> tuple[Kernel, ...]:
    """Return the kernels of one GPU in the order in which they run, without communication and optimizer.

    Args:
        job, machine, degrees: the plan.
        stage: first, middle or last; ``None`` for the slowest, which the step waits for.
    """
    layout = Layouts.of(**dict(degrees))
    stages = stages_of(job, layout)
    calls = _calls(job, layout, stages, slowest_stage(job, machine, layout, stages) if stage is None else stage)
    found: list[Kernel] = []
    for gemm, count in _gemms(job, layout, calls.dense, calls.mixed):
        found += _both_passes(job, machine, gemm, count, calls.again)
    found += _attention(job, machine, layout, calls)
    found += _elementwise(job, machine, layout, calls)
    found += _both_passes(job, machine, _head(job, layout), calls.heads, 0.0)
    return tuple(kernel for kernel in found if kernel.calls)


def slowest_stage(job: Job, machine: Machine, layout: Layouts, stages: Stages) -> int:
    """Return which of the first, middle and last stage the step waits for, as :func:`step_time` does."""
    dense, mixed = layer_times(job, machine, layout)
    head = head_times(job, machine, layout)
    after = (mixed if job.blocks.moe_layers else dense).total
    mtp = job.blocks.mtp_layers
    times = (
        stages.dense * dense.total + stages.moe * mixed.total + stages.heads * ((1.0 + mtp) * head.total + mtp * after)
    )
    return int(np.argmax(np.where(stages.exists > 0, times, 0.0)[:, 0]))


def _calls(job: Job, layout: Layouts, stages: Stages, stage: int) -> _Calls:
    batches, heads = float(stages.micro_batches[0]), float(stages.heads[stage, 0])
    mtp, mixes = job.blocks.mtp_layers * heads, job.blocks.moe_layers > 0
    full = float(recomputed_share(job, layout)[0])
    chosen = float(layout.recompute[0] == 1.0)
    partly = chosen * job.recompute_matmuls
    core = chosen * (not job.fused_attention)
    return _Calls(
        dense=batches * (float(stages.dense[stage, 0]) + mtp * (not mixes)),
        mixed=batches * (float(stages.moe[stage, 0]) + mtp * mixes),
        heads=batches * heads * (1.0 + job.blocks.mtp_layers),
        again=full + partly,
        again_core=full + core,
        again_scores=full + core + (partly > 0.0),
    )


def _tokens(job: Job, layout: Layouts) -> float:
    return float(layout.micro_batch[0] * job.seq_len / layout.cp[0])


def _named(blocks: Blocks, job: Job) -> list[tuple[str, Matrices, str]]:
    shape = job.shape
    attention: tuple[str, ...]
    if not shape.mla:
        attention = ("Query, key, value", "Attention output")
    elif shape.q_lora_rank:
        attention = ("Query down", "Query up", "Key/value down", "Key/value up", "Attention output")
    else:
        attention = ("Query", "Key/value down", "Key/value up", "Attention output")
    up = "FFN up and gate" if shape.gated else "FFN up"
    return [
        *((name, blocks.attention, str(i)) for i, name in enumerate(attention)),
        *((name, blocks.mlp, str(i)) for i, name in enumerate((up, "FFN down")) if len(blocks.mlp.n)),
        *((f"Shared expert {n}", blocks.shared, str(i)) for i, n in enumerate(("up", "down")) if len(blocks.shared.n)),
    ]


def _gemms(job: Job, layout: Layouts, dense: float, mixed: float) -> list[tuple[_Gemm, float]]:
    blocks, tensor = job.blocks, float(layout.tp[0])
    tokens = _tokens(job, layout)
    low = job.precision in LOW_PRECISION

    def cut(matrices: Matrices, i: int, ways: float) -> tuple[float, float]:
        n = float(matrices.n[i, 0]) / (ways if matrices.cut_n[i, 0] else 1.0)
        k = float(matrices.k[i, 0]) / (ways if matrices.cut_k[i, 0] else 1.0)
        return n, k

    found: list[tuple[_Gemm, float]] = []
    for name, matrices, at in _named(blocks, job):
        n, k = cut(matrices, int(at), tensor)
        calls = dense + mixed if matrices is blocks.attention else dense if matrices is blocks.mlp else mixed
        found.append((_Gemm(name, n, k, tokens, 1.0, low), calls))
    if blocks.moe_layers:
        found.append((_Gemm("Router", *cut(blocks.router, 0, 1.0), tokens, 1.0, low), mixed))
        local = max(1.0, blocks.experts / float(layout.ep[0]))
        each = tokens * blocks.top_k * float(layout.etp[0]) / tensor * job.imbalance / local
        for i, name in enumerate(("Experts up", "Experts down")):
            n, k = cut(blocks.expert, i, float(layout.etp[0]))
            found.append((_Gemm(name, n, k, each, local, low, True), mixed))
    return found


def _head(job: Job, layout: Layouts) -> _Gemm:
    width = job.blocks.vocab / float(layout.tp[0])
    return _Gemm(HEAD, width, job.blocks.hidden, _tokens(job, layout), 1.0, False)


def _both_passes(job: Job, machine: Machine, gemm: _Gemm, calls: float, again: float) -> list[Kernel]:
    n, k, m = gemm.n, gemm.k, gemm.rows
    found = [_one(job, machine, gemm, FORWARD, calls * (1.0 + again), [(m, n, k, 2.0)])]
    back = [(m, k, n, 2.0)]
    if job.trains_weights:
        back.append((n, k, m, 4.0))
    return [*found, _one(job, machine, gemm, BACKWARD, calls, back)]


def _one(
    job: Job,
    machine: Machine,
    gemm: _Gemm,
    phase: str,
    calls: float,
    sizes: list[tuple[float, float, float, float]],
) -> Kernel:
    fit = machine.fit
    rate = machine.gemm_flops_s if gemm.low or job.precision not in LOW_PRECISION else machine.half_flops_s
    peak = machine.peak_flops_s if gemm.low or job.precision not in LOW_PRECISION else machine.half_peak_flops_s
    if gemm.grouped:
        rate = rate * (fit["grouped_low"] if gemm.low and job.year < FUSED_EXPERT_CASTS else fit["grouped"])
    in_bytes = 1.0 if gemm.low else 2.0
    format = job.precision if gemm.low or job.precision not in LOW_PRECISION else SIXTEEN_BITS
    # without one kernel for all, each expert's multiplication starts on its own
    starts = len(sizes) * gemm.groups * fit["expert_start_us"] * 1e-6 * (gemm.grouped and job.year < FUSED_EXPERT_CASTS)
    seconds = computing = flops = moved = near = 0.0
    for rows, wide, deep, out_bytes in sizes:
        m, n, k = np.array([rows]), np.array([wide]), np.array([deep])
        given = (gemm.groups, rate)
        seconds += float(
            gemm_s(m, n, k, *given, machine.hbm_bytes_s, machine.sms, fit["ramp"], in_bytes, out_bytes, job.tile)[0]
        )
        computing += float(
            gemm_s(m, n, k, *given, math.inf, machine.sms, fit["ramp"], in_bytes, out_bytes, job.tile)[0]
        )
        flops += 2.0 * gemm.groups * rows * wide * deep
        near += gemm.groups * in_bytes * rows * wide * deep * _reads(job, gemm, m, n, k, rate, machine)
        moved += gemm.groups * (in_bytes * (rows * deep + deep * wide) + out_bytes * rows * wide)
    bound = LAUNCH if starts > seconds else COMPUTE if computing >= 0.999 * seconds else MEMORY
    if phase == BACKWARD and job.trains_weights:
        # weight gradients are added to the step's sum
        summed = ACCUMULATED_BYTES[job.accumulates] * gemm.groups * gemm.n * gemm.k
        seconds, moved = seconds + summed / machine.hbm_bytes_s, moved + summed
    return Kernel(
        gemm.name,
        phase,
        calls,
        flops,
        moved,
        seconds + starts,
        peak,
        bound,
        format,
        flops / rate / computing,
        near,
        gemm.n,
        gemm.k,
        in_bytes,
        gemm.grouped,
    )


def _reads(job: Job, gemm: _Gemm, m: Array, n: Array, k: Array, rate: float, machine: Machine) -> float:
    """Return how often each operand of a multiply-add is read from L2: once a tile row and once a tile column."""
    tried = range(len(TILES)) if job.tile is None else (job.tile,)
    ramp = machine.fit["ramp"]

    def timed(tile: int) -> float:
        return float(gemm_s(m, n, k, gemm.groups, rate, math.inf, machine.sms, ramp, 2.0, 2.0, tile)[0])

    tall, wide, _ = TILES[min(tried, key=timed)]
    return 1.0 / tall + 1.0 / wide


def _attention(job: Job, machine: Machine, layout: Layouts, calls: _Calls) -> list[Kernel]:
    blocks, tensor, tokens = job.blocks, float(layout.tp[0]), _tokens(job, layout)
    count = calls.dense + calls.mixed
    pairs = blocks.score_pairs(job.seq_len, causal=job.fused_attention)
    flops = 2.0 * blocks.heads / tensor * (blocks.qk_dim + blocks.v_dim) * pairs * tokens / job.seq_len
    moved = 2.0 * tokens * (blocks.q_width + blocks.kv_width + blocks.out_width) / tensor
    if job.fused_attention:
        back, ahead = BACKWARD_ATTENTION, flops / fused_attention_flops_s(job, machine)
        behind = back * ahead / machine.fit["attention_backward"]
    else:
        ramp = machine.fit["ramp"]
        shallow = 0.5 * ((blocks.qk_dim + ramp) / blocks.qk_dim + (job.seq_len + ramp) / job.seq_len)
        back, ahead = 2.0, flops * shallow / machine.half_flops_s
        behind = back * ahead
    peak = machine.half_peak_flops_s
    again = count * (1.0 + calls.again_core)
    found = [
        Kernel(ATTENTION, FORWARD, again, flops, moved, ahead, peak, COMPUTE),
        Kernel(ATTENTION, BACKWARD, count, back * flops, 2.0 * moved, behind, peak, COMPUTE),
    ]
    scores = score_bytes(job, layout)
    once, work = scores / machine.hbm_bytes_s, ELEMENTWISE_FLOP_BYTE * scores
    if scores:
        again = count * (1.0 + calls.again_scores)
        found += [
            Kernel(SCORES, FORWARD, again, work, scores, once, peak, MEMORY),
            Kernel(SCORES, BACKWARD, count, 2.0 * work, 2.0 * scores, 2.0 * once, peak, MEMORY),
        ]
    return found


def score_bytes(job: Job, layout: Layouts) -> float:
    """Return what one layer's scores move through HBM in a forward pass, in bytes; none where they stay on chip.

    Written, scaled and masked, softmax, read again: four passes of two bytes, and the dropout mask twice more.
    """
    if job.fused_attention:
        return 0.0
    return job.blocks.heads / float(layout.tp[0]) * job.seq_len * _tokens(job, layout) * (13.0 if job.dropout else 8.0)


def _elementwise(job: Job, machine: Machine, layout: Layouts, calls: _Calls) -> list[Kernel]:
    plain, experts = layer_times(job, machine, layout)
    # with launches that take no time what is left is traffic; the rest of the time the GPU waits for its host
    at_once = replace(machine, fit={**machine.fit, **dict.fromkeys(LAUNCHES, 0.0)})
    busy = layer_times(job, at_once, layout)
    scores = score_bytes(job, layout) / machine.hbm_bytes_s * (3.0 + calls.again_scores)
    peak = machine.half_peak_flops_s
    found = []
    names = (
        ("Norms, activations, casts", plain, busy[0], calls.dense),
        ("Routing, norms, activations, casts", experts, busy[1], calls.mixed),
    )
    for name, times, at_best, count in names:
        waits = float(times.elementwise[0] - at_best.elementwise[0])
        seconds = float(at_best.elementwise[0]) - scores
        if waits > 1e-9 * seconds:
            found.append(Kernel(WAITING, BOTH, count, 0.0, 0.0, waits, peak, LAUNCH))
        moved = seconds * machine.hbm_bytes_s
        found.append(Kernel(name, BOTH, count, moved * ELEMENTWISE_FLOP_BYTE, moved, seconds, peak, MEMORY))
    loss = float(head_times(job, machine, layout).elementwise[0])
    moved = loss * machine.hbm_bytes_s
    found.append(Kernel("Loss", BOTH, calls.heads, moved * ELEMENTWISE_FLOP_BYTE, moved, loss, peak, MEMORY))
    return found


def traffic_bytes(job: Job, machine: Machine, degrees: Degrees) -> float:
    """Return the HBM traffic of the kernels of one GPU in one step, in bytes."""
    return sum(kernel.calls * kernel.moved_bytes for kernel in kernels_of(job, machine, degrees))


def l2_bytes(job: Job, machine: Machine, degrees: Degrees) -> float:
    """Return what GEMM tiles of one GPU read from its L2 cache in one step, in bytes."""
    return sum(kernel.calls * kernel.l2_bytes for kernel in kernels_of(job, machine, degrees))
