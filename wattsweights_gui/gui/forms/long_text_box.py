"""Several lines of free text, which may come from a file that is dropped on them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, QSize, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from wattsweights_gui.engine.units import System
from wattsweights_gui.gui.forms.undo_keys import left_to_the_plan


class LongTextBox(QPlainTextEdit):
    """Several lines of free text; committed when the field is left.

    Signals:
        committed: the text, and ``False`` (it was not stepped).
        dropped: the path of a file that was dropped or pasted.
    """

    committed = Signal(object, bool)
    dropped = Signal(str)

    def __init__(self, takes_files: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = ""
        self._takes_files = takes_files
        self.setTabChangesFocus(True)

    def show_value(self, value: object, system: System) -> None:
        """Show what is set."""
        self._shown = "" if value is None else str(value)
        self.setPlainText(self._shown)

    def typed(self) -> bool:
        """Return whether there is something that has not been committed."""
        return self.toPlainText() != self._shown

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Take one file where files are taken; its path is no text that anybody wants here."""
        if source.hasUrls():
            return self._takes_files and _file_of(source) is not None
        return super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Hand on a file that was dropped or pasted; insert a text."""
        file = _file_of(source) if self._takes_files else None
        if file is not None:
            self.dropped.emit(file)
        elif not source.hasUrls():
            super().insertFromMimeData(source)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Commit what was typed."""
        super().focusOutEvent(event)
        if self.typed():
            self.committed.emit(self.toPlainText(), False)

    def sizeHint(self) -> QSize:
        """Return room for four lines."""
        return QSize(120, self.fontMetrics().lineSpacing() * 5)

    def event(self, event: QEvent) -> bool:
        """Keep the height that four lines need."""
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()
        return False if left_to_the_plan(self, event) else super().event(event)


def _file_of(source: QMimeData) -> str | None:
    urls = source.urls()
    return urls[0].toLocalFile() if len(urls) == 1 and urls[0].isLocalFile() else None
