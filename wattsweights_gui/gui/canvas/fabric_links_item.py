"""One item that paints all links from their arrays: trunks with counts, nearer bundles, near by each one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from wattsweights_gui.engine.units import number
from wattsweights_gui.gui.canvas.fabric_items import FabricItem
from wattsweights_gui.gui.canvas.fabric_look import DEVICES_FROM, PORTS_FROM
from wattsweights_gui.gui.canvas.fabric_places import HIGH
from wattsweights_gui.gui.canvas.inks import font_of, mixed

MOST_LINES = 3000
_MOST_LIT = 6000
_MOST_LABELS = 40
_SMALL_PX = 11.0
Reals = NDArray[np.float64]


class LinksItem(FabricItem):
    """All links: trunks, bundles or single ones."""

    def paint_at(self, painter: QPainter, scale: float, dx: float, dy: float, wide: int, high: int) -> None:
        """Paint what quietly lies there, then what lights up."""
        look, drawing = self.look, self.look.places
        inks = look.inks
        self._view = (scale, dx, dy, wide, high)
        grey = mixed(inks.ground, inks.edge, 0.3 if look.anything_lit or look.overlay.lost.any() else 0.6)
        if scale < DEVICES_FROM:
            self._trunks(painter, grey)
            return
        ends = (drawing.ax, drawing.ay, drawing.bx, drawing.by)
        near = scale >= PORTS_FROM
        shown = self._in_sight(*ends)
        usual = shown & ~look.lit
        if look.overlay.lost.any():
            usual &= ~look.overlay.lost
        if len(look.overlay.wide) and not look.anything_lit:
            self._by_width(painter, np.flatnonzero(usual), ends)
        elif near:
            self._lines(painter, np.flatnonzero(usual)[:MOST_LINES], ends, QPen(grey, 1))
        else:
            self._bundles(painter, usual, grey)
        self._lit(painter, ends)

    # ------------------------------------------------------------------------------------------------------- which

    def _in_sight(self, ax: Reals, ay: Reals, bx: Reals, by: Reals) -> NDArray[np.bool_]:
        """Return which lines have an end in sight: those that only pass by would hide the others."""
        scale, dx, dy, wide, high = self._view
        left, top = -dx / scale, -dy / scale
        right, bottom = left + wide / scale, top + high / scale
        one = (ax >= left) & (ax <= right) & (ay >= top) & (ay <= bottom)
        found: NDArray[np.bool_] = one | ((bx >= left) & (bx <= right) & (by >= top) & (by <= bottom))
        return found

    def _lines(self, painter: QPainter, which: NDArray[Any], ends: tuple[Reals, ...], pen: QPen) -> None:
        if not len(which):
            return
        scale, dx, dy, _, _ = self._view
        ax, ay, bx, by = (
            (column[which] * scale + shift).tolist() for column, shift in zip(ends, (dx, dy, dx, dy), strict=True)
        )
        painter.setPen(pen)
        painter.drawLines(list(map(QLineF, ax, ay, bx, by)))

    def _middles(self) -> tuple[Reals, Reals, Reals, Reals]:
        """Return the ends of bundles: the middles of the devices' facing edges."""
        drawing = self.look.places
        a, b = drawing.bundle_a, drawing.bundle_b
        over = drawing.y[b] <= drawing.y[a]
        return (
            drawing.x[a] + drawing.wide[a] / 2.0,
            drawing.y[a] + np.where(over, 0.0, HIGH),
            drawing.x[b] + drawing.wide[b] / 2.0,
            drawing.y[b] + np.where(over, HIGH, 0.0),
        )

    # ----------------------------------------------------------------------------------------------------- drawing

    def _bundles(self, painter: QPainter, usual: NDArray[np.bool_], grey: QColor) -> None:
        """Paint one line for all links between two devices; trunks between blocks where there are too many."""
        drawing = self.look.places
        which = np.unique(drawing.bundle_of[usual])
        if len(which) > MOST_LINES:
            self._trunks(painter, grey, labels=False)
            step = -(-len(which) // MOST_LINES)
            inner = which[drawing.block[drawing.bundle_a[which]] == drawing.block[drawing.bundle_b[which]]]
            which = inner[:: max(1, step - 1)] if len(inner) > MOST_LINES else inner
        ends = self._middles()
        counts = drawing.bundle_links[which]
        for least, most, pixels in ((1, 2, 1), (3, 8, 2), (9, 1 << 30, 3)):
            some = which[(counts >= least) & (counts <= most)]
            self._lines(painter, some, ends, QPen(grey, pixels))

    def _by_width(self, painter: QPainter, which: NDArray[Any], ends: tuple[Reals, ...]) -> None:
        """Paint links as wide as the overlay says, the widest last."""
        overlay, inks = self.look.overlay, self.look.inks
        widths = np.clip(np.round(overlay.wide[which]), 0, 8).astype(int)
        for pixels in range(9):
            some = which[widths == pixels]
            if len(some) > MOST_LINES:
                some = some[:: -(-len(some) // MOST_LINES)]
            ink = mixed(inks.ground, inks.accent, 0.15 + 0.1 * pixels)
            self._lines(painter, some, ends, QPen(ink, max(1, pixels)))

    def _lit(self, painter: QPainter, ends: tuple[Reals, ...]) -> None:
        look, inks = self.look, self.look.inks
        scale, dx, dy, wide, high = self._view
        left, top, right, bottom = -dx / scale, -dy / scale, (wide - dx) / scale, (high - dy) / scale
        ax, ay, bx, by = ends
        crosses = (np.minimum(ax, bx) <= right) & (np.maximum(ax, bx) >= left)
        crosses &= (np.minimum(ay, by) <= bottom) & (np.maximum(ay, by) >= top)
        lit = look.lit
        lost = look.overlay.lost if len(look.overlay.lost) else np.zeros(len(lit), dtype=bool)
        for mask, ink, style in (
            (lit & ~lost, inks.accent, Qt.PenStyle.SolidLine),
            (lost, inks.over, Qt.PenStyle.DashLine),
        ):
            which = np.flatnonzero(mask & crosses)
            if not len(which):
                continue
            many = len(which) > 400
            if len(which) > _MOST_LIT:
                which = which[:: -(-len(which) // _MOST_LIT)]
            fine = ink.toRgb()
            fine.setAlpha(110 if many else 255)
            pen = QPen(fine, 1 if many else 2, Qt.PenStyle.SolidLine if many else style)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, not many)
            self._lines(painter, which, ends, pen)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _trunks(self, painter: QPainter, grey: QColor, labels: bool = True) -> None:
        """Paint the bundles between blocks, with their numbers of links."""
        look, drawing = self.look, self.look.places
        if not len(drawing.trunks):
            return
        blocks = drawing.blocks
        middle = np.array([(b.x + b.wide / 2.0, b.y, b.y + b.high) for b in blocks])
        low, high = drawing.trunks[:, 0], drawing.trunks[:, 1]
        over = middle[high, 1] < middle[low, 1]
        ends = (
            middle[low, 0],
            np.where(over, middle[low, 1], middle[low, 2]),
            middle[high, 0],
            np.where(over, middle[high, 2], middle[high, 1]),
        )
        between = drawing.trunk_of >= 0
        lit = np.bincount(drawing.trunk_of[look.lit & between], minlength=len(drawing.trunks))
        lost = look.overlay.lost if len(look.overlay.lost) else np.zeros(len(look.lit), dtype=bool)
        gone = np.bincount(drawing.trunk_of[lost & between], minlength=len(drawing.trunks))
        usual = np.flatnonzero((lit == 0) & (gone == 0))
        wide = self._trunk_wide()
        for pixels in np.unique(wide[usual]).tolist():
            self._lines(painter, usual[wide[usual] == pixels], ends, QPen(grey, pixels))
        for counts, ink in ((np.where(gone > 0, 0, lit), look.inks.accent), (gone, look.inks.over)):
            which = np.flatnonzero(counts)
            for pixels in np.unique(wide[which]).tolist():
                self._lines(painter, which[wide[which] == pixels], ends, QPen(ink, max(2, pixels)))
        if not labels:
            return
        named = np.flatnonzero(lit + gone) if look.anything_lit or lost.any() else np.arange(len(drawing.trunks))
        if len(named) <= _MOST_LABELS:
            counts = np.where(gone > 0, gone, lit) if look.anything_lit or lost.any() else drawing.trunks[:, 2]
            self._labels(painter, named, counts, drawing.trunks[:, 2], ends)

    def _trunk_wide(self) -> NDArray[np.int64]:
        """Return the width of each trunk in pixels: by its links, or by what the overlay says of them."""
        look, drawing = self.look, self.look.places
        counts = drawing.trunks[:, 2]
        if len(look.overlay.wide):
            between = drawing.trunk_of >= 0
            total = np.bincount(
                drawing.trunk_of[between], weights=look.overlay.wide[between], minlength=len(drawing.trunks)
            )
            pixels: NDArray[np.int64] = np.clip(np.round(total / counts), 1, 8).astype(np.int64)
            return pixels
        found: NDArray[np.int64] = np.clip(1 + np.log2(counts) // 4, 1, 5).astype(np.int64)
        return found

    def _labels(
        self, painter: QPainter, which: NDArray[Any], counts: NDArray[Any], of: NDArray[Any], ends: tuple[Reals, ...]
    ) -> None:
        """Write the numbers of links beside the middle of trunks."""
        scale, dx, dy, _, _ = self._view
        painter.setFont(font_of(painter.font(), _SMALL_PX))
        metrics = QFontMetricsF(painter.font())
        for at in which.tolist():
            words = (
                number(int(counts[at]))
                if counts[at] == of[at]
                else f"{number(int(counts[at]))} of {number(int(of[at]))}"
            )
            x = (ends[0][at] + ends[2][at]) / 2.0 * scale + dx
            y = (ends[1][at] + ends[3][at]) / 2.0 * scale + dy
            box = metrics.boundingRect(words).adjusted(-3, -1, 3, 1)
            box.moveCenter(QRectF(x, y, 0, 0).topLeft())
            painter.fillRect(box, self.look.inks.ground)
            painter.setPen(self.look.inks.quiet)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
