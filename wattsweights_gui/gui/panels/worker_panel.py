"""What panels share that ask the worker for a list: heading, state, progress, and the buttons that start and cancel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QWidget


class WorkerPanel(QWidget):
    """A panel whose list is made in the worker when asked for; a subclass lays it out and takes the answer."""

    JOB: ClassVar[str] = ""
    HEADING: ClassVar[str] = ""
    ABOUT: ClassVar[str] = ""
    FIND: ClassVar[str] = ""
    FAILED: ClassVar[str] = ""

    def __init__(self, session: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(self.JOB)
        self.session = session
        self.head = QLabel(self.HEADING)
        self.head.setProperty("role", "heading")
        self.state = QLabel(self.ABOUT)
        self.state.setWordWrap(True)
        self.state.setProperty("role", "quiet")
        self.find: Any = QPushButton(self.FIND)
        self.find.setProperty("role", "primary")
        self.find.clicked.connect(lambda: self.run())
        self.stop = QPushButton("Cancel")
        self.stop.clicked.connect(lambda: self.cancel())
        self.stop.hide()
        self.progress = QProgressBar()
        self.progress.setRange(0, 1000)
        self.progress.setTextVisible(False)
        self.progress.hide()

    def run(self) -> None:
        """Ask the worker."""
        raise NotImplementedError

    def taken(self, answer: Any) -> None:
        """Show the worker's answer."""
        raise NotImplementedError

    def progressed(self, share: float, *_: Any) -> None:
        """Show how much is done."""
        self.progress.setValue(round(share * 1000))

    def top_row(self) -> QHBoxLayout:
        """Return heading and buttons in a row."""
        row = QHBoxLayout()
        row.addWidget(self.head)
        row.addStretch(1)
        row.addWidget(self.stop)
        row.addWidget(self.find)
        return row

    def start(self, work: Callable[[Any], Any], words: str) -> None:
        """Do work in the worker, with words on what is done."""
        self.stop.show()
        self.find.setEnabled(False)
        self.progress.setValue(0)
        self.progress.show()
        self.state.setText(words)
        self.session.jobs.run(self.JOB, work, self._done, self._failed, self.progressed)

    def cancel(self) -> None:
        """Stop; what was shown before stays."""
        self.session.jobs.cancel(self.JOB)
        self.idle()
        self.state.setText("Cancelled.")

    def idle(self) -> None:
        """Be ready to start again."""
        self.stop.hide()
        self.progress.hide()
        self.find.setEnabled(True)

    def _done(self, answer: Any) -> None:
        self.taken(answer)
        self.idle()

    def _failed(self, error: Exception) -> None:
        self.state.setText(f"{self.FAILED}: {str(error).splitlines()[0] if str(error) else type(error).__name__}")
        self.idle()
