"""Where names of points go so that none covers another, a point or other words. All in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom."""
_GAP = 3.0
_ASIDE = (0.0, 26.0, 60.0, 110.0)
_ROWS = (0, -1, 1, -2, 2, -3, 3, -4, 4, -5, 5)


def place(
    points: Sequence[tuple[float, float, float]],
    sizes: Sequence[tuple[float, float]],
    taken: Sequence[Box],
    room: Box,
) -> list[Box | None]:
    """Return a place for each name, or ``None`` where there is none; the first names choose first.

    Args:
        points: x, y and radius of each point that has a name.
        sizes: width and height of each name.
        taken: boxes that have to stay free.
        room: what the names must lie in.
    """
    full = list(taken)
    found: list[Box | None] = []
    for (x, y, radius), (wide, high) in zip(points, sizes, strict=True):
        spot = next((b for b in _spots(x, y, radius, wide, high) if _inside(b, room) and not _hits(b, full)), None)
        if spot is not None:
            full.append(spot)
        found.append(spot)
    return found


def _spots(x: float, y: float, radius: float, wide: float, high: float) -> list[Box]:
    made = []
    for aside in _ASIDE:
        near = radius + _GAP + aside
        for row in _ROWS:
            if aside == 0.0 and abs(row) > 1:
                continue
            top = y - high / 2 + row * high
            made += [(x - near - wide, top, x - near, top + high), (x + near, top, x + near + wide, top + high)]
    return made


def _inside(box: Box, room: Box) -> bool:
    return box[0] >= room[0] and box[1] >= room[1] and box[2] <= room[2] and box[3] <= room[3]


def _hits(box: Box, full: Sequence[Box]) -> bool:
    left, top, right, bottom = box
    return any(left < other[2] and right > other[0] and top < other[3] and bottom > other[1] for other in full)
