"""Fat trees: the one rule, closed forms, and what every size of every reference design must keep."""

from __future__ import annotations

from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.equations import clos
from wattsweights_gui.engine.equations.clos_placement import covering_block, group_stride, largest_block
from wattsweights_gui.engine.equations.rail_designs import Counts, RailDesign, count
from wattsweights_gui.engine.planned_fabric import design_of, generic

UNITS = {
    "dgx_superpod_h100": 64,
    "dgx_superpod_h200": 64,
    "dgx_superpod_b200": 64,
    "dgx_superpod_b300_spectrum4": 16,
    "dgx_superpod_b300_xdr": 18,
    "dgx_superpod_gb200": 16,
    "dgx_superpod_a100": 7,
}


def design(name: str) -> RailDesign:
    return design_of(catalog().entry(name), catalog())


def nodes_of(name: str, units: int) -> int:
    return units * catalog().entry(name).get("nodes_per_su")


def wired(d: RailDesign, c: Counts) -> list[tuple[tuple, tuple, int]]:
    """Every bundle of links of one plane as (switch or node, switch, links), laid as the counts say they lie."""
    links: list[tuple[tuple, tuple, int]] = []
    leaves_of_rail = c.leaf_switches // d.planes // d.rails
    per_rail = d.links_per_node // d.rails
    for node in range(c.nodes):
        for rail in range(d.rails):
            leaf_of = node * per_rail // (d.ports_of_unit * c.units // leaves_of_rail)
            links.append((("node", node), ("leaf", rail, leaf_of), per_rail))
    parts = c.parts if c.tiers == 3 else 1
    share = -(-leaves_of_rail // parts)
    for rail in range(d.rails):
        for leaf in range(leaves_of_rail):
            part = leaf // share if c.tiers == 3 else 0
            group = (rail, part) if c.tiers == 3 else (rail if d.rail_isolated else "all", 0)
            for spine in range(c.spines_of_part):
                links.append((("leaf", rail, leaf), ("spine", *group, spine), c.leaf_spine_links))
    if c.tiers == 3:
        for rail in range(d.rails):
            for part in range(parts):
                for spine in range(c.spines_of_part):
                    for core in range(c.cores_of_position):
                        above = ("core", rail if d.rail_isolated else "all", spine, core)
                        links.append((("spine", rail, part, spine), above, c.spine_core_links))
    return links


@pytest.mark.parametrize(("name", "largest"), UNITS.items())
def test_that_no_port_is_used_twice_and_links_are_equal_at_every_size_of_a_reference_design(name, largest):
    d = design(name)
    for units in range(1, largest + 1):
        c = count(d, nodes_of(name, units))
        leaf, spine, core = (n // d.planes for n in (c.leaf_switches, c.spine_switches, c.core_switches))
        assert d.leaf_down + d.leaf_up <= d.leaf_ports
        assert c.node_leaf_cables <= c.leaf_switches * d.leaf_down
        assert c.spines_of_part * c.leaf_spine_links == d.leaf_up
        assert c.leaf_spine_cables == leaf * d.leaf_up * d.planes
        down = c.part_leaves * c.leaf_spine_links
        assert down <= (d.spine_ports if c.tiers == 2 else d.spine_down)
        if c.tiers == 3:
            up = c.cores_of_position * c.spine_core_links
            groups = c.parts * (1 if d.rail_isolated else d.rails)
            assert down <= up <= d.spine_up
            assert groups * c.spine_core_links <= d.core_ports
            assert c.spine_core_cables == spine * up == core * groups * c.spine_core_links


@pytest.mark.parametrize("name", UNITS)
@settings(deadline=None, max_examples=8)
@given(data=st.data())
def test_that_cables_are_half_of_the_ports_used_and_every_node_reaches_every_other(name, data):
    units = data.draw(st.integers(1, min(UNITS[name], 10)))
    per_unit = catalog().entry(name).get("nodes_per_su")
    nodes = data.draw(st.integers((units - 1) * per_unit + 1, units * per_unit))
    d = design(name)
    c = count(d, nodes)
    used: dict[tuple, int] = defaultdict(int)
    near: dict[tuple, set[tuple]] = defaultdict(set)
    for a, b, links in wired(d, c):
        used[a] += links
        used[b] += links
        near[a].add(b)
        near[b].add(a)
    cables = c.node_leaf_cables + c.leaf_spine_cables + c.spine_core_cables
    assert sum(used.values()) == 2 * cables
    limits = {"node": d.links_per_node, "leaf": d.leaf_ports, "spine": d.spine_ports, "core": d.core_ports}
    assert all(links <= limits[device[0]] for device, links in used.items())
    counted = {tier: sum(1 for device in used if device[0] == tier) for tier in ("leaf", "spine", "core")}
    assert counted == {"leaf": c.leaf_switches, "spine": c.spine_switches, "core": c.core_switches}
    seen, edge = {("node", 0)}, [("node", 0)]
    while edge:
        new = {b for a in edge for b in near[a]} - seen
        seen |= new
        edge = list(new)
    assert len(seen) == len(used)


@pytest.mark.parametrize("name", [*UNITS, "dgx_basepod_h100", "gb300_era_288"])
@given(nodes=st.integers(1, 125_000), more=st.integers(1, 2000))
def test_that_more_nodes_never_take_fewer_leaves_or_cables(name, nodes, more):
    less, grown = count(design(name), nodes), count(design(name), nodes + more)
    assert grown.leaf_switches >= less.leaf_switches
    assert grown.node_leaf_cables > less.node_leaf_cables
    assert grown.units >= less.units


@given(
    nodes=st.integers(1, 20_000),
    ratio=st.sampled_from([1.0, 1.5, 2.0, 3.0, 7.0]),
    nic=st.sampled_from([100.0, 200.0, 400.0, 800.0, 1600.0]),
    gpus=st.sampled_from([1, 2, 4, 8, 16, 72]),
)
def test_that_a_generic_fabric_of_any_size_keeps_its_ports(nodes, ratio, nic, gpus):
    d = generic(catalog().entry("sn5600"), nic, gpus, gpus, ratio)
    c = count(d, nodes)
    assert c.node_leaf_cables == nodes * gpus * d.planes
    if c.tiers == 1:
        assert c.leaf_switches == d.planes
        assert nodes * gpus <= d.leaf_ports
        return
    assert c.node_leaf_cables <= c.leaf_switches * d.leaf_down
    if c.tiers < 4:
        assert c.spines_of_part * c.leaf_spine_links == d.leaf_up


def test_that_the_smallest_divisor_explains_the_counts_that_look_like_misprints():
    assert clos.spines_two_tiers(24, 32, 64) == 16  # H100, 3 units: 12 would carry the links
    assert clos.spines_two_tiers(32, 72, 144) == 18  # B300 XDR, 4 units: 16 would carry the links


def test_that_the_manager_inside_the_fabric_displaces_a_node():
    d = design("dgx_superpod_h100")
    for units in range(1, 9):
        c = count(d, 32 * units - 1, True)
        assert c.units == units
        assert c.node_leaf_cables + c.manager_leaf_cables == 8 * c.nodes + 4
    assert count(d, 32, True).units == 2


def test_that_two_switches_carry_a_basepod_of_eight_and_a_tree_carries_more():
    d = design("dgx_basepod_h100")
    assert (count(d, 8).leaf_switches, count(d, 8).spine_switches, count(d, 8).leaf_spine_cables) == (2, 0, 32)
    assert count(d, 9).spine_switches > 0


def test_that_the_gb300_enterprise_design_has_sixteen_leaves_and_eight_spines():
    c = count(design("gb300_era_288"), 4)
    assert (c.leaf_switches, c.spine_switches) == (16, 8)


def test_that_a_size_beyond_three_tiers_is_an_estimate_and_not_a_crash():
    d = design("dgx_superpod_h100")
    assert count(d, 8192).tiers == 3
    beyond = count(d, 125_000)
    assert beyond.tiers == 4
    assert beyond.core_switches > count(d, 8192).core_switches


def test_that_oversubscription_thins_out_the_uplinks_only():
    d = design("dgx_superpod_h100")
    thin = d.oversubscribed(2.0)
    assert (thin.leaf_down, thin.leaf_up) == (32, 16)
    assert count(thin, 128).leaf_spine_cables * 2 == count(d, 128).leaf_spine_cables


@given(ports=st.integers(1, 128).map(lambda n: 4 * n))
def test_that_the_largest_trees_follow_their_closed_forms(ports):
    assert clos.max_endpoints(ports, 2) == ports**2 // 2
    assert clos.max_endpoints(ports, 3) == ports**3 // 4
    assert clos.max_spines(ports, 2) == ports // 2
    assert clos.max_cores(ports) == ports**2 // 4


def test_that_more_leaves_than_a_spine_has_ports_are_refused():
    with pytest.raises(ValueError, match="at most 64 leaves"):
        clos.spines_two_tiers(65, 32, 64)


def test_that_blocks_and_strides_follow_their_rules():
    assert largest_block(18, 5) == 72
    assert covering_block(9, 135) == 144
    assert group_stride("tp-cp-ep-dp-pp", {"tp": 8, "cp": 2, "dp": 4}, "pp") == 64
