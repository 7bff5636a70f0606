"""Layout search: the best splits of the model over the GPUs, found in the worker; applying one pins it."""

from __future__ import annotations

import time
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QProgressBar,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from wattsweights_gui.engine import units

JOB = "search"
COLUMNS: tuple[tuple[str, str, str], ...] = (
    ("GPUs", "gpus", "count"), ("TP", "tp", "count"), ("PP", "pp", "count"), ("DP", "dp", "count"),
    ("CP", "cp", "count"), ("EP", "ep", "count"), ("Micro", "micro_batch", "count"), ("Interleave", "vpp", "count"),
    ("Recompute", "recompute", "text"), ("Sharding", "sharding", "text"), ("Memory, GB", "memory_gb", "gb"),
    ("Step, s", "step_time_s", "s"), ("MFU", "mfu", ""), ("Days", "days", "days"),
)  # fmt: skip


class SearchPanel(QWidget):
    """The dock of the layout search."""

    def __init__(self, session: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("search")
        self.session = session
        self._best: list[Any] = []
        self._started = 0.0
        self.head = QLabel("Layouts")
        self.head.setProperty("role", "heading")
        self.state = QLabel("All valid layouts of this model are sized, and the best are listed.")
        self.state.setWordWrap(True)
        self.state.setProperty("role", "quiet")
        self.find = QPushButton("Search layouts")
        self.find.setProperty("role", "primary")
        self.find.clicked.connect(self.run)
        self.stop = QPushButton("Cancel")
        self.stop.clicked.connect(self.cancel)
        self.stop.hide()
        self.progress = QProgressBar()
        self.progress.setRange(0, 1000)
        self.progress.setTextVisible(False)
        self.progress.hide()
        self.table = QTableWidget(0, len(COLUMNS))
        self.table.setHorizontalHeaderLabels([title for title, _, _ in COLUMNS])
        self.table.setAccessibleName("Best layouts")
        self.table.verticalHeader().hide()
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.setShowGrid(False)
        self.table.setAlternatingRowColors(True)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setTabKeyNavigation(False)
        self.table.itemActivated.connect(lambda _: self.apply_selected())
        self.table.itemSelectionChanged.connect(lambda: self.apply.setEnabled(self.selected() is not None))
        self.apply = QPushButton("Pin this layout")
        self.apply.setEnabled(False)
        self.apply.clicked.connect(self.apply_selected)
        top = QHBoxLayout()
        top.addWidget(self.head)
        top.addStretch(1)
        top.addWidget(self.stop)
        top.addWidget(self.find)
        bottom = QHBoxLayout()
        bottom.addStretch(1)
        bottom.addWidget(self.apply)
        box = QVBoxLayout(self)
        box.setContentsMargins(12, 8, 12, 8)
        box.addLayout(top)
        box.addWidget(self.state)
        box.addWidget(self.progress)
        box.addWidget(self.table, 1)
        box.addLayout(bottom)

    def run(self) -> None:
        """Search at the plan's number of GPUs, or at those asked for."""
        plan, catalog = self.session.plan, self.session.catalog
        gpus = self.session.evaluation.results["parallelism"].gpus.value
        counts = [int(plan.value("parallelism.gpus") or gpus)] if gpus else None

        def work(progress: Any) -> Any:
            from wattsweights_gui.engine.search import search

            return search(plan, catalog, gpus=counts, top=30, progress=progress)

        self._started = time.perf_counter()
        self.stop.show()
        self.progress.setValue(0)
        self.progress.show()
        self.find.setEnabled(False)
        self.state.setText("Sizing layouts…")
        self.session.jobs.run(
            JOB, work, self._done, self._failed, lambda share: self.progress.setValue(round(share * 1000))
        )

    def cancel(self) -> None:
        """Stop; what was shown before stays."""
        self.session.jobs.cancel(JOB)
        self._idle()
        self.state.setText("Cancelled.")

    def _idle(self) -> None:
        self.stop.hide()
        self.progress.hide()
        self.find.setEnabled(True)

    def _done(self, found: Any) -> None:
        seconds = time.perf_counter() - self._started
        self._best = list(found.best)
        self.table.setRowCount(len(self._best))
        for row, candidate in enumerate(self._best):
            for column, (_, name, unit) in enumerate(COLUMNS):
                value = getattr(candidate, name, None)
                words = str(value).replace("_", " ") if unit == "text" else _number(value)
                item = QTableWidgetItem(words)
                if unit != "text":
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.table.setItem(row, column, item)
        many = units.number(float(found.evaluated))
        words = f"{many} layouts in {units.number(seconds)} s; the best {len(self._best)} are listed."
        if not self._best:
            words = f"{many} layouts in {units.number(seconds)} s: none fits. {getattr(found, 'note', '')}"
        self.state.setText(words)
        self.session.logged.emit(f"Search: {words}")
        self._idle()

    def _failed(self, error: Exception) -> None:
        self.state.setText(f"The search failed: {str(error).splitlines()[0] if str(error) else type(error).__name__}")
        self._idle()

    def selected(self) -> Any:
        """Return the chosen layout, or ``None``."""
        rows = self.table.selectionModel().selectedRows()
        return self._best[rows[0].row()] if rows else None

    def apply_selected(self) -> None:
        """Pin the chosen layout; undo takes it back."""
        candidate = self.selected()
        if candidate is not None:
            edits = (*candidate.edits(), ("parallelism.layout", "pinned"))
            self.session.apply(edits, f"Pin TP {candidate.tp} × PP {candidate.pp} × DP {candidate.dp}")


def _number(value: Any) -> str:
    return "–" if value is None else units.number(float(value))
