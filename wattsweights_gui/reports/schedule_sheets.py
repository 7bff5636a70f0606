"""The rack, power and cooling schedules, and the bill of materials, as sheets."""

from __future__ import annotations

from dataclasses import replace

from wattsweights_gui.drawing.flow import Flow
from wattsweights_gui.drawing.paper import Paper
from wattsweights_gui.drawing.table import Cell, Column, Row, Span, Table
from wattsweights_gui.engine import declare
from wattsweights_gui.engine.declare import Figure
from wattsweights_gui.engine.units import number, symbol, text
from wattsweights_gui.layout.floor_checks import row_load
from wattsweights_gui.reports import schedules as data
from wattsweights_gui.reports import words
from wattsweights_gui.reports.hall_tables import agreement_table, cell, column, facts, opening
from wattsweights_gui.reports.layer_sheet import data_table
from wattsweights_gui.reports.placed import ROLES, Placed, RackClass, contents

RACKS, POWER, COOLING, BILL = "rack_schedule", "power_schedule", "cooling_schedule", "bill_of_materials"
TITLES = {
    RACKS: "Rack schedule",
    POWER: "Power schedule",
    COOLING: "Cooling schedule",
    BILL: "Bill of materials",
}
_EQUAL = "Equal racks share a line: the sums of a line are of all of them, other figures of each."


def rack_sheet(placed: Placed, paper: Paper) -> Flow:
    """Return the schedule of racks."""
    flow = _begun(placed, paper, RACKS)
    if not placed.placements.racks:
        return flow
    flow.paragraph(_EQUAL)
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
    _gaps(flow, placed)
    _findings(flow, placed)
    return flow


def _begun(placed: Placed, paper: Paper, sheet: str) -> Flow:
    flow = Flow(paper, sheet, TITLES[sheet])
    opening(flow, placed, TITLES[sheet])
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


def _gaps(flow: Flow, placed: Placed) -> None:
    if placed.total.gaps:
        flow.paragraph("What these sums leave out: " + " ".join(placed.total.gaps), ink="quiet")


def _findings(flow: Flow, placed: Placed) -> None:
    if placed.findings:
        flow.heading("What does not agree", 9.0, 4.0)
        for finding in placed.findings:
            flow.paragraph(f"· {finding.message}", bold=finding.severity == "blocker")


# --------------------------------------------------------------------------------------------------------------- power


def power_sheet(placed: Placed, paper: Paper) -> Flow:
    """Return the schedule of feeds, and of what feeds them up to the utility."""
    flow = _begun(placed, paper, POWER)
    if not placed.placements.racks:
        return flow
    circuit = data.circuit_of(placed)
    flow.paragraph(
        f"{_EQUAL} Connected is the maximum draw, expected that of the plan's workload; failover is what a circuit "
        f"carries when the other side is lost. Redundancy {circuit.scheme}. Amps are those of a phase, balanced."
    )
    usable = Figure(circuit.usable_kw, "kw", "A circuit may carry continuously")
    if circuit.usable_kw is None:
        usable = declare.unknown("the feed's volts or amps are not known", "kw", usable.title)
    flow.table(
        facts(
            [
                ("Circuit of all racks", circuit.name),
                ("Plug", circuit.plug or "– (the catalogue names none for this circuit)"),
                ("Breaker", circuit.breaker),
                ("Volts, line to line", circuit.volts),
                ("Phases", circuit.phases),
                ("Power factor", placed.hall.power_factor),
                (usable.title, usable),
                ("A rack may draw when a side is lost", placed.hall.feed_kw),
            ],
            placed,
            "The circuit",
        )
    )
    flow.table(_feeds_table(placed, circuit))
    flow.table(agreement_table(placed, ("Connected",)))
    flow.table(_row_power_table(placed))
    for name in ("feed_schedule", "levels", "stages"):
        table = getattr(placed.evaluation.results["power"], name, None)
        if isinstance(table, declare.Table) and table.rows:
            made = data_table(table, name, placed.system)
            flow.table(replace(made, title=f"By the plan: {words.lowered(made.title)}"))
    flow.table(
        facts(
            [
                (title, placed.result("power", name))
                for title, name in (
                    ("IT power, maximum", "it_power_max_kw"),
                    ("IT power, typical", "it_power_kw"),
                    ("Electrical losses", "loss_kw"),
                    ("Cooling power", "cooling_power_kw"),
                    ("At the utility, maximum", "facility_power_kw"),
                    ("PUE", "pue"),
                )
            ],
            placed,
            "From the racks to the utility, by the plan",
        )
    )
    _gaps(flow, placed)
    return flow


