"""The classes by which errors are stated, and of which software a row is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

LONG_CONTEXT = 32768
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
MEASURED_PEAKS = ("peak_allocated_gib", "peak_reserved_gib", "peak_memory_gib", "max_memory_usage_logged_gb")
"""Memory as it was measured; other memory figures are a publication's own arithmetic."""
MEMORIES = ("gib", "gb")
RATES = ("tokens_s", "tflops", "pct")
"""Units of training rows of which more is faster."""


@dataclass(frozen=True)
class EvidenceClass:
    """Rows that are alike.

    Attributes:
        title: of the class.
        subject: what its rows are about: training time, training memory, or a layer.
        aim_pct: mean absolute error that is aimed at; ``None`` where rows have tolerances of their own, or none.
    """

    title: str
    subject: str
    aim_pct: float | None = None


CLASSES: dict[str, EvidenceClass] = {
    "dense_ampere": EvidenceClass("Time, dense on A100", "Training time", 6.0),
    "dense_newer": EvidenceClass("Time, dense on newer GPUs", "Training time", 8.0),
    "moe": EvidenceClass("Time, mixtures of experts", "Training time", 12.0),
    "long_context": EvidenceClass("Time, 32k tokens and longer", "Training time", 10.0),
    "tpu": EvidenceClass("Time, TPUs (outside the fit)", "Training time"),
    "memory_dense": EvidenceClass("Memory, dense", "Training memory", 4.0),
    "memory_moe": EvidenceClass("Memory, mixtures of experts", "Training memory", 6.0),
    "memory_parts": EvidenceClass("Memory, parts as a paper counts them", "Training memory"),
    "facility": EvidenceClass("Power, cooling, floor", "Facility"),
    "fabric": EvidenceClass("Fabric and cluster", "Fabric"),
    "storage": EvidenceClass("Storage, data path, reliability", "Storage"),
    "serving": EvidenceClass("Serving", "Serving"),
    "parameters": EvidenceClass("Parameter counts", "Model"),
}


def class_of_training(row: Mapping[str, Any], quantity: str, unit: str) -> str:
    """Return the class of one quantity of a training row.

    Args:
        row: of the training evidence.
        quantity: that is predicted.
        unit: of the quantity.
    """
    model = row.get("model")
    moe = isinstance(model, Mapping) and model.get("kind") == "moe"
    if unit in MEMORIES:
        if quantity not in MEASURED_PEAKS:
            return "memory_parts"
        return "memory_moe" if moe else "memory_dense"
    gpu, seq_len = str(row.get("gpu") or ""), row.get("seq_len")
    if gpu.startswith("TPU"):
        return "tpu"
    if isinstance(seq_len, int | float) and seq_len >= LONG_CONTEXT:
        return "long_context"
    if moe:
        return "moe"
    return "dense_ampere" if gpu.startswith("A100") else "dense_newer"


def software_of(row: Mapping[str, Any]) -> str:
    """Return the release or the date of the software of a row as its source states it; empty where it states none."""
    source, inputs = row.get("source"), row.get("inputs")
    if isinstance(source, Mapping):
        engine = inputs.get("engine") if isinstance(inputs, Mapping) else None
        return ", ".join(str(words) for words in (engine, source.get("date")) if words)
    text = str(source or "")
    return ", ".join([words for words in (_round(text), _release(text)) if words]) or _date(text)


def _round(text: str) -> str:
    found = re.search(r"MLPerf Training v\d+\.\d+", text)
    return found[0] if found else ""


def _release(text: str) -> str:
    found = re.search(r"(?:container |ngc)(\d{2}(?:\.\d{2})+)", text)
    if found:
        return f"container {found[1]}"
    found = re.search(r"Megatron-Core r[\d.]*\d", text)
    return found[0] if found else ""


def _date(text: str) -> str:
    found = re.search(r"arXiv (\d{2})(\d{2})\.\d{4,5}", text) or re.search(r"[_-]20(\d{2})-?(\d{2})[_-]", text)
    if found and 1 <= int(found[2]) <= 12:
        return f"{MONTHS[int(found[2]) - 1]} 20{found[1]}"
    found = re.search(r"\b20[12]\d\b", text)
    return found[0] if found else ""
