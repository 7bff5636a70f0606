"""What follows from a layer: its figures, each leading to *Why?*, and its tables."""

from __future__ import annotations

import re
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QSizePolicy,
    QTableView,
    QToolButton,
    QWidget,
)

from wattsweights_gui.engine import declare, units
from wattsweights_gui.engine.declare import Figure, Table
from wattsweights_gui.engine.layers import layer_named
from wattsweights_gui.gui.panels.table_view import LaterView, TableWindow
from wattsweights_gui.gui.theme import SPACE, figures_font

_ROWS_SHOWN = 8
_CAPITALS = (
    ("nvlink", "NVLink"),
    ("mfu", "MFU"),
    ("cdu", "CDU"),
    ("pdu", "PDU"),
    ("gpus", "GPUs"),
    ("gpu", "GPU"),
    ("kw", "kW"),
    ("cpu", "CPU"),
    ("hbm", "HBM"),
    ("nic", "NIC"),
)
_WIDEST = 152
_HEAD = 64
_NARROWEST = 72
_Index = QModelIndex | QPersistentModelIndex


def spread_text(figure: Figure, system: units.System) -> str:
    """Return a figure as shown to people: an estimate with its spread."""
    if figure.low is not None and figure.high is not None and figure.value is not None:
        low, high = (units.text(value, figure.unit, system) for value in (figure.low, figure.high))
        sign = units.symbol(figure.unit, system)
        if sign and high.endswith(sign):  # a unit is said once, where it is the same
            low = low.removesuffix(sign).rstrip()
        return f"{low} to {high}"
    return figure.text(system)


def full_text(figure: Figure, system: units.System) -> str:
    """Return a figure in full precision, with what it is; for tooltips."""
    shown = units.text(figure.value, figure.unit, system, 12) if figure.known else f"not known: {figure.formula}"
    return f"{figure.title}: {shown}\nClick for where it comes from."


