"""Time of matrix multiplications on a roofline of their own: tiles, waves over the SMs, depth ramp, memory bound.

One kernel computes tiles of the output, one an SM at a time; the last wave of tiles leaves SMs idle, and each tile pays
a start and an end whatever its depth.
"""

from __future__ import annotations

import numpy as np

from wattsweights_gui.engine.equations.layouts import Array

TILES = ((256.0, 128.0, 1.0), (128.0, 128.0, 0.94), (128.0, 64.0, 0.80))
"""Tile heights and widths that libraries choose from, and the share of the best rate that the smaller ones reach."""


def gemm_s(
    m: Array,
    n: Array,
    k: Array,
    groups: Array | float,
    flops_s: Array | float,
    bytes_s: float,
    sms: float,
    ramp: float,
    in_bytes: Array | float,
    out_bytes: float,
    tile: int | None = None,
) -> Array:
    """Return the seconds of ``groups`` equal multiplications (m × k) (k × n) that one kernel runs.

    Args:
        m, n, k: rows, columns and depth.
        groups: experts on the rank; 1 for a plain multiplication.
        flops_s: rate that the largest multiplications reach, FLOP/s.
        bytes_s: rate that memory reaches, bytes/s.
        sms: streaming multiprocessors.
        ramp: depth whose time each tile spends starting and ending.
        in_bytes, out_bytes: of one element.
        tile: index of the only tile in :data:`TILES`; ``None`` takes the fastest of all.
    """
    depth = 2.0 * (k + ramp) * sms
    best: Array | float = np.inf
    for tall, wide, share in TILES if tile is None else TILES[tile : tile + 1]:
        waves = np.ceil(groups * np.ceil(m / tall) * np.ceil(n / wide) / sms)
        best = np.minimum(best, waves * (tall * wide / share))
    moved = groups * (in_bytes * (m * k + k * n) + out_bytes * m * n) / bytes_s
    time: Array = np.maximum(best * depth / flops_s, moved)
    return time
