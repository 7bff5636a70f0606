"""The floor: where racks stand, what they are coloured by, what is wrong, and how they are moved."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction, QKeySequence, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from wattsweights_gui.engine.units import number, text
from wattsweights_gui.gui.canvas.floor_view import FloorView
from wattsweights_gui.gui.canvas.meters import METRICS
from wattsweights_gui.gui.theme import SPACE
from wattsweights_gui.layout.floor_checks import floor_findings
from wattsweights_gui.layout.from_plan import fill_from_plan
from wattsweights_gui.layout.wanted import wanted_of

_NOT_HERE = "group"  # colours devices, not racks


class FloorCanvas(QWidget):
    """The whole of it, fed by a session; follows it while it is in sight."""

    def __init__(self, session: Any, theme: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("floor canvas")
        self.session = session
        self.view = FloorView(session, theme)
        self.colour = QComboBox()
        self.about, self.wrong, self.said = QLabel(), QLabel(), QLabel()
        self.actions_of: dict[str, QAction] = {}
        self._stale = True
        self._lay_out()
        self.setFocusProxy(self.view)
        session.placed.connect(self.refresh)
        session.changed.connect(lambda *_: self.refresh())
        self.view.chosen.connect(self._tell)
        self.view.refused.connect(self.said.setText)

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.setContentsMargins(2 * SPACE, SPACE, 2 * SPACE, SPACE)
        bar.setSpacing(SPACE)
        bar.addWidget(QLabel("Colour"))
        for name, metric in METRICS.items():
            if name != _NOT_HERE:
                self.colour.addItem(metric.title, name)
        self.colour.setAccessibleName("Colour racks by")
        self.colour.currentIndexChanged.connect(lambda _: self.view.set_metric(self.colour.currentData()))
        bar.addWidget(self.colour)
        bar.addSpacing(2 * SPACE)
        for name, title, keys, tip, run in (
            ("fit", "Fit", "F", "Show the whole floor", self.view.fit),
            ("fit_chosen", "Near", "Shift+F", "Show the chosen racks", self.view.fit_chosen),
            ("turn", "Turn", "T", "Turn the chosen racks by a quarter", self.view.turn_chosen),
            ("back", "Back in the rows", "B", "Let the chosen racks stand in their rows again", self.view.back_in_rows),
        ):
            action = QAction(title, self)
            action.setObjectName(f"floor.{name}")
            action.setShortcut(QKeySequence(keys))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.setToolTip(f"{tip} ({keys})")
            action.triggered.connect(lambda _=False, run=run: run())
            self.view.addAction(action)
            self.actions_of[name] = action
            button = QToolButton()
            button.setDefaultAction(action)
            bar.addWidget(button)
        bar.addSpacing(2 * SPACE)
        self.about.setTextFormat(Qt.TextFormat.PlainText)
        self.about.setProperty("role", "quiet")
        self.about.setSizePolicy(self.about.sizePolicy().Policy.Ignored, self.about.sizePolicy().Policy.Preferred)
        bar.addWidget(self.about, 1)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.view)
        self.stack.addWidget(self._empty())
        foot = QHBoxLayout()
        foot.setContentsMargins(2 * SPACE, SPACE, 2 * SPACE, SPACE)
        foot.setSpacing(3 * SPACE)
        for label in (self.wrong, self.said):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            foot.addWidget(label, 1)
        self.said.setProperty("role", "refusal")
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addLayout(bar)
        box.addWidget(self.stack, 1)
        box.addLayout(foot)

    def _empty(self) -> QWidget:
        page = QWidget()
        words = QLabel("No racks are placed yet.")
        words.setProperty("role", "heading")
        more = QLabel("Fill them from the plan in one go; they are put in rows, and each can be moved.")
        self.fill_button = QPushButton("Fill from the plan")
        self.fill_button.setProperty("role", "primary")
        self.fill_button.clicked.connect(lambda _=False: self.fill())
        box = QVBoxLayout(page)
        box.setSpacing(3 * SPACE)
        box.addStretch(1)
        for widget in (words, more, self.fill_button):
            box.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
        box.addStretch(2)
        return page

    def fill(self) -> None:
        """Fill the racks from the plan, undoable."""
        session = self.session
        wanted = wanted_of(session.evaluation, session.hall)
        session.place(fill_from_plan(session.placements, session.hall, wanted).placements, "Fill from the plan")

    def refresh(self) -> None:
        """Show what is placed now."""
        if not self.isVisible():
            self._stale = True
            return
        self._stale = False
        placed = bool(self.session.placements.racks)
        focus = self.view.hasFocus() or self.fill_button.hasFocus()
        self.stack.setCurrentIndex(0 if placed else 1)
        self.view.show_placed()
        if focus:
            (self.view if placed else self.fill_button).setFocus()
        found = floor_findings(self.view.plan, self.view.loads, self.session.units)
        more = f"  And {len(found) - 1} more." if len(found) > 1 else ""
        good = "Nothing overlaps, and the ways are wide enough." if placed else ""
        self.wrong.setText(found[0].message + more if found else good)
        self.wrong.setToolTip("\n".join(f.message for f in found))
        self._tell()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with the session."""
        super().showEvent(event)
        if self._stale:
            QTimer.singleShot(0, self.refresh)

    def _tell(self) -> None:
        """Say what is chosen, or what the whole floor takes."""
        view, units = self.view, self.session.units
        chosen = [id for id in view.plan.racks if id in view.chosen_racks and id in view.loads]
        if len(chosen) == 1:
            self.about.setText(view.words(chosen[0]).replace("\n", " · "))
        elif chosen:
            kw = sum(view.loads[id].power_kw for id in chosen)
            kg = sum(view.loads[id].mass_kg for id in chosen)
            self.about.setText(f"{number(len(chosen))} racks: {text(kw, 'kw', units)}, {text(kg, 'kg', units)}")
        elif view.plan.racks:
            whole = view.plan.outline
            self.about.setText(
                f"{number(len(view.plan.racks))} racks in {number(len(view.plan.rows))} rows on "
                f"{text(whole.area_m2, 'm2', units)}; Alt and arrows move the chosen rack"
            )
        else:
            self.about.clear()
