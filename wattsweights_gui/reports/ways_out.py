"""The levers as a table: what is changed, what it closes, and the re-sized numbers."""

from __future__ import annotations

from typing import Any

from wattsweights_gui.drawing.table import Cell, Column, Row, Table
from wattsweights_gui.engine import units
from wattsweights_gui.reports import words

# measure -> head; the unit is the figure's own
MEASURES: dict[str, str] = {
    "gpus": "GPUs",
    "days": "Days",
    "facility_power_kw": "Facility power",
    "racks": "Racks",
    "rack_heat_kw": "Fullest rack",
    "facility_water_l_min": "Facility water",
}


def ways_out_table(report: Any, system: units.System) -> Table:
    """Return the levers of a report, singles that close something before pairs, each group as ranked.

    A lever that closes nothing is left out: it is no way out.
    """
    levers = [lever for lever in report.singles if lever.fits or lever.closes > 0]
    pairs = [lever for lever in report.pairs if lever.fits or lever.closes > 0]
    ranked = sorted((*levers, *pairs), key=lambda lever: not lever.fits)
    shown = [n for n in MEASURES if any(n in lever.deltas for lever in ranked)]
    columns = [
        Column("What is changed", stretch=True),
        Column("Then", keep=True),
        Column("Closes", "%", "right"),
        *(Column(MEASURES[name], _unit(ranked, name, system), "right", keep=True) for name in shown),
        Column("What still binds", cut=True),
    ]
    rows: list[Row] = [
        (
            Cell(lever.title, bold=lever.fits),
            Cell("FITS" if lever.fits else "does not fit", bold=lever.fits, ink="fine" if lever.fits else "black"),
            Cell(units.number(100 * lever.closes, 2) if lever.closes < 1 else "100"),
            *(_change(lever, name, system) for name in shown),
            Cell(_binding(lever), ink="quiet"),
        )
        for lever in ranked
    ]
    return Table(tuple(columns), tuple(rows), "", 8.0, _nothing(report), True)


def _unit(levers: list[Any], name: str, system: units.System) -> str:
    return next((units.symbol(lever.deltas[name][1].unit, system) for lever in levers if name in lever.deltas), "")


def _change(lever: Any, name: str, system: units.System) -> Cell:
    if name not in lever.deltas:
        return Cell(words.UNKNOWN)
    before, after = lever.deltas[name]
    was = words.number(before.value, before.unit, system)
    now = words.number(after.value, after.unit, system)
    return Cell(now if was == now else f"{was} → {now}", bold=was != now)


def _binding(lever: Any) -> str:
    binding = lever.ends.binding
    if not binding:
        return "nothing"
    more = f" and {len(binding) - 1} more" if len(binding) > 1 else ""
    return f"{binding[0].title}{more}"


def _nothing(report: Any) -> str:
    if report.base_ends.fits:
        return "None is needed: everything fits."
    return "No single change and no pair of changes closes any of the gap."
