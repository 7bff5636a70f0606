"""A fabric as numbers (rails, planes, ports of a unit), and what it counts to for so many nodes."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from wattsweights_gui.engine.equations import clos


@dataclass(frozen=True)
class RailDesign:
    """A rail-optimised (or plain, with one rail) fat tree.

    Attributes:
        links_per_node: of one plane.
        ports_of_unit: ports for nodes that one rail has in one scalable unit.
        leaves_per_unit: of all rails, one plane.
        leaf_down, leaf_up: ports of a leaf that face nodes and spines.
        spine_ports: all ports of a spine; in three tiers ``spine_down`` and ``spine_up`` of them face each way.
        core_ports: ports of a core.
        unit_spines: each unit's rail has spines of its own, under cores (GB200), however small the cluster is.
        rail_isolated: rails do not meet at the spines.
        pair: two switches joined directly, each node split over both (BasePOD); links between them for each node.
        published_units: the largest size in the published tables; 0 where there is none.
    """

    links_per_node: int
    rails: int
    planes: int
    ports_of_unit: int
    leaves_per_unit: int
    leaf_down: int
    leaf_up: int
    leaf_ports: int
    spine_ports: int
    spine_down: int
    spine_up: int
    core_ports: int
    unit_spines: bool = False
    rail_isolated: bool = False
    pair: int = 0
    published_units: int = 0
    manager_links: int = 4
    displaced: int = 1

    @property
    def links_per_rail(self) -> float:
        """Links of one node on one rail of one plane."""
        return self.links_per_node / self.rails

    def oversubscribed(self, ratio: float) -> RailDesign:
        """Return the design with fewer uplinks: the whole number of uplinks that is not above ``ratio`` to one."""
        if ratio <= 1:
            return self
        return replace(self, leaf_up=max(1, math.ceil(self.leaf_down / ratio - 1e-9)))


@dataclass(frozen=True)
class Counts:
    """What a design counts to, and how the links lie.

    Attributes:
        tiers: 1 (one switch), 2, 3; 4 is an estimate by closed form, beyond what the design can wire.
        leaf_spine_links: links of one leaf to one of its spines; ``spine_core_links`` likewise.
        parts: parts that a rail is cut into in three tiers; ``part_leaves`` leaves of the largest.
        spines_of_part: spines of one part (three tiers), of one rail (isolated) or of all (two tiers).
        cores_of_position: cores that join one spine position.
    """

    nodes: int
    units: int
    tiers: Literal[1, 2, 3, 4]
    leaf_switches: int
    spine_switches: int
    core_switches: int
    node_leaf_cables: int
    manager_leaf_cables: int
    leaf_spine_cables: int
    spine_core_cables: int
    leaf_spine_links: int = 0
    spine_core_links: int = 0
    parts: int = 0
    part_leaves: int = 0
    spines_of_part: int = 0
    cores_of_position: int = 0


@lru_cache(maxsize=1024)
def count(design: RailDesign, nodes: int, manager_inside: bool = False) -> Counts:
    """Count switches and cables for so many nodes.

    Args:
        design: the fabric.
        nodes: compute nodes, partly filled units included.
        manager_inside: the fabric manager sits on leaf ports and displaces nodes.
    """
    displaced = design.displaced if manager_inside else 0
    units = clos.scalable_units(nodes, displaced, design.links_per_rail, design.ports_of_unit)
    node_leaf = clos.node_cables(nodes, design.links_per_node, design.planes)
    manager = design.manager_links if manager_inside else 0
    endpoints = nodes * design.links_per_node + manager
    if design.pair:
        if fits_pair(design, nodes, manager_inside):
            return Counts(nodes, units, 1, 2, 0, 0, node_leaf, manager, nodes * design.pair, 0)
        return count(plain(design), nodes, manager_inside)
    if design.published_units == 0 and endpoints <= design.leaf_ports:
        return Counts(nodes, units, 1, design.planes, 0, 0, node_leaf, manager, 0, 0)
    leaves_of_rail = units * design.leaves_per_unit // design.rails
    leaf = clos.leaf_switches(units, design.leaves_per_unit, design.planes)
    leaf_spine = clos.uplink_cables(leaf, design.leaf_up)
    base = Counts(nodes, units, 4, leaf, 0, 0, node_leaf, manager, leaf_spine, 0)
    wired = _two_tiers(design, base, leaves_of_rail) or _three_tiers(design, base, leaves_of_rail)
    return wired or _four_tiers(design, base)


def fits_pair(design: RailDesign, nodes: int, manager_inside: bool = False) -> bool:
    """Return whether two switches have ports for half of each node's links, the links between them and the manager."""
    manager = design.manager_links if manager_inside else 0
    return nodes * (design.links_per_node // 2 + design.pair) + manager <= design.leaf_ports


def plain(design: RailDesign) -> RailDesign:
    """Return the two- or three-tier fabric of the same switches that stands in where a pair is too small."""
    half = design.leaf_ports // 2
    return replace(
        design,
        pair=0,
        rails=design.links_per_node,
        ports_of_unit=half,
        leaves_per_unit=design.links_per_node,
        leaf_down=half,
        leaf_up=design.leaf_ports - half,
        published_units=0,
    )


def _two_tiers(design: RailDesign, base: Counts, leaves_of_rail: int) -> Counts | None:
    isolated = design.rail_isolated
    leaves = leaves_of_rail if isolated else leaves_of_rail * design.rails
    if design.unit_spines or leaves > design.spine_ports:
        return None
    spines = clos.spines_two_tiers(leaves, design.leaf_up, design.spine_ports)
    return replace(
        base,
        tiers=2,
        spine_switches=spines * (design.rails if isolated else 1) * design.planes,
        leaf_spine_links=design.leaf_up // spines,
        spines_of_part=spines,
        part_leaves=leaves,
        parts=1,
    )


def _three_tiers(design: RailDesign, base: Counts, leaves_of_rail: int) -> Counts | None:
    parts = base.units if design.unit_spines else math.ceil(leaves_of_rail / design.spine_down)
    part_leaves = math.ceil(leaves_of_rail / parts)
    spines = clos.spines_of_part(part_leaves, design.leaf_up, design.spine_down)
    links = design.leaf_up // spines
    used = min(part_leaves * links, design.spine_up)
    groups = parts * (1 if design.rail_isolated else design.rails)
    cores = clos.cores_of_position(groups, used, design.spine_up, design.core_ports)
    if cores is None:
        return None
    up = math.ceil(used / cores)
    spine = spines * parts * design.rails * design.planes
    return replace(
        base,
        tiers=3,
        spine_switches=spine,
        core_switches=cores * spines * design.planes * (design.rails if design.rail_isolated else 1),
        spine_core_cables=clos.uplink_cables(spine, cores * up),
        leaf_spine_links=links,
        spine_core_links=up,
        parts=parts,
        part_leaves=part_leaves,
        spines_of_part=spines,
        cores_of_position=cores,
    )


def _four_tiers(design: RailDesign, base: Counts) -> Counts:
    """Closed form of a fourth tier: every link of the leaves goes up through two tiers of half-down switches."""
    links = base.leaf_spine_cables
    spine = math.ceil(links / design.spine_down)
    third = math.ceil(links / (design.core_ports // 2))
    top = math.ceil(links / design.core_ports)
    return replace(base, spine_switches=spine, core_switches=third + top, spine_core_cables=2 * links)
