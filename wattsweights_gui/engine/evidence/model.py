"""Predicts the parameters of published models from the fields of their configuration."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from wattsweights_gui.engine.equations import transformer
from wattsweights_gui.engine.equations.transformer import TransformerShape
from wattsweights_gui.engine.evidence.rows import EvidenceRow

LARGEST = 1e18
COUNTS: dict[str, Callable[[TransformerShape], int]] = {
    "total_params": transformer.total_params,
    "active_params": transformer.active_params,
    "active_params_no_input_embedding": transformer.active_params_no_input,
}


def rows(models: Iterable[Mapping[str, Any]]) -> list[EvidenceRow]:
    """Return a row for each exact count of each model.

    A model carries its dimensions under ``shape`` (a :class:`TransformerShape` that the caller read of its ``config``)
    or ``unread``, the reason why it could not be read.
    """
    found: list[EvidenceRow] = []
    for model in models:
        for quantity, count in COUNTS.items():
            if model.get(quantity) is None:
                continue
            shape = model.get("shape")
            predicted = float(count(shape)) if isinstance(shape, TransformerShape) else None
            unread = str(model.get("unread") or "its configuration was not read")
            found.append(
                EvidenceRow(
                    id=f"{model.get('name', '')}.{quantity}",
                    table="parameter_counts",
                    quantity=quantity,
                    published=_count(model[quantity]),
                    predicted=predicted,
                    unit="parameters",
                    tolerance_pct=0.1,
                    judged=True,
                    reason=unread if predicted is None else "",
                    assumed="; ".join(model["assumed"]) if predicted is not None and "assumed" in model else "",
                    source=str(model.get("source", "")),
                    kind="parameters",
                )
            )
    return found


def _count(value: Any) -> float | None:
    known = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < LARGEST
    return float(value) if known else None
