"""Whole documents of published numbers, each row predicted, and how far off each table is."""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from wattsweights_gui.engine.evidence.rows import EvidenceRow, Prediction

# what a document says of its layer -> the module that predicts its rows
PREDICTORS = {name: f"wattsweights_gui.engine.evidence.{name}" for name in ("facility", "fabric", "storage", "serving")}
TRAINING = "wattsweights_gui.engine.evidence.training"
MODELS = "wattsweights_gui.engine.evidence.model"


@dataclass(frozen=True)
class Summary:
    """How far off one table is; errors in per cent over its judged, predicted rows."""

    rows: int
    median_abs_error_pct: float | None
    mean_abs_error_pct: float | None
    p90_abs_error_pct: float | None
    bias_pct: float | None
    failed: int

    @classmethod
    def of(cls, rows: Iterable[EvidenceRow]) -> Summary:
        """Summarise the judged rows."""
        judged = [row for row in rows if row.judged]
        errors = [e for row in judged if (e := row.error_pct) is not None and math.isfinite(e)]
        sizes = sorted(abs(e) for e in errors)
        return cls(
            len(judged),
            _quantile(sizes, 0.5),
            sum(sizes) / len(sizes) if sizes else None,
            _quantile(sizes, 0.9),
            sum(errors) / len(errors) if errors else None,
            sum(row.failed for row in judged),
        )

    def plain(self) -> dict[str, Any]:
        """Return the JSON of the command line."""
        return {
            "rows": self.rows,
            "median_abs_error_pct": self.median_abs_error_pct,
            "mean_abs_error_pct": self.mean_abs_error_pct,
            "p90_abs_error_pct": self.p90_abs_error_pct,
            "bias_pct": self.bias_pct,
            "failed": self.failed,
        }


@dataclass(frozen=True)
class EvidenceReport:
    """All rows in the order of their documents, and a summary a table."""

    rows: tuple[EvidenceRow, ...]

    def summary(self) -> dict[str, Summary]:
        """Return a summary of each table, in order of first appearance."""
        tables: dict[str, list[EvidenceRow]] = {}
        for row in self.rows:
            tables.setdefault(row.table, []).append(row)
        return {name: Summary.of(rows) for name, rows in tables.items()}

    def plain(self) -> dict[str, Any]:
        """Return the JSON of the command line."""
        return {
            "rows": [row.plain() for row in self.rows],
            "summary": {name: summary.plain() for name, summary in self.summary().items()},
        }


def report(documents: Iterable[Mapping[str, Any]], catalog: Any) -> EvidenceReport:
    """Predict every row of the documents.

    Raises:
        ValueError: a document is no table of evidence.
    """
    rows: list[EvidenceRow] = []
    for document in documents:
        if not isinstance(document, Mapping):
            raise ValueError("a table of evidence has to be a JSON object with “rows”.")
        rows += _rows(document, catalog)
    return EvidenceReport(tuple(rows))


def _rows(document: Mapping[str, Any], catalog: Any) -> list[EvidenceRow]:
    if "models" in document and "rows" not in document:
        return list(importlib.import_module(MODELS).rows(_objects(document, "models")))
    if "rows" not in document:
        raise ValueError("this is no table of evidence: it needs “rows”, a list of objects.")
    listed = _objects(document, "rows")
    if document.get("layer") is None and (not listed or any("measured" in row for row in listed)):
        return [row for raw in listed for row in _training(raw, catalog)]
    layer = document.get("layer")
    if not isinstance(layer, str) or layer not in PREDICTORS:
        known = ", ".join(PREDICTORS)
        said = f"is of “{layer[:40]}”" if isinstance(layer, str) else "names no layer"
        raise ValueError(f"the table of evidence {said}; there is {known}, and training rows (“measured”).")
    rows = [_predicted(raw, layer, catalog, shown_only=False) for raw in listed]
    return rows + [_predicted(raw, layer, catalog, shown_only=True) for raw in _objects(document, "context_rows")]


