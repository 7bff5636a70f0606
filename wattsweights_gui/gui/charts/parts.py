"""A whole taken apart: each part starts where the one above it ended, and the last row is the whole, stacked."""

from __future__ import annotations

from typing import ClassVar

import pyqtgraph as pg
from PySide6.QtCore import QPointF

from wattsweights_gui.engine import units
from wattsweights_gui.engine.both_ends import BothEnds
from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.declare import Figure
from wattsweights_gui.gui.charts.chart import Chart, Rows
from wattsweights_gui.reports.parts import Whole, why_unknown

_THICK = 0.68


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
        self.bars = pg.BarGraphItem(x0=[0], x1=[0], y=[0], height=_THICK, pen=None)
        self.item.addItem(self.bars)
        self.texts = [pg.TextItem(anchor=(0, 0.5)) for _ in range(len(self.PARTS) + 1)]
        for text in self.texts:
            # the limit's line passes behind the words
            text.setZValue(10)
            self.item.addItem(text, ignoreBounds=True)
        self.limit = pg.InfiniteLine(angle=90, movable=False)
        self.limit_text = pg.TextItem(anchor=(1, 0.5))
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

    def _place(self) -> None:
        count = len(self.parts)
        starts, ends, rows, brushes = [], [], [], []
        at = 0.0
        for n, (_, series, figure) in enumerate(self.parts):
            value = units.shown(figure.number, self.UNIT, self.system)[0]
            for row in (count - n, 0):
                starts.append(at)
                ends.append(at + value)
                rows.append(row)
                brushes.append(pg.mkBrush(self.colours.series(series)))
            at += value
        self.bars.setOpts(
            x0=starts, x1=ends, y=rows, height=_THICK, brushes=brushes, pen=pg.mkPen(self.colours.ground, width=1)
        )
        ticks = [(count - n, label) for n, (label, _, _) in enumerate(self.parts)]
        self.name_rows([*ticks, (0, self.WHOLE)])
        self._label_bars([ends[2 * n] for n in range(count)], at)
        self._draw_limit(at, count)

    def _label_bars(self, ends: list[float], whole: float) -> None:
        count = len(self.parts)
        self._ends: list[tuple[float, str]] = []
        for n, (_, _, figure) in enumerate(self.parts):
            share = units.number(100 * figure.number / self._whole, 2)
            self._ends.append((ends[n], f"{figure.text(self.system)} · {share} %"))
        self._ends.append((whole, units.text(self._whole, self.UNIT, self.system)))
        for n, text in enumerate(self.texts):
            text.setVisible(n <= count)
            if n <= count:
                text.setText(self._ends[n][1])
                text.setPos(QPointF(self._ends[n][0], count - n))

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
            self.limit_text.setPos(QPointF(at, count + 0.78))
        self._far, self._count = far, count
        self.reset_view()

    def reset_view(self) -> None:
        """Show everything, with room for the labels at the right."""
        if self.parts:
            self.item.getViewBox().setRange(
                xRange=(0.0, max(self._far * 1.03, self.far_for(self._ends))),
                yRange=(-0.6, self._count + 1.15),
                padding=0.0,
                update=True,
            )

    def recolour(self) -> None:
        """Colour the labels and the limit."""
        for text in self.texts:
            text.setColor(self.colours.text)
            text.fill = pg.mkBrush(self.colours.ground)
        self.limit.setPen(pg.mkPen(self.colours.text, width=2))
        self.limit_text.setColor(self.colours.text)
        if self.parts:
            self._place()

    def read(self, x: float, y: float) -> str:
        """Return the part in the row under the pointer."""
        row = round(y)
        count = len(self.parts)
        if abs(y - row) > 0.5 or not 0 <= row <= count:
            return ""
        if row == 0:
            return f"{self.WHOLE}: {units.text(self._whole, self.UNIT, self.system, 5)}"
        label, _, figure = self.parts[count - row]
        value, unit = figure.number, figure.unit
        return f"{label}: {units.text(value, unit, self.system, 5)}, {units.number(100 * value / self._whole)} % of all"

    def table(self) -> tuple[tuple[str, ...], Rows]:
        """Return the parts, their sum and the limit."""
        rows = [(label, units.shown(f.number, self.UNIT, self.system)[0]) for label, _, f in self.parts]
        rows.append((self.WHOLE, units.shown(self._whole, self.UNIT, self.system)[0]))
        if self.limit_figure is not None:
            rows.append((self._limit_name, units.shown(self.limit_figure.number, self.UNIT, self.system)[0]))
        return ("Part", self._axis()), rows
