"""Assumptions and sources: every default, catalogue row, constant and equation that the numbers rest on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from wattsweights_gui.drawing.flow import Flow
from wattsweights_gui.drawing.paper import Paper
from wattsweights_gui.drawing.table import Cell, Column, Row, Table
from wattsweights_gui.engine import declare, units
from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.declare import Figure
from wattsweights_gui.engine.layers import LAYERS
from wattsweights_gui.reports import words

SHEET, TITLE = "sources", "Assumptions and sources"
_TITLES = {layer.name: layer.title for layer in LAYERS}


@dataclass
class Used:
    """A figure that others rest on, and the layers that do."""

    figure: Figure
    layers: list[str] = field(default_factory=list)


def walk(figure: Figure, seen: set[int]) -> Iterator[Figure]:
    """Yield a figure and everything it was made from, each once."""
    waiting = [figure]
    while waiting:
        found = waiting.pop()
        if id(found) in seen:
            continue
        seen.add(id(found))
        yield found
        waiting += [operand for _, operand in found.operands]


def used(evaluation: Evaluation) -> dict[str, Used]:
    """Return every named figure that a result rests on, by its path, and every equation's source as ``source.…``."""
    found: dict[str, Used] = {}
    for layer, outcome in evaluation.results.items():
        seen: set[int] = set()
        roots = [figure for _, figure in outcome.figures()]
        roots += [f for n in evaluation.needs if n.layer == layer for f in (n.need, n.have)]
        for root in roots:
            for figure in walk(root, seen):
                made = bool(figure.formula and figure.known)
                key = f"source.{figure.source}" if made and figure.source else figure.path
                if not key or key.startswith("layers."):
                    continue
                entry = found.setdefault(key, Used(figure))
                if layer not in entry.layers:
                    entry.layers.append(layer)
    return found


def sources_sheet(evaluation: Evaluation, paper: Paper, system: units.System) -> Flow:
    """Return the sheet."""
    flow = Flow(paper, SHEET, TITLE)
    flow.heading(TITLE, 12.0)
    flow.paragraph(
        "What the numbers of this set rest on. An assumption that is wrong here is wrong on every sheet "
        "that names its layer.",
        ink="quiet",
    )
    rests = used(evaluation)
    flow.table(_defaults(evaluation, rests, system))
    flow.table(_named("catalog.", "Hardware catalogue", rests, system))
    flow.table(_named("constant.", "Constants", rests, system))
    flow.table(_equations(rests))
    notes = evaluation.plan.info.notes.strip()
    if notes:
        flow.heading("Notes", 9.0, 8.0)
        flow.paragraph(notes)
    return flow


def _layers(entry: Used) -> str:
    return ", ".join(_TITLES.get(name, name) for name in entry.layers)


def _defaults(evaluation: Evaluation, rests: dict[str, Used], system: units.System) -> Table:
    rows: list[Row] = []
    for layer, inputs in evaluation.plan.layers.items():
        for prefix, holder in declare.holders(inputs):
            for name, about in declare.settings_of(type(holder)).items():
                path = f"{layer}.{prefix}{name}"
                value = getattr(holder, name)
                if name in holder.model_fields_set or value is None or path not in rests:
                    continue
                shown, unit = words.setting_words(value, about, evaluation.catalog, system)
                rows.append(
                    (
                        Cell(about.title),
                        Cell(shown),
                        Cell(unit),
                        Cell(about.source or "ours", ink="quiet"),
                        Cell(_layers(rests[path]), ink="quiet"),
                        Cell(path, ink="quiet"),
                    )
                )
    columns = (
        Column("Assumption"),
        Column("Value", align="right"),
        Column("Unit"),
        Column("Source", stretch=True),
        Column("Used by"),
        Column("Name"),
    )
    title = "Assumed because nobody set it"
    return Table(columns, tuple(rows), title, 8.0, "Every input that counts was set in this plan.")


def _named(prefix: str, title: str, rests: dict[str, Used], system: units.System) -> Table:
    rows: list[Row] = [
        (
            Cell(entry.figure.title),
            Cell(words.number(entry.figure.value, entry.figure.unit, system)),
            Cell(words.sign(entry.figure.value, entry.figure.unit, system)),
            Cell(entry.figure.source or entry.figure.formula or "no source is recorded", ink="quiet"),
            Cell(_layers(entry), ink="quiet"),
        )
        for key, entry in sorted(rests.items())
        if key.startswith(prefix)
    ]
    columns = (
        Column("Figure"),
        Column("Value", align="right"),
        Column("Unit"),
        Column("Source", stretch=True),
        Column("Used by"),
    )
    return Table(columns, tuple(rows), title, 8.0, "None is used.")


def _equations(rests: dict[str, Used]) -> Table:
    rows: list[Row] = [
        (Cell(key.removeprefix("source.")), Cell(_layers(entry), ink="quiet"))
        for key, entry in sorted(rests.items())
        if key.startswith("source.")
    ]
    columns = (Column("Source of an equation or a look-up", stretch=True), Column("Used by"))
    return Table(columns, tuple(rows), "Equations", 8.0, "None is used.")
