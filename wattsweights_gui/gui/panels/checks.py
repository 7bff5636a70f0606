"""Checks: everything that is wrong or odd with the plan, worst first, each with its way out."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from wattsweights_gui.engine.declare import Finding

SEVERITIES = {"blocker": "Blocker", "caution": "Caution", "note": "Note"}
MARKS = {"blocker": "✖", "caution": "▲", "note": "●"}


class FindingRow(QFrame):
    """One finding: severity, sentence, source, and a button that applies its fix."""

    def __init__(self, session: Any, finding: Finding, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.finding = session, finding
        self.setObjectName(f"finding:{finding.id}")
        head = QLabel(f"{MARKS[finding.severity]} {SEVERITIES[finding.severity]}")
        head.setProperty("severity", finding.severity)
        where = QPushButton(finding.subject)
        where.setProperty("figure", True)
        where.setToolTip("Show this field")
        where.clicked.connect(lambda: session.focus_requested.emit(finding.subject))
        message = QLabel(finding.message)
        message.setWordWrap(True)
        message.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        line = QHBoxLayout()
        line.addWidget(head)
        line.addStretch(1)
        line.addWidget(where)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 4, 0, 8)
        box.setSpacing(4)
        box.addLayout(line)
        box.addWidget(message)
        if finding.source:
            source = QLabel(finding.source)
            source.setWordWrap(True)
            source.setProperty("quiet", True)
            source.setProperty("small", True)
            box.addWidget(source)
        if finding.fix:
            self.fix = QPushButton(finding.fix_title or "Fix")
            self.fix.setObjectName(f"fix:{finding.id}")
            self.fix.clicked.connect(self._apply)
            row = QHBoxLayout()
            row.addWidget(self.fix)
            row.addStretch(1)
            box.addLayout(row)

    def _apply(self) -> None:
        self.session.apply(self.finding.fix, self.finding.fix_title or "Fix")


class FindingList(QWidget):
    """The findings of some layers, or of all; refilled only when they differ."""

    def __init__(self, session: Any, layer: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.layer = session, layer
        self._shown: tuple[Finding, ...] | None = None
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(0)

    def refresh(self) -> None:
        """Show what the evaluation says now."""
        found = self.findings()
        if found == self._shown:
            return
        self._shown = found
        while (item := self._box.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for finding in found:
            self._box.addWidget(FindingRow(self.session, finding))
        if not found and not self.layer:
            empty = QLabel("Nothing is wrong with this plan.")
            empty.setProperty("quiet", True)
            self._box.addWidget(empty)

    def findings(self) -> tuple[Finding, ...]:
        """Return the findings that are shown, worst first."""
        evaluation = self.session.evaluation
        if evaluation is None:
            return ()
        order = list(SEVERITIES)
        mine = [f for f in evaluation.findings if not self.layer or f.id.split(".")[0] == self.layer]
        return tuple(sorted(mine, key=lambda f: order.index(f.severity)))


class ChecksPanel(QScrollArea):
    """The dock with all findings."""

    def __init__(self, session: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("checks")
        self.setWidgetResizable(True)
        page = QWidget()
        page.setObjectName("page")
        self.summary = QLabel()
        self.summary.setProperty("head", True)
        self.list = FindingList(session)
        box = QVBoxLayout(page)
        box.setContentsMargins(12, 8, 12, 8)
        box.addWidget(self.summary)
        box.addWidget(self.list)
        box.addStretch(1)
        self.setWidget(page)
        session.changed.connect(self.refresh)
        self.refresh()

    def refresh(self, *_: object) -> None:
        """Show what the evaluation says now."""
        self.list.refresh()
        found = self.list.findings()
        counts = [(s, sum(f.severity == s for f in found)) for s in SEVERITIES]
        words = [f"{n} {SEVERITIES[s].lower()}{'s' if n != 1 else ''}" for s, n in counts if n]
        self.summary.setText(", ".join(words).capitalize() if words else "No findings")
