"""Hours of a year by outside temperature: read from a table of bins or an EnergyPlus weather file, and kept as bins.

A bin is dry bulb in °C, mean coincident wet bulb in °C, and hours a year.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from wattsweights_gui.engine.equations import air

Bin = tuple[float, float, float]
HOURS = 8760.0
_WIDTH_K = 2.0
_WORDS = "one row a bin: dry bulb in °C, wet bulb in °C, hours a year (24.0, 17.5, 310)"


class NotBins(ValueError):  # noqa: N818 - said of a text
    """A text that holds no bins; the message says what was wrong and what would be right."""


@lru_cache(maxsize=64)
def bins_of(text: str) -> tuple[Bin, ...]:
    """Return the bins of a text, coldest first: rows of bins, or a whole EPW file.

    Raises:
        NotBins: with the row that is wrong.
    """
    if text.lstrip("\ufeff \n").startswith("LOCATION,"):
        return binned(hours_of_epw(text))
    bins: list[Bin] = []
    rows = [r.strip() for r in re.split(r"[\n;]", text) if r.strip()]
    for number, row in enumerate(rows, 1):
        parts = [p for p in re.split(r"[,\t ]+", row) if p]
        try:
            dry, wet, hours = (float(p) for p in parts)
        except ValueError:
            if number == 1 and not any(character.isdigit() for character in row):
                continue  # a heading
            raise NotBins(f"Row {number} (“{row[:40]}”) is no bin; write {_WORDS}.") from None
        _refuse_impossible(number, dry, wet, hours)
        bins.append((dry, wet, hours))
    if not bins:
        raise NotBins(f"There is no bin in this text; write {_WORDS}.")
    total = sum(b[2] for b in bins)
    if not 8700.0 <= total <= 8800.0:
        raise NotBins(f"The bins have {total:,.0f} hours together; a year has 8,760.")
    return tuple(sorted(bins))


def _refuse_impossible(number: int, dry: float, wet: float, hours: float) -> None:
    if not (math.isfinite(dry) and math.isfinite(wet) and math.isfinite(hours)):
        raise NotBins(f"Row {number} holds something that is no number; write {_WORDS}.")
    if not -70.0 <= dry <= 60.0:
        raise NotBins(f"Row {number}: a dry bulb of {dry:g} °C does not occur; it is from -70 to 60 °C.")
    if wet > dry + 0.05:
        raise NotBins(f"Row {number}: the wet bulb ({wet:g} °C) cannot be above the dry bulb ({dry:g} °C).")
    if hours < 0:
        raise NotBins(f"Row {number}: {hours:g} hours cannot be; hours are not negative.")


def hours_of_epw(text: str) -> list[tuple[float, float]]:
    """Return dry bulb and wet bulb in °C of every hour of an EnergyPlus weather file.

    Raises:
        NotBins: it is cut short or damaged.
    """
    hours: list[tuple[float, float]] = []
    for number, line in enumerate(text.splitlines(), 1):
        cells = line.split(",")
        if number <= 8 or len(cells) < 10:
            continue
        try:
            dry, humidity, pressure = float(cells[6]), float(cells[8]), float(cells[9])
        except ValueError:
            raise NotBins(f"Line {number} of this weather file has no temperature, humidity and pressure.") from None
        if dry > 70.0 or not 0.0 <= humidity <= 110.0 or not 30_000.0 <= pressure <= 120_000.0:
            raise NotBins(f"Line {number} of this weather file is marked as missing; fill it or give bins.")
        hours.append((dry, wet_bulb(dry, humidity, pressure)))
    if len(hours) != int(HOURS):
        raise NotBins(f"This weather file has {len(hours):,} hours; a year has 8,760.")
    return hours


def wet_bulb(dry_c: float, humidity_pct: float, pressure_pa: float) -> float:
    """Return the wet bulb of an hour in °C; from 1 to 100 per cent of humidity."""
    humidity = min(100.0, max(1.0, humidity_pct))
    return dry_c if humidity >= 100.0 else min(dry_c, air.quick_wet_bulb_c(dry_c, humidity, pressure_pa))


def binned(hours: Iterable[tuple[float, float]]) -> tuple[Bin, ...]:
    """Return hours as bins of 2 K in dry bulb and 2 K in wet bulb, each at the mean of its hours."""
    cells: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for dry, wet in hours:
        cells.setdefault((math.floor(dry / _WIDTH_K), math.floor(wet / _WIDTH_K)), []).append((dry, wet))
    bins = [
        (
            round(sum(d for d, _ in cell) / len(cell), 1),
            round(sum(w for _, w in cell) / len(cell), 1),
            float(len(cell)),
        )
        for cell in cells.values()
    ]
    return tuple(sorted(bins))


def written(bins: Sequence[Bin]) -> str:
    """Return bins as a text that :func:`bins_of` reads."""
    return "\n".join(f"{dry:g}, {wet:g}, {hours:g}" for dry, wet, hours in bins)


def hottest(bins: Sequence[Bin], share: float = 0.004, column: int = 0) -> tuple[float, float]:
    """Return dry and wet bulb of the bin that is exceeded no more than a share of the year, by dry or wet bulb."""
    left = share * sum(b[2] for b in bins)
    for dry, wet, hours in sorted(bins, key=lambda b: b[column], reverse=True):
        left -= hours
        if left < 0:
            return dry, wet
    return bins[0][0], bins[0][1]
