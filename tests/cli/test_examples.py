"""The whole contract on each example that ships."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pypdf
import pytest
from click.testing import CliRunner, Result

from wattsweights_gui.cli.app import cli
from wattsweights_gui.engine.layers import LAYERS
from wattsweights_gui.project.examples import examples

NAMES = [found.name for found in examples()]
CONTRACT: dict[str, tuple[str, ...]] = {
    "workload": ("total_params", "active_params", "state_bytes_per_param", "state_tb", "model_flops"),
    "compute": ("peak_tflops", "hbm_gb", "hbm_gb_s", "ridge_flop_per_byte"),
    "parallelism": (
        "min_gpus_memory", "gpus_for_deadline", "gpus", "tp", "pp", "dp", "ep", "cp", "micro_batch", "memory_gb",
        "step_time_s", "mfu", "tokens_per_s_per_gpu", "days", "days_low", "days_high",
    ),
    "fabric": ("scale_up_domain", "nic_gb_s_per_gpu", "bisection_tb_s", "oversubscription"),
    "cluster": (
        "nodes", "scalable_units", "leaf_switches", "spine_switches", "core_switches", "node_leaf_cables",
        "leaf_spine_cables", "spine_core_cables",
    ),
    "storage": ("read_gb_s", "checkpoint_tb", "checkpoint_write_s", "checkpoint_interval_s"),
    "datapath": ("bottleneck", "direct_gb_s_per_gpu", "bounce_gb_s_per_gpu"),
    "power": ("it_power_kw", "it_power_max_kw", "facility_power_kw", "pue", "rack_power_kw"),
    "cooling": ("liquid_heat_kw", "air_heat_kw", "coolant_flow_l_min", "facility_water_l_min", "cdus", "rack_limit_kw"),
    "floor": ("racks", "area_m2", "heaviest_rack_kg"),
}  # fmt: skip


def _run(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words))


@pytest.fixture(params=NAMES)
def project(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    path = str(tmp_path / f"{request.param}.watts")
    done = _run("new", path, "--example", request.param)
    assert done.exit_code == 0, done.stderr
    return path


def test_that_examples_are_listed_a_name_a_line_first() -> None:
    lines = _run("examples").stdout.splitlines()
    assert [line.split()[0] for line in lines] == NAMES


def test_that_size_prints_one_json_document_with_the_names_of_the_contract(project: str) -> None:
    done = _run("size", project, "--json")
    assert done.exit_code == 0, done.stderr
    data: dict[str, Any] = json.loads(done.stdout)
    assert list(data["layers"]) == [layer.name for layer in LAYERS]
    for layer, names in CONTRACT.items():
        outcome = data["layers"][layer]["result"]
        for name in names:
            assert name in outcome, (layer, name)
    assert data["both_ends"]["fits"] in (True, False)
    split = data["layers"]["parallelism"]["result"]
    assert split["gpus"] == split["tp"] * split["pp"] * split["cp"] * split["dp"]
    assert split["days_low"] < split["days"] < split["days_high"]
    power = data["layers"]["power"]["result"]
    assert 1.0 < power["pue"] < 1.7
    parts = power["it_power_max_kw"] + power["loss_kw"] + power["cooling_power_kw"]
    assert power["facility_power_kw"] == pytest.approx(parts + data["layers"]["power"]["inputs"]["auxiliary_kw"])
    cooling = data["layers"]["cooling"]["result"]
    assert cooling["liquid_heat_kw"] + cooling["air_heat_kw"] == pytest.approx(power["it_power_max_kw"])


def test_that_an_edit_that_is_set_and_one_that_is_tried_give_the_same(project: str) -> None:
    tried = json.loads(_run("size", project, "--set", "power.typical_pct=80", "--json").stdout)
    done = _run("set", project, "power.typical_pct=80")
    assert done.exit_code == 0, done.stderr
    kept = json.loads(_run("size", project, "--json").stdout)
    assert kept["layers"] == tried["layers"]
    assert kept["both_ends"] == tried["both_ends"]


def test_that_every_result_answers_why(project: str) -> None:
    data = json.loads(_run("size", project, "--json").stdout)
    for layer, names in CONTRACT.items():
        for name in names[:2]:
            done = _run("why", project, f"layers.{layer}.result.{name}")
            assert done.exit_code == 0, (layer, name, done.stderr)
            assert "=" in done.stdout
    assert data


def test_that_search_and_report_answer(project: str, tmp_path: Path) -> None:
    found = json.loads(_run("search", project, "--json").stdout)
    assert {"evaluated", "seconds", "best", "front"} <= set(found)
    assert found["evaluated"] > 0
    paper = tmp_path / "out.pdf"
    done = _run("report", project, "-o", str(paper), "--sheets", "conversation", "--units", "us")
    assert done.exit_code == 0, done.stderr
    text = " ".join(pypdf.PdfReader(paper).pages[0].extract_text().replace("\u2009", " ").split())
    verdict = json.loads(_run("size", project, "--json").stdout)["both_ends"]["verdict"].replace("\u2009", " ")
    assert verdict.split(". ")[0] in text


@pytest.mark.parametrize("command", [["report"], ["export", "--to", "csv"]])
def test_that_a_project_is_never_written_over(command: list[str], tmp_path: Path) -> None:
    path = tmp_path / "a.watts"
    other = tmp_path / "b.watts"
    for made in (path, other):
        assert _run("new", str(made), "--example", "512-against-256").exit_code == 0
    before = path.read_bytes(), other.read_bytes()
    for target in (path, other):
        done = _run(command[0], str(path), *command[1:], "-o", str(target))
        assert done.exit_code == 2
        assert "a name of its own" in done.stderr
    assert (path.read_bytes(), other.read_bytes()) == before


def test_that_a_folder_is_said_to_be_one_in_one_sentence(tmp_path: Path) -> None:
    done = _run("size", str(tmp_path))
    assert done.exit_code == 2
    assert done.stderr.strip() == f"{tmp_path}: this is a folder; name a project file (*.watts)."
