"""Heat map of a layout search: the shortest run of each tensor × pipeline degree, and why there is none elsewhere."""

from __future__ import annotations

import math

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor

from wattsweights_gui.engine import units
from wattsweights_gui.engine.search_answers import Candidate, GridCell, SearchResult
from wattsweights_gui.engine.search_words_out import degrees_text
from wattsweights_gui.gui.charts.chart import Rows
from wattsweights_gui.gui.charts.search_chart import SearchChart

_MOST_TEXTS = 200
_TALL, _WIDE = 16.0, 40.0
"""Pixels that a number in a cell needs."""
# from the longest run to the shortest, on a light and on a dark ground: one hue, told apart by how light it is
LIGHT = ((222, 235, 247), (8, 69, 128))
DARK = ((31, 54, 77), (158, 202, 240))
_INK, _PAPER = "#101010", "#ffffff"


class GridChart(SearchChart):
    """A cell a tensor × pipeline degree, the shorter the run the stronger."""

    TITLE = "TP × PP"
    TICK = 0

    def prepare(self) -> None:
        """Make the picture, the numbers in it, and the frames of the best and of the chosen cell."""
        self.cells: dict[tuple[int, int], GridCell] = {}
        self.tensors: list[int] = []
        self.depths: list[int] = []
        self.picture = pg.ImageItem(axisOrder="row-major")
        self.item.addItem(self.picture)
        self.frames = [self.item.plot([], []) for _ in range(2)]
        self.texts = [self.label(anchor=(0.5, 0.5)) for _ in range(_MOST_TEXTS)]
        for text in self.texts:
            text.setZValue(10)
            self.item.addItem(text, ignoreBounds=True)
        self.item.setMouseEnabled(x=False, y=False)
        self.item.getViewBox().disableAutoRange()
        self.label_axis("bottom", "Pipeline parallel (stages)")
        self.label_axis("left", "Tensor parallel (GPUs)", "TP")
        self.setAccessibleName(self.TITLE)

    def draw_found(self, found: SearchResult) -> str:
        """Draw all cells in which anything was looked at."""
        shown = [c for c in found.grid if c.days is not None]
        if not shown:
            return found.note or "No layout fits."
        self.cells = {(c.tp, c.pp): c for c in found.grid}
        self.tensors = sorted({c.tp for c in found.grid})
        self.depths = sorted({c.pp for c in found.grid if c.days is not None or "divide" not in c.reason})
        self.best_cell = min(shown, key=lambda c: (c.days or math.inf, c.tp, c.pp))
        best = self.best_cell
        self.sentence.setText(
            f"Shortest: {units.text(best.days, 'days', self.system)} with TP {best.tp} × PP {best.pp}. "
            "Stronger is shorter; where it is empty none fits."
        )
        self._place()
        return ""

    def _share(self, cell: GridCell) -> float:
        """Return 0 for the longest run that is drawn and 1 for the shortest, by the logarithm."""
        days = [math.log(c.days) for c in self.cells.values() if c.days]
        low, high = min(days), max(days)
        return 1.0 if high == low else (high - math.log(cell.days or 1.0)) / (high - low)

    def _colour(self, cell: GridCell) -> QColor:
        ends = DARK if self.colours.dark else LIGHT
        share = self._share(cell)
        return QColor(*(round(a + (b - a) * share) for a, b in zip(*ends, strict=True)))

    def _place(self) -> None:
        rows, columns = len(self.tensors), len(self.depths)
        pixels = np.zeros((rows, columns, 4), dtype=np.ubyte)
        for r, tensor in enumerate(self.tensors):
            for c, depth in enumerate(self.depths):
                cell = self.cells.get((tensor, depth))
                if cell is not None and cell.days is not None:
                    colour = self._colour(cell)
                    pixels[r, c] = (colour.red(), colour.green(), colour.blue(), 255)
        self.picture.setImage(pixels, levels=(0, 255))
        self.picture.setRect(QRectF(-0.5, -0.5, columns, rows))
        self.item.getAxis("left").setTicks([[(n, str(t)) for n, t in enumerate(self.tensors)]])
        every = max(1, math.ceil(columns * 26 / max(self.item.getViewBox().width(), 200.0)))
        ticks = [(n, str(p)) for n, p in enumerate(self.depths) if n % every == 0]
        self.item.getAxis("bottom").setTicks([ticks])
        self._frame(0, self.best_cell.tp, self.best_cell.pp)
        self._write()

    def _write(self) -> None:
        box = self.item.getViewBox()
        tall, wide = box.height() / max(len(self.tensors), 1), box.width() / max(len(self.depths), 1)
        fits = tall >= _TALL and wide >= _WIDE
        texts = iter(self.texts)
        for (tensor, depth), cell in self.cells.items():
            if fits and cell.days is not None and depth in self.depths:
                text = next(texts, None)
                if text is None:
                    break
                text.setText(units.number(units.shown(cell.days, "days", self.system)[0]))
                text.setColor(_INK if self._colour(cell).lightnessF() > 0.5 else _PAPER)
                text.setPos(QPointF(self.depths.index(depth), self.tensors.index(tensor)))
                text.setVisible(True)
        for text in texts:
            text.setVisible(False)

    def _frame(self, which: int, tensor: int, depth: int) -> None:
        if tensor not in self.tensors or depth not in self.depths:
            self.frames[which].setData([], [])
            return
        x, y = self.depths.index(depth), self.tensors.index(tensor)
        self.frames[which].setData(
            [x - 0.5, x + 0.5, x + 0.5, x - 0.5, x - 0.5], [y - 0.5, y - 0.5, y + 0.5, y + 0.5, y - 0.5]
        )

    def mark(self, layout: Candidate | None) -> None:
        """Frame the cell of the chosen layout."""
        self._frame(1, layout.tp if layout else 0, layout.pp if layout else 0)

    def reset_view(self) -> None:
        """Show all cells."""
        if self.tensors:
            self.item.getViewBox().setRange(
                xRange=(-0.5, len(self.depths) - 0.5), yRange=(-0.5, len(self.tensors) - 0.5), padding=0.01
            )
            self._place()

    def recolour(self) -> None:
        """Colour the cells and the frames."""
        self.frames[0].setPen(pg.mkPen(self.colours.text, width=2))
        self.frames[1].setPen(pg.mkPen(self.colours.over, width=3))
        if self.cells:
            self._place()

    def cell_at(self, x: float, y: float) -> GridCell | None:
        """Return the cell at a point of the plot."""
        column, row = round(x), round(y)
        if not (0 <= column < len(self.depths) and 0 <= row < len(self.tensors)):
            return None
        return self.cells.get((self.tensors[row], self.depths[column]))

    def at(self, x: float, y: float) -> Candidate | None:
        """Return the best layout of the cell at a point."""
        cell = self.cell_at(x, y)
        return cell.best if cell is not None else None

    def read(self, x: float, y: float) -> str:
        """Return what the cell under the pointer has, or why it has nothing."""
        cell = self.cell_at(x, y)
        if cell is None:
            return ""
        name = f"TP {cell.tp} × PP {cell.pp}"
        if cell.best is None:
            return f"{name}: none fits ({cell.reason})"
        days = units.text(cell.best.days, "days", self.system)
        many = units.text(cell.fitting, "count")
        return f"{name}: {days} on {units.text(cell.best.gpus, 'count')} GPUs; {many} fit; {degrees_text(cell.best)}"

    def table(self) -> tuple[tuple[str, ...], Rows]:
        """Return the cells."""
        rows = [(c.tp, c.pp, c.days, c.gpus, c.fitting, c.reason) for c in self.cells.values()]
        return ("TP", "PP", "Days", "GPUs", "Fitting", "Why none"), rows
