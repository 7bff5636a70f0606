"""A logarithmic axis whose ticks are numbers that people say: 1, 2, 5, 10. Data is handed over as log10."""

from __future__ import annotations

import math

import pyqtgraph as pg

from wattsweights_gui.engine import units

# height of a number, in pixels
_LINE = 18.0


def ticks(low: float, high: float) -> list[float]:
    """Return round numbers between two values (not their logarithms), about three a decade or fewer."""
    if not 0 < low < high:
        return []
    decades = math.log10(high / low)
    steps = (1.0, 2.0, 5.0) if decades < 3 else (1.0,)
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    every = max(1, round(decades / 6))
    found = [s * 10.0**e for e in range(first, last + 1) if e % every == 0 for s in steps]
    return [t for t in found if low * 0.999 <= t <= high * 1.001]


class LogAxis(pg.AxisItem):
    """An axis over log10 of what it shows."""

    def tickValues(self, minVal: float, maxVal: float, size: float) -> list[tuple[float, list[float]]]:  # noqa: N803
        """Return the places of the ticks."""
        if not math.isfinite(minVal + maxVal) or maxVal > 300 or minVal < -300:
            return []
        if self.orientation in ("left", "right"):
            # half a line from the ends, or a number would be cut
            spare = (maxVal - minVal) * _LINE / 2 / max(size, 1.0)
            minVal, maxVal = minVal + spare, maxVal - spare  # noqa: N806
        found = ticks(10.0**minVal, 10.0**maxVal)
        tens = [t for t in found if math.log10(t) % 1.0 < 1e-9]
        if self.orientation in ("left", "right") and size / max(len(found), 1) < _LINE and len(tens) > 1:
            found = tens
        return [(1.0, [math.log10(t) for t in found])]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """Return what stands at the ticks."""
        return [units.number(t) if t >= 1 else f"{t:g}" for t in (float(f"{10.0**v:.3g}") for v in values)]
