"""What can be done to racks and devices by a button or a key, each as one undoable edit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from wattsweights_gui.layout import edits, rack_edits
from wattsweights_gui.layout.edits import Clip, Edited, Outcome
from wattsweights_gui.layout.fit import NotPossible
from wattsweights_gui.layout.from_plan import fill_from_plan
from wattsweights_gui.layout.placements import Placements
from wattsweights_gui.layout.wanted import wanted_of


class RackDeeds:
    """Edits of what is chosen on a view, with the device that is chosen in the palette."""

    def __init__(self, view: Any, entry: Callable[[], str]) -> None:
        self.view, self.session, self._entry = view, view.session, entry
        self.clip = Clip(())

    # ------------------------------------------------------------------------------------------------- what is chosen

    @property
    def placed(self) -> Placements:
        """What is placed now."""
        placements: Placements = self.session.placements
        return placements

    def rack(self) -> str:
        """Return the id of the rack that is meant: the chosen one, that of the devices, or the first in sight."""
        placements, look = self.placed, self.view.look
        for rack in placements.racks:
            if rack.id in look.chosen_racks:
                return rack.id
        chosen = placements.chosen(look.chosen)
        if chosen:
            return chosen[0][0]
        seen = self.view.rack_at(self.view.viewport().rect().center())
        return seen or (placements.racks[0].id if placements.racks else "")

    def _racks(self) -> set[str]:
        look = self.view.look
        return set(look.chosen_racks) or ({self.rack()} if look.chosen else set())

    def _all_chosen(self) -> set[str]:
        look = self.view.look
        inside = {d.id for rack in look.chosen_racks for d in self.placed.inside(rack)}
        return set(look.chosen) | inside

    def _take(self, outcome: Outcome, label: str) -> bool:
        return bool(self.view.take(outcome, label))

    # --------------------------------------------------------------------------------------------------- more and less

    def place(self, entry: str = "") -> None:
        """Put the palette's device at the lowest free place of the rack."""
        kind, rack = self.session.hall.type_of(entry or self._entry()), self.rack()
        if kind is None or not rack:
            self._take(NotPossible("unknown", _NO_KIND if kind is None else _NO_RACK), "")
            return
        outcome = edits.place_anywhere(self.placed, self.session.hall, kind, rack, self.view.look.face)
        self._take(outcome, f"Place {kind.name}")

    def fill(self) -> None:
        """Put the palette's device into the rack as often as it goes."""
        kind, rack = self.session.hall.type_of(self._entry()), self.rack()
        if kind is None or not rack:
            self._take(NotPossible("unknown", _NO_KIND if kind is None else _NO_RACK), "")
            return
        outcome = edits.fill(self.placed, self.session.hall, kind.id, rack, self.view.look.face)
        self._take(outcome, f"Fill {self.placed.rack(rack).name} with {kind.name}")

    def delete(self) -> None:
        """Delete the chosen devices, or the chosen racks."""
        look = self.view.look
        if look.chosen_racks:
            self._take(
                rack_edits.delete_racks(self.placed, look.chosen_racks), _words("Delete", look.chosen_racks, "rack")
            )
        else:
            self._take(edits.delete(self.placed, look.chosen), _words("Delete", look.chosen, "device"))

    def copy(self) -> None:
        """Copy the chosen devices."""
        self.clip = edits.copy(self.placed, self._all_chosen())

    def cut(self) -> None:
        """Copy the chosen devices and delete them."""
        clip, ids = edits.copy(self.placed, self._all_chosen()), self._all_chosen()
        if self._take(edits.delete(self.placed, ids), _words("Cut", ids, "device")):
            self.clip = clip

    def paste(self) -> None:
        """Put the copied devices into the rack, at the first place that takes all."""
        rack = self.rack()
        if not rack:
            self._take(NotPossible("unknown", _NO_RACK), "")
            return
        outcome = edits.paste(self.placed, self.session.hall, self.clip, rack)
        self._take(outcome, _words("Paste", self.clip.devices, "device"))

    def add_rack(self) -> None:
        """Put an empty rack behind the chosen one."""
        after = self.rack() if self.view.look.chosen_racks else ""
        self._take(rack_edits.add_rack(self.placed, self.session.hall, after=after), "Add a rack")

    def duplicate(self) -> None:
        """Put a copy of the rack behind it."""
        rack = self.rack()
        if rack:
            self._take(rack_edits.duplicate_rack(self.placed, rack), f"Duplicate {self.placed.rack(rack).name}")

    def fill_from_plan(self) -> None:
        """Fill racks as the plan asks for; what was done by hand stays."""
        wanted = wanted_of(self.session.evaluation, self.session.hall)
        outcome = fill_from_plan(self.placed, self.session.hall, wanted)
        if not wanted.racks:
            self._take(NotPossible("unknown", " ".join(wanted.notes) or "The plan has no racks."), "")
            return
        first = not self.placed.racks
        self._take(Edited(outcome.placements, (), (), " ".join(wanted.notes)), "Fill racks from the plan")
        if first:
            self.view.fit_start()

    # --------------------------------------------------------------------------------------------------- as they stand

    def move(self, units: int, racks: int) -> None:
        """Move the chosen devices by rack units or racks; presses in a row are undone as one would expect, singly."""
        chosen = self.placed.chosen(self.view.look.chosen)
        if not chosen:
            self._take(NotPossible("unknown", "Choose the devices to be moved first."), "")
            return
        rack, lead = next(((r, d) for r, d in chosen if not d.zero_u), chosen[0])
        order = [r.id for r in self.placed.racks]
        target = order.index(rack) + racks
        if not 0 <= target < len(order):
            self._take(NotPossible("space", "There is no rack so far to the side."), "")
            return
        bottom = lead.bottom_u + units if lead.bottom_u is not None else None
        kept = set(self.view.look.chosen)
        outcome = edits.move(self.placed, self.session.hall, kept, order[target], bottom, lead.id)
        self._take(outcome, f"Move {lead.name}" if len(chosen) == 1 else f"Move {len(chosen)} devices")

    def turn(self) -> None:
        """Mount the chosen devices at the other face."""
        look = self.view.look
        self._take(edits.turn(self.placed, self.session.hall, look.chosen), _words("Turn", look.chosen, "device"))

    def lock(self) -> None:
        """Lock what is chosen, or free it where all of it is locked."""
        look, placed = self.view.look, self.placed
        if look.chosen_racks:
            on = not all(placed.rack(id).locked for id in look.chosen_racks)
            outcome: Outcome = rack_edits.lock_racks(placed, look.chosen_racks, on)
            words = _words("Lock" if on else "Unlock", look.chosen_racks, "rack")
        else:
            on = not all(d.locked for _, d in placed.chosen(look.chosen))
            outcome = edits.set_locked(placed, look.chosen, on)
            words = _words("Lock" if on else "Unlock", look.chosen, "device")
        self._take(outcome, words)

    def rename(self, name: str) -> bool:
        """Give the one device or rack that is chosen another name."""
        look = self.view.look
        if len(look.chosen) == 1:
            return self._take(edits.rename(self.placed, next(iter(look.chosen)), name), f"Rename to {name}")
        if len(look.chosen_racks) == 1:
            return self._take(
                rack_edits.rename_rack(self.placed, next(iter(look.chosen_racks)), name), f"Rename to {name}"
            )
        return False

    # -------------------------------------------------------------------------------------------------------- choosing

    def choose_all(self) -> None:
        """Choose all devices of the chosen racks; of all racks where none is chosen."""
        racks = self._racks() or {r.id for r in self.placed.racks}
        self.view.choose({d.id for rack in racks for d in self.placed.inside(rack)}, ())

    def step(self, up: int, across: int, add: bool = False) -> None:
        """Choose the next device above or below, or the rack beside; with ``add`` beside what is chosen."""
        placed, look = self.placed, self.view.look
        if not placed.racks:
            return
        order = [r.id for r in placed.racks]
        rack = self.rack()
        chosen = placed.chosen(look.chosen)
        if across:
            target = order[min(max(order.index(rack) + across, 0), len(order) - 1)]
            self.view.choose((), {target} | (look.chosen_racks if add else set()))
            self.view.ensureVisible(self.view.items_of[target], 40, 40)
            return
        column = sorted((d for d in placed.inside(rack)), key=lambda d: (d.bottom_u or 0, d.half))
        if not column:
            return
        ids = [d.id for d in column]
        here = [ids.index(d.id) for r, d in chosen if r == rack]
        at = (max(here) + 1 if up > 0 else min(here) - 1) if here else (0 if up > 0 else len(ids) - 1)
        picked = column[min(max(at, 0), len(ids) - 1)]
        self.view.choose({picked.id} | (look.chosen if add else set()), ())
        self.view.ensureVisible(self.view.box_of(order.index(rack), picked), 20, 20)


