"""A result table in a dock: filled when it is looked at, since some cost more than the edit; and a window for one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication, QPaintEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QHeaderView, QLabel, QPushButton, QTableView, QVBoxLayout, QWidget

from wattsweights_gui.engine.declare import Table
from wattsweights_gui.exchange.csv_text import csv_text
from wattsweights_gui.gui.theme import SPACE

_WIDEST_WORDS = 520


class LaterView(QTableView):
    """A table whose rows are asked for when it is painted, not when the plan changes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._fill: Callable[[], None] | None = None
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.fill_now)

    def fill_later(self, fill: Callable[[], None]) -> None:
        """Fill it by a call once somebody sees it."""
        self._fill = fill
        self.viewport().update()

    def fill_now(self) -> None:
        """Fill it now, if anything is due."""
        fill, self._fill = self._fill, None
        if fill is not None:
            fill()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what there is; what is due follows in the next turn."""
        super().paintEvent(event)
        if self._fill is not None:
            self._soon.start()


class TableWindow(QDialog):
    """One result table at its full width; it follows the plan.

    Args:
        session: the plan and its results.
        layer, name: of the table.
        title: over it.
        make_model: makes the model of a table's cells.
        parent: the window that it belongs to.
    """

    def __init__(
        self, session: Any, layer: str, name: str, title: str, make_model: Callable[[Any], Any], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.session, self.layer, self.name = session, layer, name
        self.setObjectName(f"table.{layer}.{name}")
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.view = QTableView()
        self.view.setAccessibleName(title)
        self.view.setAlternatingRowColors(True)
        self.view.setEditTriggers(QTableView.EditTrigger.NoEditTriggers)
        self.view.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.view.verticalHeader().hide()
        self.view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.view.setWordWrap(True)
        self.model = make_model(self)
        self.view.setModel(self.model)
        self.source = QLabel()
        self.source.setWordWrap(True)
        self.source.setProperty("role", "quiet")
        self.source.setTextFormat(Qt.TextFormat.PlainText)
        copy = QPushButton("Copy as CSV")
        copy.clicked.connect(self.copy_csv)
        close = QPushButton("Close")
        close.clicked.connect(self.close)
        foot = QHBoxLayout()
        foot.addWidget(self.source, 1)
        foot.addWidget(copy)
        foot.addWidget(close)
        box = QVBoxLayout(self)
        box.setSpacing(2 * SPACE)
        box.addWidget(self.view, 1)
        box.addLayout(foot)
        session.changed.connect(self._changed)
        self.refresh()
        self._size(parent)

    def table(self) -> Table:
        """Return the table as it stands."""
        found: Table = getattr(self.session.evaluation.results[self.layer], self.name)
        return found

    def refresh(self) -> None:
        """Show the table as it stands."""
        table = self.table()
        self.model.show_table(table, self.session.units)
        self.source.setText(f"Source: {table.source}" if table.source else "")
        self.view.resizeColumnsToContents()
        for column in range(self.model.columnCount()):
            if self.view.columnWidth(column) > _WIDEST_WORDS:
                self.view.setColumnWidth(column, _WIDEST_WORDS)
        self.view.resizeRowsToContents()

    def copy_csv(self) -> None:
        """Put the table on the clipboard as CSV, with units in the head."""
        columns = range(self.model.columnCount())
        head = [self.model.headerData(column, Qt.Orientation.Horizontal) for column in columns]
        QGuiApplication.clipboard().setText(csv_text(head, self.table().rows))

    def _changed(self, layers: object = (), *_: object) -> None:
        if self.isVisible() and self.layer in (layers or ()):  # type: ignore[operator]
            self.refresh()

    def _size(self, parent: QWidget) -> None:
        columns = range(self.model.columnCount())
        wide = sum(self.view.columnWidth(c) for c in columns) + 48
        high = sum(self.view.rowHeight(r) for r in range(self.model.rowCount())) + 140
        room = parent.window().size()
        self.resize(min(max(wide, 480), int(room.width() * 0.92)), min(max(high, 240), int(room.height() * 0.85)))
