"""The evidence report: dispatch, tolerances, summaries, and files of strangers."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wattsweights_gui import paths
from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.evidence import EvidenceReport, EvidenceRow, Summary, report
from wattsweights_gui.exchange.model_evidence import with_shapes

CONTRACT = {"id", "table", "quantity", "published", "predicted", "unit", "error_pct", "tolerance_pct", "assumed"}
SUMMARY = {"rows", "median_abs_error_pct", "mean_abs_error_pct", "p90_abs_error_pct", "bias_pct", "failed"}


def _row(published: float, predicted: float | None, tolerance: float | None = None, judged: bool = True) -> EvidenceRow:
    return EvidenceRow("a", "t", "q", published, predicted, "kw", tolerance, judged)


def _shipped(*names: str) -> dict[str, Any]:
    return json.loads(paths.resource(*names).read_text(encoding="utf-8"))


def test_that_every_published_parameter_count_is_met() -> None:
    made = report([with_shapes(_shipped("catalog", "hf_configs.json"))], catalog())
    counts = made.summary()["parameter_counts"]
    assert (counts.rows, counts.failed, counts.p90_abs_error_pct) == (69, 0, 0.0)


def test_that_the_json_has_the_names_of_the_contract() -> None:
    plain = report([_shipped("evidence", "storage_golden.json")], catalog()).plain()
    assert all(row.keys() >= CONTRACT for row in plain["rows"])
    assert all(summary.keys() >= SUMMARY for summary in plain["summary"].values())
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain


def test_that_rows_of_context_and_information_are_shown_and_not_judged() -> None:
    rows = [{"id": "x", "table": "young_daly", "check": "info", "published": 1.0}]
    document = {"layer": "storage", "rows": rows, "context_rows": [{"id": "y", "table": "young_daly"}]}
    made = report([document], catalog())
    assert [(row.id, row.judged, row.failed) for row in made.rows] == [("x", False, False), ("y", False, False)]
    assert made.summary()["young_daly"].rows == 0


def test_that_a_row_that_cannot_be_predicted_counts_as_failed_with_the_reason() -> None:
    rows = [{"id": "x", "table": "nonsense", "published": 1.0, "inputs": {}}]
    (row,) = report([{"layer": "facility", "rows": rows}], catalog()).rows
    assert row.failed
    assert "nonsense" in row.reason


def test_that_an_exact_row_allows_no_error_and_a_tolerance_allows_its_own() -> None:
    assert _row(100.0, 101.0, 0.0).failed
    assert not _row(100.0, 101.0, 1.0).failed
    assert _row(100.0, 101.1, 1.0).failed
    assert not _row(100.0, 150.0, None).failed
    assert not _row(100.0, 150.0, 1.0, judged=False).failed


def test_that_a_prediction_that_is_no_number_fails() -> None:
    assert _row(1.0, float("nan"), 5.0).failed
    assert _row(1.0, float("inf")).failed
    assert _row(0.0, 1.0, 5.0).failed
    assert not _row(0.0, 0.0, 0.0).failed


def test_that_the_summary_is_of_judged_rows() -> None:
    rows = [_row(100.0, 90.0), _row(100.0, 120.0), _row(100.0, 130.0), _row(100.0, None), _row(1.0, 9.0, judged=False)]
    summary = Summary.of(rows)
    assert (summary.rows, summary.failed) == (4, 1)
    assert summary.median_abs_error_pct == pytest.approx(20.0)
    assert summary.mean_abs_error_pct == pytest.approx(20.0)
    assert summary.p90_abs_error_pct == pytest.approx(28.0)
    assert summary.bias_pct == pytest.approx(40.0 / 3)


@given(st.lists(st.floats(1.0, 1e6), min_size=1, max_size=30), st.floats(0.5, 2.0))
def test_that_a_uniform_error_is_the_median_the_mean_the_p90_and_the_bias(values: list[float], factor: float) -> None:
    summary = Summary.of([_row(value, value * factor) for value in values])
    off = 100.0 * (factor - 1.0)
    assert summary.bias_pct == pytest.approx(off, abs=1e-6)
    for size in (summary.median_abs_error_pct, summary.mean_abs_error_pct, summary.p90_abs_error_pct):
        assert size == pytest.approx(abs(off), abs=1e-6)


def test_that_a_training_row_gives_one_row_for_time_and_one_for_each_memory_figure() -> None:
    golden = _shipped("evidence", "training_golden.json")["rows"]
    raw = next(r for r in golden if {"tokens_per_s_per_gpu", "peak_memory_gib"} <= r["measured"].keys())
    rows = report([{"rows": [raw]}], catalog()).rows
    assert [row.id for row in rows] == [f"{raw['id']}.tokens_per_s_per_gpu", f"{raw['id']}.peak_memory_gib"]
    assert {row.table for row in rows} == {raw["source_id"]}
    assert all(row.tolerance_pct is None and not row.failed for row in rows)


def test_that_a_training_row_without_anything_to_compare_is_listed_and_not_judged() -> None:
    (row,) = report(
        [{"rows": [{"id": "x", "source_id": "s", "measured": {"time_to_train_min_runs": [1]}}]}], catalog()
    ).rows
    assert (row.id, row.judged, row.failed) == ("x.time", False, False)
    assert "publishes no step time" in row.reason


def test_that_a_training_row_that_measured_nothing_readable_fails_and_the_others_stand() -> None:
    good = _shipped("evidence", "training_golden.json")["rows"][0]
    rows = report([{"rows": [{"id": "x"}, {"id": "y", "measured": 5}, good]}], catalog()).rows
    assert [row.failed for row in rows[:2]] == [True, True]
    assert not rows[2].failed


@pytest.mark.parametrize(
    ("document", "says"),
    [
        (5, "JSON object"),
        ({}, "needs “rows”"),
        ({"rows": 5}, "“rows” has to be a list"),
        ({"layer": "astrology", "rows": []}, "astrology"),
        ({"layer": [1], "rows": [{}]}, "names no layer"),
        ({"layer": "storage", "rows": [{}], "context_rows": 5}, "“context_rows” has to be a list"),
        ({"models": [5]}, "“models” has to be a list"),
    ],
)
def test_that_what_is_no_table_of_evidence_is_refused_in_one_sentence(document: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says) as refused:
        report([document], catalog())
    assert "\n" not in str(refused.value)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.just(10**400) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.sampled_from(
    ["id", "table", "quantity", "inputs", "published", "unit", "check", "tolerance_pct", "source", "measured", "model"]
)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["facility", "fabric", "storage", "serving", None]),
    st.lists(st.dictionaries(FIELDS, JUNK, max_size=8), max_size=3),
)
def test_that_a_stranger_s_rows_are_listed_or_refused_never_a_crash(layer: str | None, rows: list[Any]) -> None:
    try:
        made = report([{"layer": layer, "rows": rows}], catalog())
    except ValueError:
        assert layer is None  # refused whole: neither a layer nor anything measured
        return
    assert len(made.rows) >= len(rows)
    json.dumps(made.plain(), allow_nan=False)


def test_that_an_empty_report_is_an_empty_report() -> None:
    assert EvidenceReport(()).plain() == {"rows": [], "summary": {}, "classes": {}}
