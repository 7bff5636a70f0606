"""Time of one layer's kernels and of the communication inside it, forward and backward, for arrays of layouts."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from wattsweights_gui.engine.equations import collectives as comm
from wattsweights_gui.engine.equations.blocks import Matrices
from wattsweights_gui.engine.equations.gemm import gemm_s
from wattsweights_gui.engine.equations.job import BYTES_16, LOW_PRECISION, Job
from wattsweights_gui.engine.equations.layouts import Array, Layouts
from wattsweights_gui.engine.equations.machine import Machine
from wattsweights_gui.engine.equations.stages import recomputed_share

BACKWARD_ATTENTION = 2.5
LATEST = 2027.0
FUSED_EXPERT_CASTS = 2026.4
"""From this release on one kernel quantises and multiplies all experts of a rank."""
PREFETCH = 2022.0
EARLY = 2023.0
"""Before 2023 launches were slower; before 2022 sharded gathers went parameter by parameter through one adapter."""
KERNELS_FORWARD, KERNELS_ROUTING, KERNELS_AN_EXPERT = 14.0, 30.0, 4.0
TREND_YEAR = 2026.0
CAST, COPIED_CAST = 3.0, 4.0
"""Bytes of a cast to 8 bits: read in 16, written once, or once more transposed for the weight gradient. Hopper's units
take one order of rows only, and blocks with scales of their own differ along rows and columns."""
SCALED_BLOCKS = frozenset({"fp8_block", "mxfp8", "nvfp4"})
BIASED_ACTIVATION, BIASED_OUTPUT = 14.0, 14.0
"""16-bit values a row that biased experts move beyond fused ones, forward, for each column of the inner and of the
hidden width. Counted in Megatron Core 0.14 (``TEGroupedMLP``, unfused): the clamps of both halves, the gate, the
offset, their product and the weighing in 32 bits move 17 where a fused kernel moves 3; ``_apply_bias`` makes,
adds, joins and casts the output's bias in 32 bits, 14."""
WIDE_HEAD = 128.0
"""Head width at which attention kernels are rated."""
ACCUMULATED_BYTES = {"fused": 4.0, "apart": 10.0, "sharded": 0.0}
"""Bytes of a weight gradient that add to the time of its multiplication. Fused, the old sum is read after the last
product of a tile (A100 and B200 kernels with accumulation: 5 % and 2 to 8 % slower at 4,096 rows). Apart, the
16-bit gradient and the sum are read and the sum written."""


@dataclass(frozen=True, slots=True)
class LayerTimes:
    """Seconds of one micro batch by part, forward and backward together, and how much of them is forward."""

    compute: Array
    elementwise: Array
    tensor: Array
    experts: Array
    context: Array
    forward: Array

    @property
    def parts(self) -> tuple[Array, ...]:
        """All fields in order."""
        return (self.compute, self.elementwise, self.tensor, self.experts, self.context, self.forward)

    @property
    def total(self) -> Array:
        """Forward and backward."""
        return self.compute + self.elementwise + self.tensor + self.experts + self.context

    @property
    def backward(self) -> Array:
        """Backward, recompute included."""
        return self.total - self.forward


def _stack(parts: list[Matrices]) -> tuple[Array, Array, Array, Array, list[slice]]:
    slices, start = [], 0
    for p in parts:
        slices.append(slice(start, start + len(p.n)))
        start += len(p.n)
    columns = [np.concatenate([getattr(p, name) for p in parts]) for name in ("n", "k", "cut_n", "cut_k")]
    return columns[0], columns[1], columns[2], columns[3], slices