def _objects(document: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    listed = document.get(name)
    if listed is None and name == "context_rows":
        return []
    if not isinstance(listed, list) or not all(isinstance(row, Mapping) for row in listed):
        raise ValueError(f"“{name}” has to be a list of objects.")
    return listed


def _predicted(raw: Mapping[str, Any], layer: str, catalog: Any, *, shown_only: bool) -> EvidenceRow:
    try:
        module = importlib.import_module(PREDICTORS[layer])
    except ModuleNotFoundError:
        made = Prediction(None, reason=f"rows of {layer} are not predicted by this version")
    else:
        made = _guarded(module.predict, raw, catalog)
    check = raw.get("check")
    tolerance = _number(raw.get("tolerance_pct"))
    return EvidenceRow(
        id=str(raw.get("id", "")),
        table=str(raw.get("table", "")),
        quantity=str(raw.get("quantity", "")),
        published=_number(raw.get("published")),
        predicted=made.predicted,
        unit=str(raw.get("unit", "")),
        tolerance_pct=0.0 if check == "exact" and tolerance is None else tolerance,
        judged=not shown_only and check != "info",
        assumed=made.assumed,
        reason=made.reason,
        source=_source(raw.get("source")),
        low=made.low,
        high=made.high,
    )


def _training(raw: Mapping[str, Any], catalog: Any) -> list[EvidenceRow]:
    name, table = str(raw.get("id", "")), str(raw.get("source_id", ""))

    def row(quantity: str, published: Any, unit: str, made: Prediction, judged: bool = True) -> EvidenceRow:
        made = _finite(made)
        return EvidenceRow(
            id=f"{name}.{quantity}",
            table=table,
            quantity=quantity,
            published=_number(published),
            predicted=made.predicted,
            unit=unit,
            tolerance_pct=None,
            judged=judged,
            assumed=made.assumed,
            reason=made.reason,
            source=_source(raw.get("source")),
            low=made.low,
            high=made.high,
        )

    if not isinstance(raw.get("measured"), Mapping):
        return [row("time", None, "", Prediction(None, reason="the row cannot be read: “measured” is no object"))]
    try:
        found = importlib.import_module(TRAINING).predict_row(raw, catalog)
    except Exception as error:  # a row of a stranger must not end the whole report
        return [row("time", None, "", Prediction(None, reason=_unreadable(error)))]
    if not found:
        nothing = Prediction(None, reason="the row publishes no step time, rate, MFU or memory to compare with")
        return [row("time", None, "", nothing, judged=False)]
    return [row(*quantity) for quantity in found]


def _guarded(predict: Any, raw: Mapping[str, Any], catalog: Any) -> Prediction:
    try:
        made: Prediction = predict(raw, catalog)
    except Exception as error:  # a row of a stranger must not end the whole report
        return Prediction(None, reason=_unreadable(error))
    return _finite(made)


def _unreadable(error: Exception) -> str:
    if isinstance(error, KeyError) and error.args:
        return f"the row cannot be read: it has no “{error.args[0]}”"
    if isinstance(error, AttributeError | TypeError | IndexError):
        return f"the row cannot be read: a field is not of the kind that this table has ({error})"
    return f"the row cannot be read: {error or type(error).__name__}"


def _finite(made: Prediction) -> Prediction:
    if made.predicted is None or _number(made.predicted) is not None:
        return made
    return Prediction(None, reason=made.reason or "the prediction is no finite number", assumed=made.assumed)


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _source(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(str(value[k]) for k in ("publisher", "document", "where", "date") if value.get(k))
    return str(value or "")


def _quantile(ordered: list[float], share: float) -> float | None:
    """Return a quantile by linear interpolation between the closest ranks."""
    if not ordered:
        return None
    at = share * (len(ordered) - 1)
    low = math.floor(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)
