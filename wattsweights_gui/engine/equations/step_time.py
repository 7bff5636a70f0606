"""Time of one optimizer step by part, for arrays of layouts: kernels, communication, pipeline, optimizer."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from wattsweights_gui.engine.equations import collectives as comm
from wattsweights_gui.engine.equations.job import BYTES_16, Job
from wattsweights_gui.engine.equations.kernels import PREFETCH, LayerTimes, head_times, layer_times
from wattsweights_gui.engine.equations.layouts import Array, Layouts
from wattsweights_gui.engine.equations.machine import Machine
from wattsweights_gui.engine.equations.memory import LocalParams, activation_bytes_a_layer, local_params
from wattsweights_gui.engine.equations.stages import FIRST, LAST, MIDDLE, Stages, recomputed_share, stages_of

SOURCE = "roofline and alpha-beta model of this program, constants fitted on published runs (calibration.json)"
TINY_S = 1e-12
"""Where nothing moves, nothing is divided by."""


@dataclass(frozen=True, slots=True)
class StepTime:
    """Seconds of one step on the slowest stage, by part; communication is what computing does not hide."""

    compute: Array
    elementwise: Array
    tensor: Array
    experts: Array
    context: Array
    pipeline: Array
    data: Array
    bubble: Array
    optimizer: Array
    offload: Array

    @property
    def total(self) -> Array:
        """All parts."""
        return (
            self.compute
            + self.elementwise
            + self.tensor
            + self.experts
            + self.context
            + self.pipeline
            + self.data
            + self.bubble
            + self.optimizer
            + self.offload
        )

    def take(self, index: int) -> StepTime:
        """Return the time of one layout."""
        return StepTime(*(np.atleast_1d(getattr(self, f.name)[index]) for f in fields(self)))


def step_time(job: Job, machine: Machine, layouts: Layouts, stages: Stages | None = None) -> StepTime:
    """Return the time of one step by part."""
    stages = stages or stages_of(job, layouts)
    dense, mixed = layer_times(job, machine, layouts)
    head = head_times(job, machine, layouts)
    times = _per_stage(job, stages, dense, mixed, head)
    folded = (layouts.schedule >= 2.0) & (layouts.vpp == 2.0) & (layouts.pp > 1.0)
    if folded.any():
        # the V schedule and DualPipe give a GPU one chunk from each end, the input table's stage and the head's
        times = LayerTimes(*(_folded(part, folded) for part in times.parts))
    totals = times.total
    totals = np.where(stages.exists > 0, totals, 0.0)
    worst = np.argmax(totals, axis=0)
    column = np.arange(len(worst))
    at = LayerTimes(*(part[worst, column] for part in times.parts))
    batches = stages.micro_batches
    slowest = np.max(totals, axis=0)
    alone = layouts.pp == 1.0
    others = np.where(alone, 0.0, totals[0] + np.maximum(layouts.pp - 2.0, 0.0) * totals[1] + totals[2] - slowest)
    send = _send(job, machine, layouts)
    # zero bubble fills waiting with weight gradients: H1 leaves a third, H2 nothing (Qi et al. 2024, arXiv 2401.10241)
    saved = np.where(layouts.schedule >= 3.0, 0.0, np.where(layouts.schedule >= 2.0, 1.0 / 3.0, 1.0))
    chunks = np.where(layouts.schedule == 1.0, layouts.vpp, np.maximum(layouts.vpp, 1.0))
    bubble = others / chunks * saved + np.where(alone, 0.0, (layouts.pp - 1.0) * 2.0 * send)
    waited = send
    if job.overlap_sends:
        # interleaved chunks are sent while the next one computes
        chunk = 0.5 * slowest / np.maximum(layouts.vpp, 1.0)
        waited = np.where(layouts.vpp > 1.0, np.maximum(send - chunk, 0.0), send)
    pipeline = np.where(alone, 0.0, batches * layouts.vpp * 2.0 * waited)
    params = local_params(job, layouts, stages)
    fullest = (params.shared * stages.exists).max(axis=0), (params.experts * stages.exists).max(axis=0)
    data = _data(job, machine, layouts, stages, params, fullest, slowest)
    return StepTime(
        compute=batches * at.compute,
        elementwise=batches * at.elementwise,
        tensor=batches * at.tensor,
        experts=batches * at.experts,
        context=batches * at.context,
        pipeline=pipeline,
        data=data,
        bubble=bubble,
        optimizer=_optimizer(job, machine, layouts, params, fullest),
        offload=offload_s(job, layouts, stages, slowest),
    )


def _per_stage(job: Job, stages: Stages, dense: LayerTimes, mixed: LayerTimes, head: LayerTimes) -> LayerTimes:
    extra = stages.heads * job.blocks.mtp_layers
    last = mixed if job.blocks.moe_layers else dense
    heads = stages.heads * (1.0 + job.blocks.mtp_layers)
    return LayerTimes(
        *(
            stages.dense * d + stages.moe * m + heads * h + extra * e
            for d, m, h, e in zip(dense.parts, mixed.parts, head.parts, last.parts, strict=True)
        )
    )


def _folded(part: Array, folded: Array) -> Array:
    ends = np.where(folded, 0.5 * (part[FIRST] + part[LAST]), 0.0)
    return np.stack([np.where(folded, ends, part[FIRST]), part[MIDDLE], np.where(folded, ends, part[LAST])])


def _send(job: Job, machine: Machine, layouts: Layouts) -> Array:
    tokens = layouts.micro_batch * job.seq_len / layouts.cp
    payload = tokens * job.blocks.hidden * BYTES_16 / layouts.tp
    return comm.send_s(machine, layouts.tp * layouts.cp * layouts.dp, payload)


def _data(
    job: Job,
    machine: Machine,
    layouts: Layouts,
    stages: Stages,
    params: LocalParams,
    fullest: tuple[Array, Array],
    slowest: Array,
) -> Array:
    """Return the exposed time of gradients and parameters over the data-parallel ranks."""
    if not job.trains_weights:
        return np.zeros_like(layouts.tp)

    gradient_bytes = job.recipe.reduced_bytes
    weight_bytes = 1.0 if job.recipe.weights < 2.0 else 2.0
    shared = comm.group_of(machine, params.shared_ranks, layouts.tp)
    if job.year < PREFETCH:
        one = machine.nic_bytes_s * machine.fit["gather_early"]
        early = (layouts.sharding >= 3.0) & (shared.domains > 1.0)
        shared = replace(shared, bytes_s=np.where(early, np.minimum(shared.bytes_s, one), shared.bytes_s))
    experts = comm.group_of(machine, params.expert_ranks, layouts.ep * layouts.etp)
    p_shared, p_experts = fullest
    has = p_experts > 0.0

    def both(function: str, each: float) -> Array:
        def one(group: comm.Group, count: Array) -> Array:
            moved = (
                comm.all_reduce_s(machine, group, each * count)
                if function == "reduce"
                else comm.gather_s(group, each * count)
            )
            return np.where(group.size > 1.0, moved, 0.0)

        return one(shared, p_shared) + np.where(has, one(experts, p_experts), 0.0)

    # a pass forward is one of three equal parts of a micro batch, of four where it is done again
    forward = slowest / (3.0 + recomputed_share(job, layouts))
    backward = slowest - forward
    none = layouts.sharding == 0.0
    fsdp = layouts.sharding >= 3.0
    reduce = both("scatter", gradient_bytes)
    if none.any():
        reduce = np.where(none, both("reduce", gradient_bytes), reduce)
    gather = np.where(none, 0.0, both("gather", weight_bytes))
    batches = stages.micro_batches
    units = np.maximum(1.0, ((stages.dense + stages.moe) * stages.exists).max(axis=0))
    hidden = machine.fit["data_hidden"] if job.overlap_gradients else 0.0
    # hidden collectives take SMs and memory by their bytes, as long as these take at the rate of the links: those that
    # wait for an adapter take no more
    each_byte = machine.fit["contention"] / machine.link_bytes_s
    sent = p_shared * (1.0 - 1.0 / shared.size) + np.where(has, p_experts * (1.0 - 1.0 / experts.size), 0.0)
    summed, spread = each_byte * gradient_bytes * sent * np.where(none, 2.0, 1.0), each_byte * weight_bytes * sent

    def left(moved: Array, window: Array, touched: Array) -> Array:
        """What a pass does not hide: at least one layer's, and what hidden traffic takes of SMs and memory."""
        if not job.overlap_gradients:
            return moved
        bare = np.maximum(moved - hidden * window, moved / units)
        exposed: Array = bare + np.minimum(touched, moved) * (1.0 - bare / np.maximum(moved, TINY_S))
        return exposed

    ahead = left(gather, forward, np.where(none, 0.0, spread))
    once = left(reduce, backward, summed) + ahead
    if not fsdp.any():
        return once
    rest = layouts.dp * layouts.cp / params.shared_ranks
    across = comm.group_of(machine, rest, layouts.tp * params.shared_ranks)
    hybrid = np.where(
        rest > 1.0, comm.all_reduce_s(machine, across, gradient_bytes * p_shared / params.shared_ranks), 0.0
    )
    each = ahead + left(gather + reduce, backward, summed + spread)
    return np.where(fsdp, np.where(layouts.pp > 1.0, once, batches * each) + hybrid, once)


