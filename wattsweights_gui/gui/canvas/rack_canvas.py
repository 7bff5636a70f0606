"""The rack canvas: the palette, the racks, what is chosen, the overview, and what no longer agrees with the plan."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction, QKeySequence, QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from wattsweights_gui.gui.canvas.deeds import KEYS, RackDeeds
from wattsweights_gui.gui.canvas.device_palette import DevicePalette
from wattsweights_gui.gui.canvas.inspector import Inspector
from wattsweights_gui.gui.canvas.meters import METRICS
from wattsweights_gui.gui.canvas.overview import Overview
from wattsweights_gui.gui.canvas.view import RackView
from wattsweights_gui.gui.theme import SPACE
from wattsweights_gui.layout.disagreements import disagreements
from wattsweights_gui.layout.placements import Face
from wattsweights_gui.layout.wanted import Wanted, wanted_of

_IN_MENU = ("place", "fill", "copy", "cut", "paste", "duplicate", "turn", "lock", "rename", "delete", "fit_chosen")


class RackCanvas(QWidget):
    """The whole of it, fed by a session; follows it while it is in sight."""

    def __init__(self, session: Any, theme: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rack canvas")
        self.session, self.theme = session, theme
        self.view = RackView(session, theme)
        self.devices = DevicePalette(self.view, session)
        self.deeds = RackDeeds(self.view, lambda: self.devices.entry)
        self.inspector = Inspector(self)
        self.overview = Overview(self.view)
        self.findings: tuple[Any, ...] = ()
        self._wanted: tuple[object, Wanted] | None = None
        self._stale = True
        self.actions_of: dict[str, QAction] = {}
        self._make_actions()
        self.faces: dict[str, QToolButton] = {}
        self.metric = QComboBox()
        self.said = QLabel()
        self.disagree = QLabel()
        self._lay_out()
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._compare)
        session.placed.connect(self.refresh)
        session.changed.connect(self._plan_changed)
        session.units_changed.connect(lambda _: self._units_changed())
        theme.changed.connect(self.overview.forget)
        self.view.chosen.connect(self._choice_changed)
        self.view.refused.connect(self._say)
        self.devices.placed.connect(self.deeds.place)
        self.refresh()

    # ---------------------------------------------------------------------------------------------------------- making

    def _make_actions(self) -> None:
        for key in KEYS:
            action = QAction(key.title, self)
            action.setObjectName(f"racks.{key.name}")
            action.setShortcut(QKeySequence(key.keys))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.setToolTip(f"{key.tip} ({action.shortcut().toString()})")
            action.triggered.connect(lambda _=False, key=key: key.run(self))
            self.view.addAction(action)
            self.actions_of[key.name] = action

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.setContentsMargins(2 * SPACE, SPACE, 2 * SPACE, SPACE)
        bar.setSpacing(SPACE)
        group = QButtonGroup(self)
        for face, title in (("front", "Front"), ("rear", "Rear")):
            button = QToolButton()
            button.setText(title)
            button.setCheckable(True)
            button.setChecked(face == "front")
            button.setToolTip(f"See the racks from the {face} (R)")
            button.clicked.connect(lambda _=False, face=face: self.set_face(face))
            group.addButton(button)
            bar.addWidget(button)
            self.faces[face] = button
        bar.addSpacing(2 * SPACE)
        bar.addWidget(QLabel("Colour"))
        for name, metric in METRICS.items():
            self.metric.addItem(metric.title, name)
        self.metric.setAccessibleName("Colour racks by")
        self.metric.currentIndexChanged.connect(lambda _: self.view.set_metric(self.metric.currentData()))
        bar.addWidget(self.metric)
        bar.addSpacing(2 * SPACE)
        for key in KEYS:
            if key.button:
                button = QToolButton()
                button.setDefaultAction(self.actions_of[key.name])
                bar.addWidget(button)
        bar.addStretch(1)
        side = QWidget()
        right = QVBoxLayout(side)
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(SPACE)
        right.addWidget(self.overview)
        right.addWidget(self.inspector, 1)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.view)
        self.stack.addWidget(self._empty())
        self.split = QSplitter(Qt.Orientation.Horizontal)
        self.split.setChildrenCollapsible(True)
        for widget, stretch in ((self.devices, 0), (self.stack, 1), (side, 0)):
            self.split.addWidget(widget)
            self.split.setStretchFactor(self.split.count() - 1, stretch)
        self.split.setSizes([220, 880, 260])
        self.setFocusProxy(self.view)
        foot = QHBoxLayout()
        foot.setContentsMargins(2 * SPACE, SPACE, 2 * SPACE, SPACE)
        foot.setSpacing(3 * SPACE)
        self.disagree.setWordWrap(True)
        self.disagree.setTextFormat(Qt.TextFormat.PlainText)
        self.said.setProperty("role", "refusal")
        self.said.setWordWrap(True)
        foot.addWidget(self.disagree, 1)
        foot.addWidget(self.said, 1)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addLayout(bar)
        box.addWidget(self.split, 1)
        box.addLayout(foot)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._menu)

    def _empty(self) -> QWidget:
        page = QWidget()
        words = QLabel("No racks are placed yet.")
        words.setProperty("role", "heading")
        more = QLabel("Fill them from the plan in one go, or add an empty rack and drag devices into it.")
        more.setWordWrap(True)
        more.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.fill_button = QPushButton("Fill from the plan")
        self.fill_button.setProperty("role", "primary")
        self.fill_button.clicked.connect(lambda _=False: self.deeds.fill_from_plan())
        self.add_button = QPushButton("Add an empty rack")
        self.add_button.clicked.connect(lambda _=False: self.deeds.add_rack())
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.fill_button)
        buttons.addWidget(self.add_button)
        buttons.addStretch(1)
        box = QVBoxLayout(page)
        box.setSpacing(3 * SPACE)
        box.addStretch(1)
        box.addWidget(words, 0, Qt.AlignmentFlag.AlignHCenter)
        box.addWidget(more)
        box.addLayout(buttons)
        box.addStretch(2)
        return page

    # --------------------------------------------------------------------------------------------------------- showing

    def refresh(self) -> None:
        """Show what is placed now."""
        if not self.isVisible():
            self._stale = True
            return
        self._stale = False
        placed = bool(self.session.placements.racks)
        focus = self.view.hasFocus() or self.fill_button.hasFocus() or self.add_button.hasFocus()
        self.stack.setCurrentIndex(0 if placed else 1)
        self.view.show_placed()
        self.overview.forget()
        self.inspector.refresh()
        if focus:
            (self.view if placed else self.fill_button).setFocus()
        self._later.start()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with the session."""
        super().showEvent(event)
        if self._stale:
            QTimer.singleShot(0, self.refresh)

    def set_face(self, face: Face) -> None:
        """See the racks from the front or the rear."""
        self.view.set_face(face)
        self.faces[face].setChecked(True)

    def flip(self) -> None:
        """See the racks from the other side."""
        self.set_face("rear" if self.view.look.face == "front" else "front")

    def _plan_changed(self, *_: object) -> None:
        self.refresh()

    def _units_changed(self) -> None:
        self.view.set_units()
        self.inspector.refresh()

    def _choice_changed(self) -> None:
        self.inspector.refresh()

    def wanted(self) -> Wanted:
        """Return what the plan as it stands asks for."""
        evaluation = self.session.evaluation
        if self._wanted is None or self._wanted[0] is not evaluation:
            self._wanted = (evaluation, wanted_of(evaluation, self.session.hall))
        return self._wanted[1]

    def _compare(self) -> None:
        """Say what no longer agrees with the plan."""
        wanted = self.wanted()
        self.devices.show_types(frozenset(wanted.counts()))
        session = self.session
        self.findings = disagreements(session.placements, wanted, session.hall, self.view.loads, session.units)
        if not session.placements.racks:
            self.disagree.clear()
        elif not self.findings:
            self.disagree.setText("The racks agree with the plan.")
        else:
            first, more = self.findings[0].message, len(self.findings) - 1
            self.disagree.setText(first + (f"  And {more} more." if more else ""))
        self.disagree.setToolTip("\n".join(f.message for f in self.findings))

    def _say(self, sentence: str) -> None:
        self.said.setText(sentence)
        self.said.setVisible(bool(sentence))

    def _menu(self, at: Any) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for name in _IN_MENU:
            menu.addAction(self.actions_of[name])
        menu.popup(self.view.viewport().mapToGlobal(at))
