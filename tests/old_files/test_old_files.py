"""A project of every version of the schema that there ever was still opens."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from wattsweights_gui.project import migrations
from wattsweights_gui.project.store import Opened, load, save

HERE = Path(__file__).parent


def _opened(version: int, folder: Path) -> tuple[Path, Opened]:
    path = folder / f"v{version}.watts"
    db = sqlite3.connect(path)
    db.executescript((HERE / f"v{version}.sql").read_text(encoding="utf-8"))
    db.close()
    before = path.read_bytes()
    opened = load(path)
    assert path.read_bytes() == before
    return path, opened


def test_that_there_is_a_file_of_every_version() -> None:
    versions = [step.VERSION for step in migrations.STEPS]
    assert versions == list(range(1, migrations.CURRENT + 1))
    assert {p.name for p in HERE.glob("*.sql")} == {f"v{version}.sql" for version in versions}


@pytest.mark.parametrize("version", [step.VERSION for step in migrations.STEPS])
def test_that_an_old_file_opens_and_can_be_saved(version: int, tmp_path: Path) -> None:
    path, opened = _opened(version, tmp_path)
    save(opened.document, path, saved="2026-01-02T03:04:05Z", expected=opened.token)
    assert load(path).document == opened.document


def test_that_a_project_of_version_1_says_what_it_said(tmp_path: Path) -> None:
    document = _opened(1, tmp_path)[1].document
    assert [s.name for s in document.scenarios] == ["Base", "Warm water"]
    base, warm = (s.plan for s in document.scenarios)
    assert base.value("project.customer") == "An old customer"
    assert base.value("workload.days") == 21.5
    assert base.value("workload.model.params_b") == 333.3333333333333
    assert base.value("parallelism.tp") == 4
    assert base.value("cooling.technology.kind") == "two_phase"
    assert base.value("cooling.technology.exit_quality") == 0.6000000000000001
    assert warm.value("cooling.technology.supply_c") == 42.0
    assert "days" in base.layers["workload"].model_fields_set
    assert "seq_length" not in base.layers["workload"].model_fields_set
    assert document.notes[0].subject == "power.utility_mw"


def test_that_a_migration_imports_nothing_of_ours() -> None:
    for step in migrations.STEPS:
        assert "wattsweights_gui" not in Path(str(step.__file__)).read_text(encoding="utf-8")


def test_that_the_migrations_make_the_schema_of_today() -> None:
    """What is read and what is made are written in two places; this is where they meet."""
    from wattsweights_gui.project.reading import COLUMNS

    db = sqlite3.connect(":memory:", isolation_level=None)
    migrations.migrate(db, 0)
    for table, columns in COLUMNS.items():
        assert tuple(row[1] for row in db.execute(f"PRAGMA table_info({table})")) == columns
    assert db.execute("PRAGMA user_version").fetchone() == (migrations.CURRENT,)
