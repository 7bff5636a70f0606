"""Questions to a wired fabric: paths, oversubscription, bisection, ports in use, and what a fault takes with it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from wattsweights_gui.engine.wiring import (
    CORE,
    KINDS,
    LEAF,
    LEAF_SPINE,
    MANAGER,
    NODE,
    NODE_LEAF,
    PAIR,
    SPINE,
    SPINE_CORE,
    TIERS,
    Whole,
    Wiring,
)


@dataclass(frozen=True)
class Tier:
    """One tier of links.

    Attributes:
        name: of the tier. links: in it.
        down, up: of the busiest switch below it: links that come from beneath, and links of this tier.
        ratio: down over up; 1 is non-blocking, ``None`` where nothing comes from beneath.
    """

    name: str
    links: int
    down: int
    up: int
    ratio: float | None


@dataclass(frozen=True)
class PortUse:
    """Ports of one kind of device: how many there are, and how many have a link."""

    kind: str
    devices: int
    ports: int
    used: int
    fullest: int


@dataclass(frozen=True)
class Loss:
    """What one fault takes.

    Attributes:
        what: the device or the link, in words.
        links: that are gone.
        cut_off: nodes that reach nobody any more, by name.
        nodes: that lose a part of their links, and ``node_links`` the most that one of them loses of ``of_links``.
        leaves: that lose a part of their uplinks; ``uplinks_left`` the least share that one of them keeps.
        bisection_left: share of the bisection that is left.
    """

    what: str
    links: int
    cut_off: tuple[str, ...]
    nodes: int
    node_links: int
    of_links: int
    leaves: int
    uplinks_left: float
    bisection_left: float

    @property
    def sentence(self) -> str:
        """What happens, in a sentence."""
        parts = []
        if self.cut_off:
            some = ", ".join(self.cut_off[:3]) + (" …" if len(self.cut_off) > 3 else "")
            parts.append(f"{_several(len(self.cut_off), 'node is', 'nodes are')} cut off ({some})")
        if self.nodes:
            who = _several(self.nodes, "node loses", "nodes lose")
            parts.append(f"{who} {self.node_links} of {self.of_links} links")
        if self.leaves:
            parts.append(
                f"{_several(self.leaves, 'leaf keeps', 'leaves keep')} {100 * self.uplinks_left:.3g}% of their uplinks"
            )
        if self.bisection_left < 1.0:
            parts.append(f"{100 * self.bisection_left:.3g}% of the bisection is left")
        return f"Without {self.what}: {'; '.join(parts) or 'nothing is lost but the redundancy'}."


def _several(count: int, one: str, more: str) -> str:
    return f"{count} {one if count == 1 else more}"


@lru_cache(maxsize=4)
def graph_of(wiring: Wiring) -> Any:
    """Return the graph (a rustworkx ``PyGraph``): a vertex a device, an edge a link, with the link's number."""
    import rustworkx as rx  # only where a graph is asked for: no start of the program waits for it

    made: Any = rx.PyGraph(multigraph=True)
    made.add_nodes_from(range(len(wiring.devices)))
    links = wiring.links
    made.add_edges_from(list(zip(links.a.tolist(), links.b.tolist(), range(len(links)), strict=True)))
    return made


def paths(wiring: Wiring, a: int, b: int, most: int = 4096) -> list[tuple[int, ...]]:
    """Return the shortest paths between two devices as devices, each once, in order; at most ``most``."""
    import rustworkx as rx

    simple = _simple(wiring)
    found = {tuple(path) for path in rx.graph_all_shortest_paths(simple, a, b)}
    return sorted(found)[:most]


@lru_cache(maxsize=4)
def _simple(wiring: Wiring) -> Any:
    """Return the graph with parallel links as one."""
    import rustworkx as rx

    made: Any = rx.PyGraph(multigraph=False)
    made.add_nodes_from(range(len(wiring.devices)))
    pairs = np.unique(np.stack([wiring.links.a, wiring.links.b]), axis=1)
    made.add_edges_from_no_data(list(zip(*pairs.tolist(), strict=True)))
    return made


def connected(wiring: Wiring) -> bool:
    """Return whether every device reaches every other over switches."""
    import rustworkx as rx

    return bool(rx.number_connected_components(graph_of(wiring)) == 1)


