"""The compute fabric link by link: nodes, leaves, spines and cores, and which port of which goes to which.

Everything is an array, one element a device or a link, so that tens of thousands of links are made in milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from wattsweights_gui.engine.equations.rail_designs import Counts, RailDesign, count, plain

Whole: TypeAlias = NDArray[np.int64]
Row: TypeAlias = tuple[NDArray[Any], ...]

NODE, MANAGER, LEAF, SPINE, CORE = range(5)
KINDS = ("node", "fabric manager", "leaf", "spine", "core")
NODE_LEAF, LEAF_SPINE, SPINE_CORE, PAIR = range(4)
TIERS = ("node to leaf", "leaf to spine", "spine to core", "between the pair")
MOST_TIERS = 3


class TooLargeError(ValueError):
    """More nodes than three tiers of the design's switches can join, so that there is nothing to wire."""


@dataclass(frozen=True, eq=False)
class Devices:
    """What stands in a fabric, one element a device, nodes first, then the manager, leaves, spines and cores.

    Attributes:
        kind: code of :data:`KINDS`.
        unit: scalable unit, from 0; -1 for what belongs to none.
        rail, plane: from 0; -1 for what serves all of them.
        position: among those of its kind with the same unit, rail and plane.
        ports: that a device has.
    """

    kind: Whole
    unit: Whole
    rail: Whole
    plane: Whole
    position: Whole
    ports: Whole

    def __len__(self) -> int:
        return len(self.kind)

    def of(self, kind: int) -> Whole:
        """Return the indices of a kind."""
        return np.flatnonzero(self.kind == kind)


@dataclass(frozen=True, eq=False)
class Links:
    """Links, one an element: the lower end ``a`` and the upper end ``b``, with their ports counted from 0."""

    a: Whole
    a_port: Whole
    b: Whole
    b_port: Whole
    tier: Whole

    def __len__(self) -> int:
        return len(self.a)

    def of(self, tier: int) -> Links:
        """Return the links of a tier."""
        return self.take(np.flatnonzero(self.tier == tier))

    def take(self, index: NDArray[Any]) -> Links:
        """Return some of them."""
        return Links(self.a[index], self.a_port[index], self.b[index], self.b_port[index], self.tier[index])


@dataclass(frozen=True, eq=False)
class Wiring:
    """A whole compute fabric.

    Attributes:
        design, counts: what it is built by.
        devices, links: what there is.
    """

    design: RailDesign
    counts: Counts
    devices: Devices
    links: Links

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of all devices, as they stand on labels."""
        return tuple(_names(self))

    def name(self, device: int) -> str:
        """Return the name of one device."""
        return self.names[device]

    def port_name(self, device: int, port: int) -> str:
        """Return a port as the device's faceplate counts it, from 1; an adapter by its rail."""
        return self.adapters[port] if device < self.counts.nodes else str(port + 1)

    @cached_property
    def adapters(self) -> tuple[str, ...]:
        """Names of a node's adapters in the order of their ports."""
        design = self.design
        each = max(1, int(design.links_per_rail))
        found = []
        for port in range(design.links_per_node * design.planes):
            plane, rest = divmod(port, design.links_per_node)
            rail, number = divmod(rest, each)
            words = f"rail {rail + 1}" + (f".{number + 1}" if each > 1 else "")
            found.append(words if design.planes == 1 else f"{words} plane {plane + 1}")
        return tuple(found)

    @cached_property
    def used_ports(self) -> Whole:
        """Ports of each device that have a link."""
        both = np.concatenate([self.links.a, self.links.b])
        return np.bincount(both, minlength=len(self.devices)).astype(np.int64)

    def neighbours(self, device: int) -> Whole:
        """Return the links that end at a device."""
        return np.flatnonzero((self.links.a == device) | (self.links.b == device))


