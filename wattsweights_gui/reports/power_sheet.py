"""The power schedule: every feed of the racks, the rows, and the path up to the utility."""

from __future__ import annotations

from dataclasses import replace

from wattsweights_gui.drawing.flow import Flow
from wattsweights_gui.drawing.paper import Paper
from wattsweights_gui.drawing.table import Cell, Column, Row, Table
from wattsweights_gui.engine import declare
from wattsweights_gui.engine.declare import Figure
from wattsweights_gui.engine.units import number, text
from wattsweights_gui.layout.floor_checks import row_load
from wattsweights_gui.reports import schedules as data
from wattsweights_gui.reports import words
from wattsweights_gui.reports.hall_tables import EQUAL, agreement_table, begun, cell, column, facts, gaps
from wattsweights_gui.reports.layer_sheet import data_table
from wattsweights_gui.reports.placed import Placed

SHEET, TITLE = "power_schedule", "Power schedule"


def power_sheet(placed: Placed, paper: Paper) -> Flow:
    """Return the schedule of feeds, and of what feeds them up to the utility."""
    flow = begun(placed, paper, SHEET, TITLE)
    if not placed.placements.racks:
        return flow
    circuit = data.circuit_of(placed)
    failure, may_draw = _failure(placed)
    flow.paragraph(
        f"{EQUAL} Connected is the maximum draw, expected that of the plan's workload; failover "
        f"{failure}. Redundancy {circuit.scheme}. Amps are those of a phase, balanced."
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
                (may_draw, placed.hall.feed_kw),
            ],
            placed,
            "The circuit",
        )
    )
    flow.table(_feeds_table(placed, circuit))
    flow.table(agreement_table(placed, ("Connected",)))
    flow.table(_row_power_table(placed))
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
    for name in ("feed_schedule", "levels", "stages"):
        table = getattr(placed.evaluation.results["power"], name, None)
        if isinstance(table, declare.Table) and table.rows:
            made = data_table(table, name, placed.system)
            flow.table(replace(made, title=f"By the plan: {words.lowered(made.title)}"))
    gaps(flow, placed)
    return flow


def _failure(placed: Placed) -> tuple[str, str]:
    """Return what failover is held against, in words, and what a rack may draw then."""
    scheme = placed.evaluation.plan.value("power.scheme")
    two = bool(placed.hall.feeds_b)
    return {
        "n": ("is as connected, since N covers no failure", "A rack may draw, all feeds there"),
        "n_plus_1": (
            "is what a circuit carries when one feed of the rack is lost",
            "A rack may draw when one feed is lost",
        ),
        "2n": (
            "is what a circuit carries when the other side is lost"
            if two
            else "is not covered: there is one side only",
            "A rack may draw when a side is lost",
        ),
        "3n_2": (
            "is what a circuit carries when one of the three sides is lost",
            "A rack may draw when one of three sides is lost",
        ),
        "block_redundant": (
            "is as connected: transfer switches move the feeds of a lost block to the reserve",
            "A rack may draw when a block is lost",
        ),
    }[scheme]


def _taken_over(placed: Placed, sides: list[tuple[str, int]]) -> tuple[str, float | None]:
    """Return the head of the column of what the fullest side of a row carries after a failure, and its share."""
    scheme, feeds = placed.evaluation.plan.value("power.scheme"), placed.hall.feeds
    counts = [count for _, count in sides]
    if scheme == "n_plus_1":
        return "Fullest side, one feed of each rack lost", max(counts) / (feeds - 1) if feeds > 1 else None
    if scheme not in ("2n", "3n_2"):
        return "Fullest side after a failure", None
    pairs = [(n, lost) for i, n in enumerate(counts) for j, lost in enumerate(counts) if i != j]
    head = "Fullest side, another lost" if len(counts) > 2 else "One side, the other lost"
    return head, max((n / (feeds - lost) for n, lost in pairs), default=None)


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
            source = f"Side {feed.side}"
            if cls.count == 1:
                source = data.sources_of(placed, cls.first.id, feed.side)
            elif placed.floor.rules.overhead:
                source = f"{placed.floor.rules.overhead} {feed.side} of its row"
            elif any(r.pdus for r in placed.floor.rows):
                source = f"PDU {feed.side} of its row"
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
    hall = placed.hall
    counts = zip("ABC", (hall.feeds_a, hall.feeds_b, hall.feeds_c), strict=True)
    sides = [(name, n) for name, n in counts if n]
    shares = [n / hall.feeds for _, n in sides]
    head, failed = _taken_over(placed, sides)

    def line(name: Cell, racks: int, fed: str, power: float, usual: float, bold: bool = False) -> Row:
        return (
            name, Cell(number(racks), bold), Cell(fed), cell(power, "kw", placed, bold=bold),
            cell(usual, "kw", placed, bold=bold), *(cell(power * s, "kw", placed, bold=bold) for s in shares),
            Cell("") if bold else cell(None if failed is None else power * failed, "kw", placed),
        )  # fmt: skip

    rows: list[Row] = []
    connected = expected = 0.0
    over = placed.floor.rules.overhead
    for row in placed.floor.rows:
        load = row_load(row, placed.loads)
        usual = sum(data.expected_kw(placed, i) for i in row.racks)
        connected, expected = connected + load.power_kw, expected + usual
        fed = ", ".join(row.pdus) or (f"{over} {words.joined([n for n, _ in sides])}" if over else "–")
        rows.append(line(Cell(row.name), len(row.racks), fed, load.power_kw, usual))
    moved = [s.id for s in placed.floor.racks.values() if not s.row]
    if moved:
        own = sum(placed.loads[i].power_kw for i in moved)
        usual = sum(data.expected_kw(placed, i) for i in moved)
        connected, expected = connected + own, expected + usual
        rows.append(line(Cell("moved"), len(moved), "–", own, usual))
    rows.append(line(Cell("All", True), len(placed.floor.racks), "", connected, expected, bold=True))
    columns = (
        Column("Row"),
        column("Racks", "", placed),
        Column("Fed by", stretch=True),
        column("Connected", "kw", placed),
        column("Expected", "kw", placed),
        *(column(f"Side {name}", "kw", placed) for name, _ in sides),
        column(head, "kw", placed),
    )
    return Table(columns, tuple(rows), "Rows", 8.0, tight=len(rows) > 30)
