"""Keeps the rack canvas and the fabric at the same device: what is chosen in one is chosen in the other."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject

from wattsweights_gui.layout.edited_fabric import NoFabricError, base_of
from wattsweights_gui.layout.wired_places import wired_places


class SameDevice(QObject):
    """Between the session's selected device and the racks of a rack canvas."""

    def __init__(self, session: Any, racks: Any) -> None:
        super().__init__(racks)
        self.session, self.racks = session, racks
        self._known: tuple[object, object, dict[str, str]] | None = None
        self._busy = False
        racks.view.chosen.connect(self._chosen_in_a_rack)
        session.device_selected.connect(self._selected)
        if session.selected_device:
            self._selected(session.selected_device, None)

    def names(self) -> dict[str, str]:
        """Return the name in the fabric of every placed device that is part of it, by the placed device's id."""
        evaluation, placed = self.session.evaluation, self.session.placements
        if self._known is None or self._known[0] is not evaluation or self._known[1] is not placed:
            try:
                found = wired_places(base_of(evaluation).wiring, placed)
            except NoFabricError:
                found = {}
            self._known = (evaluation, placed, found)
        return self._known[2]

    def _chosen_in_a_rack(self) -> None:
        if self._busy:
            return
        chosen = self.racks.view.look.chosen
        name = self.names().get(next(iter(chosen)), "") if len(chosen) == 1 else ""
        self.session.select_device(name, self.racks)

    def _selected(self, name: str, origin: object) -> None:
        if origin is self.racks:
            return
        id = next((id for id, named in self.names().items() if named == name), "") if name else ""
        view = self.racks.view
        self._busy = True
        try:
            view.choose({id} if id else (), ())
        finally:
            self._busy = False
        rack = self.session.placements.place_of.get(id)
        if rack in view.items_of:
            view.ensureVisible(view.items_of[rack], 40, 40)