_NO_KIND = "Choose a device in the palette first."
_NO_RACK = "There is no rack yet: add one, or fill from the plan."


@dataclass(frozen=True)
class Key:
    """An action of the canvas: what it is called, its keys, what it does to the deeds, and whether it has a button."""

    name: str
    title: str
    keys: str
    run: Callable[[Any], Any]
    tip: str
    button: bool = False


def _words(verb: str, things: Any, what: str) -> str:
    count = len(things)
    return f"{verb} {count} {what}{'s' if count != 1 else ''}"


KEYS: tuple[Key, ...] = (
    Key(
        "fill_from_plan",
        "Fill from plan",
        "Ctrl+Shift+F",
        lambda c: c.deeds.fill_from_plan(),
        "Racks as the plan asks for; what was done by hand stays",
        True,
    ),
    Key("add_rack", "Add rack", "Ctrl+Shift+R", lambda c: c.deeds.add_rack(), "An empty rack", True),
    Key(
        "duplicate",
        "Duplicate",
        "Ctrl+D",
        lambda c: c.deeds.duplicate(),
        "A copy of the rack with all that is in it",
        True,
    ),
    Key(
        "place", "Place", "Ins", lambda c: c.deeds.place(), "The palette's device at the lowest free place of the rack"
    ),
    Key("fill", "Fill rack", "Shift+Ins", lambda c: c.deeds.fill(), "The palette's device as often as it goes", True),
    Key("delete", "Delete", "Del", lambda c: c.deeds.delete(), "The chosen devices or racks", True),
    Key("lock", "Lock", "Ctrl+Shift+K", lambda c: c.deeds.lock(), "Lock what is chosen where it is, or free it", True),
    Key("copy", "Copy", "Ctrl+C", lambda c: c.deeds.copy(), "The chosen devices"),
    Key("cut", "Cut", "Ctrl+X", lambda c: c.deeds.cut(), "The chosen devices"),
    Key("paste", "Paste", "Ctrl+V", lambda c: c.deeds.paste(), "Into the rack, at the first place that takes all"),
    Key("choose_all", "Choose all", "Ctrl+A", lambda c: c.deeds.choose_all(), "All devices of the rack"),
    Key("turn", "Turn to the other face", "T", lambda c: c.deeds.turn(), "Mount the chosen devices front or rear"),
    Key("face", "Front or rear view", "R", lambda c: c.flip(), "Look from the other side"),
    Key("rename", "Rename", "F2", lambda c: c.inspector.rename(), "The chosen device or rack"),
    Key("search", "Search devices", "Ctrl+F", lambda c: c.devices.line.setFocus(), "Go to the palette"),
    Key("zoom_in", "Zoom in", "+", lambda c: c.view.zoom(1.25), "Nearer"),
    Key("zoom_out", "Zoom out", "-", lambda c: c.view.zoom(0.8), "Farther"),
    Key("fit", "Fit all", "0", lambda c: c.view.fit(), "Show all racks", True),
    Key("fit_chosen", "Fit chosen", "F", lambda c: c.view.fit_chosen(), "Show what is chosen as large as it goes"),
    Key("up", "Device above", "Up", lambda c: c.deeds.step(1, 0), "Choose it"),
    Key("down", "Device below", "Down", lambda c: c.deeds.step(-1, 0), "Choose it"),
    Key("left", "Rack at the left", "Left", lambda c: c.deeds.step(0, -1), "Choose it"),
    Key("right", "Rack at the right", "Right", lambda c: c.deeds.step(0, 1), "Choose it"),
    Key("add_up", "And the device above", "Shift+Up", lambda c: c.deeds.step(1, 0, True), "Choose it too"),
    Key("add_down", "And the device below", "Shift+Down", lambda c: c.deeds.step(-1, 0, True), "Choose it too"),
    Key("add_left", "And the rack at the left", "Shift+Left", lambda c: c.deeds.step(0, -1, True), "Choose it too"),
    Key("add_right", "And the rack at the right", "Shift+Right", lambda c: c.deeds.step(0, 1, True), "Choose it too"),
    Key("move_up", "Move up", "Alt+Up", lambda c: c.deeds.move(1, 0), "By one rack unit"),
    Key("move_down", "Move down", "Alt+Down", lambda c: c.deeds.move(-1, 0), "By one rack unit"),
    Key("move_left", "Move to the rack at the left", "Alt+Left", lambda c: c.deeds.move(0, -1), "At the same height"),
    Key("move_right", "Move to the rack at the right", "Alt+Right", lambda c: c.deeds.move(0, 1), "At the same height"),
)