def offload_s(job: Job, layouts: Layouts, stages: Stages, slowest: Array) -> Array:
    """Return the exposed time of activations that go to host memory and back, which a micro batch's work hides."""
    if not job.offload_layers:
        return np.zeros_like(layouts.tp)
    dense, mixed, _ = activation_bytes_a_layer(job, layouts)
    moved = np.minimum(job.offload_layers, job.blocks.layers / layouts.pp) * (mixed if job.blocks.moe_layers else dense)
    each = np.maximum(0.0, 2.0 * moved / job.host_bytes_s - slowest)
    exposed: Array = stages.micro_batches * each
    return exposed


def _optimizer(
    job: Job, machine: Machine, layouts: Layouts, params: LocalParams, fullest: tuple[Array, Array]
) -> Array:
    """Return the time of the update: master copy and moments read and written, gradients read, weights written."""
    if not job.trains_weights:
        return np.zeros_like(layouts.tp)
    moved = 2.0 * (job.recipe.master + job.recipe.moments) + job.recipe.gradients + job.recipe.weights
    sharded = layouts.sharding >= 1.0
    shared, experts = fullest
    count = shared / np.where(sharded, params.shared_ranks, 1.0) + experts / np.where(sharded, params.expert_ranks, 1.0)
    zeroed = job.recipe.gradients * (shared + experts)
    away: Array | float = 0.0
    if job.offload_optimizer:
        # gradients leave and weights come back over the link while the host's cores read and write the states
        crossed = (job.recipe.gradients + job.recipe.weights) * count / job.host_bytes_s
        away = np.maximum(crossed, moved * count / job.host_memory_bytes_s)
        moved = job.recipe.gradients + job.recipe.weights
    # beside the bytes: gradient norm, loss and overflow are agreed on by all ranks once a step, a tree of log2 n hops
    agreed = machine.fit["step_ms"] * 1e-3 * np.log2(layouts.gpus) / 8.0
    time: Array = (moved * count + zeroed) / machine.hbm_bytes_s + agreed + away
    return time
