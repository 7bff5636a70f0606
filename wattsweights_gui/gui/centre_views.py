"""What fills the middle of the window: the chain with its docks, or a canvas that has the width to itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QStackedWidget, QWidget

from wattsweights_gui.gui.kept_look import LAYOUT_VERSION

WITH_DOCKS = "both ends"


class CentreViews(QStackedWidget):
    """Views by name; those that are large are made when they are first looked at.

    A canvas hides the docks, so that it has the room, and gives them back as they were. Docks that are opened over it
    stay until it is left.
    """

    def __init__(self, window: Any) -> None:
        super().__init__()
        self._window = window
        self._views: dict[str, QWidget] = {}
        self._makers: dict[str, Callable[[], QWidget]] = {}
        self._docks: QByteArray | None = None
        self.name = WITH_DOCKS

    def __contains__(self, name: object) -> bool:
        return name in self._views or name in self._makers

    def add(self, name: str, view: QWidget) -> None:
        """Add a view that is there."""
        self._views[name] = view
        self.addWidget(view)

    def add_later(self, name: str, make: Callable[[], QWidget]) -> None:
        """Add a view that is made when it is first looked at."""
        self._makers[name] = make

    def view(self, name: str) -> QWidget:
        """Return a view, made now where it was not yet."""
        if name not in self._views:
            self.add(name, self._makers[name]())
        return self._views[name]

    def turn_to(self, name: str) -> None:
        """Show a view."""
        if name == self.name:
            return
        view = self.view(name)
        leaving, self.name = self.name, name
        if leaving == WITH_DOCKS:
            self._docks = self._window.saveState(LAYOUT_VERSION)
            for dock in self._window.docks.all.values():
                dock.hide()
        elif name == WITH_DOCKS and self._docks is not None:
            self._window.restoreState(self._docks, LAYOUT_VERSION)
            self._docks = None
        self.setCurrentWidget(view)
        view.setFocus()

    def state_with_docks(self) -> QByteArray:
        """Return how the docks lie, or how they did before a canvas took their room."""
        if self._docks is not None:
            return self._docks
        state: QByteArray = self._window.saveState(LAYOUT_VERSION)
        return state
