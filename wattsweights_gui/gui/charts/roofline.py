"""The GPU's roofline, and this model's kernels under it: what they reach at their FLOP for each byte of HBM traffic."""

from __future__ import annotations

import math
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFontMetricsF, QKeyEvent

from wattsweights_gui.engine import units
from wattsweights_gui.engine.both_ends import BothEnds
from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.declare import Figure
from wattsweights_gui.engine.training_plan import running_precision
from wattsweights_gui.gui.charts.chart import Chart, Rows
from wattsweights_gui.gui.charts.detail import Detail, put_beside
from wattsweights_gui.gui.charts.kernel_words import Point, detail_of, in_short, kernel_points, kernel_words, roof_of
from wattsweights_gui.gui.charts.log_axis import LogAxis
from wattsweights_gui.gui.charts.name_places import Box, place

# catalogue field -> what it is called; dense peaks
PEAKS = {"bf16_tflops": "BF16", "fp8_tflops": "FP8", "fp4_tflops": "FP4"}
# a roof's colour, and that of the points under it
_SERIES = {"BF16": "compute", "FP8": "activations", "FP4": "pipeline_parallel"}
_SYMBOLS = {"forward": "o", "backward": "t1", "both": "s"}
_FAINT = 4
_NAMES = 8
# share of the kernels' time from which on a point has a name, in per cent
# what a line of words is higher than its font, in pixels
_LEADING = 3.0
_BIG = 3.0
_SMALLEST, _LARGEST = 7.0, 24.0
_CLOSE = 6.0
# how far to the left of the first ridge the slope is shown, as a factor
_SLOPE = 30.0
# of a line of words
_TOUCHING = 1.0
_NEXT = (Qt.Key.Key_Right, Qt.Key.Key_Down)
_BACK = (Qt.Key.Key_Left, Qt.Key.Key_Up)


