"""Links drawn from port to port: whether they can be, why not, and what speaks against them."""

from __future__ import annotations

from collections.abc import Iterable

from wattsweights_gui.engine.wiring import CORE, KINDS, LEAF, MANAGER, NODE, SPINE
from wattsweights_gui.layout.edited_fabric import LEVEL, EditedFabric
from wattsweights_gui.layout.fabric_edits import CannotBe, End, FabricEdited, FabricOutcome, key_of, with_link


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
        link = fabric.link_of(device, port)
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
