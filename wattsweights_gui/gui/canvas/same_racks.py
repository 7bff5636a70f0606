"""Keeps the floor and the rack canvas at the same racks: what is chosen in one is chosen in the other."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject


class SameRacks(QObject):
    """Between a floor canvas and a rack canvas."""

    def __init__(self, floor: Any, racks: Any) -> None:
        super().__init__(floor)
        self.floor, self.racks = floor.view, racks.view
        self._busy = False
        self.floor.chosen.connect(self._on_the_floor)
        self.racks.chosen.connect(self._in_the_racks)
        self._in_the_racks()

    def _on_the_floor(self) -> None:
        if self._busy:
            return
        self._busy = True
        try:
            self.racks.choose((), self.floor.chosen_racks)
        finally:
            self._busy = False

    def _in_the_racks(self) -> None:
        if self._busy:
            return
        look, places = self.racks.look, self.racks.session.placements.place_of
        self._busy = True
        try:
            self.floor.choose(look.chosen_racks | {places[id] for id in look.chosen if id in places})
        finally:
            self._busy = False
