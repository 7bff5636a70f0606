"""What stands where: racks in their order, and the devices in each. Frozen: an edit makes a new set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

Face = Literal["front", "rear"]
Half = Literal["", "left", "right"]
Extra = tuple[tuple[str, Any], ...]

# one bit each: front left, front right, rear left, rear right of a rack unit, from U1 upward
BITS_A_UNIT = 4
_SIDES = {"": 0b11, "left": 0b01, "right": 0b10}
ZERO_U_PLACES = 4
MAX_HEIGHT_U = 100


@dataclass(frozen=True, slots=True)
class Device:
    """One thing in a rack.

    Attributes:
        entry: its id in the catalogue.
        height_u: rack units that it takes; 0 for a device that stands beside them.
        bottom_u: its lowest rack unit, counted from 1 at the bottom; ``None`` beside the units.
        face: of the rack at which its own front is.
        half: which half of the width it takes, seen from the rack's front; empty for all of it.
            Beside the units it is the side that it hangs on.
        full_depth: whether it closes the other face behind it.
        role: what it is to the plan, such as ``leaf``.
        by_hand: placed, moved or renamed by a person, so that filling from the plan leaves it where it is.
        extra: what a newer version has saved with it.
    """

    id: str
    entry: str
    name: str
    height_u: int
    bottom_u: int | None
    face: Face = "front"
    half: Half = ""
    full_depth: bool = True
    role: str = ""
    locked: bool = False
    by_hand: bool = True
    extra: Extra = ()

    @property
    def zero_u(self) -> bool:
        """Whether it hangs beside the rack units."""
        return self.bottom_u is None

    @property
    def top_u(self) -> int:
        """Its highest rack unit; 0 beside the units."""
        return self.bottom_u + self.height_u - 1 if self.bottom_u is not None else 0

    @property
    def cells(self) -> int:
        """The quarters of rack units that it takes, a bit each."""
        if self.bottom_u is None:
            return 0
        return cells(self.bottom_u, self.height_u, self.face, self.half, self.full_depth)


def cells(bottom_u: int, height_u: int, face: Face, half: Half, full_depth: bool) -> int:
    """Return the quarters of rack units that a place has, a bit each."""
    width = _SIDES[half]
    each = width | width << 2 if full_depth else width << (2 if face == "rear" else 0)
    # a one for every unit, four bits apart
    units = ((1 << BITS_A_UNIT * height_u) - 1) // ((1 << BITS_A_UNIT) - 1)
    return (each * units) << BITS_A_UNIT * (bottom_u - 1)


@dataclass(frozen=True, slots=True)
class Rack:
    """One rack.

    Attributes:
        role: ``compute``, ``network``, ``storage``, or empty for one that no plan asked for.
        x_mm, y_mm, turned_deg: where it stands on the floor; ``None`` until it is put there.
        by_hand: made or renamed by a person, so that filling from the plan leaves it there.
        left_empty: quarters of rack units that a person has emptied: filling from the plan leaves them so.
        extra: what a newer version has saved with it.
    """

    id: str
    name: str
    height_u: int = 48
    width_mm: float = 600.0
    depth_mm: float = 1200.0
    role: str = ""
    x_mm: float | None = None
    y_mm: float | None = None
    turned_deg: float | None = None
    locked: bool = False
    by_hand: bool = True
    left_empty: int = 0
    extra: Extra = ()


@dataclass(frozen=True)
class Placements:
    """All racks of a hall in their order, and the devices of each by the rack's id."""

    racks: tuple[Rack, ...] = ()
    devices: Mapping[str, tuple[Device, ...]] = field(default_factory=dict)
    serial: int = field(default=0, compare=False)

    @classmethod
    def of(cls, racks: Iterable[Rack], devices: Mapping[str, Iterable[Device]]) -> Placements:
        """Return a set of racks and devices; racks without devices need not be listed.

        Raises:
            ValueError: two racks or two devices have one id, or devices belong to no rack.
        """
        listed = tuple(racks)
        by_rack = {rack.id: tuple(devices.get(rack.id, ())) for rack in listed}
        if len(by_rack) != len(listed):
            raise ValueError("Two racks have the same id.")
        if lost := next((id for id, inside in devices.items() if id not in by_rack and tuple(inside)), None):
            raise ValueError(f"Devices belong to the rack {lost}, which is not there.")
        ids = [device.id for inside in by_rack.values() for device in inside]
        if len(set(ids)) != len(ids):
            raise ValueError("Two devices have the same id.")
        return cls(listed, by_rack, max((_number(id) for id in (*by_rack, *ids)), default=0))

    @cached_property
    def rack_of_id(self) -> Mapping[str, Rack]:
        """Racks by id."""
        return {rack.id: rack for rack in self.racks}

    @cached_property
    def place_of(self) -> Mapping[str, str]:
        """The rack's id of every device's id."""
        return {device.id: rack for rack, inside in self.devices.items() for device in inside}

    @property
    def count(self) -> int:
        """How many devices there are."""
        return sum(map(len, self.devices.values()))

    def rack(self, id: str) -> Rack:
        """Return a rack by id.

        Raises:
            KeyError: no such rack.
        """
        return self.rack_of_id[id]

    def inside(self, rack: str) -> tuple[Device, ...]:
        """Return the devices of a rack."""
        return self.devices[rack]

    def device(self, id: str) -> Device:
        """Return a device by id.

        Raises:
            KeyError: no such device.
        """
        return next(d for d in self.devices[self.place_of[id]] if d.id == id)

    def chosen(self, ids: Iterable[str]) -> list[tuple[str, Device]]:
        """Return devices with their rack's id, in the order of the racks, from the top down; unknown ids are passed."""
        wanted = set(ids)
        racks = {self.place_of[id] for id in wanted if id in self.place_of}
        return [
            (rack.id, device)
            for rack in self.racks
            if rack.id in racks
            for device in sorted(self.devices[rack.id], key=lambda d: (-(d.bottom_u or 0), d.half))
            if device.id in wanted
        ]

    def counts(self) -> dict[str, int]:
        """Return how many devices there are of each catalogue entry."""
        found: dict[str, int] = {}
        for inside in self.devices.values():
            for device in inside:
                found[device.entry] = found.get(device.entry, 0) + 1
        return found

    def with_rack(self, rack: Rack, inside: tuple[Device, ...] | None = None) -> Placements:
        """Return the set with one rack replaced, and what is in it where that is given."""
        racks = tuple(rack if r.id == rack.id else r for r in self.racks)
        devices = self.devices if inside is None else {**self.devices, rack.id: inside}
        return Placements(racks, devices, self.serial)

    def with_inside(self, changed: Mapping[str, tuple[Device, ...]], serial: int | None = None) -> Placements:
        """Return the set with the devices of some racks replaced."""
        return Placements(self.racks, {**self.devices, **changed}, self.serial if serial is None else serial)


EMPTY = Placements()


def occupied(devices: Iterable[Device]) -> int:
    """Return the quarters of rack units that some devices take, a bit each."""
    taken = 0
    for device in devices:
        taken |= device.cells
    return taken


def used_u(devices: Iterable[Device]) -> int:
    """Return how many rack units have a device at either face."""
    taken = occupied(devices)
    used = 0
    while taken:
        used += bool(taken & 0b1111)
        taken >>= BITS_A_UNIT
    return used


def by_hand(device: Device) -> Device:
    """Return the device as one that a person has touched."""
    return device if device.by_hand else replace(device, by_hand=True)


def _number(id: str) -> int:
    digits = id[1:]
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else 0
