"""GPUs against days: the layout with more and fewer replicas, between the memory floor and the facility's ceiling."""

from __future__ import annotations

import math

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFontMetricsF

from wattsweights_gui.engine import units
from wattsweights_gui.engine.both_ends import BothEnds
from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.declare import Figure, Table
from wattsweights_gui.gui.charts.chart import Chart, Rows
from wattsweights_gui.gui.charts.log_axis import LogAxis

Point = tuple[float, float]
# how far beyond the outermost line the curve is shown, as a factor
_ABOUT = 16.0


def curve_of(evaluation: Evaluation) -> list[Point]:
    """Return (GPUs, days) from the first table of the split that has both columns; nothing where none has."""
    outcome = evaluation.results.get("parallelism")
    if outcome is None:
        return []
    for _, table in outcome.tables():
        gpus, days = _column(table, "gpus"), _column(table, "days")
        if gpus is not None and days is not None:
            pairs = ((row[gpus], row[days]) for row in table.rows)
            return sorted(
                (float(g), float(d))
                for g, d in pairs
                if isinstance(g, int | float) and isinstance(d, int | float) and g > 0 and d > 0
            )
    return []


def _column(table: Table, name: str) -> int | None:
    heads = [column.casefold() for column in table.columns]
    return heads.index(name) if name in heads else None


