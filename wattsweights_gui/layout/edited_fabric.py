"""The fabric of a plan with the edits of a person on it, as arrays; and whether two ports may be joined."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from wattsweights_gui.engine.chain import Evaluation, Upstream
from wattsweights_gui.engine.planned_fabric import PlannedFabric, fabric_of
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
    Devices,
    Links,
    Whole,
    Wiring,
    wiring_of,
)
from wattsweights_gui.layout.fabric_edits import (
    CannotBe,
    End,
    FabricEdited,
    FabricEdits,
    FabricOutcome,
    LinkKey,
    key_of,
    with_link,
)

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
    def link_at(self) -> dict[tuple[int, int], int]:
        """Links by device and port of either end."""
        links = self.links
        ends = zip(links.a.tolist(), links.a_port.tolist(), links.b.tolist(), links.b_port.tolist(), strict=True)
        found: dict[tuple[int, int], int] = {}
        for number, (a, a_port, b, b_port) in enumerate(ends):
            found[a, a_port] = found[b, b_port] = number
        return found

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
        free = [port for port in ports if (device, port) not in self.link_at and (device, port) not in taken]
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


# ------------------------------------------------------------------------------------------------------------- linking


def why_no_link(fabric: EditedFabric, a: End, b: End) -> CannotBe | None:
    """Return why two ports cannot be joined; ``None`` where they can."""
    for name, port in (a, b):
        device = fabric.index_of.get(name)
        if device is None:
            return CannotBe("unknown", f"There is no {name} in the fabric.")
        ports = int(fabric.devices.ports[device])
        if not 0 <= port < ports:
            return CannotBe("unknown", f"{name} has {ports} ports: there is no port {port + 1}.")
    if a[0] == b[0]:
        return CannotBe("same", f"Both ends are on {a[0]}: a link joins two devices.")
    (one, one_port), (other, other_port) = ((fabric.index_of[n], p) for n, p in (a, b))
    for device, port in ((one, one_port), (other, other_port)):
        link = fabric.link_at.get((device, port))
        if link is not None:
            links = fabric.links
            far = int(links.b[link] if links.a[link] == device and links.a_port[link] == port else links.a[link])
            words = f"{fabric.name(device)} port {fabric.port_name(device, port)}"
            return CannotBe("port", f"{words} is taken: it goes to {fabric.name(far)}.")
    kinds = (int(fabric.ethernet[one]), int(fabric.ethernet[other]))
    if -1 not in kinds and kinds[0] != kinds[1]:
        each = [f"{n} speaks {'Ethernet' if e else 'InfiniBand'}" for (n, _), e in zip((a, b), kinds, strict=True)]
        return CannotBe("speed", f"{each[0]}, {each[1]}.")
    rates = (float(fabric.gbit_s[one]), float(fabric.gbit_s[other]))
    if abs(rates[0] - rates[1]) > 1e-6:
        return CannotBe(
            "speed",
            f"{a[0]} has ports of {rates[0]:g} Gb/s, {b[0]} of {rates[1]:g} Gb/s: take a switch, or a split of one, "
            "of the same speed.",
        )
    return None


def caution(fabric: EditedFabric, a: End, b: End) -> str:
    """Return what speaks against a link that is possible; empty where nothing does."""
    one, other = sorted((fabric.index_of[n], p) for n, p in (a, b))
    low, high = sorted((one, other), key=lambda end: int(LEVEL[fabric.devices.kind[end[0]]]))
    devices = fabric.devices
    kinds = (int(devices.kind[low[0]]), int(devices.kind[high[0]]))
    steps = int(LEVEL[kinds[1]] - LEVEL[kinds[0]])
    if steps == 0 and not (fabric.design.pair and kinds[0] == LEAF):
        return f"Two {_PLURAL[kinds[0]]} joined directly: a loop outside the tree."
    if steps > 1:
        return f"A {KINDS[kinds[0]]} on a {KINDS[kinds[1]]}: a tier is skipped, so that paths differ in length."
    rail = int(devices.rail[high[0]])
    each = max(1, int(fabric.design.links_per_rail))
    if kinds == (NODE, LEAF) and rail >= 0 and fabric.planned[low[0]] >= 0:
        own = low[1] % fabric.design.links_per_node // each
        if own != rail:
            return f"Rail {own + 1} of {fabric.name(low[0])} on a leaf of rail {rail + 1}: two rails cross."
    return ""


_PLURAL = {NODE: "nodes", MANAGER: "fabric managers", LEAF: "leaves", SPINE: "spines", CORE: "cores"}


def link(fabric: EditedFabric, a: End, b: End) -> FabricOutcome:
    """Draw a link from port to port."""
    refused = why_no_link(fabric, a, b)
    if refused is not None:
        return refused
    return FabricEdited(with_link(fabric.edits, key_of(a, b)), (), caution(fabric, a, b))


def join(fabric: EditedFabric, names: Iterable[str]) -> FabricOutcome:
    """Draw one link from each chosen device to each that lies a tier above it, on their first free ports."""
    chosen = sorted((fabric.index_of[n] for n in names if n in fabric.index_of), key=lambda d: fabric.own_names[d])
    levels = LEVEL[fabric.devices.kind]
    pairs = [(a, b) for a in chosen for b in chosen if levels[b] == levels[a] + 1]
    if not pairs:
        return CannotBe("unknown", "Choose devices of two tiers that follow each other, such as a leaf and its nodes.")
    edits, remark, taken = fabric.edits, "", set[tuple[int, int]]()
    for one, other in pairs:
        ends: list[End] = []
        for device, far in ((one, other), (other, one)):
            port = fabric.free_port(device, far, taken)
            if port is None:
                return CannotBe("port", f"{fabric.name(device)} has no free port.")
            taken.add((device, port))
            ends.append((fabric.name(device), port))
        refused = why_no_link(fabric, ends[0], ends[1])
        if refused is not None:
            return refused
        remark = remark or caution(fabric, ends[0], ends[1])
        edits = with_link(edits, key_of(ends[0], ends[1]))
    return FabricEdited(edits, (), remark)
