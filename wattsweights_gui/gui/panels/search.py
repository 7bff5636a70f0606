"""Layout search: the best splits of the model, found in the worker, as tables and charts; using one pins it."""

from __future__ import annotations

import time
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QScrollArea,
    QTableView,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from wattsweights_gui.engine import units
from wattsweights_gui.engine.search_words_out import degrees_text
from wattsweights_gui.engine.training_plan import LAYOUT_FIELDS
from wattsweights_gui.gui.panels.search_form import SearchForm
from wattsweights_gui.gui.panels.search_model import SearchModel
from wattsweights_gui.gui.panels.search_why_not import WhyNotForm
from wattsweights_gui.gui.panels.worker_panel import WorkerPanel

TOP = 100
FORM_WIDTH = 268
TABS = ("Best", "Front", "All", "TP × PP", "Why not?")


class SearchPanel(WorkerPanel):
    """The dock of the layout search."""

    JOB = "search"
    HEADING = "Layouts"
    ABOUT = "All valid layouts of this model are sized, and the best are listed."
    FIND = "Search layouts"
    FAILED = "The search failed"

    def __init__(self, session: Any, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self._started = 0.0
        self._searched: Any = None
        self.found: Any = None
        self.layout_chosen: Any = None
        self.charts: dict[str, Any] = {}
        self.form = SearchForm(session)
        self.form.entered.connect(self.run)
        self.model, self.front_model = SearchModel(session, self), SearchModel(session, self)
        self.table = self._table(self.model, "Best layouts")
        self.front_table = self._table(self.front_model, "Layouts that no other beats in both objectives")
        self.why_not = WhyNotForm(session)
        self.why_not.found.connect(self.choose)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self._pages = {}
        for title, page in zip(TABS, (self.table, self.front_table, QWidget(), QWidget(), self.why_not), strict=True):
            self.tabs.addTab(page, title)
            self._pages[title] = page
        self.tabs.currentChanged.connect(self._turned)
        self.chosen = QLabel()
        self.chosen.hide()
        self.chosen.setWordWrap(True)
        self.chosen.setProperty("role", "quiet")
        self.apply = QPushButton("Use this layout")
        self.apply.setToolTip("Pins it in the plan; undo takes it back.")
        self.apply.setEnabled(False)
        self.apply.clicked.connect(self.apply_selected)
        self._lay_out()
        session.changed.connect(self._changed)
        session.units_changed.connect(lambda _: self._show(self.found))

    def _table(self, model: SearchModel, name: str) -> QTableView:
        table = QTableView()
        table.setModel(model)
        table.setAccessibleName(name)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setAlternatingRowColors(True)
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(table.fontMetrics().height() + 6)
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        table.setSortingEnabled(True)
        table.activated.connect(lambda _: self.apply_selected())
        table.doubleClicked.connect(lambda _: self.apply_selected())  # where a double click does not activate
        table.selectionModel().selectionChanged.connect(lambda *_: self._row_chosen(table, model))
        return table

    def _lay_out(self) -> None:
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(self.form)
        buttons = QHBoxLayout()
        buttons.addWidget(self.find, 1)
        buttons.addWidget(self.stop)
        left = QVBoxLayout()
        left.addWidget(area, 1)
        left.addLayout(buttons)
        side = QWidget()
        side.setFixedWidth(FORM_WIDTH)
        side.setLayout(left)
        left.setContentsMargins(0, 0, 0, 0)
        bottom = QHBoxLayout()
        bottom.addWidget(self.state, 1)
        bottom.addWidget(self.chosen, 1)
        bottom.addWidget(self.apply)
        right = QVBoxLayout()
        right.setSpacing(2)
        for widget, stretch in ((self.progress, 0), (self.tabs, 1)):
            right.addWidget(widget, stretch)
        right.addLayout(bottom)
        self.head.hide()  # the tab of the dock says it
        box = QHBoxLayout(self)
        box.setContentsMargins(12, 8, 12, 8)
        box.addWidget(side)
        box.addLayout(right, 1)

    def run(self) -> None:
        """Search what the form asks for."""
        asked = self.form.asked()
        if asked is None:
            return
        plan, catalog = self.session.plan, self.session.catalog

        def work(progress: Any) -> Any:
            from wattsweights_gui.engine.search import search

            return search(
                plan,
                catalog,
                top=TOP,
                progress=progress,
                partial=lambda found: progress(-1.0, found) and None,
                **asked,
            )

        self.choose(None)
        self._started, self._searched = time.perf_counter(), _without_layout(plan)
        self.start(work, "Sizing layouts…")

    def progressed(self, share: float, *partial: Any) -> None:
        """Show how much is done, and what was found so far."""
        if partial:
            self._show(partial[0])
        else:
            super().progressed(share)

    def taken(self, found: Any) -> None:
        """Show what was found."""
        seconds = time.perf_counter() - self._started
        self._show(found)
        words = f"{units.number(float(found.evaluated))} layouts in {units.number(seconds)} s; "
        words += f"the best {len(found.best)} are listed." if found.best else "none fits."
        self.state.setText(f"{words} {found.note[:1].upper()}{found.note[1:]}{'.' if found.note else ''}".strip())
        self.session.logged.emit(f"Search: {words}")

    def _show(self, found: Any) -> None:
        self.found = found
        self.choose(None)
        for model, table, layouts in (
            (self.model, self.table, found.best if found else ()),
            (self.front_model, self.front_table, found.front if found else ()),
        ):
            model.fill(list(layouts))
            table.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        for chart in self.charts.values():
            chart.show_found(found, self.session.units)

    def _turned(self, index: int) -> None:
        """Make a chart when it is first looked at: importing what draws it takes a second."""
        title = TABS[index]
        if title not in ("All", "TP × PP") or title in self.charts:
            return
        from wattsweights_gui.gui.charts.search_grid import GridChart
        from wattsweights_gui.gui.charts.search_parallel import ParallelChart

        chart = (ParallelChart if title == "All" else GridChart)(self._pages[title])
        self.charts[title] = chart
        box = QVBoxLayout(self._pages[title])
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(chart)
        chart.picked.connect(self.choose)
        chart.show_found(self.found, self.session.units)
        chart.choose(self.layout_chosen)

    def _row_chosen(self, table: QTableView, model: SearchModel) -> None:
        rows = table.selectionModel().selectedRows()
        if rows:
            self.choose(model.layouts[rows[0].row()])

    def choose(self, layout: Any) -> None:
        """Take a layout as the one to use, from wherever it was chosen."""
        self.layout_chosen = layout
        self.apply.setEnabled(layout is not None)
        # the line is the state's until a layout is chosen: a laptop has none to spare
        self.chosen.setVisible(layout is not None)
        self.state.setVisible(layout is None)
        if layout is not None:
            days = units.text(layout.days, "days", self.session.units)
            many = units.text(layout.gpus, "count")
            self.chosen.setText(f"{many} GPUs, {degrees_text(layout)}: {days}")
        for table, model in ((self.table, self.model), (self.front_table, self.front_model)):
            rows = table.selectionModel().selectedRows()
            if rows and model.layouts[rows[0].row()] != layout:
                table.clearSelection()
        for chart in self.charts.values():
            chart.choose(layout)

    def selected(self) -> Any:
        """Return the chosen layout, or ``None``."""
        return self.layout_chosen

    def apply_selected(self) -> None:
        """Pin the chosen layout; undo takes it back."""
        layout = self.layout_chosen
        if layout is None:
            return
        edits = (*layout.edits(), ("parallelism.layout", "pinned"))
        if self.session.plan.value("parallelism.gpus") not in (None, layout.gpus):
            edits = (*edits, ("parallelism.gpus", layout.gpus))
        self.session.apply(edits, f"Pin TP {layout.tp} × PP {layout.pp} × DP {layout.dp}")

    def _changed(self, *_: object) -> None:
        if self._searched is None or _without_layout(self.session.plan) == self._searched:
            return
        self._searched = None
        self.choose(None)
        if self.session.jobs.running(self.JOB):
            self.cancel()
            self.state.setText("The plan has changed: search again.")
        else:
            self.state.setText("The plan has changed since these were found: search again.")


def _without_layout(plan: Any) -> Any:
    """Return what the layouts follow from: all inputs but the layout that the plan has."""
    split = plan.layers["parallelism"].model_dump(exclude={*LAYOUT_FIELDS, "layout"})
    return {**{n: inputs for n, inputs in plan.layers.items() if n != "parallelism"}, "parallelism": split}
