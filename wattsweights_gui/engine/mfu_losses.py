"""Where the peak goes: the predicted MFU part by part, and what would explain a measured MFU that differs.

Each suspect is the same job evaluated anew with one thing changed, so its size is this plan's, not a rule of thumb.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from wattsweights_gui.engine.declare import LaterTable, Table, Value
from wattsweights_gui.engine.equations import transformer
from wattsweights_gui.engine.equations.job import LOW_PRECISION, Job
from wattsweights_gui.engine.equations.layouts import Layouts
from wattsweights_gui.engine.equations.machine import Machine
from wattsweights_gui.engine.equations.stages import recomputed_share
from wattsweights_gui.engine.equations.step_time import step_time
from wattsweights_gui.engine.kernel_points import Degrees

_SOURCE = "this program's step time, with one thing changed at a time"
SLOW_CLOCK, SLOW_GPU, NATURAL_IMBALANCE = 0.9, 0.9, 1.5
SMALL_POINTS = 0.2
PARTS = {
    "elementwise": ("Element-wise work and launches", "HBM bandwidth; fuse kernels, record CUDA graphs"),
    "tensor": ("Tensor parallel, exposed", "NVLink; less tensor parallelism, larger micro batch, overlap"),
    "context": ("Context parallel, exposed", "fewer ranks a sequence, or keep them in the NVLink domain"),
    "experts": ("Expert parallel, exposed", "keep experts in the NVLink domain; dispatch in 8 bits; interleave"),
    "pipeline": ("Pipeline sends, exposed", "fewer chunks a stage"),
    "bubble": ("Pipeline bubble", "more micro batches a replica, interleaving, zero bubble"),
    "data": ("Data parallel, exposed", "more micro batches between reductions, faster adapters"),
    "optimizer": ("Optimizer", "shard it over the replicas; larger batch"),
    "offload": ("Offload to host memory, exposed", "offload fewer layers"),
}


def hardware_flops_per_token(job: Job, layout: Layouts) -> float:
    """Return the FLOPs that the GPUs do for one token: the model's, and what is computed again."""
    share = float(recomputed_share(job, layout)[0])
    forward = (
        float(transformer.full_recompute_flops_per_token(job.shape, job.seq_len)) - job.dropped_flops_per_token / 3.0
    )
    extra = share * forward
    if layout.recompute[0] == 1.0 and not job.fused_attention:
        extra += float(transformer.attention_flops_per_token(job.shape, job.seq_len))
    return job.flops_per_token + extra


def ideal_s(job: Job, machine: Machine, layout: Layouts) -> float:
    """Return the seconds of a step in which every GPU runs at its peak."""
    return float(job.flops_per_token * job.tokens_per_step / (layout.gpus[0] * machine.peak_flops_s))


def parts_table(job: Job, machine: Machine, degrees: Degrees) -> LaterTable:
    """Return where the time of a step goes, from the ideal down: shares of the step, which are points of MFU."""

    def rows() -> tuple[tuple[Value, ...], ...]:
        layout = Layouts.of(**dict(degrees))
        time = step_time(job, machine, layout)
        step, useful = float(time.total[0]), ideal_s(job, machine, layout)
        again = useful * (hardware_flops_per_token(job, layout) / job.flops_per_token - 1.0)
        below = float(time.compute[0]) - useful - again
        found: list[tuple[Value, ...]] = [
            ("Model FLOPs at the peak: the MFU", 100.0 * useful / step, useful, "what is wanted"),
            (
                "Recompute at the peak",
                100.0 * again / step,
                again,
                "less recompute, where memory allows it",
            ),
            (
                "Matrices and attention below the peak",
                100.0 * below / step,
                below,
                "tile shapes, power limit, 16-bit parts; shape advice in the GPU layer",
            ),
        ]
        for name, (title, lever) in PARTS.items():
            seconds = float(getattr(time, name)[0])
            found.append((title, 100.0 * seconds / step, seconds, lever))
        return tuple(row for row in found if row[2])

    return LaterTable(
        ("place", "of_step", "time", "lever"),
        ("text", "pct", "s", "text"),
        (job, machine, degrees),
        rows,
        "Where the peak goes",
        "Step time of this program; MFU as in PaLM, arXiv 2204.02311, appendix B",
    )


@dataclass(frozen=True)
class Suspect:
    """What may explain a gap: the MFU with it, and the question or counter that would confirm it."""

    name: str
    mfu_pct: float
    confirm: str


