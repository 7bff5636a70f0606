"""Checks: everything that is wrong or odd with the plan, worst first, each with its way out."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QLabel, QScrollArea, QVBoxLayout, QWidget

from wattsweights_gui.gui.panels.findings import WORDS, FindingsList


class ChecksPanel(QScrollArea):
    """The dock with the findings of all layers."""

    def __init__(self, session: Any, theme: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("checks")
        self.setWidgetResizable(True)
        page = QWidget()
        self.session = session
        self.summary = QLabel()
        self.summary.setProperty("role", "heading")
        self.list = FindingsList(session, theme, "", page)
        box = QVBoxLayout(page)
        box.setContentsMargins(12, 8, 12, 8)
        box.addWidget(self.summary)
        box.addWidget(self.list)
        box.addStretch(1)
        self.setWidget(page)
        session.changed.connect(self.refresh)
        theme.changed.connect(self.refresh)
        self.refresh()

    def refresh(self, *_: object) -> None:
        """Show what the evaluation says now."""
        self.list.refresh()
        severities = [finding.severity for finding in self.session.evaluation.findings]
        counts = {word: severities.count(name) for name, word in WORDS.items()}
        words = [f"{n} {word.lower()}{'s' if n != 1 else ''}" for word, n in counts.items() if n]
        self.summary.setText(", ".join(words).capitalize() if words else "Nothing is wrong with this plan.")