def layer_times(job: Job, machine: Machine, layouts: Layouts) -> tuple[LayerTimes, LayerTimes]:
    """Return the times of one dense and one mixture-of-experts layer."""
    b, f = job.blocks, machine.fit
    t, along = layouts.tp, np.where(layouts.sequence_parallel > 0.0, layouts.tp, 1.0)
    tokens = layouts.micro_batch * job.seq_len / layouts.cp
    full = recomputed_share(job, layouts)
    low = job.precision in LOW_PRECISION
    in_bytes = 1.0 if low else 2.0
    hbm, ramp = machine.hbm_bytes_s, f["ramp"]
    wgrad = 1.0 if job.trains_weights else 0.0
    # the token matrices: forward, data gradient and weight gradient of each
    n, k, cut_n, cut_k, where = _stack([b.attention, b.mlp, b.shared, b.router])
    n = n / (1.0 + cut_n * (t - 1.0))
    k = k / (1.0 + cut_k * (t - 1.0))
    flops = machine.gemm_flops_s
    ahead = gemm_s(tokens, n, k, 1.0, flops, hbm, machine.sms, ramp, in_bytes, 2.0, job.tile)
    back = gemm_s(tokens, k, n, 1.0, flops, hbm, machine.sms, ramp, in_bytes, 2.0, job.tile)
    weight_side = np.zeros_like(tokens)
    if wgrad:
        of_weights = weight_gradient_s(job, machine, n, k, tokens, 1.0, flops, in_bytes)
        weight_side = of_weights.sum(axis=0) if job.hides_input_gradients else weight_side
        back = back + of_weights
    a_f, m_f, s_f, r_f = (ahead[w].sum(axis=0) for w in where)
    a_b, m_b, s_b, r_b = (back[w].sum(axis=0) for w in where)
    core_f, core_b, score_f, score_b = _attention(job, machine, layouts, tokens)
    selective = (layouts.recompute == 1.0) * (0.0 if job.fused_attention else 1.0)
    partly = (layouts.recompute == 1.0) * job.recompute_matmuls
    # bytes of the element-wise kernels, forward; backward moves about twice as much
    fuse = 1.0 if job.compiled else f["eager"]
    casts = (COPIED_CAST if machine.generation == "hopper" or job.precision in SCALED_BLOCKS else CAST) if low else 0.0
    around = fuse * (BYTES_16 * 2.0 * b.norms * b.hidden + 8.0 * b.hidden) + casts * 2.0 * b.hidden
    attention_bytes = fuse * 2.0 * BYTES_16 * (b.q_width + b.kv_width) / t + casts * b.out_width / t
    attention_bytes = attention_bytes + fuse * 2.0 * BYTES_16 * b.latent_width

    def inner_bytes(width: float) -> float:
        return fuse * BYTES_16 * (b.gates + 1.0) * width + casts * width

    outer = tokens * (around / along + attention_bytes)
    dense_e = (outer + tokens * inner_bytes(b.ffn) / t) / hbm
    tensor = _tensor(job, machine, layouts, tokens)
    context_f, context_b = _context(job, machine, layouts, tokens, core_f, core_b)
    host = f["host_early_us" if job.year < EARLY else "host_us"] * 1e-6
    routing = f["host_experts_us"] * 1e-6 * np.exp(-f["software_gain"] * (min(job.year, LATEST) - TREND_YEAR))

    def layer(
        gemm_f: Array, gemm_b: Array, element: Array, sync: float, ep_f: Array, ep_b: Array, kernels: Array
    ) -> LayerTimes:
        again = (full + partly) * gemm_f + (full + selective) * core_f
        compute_f, compute_b = gemm_f + core_f, gemm_b + core_b + again
        e_f = element + score_f
        e_b = 2.0 * element + score_b + (full + (partly > 0.0)) * e_f + selective * score_f
        tp_f = sync * tensor
        tp_b = np.maximum(tp_f - weight_side, 0.0) + tp_f * full if job.hides_input_gradients else tp_f * (1.0 + full)
        floor_f = kernels
        floor_b = kernels * (2.0 + full)
        wait_f = np.maximum(0.0, floor_f - compute_f - e_f - tp_f - ep_f - context_f)
        wait_b = np.maximum(0.0, floor_b - compute_b - e_b - tp_b - ep_b - context_b)
        gpu_f = compute_f + e_f + tp_f + ep_f + context_f + wait_f
        return LayerTimes(
            compute_f + compute_b,
            e_f + e_b + wait_f + wait_b,
            tp_f + tp_b,
            ep_f + ep_b * (1.0 + full),
            context_f + context_b * (1.0 + 0.0 * full),
            gpu_f,
        )

    zero = np.zeros_like(tokens)
    fixed = zero + (0.0 if job.graphed else host * KERNELS_FORWARD)
    dense = layer(a_f + m_f, a_b + m_b, dense_e, 1.0, zero, zero, fixed)
    if not b.moe_layers:
        return dense, dense
    rows = tokens * b.top_k * layouts.etp / t * job.imbalance
    local = np.maximum(1.0, b.experts / layouts.ep)
    en, ek = b.expert.n, b.expert.k
    en = en / (1.0 + b.expert.cut_n * (layouts.etp - 1.0))
    ek = ek / (1.0 + b.expert.cut_k * (layouts.etp - 1.0))
    each = rows / local
    fused = job.year >= FUSED_EXPERT_CASTS
    rate = flops * (f["grouped_low"] if low and not fused else f["grouped"])
    # without one kernel for all, each expert's multiplication starts on its own
    starts = 0.0 if fused else f["expert_start_us"] * 1e-6 * len(en) * local
    x_f = starts + gemm_s(each, en, ek, local, rate, hbm, machine.sms, ramp, in_bytes, 2.0, job.tile).sum(axis=0)
    x_b = starts + gemm_s(each, ek, en, local, rate, hbm, machine.sms, ramp, in_bytes, 2.0, job.tile).sum(axis=0)
    if wgrad:
        x_b = x_b + starts + weight_gradient_s(job, machine, en, ek, each, local, rate, in_bytes).sum(axis=0)
    inner = inner_bytes(b.expert_ffn) - (casts * b.expert_ffn if fused else 0.0)
    moved = fuse * 4.0 * BYTES_16 * b.hidden + (0.0 if fused else casts * b.hidden) + inner / layouts.etp
    if job.shape.mlp_bias and not fused:
        widths = BIASED_ACTIVATION * b.expert_ffn / layouts.etp + BIASED_OUTPUT * b.hidden
        moved = moved + f["eager"] * BYTES_16 * widths
    launches = KERNELS_ROUTING + (0.0 if fused else KERNELS_AN_EXPERT * (2.0 if low else 1.0)) * local
    mixed_e = (outer + tokens * inner_bytes(b.shared_ffn) / t + rows * moved) / hbm
    sent = tokens / t * b.top_k * b.hidden
    ranks = comm.group_of(machine, layouts.ep, layouts.etp)
    there = comm.all_to_all_s(machine, ranks, sent * job.dispatch_bytes, float(b.top_k))
    home = comm.all_to_all_s(machine, ranks, sent * BYTES_16, float(b.top_k))
    # chunks, or two directions of a zero-bubble pipeline, let one micro batch compute while another is sent
    exposed = np.where((layouts.vpp > 1.0) | (layouts.schedule >= 2.0), f["expert_exposed"], 1.0)
    mixed = layer(
        a_f + s_f + r_f + x_f,
        a_b + s_b + r_b + x_b,
        mixed_e,
        0.5 if not b.shared_ffn else 0.75,
        exposed * (there + home) * job.imbalance,
        exposed * (there + home) * job.imbalance,
        fixed + routing * launches,
    )
    return dense, mixed


