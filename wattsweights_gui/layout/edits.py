"""Edits of what is placed. Each returns a new set, or why it cannot be; the set that was given never changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from wattsweights_gui.layout.device_types import DeviceType
from wattsweights_gui.layout.fit import NotPossible, free_places, why_not_here, why_not_load
from wattsweights_gui.layout.hall import Hall
from wattsweights_gui.layout.loads import rack_load
from wattsweights_gui.layout.placements import Device, Face, Half, Placements, Rack, by_hand, occupied


@dataclass(frozen=True)
class Edited:
    """An edit that was possible.

    Attributes:
        placements: what is placed afterwards.
        devices: ids of the devices that were made or moved, the leading one first.
        racks: ids of the racks that were made.
        remark: a sentence on what was not done.
    """

    placements: Placements
    devices: tuple[str, ...] = ()
    racks: tuple[str, ...] = ()
    remark: str = ""


@dataclass(frozen=True)
class Clip:
    """Devices that were copied, the leading one first, and how many racks each stood to the right of the first."""

    devices: tuple[tuple[int, Device], ...]


Outcome = Edited | NotPossible


def place(
    placements: Placements,
    hall: Hall,
    entry: str,
    rack: str,
    bottom_u: int | None,
    face: Face = "front",
    half: Half = "",
    name: str = "",
) -> Outcome:
    """Put a new device of a catalogue entry into a rack; ``bottom_u`` is ``None`` for one beside the units."""
    kind = hall.type_of(entry)
    if kind is None:
        return NotPossible("unknown", f"The catalogue has no device {entry}.")
    device = new_device(placements, kind, placements.rack(rack), bottom_u, face, half, name)
    return _put(placements, hall, {rack: (device,)}, frozenset())


def new_device(
    placements: Placements,
    kind: DeviceType,
    rack: Rack,
    bottom_u: int | None,
    face: Face = "front",
    half: Half = "",
    name: str = "",
) -> Device:
    """Return a device of a type that would stand there, with the next id and a name of its own."""
    if kind.zero_u:
        bottom_u, half, face = None, half or "left", "rear"
    elif kind.half_width:
        half = half or "left"
    else:
        half = ""
    if kind.whole_rack:
        bottom_u = 1
    return Device(
        f"d{placements.serial + 1}",
        kind.id,
        name or _free_name(placements, kind),
        kind.height_u,
        bottom_u if not kind.zero_u else None,
        face,
        half,
        kind.full_depth,
    )


def move(
    placements: Placements,
    hall: Hall,
    ids: Iterable[str],
    rack: str,
    bottom_u: int | None,
    lead: str = "",
    face: Face | None = None,
    half: Half | None = None,
) -> Outcome:
    """Move devices so that the leading one stands at a place; the others keep their distance from it.

    Args:
        placements: what is placed.
        hall: what it is judged by.
        ids: of the devices.
        rack: where the leading one goes.
        bottom_u: its lowest unit there; ``None`` leaves it as it is.
        lead: id of the leading one; the topmost of the first rack where empty.
        face, half: for all of them; as they are where ``None``.
    """
    chosen = placements.chosen(ids)
    if not chosen:
        return NotPossible("unknown", "Nothing is selected that could be moved.")
    refused = _locked(placements, chosen)
    if refused is not None:
        return refused
    from_rack, leading = next(((r, d) for r, d in chosen if d.id == lead), chosen[0])
    order = {r.id: i for i, r in enumerate(placements.racks)}
    steps = order[rack] - order[from_rack]
    up = bottom_u - leading.bottom_u if bottom_u is not None and leading.bottom_u is not None else 0
    moved: dict[str, list[Device]] = {}
    for old_rack, device in chosen:
        index = order[old_rack] + steps
        if not 0 <= index < len(placements.racks):
            return NotPossible("space", f"There is no rack for {device.name} so far to the side.")
        target = placements.racks[index].id
        new = replace(by_hand(device), bottom_u=device.bottom_u + up if device.bottom_u is not None else None)
        if face is not None and not device.zero_u:
            new = replace(new, face=face)
        if half is not None and device.half:
            new = replace(new, half=half or device.half)
        moved.setdefault(target, []).append(new)
    return _put(placements, hall, moved, {d.id for _, d in chosen}, leading.id)


def copy(placements: Placements, ids: Iterable[str]) -> Clip:
    """Return devices to be pasted, as they stand to one another."""
    chosen = placements.chosen(ids)
    order = {r.id: i for i, r in enumerate(placements.racks)}
    first = min((order[r] for r, _ in chosen), default=0)
    return Clip(tuple((order[r] - first, replace(by_hand(d), locked=False)) for r, d in chosen))


def paste(placements: Placements, hall: Hall, clip: Clip, rack: str, bottom_u: int | None = None) -> Outcome:
    """Put copies of devices into a rack and those to its right; where no unit is given, at the first that takes all."""
    if not clip.devices:
        return NotPossible("unknown", "Nothing has been copied.")
    units = [d.bottom_u for _, d in clip.devices if d.bottom_u is not None]
    if bottom_u is not None or not units:
        return _pasted(placements, hall, clip, rack, bottom_u - min(units) if bottom_u is not None and units else 0)
    refused: NotPossible | None = None
    height = placements.rack(rack).height_u
    tall = max(d.top_u for _, d in clip.devices) - min(units) + 1
    for bottom in range(1, max(2, height - tall + 2)):
        outcome = _pasted(placements, hall, clip, rack, bottom - min(units))
        if isinstance(outcome, Edited):
            return outcome
        if outcome.why != "space":
            return outcome
        refused = refused or outcome
    wide = "" if len(clip.devices) == 1 else f" for {len(clip.devices)} devices"
    name = placements.rack(rack).name
    return NotPossible("space", f"{name} has no {tall} U free in a row{wide}.") if refused else NotPossible("space", "")


def _pasted(placements: Placements, hall: Hall, clip: Clip, rack: str, up: int) -> Outcome:
    start = next(i for i, r in enumerate(placements.racks) if r.id == rack)
    serial = placements.serial
    added: dict[str, list[Device]] = {}
    names = Names(placements)
    for step, device in clip.devices:
        if start + step >= len(placements.racks):
            return NotPossible("space", f"There is no rack for {device.name} so far to the right.")
        serial += 1
        new = replace(
            device,
            id=f"d{serial}",
            name=names.next_after(device.name),
            bottom_u=device.bottom_u + up if device.bottom_u is not None else None,
        )
        added.setdefault(placements.racks[start + step].id, []).append(new)
    return _put(placements, hall, added, frozenset())


def fill(
    placements: Placements, hall: Hall, entry: str, rack: str, face: Face = "front", most: int | None = None
) -> Outcome:
    """Put as many devices of a type into a rack as find room and are carried, from the bottom up."""
    kind = hall.type_of(entry)
    if kind is None:
        return NotPossible("unknown", f"The catalogue has no device {entry}.")
    made: list[str] = []
    now = placements
    stopped: NotPossible | None = None
    while most is None or len(made) < most:
        outcome = place_anywhere(now, hall, kind, rack, face)
        if isinstance(outcome, NotPossible):
            stopped = outcome
            break
        now = outcome.placements
        made += outcome.devices
    if not made:
        assert stopped is not None
        return stopped
    return Edited(now, tuple(made), (), stopped.reason if stopped is not None and stopped.why != "space" else "")


def place_anywhere(placements: Placements, hall: Hall, kind: DeviceType, rack: str, face: Face = "front") -> Outcome:
    """Put one device at the lowest place of a rack that has room for it."""
    target = placements.rack(rack)
    if kind.zero_u:
        left = place(placements, hall, kind.id, rack, None, face, "left")
        return left if isinstance(left, Edited) else place(placements, hall, kind.id, rack, None, face, "right")
    taken = occupied(placements.inside(rack))
    places = free_places(target, taken, kind.height_u, face, "", kind.full_depth, kind.half_width)
    for bottom, half in places:
        outcome = place(placements, hall, kind.id, rack, bottom, face, half)
        if isinstance(outcome, Edited) or outcome.why not in ("space", "depth"):
            return outcome
    return NotPossible("space", f"{target.name} has no {kind.height_u} U free in a row at the {face}.")


def delete(placements: Placements, ids: Iterable[str]) -> Outcome:
    """Take devices out; places that the plan had filled stay empty when it is filled again."""
    chosen = placements.chosen(ids)
    if not chosen:
        return NotPossible("unknown", "Nothing is selected that could be deleted.")
    refused = _locked(placements, chosen)
    if refused is not None:
        return refused
    return Edited(without(placements, {d.id for _, d in chosen}))


def set_locked(placements: Placements, ids: Iterable[str], locked: bool) -> Outcome:
    """Lock devices where they are, or free them."""
    chosen = {d.id for _, d in placements.chosen(ids)}
    return _changed(placements, chosen, lambda d: replace(d, locked=locked))


def rename(placements: Placements, id: str, name: str) -> Outcome:
    """Give a device another name."""
    words = " ".join(name.split())
    if not words:
        return NotPossible("unknown", "A device needs a name.")
    if any(d.name == words and d.id != id for inside in placements.devices.values() for d in inside):
        return NotPossible("unknown", f"Another device is called {words}.")
    return _changed(placements, {id}, lambda d: replace(by_hand(d), name=words))


def turn(placements: Placements, hall: Hall, ids: Iterable[str]) -> Outcome:
    """Mount devices at the other face of their racks."""
    chosen = placements.chosen(ids)
    refused = _locked(placements, chosen)
    if refused is not None:
        return refused
    moved: dict[str, list[Device]] = {}
    for rack, device in chosen:
        other: Face = "rear" if device.face == "front" else "front"
        moved.setdefault(rack, []).append(device if device.zero_u else replace(by_hand(device), face=other))
    return _put(placements, hall, moved, {d.id for _, d in chosen})


# ------------------------------------------------------------------------------------------------------ how it is done


def _put(
    placements: Placements,
    hall: Hall,
    added: Mapping[str, Iterable[Device]],
    removed: Iterable[str],
    lead: str = "",
) -> Outcome:
    """Take devices out and put others in, all or none."""
    gone = set(removed)
    base = without(placements, gone) if gone else placements
    changed: dict[str, tuple[Device, ...]] = {}
    ids: list[str] = []
    racks = list(base.racks)
    for id, devices in added.items():
        rack = base.rack(id)
        inside = base.inside(id)
        taken = 0
        for device in devices:
            refused = why_not_here(rack, inside, device, hall)
            if refused is not None:
                return refused
            inside = (*inside, device)
            ids.append(device.id)
            taken |= device.cells
        before = rack_load(rack, placements.inside(id), hall)
        refused = why_not_load(rack, before, rack_load(rack, inside, hall), hall)
        if refused is not None:
            return refused
        changed[id] = inside
        if rack.left_empty & taken:  # somebody has filled by hand what was emptied by hand
            racks[racks.index(rack)] = replace(rack, left_empty=rack.left_empty & ~taken)
    serial = placements.serial + sum(1 for id in ids if id not in gone)
    after = Placements(tuple(racks), {**base.devices, **changed}, serial)
    if lead in ids:
        ids.remove(lead)
        ids.insert(0, lead)
    return Edited(after, tuple(ids))


def without(placements: Placements, gone: set[str]) -> Placements:
    """Return the set without some devices; racks note what a person has emptied of what the plan had filled."""
    changed: dict[str, tuple[Device, ...]] = {}
    emptied: dict[str, int] = {}
    for id in {placements.place_of[device] for device in gone if device in placements.place_of}:
        inside = placements.inside(id)
        changed[id] = tuple(d for d in inside if d.id not in gone)
        emptied[id] = occupied(d for d in inside if d.id in gone and not d.by_hand)
    racks = tuple(
        replace(r, left_empty=r.left_empty | emptied[r.id]) if emptied.get(r.id) else r for r in placements.racks
    )
    return Placements(racks, {**placements.devices, **changed}, placements.serial)


def _changed(placements: Placements, ids: set[str], how: Callable[[Device], Device]) -> Outcome:
    racks = {placements.place_of[id] for id in ids if id in placements.place_of}
    if not racks:
        return NotPossible("unknown", "Nothing is selected.")
    changed = {rack: tuple(how(d) if d.id in ids else d for d in placements.inside(rack)) for rack in racks}
    return Edited(placements.with_inside(changed), tuple(ids))


def _locked(placements: Placements, chosen: list[tuple[str, Device]]) -> NotPossible | None:
    for rack, device in chosen:
        if device.locked:
            return NotPossible("locked", f"{device.name} is locked: unlock it first.")
        if placements.rack(rack).locked:
            return NotPossible("locked", f"{placements.rack(rack).name} is locked: unlock it first.")
    return None


def _free_name(placements: Placements, kind: DeviceType) -> str:
    word = {"Servers": "node", "Switches": "switch", "Storage": "storage", "Cooling": "cdu", "Power": "pdu"}
    return Names(placements).next_of(word.get(kind.group, "panel"))


class Names:
    """Names that are taken; the next free number of a word."""

    def __init__(self, placements: Placements) -> None:
        self._taken = {d.name for inside in placements.devices.values() for d in inside}
        self._last: dict[str, int] = {}

    def next_of(self, word: str) -> str:
        """Return ``word-0001`` with the lowest number behind those that were asked for."""
        number = self._last.get(word, 0) + 1
        while f"{word}-{number:04d}" in self._taken:
            number += 1
        self._last[word] = number
        self._taken.add(f"{word}-{number:04d}")
        return f"{word}-{number:04d}"

    def next_after(self, name: str) -> str:
        """Return a name like another one."""
        word, dash, number = name.rpartition("-")
        return self.next_of(word if dash and number.isdigit() else name)
