"""Dimensions of the model that leave tensor cores idle, and what the next good ones gain."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from wattsweights_gui.engine.declare import LaterTable, Value
from wattsweights_gui.engine.equations.job import LOW_PRECISION, Job
from wattsweights_gui.engine.equations.layouts import Layouts
from wattsweights_gui.engine.equations.machine import Machine
from wattsweights_gui.engine.kernel_points import Degrees, kernels_of

SOURCE = (
    "NVIDIA, Matrix Multiplication Background User's Guide: 16 bytes at least, 128 bytes for full speed; "
    "tiles of 128 and 256; Megatron Core pads the vocabulary to 128 × TP"
)
ALIGNED_BYTES, LEAST_BYTES, TILE = 128, 16, 128
NEAR = 1.07
SMALL_GAIN = 0.002


@dataclass(frozen=True)
class Dimension:
    """A width of the model: its field of the shape, how many ways a layout cuts it, and where it may end."""

    field: str
    title: str
    ways: int
    step: int


def dimensions(job: Job, layout: Layouts) -> Iterator[Dimension]:
    """Yield the widths that a person may choose."""
    tensor = int(layout.tp[0])
    shape = job.shape
    each = (ALIGNED_BYTES // 1) if job.precision in LOW_PRECISION else ALIGNED_BYTES // 2
    yield Dimension("vocab", "Vocabulary", tensor, TILE * tensor)
    if job.blocks.ffn:
        yield Dimension("ffn", "FFN width", tensor, each * tensor)
    if shape.experts:
        yield Dimension("expert_ffn", "Expert FFN width", int(layout.etp[0]), each * int(layout.etp[0]))
    if not shape.mla:
        yield Dimension("head_dim", "Head size", 1, 64)


def seconds_a_flop(job: Job, machine: Machine, degrees: Degrees) -> float:
    """Return the time of the kernels of one step over the model FLOPs that they do."""
    found = kernels_of(job, machine, degrees)
    return sum(k.calls * k.seconds for k in found) / (job.flops_per_token * job.tokens_per_step)


def candidates(value: int, step: int) -> list[int]:
    """Return the nearest good widths below and above, the nearest first."""
    base = value // step * step
    found = [base + i * step for i in (0, 1, 2, 4) if 0 < base + i * step <= max(value * NEAR, value + step)]
    return sorted({n for n in found if n != value}, key=lambda n: (abs(n - value), n))


def advice_table(job: Job, machine: Machine, degrees: Degrees) -> LaterTable:
    """Return each width with how well it fills tiles, the next good one, and what that gains in time for each FLOP."""

    def rows() -> tuple[tuple[Value, ...], ...]:
        layout = Layouts.of(**dict(degrees))
        now = seconds_a_flop(job, machine, degrees)
        made: list[tuple[Value, ...]] = []
        for dimension in dimensions(job, layout):
            value = int(getattr(job.shape, dimension.field))
            best, gain = value, 0.0
            for tried in candidates(value, dimension.step):
                width: dict[str, Any] = {dimension.field: tried}
                other = replace(job, shape=replace(job.shape, **width))
                faster = 1.0 - seconds_a_flop(other, machine, degrees) / now
                if faster > gain + SMALL_GAIN:
                    best, gain = tried, faster
            local = value / dimension.ways
            made.append(
                (
                    dimension.title,
                    value,
                    local,
                    100.0 * local / (math.ceil(local / TILE) * TILE),
                    best,
                    100.0 * gain,
                    remark(job, dimension, value, best),
                )
            )
        return tuple(made)

    return LaterTable(
        ("dimension", "now", "on_one_gpu", "tile_filled", "next_good", "gain", "why"),
        ("text", "count", "", "pct", "count", "pct", "text"),
        (job, machine, degrees),
        rows,
        "Shape advice",
        SOURCE,
    )


def remark(job: Job, dimension: Dimension, value: int, best: int) -> str:
    """Return in words what a width does to the tensor cores."""
    if value % dimension.ways:
        padded = math.ceil(value / dimension.step) * dimension.step
        return f"does not divide over {dimension.ways} GPUs: frameworks pad it to {padded}"
    bytes_each = 1 if job.precision in LOW_PRECISION else 2
    local = value // dimension.ways * bytes_each
    if local % LEAST_BYTES:
        return f"{local} bytes a row are no multiple of {LEAST_BYTES}: slower kernels, or none on tensor cores"
    if local % ALIGNED_BYTES:
        return f"{local} bytes a row are no multiple of {ALIGNED_BYTES}: loads are not whole lines"
    if best == value:
        return "good as it is"
    return f"{best} fills waves of tiles over the SMs better"
