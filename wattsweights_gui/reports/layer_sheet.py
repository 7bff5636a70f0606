"""One sheet a layer: what was set, what follows, what it meets, what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from wattsweights_gui.drawing import waterfall
from wattsweights_gui.drawing.flow import Flow
from wattsweights_gui.drawing.paper import Paper
from wattsweights_gui.drawing.table import Cell, Column, Row, Span, Table
from wattsweights_gui.engine import declare, units
from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.declare import Finding, Layer
from wattsweights_gui.reports import parts, words
from wattsweights_gui.reports.needs_table import needs_table

_WHOLES: dict[str, tuple[Callable[[Evaluation], parts.Whole], ...]] = {
    "parallelism": (parts.memory, parts.step_time),
    "power": (parts.power,),
}
SEVERITY = {"blocker": "BLOCKER", "caution": "Caution", "note": "Note"}


def layer_sheet(evaluation: Evaluation, layer: Layer, paper: Paper, system: units.System) -> Flow:
    """Return the sheet of one layer."""
    flow = Flow(paper, layer.name, layer.title)
    flow.heading(f"{layer.title}: {layer.about[0].lower()}{layer.about[1:]}", 12.0)
    flow.table(inputs_table(evaluation, layer, system))
    flow.table(results_table(evaluation, layer, system))
    needs = [n for n in evaluation.needs if n.layer == layer.name]
    if needs:
        needs.sort(key=lambda n: -(n.load if n.load is not None else -1.0))
        flow.table(needs_table(needs, system, title="Need against limit", layer=False))
    for whole in _WHOLES.get(layer.name, ()):
        _taken_apart(flow, whole(evaluation), system)
    for name, table in evaluation.results[layer.name].tables():
        flow.table(data_table(table, name, system))
    flow.table(findings_table([f for f in evaluation.findings if f.subject.split(".")[0] == layer.name]))
    return flow


def _taken_apart(flow: Flow, whole: parts.Whole, system: units.System) -> None:
    if not whole.parts:
        return

    def size(value: float) -> float:
        return units.shown(value, whole.unit, system)[0]

    drawn = [
        (label, series, size(f.number), f"{f.text(system)} · {units.number(100 * f.number / whole.sum, 2)} %")
        for label, series, f in whole.parts
    ]
    limit = None
    if whole.limit:
        name, figure = whole.limit
        limit = (f"{name} {figure.text(system)}", size(figure.number))
    total = (whole.sum_name, units.text(whole.sum, whole.unit, system))
    deep = waterfall.height(drawn, limit)
    flow.heading(whole.title, 9.0, deep)
    paper = flow.paper
    flow.add(waterfall.waterfall(paper.left, flow.y, min(paper.room, 240.0), drawn, total, limit), deep)
    flow.gap(2.5)


def inputs_table(evaluation: Evaluation, layer: Layer, system: units.System) -> Table:
    """Return what is set: values that the user chose are marked apart from defaults."""
    inputs = evaluation.plan.layers[layer.name]
    groups: dict[str, list[Row]] = {}
    for prefix, holder in declare.holders(inputs):
        chosen = holder.model_fields_set
        for name, about in declare.settings_of(type(holder)).items():
            value = getattr(holder, name)
            heading = about.group or (type(holder).branch_title if isinstance(holder, declare.Branch) else "")
            shown, unit = words.setting_words(value, about, evaluation.catalog, system)
            own = name in chosen and name != "kind"
            groups.setdefault(heading, []).append(
                (
                    Cell(about.title, bold=own),
                    Cell(shown, bold=own),
                    Cell(unit),
                    Cell("● set" if own else "default", bold=own, ink="black" if own else "quiet"),
                    Cell(_set_by(value, about, own), ink="quiet"),
                    Cell(f"{layer.name}.{prefix}{name}", ink="quiet"),
                )
            )
    rows: list[Row] = groups.pop("", [])
    for heading, grouped in groups.items():
        rows += [Span(heading), *grouped]
    columns = (
        Column("Input"),
        Column("Value", align="right"),
        Column("Unit"),
        Column("Set by"),
        Column("Source", stretch=True),
        Column("Name"),
    )
    return Table(columns, tuple(rows), "Inputs", 8.0, "Nothing is set in this layer.")


def _set_by(value: object, about: declare.Setting, own: bool) -> str:
    if value is None:
        return f"empty: {about.when_none or 'not set'}"
    return "this plan" if own else about.source or "ours"


def results_table(evaluation: Evaluation, layer: Layer, system: units.System) -> Table:
    """Return what follows, each number with its equation, what was put in, and the source."""
    rows: list[Row] = []
    declared = declare.results_of(layer.result)
    spreads = any(words.spread(f, system) for _, f in evaluation.results[layer.name].figures())
    for name, figure in evaluation.results[layer.name].figures():
        headline = declared[name].headline
        reason = "" if figure.known else f"Not known: {figure.formula or 'no reason is given'}"
        rows.append(
            (
                Cell(figure.title, bold=headline),
                Cell(words.number(figure.value, figure.unit, system), bold=headline),
                Cell(words.sign(figure.value, figure.unit, system)),
                *((Cell(words.spread(figure, system)),) if spreads else ()),
                Cell(reason or words.worked_out(figure, system), ink="black" if not reason else "quiet"),
                Cell(figure.source, ink="quiet"),
            )
        )
    columns = (
        Column("Result"),
        Column("Value", align="right"),
        Column("Unit"),
        *((Column("Spread", align="right"),) if spreads else ()),
        Column("How it is worked out", stretch=True),
        Column("Source"),
    )
    return Table(columns, tuple(rows), "Results", 8.0)


def data_table(table: declare.Table, name: str, system: units.System) -> Table:
    """Return a result that has rows."""
    numeric = [
        any(isinstance(row[n], int | float) and not isinstance(row[n], bool) for row in table.rows)
        for n in range(len(table.columns))
    ]
    columns = tuple(
        Column(
            words.head(title.removesuffix(f"_{unit}") if unit else title),
            units.symbol(unit, system) if unit in units.UNITS else unit,
            "right" if right else "left",
        )
        for title, unit, right in zip(table.columns, table.units, numeric, strict=True)
    )
    rows: tuple[Row, ...] = tuple(
        tuple(
            Cell(words.number(value, unit if unit in units.UNITS else "", system))
            for value, unit in zip(row, table.units, strict=True)
        )
        for row in table.rows
    )
    title = table.title or name.replace("_", " ").capitalize()
    return Table(columns, rows, title, 8.0, "No rows.", note=f"Source: {table.source}." if table.source else "")


def findings_table(findings: Iterable[Finding], title: str = "Findings") -> Table:
    """Return what is wrong or odd, the worst first."""
    order = list(SEVERITY)
    rows: list[Row] = [
        (
            Cell(
                SEVERITY[f.severity], bold=f.severity == "blocker", ink="over" if f.severity == "blocker" else "black"
            ),
            Cell(f.subject, ink="quiet"),
            Cell(f.message),
            Cell(f.fix_title),
            Cell(f.source, ink="quiet"),
        )
        for f in sorted(findings, key=lambda f: order.index(f.severity))
    ]
    columns = (
        Column("Severity"),
        Column("Where"),
        Column("What", stretch=True),
        Column("What would mend it"),
        Column("Source"),
    )
    return Table(columns, tuple(rows), title, 8.0, "Nothing to report.")
