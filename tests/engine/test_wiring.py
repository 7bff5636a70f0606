"""The fabric link by link: ports, counts and rails of every design and size, and what the graph says of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine import fabric_graph
from wattsweights_gui.engine.equations.rail_designs import RailDesign, count
from wattsweights_gui.engine.planned_fabric import design_of, is_fabric_design
from wattsweights_gui.engine.wiring import (
    CORE,
    LEAF,
    LEAF_SPINE,
    NODE,
    NODE_LEAF,
    SPINE,
    SPINE_CORE,
    TooLargeError,
    Wiring,
    wiring_of,
)

DESIGNS: dict[str, RailDesign] = {
    entry.id: design_of(entry, catalog()) for entry in catalog().of_kind("reference_design") if is_fabric_design(entry)
}
NODES = st.integers(1, 2048)


def wired(design: RailDesign, nodes: int, manager: bool) -> Wiring | None:
    if count(design, nodes, manager).tiers == 4:
        with pytest.raises(TooLargeError, match="more than three tiers"):
            wiring_of(design, nodes, manager)
        return None
    return wiring_of(design, nodes, manager)


@pytest.mark.parametrize("name", DESIGNS)
@settings(max_examples=25, deadline=None)
@given(NODES, st.booleans())
def test_that_no_port_has_two_cables_and_none_is_beyond_its_switch(name: str, nodes: int, manager: bool) -> None:
    wiring = wired(DESIGNS[name], nodes, manager)
    if wiring is None:
        return
    links, ports = wiring.links, wiring.devices.ports
    assert (links.a_port < ports[links.a]).all()
    assert (links.b_port < ports[links.b]).all()
    ends = np.concatenate([np.stack([links.a, links.a_port]), np.stack([links.b, links.b_port])], axis=1)
    assert np.unique(ends, axis=1).shape[1] == 2 * len(links)
    assert wiring.used_ports.sum() == 2 * len(links)


@pytest.mark.parametrize("name", DESIGNS)
@settings(max_examples=25, deadline=None)
@given(NODES, st.booleans())
def test_that_switches_and_cables_are_those_that_are_counted(name: str, nodes: int, manager: bool) -> None:
    wiring = wired(DESIGNS[name], nodes, manager)
    if wiring is None:
        return
    counts = count(DESIGNS[name], nodes, manager)
    kinds = np.bincount(wiring.devices.kind, minlength=5)
    assert kinds[NODE] == nodes
    assert (kinds[LEAF], kinds[SPINE], kinds[CORE]) == (
        counts.leaf_switches,
        counts.spine_switches,
        counts.core_switches,
    )
    of_tier = np.bincount(wiring.links.tier, minlength=4)
    assert of_tier[NODE_LEAF] == counts.node_leaf_cables + counts.manager_leaf_cables
    if counts.tiers > 1:
        assert of_tier[LEAF_SPINE] == counts.leaf_spine_cables
        assert of_tier[SPINE_CORE] == counts.spine_core_cables
    assert len(set(wiring.names)) == len(wiring.devices)


@pytest.mark.parametrize("name", [n for n, d in DESIGNS.items() if not d.rail_isolated and d.planes == 1])
@settings(max_examples=10, deadline=None)
@given(NODES)
def test_that_every_node_reaches_every_other(name: str, nodes: int) -> None:
    wiring = wired(DESIGNS[name], nodes, False)
    if wiring is not None:
        assert fabric_graph.connected(wiring)


@pytest.mark.parametrize("name", [n for n, d in DESIGNS.items() if d.rails > 1])
@settings(max_examples=15, deadline=None)
@given(NODES)
def test_that_rails_stay_rails(name: str, nodes: int) -> None:
    design = DESIGNS[name]
    wiring = wired(design, nodes, False)
    if wiring is None or wiring.counts.tiers == 1:
        return
    links = wiring.links.of(NODE_LEAF)
    each = max(1, int(design.links_per_rail))
    own = links.a_port % design.links_per_node // each
    assert (wiring.devices.rail[links.b] == own).all()
    if wiring.counts.tiers == 3 or design.rail_isolated:
        up = wiring.links.of(LEAF_SPINE)
        assert (wiring.devices.rail[up.a] == wiring.devices.rail[up.b]).all()
    if design.ports_of_unit % each == 0:  # else a node's links may lie on both sides of a unit's edge
        assert (wiring.devices.unit[links.a] == wiring.devices.unit[links.b]).all()


def test_that_the_superpod_of_2048_nodes_has_49152_cables() -> None:
    wiring = wiring_of(DESIGNS["dgx_superpod_h100"], 2048)
    assert len(wiring.links) == 49152
    assert [(t.name, t.links, t.ratio) for t in fabric_graph.tiers(wiring)] == [
        ("node to leaf", 16384, None),
        ("leaf to spine", 16384, 1.0),
        ("spine to core", 16384, 1.0),
    ]
    assert fabric_graph.bisection_links(wiring) == 8192


@pytest.mark.parametrize("ratio", [2.0, 3.0, 4.0])
def test_that_fewer_uplinks_oversubscribe_the_leaf_and_shrink_the_bisection(ratio: float) -> None:
    design = DESIGNS["dgx_superpod_h100"]
    full, thin = wiring_of(design, 128), wiring_of(design.oversubscribed(ratio), 128)
    tier = fabric_graph.tiers(thin)[1]
    assert tier.ratio is not None
    assert 1.0 < tier.ratio <= ratio
    assert fabric_graph.bisection_links(thin) == pytest.approx(fabric_graph.bisection_links(full) / tier.ratio)


def test_that_a_path_inside_a_unit_crosses_one_leaf_and_beyond_it_a_spine() -> None:
    wiring = wiring_of(DESIGNS["dgx_superpod_h100"], 128)
    near, far = fabric_graph.paths(wiring, 0, 31), fabric_graph.paths(wiring, 0, 127)
    assert {len(path) for path in near} == {3}
    assert len(near) == 8
    assert {len(path) for path in far} == {5}
    # 8 leaves below, 16 spines, 8 leaves above
    assert len(far) == 8 * 16 * 8


def test_that_a_lost_leaf_takes_one_rail_of_its_unit_and_a_lost_cable_one_link() -> None:
    wiring = wiring_of(DESIGNS["dgx_superpod_h100"], 128)
    leaf = int(wiring.devices.of(LEAF)[0])
    loss = fabric_graph.without_device(wiring, leaf)
    assert (loss.nodes, loss.node_links, loss.of_links, loss.cut_off) == (32, 1, 8, ())
    assert loss.bisection_left == pytest.approx(31 / 32)
    assert "leaf-su01-r1" in loss.sentence
    cable = fabric_graph.without_link(wiring, 0)
    assert (cable.links, cable.nodes, cable.node_links) == (1, 1, 1)
    assert "node-001 port rail 1" in cable.sentence


def test_that_a_lost_spine_thins_every_leaf() -> None:
    wiring = wiring_of(DESIGNS["dgx_superpod_h100"], 128)
    loss = fabric_graph.without_device(wiring, int(wiring.devices.of(SPINE)[3]))
    assert loss.leaves == 32
    assert loss.uplinks_left == pytest.approx(15 / 16)
    assert loss.nodes == 0


def test_that_the_only_switch_of_a_plane_takes_all_nodes_with_it() -> None:
    design = DESIGNS["dgx_basepod_h100"]
    wiring = wiring_of(design, 4)
    assert fabric_graph.without_device(wiring, int(wiring.devices.of(LEAF)[0])).cut_off == ()
    small = RailDesign(8, 8, 1, 32, 8, 32, 32, 64, 64, 32, 32, 64)
    alone = wiring_of(small, 4)
    assert len(fabric_graph.without_device(alone, int(alone.devices.of(LEAF)[0])).cut_off) == 4


def test_that_a_fabric_without_nodes_is_refused() -> None:
    with pytest.raises(ValueError, match="one node or more"):
        wiring_of(DESIGNS["dgx_superpod_h100"], 0)
