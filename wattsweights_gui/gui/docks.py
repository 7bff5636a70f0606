"""The docks of the window, made once: a layer each at the left, Why? and Checks at the right, tables below.

The docks stand before there is a project in them: what they hold needs the engine, which takes longer to load than the
window to paint, so it is imported when they are filled.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabWidget, QVBoxLayout, QWidget

_LEFT, _RIGHT, _BELOW = (
    Qt.DockWidgetArea.LeftDockWidgetArea,
    Qt.DockWidgetArea.RightDockWidgetArea,
    Qt.DockWidgetArea.BottomDockWidgetArea,
)
# titles as the layers declare them (a test compares), since the layers are not loaded yet when the docks are made
LAYER_TITLES: tuple[tuple[str, str], ...] = (
    ("workload", "Model"),
    ("compute", "GPU"),
    ("parallelism", "Split"),
    ("fabric", "Fabric"),
    ("cluster", "Cluster"),
    ("storage", "Storage"),
    ("datapath", "Data path"),
    ("host", "Host"),
    ("power", "Power"),
    ("cooling", "Cooling"),
    ("floor", "Floor"),
    ("project", "Title block"),
)
OTHERS: tuple[tuple[str, str], ...] = (
    ("why", "Why?"),
    ("checks", "Checks"),
    ("charts", "Charts"),
    ("levers", "Levers"),
    ("search", "Layouts"),
    ("evidence", "Evidence"),
    ("log", "Log"),
)
# below this width everything but the forms lies under the chain
NARROW = 1600
# which docks are in front, and which chart, for somebody who looks from there
PERSPECTIVES: dict[str, tuple[tuple[str, ...], str]] = {
    "both ends": (("workload", "why", "charts"), "Need against have"),
    "model": (("parallelism", "why", "charts"), "Step time"),
    "facility": (("cooling", "checks", "charts"), "Power"),
}


class LazyCharts(QWidget):
    """Makes the charts once the window has been painted: importing what draws them takes a second."""

    def __init__(self, session: Any, theme: Any) -> None:
        super().__init__()
        self.session, self.theme = session, theme
        self.panel: Any = None
        self._wanted = ""
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.build)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)

    def showEvent(self, event: QShowEvent) -> None:
        """Make the charts after this paint."""
        super().showEvent(event)
        if self.panel is None:
            self._soon.start()

    def build(self) -> None:
        """Make the charts now."""
        if self.panel is not None:
            return
        from wattsweights_gui.gui.charts import ChartsPanel

        self.panel = ChartsPanel(self.session, self.theme)
        self.layout().addWidget(self.panel)
        if self._wanted:
            self.turn_to(self._wanted)

    def turn_to(self, title: str) -> None:
        """Show a chart by its title."""
        self._wanted = title
        if self.panel is not None:
            tabs = self.panel.tabs
            tabs.setCurrentIndex(next(i for i in range(tabs.count()) if tabs.tabText(i) == title))


class Docks:
    """The docks of a window by name."""

    def __init__(self, window: Any) -> None:
        self.window = window
        self.all: dict[str, QDockWidget] = {}
        self.layers: dict[str, Any] = {}
        self.why: Any = None
        self.checks: Any = None
        self.charts: Any = None
        self.levers: Any = None
        self.search: Any = None
        self.evidence: Any = None
        self.log: Any = None
        corner = Qt.Corner
        option = QMainWindow.DockOption
        window.setDockOptions(option.AllowTabbedDocks | option.AllowNestedDocks | option.GroupedDragging)
        window.setCorner(corner.BottomLeftCorner, _LEFT)
        window.setCorner(corner.BottomRightCorner, _RIGHT)
        window.setTabPosition(_LEFT, QTabWidget.TabPosition.West)
        window.setTabPosition(_RIGHT, QTabWidget.TabPosition.North)
        window.setTabPosition(_BELOW, QTabWidget.TabPosition.North)
        for name, title in LAYER_TITLES:
            self._add(name, title)
        for name, title in OTHERS:
            self._add(name, title)
        self._titles_due = QTimer(window, singleShot=True, interval=0)
        self._titles_due.timeout.connect(self._show_titles)
        for dock in self.all.values():
            for signal in (dock.topLevelChanged, dock.dockLocationChanged, dock.visibilityChanged):
                signal.connect(self._later)
        self.arrange()

    def fill(self, session: Any, theme: Any) -> None:
        """Put the panels of a project into the docks."""
        from wattsweights_gui.gui.panels.checks import ChecksPanel
        from wattsweights_gui.gui.panels.evidence import EvidencePanel
        from wattsweights_gui.gui.panels.layer_dock import LayerPanel
        from wattsweights_gui.gui.panels.levers import LeversPanel
        from wattsweights_gui.gui.panels.log import LogPanel
        from wattsweights_gui.gui.panels.search import SearchPanel
        from wattsweights_gui.gui.panels.why import WhyPanel

        for name, _ in LAYER_TITLES:
            self.layers[name] = LayerPanel(session, theme, name)
            self.all[name].setWidget(self.layers[name])
        self.why, self.checks = WhyPanel(session), ChecksPanel(session, theme)
        self.charts, self.levers = LazyCharts(session, theme), LeversPanel(session)
        self.search, self.log = SearchPanel(session), LogPanel(session)
        self.evidence = EvidencePanel(session, lambda *given: self.window.files.dialogs.file_to_open(*given))
        for name, _ in OTHERS:
            self.all[name].setWidget(getattr(self, name))
        self._later()

    def arrange(self) -> None:
        """Put every dock where it is at the first start."""
        self.narrow = self.window.width() < NARROW
        self.window.setUpdatesEnabled(False)
        for area, names in self._areas(self.narrow).items():
            for name in names:
                dock = self.all[name]
                if dock.isFloating():
                    dock.setFloating(False)
                self.window.addDockWidget(area, dock)
                if name != names[0]:
                    self.window.tabifyDockWidget(self.all[names[0]], dock)
                dock.show()
            self.all[names[0]].raise_()
        self.window.setUpdatesEnabled(True)

    def fits_width(self) -> bool:
        """Return whether the docks lie as they would be put in a window of this width."""
        return self.narrow == (self.window.width() < NARROW)

    def size(self) -> None:
        """Give the docks their share of the window; only once it is shown."""
        width, height = self.window.width(), self.window.height()
        side = min(max(336, width // 5), 420)
        self.window.resizeDocks([self.all["workload"], self.all["why"]], [side, side - 40], Qt.Orientation.Horizontal)
        self.window.resizeDocks(
            [self.all["charts"]], [max(240, round(height * (0.34 if height < 1000 else 0.42)))], Qt.Orientation.Vertical
        )

    def open(self, name: str) -> QDockWidget:
        """Show a dock in front of those it is tabbed with."""
        dock = self.all[name]
        dock.show()
        dock.raise_()
        if name in self.layers:
            self.layers[name].come_into_sight()
        return dock

    def look_from(self, where: str) -> None:
        """Bring the docks of a perspective to the front."""
        names, chart = PERSPECTIVES[where]
        for name in names:
            self.open(name)
        self.charts.turn_to(chart)

    def _later(self, *_: object) -> None:
        self._titles_due.start()

    def _show_titles(self) -> None:
        """Leave the title bar out where a tab says the same (it can be dragged out by that); build what is in sight."""
        for panel in self.layers.values():
            if panel.in_sight():
                panel.come_into_sight()
        for dock in self.all.values():
            bare = bool(self.window.tabifiedDockWidgets(dock)) and not dock.isFloating()
            if bare != (dock.titleBarWidget() is not None):
                old = dock.titleBarWidget()
                dock.setTitleBarWidget(QWidget() if bare else None)
                if old is not None:
                    old.deleteLater()

    def _areas(self, narrow: bool) -> dict[Qt.DockWidgetArea, tuple[str, ...]]:
        layers = tuple(name for name, _ in LAYER_TITLES)
        beside, below = ("why", "checks"), ("charts", "levers", "search", "evidence", "log")
        if narrow:  # the chain needs the width of a laptop for itself
            return {_LEFT: layers, _BELOW: (below[0], *beside, *below[1:])}
        return {_LEFT: layers, _RIGHT: beside, _BELOW: below}

    def _add(self, name: str, title: str) -> None:
        dock = QDockWidget(title, self.window)
        dock.setObjectName(f"dock.{name}")
        self.all[name] = dock
