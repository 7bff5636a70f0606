"""Fabric, cluster, storage, data path and host as layers, behind a split that is given."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.chain import Upstream
from wattsweights_gui.engine.declare import Figure, Table, stated, unknown
from wattsweights_gui.engine.equations.rail_designs import count
from wattsweights_gui.engine.layers import layer_named
from wattsweights_gui.engine.plan import default_plan
from wattsweights_gui.engine.planned_fabric import design_of

CHAIN = ("fabric", "cluster", "storage", "datapath", "host")
GPUS = tuple(gpu.id for gpu in catalog().of_kind("gpu"))


def sized(gpus: int | None = 1024, **edits: Any) -> SimpleNamespace:
    """Size the five layers; ``layer__field=value`` edits the plan."""
    plan = default_plan((name.replace("__", "."), value) for name, value in edits.items())
    number = unknown("not planned", "count") if gpus is None else stated(gpus, "count", "GPUs", formula="given")
    results: dict[str, Any] = {
        "parallelism": SimpleNamespace(
            gpus=number, tokens_per_s_per_gpu=stated(400.0, "tokens_s", "Tokens/s", formula="given")
        ),
        "workload": SimpleNamespace(
            total_params=stated(1e12, "params", "Parameters", formula="given"),
            tokens=stated(15e12, "tokens", "Tokens", formula="given"),
        ),
    }
    up = Upstream(plan, catalog(), results)
    findings, needs = [], []
    for name in CHAIN:
        done = layer_named(name).size(plan.layers[name], up)
        results[name] = done.result
        findings += done.findings
        needs += done.needs
    return SimpleNamespace(**{n: results[n] for n in CHAIN}, findings={f.id: f for f in findings}, needs=needs)


def test_that_127_nodes_are_the_published_bill_of_four_units():
    c = sized(1016, cluster__fabric_manager="in_compute_fabric").cluster.plain()
    assert (c["nodes"], c["leaf_switches"], c["spine_switches"], c["core_switches"]) == (127, 32, 16, 0)
    assert (c["node_leaf_cables"], c["ufm_cables"], c["leaf_spine_cables"]) == (1016, 4, 1024)
    assert (c["storage_switches"], c["management_switches"]) == (16, 16)
    assert (c["nodes_per_rack"], c["compute_racks"], c["network_racks"]) == (4, 32, 6)


def test_that_16384_gpus_take_three_tiers():
    c = sized(16384).cluster.plain()
    assert (c["scalable_units"], c["leaf_switches"], c["spine_switches"], c["core_switches"]) == (64, 512, 512, 256)
    assert c["node_leaf_cables"] == c["leaf_spine_cables"] == c["spine_core_cables"] == 16384


def test_that_a_rack_scale_system_is_one_node_and_one_rack():
    done = sized(4608, compute__gpu="gb200")
    c = done.cluster.plain()
    assert (c["system"], c["nodes"], c["nodes_per_rack"], c["compute_racks"]) == ("dgx_gb200_nvl72", 64, 1, 64)
    assert (c["leaf_switches"], c["spine_switches"], c["core_switches"]) == (256, 192, 72)
    assert done.fabric.scale_up_domain.value == 72


@pytest.mark.parametrize("gpu", GPUS)
@pytest.mark.parametrize("gpus", [1, 7, 100, 4096, 65_536, 1_000_000])
def test_that_any_gpu_in_any_number_is_counted_and_not_crashed_on(gpu, gpus):
    done = sized(gpus, compute__gpu=gpu)
    c = done.cluster
    assert c.gpus.number >= gpus
    assert c.leaf_switches.number >= 1
    assert c.compute_racks.number >= 1
    assert done.fabric.nic_gb_s_per_gpu.number > 0


@settings(deadline=None, max_examples=40)
@given(gpus=st.integers(1, 600_000), more=st.integers(1, 50_000), gpu=st.sampled_from(["h100_sxm", "gb200", "mi300x"]))
def test_that_more_gpus_never_need_less(gpus, more, gpu):
    less, grown = sized(gpus, compute__gpu=gpu).cluster.plain(), sized(gpus + more, compute__gpu=gpu).cluster.plain()
    for name in ("nodes", "leaf_switches", "node_leaf_cables", "leaf_spine_cables", "compute_racks", "network_racks"):
        assert grown[name] >= less[name], name


@given(gpus=st.integers(1, 70_000), spare=st.floats(0, 20))
def test_that_the_figures_of_the_layer_are_the_counts_of_the_rule(gpus, spare):
    c = sized(gpus, cluster__spare_nodes_pct=spare).cluster
    k = count(design_of(catalog().entry("dgx_superpod_h100"), catalog()), int(c.nodes.number))
    assert c.scalable_units.value == k.units
    assert c.leaf_switches.value == k.leaf_switches
    assert c.leaf_spine_cables.value == k.leaf_spine_cables
    assert c.node_leaf_cables.value == k.node_leaf_cables
    assert c.gpus.number >= gpus


def test_that_an_unknown_number_of_gpus_stays_unknown_with_its_reason():
    done = sized(None)
    assert all(f.value is None and "not planned" in f.formula for _, f in done.cluster.figures())
    assert done.storage.checkpoint_stall_s.value is None
    assert done.storage.checkpoint_tb.value == 14.0


def test_that_a_design_of_other_nodes_is_not_followed_and_says_so():
    done = sized(1152, compute__gpu="gb200", fabric__design="dgx_superpod_h100")
    message = done.findings["fabric.design_not_followed"].message
    assert "8 GPUs" in message
    assert "72" in message
    assert done.cluster.leaf_switches.number > 0


def test_that_sizes_beyond_the_published_tables_and_beyond_three_tiers_are_told_apart():
    assert "cluster.beyond_published" in sized(8 * 32 * 65).findings
    beyond = sized(1_000_000).findings["cluster.too_large"]
    assert beyond.severity == "blocker"
    assert "65\u2009536" in beyond.message
    assert not {"cluster.beyond_published", "cluster.too_large"} & set(sized(16384).findings)


def test_that_a_basepod_of_more_than_eight_nodes_becomes_a_fat_tree():
    small, large = (sized(n, fabric__design="dgx_basepod_h100") for n in (64, 80))
    assert small.cluster.leaf_switches.value == 2
    assert "cluster.outgrown" not in small.findings
    assert large.cluster.spine_switches.number > 0
    assert "cluster.outgrown" in large.findings


def test_that_findings_name_the_edit_that_mends_them():
    found = sized(256, cluster__fabric_manager="in_compute_fabric").findings["cluster.manager_unit"]
    assert found.fix == (("cluster.fabric_manager", "none"),)
    found = sized(1024, cluster__nodes_per_rack=12).findings["cluster.rack_height"]
    assert found.severity == "blocker"
    assert found.fix == (("cluster.nodes_per_rack", 5),)
    assert "cluster.partial_node" in sized(1020).findings
    assert "cluster.system_mismatch" in sized(1024, cluster__system="dgx_b200").findings
    assert "cluster.no_system" in sized(64, compute__gpu="l40s").findings


def test_that_rails_that_do_not_meet_are_said_so():
    edits = {"compute__gpu": "b300", "cluster__system": "dgx_b300_dc"}
    assert "cluster.rails_apart" in sized(8 * 1024, **edits).findings
    assert "cluster.rails_apart" not in sized(8 * 64, **edits).findings


def test_that_switch_power_that_is_not_known_is_said_so():
    known = sized(1024).cluster.switch_power_kw
    assert known.number == pytest.approx((48 + 16) * 1.720 + 4 * 0.689 + 8 * 0.466 + 8 * 0.098)
    found = sized(1024, compute__gpu="mi300x").findings["cluster.switch_power"]
    assert found.severity == "caution"
    assert "left out" in found.message


def test_that_every_figure_says_how_it_was_made():
    done = sized(16384, compute__gpu="b300")
    for name in CHAIN:
        for field, figure in getattr(done, name).figures():
            assert isinstance(figure, Figure)
            assert figure.path == f"layers.{name}.result.{field}"
            assert figure.formula, field


def test_that_tables_have_as_many_cells_as_columns():
    done = sized(1024)
    for name in CHAIN:
        for _, table in getattr(done, name).tables():
            assert isinstance(table, Table)
            assert table.rows
            assert all(len(row) == len(table.columns) == len(table.units) for row in table.rows)


@pytest.mark.parametrize("gpu", GPUS)
def test_that_results_are_plain_json_without_infinities(gpu):
    for edits in ({}, {"storage__appliances": 0}, {"parallelism__failures_per_1000_node_days": 0.0}):
        done = sized(3000, compute__gpu=gpu, datapath__path="page_cache", **edits)
        for name in CHAIN:
            json.dumps(getattr(done, name).plain(), allow_nan=False)
