"""The dock of a layer: its form, what follows from it, and what is wrong with it."""

from __future__ import annotations

import html
from typing import Any

from PySide6.QtCore import QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from wattsweights_gui.engine.layers import layer_named
from wattsweights_gui.gui.forms.form import LayerForm
from wattsweights_gui.gui.panels.findings import FindingsList
from wattsweights_gui.gui.panels.results import ResultsList
from wattsweights_gui.gui.theme import SPACE

_PROJECT_ABOUT = "What the title block of every sheet says."


class LayerPanel(QScrollArea):
    """Form, results and findings of one layer; built when it is first shown.

    Args:
        session: the plan and its results.
        theme: of the window.
        layer: its name, or ``project`` for the title block.
    """

    def __init__(self, session: Any, theme: Any, layer: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.theme, self.layer = session, theme, layer
        self.form: LayerForm | None = None
        self.results: ResultsList | None = None
        self.findings: FindingsList | None = None
        self._stale = False
        self.setObjectName(f"layer.{layer}")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumWidth(280)
        session.changed.connect(self._on_changed)
        theme.changed.connect(self._on_theme)

    def build(self) -> None:
        """Make the widgets; does nothing the second time."""
        if self.form is not None:
            return
        body = QWidget()
        box = QVBoxLayout(body)
        box.setContentsMargins(3 * SPACE, 2 * SPACE, 2 * SPACE, 3 * SPACE)
        box.setSpacing(2 * SPACE)
        words = _PROJECT_ABOUT if self.layer == "project" else layer_named(self.layer).about
        about = QLabel(html.escape(f"{words[0].upper()}{words[1:].rstrip('.')}."))
        about.setProperty("role", "quiet")
        about.setWordWrap(True)
        about.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        box.addWidget(about)
        self.form = LayerForm(self.session, self.theme, self.layer)
        box.addWidget(self.form)
        if self.layer != "project":
            # with a parent from the start: shown without one it would be a window for a moment, and take the focus
            self.findings = FindingsList(self.session, self.theme, self.layer, body)
            box.addWidget(self.findings)
            self.results = ResultsList(self.session, self.layer)
            box.addWidget(self.results)
        box.addStretch(1)
        self.setWidget(body)
        body.setMinimumWidth(1)

    def focus_field(self, path: str) -> bool:
        """Put the cursor into a field; return whether it is here."""
        self.build()
        assert self.form is not None
        field = self.form.field(path)
        if field is None:
            return False
        self.ensureWidgetVisible(field.editor)
        field.focus()
        return True

    def refresh(self, origin: object = None) -> None:
        """Show the plan and its results as they stand."""
        self._stale = False
        for part in (self.findings, self.results):
            if part is not None:
                part.refresh()
        if self.form is not None:
            self.form.refresh(origin)

    def in_sight(self) -> bool:
        """Return whether any of it is inside of the window: Qt lays a dock behind another out beside it, and shown."""
        window = self.window()
        return self.isVisible() and window.rect().intersects(QRect(self.mapTo(window, QPoint(0, 0)), self.size()))

    def come_into_sight(self) -> None:
        """Build or bring up to date what nobody looked at until now."""
        self.build()
        if self._stale:
            self.refresh()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Come into sight: what is painted is looked at."""
        super().paintEvent(event)
        if self.form is None or self._stale:
            QTimer.singleShot(0, self.come_into_sight)

    def _on_changed(self, layers: tuple[str, ...], origin: object) -> None:
        if self.form is None or (self.layer not in layers and self.layer != "project"):
            return
        if self.in_sight():
            self.refresh(origin)
        else:
            self._stale = True

    def _on_theme(self) -> None:
        if self.form is not None:
            self._stale = True
            if self.in_sight():
                self.refresh()
