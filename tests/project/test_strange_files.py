"""A file from a stranger: one sentence, no change, no crash, no hang."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from wattsweights_gui.project import snapshot
from wattsweights_gui.project.document import Document
from wattsweights_gui.project.errors import ProjectFileError
from wattsweights_gui.project.store import load, save

AT = "2026-01-02T03:04:05Z"


def _refused(path: Path) -> ProjectFileError:
    before = path.read_bytes() if path.is_file() and path.stat().st_size < 1e9 else None
    began = time.monotonic()
    with pytest.raises(ProjectFileError) as refused:
        load(path)
    assert time.monotonic() - began < 15
    assert refused.value.path == path
    assert "\n" not in refused.value.message
    assert refused.value.message.endswith(".")
    if before is not None:
        assert path.read_bytes() == before
    return refused.value


def test_that_a_missing_file_is_said_so(tmp_path: Path) -> None:
    assert "no such file" in _refused(tmp_path / "none.watts").message


def test_that_a_folder_is_said_so(tmp_path: Path) -> None:
    assert "folder" in _refused(tmp_path).message


def test_that_an_empty_file_is_said_so(tmp_path: Path) -> None:
    path = tmp_path / "a.watts"
    path.touch()
    assert "empty" in _refused(path).message


@pytest.mark.parametrize("data", [b"hello", b"PK\x03\x04" + bytes(500), b"SQLite format 3\x00", bytes(10_000), b"{}"])
def test_that_a_file_of_another_kind_is_said_so(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.watts"
    path.write_bytes(data)
    assert "no WattsWeights project" in _refused(path).message


def test_that_a_database_of_another_program_is_said_so(tmp_path: Path) -> None:
    path = tmp_path / "a.watts"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE contacts (name)")
    db.close()
    assert "another program" in _refused(path).message


@pytest.mark.skipif(os.name == "nt", reason="sparse files and pipes of POSIX")
def test_that_an_impostor_of_ten_gigabytes_is_not_read(tmp_path: Path, saved: Path) -> None:
    path = tmp_path / "huge.watts"
    path.write_bytes(saved.read_bytes())
    os.truncate(path, 10_000_000_000)
    began = time.monotonic()
    assert "10,000 MB" in _refused(path).message
    assert time.monotonic() - began < 1


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
def test_that_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "pipe.watts"
    os.mkfifo(path)
    assert "no file on a disk" in _refused(path).message


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read everything")
def test_that_a_file_one_may_not_read_is_said_so(saved: Path) -> None:
    saved.chmod(0)
    with pytest.raises(ProjectFileError, match="not allowed to read"):
        load(saved)


def test_that_a_newer_schema_is_said_so(saved: Path) -> None:
    _sql("PRAGMA user_version = 99")(saved)
    message = _refused(saved).message
    assert "newer WattsWeights" in message
    assert "99" in message


def test_that_a_newer_layer_is_said_so(saved: Path) -> None:
    _sql("UPDATE layer_inputs SET version = 2 WHERE layer = 'power'")(saved)
    assert "“power” were saved by a newer" in _refused(saved).message


def _sql(*statements: str) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        db = sqlite3.connect(path, isolation_level=None)
        for statement in statements:
            db.execute(statement)
        db.close()

    return change


def _layer(text: str) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        db = sqlite3.connect(path, isolation_level=None)
        db.execute("UPDATE layer_inputs SET inputs = ? WHERE layer = 'workload'", [text])
        db.close()

    return change


_COPY = "scenario, layer, version, inputs, chosen"
HOSTILE: dict[str, tuple[Callable[[Path], None], str]] = {
    "a view in place of a table": (
        _sql("ALTER TABLE layer_inputs RENAME TO x", f"CREATE VIEW layer_inputs AS SELECT {_COPY} FROM x"),
        "no table",
    ),
    "an endless view": (
        _sql(
            "DROP TABLE notes",
            "CREATE VIEW notes AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
            "SELECT i AS id, 'a' AS subject, 'b' AS text FROM n",
        ),
        "no table",
    ),
    "a computed column": (
        _sql(
            "DROP TABLE notes",
            "CREATE TABLE notes (id INTEGER PRIMARY KEY, subject TEXT, text AS (hex(zeroblob(1000000))))",
            "INSERT INTO notes (id, subject) VALUES (1, 'a')",
        ),
        "computed",
    ),
    "a virtual table in place of a table": (
        _sql("DROP TABLE notes", "CREATE VIRTUAL TABLE notes USING fts5(id, subject, text)"),
        "no table",
    ),
    "a missing table": (_sql("DROP TABLE layer_inputs"), "no table"),
    "a missing column": (_sql("ALTER TABLE notes DROP COLUMN subject"), "subject"),
    "no scenario": (_sql("DELETE FROM scenarios"), "scenario"),
    "a scenario without a name": (_sql("UPDATE scenarios SET name = '' WHERE id = 1"), "no name"),
    "a scenario named in bytes": (_sql("UPDATE scenarios SET name = x'ff' WHERE id = 1"), "bytes"),
    "inputs in bytes": (_sql("UPDATE layer_inputs SET inputs = zeroblob(10)"), "bytes"),
    "text that is not UTF-8": (_sql("UPDATE layer_inputs SET inputs = CAST(x'fffe80' AS TEXT)"), "read"),
    "a value of many megabytes": (
        _sql("UPDATE layer_inputs SET inputs = CAST(zeroblob(20000000) AS TEXT) WHERE layer = 'power'"),
        "large",
    ),
    "deep JSON": (_layer("[" * 200_000), "too deeply|cannot be read"),
    "a deep value": (_layer('{"days":' + "[" * 500 + "]" * 500 + "}"), "workload.days"),
    "a list instead of values": (_layer("[1, 2]"), "workload"),
    "no JSON": (_layer("days = 30"), "damaged"),
    "not a number": (_layer('{"days": NaN}'), "workload.days"),
    "infinity": (_layer('{"days": 1e999}'), "workload.days"),
    "a number of 5,000 digits": (_layer('{"days": ' + "9" * 5000 + "}"), "read|large"),
    "out of limits": (_layer('{"days": -3}'), "from 0.01 to 10000 days"),
    "an unknown field": (_layer('{"weather": "rain"}'), "workload.weather"),
    "an unknown alternative": (_layer('{"model": {"kind": "magic"}}'), "none of"),
    "an alternative of an odd type": (_layer('{"model": [[]]}'), "none of"),
    "an unknown field of an alternative": (_layer('{"model": {"kind": "size", "smell": 1}}'), "workload.model.smell"),
    "inputs of no scenario": (_sql("INSERT INTO layer_inputs VALUES (77, 'power', 1, '{}', '[]')"), "no scenario"),
    "a thousand and more scenarios": (
        _sql(
            "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) "
            "INSERT INTO scenarios SELECT i, 's' || i, i FROM n"
        ),
        "more than 1000",
    ),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_that_a_hostile_file_gets_a_sentence(kind: str, saved: Path) -> None:
    change, says = HOSTILE[kind]
    change(saved)
    error = _refused(saved)
    assert re.search(says, error.message), error.message


def test_that_triggers_and_views_beside_ours_are_named_and_not_run_nor_kept(
    saved: Path, document: Document, tmp_path: Path
) -> None:
    _sql(
        "CREATE TRIGGER evil AFTER INSERT ON notes BEGIN DELETE FROM scenarios; END",
        "CREATE VIEW peek AS SELECT load_extension('evil') FROM notes",
        "CREATE VIRTUAL TABLE words USING fts5(a)",
        "CREATE TABLE extra (a)",
    )(saved)
    opened = load(saved)
    assert opened.document == document
    said = " ".join(opened.remarks)
    assert all(f"“{name}”" in said for name in ("evil", "peek", "words", "extra"))
    save(opened.document, saved, saved=AT)
    assert load(saved).remarks == ()


def test_that_a_file_in_wal_mode_opens_without_files_beside_it(saved: Path, document: Document) -> None:
    _sql("PRAGMA journal_mode = WAL", "UPDATE meta SET value = 'x' WHERE key = 'saved'")(saved)
    assert load(saved).document == document
    assert not list(saved.parent.glob("hall.watts-*"))


def test_that_reading_has_a_time_limit(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _sql(
        "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 60000) "
        "INSERT INTO notes SELECT i, 's' || i, i FROM n"
    )(saved)
    monkeypatch.setattr(snapshot, "MAX_SECONDS", 0.0)
    assert "too long" in _refused(saved).message or "damaged" in _refused(saved).message


def test_that_values_that_cannot_be_are_set_aside_when_that_is_asked_for(saved: Path, document: Document) -> None:
    _sql(
        "UPDATE layer_inputs SET inputs = json_set(inputs, '$.days', -3, '$.weather', 'rain') "
        "WHERE layer = 'workload' AND scenario = 1"
    )(saved)
    assert _refused(saved).mendable
    opened = load(saved, mend=True)
    assert opened.document.plan.value("workload.days") == 30.0
    assert opened.document.plan.value("workload.model") == document.plan.value("workload.model")
    notes = {n.subject: n.text for n in opened.document.notes}
    assert "-3" in notes["workload.days"]
    assert "rain" in notes["workload.weather"]
    assert any("workload.days = -3" in r for r in opened.remarks)


# ------------------------------------------------------------------------------------------------------------- fuzzing


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("fuzz") / "whole.watts"
    save(Document.of().with_note("workload", "a note"), path, saved=AT)
    return path.read_bytes()


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    changes=st.lists(st.tuples(st.floats(0, 0.999999), st.integers(0, 255)), min_size=1, max_size=40),
    cut=st.floats(0.0, 1.0),
    at_head=st.booleans(),
)
@example(changes=[(0.0, 83)], cut=1.0, at_head=False)
def test_that_changed_bytes_give_a_sentence_or_a_project(
    whole: bytes, tmp_path: Path, changes: list[tuple[float, int]], cut: float, at_head: bool
) -> None:
    data = bytearray(whole)
    for place, value in changes:
        data[int(place * (400 if at_head else len(data)))] = value
    if cut < 0.5:
        del data[int(len(data) * cut * 2) :]
    path = tmp_path / "fuzz.watts"
    path.write_bytes(data)
    assert _said_or_opened(path)
    assert path.read_bytes() == bytes(data)


def _said_or_opened(path: Path) -> bool:
    """Whether the file opens as a project, or is refused in one line."""
    try:
        return bool(load(path).document.scenarios)
    except ProjectFileError as error:
        return "\n" not in error.message


_JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values=_JSON | st.dictionaries(st.sampled_from(["days", "model", "precision", "tokens_b"]), _JSON), chosen=_JSON)
def test_that_any_json_in_a_layer_gives_a_sentence_or_a_project(
    whole: bytes, tmp_path: Path, values: object, chosen: object
) -> None:
    path = tmp_path / "json.watts"
    path.write_bytes(whole)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute(
        "UPDATE layer_inputs SET inputs = ?, chosen = ? WHERE layer = 'workload'",
        [json.dumps(values), json.dumps(chosen)],
    )
    db.close()
    assert _said_or_opened(path)
    save(load(path, mend=True).document, tmp_path / "again.watts", saved=AT)
