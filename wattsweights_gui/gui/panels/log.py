"""Log: what was done in this window, line by line."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

MAX_LINES = 2000


class LogPanel(QWidget):
    """Edits, saves, refusals and background work, with the time of each."""

    def __init__(self, session: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("log")
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setMaximumBlockCount(MAX_LINES)
        self.text.setAccessibleName("Log")
        self.text.setPlaceholderText("What you do in this window is listed here.")
        box = QVBoxLayout(self)
        box.setContentsMargins(8, 4, 8, 4)
        box.addWidget(self.text)
        session.logged.connect(self.add)

    def add(self, line: str) -> None:
        """Add one line with the time."""
        self.text.appendPlainText(f"{datetime.now():%H:%M:%S}  {line}")
