"""The cover: what the set is about, its sheets with their pages, what it is made of, and room for signatures."""

from __future__ import annotations

from collections.abc import Sequence

from wattsweights_gui.drawing.flow import Flow
from wattsweights_gui.drawing.marks import SMALLEST_PT, THIN, Line, Mark, Text
from wattsweights_gui.drawing.paper import Paper
from wattsweights_gui.drawing.table import Cell, Column, Row, Table
from wattsweights_gui.reports.hall_tables import agreement_table
from wattsweights_gui.reports.layer_sheet import findings_table
from wattsweights_gui.reports.placed import Placed, shown_text

SHEET, TITLE = "cover", "Cover"
_SIGN = ("Designed", "Checked", "Approved by the facility", "As built")


def cover(placed: Placed, paper: Paper, others: Sequence[Flow]) -> Flow:
    """Return the cover of a set of sheets."""
    flow = _cover(placed, paper, others, 1)
    return flow if len(flow.pages) == 1 else _cover(placed, paper, others, len(flow.pages))


def _cover(placed: Placed, paper: Paper, others: Sequence[Flow], own: int) -> Flow:
    flow = Flow(paper, SHEET, TITLE)
    info = placed.evaluation.plan.info
    flow.heading(info.project or "Untitled", 18.0, 8.0)
    about = " · ".join(part for part in (info.customer, info.site) if part)
    if about:
        flow.paragraph(about, 11.0)
    for sentence in placed.remarks():
        flow.paragraph(sentence, bold=sentence.startswith("Does not"))
    flow.table(_figures(placed))
    if others:
        flow.table(_sheets(others, own + 1))
    if placed.placements.racks:
        flow.table(agreement_table(placed, ("Racks", "Connected", "Heat to liquid", "Heat to air")))
    if placed.findings:
        flow.table(findings_table(placed.findings, "What does not agree"))
    _signatures(flow)
    return flow


def _figures(placed: Placed) -> Table:
    system = placed.system
    pairs = [
        (title, shown_text(placed.result(layer, name), system))
        for title, layer, name in (
            ("GPUs", "cluster", "gpus"),
            ("Nodes", "cluster", "nodes"),
            ("Racks", "floor", "racks"),
            ("IT power, maximum", "power", "it_power_max_kw"),
            ("At the utility", "power", "facility_power_kw"),
            ("Heat to liquid", "cooling", "liquid_heat_kw"),
            ("Heat to air", "cooling", "air_heat_kw"),
            ("Facility water", "cooling", "facility_water_l_min"),
        )
    ]
    half = (len(pairs) + 1) // 2
    rows: list[Row] = [
        (Cell(a[0]), Cell(a[1], True), Cell(b[0]), Cell(b[1], True))
        for a, b in zip(pairs[:half], pairs[half:], strict=True)
    ]
    columns = (Column("By the plan"), Column("", stretch=True), Column("By the plan"), Column("", stretch=True))
    return Table(columns, tuple(rows), "", 9.0)


def _sheets(others: Sequence[Flow], first: int) -> Table:
    rows: list[Row] = []
    for flow in others:
        last = first + len(flow.pages) - 1
        rows.append((Cell(flow.title), Cell(f"{first}" if last == first else f"{first} to {last}")))
        first = last + 1
    half = (len(rows) + 1) // 2
    blank: Row = (Cell(""), Cell(""))
    right = [*rows[half:], *([blank] if len(rows) % 2 else [])]
    paired: list[Row] = [(*a, *b) for a, b in zip(rows[:half], right, strict=True)]  # type: ignore[misc]
    columns = (
        Column("Sheet", stretch=True),
        Column("Pages", align="right"),
        Column("Sheet", stretch=True),
        Column("Pages", align="right"),
    )
    return Table(columns, tuple(paired), "Sheets of this set", 8.0, tight=True)


def _signatures(flow: Flow) -> None:
    height, room = 16.0, flow.paper.room
    flow.need(height)
    flow.gap(2.0)
    each = room / len(_SIGN)
    marks: list[Mark] = []
    for n, words in enumerate(_SIGN):
        x = flow.paper.left + n * each
        marks.append(Line(x, flow.y + 9.0, x + each - 6.0, flow.y + 9.0, THIN))
        marks.append(Text(x, flow.y + 12.4, f"{words}: name, date, signature", SMALLEST_PT, ink="quiet"))
    flow.add(marks, height - 2.0)
