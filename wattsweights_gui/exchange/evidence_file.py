"""Reads tables of evidence: those that ship, and files of the same schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from wattsweights_gui import paths
from wattsweights_gui.exchange.model_evidence import with_shapes

MAX_BYTES = 64 * 1024 * 1024


class UnreadableEvidenceError(ValueError):
    """A file that is no table of evidence, with a sentence that says why."""


def shipped() -> list[Path]:
    """Return the tables that ship, in the order in which they are shown."""
    tables = sorted(paths.resource("evidence").glob("*_golden.json"))
    return [*tables, paths.resource("catalog", "hf_configs.json")]


def read(path: str | Path) -> dict[str, Any]:
    """Return the document of a file, its models' configurations read.

    Raises:
        UnreadableEvidenceError: the file cannot be read, or holds no table of evidence.
    """
    document = _document(Path(path))
    if "models" not in document or "rows" in document:
        return document
    try:
        return with_shapes(document)
    except ValueError as error:
        raise UnreadableEvidenceError(f"{path}: {error}") from None


def _document(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UnreadableEvidenceError(f"{path}: the file is too large for a table of evidence.")
        data = json.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        reason = "there is no such file" if isinstance(error, FileNotFoundError) else (error.strerror or str(error))
        raise UnreadableEvidenceError(f"{path}: {reason}.") from None
    except UnreadableEvidenceError:
        raise
    except (ValueError, RecursionError):
        words = "this is no JSON; name a table of evidence like those that ship"
        raise UnreadableEvidenceError(f"{path}: {words}.") from None
    if not isinstance(data, dict):
        words = "this is no table of evidence; it has to be a JSON object with tables of rows"
        raise UnreadableEvidenceError(f"{path}: {words}.")
    return data
