"""One rack with all its devices as one item: painted in pixels, so that lines and names are sharp at any zoom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPen, QPixmap, QTransform
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from wattsweights_gui.engine.units import System, text
from wattsweights_gui.gui.canvas import geometry
from wattsweights_gui.gui.canvas.inks import Inks, font_of
from wattsweights_gui.gui.canvas.meters import METRICS, paint_meters
from wattsweights_gui.layout.hall import Hall
from wattsweights_gui.layout.loads import RackLoad
from wattsweights_gui.layout.placements import Device, Face, Rack

# below this many pixels a millimetre, a rack is a small picture that is only scaled
FAR = 0.105
_THUMB = 0.12
_NAMES_PX = 9.0


@dataclass
class Look:
    """How all racks are shown: the state that items share.

    Attributes:
        metric: what racks are coloured by; ``group`` colours devices by what they are.
        most: the largest value of the metric, that colours are scaled to.
        chosen, chosen_racks: ids.
    """

    inks: Inks
    hall: Hall
    units: System = "si"
    face: Face = "front"
    metric: str = "group"
    most: float = 1.0
    chosen: set[str] = field(default_factory=set)
    chosen_racks: set[str] = field(default_factory=set)


class RackItem(QGraphicsItem):
    """A rack on the canvas; its corner is that of its meters."""

    def __init__(self, look: Look, rack: Rack, inside: Sequence[Device], load: RackLoad) -> None:
        super().__init__()
        self.look = look
        self.rack, self.inside, self.load = rack, tuple(inside), load
        self._thumb: QPixmap | None = None
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption, False)

    def show_rack(self, rack: Rack, inside: Sequence[Device], load: RackLoad) -> None:
        """Show other content."""
        if rack.height_u != self.rack.height_u:
            self.prepareGeometryChange()
        self.rack, self.inside, self.load = rack, tuple(inside), load
        self.repaint()

    def repaint(self) -> None:
        """Paint anew, small picture and all."""
        self._thumb = None
        self.update()

    def boundingRect(self) -> QRectF:
        """Return the rack with its meters, and room for its outline."""
        return QRectF(-8, -8, geometry.RACK_MM + 16, geometry.rack_height_mm(self.rack.height_u) + 16)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Paint the rack at the zoom of the view."""
        world = painter.worldTransform()
        scale = world.m11()
        if scale < FAR:
            if self._thumb is None:
                self._thumb = self._small()
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            height = geometry.rack_height_mm(self.rack.height_u)
            painter.drawPixmap(QRectF(0, 0, geometry.RACK_MM, height), self._thumb, QRectF(self._thumb.rect()))
            return
        painter.save()
        painter.setWorldTransform(QTransform.fromTranslate(world.dx(), world.dy()))
        self._paint(painter, scale)
        painter.restore()

    def _small(self) -> QPixmap:
        height = geometry.rack_height_mm(self.rack.height_u)
        picture = QPixmap(round(geometry.RACK_MM * _THUMB), round(height * _THUMB))
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        self._paint(painter, _THUMB)
        painter.end()
        return picture

    # ---------------------------------------------------------------------------------------------------- in pixels

    def _paint(self, painter: QPainter, scale: float) -> None:
        look, rack = self.look, self.rack
        inks = look.inks
        share = self._share()
        body = _box((0, geometry.METERS_MM, geometry.RACK_MM, self._body_mm()), scale)
        painter.fillRect(body, inks.scale(share) if share is not None else inks.empty)
        chosen = rack.id in look.chosen_racks
        painter.setPen(QPen(inks.accent if chosen else inks.edge, 2 if chosen else 1))
        painter.drawRect(body)
        opening = geometry.units_box(rack, 1, rack.height_u, "", look.face)
        painter.fillRect(_box(opening, scale), inks.surface if share is None else inks.scale(share))
        unit_px = geometry.U_MM * scale
        if unit_px >= _NAMES_PX:
            self._units(painter, scale)
        for device, box, own_face in geometry.boxes(rack, self.inside, look.face):
            self._device(painter, device, _box(box, scale), own_face, unit_px)
        paint_meters(painter, self.load, rack, look, scale, share is not None)

    def _body_mm(self) -> float:
        return 2 * geometry.CAP_MM + self.rack.height_u * geometry.U_MM

    def _share(self) -> float | None:
        metric = METRICS[self.look.metric]
        value = metric.of(self.load) if metric.of is not None else None
        return None if value is None or self.look.most <= 0 else value / self.look.most

    def _units(self, painter: QPainter, scale: float) -> None:
        """Number the rack units on both rails, each fifth where there is little room."""
        inks, rack = self.look.inks, self.rack
        unit = geometry.U_MM * scale
        painter.setFont(font_of(painter.font(), min(11.0, unit * 0.8)))
        painter.setPen(inks.quiet)
        every = 1 if unit >= 12 else 5
        rail = geometry.RAIL_MM * scale
        right = (geometry.RACK_MM - geometry.RAIL_MM) * scale
        flag = Qt.AlignmentFlag.AlignCenter
        for number in range(1, rack.height_u + 1):
            if number != 1 and number % every:
                continue
            _, y, _, height = geometry.units_box(rack, number, 1, "", "front")
            painter.drawText(QRectF(0, y * scale, rail, height * scale), flag, str(number))
            if self.look.face == "front":
                painter.drawText(QRectF(right, y * scale, rail, height * scale), flag, str(number))

    def _device(self, painter: QPainter, device: Device, box: QRectF, own_face: bool, unit_px: float) -> None:
        look = self.look
        inks = look.inks
        kind = look.hall.type_of(device.entry)
        plain = look.metric != "group"
        fill = inks.unknown if kind is None else inks.surface if plain else inks.fill[kind.group]
        hue = inks.over if kind is None else inks.edge if plain else inks.hue[kind.group]
        gap = 1.0 if unit_px >= 4 else 0.0
        face = box.adjusted(gap / 2, gap / 2, -gap / 2, -gap / 2)
        painter.fillRect(face, fill)
        if unit_px < 3:
            if device.id in look.chosen:
                painter.fillRect(face, inks.accent)
            return
        if not own_face:
            painter.fillRect(face, QBrush(_faint(hue), Qt.BrushStyle.BDiagPattern))
        painter.fillRect(QRectF(face.left(), face.top(), min(4.0, face.width() / 4), face.height()), hue)
        chosen = device.id in look.chosen
        painter.setPen(QPen(inks.accent if chosen else _faint(hue), 2 if chosen else 1))
        painter.drawRect(face.adjusted(0.5, 0.5, -0.5, -0.5) if not chosen else face.adjusted(1, 1, -1, -1))
        if face.height() >= _NAMES_PX and face.width() >= 40 and not device.zero_u:
            self._names(painter, device, face, own_face, min(12.0, face.height() * 0.8))

    def _names(self, painter: QPainter, device: Device, face: QRectF, own_face: bool, pixels: float) -> None:
        """Write the name at the left, the draw at the right, what it is below where there is room."""
        look = self.look
        inks, kind = look.inks, look.hall.type_of(device.entry)
        font = font_of(painter.font(), pixels)
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        room = face.adjusted(8, 0, -6, 0)
        line = QRectF(room.left(), room.top(), room.width(), min(room.height(), pixels * 1.7))
        right = ""
        if kind is not None and kind.power_kw.known and kind.power_kw.number > 0:
            right = text(kind.power_kw.value, "kw", look.units)
        if device.locked:
            _lock(painter, QRectF(line.right() - pixels * 0.7, line.center().y() - pixels * 0.4, 0, 0), pixels, inks)
            line.setRight(line.right() - pixels)
        wide = metrics.horizontalAdvance(right)
        middle = Qt.AlignmentFlag.AlignVCenter
        if wide > line.width() * 0.5:
            right, wide = "", 0.0
        painter.setPen(inks.text)
        name = device.name if own_face else f"{device.name} (back)"
        shown = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, line.width() - wide - (6 if right else 0))
        painter.drawText(line, middle | Qt.AlignmentFlag.AlignLeft, shown)
        if right:
            painter.drawText(line, middle | Qt.AlignmentFlag.AlignRight, right)
        if kind is not None and face.height() >= 3.2 * pixels:
            below = line.translated(0, pixels * 1.3)
            painter.setPen(inks.quiet)
            shown = metrics.elidedText(kind.name, Qt.TextElideMode.ElideRight, below.width())
            painter.drawText(below, middle | Qt.AlignmentFlag.AlignLeft, shown)


def _box(box: geometry.Box, scale: float) -> QRectF:
    """Return a box in whole pixels, so that neighbours neither overlap nor leave seams."""
    left, top = round(box[0] * scale), round(box[1] * scale)
    return QRectF(left, top, round((box[0] + box[2]) * scale) - left, round((box[1] + box[3]) * scale) - top)


def _faint(colour: QColor) -> QColor:
    faint = QColor(colour)
    faint.setAlpha(150)
    return faint


def _lock(painter: QPainter, at: QRectF, pixels: float, inks: Any) -> None:
    """Draw a small padlock."""
    wide, high = pixels * 0.6, pixels * 0.45
    painter.setPen(QPen(inks.text, 1.2))
    painter.drawArc(QRectF(at.left() + wide * 0.2, at.top(), wide * 0.6, high * 1.3), 0, 180 * 16)
    painter.fillRect(QRectF(at.left(), at.top() + high * 0.65, wide, high), inks.text)
