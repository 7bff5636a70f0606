"""The sized chain as one flat table: every figure in the unit that it is stored in, to the last digit."""

from __future__ import annotations

import csv
import io
import json
import math
from typing import Any

from wattsweights_gui.engine.chain import Evaluation

COLUMNS = ("layer", "name", "title", "value", "unit", "low", "high", "formula", "source")
# a spreadsheet would run text that begins like this
_RUNS = ("=", "+", "-", "@", "\t", "\r")


def rows(evaluation: Evaluation) -> list[dict[str, Any]]:
    """Return every result of every layer, in chain order."""
    return [
        {
            "layer": layer,
            "name": name,
            "title": figure.title,
            "value": _finite(figure.value),
            "unit": figure.unit,
            "low": _finite(figure.low),
            "high": _finite(figure.high),
            "formula": figure.formula,
            "source": figure.source,
        }
        for layer, outcome in evaluation.results.items()
        for name, figure in outcome.figures()
    ]


def to_csv(evaluation: Evaluation) -> bytes:
    """Return the table as CSV in UTF-8 with a head; text that a spreadsheet would run is made harmless."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for row in rows(evaluation):
        writer.writerow([_cell(row[column]) for column in COLUMNS])
    return b"\xef\xbb\xbf" + text.getvalue().encode("utf-8", "replace")


def to_json(evaluation: Evaluation) -> bytes:
    """Return the table as one JSON document."""
    document = {"project": evaluation.plan.info.project, "figures": rows(evaluation)}
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace") + b"\n"


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _cell(value: Any) -> Any:
    if value is None:
        return ""
    if isinstance(value, str) and value.startswith(_RUNS):
        return f"'{value}"
    return value
