"""One rack with all its devices as one item: painted in pixels, so that lines and names are sharp at any zoom.

A picture of it in device pixels is kept. At another zoom, the picture of before is scaled until there is time in a
frame to paint it anew, so that zooming and panning stay smooth with a thousand racks in sight.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPen, QPixmap, QTransform
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from wattsweights_gui.engine.units import System, text
from wattsweights_gui.gui.canvas import geometry
from wattsweights_gui.gui.canvas.inks import Inks, font_of
from wattsweights_gui.gui.canvas.meters import METRICS, paint_meters
from wattsweights_gui.layout.hall import Hall
from wattsweights_gui.layout.loads import RackLoad
from wattsweights_gui.layout.placements import Device, Face, Rack

# below FAR pixels a millimetre, a rack is a small picture that is only scaled; above NEAR few are in sight, and large
FAR, NEAR = 0.105, 0.45
EDGE_MM = 8.0
_THUMB = 0.12
_MOST_PIXELS = 32_000_000
_NAMES_PX = 9.0


@dataclass(eq=False)
class Look:
    """How all racks are shown: the state that items share.

    Attributes:
        metric: what racks are coloured by; ``group`` colours devices by what they are.
        most: the largest value of the metric, that colours are scaled to.
        chosen, chosen_racks: ids.
        until: time of the clock when this frame has no more time for pictures.
        blurred: racks that were shown by an older picture, to be painted in the next frame.
        kept: racks with pictures, the one that was seen last at the end.
    """

    inks: Inks
    hall: Hall
    units: System = "si"
    face: Face = "front"
    metric: str = "group"
    most: float = 1.0
    chosen: set[str] = field(default_factory=set)
    chosen_racks: set[str] = field(default_factory=set)
    until: float = math.inf
    blurred: set[RackItem] = field(default_factory=set)
    kept: dict[RackItem, int] = field(default_factory=dict)

    def keep(self, item: RackItem, pixels: int) -> None:
        """Note that a rack has a picture; pictures that were not seen for longest go when there are too many."""
        self.kept.pop(item, None)
        self.kept[item] = pixels
        while sum(self.kept.values()) > _MOST_PIXELS and len(self.kept) > 1:
            oldest = next(iter(self.kept))
            del self.kept[oldest]
            oldest.forget_picture()


class RackItem(QGraphicsItem):
    """A rack on the canvas; its corner is that of its meters."""

    def __init__(self, look: Look, rack: Rack, inside: Sequence[Device], load: RackLoad) -> None:
        super().__init__()
        self.look = look
        self.rack, self.inside, self.load = rack, tuple(inside), load
        self._thumb: QPixmap | None = None
        self._thumb_boxes = (QRectF(), QRectF())
        self._picture: QPixmap | None = None
        self._picture_of: tuple[float, float] = (0.0, 0.0)
        self._stale = False
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption, True)

    def show_rack(self, rack: Rack, inside: Sequence[Device], load: RackLoad) -> None:
        """Show other content."""
        if rack.height_u != self.rack.height_u:
            self.prepareGeometryChange()
        self.rack, self.inside, self.load = rack, tuple(inside), load
        self.repaint()

    def repaint(self) -> None:
        """Paint anew, small picture and all."""
        self._thumb = None
        self._stale = True
        self.update()

    def forget_picture(self) -> None:
        """Give the memory of the large picture back."""
        self._picture = None

    def boundingRect(self) -> QRectF:
        """Return the rack with its meters, and room for its outline."""
        edge, height = EDGE_MM, geometry.rack_height_mm(self.rack.height_u)
        return QRectF(-edge, -edge, geometry.RACK_MM + 2 * edge, height + 2 * edge)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Paint the rack at the zoom of the view."""
        world = painter.worldTransform()
        scale, ratio = world.m11(), painter.device().devicePixelRatioF()
        if scale < FAR:
            self._paint_far(painter)
            return
        if scale > NEAR and self._in_time():
            painter.save()
            painter.setWorldTransform(QTransform.fromTranslate(world.dx(), world.dy()))
            seen = option.exposedRect.adjusted(-20, -20, 20, 20)  # type: ignore[attr-defined]
            self._paint(painter, scale, (seen.top(), seen.bottom()))
            painter.restore()
            return
        if not self.sharpen(scale, ratio):
            self.look.blurred.add(self)
        self._draw(painter, scale, ratio)

    def sharpen(self, scale: float, ratio: float) -> bool:
        """Take the picture for a zoom while there is time; say whether it is there."""
        if scale < FAR:
            if self._thumb is None and self._in_time():
                self._thumb = self._small()
            return self._thumb is not None
        if scale > NEAR:
            return False
        if (self._picture is None or self._stale or self._picture_of != (scale, ratio)) and self._in_time():
            self._take_picture(scale, ratio)
        return self._picture is not None and not self._stale and self._picture_of == (scale, ratio)

    def _in_time(self) -> bool:
        return time.perf_counter() < self.look.until

    def _take_picture(self, scale: float, ratio: float) -> None:
        """Paint the rack with its outline into a picture."""
        area = self.boundingRect()
        picture = QPixmap(math.ceil((area.width()) * scale * ratio) + 1, math.ceil(area.height() * scale * ratio) + 1)
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.translate(math.ceil(EDGE_MM * scale), math.ceil(EDGE_MM * scale))
        self._paint(painter, scale)
        painter.end()
        self._picture, self._picture_of, self._stale = picture, (scale, ratio), False
        self.look.keep(self, picture.width() * picture.height())

    def _draw(self, painter: QPainter, scale: float, ratio: float) -> None:
        """Draw the picture: pixel for pixel where it was taken at this zoom, else scaled."""
        world = painter.worldTransform()
        picture, (at, _) = self._picture, self._picture_of
        if picture is None:
            self._paint_far(painter)
            return
        painter.save()
        if (at, ratio) == (scale, ratio):
            edge = math.ceil(EDGE_MM * scale)
            painter.setWorldTransform(QTransform())
            painter.drawPixmap(QPointF(round(world.dx()) - edge, round(world.dy()) - edge), picture)
        else:
            edge = math.ceil(EDGE_MM * at)
            more = scale / at
            painter.setWorldTransform(QTransform(more, 0, 0, more, world.dx(), world.dy()))
            painter.drawPixmap(QPointF(-edge, -edge), picture)
        painter.restore()

    def _paint_far(self, painter: QPainter) -> None:
        """Draw the small picture; a plain body until there is one."""
        if self._thumb is None and not self.sharpen(0.0, 1.0):
            self.look.blurred.add(self)
            height = geometry.rack_height_mm(self.rack.height_u) - geometry.METERS_MM
            painter.fillRect(QRectF(0, geometry.METERS_MM, geometry.RACK_MM, height), self.look.inks.track)
            return
        assert self._thumb is not None
        painter.drawPixmap(self._thumb_boxes[0], self._thumb, self._thumb_boxes[1])

    def _small(self) -> QPixmap:
        height = geometry.rack_height_mm(self.rack.height_u)
        picture = QPixmap(round(geometry.RACK_MM * _THUMB), round(height * _THUMB))
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        self._paint(painter, _THUMB, words=False)
        painter.end()
        self._thumb_boxes = (QRectF(0, 0, geometry.RACK_MM, height), QRectF(picture.rect()))
        return picture

    # ---------------------------------------------------------------------------------------------------- in pixels

    def _paint(
        self, painter: QPainter, scale: float, seen: tuple[float, float] = (-math.inf, math.inf), words: bool = True
    ) -> None:
        """Paint the rack, and of its devices those between two heights in millimetres."""
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
            if box[1] <= seen[1] and box[1] + box[3] >= seen[0]:
                self._device(painter, device, _box(box, scale), own_face, unit_px, words)
        if seen[0] <= geometry.METERS_MM:
            paint_meters(painter, self.load, rack, look, scale, share is not None, words)

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

    def _device(
        self, painter: QPainter, device: Device, box: QRectF, own_face: bool, unit_px: float, words: bool
    ) -> None:
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
        if words and face.height() >= _NAMES_PX and face.width() >= 40 and not device.zero_u:
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
