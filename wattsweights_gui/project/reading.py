"""A project's tables read into a document, bounded and checked row by row."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wattsweights_gui.layout.fabric_edits import FabricEdits
from wattsweights_gui.layout.placements import Placements
from wattsweights_gui.project import migrations
from wattsweights_gui.project.document import Document, KeptRow, Note, Scenario, kept_row
from wattsweights_gui.project.errors import ProjectFileError
from wattsweights_gui.project.fabric_rows import fabric_edits_of, is_fabric_row
from wattsweights_gui.project.placed import placements_of
from wattsweights_gui.project.plan_json import INPUTS_VERSION, MODELS, Reading, plan_decoded
from wattsweights_gui.project.snapshot import Snapshot, opened

MAX_ROWS = 2_000_000
MAX_SCENARIOS = 1_000
COLUMNS: dict[str, tuple[str, ...]] = {
    "meta": ("key", "value"),
    "scenarios": ("id", "name", "position"),
    "layer_inputs": ("scenario", "layer", "version", "inputs", "chosen"),
    "racks": ("id", "scenario", "name", "height_u", "x_mm", "y_mm", "turned_deg", "data"),
    "devices": ("id", "scenario", "rack", "name", "entry", "bottom_u", "face", "data"),
    "links": ("id", "scenario", "from_device", "from_port", "to_device", "to_port", "medium", "length_m", "data"),
    "notes": ("id", "subject", "text"),
}
PLACED = ("racks", "devices")
KEPT = ("links",)
DRAWN = ("devices", "links")


def read(snapshot: Snapshot, mend: bool) -> tuple[Document, tuple[str, ...]]:
    """Return the document of a file, and remarks for the user.

    Args:
        snapshot: of the file.
        mend: open a file with values that cannot be: each gets its default, and what stood there goes to the notes.

    Raises:
        ProjectFileError: the file is newer, damaged, hostile, or holds values that cannot be.
    """
    if snapshot.version > migrations.CURRENT:
        raise ProjectFileError(
            snapshot.path,
            f"the file was saved by a newer WattsWeights (schema {snapshot.version}; this one reads up to "
            f"{migrations.CURRENT}): open it with that version.",
        )
    if snapshot.version < 1:
        raise ProjectFileError(snapshot.path, "the file states no schema version; it is no WattsWeights project.")
    connection = opened(snapshot)
    try:
        remarks = _strange_objects(connection, snapshot.path)
        if snapshot.version < migrations.CURRENT:
            connection = _migrated(connection, snapshot.version)
        return _document(connection, snapshot.path, mend, remarks)
    except sqlite3.Error as error:
        raise ProjectFileError(snapshot.path, f"the file cannot be read as a project: {_reason(error)}.") from None
    except (RecursionError, OverflowError, MemoryError):
        raise ProjectFileError(snapshot.path, "a value in the file is too large or too deeply nested.") from None
    finally:
        connection.close()


def _reason(error: sqlite3.Error) -> str:
    text = str(error)
    if "interrupted" in text:
        return "reading it takes too long"
    if "too big" in text:
        return "a value in it is too large"
    if "not authorized" in text or "prohibited" in text or "unsafe use" in text:
        return "it wants to run code of its own"
    return text.splitlines()[0] if text else "SQLite cannot say why"


def _strange_objects(connection: sqlite3.Connection, path: Path) -> list[str]:
    """Refuse tables of ours that are not tables; name what is not ours and is therefore not read."""
    found = connection.execute("SELECT type, name, rootpage, sql FROM sqlite_master LIMIT 1001").fetchall()
    if len(found) > 1000:
        raise ProjectFileError(path, "the file has more than 1000 tables; it is no WattsWeights project.")
    ours = {*COLUMNS, "figures"}
    tables = {name for kind, name, root, _ in found if kind == "table" and root}
    for kind, name, _, _ in found:
        if name in ours and name not in tables:
            raise ProjectFileError(path, f"“{name}” in the file is no table ({kind}); it is not opened.")
    for name in ("scenarios", "layer_inputs"):
        if name not in tables:
            raise ProjectFileError(path, f"the file has no table “{name}”: it is damaged or no project.")
    remarks = []
    for kind, name, root, _ in found:
        if kind in ("trigger", "view") or (kind == "table" and not root):
            word = kind if kind != "table" else "virtual table"
            remarks.append(f"The {word} “{name}” in the file is not run, and is not kept when you save.")
        elif kind == "table" and name not in ours and not str(name).startswith("sqlite_"):
            remarks.append(f"The table “{name}” is not known to this version, and is not kept when you save.")
    for name in tables & set(COLUMNS):
        columns = {row[1]: row[6] for row in connection.execute(f"PRAGMA table_xinfo({name})")}
        if any(columns.values()):
            raise ProjectFileError(path, f"the table “{name}” has computed columns, which no project has.")
    return remarks


def _migrated(connection: sqlite3.Connection, version: int) -> sqlite3.Connection:
    newer = sqlite3.connect(":memory:", isolation_level=None)
    newer.deserialize(connection.serialize())
    newer.execute("PRAGMA trusted_schema = OFF")
    connection.close()
    newer.execute("BEGIN")
    migrations.migrate(newer, version)
    newer.execute("COMMIT")
    return newer


def _rows(connection: sqlite3.Connection, path: Path, table: str, order: str = "rowid") -> Iterator[dict[str, Any]]:
    columns = COLUMNS[table]
    listed = ", ".join(f"[{c}]" for c in columns)  # in double quotes, a column that is missing would be a text
    for number, row in enumerate(connection.execute(f"SELECT {listed} FROM [{table}] ORDER BY {order}")):
        if number >= MAX_ROWS:
            raise ProjectFileError(path, f"the table “{table}” has more than {MAX_ROWS:,} rows.")
        if any(isinstance(value, bytes) for value in row):
            raise ProjectFileError(path, f"the table “{table}” holds bytes where text or numbers belong.")
        yield dict(zip(columns, row, strict=True))


def _document(
    connection: sqlite3.Connection, path: Path, mend: bool, remarks: list[str]
) -> tuple[Document, tuple[str, ...]]:
    names: dict[Any, str] = {}
    for row in _rows(connection, path, "scenarios", "position, id"):
        if len(names) >= MAX_SCENARIOS:
            raise ProjectFileError(path, f"the file has more than {MAX_SCENARIOS} scenarios.")
        if not isinstance(row["name"], str) or not isinstance(row["id"], int) or not row["name"].strip():
            raise ProjectFileError(path, "a scenario in the file has no name.")
        names[row["id"]] = row["name"]
    if not names:
        raise ProjectFileError(path, "the file holds no scenario: it is damaged or no project.")
    number = {id: position for position, id in enumerate(names, 1)}
    kept: list[KeptRow] = []
    layers: dict[Any, dict[str, tuple[Any, Any]]] = {id: {} for id in names}
    for row in _rows(connection, path, "layer_inputs"):
        if row["scenario"] not in layers:
            raise ProjectFileError(path, f"inputs of “{row['layer']}” belong to no scenario: the file is damaged.")
        if row["layer"] in MODELS:
            layers[row["scenario"]][row["layer"]] = _layer(path, row)
        else:
            kept.append(kept_row("layer_inputs", {**row, "scenario": number[row["scenario"]]}))
    unknown = sorted({str(k.as_dict()["layer"]) for k in kept})
    if unknown:
        words = ", ".join(f"“{u}”" for u in unknown)
        remarks.append(f"Layers that this version does not know are kept as they are: {words}.")
    placed: dict[str, dict[Any, list[dict[str, Any]]]] = {table: {id: [] for id in names} for table in PLACED}
    drawn: dict[str, dict[Any, list[dict[str, Any]]]] = {table: {id: [] for id in names} for table in DRAWN}
    for table in (*PLACED, *KEPT):
        for row in _rows(connection, path, table):
            if row["scenario"] not in number:
                raise ProjectFileError(path, f"a row of “{table}” belongs to no scenario: the file is damaged.")
            if table in DRAWN and is_fabric_row(row):
                drawn[table][row["scenario"]].append(row)
            elif table in KEPT or (table == "devices" and row["rack"] is None):
                kept.append(kept_row(table, {**row, "scenario": number[row["scenario"]]}))
            else:
                placed[table][row["scenario"]].append(row)
    notes = [Note(str(row["subject"]), str(row["text"])) for row in _rows(connection, path, "notes", "id")]
    reading = Reading()
    try:
        scenarios = tuple(
            Scenario(
                name,
                plan_decoded(layers[id], reading),
                _placements(placed, id, reading),
                _fabric(drawn["devices"][id], drawn["links"][id], reading),
            )
            for id, name in names.items()
        )
        reading_notes = _set_aside(path, reading, mend, remarks)
        document = Document(scenarios, (*notes, *reading_notes), tuple(kept))
    except ProjectFileError:
        raise
    except ValueError as error:
        raise ProjectFileError(path, f"the file cannot be read as a project: {str(error).splitlines()[0]}") from None
    return document, tuple(dict.fromkeys([*remarks, *reading.remarks]))


def _placements(placed: dict[str, dict[Any, list[dict[str, Any]]]], id: Any, reading: Reading) -> Placements:
    placements, refused = placements_of(placed["racks"][id], placed["devices"][id], id)
    reading.set_aside += [(row.subject, row.raw, row.reason) for row in refused]
    return placements


def _fabric(devices: list[dict[str, Any]], links: list[dict[str, Any]], reading: Reading) -> FabricEdits:
    edits, refused = fabric_edits_of(devices, links)
    reading.set_aside += [(row.subject, row.raw, row.reason) for row in refused]
    return edits


def _layer(path: Path, row: dict[str, Any]) -> tuple[Any, Any]:
    layer = row["layer"]
    if not isinstance(row["version"], int) or row["version"] > INPUTS_VERSION:
        raise ProjectFileError(
            path, f"the inputs of “{layer}” were saved by a newer WattsWeights: open the file with that version."
        )
    try:
        return json.loads(row["inputs"]), json.loads(row["chosen"])
    except (ValueError, TypeError):
        raise ProjectFileError(path, f"the inputs of “{layer}” cannot be read: the file is damaged.") from None


def _set_aside(path: Path, reading: Reading, mend: bool, remarks: list[str]) -> list[Note]:
    """Refuse values that cannot be, or give each its default and put what stood there into the notes."""
    if not reading.set_aside:
        return []
    if not mend:
        subject, raw, reason = reading.set_aside[0]
        others = len(reading.set_aside) - 1
        more = f" {others} more {'value is' if others == 1 else 'values are'} like that." if others else ""
        raise ProjectFileError(path, f"{subject} = {_short(raw)} cannot be used: {reason}{more}", mendable=True)
    notes = []
    for subject, raw, reason in reading.set_aside:
        remarks.append(f"{subject} = {_short(raw)} cannot be used: {reason} It has its default, and a note keeps it.")
        notes.append(Note(subject, f"Set aside when the file was opened: {json.dumps(raw)} ({reason})"))
    return notes


def _short(raw: Any) -> str:
    text = json.dumps(raw, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "…"
