"""Figures and tables as a workbook, one tab a table; nothing in it is a formula."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

from wattsweights_gui.engine import units
from wattsweights_gui.engine.both_ends import BothEnds
from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.declare import Value
from wattsweights_gui.layout.placements import Placements
from wattsweights_gui.reports.cells import Grid, grids
from wattsweights_gui.reports.placed import placed_of
from wattsweights_gui.reports.placed_grids import placed_grids

_WIDEST = 60
# not allowed in XML, whatever the encoding
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def write(
    evaluation: Evaluation,
    ends: BothEnds,
    path: str | Path,
    system: units.System = "si",
    placements: Placements | None = None,
) -> None:
    """Write the workbook.

    Raises:
        OSError: the file cannot be written.
    """
    Path(path).write_bytes(to_bytes(evaluation, ends, system, placements))


def to_bytes(
    evaluation: Evaluation, ends: BothEnds, system: units.System = "si", placements: Placements | None = None
) -> bytes:
    """Return the workbook: figures and tables of the layers, and the tables of the racks that are placed or planned."""
    # openpyxl costs a third of a second: only who exports pays it
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.active)
    taken: set[str] = set()
    hall = placed_grids(placed_of(evaluation, placements, system))
    for grid in (*grids(evaluation, ends, system), *hall):
        _fill(book.create_sheet(_tab(grid.name, taken)), grid)
    book.properties.title = evaluation.plan.info.project
    book.properties.creator = evaluation.plan.info.author or "WattsWeights"
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def _tab(name: str, taken: set[str]) -> str:
    base = re.sub(r"[\[\]:*?/\\']+", " ", name).strip()[:31] or "Table"
    tab, number = base, 2
    while tab.casefold() in taken:
        suffix = f" {number}"
        tab, number = base[: 31 - len(suffix)] + suffix, number + 1
    taken.add(tab.casefold())
    return tab


def _fill(sheet: Any, grid: Grid) -> None:
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    for n, title in enumerate(grid.head, 1):
        _put(sheet, 1, n, title).font = Font(bold=True)
    for r, row in enumerate(grid.rows, 2):
        for n, value in enumerate(row, 1):
            if value is not None:
                cell = _put(sheet, r, n, value)
                if isinstance(value, str) and len(value) > _WIDEST:
                    cell.alignment = Alignment(wrap_text=True, vertical="top")
    for n, title in enumerate(grid.head, 1):
        longest = max((len(str(row[n - 1])) for row in grid.rows if row[n - 1] is not None), default=0)
        sheet.column_dimensions[get_column_letter(n)].width = min(max(longest, len(title)) + 2, _WIDEST)
    sheet.freeze_panes = "A2"
    if grid.rows:
        sheet.auto_filter.ref = sheet.dimensions


def _put(sheet: Any, row: int, column: int, value: Value) -> Any:
    if not isinstance(value, str):
        return sheet.cell(row, column, value)
    cell = sheet.cell(row, column)
    cell.value = _CONTROL.sub(" ", value)
    # the library takes a text that begins with = for a formula; here it never is
    cell.data_type = "s"
    if value.startswith(("=", "+", "-", "@", "\t", "\r")):
        cell.quotePrefix = True
    return cell
