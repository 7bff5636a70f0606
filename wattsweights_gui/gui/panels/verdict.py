"""The verdict in one sentence, what collides (the binding limit first), and the way to what would help."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from wattsweights_gui.engine import units
from wattsweights_gui.engine.both_ends import BothEnds, verdict
from wattsweights_gui.engine.declare import Need
from wattsweights_gui.gui.theme import MEDIUM, SPACE

_SHOWN = 3
STATES = {True: ("fits", "fine", "FITS"), False: ("over", "over", "DOES NOT FIT"), None: ("unknown", "quiet", "OPEN")}


class VerdictBar(QFrame):
    """Follows a session.

    Signals:
        layer_requested: somebody wants the dock of a layer.
        levers_requested: somebody wants the ways out.
    """

    layer_requested = Signal(str)
    levers_requested = Signal()

    def __init__(self, session: Any, theme: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.theme = session, theme
        self.setObjectName("verdict")
        self.setProperty("role", "verdict")
        self.sign, self.state, self.sentence = QLabel(), QLabel(), QLabel()
        self.state.setObjectName("verdict.state")
        self.state.setProperty("role", "state")
        self.sentence.setObjectName("verdict.sentence")
        self.sentence.setWordWrap(True)
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        font = self.state.font()
        font.setPointSize(MEDIUM)
        font.setBold(True)
        self.state.setFont(font)
        self.ways_out = QPushButton("Ways out…")
        self.ways_out.setObjectName("verdict.levers")
        self.ways_out.setProperty("role", "primary")
        self.ways_out.clicked.connect(self.levers_requested)
        top = QHBoxLayout()
        top.setSpacing(2 * SPACE)
        top.addWidget(self.sign)
        top.addWidget(self.state)
        top.addWidget(self.sentence, 1)
        top.addWidget(self.ways_out)
        self._chips = QHBoxLayout()
        self._chips.setSpacing(2 * SPACE)
        box = QVBoxLayout(self)
        box.setContentsMargins(3 * SPACE, SPACE, 3 * SPACE, SPACE)
        box.setSpacing(SPACE)
        box.addLayout(top)
        box.addLayout(self._chips)
        self._shown: tuple[object, ...] = ()
        session.ends_changed.connect(self.refresh)
        session.units_changed.connect(self.refresh)
        theme.changed.connect(self.refresh)

    def refresh(self, *_: object) -> None:
        """Say what holds for the plan as it stands."""
        ends: BothEnds = self.session.ends
        system: units.System = self.session.units
        words = verdict(self.session.evaluation, ends, system)
        if ends.largest_params_b.known and ends.fits is False:
            words += f" Largest model that the hall trains in time: {ends.largest_params_b.text(system)}."
        binding = tuple(sorted(ends.binding, key=lambda n: (n.end != "facility", -(n.load or 0.0))))
        now = (words, ends.fits, binding, system, self.theme.dark)
        if now == self._shown:
            return
        self._shown = now
        icon, token, state = STATES[ends.fits]
        self.sign.setPixmap(self.theme.icon(icon, token).pixmap(QSize(24, 24)))
        self.state.setText(state)
        self.state.setStyleSheet(f"color: {self.theme.color(token).name()}")
        # the word in large letters says that already
        self.sentence.setText(words.removeprefix("It does not fit. ").removeprefix("It fits. "))
        self.setAccessibleName(f"Verdict: {words}")
        self.ways_out.setVisible(ends.fits is not True)
        self._show_chips(binding, system)

    def _show_chips(self, binding: tuple[Need, ...], system: units.System) -> None:
        while (item := self._chips.takeAt(0)) is not None:
            if item.widget() is not None:
                item.widget().hide()
                item.widget().deleteLater()
        for place, need in enumerate(binding[:_SHOWN], 1):
            self._chips.addWidget(self._chip(place, need, system))
        if len(binding) > _SHOWN:
            more = QLabel(f"{len(binding) - _SHOWN} more")
            more.setProperty("role", "quiet")
            more.setToolTip("\n".join(_words(n, system) for n in binding[_SHOWN:]))
            self._chips.addWidget(more)
        self._chips.addStretch(1)

    def _chip(self, place: int, need: Need, system: units.System) -> QToolButton:
        chip = QToolButton()
        chip.setProperty("role", "chip")
        chip.setProperty("first", place == 1)
        chip.setObjectName(f"verdict.binding.{place}")
        chip.setText(f"{place}  {_words(need, system)}")
        chip.setToolTip(f"Open {need.layer}. Limit: {need.have.source or need.have.title}")
        chip.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        chip.setMinimumWidth(1)
        chip.clicked.connect(lambda: self.layer_requested.emit(need.layer))
        return chip


def _words(need: Need, system: units.System) -> str:
    there = units.text(need.have.value, need.unit, system)
    needed = units.text(need.need.number, need.unit, system)
    number, _, sign = needed.rpartition(units.THIN_SPACE)
    # a unit is said once, where it is the same
    if sign and there.endswith(f"{units.THIN_SPACE}{sign}"):
        needed = number
    return f"{need.title}: {needed} of {there}"
