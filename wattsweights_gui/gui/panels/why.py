"""Why?: any number, its formula, the numbers put in, and where each of them comes from."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from wattsweights_gui.engine import units
from wattsweights_gui.engine.declare import Figure

MAX_DEPTH = 12
PATH_ROLE = Qt.ItemDataRole.UserRole


class WhyPanel(QWidget):
    """Explains one figure of the session; follows edits while it is shown."""

    def __init__(self, session: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("why")
        self.session = session
        self.path = ""
        self._trail: list[str] = []
        self.title = QLabel("Click any number to see where it comes from.")
        self.title.setWordWrap(True)
        self.title.setProperty("role", "heading")
        self.value = QLabel()
        self.value.setProperty("role", "large")
        self.value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.formula = QLabel()
        self.formula.setWordWrap(True)
        self.formula.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.source = QLabel()
        self.source.setWordWrap(True)
        self.source.setProperty("role", "quiet")
        self.source.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.tree = QTreeWidget()
        self.tree.setHeaderLabels(["Put in", "Value", "From"])
        self.tree.setAccessibleName("What was put in, and where it comes from")
        self.tree.setRootIsDecorated(True)
        self.tree.setAlternatingRowColors(True)
        self.tree.setUniformRowHeights(True)
        self.tree.itemActivated.connect(self._activated)
        self.back = QPushButton("Back")
        self.back.clicked.connect(self._go_back)
        self.copy = QPushButton("Copy as text")
        self.copy.clicked.connect(self.copy_text)
        self._lay_out()
        self.back.hide()
        self.copy.hide()
        session.why_requested.connect(self.explain)
        session.ends_changed.connect(self._explain_tightest)
        session.changed.connect(self._changed)
        session.placed.connect(self._changed)

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.addWidget(self.back)
        buttons.addStretch(1)
        buttons.addWidget(self.copy)
        box = QVBoxLayout(self)
        box.setContentsMargins(12, 8, 12, 8)
        box.setSpacing(4)
        for widget in (self.title, self.value, self.formula, self.source):
            box.addWidget(widget)
        box.addWidget(self.tree, 1)
        box.addLayout(buttons)

    def explain(self, path: str) -> None:
        """Show one figure by its path (``layer.name`` or ``layers.layer.result.name``)."""
        if self.path and self.path != path:
            self._trail.append(self.path)
        self.path = path
        self._show()

    def _go_back(self) -> None:
        if self._trail:
            self.path = self._trail.pop()
            self._show()

    def _changed(self, *_: object) -> None:
        if self.path:
            self._show()

    def _explain_tightest(self) -> None:
        """Begin with what binds, until somebody asks for something else."""
        if not self.path and self.session.ends.compared:
            tightest = self.session.ends.compared[0]
            path = f"layers.{tightest.layer}.result.{tightest.quantity}"
            try:
                self.session.evaluation.figure(path)
            except KeyError:
                return
            self.path = path
            self._show()

    def _figure(self) -> Figure | None:
        try:
            found: Figure = self.session.figure(self.path)
        except (KeyError, AttributeError):
            return None
        return found

    def _show(self) -> None:
        figure = self._figure()
        self.back.setVisible(bool(self._trail))
        self.copy.setVisible(figure is not None)
        self.tree.clear()
        if figure is None:
            self.title.setText(f"{self.path} is not part of this plan.")
            for label in (self.value, self.formula, self.source):
                label.clear()
            return
        system = self.session.units
        self.title.setText(figure.title or self.path)
        spread = ""
        if figure.low is not None and figure.high is not None and figure.low != figure.high:
            spread = (
                f"  ({units.text(figure.low, figure.unit, system)} to {units.text(figure.high, figure.unit, system)})"
            )
        self.value.setText(figure.text(system) + spread)
        self.value.setToolTip(exact(figure, system))
        self.formula.setText(figure.formula)
        self.formula.setVisible(bool(figure.formula))
        self.source.setText(f"Source: {figure.source}" if figure.source else "")
        self.source.setVisible(bool(figure.source))
        self._fill(self.tree.invisibleRootItem(), figure, system, 0)
        self.tree.expandToDepth(0)
        for column in (0, 1):
            self.tree.resizeColumnToContents(column)
            self.tree.setColumnWidth(column, min(self.tree.columnWidth(column), max(180, self.tree.width() // 3)))

    def _fill(self, parent: QTreeWidgetItem, figure: Figure, system: units.System, depth: int) -> None:
        if depth >= MAX_DEPTH:
            return
        for name, operand in figure.operands:
            item = QTreeWidgetItem(parent)
            item.setText(0, operand.title or name.replace("_", " "))
            item.setText(1, operand.text(system))
            item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            item.setText(2, origin(operand))
            tip = "\n".join(t for t in (exact(operand, system), operand.formula, operand.source) if t)
            for column in range(3):
                item.setToolTip(column, tip)
            item.setData(0, PATH_ROLE, operand.path)
            self._fill(item, operand, system, depth + 1)

    def _activated(self, item: QTreeWidgetItem, _: int) -> None:
        path = str(item.data(0, PATH_ROLE) or "")
        if path and not path.startswith(("catalog.", "constant.")):
            self.explain(path)

    def copy_text(self) -> None:
        """Put the whole explanation on the clipboard."""
        figure = self._figure()
        if figure is not None:
            QGuiApplication.clipboard().setText("\n".join(as_lines(figure, self.session.units)))


def origin(figure: Figure) -> str:
    """Return where a figure comes from, in a few words."""
    if figure.path.startswith("catalog."):
        return f"catalogue: {figure.source}" if figure.source else "catalogue"
    if figure.path.startswith("constant."):
        return f"constant: {figure.source}"
    if figure.path.startswith("layers."):
        return figure.formula or figure.source
    if figure.formula:
        return figure.formula
    return figure.source


def exact(figure: Figure, system: units.System) -> str:
    """Return the value to the last digit, with its unit."""
    if not isinstance(figure.value, int | float) or isinstance(figure.value, bool):
        return str(figure.value) if figure.value is not None else figure.formula
    value, sign = units.shown(float(figure.value), figure.unit, system)
    return f"{value!r} {sign}".strip()


def as_lines(figure: Figure, system: units.System, depth: int = 0) -> list[str]:
    """Return the explanation as indented text."""
    pad = "    " * depth
    lines = [f"{pad}{figure.title or figure.path} = {figure.text(system)}"]
    if figure.formula:
        lines.append(f"{pad}  {figure.formula}")
    if figure.source:
        lines.append(f"{pad}  source: {figure.source}")
    if depth < MAX_DEPTH:
        for _, operand in figure.operands:
            lines += as_lines(operand, system, depth + 1)
    return lines
