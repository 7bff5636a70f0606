"""The fabric of a project on the command line: formats, files and refusals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx


def test_that_the_cable_schedule_of_an_example_is_written(call: Any, tmp_path: Path) -> None:
    file, out = tmp_path / "hall.watts", tmp_path / "cables.csv"
    assert call("new", str(file), "--example", "512-against-256").exit_code == 0
    done = call("export", str(file), "--to", "cables-csv", "-o", str(out))
    assert done.exit_code == 0
    assert len(out.read_text(encoding="utf-8").splitlines()) == 1 + 1024


def test_that_graphml_of_an_example_is_one_piece(call: Any, tmp_path: Path) -> None:
    file, out = tmp_path / "hall.watts", tmp_path / "fabric.graphml"
    call("new", str(file), "--example", "512-against-256")
    assert call("export", str(file), "--to", "GraphML", "-o", str(out)).exit_code == 0
    assert networkx.is_connected(networkx.read_graphml(out, force_multigraph=True))


def test_that_an_unknown_format_names_those_that_there_are(call: Any, tmp_path: Path) -> None:
    file = tmp_path / "hall.watts"
    call("new", str(file))
    done = call("export", str(file), "--to", "visio", "-o", str(tmp_path / "x"))
    assert done.exit_code == 2
    assert "slurm-tree" in done.stderr
    assert not (tmp_path / "x").exists()
