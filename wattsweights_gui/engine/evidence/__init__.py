"""Predicted against published, row by row."""

from __future__ import annotations

from wattsweights_gui.engine.evidence.rows import EvidenceRow, Prediction
from wattsweights_gui.engine.evidence.table import EvidenceReport, Summary, report

__all__ = ["EvidenceReport", "EvidenceRow", "Prediction", "Summary", "report"]