class ResultsList(QWidget):
    """Title and value of each result of a layer, then its tables."""

    def __init__(self, session: Any, layer: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.layer = session, layer
        self._values: dict[str, QToolButton] = {}
        self._titles: dict[str, QLabel] = {}
        self._tables: dict[str, tuple[QWidget, LaterView, TableModel]] = {}
        self._shown: dict[str, object] = {}
        declared = declare.results_of(layer_named(layer).result)
        outcome = session.evaluation.results[layer]
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(2 * SPACE)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(0, 1)
        heading = QLabel("What follows")
        heading.setProperty("role", "heading")
        grid.addWidget(heading, 0, 0, 1, 2)
        group, row = "", 1
        for name, about in declared.items():
            if isinstance(getattr(outcome, name), Table):
                continue
            if about.group != group:
                group = about.group
                title = QLabel(group)
                title.setProperty("role", "group")
                grid.addWidget(title, row, 0, 1, 2)
                row += 1
            self._add_figure(grid, row, name, about)
            row += 1
        self.unknown = QToolButton()
        self.unknown.setProperty("role", "link")
        self.unknown.setCheckable(True)
        self.unknown.toggled.connect(lambda _: self._show_unknown())
        grid.addWidget(self.unknown, row, 0, 1, 2, Qt.AlignmentFlag.AlignLeft)
        row += 1
        for name, about in declared.items():
            if isinstance(getattr(outcome, name), Table):
                row = self._add_table(grid, row, name, about)
        self.refresh()

    def refresh(self) -> None:
        """Show the results as they stand; what did not change is left alone."""
        outcome, system = self.session.evaluation.results[self.layer], self.session.units
        for name, button in self._values.items():
            figure: Figure = getattr(outcome, name)
            now = (figure.value, figure.low, figure.high, system)
            if self._shown.get(name) == now:
                continue
            self._shown[name] = now
            button.setText(spread_text(figure, system))
            button.setToolTip(full_text(figure, system))
            button.setAccessibleName(f"{figure.title} {button.text()}")
        self._show_unknown()
        for name, (title, view, model) in self._tables.items():
            table: Table = getattr(outcome, name)
            if self._shown.get(name) == (table, system):
                continue
            self._shown[name] = (table, system)
            title.show()
            view.show()
            view.fill_later(lambda parts=(title, view, model), table=table: self._fill(*parts, table))

    def _fill(self, title: QWidget, view: LaterView, model: TableModel, table: Table) -> None:
        model.show_table(table, self.session.units)
        for part in (title, view):
            part.setVisible(bool(table.rows))
        _fit(view, len(table.rows), self.width())

    def enlarge(self, name: str) -> TableWindow:
        """Open a table in a window of its own, at its full width."""
        title = declare.results_of(layer_named(self.layer).result)[name].title
        made = TableWindow(self.session, self.layer, name, title, TableModel, self)
        made.show()
        return made

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the columns of the tables what there is."""
        super().resizeEvent(event)
        for _, view, model in self._tables.values():
            _fit(view, model.rowCount(), self.width())

    def _show_unknown(self) -> None:
        """Leave out what is not known or does not apply, until somebody asks for it."""
        outcome = self.session.evaluation.results[self.layer]
        missing = 0
        for name, button in self._values.items():
            known = getattr(outcome, name).known
            missing += not known
            for part in (button, self._titles[name]):
                part.setVisible(known or self.unknown.isChecked())
        self.unknown.setVisible(missing > 0)
        verb = "Hide" if self.unknown.isChecked() else "Show"
        self.unknown.setText(f"{verb} {missing} not known or not applicable")

    def _add_figure(self, grid: QGridLayout, row: int, name: str, about: declare.ResultField) -> None:
        title = QLabel(about.title)
        title.setWordWrap(True)
        title.setToolTip(about.help)
        button = QToolButton()
        button.setObjectName(f"layers.{self.layer}.result.{name}")
        button.setProperty("role", "link")
        button.setFont(figures_font(self.font()))
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda: self.session.why_requested.emit(f"layers.{self.layer}.result.{name}"))
        grid.addWidget(title, row, 0)
        grid.addWidget(button, row, 1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._titles[name], self._values[name] = title, button

    def _add_table(self, grid: QGridLayout, row: int, name: str, about: declare.ResultField) -> int:
        title = QWidget()
        line = QHBoxLayout(title)
        line.setContentsMargins(0, 0, 0, 0)
        words = QLabel(about.title)
        words.setProperty("role", "group")
        words.setToolTip(about.help)
        words.setWordWrap(True)
        larger = QToolButton()
        larger.setObjectName(f"enlarge.{self.layer}.{name}")
        larger.setProperty("role", "link")
        larger.setText("Enlarge")
        larger.setToolTip(f"Show “{about.title}” in a window of its own")
        larger.setAccessibleName(f"Enlarge {about.title}")
        larger.setCursor(Qt.CursorShape.PointingHandCursor)
        larger.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        larger.clicked.connect(lambda: self.enlarge(name))
        line.addWidget(words, 1)
        line.addWidget(larger)
        model = TableModel(self)
        view = LaterView()
        view.doubleClicked.connect(lambda _: self.enlarge(name))
        view.setObjectName(f"layers.{self.layer}.result.{name}")
        view.setAccessibleName(about.title)
        view.setModel(model)
        view.verticalHeader().hide()
        view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        view.horizontalHeader().setStretchLastSection(True)
        view.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)
        view.setTextElideMode(Qt.TextElideMode.ElideRight)
        view.setWordWrap(False)
        view.verticalHeader().setDefaultSectionSize(view.fontMetrics().height() + 2 * SPACE)
        view.setEditTriggers(QTableView.EditTrigger.NoEditTriggers)
        view.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        view.setFrameShape(QFrame.Shape.NoFrame)
        view.setTabKeyNavigation(False)
        view.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        grid.addWidget(title, row, 0, 1, 2)
        grid.addWidget(view, row + 1, 0, 1, 2)
        self._tables[name] = (title, view, model)
        return row + 2


def _fit(view: QTableView, rows: int, room: int) -> None:
    each = view.verticalHeader().defaultSectionSize()
    head = view.horizontalHeader().sizeHint().height()
    bar = view.horizontalScrollBar().sizeHint().height()
    view.setFixedHeight(head + each * min(rows, _ROWS_SHOWN) + bar + 2)
    columns = range(view.model().columnCount())
    widths = [_width(view, column, rows) for column in columns]
    # a number cut short is another number: words give way, where that is enough
    over = sum(widths) + (bar if rows > _ROWS_SHOWN else 0) + 2 - room
    giving = [c for c in columns if _is_words(view, c) and widths[c] > _NARROWEST]
    if over > sum(widths[c] - _NARROWEST for c in giving):
        giving = []
    for column in sorted(giving, key=lambda c: -widths[c]):
        less = max(0, min(over, widths[column] - _NARROWEST))
        widths[column] -= less
        over -= less
    for column in columns:
        view.setColumnWidth(column, widths[column])


def _is_words(view: QTableView, column: int) -> bool:
    model = view.model()
    side = model.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole)
    return bool(side & Qt.AlignmentFlag.AlignLeft)


def _width(view: QTableView, column: int, rows: int) -> int:
    """Return what the cells of a column need, and its head as far as that is not much more."""
    model, metrics = view.model(), view.fontMetrics()
    cells = [str(model.index(row, column).data()) for row in range(min(rows, _ROWS_SHOWN))]
    head = str(model.headerData(column, Qt.Orientation.Horizontal))
    needed = max((metrics.horizontalAdvance(cell) for cell in cells), default=0)
    return min(max(needed, min(metrics.horizontalAdvance(head), _HEAD)) + 4 * SPACE, _WIDEST)


def head_words(column: str, code: str, sign: str) -> str:
    """Return the head of a column as people read it: its unit once, behind a comma."""
    name = column.removesuffix(f"_{code}") if code else column
    words = name.replace("_", " ").strip()
    if words.islower():
        words = f"{words[0].upper()}{words[1:]}"
    for short, shown in _CAPITALS:
        words = re.sub(rf"\b{short}\b", shown, words, flags=re.IGNORECASE)
    return f"{words}, {sign}" if sign else words


class TableModel(QAbstractTableModel):
    """A result table; numbers at the right, units in the head."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self._table = Table((), (), ())
        self._system: units.System = "si"

    def show_table(self, table: Table, system: units.System) -> None:
        """Show another table."""
        self.beginResetModel()
        self._table, self._system = table, system
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """Return the number of rows."""
        return 0 if parent.isValid() else len(self._table.rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """Return the number of columns."""
        return 0 if parent.isValid() else len(self._table.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a column's name with its unit."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._side(section)
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        sign = units.symbol(self._table.units[section], self._system)
        return head_words(self._table.columns[section], self._table.units[section], sign)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a cell: its text, its full precision as a tooltip, its side."""
        value, code = self._table.rows[index.row()][index.column()], self._table.units[index.column()]
        plain = isinstance(value, int | float) and not isinstance(value, bool)
        if role == Qt.ItemDataRole.DisplayRole:
            return units.number(units.shown(value, code, self._system)[0]) if plain else units.text(value, code)
        if role == Qt.ItemDataRole.ToolTipRole:
            return units.text(value, code, self._system, 12)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._side(index.column())
        return None

    def _side(self, column: int) -> Qt.AlignmentFlag:
        """Return where a column's cells stand: numbers, and the dashes among them, at the right."""
        words = any(isinstance(row[column], str | bool) for row in self._table.rows)
        return (Qt.AlignmentFlag.AlignLeft if words else Qt.AlignmentFlag.AlignRight) | Qt.AlignmentFlag.AlignVCenter
