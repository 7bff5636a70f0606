"""Tables that several sheets of a hall share: sums against the plan, the cells of numbers, what does not agree."""

from __future__ import annotations

from wattsweights_gui.drawing.flow import Flow
from wattsweights_gui.drawing.paper import Paper
from wattsweights_gui.drawing.table import Cell, Column, Row, Table
from wattsweights_gui.engine import units
from wattsweights_gui.engine.declare import Figure
from wattsweights_gui.reports import words
from wattsweights_gui.reports.placed import Placed

EQUAL = "Equal racks share a line: the sums of a line are of all of them, other figures of each."


def begun(placed: Placed, paper: Paper, sheet: str, title: str) -> Flow:
    """Return a sheet with its heading and what it is made of."""
    flow = Flow(paper, sheet, title)
    opening(flow, placed, title)
    return flow


def gaps(flow: Flow, placed: Placed) -> None:
    """Say what the sums of the racks leave out."""
    if placed.total.gaps:
        flow.paragraph("What these sums leave out: " + " ".join(placed.total.gaps), ink="quiet")


def opening(flow: Flow, placed: Placed, title: str) -> None:
    """Put the heading of a sheet and what it is made of."""
    flow.heading(title, 12.0, 8.0)
    for sentence in placed.remarks():
        flow.paragraph(sentence, bold=sentence.startswith("Does not"))


# sums must be seen to add up, so that lines of a schedule have as many decimals, not as many significant figures
_DECIMALS = {"kw": 1, "l_min": 1, "a": 1, "pct": 1, "kg": 0, "kg_m2": 0, "btu_h": 0, "kpa": 1, "c": 1}


def fixed(value: float | None, unit: str, system: units.System) -> str:
    """Return a number for a schedule: the decimals of its unit, one more below 10; a dash where it is not known."""
    if value is None or unit not in _DECIMALS:
        return words.number(value, unit, system)
    shown = units.shown(float(value), unit, system)[0]
    places = _DECIMALS[unit] + (1 if 0 < abs(shown) < 9.95 else 0)
    said = f"{shown:,.{places}f}".replace(",", units.THIN_SPACE)
    return "0" if float(f"{shown:.{places}f}") == 0 else said


def cell(value: float | None, unit: str, placed: Placed, *, bold: bool = False) -> Cell:
    """Return a number of a schedule without its unit; a dash where it is not known."""
    return Cell(fixed(value, unit, placed.system), bold)


def column(title: str, unit: str, placed: Placed) -> Column:
    """Return a column of numbers with its unit in the head."""
    return Column(title, units.symbol(unit, placed.system) if unit in units.UNITS else unit, "right", keep=True)


def agreement_table(placed: Placed, titles: tuple[str, ...]) -> Table:
    """Return the sums of the racks against the plan's own figures."""
    rows: list[Row] = []
    for line in placed.agreements:
        if line.title not in titles:
            continue
        unit = units.symbol(line.unit, placed.system)
        gap = line.difference
        said = "the plan does not know: " + line.plan.formula if gap is None else "" if line.agrees else "DIFFERS"
        apart = "; ".join(f"{fixed(v, line.unit, placed.system)} {unit} {name}" for name, v in line.apart if v)
        rows.append(
            (
                Cell(line.title),
                cell(line.racks, line.unit, placed),
                Cell(f"+ {apart}" if apart else ""),
                cell(line.plan.value if line.plan.known else None, line.unit, placed),  # type: ignore[arg-type]
                Cell(unit),
                cell(0.0 if line.agrees else gap, line.unit, placed),
                Cell(said or "agrees", bold=line.agrees is False, ink="over" if line.agrees is False else "black"),
            )
        )
    columns = (
        Column("Sum", keep=True),
        Column("All racks", align="right", keep=True),
        Column("Beside the racks", stretch=True),
        Column("Plan", align="right", keep=True),
        Column("Unit"),
        Column("Difference", align="right", keep=True),
        Column("Verdict"),
    )
    return Table(columns, tuple(rows), "Sums against the plan", 8.0)


def facts(pairs: list[tuple[str, Figure | str]], placed: Placed, title: str) -> Table:
    """Return a table of single figures, each with the reason where it is not known, and its source."""
    rows: list[Row] = []
    for name, figure in pairs:
        if isinstance(figure, str):
            rows.append((Cell(name), Cell(figure or words.UNKNOWN), Cell(""), Cell("")))
            continue
        value = words.number(figure.value, figure.unit, placed.system)
        sign = words.sign(figure.value, figure.unit, placed.system) if figure.known else ""
        reason = figure.source if figure.known else f"not known: {figure.formula}"
        rows.append((Cell(name), Cell(value), Cell(sign), Cell(reason, ink="quiet")))
    columns = (Column("What"), Column("Value", align="right"), Column("Unit"), Column("Source", stretch=True))
    return Table(columns, tuple(rows), title, 8.0, tight=True)