def _feeds_table(placed: Placed, circuit: data.Circuit) -> Table:
    rows: list[Row] = []
    connected = expected = 0.0
    count = 0
    volts = text(circuit.volts.value, "v", placed.system) if circuit.volts.known else "–"
    line = f"{volts} L-L" if circuit.phases.known and circuit.phases.number > 1 else volts
    breaker = words.number(circuit.breaker.value, "a", placed.system)
    for cls in placed.classes:
        for feed in data.feed_lines(placed, cls.first.id, circuit):
            lots = cls.count * len(feed.feeds)
            count += lots
            connected += feed.connected_kw * lots
            expected += feed.expected_kw * lots
            source = (
                data.sources_of(placed, cls.first.id, feed.side)
                if cls.count == 1
                else f"PDU {feed.side} of its row"
                if any(r.pdus for r in placed.floor.rows)
                else f"Side {feed.side}"
            )
            over = feed.of_usable_pct is not None and feed.of_usable_pct > 100 + 1e-7
            rows.append(
                (
                    Cell(cls.names), Cell(", ".join(feed.feeds)), Cell(number(lots)), Cell(source), Cell(breaker),
                    Cell(line), Cell(words.number(circuit.phases.value, "count", placed.system)),
                    cell(feed.connected_kw, "kw", placed), cell(feed.connected_a, "a", placed),
                    cell(feed.expected_kw, "kw", placed), cell(feed.expected_a, "a", placed),
                    cell(feed.failover_kw, "kw", placed), cell(feed.failover_a, "a", placed),
                    cell(feed.usable_kw, "kw", placed),
                    Cell(words.number(feed.of_usable_pct, "pct", placed.system), over, "over" if over else "black"),
                )
            )  # fmt: skip
    rows.append(
        (
            Cell("All circuits", True), Cell(""), Cell(number(count), True), Cell(""), Cell(""), Cell(""), Cell(""),
            cell(connected, "kw", placed, bold=True), Cell(""), cell(expected, "kw", placed, bold=True), Cell(""),
            Cell(""), Cell(""), Cell(""), Cell(""),
        )
    )  # fmt: skip
    columns = (
        Column("Racks", stretch=True),
        Column("Feeds of each"),
        column("Circuits", "", placed),
        Column("Source"),
        column("Breaker", "a", placed),
        Column("Volts", keep=True),
        Column("Phases", align="right"),
        column("Connected", "kw", placed),
        column("Connected", "a", placed),
        column("Expected", "kw", placed),
        column("Expected", "a", placed),
        column("Failover", "kw", placed),
        column("Failover", "a", placed),
        column("Usable", "kw", placed),
        column("Worst of usable", "%", placed),
    )
    note = "kW and A are those of one circuit; the last line is the sum over all circuits. L-L: line to line."
    return Table(columns, tuple(rows), "Feeds", 8.0, note=note)


def _row_power_table(placed: Placed) -> Table:
    rows: list[Row] = []
    connected = expected = 0.0
    for row in placed.floor.rows:
        load = row_load(row, placed.loads)
        usual = sum(data.expected_kw(placed, i) for i in row.racks)
        connected, expected = connected + load.power_kw, expected + usual
        pdus = ", ".join(row.pdus) or "–"
        rows.append(
            (
                Cell(row.name), Cell(number(len(row.racks))), Cell(pdus), cell(load.power_kw, "kw", placed),
                cell(usual, "kw", placed), cell(load.a_kw, "kw", placed), cell(load.b_kw, "kw", placed),
                cell(load.power_kw if placed.hall.feeds_b else None, "kw", placed),
            )
        )  # fmt: skip
    moved = [s.id for s in placed.floor.racks.values() if not s.row]
    if moved:
        own = sum(placed.loads[i].power_kw for i in moved)
        usual = sum(data.expected_kw(placed, i) for i in moved)
        connected, expected = connected + own, expected + usual
        rows.append(
            (
                Cell("moved"), Cell(number(len(moved))), Cell("–"), cell(own, "kw", placed),
                cell(usual, "kw", placed), cell(sum(placed.loads[i].a_kw for i in moved), "kw", placed),
                cell(sum(placed.loads[i].b_kw for i in moved), "kw", placed), Cell("–"),
            )
        )  # fmt: skip
    whole = placed.total
    rows.append(
        (
            Cell("All", True), Cell(number(len(placed.floor.racks)), True), Cell(""),
            cell(connected, "kw", placed, bold=True), cell(expected, "kw", placed, bold=True),
            cell(whole.a_kw, "kw", placed, bold=True), cell(whole.b_kw, "kw", placed, bold=True), Cell(""),
        )
    )  # fmt: skip
    columns = (
        Column("Row"),
        column("Racks", "", placed),
        Column("PDUs or RPPs", stretch=True),
        column("Connected", "kw", placed),
        column("Expected", "kw", placed),
        column("Side A", "kw", placed),
        column("Side B", "kw", placed),
        column("A side, the other lost", "kw", placed),
    )
    return Table(columns, tuple(rows), "Rows", 8.0, tight=len(rows) > 30)


# ------------------------------------------------------------------------------------------------------------- cooling


def cooling_sheet(placed: Placed, paper: Paper) -> Flow:
    """Return the schedule of racks and CDUs with their heat and flow."""
    flow = _begun(placed, paper, COOLING)
    if not placed.placements.racks:
        return flow
    loop = data.loop_of(placed)
    flow.paragraph(_EQUAL + " Heat is that of the maximum draw.")
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
    _gaps(flow, placed)
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


# ---------------------------------------------------------------------------------------------------- bill of materials


def bill_sheet(placed: Placed, paper: Paper) -> Flow:
    """Return the bill of materials."""
    flow = _begun(placed, paper, BILL)
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
