"""A user's folder of its own, a project with a pinned layout, and a way to call the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from wattsweights_gui.cli.app import cli
from wattsweights_gui.engine.plan import default_plan
from wattsweights_gui.project.document import Document
from wattsweights_gui.project.store import save

Call = Callable[..., Result]


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WATTSWEIGHTS_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("WATTSWEIGHTS_DEBUG", raising=False)


@pytest.fixture
def call() -> Call:
    def run(*arguments: object) -> Result:
        return CliRunner().invoke(cli, [str(a) for a in arguments])

    return run


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "hall.watts"
    plan = default_plan([("project.project", "Hall 3"), ("parallelism.layout", "pinned"), ("power.utility_mw", 3.0)])
    save(Document.of(plan), path, saved="2026-01-02T03:04:05Z")
    return path
