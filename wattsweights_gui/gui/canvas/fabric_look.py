"""What the drawing of a fabric shows: where it lies, what is chosen, what lights up, and the overlay on it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from wattsweights_gui.engine.wiring import Whole
from wattsweights_gui.gui.canvas.fabric_places import Drawing
from wattsweights_gui.gui.canvas.inks import Inks
from wattsweights_gui.layout.edited_fabric import EditedFabric
from wattsweights_gui.layout.fabric_edits import LinkKey
from wattsweights_gui.layout.fabric_paths import Mask, paths_between, paths_up

# scales at which the drawing shows more: devices in place of blocks, ports and single links in place of bundles
DEVICES_FROM, PORTS_FROM, NUMBERS_FROM = 0.17, 0.7, 3.0


@dataclass
class Overlay:
    """Colours and widths over the drawing; empty arrays where there are none.

    Attributes:
        colours: by number. device: which of them each device has; -1 for none.
        words: on a device's box in place of its name; empty for none.
        wide: of each link in pixels, 1 for a usual one.
        lost: links that are gone. hurt: devices: 1 that lose a part, 2 that are cut off or gone.
        title, remark: what it shows, in words.
    """

    colours: list[QColor] = field(default_factory=list)
    device: Whole = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    words: dict[int, str] = field(default_factory=dict)
    wide: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    lost: Mask = field(default_factory=lambda: np.zeros(0, dtype=bool))
    hurt: Whole = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    title: str = ""
    remark: str = ""


class FabricLook:
    """What is shown, of one fabric at a time."""

    def __init__(self, inks: Inks) -> None:
        self.inks = inks
        self.fabric: EditedFabric | None = None
        self.drawing: Drawing | None = None
        self.chosen: set[str] = set()
        self.chosen_links: set[LinkKey] = set()
        self.overlay = Overlay()
        self.lit: Mask = np.zeros(0, dtype=bool)
        self.lit_devices: Mask = np.zeros(0, dtype=bool)
        self.chosen_devices: Mask = np.zeros(0, dtype=bool)

    def show(self, fabric: EditedFabric, drawing: Drawing) -> None:
        """Show a fabric; what was chosen stays chosen where it is still there."""
        self.fabric, self.drawing = fabric, drawing
        self.chosen = {name for name in self.chosen if name in fabric.index_of}
        self.chosen_links = {key for key in self.chosen_links if self.link_number(key) is not None}
        self.light()

    @property
    def wires(self) -> EditedFabric:
        """The fabric, where there is one."""
        assert self.fabric is not None
        return self.fabric

    @property
    def places(self) -> Drawing:
        """Where its parts lie, where there is one."""
        assert self.drawing is not None
        return self.drawing

    @property
    def anything_lit(self) -> bool:
        """Whether anything is chosen, so that the rest steps back."""
        return bool(self.chosen or self.chosen_links)

    def indices(self) -> Whole:
        """Return the numbers of the chosen devices."""
        assert self.fabric is not None
        return np.array(sorted(self.fabric.index_of[name] for name in self.chosen), dtype=np.int64)

    def link_number(self, key: LinkKey) -> int | None:
        """Return the number of a link by its key; ``None`` where it is not there."""
        fabric = self.fabric
        if fabric is None or key[0] not in fabric.index_of:
            return None
        link = fabric.link_of(fabric.index_of[key[0]], key[1])
        return link if link is not None and fabric.key(link) == key else None

    def light(self) -> None:
        """Find out which links and devices light up: all paths between two chosen devices, else those from each up."""
        fabric = self.fabric
        if fabric is None:
            return
        devices = self.indices()
        self.chosen_devices = np.zeros(len(fabric.devices), dtype=bool)
        self.chosen_devices[devices] = True
        lit = np.zeros(len(fabric.links), dtype=bool)
        if len(devices) == 2:
            lit = paths_between(fabric, int(devices[0]), int(devices[1]))
        elif len(devices):
            lit = paths_up(fabric, devices)
        for key in self.chosen_links:
            number = self.link_number(key)
            if number is not None:
                lit[number] = True
        self.lit = lit
        self.lit_devices = self.chosen_devices.copy()
        self.lit_devices[fabric.links.a[lit]] = True
        self.lit_devices[fabric.links.b[lit]] = True