@lru_cache(maxsize=8)
def wiring_of(design: RailDesign, nodes: int, manager_inside: bool = False) -> Wiring:
    """Return the fabric of a design for so many nodes.

    Raises:
        TooLargeError: three tiers do not join so many nodes.
        ValueError: no node.
    """
    if nodes < 1:
        raise ValueError("A fabric has one node or more.")
    counts = count(design, nodes, manager_inside)
    if counts.tiers > MOST_TIERS:
        raise TooLargeError(
            f"{nodes} nodes are more than three tiers of {design.leaf_ports}-port switches join: there is no wiring."
        )
    if design.pair and counts.tiers == 1:
        return _pair(design, counts)
    if design.pair:
        design = plain(design)
    if counts.tiers == 1:
        return _one_switch(design, counts)
    return _fat_tree(design, counts)


# ------------------------------------------------------------------------------------------------------------- nodes


def _ends(design: RailDesign, counts: Counts) -> tuple[Whole, Whole, Whole, Whole, Whole]:
    """Return node, own port, plane, rail and place in the rail's ports of every node link, the manager's last.

    The manager takes the place of the node after the last one, on the first rails.
    """
    each = max(1, int(design.links_per_rail))
    grid = np.meshgrid(
        np.arange(design.planes), np.arange(counts.nodes), np.arange(design.rails), np.arange(each), indexing="ij"
    )
    plane, node, rail, link = (g.ravel() for g in grid)
    port = plane * design.links_per_node + rail * each + link
    place = node * each + link
    if counts.manager_leaf_cables:
        wires = np.arange(counts.manager_leaf_cables)
        node = np.concatenate([node, np.full(len(wires), counts.nodes)])
        port = np.concatenate([port, wires])
        plane = np.concatenate([plane, np.zeros(len(wires), dtype=np.int64)])
        rail = np.concatenate([rail, wires % design.rails])
        place = np.concatenate([place, counts.nodes * each + wires // design.rails])
    return node, port, plane, rail, place


def _lower(design: RailDesign, counts: Counts) -> list[Row]:
    """Return the rows of nodes and manager: kind, unit, rail, plane, position, ports."""
    nodes = np.arange(counts.nodes)
    each = max(1, int(design.links_per_rail))
    unit = nodes * each // design.ports_of_unit
    first = np.searchsorted(unit, unit)
    none = np.full(counts.nodes, -1)
    ports = np.full(counts.nodes, design.links_per_node * design.planes)
    rows: list[Row] = [(np.full(counts.nodes, NODE), unit, none, none, nodes - first, ports)]
    if counts.manager_leaf_cables:
        one = np.array([-1])
        rows.append((np.array([MANAGER]), one, one, one, np.array([0]), np.array([counts.manager_leaf_cables])))
    return rows


def _switches(kind: int, unit: Whole, rail: Whole, plane: Whole, position: Whole, ports: int) -> Row:
    return (np.full(len(unit), kind), unit, rail, plane, position, np.full(len(unit), ports))


def _built(design: RailDesign, counts: Counts, rows: list[Row], links: list[Row]) -> Wiring:
    columns = [np.concatenate(parts).astype(np.int64) for parts in zip(*rows, strict=True)]
    ends = [np.concatenate(parts).astype(np.int64) for parts in zip(*links, strict=True)]
    return Wiring(design, counts, Devices(*columns), Links(*ends))


def _first(counts: Counts) -> int:
    """Return the index of the first switch."""
    return counts.nodes + (1 if counts.manager_leaf_cables else 0)


def _one_switch(design: RailDesign, counts: Counts) -> Wiring:
    node, port, plane, _, _ = _ends(design, counts)
    order = np.argsort(plane, kind="stable")
    node, port, plane = node[order], port[order], plane[order]
    starts = np.searchsorted(plane, np.arange(design.planes))
    at = np.arange(len(plane)) - starts[plane]
    planes = np.arange(design.planes)
    none = np.full(design.planes, -1)
    rows: list[Row] = [*_lower(design, counts), _switches(LEAF, none + 1, none, planes, none + 1, design.leaf_ports)]
    links: list[Row] = [(node, port, _first(counts) + plane, at, np.full(len(node), NODE_LEAF))]
    return _built(design, counts, rows, links)


def _pair(design: RailDesign, counts: Counts) -> Wiring:
    """Return two switches: each node has half of its links on each, and they are joined directly."""
    node, port, _, _, _ = _ends(design, counts)
    side = port % 2
    order = np.argsort(side, kind="stable")
    node, port, side = node[order], port[order], side[order]
    at = np.arange(len(side)) - np.searchsorted(side, np.arange(2))[side]
    first = _first(counts)
    zero, minus = np.zeros(2, dtype=np.int64), np.full(2, -1)
    rows: list[Row] = [*_lower(design, counts), _switches(LEAF, zero, minus, zero, np.arange(2), design.leaf_ports)]
    between = np.arange(counts.leaf_spine_cables)
    used = np.bincount(side, minlength=2)
    links: list[Row] = [
        (node, port, first + side, at, np.full(len(node), NODE_LEAF)),
        (
            np.full(len(between), first),
            used[0] + between,
            np.full(len(between), first + 1),
            used[1] + between,
            np.full(len(between), PAIR),
        ),
    ]
    return _built(design, counts, rows, links)


# ---------------------------------------------------------------------------------------------------------- fat tree


def _fat_tree(design: RailDesign, counts: Counts) -> Wiring:
    node, port, plane, rail, place = _ends(design, counts)
    of_rail = counts.units * design.leaves_per_unit // design.rails
    of_unit = design.leaves_per_unit // design.rails
    each_leaf = -(-design.ports_of_unit // of_unit)
    unit, within = np.divmod(place, design.ports_of_unit)
    leaf_of_rail = unit * of_unit + within // each_leaf
    leaf = (plane * design.rails + rail) * of_rail + leaf_of_rail
    first = _first(counts)
    links: list[Row] = [(node, port, first + leaf, within % each_leaf, np.full(len(node), NODE_LEAF))]
    leaves = np.arange(counts.leaf_switches)
    leaf_plane, rest = np.divmod(leaves, design.rails * of_rail)
    leaf_rail, index = np.divmod(rest, of_rail)
    rows: list[Row] = [
        *_lower(design, counts),
        _switches(LEAF, index // of_unit, leaf_rail, leaf_plane, index % of_unit, design.leaf_ports),
    ]
    above = _two_tiers if counts.tiers == 2 else _three_tiers
    more_rows, more_links = above(design, counts, first, (leaf_plane, leaf_rail, index))
    return _built(design, counts, [*rows, *more_rows], [*links, *more_links])


Places: TypeAlias = tuple[Whole, Whole, Whole]
Parts: TypeAlias = tuple[list[Row], list[Row]]


def _uplinks(design: RailDesign, counts: Counts, leaves: int) -> tuple[Whole, Whole, Whole, Whole]:
    """Return leaf, own port, spine of its group and which of their links, of every uplink of every leaf."""
    spines, each = counts.spines_of_part, counts.leaf_spine_links
    leaf, spine, link = (
        g.ravel() for g in np.meshgrid(np.arange(leaves), np.arange(spines), np.arange(each), indexing="ij")
    )
    return leaf, design.leaf_down + spine * each + link, spine, link


def _two_tiers(design: RailDesign, counts: Counts, first: int, places: Places) -> Parts:
    plane, rail, index = places
    of_rail = counts.units * design.leaves_per_unit // design.rails
    leaf, own, spine, link = _uplinks(design, counts, len(plane))
    apart = design.rail_isolated
    group = plane * design.rails + rail if apart else plane
    place = index if apart else rail * of_rail + index
    above = first + counts.leaf_switches
    upper = above + group[leaf] * counts.spines_of_part + spine
    at = place[leaf] * counts.leaf_spine_links + link
    spines = np.arange(counts.spine_switches)
    of_group, position = np.divmod(spines, counts.spines_of_part)
    none = np.full(len(spines), -1)
    spine_plane, spine_rail = np.divmod(of_group, design.rails) if apart else (of_group, none)
    rows: list[Row] = [_switches(SPINE, none, spine_rail, spine_plane, position, design.spine_ports)]
    return rows, [(first + leaf, own, upper, at, np.full(len(leaf), LEAF_SPINE))]


def _three_tiers(design: RailDesign, counts: Counts, first: int, places: Places) -> Parts:
    plane, rail, index = places
    leaf, own, spine, link = _uplinks(design, counts, len(plane))
    part, place = np.divmod(index, counts.part_leaves)
    each = counts.leaf_spine_links
    above = first + counts.leaf_switches
    group = (plane * design.rails + rail) * counts.parts + part
    upper = above + group[leaf] * counts.spines_of_part + spine
    at = place[leaf] * each + link
    links: list[Row] = [(first + leaf, own, upper, at, np.full(len(leaf), LEAF_SPINE))]
    spines = np.arange(counts.spine_switches)
    spine_group, position = np.divmod(spines, counts.spines_of_part)
    rest, spine_part = np.divmod(spine_group, counts.parts)
    spine_plane, spine_rail = np.divmod(rest, design.rails)
    unit = spine_part if design.unit_spines else np.full(len(spines), -1)
    within = position if design.unit_spines else spine_part * counts.spines_of_part + position
    rows: list[Row] = [_switches(SPINE, unit, spine_rail, spine_plane, within, design.spine_ports)]
    # cores: those of one position join that position of every group
    apart = design.rail_isolated
    sets = spine_plane * design.rails + spine_rail if apart else spine_plane
    joined = spine_part if apart else spine_rail * counts.parts + spine_part
    cores, up = counts.cores_of_position, counts.spine_core_links
    lower, core, wire = (g.ravel() for g in np.meshgrid(spines, np.arange(cores), np.arange(up), indexing="ij"))
    top = above + counts.spine_switches
    upper = top + (sets[lower] * counts.spines_of_part + position[lower]) * cores + core
    links.append(
        (
            above + lower,
            design.spine_down + core * up + wire,
            upper,
            joined[lower] * up + wire,
            np.full(len(lower), SPINE_CORE),
        )
    )
    all_cores = np.arange(counts.core_switches)
    of_set, in_set = np.divmod(all_cores, counts.spines_of_part * cores)
    none = np.full(len(all_cores), -1)
    core_plane, core_rail = np.divmod(of_set, design.rails) if apart else (of_set, none)
    rows.append(_switches(CORE, none, core_rail, core_plane, in_set, design.core_ports))
    return rows, links


# ------------------------------------------------------------------------------------------------------------- names


def _names(wiring: Wiring) -> list[str]:
    d, design = wiring.devices, wiring.design
    planes = design.planes > 1
    wide = max(3, len(str(wiring.counts.nodes)))
    found: list[str] = []
    node = 0
    columns = (d.kind, d.unit, d.rail, d.plane, d.position)
    for kind, unit, rail, plane, position in zip(*(c.tolist() for c in columns), strict=True):
        if kind == NODE:
            node += 1
            found.append(f"node-{node:0{wide}d}")
            continue
        if kind == MANAGER:
            found.append("ufm-1")
            continue
        parts = [KINDS[kind]]
        if unit >= 0 and wiring.counts.tiers > 1:
            parts.append(f"su{unit + 1:02d}")
        if rail >= 0:
            parts.append(f"r{rail + 1}")
        if planes:
            parts.append(f"p{plane + 1}")
        # the only one of its unit and rail needs no number
        if kind != LEAF or design.leaves_per_unit > design.rails or wiring.counts.tiers == 1:
            parts.append(f"{position + 1}")
        found.append("-".join(parts))
    return found
