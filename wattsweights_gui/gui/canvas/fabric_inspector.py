"""What is chosen on the fabric in words, its tiers of links against the plan's, and what no longer agrees with it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from wattsweights_gui.engine import fabric_graph
from wattsweights_gui.engine.units import number
from wattsweights_gui.gui.canvas.fabric_overlays import tier_rows
from wattsweights_gui.gui.canvas.fabric_words import device_words, link_words
from wattsweights_gui.gui.theme import SPACE
from wattsweights_gui.layout.fabric_differences import differences

_HEADS = ("Links", "drawn", "plan", "oversub.")


class FabricInspector(QScrollArea):
    """Follows what is chosen on the view."""

    def __init__(self, view: Any) -> None:
        super().__init__()
        self.view, self.session = view, view.session
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        page = QWidget()
        self.heading = _label("heading")
        self.about = _label()
        self.about.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.tiers_of = _label("group")
        self.tiers_of.setText("Tiers")
        self.overlay_of = _label("group")
        self.overlay_words = _label()
        self.differ_of = _label("group")
        self.differ_of.setText("Against the plan")
        self.differ = _label()
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(2 * SPACE)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(0, 1)
        self.cells: list[list[QLabel]] = []
        box = QVBoxLayout(page)
        box.setContentsMargins(2 * SPACE, SPACE, 2 * SPACE, SPACE)
        box.setSpacing(SPACE)
        for widget in (self.heading, self.about, self.overlay_of, self.overlay_words, self.tiers_of):
            box.addWidget(widget)
        box.addLayout(self._grid)
        for widget in (self.differ_of, self.differ):
            box.addWidget(widget)
        box.addStretch(1)
        self.setWidget(page)

    def show_choice(self) -> None:
        """Show what is chosen now."""
        look = self.view.look
        fabric = look.fabric
        if fabric is None:
            return
        devices, links = sorted(look.chosen), sorted(look.chosen_links)
        if len(devices) == 1 and not links:
            name, _, rest = device_words(fabric, devices[0], self.session.catalog).partition("\n")
            self.heading.setText(name)
            self.about.setText(rest)
        elif len(links) == 1 and not devices:
            self.heading.setText("Link")
            self.about.setText(link_words(fabric, links[0]))
        elif devices or links:
            parts = [f"{number(len(devices))} devices"] if devices else []
            parts += [f"{number(len(links))} links"] if links else []
            self.heading.setText(", ".join(parts))
            self.about.setText(self._between(devices) if len(devices) == 2 and not links else "")
        else:
            self.heading.setText("Whole fabric")
            self.about.setText("\n".join(_use(use) for use in fabric_graph.port_use(fabric)))
        self.about.setVisible(bool(self.about.text()))

    def _between(self, devices: list[str]) -> str:
        lit = int(self.view.look.lit.sum())
        if not lit:
            return "There is no path between them."
        return f"{number(lit)} links lie on the shortest paths between them."

    def show_fabric(self) -> None:
        """Show the tiers, and what no longer agrees with the plan."""
        fabric = self.view.look.fabric
        if fabric is None:
            return
        rows = [_HEADS] + [(n[:1].upper() + n[1:], number(d), number(p), r) for n, d, p, r in tier_rows(fabric)]
        for at in range(max(len(rows), len(self.cells))):
            if at == len(self.cells):
                self.cells.append([QLabel() for _ in _HEADS])
                for column, label in enumerate(self.cells[at]):
                    side = Qt.AlignmentFlag.AlignLeft if column == 0 else Qt.AlignmentFlag.AlignRight
                    label.setProperty("role", "quiet" if at == 0 or column == 0 else "")
                    self._grid.addWidget(label, at, column, side)
            for column, label in enumerate(self.cells[at]):
                label.setVisible(at < len(rows))
                label.setText(rows[at][column] if at < len(rows) else "")
        self.findings = differences(fabric)
        self.differ.setText("\n\n".join(f.message for f in self.findings) or "The fabric is the plan's own.")

    def show_overlay(self) -> None:
        """Show what the overlay says."""
        overlay = self.view.look.overlay
        self.overlay_of.setText(overlay.title)
        self.overlay_words.setText(overlay.remark)
        self.overlay_of.setVisible(bool(overlay.title))
        self.overlay_words.setVisible(bool(overlay.remark))


def _label(role: str = "") -> QLabel:
    label = QLabel()
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    if role:
        label.setProperty("role", role)
    return label


def _use(use: Any) -> str:
    return f"{use.kind.capitalize()}: {number(use.devices)}, {number(use.used)} of {number(use.ports)} ports in use"
