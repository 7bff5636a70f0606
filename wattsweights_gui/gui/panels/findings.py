"""What is wrong or odd with a layer, each with the edit that mends it where there is one."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from wattsweights_gui.engine.declare import Finding, results_of
from wattsweights_gui.engine.layers import LAYERS, layer_named
from wattsweights_gui.engine.plan import fields_of
from wattsweights_gui.gui.theme import SPACE

SIGNS = {"blocker": ("over", "over"), "caution": ("near", "near"), "note": ("near", "quiet")}
WORDS = {"blocker": "Blocker", "caution": "Caution", "note": "Note"}
_ORDER = tuple(SIGNS)


def layer_of(finding: Finding) -> str:
    """Return the layer that a finding is about."""
    parts = finding.subject.split(".")
    return parts[1] if parts[0] == "layers" and len(parts) > 1 else parts[0]


def subject_words(session: Any, finding: Finding) -> str:
    """Return what a finding is about as the forms call it: the layer, and its field or result."""
    layer = layer_of(finding)
    titles = {declared.name: declared.title for declared in LAYERS}
    name = finding.subject.rpartition(".")[2]
    about = fields_of(session.plan).get(finding.subject)
    if about is None and layer in titles:
        about = results_of(layer_named(layer).result).get(name)
    place = titles.get(layer, layer)
    return f"{place}: {about.title}" if about is not None else place


class FindingsList(QWidget):
    """The findings of one layer (or of all, where ``layer`` is empty), worst first; nothing where there are none."""

    def __init__(self, session: Any, theme: Any, layer: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.theme, self.layer = session, theme, layer
        self._shown: tuple[object, ...] = ()
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(SPACE)
        self.refresh()

    def refresh(self) -> None:
        """Show the findings as they stand."""
        found = sorted(
            (f for f in self.session.evaluation.findings if self.layer in ("", layer_of(f))),
            key=lambda f: _ORDER.index(f.severity),
        )
        now = (tuple(found), self.theme.dark)
        if now == self._shown:
            return
        self._shown = now
        while (item := self._box.takeAt(0)) is not None:
            widget = item.widget()
            widget.hide()
            widget.deleteLater()
        for finding in found:
            self._box.addWidget(_Card(self.session, self.theme, finding, with_subject=not self.layer))
        self.setVisible(bool(found))


class _Card(QFrame):
    def __init__(self, session: Any, theme: Any, finding: Finding, *, with_subject: bool) -> None:
        super().__init__()
        self.setProperty("role", "finding")
        self.setProperty("severity", finding.severity)
        grid = QGridLayout(self)
        grid.setContentsMargins(2 * SPACE, SPACE, 2 * SPACE, SPACE)
        grid.setHorizontalSpacing(2 * SPACE)
        grid.setVerticalSpacing(SPACE)
        sign = QLabel()
        icon, token = SIGNS[finding.severity]
        sign.setPixmap(theme.icon(icon, token).pixmap(QSize(16, 16)))
        sign.setAccessibleName(WORDS[finding.severity])
        sign.setToolTip(WORDS[finding.severity])
        words = QLabel(finding.message)
        words.setTextFormat(Qt.TextFormat.PlainText)
        words.setWordWrap(True)
        words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        words.setAccessibleName(f"{WORDS[finding.severity]}: {finding.message}")
        if finding.source:
            words.setToolTip(f"Source: {finding.source}")
        grid.addWidget(sign, 0, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(words, 0, 1)
        grid.setColumnStretch(1, 1)
        if with_subject:
            where = QToolButton()
            where.setText(subject_words(session, finding))
            where.setProperty("role", "link")
            where.setToolTip(f"Go to {finding.subject.removeprefix('layers.')}")
            where.clicked.connect(lambda: session.focus_requested.emit(finding.subject))
            grid.addWidget(where, 2, 1, Qt.AlignmentFlag.AlignLeft)
        if finding.fix:
            button = QPushButton(theme.icon("fix"), finding.fix_title or "Fix")
            button.setObjectName(f"fix/{finding.id}")
            button.setToolTip("; ".join(f"{path} = {value}" for path, value in finding.fix))
            button.clicked.connect(lambda: session.apply(finding.fix, finding.fix_title or f"Fix: {finding.message}"))
            grid.addWidget(button, 1, 1, Qt.AlignmentFlag.AlignLeft)
