"""Paints a floor in pixels: aisles, rows, racks with their numbers, CDUs, PDUs, columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from wattsweights_gui.engine.units import System, number, shown, symbol
from wattsweights_gui.gui.canvas.inks import Inks, font_of, mixed
from wattsweights_gui.layout.floor_plan import Aisle, Box, FloorPlan, FloorRow, Spot

_LETTERS, _SMALLEST = 11.0, 8.5  # pixels
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
        for id in shown_.chosen:
            self._chosen(painter, place(plan.racks[id].box))
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
        fill = inks.empty if value is None else inks.scale(value / shown_.most)
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
        self._lines(painter, box, (spot.name, self._number(shown_, value)), readable_on(fill))

    def _chosen(self, painter: QPainter, box: QRectF) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for ink, wide in ((self.inks.surface, 5), (self.inks.text, 3)):  # apart from any fill, in both themes
            painter.setPen(QPen(ink, wide))
            painter.drawRect(box.adjusted(-2, -2, 2, 2))

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
        many = max(1, int(over / (_SMALLEST * 1.15)))
        wanted = lines[:many]
        font = font_of(painter.font(), pixels)
        metrics = QFontMetricsF(font)
        widest = max(metrics.horizontalAdvance(line) for line in wanted)
        pixels = max(_SMALLEST, min(pixels, pixels * room / max(widest, 1.0), over / (1.15 * len(wanted))))
        font = font_of(painter.font(), pixels)
        metrics = QFontMetricsF(font)
        fitting = [line for line in wanted if metrics.horizontalAdvance(line) <= room]
        joined = " · ".join(lines)
        if len(fitting) < len(lines) and metrics.horizontalAdvance(joined) <= room:
            fitting = [joined]
        if not fitting:
            return
        painter.save()
        painter.setFont(font)
        painter.setPen(ink)
        painter.translate(box.center())
        if turned:
            painter.rotate(-90)
        area = QRectF(-along / 2, -over / 2, along, over)
        painter.drawText(area, _MIDDLE, "\n".join(fitting))
        painter.restore()

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