def tiers(wiring: Wiring) -> tuple[Tier, ...]:
    """Return each tier of links with the oversubscription at the switches below it."""
    found = []
    links, kinds = wiring.links, wiring.devices.kind
    down_of = np.bincount(links.b, minlength=len(wiring.devices))
    up_of = np.bincount(links.a, minlength=len(wiring.devices))
    for tier in (NODE_LEAF, LEAF_SPINE, SPINE_CORE, PAIR):
        count = int((links.tier == tier).sum())
        if not count:
            continue
        if tier in (NODE_LEAF, PAIR):
            found.append(Tier(TIERS[tier], count, 0, 0, None))
            continue
        below = np.flatnonzero(kinds == (LEAF if tier == LEAF_SPINE else SPINE))
        below = below[up_of[below] > 0]
        worst = below[np.argmax(down_of[below] / up_of[below])]
        down, up = int(down_of[worst]), int(up_of[worst])
        found.append(Tier(TIERS[tier], count, down, up, down / up))
    return tuple(found)


def bisection_links(wiring: Wiring, links: Whole | None = None) -> float:
    """Return the links, one direction, that carry traffic between two halves of the nodes, units kept whole.

    The tree is symmetrical: half of the links of each tier cross, and the tier with the fewest binds. Nodes with their
    adapters on one switch cross it at the rate of half of their own links.
    """
    kept = wiring.links if links is None else wiring.links.take(links)
    count = np.bincount(kept.tier, minlength=4).astype(float)
    present = np.bincount(wiring.links.tier, minlength=4) > 0
    nodes = float(((kept.tier == NODE_LEAF) & (wiring.devices.kind[kept.a] == NODE)).sum())
    halves = [nodes / 2.0]
    halves += [count[tier] / 2.0 for tier in (LEAF_SPINE, SPINE_CORE) if present[tier]]
    if present[PAIR]:
        halves.append(count[PAIR])
    return min(halves)


def port_use(wiring: Wiring) -> tuple[PortUse, ...]:
    """Return the ports of each kind of device."""
    found = []
    used, devices = wiring.used_ports, wiring.devices
    for kind in (NODE, MANAGER, LEAF, SPINE, CORE):
        these = devices.of(kind)
        if len(these):
            found.append(
                PortUse(
                    KINDS[kind],
                    len(these),
                    int(devices.ports[these].sum()),
                    int(used[these].sum()),
                    int(used[these].max()),
                )
            )
    return tuple(found)


def without_device(wiring: Wiring, device: int) -> Loss:
    """Return what is lost with a device."""
    gone = wiring.neighbours(device)
    return _loss(wiring, wiring.name(device), gone, device)


def without_link(wiring: Wiring, link: int) -> Loss:
    """Return what is lost with a link: a cable, or an optic at one of its ends."""
    a, b = int(wiring.links.a[link]), int(wiring.links.b[link])
    words = (
        f"the cable from {wiring.name(a)} port {wiring.port_name(a, int(wiring.links.a_port[link]))} "
        f"to {wiring.name(b)} port {wiring.port_name(b, int(wiring.links.b_port[link]))}"
    )
    return _loss(wiring, words, np.array([link]), None)


def _loss(wiring: Wiring, what: str, gone: Whole, device: int | None) -> Loss:
    links, devices = wiring.links, wiring.devices
    keep = np.ones(len(links), dtype=bool)
    keep[gone] = False
    kept = np.flatnonzero(keep)
    before = np.bincount(links.a, minlength=len(devices))
    after = np.bincount(links.a[kept], minlength=len(devices))
    hurt = np.flatnonzero((before > after) & (devices.kind == NODE))
    hurt = hurt[hurt != device] if device is not None else hurt
    leaves = np.flatnonzero((before > after) & (devices.kind == LEAF) & (before > 0))
    leaves = leaves[leaves != device] if device is not None else leaves
    whole = bisection_links(wiring)
    left = bisection_links(wiring, kept) / whole if whole else 1.0
    return Loss(
        what,
        len(gone),
        tuple(wiring.name(int(n)) for n in _cut_off(wiring, kept, device)),
        len(hurt),
        int((before - after)[hurt].max()) if len(hurt) else 0,
        int(before[hurt].max()) if len(hurt) else 0,
        len(leaves),
        float((after[leaves] / before[leaves]).min()) if len(leaves) else 1.0,
        left,
    )


def _cut_off(wiring: Wiring, kept: Whole, device: int | None) -> list[int]:
    """Return the nodes that reach no other, or not the part with the most nodes; the lost one is not among them."""
    import rustworkx as rx

    made: Any = rx.PyGraph(multigraph=True)
    made.add_nodes_from(range(len(wiring.devices)))
    made.add_edges_from_no_data(list(zip(wiring.links.a[kept].tolist(), wiring.links.b[kept].tolist(), strict=True)))
    nodes = {n for n in wiring.devices.of(NODE).tolist() if n != device}
    parts = [part & nodes for part in rx.connected_components(made)]
    largest = max(parts, key=len)
    if len(largest) == 1 and len(nodes) > 1:
        return sorted(nodes)
    return sorted(nodes - largest)
