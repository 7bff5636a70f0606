"""Comma-separated text, and cells that no spreadsheet runs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from wattsweights_gui.engine.declare import Value

# a spreadsheet takes a cell that begins so for a formula (OWASP, CSV injection)
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


def safe(value: Value) -> Value:
    """Return a value that no spreadsheet runs: text that looks like a formula gets an apostrophe before it."""
    if isinstance(value, str) and value.startswith(_FORMULA_STARTS):
        return "'" + value
    return value


def csv_text(head: Sequence[Value], rows: Iterable[Iterable[Value]], end: str = "\n") -> str:
    """Return a head and rows as comma-separated text; what is not known is an empty cell."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator=end)
    writer.writerow(head)
    writer.writerows(["" if value is None else value for value in row] for row in rows)
    return buffer.getvalue()
