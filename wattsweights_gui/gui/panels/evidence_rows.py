"""The table of evidence rows: what is listed of them, narrowed and sorted."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from wattsweights_gui.engine.evidence.classes import CLASSES
from wattsweights_gui.engine.evidence.rows import EvidenceRow, percent_text, value_text

Index = QModelIndex | QPersistentModelIndex
ROLE = Qt.ItemDataRole
_TOP = QModelIndex()


def error_text(row: EvidenceRow) -> str:
    """Return the error of a row in words."""
    if row.predicted is None:
        return "not predicted"
    error = row.error_pct
    return percent_text(error) if error is None or math.isfinite(error) else "beyond all bounds"


def class_title(kind: str) -> str:
    """Return the title of a class."""
    return CLASSES[kind].title if kind in CLASSES else kind


def _size_of_error(row: EvidenceRow) -> float:
    error = row.error_pct
    return -1.0 if error is None else abs(error)


@dataclass(frozen=True)
class Column:
    """What a column shows of a row, and by what it is sorted."""

    title: str
    words: Callable[[EvidenceRow], str]
    key: Callable[[EvidenceRow], Any]
    right: bool = False


COLUMNS: tuple[Column, ...] = (
    Column("Row", lambda r: r.id.removesuffix(f".{r.quantity}"), lambda r: r.id),
    Column("Error", error_text, _size_of_error, True),
    Column("Published", lambda r: value_text(r.published, r.unit), lambda r: r.published or 0.0, True),
    Column("Predicted", lambda r: value_text(r.predicted, r.unit), lambda r: r.predicted or 0.0, True),
    Column("Quantity", lambda r: r.quantity.replace("_", " "), lambda r: r.quantity),
    Column("Class", lambda r: class_title(r.kind), lambda r: class_title(r.kind)),
    Column("Table", lambda r: r.table, lambda r: r.table),
    Column("Software", lambda r: r.software or "not stated", lambda r: r.software),
)
ERROR = next(n for n, column in enumerate(COLUMNS) if column.title == "Error")


@dataclass(frozen=True)
class Filter:
    """Which rows are listed; empty allows all.

    Attributes:
        kinds: classes. table, quantity: by name. words: all of them stand somewhere in a row.
    """

    kinds: frozenset[str] = frozenset()
    table: str = ""
    quantity: str = ""
    words: tuple[str, ...] = ()

    def allows(self, row: EvidenceRow) -> bool:
        """Return whether a row is listed."""
        if (self.kinds and row.kind not in self.kinds) or (self.table and row.table != self.table):
            return False
        if self.quantity and row.quantity != self.quantity:
            return False
        if not self.words:
            return True
        said = (row.id, row.quantity, row.table, row.software, row.source, row.assumed, row.reason, row.note)
        hay = " ".join((*said, class_title(row.kind))).casefold()
        return all(word in hay for word in self.words)


class EvidenceModel(QAbstractTableModel):
    """Rows of a report that a filter allows, the farthest off first."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self.all: tuple[EvidenceRow, ...] = ()
        self.shown: list[EvidenceRow] = []
        self.filter = Filter()
        self._column, self._order = ERROR, Qt.SortOrder.DescendingOrder

    def set_rows(self, rows: Sequence[EvidenceRow]) -> None:
        """Take the rows of a report."""
        self.all = tuple(rows)
        self.narrow(self.filter)

    def narrow(self, wanted: Filter) -> None:
        """List what a filter allows."""
        self.beginResetModel()
        self.filter = wanted
        self.shown = self._sorted([row for row in self.all if wanted.allows(row)])
        self.endResetModel()

    def at(self, index: Index) -> EvidenceRow | None:
        """Return the row at a place."""
        return self.shown[index.row()] if index.isValid() and index.row() < len(self.shown) else None

    def place_of(self, id: str) -> QModelIndex:
        """Return where a row is listed; an invalid index where it is not."""
        found = next((n for n, row in enumerate(self.shown) if row.id == id), None)
        return QModelIndex() if found is None else self.index(found, 0)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; errors by their size."""
        if column < 0:
            return
        # a reset: who shows the rows chooses again by id, which survives where an index would not
        self.beginResetModel()
        self._column, self._order = column, order
        self.shown = self._sorted(self.shown)
        self.endResetModel()

    def _sorted(self, rows: list[EvidenceRow]) -> list[EvidenceRow]:
        key = COLUMNS[self._column].key
        return sorted(rows, key=key, reverse=self._order == Qt.SortOrder.DescendingOrder)

    # ------------------------------------------------------------------------------------------------- for the view

    def rowCount(self, parent: Index = _TOP) -> int:
        """Return how many rows are listed."""
        return 0 if parent.isValid() else len(self.shown)

    def columnCount(self, parent: Index = _TOP) -> int:
        """Return how many columns there are."""
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: Index, role: int = ROLE.DisplayRole) -> Any:
        """Return what a cell shows."""
        row = self.at(index)
        if row is None:
            return None
        column = COLUMNS[index.column()]
        if role == ROLE.DisplayRole:
            return column.words(row)
        if role == ROLE.TextAlignmentRole and column.right:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role == ROLE.ToolTipRole:
            return row.reason or (f"Assumed: {row.assumed}" if row.assumed else column.words(row))
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = ROLE.DisplayRole) -> Any:
        """Return the head of a column."""
        if orientation == Qt.Orientation.Horizontal and role == ROLE.DisplayRole:
            return COLUMNS[section].title
        return None
