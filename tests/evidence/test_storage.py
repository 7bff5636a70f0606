"""Every published row on storage, checkpoints, data paths and failures, and rows that nobody published."""

from __future__ import annotations

import json

import pytest

from wattsweights_gui import paths
from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.evidence.storage import predict

ROWS = json.loads(paths.resource("evidence", "storage_golden.json").read_text(encoding="utf-8"))["rows"]
JUDGED = [row for row in ROWS if row["tolerance_pct"] is not None]


def asked(table: str, quantity: str, **inputs: object):
    return predict({"table": table, "quantity": quantity, "inputs": inputs}, catalog())


@pytest.mark.parametrize("row", JUDGED, ids=[r["id"] for r in JUDGED])
def test_that_a_published_row_is_predicted_within_its_tolerance(row):
    answer = predict({k: row[k] for k in ("table", "quantity", "inputs")}, catalog())
    assert answer.predicted is not None, answer.reason
    assert abs(answer.predicted - row["published"]) <= abs(row["published"]) * row["tolerance_pct"] / 100 + 1e-9


def test_that_a_row_that_is_not_judged_gets_an_answer_or_a_reason():
    for row in ROWS:
        answer = predict(row, catalog())
        assert (answer.predicted is None) == bool(answer.reason)


@pytest.mark.parametrize(
    ("table", "quantity", "inputs", "expected", "rel"),
    [
        ("checkpoint_size", "checkpoint_tb", {"params_b": 1000, "bytes_per_param": 14}, 14.0, 1e-9),
        ("checkpoint_size", "checkpoint_gib", {"params_b": 1.073741824, "bytes_per_param": 12}, 12.0, 1e-9),
        ("checkpoint_time", "seconds", {"checkpoint_tb": 14, "bandwidth_gb_s": 100}, 140.0, 1e-9),
        ("checkpoint_bandwidth", "write_gib_s", {"checkpoint_gib": 100, "seconds": 4}, 25.0, 1e-9),
        ("mtbf", "job_mtbf_min", {"accelerators": 10**6, "accelerator_mttf_h": 50000}, 3.0, 1e-9),
        ("pcie", "h2d_gb_s", {"pcie_generation": 3, "lanes": 16}, 13.3, 0.03),
        ("datapath", "drives", {"drive_lanes": 4, "link_lanes": 8}, 2, 0),
        ("guideline", "su_write_gb_s", {"reference_design": "dgx_superpod_gb200", "level": "enhanced"}, 62, 0),
    ],
)
def test_that_a_row_that_nobody_published_follows_the_same_equations(table, quantity, inputs, expected, rel):
    assert asked(table, quantity, **inputs).predicted == pytest.approx(expected, rel=rel or None)


def test_that_a_row_that_cannot_be_predicted_says_why():
    assert "no equation for the table" in asked("weather", "rain").reason
    assert "no equation for" in asked("pcie", "colour", pcie_generation=5, lanes=16).reason
    assert "does not give lanes" in asked("pcie", "raw_gb_s", pcie_generation=5).reason
    assert (
        "has no level" in asked("guideline", "su_read_gb_s", reference_design="dgx_superpod_h100", level="odd").reason
    )
