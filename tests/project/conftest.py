"""A user's folder of its own for each test, and a project that is not the default one."""

from __future__ import annotations

from pathlib import Path

import pytest

from wattsweights_gui.engine.plan import Plan, default_plan
from wattsweights_gui.project import store
from wattsweights_gui.project.document import Document, Note, Scenario

SAVED = "2026-01-02T03:04:05Z"


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WATTSWEIGHTS_HOME", str(tmp_path / "home"))


@pytest.fixture
def plan() -> Plan:
    return default_plan(
        [
            ("project.project", "Halle “Süd” 🏭"),
            ("workload.days", 30.0),
            ("workload.model", "size"),
            ("workload.model.params_b", 1e12 / 3e9),
            ("power.utility_mw", 0.1 + 0.2),
            ("cooling.technology", "two_phase"),
            ("cooling.technology.exit_quality", 2 / 3),
            ("cooling.technology.liquid_pct", None),
        ]
    )


@pytest.fixture
def document(plan: Plan) -> Document:
    other = plan.edit(("cooling.technology", "single_phase"), ("workload.days", 31.25))
    return Document(
        (Scenario("Base", plan), Scenario("Warm water", other)), (Note("workload.days", "from the RFP\n2nd line"),)
    )


@pytest.fixture
def saved(document: Document, tmp_path: Path) -> Path:
    path = tmp_path / "hall.watts"
    store.save(document, path, saved=SAVED)
    return path
