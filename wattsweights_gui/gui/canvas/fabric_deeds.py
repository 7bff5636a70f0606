"""What can be done to the fabric by a button or a key, each as one undoable edit."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPointF

from wattsweights_gui.gui.canvas.deeds import Key
from wattsweights_gui.gui.canvas.fabric_places import GAP, HIGH
from wattsweights_gui.layout import fabric_edits
from wattsweights_gui.layout.edited_fabric import LEVEL
from wattsweights_gui.layout.fabric_edits import EMPTY_SHEET, NO_EDITS
from wattsweights_gui.layout.fabric_kinds import FabricKind
from wattsweights_gui.layout.fabric_linking import join

_STEP = 20.0


class FabricDeeds:
    """Edits of what is chosen on a view."""

    def __init__(self, view: Any) -> None:
        self.view, self.session = view, view.session

    @property
    def edits(self) -> fabric_edits.FabricEdits:
        """What was done by hand so far."""
        edits: fabric_edits.FabricEdits = self.session.fabric_edits
        return edits

    def place(self, kind: FabricKind | None) -> None:
        """Put the palette's device into the middle of what is in sight, beside what lies there."""
        view = self.view
        if kind is None or view.look.fabric is None:
            view.refused.emit("Choose a node or a switch in the palette first.")
            return
        middle = view.mapToScene(view.viewport().rect().center())
        x, y = middle.x(), view.drawing.row_y[0] if kind.node else middle.y() - HIGH / 2.0
        while (at := view.drawing.device_at(x + GAP, y + HIGH / 2.0)) is not None:
            x = float(view.drawing.x[at] + view.drawing.wide[at]) + GAP
        view.place(kind, QPointF(x, y))

    def delete(self) -> None:
        """Delete the chosen devices and links."""
        look = self.view.look
        devices, links = sorted(look.chosen), sorted(look.chosen_links)
        parts = [f"{len(devices)} device{'s' if len(devices) != 1 else ''}"] if devices else []
        parts += [f"{len(links)} link{'s' if len(links) != 1 else ''}"] if links else []
        self.view.take(fabric_edits.delete(self.edits, devices, links), f"Delete {' and '.join(parts)}")

    def join(self) -> None:
        """Draw a link between the chosen devices of one tier and each of the next."""
        if self.view.look.fabric is not None:
            names = sorted(self.view.look.chosen)
            self.view.take(join(self.view.fabric, names), f"Link {len(names)} devices")

    def group(self) -> None:
        """Put the chosen devices into a group of their own, or out of theirs where all are in the same."""
        look = self.view.look
        if look.fabric is None:
            return
        names = sorted(look.chosen)
        groups = {look.fabric.group_of(look.fabric.index_of[name]) for name in names}
        apart = len(groups) == 1 and "" not in groups
        title = "" if apart else fabric_edits.free_group(self.edits)
        words = f"Ungroup {len(names)} devices" if apart else f"Group {len(names)} devices"
        self.view.take(fabric_edits.group(self.edits, names, title), words)

    def move(self, across: float, down: float) -> None:
        """Move the chosen devices by a step."""
        view = self.view
        boxes = {name: view.box_of(name) for name in sorted(view.look.chosen)}
        places = {name: (box.x() + across * _STEP, box.y() + down * _STEP) for name, box in boxes.items()}
        view.take(fabric_edits.move(self.edits, places), f"Move {len(places)} devices")

    def start_empty(self) -> None:
        """Begin with an empty sheet."""
        self.session.edit_fabric(EMPTY_SHEET, "Empty fabric")
        self.view.refused.emit("")

    def from_plan(self) -> None:
        """Take the plan's own fabric again; all edits by hand go, and an undo brings them back."""
        self.session.edit_fabric(NO_EDITS, "Fabric from the plan")
        self.view.refused.emit("")

    def step(self, up: int, across: int) -> None:
        """Choose the device beside, or the nearest one of the tier above or below."""
        view = self.view
        if view.look.fabric is None or not len(view.drawing.x):
            return
        drawing, fabric = view.drawing, view.fabric
        chosen = view.look.indices()
        if not len(chosen):
            view.choose({fabric.name(0)})
            return
        here = int(chosen[0])
        levels = LEVEL[fabric.devices.kind]
        wanted = int(levels[here]) + up
        middle = drawing.x + drawing.wide / 2.0
        away = middle - middle[here]
        there = levels == wanted
        if across:
            there &= (away * across > 1e-6) & (abs(drawing.y - drawing.y[here]) < HIGH)
        else:
            mine = fabric.links.b[fabric.links.a == here] if up > 0 else fabric.links.a[fabric.links.b == here]
            there[:] = False
            there[mine] = True
        found = there.nonzero()[0]
        if len(found):
            best = int(found[abs(away[found]).argmin()])
            view.choose({fabric.name(best)})
            view.ensureVisible(view.box_of(fabric.name(best)), 40, 40)


KEYS: tuple[Key, ...] = (
    Key("from_plan", "From plan", "Ctrl+Shift+F", lambda c: c.deeds.from_plan(), "The plan's own fabric again", True),
    Key("empty", "Start empty", "Ctrl+Shift+E", lambda c: c.deeds.start_empty(), "An empty sheet to draw on", True),
    Key("place", "Add", "Ins", lambda c: c.deeds.place(c.palette_of.kind), "The palette's node or switch", True),
    Key("join", "Join", "J", lambda c: c.deeds.join(), "A link between the chosen of one tier and of the next", True),
    Key("group", "Group", "Ctrl+G", lambda c: c.deeds.group(), "Group what is chosen, or ungroup it", True),
    Key("delete", "Delete", "Del", lambda c: c.deeds.delete(), "The chosen devices and links", True),
    Key("search", "Search the fabric", "Ctrl+F", lambda c: c.line.setFocus(), "Jump to a device by its name"),
    Key("zoom_in", "Zoom in", "+", lambda c: c.view.zoom(1.25), "Nearer"),
    Key("zoom_out", "Zoom out", "-", lambda c: c.view.zoom(0.8), "Farther"),
    Key("fit", "Fit all", "0", lambda c: c.view.fit(), "Show the whole fabric", True),
    Key("fit_chosen", "Fit chosen", "F", lambda c: c.view.fit_chosen(), "Show what is chosen as large as it goes"),
    Key("up", "Device above", "Up", lambda c: c.deeds.step(1, 0), "Choose one of the tier above"),
    Key("down", "Device below", "Down", lambda c: c.deeds.step(-1, 0), "Choose one of the tier below"),
    Key("left", "Device at the left", "Left", lambda c: c.deeds.step(0, -1), "Choose it"),
    Key("right", "Device at the right", "Right", lambda c: c.deeds.step(0, 1), "Choose it"),
    Key("move_up", "Move up", "Alt+Up", lambda c: c.deeds.move(0, -1), "By one step"),
    Key("move_down", "Move down", "Alt+Down", lambda c: c.deeds.move(0, 1), "By one step"),
    Key("move_left", "Move left", "Alt+Left", lambda c: c.deeds.move(-1, 0), "By one step"),
    Key("move_right", "Move right", "Alt+Right", lambda c: c.deeds.move(1, 0), "By one step"),
)
