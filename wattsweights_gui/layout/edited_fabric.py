"""The fabric of a plan with the edits of a person on it, as arrays."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from wattsweights_gui.engine.chain import Evaluation, Upstream
from wattsweights_gui.engine.planned_fabric import PlannedFabric, fabric_of
from wattsweights_gui.engine.wiring import (
    KINDS,
    LEAF,
    LEAF_SPINE,
    MANAGER,
    NODE,
    NODE_LEAF,
    PAIR,
    SPINE,
    SPINE_CORE,
    Devices,
    Links,
    Whole,
    Wiring,
    wiring_of,
)
from wattsweights_gui.layout.fabric_edits import FabricEdits, LinkKey, key_of

ACROSS = 4
"""A tier of its own: links between two devices of one kind, in a fabric that is no pair."""
LEVEL = np.array([0, 0, 1, 2, 3])
_TIER_BETWEEN = {(0, 1): NODE_LEAF, (0, 2): NODE_LEAF, (0, 3): NODE_LEAF, (1, 2): LEAF_SPINE, (1, 3): LEAF_SPINE,
                 (2, 3): SPINE_CORE}  # fmt: skip
_MOST_PORTS = 1 << 12


class NoFabricError(ValueError):
    """The plan has no fabric to be drawn; the message says why."""


@dataclass(frozen=True, eq=False)
class Base:
    """The fabric that the plan generates.

    Attributes:
        fabric, wiring: as planned. gbit_s: of one link.
        node: catalogue id of a node. gpus: of one node.
    """

    fabric: PlannedFabric
    wiring: Wiring
    gbit_s: float
    node: str
    gpus: int

    @cached_property
    def index_of(self) -> dict[str, int]:
        """Devices by name."""
        return {name: i for i, name in enumerate(self.wiring.names)}

    @property
    def entries(self) -> tuple[str, ...]:
        """Catalogue ids by kind of device."""
        fabric = self.fabric
        return (self.node, "", fabric.leaf.id, fabric.spine.id, fabric.core.id)


def base_of(evaluation: Evaluation) -> Base:
    """Return the fabric of a plan.

    Raises:
        NoFabricError: the number of nodes is not known, or no three tiers join them.
    """
    cluster = evaluation.results["cluster"]
    if not cluster.nodes.known:
        raise NoFabricError(f"There is no fabric yet: {cluster.nodes.formula}.")
    nodes, gpus = int(cluster.nodes.number), int(cluster.gpus.number // cluster.nodes.number)
    inside = evaluation.plan.value("cluster.fabric_manager") == "in_compute_fabric"
    fabric = fabric_of(Upstream(evaluation.plan, evaluation.catalog, evaluation.results)).for_nodes(nodes, inside)
    try:
        wiring = wiring_of(fabric.design, nodes, inside)
    except ValueError as error:
        raise NoFabricError(str(error)) from None
    node = str(cluster.system.value) if cluster.system.known else ""
    return _base(fabric, wiring, node, gpus)


@lru_cache(maxsize=4)
def _base(fabric: PlannedFabric, wiring: Wiring, node: str, gpus: int) -> Base:
    return Base(fabric, wiring, fabric.nic_gbit_s / fabric.design.planes, node, gpus)


@dataclass(frozen=True, eq=False)
class EditedFabric(Wiring):
    """A fabric with edits. It answers to every question that a generated one does.

    Attributes:
        base: what lies beneath. edits: what was done to it.
        own_names: of the devices. planned: which device of the base each is; -1 for one that was added.
        gbit_s: of each device's ports. ethernet: 1, 0 for InfiniBand, -1 for ports that take both.
        added: which links were drawn by hand.
        stale: sentences on edits that the plan has left behind.
    """

    base: Base
    edits: FabricEdits
    own_names: tuple[str, ...]
    planned: Whole
    gbit_s: NDArray[np.float64]
    ethernet: Whole
    added: NDArray[np.bool_]
    stale: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all devices."""
        return self.own_names

    def port_name(self, device: int, port: int) -> str:
        """Return a port as the device's faceplate counts it; an adapter of the plan's nodes by its rail."""
        adapters = self.base.wiring.adapters
        if self.devices.kind[device] == NODE and self.planned[device] >= 0 and port < len(adapters):
            return adapters[port]
        return str(port + 1)

    @cached_property
    def index_of(self) -> dict[str, int]:
        """Devices by name."""
        return {name: i for i, name in enumerate(self.own_names)}

    @cached_property
    def first_port(self) -> Whole:
        """Where the ports of each device begin in :attr:`port_links`."""
        found: Whole = np.cumsum(self.devices.ports) - self.devices.ports
        return found

    @cached_property
    def port_links(self) -> Whole:
        """The link at every port of every device, in their order; -1 at a free one."""
        found = np.full(int(self.devices.ports.sum()), -1)
        numbers = np.arange(len(self.links))
        found[self.first_port[self.links.a] + self.links.a_port] = numbers
        found[self.first_port[self.links.b] + self.links.b_port] = numbers
        return found

    def link_of(self, device: int, port: int) -> int | None:
        """Return the link at a port; ``None`` where it is free, or where there is no such port."""
        if not 0 <= port < int(self.devices.ports[device]):
            return None
        found = int(self.port_links[self.first_port[device] + port])
        return found if found >= 0 else None

    def key(self, link: int) -> LinkKey:
        """Return the key of a link."""
        links = self.links
        a, b = (int(links.a[link]), int(links.a_port[link])), (int(links.b[link]), int(links.b_port[link]))
        return key_of((self.own_names[a[0]], a[1]), (self.own_names[b[0]], b[1]))

    def entry(self, device: int) -> str:
        """Return the catalogue id of a device; empty where there is none."""
        if self.planned[device] >= 0:
            return self.base.entries[int(self.devices.kind[device])]
        return self.edits.devices[self.own_names[device]].entry

    def group_of(self, device: int) -> str:
        """Return the group that a device was put into; empty where it was put into none."""
        edit = self.edits.devices.get(self.own_names[device])
        return edit.group if edit is not None else ""

    def free_port(self, device: int, other: int, taken: Collection[tuple[int, int]] = ()) -> int | None:
        """Return the first free port of a device, on its own rail or uplinks where the other one says so."""
        ports = range(int(self.devices.ports[device]))
        free = [port for port in ports if self.link_of(device, port) is None and (device, port) not in taken]
        kind, rail = self.devices.kind[device], self.devices.rail[other]
        if kind == NODE and rail >= 0:
            each = max(1, int(self.design.links_per_rail))
            free.sort(key=lambda port: port % self.design.links_per_node // each != rail)
        elif kind in (LEAF, SPINE) and LEVEL[self.devices.kind[other]] > LEVEL[kind]:
            free.sort(key=lambda port: port < down_ports(self, device))
        return free[0] if free else None


def down_ports(fabric: EditedFabric, device: int) -> int:
    """Return how many ports of a device, from the first one, face what lies below it."""
    kind, ports = int(fabric.devices.kind[device]), int(fabric.devices.ports[device])
    design, tiers = fabric.design, fabric.counts.tiers
    added = fabric.planned[device] < 0
    if kind in (NODE, MANAGER):
        return 0
    if kind == LEAF and (tiers > 1 or added):
        return ports // 2 if added else min(design.leaf_down, ports)
    if kind == SPINE and tiers > 2:
        return ports // 2 if added else min(design.spine_down, ports)
    return ports


def edited_fabric(base: Base, edits: FabricEdits) -> EditedFabric:
    """Return the fabric with the edits on it; edits that the plan has left behind are named and passed over."""
    wiring, stale = base.wiring, []
    index = base.index_of if edits.from_plan else {}
    keep = np.full(len(wiring.devices), edits.from_plan)
    for name, edit in edits.devices.items():
        if edit.change == "removed":
            if name in index:
                keep[index[name]] = False
            else:
                stale.append(f"{name} was deleted by hand; the plan no longer has it.")
        elif edit.change == "kept" and name not in index:
            stale.append(f"{name} was moved or grouped by hand; the plan no longer has it.")
    clash = [name for name, edit in edits.devices.items() if edit.change == "added" and name in index]
    stale += [f"{name} was added by hand; the plan has a device of that name now." for name in clash]
    added = {n: e for n, e in edits.devices.items() if e.change == "added" and n not in clash}
    kept = np.flatnonzero(keep)
    number = np.full(len(wiring.devices), -1)
    number[kept] = np.arange(len(kept))
    more = len(added)
    none = np.full(more, -1)
    old = wiring.devices
    kinds = np.array([KINDS.index(e.role) for e in added.values()], dtype=np.int64)
    ports = np.array([e.ports for e in added.values()], dtype=np.int64)
    columns = ((old.kind, kinds), (old.unit, none), (old.rail, none), (old.plane, none),
               (old.position, np.arange(more)), (old.ports, ports))  # fmt: skip
    devices = Devices(*(np.concatenate([column[kept], extra]).astype(np.int64) for column, extra in columns))
    all_names = wiring.names
    names = (*(all_names[i] for i in kept.tolist()), *added) if len(kept) < len(all_names) else (*all_names, *added)
    rates = np.concatenate([np.full(len(kept), base.gbit_s), [e.gbit_s for e in added.values()]]).astype(float)
    own = 1 if base.fabric.ethernet else 0
    technology = np.where(devices.kind[: len(kept)] == NODE, -1, own)
    theirs = [-1 if e.ethernet is None else int(e.ethernet) for e in added.values()]
    links, by_hand = _links(wiring, edits, number, names, devices, stale)
    return EditedFabric(
        wiring.design,
        wiring.counts,
        devices,
        links,
        base,
        edits,
        tuple(names),
        np.concatenate([kept, none]),
        rates,
        np.concatenate([technology, theirs]).astype(np.int64),
        by_hand,
        tuple(stale),
    )


def _links(
    wiring: Wiring,
    edits: FabricEdits,
    number: Whole,
    names: Iterable[str],
    devices: Devices,
    stale: list[str],
) -> tuple[Links, NDArray[np.bool_]]:
    planned = wiring.links
    a, b = number[planned.a], number[planned.b]
    there = (a >= 0) & (b >= 0)
    if edits.links:
        index = {name: i for i, name in enumerate(names)}
    codes = a * _MOST_PORTS + planned.a_port
    ends_b = b * _MOST_PORTS + planned.b_port
    for key, drawn in edits.links.items():
        if drawn:
            continue
        low, high = ((index.get(key[0], -1), key[1]), (index.get(key[2], -1), key[3]))
        code, other = low[0] * _MOST_PORTS + low[1], high[0] * _MOST_PORTS + high[1]
        cut = there & (((codes == code) & (ends_b == other)) | ((codes == other) & (ends_b == code)))
        if low[0] < 0 or high[0] < 0 or not cut.any():
            stale.append(f"{_words(key)} was deleted by hand; the plan no longer has it.")
        there = there & ~cut
    kept = np.flatnonzero(there)
    taken = {*codes[kept].tolist(), *ends_b[kept].tolist()} if any(edits.links.values()) else set()
    rows: list[tuple[int, int, int, int, int]] = []
    for key, drawn in edits.links.items():
        if not drawn:
            continue
        low, high = ((index.get(key[0], -1), key[1]), (index.get(key[2], -1), key[3]))
        gone = next((name for name in (key[0], key[2]) if name not in index), "")
        if gone:
            stale.append(f"{_words(key)} was drawn by hand; {gone} is not there any more.")
            continue
        ends = [d * _MOST_PORTS + p for d, p in (low, high)]
        if any(p >= devices.ports[d] for d, p in (low, high)):
            stale.append(f"{_words(key)} was drawn by hand; there is no such port any more.")
        elif any(end in taken for end in ends):
            stale.append(f"{_words(key)} was drawn by hand; the plan uses one of its ports now.")
        else:
            taken.update(ends)
            rows.append(_row(devices, low, high, bool(wiring.design.pair)))
    extra = np.array(rows, dtype=np.int64).reshape(-1, 5).T
    old = (a[kept], planned.a_port[kept], b[kept], planned.b_port[kept], planned.tier[kept])
    found = Links(*(np.concatenate([column, new]) for column, new in zip(old, extra, strict=True)))
    return found, np.arange(len(found)) >= len(kept)


def _row(devices: Devices, low: tuple[int, int], high: tuple[int, int], pair: bool) -> tuple[int, int, int, int, int]:
    """Return a link as a row, the end that lies lower first."""
    if LEVEL[devices.kind[low[0]]] > LEVEL[devices.kind[high[0]]]:
        low, high = high, low
    return (*low, *high, tier_between(int(devices.kind[low[0]]), int(devices.kind[high[0]]), pair))


def tier_between(low: int, high: int, pair: bool = False) -> int:
    """Return the tier of a link between two kinds, the lower one first."""
    levels = (int(LEVEL[low]), int(LEVEL[high]))
    return _TIER_BETWEEN.get(levels, PAIR if pair and low == LEAF else ACROSS)


def _words(key: LinkKey) -> str:
    return f"{key[0]} port {key[1] + 1} to {key[2]} port {key[3] + 1}"
