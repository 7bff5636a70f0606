"""Need against have, worst first: one bar a quantity, with the limit at 100 per cent."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QPointF

from wattsweights_gui.engine import units
from wattsweights_gui.engine.both_ends import BothEnds
from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.declare import Need
from wattsweights_gui.engine.layers import LAYERS
from wattsweights_gui.gui.charts.chart import Chart, Rows
from wattsweights_gui.reports import words

_MOST = 14
_FAR = 160.0
_ROW = 20
_AROUND = 64
_TITLES = {layer.name: layer.title for layer in LAYERS}


class LoadChart(Chart):
    """Bars of need over limit."""

    TITLE = "Need against have"
    LAYERS = frozenset(layer.name for layer in LAYERS)
    TICK = 0
    EMPTY = "Each quantity that meets a limit of the hall stands here."

    def prepare(self) -> None:
        """Make one item of bars and a label a row."""
        self.needs: list[Need] = []
        self.ranked: list[Need] = []
        self.bars = pg.BarGraphItem(x0=[0], x1=[0], y=[0], height=0.62, pen=None)
        self.item.addItem(self.bars)
        self.texts = [self.label(anchor=(0, 0.5)) for _ in range(_MOST)]
        for text in self.texts:
            self.item.addItem(text, ignoreBounds=True)
        self.limit = pg.InfiniteLine(pos=100.0, angle=90, movable=False)
        self.limit_text = self.label("limit", anchor=(0.5, 0.5))
        self.item.addItem(self.limit, ignoreBounds=True)
        self.limit_text.setZValue(10)
        self.item.addItem(self.limit_text, ignoreBounds=True)
        self.item.setMouseEnabled(x=False, y=False)
        self.item.getViewBox().disableAutoRange()
        self.label_axis("bottom", "Need over have (%)")

    def draw(self, evaluation: Evaluation, ends: BothEnds | None) -> str:
        """Draw the quantities that have a limit."""
        compared = [n for n in evaluation.needs if n.load is not None]
        self.ranked = sorted(compared, key=lambda n: -(n.load or 0.0))
        self.needs = self.ranked[: self.rows_that_fit()]
        if not self.needs:
            return "State what the hall has: power, cooling, floor or racks."
        over = sum(1 for n in compared if n.fits is False)
        worst = self.needs[0]
        more = f" {over} of {len(compared)} limits do not hold." if over else f" All {len(compared)} limits hold."
        self.sentence.setText(
            f"{_TITLES.get(worst.layer, worst.layer)} is the tightest: {words.lowered(worst.title)}, "
            f"{units.text(worst.need.value, worst.unit, self.system)} against "
            f"{units.text(worst.have.value, worst.unit, self.system)}.{more}"
        )
        self._place()
        return ""

    def rows_that_fit(self) -> int:
        """Return how many rows stand apart at this height."""
        return min(_MOST, max(3, (self.plot.height() - _AROUND) // _ROW))

    def _resized(self, *_: object) -> None:
        if self.ranked and len(self.needs) != min(len(self.ranked), self.rows_that_fit()):
            self.needs = self.ranked[: self.rows_that_fit()]
            self._place()
        super()._resized()

    def _place(self) -> None:
        count = len(self.needs)
        left = len(self.ranked) - count
        looser = f", {left} looser limit{'s' if left > 1 else ''} not shown" if left else ""
        self.label_axis("bottom", f"Need over have (%){looser}")
        rows = [count - n for n in range(count)]
        loads = [min(100.0 * (n.load or 0.0), _FAR) for n in self.needs]
        brushes = [pg.mkBrush(self._colour(n)) for n in self.needs]
        self.bars.setOpts(x0=[0.0] * count, x1=loads, y=rows, height=0.62, brushes=brushes, pen=None)
        ticks = [(row, f"{_TITLES.get(n.layer, n.layer)}: {n.title}") for row, n in zip(rows, self.needs, strict=True)]
        self.name_rows(ticks)
        for n, text in enumerate(self.texts):
            text.setVisible(n < count)
            if n < count:
                need = self.needs[n]
                text.setText(f"\u00a0{self._words(need)}")
                text.setPos(QPointF(max(loads[n], 101.0), rows[n]))
        self.limit_text.setPos(QPointF(100.0, count + 0.75))
        self.reset_view()

    def _words(self, need: Need) -> str:
        mark = "✖ over: " if need.fits is False else ""
        load = "" if need.load in (None, float("inf")) else f"{words.load_words(need)} · "
        return f"{mark}{load}{units.text(need.need.value, need.unit, self.system)} of " + units.text(
            need.have.value, need.unit, self.system
        )

    def _colour(self, need: Need) -> str:
        if need.fits is False:
            return self.colours.over
        return self.colours.near if (need.load or 0.0) >= 0.9 else self.colours.fine

    def reset_view(self) -> None:
        """Show everything."""
        if self.needs:
            ends = [(max(min(100.0 * (n.load or 0.0), _FAR), 101.0), self._words(n)) for n in self.needs]
            self.item.getViewBox().setRange(
                xRange=(0.0, self.far_for(ends)), yRange=(0.4, len(self.needs) + 1.1), padding=0.0
            )
            self.item.getAxis("bottom").setTicks([[(t, f"{t:g}") for t in (0, 25, 50, 75, 100, 125, 150)]])

    def recolour(self) -> None:
        """Colour the labels and the limit."""
        for text in (*self.texts, self.limit_text):
            text.setColor(self.colours.text)
        self.limit.setPen(pg.mkPen(self.colours.text, width=2))
        self.limit_text.fill = pg.mkBrush(self.colours.ground)  # the line ends under its name
        if self.needs:
            self._place()

    def read(self, x: float, y: float) -> str:
        """Return the quantity in the row under the pointer, and where its limit comes from."""
        row = len(self.needs) - round(y)
        if not 0 <= row < len(self.needs):
            return ""
        need = self.needs[row]
        source = need.have.source or need.have.formula
        return f"{need.title}: {self._words(need)}" + (f" ({source})" if source else "")

    def table(self) -> tuple[tuple[str, ...], Rows]:
        """Return need, have and load."""
        rows = [
            (
                _TITLES.get(n.layer, n.layer),
                n.title,
                None if n.need.value is None else units.shown(n.need.number, n.unit, self.system)[0],
                None if n.have.value is None else units.shown(n.have.number, n.unit, self.system)[0],
                units.symbol(n.unit, self.system),
                None if n.load is None else 100.0 * n.load,
            )
            for n in self.ranked
        ]
        return ("Layer", "Quantity", "Need", "Have", "Unit", "Need over have (%)"), rows
