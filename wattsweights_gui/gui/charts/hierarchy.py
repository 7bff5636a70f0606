"""The memory hierarchy of the chosen GPU: size, bandwidth and time of one pass of each tier, and what fits there."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFontMetricsF, QKeyEvent

from wattsweights_gui.engine import units
from wattsweights_gui.engine.both_ends import BothEnds
from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.declare import Figure
from wattsweights_gui.gui.charts.chart import Chart, Rows
from wattsweights_gui.gui.charts.detail import Detail, put_beside

# the figures of each tier: size, bandwidth, one pass; and what the tier is called on the axis
TIERS: tuple[tuple[str, tuple[str, str, str]], ...] = (
    ("Registers", ("registers_mb", "registers_gb_s", "registers_pass_us")),
    ("Shared memory", ("shared_mb", "shared_gb_s", "shared_pass_us")),
    ("L2", ("l2_mb", "l2_gb_s", "l2_pass_us")),
    ("HBM", ("hbm_gb", "hbm_gb_s", "hbm_pass_ms")),
    ("Scale-up peers", ("peers_gb", "peers_gb_s", "peers_pass_ms")),
    ("Network", ("network_tb", "network_gb_s", "network_pass_s")),
)
# name of a lane, and the series that colours it
LANES = (("Size", "weights"), ("Bandwidth", "optimizer"), ("One pass", "activations"))
_BASE = {"mb": 1e6, "gb": 1e9, "tb": 1e12, "gb_s": 1e9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
# ticks of a lane: every third decade, in words
_TICKS: dict[int, dict[int, str]] = {
    0: {6: "1 MB", 9: "1 GB", 12: "1 TB", 15: "1 PB"},
    1: {9: "1 GB/s", 12: "1 TB/s", 15: "1 PB/s"},
    2: {-9: "1 ns", -6: "1 µs", -3: "1 ms", 0: "1 s", 3: "1 000 s"},
}
_LANE, _NEXT, _BAR = 1.0, 1.08, 0.6
_THICK = 0.5
_PEERS = 4
# width below which the words at the right are left to the detail
_NARROW = 760.0
_WORDS = 1.9


class HierarchyChart(Chart):
    """Three logarithmic lanes of bars with a row a tier, and what has its home in each; a tier can be picked."""

    TITLE = "GPU memory"
    LAYERS = frozenset({"workload", "compute", "parallelism", "fabric", "cluster"})
    EMPTY = "The memory hierarchy of the chosen GPU stands here."
    TICK: ClassVar[int] = 0

    def axes(self) -> dict[str, pg.AxisItem]:
        """Both are written by the chart itself."""
        return {}

    def prepare(self) -> None:
        """Make the bars, their numbers and the words at the right."""
        self.figures: list[tuple[Figure, Figure, Figure]] = []
        self.fits: list[str] = []
        self.sizes: dict[str, float] = {}
        self.picked = -1
        self._drawn_for: Any = None
        self.spans: list[tuple[float, float]] = [(0.0, 1.0)] * len(LANES)
        self.bars = [pg.BarGraphItem(x0=[0], x1=[0], y=[0], height=_THICK, pen=None) for _ in LANES]
        self.mark = pg.BarGraphItem(x0=[0], x1=[0], y=[0], height=1.0, pen=None)
        self.grid = self.item.plot([], [], connect="pairs")
        self.item.addItem(self.mark)
        for bar in self.bars:
            self.item.addItem(bar)
        self.values = [[self.label(anchor=(0, 0.5)) for _ in TIERS] for _ in LANES]
        self.heads = [self.label(anchor=(0, 0.5)) for _ in range(len(LANES) + 1)]
        self.words = [self.label(anchor=(0, 0.5)) for _ in TIERS]
        for text in self._texts():
            self.item.addItem(text, ignoreBounds=True)
        for text, (name, _) in zip(self.heads, LANES, strict=False):
            text.setText(f"{name}, log")
        self.heads[-1].setText("What of this model fits")
        self.item.setMouseEnabled(x=False, y=False)
        self.item.getViewBox().disableAutoRange()
        self.detail = Detail()
        put_beside(self, self.detail)
        self.why_asked = self.detail.asked
        self.plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Memory hierarchy; arrow keys go from tier to tier")

    def _texts(self) -> list[pg.TextItem]:
        return [*(text for lane in self.values for text in lane), *self.heads, *self.words]

    def draw(self, evaluation: Evaluation, ends: BothEnds | None) -> str:
        """Draw the tiers of the chosen GPU."""
        outcome: Any = evaluation.results.get("compute")
        tiers = [tuple(getattr(outcome, name, None) for name in names) for _, names in TIERS]
        self.figures = [tier for tier in tiers if all(isinstance(f, Figure) for f in tier)]  # type: ignore[misc]
        if len(self.figures) < len(TIERS) or not any(f.known for tier in self.figures for f in tier):
            self.detail.clear()
            return next((f.formula for tier in self.figures for f in tier), "") or "Choose a GPU."
        rows = outcome.hierarchy.rows
        self.fits = [str(row[-1]) if len(rows) == len(TIERS) else "–" for row in rows][: len(TIERS)]
        self.fits += ["–"] * (len(TIERS) - len(self.fits))
        sets = outcome.working_sets
        self.sizes = {str(row[0]): float(row[1]) for row in sets.rows} if "size" in sets.columns else {}
        entry = evaluation.catalog.entry(str(getattr(evaluation.plan.inputs("compute"), "gpu", "")))
        self.sentence.setText(self._sentence(entry.name))
        now = (self.figures, self.fits, self.sizes, self.system, self.width(), self.height())
        if now != self._drawn_for:
            self._drawn_for = now
            self._place()
            self._pick(self.picked)
        return ""

    def _sentence(self, name: str) -> str:
        l2, hbm = self.figures[2][1], self.figures[3]
        said = f"{name}: reading its HBM once takes {hbm[2].text(self.system)}"
        if l2.known and hbm[1].known:
            said += f"; L2 is {units.number(l2.number / hbm[1].number, 2)} times as fast"
        missing = sum(not f.known for tier in self.figures for f in tier)
        said += "." if not missing else f". {missing} numbers are not published."
        return f"{said} Click a tier, or use the arrow keys, for where its numbers come from."

    # ----------------------------------------------------------------------------------------------- placing

    def _values(self, lane: int) -> list[float | None]:
        """Return a lane's values in bytes, bytes/s or seconds."""
        return [t[lane].number * _BASE[t[lane].unit] if t[lane].known else None for t in self.figures]

    def _x(self, lane: int, value: float) -> float:
        low, high = self.spans[lane]
        return lane * _NEXT + _BAR * max(0.0, (math.log10(value) - low) / (high - low))

    def _place(self) -> None:
        lines_x: list[float] = []
        ticks: list[tuple[float, str]] = []
        count = len(TIERS)
        for lane, bar in enumerate(self.bars):
            values = self._values(lane)
            logs = [math.log10(v) for v in values if v]
            self.spans[lane] = (min(logs) - 0.7, max(logs)) if logs else (0.0, 1.0)
            known = [(row, v) for row, v in enumerate(values) if v]
            bar.setOpts(
                x0=[lane * _NEXT] * len(known),
                x1=[self._x(lane, v) for _, v in known],
                y=[count - 1 - row for row, _ in known],
                height=_THICK,
                brush=pg.mkBrush(self.colours.series(LANES[lane][1])),
                pen=None,
            )
            for row, text in enumerate(self.values[lane]):
                value = values[row]
                figure = self.figures[row][lane]
                told = figure.text(self.system) if value else "not published" if row != _PEERS else "none"
                text.setText(f"\u00a0{told}")
                text.setColor(self.colours.text if value else self.colours.quiet)
                text.setPos(QPointF(self._x(lane, value) if value else lane * _NEXT, count - 1 - row))
            for exponent, word in _TICKS[lane].items():
                low, high = self.spans[lane]
                if low <= exponent <= high:
                    at = self._x(lane, 10.0**exponent)
                    ticks.append((at, word))
                    lines_x += [at, at]
        self.grid.setData(lines_x, [-0.5, count - 0.5] * (len(lines_x) // 2))
        self._ticks = ticks
        self.name_rows([(count - 1 - row, name) for row, (name, _) in enumerate(TIERS)])
        self._draw_mark()
        self.reset_view()

    def _draw_mark(self) -> None:
        there = 0 <= self.picked < len(TIERS)
        self.mark.setVisible(there)
        if there:
            self.mark.setOpts(
                x0=[-1.0], x1=[9.0], y=[len(TIERS) - 1 - self.picked], height=0.96, brush=pg.mkBrush(self.colours.grid)
            )

    def reset_view(self) -> None:
        """Show everything; the words at the right where there is room for them."""
        if not self.figures:
            return
        box, measure = self.item.getViewBox(), QFontMetricsF(self.font())
        wide = box.width() >= _NARROW
        far = len(LANES) * _NEXT + (_WORDS if wide else 0.0)
        count = len(TIERS)
        box.setRange(xRange=(0.0, far), yRange=(-0.5, count + 0.4), padding=0.0)
        room = _WORDS * box.width() / far - 8.0
        start = len(LANES) * _NEXT
        for lane, text in enumerate(self.heads):
            text.setVisible(lane < len(LANES) or wide)
            text.setPos(QPointF(lane * _NEXT, count - 0.1))
        for row, text in enumerate(self.words):
            text.setVisible(wide)
            text.setText(measure.elidedText(self.fits[row], Qt.TextElideMode.ElideRight, max(room, 40.0)))
            text.setPos(QPointF(start, count - 1 - row))
        self.item.getAxis("bottom").setTicks([self._ticks_that_fit(measure, box.width() / far)])

    def _ticks_that_fit(self, measure: QFontMetricsF, each: float) -> list[tuple[float, str]]:
        kept: list[tuple[float, str]] = []
        end = -math.inf
        for at, word in sorted(self._ticks):
            half = measure.horizontalAdvance(word) / 2 + 4.0
            if at * each - half > end:
                kept.append((at, word))
                end = at * each + half
        return kept

    def recolour(self) -> None:
        """Colour bars and words."""
        for text in self._texts():
            text.setColor(self.colours.text)
        for text in self.heads:
            text.setColor(self.colours.quiet)
        self.grid.setPen(pg.mkPen(self.colours.grid, width=1))
        if self.figures:
            self._place()

    # ----------------------------------------------------------------------------------------------- picking

    def _row(self, y: float) -> int:
        row = len(TIERS) - 1 - round(y)
        return row if 0 <= row < len(TIERS) else -1

    def _clicked(self, event: Any) -> None:
        super()._clicked(event)
        if event.button() == Qt.MouseButton.LeftButton and not event.double() and self.drawn:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self._pick(self._row(self.item.getViewBox().mapSceneToView(event.scenePos()).y()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from tier to tier; Escape picks none."""
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_Left: -1}
        if not self.drawn or event.key() not in (*steps, Qt.Key.Key_Escape):
            super().keyPressEvent(event)
        elif event.key() == Qt.Key.Key_Escape:
            self._pick(-1)
        elif self.picked < 0:
            self._pick(0)
        else:
            self._pick((self.picked + steps[Qt.Key(event.key())]) % len(TIERS))

    def _pick(self, row: int) -> None:
        self.picked = row
        self._draw_mark()
        if row < 0:
            self.detail.clear()
            return
        name, paths = TIERS[row]
        lines = [
            (lane, figure.text(self.system) if figure.known else "not known", f"layers.compute.result.{path}")
            for (lane, _), figure, path in zip(LANES, self.figures[row], paths, strict=True)
        ]
        self.detail.say(name, lines, [*self._homes(row), *self._sources(row)], numbers_first=True)

    def _homes(self, row: int) -> list[tuple[str, str]]:
        names = [name for name in self.fits[row].split("; ") if name in self.sizes]
        return [("Fits:", f"{name}, {units.text(self.sizes[name], 'gb', self.system)}") for name in names]

    def _sources(self, row: int) -> list[tuple[str, str]]:
        """Return of size and bandwidth the equation, what was put in, and where that comes from."""
        found = []
        for (lane, _), figure in zip(LANES[:2], self.figures[row][:2], strict=True):
            put_in = [
                f"{f.title or name} {f.text(self.system)}" + (f", {f.source}" if f.source else "")
                for name, f in figure.operands
                if f.known
            ]
            found.append((f"{lane}:", "; ".join(w for w in (figure.formula, figure.source, *put_in) if w)))
        return found

    def read(self, x: float, y: float) -> str:
        """Return the tier under the pointer in one line."""
        row = self._row(y)
        if row < 0 or not self.figures:
            return ""
        size, rate, once = (f.text(self.system) if f.known else "not published" for f in self.figures[row])
        return f"{TIERS[row][0]}: {size}, {rate}, one pass {once}; {self.fits[row]}"

    def table(self) -> tuple[tuple[str, ...], Rows]:
        """Return the tiers with their numbers in plain units."""
        rows = [
            (name, *(self._values(lane)[row] for lane in range(len(LANES))), self.fits[row])
            for row, (name, _) in enumerate(TIERS)
        ]
        return ("Tier", "Size (B)", "Bandwidth (B/s)", "One pass (s)", "What of this model fits"), rows
