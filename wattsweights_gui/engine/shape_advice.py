"""Dimensions of the model that leave tensor cores idle, and what the next good ones gain."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from wattsweights_gui.engine.declare import LaterTable, Value
from wattsweights_gui.engine.equations.job import LOW_PRECISION, Job
from wattsweights_gui.engine.equations.layouts import Layouts
from wattsweights_gui.engine.equations.machine import Machine
from wattsweights_gui.engine.equations.transformer import TransformerShape
from wattsweights_gui.engine.kernel_points import ATTENTION, Degrees, Kernel, kernels_of

SOURCE = (
    "alignment: NVIDIA, Matrix Multiplication Background User's Guide; unaligned rows at half the rate: derived from "
    "A. Karpathy, nanoGPT, 3 Feb 2023 (50257 to 50304, 25% faster), an estimate; head sizes: FlashAttention; "
    "vocabulary to 128 × TP: Megatron Core. The step time elsewhere takes widths as padded by the framework"
)
LINE_BYTES, LEAST_BYTES, TILE = 128, 16, 128
UNALIGNED = 2.0
"""Times as long as with rows of whole 16 bytes: loads fall back to single elements."""
HEAD_SIZES = (32, 64, 96, 128, 192, 256)
"""FlashAttention has kernels of these; a head between two runs as the larger one."""
NEAR = 1.07
SMALL_GAIN = 0.01
"""What is less drowns in the error of the step time."""


@dataclass(frozen=True)
class Dimension:
    """A width of the model.

    Attributes:
        field: of the shape. title: in words.
        ways: how many GPUs a layout cuts it over.
        step: a good width is a multiple of it. each_bytes: of one element.
    """

    field: str
    title: str
    ways: int
    step: int
    each_bytes: int


def dimensions(job: Job, layout: Layouts) -> Iterator[Dimension]:
    """Yield the widths that a person may choose."""
    tensor, shape = int(layout.tp[0]), job.shape
    each = 1 if job.precision in LOW_PRECISION else 2
    line = LINE_BYTES // each
    yield Dimension("vocab", "Vocabulary", tensor, TILE * tensor, 2)
    if job.blocks.ffn:
        yield Dimension("ffn", "FFN width", tensor, line * tensor, each)
    if shape.experts:
        ways = int(layout.etp[0])
        yield Dimension("expert_ffn", "Expert FFN width", ways, line * ways, each)
    if shape.shared_expert_ffn:
        yield Dimension("shared_expert_ffn", "Shared expert FFN width", tensor, line * tensor, each)
    if not shape.mla:
        yield Dimension("head_dim", "Head size", 1, 64, 2)


def gain(job: Job, other: Job, machine: Machine, degrees: Degrees) -> float:
    """Return the share of the kernels' time that another shape saves for the same FLOPs, where its kernels differ.

    Kernels that stay as they are do not count: more work beside them is no gain.
    """
    now, then = kernels_of(job, machine, degrees), kernels_of(other, machine, degrees)
    saved = whole = 0.0
    # waits for launches come and go with a shape, and are no kernels
    for a, b in zip(*([k for k in all if k.flops] for all in (now, then)), strict=True):
        seconds, after = (k.calls * k.seconds * slowdown(k, j) for k, j in ((a, job), (b, other)))
        whole += seconds
        if (a.flops, seconds) != (b.flops, after):
            saved += seconds - after * (a.calls * a.flops) / (b.calls * b.flops)
    return saved / whole


def slowdown(kernel: Kernel, job: Job) -> float:
    """Return how many times as long a kernel takes for its widths as with aligned ones."""
    if kernel.name == ATTENTION and not job.shape.mla:
        return head_kernel(job.shape.head_dim) / job.shape.head_dim
    for width in (kernel.wide, kernel.deep):
        # what does not divide over GPUs is padded by the framework
        if width.is_integer() and width * kernel.element_bytes % LEAST_BYTES:
            return UNALIGNED
    return 1.0


def head_kernel(size: int) -> int:
    """Return the head size of the attention kernel that runs a head."""
    return next((n for n in HEAD_SIZES if n >= size), size)


def with_width(shape: TransformerShape, field: str, width: int) -> TransformerShape:
    """Return a shape with another width; another head size keeps heads × size."""
    changed: dict[str, int] = {field: width}
    if field == "head_dim":
        changed |= {"heads": shape.heads * shape.head_dim // width}
        changed |= {"kv_heads": max(1, shape.kv_heads * shape.head_dim // width)}
    return replace(shape, **changed)  # type: ignore[arg-type]


def candidates(dimension: Dimension, shape: TransformerShape, tensor: int) -> list[int]:
    """Return good widths around the present one; of head sizes those that the heads can be cut into anew."""
    value, step = int(getattr(shape, dimension.field)), dimension.step
    base = value // step * step
    most = max(value * NEAR, value + step)
    found = [n for i in (0, 1, 2, 4) if 0 < (n := base + i * step) <= most and n != value]
    if dimension.field == "head_dim":
        both = (shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim)
        found = [n for n in found if not any(w % n for w in both) and both[0] // n % tensor == 0]
    return found


def advice_table(job: Job, machine: Machine, degrees: Degrees) -> LaterTable:
    """Return each width with how well it fills tiles, the next good one, and what that saves for the same FLOPs."""

    def rows() -> tuple[tuple[Value, ...], ...]:
        layout = Layouts.of(**dict(degrees))
        made: list[tuple[Value, ...]] = []
        for dimension in dimensions(job, layout):
            value = int(getattr(job.shape, dimension.field))
            gains = {}
            for width in candidates(dimension, job.shape, int(layout.tp[0])):
                other = replace(job, shape=with_width(job.shape, dimension.field, width))
                gains[width] = gain(job, other, machine, degrees)
            better = next_good(dimension, value, gains)
            local = value / dimension.ways
            tiled = math.ceil(local / TILE) * TILE if dimension.field != "head_dim" else head_kernel(value)
            best, faster = better if better else (None, None)
            told = None if faster is None or faster <= 0.0 else 100.0 * faster
            made.append(
                (dimension.title, value, local, 100.0 * local / tiled, best, told, remark(dimension, job.shape, best))
            )
        return tuple(made)

    return LaterTable(
        ("dimension", "now", "split_width", "tile_filled", "next_good", "gain", "why"),
        ("text", "count", "", "pct", "count", "pct", "text"),
        (job, machine, degrees),
        rows,
        "Shape advice",
        SOURCE,
    )


def next_good(dimension: Dimension, value: int, gains: dict[int, float]) -> tuple[int, float] | None:
    """Return the width to take instead and its gain; ``None`` where the present one is good.

    A width that tensor cores cannot load gives way to the next good one above; any other only to one that is faster.
    """
    above = next((n for n in sorted(gains) if n > value), None)
    if misaligned(dimension, value) and above is not None:
        return above, gains[above]
    best = max(gains, key=lambda n: (gains[n], -abs(n - value)), default=None)
    if best is None or gains[best] <= SMALL_GAIN:
        return None
    return best, gains[best]


def misaligned(dimension: Dimension, value: int) -> bool:
    """Return whether a width does not divide over its GPUs, or leaves rows of no whole 16 bytes."""
    return value % dimension.ways != 0 or value // dimension.ways * dimension.each_bytes % LEAST_BYTES != 0


def remark(dimension: Dimension, shape: TransformerShape, best: int | None) -> str:
    """Return in words what a width does to the tensor cores."""
    value = int(getattr(shape, dimension.field))
    if value % dimension.ways:
        padded = math.ceil(value / dimension.step) * dimension.step
        return f"does not divide over {dimension.ways} GPUs; frameworks pad it to {padded}"
    row = value // dimension.ways * dimension.each_bytes
    if row % LEAST_BYTES:
        return f"rows of {row} bytes are no multiple of {LEAST_BYTES}: loads fall back to single elements"
    if dimension.field == "head_dim":
        kernel = head_kernel(value)
        why = f"attention kernels run it as {kernel}; " if kernel != value else ""
        if not why and best is not None and best > value:
            why = "narrow heads leave matrix units waiting for exponentials; "
        if best is not None:
            return f"{why}{shape.heads * shape.head_dim // best} heads of {best} do the same work"
        return f"{why}another would gain less than 1%" if why else "good as it is"
    if best is None:
        return "good as it is"
    if row % LINE_BYTES:
        return f"rows of {row} bytes are no whole lines of {LINE_BYTES}"
    return f"{best} fills waves of tiles over the SMs better"
