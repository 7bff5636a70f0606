"""The one table of actions: menus, toolbar, command palette and the list of shortcuts are made from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QActionGroup, QIcon, QKeySequence, QPixmap
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolBar, QWidget

from wattsweights_gui.gui.theme import CHOICES

MENUS = ("File", "Edit", "View", "Plan", "Help")


@dataclass(frozen=True)
class Deed:
    """One thing that somebody can do.

    Attributes:
        name: object name of the action.
        menu: where it stands; ``View/Theme`` is a menu in a menu.
        run: what it does to the window.
        group: of actions of which one is chosen.
        section: a line is drawn in the menu where the number changes.
        needs_plan: whether it makes sense only where a plan is open.
    """

    name: str
    title: str
    menu: str
    run: Callable[[Any], Any]
    shortcut: str | QKeySequence.StandardKey = ""
    icon: str = ""
    tip: str = ""
    group: str = ""
    section: int = 0
    needs_plan: bool = True
    on_toolbar: bool = False


_KEY = QKeySequence.StandardKey

DEEDS: tuple[Deed, ...] = (
    Deed("new", "&New", "File", lambda w: w.files.new(), _KEY.New, "new", "A new plan", needs_plan=False),
    Deed(
        "open",
        "&Open…",
        "File",
        lambda w: w.files.open(),
        _KEY.Open,
        "open",
        "Open a project",
        needs_plan=False,
        on_toolbar=True,
    ),
    Deed(
        "import",
        "&Import Hugging Face config…",
        "File",
        lambda w: w.files.import_config(),
        "Ctrl+I",
        "import",
        "Take the model's shape from its config.json",
        section=1,
        needs_plan=False,
    ),
    Deed("save", "&Save", "File", lambda w: w.files.save(), _KEY.Save, "save", "Save", section=2, on_toolbar=True),
    Deed("save_as", "Save &as…", "File", lambda w: w.files.save_as(), "Ctrl+Shift+S", "", "", section=2),
    Deed("preview", "Print pre&view…", "File", lambda w: w.files.print_preview(), "Ctrl+Shift+P", "", "", section=3),
    Deed("print", "&Print…", "File", lambda w: w.files.print(), _KEY.Print, "print", "", section=3),
    Deed("pdf", "&Export PDF…", "File", lambda w: w.files.export_pdf(), "Ctrl+E", "export", "", section=3),
    Deed("welcome", "&Welcome page", "File", lambda w: w.welcome(), "", "", "", section=4),
    Deed("quit", "&Quit", "File", lambda w: w.close(), "Ctrl+Q", "", "", section=4, needs_plan=False),
    Deed("find", "&Find anything…", "Edit", lambda w: w.find(), "Ctrl+K", "search", "Any action, field or number"),
    *(
        Deed(
            f"theme.{choice}",
            title,
            "View/Theme",
            lambda w, chosen=choice: w.choose_theme(chosen),
            group="theme",
            icon="theme" if choice == "system" else "",
            tip=f"Theme: {title.lower()}",
            needs_plan=False,
        )
        for choice, title in CHOICES
    ),
    Deed("units.si", "SI", "View/Units", lambda w: w.choose_units("si"), "", "", "Show SI units", "units", 0, False),
    Deed("units.us", "US", "View/Units", lambda w: w.choose_units("us"), "", "", "Show US units", "units", 0, False),
    Deed(
        "both_ends",
        "Both ends",
        "View/Perspective",
        lambda w: w.look_from("both ends"),
        "Ctrl+1",
        "",
        "The collision",
    ),
    Deed("model", "Model", "View/Perspective", lambda w: w.look_from("model"), "Ctrl+2", "", "Memory, time, layouts"),
    Deed("facility", "Facility", "View/Perspective", lambda w: w.look_from("facility"), "Ctrl+3", "", "Power, cooling"),
    Deed(
        "racks", "Racks", "View/Perspective", lambda w: w.look_from("racks"), "Ctrl+4", "", "What stands in which rack"
    ),
    Deed(
        "fabric", "Fabric", "View/Perspective", lambda w: w.look_from("fabric"), "Ctrl+5", "", "Every switch and link"
    ),
    Deed("floor", "Floor", "View/Perspective", lambda w: w.look_from("floor"), "Ctrl+6", "", "Where the racks stand"),
    Deed("reset_layout", "&Reset layout", "View", lambda w: w.reset_layout(), "", "reset", "Docks go back", section=9),
    Deed("levers", "Find the &ways out", "Plan", lambda w: w.find_levers(), "Ctrl+L", "fix", "Size every lever"),
    Deed("search", "&Search layouts", "Plan", lambda w: w.search_layouts(), "Ctrl+Shift+L", "", "Size all splits"),
    Deed("shortcuts", "&Shortcuts", "Help", lambda w: w.show_shortcuts(), "F1", "", "", needs_plan=False),
    Deed(
        "evidence",
        "How far off: &evidence",
        "Help",
        lambda w: w.docks.open("evidence"),
        tip="Predicted against published",
    ),
    Deed("log_folder", "Open the &log folder", "Help", lambda w: w.open_log_folder(), "", "", "", needs_plan=False),
    Deed("about", "&About WattsWeights", "Help", lambda w: w.show_about(), "", "", "", section=1, needs_plan=False),
)


class Actions:
    """The actions of a window, by name, with its menus and its toolbar.

    Attributes:
        by_name: of every action.
        recent, examples, docks: menus that others fill.
    """

    def __init__(self, window: Any) -> None:
        self.window = window
        self.by_name: dict[str, QAction] = {}
        self._menus: dict[str, QMenu] = {}
        self._sections: dict[str, int] = {}
        self._groups: dict[str, QActionGroup] = {}
        for menu in MENUS:
            self._menus[menu] = window.menuBar().addMenu(f"&{menu}")
        self._undo_and_redo()
        for deed in DEEDS:
            self._add(deed)
        self.recent = self._submenu("File", "Open &recent", "import")
        self.examples = self._submenu("File", "From &example", "import")
        self.docks = self._submenu("View", "&Docks", "reset_layout")
        self._toolbar()
        window.theme.changed.connect(self.paint_icons)
        if window.session is not None:
            self.paint_icons()
        else:  # the window is to be painted first: room for the icons, which follow when it is filled
            self._set_icons(lambda _: _blank())

    def listed(self) -> list[QAction]:
        """Return every action, for the palette."""
        return list(self.by_name.values())

    def set_plan_open(self, there: bool) -> None:
        """Enable what makes sense."""
        for deed in DEEDS:
            self.by_name[deed.name].setEnabled(there or not deed.needs_plan)
        self.docks.setEnabled(there)

    def paint_icons(self) -> None:
        """Draw the icons in the colours of the theme."""
        self._set_icons(self.window.theme.icon)

    def _set_icons(self, icon: Callable[[str], QIcon]) -> None:
        for deed in DEEDS:
            if deed.icon:
                self.by_name[deed.name].setIcon(icon(deed.icon))
        for name in ("undo", "redo"):
            self.by_name[name].setIcon(icon(name))

    def _undo_and_redo(self) -> None:
        stack, menu = self.window.undo_stack, self._menus["Edit"]
        for name, action, key in (
            ("undo", stack.createUndoAction(self.window, "Undo"), _KEY.Undo),
            ("redo", stack.createRedoAction(self.window, "Redo"), _KEY.Redo),
        ):
            action.setObjectName(name)
            action.setShortcuts(key)
            menu.addAction(action)
            self.by_name[name] = action
        menu.addSeparator()

    def _add(self, deed: Deed) -> None:
        window = self.window
        action = QAction(deed.title, window)
        action.setObjectName(deed.name)
        action.setToolTip(deed.tip or deed.title.replace("&", "").rstrip("…"))
        if deed.shortcut:
            action.setShortcuts(QKeySequence.keyBindings(deed.shortcut)) if isinstance(
                deed.shortcut, QKeySequence.StandardKey
            ) else action.setShortcut(QKeySequence(deed.shortcut))
        if deed.group:
            if deed.group not in self._groups:
                self._groups[deed.group] = QActionGroup(window)
            action.setCheckable(True)
            self._groups[deed.group].addAction(action)
        action.triggered.connect(lambda _=False: deed.run(window))
        menu = self._menu(deed.menu)
        if self._sections.setdefault(deed.menu, deed.section) != deed.section:
            self._sections[deed.menu] = deed.section
            menu.addSeparator()
        menu.addAction(action)
        self.by_name[deed.name] = action

    def _menu(self, path: str) -> QMenu:
        if path not in self._menus:
            outer, title = path.split("/")
            self._menus[path] = self._menus[outer].addMenu(f"&{title}")
        return self._menus[path]

    def _submenu(self, menu: str, title: str, before: str) -> QMenu:
        made = QMenu(title, self.window)
        self._menus[menu].insertMenu(self.by_name[before], made)
        return made

    def _toolbar(self) -> None:
        bar = QToolBar("Tools", self.window)
        bar.setObjectName("tools")
        bar.setMovable(False)
        bar.setIconSize(QSize(16, 16))
        bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        parts = (("open", "save"), ("undo", "redo"), ("find",), ("units.si", "units.us"))
        for names in parts:
            for name in names:
                bar.addAction(self.by_name[name])
            bar.addSeparator()
        space = QWidget()
        space.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        bar.addWidget(space)
        for name in ("both_ends", "model", "facility", "racks", "floor", "fabric"):
            bar.addAction(self.by_name[name])
        for name in ("undo", "redo"):  # their words name the edit and would make the bar jump
            bar.widgetForAction(self.by_name[name]).setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.window.addToolBar(bar)


def _blank() -> QIcon:
    room = QPixmap(16, 16)
    room.fill(Qt.GlobalColor.transparent)
    return QIcon(room)
