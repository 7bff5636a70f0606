"""Edits of whole racks: more, fewer, copies, other names, locks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from wattsweights_gui.layout.edits import Edited, Names, Outcome
from wattsweights_gui.layout.fit import NotPossible
from wattsweights_gui.layout.hall import Hall
from wattsweights_gui.layout.placements import Device, Placements, Rack

RACK_HEIGHT_U = 48


def add_rack(placements: Placements, hall: Hall, height_u: int = RACK_HEIGHT_U, after: str = "") -> Edited:
    """Put an empty rack of the plan's size behind another one, or at the end."""
    serial = placements.serial + 1
    rack = Rack(f"r{serial}", free_rack_name(placements, "R"), height_u, hall.rack_width_mm, hall.rack_depth_mm)
    return Edited(_with_racks(placements, [(rack, ())], after, serial), (), (rack.id,))


def duplicate_rack(placements: Placements, id: str, count: int = 1) -> Outcome:
    """Put copies of a rack, with all that is in it, behind it."""
    if id not in placements.rack_of_id:
        return NotPossible("unknown", "No rack is selected.")
    rack, serial = placements.rack(id), placements.serial
    names, made = Names(placements), []
    taken = {r.name for r in placements.racks}
    for _ in range(count):
        serial += 1
        name = _next_name(taken, rack.name)
        taken.add(name)
        copy = replace(rack, id=f"r{serial}", name=name, locked=False, by_hand=True, x_mm=None, y_mm=None, left_empty=0)
        inside: list[Device] = []
        for device in placements.inside(id):
            serial += 1
            other = names.next_after(device.name)
            inside.append(replace(device, id=f"d{serial}", name=other, locked=False, by_hand=True))
        made.append((copy, tuple(inside)))
    after = _with_racks(placements, made, id, serial)
    return Edited(after, tuple(d.id for _, inside in made for d in inside), tuple(r.id for r, _ in made))


def delete_racks(placements: Placements, ids: Iterable[str]) -> Outcome:
    """Take racks out with all that is in them."""
    gone = {id for id in ids if id in placements.rack_of_id}
    if not gone:
        return NotPossible("unknown", "No rack is selected.")
    for rack in placements.racks:
        if rack.id in gone:
            if rack.locked:
                return NotPossible("locked", f"{rack.name} is locked: unlock it first.")
            fixed = next((d for d in placements.inside(rack.id) if d.locked), None)
            if fixed is not None:
                return NotPossible("locked", f"{fixed.name} in {rack.name} is locked: unlock it first.")
    racks = tuple(r for r in placements.racks if r.id not in gone)
    devices = {id: inside for id, inside in placements.devices.items() if id not in gone}
    return Edited(Placements(racks, devices, placements.serial))


def lock_racks(placements: Placements, ids: Iterable[str], locked: bool) -> Outcome:
    """Lock racks with all that is in them, or free them."""
    wanted = {id for id in ids if id in placements.rack_of_id}
    if not wanted:
        return NotPossible("unknown", "No rack is selected.")
    racks = tuple(replace(r, locked=locked) if r.id in wanted else r for r in placements.racks)
    return Edited(replace(placements, racks=racks), (), tuple(wanted))


def rename_rack(placements: Placements, id: str, name: str) -> Outcome:
    """Give a rack another name."""
    words = " ".join(name.split())
    if not words:
        return NotPossible("unknown", "A rack needs a name.")
    if any(r.name == words and r.id != id for r in placements.racks):
        return NotPossible("unknown", f"Another rack is called {words}.")
    return Edited(placements.with_rack(replace(placements.rack(id), name=words, by_hand=True)), (), (id,))


def free_rack_name(placements: Placements, letter: str) -> str:
    """Return the lowest free name such as ``C001``."""
    return _next_name({r.name for r in placements.racks}, f"{letter}000")


def _next_name(taken: set[str], name: str) -> str:
    """Return the next free name of the same letters: one more than its number."""
    word = name.rstrip("0123456789")
    digits = name[len(word) :]
    number = int(digits or 0) + 1
    while (found := f"{word}{number:0{max(len(digits), 1)}d}") in taken:
        number += 1
    return found


def _with_racks(
    placements: Placements, made: list[tuple[Rack, tuple[Device, ...]]], after: str, serial: int
) -> Placements:
    racks = list(placements.racks)
    place = next((i + 1 for i, r in enumerate(racks) if r.id == after), len(racks))
    racks[place:place] = [rack for rack, _ in made]
    return Placements(tuple(racks), {**placements.devices, **{r.id: inside for r, inside in made}}, serial)
