"""What is searched: the objective, a front of two, numbers and types of GPUs, precisions, the space, prices."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QMouseEvent
from PySide6.QtWidgets import QCheckBox, QFormLayout, QHBoxLayout, QLabel, QLineEdit, QMenu, QToolButton, QWidget

from wattsweights_gui.engine.declare import Refused, literals
from wattsweights_gui.engine.layout_prices import Prices
from wattsweights_gui.engine.search_answers import TITLES
from wattsweights_gui.engine.search_words import counts_of, price_of
from wattsweights_gui.gui.forms.choice_boxes import ChoiceBox


class StayingMenu(QMenu):
    """A menu of ticks that stays open while several are set."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Set a tick without closing."""
        action = self.activeAction()
        if action is not None and action.isCheckable() and action.isEnabled():
            action.trigger()
            event.accept()
            return
        super().mouseReleaseEvent(event)


class TickList(QToolButton):
    """A button that says what is ticked; with nothing ticked the plan's own holds."""

    def __init__(self, name: str, choices: Iterable[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = StayingMenu(self)
        self.ticks: dict[str, QAction] = {}
        for value, title in choices:
            action = menu.addAction(title)
            action.setCheckable(True)
            action.toggled.connect(self._say)
            self.ticks[value] = action
        self.setMenu(menu)
        self._say()

    def chosen(self) -> list[str]:
        """Return what is ticked."""
        return [value for value, action in self.ticks.items() if action.isChecked()]

    def _say(self, *_: object) -> None:
        titles = [action.text() for action in self.ticks.values() if action.isChecked()]
        self.setToolTip("\n".join(titles) or "The plan's own; tick others to search them too.")
        words = titles[0] if len(titles) == 1 else f"{len(titles)} chosen"
        words = words if titles else "the plan's own"
        self.setText(f"{words[:19]}…" if len(words) > 20 else words)


class SearchForm(QWidget):
    """The fields of a search.

    Signals:
        entered: somebody pressed Enter in a field.
    """

    entered = Signal()

    def __init__(self, session: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        objectives = [(name, title) for name, title in TITLES.items()]
        self.objective, self.first, self.second = (ChoiceBox(objectives) for _ in range(3))
        for box, name, value in (
            (self.objective, "Best by", "days"),
            (self.first, "Front, first", "gpus"),
            (self.second, "Front, second", "days"),
        ):
            box.setAccessibleName(name)
            box.show_value(value, "si")
            box.setMinimumContentsLength(3)
            box.currentIndexChanged.connect(self._prices_if_asked)
        self.gpus = self._line("GPUs", "the plan's own", "512, a list 256,512 or a range 256-4096:8")
        gpus = [(e.id, e.name) for e in session.catalog.of_kind("gpu")]
        self.gpu_types = TickList("GPU types", gpus)
        names = literals(type(session.plan.inputs("workload")), "precision")
        self.precisions = TickList("Precisions", [(name, name.upper().replace("_", " ")) for name in names])
        self.wide = QCheckBox("All layouts, not only usual ones")
        self.wide.setToolTip("Every degree that divides, zero bubble, expert tensor parallelism and every sharding.")
        self.energy = self._line("USD a kWh", "none", "Price of energy, for the cost")
        self.hour = self._line("USD a GPU hour", "none", "3.5 for all, or h100_sxm=3,b200=5.5 by type")
        self.refusal = QLabel()
        self.refusal.setWordWrap(True)
        self.refusal.setProperty("role", "refusal")
        self.refusal.hide()
        front = QHBoxLayout()
        front.setSpacing(4)
        front.addWidget(self.first)
        front.addWidget(self.second)
        self.form = QFormLayout(self)
        self.form.setContentsMargins(0, 0, 8, 0)
        self.form.setVerticalSpacing(4)
        self.form.addRow("Best by", self.objective)
        self.form.addRow("GPUs", self.gpus)
        self.form.addRow("GPU types", self.gpu_types)
        self.form.addRow("Precisions", self.precisions)
        self.form.addRow(self.wide)
        self.form.addRow("Front of", front)
        self.form.addRow("USD a kWh", self.energy)
        self.form.addRow("USD a GPU h", self.hour)
        self.form.addRow(self.refusal)
        self._prices_if_asked()

    def _line(self, name: str, empty: str, help: str) -> QLineEdit:
        line = QLineEdit()
        line.setAccessibleName(name)
        line.setPlaceholderText(empty)
        line.setToolTip(help)
        line.returnPressed.connect(self.entered)
        return line

    def _prices_if_asked(self, *_: object) -> None:
        cost = "cost" in (box.currentData() for box in (self.objective, self.first, self.second))
        for line in (self.energy, self.hour):
            self.form.setRowVisible(line, cost)

    def asked(self) -> dict[str, Any] | None:
        """Return what to search, or ``None`` where a field cannot be read; the sentence stands under the fields."""
        for line in (self.gpus, self.energy, self.hour):
            self._mark(line, False)
        self.refusal.hide()
        line = self.gpus
        try:
            typed = self.gpus.text().strip()
            counts = counts_of(typed) if typed else None
            line = self.energy
            energy = price_of(self.energy.text())[0] if self.energy.text().strip() else None
            line = self.hour
            hour, hours = price_of(self.hour.text()) if self.hour.text().strip() else (None, ())
            front = (self.first.currentData(), self.second.currentData())
            prices = Prices(energy, hour, hours)
            if front[0] == front[1]:
                return self._refuse(None, "A front has two different objectives.")
            if "cost" in (self.objective.currentData(), *front) and not prices.given:
                return self._refuse(self.energy, "A cost needs a price: of a kWh, of a GPU hour, or of both.")
        except Refused as refused:
            return self._refuse(line, f"{refused.message[0].upper()}{refused.message[1:]}")
        return {
            "gpus": counts,
            "objective": self.objective.currentData(),
            "front": front,
            "axes": "wide" if self.wide.isChecked() else "usual",
            "gpu_types": self.gpu_types.chosen() or None,
            "precisions": self.precisions.chosen() or None,
            "prices": prices,
        }

    def _refuse(self, line: QLineEdit | None, words: str) -> dict[str, Any] | None:
        self.refusal.setText(words)
        self.refusal.show()
        if line is not None:
            self._mark(line, True)
            line.setFocus()
        return None

    @staticmethod
    def _mark(line: QLineEdit, refused: bool) -> None:
        line.setProperty("refused", "true" if refused else "false")
        line.style().unpolish(line)
        line.style().polish(line)
