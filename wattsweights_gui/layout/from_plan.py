"""Racks filled from the plan in one go; what a person has placed, moved, emptied or locked stays as it is."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from wattsweights_gui.layout.edits import Edited, Names
from wattsweights_gui.layout.fit import free_places
from wattsweights_gui.layout.hall import Hall
from wattsweights_gui.layout.placements import ZERO_U_PLACES, Device, Placements, Rack, cells, occupied
from wattsweights_gui.layout.wanted import LETTER, Slot, Wanted, WantedRack

_WORD = {
    "node": "node",
    "leaf": "leaf",
    "spine": "spine",
    "core": "core",
    "storage switch": "storage-switch",
    "in-band switch": "in-band",
    "out-of-band switch": "oob",
    "fabric manager": "ufm",
    "management server": "mgmt",
    "storage": "storage",
    "PDU": "pdu",
    "CDU": "cdu",
}


@dataclass
class _Filling:
    """One rack while it is filled."""

    rack: Rack
    inside: list[Device]
    wanted: WantedRack | None
    taken: int = field(init=False)

    def __post_init__(self) -> None:
        self.taken = occupied(self.inside) | self.rack.left_empty

    def takes(self, slot: Slot) -> bool:
        """Whether the place of a slot is free and was not emptied by a person."""
        if self.rack.locked:
            return False
        if slot.bottom_u is None:
            return sum(d.zero_u and d.half == slot.half for d in self.inside) < ZERO_U_PLACES // 2
        if slot.bottom_u + slot.height_u - 1 > self.rack.height_u:
            return False
        return not cells(slot.bottom_u, slot.height_u, slot.face, slot.half, slot.full_depth) & self.taken

    def put(self, device: Device) -> None:
        """Put a device in."""
        self.inside.append(device)
        self.taken |= device.cells


def kept(placements: Placements) -> dict[str, tuple[Device, ...]]:
    """Return the devices that filling leaves where they are, by rack."""
    return {
        rack.id: placements.inside(rack.id)
        if rack.locked
        else tuple(d for d in placements.inside(rack.id) if d.by_hand or d.locked)
        for rack in placements.racks
    }


def fill_from_plan(placements: Placements, hall: Hall, wanted: Wanted) -> Edited:
    """Fill racks as a plan asks for.

    Racks keep their ids and order, so that they stay where they stand on the floor; devices that stand where the plan
    wants one of their kind stay the same. What a person has placed counts towards what the plan asks for.
    """
    stays = kept(placements)
    need = wanted.counts()
    for inside in stays.values():
        for device in inside:
            if need.get(device.entry, 0) > 0:
                need[device.entry] -= 1
    racks, new_racks = _racks(placements, stays, hall, wanted)
    maker = _Maker(placements, stays)
    homeless: list[tuple[str, Slot]] = []
    for filling in racks:
        for slot in filling.wanted.slots if filling.wanted is not None else ():
            if need.get(slot.entry, 0) <= 0:
                continue
            if filling.takes(slot):
                filling.put(maker.device(filling.rack, slot))
                need[slot.entry] -= 1
            elif filling.wanted is not None:
                homeless.append((filling.wanted.role, slot))
    for role, slot in homeless:
        if need.get(slot.entry, 0) > 0 and slot.bottom_u is not None and _rehouse(racks, role, slot, maker):
            need[slot.entry] -= 1
    left = [(role, slot) for role, slot in homeless if need.get(slot.entry, 0) > 0 and slot.bottom_u is not None]
    racks += _more_racks(hall, racks, left, need, maker, new_racks)
    after = Placements(
        tuple(f.rack for f in racks),
        {f.rack.id: tuple(f.inside) for f in racks},
        max(maker.serial, new_racks.serial),
    )
    return Edited(after, (), tuple(f.rack.id for f in racks if f.rack.id not in placements.rack_of_id))


@dataclass
class _NewRacks:
    """Ids and names of racks that are made."""

    serial: int
    names: set[str]
    last: dict[str, int] = field(default_factory=dict)

    def make(self, hall: Hall, role: str, height_u: int) -> Rack:
        """Return a new rack of a role."""
        letter = LETTER[role]
        number = self.last.get(letter, 0) + 1
        while (name := f"{letter}{number:03d}") in self.names:
            number += 1
        self.last[letter] = number
        self.names.add(name)
        self.serial += 1
        return Rack(f"r{self.serial}", name, height_u, hall.rack_width_mm, hall.rack_depth_mm, role, by_hand=False)


def _racks(
    placements: Placements, stays: dict[str, tuple[Device, ...]], hall: Hall, wanted: Wanted
) -> tuple[list[_Filling], _NewRacks]:
    """Match racks that are there with those that are wanted, in order of each role; drop those that nobody needs."""
    queue: dict[str, list[WantedRack]] = {}
    for asked in wanted.racks:
        queue.setdefault(asked.role, []).append(asked)
    found: list[_Filling] = []
    for rack in placements.racks:
        waiting = queue.get(rack.role) if rack.role else None
        match = waiting.pop(0) if waiting else None
        if match is None and not (stays[rack.id] or rack.by_hand or rack.locked or rack.left_empty):
            continue
        found.append(_Filling(rack, list(stays[rack.id]), match))
    new = _NewRacks(placements.serial, {f.rack.name for f in found})
    for role in ("compute", "network", "storage"):
        for match in queue.get(role, ()):
            found.append(_Filling(new.make(hall, role, match.height_u), [], match))
    return found, new


def _rehouse(racks: list[_Filling], role: str, slot: Slot, maker: _Maker) -> bool:
    """Find another place in a rack of the same role that has fewer of the kind than the plan wants there."""
    for filling in racks:
        if filling.wanted is None or filling.wanted.role != role or filling.rack.locked:
            continue
        planned = sum(s.entry == slot.entry for s in filling.wanted.slots)
        if sum(d.entry == slot.entry for d in filling.inside) >= planned:
            continue
        place = next(
            free_places(filling.rack, filling.taken, slot.height_u, slot.face, slot.half, slot.full_depth), None
        )
        if place is not None:
            filling.put(maker.device(filling.rack, replace(slot, bottom_u=place[0])))
            return True
    return False


def _more_racks(
    hall: Hall,
    racks: list[_Filling],
    left: list[tuple[str, Slot]],
    need: dict[str, int],
    maker: _Maker,
    new: _NewRacks,
) -> list[_Filling]:
    """Make racks for what found no room elsewhere, as full as the plan's own."""
    made: list[_Filling] = []
    for role, slot in left:
        if need.get(slot.entry, 0) <= 0:
            continue
        pattern = next(f.wanted for f in racks if f.wanted is not None and f.wanted.role == role)
        if not made or made[-1].wanted is not pattern or not _rehouse(made[-1:], role, slot, maker):
            made.append(_Filling(new.make(hall, role, pattern.height_u), [], pattern))
            if not _rehouse(made[-1:], role, slot, maker):
                made[-1].put(maker.device(made[-1].rack, replace(slot, bottom_u=1)))
        need[slot.entry] -= 1
    return made


class _Maker:
    """Makes devices of slots; one that stood there before stays the same."""

    def __init__(self, placements: Placements, stays: dict[str, tuple[Device, ...]]) -> None:
        self.serial = placements.serial
        remaining = {d.id for inside in stays.values() for d in inside}
        self._old: dict[tuple[object, ...], list[Device]] = {}
        for rack, inside in placements.devices.items():
            for device in inside:
                if device.id not in remaining:
                    self._old.setdefault(_key(rack, device), []).append(device)
        self._names = Names(placements)

    def device(self, rack: Rack, slot: Slot) -> Device:
        """Return the device of a slot in a rack."""
        key = (rack.id, slot.entry, slot.role, slot.bottom_u, slot.face, slot.half)
        if old := self._old.get(key):
            return old.pop(0)
        self.serial += 1
        word = _WORD.get(slot.role, "device")
        return Device(
            f"d{self.serial}",
            slot.entry,
            self._names.next_of(word),
            slot.height_u,
            slot.bottom_u,
            slot.face,
            slot.half,
            slot.full_depth,
            slot.role,
            by_hand=False,
        )


def _key(rack: str, device: Device) -> tuple[object, ...]:
    return (rack, device.entry, device.role, device.bottom_u, device.face, device.half)