class GpusDaysChart(Chart):
    """A curve, this plan on it with its spread, and the limits of both ends as named lines."""

    TITLE = "GPUs and days"
    ENDS = True
    LAYERS = frozenset({"workload", "compute", "parallelism", "fabric", "cluster", "power", "cooling", "floor"})
    EMPTY = "Days against the number of GPUs stand here once a layout is known."

    def axes(self) -> dict[str, pg.AxisItem]:
        """Both are logarithmic: twice the GPUs is half the days at best."""
        return {"left": LogAxis("left"), "bottom": LogAxis("bottom")}

    def prepare(self) -> None:
        """Make the curve, the plan's point with its spread, and the lines."""
        self.curve: list[Point] = []
        self.plan: Point | None = None
        self.spread: Point | None = None
        self.marks: list[tuple[str, float, str, str]] = []
        self.line = self.item.plot([], [], antialias=True)
        self.dots = pg.ScatterPlotItem(size=5, pxMode=True)
        self.span = self.item.plot([], [], antialias=True)
        self.point = pg.ScatterPlotItem(size=13, symbol="d", pxMode=True)
        self.item.addItem(self.dots)
        self.item.addItem(self.point)
        self.point_text = self.label(anchor=(0, 1))
        self.lines = [pg.InfiniteLine(angle=90, movable=False) for _ in range(3)]
        self.lines.append(pg.InfiniteLine(angle=0, movable=False))
        self.texts = [self.label() for _ in range(3)] + [self.label(anchor=(1, 1))]
        for made in (*self.lines, *self.texts):
            self.item.addItem(made, ignoreBounds=True)
        self.item.addItem(self.point_text, ignoreBounds=True)  # over the lines
        self.item.getViewBox().disableAutoRange()
        self.label_axis("bottom", "GPUs")
        self.label_axis("left", "Time to train (days)", "Days")

    def draw(self, evaluation: Evaluation, ends: BothEnds | None) -> str:
        """Draw the curve, the plan and the limits that are known."""
        split = evaluation.results.get("parallelism")
        self.curve = curve_of(evaluation)
        gpus, days = _number(split, "gpus"), _number(split, "days")
        self.plan = (gpus, days) if gpus and days else None
        low, high = _number(split, "days_low"), _number(split, "days_high")
        self.spread = (low, high) if low and high else None
        if self.plan is None and not self.curve:
            figure = getattr(split, "days", None)
            return (figure.formula if isinstance(figure, Figure) else "") or "Nothing is known yet."
        self.marks = []
        self._mark("holds the model", _number(split, "min_gpus_memory"), "model")
        self._mark("meets the date", _number(split, "gpus_for_deadline"), "plan")
        hosted = ends.have.gpus if ends is not None else None
        self._mark("facility hosts", float(hosted.number) if hosted is not None and hosted.known else None, "facility")
        wanted = evaluation.plan.inputs("workload").fig("days")
        if wanted.known:
            self.marks.append(("wanted", wanted.number, "text", "days"))
        self.sentence.setText(self._say(ends))
        self._place()
        return ""

    def _mark(self, name: str, value: float | None, series: str) -> None:
        if value:
            self.marks.append((name, value, series, "gpus"))

    def _say(self, ends: BothEnds | None) -> str:
        if self.plan is None:
            return "The plan's own number of GPUs is not known."
        gpus, days = self.plan
        spread = ""
        if self.spread:
            spread = f" ({units.number(self.spread[0], 2)} to {units.number(self.spread[1], 2)} expected)"
        text = f"This plan: {units.number(gpus)} GPUs, {units.text(days, 'days')}{spread}."
        hosted = ends.have.gpus if ends is not None else None
        if hosted is not None and hosted.known:
            text += f" The facility hosts {units.number(hosted.number)}."
        return text

    def _place(self) -> None:
        xs, ys = [math.log10(g) for g, _ in self.curve], [math.log10(d) for _, d in self.curve]
        self.line.setData(xs, ys)
        self.dots.setData(xs, ys)
        if self.plan:
            x, y = math.log10(self.plan[0]), math.log10(self.plan[1])
            self.point.setData([x], [y])
            self.point_text.setText("\u00a0this plan")
            self.point_text.setPos(QPointF(x, y))
            low, high = self.spread or (self.plan[1], self.plan[1])
            self.span.setData([x, x], [math.log10(low), math.log10(high)])
        else:
            self.point.setData([], [])
            self.span.setData([], [])
        self.point.setVisible(self.plan is not None)
        self.point_text.setVisible(self.plan is not None)
        self._style_marks()
        self.reset_view()

    def _style_marks(self) -> None:
        vertical = [m for m in self.marks if m[3] == "gpus"]
        level = next((m for m in self.marks if m[3] == "days"), None)
        places: list[tuple[str, float, str, str] | None] = [*vertical, *[None] * (3 - len(vertical)), level]
        for line, text, mark in zip(self.lines, self.texts, places, strict=True):
            line.setVisible(mark is not None)
            text.setVisible(mark is not None)
            if mark is None:
                continue
            name, value, series, kind = mark
            colour = self.colours.text if series == "text" else self.colours.series(series)
            style = Qt.PenStyle.DashLine if series in ("text", "plan") else Qt.PenStyle.SolidLine
            line.setPos(math.log10(value))
            line.setPen(pg.mkPen(colour, width=2, style=style))
            text.setColor(self.colours.text)
            words = units.number(value) if kind == "gpus" else units.text(value, "days")
            text.setText(f"{name} {words}" if kind == "gpus" else f"{words} {name}")

    def reset_view(self) -> None:
        """Show the curve about this plan, the plan and every limit, with room around them for their names."""
        gpus = [m[1] for m in self.marks if m[3] == "gpus"] + ([self.plan[0]] if self.plan else [])
        curve = [p for p in self.curve if not gpus or min(gpus) / _ABOUT <= p[0] <= max(gpus) * _ABOUT] or self.curve
        xs = gpus + [g for g, _ in curve]
        ys = [d for _, d in curve] + [m[1] for m in self.marks if m[3] == "days"]
        if self.plan:
            ys += [self.plan[1], *(self.spread or ())]
        if not xs or not ys:
            return
        left, right = self._with_room(math.log10(min(xs)) - 0.1, math.log10(max(xs)) + 0.1)
        low, high = math.log10(min(ys)) - 0.1, math.log10(max(ys)) + 0.1
        # a line of words above what is highest, for the date that is wanted
        high += (high - low) * self._line_of_words()
        self.item.getViewBox().setRange(xRange=(left, right), yRange=(low, high), padding=0.0)
        self._place_names(low, high)
        level = next((m for m in self.marks if m[3] == "days"), None)
        if level:
            self.texts[3].setPos(QPointF(right, math.log10(level[1])))

    def _line_of_words(self) -> float:
        """Return the height of a line of words as a share of the plot's."""
        return 1.1 * QFontMetricsF(self.font()).height() / max(self.item.getViewBox().height(), 60.0)

    def _named(self) -> list[tuple[float, pg.TextItem, bool]]:
        """Return log GPUs, words and whether they stand at the left, of each vertical line."""
        middle = self.plan[0] if self.plan else math.inf
        marks = [m for m in self.marks if m[3] == "gpus"]
        return [(math.log10(m[1]), text, m[1] <= middle) for m, text in zip(marks, self.texts, strict=False)]

    def _with_room(self, left: float, right: float) -> tuple[float, float]:
        """Return a range that has room for the names beside the outermost lines."""
        wide = max(self.item.getViewBox().width(), 200.0)
        measure = QFontMetricsF(self.font())
        for at, text, at_left in self._named():
            share = min((measure.horizontalAdvance(text.toPlainText()) + 16.0) / wide, 0.4)
            if at_left:
                left = min(left, (at - share * right) / (1.0 - share))
            else:
                right = max(right, (at - share * left) / (1.0 - share))
        return left, right

    def _place_names(self, low: float, high: float) -> None:
        """Put the names where a falling curve leaves room: under it left of the plan, over it at the right."""
        step = (high - low) * self._line_of_words()
        for at_left in (True, False):
            taken: list[list[float]] = []  # by row, where the words nearest to the plan end
            sign = -1.0 if at_left else 1.0
            beside = [(at, text) for at, text, left in self._named() if left == at_left]
            for at, text in sorted(beside, key=lambda pair: sign * pair[0]):
                row = next((r for r, ends in enumerate(taken) if sign * (at - ends[0]) >= 0), len(taken))
                end = at + sign * self._wide(text)
                taken[row:] = [[end], *taken[row + 1 :]]
                text.setAnchor((1.0, 1.0) if at_left else (0.0, 0.0))
                text.setPos(QPointF(at, low + row * step if at_left else high - (row + 1) * step))

    def _wide(self, text: pg.TextItem) -> float:
        """Return how wide words are on the axis of GPUs."""
        box = self.item.getViewBox()
        left, right = box.viewRange()[0]
        shown = QFontMetricsF(self.font()).horizontalAdvance(text.toPlainText()) + 16.0
        return shown * (right - left) / max(box.width(), 200.0)

    def recolour(self) -> None:
        """Colour the curve and the plan."""
        colour = self.colours.series("plan")
        self.line.setPen(pg.mkPen(colour, width=2))
        self.dots.setPen(None)
        self.dots.setBrush(pg.mkBrush(colour))
        self.span.setPen(pg.mkPen(self.colours.text, width=2))
        self.point.setPen(pg.mkPen(self.colours.ground, width=1))
        self.point.setBrush(pg.mkBrush(self.colours.text))
        self.point_text.setColor(self.colours.text)
        for text in (*self.texts[:3], self.point_text):
            text.fill = pg.mkBrush(self.colours.ground)
        self._style_marks()

    def read(self, x: float, y: float) -> str:
        """Return the nearest point of the curve."""
        points = [*self.curve, *([self.plan] if self.plan else [])]
        if not points:
            return ""
        gpus, days = min(points, key=lambda p: abs(math.log10(p[0]) - x))
        return f"{units.number(gpus)} GPUs: {units.text(days, 'days')}"

    def table(self) -> tuple[tuple[str, ...], Rows]:
        """Return the curve, this plan and the limits."""
        rows: list[tuple[str, float | None, float | None]] = [("more or fewer replicas", g, d) for g, d in self.curve]
        if self.plan:
            rows.append(("this plan", *self.plan))
        for name, value, _, kind in self.marks:
            rows.append((name, value, None) if kind == "gpus" else (name, None, value))
        return ("What", "GPUs", "Days"), rows


def _number(outcome: object, name: str) -> float | None:
    figure = getattr(outcome, name, None)
    return figure.number if isinstance(figure, Figure) and figure.known else None
