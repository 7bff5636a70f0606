"""Tables of the fabric and cluster layers agree with the counts and rates beside them."""

from __future__ import annotations

import pytest

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine import chain
from wattsweights_gui.engine.plan import default_plan


def sized(*edits):
    return chain.evaluate(default_plan(edits), catalog()).results


def rows(table):
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def pinned(tp, pp, dp, **more):
    edits = {"layout": "pinned", "tp": tp, "pp": pp, "dp": dp, **more}
    return tuple((f"parallelism.{name}", value) for name, value in edits.items())


@pytest.mark.parametrize("dp", [1, 4, 16, 32])
def test_that_links_of_tiers_are_the_cables_that_are_counted(dp):
    cluster = sized(*pinned(8, 8, dp))["cluster"]
    links = {row["tier"]: row["links"] for row in rows(cluster.link_tiers)}
    assert links["node to leaf"] == cluster.node_leaf_cables.number + cluster.ufm_cables.number
    assert links.get("leaf to spine", 0) == cluster.leaf_spine_cables.number
    assert links.get("spine to core", 0) == cluster.spine_core_cables.number


def test_that_ports_in_use_are_twice_the_links():
    cluster = sized(*pinned(8, 8, 8))["cluster"]
    used = sum(row["used"] for row in rows(cluster.port_use))
    assert used == 2 * sum(row["links"] for row in rows(cluster.link_tiers))
    assert all(row["fullest"] * row["devices"] <= row["ports"] for row in rows(cluster.port_use))


def test_that_oversubscription_of_the_wiring_is_that_of_the_layer():
    results = sized(*pinned(8, 8, 8), ("fabric.oversubscription", 3.0))
    tier = next(row for row in rows(results["cluster"].link_tiers) if row["tier"] == "leaf to spine")
    assert tier["oversubscription"] == pytest.approx(results["fabric"].oversubscription.number)


def test_that_a_lost_leaf_hurts_a_unit_and_cuts_nobody_off():
    faults = {row["lost"]: row for row in rows(sized(*pinned(8, 8, 8))["cluster"].faults)}
    leaf = faults["one leaf"]
    assert (leaf["nodes_cut_off"], leaf["nodes_hurt"], leaf["of_their_links"]) == (0, 32, pytest.approx(12.5))


def test_that_too_many_nodes_have_a_remark_instead_of_a_wiring():
    cluster = sized(*pinned(8, 8, 8000), ("workload.global_batch", 8000))["cluster"]
    assert cluster.link_tiers.columns == ("remark",)
    assert "more than three tiers" in str(cluster.link_tiers.rows[0][0])


def test_that_the_largest_all_reduce_nears_the_plateau_of_the_layer():
    results = sized(*pinned(8, 8, 8))
    last = [row for row in rows(results["fabric"].collectives) if row["collective"] == "All-reduce"][-1]
    assert last["gpus"] == 512
    assert last["plateau"] == pytest.approx(results["fabric"].all_reduce_gb_s.number)
    assert last["at_1_mib"] < last["at_16_gib"] < last["plateau"]


def test_that_each_collective_has_a_row_for_each_number_of_nodes():
    found = rows(sized(*pinned(8, 8, 8))["fabric"].collectives)
    assert {row["collective"] for row in found} == {"All-reduce", "Reduce-scatter", "All-gather", "All-to-all", "Send"}
    assert {row["nodes"] for row in found} == {1, 2, 4, 8, 16, 32, 64}


def test_that_experts_beyond_eight_pay_on_domains_of_eight_and_less_on_seventy_two():
    shape = (
        ("workload.model", "shape"),
        ("workload.model.layers", 32),
        ("workload.model.expert_ffn", 2048),
        ("workload.model.top_k", 4),
        ("workload.model.experts", 64),
    )
    found = rows(sized(*shape, *pinned(1, 4, 64, ep=32))["parallelism"].domains)
    experts = next(row for row in found if row["group"] == "Expert parallel")
    assert experts["tier_of_8"] == "NVLink domain, then network"
    assert experts["tier_of_72"] == "NVLink domain"
    assert experts["exposed_of_8"] > 2 * experts["exposed_of_72"]
    assert experts["this_plan"] == pytest.approx(experts["exposed_of_8"])
