"""A button under a field of text that takes the text from a file, and the same for a file dropped on the field."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QPushButton

from wattsweights_gui.gui.dialogs import dialogs_of


class FileButton(QPushButton):
    """Lets somebody choose the file whose text a field takes."""

    def __init__(self, title: str, kinds: str, chosen: Callable[[str], None]) -> None:
        super().__init__("From a file …")
        self._title, self._kinds, self._chosen = title, kinds, chosen
        self.setToolTip(f"{title}: {kinds}. Or drop the file on the field.")
        self.setAccessibleName(f"{title} from a file")
        self.clicked.connect(self._choose)

    def _choose(self) -> None:
        dialogs_of(self).file_to_open(self._title, self._kinds, self._given)

    def _given(self, path: str) -> None:
        if path:
            self._chosen(path)
