"""The floor plan to scale, with a table of rows; one that is too large to be read is drawn in parts too."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from wattsweights_gui.drawing import floor_drawing as drawing
from wattsweights_gui.drawing import fonts
from wattsweights_gui.drawing.flow import Flow
from wattsweights_gui.drawing.marks import HAIRLINE, SMALLEST_PT, THIN, Line, Mark, Rect, Text
from wattsweights_gui.drawing.paper import Paper
from wattsweights_gui.drawing.table import Cell, Column, Row, Table
from wattsweights_gui.engine.declare import Figure
from wattsweights_gui.engine.units import text
from wattsweights_gui.layout.floor_checks import floor_loads, row_load
from wattsweights_gui.layout.floor_plan import Box, FloorPlan
from wattsweights_gui.layout.loads import RackLoad, total
from wattsweights_gui.reports.hall_tables import agreement_table, cell, column, facts, opening
from wattsweights_gui.reports.placed import Placed, name_ranges

SHEET, TITLE = "floor_plan", "Floor plan"
_LEGEND = 6.0


def floor_sheet(placed: Placed, paper: Paper) -> Flow:
    """Return the sheet."""
    flow = Flow(paper, SHEET, TITLE)
    opening(flow, placed, "Floor plan")
    if not placed.floor.racks:
        return flow
    whole = placed.floor.outline
    room, height = paper.room - drawing.MARGIN, flow.left - drawing.MARGIN - _LEGEND
    scale = drawing.scale_for(whole.width, whole.depth, room, height, placed.system)
    least = drawing.readable(placed.floor, placed.system)
    named = scale.ratio <= least.ratio
    _drawn(flow, placed, whole, scale, named)
    if not named:
        _in_parts(flow, placed, least)
    flow.table(_rows_table(placed))
    flow.table(facts(_facts(placed), placed, "Area and load"))
    flow.table(agreement_table(placed, ("Racks",)))
    return flow


def _drawn(flow: Flow, placed: Placed, window: Box, scale: drawing.Scale, named: bool) -> None:
    paper = flow.paper
    x, y = paper.left + drawing.MARGIN, flow.y + drawing.MARGIN

    def kw(rack: str) -> str:
        return text(placed.loads[rack].power_kw, "kw", placed.system)

    look = drawing.Look(window, x, y, scale, placed.system, kw, named)
    flow.scaled(scale.words)
    flow.add(drawing.floor_marks(placed.floor, look), drawing.MARGIN + window.depth / scale.ratio + 1.5)
    flow.add(_legend(flow, named, placed.floor.rules.overhead), _LEGEND - 1.5)


def _legend(flow: Flow, named: bool, overhead: str) -> list[Mark]:
    x, y = flow.paper.left, flow.y
    box = (x, y, 4.0, 3.0)
    signs: tuple[tuple[str, tuple[Mark, ...]], ...] = (
        (
            "rack; the thick edge is its front",
            (Rect(*box, THIN, "black", "white"), Line(x, y + 3.0, x + 4.0, y + 3.0, 0.5)),
        ),
        ("CDU", (Rect(*box, THIN, "black", "hair"),)),
        ("PDU or RPP", (Rect(*box, THIN, "black", "tint"),)),
        ("containment", (Line(x, y + 1.5, x + 4.0, y + 1.5, 0.5, "black", (1.6, 0.8)),)),
        ("hot aisle", (Rect(*box, HAIRLINE, None, "tint"),)),
    )
    marks: list[Mark] = []
    for words, drawn in signs:
        marks += [_shifted(mark, x - flow.paper.left) for mark in drawn]
        marks.append(Text(x + 5.0, y + 2.4, words, SMALLEST_PT))
        x += 9.0 + fonts.width(words, SMALLEST_PT)
    if overhead:
        marks.append(Text(x, y + 2.4, f"{overhead}s A and B hang over each row.", SMALLEST_PT))
        x += 4.0 + fonts.width(f"{overhead}s A and B hang over each row.", SMALLEST_PT)
    if not named:
        marks.append(Text(x, y + 2.4, "Names of racks: next pages.", SMALLEST_PT, True))
    return marks


def _shifted(mark: Mark, by: float) -> Mark:
    if isinstance(mark, Line):
        return replace(mark, x1=mark.x1 + by, x2=mark.x2 + by)
    if isinstance(mark, Rect):
        return replace(mark, x=mark.x + by)
    return mark


def _in_parts(flow: Flow, placed: Placed, scale: drawing.Scale) -> None:
    paper = flow.paper
    room = paper.room - drawing.MARGIN
    height = paper.bottom - paper.top - 6.5 - 5.0 - drawing.MARGIN - _LEGEND
    windows = drawing.tiles(placed.floor, room, height, scale)
    windows = [w for w in windows if any(_holds(w, s.box) for s in placed.floor.spots())]
    for number, window in enumerate(windows, 1):
        flow.turn()
        rows = name_ranges(_rows_in(placed.floor, window))
        flow.paragraph(f"Part {number} of {len(windows)}: rows {rows}." if rows else f"Part {number}.")
        _drawn(flow, placed, window, scale, True)


def _holds(window: Box, box: Box) -> bool:
    x, y = box.x + box.width / 2, box.y + box.depth / 2
    return window.x <= x < window.right and window.y <= y < window.bottom


def _rows_in(floor: FloorPlan, window: Box) -> list[str]:
    return [r.name for r in floor.rows if any(_holds(window, floor.racks[i].box) for i in r.racks)]


def _rows_table(placed: Placed) -> Table:
    names = {r.id: r.name for r in placed.placements.racks}
    rows: list[Row] = []
    listed: list[RackLoad] = []
    for row in placed.floor.rows:
        load = row_load(row, placed.loads)
        listed.append(load)
        rows.append(
            _row(placed, row.name, [names[i] for i in row.racks], load, row.racks, len(row.cdus), len(row.pdus))
        )
    moved = [s.id for s in placed.floor.racks.values() if not s.row]
    if moved:
        load = total(placed.loads[i] for i in moved)
        listed.append(load)
        rows.append(_row(placed, "moved", [names[i] for i in moved], load, moved, 0, 0))
    every = [s.id for s in placed.floor.racks.values()]
    cdus, pdus = (sum(u.kind == k for u in placed.floor.units) for k in ("cdu", "pdu"))
    rows.append(_row(placed, "All", [], total(listed), every, cdus, pdus, bold=True))
    columns = (
        Column("Row", keep=True),
        Column("Racks", stretch=True),
        column("Count", "", placed),
        column("Connected", "kw", placed),
        column("Liquid", "kw", placed),
        column("Air", "kw", placed),
        column("Coolant", "l_min", placed),
        column("Mass", "kg", placed),
        column("Heaviest rack, with half aisles", "kg_m2", placed),
        column("CDUs", "", placed),
        column("PDUs", "", placed),
    )
    return Table(columns, tuple(rows), "Rows", 8.0, tight=len(rows) > 30)


def _row(
    placed: Placed,
    name: str,
    racks: list[str],
    load: RackLoad,
    ids: Iterable[str],
    cdus: int,
    pdus: int,
    bold: bool = False,
) -> Row:
    floor = placed.floor
    there = [floor_loads(floor, floor.racks[i], placed.loads[i].mass_kg).spread for i in ids]
    return (
        Cell(name, bold),
        Cell(name_ranges(racks), bold),
        cell(len(there), "count", placed, bold=bold),
        cell(load.power_kw, "kw", placed, bold=bold),
        cell(load.liquid_kw, "kw", placed, bold=bold),
        cell(load.air_kw, "kw", placed, bold=bold),
        cell(load.flow_l_min, "l_min", placed, bold=bold),
        cell(load.mass_kg, "kg", placed, bold=bold),
        cell(max(there, default=0.0), "kg_m2", placed, bold=bold),
        cell(cdus, "count", placed, bold=bold),
        cell(pdus, "count", placed, bold=bold),
    )


def _facts(placed: Placed) -> list[tuple[str, Figure | str]]:
    floor, rules, system = placed.floor, placed.floor.rules, placed.system
    loads = [(floor_loads(floor, s, placed.loads[s.id].mass_kg), s) for s in floor.racks.values()]
    worst, spot = max(loads, key=lambda pair: pair[0].spread)
    area = floor.outline.area_m2
    size = f"{text(floor.outline.width / 1e3, 'm', system)} × {text(floor.outline.depth / 1e3, 'm', system)}"
    stated = "as the plan states" if floor.stated else "as large as the rows and their aisles need"
    return [
        ("Hall, inside the walls", f"{size}, {stated}"),
        ("Area of the drawing", text(area, "m2", system)),
        ("Area as the plan counts it: racks with half of their aisles, and CDUs", placed.result("floor", "area_m2")),
        ("Area that may be used", rules.area_limit),
        ("Connected power on the area of the drawing", text(placed.total.power_kw / area, "kw_m2", system)),
        (f"Heaviest rack: {spot.name}", text(placed.loads[spot.id].mass_kg, "kg", system)),
        (f"On its footprint: {spot.name}", text(worst.footprint, "kg_m2", system)),
        (f"With half of its aisles: {spot.name}", text(worst.spread, "kg_m2", system)),
        ("On each of four feet", text(placed.loads[spot.id].mass_kg / 4, "kg", system)),
        ("Floor carries, with half of the aisles", rules.load_limit),
        ("Mass of all racks", text(placed.total.mass_kg, "kg", system)),
        ("Cold aisle", text(rules.cold_mm / 1e3, "m", system)),
        ("Hot aisle", text(rules.hot_mm / 1e3, "m", system)),
        ("Containment", {"none": "none", "cold": "cold aisles", "hot": "hot aisles"}[rules.containment]),
        ("Must stay free before and behind a rack", text(rules.least_mm / 1e3, "m", system)),
    ]
