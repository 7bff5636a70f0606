"""Levers: the ways out, each sized through the whole chain, ranked; a click applies one, and undo takes it back."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QBrush, QGuiApplication, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from wattsweights_gui.engine import units
from wattsweights_gui.gui.panels.worker_panel import WorkerPanel

JOB = "levers"
HELP = {
    "Change": "What is changed. + marks two changes at once; ✓ those with which everything fits.",
    "Closes": (
        "Share of the gap that the change closes, over all limits that do not hold: 0 % nothing, 100 % all of it. "
        "Below 0 % it opens the gap further."
    ),
    "GPUs": "GPUs of the plan, before → after.",
    "Days": "Days to train, before → after.",
    "Facility": "Power at the utility, before → after.",
    "Racks": "All racks, before → after.",
    "kW a rack": "Heat of the fullest rack, before → after.",
}
COLUMNS: tuple[tuple[str, str, str], ...] = (
    ("Change", "", ""),
    ("Closes", "", "pct"),
    ("GPUs", "gpus", "count"),
    ("Days", "days", "days"),
    ("Facility", "facility_power_kw", "kw"),
    ("Racks", "racks", "count"),
    ("kW a rack", "rack_heat_kw", "kw"),
)
Index = QModelIndex | QPersistentModelIndex


class LeverModel(QAbstractTableModel):
    """Levers as rows: before → after of each measure."""

    def __init__(self, session: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.levers: list[Any] = []
        self._ranked: list[Any] = []

    def fill(self, levers: list[Any]) -> None:
        """Show these."""
        self.beginResetModel()
        self.levers = levers
        self._ranked = list(levers)
        self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by what a column holds after the change, what is not known last; column -1 is the rank."""
        self.layoutAboutToBeChanged.emit()
        down = order == Qt.SortOrder.DescendingOrder
        known = [lever for lever in self._ranked if column < 0 or self._key(lever, column) is not None]
        unknown = [lever for lever in self._ranked if lever not in known]
        if column >= 0:
            known.sort(key=lambda lever: self._key(lever, column), reverse=down)
        before = {index: self.levers[index.row()].id for index in self.persistentIndexList()}
        self.levers = known + unknown
        rows = {lever.id: row for row, lever in enumerate(self.levers)}
        for index, name in before.items():
            self.changePersistentIndex(index, self.index(rows[name], index.column()))
        self.layoutChanged.emit()

    @staticmethod
    def _key(lever: Any, column: int) -> Any:
        if column == 0:
            return lever.title.casefold()
        if column == 1:
            return lever.closes
        return lever.deltas[COLUMNS[column][1]][1].value

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.levers)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{HELP[COLUMNS[section][0]]}\nClick to sort; a third click ranks them again."
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        if role == Qt.ItemDataRole.DisplayRole:
            title, _, unit = COLUMNS[section]
            sign = units.symbol(unit, self.session.units) if unit and unit not in ("count", "pct") else ""
            return f"{title}, {sign}" if sign and sign != title.lower() and "kW" not in title else title
        return None

    def data(self, index: Index, role: int = 0) -> Any:
        lever = self.levers[index.row()]
        column = index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.words(lever, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            pair = "Two changes at once.\n" if "+" in lever.kind else ""
            return f"{lever.title}\n{pair}{lever.ends.verdict}"
        if role == Qt.ItemDataRole.ForegroundRole and not lever.fits and lever.closes <= 0 and not lever.ends.fits:
            return self.quiet()
        if role == Qt.ItemDataRole.TextAlignmentRole and column:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    @staticmethod
    def quiet() -> QBrush:
        """Return the colour of what closes nothing."""
        return QBrush(QGuiApplication.palette().color(QPalette.ColorRole.PlaceholderText))

    def words(self, lever: Any, column: int) -> str:
        """Return the text of a cell."""
        if column == 0:
            # two changes at once read as such before they are read
            title = f"+ {lever.title}" if "+" in lever.kind else lever.title
            return f"✓ {title}" if lever.fits else title
        if column == 1:
            return "fits" if lever.fits else f"{lever.closes * 100:.0f} %"
        _, name, unit = COLUMNS[column]
        before, after = lever.deltas[name]
        shown = [self._number(f.value, unit) for f in (before, after)]
        return shown[1] if before.value == after.value else f"{shown[0]} → {shown[1]}"

    def _number(self, value: Any, unit: str) -> str:
        if value is None:
            return "–"
        return units.number(units.shown(float(value), unit, self.session.units)[0])


class LeversPanel(WorkerPanel):
    """The dock of levers; sized in the worker when asked for, stale after an edit."""

    JOB = JOB
    HEADING = "Ways out"
    ABOUT = "Each way out is a change to the plan, sized through the whole chain."
    FIND = "Find the ways out"
    FAILED = "The ways out could not be sized"

    def __init__(self, session: Any, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self._plan: Any = None
        self.model = LeverModel(session, self)
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName("Ways out, best first")
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setAlternatingRowColors(True)
        self.table.setShowGrid(False)
        self.table.verticalHeader().hide()
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        header = self.table.horizontalHeader()
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.table.setSortingEnabled(True)
        self.table.setTabKeyNavigation(False)
        self.table.activated.connect(lambda _: self.apply_selected())
        self.table.selectionModel().selectionChanged.connect(self._selected)
        self.verdict = QLabel()
        self.verdict.setWordWrap(True)
        self.apply = QPushButton("Apply")
        self.apply.setEnabled(False)
        self.apply.clicked.connect(self.apply_selected)
        self._lay_out()
        session.changed.connect(self._changed)

    def _lay_out(self) -> None:
        bottom = QHBoxLayout()
        bottom.addWidget(self.verdict, 1)
        bottom.addWidget(self.apply)
        box = QVBoxLayout(self)
        box.setContentsMargins(12, 8, 12, 8)
        box.addLayout(self.top_row())
        box.addWidget(self.state)
        box.addWidget(self.progress)
        box.addWidget(self.table, 1)
        box.addLayout(bottom)

    def run(self) -> None:
        """Size all levers of the plan as it stands."""
        plan, catalog = self.session.plan, self.session.catalog
        placed = self.session.evaluation.placed

        def work(progress: Any) -> Any:
            from wattsweights_gui.engine.levers import levers

            return levers(plan, catalog, progress, placed)

        self._plan = plan
        self.start(work, "Sizing each change through the whole chain…")

    def idle(self) -> None:
        """Be ready to start again."""
        super().idle()
        self.find.setText("Find again" if self.model.levers else "Find the ways out")

    def taken(self, report: Any) -> None:
        """Show the changes, ranked."""
        self.session.lever_report = report
        found = [*report.singles, *report.pairs]
        order = sorted(found, key=lambda lever: (not lever.fits, -round(lever.closes, 6)))
        self.model.fill(order)
        header = self.table.horizontalHeader()
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        closing = sum(lever.fits for lever in found)
        if report.base_ends.fits:
            words = f"The plan fits; {len(found)} changes were sized to compare."
        else:
            words = f"{len(found)} changes were sized; with {closing} of them it fits."
        self.state.setText(words)
        self.session.logged.emit(f"Levers: {words}")

    def _changed(self, *_: object) -> None:
        if self._plan is not None and self.session.plan != self._plan:
            self.state.setText("The plan has changed since these were sized.")
            if self.session.jobs.running(JOB):
                self.cancel()
                self.state.setText("The plan has changed: find again.")
            self._plan = None

    def selected(self) -> Any:
        """Return the chosen lever, or ``None``."""
        rows = self.table.selectionModel().selectedRows()
        return self.model.levers[rows[0].row()] if rows else None

    def _selected(self, *_: object) -> None:
        lever = self.selected()
        self.apply.setEnabled(lever is not None)
        self.verdict.setText(lever.ends.verdict if lever is not None else "")

    def apply_selected(self) -> None:
        """Apply the chosen lever to the plan; undo takes it back."""
        lever = self.selected()
        if lever is not None:
            self.session.apply(lever.edits, lever.title)
