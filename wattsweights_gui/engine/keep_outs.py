"""Columns and other places of a hall where nothing may stand, as a person types them: one a line."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

HOW = "write “name: x, y, width, depth” in metres, from the upper left corner of the hall"
MOST = 500
_COLUMN = re.compile(r"\b(column|pillar)", re.IGNORECASE)


@dataclass(frozen=True)
class KeepOut:
    """A rectangle of the floor that is not to be used, in mm from the upper left corner of the hall."""

    name: str
    x_mm: float
    y_mm: float
    width_mm: float
    depth_mm: float

    @property
    def column(self) -> bool:
        """Whether it is a column of the building by its name."""
        return bool(_COLUMN.search(self.name))


def keep_outs(text: str) -> tuple[KeepOut, ...]:
    """Read keep-outs, one a line.

    Raises:
        ValueError: a line is none; the sentence says which, and what would be right.
    """
    found: list[KeepOut] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        if len(found) == MOST:
            raise ValueError(f"there are more than {MOST} keep-outs.")
        name, colon, rest = line.rpartition(":")
        try:
            sizes = [float(part) for part in re.split(r"[,;\s]+", rest.strip()) if part]
        except ValueError:
            sizes = []
        if len(sizes) != 4 or not all(math.isfinite(s) and abs(s) <= 10_000 for s in sizes):
            raise ValueError(f"line {number}, “{line.strip()}”, is no keep-out: {HOW}.")
        x, y, width, depth = (1e3 * s for s in sizes)
        if width <= 0 or depth <= 0:
            raise ValueError(f"line {number}, “{line.strip()}”, has no area: width and depth are larger than 0.")
        found.append(KeepOut(name.strip() if colon and name.strip() else f"Keep-out {number}", x, y, width, depth))
    return tuple(found)
