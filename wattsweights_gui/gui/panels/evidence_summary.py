"""How far off each class, or each table, of the evidence is."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem

from wattsweights_gui.engine.evidence.rows import percent_text
from wattsweights_gui.engine.evidence.table import Summary
from wattsweights_gui.gui.panels.evidence_rows import class_title

_HEADS = ("Rows", "Median", "Mean", "90th percentile", "Bias", "Lowest", "Highest", "Failed")
_ROLE = Qt.ItemDataRole.UserRole


class SummaryTable(QTableWidget):
    """One line a group; Enter or a double click lists its rows.

    Args:
        what: the groups are: ``Class`` or ``Table``.
        show: told which group is wanted.
    """

    def __init__(self, what: str, show: Callable[[str], None]) -> None:
        super().__init__(0, len(_HEADS) + 1)
        self.what = what
        self.setHorizontalHeaderLabels([what, *_HEADS])
        self.setAccessibleName(f"Errors by {what.lower()}")
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 6)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.horizontalHeader().setHighlightSections(False)
        self.setShowGrid(False)
        self.setAlternatingRowColors(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        of = "time: a rate that is predicted too low is a time too long" if what == "Class" else "what was published"
        self.setToolTip(f"Errors of {of}. Enter lists the rows.")
        self.itemActivated.connect(lambda item: show(str(self.item(item.row(), 0).data(_ROLE))))

    def show_summaries(self, summaries: Mapping[str, Summary]) -> None:
        """List groups."""
        self.setRowCount(len(summaries))
        for row, (name, summary) in enumerate(summaries.items()):
            title = QTableWidgetItem(class_title(name) if self.what == "Class" else name)
            title.setData(_ROLE, name)
            self.setItem(row, 0, title)
            sizes = (
                summary.median_abs_error_pct,
                summary.mean_abs_error_pct,
                summary.p90_abs_error_pct,
                summary.bias_pct,
                summary.lowest_error_pct,
                summary.highest_error_pct,
            )
            for column, words in enumerate((str(summary.rows), *map(percent_text, sizes), str(summary.failed)), 1):
                item = QTableWidgetItem(words)
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.setItem(row, column, item)
