"""The projects that were opened last, kept in the user's data folder."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from wattsweights_gui import paths

KEPT = 12
_FILE = "recent.json"
_MAX_BYTES = 1_000_000


@dataclass(frozen=True)
class Recent:
    """A project by its path, and whether it is still there."""

    path: Path
    exists: bool


def recent() -> tuple[Recent, ...]:
    """Return the projects opened last, newest first; a list that cannot be read is an empty one."""
    return tuple(Recent(Path(p), os.path.isfile(p)) for p in _listed())


def remember(path: str | Path) -> None:
    """Put a project first. The list is a convenience: where it cannot be written, nothing happens."""
    name = os.path.abspath(path)
    _write([name, *(p for p in _listed() if p != name)][:KEPT])


def forget(path: str | Path) -> None:
    """Take a project off the list; the file stays."""
    name = os.path.abspath(path)
    _write([p for p in _listed() if p != name])


def forget_all() -> None:
    """Empty the list."""
    _write([])


def _listed() -> list[str]:
    try:
        file = paths.user_data() / _FILE
        if file.stat().st_size > _MAX_BYTES:
            return []
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return []
    if not isinstance(found, list):
        return []
    return [p for p in found if isinstance(p, str) and p and "\0" not in p][:KEPT]


def _write(listed: list[str]) -> None:
    part: str | None = None
    try:
        folder = paths.user_data()
        handle, part = tempfile.mkstemp(prefix=".recent.", dir=folder)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(listed, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, folder / _FILE)
    except (OSError, UnicodeError):
        if part is not None:
            with contextlib.suppress(OSError):
                os.unlink(part)
