"""Curves that a user enters as points (3:900, 4:1200): read, and read off between the points, never beyond them."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from itertools import pairwise

Points = tuple[tuple[float, float], ...]


class NotACurve(ValueError):  # noqa: N818 - said of a text
    """A text that holds no points; the message says what was wrong and what would be right."""


@lru_cache(maxsize=128)
def points_of(text: str) -> Points:
    """Return the points of a text in rising order; none for an empty text.

    Raises:
        NotACurve: with the point that is wrong.
    """
    points: list[tuple[float, float]] = []
    for part in (p.strip() for p in re.split(r"[,;\n]", text)):
        if not part:
            continue
        x, colon, y = part.partition(":")
        try:
            point = (float(x), float(y))
        except ValueError:
            point = (math.nan, math.nan)
        if not colon or not all(math.isfinite(v) and v >= 0 for v in point):
            raise NotACurve(f"“{part[:30]}” is no point; write pairs as 3:900, 4:1200, with a point for decimals.")
        points.append(point)
    points.sort()
    for before, after in pairwise(points):
        if before[0] == after[0]:
            raise NotACurve(f"There are two points at {before[0]:g}; a curve has one.")
    if len(points) == 1:
        raise NotACurve("One point is no curve; give at least two.")
    return tuple(points)


def read_off(points: Points, x: float) -> float | None:
    """Return the value between two points; ``None`` outside of the curve, which is not extrapolated."""
    if not points or not points[0][0] - 1e-9 <= x <= points[-1][0] + 1e-9:
        return None
    for (x0, y0), (x1, y1) in pairwise(points):
        if x <= x1 + 1e-9:
            return y0 + (y1 - y0) * min(1.0, max(0.0, (x - x0) / (x1 - x0)))
    return points[-1][1]
