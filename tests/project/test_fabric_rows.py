"""Edits of a fabric come back from the project file and from the journal; strange rows are named and set aside."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wattsweights_gui.layout.fabric_edits import EMPTY_SHEET, NO_EDITS, DeviceEdit, FabricEdits, key_of
from wattsweights_gui.project import recovery
from wattsweights_gui.project.document import Document
from wattsweights_gui.project.errors import ProjectFileError
from wattsweights_gui.project.store import load, save

AT = "2026-01-02T03:04:05Z"


def edits() -> FabricEdits:
    return FabricEdits(
        devices={
            "leaf-x1": DeviceEdit("added", "leaf", "qm9700", 64, 400.0, False, (10.5, -380.0), "Küche"),
            "node-x1": DeviceEdit("added", "node", "dgx_h100", 8, 400.0, None, (0.0, 0.0)),
            "spine-3": DeviceEdit("removed"),
            "node-001": DeviceEdit("kept", at=(1.0, 2.0), extra=(("colour", "grey"),)),
        },
        links={key_of(("node-x1", 0), ("leaf-x1", 5)): True, key_of(("node-001", 3), ("leaf-su01-r4", 0)): False},
    )


def test_that_edits_come_back_in_each_scenario(document: Document, tmp_path: Path) -> None:
    path = tmp_path / "f.watts"
    whole = document.with_fabric(edits()).with_fabric(EMPTY_SHEET, document.scenarios[1].name)
    save(whole, path, saved=AT)
    again = load(path).document
    assert again == whole
    assert list(again.fabric.devices) == list(edits().devices)
    assert not again.scenarios[1].fabric.from_plan
    with sqlite3.connect(path) as db:
        rows = db.execute("SELECT from_device, from_port, to_device, to_port FROM links").fetchall()
    assert ("leaf-x1", "6", "node-x1", "1") in rows


def test_that_the_journal_gives_them_back(document: Document, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WATTSWEIGHTS_HOME", str(tmp_path / "home"))
    whole = document.with_fabric(edits())
    journal = recovery.Journal.start(None, None)
    journal.record(whole, AT)
    assert journal._lock is not None
    journal._lock.close()  # as when the program is killed
    (offered,) = recovery.list_recoverable()
    assert recovery.load(offered)[0] == whole


def test_that_a_fabric_nobody_touched_leaves_no_rows(document: Document, tmp_path: Path) -> None:
    path = tmp_path / "f.watts"
    save(document, path, saved=AT)
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT (SELECT count(*) FROM links) + (SELECT count(*) FROM devices)").fetchone() == (0,)
    assert load(path).document.fabric == NO_EDITS


names = st.text(st.characters(blacklist_categories=["Cs"]), min_size=1, max_size=12).filter(str.strip)
places = st.none() | st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
devices = st.builds(
    DeviceEdit, st.just("added"), st.sampled_from(["node", "leaf", "spine", "core"]), names, st.integers(0, 500),
    st.floats(0, 1600), st.sampled_from([None, True, False]), places, st.just("") | names,
)  # fmt: skip
ends = st.tuples(names, st.integers(0, 500))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(names, devices, max_size=6), st.lists(st.tuples(ends, ends, st.booleans()), max_size=6))
def test_that_any_edits_come_back(document: Document, tmp_path: Path, added: dict[str, Any], drawn: list[Any]) -> None:
    whole = document.with_fabric(FabricEdits(devices=added, links={key_of(a, b): on for a, b, on in drawn}))
    path = tmp_path / "f.watts"
    save(whole, path, saved=AT)
    assert load(path).document == whole


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("UPDATE links SET from_port = '0' WHERE from_device = 'leaf-x1'", "no port from 1 to"),
        ("UPDATE links SET from_port = 'x' WHERE from_device = 'leaf-x1'", "no port from 1 to"),
        ("UPDATE links SET to_device = ' ' WHERE from_device = 'leaf-x1'", "no name"),
        ("""UPDATE links SET data = '{"fabric": "bent"}' WHERE from_device = 'leaf-x1'""", "none of added, removed"),
        ("""UPDATE devices SET data = '{"fabric": 3}' WHERE name = 'leaf-x1'""", "not listed by name"),
        ("UPDATE devices SET data = replace(data, '64', '-2') WHERE name = 'leaf-x1'", "no whole number below"),
        ("UPDATE devices SET data = replace(data, '\"leaf\"', '\"roof\"') WHERE name = 'leaf-x1'", "none of node"),
        ("UPDATE devices SET data = replace(data, '10.5', '\"x\"') WHERE name = 'leaf-x1'", "no number"),
    ],
)
def test_that_a_strange_row_is_named_and_can_be_set_aside(
    document: Document, tmp_path: Path, change: str, says: str
) -> None:
    path = tmp_path / "f.watts"
    save(document.with_fabric(edits()), path, saved=AT)
    with sqlite3.connect(path) as db:
        db.execute(change)
    with pytest.raises(ProjectFileError, match=says) as caught:
        load(path)
    assert caught.value.mendable
    mended = load(path, mend=True)
    assert "node-x1" in mended.document.fabric.devices
    assert any(says in r for r in mended.remarks)


def test_that_what_a_newer_version_says_of_a_device_is_written_back(document: Document, tmp_path: Path) -> None:
    path = tmp_path / "f.watts"
    save(document.with_fabric(edits()), path, saved=AT)
    save(load(path).document, path, saved=AT)
    with sqlite3.connect(path) as db:
        (data,) = db.execute("SELECT data FROM devices WHERE name = 'node-001'").fetchone()
    assert json.loads(data)["fabric"]["colour"] == "grey"
