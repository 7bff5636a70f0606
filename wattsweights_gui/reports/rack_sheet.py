"""The rack schedule: what is in each rack, what it draws, gives off and weighs."""

from __future__ import annotations

from wattsweights_gui.drawing.flow import Flow
from wattsweights_gui.drawing.paper import Paper
from wattsweights_gui.drawing.table import Cell, Column, Row, Table
from wattsweights_gui.engine.units import number
from wattsweights_gui.reports import schedules as data
from wattsweights_gui.reports.hall_tables import EQUAL, agreement_table, begun, cell, column, gaps
from wattsweights_gui.reports.placed import ROLES, Placed, RackClass, contents

SHEET, TITLE = "rack_schedule", "Rack schedule"


def rack_sheet(placed: Placed, paper: Paper) -> Flow:
    """Return the schedule of racks."""
    flow = begun(placed, paper, SHEET, TITLE)
    if not placed.placements.racks:
        return flow
    flow.paragraph(EQUAL)
    rows: list[Row] = [_rack_row(placed, cls) for cls in placed.classes]
    whole = placed.total
    rows.append(
        (
            Cell("All racks", True), Cell(number(len(placed.placements.racks)), True), Cell(""), Cell(""),
            Cell(f"{number(placed.placements.count)} devices", True),
            Cell(f"{number(whole.used_u)} of {number(whole.height_u)}", True), Cell(""),
            cell(whole.power_kw, "kw", placed, bold=True),
            cell(whole.liquid_kw, "kw", placed, bold=True), cell(whole.air_kw, "kw", placed, bold=True),
            cell(whole.flow_l_min, "l_min", placed, bold=True), Cell(""), cell(whole.mass_kg, "kg", placed, bold=True),
            Cell(""),
        )
    )  # fmt: skip
    columns = (
        Column("Racks", stretch=True),
        column("Count", "", placed),
        Column("Role"),
        Column("Rows"),
        Column("What is in each", stretch=True),
        column("Used", "U", placed),
        column("Draw of each", "kw", placed),
        column("Draw of all", "kw", placed),
        column("Liquid, all", "kw", placed),
        column("Air, all", "kw", placed),
        column("Coolant, all", "l_min", placed),
        column("Mass of each", "kg", placed),
        column("Mass of all", "kg", placed),
        column("With half aisles", "kg_m2", placed),
    )
    flow.table(Table(columns, tuple(rows), "Racks", 8.0))
    flow.table(agreement_table(placed, ("Racks", "Connected", "Heat to liquid", "Heat to air")))
    gaps(flow, placed)
    _findings(flow, placed)
    return flow


def _rack_row(placed: Placed, cls: RackClass) -> Row:
    load, n = cls.load, cls.count
    floor = data.heaviest(placed, cls)
    return (
        Cell(cls.names), Cell(number(n)), Cell(ROLES.get(cls.first.role, cls.first.role)),
        Cell(data.rows_of(placed, cls.racks)), Cell(contents(placed, cls.devices)),
        Cell(f"{number(load.used_u)} of {number(load.height_u)}"), cell(load.power_kw, "kw", placed),
        cell(load.power_kw * n, "kw", placed),
        cell(load.liquid_kw * n, "kw", placed), cell(load.air_kw * n, "kw", placed),
        cell(load.flow_l_min * n if load.flow_l_min is not None else None, "l_min", placed),
        cell(load.mass_kg, "kg", placed), cell(load.mass_kg * n, "kg", placed),
        cell(floor.spread if floor is not None else None, "kg_m2", placed),
    )  # fmt: skip


def _findings(flow: Flow, placed: Placed) -> None:
    if placed.findings:
        flow.heading("What does not agree", 9.0, 4.0)
        for finding in placed.findings:
            flow.paragraph(f"· {finding.message}", bold=finding.severity == "blocker")
