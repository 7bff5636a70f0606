"""The layout as nested boxes: tensor inside context inside data inside pipeline parallel, each on its tier."""

from __future__ import annotations

from typing import NamedTuple

import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from wattsweights_gui.engine import units
from wattsweights_gui.engine.both_ends import BothEnds
from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.gui.charts.chart import Chart, Rows

_SERIES = {
    "Tensor parallel": "tensor_parallel",
    "Context parallel": "context_parallel",
    "Expert parallel": "expert_parallel",
    "Data parallel": "data_parallel",
    "Pipeline parallel": "pipeline_parallel",
}
_ALONE = "no group"


class Level(NamedTuple):
    """One kind of group, as a row of the table ``groups``."""

    name: str
    members: int
    in_a_domain: int
    domains: int
    tier: str
    link_gb: float
    network_gb: float
    seconds: float
    exposed: float
    hidden: float


class NestedBoxes(pg.GraphicsObject):
    """Boxes in boxes, outermost first, each with a line of words and a bar of exposed and hidden time."""

    def __init__(self) -> None:
        super().__init__()
        self.levels: list[Level] = []
        self.system: units.System = "si"
        self.chart: GroupsChart | None = None

    def boundingRect(self) -> QRectF:
        """Return the unit square."""
        return QRectF(0.0, 0.0, 1.0, 1.0)

    def paint(self, painter: QPainter, *_: object) -> None:
        """Draw the levels in pixels of the view, so that words keep their size."""
        if self.chart is None or not self.levels:
            return
        transform = painter.transform()
        area = transform.mapRect(QRectF(0.0, 0.0, 1.0, 1.0))
        painter.save()
        painter.resetTransform()
        colours, font = self.chart.colours, self.chart.font()
        painter.setFont(font)
        measure = QFontMetricsF(font)
        line = measure.height() + 4.0
        most = max((lv.seconds for lv in self.levels), default=0.0) or 1.0
        rect = area.adjusted(2.0, 2.0, -2.0, -2.0)
        count = len(self.levels)
        inset = min(14.0, rect.width() / (6.0 * count))
        band = max(line + 6.0, min(2.4 * line, rect.height() / (count + 0.6)))
        for level in self.levels:
            series = QColor(colours.series(_SERIES[level.name]))
            ground = QColor(series)
            ground.setAlpha(34 if colours.dark else 24)
            painter.setPen(QPen(series, 2.0))
            painter.setBrush(ground)
            painter.drawRect(rect)
            bar_wide = min(150.0, rect.width() * 0.24)
            words = rect.adjusted(8.0, 2.0, -bar_wide - 16.0, 0.0)
            painter.setPen(QColor(colours.text))
            for n, text in enumerate(self.chart.words_of(level)):
                if 2.0 + (n + 1) * line > band + 1.0:
                    break
                top = QRectF(words.left(), words.top() + n * line, words.width(), line)
                shown = measure.elidedText(text, pg.QtCore.Qt.TextElideMode.ElideRight, words.width())
                painter.drawText(top, 0, shown)
                painter.setPen(QColor(colours.quiet))
            self._bar(painter, level, rect, bar_wide, line, most, series, colours)
            rect = rect.adjusted(inset, band, -inset, -6.0)
            if rect.height() < line:
                break
        painter.restore()

    @staticmethod
    def _bar(
        painter: QPainter,
        level: Level,
        rect: QRectF,
        wide: float,
        line: float,
        most: float,
        series: QColor,
        colours: object,
    ) -> None:
        if not level.seconds:
            return
        top, left = rect.top() + 6.0, rect.right() - wide - 8.0
        whole = QRectF(left, top, wide * level.seconds / most, line - 6.0)
        solid = QRectF(left, top, wide * min(level.exposed, level.seconds) / most, line - 6.0)
        painter.setPen(QPen(series, 1.0))
        painter.setBrush(pg.QtCore.Qt.BrushStyle.NoBrush)
        painter.drawRect(whole)
        painter.setBrush(series)
        painter.drawRect(solid)


