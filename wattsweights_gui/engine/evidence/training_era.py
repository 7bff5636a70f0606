"""Reads of which time the software of a row of the training evidence is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

FLASH_YEAR = 2023.0
OLDEST = (
    ("Qwen3", 2025.3),
    ("gpt-oss", 2025.6),
    ("DeepSeek-V3", 2024.95),
    ("Llama-3.1", 2024.55),
    ("GB300", 2025.6),
    ("B300", 2025.6),
    ("GB200", 2025.1),
    ("B200", 2025.1),
)
"""A run is no older than its model and its GPU."""
HYBRID_DISPATCHER = 2025.85
"""A run whose experts are reached by HybridEP is no older than its first release."""


def year_of(row: Mapping[str, Any]) -> float | None:
    """Return when the software of a row was current, as a decimal year, or ``None`` where its source says no date."""
    source = str(row.get("source") or "")
    found = re.search(r"arXiv (\d{2})(\d{2})\.\d{4,5}", source)
    if found:
        return 2000.0 + int(found[1]) + (int(found[2]) - 0.5) / 12.0
    found = re.search(r"(?:container |ngc)(\d{2})\.(\d{2})", source)
    if found:
        return 2000.0 + int(found[1]) + (int(found[2]) - 0.5) / 12.0
    found = re.search(r"[_-](20\d{2})-?(\d{2})[_-]", source)
    if found:
        return float(found[1]) + (int(found[2]) - 0.5) / 12.0
    found = re.search(r"MLPerf Training v(\d)\.(\d)", source)
    if found:
        return 2020.5 + int(found[1]) + 0.5 * int(found[2])
    found = re.search(r"\b(20[12]\d)\b", source)
    return float(found[1]) + 0.5 if found else None


def era_of(row: Mapping[str, Any], precision: str, assumed: list[str]) -> float:
    """Return when the software of a row was current, as a decimal year; what its source does not date is assumed."""
    year = year_of(row)
    gpu = str(row.get("gpu") or "")
    if precision == "fp16" and gpu.startswith("A100"):
        # half precision with loss scaling was left for bfloat16 in 2022: its software is of that time
        return min(year or FLASH_YEAR - 1.0, FLASH_YEAR - 1.0)
    if year is None:
        year = 2024.0 if row.get("zero_stage") == 3 or not gpu.startswith("A100") else FLASH_YEAR - 1.0
        name = str((row.get("model") or {}).get("name"))
        year = max([year, *(y for word, y in OLDEST if gpu.startswith(word) or name.startswith(word))])
        if "HybridEP" in str(row.get("overlap")):
            year = max(year, HYBRID_DISPATCHER)
        assumed.append(f"software of {year:.0f}")
    return year
