"""The fabric canvas: the palette, the drawing, what is chosen, overlays, and what no longer agrees with the plan."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QStringListModel, Qt, QTimer
from PySide6.QtGui import QAction, QKeySequence, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QCompleter,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from wattsweights_gui.gui.canvas.fabric_deeds import KEYS, FabricDeeds
from wattsweights_gui.gui.canvas.fabric_inspector import FabricInspector
from wattsweights_gui.gui.canvas.fabric_overlays import OVERLAYS
from wattsweights_gui.gui.canvas.fabric_palette import FabricPalette
from wattsweights_gui.gui.canvas.fabric_view import FabricView
from wattsweights_gui.gui.theme import SPACE
from wattsweights_gui.layout.edited_fabric import Base, EditedFabric, NoFabricError, base_of, edited_fabric
from wattsweights_gui.layout.fabric_kinds import kinds_of
from wattsweights_gui.layout.link_traffic import RankGroups, rank_groups

_IN_MENU = ("place", "join", "group", "delete", "fit_chosen")


class FabricCanvas(QWidget):
    """The whole of it, fed by a session; follows it while it is in sight."""

    def __init__(self, session: Any, theme: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("fabric canvas")
        self.session, self.theme = session, theme
        self.view = FabricView(session, theme)
        self.palette_of = FabricPalette(self.view)
        self.deeds = FabricDeeds(self.view)
        self.inspector = FabricInspector(self.view)
        self._shown: tuple[Base, object] | None = None
        self._groups: tuple[object, RankGroups] | None = None
        self._stale = True
        self.actions_of: dict[str, QAction] = {}
        self._make_actions()
        self.line = QLineEdit()
        self.names = QStringListModel(self)
        self.overlay = QComboBox()
        self.linking = QToolButton()
        self.said, self.disagree, self.no_fabric = QLabel(), QLabel(), QLabel()
        self._lay_out()
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._compare)
        session.fabric_edited.connect(self.refresh)
        session.changed.connect(lambda *_: self.refresh())
        session.units_changed.connect(lambda _: self._show_overlay())
        session.device_selected.connect(self._selected_elsewhere)
        theme.changed.connect(self._show_overlay)
        self.view.chosen.connect(self._choice_changed)
        self.view.refused.connect(self._say)
        self.palette_of.placed.connect(self.deeds.place)
        self.refresh()

    # ---------------------------------------------------------------------------------------------------------- making

    def _make_actions(self) -> None:
        for key in KEYS:
            action = QAction(key.title, self)
            action.setObjectName(f"fabric.{key.name}")
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
        self.line.setPlaceholderText("Jump to a device…")
        self.line.setAccessibleName("Jump to a device")
        self.line.setClearButtonEnabled(True)
        self.line.setMaximumWidth(220)
        completer = QCompleter(self.names, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.activated.connect(self.jump)
        self.line.setCompleter(completer)
        self.line.returnPressed.connect(lambda: self.jump(self.line.text()))
        bar.addWidget(self.line)
        bar.addSpacing(2 * SPACE)
        bar.addWidget(QLabel("Show"))
        for kind in OVERLAYS:
            self.overlay.addItem(kind.title, kind.name)
        self.overlay.setAccessibleName("What is shown over the fabric")
        self.overlay.currentIndexChanged.connect(lambda _: self._show_overlay())
        bar.addWidget(self.overlay)
        bar.addSpacing(2 * SPACE)
        self.linking.setText("Draw links")
        self.linking.setCheckable(True)
        self.linking.setToolTip(
            "Dragging from a device draws a link from its first free port; near by, drag from a port"
        )
        self.linking.toggled.connect(self._set_linking)
        bar.addWidget(self.linking)
        for key in KEYS:
            if key.button:
                button = QToolButton()
                button.setDefaultAction(self.actions_of[key.name])
                bar.addWidget(button)
        bar.addStretch(1)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.view)
        self.stack.addWidget(self._empty())
        self.split = QSplitter(Qt.Orientation.Horizontal)
        self.split.setChildrenCollapsible(True)
        for widget, stretch in ((self.palette_of, 0), (self.stack, 1), (self.inspector, 0)):
            self.split.addWidget(widget)
            self.split.setStretchFactor(self.split.count() - 1, stretch)
        self.split.setSizes([220, 790, 340])
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
        heading = QLabel("There is no fabric to draw yet.")
        heading.setProperty("role", "heading")
        self.no_fabric.setWordWrap(True)
        self.no_fabric.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        box = QVBoxLayout(page)
        box.setSpacing(3 * SPACE)
        box.addStretch(1)
        box.addWidget(heading, 0, Qt.AlignmentFlag.AlignHCenter)
        box.addWidget(self.no_fabric)
        box.addStretch(2)
        return page

    # --------------------------------------------------------------------------------------------------------- showing

    def refresh(self) -> None:
        """Show the fabric of the plan as it stands, with what was done to it by hand."""
        if not self.isVisible():
            self._stale = True
            return
        self._stale = False
        try:
            base = base_of(self.session.evaluation)
        except NoFabricError as error:
            self.no_fabric.setText(str(error))
            self.stack.setCurrentIndex(1)
            self._shown = None
            return
        self.stack.setCurrentIndex(0)
        edits = self.session.fabric_edits
        if self._shown is not None and self._shown[0] is base and self._shown[1] is edits:
            self._show_overlay()
            return
        self._shown = (base, edits)
        fabric = edited_fabric(base, edits)
        self.view.show_fabric(fabric)
        self._names_changed(fabric)
        self._show_overlay()
        self.inspector.show_choice()
        first = tuple(entry for entry in dict.fromkeys(base.entries) if entry)
        self.palette_of.show_kinds(kinds_of(self.session.catalog, base.gbit_s, first))
        if self.session.selected_device and not self.view.look.chosen:
            self._selected_elsewhere(self.session.selected_device, None)
        self._later.start()

    def _names_changed(self, fabric: EditedFabric) -> None:
        if self.names.stringList() != list(fabric.own_names):
            self.names.setStringList(list(fabric.own_names))

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with the session."""
        super().showEvent(event)
        if self._stale:
            QTimer.singleShot(0, self.refresh)

    def groups(self) -> RankGroups:
        """Return the parallel groups of the plan as it stands."""
        evaluation = self.session.evaluation
        if self._groups is None or self._groups[0] is not evaluation:
            base = base_of(evaluation)
            self._groups = (evaluation, rank_groups(evaluation, base.gpus))
        return self._groups[1]

    def _show_overlay(self) -> None:
        if self.view.look.fabric is None or not self.isVisible() or self.stack.currentIndex() == 1:
            return
        kind = next(k for k in OVERLAYS if k.name == self.overlay.currentData())
        self.view.show_overlay(kind.make(self.view.look, self.groups(), self.session))
        self.inspector.show_overlay()

    def _choice_changed(self) -> None:
        self.inspector.show_choice()
        if self.overlay.currentData() == "fault":
            self._show_overlay()
        chosen = self.view.look.chosen
        self.session.select_device(next(iter(chosen)) if len(chosen) == 1 else "", self)

    def _selected_elsewhere(self, name: str, origin: object) -> None:
        if origin is self or self.view.look.fabric is None:
            return
        self.view.choose({name} if name else ())
        if name in self.view.fabric.index_of and self.isVisible():
            self.view.ensureVisible(self.view.box_of(name), 40, 40)

    def jump(self, name: str) -> None:
        """Go to a device by its name, or to the first one whose name holds the words."""
        fabric = self.view.look.fabric
        words = name.strip().casefold()
        if fabric is None or not words:
            return
        found = next((n for n in fabric.own_names if n.casefold() == words), None)
        found = found or next((n for n in fabric.own_names if words in n.casefold()), None)
        if found is None:
            self._say(f"The fabric has no device “{name.strip()}”.")
            return
        self._say("")
        self.view.go_to(found)
        self.view.setFocus()

    def _set_linking(self, on: bool) -> None:
        self.view.linking = on
        self.view.viewport().setCursor(Qt.CursorShape.CrossCursor if on else Qt.CursorShape.ArrowCursor)

    def _compare(self) -> None:
        """Say what no longer agrees with the plan."""
        self.inspector.show_fabric()
        findings = self.inspector.findings
        if not findings:
            self.disagree.setText("The fabric is the plan's own.")
        else:
            more = len(findings) - 1
            self.disagree.setText(findings[0].message + (f"  And {more} more." if more else ""))
        self.disagree.setToolTip("\n".join(f.message for f in findings))

    def _say(self, sentence: str) -> None:
        self.said.setText(sentence)
        self.said.setVisible(bool(sentence))

    def _menu(self, at: Any) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for name in _IN_MENU:
            menu.addAction(self.actions_of[name])
        menu.popup(self.view.viewport().mapToGlobal(at))
