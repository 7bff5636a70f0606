"""A whole taken apart: each part starts where the one above it ended, and the last row is the whole, stacked."""

from __future__ import annotations

from typing import ClassVar

import pyqtgraph as pg
from PySide6.QtCore import QPointF
from PySide6.QtGui import QFontMetricsF

from wattsweights_gui.engine import units
from wattsweights_gui.engine.both_ends import BothEnds
from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.declare import Figure
from wattsweights_gui.gui.charts.chart import Chart, Rows
from wattsweights_gui.reports.parts import Whole, why_unknown

_THICK = 0.68
# the least height of a row, and what the axis and its title take
_ROW, _AROUND = 17, 52
_FEWEST = 2
# the colour of parts that share a row
_REST = "rest"


class PartsChart(Chart):
    """Horizontal bars of parts and their sum, with a named limit where there is one."""

    LAYER: ClassVar[str] = ""
    # result -> (label, series); drawn in this order
    PARTS: ClassVar[dict[str, tuple[str, str]]] = {}
    UNIT: ClassVar[str] = ""
    AXIS: ClassVar[str] = ""
    WHOLE: ClassVar[str] = "Together"
    TICK = 0

    def prepare(self) -> None:
        """Make one item of bars, a label a part, and the limit."""
        self.parts: list[tuple[str, str, Figure]] = []
        self.rows: list[tuple[str, str, float]] = []
        self.bars = pg.BarGraphItem(x0=[0], x1=[0], y=[0], height=_THICK, pen=None)
        self.item.addItem(self.bars)
        self.texts = [self.label(anchor=(0, 0.5)) for _ in range(len(self.PARTS) + 1)]
        for text in self.texts:
            text.setZValue(10)
            self.item.addItem(text, ignoreBounds=True)
        self.limit = pg.InfiniteLine(angle=90, movable=False)
        self.limit_text = self.label(anchor=(1, 0.5))
        self.item.addItem(self.limit, ignoreBounds=True)
        self.item.addItem(self.limit_text, ignoreBounds=True)
        self.item.setMouseEnabled(x=True, y=False)
        self.item.getViewBox().disableAutoRange()
        self.limit_figure: Figure | None = None
        self._limit_name = ""
        self._whole = 0.0

    def whole(self, evaluation: Evaluation) -> Whole:
        """Return what is taken apart."""
        raise NotImplementedError

    def say(self, whole: float, limit: Figure | None) -> str:
        """Return the sentence over the chart."""
        raise NotImplementedError

    def draw(self, evaluation: Evaluation, ends: BothEnds | None) -> str:
        """Draw the parts that are known and not nought."""
        whole = self.whole(evaluation)
        if not whole.parts:
            return why_unknown(evaluation, self.LAYER, self.PARTS)
        self.parts = list(whole.parts)
        self._limit_name, self.limit_figure = whole.limit or ("", None)
        self._whole = whole.sum
        self.sentence.setText(self.say(self._whole, self.limit_figure))
        self.label_axis("bottom", self._axis())
        self._place()
        return ""

    def _axis(self) -> str:
        sign = units.symbol(self.UNIT, self.system)
        return f"{self.AXIS} ({sign})" if sign else self.AXIS

    def rows_that_fit(self) -> int:
        """Return how many parts have a row that can be read at this height, beside the whole and the limit's name."""
        return max(_FEWEST, (self.plot.height() - _AROUND) // _ROW - (2 if self.limit_figure is not None else 1))

    def _rows(self) -> list[tuple[str, str, float]]:
        """Return label, series and value of each row: the smallest share one where there is no height for all."""
        most = self.rows_that_fit()
        if len(self.parts) <= most:
            return [(label, series, figure.number) for label, series, figure in self.parts]
        large = sorted(self.parts, key=lambda part: -part[2].number)[: most - 1]
        kept = [(label, series, figure.number) for label, series, figure in self.parts if self._among(large, label)]
        rest = sum(figure.number for label, _, figure in self.parts if not self._among(large, label))
        return [*kept, (f"{len(self.parts) - len(kept)} smaller", _REST, rest)]

    @staticmethod
    def _among(parts: list[tuple[str, str, Figure]], label: str) -> bool:
        return any(label == name for name, _, _ in parts)

    def _resized(self, *_: object) -> None:
        if self.parts and len(self.rows) != min(len(self.parts), self.rows_that_fit()):
            self._place()
        super()._resized()

    def _place(self) -> None:
        self.rows = self._rows()
        count = len(self.rows)
        starts, ends, rows, brushes = [], [], [], []
        at = 0.0
        for n, (_, series, number) in enumerate(self.rows):
            value = units.shown(number, self.UNIT, self.system)[0]
            for row in (count - n, 0):
                starts.append(at)
                ends.append(at + value)
                rows.append(row)
                brushes.append(pg.mkBrush(self.colours.quiet if series == _REST else self.colours.series(series)))
            at += value
        self.bars.setOpts(
            x0=starts, x1=ends, y=rows, height=_THICK, brushes=brushes, pen=pg.mkPen(self.colours.ground, width=1)
        )
        ticks = [(count - n, label) for n, (label, _, _) in enumerate(self.rows)]
        self.name_rows([*ticks, (0, self.WHOLE)])
        self._label_bars([ends[2 * n] for n in range(count)], at)
        self._draw_limit(at, count)

    def _label_bars(self, ends: list[float], whole: float) -> None:
        count = len(self.rows)
        self._ends: list[tuple[float, str]] = []
        for n, (_, _, number) in enumerate(self.rows):
            self._ends.append((ends[n], self._words_of(number)))
        self._ends.append((whole, units.text(self._whole, self.UNIT, self.system)))
        for n, text in enumerate(self.texts):
            text.setVisible(n <= count)
            if n <= count:
                text.setText(f"\u00a0{self._ends[n][1]}")
                text.setPos(QPointF(self._ends[n][0], count - n))

    def _words_of(self, number: float) -> str:
        """Return a part's size and its share, which is the same where parts are per cent."""
        size = units.text(number, self.UNIT, self.system)
        return size if self.UNIT == "pct" else f"{size} · {units.number(100 * number / self._whole, 2)} %"

    def _draw_limit(self, whole: float, count: int) -> None:
        there = self.limit_figure is not None
        self.limit.setVisible(there)
        self.limit_text.setVisible(there)
        far = whole
        if self.limit_figure is not None:
            at = units.shown(self.limit_figure.number, self.UNIT, self.system)[0]
            far = max(whole, at)
            self.limit.setPos(at)
            # the name stands on the side where there is room
            self.limit_text.setAnchor((1.0, 0.5) if at > far * 0.4 else (0.0, 0.5))
            self.limit_text.setText(f"{self._limit_name} {self.limit_figure.text(self.system)}")
            self.limit_text.setPos(QPointF(at, count + 0.95))
        self._far, self._count = far, count
        self.reset_view()

    def reset_view(self) -> None:
        """Show everything, with room for the labels at the right."""
        if self.parts:
            self.item.getViewBox().setRange(
                xRange=(0.0, max(self._far * 1.03, self.far_for(self._ends))),
                yRange=(-0.5, self._count + (1.45 if self.limit_figure is not None else 0.5)),
                padding=0.0,
                update=True,
            )
            self._clear_behind_words()

    def _clear_behind_words(self) -> None:
        """Let the limit's line pass behind words that it would strike through."""
        box = self.item.getViewBox()
        (left, right), measure = box.viewRange()[0], QFontMetricsF(self.font())
        each = (right - left) / max(box.width(), 1.0)
        at = self.limit.value() if self.limit_figure is not None else -1.0
        for text, (end, words) in zip(self.texts, self._ends, strict=False):
            crossed = end <= at <= end + (measure.horizontalAdvance(words) + 4.0) * each
            text.fill = pg.mkBrush(self.colours.ground) if crossed else pg.mkBrush(None)
            text.update()

    def recolour(self) -> None:
        """Colour the labels and the limit."""
        for text in self.texts:
            text.setColor(self.colours.text)
        self.limit.setPen(pg.mkPen(self.colours.text, width=2))
        self.limit_text.setColor(self.colours.text)
        if self.parts:
            self._place()

    def read(self, x: float, y: float) -> str:
        """Return the part in the row under the pointer."""
        row = round(y)
        count = len(self.rows)
        if abs(y - row) > 0.5 or not 0 <= row <= count:
            return ""
        if row == 0:
            return f"{self.WHOLE}: {units.text(self._whole, self.UNIT, self.system, 5)}"
        label, _, value = self.rows[count - row]
        if label not in (name for name, _, _ in self.parts):
            named = (name for name, _, _ in self.parts if name not in (shown for shown, _, _ in self.rows))
            label = ", ".join(named)
        size = units.text(value, self.UNIT, self.system, 5)
        return (
            f"{label}: {size} of all"
            if self.UNIT == "pct"
            else (f"{label}: {size}, {units.number(100 * value / self._whole)} % of all")
        )

    def table(self) -> tuple[tuple[str, ...], Rows]:
        """Return the parts, their sum and the limit."""
        rows = [(label, units.shown(f.number, self.UNIT, self.system)[0]) for label, _, f in self.parts]
        rows.append((self.WHOLE, units.shown(self._whole, self.UNIT, self.system)[0]))
        if self.limit_figure is not None:
            rows.append((self._limit_name, units.shown(self.limit_figure.number, self.UNIT, self.system)[0]))
        return ("Part", self._axis()), rows
