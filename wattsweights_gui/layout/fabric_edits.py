"""Edits of a fabric by hand, kept as what differs from the plan's own fabric. Frozen: an edit makes new ones.

Devices are meant by name and ports by number, so that an edit holds when the plan grows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from wattsweights_gui.layout.fabric_kinds import FabricKind

Change = Literal["added", "removed", "kept"]
CHANGES: tuple[Change, ...] = ("added", "removed", "kept")
ROLES = ("node", "fabric manager", "leaf", "spine", "core")
Point = tuple[float, float]
End = tuple[str, int]
"""Name of a device and its port, counted from 0."""
LinkKey = tuple[str, int, str, int]
"""Both ends, the lower name first."""


def key_of(a: End, b: End) -> LinkKey:
    """Return the key of a link, whichever end comes first."""
    first, second = sorted((a, b))
    return (*first, *second)


@dataclass(frozen=True, slots=True)
class DeviceEdit:
    """What was done by hand to one device.

    Attributes:
        change: ``added`` (not in the plan), ``removed`` from it, or ``kept`` (moved or put into a group).
        role: what an added one is in the fabric, such as ``leaf``.
        entry: of the catalogue. ports, gbit_s: that an added one has, and the rate of each.
        ethernet: ``None`` where its ports take both Ethernet and InfiniBand.
        at: where its upper left corner lies on the drawing; ``None`` where the drawing says.
        group: that it was put into.
        extra: what a newer version has saved with it.
    """

    change: Change
    role: str = ""
    entry: str = ""
    ports: int = 0
    gbit_s: float = 0.0
    ethernet: bool | None = None
    at: Point | None = None
    group: str = ""
    extra: tuple[tuple[str, Any], ...] = ()

    @property
    def says_nothing(self) -> bool:
        """Whether nothing is left of the edit."""
        return self.change == "kept" and self.at is None and not self.group and not self.extra


@dataclass(frozen=True)
class FabricEdits:
    """Everything that was done by hand to a fabric.

    Attributes:
        from_plan: whether the fabric of the plan lies beneath, or an empty sheet.
        devices: by name. links: whether a link was added or, if not, taken out.
    """

    from_plan: bool = True
    devices: Mapping[str, DeviceEdit] = field(default_factory=dict)
    links: Mapping[LinkKey, bool] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """How many devices and links differ."""
        return sum(d.change != "kept" for d in self.devices.values()) + len(self.links)

    def with_devices(self, changed: Mapping[str, DeviceEdit]) -> FabricEdits:
        """Return the edits with those of some devices replaced; one that says nothing any more is left out."""
        kept = {name: edit for name, edit in {**self.devices, **changed}.items() if not edit.says_nothing}
        return replace(self, devices=kept)


NO_EDITS = FabricEdits()
EMPTY_SHEET = FabricEdits(from_plan=False)


@dataclass(frozen=True)
class FabricEdited:
    """An edit that was possible: the edits afterwards, names of devices that it made, and a sentence of caution."""

    edits: FabricEdits
    devices: tuple[str, ...] = ()
    remark: str = ""


@dataclass(frozen=True, slots=True)
class CannotBe:
    """Why an edit cannot be: what stands against it, and a sentence for the person who tried."""

    why: Literal["port", "speed", "same", "unknown"]
    reason: str


FabricOutcome = FabricEdited | CannotBe


def add_device(edits: FabricEdits, taken: Iterable[str], kind: FabricKind, role: str, at: Point) -> FabricOutcome:
    """Put a device of the palette on the drawing.

    Args:
        edits: so far. taken: names of the devices that are there.
        kind: of the palette. role: of :data:`ROLES`; a node is a node wherever it is put.
        at: its upper left corner.
    """
    role = "node" if kind.node else role
    if role not in ROLES:
        return CannotBe("unknown", f"A {kind.name} cannot be a {role} of a fabric.")
    if not kind.node and role in ("node", "fabric manager"):
        role = "leaf"
    names, number = {*taken, *edits.devices}, 1
    while f"{role}-x{number}" in names:
        number += 1
    name = f"{role}-x{number}"
    edit = DeviceEdit("added", role, kind.entry, kind.ports, kind.gbit_s, kind.ethernet, at)
    return FabricEdited(edits.with_devices({name: edit}), (name,))


def move(edits: FabricEdits, places: Mapping[str, Point]) -> FabricOutcome:
    """Put devices elsewhere on the drawing."""
    if not places:
        return CannotBe("unknown", "Choose the devices to be moved first.")
    changed = {name: replace(edits.devices.get(name, _KEPT), at=at) for name, at in places.items()}
    return FabricEdited(edits.with_devices(changed), tuple(places))


def group(edits: FabricEdits, names: Iterable[str], title: str) -> FabricOutcome:
    """Put devices into a group of a name, or out of theirs where the name is empty."""
    members = tuple(names)
    if not members:
        return CannotBe("unknown", "Choose the devices of the group first.")
    words = " ".join(title.split())
    changed = {name: replace(edits.devices.get(name, _KEPT), group=words) for name in members}
    return FabricEdited(edits.with_devices(changed), members)


def free_group(edits: FabricEdits) -> str:
    """Return a name for a group that no other has."""
    taken, number = {edit.group for edit in edits.devices.values()}, 1
    while f"Group {number}" in taken:
        number += 1
    return f"Group {number}"


def delete(edits: FabricEdits, devices: Iterable[str], links: Iterable[LinkKey]) -> FabricOutcome:
    """Take devices out with all that was done to their links, and links."""
    gone, cut = tuple(devices), tuple(links)
    if not gone and not cut:
        return CannotBe("unknown", "Nothing is selected that could be deleted.")
    kept = dict(edits.devices)
    for name in gone:
        mine = kept.get(name)
        if mine is not None and mine.change == "added":
            del kept[name]
        else:
            kept[name] = DeviceEdit("removed")
    touched = dict(edits.links)
    for key in [key for key in touched if key[0] in gone or key[2] in gone]:
        del touched[key]
    for key in cut:
        if key[0] in gone or key[2] in gone:
            continue
        if touched.get(key):
            del touched[key]
        else:
            touched[key] = False
    return FabricEdited(replace(edits, devices=kept, links=touched))


def with_link(edits: FabricEdits, key: LinkKey) -> FabricEdits:
    """Return the edits with a link more; one that had been taken out of the plan's is there again."""
    links = dict(edits.links)
    if links.get(key) is False:
        del links[key]
    else:
        links[key] = True
    return replace(edits, links=links)


_KEPT = DeviceEdit("kept")
