"""The cooling schedule: heat and flow of every rack and CDU, and the loops they hang on."""

from __future__ import annotations

from wattsweights_gui.drawing.flow import Flow
from wattsweights_gui.drawing.paper import Paper
from wattsweights_gui.drawing.table import Cell, Column, Row, Table
from wattsweights_gui.engine.declare import Figure
from wattsweights_gui.engine.units import number
from wattsweights_gui.reports import schedules as data
from wattsweights_gui.reports import words
from wattsweights_gui.reports.hall_tables import EQUAL, agreement_table, begun, cell, column, facts, gaps
from wattsweights_gui.reports.placed import Placed

SHEET, TITLE = "cooling_schedule", "Cooling schedule"


def cooling_sheet(placed: Placed, paper: Paper) -> Flow:
    """Return the schedule of racks and CDUs with their heat and flow."""
    flow = begun(placed, paper, SHEET, TITLE)
    if not placed.placements.racks:
        return flow
    loop = data.loop_of(placed)
    flow.paragraph(EQUAL + " Heat is that of the maximum draw.")
    flow.table(_heat_table(placed, loop))
    flow.table(agreement_table(placed, ("Heat to liquid", "Heat to air")))
    flow.table(_cdu_table(placed, loop))
    pairs: list[tuple[str, Figure | str]] = [
        ("Fluid of the technology loop", loop.fluid),
        ("Loop supply", loop.supply),
        ("Loop return", loop.back),
        ("Pressure drop of a rack", loop.rack_dp),
        ("Line of a rack, inner diameter", loop.rack_pipe),
        ("Pressure drop outside a CDU", loop.cdu_dp),
        ("Pipes of a CDU", loop.cdu_pipe),
        ("CDUs limited by", placed.result("cooling", "cdu_limit")),
        ("Approach available", placed.result("cooling", "cdu_approach_k")),
        ("Facility water supply", loop.water_supply),
        ("Facility water return", loop.water_return),
        ("Facility water", placed.result("cooling", "facility_water_l_min")),
        ("Main of the facility water", loop.water_pipe),
        ("Airflow", placed.result("cooling", "airflow_m3_s")),
        ("Heat to the air handlers", placed.result("cooling", "room_air_kw")),
        ("A rack can reject", placed.hall.reject_kw),
        ("… limited by", placed.result("cooling", "rack_limit_by")),
    ]
    flow.table(facts(pairs, placed, "Loops and air, by the plan"))
    gaps(flow, placed)
    return flow


def _short(figure: Figure, placed: Placed) -> Cell:
    return Cell(words.number(figure.value, figure.unit, placed.system) if figure.known else words.UNKNOWN)


def _heat_table(placed: Placed, loop: data.Loop) -> Table:
    rows: list[Row] = []
    for cls in placed.classes:
        load, n = cls.load, cls.count
        wet = load.liquid_kw > 0
        rows.append(
            (
                Cell(cls.names), Cell(number(n)), cell(load.power_kw, "kw", placed),
                cell(load.liquid_kw, "kw", placed), cell(load.air_kw, "kw", placed),
                cell(load.power_kw * data.BTU_H_A_KW, "btu_h", placed), cell(load.liquid_kw * n, "kw", placed),
                cell(load.air_kw * n, "kw", placed), _short(loop.fluid, placed) if wet else Cell(words.UNKNOWN),
                cell(load.flow_l_min if wet else None, "l_min", placed),
                _short(loop.supply, placed) if wet else Cell(words.UNKNOWN),
                _short(loop.back, placed) if wet else Cell(words.UNKNOWN),
                _short(loop.rack_dp, placed) if wet else Cell(words.UNKNOWN),
                _short(loop.rack_pipe, placed) if wet else Cell(words.UNKNOWN),
            )
        )  # fmt: skip
    whole = placed.total
    rows.append(
        (
            Cell("All racks", True), Cell(number(len(placed.placements.racks)), True), Cell(""), Cell(""), Cell(""),
            Cell(""), cell(whole.liquid_kw, "kw", placed, bold=True), cell(whole.air_kw, "kw", placed, bold=True),
            Cell(""), cell(whole.flow_l_min, "l_min", placed, bold=True), Cell(""), Cell(""), Cell(""), Cell(""),
        )
    )  # fmt: skip
    columns = (
        Column("Racks", stretch=True),
        column("Count", "", placed),
        column("Heat of each", "kw", placed),
        column("Liquid of each", "kw", placed),
        column("Air of each", "kw", placed),
        column("Heat of each", "btu_h", placed),
        column("Liquid, all", "kw", placed),
        column("Air, all", "kw", placed),
        Column("Fluid"),
        column("Flow of each", "l_min", placed),
        column("Supply", "c", placed),
        column("Return", "c", placed),
        column("Pressure drop", "kpa", placed),
        column("Line, inner", "mm", placed),
    )
    missing = [
        f"{name}: {f.formula}"
        for name, f in (("Fluid", loop.fluid), ("Return", loop.back), ("Pressure drop", loop.rack_dp),
                        ("Line", loop.rack_pipe))
        if not f.known and f.formula
    ]  # fmt: skip
    note = "The last line's flow is the sum of all racks." if whole.flow_l_min is not None else ""
    if missing:
        note = " ".join([note, "Not known: " + "; ".join(missing) + "."]).strip()
    return Table(columns, tuple(rows), "Racks", 8.0, note=note)


def _cdu_table(placed: Placed, loop: data.Loop) -> Table:
    lines = data.cdu_lines(placed)
    capacity = placed.result("cooling", "cdu_capacity_kw")
    rows: list[Row] = [
        (
            Cell(line.where), Cell(", ".join(line.names) if len(line.names) < 9 else
                                   f"{line.names[0]} to {line.names[-1]}"),
            Cell(number(len(line.names))), cell(line.each_kw, "kw", placed), cell(line.duty_kw, "kw", placed),
            _short(capacity, placed), cell(line.each_l_min, "l_min", placed), _short(loop.supply, placed),
            _short(loop.back, placed), _short(loop.cdu_dp, placed), _short(loop.cdu_pipe, placed),
            cell(line.water_l_min, "l_min", placed), _short(loop.water_supply, placed),
            _short(loop.water_return, placed),
        )
        for line in lines
    ]  # fmt: skip
    if rows:
        count = sum(len(line.names) for line in lines)
        heat = sum(line.each_kw * len(line.names) for line in lines)
        rows.append(
            (
                Cell("All CDUs", True), Cell(""), Cell(number(count), True), cell(heat, "kw", placed, bold=True),
                *(Cell("") for _ in range(10)),
            )
        )  # fmt: skip
    columns = (
        Column("Where"),
        Column("CDUs", stretch=True),
        column("Count", "", placed),
        column("Heat of each, all run", "kw", placed),
        column("… spares stand", "kw", placed),
        column("One takes", "kw", placed),
        column("Coolant of each", "l_min", placed),
        column("Supply", "c", placed),
        column("Return", "c", placed),
        column("Pressure drop", "kpa", placed),
        Column("Pipe"),
        column("Water of each", "l_min", placed),
        column("Water supply", "c", placed),
        column("Water return", "c", placed),
    )
    kind = placed.floor.rules.cdu_name
    note = "The last line's heat is the sum of all CDUs."
    if not capacity.known:
        note += f" One takes: not known, {capacity.formula}."
    return Table(
        columns, tuple(rows), f"CDUs: {kind}" if kind else "CDUs", 8.0, "No CDUs: this cooling has none.", note=note
    )