def weight_gradient_s(
    job: Job,
    machine: Machine,
    n: Array,
    k: Array,
    tokens: Array,
    groups: Array | float,
    flops_s: float,
    in_bytes: float,
) -> Array:
    """Return the seconds of weight gradients and of adding them to the step's sum."""
    hbm, ramp = machine.hbm_bytes_s, machine.fit["ramp"]
    made = gemm_s(n, k, tokens, groups, flops_s, hbm, machine.sms, ramp, in_bytes, 4.0, job.tile)
    time: Array = made + ACCUMULATED_BYTES[job.accumulates] * groups * n * k / hbm
    return time


def head_times(job: Job, machine: Machine, layouts: Layouts) -> LayerTimes:
    """Return the times of the output head and the loss, in 16 bits whatever the layers run in."""
    b = job.blocks
    tokens = layouts.micro_batch * job.seq_len / layouts.cp
    n, k = b.vocab / layouts.tp, b.hidden * np.ones_like(layouts.tp)
    flops, hbm, ramp = machine.half_flops_s, machine.hbm_bytes_s, machine.fit["ramp"]
    ahead = gemm_s(tokens, n, k, 1.0, flops, hbm, machine.sms, ramp, 2.0, 2.0, job.tile)
    back = gemm_s(tokens, k, n, 1.0, flops, hbm, machine.sms, ramp, 2.0, 2.0, job.tile)
    if job.trains_weights:
        back = back + weight_gradient_s(job, machine, n, k, tokens, 1.0, flops, 2.0)
    loss = tokens * n * (8.0 if job.fused_loss else 16.0) / hbm
    zero = np.zeros_like(tokens)
    group = comm.group_of(machine, layouts.tp, np.ones_like(layouts.tp))
    tensor = np.where(layouts.tp > 1.0, 2.0 * comm.gather_s(group, tokens * b.hidden * BYTES_16), 0.0)
    return LayerTimes(ahead + back, loss, tensor, zero, zero, ahead + loss / 2.0 + tensor / 2.0)


