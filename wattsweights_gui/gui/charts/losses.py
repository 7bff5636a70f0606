"""Where the peak goes: the step from the ideal down, the measured MFU as a line, and what would explain the gap."""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from wattsweights_gui.engine import units
from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.declare import Figure
from wattsweights_gui.gui.charts.chart import Rows
from wattsweights_gui.gui.charts.parts import PartsChart
from wattsweights_gui.reports import parts


class LossesChart(PartsChart):
    """The MFU and what each part of the step takes of the peak."""

    TITLE = "Where the peak goes"
    LAYERS = frozenset({"workload", "compute", "parallelism", "fabric"})
    EMPTY = "What of the peak is used, and where the rest goes, stands here once a layout is known."
    LAYER = "parallelism"
    UNIT = "pct"
    AXIS = "Points of MFU"
    WHOLE = "The peak"
    # the figure that says why nothing is known, then the places
    PARTS = {"mfu": ("MFU", "useful"), **parts.LOSSES}  # noqa: RUF012

    def __init__(self, parent: QWidget | None = None) -> None:
        self.suspects = QTreeWidget()
        super().__init__(parent)
        self.suspects.setObjectName("suspects")
        self.suspects.setAccessibleName("Likeliest places of the loss")
        self.suspects.setHeaderLabels(["Likeliest places of the loss", "Points", "What would confirm it"])
        self.suspects.setRootIsDecorated(False)
        self.suspects.setAlternatingRowColors(True)
        head = self.suspects.header()
        for column, mode in enumerate(
            (
                QHeaderView.ResizeMode.Interactive,
                QHeaderView.ResizeMode.ResizeToContents,
                QHeaderView.ResizeMode.Stretch,
            )
        ):
            head.setSectionResizeMode(column, mode)
        head.resizeSection(0, 210)
        self.suspects.currentItemChanged.connect(self._chosen)
        box = self.layout()
        box.removeItem(self.stack)
        beside = QHBoxLayout()
        beside.addLayout(self.stack, 1)
        beside.addWidget(self.suspects, 1)
        box.addLayout(beside)

    def whole(self, evaluation: Evaluation) -> parts.Whole:
        """Return the shares of the step, and the measured MFU where one was typed."""
        whole = parts.losses(evaluation)
        table = evaluation.results["parallelism"].mfu_suspects
        rows = table.rows if whole.limit is not None and "suspect" in table.columns else ()
        self._suspect = str(rows[0][0]) if rows else ""
        self._list(rows)
        return whole

    def _chosen(self, row: QTreeWidgetItem | None, *_: object) -> None:
        # a list that is taken down with its window still says that nothing is chosen any more
        if row is not None and shiboken6.isValid(self.sentence):
            self.sentence.setText(row.toolTip(0).replace("\n", " "))

    def _list(self, rows: Rows) -> None:
        self.suspects.setVisible(bool(rows))
        self.suspects.clear()
        for name, with_it, points, of_gap, confirm in rows:
            size = units.number(-float(str(points)), 2)
            row = QTreeWidgetItem([str(name), size, str(confirm)])
            row.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            words = (
                f"{name}: the MFU would be {units.number(float(str(with_it)), 3)} %, "
                f"{units.number(float(str(of_gap)), 2)} % of the gap.\n{confirm}"
            )
            for column in range(3):
                row.setToolTip(column, words)
            self.suspects.addTopLevelItem(row)

    def say(self, whole: float, limit: Figure | None) -> str:
        """Say the MFU, and how far a measured one is off."""
        used = self.parts[0][2].number
        text = f"{units.number(used, 3)} % of the peak does model FLOPs"
        if limit is None:
            return f"{text}. Type the MFU that you measure into the split layer, and the likeliest losses are named."
        gap = used - limit.number
        side = "below" if gap > 0 else "above"
        likely = f"; nearest in size: {self._suspect}" if self._suspect else ""
        return (
            f"{text}; {units.number(limit.number, 3)} % is measured, {units.number(abs(gap), 2)} points {side}{likely}."
        )
