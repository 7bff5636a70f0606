"""Figures and tables as comma-separated text, one file a table."""

from __future__ import annotations

import re
from pathlib import Path

from wattsweights_gui.engine import units
from wattsweights_gui.engine.both_ends import BothEnds
from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.exchange.csv_text import csv_text, safe
from wattsweights_gui.layout.placements import Placements
from wattsweights_gui.reports.cells import Grid, grids
from wattsweights_gui.reports.placed import placed_of
from wattsweights_gui.reports.placed_grids import placed_grids


def text_of(grid: Grid) -> str:
    """Return one table as CSV with a head; text that a spreadsheet would run is made harmless."""
    return csv_text([safe(title) for title in grid.head], (map(safe, row) for row in grid.rows), "\r\n")


def write(
    evaluation: Evaluation,
    ends: BothEnds,
    path: str | Path,
    system: units.System = "si",
    placements: Placements | None = None,
) -> list[Path]:
    """Write every table: the comparison to ``path``, the others beside it with their name in the file's.

    Returns:
        the files written.

    Raises:
        OSError: a file cannot be written.
    """
    target = Path(path)
    written: list[Path] = []
    hall = placed_grids(placed_of(evaluation, placements, system))
    for number, grid in enumerate((*grids(evaluation, ends, system), *hall)):
        slug = re.sub(r"[^a-z0-9]+", "-", grid.name.casefold()).strip("-")
        file = target if number == 0 else target.with_name(f"{target.stem}-{slug}{target.suffix or '.csv'}")
        # the mark lets a spreadsheet know that it is UTF-8
        file.write_text("\ufeff" + text_of(grid), encoding="utf-8", newline="")
        written.append(file)
    return written
