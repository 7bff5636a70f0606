"""Predicted against published on logarithmic axes, with the line on which both are equal and a band of ten per cent."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor

from wattsweights_gui.engine import units
from wattsweights_gui.engine.both_ends import BothEnds
from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.evidence.classes import CLASSES
from wattsweights_gui.engine.evidence.rows import EvidenceRow, percent_text, value_text
from wattsweights_gui.gui.charts.chart import Chart, Rows
from wattsweights_gui.gui.charts.log_axis import LogAxis

BAND = 0.1
_NEAR = 12.0
"""Pixels from a point within which it is meant."""
# what rows are about: its colour and its sign, so that no colour has to be told from another
LOOKS: dict[str, tuple[str, str]] = {
    "Training time": ("plan", "o"),
    "Training memory": ("optimizer", "s"),
    "Model": ("element_wise", "star"),
    "Facility": ("facility", "t1"),
    "Fabric": ("pipeline_parallel", "d"),
    "Storage": ("activations", "p"),
    "Serving": ("context_parallel", "h"),
}


class _SparseAxis(LogAxis):
    """A logarithmic axis over so many decades that not each of them has room for its number."""

    def tickValues(self, minVal: float, maxVal: float, size: float) -> list[tuple[float, list[float]]]:  # noqa: N803
        """Return every second, third … tick where they would touch."""
        room = 20.0 if self.orientation in ("left", "right") else 60.0
        found = []
        for spacing, values in super().tickValues(minVal, maxVal, size):
            every = max(1, math.ceil(len(values) * room / max(size, 1.0)))
            found.append((spacing, values[::every]))
        return found


class EvidenceScatter(Chart):
    """One point a row; a click on it chooses the row.

    Signals:
        picked: the id of a row.
    """

    picked = Signal(str)

    TITLE = "Predicted against published"
    EMPTY = "No row that is listed has a published and a predicted value to draw."

    def axes(self) -> dict[str, pg.AxisItem]:
        """Both are logarithmic: an error in per cent is the same distance everywhere."""
        return {"left": _SparseAxis("left"), "bottom": _SparseAxis("bottom")}

    def prepare(self) -> None:
        """Make the band, the line, a cloud of points a subject, and the ring about the chosen one."""
        self.rows: list[EvidenceRow] = []
        self.drawn_rows: list[EvidenceRow] = []
        self.chosen = ""
        self._ends = (0.0, 1.0)
        self._over, self._under = pg.PlotDataItem(), pg.PlotDataItem()
        self.band = pg.FillBetweenItem(self._over, self._under)
        self.band.setZValue(-10)
        self.equal = pg.PlotDataItem()
        self.equal.setZValue(-5)
        for made in (self.band, self.equal):
            self.item.addItem(made, ignoreBounds=True)
        self.clouds: dict[str, pg.ScatterPlotItem] = {}
        for subject, (_, symbol) in LOOKS.items():
            cloud = pg.ScatterPlotItem(size=8, symbol=symbol, pxMode=True)
            cloud.sigClicked.connect(self._point_clicked)
            self.item.addItem(cloud)
            self.clouds[subject] = cloud
        self.ring = pg.ScatterPlotItem(size=17, symbol="o", pxMode=True)
        self.item.addItem(self.ring)
        self.legend = pg.LegendItem(offset=(8, 4), verSpacing=-8)
        self.legend.setParentItem(self.item.getViewBox())
        self.item.getViewBox().disableAutoRange()
        self.setAccessibleName(self.TITLE)

    def show_rows(self, rows: Sequence[EvidenceRow], system: units.System = "si") -> None:
        """Draw rows; this chart does not follow the plan."""
        self.rows = list(rows)
        self.show_evaluation(None, None, system)  # type: ignore[arg-type]

    def draw(self, evaluation: Evaluation, ends: BothEnds | None) -> str:
        """Give each cloud its points."""
        self.drawn_rows = [row for row in self.rows if _drawable(row)]
        if not self.drawn_rows:
            return "Rows of nought, and rows that are not predicted, have no place on a logarithmic axis."
        values = [math.log10(v) for row in self.drawn_rows for v in (row.published, row.predicted) if v]
        low, high = min(values), max(values)
        spare = max(0.05 * (high - low), 0.1)
        self._ends = (low - spare, high + spare)
        self._place_clouds()
        self._place_line()
        self._place_ring()
        self._name_axes()
        self.sentence.setText(self._say())
        self.reset_view()
        return ""

    def _place_clouds(self) -> None:
        self.legend.clear()
        subjects = {subject: [r for r in self.drawn_rows if _subject(r) == subject] for subject in LOOKS}
        several = sum(bool(rows) for rows in subjects.values()) > 1
        for subject, rows in subjects.items():
            x, y = [math.log10(r.published or 1.0) for r in rows], [math.log10(r.predicted or 1.0) for r in rows]
            self.clouds[subject].setData(x=x, y=y, data=[r.id for r in rows])
            if rows and several:
                self.legend.addItem(self.clouds[subject], subject)
        self._colour_legend()

    def _place_line(self) -> None:
        low, high = self._ends
        self.equal.setData([low, high], [low, high])
        over, under = math.log10(1.0 + BAND), math.log10(1.0 - BAND)
        self._over.setData([low, high], [low + over, high + over])
        self._under.setData([low, high], [low + under, high + under])

    def _place_ring(self) -> None:
        row = next((r for r in self.drawn_rows if r.id == self.chosen), None)
        if row is None or not row.published or not row.predicted:
            self.ring.setData([], [])
        else:
            self.ring.setData([math.log10(row.published)], [math.log10(row.predicted)])

    def _name_axes(self) -> None:
        codes = {row.unit for row in self.drawn_rows}
        code = codes.pop() if len(codes) == 1 else None
        unit = "each in its unit" if code is None else units.symbol(code) if code in units.UNITS else code
        words = f" ({unit})" if unit else ""
        self.label_axis("bottom", f"Published{words}", "Published")
        self.label_axis("left", f"Predicted{words}", "Predicted")

    def _say(self) -> str:
        count = len(self.drawn_rows)
        inside = sum(abs(row.error_pct or 0.0) <= 100.0 * BAND + 1e-9 for row in self.drawn_rows)
        hidden = len(self.rows) - count
        left = f" {units.number(hidden)} rows lack a value above nought and are not drawn." if hidden else ""
        self.sentence.setToolTip(
            f"The dashed line is where both are equal; the band is 10 % about it. A click chooses a row.{left}"
        )
        return f"{units.number(inside)} of {units.number(count)} points within ±10 %"

    def choose(self, id: str) -> None:
        """Put the ring about a row's point."""
        self.chosen = id
        self._place_ring()

    def reset_view(self) -> None:
        """Show every point."""
        low, high = self._ends
        box = self.item.getViewBox()
        box.setRange(xRange=(low, high), yRange=(low, high), padding=0.0)
        # over the diagonal there is room for the legend only in a large plot; in a small one the readout says the same
        wanted = self.legend.boundingRect()
        self.legend.setVisible(box.width() > 2.2 * wanted.width() and box.height() > 2.2 * wanted.height())

    def recolour(self) -> None:
        """Colour points, line and band."""
        for subject, (series, _) in LOOKS.items():
            self.clouds[subject].setBrush(pg.mkBrush(self.colours.series(series)))
            self.clouds[subject].setPen(pg.mkPen(self.colours.ground, width=0.5))
        band = QColor(self.colours.fine)
        band.setAlpha(70)
        self.band.setBrush(pg.mkBrush(band))
        self.equal.setPen(pg.mkPen(self.colours.text, width=1, style=Qt.PenStyle.DashLine))
        self.ring.setPen(pg.mkPen(self.colours.text, width=2))
        self.ring.setBrush(None)
        self._colour_legend()

    def _colour_legend(self) -> None:
        self.legend.setLabelTextColor(self.colours.text)
        for _, label in self.legend.items:
            label.setText(label.text, color=self.colours.text, size=f"{self.font().pointSize()}pt")

    def _point_clicked(self, _: Any, points: Sequence[Any], event: Any) -> None:
        if len(points):
            self.picked.emit(str(points[0].data()))
            event.accept()

    def nearest(self, x: float, y: float) -> EvidenceRow | None:
        """Return the row whose point is meant by a place of the plot."""
        box = self.item.getViewBox()
        (left, right), (low, high) = box.viewRange()
        each_x, each_y = (right - left) / max(box.width(), 1.0), (high - low) / max(box.height(), 1.0)

        def pixels(row: EvidenceRow) -> float:
            place = QPointF(math.log10(row.published or 1.0), math.log10(row.predicted or 1.0))
            return math.hypot((place.x() - x) / each_x, (place.y() - y) / each_y)

        found = min(self.drawn_rows, key=pixels, default=None)
        return found if found is not None and pixels(found) <= _NEAR else None

    def read(self, x: float, y: float) -> str:
        """Return the row under the pointer."""
        row = self.nearest(x, y)
        if row is None:
            return ""
        published, predicted = value_text(row.published, row.unit), value_text(row.predicted, row.unit)
        error = percent_text(row.error_pct)
        return f"{_subject(row)}: {row.id}, published {published}, predicted {predicted}, error {error}"

    def table(self) -> tuple[tuple[str, ...], Rows]:
        """Return what is drawn."""
        rows = [(r.id, r.table, r.quantity, r.unit, r.published, r.predicted, r.error_pct) for r in self.drawn_rows]
        return ("Row", "Table", "Quantity", "Unit", "Published", "Predicted", "Error (%)"), rows


def _subject(row: EvidenceRow) -> str:
    return CLASSES[row.kind].subject if row.kind in CLASSES else next(iter(LOOKS))


def _drawable(row: EvidenceRow) -> bool:
    return all(v is not None and math.isfinite(v) and v > 0 for v in (row.published, row.predicted))
