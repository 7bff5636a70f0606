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
from wattsweights_gui.gui.canvas.inks import font_of, mixed
from wattsweights_gui.layout.fabric_paths import Mask

MOST_LINES = 600
FINE_LINES = 150
_RIM = 4.0
_MOST_LABELS = 40
_SMALL_PX = 11.0
Reals = NDArray[np.float64]
Ends = tuple[Reals, Reals, Reals, Reals]


def _some(which: NDArray[Any], most: int) -> NDArray[Any]:
    """Return no more than so many, evenly taken."""
    return which[:: -(-len(which) // most)] if len(which) > most else which


def clipped(ax: Reals, ay: Reals, bx: Reals, by: Reals, wide: float, high: float) -> tuple[Reals, ...]:
    """Return the parts of lines inside a window (Liang and Barsky 1984): painting far beyond it takes long."""
    dx, dy = bx - ax, by - ay
    start, end = np.zeros(len(ax)), np.ones(len(ax))
    for step, room in ((-dx, ax + _RIM), (dx, wide + _RIM - ax), (-dy, ay + _RIM), (dy, high + _RIM - ay)):
        at = room / np.where(step == 0.0, 1.0, step)
        start = np.where(step < 0.0, np.maximum(start, at), start)
        end = np.where(step > 0.0, np.minimum(end, at), end)
        end = np.where((step == 0.0) & (room < 0.0), -1.0, end)
    seen = start <= end
    ax, ay, dx, dy, start, end = (column[seen] for column in (ax, ay, dx, dy, start, end))
    return ax + start * dx, ay + start * dy, ax + end * dx, ay + end * dy


class LinksItem(FabricItem):
    """All links: trunks, bundles or single ones."""

    def paint_at(self, painter: QPainter, scale: float, dx: float, dy: float, wide: int, high: int) -> None:
        """Paint what quietly lies there, then what lights up: trunks, then bundles, near by single links."""
        look = self.look
        self._view = (scale, dx, dy, wide, high)
        lost = look.overlay.lost if len(look.overlay.lost) else np.zeros(len(look.lit), dtype=bool)
        grey = mixed(look.inks.ground, look.inks.edge, 0.22 if look.anything_lit or lost.any() else 0.45)
        if scale < DEVICES_FROM:
            self._trunks(painter, grey)
        elif scale < PORTS_FROM:
            bundle_of, most = look.places.bundle_of, len(look.places.bundle_a)
            widths = np.zeros(most if len(look.overlay.wide) else 0)
            if len(widths):
                np.maximum.at(widths, bundle_of, look.overlay.wide)
            lit, gone = (np.bincount(bundle_of[mask], minlength=most) > 0 for mask in (look.lit, lost))
            self._all(painter, look.places.middles, lit, gone, widths, grey)
        else:
            ends = (look.places.ax, look.places.ay, look.places.bx, look.places.by)
            self._all(painter, ends, look.lit, lost, look.overlay.wide, grey)

    def _all(self, painter: QPainter, ends: Ends, lit: Mask, lost: Mask, widths: Reals, grey: QColor) -> None:
        """Paint lines, of which there are as many as ends: the usual ones, those that light up, those that are lost."""
        look, inks = self.look, self.look.inks
        seen, passing = self._in_sight(*ends)
        usual = np.flatnonzero(seen & ~lit & ~lost)
        if len(widths) and not look.anything_lit:
            self._by_width(painter, usual, ends, widths)
        else:
            most = MOST_LINES // 3 if look.anything_lit else MOST_LINES
            few = len(usual) <= FINE_LINES and not look.anything_lit
            pen = QPen(inks.edge, 1.5) if few else QPen(grey, 1)
            self._lines(painter, _some(usual, most), ends, pen)
        for mask, ink, style in (
            (lit & ~lost, inks.accent, Qt.PenStyle.SolidLine),
            (lost, inks.over, Qt.PenStyle.DashLine),
        ):
            near, far = np.flatnonzero(mask & seen), np.flatnonzero(mask & passing & ~seen)
            which = np.concatenate([_some(near, MOST_LINES), _some(far, MOST_LINES // 3)])
            many = len(which) > FINE_LINES
            ink = mixed(inks.ground, ink, 0.6) if many else ink
            self._lines(painter, which, ends, QPen(ink, 1 if many else 2, Qt.PenStyle.SolidLine if many else style))

    # ------------------------------------------------------------------------------------------------------- which

    def _in_sight(self, ax: Reals, ay: Reals, bx: Reals, by: Reals) -> tuple[Mask, Mask]:
        """Return which lines have an end in sight, and which may pass by: these would hide the others."""
        scale, dx, dy, wide, high = self._view
        left, top = -dx / scale, -dy / scale
        right, bottom = left + wide / scale, top + high / scale
        seen: Mask = (ax >= left) & (ax <= right) & (ay >= top) & (ay <= bottom)
        seen = seen | ((bx >= left) & (bx <= right) & (by >= top) & (by <= bottom))
        passing: Mask = (np.minimum(ax, bx) <= right) & (np.maximum(ax, bx) >= left)
        passing = passing & (np.minimum(ay, by) <= bottom) & (np.maximum(ay, by) >= top)
        return seen, passing

    def _lines(self, painter: QPainter, which: NDArray[Any], ends: Ends, pen: QPen) -> None:
        if not len(which):
            return
        scale, dx, dy, wide, high = self._view
        x1, y1, x2, y2 = (column[which] * scale + shift for column, shift in zip(ends, (dx, dy, dx, dy), strict=True))
        ax, ay, bx, by = (column.tolist() for column in clipped(x1, y1, x2, y2, wide, high))
        painter.setPen(pen)
        fine = len(which) <= FINE_LINES
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, fine)
        painter.drawLines(list(map(QLineF, ax, ay, bx, by)))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    # ----------------------------------------------------------------------------------------------------- drawing

    def _by_width(self, painter: QPainter, which: NDArray[Any], ends: Ends, widths: Reals) -> None:
        """Paint lines as wide as the overlay says, the widest last."""
        inks = self.look.inks
        grades = np.clip(np.round(widths[which]), 0, 8).astype(int)
        finer = min(1.0, max(0.25, self._view[0]))  # as wide as that they would hide one another from afar
        for grade in np.unique(grades).tolist():
            some = _some(which[grades == grade], MOST_LINES // 2)
            pen = QPen(mixed(inks.ground, inks.accent, 0.15 + 0.1 * grade), max(1, round(grade * finer)))
            self._lines(painter, some, ends, pen)

    def _trunks(self, painter: QPainter, grey: QColor) -> None:
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
        found: NDArray[np.int64] = np.clip(np.log2(counts) // 4, 1, 4).astype(np.int64)
        return found

    def _labels(
        self, painter: QPainter, which: NDArray[Any], counts: NDArray[Any], of: NDArray[Any], ends: Ends
    ) -> None:
        """Write the numbers of links beside the middle of trunks."""
        scale, dx, dy, _, _ = self._view
        painter.setFont(font_of(painter.font(), _SMALL_PX))
        metrics = QFontMetricsF(painter.font())
        # a label lies nearer the end at which fewer trunks meet, where there is room for it
        meets = np.bincount(self.look.places.trunks[which, :2].ravel(), minlength=len(self.look.places.blocks))
        low, high = self.look.places.trunks[:, 0], self.look.places.trunks[:, 1]
        toward = np.where(meets[low] > meets[high], 0.68, np.where(meets[low] < meets[high], 0.32, 0.5))
        for at in which.tolist():
            words = (
                number(int(counts[at]))
                if counts[at] == of[at]
                else f"{number(int(counts[at]))} of {number(int(of[at]))}"
            )
            x = (ends[0][at] + toward[at] * (ends[2][at] - ends[0][at])) * scale + dx
            y = (ends[1][at] + toward[at] * (ends[3][at] - ends[1][at])) * scale + dy
            box = metrics.boundingRect(words).adjusted(-3, -1, 3, 1)
            box.moveCenter(QRectF(x, y, 0, 0).topLeft())
            painter.fillRect(box, self.look.inks.ground)
            painter.setPen(self.look.inks.quiet)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
