"""One item that paints all devices: from far away blocks, nearer boxes with names, near by every port."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QPainter, QPen, QStaticText, QTransform

from wattsweights_gui.engine.wiring import CORE, LEAF, NODE, SPINE
from wattsweights_gui.gui.canvas.fabric_items import FabricItem
from wattsweights_gui.gui.canvas.fabric_look import DEVICES_FROM, NUMBERS_FROM, PORTS_FROM, FabricLook
from wattsweights_gui.gui.canvas.fabric_places import HIGH, PORT_BOX
from wattsweights_gui.gui.canvas.inks import font_of, mixed

_SMALL_PX, _TITLE_PX = 11.0, 13.0
_MOST_KEPT = 5000
_ROWS = {CORE: "Cores", SPINE: "Spines", LEAF: "Leaves", NODE: "Nodes"}


class DevicesItem(FabricItem):
    """All devices: blocks, boxes, or boxes with their ports."""

    def __init__(self, look: FabricLook) -> None:
        super().__init__(look)
        self._labels: dict[tuple[str, int], QStaticText] = {}

    def paint_at(self, painter: QPainter, scale: float, dx: float, dy: float, wide: int, high: int) -> None:
        """Paint what is in sight."""
        self._view = (scale, dx, dy, wide, high)
        if scale < DEVICES_FROM:
            self._blocks(painter)
            return
        drawing = self.look.places
        which = drawing.devices_in(-dx / scale, -dy / scale, (wide - dx) / scale, (high - dy) / scale)
        if not self.look.wires.edits.from_plan:
            self._rows(painter)
        if scale < PORTS_FROM:
            self._titles(painter)
        self._boxes(painter, which)
        if scale >= PORTS_FROM:
            self._ports(painter, which)
        self._names(painter, which)

    def _rect(self, x: float, y: float, wide: float, high: float) -> QRectF:
        scale, dx, dy, _, _ = self._view
        return QRectF(x * scale + dx, y * scale + dy, wide * scale, high * scale)

    def _rects(self, which: NDArray[Any]) -> list[QRectF]:
        drawing = self.look.places
        scale, dx, dy, _, _ = self._view
        columns = (drawing.x[which] * scale + dx, drawing.y[which] * scale + dy, drawing.wide[which] * scale)
        each = [HIGH * scale] * len(which)
        return list(map(QRectF, *(c.tolist() for c in columns), each))

    # ----------------------------------------------------------------------------------------------------- far away

    def _blocks(self, painter: QPainter) -> None:
        look, drawing, inks = self.look, self.look.places, self.look.inks
        _, _, _, wide, high = self._view
        lit = np.bincount(drawing.block[look.lit_devices], minlength=len(drawing.blocks))
        chosen = np.bincount(drawing.block[look.chosen_devices], minlength=len(drawing.blocks))
        hurt = np.zeros(len(drawing.blocks), dtype=np.int64)
        if len(look.overlay.hurt):
            np.maximum.at(hurt, drawing.block, look.overlay.hurt)
        for at, block in enumerate(drawing.blocks):
            box = self._rect(block.x, block.y, block.wide, block.high).adjusted(-2, -2, 2, 2)
            if not box.intersects(QRectF(0, 0, wide, high)):
                continue
            ink = inks.accent if lit[at] or chosen[at] else inks.edge
            fill = mixed(inks.surface, inks.accent, 0.16) if lit[at] else inks.surface
            if hurt[at]:
                fill, ink = (inks.soft["over"] if hurt[at] > 1 else inks.soft["near"]), inks.over
            painter.setPen(QPen(ink, 2 if chosen[at] else 1))
            painter.setBrush(fill)
            painter.drawRect(box)
            if len(look.overlay.device):
                self._specks(painter, at)
            self._block_words(painter, box, block.title, block.words, len(look.overlay.device) > 0)
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _specks(self, painter: QPainter, block: int) -> None:
        """Paint the devices of a block in the overlay's colours."""
        overlay, drawing = self.look.overlay, self.look.places
        these = np.flatnonzero(drawing.block == block)
        for colour in np.unique(overlay.device[these]).tolist():
            if colour >= 0:
                for box in self._rects(these[overlay.device[these] == colour]):
                    painter.fillRect(box, overlay.colours[colour])

    def _block_words(self, painter: QPainter, box: QRectF, title: str, words: str, on_specks: bool) -> None:
        inks = self.look.inks
        painter.setFont(font_of(painter.font(), _TITLE_PX if box.height() >= 30 else _SMALL_PX, bold=True))
        metrics = QFontMetricsF(painter.font())
        if box.width() < 24:
            return
        if box.height() < metrics.height():
            above = QRectF(box.left(), box.top() - metrics.height() - 2, box.width(), metrics.height())
            painter.setPen(inks.quiet)
            shown = metrics.elidedText(f"{title}: {words}", Qt.TextElideMode.ElideRight, above.width())
            painter.drawText(above, Qt.AlignmentFlag.AlignCenter, shown)
            return
        room = box.adjusted(4, 0, -4, 0)
        if metrics.horizontalAdvance(title) > room.width():
            title = title.rpartition(", ")[2].capitalize()
        shown = metrics.elidedText(title, Qt.TextElideMode.ElideRight, room.width())
        two = box.height() >= 2.2 * metrics.height() and not on_specks
        if on_specks:
            back = metrics.boundingRect(shown).adjusted(-3, -1, 3, 1)
            back.moveCenter(room.center())
            painter.fillRect(back, inks.surface)
        painter.setPen(inks.text)
        if not two:
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, shown)
            return
        upper = QRectF(room.left(), room.center().y() - metrics.height(), room.width(), metrics.height())
        painter.drawText(upper, Qt.AlignmentFlag.AlignCenter, shown)
        painter.setFont(font_of(painter.font(), _SMALL_PX))
        metrics = QFontMetricsF(painter.font())
        painter.setPen(inks.quiet)
        painter.drawText(
            upper.translated(0, upper.height()),
            Qt.AlignmentFlag.AlignCenter,
            metrics.elidedText(words, Qt.TextElideMode.ElideRight, room.width()),
        )

    def _titles(self, painter: QPainter) -> None:
        """Paint the outlines of blocks with their titles, behind their devices."""
        drawing, inks = self.look.places, self.look.inks
        _, _, _, wide, high = self._view
        painter.setFont(font_of(painter.font(), _TITLE_PX, bold=True))
        metrics = QFontMetricsF(painter.font())
        for block in drawing.blocks:
            box = self._rect(block.x, block.y, block.wide, block.high).adjusted(-8, -8, 8, 8)
            if not box.intersects(QRectF(0, -20, wide, high + 20)):
                continue
            painter.setPen(QPen(inks.line, 1))
            painter.drawRect(box)
            left = max(box.left(), 4.0)
            words = metrics.elidedText(
                f"{block.title}: {block.words}", Qt.TextElideMode.ElideRight, max(0.0, box.right() - left)
            )
            painter.setPen(inks.quiet)
            room = QRectF(left, box.top() - 20, metrics.horizontalAdvance(words) + 4, 18)
            painter.fillRect(room, inks.ground)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, words)

    def _rows(self, painter: QPainter) -> None:
        """Paint which row of an empty sheet is for which kind of device."""
        inks = self.look.inks
        scale, _, dy, wide, _ = self._view
        painter.setFont(font_of(QGuiApplication.font(), _TITLE_PX))
        for kind, words in _ROWS.items():
            y = self.look.places.row_y[kind] * scale + dy
            painter.setPen(QPen(inks.line, 1, Qt.PenStyle.DashLine))
            for edge in (y - 6.0, y + HIGH * scale + 6.0):
                painter.drawLine(QLineF(0, edge, wide, edge))
            painter.setPen(inks.quiet)
            painter.drawText(QRectF(8, y, wide - 16, HIGH * scale), Qt.AlignmentFlag.AlignVCenter, words)

    # ----------------------------------------------------------------------------------------------------- near by

    def _boxes(self, painter: QPainter, which: NDArray[Any]) -> None:
        look, inks = self.look, self.look.inks
        overlay = look.overlay
        state = np.zeros(len(which), dtype=np.int64)
        state[look.lit_devices[which]] = 1
        state[look.chosen_devices[which]] = 2
        by_hand = look.wires.planned[which] < 0
        quiet = mixed(inks.ground, inks.edge, 0.5) if look.anything_lit else inks.edge
        pens = {0: QPen(quiet, 1), 1: QPen(inks.accent, 1), 2: QPen(inks.accent, 3)}
        fills = {0: inks.surface, 1: mixed(inks.surface, inks.accent, 0.12), 2: mixed(inks.surface, inks.accent, 0.3)}
        for kind in (0, 1, 2):
            painter.setPen(pens[kind])
            painter.setBrush(fills[kind])
            painter.drawRects(self._rects(which[state == kind]))
        if len(overlay.device):
            for colour in np.unique(overlay.device[which]).tolist():
                if colour >= 0:
                    painter.setBrush(overlay.colours[colour])
                    painter.setPen(pens[0])
                    painter.drawRects(self._rects(which[(overlay.device[which] == colour) & (state < 2)]))
        if len(overlay.hurt):
            for grade, name in ((1, "near"), (2, "over")):
                painter.setPen(QPen(inks.state[name], 2))
                painter.setBrush(inks.soft[name])
                painter.drawRects(self._rects(which[overlay.hurt[which] == grade]))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(inks.near, 2, Qt.PenStyle.DashLine))
        painter.drawRects(self._rects(which[by_hand & (state < 2)]))

    def _names(self, painter: QPainter, which: NDArray[Any]) -> None:
        look, drawing, inks = self.look, self.look.places, self.look.inks
        scale, _, _, wide, _ = self._view
        pixels = next((size for size in (13, 11) if HIGH * scale * 0.34 >= size), 9)
        painter.setFont(font_of(QGuiApplication.font(), pixels))
        metrics = QFontMetricsF(painter.font())
        room = drawing.wide[which] * scale
        painter.setPen(inks.text)
        if HIGH * scale < metrics.height():
            return
        for at in which[room >= 30].tolist():
            box = self._rect(drawing.x[at], drawing.y[at], drawing.wide[at], HIGH)
            seen = QRectF(max(box.left(), 0.0), box.top(), min(box.right(), wide) - max(box.left(), 0.0), box.height())
            name, words = look.wires.own_names[at], look.overlay.words.get(at)
            wishes = (f"{name}: {words}", words) if words else (name, _short(name))
            label = next(self._fitting(wishes, pixels, seen), None)
            if label is not None:
                size = label.size()
                painter.drawStaticText(
                    round(seen.center().x() - size.width() / 2.0), round(seen.center().y() - size.height() / 2.0), label
                )

    def _fitting(self, wishes: tuple[str, ...], pixels: int, room: QRectF) -> Iterator[QStaticText]:
        """Yield those of some words that fit; those that are far too long are not even laid out."""
        for words in wishes:
            if len(words) * pixels * 0.4 < room.width():
                label = self._label(words, pixels)
                if label.size().width() <= room.width() - 2:
                    yield label

    def _label(self, words: str, pixels: int) -> QStaticText:
        """Return a laid out text, kept for the next frames."""
        found = self._labels.get((words, pixels))
        if found is None:
            if len(self._labels) > _MOST_KEPT:
                self._labels.clear()
            found = QStaticText(words)
            found.setTextFormat(Qt.TextFormat.PlainText)
            found.prepare(QTransform(), font_of(QGuiApplication.font(), pixels))
            self._labels[words, pixels] = found
        return found

    def _ports(self, painter: QPainter, which: NDArray[Any]) -> None:
        look, drawing, inks = self.look, self.look.places, self.look.inks
        fabric = look.wires
        scale, dx, dy, wide, high = self._view
        counts = fabric.devices.ports[which]
        device = np.repeat(which, counts)
        port = np.arange(len(device)) - np.repeat(np.cumsum(counts) - counts, counts)
        x, y = drawing.port_points(device, port, fabric.devices.ports[device])
        inside = np.where(port < drawing.down[device], -PORT_BOX, 0.0)
        left, top = (x - PORT_BOX / 2) * scale + dx, (y + inside) * scale + dy
        seen = (left > -PORT_BOX * scale) & (left < wide) & (top > -PORT_BOX * scale) & (top < high)
        device, port, left, top = device[seen], port[seen], left[seen], top[seen]
        used = self._used(device, port)
        size = PORT_BOX * scale
        rects = list(map(QRectF, left.tolist(), top.tolist(), [size] * len(left), [size] * len(left)))
        lit = np.isin(device, np.flatnonzero(look.lit_devices)) & (used == 2)
        for state, ink in ((0, None), (1, mixed(inks.ground, inks.edge, 0.8)), (2, inks.accent)):
            mine = np.flatnonzero(np.where(lit, 2, np.minimum(used, 1)) == state)
            painter.setPen(QPen(inks.edge, 1))
            painter.setBrush(Qt.BrushStyle.NoBrush if ink is None else ink)
            painter.drawRects([rects[i] for i in mine.tolist()])
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if scale >= NUMBERS_FROM:
            self._numbers(painter, device, port, rects)

    def _used(self, device: NDArray[Any], port: NDArray[Any]) -> NDArray[np.int64]:
        """Return 0 for a free port, 1 for one with a link, 2 for one whose link lights up."""
        fabric = self.look.wires
        found = fabric.port_links[fabric.first_port[device] + port]
        state = np.where(found >= 0, 1, 0)
        if len(self.look.lit) and len(found):
            state[(found >= 0) & self.look.lit[np.maximum(found, 0)]] = 2
        return state

    def _numbers(self, painter: QPainter, device: NDArray[Any], port: NDArray[Any], rects: list[QRectF]) -> None:
        inks = self.look.inks
        painter.setFont(font_of(painter.font(), max(8.0, min(_SMALL_PX, rects[0].width() * 0.6)) if rects else 8.0))
        painter.setPen(inks.text)
        down = self.look.places.down
        for at, (one, place) in enumerate(zip(device.tolist(), port.tolist(), strict=True)):
            box = rects[at]
            beside = box.translated(0, -box.height() if place < down[one] else box.height()).adjusted(-6, 0, 6, 0)
            painter.drawText(beside, Qt.AlignmentFlag.AlignCenter, str(place + 1))


def _short(name: str) -> str:
    """Return the end of a name, which tells devices in a row apart."""
    parts = name.split("-")
    return parts[-1].lstrip("0") or parts[-1]
