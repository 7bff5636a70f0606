"""Paints a floor in pixels: aisles, rows, racks with their numbers, CDUs, PDUs, columns."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QGuiApplication, QPainter, QPen, QPixmap

from wattsweights_gui.engine.units import System, number, shown, symbol
from wattsweights_gui.gui.canvas.inks import Inks, font_of, mixed
from wattsweights_gui.layout.floor_plan import Aisle, Box, FloorPlan, FloorRow, Spot

_LETTERS, _SMALLEST = 11.0, 8.5  # pixels
_MOST_LABELS = 6000
_MIDDLE = Qt.AlignmentFlag.AlignCenter
_COLD, _HOT = QColor("#56b4e9"), QColor("#d55e00")
Place = Callable[[Box], QRectF]


@dataclass(frozen=True)
class Shown:
    """What is painted: the floor, a number for each rack, which are chosen or too heavy, and where they are carried."""

    plan: FloorPlan
    values: Mapping[str, float | None]
    unit: str
    most: float
    chosen: frozenset[str]
    heavy: frozenset[str]
    units: System
    drag: QPointF | None
    refused: bool


class FloorPaint:
    """Paints floors in the colours of a theme."""

    def __init__(self, inks: Inks) -> None:
        self.inks = inks
        self._font = QGuiApplication.font()
        self._fills: dict[float | None, tuple[QColor, QColor]] = {}
        self._widths: dict[tuple[str, int], float] = {}
        self._labels: dict[tuple[object, ...], QPixmap] = {}

    def floor(self, painter: QPainter, shown_: Shown, place: Place, seen: QRectF) -> None:
        """Paint what is in sight."""
        inks, plan = self.inks, shown_.plan
        painter.fillRect(seen, inks.ground)
        outline = place(plan.outline)
        painter.fillRect(outline, inks.surface)
        painter.setPen(QPen(inks.edge, 3 if plan.stated else 1))
        painter.drawRect(outline)
        for aisle in plan.aisles:
            self._aisle(painter, aisle, place(aisle.box))
        for spot in plan.units:
            if (box := place(spot.box)).intersects(seen):
                self._unit(painter, spot, box)
        for out in plan.rules.keep_outs:
            box = place(Box(out.x_mm, out.y_mm, out.width_mm, out.depth_mm))
            self._keep_out(painter, out.name, out.column, box)
        for id, spot in plan.racks.items():
            box = place(spot.box)
            if box.intersects(seen):
                self._rack(painter, shown_, id, spot, box)
        beside = place(Box(0.0, 0.0, plan.rules.cross_mm, 1.0)).width()
        for row in plan.rows:
            self._row(painter, row, place(row.box), beside)

    def over(self, painter: QPainter, shown_: Shown, place: Place) -> None:
        """Paint what changes while a hand is at work: which racks are chosen, and where they are carried."""
        for id in shown_.chosen:
            self._chosen(painter, place(shown_.plan.racks[id].box))
        if shown_.drag is not None:
            self._ghosts(painter, shown_, place)

    def _aisle(self, painter: QPainter, aisle: Aisle, box: QRectF) -> None:
        hue = _HOT if aisle.kind == "hot" else _COLD
        painter.fillRect(box, mixed(self.inks.surface, hue, 0.16 if aisle.contained else 0.09))
        if aisle.contained:
            painter.setPen(QPen(self.inks.quiet, 2, Qt.PenStyle.DashLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box)
        said = f"{aisle.kind} aisle" + (", contained" if aisle.contained else "")
        self._words(painter, box, said, self.inks.quiet)

    def _row(self, painter: QPainter, row: FloorRow, box: QRectF, beside: float) -> None:
        """Write a row's name to its left, or over its middle where there is no room beside it."""
        pixels = min(16.0, box.height() * 0.7)
        if pixels < _SMALLEST:
            return
        painter.setFont(font_of(painter.font(), pixels, bold=True))
        painter.setPen(self.inks.text)
        wide = QFontMetricsF(painter.font()).horizontalAdvance(row.name) + 4
        area = QRectF(box.left() - wide - 4, box.top(), wide, box.height())
        if wide + 6 > beside:
            high = min(box.height(), pixels * 1.2)
            area = QRectF(box.center().x() - wide / 2, box.center().y() - high / 2, wide, high)
            painter.fillRect(area, self.inks.surface)
        painter.drawText(area, _MIDDLE, row.name)

    def _unit(self, painter: QPainter, spot: Spot, box: QRectF) -> None:
        painter.fillRect(box, mixed(self.inks.surface, self.inks.quiet, 0.35 if spot.kind == "cdu" else 0.18))
        painter.setPen(QPen(self.inks.edge, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box)
        self._lines(painter, box, (spot.name,), self.inks.text)

    def _keep_out(self, painter: QPainter, name: str, column: bool, box: QRectF) -> None:
        if column:
            painter.fillRect(box, self.inks.quiet)
        painter.setPen(QPen(self.inks.quiet, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box)
        painter.drawLine(box.topLeft(), box.bottomRight())
        painter.drawLine(box.bottomLeft(), box.topRight())
        if not column:
            self._words(painter, box, name, self.inks.text)

    def _rack(self, painter: QPainter, shown_: Shown, id: str, spot: Spot, box: QRectF) -> None:
        inks, value = self.inks, shown_.values.get(id)
        fill, ink = self._fill(None if value is None else round(value / shown_.most, 3))
        painter.fillRect(box, fill)
        heavy = id in shown_.heavy
        painter.setPen(QPen(inks.over if heavy else inks.edge, 2 if heavy else 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box)
        ends = {
            0: (box.bottomLeft(), box.bottomRight()),
            180: (box.topLeft(), box.topRight()),
            90: (box.topLeft(), box.bottomLeft()),
            270: (box.topRight(), box.bottomRight()),
        }[spot.turned]
        painter.setPen(QPen(inks.text, 2 if min(box.width(), box.height()) > 8 else 1))
        painter.drawLine(*ends)  # the front
        self._lines(painter, box, (spot.name, self._number(shown_, value)), ink)

    def _chosen(self, painter: QPainter, box: QRectF) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for ink, wide in ((self.inks.surface, 5), (self.inks.text, 3)):  # apart from any fill, in both themes
            painter.setPen(QPen(ink, wide))
            painter.drawRect(box.adjusted(-2, -2, 2, 2))

    def _fill(self, share: float | None) -> tuple[QColor, QColor]:
        found = self._fills.get(share)
        if found is None:
            fill = self.inks.empty if share is None else self.inks.scale(share)
            found = self._fills[share] = (fill, readable_on(fill))
        return found

    def _number(self, shown_: Shown, value: float | None) -> str:
        if value is None:
            return "–"
        if shown_.unit == "u":
            return f"{number(value)} U"
        return f"{number(shown(value, shown_.unit, shown_.units)[0])} {symbol(shown_.unit, shown_.units)}"

    def _lines(self, painter: QPainter, box: QRectF, lines: tuple[str, ...], ink: QColor) -> None:
        """Write lines into a box, along its longer side, as many as can be read."""
        turned = box.height() > box.width()
        along, over = (box.height(), box.width()) if turned else (box.width(), box.height())
        room = along - 4
        pixels = min(_LETTERS, over * 0.8)
        if pixels < _SMALLEST:
            return
        wanted = lines[: max(1, int(over / (_SMALLEST * 1.15)))]
        widest = max(self._wide(line, round(pixels)) for line in wanted)
        pixels = max(_SMALLEST, min(pixels, pixels * room / max(widest, 1.0), over / (1.15 * len(wanted))))
        size = round(pixels)
        fitting = tuple(line for line in wanted if self._wide(line, size) <= room)
        if len(fitting) < len(lines) and self._wide(joined := " · ".join(lines), size) <= room:
            fitting = (joined,)
        if fitting:
            label = self._label(fitting, size, ink, turned, painter.device().devicePixelRatioF())
            wide, high = label.deviceIndependentSize().toTuple()
            at = QPointF(round(box.center().x() - wide / 2), round(box.center().y() - high / 2))
            painter.drawPixmap(at, label)

    def _wide(self, said: str, size: int) -> float:
        found = self._widths.get((said, size))
        if found is None:
            found = self._widths[said, size] = QFontMetricsF(font_of(self._font, size)).horizontalAdvance(said)
        return found

    def _label(self, lines: tuple[str, ...], size: int, ink: QColor, turned: bool, ratio: float) -> QPixmap:
        """Return written lines as a picture: text that is turned is slow to paint, and the same in every frame."""
        key = (lines, size, ink.rgba(), turned, ratio)
        found = self._labels.get(key)
        if found is not None:
            return found
        if len(self._labels) > _MOST_LABELS:
            self._labels.clear()
        wide, high = max(self._wide(line, size) for line in lines) + 2, len(lines) * size * 1.2 + 1
        shape = (high, wide) if turned else (wide, high)
        picture = QPixmap(math.ceil(shape[0] * ratio), math.ceil(shape[1] * ratio))
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setFont(font_of(self._font, size))
        painter.setPen(ink)
        painter.translate(shape[0] / 2, shape[1] / 2)
        if turned:
            painter.rotate(-90)
        for number_, line in enumerate(lines):
            area = QRectF(-wide / 2, -high / 2 + number_ * size * 1.2, wide, size * 1.2)
            painter.drawText(area, _MIDDLE | Qt.TextFlag.TextDontClip, line)
        painter.end()
        self._labels[key] = picture
        return picture

    def _words(self, painter: QPainter, box: QRectF, said: str, ink: QColor) -> None:
        painter.setFont(font_of(painter.font(), _LETTERS))
        metrics = QFontMetricsF(painter.font())
        if metrics.horizontalAdvance(said) <= box.width() - 6 and metrics.height() <= box.height():
            painter.setPen(ink)
            painter.drawText(box, _MIDDLE, said)

    def _ghosts(self, painter: QPainter, shown_: Shown, place: Place) -> None:
        drag = shown_.drag
        if drag is None:
            return
        ink = self.inks.over if shown_.refused else self.inks.accent
        painter.setPen(QPen(ink, 2, Qt.PenStyle.DashLine))
        fill = QColor(ink)
        fill.setAlphaF(0.25)
        painter.setBrush(fill)
        for id in shown_.chosen:
            box = shown_.plan.racks[id].box
            painter.drawRect(place(Box(box.x + drag.x(), box.y + drag.y(), box.width, box.depth)))
        painter.setBrush(Qt.BrushStyle.NoBrush)


def readable_on(fill: QColor) -> QColor:
    """Return black or white, whichever has the larger contrast on a colour (WCAG 2.1, relative luminance)."""

    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.03928 else float(((part + 0.055) / 1.055) ** 2.4)

    light = 0.2126 * linear(fill.redF()) + 0.7152 * linear(fill.greenF()) + 0.0722 * linear(fill.blueF())
    return QColor("#000000") if (light + 0.05) / 0.05 >= 1.05 / (light + 0.05) else QColor("#ffffff")