class RooflineChart(Chart):
    """The roofs of the formats, the ridge, and this model's kernels; one of them can be picked."""

    TITLE = "Roofline"
    LAYERS = frozenset({"workload", "compute", "parallelism"})
    EMPTY = "The roofline of the chosen GPU stands here."

    def axes(self) -> dict[str, pg.AxisItem]:
        """Both are logarithmic."""
        return {"left": LogAxis("left"), "bottom": LogAxis("bottom")}

    def prepare(self) -> None:
        """Make the roofs, the ridge, the points, their names and what is said of the picked one."""
        self.peak = self.bandwidth = 0.0
        self.chosen = ""
        self.others: list[tuple[str, float]] = []
        self.kernels: list[Point] = []
        self.picked: str = ""
        self._placing = False
        self._drawn_for: Any = None
        self._named_for: Any = None
        self.roof = self.item.plot([], [], antialias=True)
        self.faint = [self.item.plot([], []) for _ in range(_FAINT)]
        self.ridge = pg.InfiniteLine(angle=90, movable=False)
        self.leaders = self.item.plot([], [], connect="pairs")
        self.points = pg.ScatterPlotItem(pxMode=True)
        self.ring = pg.ScatterPlotItem(pxMode=True)
        self.item.addItem(self.ridge, ignoreBounds=True)
        self.item.addItem(self.points)
        self.item.addItem(self.ring)
        self.roof_text = self.label(anchor=(1, 1))
        self.slope_text = self.label(anchor=(1, 1))
        self.ridge_text = self.label(anchor=(0, 1))
        self.faint_texts = [self.label(anchor=(1, 1)) for _ in range(_FAINT)]
        self.names = [self.label(anchor=(0, 0.5)) for _ in range(_NAMES)]
        for text in self._texts():
            self.item.addItem(text, ignoreBounds=True)
        self.item.getViewBox().disableAutoRange()
        self.item.getViewBox().sigRangeChanged.connect(self._view_moved)
        self.label_axis("bottom", "Arithmetic intensity (FLOP/B of HBM traffic)")
        self.label_axis("left", "Attainable (TFLOP/s a GPU)", "TFLOP/s")
        self.detail = Detail()
        put_beside(self, self.detail)
        self.plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Roofline; arrow keys go from kernel to kernel, the longest first")

    def _texts(self) -> list[pg.TextItem]:
        return [self.roof_text, self.slope_text, self.ridge_text, *self.faint_texts, *self.names]

    def draw(self, evaluation: Evaluation, ends: BothEnds | None) -> str:
        """Draw the roofs of the chosen GPU and the kernels of the plan."""
        outcome = evaluation.results.get("compute")
        peak, width = getattr(outcome, "peak_tflops", None), getattr(outcome, "hbm_gb_s", None)
        if not (isinstance(peak, Figure) and isinstance(width, Figure) and peak.known and width.known):
            unknown = next((f for f in (peak, width) if isinstance(f, Figure) and not f.known), None)
            self.detail.clear()
            return (unknown.formula if unknown else "") or "Choose a GPU whose peak and bandwidth are known."
        self.peak, self.bandwidth = peak.number, width.number
        plan = evaluation.plan
        entry = evaluation.catalog.entry(str(getattr(plan.inputs("compute"), "gpu", "")))
        asked = str(getattr(plan.inputs("workload"), "precision", ""))
        runs = running_precision(entry, asked)
        self.chosen = roof_of(runs)
        self.others = [
            (words, float(value))
            for name, words in PEAKS.items()
            if isinstance(value := entry.get(name), int | float) and abs(float(value) / self.peak - 1) > 0.01
        ][:_FAINT]
        table = getattr(outcome, "kernels", None)
        self.kernels = kernel_points(table)
        instead = () if runs == asked else (f"{entry.name} has no units for {asked.upper()}: it runs {self.chosen}.",)
        words = (*instead, *self._roof_words(entry.name), *kernel_words(table, self.kernels))
        self.sentence.setText(" ".join(words))
        now = (self.chosen, self.peak, self.bandwidth, self.others, self.kernels, self.width(), self.height())
        if now != self._drawn_for:
            self._drawn_for = now
            self._place()
        self._pick(self.picked if any(p.title == self.picked for p in self.kernels) else "")
        return ""

    def _roof_words(self, name: str) -> tuple[str, str]:
        ridge = self.peak * 1000.0 / self.bandwidth
        return (
            f"{name}: {units.text(self.peak, 'tflops')} in {self.chosen}, {units.text(self.bandwidth, 'gb_s')}.",
            f"Below {units.text(ridge, 'flop_byte')} memory binds, above it compute.",
        )

    def attainable(self, intensity: float, peak: float | None = None) -> float:
        """Return TFLOP/s at an intensity in FLOP/B: min(peak, intensity × bandwidth)."""
        return min(peak or self.peak, intensity * self.bandwidth / 1000.0)

    def _right(self) -> float:
        ridge = max([self.peak, *(p for _, p in self.others)]) * 1000.0 / self.bandwidth
        return max([ridge * 8, *(3 * p.intensity for p in self.kernels)])

    def _left(self) -> float:
        lowest = min([self.peak, *(p for _, p in self.others)]) * 1000.0 / self.bandwidth
        return min([lowest / _SLOPE, *(p.intensity / 2 for p in self.kernels)])

    def _place(self) -> None:
        left, right = self._left(), self._right()
        ridge = self.peak * 1000.0 / self.bandwidth
        xs = [left, ridge, right]
        self.roof.setData([math.log10(x) for x in xs], [math.log10(self.attainable(x)) for x in xs])
        for n, line in enumerate(self.faint):
            line.setVisible(n < len(self.others))
            if n < len(self.others):
                peak = self.others[n][1]
                start = peak * 1000.0 / self.bandwidth
                # a higher peak is the same slope going on: draw it from this roof's ridge
                along = (ridge, start, right) if peak > self.peak else (start, right)
                line.setData([math.log10(x) for x in along], [math.log10(self.attainable(x, peak)) for x in along])
        self.ridge.setPos(math.log10(ridge))
        self.recolour()
        self._place_texts(left, ridge)
        self.reset_view()

    def _place_texts(self, left: float, ridge: float) -> None:
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

    def reset_view(self) -> None:
        """Show the whole roof."""
        if not self.peak:
            return
        left, right = self._left(), self._right()
        highest = max([self.peak, *(p for _, p in self.others)])
        low, high = math.log10(self.attainable(left)) - 0.1, math.log10(highest) + 0.1
        # a line of words over the highest roof
        line = QFontMetricsF(self.font()).height() / max(self.item.getViewBox().height(), 60.0)
        self._placing = True
        self.item.getViewBox().setRange(
            xRange=(math.log10(left), math.log10(right) + 0.05),
            yRange=(low, high + (high - low) * 1.2 * line),
            padding=0.0,
        )
        self._placing = False
        self._name_roofs(math.log10(right), low, high)
        self._name_points()

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

    # ------------------------------------------------------------------------------------------------- the points

    def _view_moved(self, *_: object) -> None:
        if not self._placing and self.peak:
            self._name_points()

    def _pixels(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point of the plot lies in the view box, from its upper left corner."""
        box = self.item.getViewBox()
        (left, right), (low, high) = box.viewRange()
        return (x - left) / (right - left) * box.width(), (high - y) / (high - low) * box.height()

    def _size(self, point: Point) -> float:
        most = max(p.share for p in self.kernels)
        return _SMALLEST + (_LARGEST - _SMALLEST) * math.sqrt(point.share / most)

    def _spots(self) -> list[tuple[float, float, float]]:
        """Return x, y and radius of each point in pixels."""
        return [
            (*self._pixels(math.log10(p.intensity), math.log10(p.reached)), self._size(p) / 2) for p in self.kernels
        ]

    def _name_points(self) -> None:
        """Name the points that take much of the time, as far as there is room; further off with a line to the point."""
        box, measure = self.item.getViewBox(), QFontMetricsF(self.font())
        now = (box.viewRange(), box.width(), box.height(), self.picked, self.kernels, self.font())
        if now == self._named_for:
            return
        self._named_for = now
        big = [n for n, p in enumerate(self.kernels) if p.share >= _BIG or p.title == self.picked]
        big = sorted(big, key=lambda n: (self.kernels[n].title != self.picked, -self.kernels[n].share))[:_NAMES]
        spots, high = self._spots(), measure.height() + _LEADING
        words = [f"{self.kernels[n].title} {units.number(self.kernels[n].share, 2)}%" for n in big]
        taken: list[Box] = [(x - r, y - r, x + r, y + r) for x, y, r in spots]
        taken += [self._box_of(text, measure) for text in self._texts()[: 3 + _FAINT] if text.isVisible()]
        taken += self._roof_boxes()
        places = place(
            [spots[n] for n in big],
            [(measure.horizontalAdvance(w) + 6.0, high) for w in words],
            taken,
            (0.0, 0.0, box.width(), box.height()),
        )
        (left, right), (low, top) = box.viewRange()
        across, down = (right - left) / max(box.width(), 1.0), (top - low) / max(box.height(), 1.0)
        lines: list[tuple[float, float]] = []
        for n, text in enumerate(self.names):
            spot = places[n] if n < len(big) else None
            text.setVisible(spot is not None)
            if spot is None:
                continue
            x, y, radius = spots[big[n]]
            on_right = spot[0] > x
            middle = (spot[1] + spot[3]) / 2
            edge = spot[0] if on_right else spot[2]
            text.setAnchor((0.0, 0.5) if on_right else (1.0, 0.5))
            text.setText(words[n])
            text.setPos(QPointF(left + edge * across, top - middle * down))
            if abs(edge - x) > radius + _CLOSE or abs(middle - y) > 1.0:
                lines += [(left + edge * across, top - middle * down), (left + x * across, top - y * down)]
        self.leaders.setData([x for x, _ in lines], [y for _, y in lines])

    def _roof_boxes(self) -> list[Box]:
        """Return what the flat roofs cover; the slope is left, names may stand in it on a ground of their own."""
        boxes: list[Box] = []
        for peak in (self.peak, *(p for _, p in self.others)):
            x, y = self._pixels(math.log10(peak * 1000.0 / self.bandwidth), math.log10(peak))
            boxes.append((x, y - 2.0, self.item.getViewBox().width(), y + 2.0))
        return boxes

    def _box_of(self, text: pg.TextItem, measure: QFontMetricsF) -> Box:
        x, y = self._pixels(text.pos().x(), text.pos().y())
        wide, high = measure.horizontalAdvance(text.toPlainText()) + 4.0, measure.height() + _LEADING
        left, top = x - text.anchor.x() * wide, y - text.anchor.y() * high
        return left, top, left + wide, top + high

    def at(self, position: QPointF) -> Point | None:
        """Return the kernel at a place of the scene: the nearest within its symbol."""
        corner = self.item.getViewBox().sceneBoundingRect().topLeft()
        x, y = position.x() - corner.x(), position.y() - corner.y()
        near = [
            (math.hypot(x - a, y - b), n)
            for n, (a, b, radius) in enumerate(self._spots())
            if math.hypot(x - a, y - b) <= radius + _CLOSE
        ]
        return self.kernels[min(near)[1]] if near else None

    def _clicked(self, event: Any) -> None:
        super()._clicked(event)
        if event.button() == Qt.MouseButton.LeftButton and not event.double() and self.drawn:
            found = self.at(event.scenePos())
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self._pick(found.title if found else "")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the kernel that takes the next less time, or more; Escape picks none."""
        key = event.key()
        order = [p.title for p in sorted(self.kernels, key=lambda p: -p.share)]
        if (
            not self.drawn
            or not order
            or key not in (*_NEXT, *_BACK, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Escape)
        ):
            super().keyPressEvent(event)
            return
        now = order.index(self.picked) if self.picked in order else -1
        if key == Qt.Key.Key_Escape:
            self._pick("")
        elif key == Qt.Key.Key_Home or now < 0:
            self._pick(order[0])
        elif key == Qt.Key.Key_End:
            self._pick(order[-1])
        else:
            self._pick(order[(now + (1 if key in _NEXT else -1)) % len(order)])

    def _pick(self, title: str) -> None:
        self.picked = title
        point = next((p for p in self.kernels if p.title == title), None)
        if point is None:
            self.detail.clear()
            self.ring.setData([], [])
        else:
            self.detail.say(f"{point.title}, {point.row['format']}", *detail_of(point))
            self.ring.setData(
                [math.log10(point.intensity)],
                [math.log10(point.reached)],
                size=self._size(point) + 9.0,
                symbol="o",
                brush=pg.mkBrush(None),
                pen=pg.mkPen(self.colours.text, width=2),
            )
        self._name_points()

    def _colour_points(self) -> None:
        names = [p.roof for p in self.kernels]
        self.points.setData(
            [math.log10(p.intensity) for p in self.kernels],
            [math.log10(p.reached) for p in self.kernels],
            size=[self._size(p) for p in self.kernels],
            symbol=[_SYMBOLS.get(p.row["phase"], "s") for p in self.kernels],
            brush=[pg.mkBrush(self.colours.series(_SERIES[name])) for name in names],
            pen=pg.mkPen(self.colours.ground, width=1),
        )

    def recolour(self) -> None:
        """Colour the roofs and what stands under them."""
        self.roof.setPen(pg.mkPen(self.colours.series(_SERIES.get(self.chosen, "compute")), width=3))
        used = {p.roof for p in self.kernels}
        for line, (name, _) in zip(self.faint, self.others, strict=False):
            # a roof that some kernel works under is drawn in their colour
            ink = self.colours.series(_SERIES[name]) if name in used else self.colours.quiet
            style = Qt.PenStyle.SolidLine if name in used else Qt.PenStyle.DashLine
            line.setPen(pg.mkPen(ink, width=2 if name in used else 1, style=style))
        self.ridge.setPen(pg.mkPen(self.colours.quiet, width=1, style=Qt.PenStyle.DotLine))
        self.leaders.setPen(pg.mkPen(self.colours.quiet, width=1))
        self._colour_points()
        for text in self._texts():
            text.setColor(self.colours.text)
        for text in self.faint_texts:
            text.setColor(self.colours.quiet)
        for text in self._texts():
            text.fill = pg.mkBrush(self.colours.ground)

    def _pointed(self, position: QPointF) -> None:
        super()._pointed(position)
        found = self.at(position) if self.drawn and self.kernels else None
        if found is not None:
            self._say_what_is_read(in_short(found))

    def read(self, x: float, y: float) -> str:
        """Return what the GPU reaches at the intensity under the pointer."""
        if abs(x) > 30:
            return ""
        intensity = 10.0**x
        reached = self.attainable(intensity)
        binds = "compute binds" if reached >= self.peak * (1 - 1e-9) else "memory binds"
        return f"At {units.text(intensity, 'flop_byte')}: {units.text(reached, 'tflops')} at most; {binds}"

    def table(self) -> tuple[tuple[str, ...], Rows]:
        """Return the roofs' corners and this model's kernels."""
        ridge = self.peak * 1000.0 / self.bandwidth
        rows: list[tuple[Any, ...]] = [
            ("roof", x, self.attainable(x), None, "") for x in (self._left(), ridge, self._right())
        ]
        rows += [(name, peak * 1000.0 / self.bandwidth, peak, None, "") for name, peak in self.others]
        rows += [(p.title, p.intensity, p.reached, p.share, p.row["bound_by"]) for p in self.kernels]
        return ("What", "Intensity (FLOP/B)", "TFLOP/s", "Share of the kernels' time (%)", "Bound by"), rows
