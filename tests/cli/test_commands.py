"""Every sub-command answers as its contract says."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from wattsweights_gui.engine.layers import LAYERS
from wattsweights_gui.project.store import load

ENDS = {
    "gpus", "nodes", "racks", "it_power_kw", "facility_power_kw", "liquid_heat_kw", "air_heat_kw",
    "facility_water_l_min", "floor_m2", "days", "gpus_used",
}  # fmt: skip


def _json(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_that_size_prints_every_layer_both_ends_and_the_findings_as_json(call: Any, project: Path) -> None:
    found = _json(call("size", project, "--json"))
    assert set(found["layers"]) == {layer.name for layer in LAYERS}
    for layer in LAYERS:
        assert set(found["layers"][layer.name]["inputs"]) == set(layer.inputs.model_fields)
        assert set(found["layers"][layer.name]["result"]) == set(layer.result.model_fields)
    ends = found["both_ends"]
    assert set(ends["need"]) == set(ends["have"]) == ENDS
    assert ends["have"]["facility_power_kw"] == 3000.0
    assert ends["fits"] in (True, False, None)
    for row in ends["binding"]:
        assert {"layer", "quantity", "need", "have", "unit", "source"} <= set(row)
    assert found["project"]["project"] == "Hall 3"


def test_that_size_says_the_verdict_and_every_layer_to_people(call: Any, project: Path) -> None:
    said = call("size", project)
    assert said.exit_code == 0
    verdict = json.loads(call("size", project, "--json").stdout)["both_ends"]["verdict"]
    assert verdict in said.stdout
    for layer in LAYERS:
        assert f"{layer.title}: {layer.about}" in said.stdout


def test_that_a_set_of_size_leaves_the_file_alone(call: Any, project: Path) -> None:
    before = project.read_bytes()
    found = _json(call("size", project, "--json", "--set", "power.utility_mw=4500 kW", "--set", "workload.days=20"))
    assert found["layers"]["power"]["inputs"]["utility_mw"] == 4.5
    assert found["layers"]["workload"]["inputs"]["days"] == 20
    assert project.read_bytes() == before


def test_that_us_units_change_what_is_shown_and_not_the_json(call: Any, project: Path) -> None:
    assert "°F" in call("size", project, "--units", "us").stdout
    assert _json(call("size", project, "--json", "--units", "us")) == _json(call("size", project, "--json"))


def test_that_set_changes_the_file_and_says_from_what_to_what(call: Any, project: Path) -> None:
    done = call(
        "set", project, "workload.days=21,5", "cooling.technology=two_phase", "cooling.technology.exit_quality=0.6"
    )
    assert done.exit_code == 0, done.output
    assert "workload.days: 30.0 -> 21.5" in done.stdout
    plan = load(project).document.plan
    assert plan.value("workload.days") == 21.5
    assert plan.value("cooling.technology.exit_quality") == 0.6
    with sqlite3.connect(project) as db:
        assert db.execute("SELECT count(*) FROM figures").fetchone()[0] > 100
    again = _json(call("set", project, "project.customer=A customer", "--json"))
    assert again["changed"] == [{"path": "project.customer", "before": "", "value": "A customer"}]


def test_that_set_changes_all_or_nothing(call: Any, project: Path) -> None:
    before = project.read_bytes()
    assert call("set", project, "workload.days=20", "workload.days=-1").exit_code == 2
    assert project.read_bytes() == before


def test_that_check_lists_findings_worst_first(call: Any, project: Path) -> None:
    found = _json(call("check", project, "--json", "--set", "workload.days=5000"))["findings"]
    assert {"id", "severity", "subject", "message", "fix"} <= set(found[0])
    order = [("blocker", "caution", "note").index(f["severity"]) for f in found]
    assert order == sorted(order)
    (odd,) = [f for f in found if f["id"] == "workload.days.unusual"]
    assert odd["message"] in call("check", project, "--set", "workload.days=5000").stdout


@pytest.mark.parametrize(
    "path",
    ["power.it_power_max_kw", "layers.power.result.it_power_max_kw", "both_ends.need.it_power_kw", "workload.days"],
)
def test_that_why_walks_to_the_sources(call: Any, project: Path, path: str) -> None:
    found = _json(call("why", project, path, "--json"))
    leaves, todo = [], [found]
    while todo:
        node = todo.pop()
        todo += node["operands"]
        if not node["operands"]:
            leaves.append(node)
    assert leaves
    assert all(n["source"] or n["formula"] or n.get("explained_above") or n["value"] is not None for n in leaves)
    said = call("why", project, path)
    assert said.exit_code == 0
    assert found["title"] in said.stdout.splitlines()[0]


def test_that_why_shows_a_field_of_the_catalogue(call: Any, project: Path) -> None:
    found = _json(call("why", project, "catalog.h100_sxm.memory_gb", "--json"))
    assert found["value"] == 80
    assert found["source"]


def test_that_the_walk_of_why_ends(call: Any, project: Path) -> None:
    """What has been explained is not explained again, however often it is put in."""
    text = call("why", project, "power.facility_power_kw").stdout
    assert len(text.splitlines()) < 2000
    short = call("why", project, "power.facility_power_kw", "--depth", "1").stdout
    assert len(short.splitlines()) <= 3


@pytest.mark.parametrize("format", ["csv", "json", "xlsx"])
def test_that_the_figures_are_exported(call: Any, project: Path, tmp_path: Path, format: str) -> None:
    out = tmp_path / f"o.{format}"
    assert call("export", project, "--to", format, "-o", out).exit_code == 0
    sized = _json(call("size", project, "--json"))["layers"]
    if format == "xlsx":
        assert out.read_bytes().startswith(b"PK")
        return
    text = out.read_text(encoding="utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text))) if format == "csv" else json.loads(text)["figures"]
    for row in rows:
        value = sized[row["layer"]]["result"][row["name"]]
        if isinstance(value, float):
            assert float(row["value"]) == value
        elif value is None:
            assert row["value"] in ("", None)
    assert [p.name for p in tmp_path.glob("*o.*")] == [out.name]


def test_that_an_export_takes_the_place_of_an_older_one(call: Any, project: Path, tmp_path: Path) -> None:
    out = tmp_path / "o.csv"
    out.write_text("old")
    assert call("export", project, "--to", "csv", "-o", out).exit_code == 0
    assert "old" not in out.read_text(encoding="utf-8-sig")[:10]


def test_that_new_makes_a_project_and_never_overwrites_one(call: Any, tmp_path: Path) -> None:
    path = tmp_path / "new.watts"
    assert call("new", path).exit_code == 0
    assert load(path).document.plan.value("project.project") == "Untitled"
    before = path.read_bytes()
    again = call("new", path)
    assert (again.exit_code, again.stdout) == (2, "")
    assert "--force" in again.stderr
    assert path.read_bytes() == before
    assert call("new", path, "--force").exit_code == 0


def test_that_every_example_is_listed_by_name_and_opens(call: Any, tmp_path: Path) -> None:
    listed = _json(call("examples", "--json"))["examples"]
    lines = call("examples").stdout.splitlines()
    assert [line.split()[0] for line in lines] == [e["name"] for e in listed]
    assert {"1t-30-days", "512-against-256", "llama-405b-16k", "moe-nvl72", "two-phase-8mw"} <= {
        e["name"] for e in listed
    }
    for example in listed:
        path = tmp_path / f"{example['name']}.watts"
        assert call("new", path, "--example", example["name"]).exit_code == 0
        assert load(path).document.plan.value("project.project") == example["title"]


CONFIG = {
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 8192, "intermediate_size": 28672,
    "num_attention_heads": 64, "num_hidden_layers": 80, "num_key_value_heads": 8, "vocab_size": 128256,
    "tie_word_embeddings": False, "hidden_act": "silu", "max_position_embeddings": 131072,
}  # fmt: skip


def test_that_a_config_is_imported_into_a_project(call: Any, project: Path, tmp_path: Path) -> None:
    source = tmp_path / "model" / "config.json"
    source.parent.mkdir()
    source.write_text(json.dumps(CONFIG))
    for given in (source, source.parent):
        done = call("import", given, "--into", project)
        assert done.exit_code == 0, done.output
    plan = load(project).document.plan
    assert plan.value("workload.model.hidden") == 8192
    assert plan.value("workload.model.layers") == 80
    assert plan.value("project.project") == "Hall 3"


def test_that_an_import_makes_the_project_where_there_is_none(call: Any, tmp_path: Path) -> None:
    source = tmp_path / "config.json"
    source.write_text(json.dumps(CONFIG))
    assert _json(call("import", source, "--into", tmp_path / "made.watts", "--json"))["format"] == "hf-config"
    assert load(tmp_path / "made.watts").document.plan.value("workload.model.kv_heads") == 8


def test_that_search_returns_the_best_layouts(call: Any, project: Path) -> None:
    found = _json(call("search", project, "--top", 3, "--json"))
    assert found["evaluated"] > 100
    assert found["seconds"] > 0
    assert found["best"]
    assert len(found["front"]) >= 1
    assert "layouts evaluated" in call("search", project).stdout


def test_that_levers_are_ranked_with_their_numbers(call: Any, project: Path) -> None:
    found = _json(call("levers", project, "--json"))
    assert found["levers"]
    for lever in found["levers"]:
        assert {"id", "title", "edits", "fits", "closes", "before", "after", "costs"} <= set(lever)
    said = call("levers", project)
    assert found["levers"][0]["title"] in said.stdout


def test_that_a_report_is_a_pdf(call: Any, project: Path, tmp_path: Path) -> None:
    out = tmp_path / "o.pdf"
    done = _json(call("report", project, "-o", out, "--sheets", "power,cooling", "--json"))
    assert out.read_bytes().startswith(b"%PDF")
    assert done["pages"] >= 1
    assert done["sheets"] == ["power", "cooling"]


def test_that_evidence_lists_rows_and_a_summary(call: Any) -> None:
    found = _json(call("evidence", "--json"))
    assert len(found["rows"]) > 300
    for row in found["rows"]:
        assert {
            "id",
            "table",
            "quantity",
            "published",
            "predicted",
            "unit",
            "error_pct",
            "tolerance_pct",
            "assumed",
        } <= set(row)
    assert found["summary"]
    said = call("evidence", "--no-rows")
    assert "median error" in said.stdout
