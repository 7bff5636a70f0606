"""The conversation on one page: what the customer wants, what the hall has, where they collide, and the ways out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from wattsweights_gui.drawing import fonts
from wattsweights_gui.drawing.flow import Flow
from wattsweights_gui.drawing.marks import MEDIUM, MM_PER_PT, SMALLEST_PT, THICK, Mark, Rect, Text
from wattsweights_gui.drawing.paper import Paper
from wattsweights_gui.drawing.table import Cell, Column, LaidTable, Row, Span, Table, head_marks, laid, row_marks
from wattsweights_gui.engine import declare, units
from wattsweights_gui.engine.both_ends import BothEnds, verdict
from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.declare import Figure
from wattsweights_gui.reports import words
from wattsweights_gui.reports.needs_table import needs_table
from wattsweights_gui.reports.ways_out import ways_out_table

SHEET, TITLE = "conversation", "The conversation"
_GAP = 3.0
_HEADING = 9.5
_COLLIDE = "Where they collide, worst first"
_MEET = "Where both ends meet, tightest first"
_WAYS = "The ways out, best first, each one sized through the whole chain"
STATE = {True: "FITS", False: "DOES NOT FIT", None: "CANNOT BE KNOWN"}


def conversation(evaluation: Evaluation, ends: BothEnds, lever_report: Any, paper: Paper, system: units.System) -> Flow:
    """Return the sheet; it is one page whatever the plan: what has no room is counted and named where it stands."""
    flow = Flow(paper, SHEET, TITLE)
    _verdict(flow, evaluation, ends, system)
    _numbers(flow, evaluation, ends, system)
    _both_sides(flow, evaluation, ends, system)
    ways = ways_out_table(lever_report, system) if lever_report is not None else None
    compared = ends.compared or tuple(evaluation.needs)
    collide = needs_table(compared, system, tight=True)
    first, second = _shared(flow, collide, ways)
    _block(
        flow, _COLLIDE if ends.binding else _MEET, collide, first, "compared quantities: see the sheets of the layers"
    )
    if ways is None:
        _note(flow, _WAYS, "They were not sized for this print.")
    else:
        _block(flow, _WAYS, ways, second, "ways: see the levers in the program")
    return flow


def _verdict(flow: Flow, evaluation: Evaluation, ends: BothEnds, system: units.System) -> None:
    paper = flow.paper
    words_of_state = STATE[ends.fits]
    wide = fonts.width(words_of_state, 14.0, True) + 8.0
    text = verdict(evaluation, ends, system)
    room = paper.room - wide - 5.0
    size, lines = next(
        ((s, found) for s in (15.0, 13.0, 11.0) if len(found := fonts.wrapped(text, room, s, True)) <= 3),
        (9.0, fonts.wrapped(text, room, 9.0, True)[:5]),
    )
    step = size * MM_PER_PT * 1.25
    height = max(11.0, step * len(lines) + 2.0)
    x, y = paper.left, flow.y
    solid = ends.fits is False
    marks: list[Mark] = [
        Rect(x, y, wide, height, THICK, "black", "black" if solid else "white"),
        Text(x + wide / 2, y + height / 2 + 1.8, words_of_state, 14.0, True, "centre", "white" if solid else "black"),
    ]
    top = y + (height - step * len(lines)) / 2
    marks += [Text(x + wide + 5.0, top + step * (n + 0.78), line, size, True) for n, line in enumerate(lines)]
    flow.add(marks, height + _GAP)


def _numbers(flow: Flow, evaluation: Evaluation, ends: BothEnds, system: units.System) -> None:
    split = evaluation.results["parallelism"]
    low, high = split.days_low, split.days_high
    span = ""
    if low.known and high.known:
        span = f"{words.number(low.value, 'days', system)} to {words.number(high.value, 'days', system)} expected"
    boxes = (
        ("GPUs that hold the model", split.min_gpus_memory, _least_words(evaluation, system)),
        ("GPUs that meet the date", split.gpus_for_deadline, f"in {ends.need.days.text(system)}"),
        ("GPUs that the facility hosts", ends.have.gpus, _limit_words(ends)),
        ("GPUs in this plan", split.gpus, _layout(split)),
        ("Days, this plan", split.days, span or "no spread is known"),
        ("Largest model for this hall", ends.largest_params_b, "B parameters, in the days wanted"),
    )
    count = len(boxes)
    wide = (flow.paper.room - _GAP * (count - 1)) / count
    height = 17.0
    marks: list[Mark] = []
    for n, (title, figure, note) in enumerate(boxes):
        x = flow.paper.left + n * (wide + _GAP)
        marks += _box(x, flow.y, wide, height, title, figure, note, system)
    flow.add(marks, height + _GAP)


def _box(
    x: float, y: float, wide: float, height: float, title: str, figure: Figure, note: str, system: units.System
) -> list[Mark]:
    shown = words.number(figure.value, figure.unit, system)
    room = wide - 4.0
    small = note if figure.known else f"not known: {figure.formula}"
    lines = fonts.wrapped(small, room, SMALLEST_PT)
    if len(lines) > 2:
        lines = (lines[0], fonts.fitted(" ".join(lines[1:]), room, SMALLEST_PT))
    marks: list[Mark] = [
        Rect(x, y, wide, height, MEDIUM),
        Text(x + 2.0, y + 3.6, fonts.fitted(title, room, SMALLEST_PT, True), SMALLEST_PT, True),
        Text(x + 2.0, y + 9.6, shown, 14.0, True),
    ]
    marks += [Text(x + 2.0, y + 12.9 + 3.0 * n, line, SMALLEST_PT, ink="quiet") for n, line in enumerate(lines)]
    return marks


def _least_words(evaluation: Evaluation, system: units.System) -> str:
    state, equal = evaluation.results["workload"].state_tb, evaluation.results["parallelism"].min_gpus_equal_stages
    recompute: Any = evaluation.plan.inputs("parallelism")
    mode = f"{recompute.recompute} recompute"
    words_of_state = f"{state.text(system)}, {mode}" if state.known else f"the least, by memory; {mode}"
    return f"{words_of_state}; {equal.text(system)} with equal stages" if equal.known else words_of_state


def _limit_words(ends: BothEnds) -> str:
    return f"then stops: {ends.limited_by.title}" if ends.limited_by else "nothing stops one node more"


def _layout(split: Any) -> str:
    named = (("TP", split.tp), ("PP", split.pp), ("DP", split.dp), ("EP", split.ep), ("CP", split.cp))
    known = [f"{name} {figure.value}" for name, figure in named if figure.known and (figure.value != 1 or name != "CP")]
    return " · ".join(known) or "the layout is not known"


# ------------------------------------------------------------------------------------------------------- both sides


def _both_sides(flow: Flow, evaluation: Evaluation, ends: BothEnds, system: units.System) -> None:
    paper = flow.paper
    half = (paper.room - 2 * _GAP) / 2
    most = (paper.bottom - flow.y) * 0.46
    wants = _clipped(laid(_wants(evaluation, system), half), most)
    has = _clipped(laid(_has(evaluation, ends, system), half), most)
    top = flow.y + _heading_height()
    marks = [
        _heading_mark(paper.left, flow.y, "What the customer wants"),
        _heading_mark(paper.left + half + 2 * _GAP, flow.y, "What the hall has"),
        *_placed(wants, paper.left, top),
        *_placed(has, paper.left + half + 2 * _GAP, top),
    ]
    flow.add(marks, _heading_height() + max(_height(wants), _height(has)) + _GAP)


def _wants(evaluation: Evaluation, system: units.System) -> Table:
    inputs, catalog = evaluation.plan.layers["workload"], evaluation.catalog
    outcome = evaluation.results["workload"]
    rows: list[Row] = []

    def figure(title: str, found: Figure) -> None:
        rows.append((title, words.number(found.value, found.unit, system), words.sign(found.value, found.unit, system)))

    name = str(getattr(getattr(inputs, "model", None), "name", "") or "")
    if name:
        rows.append(("Model", Cell(name, True), ""))
    figure("Parameters, total", outcome.total_params)
    if outcome.active_params.value != outcome.total_params.value:
        figure("Parameters, active", outcome.active_params)
    for field in ("tokens_b", "seq_len", "global_batch", "days", "precision", "recipe"):
        about = declare.settings_of(type(inputs)).get(field)
        if about is None:
            continue
        shown, unit = words.setting_words(getattr(inputs, field), about, catalog, system)
        if field == "tokens_b":
            figure(about.title, outcome.tokens)
            continue
        rows.append((about.title, Cell(shown, bold=field == "days"), unit))
    figure("Model state", outcome.state_tb)
    compute = evaluation.plan.layers["compute"]
    rows.append(("GPU", words.input_words(compute, "gpu", catalog, system), ""))
    return _three_columns(rows)


def _has(evaluation: Evaluation, ends: BothEnds, system: units.System) -> Table:
    rows: list[Row] = []
    missing: list[str] = []
    for layer, inputs in evaluation.plan.layers.items():
        for name, about in declare.settings_of(type(inputs)).items():
            if not about.facility:
                continue
            value = getattr(inputs, name)
            if value is None:
                if not any(n.layer == layer and n.title == about.title and n.have.known for n in ends.compared):
                    missing.append(about.title)
                continue
            shown, unit = words.setting_words(value, about, evaluation.catalog, system)
            rows.append((about.title, Cell(shown, True), unit))
    stated = {str(getattr(row[0], "text", row[0])) for row in rows if isinstance(row, tuple)}
    # a limit that only passes on what is set stands there already
    values = {(str(getattr(row[1], "text", row[1])), row[2]) for row in rows if isinstance(row, tuple)}
    for need in ends.compared:
        have = need.have
        if (words.number(have.value, need.unit, system), units.symbol(need.unit, system)) in values:
            continue
        if need.end == "facility" and have.source != "set in this plan" and (have.title or need.title) not in stated:
            rows.append(
                (
                    have.title or need.title,
                    words.number(have.value, need.unit, system),
                    units.symbol(need.unit, system),
                )
            )
    for layer, name in (("cooling", "technology"), ("cooling", "water_supply_c"), ("power", "scheme")):
        inputs = evaluation.plan.layers[layer]
        known = declare.settings_of(type(inputs))
        if name in known:
            about = known[name]
            rows.append((about.title, *words.setting_words(getattr(inputs, name), about, evaluation.catalog, system)))
    if missing:
        rows.append(Span(f"No limit is stated for: {', '.join(words.lowered(m) for m in missing)}.", False))
    return _three_columns(rows)


def _three_columns(rows: Sequence[Row]) -> Table:
    return Table(
        (Column("Quantity", stretch=True), Column("Value", align="right"), Column("Unit")), tuple(rows), tight=True
    )


# ----------------------------------------------------------------------------------------------- blocks that must fit


def _shared(flow: Flow, collide: Table, ways: Table | None) -> tuple[float, float]:
    """Share the height that is left between the two last blocks: each gets what it wants, or half and what is over."""
    room = flow.left - _GAP
    wanted = [_wanted(flow, collide), _wanted(flow, ways)]
    if sum(wanted) <= room:
        return wanted[0], wanted[1]
    first = min(wanted[0], max(room / 2, room - wanted[1]))
    return first, room - first


def _wanted(flow: Flow, table: Table | None) -> float:
    if table is None or not table.rows:
        return _heading_height() + 4.0
    return _heading_height() + _height(laid(table, flow.paper.room)) + 0.1


def _block(flow: Flow, title: str, table: Table, room: float, elsewhere: str) -> None:
    if not table.rows:
        _note(flow, title, table.empty)
        return
    placed = _clipped(laid(table, flow.paper.room), room - _heading_height(), elsewhere)
    marks: list[Mark] = [_heading_mark(flow.paper.left, flow.y, title)]
    marks += _placed(placed, flow.paper.left, flow.y + _heading_height())
    flow.add(marks, _heading_height() + _height(placed) + _GAP)


def _note(flow: Flow, title: str, text: str) -> None:
    y = flow.y
    marks: list[Mark] = [
        _heading_mark(flow.paper.left, y, title),
        Text(flow.paper.left, y + _heading_height() + 2.6, text, 8.0, ink="quiet"),
    ]
    flow.add(marks, _heading_height() + 4.0 + _GAP)


def _clipped(placed: LaidTable, room: float, elsewhere: str = "") -> LaidTable:
    """Drop the last rows of a table that is higher than the room, and say how many."""
    if _height(placed) <= room:
        return placed
    more = laid(replace(placed.table, rows=(Span("and more", False),)), placed.width).rows[0]
    used, kept = placed.head_height + placed.height(more), []
    for row in placed.rows:
        if used + placed.height(row) > room:
            break
        used += placed.height(row)
        kept.append(row)
    text = f"and {len(placed.rows) - len(kept)} more {elsewhere}".rstrip()
    return replace(placed, rows=(*kept, replace(more, lines=((text,),))))


def _height(placed: LaidTable) -> float:
    return placed.head_height + sum(placed.height(row) for row in placed.rows)


def _placed(placed: LaidTable, x: float, y: float) -> list[Mark]:
    marks = head_marks(placed, x, y)
    y += placed.head_height
    for row in placed.rows:
        marks += row_marks(placed, row, x, y)
        y += placed.height(row)
    return marks


def _heading_height() -> float:
    return _HEADING * MM_PER_PT * 1.35 + 0.8


def _heading_mark(x: float, y: float, text: str) -> Text:
    return Text(x, y + _HEADING * MM_PER_PT, text, _HEADING, True)
