"""Reads of which time the software of a row of the training evidence is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from wattsweights_gui.engine.evidence.training_software import Software, no_older_than

FLASH_YEAR = 2023.0
"""Fused attention and overlapped gradients are usual from this year on."""
HALF_PRECISION = FLASH_YEAR - 1.0
UNDATED = 2024.0


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


def era_of(row: Mapping[str, Any], precision: str, software: Software, catalog: Any, assumed: list[str]) -> float:
    """Return when the software of a row was current, as a decimal year; what its source does not date is assumed."""
    stated = year_of(row)
    ampere = str(row.get("gpu") or "").startswith("A100")
    if precision == "fp16" and ampere and (stated is None or stated > HALF_PRECISION):
        # half precision with loss scaling was left for bfloat16 in 2022
        assumed.append(f"{software.name} of {HALF_PRECISION:.0f}, as FP16 with loss scaling was left then")
        return HALF_PRECISION
    year = software.year or stated
    if year is None:
        early = ampere and not software.says("sharded")
        year = max(HALF_PRECISION if early else UNDATED, no_older_than(row, catalog))
    if year != stated or not software.stated:
        assumed.append(f"{software.name} of {year:.0f}")
    return year
