"""Whole documents of published numbers, each row predicted, and how far off each table is."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from wattsweights_gui.engine.evidence.classes import CLASSES, RATES, class_of_training, software_of
from wattsweights_gui.engine.evidence.rows import EvidenceRow, Prediction

Progress = Callable[[float], bool]

# what a document says of its layer -> the module that predicts its rows
PREDICTORS = {name: f"wattsweights_gui.engine.evidence.{name}" for name in ("facility", "fabric", "storage", "serving")}
TRAINING = "wattsweights_gui.engine.evidence.training"
MODELS = "wattsweights_gui.engine.evidence.model"


@dataclass(frozen=True)
class Summary:
    """How far off rows are; errors in per cent over the judged rows that are predicted.

    Attributes:
        rows, predicted: judged, and of those with a prediction.
        lowest_error_pct, highest_error_pct: the farthest under and over.
        failed: not predicted, or outside the row's tolerance.
    """

    rows: int
    predicted: int
    median_abs_error_pct: float | None
    mean_abs_error_pct: float | None
    p90_abs_error_pct: float | None
    bias_pct: float | None
    lowest_error_pct: float | None
    highest_error_pct: float | None
    failed: int

    @classmethod
    def of(cls, rows: Iterable[EvidenceRow], *, as_time: bool = False) -> Summary:
        """Summarise the judged rows.

        Args:
            rows: any.
            as_time: whether a rate is judged by the time that it stands for, as classes are.
        """
        judged = [row for row in rows if row.judged]
        found = (row.class_error_pct if as_time else row.error_pct for row in judged)
        errors = [e for e in found if e is not None and math.isfinite(e)]
        sizes = sorted(abs(e) for e in errors)
        return cls(
            len(judged),
            len(errors),
            _quantile(sizes, 0.5),
            sum(sizes) / len(sizes) if sizes else None,
            _quantile(sizes, 0.9),
            sum(errors) / len(errors) if errors else None,
            min(errors, default=None),
            max(errors, default=None),
            sum(row.failed for row in judged),
        )

    def plain(self) -> dict[str, Any]:
        """Return the JSON of the command line."""
        return asdict(self)


@dataclass(frozen=True)
class EvidenceReport:
    """All rows in the order of their documents, a summary a table and one a class."""

    rows: tuple[EvidenceRow, ...]

    def summary(self) -> dict[str, Summary]:
        """Return a summary of each table, in order of first appearance; errors are of the quantities as published."""
        tables: dict[str, list[EvidenceRow]] = {}
        for row in self.rows:
            tables.setdefault(row.table, []).append(row)
        return {name: Summary.of(rows) for name, rows in tables.items()}

    def classes(self) -> dict[str, Summary]:
        """Return a summary of each class that has rows; the error of a rate is that of the time it stands for."""
        found = {kind: [row for row in self.rows if row.kind == kind] for kind in CLASSES}
        return {kind: Summary.of(rows, as_time=True) for kind, rows in found.items() if rows}

    def plain(self) -> dict[str, Any]:
        """Return the JSON of the command line."""
        return {
            "rows": [row.plain() for row in self.rows],
            "summary": {name: summary.plain() for name, summary in self.summary().items()},
            "classes": {
                kind: {"title": CLASSES[kind].title, **summary.plain()} for kind, summary in self.classes().items()
            },
        }


def report(documents: Iterable[Mapping[str, Any]], catalog: Any, progress: Progress | None = None) -> EvidenceReport:
    """Predict every row of the documents.

    Args:
        documents: tables of evidence.
        catalog: the hardware.
        progress: told the share that is done; ``False`` ends the work with the rows so far.

    Raises:
        ValueError: a document is no table of evidence.
    """
    listed = list(documents)
    total = max(1, sum(_size(document) for document in listed))
    rows: list[EvidenceRow] = []
    done = 0
    for document in listed:
        if not isinstance(document, Mapping):
            raise ValueError("a table of evidence has to be a JSON object with “rows”.")
        for found in _rows(document, catalog):
            rows += found
            done += 1
            if progress is not None and not progress(min(1.0, done / total)):
                return EvidenceReport(tuple(rows))
    return EvidenceReport(tuple(rows))


def _size(document: Any) -> int:
    if not isinstance(document, Mapping):
        return 0
    lists = (document.get(name) for name in ("rows", "context_rows", "models"))
    return sum(len(found) for found in lists if isinstance(found, list))


def _rows(document: Mapping[str, Any], catalog: Any) -> Iterator[list[EvidenceRow]]:
    """Yield what each row of a document gives."""
    if "models" in document and "rows" not in document:
        yield list(importlib.import_module(MODELS).rows(_objects(document, "models")))
        return
    if "rows" not in document:
        raise ValueError("this is no table of evidence: it needs “rows”, a list of objects.")
    listed = _objects(document, "rows")
    if document.get("layer") is None and (not listed or any("measured" in row for row in listed)):
        for raw in listed:
            yield _training(raw, catalog)
        return
    layer = document.get("layer")
    if not isinstance(layer, str) or layer not in PREDICTORS:
        known = ", ".join(PREDICTORS)
        said = f"is of “{layer[:40]}”" if isinstance(layer, str) else "names no layer"
        raise ValueError(f"the table of evidence {said}; there is {known}, and training rows (“measured”).")
    context = _objects(document, "context_rows")
    for raw in listed:
        yield [_predicted(raw, layer, catalog, shown_only=False)]
    for raw in context:
        yield [_predicted(raw, layer, catalog, shown_only=True)]


def _objects(document: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    listed = document.get(name)
    if listed is None and name == "context_rows":
        return []
    if not isinstance(listed, list):
        raise ValueError(f"“{name}” has to be a list of objects.")
    wrong = next((i for i, row in enumerate(listed, 1) if not isinstance(row, Mapping)), None)
    if wrong is not None:
        raise ValueError(f"“{name}” has to be a list of objects: number {wrong} of {len(listed)} is none.")
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
        kind=layer,
        software=software_of(raw),
        note=_note(raw),
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
            kind=class_of_training(raw, quantity, unit),
            rate=unit in RATES,
            software=software_of(raw),
            note=_note(raw),
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


def _note(raw: Mapping[str, Any]) -> str:
    """Return what a row says of itself: derivation, remarks, and the same run with other releases."""
    said = [str(raw[name]) for name in ("derivation", "note", "trap", "notes") if isinstance(raw.get(name), str)]
    said = [words for words in said if not words.startswith("history =")]
    if raw.get("verified") == "memory":
        said.append("the figure is from general knowledge, not read in the source")
    history = raw.get("history")
    runs = [run for run in history if isinstance(run, list) and len(run) > 1] if isinstance(history, list) else []
    if runs:
        said.append("tokens/s a GPU by release: " + ", ".join(f"{run[0]}: {run[1]}" for run in runs))
    return "; ".join(said)


def _quantile(ordered: list[float], share: float) -> float | None:
    """Return a quantile by linear interpolation between the closest ranks."""
    if not ordered:
        return None
    at = share * (len(ordered) - 1)
    low = math.floor(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)
