"""Hours of a year by outside temperature: read from a table of bins or from the hours themselves, and kept as bins.

A bin is dry bulb in °C, mean coincident wet bulb in °C, and hours a year. Lines that begin with # say where they are
from.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from wattsweights_gui.engine.hourly_weather import NotHours, hours_of

Bin = tuple[float, float, float]
HOURS = 8760.0
_WIDTH_K = 2.0
_WORDS = (
    "one row a bin: dry bulb in °C, wet bulb in °C, hours a year (24.0, 17.5, 310), or the hours of a year under the "
    "headings dry_bulb_c and wet_bulb_c or relative_humidity_pct"
)


class NotBins(ValueError):  # noqa: N818 - said of a text
    """A text that holds no bins; the message says what was wrong and what would be right."""


@lru_cache(maxsize=64)
def bins_of(text: str) -> tuple[Bin, ...]:
    """Return the bins of a text, coldest first: rows of bins, a whole weather file, or a table of the hours of a year.

    Raises:
        NotBins: with the row that is wrong.
    """
    try:
        hours = hours_of(text)
    except NotHours as error:
        raise NotBins(str(error)) from None
    return binned(hours.rows, hours.weight) if hours is not None else _rows(text)


def kept(text: str) -> str:
    """Return what the plan keeps of a text: bins as they are written, hours as the bins that they make.

    Raises:
        NotBins: with the row that is wrong.
    """
    if not text.strip():
        return ""
    try:
        hours = hours_of(text)
    except NotHours as error:
        raise NotBins(str(error)) from None
    if hours is None:
        _rows(text)
        return text
    said = f"{len(hours.rows):,} hours of {hours.basis}, in bins of 2 K"
    return f"# {hours.name or 'own hours'}: {said}\n" + written(binned(hours.rows, hours.weight))


def origin(text: str) -> str:
    """Return what the first line that begins with # says of where bins are from; empty without one."""
    line = next((r for r in text.splitlines() if r.startswith("#")), "")
    return line.lstrip("# ").strip()


def _rows(text: str) -> tuple[Bin, ...]:
    bins: list[Bin] = []
    told = "\n".join(r for r in text.splitlines() if not r.lstrip().startswith("#"))
    rows = [r.strip() for r in re.split(r"[\n;]", told) if r.strip()]
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


def binned(hours: Iterable[tuple[float, float]], weight: float = 1.0) -> tuple[Bin, ...]:
    """Return hours as bins of 2 K in dry bulb and 2 K in wet bulb, each at the mean of its hours.

    Args:
        hours: dry and wet bulb in °C.
        weight: hours that each of them stands for.
    """
    cells: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for dry, wet in hours:
        cells.setdefault((math.floor(dry / _WIDTH_K), math.floor(wet / _WIDTH_K)), []).append((dry, wet))
    bins = [
        (
            round(sum(d for d, _ in cell) / len(cell), 1),
            round(sum(w for _, w in cell) / len(cell), 1),
            round(len(cell) * weight, 4),
        )
        for cell in cells.values()
    ]
    return tuple(sorted(bins))


def written(bins: Sequence[Bin]) -> str:
    """Return bins as a text that :func:`bins_of` reads."""
    return "\n".join(f"{dry:g}, {wet:g}, {hours:.10g}" for dry, wet, hours in bins)


def hottest(bins: Sequence[Bin], share: float = 0.004, column: int = 0) -> tuple[float, float]:
    """Return dry and wet bulb of the bin that is exceeded no more than a share of the year, by dry or wet bulb."""
    left = share * sum(b[2] for b in bins)
    for dry, wet, hours in sorted(bins, key=lambda b: b[column], reverse=True):
        left -= hours
        if left < 0:
            return dry, wet
    return bins[0][0], bins[0][1]
