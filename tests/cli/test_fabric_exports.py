"""The fabric of a project on the command line: formats, files and refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import networkx

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.chain import evaluate
from wattsweights_gui.layout.from_plan import fill_from_plan
from wattsweights_gui.layout.hall import hall_of
from wattsweights_gui.layout.placements import EMPTY
from wattsweights_gui.layout.wanted import wanted_of
from wattsweights_gui.project import store


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


def test_that_check_holds_placed_racks_against_the_plan(call: Any, tmp_path: Path) -> None:
    file = tmp_path / "hall.watts"
    call("new", str(file), "--example", "512-against-256")
    document = store.load(file).document
    evaluation = evaluate(document.plan, catalog())
    hall = hall_of(evaluation)
    filled = fill_from_plan(EMPTY, hall, wanted_of(evaluation, hall)).placements
    store.save(document.with_placements(filled), file, saved="2026-01-02T03:04:05Z", expected=None)
    found = {f["id"]: f for f in json.loads(call("check", str(file), "--json").stdout)["findings"]}
    assert "a rack can reject 25" in found["layout.over.heat"]["message"]
    assert "layout.missing.dgx_h100" not in found
    more = json.loads(call("check", str(file), "--set", "parallelism.dp=2", "--json").stdout)["findings"]
    missing = next(f for f in more if f["id"] == "layout.missing.dgx_h100")
    assert "64 missing" in missing["message"]
