"""The window: the verdict and the chain in the middle, docks around them, or the welcome page.

It is painted before the engine is loaded, and filled right after: whatever needs the engine is imported in ``begin``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDesktopServices,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QPaintEvent,
    QShowEvent,
    QUndoStack,
)
from PySide6.QtWidgets import QLabel, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from wattsweights_gui import paths
from wattsweights_gui.gui.actions import Actions
from wattsweights_gui.gui.centre_views import CentreViews
from wattsweights_gui.gui.dialogs import Dialogs
from wattsweights_gui.gui.docks import Docks
from wattsweights_gui.gui.kept_look import LAYOUT_VERSION, KeptLook

_SIZE = QSize(1440, 900)
_SAID_MS = 8000


class MainWindow(QMainWindow):
    """One project in one window.

    Args:
        session: the project; where it is ``None``, the window stands empty until :meth:`begin`.
        theme: of the application.
        look: how the window looked when it was last closed.
        asking: what asks and tells; a fake in tests.

    Signals:
        painted: for the first time.
    """

    painted = Signal()

    def __init__(self, session: Any, theme: Any, look: KeptLook | None = None, asking: Any = None) -> None:
        super().__init__()
        self.session, self.theme = session, theme
        self.look = look if look is not None else KeptLook()
        self.undo_stack = session.undo_stack if session is not None else QUndoStack(self)
        self.files: Any = None
        self.welcome_page: Any = None
        self._painted_once = self._shown_once = self._closing = self._work_hidden = False
        self._work_state: QByteArray | None = self.look.docks()
        self.setObjectName("window")
        self.setWindowTitle("WattsWeights")
        self.setAcceptDrops(True)
        self.resize(self._first_size())
        self.actions_made = Actions(self)
        self.centre = QStackedWidget()
        self._work = QWidget()
        self.centre_views = CentreViews(self)
        self.centre.addWidget(self._work)
        self.setCentralWidget(self.centre)
        self.docks = Docks(self)
        self._searching = QLabel("Searching the layout…")
        self._searching.setProperty("role", "quiet")
        self._searching.hide()
        self.statusBar().addPermanentWidget(self._searching)
        if session is not None:
            self.begin(session, asking)
        else:
            self.menuBar().setEnabled(False)
            self._tool_bar().setEnabled(False)

    def begin(self, session: Any, asking: Any = None) -> None:
        """Fill the window with a project."""
        from wattsweights_gui.gui.file_actions import FileActions
        from wattsweights_gui.gui.panels.chain_view import ChainView
        from wattsweights_gui.gui.panels.verdict import VerdictBar

        self.session = session
        self.files = FileActions(self, session, asking if asking is not None else Dialogs(self))
        self.verdict = VerdictBar(session, self.theme)
        self.chain = ChainView(session, self.theme)
        box = QVBoxLayout(self._work)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self.verdict)
        box.addWidget(self.centre_views, 1)
        self.centre_views.add("both ends", self.chain)
        self.centre_views.add_later("racks", self._rack_canvas)
        self.centre_views.add_later("fabric", self._fabric_canvas)
        self.centre_views.add_later("floor", self._floor_canvas)
        self.docks.fill(session, self.theme)
        self.actions_made.paint_icons()
        self._fill_menus()
        self._connect()
        self._show_state()
        self.menuBar().setEnabled(True)
        self._tool_bar().setEnabled(True)

    @staticmethod
    def _first_size() -> QSize:
        """Return the size at the first start: no larger than the screen."""
        screen = QGuiApplication.primaryScreen()
        return _SIZE.boundedTo(screen.availableSize()) if screen is not None else _SIZE

    # ------------------------------------------------------------------------------------------------------ making

    def _fill_menus(self) -> None:
        from wattsweights_gui.project import examples

        made = self.actions_made
        for found in examples.examples():
            made.examples.addAction(found.name).triggered.connect(
                lambda _=False, name=found.name: self.files.open_example(name)
            )
        made.examples.setEnabled(bool(made.examples.actions()))
        made.recent.aboutToShow.connect(self._list_recent)
        self._list_recent()
        for dock in self.docks.all.values():
            made.docks.addAction(dock.toggleViewAction())

    def _list_recent(self) -> None:
        from wattsweights_gui.project import recent

        menu = self.actions_made.recent
        menu.clear()
        for found in recent.recent():
            action = menu.addAction(str(found.path))
            action.setEnabled(found.exists)
            action.triggered.connect(lambda _=False, path=found.path: self.files.open_path(path))
        if menu.actions():
            menu.addSeparator()
            menu.addAction("Forget them all").triggered.connect(lambda _=False: recent.forget_all())
        else:
            menu.addAction("No project was opened yet").setEnabled(False)

    def _connect(self) -> None:
        session = self.session
        session.document_changed.connect(self._show_state)
        session.units_changed.connect(self._show_state)
        session.logged.connect(self.say)
        session.refused.connect(lambda _, message: self.say(message))
        session.settling.connect(self._searching.setVisible)
        session.why_requested.connect(lambda _: self.docks.open("why"))
        session.focus_requested.connect(self.go_to)
        for card in self.chain.cards.values():
            card.opened.connect(self.docks.open)
        self.verdict.layer_requested.connect(self.docks.open)
        self.verdict.levers_requested.connect(self.find_levers)

    # ----------------------------------------------------------------------------------------------------- showing

    def show_plan(self) -> None:
        """Show the chain and its docks."""
        if self.centre.currentIndex() == 0 and self._shown_once:
            return
        self.centre.setCurrentIndex(0)
        self._work_hidden = False
        self.actions_made.set_plan_open(True)
        self._put_docks()
        self._tool_bar_visible(True)

    def welcome(self) -> None:
        """Show what to begin with in place of the chain and its docks; the project stays open behind it."""
        if self.welcome_page is None:
            from wattsweights_gui.gui.panels.welcome import WelcomePage

            page = WelcomePage(self.session)
            page.new_requested.connect(self.files.new)
            page.open_requested.connect(self.files.open)
            page.import_requested.connect(self.files.import_config)
            page.file_requested.connect(self.files.open_path)
            page.example_requested.connect(self.files.open_example)
            self.welcome_page = page
            self.centre.addWidget(page)
        if self.centre.currentIndex() == 0 and self._shown_once and not self._work_hidden:
            self._work_state = self.centre_views.state_with_docks()
        self.welcome_page.refresh()
        self.hide_work()
        self.actions_made.set_plan_open(False)
        self.centre.setCurrentWidget(self.welcome_page)

    def hide_work(self) -> None:
        """Hide what belongs to a plan: the docks and the tool bar."""
        self._work_hidden = True
        for dock in self.docks.all.values():
            dock.hide()
        self._tool_bar_visible(False)

    def showEvent(self, event: QShowEvent) -> None:
        """Put the docks where they were once the window has its size."""
        super().showEvent(event)
        if self._shown_once:
            return
        self._shown_once = True
        if self.centre.currentIndex() == 0:
            self._put_docks()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Say when the window is there for the first time."""
        super().paintEvent(event)
        if not self._painted_once:
            self._painted_once = True
            self.painted.emit()

    def _put_docks(self) -> None:
        """Put the docks where they were last, or where they are at first."""
        state = self._work_state
        if state is not None and self.restoreState(state, LAYOUT_VERSION):
            return
        if not self.docks.fits_width() or not self.docks.all["workload"].isVisibleTo(self):
            self.docks.arrange()
        self.docks.size()
        self.docks.open("workload")

    def go_to(self, path: str) -> None:
        """Put the cursor into a field; bring the layer of a result, and where it comes from, to the front."""
        parts = path.split(".")
        layer = parts[1] if parts[0] == "layers" and len(parts) > 1 else parts[0]
        if layer not in self.docks.layers:
            return
        self.show_plan()
        self.docks.open(layer)
        if not self.docks.layers[layer].focus_field(path) and parts[0] == "layers" and len(parts) > 3:
            self.session.why_requested.emit(path)

    def say(self, line: str) -> None:
        """Say something in passing."""
        self.statusBar().showMessage(line, _SAID_MS)

    def _tool_bar_visible(self, visible: bool) -> None:
        self._tool_bar().setVisible(visible)

    def _tool_bar(self) -> Any:
        return self.findChild(QWidget, "tools")

    def _show_state(self, *_: object) -> None:
        self.setWindowTitle(f"{self.session.title}[*] – WattsWeights")
        self.setWindowModified(self.session.dirty)
        by_name = self.actions_made.by_name
        by_name[f"units.{self.session.units}"].setChecked(True)
        by_name[f"theme.{self.theme.choice}"].setChecked(True)

    # ----------------------------------------------------------------------------------------------------- actions

    def choose_theme(self, choice: Any) -> None:
        """Show light, dark, or what the system shows; kept for the next start."""
        self.theme.choose(choice)
        self.look.keep("theme", choice)
        self._show_state()

    def choose_units(self, system: Any) -> None:
        """Show SI or US customary units; kept for the next start."""
        self.session.set_units(system)
        self.look.keep("units", system)

    def look_from(self, where: str) -> None:
        """Bring the docks of a perspective to the front, or what fills the middle in their place."""
        self.show_plan()
        self.centre_views.turn_to(where if where in self.centre_views else "both ends")
        if where not in self.centre_views or where == "both ends":
            self.docks.look_from(where)

    def _rack_canvas(self) -> QWidget:
        from wattsweights_gui.gui.canvas.rack_canvas import RackCanvas
        from wattsweights_gui.gui.canvas.same_device import SameDevice

        canvas = RackCanvas(self.session, self.theme)
        SameDevice(self.session, canvas)
        return canvas

    def _fabric_canvas(self) -> QWidget:
        from wattsweights_gui.gui.canvas.fabric_canvas import FabricCanvas

        return FabricCanvas(self.session, self.theme)

    def _floor_canvas(self) -> QWidget:
        from wattsweights_gui.gui.canvas.floor_canvas import FloorCanvas
        from wattsweights_gui.gui.canvas.same_racks import SameRacks

        canvas, racks = FloorCanvas(self.session, self.theme), self.centre_views.view("racks")
        SameRacks(canvas, racks)
        canvas.view.opened.connect(lambda: self._open_racks(racks))
        return canvas

    def _open_racks(self, racks: Any) -> None:
        """Show the chosen racks from near."""
        self.look_from("racks")
        QTimer.singleShot(0, racks.view.fit_chosen)

    def reset_layout(self) -> None:
        """Put all docks back where they are at the first start."""
        self.centre_views.turn_to("both ends")
        self.docks.arrange()
        self.docks.size()
        # Qt lays tabbed docks out once more when it returns to its loop, and only then keeps sizes
        QTimer.singleShot(0, self.docks.size)

    def find(self) -> None:
        """Find any action, field or number by name."""
        from wattsweights_gui.gui.panels.palette import CommandPalette

        palette = CommandPalette(self.session, self.actions_made.listed(), self)
        palette.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        palette.start()

    def find_levers(self) -> None:
        """Size every lever."""
        self.docks.open("levers")
        self.docks.levers.run()

    def search_layouts(self) -> None:
        """Size all splits."""
        self.docks.open("search")
        self.docks.search.run()

    def show_shortcuts(self) -> None:
        """Say what the keys do."""
        lines = [
            (action.shortcut().toString(), action.toolTip())
            for action in self.actions_made.listed()
            if not action.shortcut().isEmpty()
        ]
        lines += [("Up, Down", "Step a number"), ("Esc", "Take back what was typed in a field")]
        self.files.dialogs.tell("Keyboard shortcuts", "\n".join(f"{keys}\t{what}" for keys, what in lines))

    def open_log_folder(self) -> None:
        """Open the folder of logs in the system's file manager."""
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(paths.user_data())))

    def show_about(self) -> None:
        """Say what this is, and its versions."""
        from wattsweights_gui.gui.panels.about import AboutDialog

        self.files.dialogs.show(AboutDialog(self))

    def offer_recovery(self) -> None:
        """Offer unsaved work of an earlier run."""
        from wattsweights_gui.gui import recovery_offer

        recovery_offer.offer(self)

    # ------------------------------------------------------------------------------------------------------ events

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept one project or configuration."""
        if _dropped(event) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the project, or import the configuration."""
        path = _dropped(event)
        if path is not None:
            event.acceptProposedAction()
            # the source of the drag must not be kept waiting by a question
            QTimer.singleShot(0, lambda: self.files.open_path(path))

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved edits; then keep the look and end the worker."""
        if self.session is None:  # closed before it was filled
            super().closeEvent(event)
            return
        if self.session.dirty and not self._closing:
            event.ignore()
            self.files.when_safe(self._close_now)
            return
        working = self.centre.currentIndex() == 0
        self.look.keep_window(
            self, self.centre_views.state_with_docks() if working else self._work_state or QByteArray()
        )
        self.session.close()
        super().closeEvent(event)

    def _close_now(self) -> None:
        self._closing = True
        self.close()


def _dropped(event: QDropEvent) -> Path | None:
    urls = event.mimeData().urls()
    path = Path(urls[0].toLocalFile()) if len(urls) == 1 and urls[0].isLocalFile() else None
    return path if path is not None and path.suffix.casefold() in (".watts", ".json") else None
