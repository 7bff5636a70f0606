"""Tables of the GPU layer that follow from this model's kernels: roofline points, optimisations, shape advice."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from wattsweights_gui.engine.declare import LaterTable, Value
from wattsweights_gui.engine.equations.job import EIGHT_BIT, Job
from wattsweights_gui.engine.equations.layouts import Layouts
from wattsweights_gui.engine.equations.machine import Machine
from wattsweights_gui.engine.equations.step_time import step_time
from wattsweights_gui.engine.kernel_points import COMPUTE, LAUNCH, Degrees, Kernel, kernels_of, l2_bytes, traffic_bytes

ROOFLINE = "Williams, Waterman, Patterson 2009; tiles and waves as in this program's step time"
FULL_TILES = 0.97
HALF = "HBM, L2 and shared memory: half the bytes an operand"
LARGE = "L2: larger tiles read operands less often"


def kernels_table(job: Job, machine: Machine, degrees: Degrees) -> LaterTable:
    """Return each kernel of the layout: work, traffic, intensity, rate, share of the step and what bounds it."""

    def rows() -> tuple[tuple[Value, ...], ...]:
        found = kernels_of(job, machine, degrees)
        whole = sum(k.calls * k.seconds for k in found)
        return tuple(
            (
                k.name if k.phase == "both" else f"{k.name}, {k.phase}",
                k.intensity,
                k.flops_s / 1e12,
                100.0 * k.flops_s / k.peak_flops_s,
                k.flops,
                k.moved_bytes / 1e6,
                k.seconds * 1e6,
                k.calls,
                100.0 * k.calls * k.seconds / whole,
                bound_by(k, machine),
            )
            for k in found
        )

    return LaterTable(
        ("kernel", "intensity", "reached", "of_peak", "work", "traffic", "time", "calls", "of_kernel_time", "bound_by"),
        ("text", "flop_byte", "tflops", "pct", "flop", "mb", "us", "count", "pct", "text"),
        (job, machine, degrees),
        rows,
        "Kernels on the roofline",
        ROOFLINE,
    )


def bound_by(kernel: Kernel, machine: Machine) -> str:
    """Return in words what a kernel's time follows from."""
    if kernel.bound == LAUNCH:
        return "the host: kernels end before the next is launched"
    if kernel.bound != COMPUTE:
        return f"memory: {kernel.intensity:.3g} FLOP for each byte is left of the ridge"
    if kernel.filled < FULL_TILES:
        return f"compute: tiles and their starts do {100.0 * kernel.filled:.0f}% useful work"
    return "compute: the power limit and the instruction mix"


def optimisations_table(job: Job, machine: Machine, degrees: Degrees, other: Machine | None, format: str) -> LaterTable:
    """Return what each optimisation saves, one at a time, the others as they are.

    Args:
        job, machine, degrees: the plan.
        other: the GPU in the format of half the bytes; ``None`` where it has none below the plan's.
        format: that format.
    """
    layout = Layouts.of(**dict(degrees))

    def sized(job: Job, on: Machine) -> tuple[float, float]:
        return float(step_time(job, on, layout).total[0]), traffic_bytes(job, on, degrees)

    def rows() -> tuple[tuple[Value, ...], ...]:
        now = sized(job, machine)
        found: list[tuple[Value, ...]] = []

        def row(name: str, on: bool, changed: Job, where: str, machine_too: Machine = machine) -> None:
            seconds, moved = sized(changed, machine_too)
            sign = 1.0 if on else -1.0
            saved, faster = sign * (moved - now[1]), sign * (seconds - now[0])
            if where == LARGE:
                saved = sign * (l2_bytes(changed, machine, degrees) - l2_bytes(job, machine, degrees))
            base = seconds if on else now[0]
            found.append((name, "on" if on else "off", saved / 1e9, faster, 100.0 * faster / base, where))

        row(
            "FlashAttention",
            job.fused_attention,
            replace(job, fused_attention=not job.fused_attention),
            "HBM: scores stay in shared memory and registers",
        )
        row(
            "Kernel fusion",
            job.compiled,
            replace(job, compiled=not job.compiled),
            "HBM: chains of element-wise work read and write each tensor once",
        )
        row(
            "CUDA graphs",
            job.graphed,
            replace(job, graphed=not job.graphed),
            "no bytes: the GPU does not wait for launches",
        )
        if other is not None:
            quarter = replace(job, precision=format, dispatch_bytes=1.0 if format in EIGHT_BIT else 2.0)
            row(f"GEMMs in {format.upper()}", False, quarter, HALF, other)
        if job.tile is not None:
            row("Fastest tile for each GEMM", False, replace(job, tile=None), LARGE)
        else:
            row("Fastest tile, against 128 × 64", True, replace(job, tile=2), LARGE)
        return tuple(found)

    return LaterTable(
        ("optimisation", "now", "bytes_saved_a_step", "time_saved_a_step", "of_step", "where"),
        ("text", "text", "gb", "s", "pct", "text"),
        (job, machine, degrees, format),
        rows,
        "Optimisations, one at a time",
        ROOFLINE,
    )


def lower_format(gpu: Any, precision: str) -> str:
    """Return the next lower format that a GPU's tensor cores run; empty where there is none."""
    if precision in ("bf16", "fp16") and gpu.get("fp8_tflops"):
        return "mxfp8" if gpu.get("fp4_tflops") and gpu.get("vendor") == "NVIDIA" else "fp8"
    return "nvfp4" if precision in EIGHT_BIT and gpu.get("fp4_tflops") and gpu.get("vendor") == "NVIDIA" else ""
