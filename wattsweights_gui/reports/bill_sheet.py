"""The bill of materials."""

from __future__ import annotations

from wattsweights_gui.drawing.flow import Flow
from wattsweights_gui.drawing.paper import Paper
from wattsweights_gui.drawing.table import Cell, Column, Row, Span, Table
from wattsweights_gui.engine.units import symbol
from wattsweights_gui.reports import schedules as data
from wattsweights_gui.reports.hall_tables import begun, cell, column
from wattsweights_gui.reports.placed import Placed

SHEET, TITLE = "bill_of_materials", "Bill of materials"


def bill_sheet(placed: Placed, paper: Paper) -> Flow:
    """Return the bill of materials."""
    flow = begun(placed, paper, SHEET, TITLE)
    lines = data.bill(placed)
    rows: list[Row] = []
    group = ""
    for line in lines:
        if line.group != group:
            group = line.group
            rows.append(Span(group))
        gap = None if line.plan is None else line.placed - line.plan
        rows.append(
            (
                Cell(line.name), cell(line.placed, "count", placed),
                cell(line.plan, "count", placed), Cell("" if not gap else f"{gap:+g}", bold=True, ink="over"),
                cell(line.each_kw, "kw", placed), cell(line.all_kw, "kw", placed), cell(line.each_kg, "kg", placed),
                cell(line.all_kg, "kg", placed), Cell(line.source, ink="quiet"),
            )
        )  # fmt: skip
    if placed.placements.racks:
        kw = sum(line.all_kw or 0.0 for line in lines)
        kg = sum(line.all_kg or 0.0 for line in lines)
        rows.append(
            (Cell("All", True), *(Cell("") for _ in range(4)), cell(kw, "kw", placed, bold=True), Cell(""),
             cell(kg, "kg", placed, bold=True), Cell(""))
        )  # fmt: skip
    columns = (
        Column("What", stretch=True),
        column("Placed", "", placed),
        column("Plan", "", placed),
        Column("Apart", align="right"),
        column("Draw of each", "kw", placed),
        column("Draw of all", "kw", placed),
        column("Mass of each", "kg", placed),
        column("Mass of all", "kg", placed),
        Column("Source", stretch=True),
    )
    weight = symbol("kg", placed.system)
    note = f"– is not known and not in the sums. The sums of kW and {weight} are those of the rack schedule."
    flow.table(Table(columns, tuple(rows), "", 8.0, "Nothing is bought yet.", note=note))
    for sentence in placed.wanted.notes:
        flow.paragraph(f"· {sentence}")
    return flow
