"""Every published row on fabrics, and rows of the same kinds that nobody published."""

from __future__ import annotations

import json

import pytest

from wattsweights_gui import paths
from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.evidence.fabric import predict

DATA = json.loads(paths.resource("evidence", "fabric_golden.json").read_text(encoding="utf-8"))
RUN = {
    "gpu": "h200_sxm",
    "scale_up_domain_gpus": 8,
    "scale_up_link": "nvlink4",
    "scale_up_uni_gb_s_per_gpu": 450,
    "scale_out_gb_s_per_gpu": 50.0,
    "collective": "all_reduce",
    "message_bytes": 8 * 2**30,
}


def asked(table: str, quantity: str, **inputs: object):
    return predict({"table": table, "quantity": quantity, "inputs": inputs}, catalog())


@pytest.mark.parametrize("row", DATA["rows"], ids=[r["id"] for r in DATA["rows"]])
def test_that_a_published_row_is_predicted_within_its_tolerance(row):
    answer = predict({k: row[k] for k in ("table", "quantity", "inputs")}, catalog())
    assert answer.predicted is not None, answer.reason
    if row["tolerance_pct"] is not None:
        assert abs(answer.predicted - row["published"]) <= abs(row["published"]) * row["tolerance_pct"] / 100 + 1e-9


def test_that_a_context_row_gets_an_answer_or_a_reason():
    for row in DATA["context_rows"]:
        answer = predict(row, catalog())
        assert (answer.predicted is None) == bool(answer.reason)


def test_that_the_misprint_of_the_largest_xdr_design_is_not_followed():
    answer = asked("design_counts", "gpus", reference_design="dgx_superpod_b300_xdr", scalable_units=18)
    assert answer.predicted == 10368


@pytest.mark.parametrize(
    ("table", "quantity", "inputs", "expected"),
    [
        ("design_counts", "core_switches", {"reference_design": "dgx_superpod_h200", "scalable_units": 32}, 128),
        ("design_counts", "core_switches", {"reference_design": "dgx_superpod_gb200", "scalable_units": 16}, 144),
        ("design_counts", "spine_switches", {"reference_design": "dgx_superpod_b300_spectrum4", "nodes": 100}, 16),
        ("switch_hops", "switches_on_path", {"same_rail": False, "same_scalable_unit": False}, 5),
        ("custom_fabric", "spine_switches", {"spine_shared_by_rails": True}, 64),
        ("closed_form", "core_switches", {"switch_ports": 64, "tiers": 3}, 1024),
        ("slurm_block_sizes", "largest_block_size", {"smallest_domain_nodes": 18, "domains": 7}, 72),
        ("rank_groups", "group_stride", {"axis": "pp", "order": "tp-cp-ep-dp-pp", "tp": 8, "cp": 2, "dp": 4}, 64),
        ("collective_traffic", "flat_ring_gib", {"collective": "all_gather", "payload_gib": 8}, 7.75),
    ],
)
def test_that_a_row_that_nobody_published_follows_the_same_rules(table, quantity, inputs, expected):
    if table == "switch_hops":
        inputs = {"reference_design": "dgx_superpod_h100", "scalable_units": 16, **inputs}
    if table == "custom_fabric":
        inputs = {"gpus": 8192, "gpus_per_node": 8, "nic_gbit_s": 400, "rails": 8, "switch_tbit_s": 51.2} | inputs
    if table == "collective_traffic":
        inputs = {"gpus_per_node": 8, "nodes": 4} | inputs
    assert asked(table, quantity, **inputs).predicted == pytest.approx(expected)


def test_that_a_tensor_parallel_group_with_one_member_a_node_falls_to_one_adapter():
    inside = asked("collective_busbw", "busbw_gb_s", **RUN, gpus=8, domains=1).predicted
    two_whole_nodes = asked("collective_busbw", "busbw_gb_s", **RUN, gpus=16, domains=2).predicted
    scattered = asked("collective_busbw", "busbw_gb_s", **RUN, gpus=8, domains=8).predicted
    assert 0.8 < two_whole_nodes / inside <= 1.0
    assert scattered == pytest.approx(50, rel=0.1)


def test_that_bandwidth_grows_with_the_message():
    sizes = [2**n for n in range(20, 36)]
    rates = [
        asked("collective_busbw", "busbw_gb_s", **{**RUN, "message_bytes": s}, gpus=32, domains=4).predicted
        for s in sizes
    ]
    assert rates == sorted(rates)


def test_that_a_row_that_cannot_be_predicted_says_why():
    assert "no equation for the table" in asked("weather", "rain").reason
    assert "does not give" in asked("closed_form", "max_endpoints").reason
    assert "at most" in asked("custom_fabric", "spine_switches", gpus=10**6, nic_gbit_s=400, switch_tbit_s=51.2).reason
    assert asked("design_counts", "nodes", reference_design="nobody").reason