@lru_cache(maxsize=32)
def suspects_of(job: Job, machine: Machine, degrees: Degrees, measured_pct: float) -> tuple[Suspect, ...]:
    """Return what would move the predicted MFU towards the measured one, the likeliest first.

    The likeliest is the one whose own size comes nearest to the gap. Those that change less than 0.2 points, or away
    from what is measured, are left out.
    """
    layout = Layouts.of(**dict(degrees))
    useful, step = ideal_s(job, machine, layout), float(step_time(job, machine, layout).total[0])
    predicted = 100.0 * useful / step
    gap = predicted - measured_pct
    ways = _slower(job, machine, layout, useful, step) if gap > 0 else _counted_higher(job, machine, layout, predicted)
    found = [s for s in ways if math.copysign(1.0, gap) * (predicted - s.mfu_pct) >= SMALL_POINTS]
    ranked = sorted(found, key=lambda s: abs(math.log((predicted - s.mfu_pct) / gap)))
    if gap > SMALL_POINTS:
        waits = useful / (measured_pct / 100.0) - step
        ranked.append(
            Suspect(
                f"Waits between steps of {waits:.3g} s",
                measured_pct,
                "Data loader, logging, evaluation, checkpoints: is the GPU idle between steps (DCGM_FI_PROF_SM_ACTIVE, "
                "a timeline in Nsight Systems)? Is the time of a step the median or a mean with pauses?",
            )
        )
    return tuple(ranked)


def _slower(job: Job, machine: Machine, layout: Layouts, useful: float, step: float) -> Iterator[Suspect]:
    def pct(changed: Job = job, on: Machine = machine, at: Layouts = layout) -> float:
        return 100.0 * ideal_s(job, machine, layout) / float(step_time(changed, on, at).total[0])

    fit: dict[str, Any] = dict(machine.fit)
    clocks = replace(
        machine,
        gemm_flops_s=machine.gemm_flops_s * SLOW_CLOCK,
        half_flops_s=machine.half_flops_s * SLOW_CLOCK,
        attention_flops_s=machine.attention_flops_s * SLOW_CLOCK,
    )
    yield Suspect(
        "Clocks 10% lower",
        pct(on=clocks),
        "DCGM_FI_DEV_SM_CLOCK under load, throttle reasons (nvidia-smi -q -d PERFORMANCE): power cap, heat?",
    )
    yield Suspect(
        "One GPU 10% slower than the rest",
        100.0 * useful / (step / SLOW_GPU),
        "Step time of each rank before the first collective; DCGM_FI_DEV_SM_CLOCK spread; ECC remaps; all wait for it",
    )
    if job.overlap_gradients and layout.dp[0] * layout.cp[0] > 1:
        yield Suspect(
            "Gradients are not overlapped",
            pct(replace(job, overlap_gradients=False)),
            "Are --overlap-grad-reduce and --overlap-param-gather on? NCCL kernels beside GEMMs in a timeline?",
        )
    if job.overlap_tensor and layout.tp[0] > 1:
        yield Suspect(
            "Tensor-parallel collectives are not overlapped",
            pct(replace(job, overlap_tensor=False)),
            "Is --tp-comm-overlap on (Transformer Engine user buffers)? DCGM_FI_PROF_NVLINK_TX_BYTES in bursts?",
        )
    if job.fused_attention:
        yield Suspect(
            "Attention is not fused",
            pct(replace(job, fused_attention=False)),
            "Which attention backend runs (NVTE_DEBUG=1)? Softmax kernels in the profile mean it is not FlashAttention",
        )
    if job.compiled:
        yield Suspect(
            "Element-wise kernels are not fused",
            pct(replace(job, compiled=False)),
            "Fused norms, SwiGLU and cross entropy, torch.compile? Short kernels at DCGM_FI_PROF_DRAM_ACTIVE near 1?",
        )
    slow_host = {**fit, "host_us": 3.0 * fit["host_us"], "host_experts_us": 3.0 * fit["host_experts_us"]}
    if not job.graphed:
        yield Suspect(
            "The host launches three times as slowly",
            pct(on=replace(machine, fit=slow_host)),
            "Gaps between kernels in a timeline; one core at 100%? CPU governor, NUMA pinning, garbage collector",
        )
    yield Suspect(
        "Adapters at half their rate",
        pct(on=replace(machine, nic_bytes_s=machine.nic_bytes_s / 2.0)),
        "nccl-tests over the same nodes; port_xmit_wait, link speed (ibstat); is GPUDirect RDMA in use (NCCL_DEBUG)?",
    )
    if layout.tp[0] > 1 or layout.ep[0] > 1:
        yield Suspect(
            "NVLink at half its rate",
            pct(on=replace(machine, link_bytes_s=machine.link_bytes_s / 2.0)),
            "nvidia-smi nvlink --status, fabric manager log; all_reduce_perf in one node",
        )
    if job.shape.experts and job.imbalance < NATURAL_IMBALANCE:
        yield Suspect(
            f"The fullest expert rank has {NATURAL_IMBALANCE:g} × the mean",
            pct(replace(job, imbalance=NATURAL_IMBALANCE)),
            "Tokens by expert and layer from the router's log; spread of step times with forced balance",
        )
    if layout.recompute[0] < 2.0:
        yield Suspect(
            "All layers are recomputed",
            pct(at=replace(layout, recompute=layout.recompute * 0.0 + 2.0)),
            "Recompute flags of the run: is --recompute-granularity full, or activation checkpointing, on?",
        )
    if layout.pp[0] > 1 and (layout.vpp[0] > 1 or layout.schedule[0] >= 2.0):
        plain = replace(layout, vpp=layout.vpp * 0.0 + 1.0, schedule=layout.schedule * 0.0)
        yield Suspect(
            "The pipeline runs plain 1F1B",
            pct(at=plain),
            "Is --num-layers-per-virtual-pipeline-stage set? Idle time at both ends of a step on the last stage",
        )
    if job.precision in LOW_PRECISION:
        half = replace(machine, gemm_flops_s=machine.half_flops_s)
        yield Suspect(
            "GEMMs run in BF16",
            pct(replace(job, precision="bf16", dispatch_bytes=2.0), on=half),
            f"Names of GEMM kernels in a profile; is the {job.precision.upper()} recipe active in every layer?",
        )
    yield Suspect(
        "The peak was taken with sparsity",
        50.0 * useful / step,
        "Which peak does the log divide by? Datasheets print twice the dense rate “with sparsity”",
    )


