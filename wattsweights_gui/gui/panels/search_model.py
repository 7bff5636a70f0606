"""The table of layouts: a row a layout, the columns that tell them apart, sorted by a click on a head."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from wattsweights_gui.engine.search_words_out import COLUMNS, cell_text, columns_of, degrees_text

Index = QModelIndex | QPersistentModelIndex


class SearchModel(QAbstractTableModel):
    """Layouts as rows, by rank until a head is clicked."""

    def __init__(self, session: Any, parent: Any = None) -> None:
        super().__init__(parent)
        self.session = session
        self.columns = [column for column in COLUMNS if column.always]
        self.layouts: list[Any] = []
        self._ranked: list[Any] = []

    def fill(self, layouts: list[Any]) -> None:
        """Show these, best first."""
        self.beginResetModel()
        self.layouts, self._ranked = list(layouts), list(layouts)
        self.columns = columns_of(layouts)
        self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column, what is not known last; column -1 is the rank."""
        self.layoutAboutToBeChanged.emit()
        before = [(index, self.layouts[index.row()]) for index in self.persistentIndexList()]
        self.layouts = list(self._ranked)
        if 0 <= column < len(self.columns):
            name = self.columns[column].name
            known = [c for c in self._ranked if getattr(c, name) is not None]
            known.sort(key=lambda c: getattr(c, name), reverse=order == Qt.SortOrder.DescendingOrder)
            self.layouts = known + [c for c in self._ranked if getattr(c, name) is None]
        for index, layout in before:
            row = next(n for n, c in enumerate(self.layouts) if c is layout)
            self.changePersistentIndex(index, self.index(row, index.column()))
        self.layoutChanged.emit()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.layouts)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        column = self.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.title_in(self.session.units)
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{column.help}\nClick to sort; a third click ranks them again."
        return None

    def data(self, index: Index, role: int = 0) -> Any:
        layout, column = self.layouts[index.row()], self.columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return cell_text(layout, column, self.session.units)
        if role == Qt.ItemDataRole.ToolTipRole:
            return degrees_text(layout)
        if role == Qt.ItemDataRole.TextAlignmentRole and not column.words:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None
