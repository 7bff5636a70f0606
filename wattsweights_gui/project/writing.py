"""A document written into a new, empty SQLite file in one transaction."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from wattsweights_gui import __version__
from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.declare import Figure
from wattsweights_gui.project import migrations
from wattsweights_gui.project.document import Document
from wattsweights_gui.project.fabric_rows import fabric_device_rows, fabric_link_rows
from wattsweights_gui.project.placed import device_rows, rack_rows
from wattsweights_gui.project.plan_json import plan_encoded
from wattsweights_gui.project.reading import KEPT, PLACED
from wattsweights_gui.project.snapshot import APPLICATION_ID


def write_database(path: Path, document: Document, *, saved: str, evaluations: Mapping[str, Evaluation]) -> None:
    """Write everything into an empty file that nobody else has open.

    Raises:
        sqlite3.Error, OSError: it cannot be written.
    """
    from sqlite_utils import Database  # slow to import, and only saving needs it

    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        # the file is not in use until it is renamed: a journal and syncs of its own would only cost time
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID:d}")
        database = Database(connection, execute_plugins=False)
        with database.atomic():
            migrations.migrate(connection, 0)
            for table, rows in _tables(document, saved, evaluations).items():
                database.table(table).insert_all(rows)


def _tables(
    document: Document, saved: str, evaluations: Mapping[str, Evaluation]
) -> dict[str, Iterator[dict[str, Any]] | list[dict[str, Any]]]:
    numbered = list(enumerate(document.scenarios, 1))
    inputs = [
        {
            "scenario": number,
            "layer": layer,
            "version": about["version"],
            "inputs": json.dumps(about["inputs"], ensure_ascii=False, allow_nan=False),
            "chosen": json.dumps(about["set"]),
        }
        for number, scenario in numbered
        for layer, about in plan_encoded(scenario.plan).items()
    ]
    kept = {
        table: [r.as_dict() for r in document.kept if r.table == table] for table in ("layer_inputs", *PLACED, *KEPT)
    }
    return {
        "meta": [{"key": k, "value": v} for k, v in _meta(saved).items()],
        "scenarios": [{"id": n, "name": s.name, "position": n} for n, s in numbered],
        "layer_inputs": inputs + kept["layer_inputs"],
        "racks": kept["racks"] + [row for n, s in numbered for row in rack_rows(s.placements, n)],
        "devices": kept["devices"]
        + [row for n, s in numbered for row in (*device_rows(s.placements, n), *fabric_device_rows(s.fabric, n))],
        "links": kept["links"] + [row for n, s in numbered for row in fabric_link_rows(s.fabric, n)],
        "notes": [{"id": n, "subject": x.subject, "text": x.text} for n, x in enumerate(document.notes, 1)],
        "figures": [row for n, s in numbered if s.name in evaluations for row in _figures(n, evaluations[s.name])],
    }


def _meta(saved: str) -> dict[str, str]:
    return {
        "program": "WattsWeights",
        "program_version": __version__,
        "coolprop_version": _coolprop_version(),
        "saved": saved,
    }


def _coolprop_version() -> str:
    """Return the version of the fluid properties without their slow import."""
    from importlib import metadata

    try:
        return metadata.version("CoolProp")
    except metadata.PackageNotFoundError:
        return ""


def _figures(scenario: int, evaluation: Evaluation) -> Iterator[dict[str, Any]]:
    for layer, outcome in evaluation.results.items():
        for name, figure in outcome.figures():
            yield {"scenario": scenario, "layer": layer, "name": name, **_figure(figure)}


def _figure(figure: Figure) -> dict[str, Any]:
    value = figure.value
    if isinstance(value, int) and abs(value) >= 2**63:  # FLOPs of a run: more than a whole number of SQLite holds
        value = float(value)
    return {"title": figure.title, "value": value, "unit": figure.unit}
