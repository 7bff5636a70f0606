"""The classes by which errors are stated, which software a row is of, and how far a report has come."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wattsweights_gui import paths
from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.evidence import EvidenceReport, EvidenceRow, report
from wattsweights_gui.engine.evidence.classes import CLASSES, class_of_training, software_of
from wattsweights_gui.engine.evidence.training import MEMORIES, TIMES
from wattsweights_gui.engine.evidence.training_row import case_of
from wattsweights_gui.engine.layout_sweep import kind_of, spread_of_kind

DENSE = {"model": {"kind": "dense"}, "gpu": "A100-SXM-80GB", "seq_len": 2048}
MOE = {"model": {"kind": "moe"}, "gpu": "H100-SXM-80GB", "seq_len": 4096}


def _golden(name: str) -> dict[str, Any]:
    return json.loads(paths.resource("evidence", f"{name}_golden.json").read_text(encoding="utf-8"))


def _rate(published: float, predicted: float) -> EvidenceRow:
    return EvidenceRow("a", "t", "tokens", published, predicted, "tokens_s", None, True, kind="moe", rate=True)


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        (DENSE, "dense_ampere"),
        ({**DENSE, "gpu": "H100-SXM-80GB"}, "dense_newer"),
        ({**DENSE, "gpu": "TPU-v5p"}, "tpu"),
        ({**DENSE, "seq_len": 32768}, "long_context"),
        (MOE, "moe"),
        ({**MOE, "seq_len": 131072}, "long_context"),
    ],
)
def test_that_time_is_classed_by_context_experts_and_generation(row: dict[str, Any], kind: str) -> None:
    assert class_of_training(row, "step_time_s", "s") == kind


def test_that_memory_is_classed_by_what_was_measured() -> None:
    assert class_of_training(DENSE, "peak_memory_gib", "gib") == "memory_dense"
    assert class_of_training(MOE, "max_memory_usage_logged_gb", "gb") == "memory_moe"
    assert class_of_training(DENSE, "params_grads_optimizer_gib", "gib") == "memory_parts"


def test_that_every_training_row_is_in_a_class_of_time_or_of_memory() -> None:
    made = report([_golden("training")], catalog())
    names = {name for name, _ in TIMES}
    for row in made.rows:
        if row.judged:
            assert row.kind in CLASSES
            assert (CLASSES[row.kind].subject == "Training time") == (row.quantity in names)
            assert row.kind.startswith("memory") == (row.quantity in {name for name, _ in MEMORIES})


def test_that_the_class_of_a_row_is_the_one_whose_spread_its_prediction_carries() -> None:
    for raw in _golden("training")["rows"][::9]:
        if raw["gpu"].startswith("TPU"):
            continue
        case = case_of(raw, catalog())
        assert class_of_training(raw, "step_time_s", "s") == kind_of(case.job, case.machine), raw["id"]


def test_that_the_spread_of_a_prediction_is_what_the_evidence_of_its_class_shows_now() -> None:
    rows = report([_golden("training")], catalog()).rows
    for kind in ("dense_ampere", "dense_newer", "moe", "long_context"):
        ratios = [1.0 / (1.0 + row.class_error_pct / 100.0) for row in rows if row.kind == kind and row.judged]
        low = min(1.0, np.percentile(ratios, 5, method="lower"))
        high = max(1.0, np.percentile(ratios, 95, method="higher"))
        assert spread_of_kind(catalog(), kind) == (pytest.approx(low, rel=0.006), pytest.approx(high, rel=0.006)), kind


def test_that_each_table_of_a_layer_is_a_class_of_its_own() -> None:
    for layer in ("facility", "fabric", "storage"):
        made = report([_golden(layer)], catalog())
        assert list(made.classes()) == [layer]
        assert made.classes()[layer].failed == 0


def test_that_a_class_states_the_error_of_time_and_a_table_that_of_the_quantity() -> None:
    made = EvidenceReport((_rate(100.0, 80.0),))
    assert made.summary()["t"].bias_pct == pytest.approx(-20.0)
    assert made.classes()["moe"].bias_pct == pytest.approx(25.0)
    (row,) = made.plain()["rows"]
    assert (row["error_pct"], row["class_error_pct"]) == (pytest.approx(-20.0), pytest.approx(25.0))


def test_that_a_rate_predicted_as_nought_is_no_division_by_it() -> None:
    assert _rate(100.0, 0.0).class_error_pct == pytest.approx(-100.0)
    assert _rate(0.0, 5.0).plain()["class_error_pct"] == pytest.approx(-100.0)


@given(st.lists(st.tuples(st.floats(1.0, 1e6), st.floats(0.5, 2.0)), min_size=1, max_size=20))
def test_that_the_farthest_under_and_over_enclose_the_bias(pairs: list[tuple[float, float]]) -> None:
    summary = EvidenceReport(tuple(_rate(value, value * factor) for value, factor in pairs)).classes()["moe"]
    assert summary.lowest_error_pct <= summary.bias_pct + 1e-9
    assert summary.bias_pct <= summary.highest_error_pct + 1e-9
    assert summary.mean_abs_error_pct <= max(abs(summary.lowest_error_pct), abs(summary.highest_error_pct)) + 1e-9


@pytest.mark.parametrize(
    ("source", "software"),
    [
        ("docs/performance-summary*.md, container 26.04.01", "container 26.04.01"),
        (
            "MLPerf Training v4.1 closed, NVIDIA, eos_n64_ngc24.09_nemo (mlcommons/training_results_v4.1)",
            "MLPerf Training v4.1, container 24.09",
        ),
        ("Narayanan et al. 2021 (arXiv 2104.04473) Table 1", "April 2021"),
        ("README (Megatron-Core r0.8.0)", "Megatron-Core r0.8.0"),
        ("benchmarks/llama3_h100_202412_torchtitan.md", "December 2024"),
        ("benchmarks/asyncTP_llama3_h100_2025-06_torchtitan.md", "June 2025"),
        ("ground_truth_multi.csv (MICRO 2024)", "2024"),
        ("no date", ""),
        ({"publisher": "x", "date": "2023-09-22"}, "2023-09-22"),
        (None, ""),
    ],
)
def test_that_the_software_of_a_row_is_what_its_source_states(source: Any, software: str) -> None:
    assert software_of({"source": source}) == software


def test_that_a_serving_row_names_its_engine_and_its_date() -> None:
    row = {"source": {"date": "2025-09"}, "inputs": {"engine": "TensorRT-LLM 1.0"}}
    assert software_of(row) == "TensorRT-LLM 1.0, 2025-09"


def test_that_a_row_tells_how_the_same_run_went_with_other_releases() -> None:
    raw = next(row for row in _golden("training")["rows"] if row.get("history"))
    (row, *_) = report([{"rows": [raw]}], catalog()).rows
    release, tokens, *_ = raw["history"][0]
    assert f"{release}: {tokens}" in row.note


def test_that_progress_rises_to_the_whole_and_can_end_the_work() -> None:
    shares: list[float] = []

    def told(share: float) -> bool:
        shares.append(share)
        return len(shares) < 40

    document = _golden("facility")
    part = report([document], catalog(), told)
    assert len(part.rows) == len(shares) == 40
    shares.clear()
    whole = report([{**document, "rows": document["rows"][:30]}], catalog(), told)
    assert len(whole.rows) == 30
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
