"""How the window looked when it was last closed: docks, place, theme, units; kept in the user's data folder."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow

from wattsweights_gui import paths

# counted up when docks are added or renamed: an older layout is then not restored
LAYOUT_VERSION = 1


class KeptLook:
    """Reads and writes ``window.ini``."""

    def __init__(self) -> None:
        self._settings = QSettings(str(paths.user_data() / "window.ini"), QSettings.Format.IniFormat)

    def get(self, name: str, choices: tuple[str, ...]) -> str:
        """Return a kept word, or the first choice where it is none of them."""
        found = str(self._settings.value(name, choices[0]))
        return found if found in choices else choices[0]

    def keep(self, name: str, word: str) -> None:
        """Keep a word."""
        self._settings.setValue(name, word)

    def keep_window(self, window: QMainWindow, state: QByteArray) -> None:
        """Keep where the window is and how its docks lie."""
        self._settings.setValue("geometry", window.saveGeometry())
        self._settings.setValue(f"docks{LAYOUT_VERSION}", state)
        self._settings.sync()

    def place(self, window: QMainWindow) -> bool:
        """Put a window where it was; return whether that is known and on a screen that is there."""
        kept: Any = self._settings.value("geometry")
        if not isinstance(kept, QByteArray) or not window.restoreGeometry(kept):
            return False
        frame = window.frameGeometry()
        return any(screen.availableGeometry().intersects(frame) for screen in QGuiApplication.screens())

    def docks(self) -> QByteArray | None:
        """Return how the docks lay; ``None`` where nothing usable is kept."""
        kept: Any = self._settings.value(f"docks{LAYOUT_VERSION}")
        return kept if isinstance(kept, QByteArray) and not kept.isEmpty() else None
