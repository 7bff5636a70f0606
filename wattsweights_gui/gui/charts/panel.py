"""The panel of charts: one is in sight, made when first looked at and drawn again only when its layers changed."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout, QWidget

if TYPE_CHECKING:
    from wattsweights_gui.gui.charts.chart import Chart

# title, module, class: the module is imported when its tab is first shown
CHARTS: tuple[tuple[str, str, str], ...] = (
    ("Need against have", "load", "LoadChart"),
    ("GPUs and days", "gpus_days", "GpusDaysChart"),
    ("Memory", "memory", "MemoryChart"),
    ("Step time", "step_time", "StepTimeChart"),
    ("Groups", "groups", "GroupsChart"),
    ("Where the peak goes", "losses", "LossesChart"),
    ("Power", "power", "PowerChart"),
    ("Roofline", "roofline", "RooflineChart"),
    ("GPU memory", "hierarchy", "HierarchyChart"),
)


class ChartsPanel(QWidget):
    """Live charts of a session.

    Args:
        session: has ``evaluation``, ``ends``, ``units`` and the signal ``changed(layers, origin)``.
        theme: followed through the window's palette; kept so that it lives as long as the panel.
        parent: of the widget.
    """

    def __init__(self, session: Any, theme: Any = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("charts")
        self.session = session
        self.theme = theme
        self.charts: dict[int, Chart] = {}
        self._boxes: list[QVBoxLayout] = []
        self._stale: set[int] = set(range(len(CHARTS)))
        self._units = session.units
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._draw_in_sight)
        self.tabs = QTabBar()
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        self.tabs.setUsesScrollButtons(True)
        self.tabs.setAccessibleName("Chart")
        self.pages = QStackedWidget()
        for title, _, _ in CHARTS:
            self.tabs.addTab(title)
            page = QWidget()
            inner = QVBoxLayout(page)
            inner.setContentsMargins(0, 0, 0, 0)
            self._boxes.append(inner)
            self.pages.addWidget(page)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self.tabs)
        box.addWidget(self.pages, 1)
        self.tabs.currentChanged.connect(self._turned)
        session.changed.connect(self._changed)
        for name, slot in (("units_changed", self.refresh), ("ends_changed", self._compared)):
            signal = getattr(session, name, None)
            if signal is not None:
                signal.connect(slot)

    def chart(self, title: str) -> Chart:
        """Return a chart by its title, shown and up to date.

        Raises:
            ValueError: no such chart.
        """
        titles = [name for name, _, _ in CHARTS]
        if title not in titles:
            raise ValueError(f"“{title}” is no chart: there are {', '.join(titles)}.")
        index = titles.index(title)
        self.tabs.setCurrentIndex(index)
        self._draw(index)
        return self.charts[index]

    def refresh(self, *_: object) -> None:
        """Draw the chart in sight again, the others when they are looked at."""
        self._stale = set(range(len(CHARTS)))
        if self.isVisible():
            self._draw(self.tabs.currentIndex())

    def _changed(self, layers: Iterable[str] = (), *_: object) -> None:
        changed = set(layers)
        units = self.session.units
        for index in range(len(CHARTS)):
            chart = self.charts.get(index)
            if chart is None or units != self._units or chart.LAYERS & changed:
                self._stale.add(index)
        self._units = units
        # the field, the cards and the verdict are painted first; a chart is as dear as all of them together
        self._soon.start()

    def _draw_in_sight(self) -> None:
        if self.isVisible():
            self._draw(self.tabs.currentIndex())

    def _compared(self) -> None:
        self._stale |= {index for index, chart in self.charts.items() if chart.ENDS}
        if self.isVisible():
            self._draw(self.tabs.currentIndex())

    def _turned(self, index: int) -> None:
        self.pages.setCurrentIndex(index)
        if self.isVisible():
            self._draw(index)

    def showEvent(self, event: QShowEvent) -> None:
        """Draw what changed while nobody looked."""
        super().showEvent(event)
        self._draw(self.tabs.currentIndex())

    def _draw(self, index: int) -> None:
        if index not in self._stale or self.session.evaluation is None:
            return
        chart = self.charts.get(index)
        if chart is None:
            _, module, name = CHARTS[index]
            made = getattr(importlib.import_module(f"wattsweights_gui.gui.charts.{module}"), name)()
            self._boxes[index].addWidget(made)
            self.charts[index] = chart = made
            if hasattr(made, "why_asked") and hasattr(self.session, "why_requested"):
                made.why_asked.connect(self.session.why_requested)
        if chart.ENDS and getattr(self.session, "ends_pending", False):
            # asking now would compare within the edit; it is drawn when the comparison is there
            return
        ends = self.session.ends if chart.ENDS else None
        chart.show_evaluation(self.session.evaluation, ends, self.session.units)
        self._stale.discard(index)