def fused_attention_flops_s(job: Job, machine: Machine) -> float:
    """Return what a fused attention kernel reaches forward on this model, FLOP/s of the pairs that are not masked.

    Tiles that the mask cuts are computed whole, so few keys a query reach less: measured rates follow
    keys / (keys + depth). Narrow heads leave matrix units waiting for exponentials. Biased scores (ALiBi) take kernels
    of their own (mosaicml/llm-foundry pull request 820).
    """
    b, fit = job.blocks, machine.fit
    keys = 2.0 * b.score_pairs(job.seq_len) / job.seq_len
    narrow = machine.attention_narrow ** max(0.0, math.log2(WIDE_HEAD / b.qk_dim))
    biased = fit["attention_biased"] if job.shape.alibi else 1.0
    reached: float = machine.attention_flops_s * narrow * biased * keys / (keys + fit["attention_depth"])
    return reached


def _attention(job: Job, machine: Machine, layouts: Layouts, tokens: Array) -> tuple[Array, Array, Array, Array]:
    """Return the seconds of the attention core (forward, backward) and of scores that pass through memory."""
    b = job.blocks
    pairs = b.score_pairs(job.seq_len, causal=job.fused_attention)
    sequences = tokens / job.seq_len
    heads = b.heads / layouts.tp
    work = 2.0 * heads * (b.qk_dim + b.v_dim) * pairs * sequences
    if job.fused_attention:
        forward = work / fused_attention_flops_s(job, machine)
        zero = np.zeros_like(work)
        return forward, BACKWARD_ATTENTION * forward / machine.fit["attention_backward"], zero, zero
    # two batched multiplications, one as shallow as a head is wide, the other as deep as the sequence
    ramp = machine.fit["ramp"]
    shallow = 0.5 * ((b.qk_dim + ramp) / b.qk_dim + (job.seq_len + ramp) / job.seq_len)
    forward = work * shallow / machine.half_flops_s
    # scores written, scaled and masked, softmax, dropout and its mask, read again
    scores = heads * job.seq_len * tokens * (13.0 if job.dropout else 8.0) / machine.hbm_bytes_s
    return forward, 2.0 * forward, scores, 2.0 * scores


def _tensor(job: Job, machine: Machine, layouts: Layouts, tokens: Array) -> Array:
    """Return the exposed seconds of one layer's tensor-parallel collectives in one pass."""
    group = comm.group_of(machine, layouts.tp, np.ones_like(layouts.tp))
    # of the four, two gather inputs, cast before they are sent, and two scatter sums in 16 bits
    sent = BYTES_16 if job.precision not in LOW_PRECISION else np.where(layouts.sequence_parallel > 0.0, 1.5, 2.0)
    once = comm.gather_s(group, tokens * job.blocks.hidden * sent)
    exposed = machine.fit["tensor_exposed"] if job.overlap_tensor else 1.0
    passes = 2.0 if job.parallel_block else 4.0
    return np.where(layouts.tp > 1.0, passes * once * exposed, 0.0)


def _context(
    job: Job, machine: Machine, layouts: Layouts, tokens: Array, core_f: Array, core_b: Array
) -> tuple[Array, Array]:
    """Return the exposed seconds of keys and values that pass round the context-parallel group."""
    group = comm.group_of(machine, layouts.cp, layouts.tp)
    payload = tokens * layouts.cp * job.blocks.kv_width / layouts.tp * BYTES_16
    once = comm.gather_s(group, payload)
    several = layouts.cp > 1.0
    first = 1.0 / np.maximum(layouts.cp, 1.0)
    forward = np.maximum(once - core_f, once * first)
    backward = np.maximum(2.0 * once - core_b, 2.0 * once * first)
    return np.where(several, forward, 0.0), np.where(several, backward, 0.0)
