"""What is chosen: its name, what it is, and the load of its rack, each number a link to where it comes from."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QGridLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from wattsweights_gui.engine.units import number, text
from wattsweights_gui.gui.canvas.words import device_words
from wattsweights_gui.gui.theme import SPACE
from wattsweights_gui.layout.loads import RackLoad, total

_ROWS = (
    ("power_kw", "Draw", "kw"),
    ("a_kw", "Side A", "kw"),
    ("b_kw", "Side B", "kw"),
    ("failover_amps", "Amps, failover", "a"),
    ("mass_kg", "Mass", "kg"),
    ("used_u", "Used", "u"),
    ("liquid_kw", "To liquid", "kw"),
    ("air_kw", "To air", "kw"),
    ("flow_l_min", "Coolant", "l_min"),
)


class Inspector(QScrollArea):
    """Follows what is chosen on the view."""

    def __init__(self, canvas: Any) -> None:
        super().__init__()
        self.canvas, self.view, self.session = canvas, canvas.view, canvas.session
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        page = QWidget()
        self.heading = QLabel()
        self.heading.setProperty("role", "heading")
        self.heading.setWordWrap(True)
        self.name = QLineEdit()
        self.name.setAccessibleName("Name")
        self.name.editingFinished.connect(self._named)
        self.about = QLabel()
        self.about.setWordWrap(True)
        self.about.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.about.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.loads_of = QLabel()
        self.loads_of.setProperty("role", "group")
        grid = QGridLayout()
        grid.setHorizontalSpacing(2 * SPACE)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(0, 1)
        self.values: dict[str, QToolButton] = {}
        self._labels: dict[str, QLabel] = {}
        for row, (name, title, _) in enumerate(_ROWS):
            label, value = QLabel(title), QToolButton()
            label.setProperty("role", "quiet")
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)  # the number must be seen whole
            value.setProperty("role", "link")
            value.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
            value.setToolTip("Why this number?")
            value.setAccessibleName(title)
            value.clicked.connect(lambda _=False, name=name: self._why(name))
            grid.addWidget(label, row, 0)
            grid.addWidget(value, row, 1, Qt.AlignmentFlag.AlignRight)
            self.values[name], self._labels[name] = value, label
        self.gaps = QLabel()
        self.gaps.setWordWrap(True)
        self.gaps.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.gaps.setProperty("role", "quiet")
        box = QVBoxLayout(page)
        box.setContentsMargins(2 * SPACE, SPACE, 2 * SPACE, SPACE)
        box.setSpacing(SPACE)
        for widget in (self.heading, self.name, self.about, self.loads_of):
            box.addWidget(widget)
        box.addLayout(grid)
        box.addWidget(self.gaps)
        box.addStretch(1)
        self.setWidget(page)
        self.setMinimumWidth(190)
        self._rack = ""

    def rename(self) -> None:
        """Go to the name of what is chosen."""
        if self.name.isVisibleTo(self):
            self.name.setFocus()
            self.name.selectAll()

    def refresh(self) -> None:
        """Show what is chosen now."""
        placed, look = self.session.placements, self.view.look
        chosen = placed.chosen(look.chosen)
        racks = [r for r in placed.racks if r.id in look.chosen_racks]
        one = chosen[0][1] if len(chosen) == 1 else None
        self._rack = chosen[0][0] if len({r for r, _ in chosen}) == 1 else racks[0].id if len(racks) == 1 else ""
        named = one.name if one is not None else racks[0].name if len(racks) == 1 and not chosen else ""
        self.name.setVisible(bool(named))
        if not self.name.hasFocus() or self.name.text() != named:
            self.name.setText(named)
        self.about.setVisible(one is not None)
        self.about.setText("\n".join(device_words(one, self.session).split("\n")[1:]) if one is not None else "")
        if chosen:
            self.heading.setText("Device" if one is not None else f"{number(len(chosen))} devices")
        elif racks:
            self.heading.setText("Rack" if len(racks) == 1 else f"{number(len(racks))} racks")
        else:
            self.heading.setText("All racks")
        self._show_load([r.id for r in racks] or ([self._rack] if self._rack else []))

    def _show_load(self, racks: list[str]) -> None:
        placed, loads = self.session.placements, self.view.loads
        listed = [loads[id] for id in racks if id in loads] if racks else list(loads.values())
        if not listed:
            self.loads_of.setText("No racks are placed yet.")
        elif len(listed) == 1 and racks:
            self.loads_of.setText(f"Load of {placed.rack(racks[0]).name}")
        else:
            self.loads_of.setText(f"{number(len(listed))} racks together")
        load: RackLoad = listed[0] if len(listed) == 1 else total(listed)
        units = self.session.units
        for name, _, unit in _ROWS:
            value = getattr(load, name)
            there = bool(listed) and value is not None
            words = (
                f"{number(load.used_u)} of {number(load.height_u)} U" if name == "used_u" else text(value, unit, units)
            )
            self.values[name].setText(words)
            self.values[name].setEnabled(bool(self._rack))
            self.values[name].setVisible(there)
            self._labels[name].setVisible(there)
        self.gaps.setText("\n".join(load.gaps) if listed else "")

    def _why(self, name: str) -> None:
        if self._rack:
            self.session.why_requested.emit(f"racks.{self._rack}.{name}")

    def _named(self) -> None:
        if self.name.isVisibleTo(self) and self.name.isModified():
            self.name.setModified(False)
            if not self.canvas.deeds.rename(self.name.text()):
                self.refresh()
            self.view.setFocus()
