"""Evidence: what the program predicts beside what was published, row by row, for what ships and for other files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QMoveEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QTableView,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from wattsweights_gui.engine import units

JOB = "evidence"
KINDS = "Tables of evidence (*.json)"
FIRST_SUBJECT = "Training time"
# below this height the chosen row stands beside the chart, not under it
_TALL = 460
_STEP = 0.02
_WIDEST = 180
_SHARES = (0.46, 0.54)


@dataclass(frozen=True)
class Unreadable:
    """Why a file is no table of evidence."""

    reason: str


class EvidencePanel(QWidget):
    """The dock of the evidence; made, and the rows predicted, when it is first looked at.

    Args:
        session: has ``jobs``, ``catalog`` and the signal ``logged``.
        ask_file: lets somebody choose a file: title, kinds, and who is told its path.
        parent: of the widget.
    """

    def __init__(
        self, session: Any, ask_file: Callable[[str, str, Callable[[str], None]], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("evidence")
        self.session, self._ask_file = session, ask_file
        self.view: EvidenceView | None = None
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._build_in_sight)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)

    def showEvent(self, event: QShowEvent) -> None:
        """Begin after this paint."""
        super().showEvent(event)
        if self.view is None:
            self._soon.start()

    def moveEvent(self, event: QMoveEvent) -> None:
        """Begin when it comes in from behind another dock."""
        super().moveEvent(event)
        if self.view is None:
            self._soon.start()

    def _build_in_sight(self) -> None:
        # Qt lays a dock behind another out beside the window, and shown
        window = self.window()
        if self.isVisible() and window.rect().intersects(QRect(self.mapTo(window, QPoint(0, 0)), self.size())):
            self.build()

    def build(self) -> None:
        """Make the tables and predict what ships, now."""
        if self.view is None:
            self.view = EvidenceView(self.session, self._ask_file)
            self.layout().addWidget(self.view)
            self.view.show_shipped()


class EvidenceView(QWidget):
    """Filters over a table of rows, summaries, the scatter plot, and all that is known of the chosen row."""

    def __init__(self, session: Any, ask_file: Callable[[str, str, Callable[[str], None]], None]) -> None:
        super().__init__()
        from wattsweights_gui.gui.charts.evidence_scatter import EvidenceScatter
        from wattsweights_gui.gui.panels.evidence_rows import EvidenceModel
        from wattsweights_gui.gui.panels.evidence_summary import SummaryTable

        self.session, self._ask_file = session, ask_file
        self.report: Any = None
        self.model = EvidenceModel(self)
        self.tabs = QTabBar()
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        self.tabs.setAccessibleName("What is listed")
        for title in ("Rows", "By class", "By table"):
            self.tabs.addTab(title)
        self.kind, self.table, self.quantity = _choice("Class"), _choice("Table"), _choice("Quantity")
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search rows…")
        self.search.setClearButtonEnabled(True)
        self.search.setAccessibleName("Search rows")
        self.open = QPushButton("Open a file…")
        self.open.clicked.connect(self.ask_for_file)
        self.back = QPushButton("Shipped tables")
        self.back.clicked.connect(self.show_shipped)
        self.back.hide()
        self.state = QLabel()
        self.state.setTextFormat(Qt.TextFormat.PlainText)
        self.state.setWordWrap(True)
        self.state.setProperty("role", "quiet")
        self.list = self._rows_table()
        self.by_class = SummaryTable("Class", self._show_class)
        self.by_table = SummaryTable("Table", self._show_table)
        self.pages = QStackedWidget()
        for page in (self.list, self.by_class, self.by_table):
            self.pages.addWidget(page)
        self.scatter = EvidenceScatter()
        self.details = QTextBrowser()
        self.details.setOpenLinks(False)
        self.details.setAccessibleName("The chosen row")
        self.beside = QSplitter(Qt.Orientation.Horizontal)
        self.beside.addWidget(self.scatter)
        self.beside.addWidget(self.details)
        self.halves = QSplitter(Qt.Orientation.Horizontal)
        self.halves.addWidget(self.pages)
        self.halves.addWidget(self.beside)
        for splitter, shares in ((self.beside, (3, 2)), (self.halves, (2, 3))):
            splitter.setChildrenCollapsible(False)
            for n, share in enumerate(shares):
                splitter.setStretchFactor(n, share)
        self._arrange()
        self._connect()

    def _rows_table(self) -> QTableView:
        from wattsweights_gui.gui.panels.evidence_rows import ERROR

        view = QTableView()
        view.setAccessibleName("Rows of evidence")
        view.setModel(self.model)
        view.verticalHeader().hide()
        view.verticalHeader().setDefaultSectionSize(view.fontMetrics().height() + 6)
        view.setShowGrid(False)
        view.setAlternatingRowColors(True)
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setTabKeyNavigation(False)
        view.setWordWrap(False)
        head = view.horizontalHeader()
        head.setHighlightSections(False)
        head.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        head.setSortIndicator(ERROR, Qt.SortOrder.DescendingOrder)
        view.setSortingEnabled(True)
        return view

    def _arrange(self) -> None:
        top = QHBoxLayout()
        top.addWidget(self.tabs)
        for choice in (self.kind, self.table, self.quantity):
            top.addWidget(choice, 1)
        top.addWidget(self.search, 1)
        top.addWidget(self.back)
        top.addWidget(self.open)
        box = QVBoxLayout(self)
        box.setContentsMargins(8, 4, 8, 4)
        box.setSpacing(4)
        box.addLayout(top)
        box.addWidget(self.state)
        box.addWidget(self.halves, 1)

    def _connect(self) -> None:
        self.tabs.currentChanged.connect(self.pages.setCurrentIndex)
        self.kind.currentIndexChanged.connect(self._narrow)
        self.table.currentIndexChanged.connect(self._narrow)
        self.quantity.currentIndexChanged.connect(self._narrow)
        self.search.textChanged.connect(self._narrow)
        self.list.selectionModel().selectionChanged.connect(self._chosen)
        self.model.modelReset.connect(self._choose_again)
        self.scatter.picked.connect(self.choose)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the chosen row under the chart where there is height for both."""
        super().resizeEvent(event)
        way = Qt.Orientation.Vertical if self.height() >= _TALL else Qt.Orientation.Horizontal
        if way != self.beside.orientation() or event.oldSize().width() <= 0:
            self.beside.setOrientation(way)
            room = self.width() if way == Qt.Orientation.Horizontal else self.height()
            self.beside.setSizes([round(0.6 * room), round(0.4 * room)])
            self.halves.setSizes([round(share * self.width()) for share in _SHARES])

    # ------------------------------------------------------------------------------------------------- the work

    def show_shipped(self) -> None:
        """Predict every table that ships."""
        from wattsweights_gui.exchange import evidence_file

        self._predict(evidence_file.shipped, "")

    def ask_for_file(self) -> None:
        """Let somebody choose another file of the same schema."""
        self._ask_file("Open a table of evidence", KINDS, self.open_file)

    def open_file(self, path: str) -> None:
        """Predict the rows of a file."""
        if path:
            self._predict(lambda: [Path(path)], path)

    def _predict(self, files: Callable[[], list[Path]], path: str) -> None:
        catalog = self.session.catalog

        def work(progress: Any) -> Any:
            from wattsweights_gui.engine.evidence import report
            from wattsweights_gui.exchange import evidence_file

            told = 0.0

            def tell(share: float) -> bool:
                nonlocal told
                if share - told < _STEP:
                    return True
                told = share
                return bool(progress(share))

            try:
                return report([evidence_file.read(file) for file in files()], catalog, tell)
            except ValueError as error:
                reason = str(error)
                return Unreadable(reason if not path or path in reason else f"{path}: {reason}")

        self.state.setText("Predicting the rows…")
        self.session.jobs.run(JOB, work, lambda found: self._done(found, path), self._failed, self._progress)

    def _progress(self, share: float) -> None:
        if not isValid(self):
            return
        self.state.setText(f"Predicting the rows… {round(100 * share)} %")

    def _done(self, found: Any, path: str) -> None:
        if not isValid(self):  # the window was closed meanwhile
            return
        if isinstance(found, Unreadable):
            self._refuse(found.reason)
            return
        self.report = found
        self.back.setVisible(bool(path))
        self.by_class.show_summaries(found.classes())
        self.by_table.show_summaries(found.summary())
        self.model.all = found.rows
        self._list_classes("" if path else FIRST_SUBJECT)
        self._size_columns()
        where = Path(path).name if path else "The tables that ship"
        self.session.logged.emit(f"Evidence: {where}, {units.number(len(found.rows))} rows.")

    def _size_columns(self) -> None:
        """Give each column its width, the names no more than leaves room for the numbers."""
        self.list.resizeColumnsToContents()
        for column in range(self.model.columnCount()):
            self.list.setColumnWidth(column, min(self.list.columnWidth(column), _WIDEST))

    def _failed(self, error: Exception) -> None:
        if not isValid(self):
            return
        self._refuse(f"The rows were not predicted: {str(error) or type(error).__name__}")

    def _refuse(self, reason: str) -> None:
        self.state.setText(reason)
        self.session.logged.emit(f"Evidence: {reason}")

    # --------------------------------------------------------------------------------------------- what is listed

    def _list_classes(self, subject: str) -> None:
        from wattsweights_gui.engine.evidence.classes import CLASSES

        there = {row.kind for row in self.model.all}
        known = [kind for kind in CLASSES if kind in there]
        subjects: dict[str, list[str]] = {}
        for kind in known:
            subjects.setdefault(CLASSES[kind].subject, []).append(kind)
        entries: list[tuple[str, Any]] = []
        for name, kinds in subjects.items():
            if len(kinds) > 1:
                entries.append((f"{name}, all", frozenset(kinds)))
            entries += [(CLASSES[kind].title, frozenset({kind})) for kind in kinds]
        first = next((kinds for name, kinds in entries if name.startswith(subject)), frozenset()) if subject else None
        _fill(self.kind, "All classes", entries, first or frozenset())
        self._narrow()

    def _narrow(self, *_: object) -> None:
        from wattsweights_gui.gui.panels.evidence_rows import Filter

        kinds = self.kind.currentData() or frozenset()
        within = [row for row in self.model.all if not kinds or row.kind in kinds]
        tables = dict.fromkeys(row.table for row in within)
        _fill(self.table, "All tables", [(name, name) for name in tables], self.table.currentData() or "")
        table = self.table.currentData() or ""
        quantities = dict.fromkeys(row.quantity for row in within if not table or row.table == table)
        entries = [(name.replace("_", " "), name) for name in quantities]
        _fill(self.quantity, "All quantities", entries, self.quantity.currentData() or "")
        words = tuple(self.search.text().casefold().split())
        self.model.narrow(Filter(kinds, table, self.quantity.currentData() or "", words))
        self._say()
        self.scatter.show_rows(self.model.shown)

    def _say(self) -> None:
        from wattsweights_gui.gui.panels.evidence_words import summary_text

        self.state.setText(summary_text(self.model.shown, len(self.model.all)))

    def _show_class(self, kind: str) -> None:
        self._go_to(self.kind, frozenset({kind}))

    def _show_table(self, table: str) -> None:
        self.kind.setCurrentIndex(0)
        self._go_to(self.table, table)

    def _go_to(self, box: QComboBox, data: Any) -> None:
        box.setCurrentIndex(max(0, _place_of(box, data)))
        self.tabs.setCurrentIndex(0)
        self.list.setFocus()

    # --------------------------------------------------------------------------------------------- the chosen row

    def choose(self, id: str) -> bool:
        """Choose a row that is listed, and show it; return whether it is."""
        self.tabs.setCurrentIndex(0)
        return self._select(id)

    def _select(self, id: str) -> bool:
        place = self.model.place_of(id)
        if not place.isValid():
            return False
        flag = QItemSelectionModel.SelectionFlag
        self.list.selectionModel().setCurrentIndex(place, flag.ClearAndSelect | flag.Rows)
        self.list.scrollTo(place)
        return True

    def _choose_again(self) -> None:
        if not self._select(self.scatter.chosen):
            self._show_row(None)

    def _chosen(self, *_: QItemSelection) -> None:
        rows = self.list.selectionModel().selectedRows()
        self._show_row(self.model.at(rows[0]) if rows else None)

    def _show_row(self, row: Any) -> None:
        from wattsweights_gui.gui.panels.evidence_words import row_html

        self.scatter.choose(row.id if row is not None else "")
        self.details.setHtml(row_html(row))


def _choice(name: str) -> QComboBox:
    box = QComboBox()
    box.setAccessibleName(name)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(10)
    box.view().setMinimumWidth(280)
    return box


def _place_of(box: QComboBox, data: Any) -> int:
    """Return where an entry stands; Qt compares sets by identity, so that it cannot find them itself."""
    return next((n for n in range(box.count()) if box.itemData(n) == data), -1)


def _fill(box: QComboBox, everything: str, entries: list[tuple[str, Any]], chosen: Any) -> None:
    """List entries without telling anybody; what was chosen stays, where it is still there."""
    wanted = [everything, *(title for title, _ in entries)]
    if [box.itemText(n) for n in range(box.count())] == wanted and _place_of(box, chosen) in (box.currentIndex(), -1):
        return
    box.blockSignals(True)
    box.clear()
    box.addItem(everything, None)
    for title, data in entries:
        box.addItem(title, data)
    box.setCurrentIndex(max(0, _place_of(box, chosen)))
    box.blockSignals(False)
