"""The GPU's roofline: what it computes at a given number of FLOP for each byte of HBM traffic."""

from __future__ import annotations

import math

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFontMetricsF

from wattsweights_gui.engine import units
from wattsweights_gui.engine.both_ends import BothEnds
from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.declare import Figure
from wattsweights_gui.gui.charts.chart import Chart, Rows
from wattsweights_gui.gui.charts.log_axis import LogAxis

# catalogue field -> what it is called; dense peaks
PEAKS = {"bf16_tflops": "BF16", "fp8_tflops": "FP8", "fp4_tflops": "FP4"}
_FAINT = 4
_WORK = 8
# how far to the left of the first ridge the slope is shown, as a factor
_SLOPE = 30.0
# of a line of words
_TOUCHING = 1.0


class RooflineChart(Chart):
    """The roof of the chosen precision, the other precisions' peaks, the ridge, and where this model's work stands."""

    TITLE = "Roofline"
    LAYERS = frozenset({"workload", "compute", "parallelism"})
    EMPTY = "The roofline of the chosen GPU stands here."

    def axes(self) -> dict[str, pg.AxisItem]:
        """Both are logarithmic."""
        return {"left": LogAxis("left"), "bottom": LogAxis("bottom")}

    def prepare(self) -> None:
        """Make the roof, the other peaks, the ridge and the work."""
        self.peak = self.bandwidth = 0.0
        self.chosen = ""
        self.others: list[tuple[str, float]] = []
        self.work: list[tuple[str, float, float | None]] = []
        self.roof = self.item.plot([], [], antialias=True)
        self.faint = self.item.plot([], [], connect="finite")
        self.ridge = pg.InfiniteLine(angle=90, movable=False)
        self.points = pg.ScatterPlotItem(size=11, pxMode=True)
        self.item.addItem(self.ridge, ignoreBounds=True)
        self.item.addItem(self.points)
        self.roof_text = self.label(anchor=(1, 1))
        self.slope_text = self.label(anchor=(1, 1))
        self.ridge_text = self.label(anchor=(0, 1))
        self.faint_texts = [self.label(anchor=(1, 1)) for _ in range(_FAINT)]
        self.work_texts = [self.label(anchor=(0, 0)) for _ in range(_WORK)]
        for text in self._texts():
            self.item.addItem(text, ignoreBounds=True)
        self.item.getViewBox().disableAutoRange()
        self.label_axis("bottom", "Arithmetic intensity (FLOP/B of HBM traffic)")
        self.label_axis("left", "Attainable (TFLOP/s a GPU)", "TFLOP/s")

    def _texts(self) -> list[pg.TextItem]:
        return [self.roof_text, self.slope_text, self.ridge_text, *self.faint_texts, *self.work_texts]

    def draw(self, evaluation: Evaluation, ends: BothEnds | None) -> str:
        """Draw the roof of the chosen GPU and precision."""
        outcome = evaluation.results.get("compute")
        peak, width = getattr(outcome, "peak_tflops", None), getattr(outcome, "hbm_gb_s", None)
        if not (isinstance(peak, Figure) and isinstance(width, Figure) and peak.known and width.known):
            unknown = next((f for f in (peak, width) if isinstance(f, Figure) and not f.known), None)
            return (unknown.formula if unknown else "") or "Choose a GPU whose peak and bandwidth are known."
        self.peak, self.bandwidth = peak.number, width.number
        plan = evaluation.plan
        self.chosen = str(getattr(plan.inputs("workload"), "precision", "")).split("_")[0].upper()
        entry = evaluation.catalog.entry(str(getattr(plan.inputs("compute"), "gpu", "")))
        self.others = [
            (words, float(value))
            for name, words in PEAKS.items()
            if isinstance(value := entry.get(name), int | float) and abs(float(value) / self.peak - 1) > 0.01
        ][:_FAINT]
        self.work = intensities(evaluation)[:_WORK]
        ridge = self.peak * 1000.0 / self.bandwidth
        self.sentence.setText(
            f"{entry.name}: {units.text(self.peak, 'tflops')} in {self.chosen}, {units.text(self.bandwidth, 'gb_s')}. "
            f"Below {units.text(ridge, 'flop_byte')} memory binds, above it compute."
        )
        self._place()
        return ""

    def attainable(self, intensity: float, peak: float | None = None) -> float:
        """Return TFLOP/s at an intensity in FLOP/B: min(peak, intensity × bandwidth)."""
        return min(peak or self.peak, intensity * self.bandwidth / 1000.0)

    def _right(self) -> float:
        ridge = max([self.peak, *(p for _, p in self.others)]) * 1000.0 / self.bandwidth
        return max([ridge * 8, *(6 * i for _, i, _ in self.work)])

    def _left(self) -> float:
        lowest = min([self.peak, *(p for _, p in self.others)]) * 1000.0 / self.bandwidth
        return min([lowest / _SLOPE, *(i / 2 for _, i, _ in self.work if i > 0)])

    def _place(self) -> None:
        left, right = self._left(), self._right()
        ridge = self.peak * 1000.0 / self.bandwidth
        xs = [left, ridge, right]
        self.roof.setData([math.log10(x) for x in xs], [math.log10(self.attainable(x)) for x in xs])
        gap = math.nan
        faint_x: list[float] = []
        faint_y: list[float] = []
        for _, peak in self.others:
            start = peak * 1000.0 / self.bandwidth
            # a higher peak is the same slope going on: draw it from this roof's ridge
            for x in (ridge, start, right) if peak > self.peak else (start, right):
                faint_x.append(math.log10(x))
                faint_y.append(math.log10(self.attainable(x, peak)))
            faint_x.append(gap)
            faint_y.append(gap)
        self.faint.setData(faint_x, faint_y)
        self.ridge.setPos(math.log10(ridge))
        self.points.setData([math.log10(i) for _, i, _ in self.work], [math.log10(self._height(w)) for w in self.work])
        self._place_texts(left, right, ridge)
        self.reset_view()

    def _height(self, work: tuple[str, float, float | None]) -> float:
        _, intensity, achieved = work
        return achieved or self.attainable(intensity)

    def _place_texts(self, left: float, right: float, ridge: float) -> None:
        self.roof_text.setText(f"{self.chosen} {units.text(self.peak, 'tflops')}")
        self.slope_text.setText(f"HBM {units.text(self.bandwidth, 'gb_s')}")
        at = math.sqrt(left * ridge)
        self.slope_text.setPos(QPointF(math.log10(at), math.log10(self.attainable(at))))
        self.ridge_text.setText(f" ridge {units.text(ridge, 'flop_byte')}")
        self.ridge_text.setPos(QPointF(math.log10(ridge), math.log10(self.attainable(left))))
        for n, text in enumerate(self.faint_texts):
            text.setVisible(n < len(self.others))
            if n < len(self.others):
                name, peak = self.others[n]
                text.setText(f"{name} {units.text(peak, 'tflops')}")
        flat = sorted((w for w in self.work if w[1] > ridge), key=lambda w: -w[1])
        for n, text in enumerate(self.work_texts):
            text.setVisible(n < len(self.work))
            if n < len(self.work):
                # under the flat roof names go to the left, each a line lower than the one to its right
                row = flat.index(self.work[n]) if self.work[n] in flat else 0
                text.setAnchor((1.0, -float(row)) if self.work[n] in flat else (0.0, 0.0))
                text.setText(self.work[n][0])
                text.setPos(QPointF(math.log10(self.work[n][1]), math.log10(self._height(self.work[n]))))

    def reset_view(self) -> None:
        """Show the whole roof."""
        if not self.peak:
            return
        left, right = self._left(), self._right()
        highest = max([self.peak, *(p for _, p in self.others)])
        low, high = math.log10(self.attainable(left)) - 0.1, math.log10(highest) + 0.1
        # a line of words over the highest roof
        line = QFontMetricsF(self.font()).height() / max(self.item.getViewBox().height(), 60.0)
        self.item.getViewBox().setRange(
            xRange=(math.log10(left), math.log10(right) + 0.05),
            yRange=(low, high + (high - low) * 1.2 * line),
            padding=0.0,
        )
        self._name_roofs(math.log10(right), low, high)

    def _name_roofs(self, right: float, low: float, high: float) -> None:
        """Put each roof's name above its right end, the lowest one's below; where they would touch, further left."""
        box, measure = self.item.getViewBox(), QFontMetricsF(self.font())
        line = (high - low) * measure.height() / max(box.height(), 60.0)
        each = (right - math.log10(self._left())) / max(box.width(), 200.0)
        roofs = [
            (self.peak, self.roof_text),
            *((p, t) for (_, p), t in zip(self.others, self.faint_texts, strict=False)),
        ]
        end, above = right, math.inf
        lowest = min(peak for peak, _ in roofs)
        for peak, text in sorted(roofs, key=lambda roof: -roof[0]):
            at = math.log10(peak)
            under = peak == lowest and len(roofs) > 1
            end = right if under or above - at > _TOUCHING * line else end
            text.setAnchor((1.0, 0.0 if under else 1.0))
            text.setPos(QPointF(end, at))
            end -= (measure.horizontalAdvance(text.toPlainText()) + 16.0) * each
            above = at

    def recolour(self) -> None:
        """Colour the roof and what stands under it."""
        self.roof.setPen(pg.mkPen(self.colours.series("compute"), width=3))
        self.faint.setPen(pg.mkPen(self.colours.quiet, width=1, style=Qt.PenStyle.DashLine))
        self.ridge.setPen(pg.mkPen(self.colours.quiet, width=1, style=Qt.PenStyle.DotLine))
        self.points.setPen(pg.mkPen(self.colours.ground, width=1))
        self.points.setBrush(pg.mkBrush(self.colours.series("facility")))
        for text in self._texts():
            text.setColor(self.colours.text)
        for text in self.faint_texts:
            text.setColor(self.colours.quiet)
        for text in (self.roof_text, self.slope_text, self.ridge_text, *self.faint_texts):
            text.fill = pg.mkBrush(self.colours.ground)

    def read(self, x: float, y: float) -> str:
        """Return what the GPU reaches at the intensity under the pointer."""
        if abs(x) > 30:
            return ""
        intensity = 10.0**x
        reached = self.attainable(intensity)
        binds = "compute binds" if reached >= self.peak * (1 - 1e-9) else "memory binds"
        return f"At {units.text(intensity, 'flop_byte')}: {units.text(reached, 'tflops')} at most; {binds}"

    def table(self) -> tuple[tuple[str, ...], Rows]:
        """Return the roof's corners and this model's work."""
        ridge = self.peak * 1000.0 / self.bandwidth
        rows = [("roof", x, self.attainable(x)) for x in (self._left(), ridge, self._right())]
        rows += [(name, peak * 1000.0 / self.bandwidth, peak) for name, peak in self.others]
        rows += [(w[0], w[1], self._height(w)) for w in self.work]
        return ("What", "Intensity (FLOP/B)", "TFLOP/s"), rows


def intensities(evaluation: Evaluation) -> list[tuple[str, float, float | None]]:
    """Return the work whose intensity the engine gives: its name, FLOP/B, and TFLOP/s where that is given too.

    It is looked for by unit, in the figures and tables of the compute and the parallelism layer; the ridge is no work.
    """
    found: list[tuple[str, float, float | None]] = []
    for layer in ("compute", "parallelism"):
        outcome = evaluation.results.get(layer)
        if outcome is None:
            continue
        for name, figure in outcome.figures():
            if figure.unit == "flop_byte" and figure.known and "ridge" not in name and figure.number > 0:
                found.append((figure.title, figure.number, None))
        for _, table in outcome.tables():
            if "flop_byte" not in table.units:
                continue
            at = table.units.index("flop_byte")
            rate = table.units.index("tflops") if "tflops" in table.units else None
            for row in table.rows:
                intensity, reached = row[at], row[rate] if rate is not None else None
                if isinstance(intensity, int | float) and intensity > 0:
                    found.append(
                        (str(row[0]), float(intensity), float(reached) if isinstance(reached, int | float) else None)
                    )
    return found
