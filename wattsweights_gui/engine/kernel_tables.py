"""Tables of the GPU layer that follow from this model's kernels: roofline points, and what each optimisation saves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from wattsweights_gui.engine.declare import LaterTable, Value
from wattsweights_gui.engine.equations.job import EIGHT_BIT, Job
from wattsweights_gui.engine.equations.layouts import Layouts
from wattsweights_gui.engine.equations.machine import Machine
from wattsweights_gui.engine.equations.step_time import step_time
from wattsweights_gui.engine.kernel_points import (
    ATTENTION,
    COMPUTE,
    LAUNCH,
    SCORES,
    Degrees,
    Kernel,
    kernels_of,
    l2_bytes,
    traffic_bytes,
)

ROOFLINE = "Williams, Waterman, Patterson 2009; tiles and waves as in this program's step time, on its slowest stage"
SAVES = (
    "difference of two evaluations of the step, on one GPU of its slowest stage; FlashAttention: Dao et al. 2022, "
    "arXiv 2205.14135"
)
FULL_TILES = 0.97
HALF_EMPTY = 0.85
"""Below this share the tiles cost more than the next lower format would bring."""
TILES_SAVE = "L2: a larger tile reads each operand less often"
FORMAT_NAMES = {"fp8_block": "FP8", "mxfp8": "MXFP8", "nvfp4": "NVFP4"}


def format_name(precision: str) -> str:
    """Return a GEMM precision as people write it."""
    return FORMAT_NAMES.get(precision, precision.upper())


def kernels_table(job: Job, machine: Machine, degrees: Degrees, lower: str = "") -> LaterTable:
    """Return each kernel of the slowest stage: work, traffic, intensity, rate, share, what bounds it and would help.

    Args:
        job, machine, degrees: the plan.
        lower: the next lower format that the GPU runs; empty where there is none.
    """

    def rows() -> tuple[tuple[Value, ...], ...]:
        found = kernels_of(job, machine, degrees)
        whole = sum(k.calls * k.seconds for k in found)
        return tuple(
            (
                k.name,
                k.phase,
                format_name(k.format) if k.flops else None,
                k.intensity if k.flops else None,
                k.flops_s / 1e12 if k.flops else None,
                100.0 * k.flops_s / roof(k, machine) if k.flops else None,
                k.flops if k.flops else None,
                k.moved_bytes / 1e6 if k.flops else None,
                k.seconds * 1e6,
                k.calls,
                100.0 * k.calls * k.seconds / whole,
                bound_by(k),
                helped_by(k, job, lower),
            )
            for k in found
        )

    return LaterTable(
        (
            "kernel",
            "phase",
            "format",
            "intensity",
            "reached",
            "of_roof",
            "work",
            "traffic",
            "time",
            "calls",
            "of_kernel_time",
            "bound_by",
            "would_help",
        ),
        ("text", "text", "text", "flop_byte", "tflops", "pct", "flop", "mb", "us", "count", "pct", "text", "text"),
        (job, machine, degrees, lower),
        rows,
        "Kernels on the roofline",
        ROOFLINE,
    )


def roof(kernel: Kernel, machine: Machine) -> float:
    """Return what the datasheet allows at a kernel's intensity, in FLOP/s: min(peak of its format, intensity × HBM)."""
    datasheet_bytes_s = machine.hbm_bytes_s / machine.fit["hbm"]
    return min(kernel.peak_flops_s, kernel.intensity * datasheet_bytes_s)


def bound_by(kernel: Kernel) -> str:
    """Return in words what a kernel's time follows from."""
    if kernel.bound == LAUNCH:
        return "the host: each expert starts alone" if kernel.grouped else "the host: launches come too late"
    if kernel.bound != COMPUTE:
        return "memory: HBM is read and written"
    if kernel.filled < FULL_TILES:
        return f"compute: {100.0 * kernel.filled:.0f}% of the tiles' time is useful"
    return "compute: power limit, instruction mix"


