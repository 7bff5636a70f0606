"""The page of an empty start: recent projects, examples, import."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from wattsweights_gui.project import recent
from wattsweights_gui.project.examples import examples

MOST_RECENT = 8


class WelcomePage(QScrollArea):
    """Offers what to begin with.

    Signals:
        new_requested, open_requested, import_requested: a button was clicked.
        file_requested, example_requested: with the path or the name.
    """

    new_requested = Signal()
    open_requested = Signal()
    import_requested = Signal()
    file_requested = Signal(str)
    example_requested = Signal(str)

    def __init__(self, session: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("welcome")
        self.setWidgetResizable(True)
        self.session = session
        page = QWidget()
        page.setObjectName("page")
        title = QLabel("From watts to weights")
        title.setProperty("role", "large")
        about = QLabel(
            "Size a cluster from the model to the chilled water, or from the hall back to the model. "
            "Every number says where it comes from."
        )
        about.setWordWrap(True)
        about.setProperty("role", "quiet")
        self.columns = QGridLayout()
        self.columns.setHorizontalSpacing(32)
        self.columns.setColumnStretch(0, 1)
        self.columns.setColumnStretch(1, 1)
        inner = QVBoxLayout()
        inner.setSpacing(8)
        inner.addWidget(title)
        inner.addWidget(about)
        inner.addSpacing(16)
        inner.addLayout(self.columns)
        inner.addStretch(1)
        box = QVBoxLayout(page)
        box.setContentsMargins(48, 32, 48, 32)
        box.addLayout(inner)
        self.setWidget(page)
        self.refresh()

    def refresh(self) -> None:
        """List what there is now."""
        while (item := self.columns.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self.columns.addWidget(self._start(), 0, 0, Qt.AlignmentFlag.AlignTop)
        self.columns.addWidget(self._examples(), 0, 1, 2, 1, Qt.AlignmentFlag.AlignTop)
        self.columns.addWidget(self._recent(), 1, 0, Qt.AlignmentFlag.AlignTop)
        self.columns.setRowStretch(2, 1)

    def _start(self) -> QWidget:
        column, box = _column("Start")
        for words, tip, signal in (
            ("New plan", "A 1T-parameter model in 30 days, with every field at its default", self.new_requested),
            ("Open a project…", "A file ending in .watts; it may also be dropped on this window", self.open_requested),
            ("Import a Hugging Face config.json…", "The model's shape from its configuration", self.import_requested),
        ):
            button = QPushButton(words)
            button.setToolTip(tip)
            button.clicked.connect(signal)
            box.addWidget(button)
        return column

    def _examples(self) -> QWidget:
        column, box = _column("Examples")
        for example in examples():
            box.addWidget(
                _card(example.title, example.name, lambda name=example.name: self.example_requested.emit(name))
            )
        return column

    def _recent(self) -> QWidget:
        column, box = _column("Recent projects")
        listed = recent.recent()[:MOST_RECENT]
        for entry in listed:
            path = Path(entry.path)
            there = entry.exists
            card = _card(
                path.name,
                str(path.parent) if there else f"{path.parent} (not there any more)",
                lambda where=str(path): self.file_requested.emit(where),
            )
            card.setEnabled(there)
            box.addWidget(card)
        if not listed:
            empty = QLabel("Projects that you save or open are listed here.")
            empty.setProperty("role", "quiet")
            empty.setWordWrap(True)
            box.addWidget(empty)
        return column


def _column(title: str) -> tuple[QWidget, QVBoxLayout]:
    column = QFrame()
    box = QVBoxLayout(column)
    box.setContentsMargins(0, 0, 0, 16)
    box.setSpacing(8)
    head = QLabel(title)
    head.setProperty("role", "heading")
    box.addWidget(head)
    return column, box


def _card(title: str, below: str, clicked: Any) -> QPushButton:
    card = QPushButton(f"{title}\n{below}")
    card.setStyleSheet("text-align: left; padding: 8px 12px;")
    card.setAccessibleName(title)
    card.clicked.connect(lambda _=False: clicked())
    return card
