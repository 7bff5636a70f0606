"""Parallel coordinates of a layout search: an axis a degree, a line a layout, the best in front."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QFontMetricsF

from wattsweights_gui.engine import units
from wattsweights_gui.engine.search_answers import OBJECTIVES, TITLES, Candidate, SearchResult
from wattsweights_gui.engine.search_words_out import degrees_text
from wattsweights_gui.gui.charts.chart import Rows
from wattsweights_gui.gui.charts.search_chart import SearchChart

BEST = 30
_NEAR = 0.035
_MOST_TICKS = 7
_TEXTS = 120
AXES: tuple[tuple[str, str, str], ...] = (
    ("gpus", "GPUs", "count"), ("gpu", "GPU", ""), ("precision", "Precision", ""), ("tp", "TP", "count"),
    ("pp", "PP", "count"), ("dp", "DP", "count"), ("cp", "CP", "count"), ("ep", "EP", "count"),
    ("etp", "ETP", "count"), ("micro_batch", "Micro", "count"), ("vpp", "Chunks", "count"),
    ("schedule", "Sched.", ""), ("recompute", "Recomp.", ""), ("sharding", "Shards", ""),
    ("memory_gb", "Memory", "gb"), ("days", "Days", "days"),
)  # fmt: skip
SHORT = {
    "1f1b": "1F1B",
    "interleaved": "interl.",
    "zero_bubble": "ZB-H1",
    "zero_bubble_h2": "ZB-H2",
    "selective": "select.",
    "zero1": "ZeRO-1",
    "zero2": "ZeRO-2",
    "fsdp": "FSDP",
}
"""Words as they stand beside an axis; whole under the pointer."""
UNITS = {"power_kw": "kw", "energy_mwh": "mwh", "cost": "usd", "tokens_per_s_per_gpu": ""}


class ParallelChart(SearchChart):
    """A sample of all layouts that fit: quiet lines for the rest, strong ones for the best, one for the chosen."""

    TITLE = "Parallel coordinates"
    TICK = 0

    def prepare(self) -> None:
        """Make three items of lines, the axes and the words on them."""
        self.names: list[tuple[str, str, str]] = []
        self.heights = np.zeros((0, 0))
        self.layouts: list[Candidate] = []
        self.rest = self.item.plot([], [], connect="finite")
        self.best = self.item.plot([], [], connect="finite", antialias=True)
        self.line = self.item.plot([], [], antialias=True)
        self.uprights = self.item.plot([], [], connect="finite")
        self.texts = [self.label(anchor=(0, 0.5)) for _ in range(_TEXTS)]
        for text in self.texts:
            text.setZValue(10)
            self.item.addItem(text, ignoreBounds=True)
        self.item.setMouseEnabled(x=False, y=False)
        self.item.getViewBox().disableAutoRange()
        self.item.hideAxis("left")
        self.setAccessibleName(self.TITLE)

    def draw_found(self, found: SearchResult) -> str:
        """Draw the sample."""
        if not len(found.sample):
            return found.note or "No layout fits."
        self.layouts = list(found.sample)
        columns = found.sample.columns
        field = OBJECTIVES[found.objective]
        known = [*AXES]
        if field not in (name for name, _, _ in AXES):
            known.append((field, TITLES[found.objective], UNITS[field]))
        last = ("memory_gb", "days", field)
        self.names = [a for a in known if a[0] in last or len(set(columns[a[0]])) > 1]
        self._scales = [_Scale.of(columns[name], unit, self.system) for name, _, unit in self.names]
        each = zip(self._scales, self.names, strict=True)
        self.heights = np.array([scale.heights(columns[name]) for scale, (name, _, _) in each]).T
        total = units.number(float(found.sample.total))
        self.sentence.setText(
            f"{total} layouts fit; the {min(BEST, len(self.layouts))} best by "
            f"{TITLES[found.objective].lower()} stand out. A click on a line chooses it."
        )
        self._place()
        return ""

    def _ticks_that_fit(self) -> int:
        line = QFontMetricsF(self.font()).height()
        return max(2, min(_MOST_TICKS, int(0.86 * self.item.getViewBox().height() / line)))

    def _resized(self, *_: object) -> None:
        if self.drawn and self.names:
            self._place()
            self.mark(self.chosen)
        super()._resized()

    def _place(self) -> None:
        count = len(self.layouts)
        self._lines(self.rest, range(BEST, count))
        self._lines(self.best, range(min(BEST, count)))
        self.line.setData([], [])
        ups = np.arange(len(self.names), dtype=float)
        self.uprights.setData(
            np.column_stack([ups, ups, np.full_like(ups, np.nan)]).ravel(),
            np.tile([0.0, 1.0, np.nan], len(ups)),
        )
        self.item.getAxis("bottom").setTicks([[(n, title) for n, (_, title, _) in enumerate(self.names)]])
        texts = iter(self.texts)
        for n, scale in enumerate(self._scales):
            for at, words in scale.ticks(self._ticks_that_fit()):
                text = next(texts, None)
                if text is not None:
                    text.setText(f"\u00a0{words}")
                    text.setPos(QPointF(n, at))
                    text.setVisible(True)
        for text in texts:
            text.setVisible(False)

    def _lines(self, item: Any, rows: range) -> None:
        if not len(rows):
            item.setData([], [])
            return
        heights = self.heights[rows.start : rows.stop]
        x = np.tile(np.append(np.arange(heights.shape[1], dtype=float), np.nan), len(heights))
        item.setData(x, np.column_stack([heights, np.full(len(heights), np.nan)]).ravel())

    def mark(self, layout: Candidate | None) -> None:
        """Draw the chosen layout over all others, whether or not it is in the sample."""
        if layout is None:
            self.line.setData([], [])
            return
        each = zip(self._scales, self.names, strict=True)
        values = [scale.heights((getattr(layout, name),))[0] for scale, (name, _, _) in each]
        self.line.setData(np.arange(len(values), dtype=float), np.clip(values, -0.02, 1.02))

    def reset_view(self) -> None:
        """Show all axes, with room for the words at the last."""
        if self.names:
            self.item.getViewBox().setRange(
                xRange=(-0.45, len(self.names) - 1 + 1.3), yRange=(-0.08, 1.08), padding=0.0
            )

    def recolour(self) -> None:
        """Colour the lines and the words."""
        quiet = QColor(self.colours.quiet)
        quiet.setAlpha(60 if self.colours.dark else 30)
        self.rest.setPen(pg.mkPen(quiet, width=1))
        self.best.setPen(pg.mkPen(self.colours.fine, width=1))
        self.line.setPen(pg.mkPen(self.colours.over, width=3))
        self.uprights.setPen(pg.mkPen(self.colours.quiet, width=1))
        for text in self.texts:
            text.setColor(self.colours.text)
            ground = QColor(self.colours.ground)
            ground.setAlpha(190)
            text.fill = pg.mkBrush(ground)

    def at(self, x: float, y: float) -> Candidate | None:
        """Return the layout whose line passes nearest, the best first."""
        if not self.layouts or not 0.0 <= x <= len(self.names) - 1:
            return None
        left = min(int(x), len(self.names) - 2)
        heights = self.heights[:, left] * (left + 1 - x) + self.heights[:, left + 1] * (x - left)
        away = np.abs(heights - y)
        near = int(np.argmin(away))
        return self.layouts[near] if away[near] <= _NEAR else None

    def read(self, x: float, y: float) -> str:
        """Return the layout under the pointer."""
        layout = self.at(x, y)
        if layout is None:
            return ""
        return (
            f"{units.text(layout.gpus, 'count')} GPUs, {degrees_text(layout)}: "
            f"{units.text(layout.days, 'days', self.system)}, {units.text(layout.memory_gb, 'gb', self.system)}"
        )

    def table(self) -> tuple[tuple[str, ...], Rows]:
        """Return the sample."""
        rows = [tuple(getattr(layout, name) for name, _, _ in AXES) for layout in self.layouts]
        return tuple(title for _, title, _ in AXES), rows


class _Scale:
    """One axis from 0 to 1: words and degrees evenly, what runs on by its logarithm."""

    def __init__(self, values: list[Any], words: list[str], even: bool) -> None:
        self.values, self.words, self.even = values, words, even

    @classmethod
    def of(cls, column: tuple[Any, ...], unit: str, system: units.System) -> _Scale:
        """Make the scale of a column."""
        known = sorted({v for v in column if v is not None})
        if not known:
            return cls([], [], True)
        if isinstance(known[0], str):
            return cls(known, [SHORT.get(v, v) for v in known], True)
        if unit == "count":
            return cls(known, [units.number(v) for v in known], True)
        ends = [float(known[0]), float(known[-1])] if known[-1] > known[0] else [float(known[0])]
        return cls(ends, [units.text(v, unit, system) if unit else units.number(v) for v in ends], False)

    def heights(self, column: tuple[Any, ...]) -> Any:
        """Return where values stand; in the middle what is not known."""
        if not self.values or len(self.values) == 1:
            return np.full(len(column), 0.5)
        if self.even:
            if isinstance(self.values[0], str):
                steps = {v: n / (len(self.values) - 1) for n, v in enumerate(self.values)}
                return np.array([steps.get(v, 0.5) for v in column])
            return np.interp(np.array(column, dtype=float), self.values, np.linspace(0, 1, len(self.values)))
        low, high = np.log(max(self.values[0], 1e-12)), np.log(max(self.values[-1], 1e-12))
        given = np.array([np.nan if v is None else max(float(v), 1e-12) for v in column])
        return np.nan_to_num((np.log(given) - low) / (high - low or 1.0), nan=0.5)

    def ticks(self, most: int) -> list[tuple[float, str]]:
        """Return where words stand, thinned where there are many."""
        count = len(self.values)
        if count == 1:
            return [(0.5, self.words[0])]
        picked = sorted({round(n) for n in np.linspace(0, count - 1, min(count, most))}) if count else []
        return [(n / (count - 1), self.words[n]) for n in picked]
