"""The schema of a project file: one numbered module a version, each importing nothing of ours.

A new file is made by running all of them on an empty database; an old one is read by running the missing ones on a
copy in memory, so that opening never changes it.
"""

from __future__ import annotations

import sqlite3
from types import ModuleType

from wattsweights_gui.project.migrations import v0001_first

STEPS: tuple[ModuleType, ...] = (v0001_first,)
CURRENT: int = STEPS[-1].VERSION


def migrate(connection: sqlite3.Connection, version: int) -> None:
    """Bring a database from ``version`` (0: empty) to the current one; the caller holds the transaction."""
    for step in STEPS:
        if version < step.VERSION:
            step.up(connection)
    connection.execute(f"PRAGMA user_version = {CURRENT:d}")
