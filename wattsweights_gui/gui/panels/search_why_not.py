"""Why not?: a layout is typed, as far as somebody cares; the rule or the number against it is the answer."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from wattsweights_gui.engine import units
from wattsweights_gui.engine.declare import Refused, literals
from wattsweights_gui.engine.equations.layouts import WORDS
from wattsweights_gui.engine.search_words import counts_of, value_of
from wattsweights_gui.engine.search_words_out import SCHEDULES, SHARDINGS, degrees_text, verdict_text
from wattsweights_gui.gui.forms.choice_boxes import ChoiceBox

JOB = "why not"
LEAST_WIDTH = 140
NUMBERS: tuple[tuple[str, str], ...] = (
    ("gpus", "GPUs"), ("tp", "TP"), ("pp", "PP"), ("dp", "DP"), ("cp", "CP"), ("ep", "EP"), ("etp", "ETP"),
    ("micro_batch", "Micro"), ("vpp", "Chunks"),
)  # fmt: skip
CHOICES: tuple[tuple[str, str], ...] = (
    ("schedule", "Sched."), ("recompute", "Recomp."), ("sharding", "Shards"), ("gpu", "GPU"),
    ("precision", "Precision"),
)  # fmt: skip
_COLUMNS = 3


class WhyNotForm(QWidget):
    """Fields of a layout, all of which may be left open, and the answer beside them.

    Signals:
        found: the layout nearest to what was asked, where it can run.
    """

    found = Signal(object)

    def __init__(self, session: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.lines: dict[str, QLineEdit] = {}
        self.choices: dict[str, QComboBox] = {}
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        places = iter(range(len(NUMBERS) + len(CHOICES)))
        for name, title in NUMBERS:
            line = self.lines[name] = QLineEdit()
            line.setPlaceholderText("any" if name != "gpus" else "own")
            line.setMinimumWidth(48)
            line.returnPressed.connect(self.ask)
            self._place(grid, next(places), title, line)
        for name, title in CHOICES:
            self.choices[name] = ChoiceBox([(None, "any"), *self._options(name)])
            self.choices[name].setMinimumContentsLength(2)
            self._place(grid, next(places), title, self.choices[name])
        self.button = QPushButton("Why not?")
        self.button.setProperty("role", "primary")
        self.button.clicked.connect(self.ask)
        grid.addWidget(self.button, grid.rowCount() - 1, 2 * _COLUMNS - 1)
        self.answer = QLabel("Type what you have in mind; what is left open is free, and the best of it is taken.")
        self.answer.setWordWrap(True)
        self.answer.setTextFormat(Qt.TextFormat.PlainText)
        self.answer.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.answer.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        fields = QWidget()
        left = QVBoxLayout(fields)
        left.setContentsMargins(0, 0, 8, 0)
        left.addLayout(grid)
        left.addStretch(1)
        box = QHBoxLayout(self)
        box.setContentsMargins(0, 4, 0, 0)
        for widget, share in ((fields, 2), (self.answer, 1)):
            area = QScrollArea()
            area.setWidgetResizable(True)
            area.setWidget(widget)
            if widget is self.answer:
                area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            # narrower than its fields it scrolls: a dock must not widen the window beyond a laptop's screen
            area.setMinimumWidth(LEAST_WIDTH)
            box.addWidget(area, share)

    @staticmethod
    def _place(grid: QGridLayout, place: int, title: str, field: QWidget) -> None:
        field.setAccessibleName(title)
        label = QLabel(title)
        label.setBuddy(field)
        grid.addWidget(label, place // _COLUMNS, 2 * (place % _COLUMNS))
        grid.addWidget(field, place // _COLUMNS, 2 * (place % _COLUMNS) + 1)

    def _options(self, name: str) -> list[tuple[str, str]]:
        if name == "gpu":
            return [(e.id, e.name) for e in self.session.catalog.of_kind("gpu")]
        if name == "precision":
            words = literals(type(self.session.plan.inputs("workload")), "precision")
            return [(word, word.upper().replace("_", " ")) for word in words]
        titles = {"schedule": SCHEDULES, "sharding": SHARDINGS}.get(name, {})
        return [(word, titles.get(word, word)) for word in WORDS[name]]

    def ask(self) -> None:
        """Ask the worker about what is typed."""
        try:
            asked, gpus = self._asked()
        except Refused as refused:
            self.answer.setText(f"{refused.path}: {refused.message}")
            return
        if not asked:
            self.answer.setText("Nothing is named: type a degree, such as 16 for TP, or choose a word.")
            return
        plan, catalog = self.session.plan, self.session.catalog

        def work(_: Any) -> Any:
            from wattsweights_gui.engine.search import explain

            return explain(plan, catalog, asked, gpus=gpus)

        self.answer.setText("Sizing it…")
        self.session.jobs.run(JOB, work, self._answered, self._failed)

    def _asked(self) -> tuple[dict[str, Any], int | None]:
        asked: dict[str, Any] = {}
        gpus = None
        for name, line in self.lines.items():
            typed = line.text().strip()
            if typed and name == "gpus":
                counts = counts_of(typed)
                if len(counts) > 1:
                    raise Refused("gpus", "one number here, not several.")
                gpus = counts[0]
            elif typed:
                asked[name] = value_of(name, typed)
        for name, box in self.choices.items():
            if box.currentData() is not None:
                asked[name] = box.currentData()
        return asked, gpus

    def _answered(self, about: Any) -> None:
        system = self.session.units
        verdict = verdict_text(about, system)
        lines = [f"On {units.text(about.gpus, 'count')} GPUs {verdict}"]
        for reason in about.reasons:
            lines += ["", reason.message, *([f"Source: {reason.source}"] if reason.source else [])]
        for title, layout in (("The best with it", about.nearest), ("The best of all", about.best)):
            if layout is not None:
                memory = units.text(layout.memory_gb, "gb", system)
                lines += ["", f"{title}: {degrees_text(layout)}; {units.text(layout.days, 'days', system)}, {memory}."]
        self.answer.setText("\n".join(lines))
        if about.nearest is not None and not about.reasons:
            self.found.emit(about.nearest)

    def _failed(self, error: Exception) -> None:
        self.answer.setText(str(error).splitlines()[0] if str(error) else type(error).__name__)
