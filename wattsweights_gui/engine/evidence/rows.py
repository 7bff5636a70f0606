"""What is said of one published number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from wattsweights_gui.engine import units


@dataclass(frozen=True)
class Prediction:
    """What the engine says of one row; ``None`` with the reason where it cannot."""

    predicted: float | None
    reason: str = ""
    assumed: str = ""
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class EvidenceRow:
    """One published number beside its prediction.

    Attributes:
        id: unique.
        table: what the row is grouped by.
        quantity: what is predicted.
        published, predicted: in ``unit``.
        tolerance_pct: allowed error, 0 for counts that must be equal; ``None`` where none is stated.
        judged: whether the row counts; rows that their file marks as information are shown only.
        assumed: what the publication left out and was assumed.
        reason: why there is no prediction.
        source: where the published number comes from.
        low, high: spread of the prediction.
        kind: class by which errors are stated (:data:`classes.CLASSES`); empty where there is none.
        rate: whether more of the quantity is less time.
        software: release or date of the software that was measured, where known.
        note: what else the row says of itself.
    """

    id: str
    table: str
    quantity: str
    published: float | None
    predicted: float | None
    unit: str
    tolerance_pct: float | None
    judged: bool
    assumed: str = ""
    reason: str = ""
    source: str = ""
    low: float | None = None
    high: float | None = None
    kind: str = ""
    rate: bool = False
    software: str = ""
    note: str = ""

    @property
    def error_pct(self) -> float | None:
        """Predicted less published over published, in per cent; ``None`` where one is not known."""
        if self.predicted is None or self.published is None:
            return None
        if self.published == 0:
            return 0.0 if self.predicted == 0 else math.copysign(math.inf, self.predicted)
        return 100.0 * (self.predicted - self.published) / self.published

    @property
    def class_error_pct(self) -> float | None:
        """The error as its class states it: of time, so that of a rate is published over predicted less one."""
        if not self.rate or not self.predicted or self.published is None:
            return self.error_pct
        return 100.0 * (self.published / self.predicted - 1.0)

    @property
    def failed(self) -> bool:
        """Whether a judged row is not predicted, or outside its tolerance."""
        if not self.judged:
            return False
        error = self.error_pct
        if error is None or not math.isfinite(error):
            return True
        return self.tolerance_pct is not None and abs(error) > self.tolerance_pct + 1e-9

    def plain(self) -> dict[str, Any]:
        """Return the JSON of the command line."""
        error, of_class = self.error_pct, self.class_error_pct
        return {
            "id": self.id,
            "table": self.table,
            "quantity": self.quantity,
            "published": self.published,
            "predicted": self.predicted,
            "unit": self.unit,
            "error_pct": error if error is None or math.isfinite(error) else None,
            "tolerance_pct": self.tolerance_pct,
            "assumed": self.assumed,
            "judged": self.judged,
            "failed": self.failed,
            "reason": self.reason,
            "source": self.source,
            "low": self.low,
            "high": self.high,
            "class": self.kind,
            "class_error_pct": of_class if of_class is None or math.isfinite(of_class) else None,
            "software": self.software,
            "note": self.note,
        }


def value_text(value: float | None, unit: str) -> str:
    """Return a value as it was published: with its unit, and never in another one."""
    if unit in units.UNITS:
        return units.text(value, unit)
    return "–" if value is None else f"{units.number(value)} {unit}".strip()


def percent_text(value: float | None) -> str:
    """Return an error in per cent; an exact nought is told from one that is nearly nought."""
    if value is None:
        return "–"
    return f"{value:.2f} %" if 0 < abs(value) < 1 else f"{units.number(value)} %"