def _counted_higher(job: Job, machine: Machine, layout: Layouts, predicted: float) -> Iterator[Suspect]:
    shape, seq = job.shape, job.seq_len
    whole = float(transformer.model_flops_per_token(shape, seq, causal=False))
    yield Suspect(
        "Attention counted without the causal half",
        predicted * whole / job.flops_per_token,
        "Does the log's formula use all of s², as Megatron's did until 2025?",
    )
    hardware = hardware_flops_per_token(job, layout)
    yield Suspect(
        "Hardware FLOPs counted: recompute included (HFU)",
        predicted * hardware / job.flops_per_token,
        "8 × parameters × tokens instead of 6: does the formula count the forward pass twice?",
    )
    if job.shape.experts:
        every = 6.0 * float(transformer.total_params(shape))
        yield Suspect(
            "All experts counted instead of the active ones",
            predicted * every / job.flops_per_token,
            "Does the formula use total parameters? Only the chosen experts compute",
        )
    if machine.peak_flops_s > machine.half_peak_flops_s:
        yield Suspect(
            "Divided by the BF16 peak though GEMMs run lower",
            predicted * machine.peak_flops_s / machine.half_peak_flops_s,
            "Which peak does the log divide by?",
        )
    yield Suspect(
        "Everything but matrices hidden or faster than here",
        100.0 * ideal_s(job, machine, layout) / float(step_time(job, machine, layout).compute[0]),
        "Compare a timeline with “Where the peak goes”: which part is shorter than predicted?",
    )


def suspects_table(
    job: Job,
    machine: Machine,
    degrees: Degrees,
    measured_pct: float | None,
    spread: tuple[float, float] = (1.0, 1.0),
) -> Table:
    """Return the suspects as rows; nothing where nothing was measured.

    A measured MFU inside the ``spread`` of the predicted time (factors, low and high) is explained: one row says so. A
    suspect that would cost more than the whole gap explains all of it, 100%.
    """
    columns = ("suspect", "mfu_with_it", "points", "of_gap", "confirm_by")
    kinds = ("text", "pct", "pct", "pct", "text")
    title = "Likeliest places of the loss"
    if measured_pct is None:
        return Table(columns, kinds, (), title, _SOURCE)

    def rows() -> tuple[tuple[Value, ...], ...]:
        layout = Layouts.of(**dict(degrees))
        predicted = 100.0 * ideal_s(job, machine, layout) / float(step_time(job, machine, layout).total[0])
        gap = predicted - measured_pct
        if abs(gap) < SMALL_POINTS or predicted / spread[1] <= measured_pct <= predicted / spread[0]:
            agrees = f"Agrees within the spread: {predicted:.1f}% is predicted"
            return ((agrees, measured_pct, gap, 0.0, "Nothing is lost that published runs of this kind do not lose"),)
        return tuple(
            (s.name, s.mfu_pct, predicted - s.mfu_pct, min(100.0, 100.0 * (predicted - s.mfu_pct) / gap), s.confirm)
            for s in suspects_of(job, machine, degrees, measured_pct)
        )

    return LaterTable(columns, kinds, (job, machine, degrees, measured_pct, spread), rows, title, _SOURCE)