class GroupsChart(Chart):
    """The nested picture of the layout on the tiers of the machine."""

    TITLE = "Groups"
    LAYERS = frozenset({"workload", "compute", "parallelism", "fabric", "cluster"})
    EMPTY = "Which group runs on which tier stands here once a layout is known."

    def prepare(self) -> None:
        """Make the one item; the plot has no axes, as the boxes are not to scale."""
        self.levels: list[Level] = []
        self.boxes = NestedBoxes()
        self.boxes.chart = self
        self.item.addItem(self.boxes)
        for name in ("left", "bottom"):
            self.item.hideAxis(name)
        self.item.setMouseEnabled(x=False, y=False)
        view = self.item.getViewBox()
        view.invertY(True)
        view.disableAutoRange()

    def draw(self, evaluation: Evaluation, ends: BothEnds | None) -> str:
        """Nest the groups, the outermost first; those of one member are left out."""
        outcome = evaluation.results["parallelism"]
        table = outcome.groups
        if "group" not in table.columns or not table.rows:
            return "" if not outcome.step_time_s.formula else str(outcome.step_time_s.formula)
        every = [Level(*row) for row in table.rows]  # type: ignore[arg-type]
        self.levels = [lv for lv in reversed(every) if lv.members > 1]
        self.gpus = int(outcome.gpus.number)
        self.boxes.levels = self.levels
        self.boxes.system = self.system
        crossing = [
            lv.name.lower() for lv in self.levels if lv.name.startswith(("Tensor", "Expert")) and lv.domains > 1
        ]
        exposed = sum(lv.exposed for lv in self.levels)
        step = outcome.step_time_s.number
        share = f"{units.number(100.0 * exposed / step, 2)} % of the step is communication that nothing hides"
        self.sentence.setText(
            f"{share}; {' and '.join(crossing)} leaves the NVLink domain."
            if crossing
            else f"{share}. Innermost groups run on the fastest tier. Bars: time, its solid part exposed."
        )
        if not self.levels:
            self.sentence.setText("One GPU: there is nothing to communicate.")
        self.boxes.update()
        self.reset_view()
        return ""

    def words_of(self, level: Level) -> tuple[str, str]:
        """Return what a level says: who it is and where, and what it sends and waits for."""
        place = level.tier
        if level.domains > 1 and level.in_a_domain > 1:
            place = f"{level.in_a_domain} in each of {level.domains} NVLink domains, then network"
        sent = [
            f"{units.text(gb, 'gb', self.system)} by {way}"
            for gb, way in ((level.link_gb, "NVLink"), (level.network_gb, "network"))
            if gb
        ]
        waits = (
            f"{units.text(level.seconds, 's', self.system)} a step, "
            f"{units.text(level.exposed, 's', self.system)} exposed"
        )
        return (
            f"{level.name} {level.members} · {place}",
            f"each GPU sends {' and '.join(sent) or 'nothing'} · {waits}",
        )

    def reset_view(self) -> None:
        """Show the whole picture."""
        self.item.getViewBox().setRange(xRange=(0.0, 1.0), yRange=(0.0, 1.0), padding=0.0)

    def recolour(self) -> None:
        """Paint anew in the theme's colours."""
        self.boxes.update()

    def read(self, x: float, y: float) -> str:
        """Return the words of the level whose band is under the pointer."""
        count = len(self.levels)
        if not count or not (0.0 <= x <= 1.0 and 0.0 <= y <= 1.0):
            return ""
        level = self.levels[min(count - 1, int(y * (count + 0.6)))]
        return " · ".join(self.words_of(level))

    def table(self) -> tuple[tuple[str, ...], Rows]:
        """Return the groups as drawn."""
        head = ("Group", "Members", "In a domain", "Domains", "Tier", "NVLink (GB)", "Network (GB)", "Time (s)",
                "Exposed (s)", "Hidden (s)")  # fmt: skip
        return head, [tuple(level) for level in self.levels]