def helped_by(kernel: Kernel, job: Job, lower: str) -> str:
    """Return in words what would make a kernel faster."""
    if kernel.bound == LAUNCH:
        if kernel.grouped:
            return "one kernel for all experts; fewer experts a GPU"
        return "larger micro batch" if job.graphed else "CUDA graphs; larger micro batch"
    if kernel.name == SCORES:
        return "FlashAttention: scores stay on chip"
    if kernel.bound != COMPUTE:
        if kernel.grouped:
            return "more tokens an expert: larger micro batch, more expert parallelism"
        if kernel.wide:
            return "more tokens a call: larger micro batch, less tensor or context parallelism"
        return "GPU with more HBM bandwidth" if job.compiled else "kernel fusion: fewer passes over HBM"
    if kernel.filled < HALF_EMPTY and kernel.wide:
        return "more rows a call: larger micro batch, less tensor parallelism; shape advice"
    if kernel.name == ATTENTION:
        return "shorter or windowed sequences; fewer or smaller heads"
    if lower and kernel.format == job.precision:
        return f"GEMMs in {format_name(lower)}"
    return "GPU with a higher peak"


def optimisations_table(job: Job, machine: Machine, degrees: Degrees, other: Machine | None, format: str) -> LaterTable:
    """Return what each optimisation saves, one at a time, the others as they are.

    Args:
        job, machine, degrees: the plan.
        other: the GPU in the next lower format; ``None`` where it has none below the plan's.
        format: that format.
    """
    layout = Layouts.of(**dict(degrees))

    def sized(job: Job, on: Machine) -> tuple[float, float, float]:
        seconds = float(step_time(job, on, layout).total[0])
        return seconds, traffic_bytes(job, on, degrees), l2_bytes(job, on, degrees)

    def rows() -> tuple[tuple[Value, ...], ...]:
        now = sized(job, machine)
        found: list[tuple[Value, ...]] = []

        def row(name: str, on: bool, changed: Job, where: str, on_machine: Machine = machine) -> None:
            then = sized(changed, on_machine)
            without, with_it = (then, now) if on else (now, then)
            seconds, moved, near = (a - b for a, b in zip(without, with_it, strict=True))
            state = "on" if on else "off"
            found.append((name, state, moved / 1e9, near / 1e9, seconds, 100.0 * seconds / without[0], where))

        row(
            "FlashAttention",
            job.fused_attention,
            replace(job, fused_attention=not job.fused_attention),
            "HBM: scores stay in registers and shared memory; the masked half is not computed",
        )
        row(
            "Kernel fusion",
            job.compiled,
            replace(job, compiled=not job.compiled),
            "HBM: a chain of element-wise work reads and writes a tensor once",
        )
        row("CUDA graphs", job.graphed, replace(job, graphed=not job.graphed), "no bytes: no waiting for launches")
        if other is not None:
            cast = replace(job, precision=format, dispatch_bytes=1.0 if format in EIGHT_BIT else 2.0)
            where = "HBM and L2: smaller operands; casts take some of it back"
            if format == "nvfp4":
                where = "none counted: the step time moves 4-bit operands as 8-bit ones, the upper bound"
            row(f"GEMMs in {format_name(format)}", False, cast, where, other)
        if job.tile is not None:
            row("Fastest tile for each GEMM", False, replace(job, tile=None), TILES_SAVE)
        else:
            row("Fastest tile, against 128 × 64", True, replace(job, tile=2), TILES_SAVE)
        return tuple(found)

    return LaterTable(
        ("optimisation", "now", "hbm_bytes_saved", "l2_bytes_saved", "time_saved", "of_step", "where"),
        ("text", "text", "gb", "gb", "s", "pct", "text"),
        (job, machine, degrees, format),
        rows,
        "Optimisations, one at a time: saved on one GPU in one step",
        SAVES,
    )


def lower_format(gpu: Any, precision: str) -> str:
    """Return the next lower format that a GPU's tensor cores run; empty where there is none."""
    if precision in ("bf16", "fp16") and gpu.get("fp8_tflops"):
        return "mxfp8" if gpu.get("fp4_tflops") and gpu.get("vendor") == "NVIDIA" else "fp8"
    return "nvfp4" if precision in EIGHT_BIT and gpu.get("fp4_tflops") and gpu.get("vendor") == "NVIDIA" else ""
