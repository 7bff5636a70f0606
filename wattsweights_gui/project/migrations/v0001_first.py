"""Version 1: the first schema."""

from __future__ import annotations

import sqlite3

VERSION = 1

TABLES = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE scenarios (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, position INTEGER NOT NULL)",
    """CREATE TABLE layer_inputs (
    scenario INTEGER NOT NULL REFERENCES scenarios(id), layer TEXT NOT NULL, version INTEGER NOT NULL,
    inputs TEXT NOT NULL, chosen TEXT NOT NULL, PRIMARY KEY (scenario, layer))""",
    """CREATE TABLE racks (
    id TEXT PRIMARY KEY, scenario INTEGER NOT NULL REFERENCES scenarios(id), name TEXT NOT NULL, height_u REAL,
    x_mm REAL, y_mm REAL, turned_deg REAL, data TEXT NOT NULL)""",
    """CREATE TABLE devices (
    id TEXT PRIMARY KEY, scenario INTEGER NOT NULL REFERENCES scenarios(id), rack TEXT REFERENCES racks(id),
    name TEXT NOT NULL, entry TEXT, bottom_u REAL, face TEXT, data TEXT NOT NULL)""",
    """CREATE TABLE links (
    id TEXT PRIMARY KEY, scenario INTEGER NOT NULL REFERENCES scenarios(id), from_device TEXT NOT NULL,
    from_port TEXT NOT NULL, to_device TEXT NOT NULL, to_port TEXT NOT NULL, medium TEXT, length_m REAL,
    data TEXT NOT NULL)""",
    "CREATE TABLE notes (id INTEGER PRIMARY KEY, subject TEXT NOT NULL, text TEXT NOT NULL)",
    """CREATE TABLE figures (
    scenario INTEGER NOT NULL REFERENCES scenarios(id), layer TEXT NOT NULL, name TEXT NOT NULL, title TEXT NOT NULL,
    value, unit TEXT NOT NULL, PRIMARY KEY (scenario, layer, name))""",
)


def up(connection: sqlite3.Connection) -> None:
    """Make the tables in an empty database."""
    for table in TABLES:
        connection.execute(table)
