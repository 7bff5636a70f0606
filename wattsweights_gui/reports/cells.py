"""Figures and tables as rows for spreadsheets: full precision, the stored or displayed unit, and safe to open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wattsweights_gui.engine import declare, units
from wattsweights_gui.engine.both_ends import BothEnds
from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.declare import Value
from wattsweights_gui.engine.layers import LAYERS
from wattsweights_gui.reports import words

Rows = tuple[tuple[Value, ...], ...]


@dataclass(frozen=True)
class Grid:
    """One table of a spreadsheet; ``name`` becomes the tab's."""

    name: str
    head: tuple[str, ...]
    rows: Rows


def shown(value: Value, unit: str, system: units.System) -> Value:
    """Return a number in the display system at full precision; text and flags as they are."""
    if value is None or isinstance(value, str | bool) or unit not in units.UNITS:
        return value
    converted, _ = units.shown(value, unit, system)
    return value if converted == value else converted


def grids(evaluation: Evaluation, ends: BothEnds, system: units.System) -> Iterator[Grid]:
    """Yield the comparison of both ends, all inputs, all figures, the findings, and every table of every layer."""
    yield _both_ends(ends, system)
    yield _inputs(evaluation, system)
    yield _figures(evaluation, system)
    yield Grid(
        "Findings",
        ("Severity", "Where", "What", "What would mend it", "Source"),
        tuple((f.severity, f.subject, f.message, f.fix_title, f.source) for f in evaluation.findings),
    )
    for layer in LAYERS:
        for name, table in evaluation.results[layer.name].tables():
            yield _table(f"{layer.title} {table.title or name}", table, system)


def _both_ends(ends: BothEnds, system: units.System) -> Grid:
    rows = tuple(
        (
            need.layer,
            need.title,
            shown(need.need.value, need.unit, system),
            shown(need.have.value, need.unit, system),
            units.symbol(need.unit, system),
            need.load if need.load is not None and need.load != float("inf") else None,
            {True: "holds", False: "over", None: "not known"}[need.fits],
            need.have.source or need.have.formula,
        )
        for need in ends.compared
    )
    head = ("Layer", "Quantity", "Need", "Have", "Unit", "Need over have", "Verdict", "Limit from")
    return Grid("Both ends", head, rows)


def _inputs(evaluation: Evaluation, system: units.System) -> Grid:
    rows: list[tuple[Value, ...]] = []
    for layer, inputs in (("project", evaluation.plan.info), *evaluation.plan.layers.items()):
        for prefix, holder in declare.holders(inputs):
            for name, about in declare.settings_of(type(holder)).items():
                value = getattr(holder, name)
                words_, _ = words.setting_words(value, about, evaluation.catalog, system)
                plain = isinstance(value, int | float) and not isinstance(value, bool)
                rows.append(
                    (
                        f"{layer}.{prefix}{name}",
                        about.title,
                        shown(value, about.unit, system) if plain else (None if value is None else words_),
                        units.symbol(about.unit, system) if plain else "",
                        "set" if name in holder.model_fields_set else "default",
                        about.source,
                    )
                )
    return Grid("Inputs", ("Name", "Input", "Value", "Unit", "Set by", "Source of the default"), tuple(rows))


def _figures(evaluation: Evaluation, system: units.System) -> Grid:
    rows: list[tuple[Value, ...]] = []
    for layer in LAYERS:
        for name, figure in evaluation.results[layer.name].figures():
            rows.append(
                (
                    f"{layer.name}.{name}",
                    figure.title,
                    shown(figure.value, figure.unit, system),
                    words.sign(figure.value, figure.unit, system),
                    shown(figure.low, figure.unit, system),
                    shown(figure.high, figure.unit, system),
                    figure.formula if figure.known else f"not known: {figure.formula}",
                    figure.source,
                )
            )
    return Grid("Figures", ("Name", "Result", "Value", "Unit", "Low", "High", "Formula", "Source"), tuple(rows))


def _table(name: str, table: declare.Table, system: units.System) -> Grid:
    head = tuple(
        f"{column} ({sign})" if (sign := units.symbol(unit, system) if unit in units.UNITS else unit) else column
        for column, unit in zip(table.columns, table.units, strict=True)
    )
    rows = tuple(
        tuple(shown(value, unit, system) for value, unit in zip(row, table.units, strict=True)) for row in table.rows
    )
    return Grid(name, head, rows)
