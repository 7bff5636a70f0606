"""What software a training row ran on: a fact of its publication, and what that software does where the row is silent."""

from __future__ import annotations

import copy
import json

import pytest

from wattsweights_gui import paths
from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.evidence.training import predict_row
from wattsweights_gui.engine.evidence.training_row import case_of, positions_of
from wattsweights_gui.engine.evidence.training_software import no_older_than, ran_on

ROWS = json.loads(paths.resource("evidence", "training_golden.json").read_text(encoding="utf-8"))["rows"]


@pytest.mark.parametrize(
    ("source", "zero_stage", "name"),
    [
        ("Korthikanti et al. 2022 (arXiv 2205.05198) Table 5", None, "Megatron-LM"),
        ("a talk", 3, "PyTorch FSDP"),
        ("mosaicml/llm-foundry README", 3, "LLM Foundry"),
        ("pytorch/torchtitan benchmarks", 3, "PyTorch FSDP"),
        ("MLPerf Training v5.1 closed, NVIDIA, x_ngc25.09_nemo", None, "NeMo as submitted to MLPerf"),
        ("MLPerf Training v4.1 closed, Google, cloud-tpu-v5p-8192-maxtext", None, "MaxText"),
        ("AI-Hypercomputer/maxtext README", 3, "MaxText, fully sharded"),
        ("MT-NLG 530B (arXiv 2201.11990) section 2.4", None, "Megatron-DeepSpeed"),
    ],
)
def test_that_a_publication_or_its_sharding_tells_the_software(source, zero_stage, name):
    assert ran_on({"source": source, "zero_stage": zero_stage}, catalog()).name == name


def test_that_a_baseline_is_dated_apart_from_the_paper_that_measures_it():
    row = {"source": "MegaScale (arXiv 2402.15627) Table 2", "system": "Megatron-LM"}
    assert ran_on(row, catalog()).year == pytest.approx(2023.1)
    assert ran_on({**row, "system": "MegaScale"}, catalog()).year is None


def test_that_eight_bit_weights_are_kept_where_the_software_keeps_them():
    nemo = ran_on({"source": "MLPerf Training v5.1 closed, NVIDIA"}, catalog())
    assert nemo.recipe("fp8", hopper=False, pure=False, early=False).total == 15.0
    assert nemo.recipe("fp8", hopper=True, pure=False, early=False).total == 16.0
    assert nemo.recipe("bf16", hopper=True, pure=False, early=False).total == 18.0
    sharded = ran_on({"source": "a talk", "zero_stage": 3}, catalog())
    assert sharded.recipe("bf16", hopper=True, pure=True, early=False).gradients == 2.0


def test_that_a_run_is_no_older_than_what_it_ran():
    assert no_older_than({"gpu": "GB300", "model": {"name": "Qwen3-30B-A3B"}}, catalog()) == pytest.approx(2025.6)
    assert no_older_than({"gpu": "A100-SXM-80GB", "model": {"name": "GPT-175B"}}, catalog()) == 0.0


def test_that_positions_are_read_where_the_row_states_them():
    assert positions_of({"notes": "flash attention; positions: ALiBi or learned; MFU"}) == "ALiBi or learned"
    assert positions_of({"notes": "H100", "model": {"name": "MPT-7b"}}) == ""


def test_that_no_name_of_a_dated_row_changes_its_prediction():
    """Nothing is tuned to a row, a table or a model: only facts that a row states are read."""
    dated = [row for row in ROWS if "container" in row["source"] or "arXiv" in row["source"]]
    assert len(dated) > 60
    for row in dated[::3]:
        plain = copy.deepcopy(row)
        plain["id"] = plain["source_id"] = "x"
        plain["model"]["name"] = "a model"
        before = [made.predicted for *_, made in predict_row(row, catalog())]
        assert before == [made.predicted for *_, made in predict_row(plain, catalog())], row["id"]


def test_that_every_default_of_a_row_is_said():
    row = {
        "source": "somebody", "model": {"layers": 32, "hidden": 4096, "heads": 32, "vocab": 32000}, "gpu": "H100-SXM-80GB",
        "gpus": 64, "tp": 2, "pp": 2, "measured": {"step_time_s": 1.0},
    }  # fmt: skip
    said = "; ".join(case_of(row, catalog()).assumed)
    for words in ("BF16", "sequence of 4096", "Megatron-LM of 2024", "400 Gb/s a GPU", "sequences a replica",
                  "18 bytes a parameter", "micro batch", "interleave", "no recompute"):  # fmt: skip
        assert words in said, said


def test_that_the_spread_of_a_class_holds_nine_published_runs_in_ten():
    from collections import defaultdict

    inside = defaultdict(list)
    from wattsweights_gui.engine.evidence.classes import class_of_training

    for row in ROWS:
        for quantity, published, unit, made in predict_row(row, catalog()):
            kind = class_of_training(row, quantity, unit)
            if made.low is not None and made.high is not None and kind != "tpu":
                inside[kind].append(made.low <= published <= made.high)
    assert set(inside) == {"dense_ampere", "dense_newer", "moe", "long_context"}
    for kind, found in inside.items():
        assert sum(found) >= 0.9 * len(found), kind
