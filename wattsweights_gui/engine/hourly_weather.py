"""The hours of a year as people have them: EnergyPlus weather files, and tables whose columns have headings.

Read are dry bulb, and one of wet bulb, relative humidity or dew point; the pressure of the air where there is one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from wattsweights_gui.engine.equations import air

YEARS = (8760, 8784)  # a leap year's has a day more
_MOST_ROWS_AN_HOUR = 60
_SOON = 60  # headings stand in the first lines
_RIGHT = "head the columns dry_bulb_c and wet_bulb_c, or dry_bulb_c and relative_humidity_pct"
_COLUMNS = {
    "dry": r"dry.?bulb|t_?db\b|db\b|(outdoor|outside|air|ambient)?[ _]?temp(erature)?\b|temp.air|temperature.2m"
    r"|t2m|tt.tu",
    "wet": r"wet.?bulb|t_?wb\b|wb\b",
    "humidity": r"rh\b|rh2m|rhum|rel[a-z]*.?hum|humidity|rf.tu",
    "dew": r"dew",
    "pressure": r"(atmos|air|station|surface)?[a-z]*[ _]?press|pres\b|sp\b",
}
_FAHRENHEIT = re.compile(r"°\s*f\b|[\[(]\s*(deg\s*)?f\s*[\])]|_f$|deg\s*f\b|fahrenheit")
_PASCAL = ((30_000.0, 120_000.0, 1.0), (300.0, 1_200.0, 100.0), (30.0, 120.0, 1_000.0))


class NotHours(ValueError):  # noqa: N818 - said of a text
    """A text whose hours cannot be read; the message says what was wrong and what would be right."""


@dataclass(frozen=True)
class Hours:
    """The hours of a site.

    Attributes:
        name: of the site or the file, as the text gives it; may be empty.
        basis: what was read ("dry bulb and relative humidity").
        rows: dry bulb and wet bulb in °C, one a row of the file.
    """

    name: str
    basis: str
    rows: tuple[tuple[float, float], ...]

    @property
    def weight(self) -> float:
        """Hours that a row stands for, so that a year has 8,760."""
        return YEARS[0] / len(self.rows)


@dataclass(frozen=True)
class _Heading:
    line: int
    separator: str
    at: dict[str, int]
    fahrenheit: frozenset[str]


def hours_of(text: str) -> Hours | None:
    """Return the hours of a weather file or of a table with headings; ``None`` where the text is neither.

    Raises:
        NotHours: it is one, and cut short or damaged; with the line that is wrong.
    """
    lines = text.lstrip("\ufeff").splitlines()
    name = ""
    first = 0
    while first < len(lines) and (not lines[first].strip() or lines[first].startswith("#")):
        name = name or lines[first].lstrip("# ").strip()
        first += 1
    if first < len(lines) and lines[first].startswith("LOCATION,"):
        return _epw(lines, first)
    heading = _heading(lines, first)
    if heading is None:
        if sum(character.isdigit() for line in lines[-50:] for character in line) and len(lines) >= YEARS[0]:
            raise NotHours(f"These {len(lines):,} rows do not say what their columns are; {_RIGHT}.")
        return None
    return _table(lines, heading, name)


def _epw(lines: Sequence[str], first: int) -> Hours:
    """Return the hours of an EnergyPlus weather file (columns of its data dictionary)."""
    place = [cell.strip() for cell in lines[first].split(",")]
    rows: list[tuple[float, float]] = []
    for number, line in enumerate(lines[first + 8 :], first + 9):
        cells = line.split(",")
        if len(cells) < 10:
            continue
        try:
            dry, humidity, pressure = float(cells[6]), float(cells[8]), float(cells[9])
        except ValueError:
            raise NotHours(f"Line {number} of this weather file has no temperature, humidity and pressure.") from None
        if not (-70.0 <= dry <= 60.0 and 0.0 <= humidity <= 110.0 and 30_000.0 <= pressure <= 120_000.0):
            raise NotHours(f"Line {number} of this weather file is marked as missing; fill it or give bins.")
        rows.append((dry, wet_bulb(dry, humidity, pressure)))
    _whole(rows, "This weather file")
    named = ", ".join(part for part in (*place[1:2], *place[3:5]) if part and part != "-")
    return Hours(named, "dry bulb, relative humidity and pressure", tuple(rows))


def _heading(lines: Sequence[str], first: int) -> _Heading | None:
    for number in range(first, min(len(lines), first + _SOON)):
        for separator in (";", "\t", ","):
            cells = [c.strip().strip('"').casefold() for c in lines[number].split(separator)]
            at: dict[str, int] = {}
            for place, cell in enumerate(cells):
                kind = next((k for k, words in _COLUMNS.items() if re.match(words, cell)), None)
                if kind is not None:
                    at.setdefault(kind, place)
            if "dry" in at and at.keys() & {"wet", "humidity", "dew"}:
                warm = frozenset(k for k, place in at.items() if _FAHRENHEIT.search(cells[place]))
                return _Heading(number, separator, at, warm)
    return None


def _table(lines: Sequence[str], heading: _Heading, name: str) -> Hours:
    moist = next(k for k in ("wet", "humidity", "dew") if k in heading.at)
    wanted = ["dry", moist, *(["pressure"] if "pressure" in heading.at else [])]
    most = max(heading.at[k] for k in wanted)
    read: list[tuple[int, list[float]]] = []
    for number, line in enumerate(lines[heading.line + 1 :], heading.line + 2):
        cells = line.split(heading.separator)
        if not line.strip() or (len(cells) <= most and len(read) >= YEARS[0]):
            continue  # notes under the table
        try:
            values = [_number(cells[heading.at[k]], heading.separator) for k in wanted]
        except (ValueError, IndexError):
            raise NotHours(
                f"Line {number} (“{line.strip()[:40]}”) has no number where the headings want one."
            ) from None
        read.append((number, values))
    share = moist == "humidity" and bool(read) and max(v[1] for _, v in read) <= 1.01
    rows = []
    for number, values in read:
        dry, second = values[0], values[1] * (100.0 if share else 1.0)
        dry = (dry - 32.0) / 1.8 if "dry" in heading.fahrenheit else dry
        if moist != "humidity" and moist in heading.fahrenheit:
            second = (second - 32.0) / 1.8
        pressure = _pascal(number, values[2]) if len(values) > 2 else air.SEA_LEVEL_PA
        rows.append((dry, _wet(number, moist, dry, second, pressure)))
    _whole(rows, "This table")
    title = {"wet": "wet bulb", "humidity": "relative humidity", "dew": "dew point"}[moist]
    also = " and pressure" if len(wanted) > 2 and moist != "wet" else ""
    return Hours(name, f"dry bulb, {title}{also}" if also else f"dry bulb and {title}", tuple(rows))


def _number(cell: str, separator: str) -> float:
    cell = cell.strip().strip('"')
    if separator != "," and "." not in cell:
        cell = cell.replace(",", ".")
    value = float(cell)
    if not math.isfinite(value):
        raise ValueError(cell)
    return value


def _pascal(number: int, value: float) -> float:
    for low, high, factor in _PASCAL:
        if low <= value <= high:
            return value * factor
    raise NotHours(f"Line {number}: a pressure of {value:g} is none of the air's, in Pa, hPa or kPa.")


def _wet(number: int, moist: str, dry: float, second: float, pressure: float) -> float:
    if not -70.0 <= dry <= 60.0:
        raise NotHours(f"Line {number}: a dry bulb of {dry:g} °C does not occur; it is from -70 to 60 °C.")
    if moist == "humidity":
        if not 0.0 <= second <= 110.0:
            raise NotHours(f"Line {number}: a relative humidity of {second:g} % does not occur.")
        return wet_bulb(dry, second, pressure)
    if not -90.0 <= second <= dry + 1.0:
        title = "wet bulb" if moist == "wet" else "dew point"
        raise NotHours(f"Line {number}: a {title} of {second:g} °C cannot be with a dry bulb of {dry:g} °C.")
    if moist == "wet":
        return min(second, dry)
    return wet_bulb(dry, float(air.relative_humidity_pct(second, dry)), pressure)


def _whole(rows: Sequence[object], what: str) -> None:
    if not any(rows and len(rows) % year == 0 and len(rows) // year <= _MOST_ROWS_AN_HOUR for year in YEARS):
        raise NotHours(f"{what} has {len(rows):,} hours; a year has 8,760 (a leap year 8,784).")


def wet_bulb(dry_c: float, humidity_pct: float, pressure_pa: float) -> float:
    """Return the wet bulb of an hour in °C; from 1 to 100 per cent of humidity."""
    humidity = min(100.0, max(1.0, humidity_pct))
    return dry_c if humidity >= 100.0 else min(dry_c, air.quick_wet_bulb_c(dry_c, humidity, pressure_pa))
