"""Training evidence: what is predicted of a row, in which convention, and how well."""

from __future__ import annotations

import copy
import json
import math
from collections import defaultdict

import pytest

from wattsweights_gui import paths
from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.evidence.training import predict_row
from wattsweights_gui.engine.evidence.training_era import year_of

ROWS = json.loads(paths.resource("evidence", "training_golden.json").read_text(encoding="utf-8"))["rows"]
BY_ID = {row["id"]: row for row in ROWS}
MEMORY = ("gib", "gb")


def time_errors():
    errors = defaultdict(list)
    for row in ROWS:
        for quantity, published, unit, made in predict_row(row, catalog()):
            if unit in MEMORY or made.predicted is None or row["gpu"].startswith("TPU"):
                continue
            ratio = made.predicted / published if quantity == "step_time_s" else published / made.predicted
            kind = "long" if (row.get("seq_len") or 0) >= 32768 else row["model"]["kind"]
            errors["A100" if kind == "dense" and row["gpu"].startswith("A100") else kind].append(ratio - 1)
    return errors


def test_that_step_times_of_each_class_stay_within_what_was_reached():
    mean = {kind: sum(map(abs, e)) / len(e) for kind, e in time_errors().items()}
    assert mean["A100"] < 0.07
    assert mean["dense"] < 0.065
    assert mean["moe"] < 0.105
    assert mean["long"] < 0.045


def test_that_no_class_is_biased_by_more_than_four_percent():
    for kind, errors in time_errors().items():
        assert abs(sum(errors) / len(errors)) < 0.04, kind


def memory_errors():
    errors = defaultdict(list)
    for row in ROWS:
        for quantity, published, unit, made in predict_row(row, catalog()):
            if unit in MEMORY and made.predicted is not None:
                errors[row["model"]["kind"]].append((made.predicted / published - 1, row["id"], quantity))
    return errors


def test_that_memory_is_never_more_than_five_percent_under_its_measured_peak():
    for errors in memory_errors().values():
        assert min(errors)[0] > -0.05, min(errors)


def test_that_memory_is_within_three_percent_of_its_measured_peak_on_average():
    mean = {kind: sum(abs(error) for error, *_ in found) / len(found) for kind, found in memory_errors().items()}
    assert mean["dense"] < 0.03
    assert mean["moe"] < 0.03


def test_that_a_row_gives_one_time_and_each_memory_figure():
    for row in ROWS:
        found = predict_row(row, catalog())
        times = [q for q, _, unit, _ in found if unit not in MEMORY]
        assert len(times) <= 1
        assert len({q for q, *_ in found}) == len(found)


def test_that_step_time_comes_before_throughput_and_mfu():
    row = next(r for r in ROWS if {"step_time_s", "mfu_pct"} <= set(r["measured"]))
    assert predict_row(row, catalog())[0][0] == "step_time_s"


def test_that_what_a_row_measured_does_not_change_its_prediction():
    for row in ROWS[::17]:
        doubled = copy.deepcopy(row)
        numbers = {k: v * 2 for k, v in row["measured"].items() if isinstance(v, int | float)}
        doubled["measured"].update(numbers)
        before = {q: p.predicted for q, _, _, p in predict_row(row, catalog())}
        assert before == {q: p.predicted for q, _, _, p in predict_row(doubled, catalog())}


def test_that_ids_and_names_do_not_change_a_prediction():
    for row in ROWS[::17]:
        renamed = copy.deepcopy(row)
        renamed["id"], renamed["source_id"] = "x", "y"
        assert [p.predicted for *_, p in predict_row(row, catalog())] == [
            p.predicted for *_, p in predict_row(renamed, catalog())
        ]


@pytest.mark.parametrize("field", ["precision", "micro_batch", "vpp", "dp", "seq_len", "global_batch", "recompute"])
def test_that_a_row_without_a_field_is_predicted_and_says_what_was_assumed(field):
    row = copy.deepcopy(BY_ID["simumax_b200_003"])
    row.pop(field, None)
    found = predict_row(row, catalog())
    assert found
    assert all(p.predicted is not None and math.isfinite(p.predicted) for *_, p in found)


def test_that_a_gpu_that_is_not_catalogued_is_a_reason():
    row = copy.deepcopy(BY_ID["simumax_b200_003"])
    row["gpu"] = "Abacus"
    found = predict_row(row, catalog())
    assert all(p.predicted is None and "Abacus" in p.reason for *_, p in found)


def test_that_a_model_without_layers_is_a_reason():
    row = copy.deepcopy(BY_ID["simumax_b200_003"])
    row["model"]["layers"] = None
    assert all("layers" in p.reason for *_, p in predict_row(row, catalog()))


def test_that_mfu_is_never_above_one_hundred_percent():
    for row in ROWS:
        for quantity, _, _, made in predict_row(row, catalog()):
            if quantity == "mfu_pct":
                assert 0 < made.predicted < 100


def test_that_the_date_of_the_software_is_read_from_the_source():
    assert year_of({"source": "Narayanan et al. 2021 (arXiv 2104.04473) Table 1"}) == pytest.approx(2021.29, abs=0.01)
    assert year_of({"source": "docs, container 26.08"}) == pytest.approx(2026.63, abs=0.01)
    assert year_of({"source": "x_ngc25.09_nemo"}) == pytest.approx(2025.71, abs=0.01)
    assert year_of({"source": "nothing"}) is None
