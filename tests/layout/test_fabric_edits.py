"""Edits of a fabric by hand: possible or refused with the reason, kept as differences, and held against the plan."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine import fabric_graph
from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.wiring import LEAF, NODE, NODE_LEAF, PAIR
from wattsweights_gui.layout import fabric_edits
from wattsweights_gui.layout.edited_fabric import (
    ACROSS,
    Base,
    EditedFabric,
    NoFabricError,
    base_of,
    edited_fabric,
)
from wattsweights_gui.layout.fabric_differences import differences
from wattsweights_gui.layout.fabric_edits import (
    EMPTY_SHEET,
    NO_EDITS,
    CannotBe,
    FabricEdited,
    FabricEdits,
    FabricOutcome,
    key_of,
)
from wattsweights_gui.layout.fabric_kinds import FabricKind, kinds_of
from wattsweights_gui.layout.fabric_linking import caution, join, link, why_no_link
from wattsweights_gui.layout.fabric_paths import paths_between, paths_up
from wattsweights_gui.layout.link_traffic import rank_groups, traffic
from wattsweights_gui.layout.wired_places import wired_places


@pytest.fixture(scope="module")
def base(plan: Evaluation) -> Base:
    """128 nodes on 32 leaves under 16 spines."""
    return base_of(plan)


@pytest.fixture(scope="module")
def whole(base: Base) -> EditedFabric:
    return edited_fabric(base, NO_EDITS)


def kind(id: str) -> FabricKind:
    return next(k for k in kinds_of(catalog(), 400.0) if k.id == id)


def done(outcome: FabricOutcome) -> FabricEdits:
    assert isinstance(outcome, FabricEdited), outcome
    return outcome.edits


def refused(outcome: FabricOutcome | CannotBe | None) -> CannotBe:
    assert isinstance(outcome, CannotBe)
    return outcome


def with_kinds(base: Base, *wanted: tuple[str, str], edits: FabricEdits = EMPTY_SHEET) -> EditedFabric:
    """Return a sheet with devices of the palette on it."""
    for id, role in wanted:
        names = edited_fabric(base, edits).own_names
        edits = done(fabric_edits.add_device(edits, names, kind(id), role, (0.0, 0.0)))
    return edited_fabric(base, edits)


def test_that_no_edits_give_the_plans_own_fabric(base: Base, whole: EditedFabric) -> None:
    wiring = base.wiring
    assert whole.own_names == wiring.names
    for name in ("a", "a_port", "b", "b_port", "tier"):
        assert np.array_equal(getattr(whole.links, name), getattr(wiring.links, name))
    assert fabric_graph.tiers(whole) == fabric_graph.tiers(wiring)
    assert [whole.port_name(0, p) for p in range(8)] == [wiring.port_name(0, p) for p in range(8)]
    assert differences(whole) == ()


def test_that_the_drawing_and_the_counts_of_the_cluster_agree_to_the_last_cable(
    plan: Evaluation, whole: EditedFabric
) -> None:
    cluster, tiers = plan.results["cluster"], np.bincount(whole.links.tier, minlength=4)
    assert tiers[0] == cluster.node_leaf_cables.value
    assert tiers[1] == cluster.leaf_spine_cables.value
    assert tiers[2] == cluster.spine_core_cables.value
    kinds = np.bincount(whole.devices.kind, minlength=5)
    assert kinds[0] == cluster.nodes.value
    assert kinds[2:].tolist() == [
        cluster.leaf_switches.value, cluster.spine_switches.value, cluster.core_switches.value
    ]  # fmt: skip


def test_that_a_switch_takes_its_links_with_it_and_the_loss_is_named(base: Base, whole: EditedFabric) -> None:
    spine = next(n for n in whole.own_names if n.startswith("spine"))
    gone = int(whole.used_ports[whole.index_of[spine]])
    after = edited_fabric(base, done(fabric_edits.delete(NO_EDITS, [spine], [])))
    assert len(after.links) == len(whole.links) - gone
    assert spine not in after.index_of
    assert after.links.a.max() < len(after.devices)
    told = " ".join(f.message for f in differences(after))
    assert f"{len(whole.devices.of(3))} spines; {len(after.devices.of(3))} are drawn" in told
    assert "Oversubscription leaf to spine is 1.0" in told
    assert fabric_graph.tiers(after)[1].ratio > 1.0


def test_that_a_link_is_taken_out_and_drawn_again(base: Base, whole: EditedFabric) -> None:
    key = whole.key(5)
    without = edited_fabric(base, done(fabric_edits.delete(NO_EDITS, [], [key])))
    assert len(without.links) == len(whole.links) - 1
    assert without.key(5) != key
    again = done(link(without, (key[0], key[1]), (key[2], key[3])))
    assert again == NO_EDITS


def test_that_ports_that_are_taken_or_not_there_are_refused(whole: EditedFabric) -> None:
    a, a_port, b, _ = whole.key(0)
    leaf = next(n for n in (a, b) if n.startswith("leaf"))
    assert "is taken: it goes to" in refused(link(whole, (a, a_port), ("leaf-su02-r1", 63))).reason
    assert refused(link(whole, (leaf, 64), ("node-001", 0))).reason == (f"{leaf} has 64 ports: there is no port 65.")
    assert refused(link(whole, (leaf, 1), (leaf, 2))).why == "same"
    assert refused(link(whole, ("nobody", 1), (leaf, 2))).reason == "There is no nobody in the fabric."


def test_that_speeds_and_technologies_must_match(base: Base) -> None:
    sheet = with_kinds(
        base, ("dgx_h100", ""), ("q3400_ra", "leaf"), ("sn5600", "leaf"), ("sn5600/2", "leaf"), ("qm9700", "leaf")
    )
    node, xdr, whole_800, split, ndr = sheet.own_names
    assert refused(why_no_link(sheet, (node, 0), (xdr, 0))).reason.startswith(
        f"{node} has ports of 400 Gb/s, {xdr} of 800 Gb/s"
    )
    assert refused(why_no_link(sheet, (xdr, 0), (whole_800, 0))).reason == (
        f"{xdr} speaks InfiniBand, {whole_800} speaks Ethernet."
    )
    assert refused(why_no_link(sheet, (split, 0), (whole_800, 0))).why == "speed"
    assert why_no_link(sheet, (node, 0), (split, 0)) is None
    assert why_no_link(sheet, (node, 1), (ndr, 0)) is None


def test_that_skipped_tiers_loops_and_crossed_rails_are_cautions(base: Base) -> None:
    sheet = with_kinds(base, ("dgx_h100", ""), ("qm9700", "leaf"), ("qm9700", "leaf"), ("qm9700", "spine"))
    node, one, other, spine = sheet.own_names
    assert caution(sheet, (node, 0), (one, 0)) == ""
    assert "a loop outside the tree" in caution(sheet, (one, 0), (other, 0))
    assert "a tier is skipped" in caution(sheet, (node, 0), (spine, 0))
    across = edited_fabric(base, done(link(sheet, (one, 0), (other, 0))))
    assert across.links.tier.tolist() == [ACROSS]
    key = next(k for k in map(edited_fabric(base, NO_EDITS).key, range(8)) if k[2] == "node-001" or k[0] == "node-001")
    port = key[1] if key[0] == "node-001" else key[3]
    freed = edited_fabric(base, done(fabric_edits.delete(NO_EDITS, ["leaf-su01-r1", "leaf-su01-r2"], [key])))
    crossed = "leaf-su02-r2" if port % 8 != 1 else "leaf-su02-r1"
    freed = edited_fabric(base, done(fabric_edits.delete(freed.edits, ["node-040"], [])))
    down = freed.free_port(freed.index_of[crossed], 0)
    assert down is not None
    assert "two rails cross" in caution(freed, ("node-001", port), (crossed, down))


def test_that_two_tiers_by_hand_have_an_oversubscription_that_follows(base: Base) -> None:
    sheet = with_kinds(base, *[("dgx_h100", "")] * 3, ("qm9700", "leaf"), ("qm9700", "spine"))
    names = sheet.own_names
    edits = done(join(sheet, names))
    drawn = edited_fabric(base, edits)
    assert len(drawn.links) == 4  # three nodes on the leaf, the leaf on the spine
    tiers = {t.name: t for t in fabric_graph.tiers(drawn)}
    assert tiers["leaf to spine"].ratio == 3.0
    drawn = edited_fabric(base, done(join(drawn, [names[3], names[4]])))
    assert {t.name: t for t in fabric_graph.tiers(drawn)}["leaf to spine"].ratio == 1.5
    assert not fabric_graph.without_device(drawn, drawn.index_of[names[4]]).cut_off
    only = int(np.flatnonzero(drawn.links.tier == NODE_LEAF)[0])
    assert fabric_graph.without_link(drawn, only).cut_off == (drawn.name(int(drawn.links.a[only])),)


def test_that_join_says_which_device_is_full(base: Base, whole: EditedFabric) -> None:
    outcome = join(whole, ["node-001", "leaf-su01-r1"])
    assert refused(outcome).reason in ("node-001 has no free port.", "leaf-su01-r1 has no free port.")
    assert refused(join(whole, ["node-001", "node-002"])).reason.startswith("Choose devices of two tiers")


def test_that_edits_hold_when_the_plan_grows_and_those_left_behind_are_named(base: Base, evaluated: Any) -> None:
    larger = base_of(evaluated(cluster__spare_nodes_pct=50.0))
    assert larger.wiring.counts.nodes > base.wiring.counts.nodes
    key = edited_fabric(base, NO_EDITS).key(0)
    edits = done(fabric_edits.delete(NO_EDITS, ["node-100"], [key]))
    grown = edited_fabric(larger, edits)
    assert grown.stale == ()
    assert "node-100" not in grown.index_of
    back = edited_fabric(
        base, done(fabric_edits.delete(NO_EDITS, [larger.wiring.names[larger.wiring.counts.nodes - 1]], []))
    )
    assert back.stale == (
        f"{larger.wiring.names[larger.wiring.counts.nodes - 1]} was deleted by hand; the plan no longer has it.",
    )
    assert differences(back)[0].message == back.stale[0]


def test_that_a_link_by_hand_gives_way_to_the_plans(base: Base, whole: EditedFabric) -> None:
    key = whole.key(0)
    edits = FabricEdits(links={key_of((key[0], key[1]), ("leaf-su03-r3", 2)): True})
    after = edited_fabric(base, edits)
    assert len(after.links) == len(whole.links)
    assert "the plan uses one of its ports now" in after.stale[0]


def test_that_devices_are_moved_grouped_and_put_back(base: Base) -> None:
    edits = done(fabric_edits.move(NO_EDITS, {"node-001": (5.0, 6.0)}))
    edits = done(fabric_edits.group(edits, ["node-001", "node-002"], fabric_edits.free_group(edits)))
    fabric = edited_fabric(base, edits)
    assert fabric.group_of(0) == fabric.group_of(1) == "Group 1"
    assert fabric_edits.free_group(edits) == "Group 2"
    assert edits.count == 0
    assert [f.severity for f in differences(fabric)] == []
    back = done(fabric_edits.group(edits, ["node-001", "node-002"], ""))
    assert set(back.devices) == {"node-001"}
    assert refused(fabric_edits.group(back, [], "x")).reason == "Choose the devices of the group first."


def test_that_an_added_device_that_is_deleted_leaves_no_trace(base: Base) -> None:
    sheet = with_kinds(base, ("qm9700", "leaf"), ("qm9700", "leaf"), edits=NO_EDITS)
    one, other = sheet.own_names[-2:]
    edits = done(link(sheet, (one, 0), (other, 0)))
    assert done(fabric_edits.delete(edits, [one, other], [])) == NO_EDITS


def test_that_only_what_uses_a_device_lights_up(base: Base, whole: EditedFabric) -> None:
    node = whole.index_of["node-001"]
    up = paths_up(whole, np.array([node]))
    mine = whole.links.tier[up]
    assert (mine == NODE_LEAF).sum() == 8
    leaves = np.unique(whole.links.b[up & (whole.links.tier == NODE_LEAF)])
    assert (mine != NODE_LEAF).sum() == 8 * 32
    assert set(whole.devices.kind[leaves]) == {LEAF}
    other = whole.index_of["node-100"]
    between = paths_between(whole, node, other)
    used = {tuple(path) for path in fabric_graph.paths(whole, node, other)}
    pairs = {frozenset(p) for path in used for p in pairwise(path)}
    lit = {frozenset((int(a), int(b))) for a, b in zip(whole.links.a[between], whole.links.b[between], strict=True)}
    assert lit == pairs


def test_that_placed_devices_are_found_by_their_names_in_the_fabric(plan: Evaluation, base: Base) -> None:
    from wattsweights_gui.layout.from_plan import fill_from_plan
    from wattsweights_gui.layout.hall import hall_of
    from wattsweights_gui.layout.placements import EMPTY
    from wattsweights_gui.layout.wanted import wanted_of

    hall = hall_of(plan)
    placed = fill_from_plan(EMPTY, hall, wanted_of(plan, hall)).placements
    names = wired_places(base.wiring, placed)
    assert sorted(names.values()) == sorted(n for n in base.wiring.names if not n.startswith("ufm"))
    assert len(set(names.values())) == len(names)
    first = next(id for id, name in names.items() if name == "node-001")
    assert placed.device(first).role == "node"


def test_that_traffic_follows_the_groups(plan: Evaluation, base: Base, whole: EditedFabric) -> None:
    found = rank_groups(plan, base.gpus)
    assert found.why_not == ""
    load = traffic(whole, found)
    node_links = whole.links.tier == NODE_LEAF
    sent = sum(g.network_bytes for g in found.groups if g.size > 1)
    # each GPU sends over its own adapter, never more than its groups do
    assert load[node_links].max() <= sent * (1 + 1e-9)
    busy = np.flatnonzero(whole.devices.kind[whole.links.a] == NODE)[: found.ranks]
    assert load[busy].sum() > 0
    # what leaves the leaves is no more than what came in
    assert load[~node_links].sum() <= load[node_links].sum() * (1 + 1e-9)
    group = found.groups[-1]
    members = np.bincount(found.group_of_rank(group))
    assert set(members.tolist()) == {group.size}


def test_that_a_plan_without_nodes_has_no_fabric(evaluated: Any) -> None:
    with pytest.raises(NoFabricError, match=r"three tiers|There is no fabric yet"):
        base_of(evaluated(parallelism__layout="pinned", parallelism__dp=60000, workload__global_batch=60000))


def test_that_a_pair_keeps_its_links_between(evaluated: Any) -> None:
    small = evaluated(parallelism__layout="pinned", parallelism__dp=1, parallelism__tp=8, parallelism__pp=4)
    made = base_of(small)
    fabric = edited_fabric(made, NO_EDITS)
    assert len(fabric.links) == len(made.wiring.links)
    assert (fabric.links.tier == PAIR).sum() == (made.wiring.links.tier == PAIR).sum()


Wish = tuple[str, int, int, int, int]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["link", "cut", "delete", "add", "join"]),
            st.integers(0, 400), st.integers(0, 70), st.integers(0, 400), st.integers(0, 70),
        ),
        max_size=12,
    )
)  # fmt: skip
def test_that_no_edits_ever_use_a_port_twice(plan: Evaluation, wishes: list[Wish]) -> None:
    base = base_of(plan)
    edits = NO_EDITS
    for what, one, port, other, other_port in wishes:
        fabric = edited_fabric(base, edits)
        a, b = (fabric.own_names[n % len(fabric.own_names)] for n in (one, other))
        outcome: FabricOutcome
        if what == "link":
            outcome = link(fabric, (a, port), (b, other_port))
        elif what == "cut":
            outcome = fabric_edits.delete(edits, [], [fabric.key(one % len(fabric.links))])
        elif what == "delete":
            outcome = fabric_edits.delete(edits, [a], [])
        elif what == "join":
            outcome = join(fabric, [a, b])
        else:
            outcome = fabric_edits.add_device(edits, fabric.own_names, kind("qm9700"), "leaf", (one, other))
        if isinstance(outcome, FabricEdited):
            edits = outcome.edits
    fabric = edited_fabric(base, edits)
    links = fabric.links
    ends = [
        *zip(links.a.tolist(), links.a_port.tolist(), strict=True),
        *zip(links.b.tolist(), links.b_port.tolist(), strict=True),
    ]
    assert len(set(ends)) == len(ends)
    assert all(0 <= p < fabric.devices.ports[d] for d, p in ends)
    assert fabric.stale == ()
    assert (fabric.gbit_s[links.a] == fabric.gbit_s[links.b]).all()
    assert len(fabric.own_names) == len(set(fabric.own_names)) == len(fabric.devices)
