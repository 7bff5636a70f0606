"""Racks and devices come back from the project file and from the journal; strange rows are named and set aside."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wattsweights_gui.layout.placements import Device, Placements, Rack
from wattsweights_gui.project import recovery
from wattsweights_gui.project.document import Document
from wattsweights_gui.project.errors import ProjectFileError
from wattsweights_gui.project.store import load, save

AT = "2026-01-02T03:04:05Z"


def hall() -> Placements:
    racks = [
        Rack("r1", "C001", 48, role="compute", x_mm=600.5, y_mm=0.0, turned_deg=90.0, by_hand=False, left_empty=0b1111),
        Rack("r7", "Küche", 42, 800.0, 1000.0, locked=True, extra=(("colour", "grey"),)),
    ]
    inside = [
        Device("d1", "dgx_h100", "node-0001", 8, 3, role="node", by_hand=False),
        Device("d2", "sn2100", "half", 1, 20, "rear", "right", locked=True, extra=(("serial", 4),)),
        Device("d3", "rack_pdu_zero_u", "pdu", 0, None, "rear", "left"),
        Device("d4", "blank_1u", "blank", 1, 30, full_depth=False),
    ]
    return Placements.of(racks, {"r1": inside[:3], "r7": inside[3:]})


def test_that_racks_and_devices_come_back_in_each_scenario(document: Document, tmp_path: Path) -> None:
    first, second = hall(), Placements.of([Rack("r1", "Other")], {})
    whole = document.with_placements(first).with_placements(second, document.scenarios[1].name)
    path = tmp_path / "r.watts"
    save(whole, path, saved=AT)
    again = load(path).document
    assert again == whole
    assert again.placements.racks == first.racks  # equality of mappings says nothing of order
    assert again.scenarios[1].placements.racks == second.racks
    assert again.placements.serial == 7
    with sqlite3.connect(path) as db:
        rows = db.execute("SELECT r.name, d.name, d.bottom_u FROM devices d JOIN racks r ON d.rack = r.id").fetchall()
    assert ("C001", "node-0001", 3) in rows


names = st.text(st.characters(blacklist_categories=["Cs"]), min_size=1, max_size=12).filter(str.strip)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(names, st.integers(1, 40), st.booleans(), st.sampled_from(["front", "rear"])), max_size=8))
def test_that_any_devices_come_back(document: Document, tmp_path: Path, wishes: list[Any]) -> None:
    devices = [
        Device(f"d{i}", "any", name, 1, unit, face, locked=locked, by_hand=not locked)
        for i, (name, unit, locked, face) in enumerate(wishes, 1)
    ]
    whole = document.with_placements(Placements.of([Rack("r1", "A")], {"r1": devices}))
    path = tmp_path / "r.watts"
    save(whole, path, saved=AT)
    assert load(path).document == whole


def test_that_the_journal_gives_them_back(document: Document, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WATTSWEIGHTS_HOME", str(tmp_path / "home"))
    whole = document.with_placements(hall())
    journal = recovery.Journal.start(None, None)
    journal.record(whole, AT)
    assert journal._lock is not None
    journal._lock.close()  # as when the program is killed
    (offered,) = recovery.list_recoverable()
    again, _ = recovery.load(offered)
    assert again == whole
    assert again.placements.racks == whole.placements.racks


def test_that_a_scenario_taken_out_leaves_the_racks_of_the_others(document: Document) -> None:
    whole = document.with_placements(hall(), document.scenarios[1].name)
    assert whole.without_scenario("Base").placements == hall()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("UPDATE devices SET bottom_u = -3 WHERE name = 'half'", "whole number from 1 to 100"),
        ("UPDATE devices SET bottom_u = 2.5 WHERE name = 'half'", "whole number"),
        ("UPDATE devices SET face = 'top' WHERE name = 'half'", "none of front, rear"),
        ("UPDATE devices SET rack = 'nowhere' WHERE name = 'half'", "is not in the file"),
        ("UPDATE devices SET data = 'x' WHERE name = 'half'", "cannot be read"),
        ("UPDATE devices SET name = ' ' WHERE name = 'half'", "no name"),
    ],
)
def test_that_a_strange_row_is_named_and_can_be_set_aside(
    document: Document, tmp_path: Path, change: str, says: str
) -> None:
    path = tmp_path / "r.watts"
    save(document.with_placements(hall()), path, saved=AT)
    with sqlite3.connect(path) as db:
        db.execute(change)
    with pytest.raises(ProjectFileError, match=says) as caught:
        load(path)
    assert caught.value.mendable
    mended = load(path, mend=True)
    assert [d.id for d in mended.document.placements.inside("r1")] == ["d1", "d3"]
    assert any(says in r for r in mended.remarks)


def test_that_what_a_newer_version_says_of_a_device_is_written_back(document: Document, tmp_path: Path) -> None:
    path = tmp_path / "r.watts"
    placed = hall()
    device = replace(placed.inside("r1")[0], extra=(("firmware", {"bmc": [1, 2]}),))
    save(document.with_placements(placed.with_inside({"r1": (device,)})), path, saved=AT)
    save(load(path).document, path, saved=AT)
    with sqlite3.connect(path) as db:
        (data,) = db.execute("SELECT data FROM devices WHERE name = 'node-0001'").fetchone()
    assert json.loads(data)["firmware"] == {"bmc": [1, 2]}
