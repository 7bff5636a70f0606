"""What the plan needs against what there is, as a table with load bars."""

from __future__ import annotations

from collections.abc import Iterable

from wattsweights_gui.drawing.table import Cell, Column, Row, Table
from wattsweights_gui.engine import units
from wattsweights_gui.engine.declare import Figure, Need
from wattsweights_gui.engine.layers import LAYERS
from wattsweights_gui.reports import words

_TITLES = {layer.name: layer.title for layer in LAYERS}


def needs_table(
    needs: Iterable[Need], system: units.System, *, title: str = "", layer: bool = True, tight: bool = False
) -> Table:
    """Return the needs in the order given, one row each.

    Args:
        needs: with a limit or without.
        system: of units.
        title: over the table.
        layer: whether a column names the layer.
        tight: with less air between the rows.
    """
    columns = [
        Column("Quantity", stretch=True, keep=tight),
        Column("Need", align="right"),
        Column("Have", align="right"),
        Column("Unit"),
        Column("Load", "%", align="right"),
        Column("Need over have", "limit at the tick", bar=True),
        Column("Margin", align="right", keep=True),
        Column("Verdict"),
        Column("Limit from", cut=tight),
    ]
    if layer:
        columns.insert(0, Column("Layer"))
    rows: list[Row] = [_row(need, system, layer) for need in needs]
    return Table(tuple(columns), tuple(rows), title, 8.0, "Nothing here meets a stated limit.", tight)


def _row(need: Need, system: units.System, layer: bool) -> Row:
    over = need.fits is False
    load = need.load
    cells = [
        Cell(need.title, bold=over),
        Cell(words.number(need.need.value, need.unit, system), bold=over),
        Cell(words.number(need.have.value, need.unit, system), bold=over),
        Cell(units.symbol(need.unit, system)),
        Cell(words.load_words(need).removesuffix(f"{units.THIN_SPACE}%"), bold=over),
        Cell(load=load),
        Cell(words.margin_words(need, system), bold=over),
        _verdict(need),
        Cell(_limit_from(need), ink="quiet"),
    ]
    if layer:
        cells.insert(0, Cell(_TITLES.get(need.layer, need.layer)))
    return tuple(cells)


def _verdict(need: Need) -> Cell:
    if need.load is None:
        return Cell("no limit stated" if need.have.value is None else "not known", ink="quiet")
    if need.fits is False:
        return Cell("OVER", bold=True, ink="over")
    if need.load >= 0.9:
        return Cell("near", ink="near")
    return Cell("holds", ink="fine")


def _chosen(figure: Figure) -> Figure | None:
    """Return the input of this plan that a limit is, or is converted from."""
    while figure.source != "set in this plan":
        if len(figure.operands) != 1:
            return None
        figure = figure.operands[0][1]
    return figure


def _limit_from(need: Need) -> str:
    have = need.have
    if have.value is None:
        return have.formula
    chosen = _chosen(have)
    if chosen is not None:
        return f"set: {words.lowered(chosen.title)}" if chosen.title else chosen.source
    return have.source or have.formula or have.title
