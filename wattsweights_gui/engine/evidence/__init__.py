"""Predicted against published, row by row."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Prediction:
    """What the engine says of one row; ``None`` with the reason where it cannot."""

    predicted: float | None
    reason: str = ""
    assumed: str = ""
    low: float | None = None
    high: float | None = None
