"""The meters above a rack: what it draws on each side, weighs and gives off, against what the hall gives it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from wattsweights_gui.engine.declare import Figure
from wattsweights_gui.engine.units import text
from wattsweights_gui.gui.canvas import geometry
from wattsweights_gui.gui.canvas.inks import font_of, state_of
from wattsweights_gui.layout.hall import Hall
from wattsweights_gui.layout.loads import RackLoad
from wattsweights_gui.layout.placements import Rack

if TYPE_CHECKING:
    from wattsweights_gui.gui.canvas.rack_item import Look

_ROW_PX = 13.0
_NARROWEST_PX = 84.0


@dataclass(frozen=True)
class Metric:
    """What racks may be coloured by."""

    title: str
    unit: str
    of: Callable[[RackLoad], float | None] | None = None


METRICS: dict[str, Metric] = {
    "group": Metric("What it is", ""),
    "power": Metric("kW", "kw", lambda load: load.power_kw),
    "mass": Metric("kg", "kg", lambda load: load.mass_kg),
    "units": Metric("U used", "u", lambda load: float(load.used_u)),
    "liquid": Metric("Heat to liquid", "kw", lambda load: load.liquid_kw),
    "air": Metric("Heat to air", "kw", lambda load: load.air_kw),
    "flow": Metric("Coolant flow", "l_min", lambda load: load.flow_l_min),
}


@dataclass(frozen=True)
class Meter:
    """One meter: its label, value, how long its bar is, and the share of the limit that says whether it is too much."""

    label: str
    value: float | None
    unit: str
    bar: float | None
    share: float | None


def meters_of(load: RackLoad, hall: Hall) -> list[Meter]:
    """Return the meters of a rack in their order."""
    failover = _over(load.power_kw, hall.feed_kw)
    heat = _over(load.power_kw, hall.reject_kw)
    mass = _over(load.mass_kg, hall.mass_kg)
    used = load.used_u / load.height_u if load.height_u else 0.0
    return [
        Meter("A", load.a_kw, "kw", _over(load.a_kw, hall.feed_kw), failover),
        Meter("B", load.b_kw, "kw", _over(load.b_kw, hall.feed_kw), failover),
        Meter("Mass", load.mass_kg, "kg", mass, mass),
        Meter("U", float(load.used_u), "u", used, None),
        Meter("Liquid", load.liquid_kw, "kw", _over(load.liquid_kw, hall.reject_kw), heat if load.liquid_kw else None),
        Meter("Air", load.air_kw, "kw", _over(load.air_kw, hall.reject_kw), heat if load.air_kw else None),
        Meter("Flow", load.flow_l_min, "l_min", None, None),
    ]


def few_meters_of(load: RackLoad, hall: Hall) -> list[Meter]:
    """Return what matters most where there is no room for all meters, most important first."""
    by_label = {m.label: m for m in meters_of(load, hall)}
    feeds, heat = _over(load.power_kw, hall.feed_kw), _over(load.power_kw, hall.reject_kw)
    share = max((s for s in (feeds, heat) if s is not None), default=None)
    draw = Meter("Draw", load.power_kw, "kw", share, share)
    warm = [by_label["Liquid"]] if load.liquid_kw else []
    return [draw, by_label["U"], by_label["Mass"], *warm, by_label["Air"]]


def worst_share(load: RackLoad, hall: Hall) -> float | None:
    """Return the largest share of a limit that a rack has; ``None`` where none is stated."""
    shares = [m.share for m in meters_of(load, hall) if m.share is not None]
    return max(shares, default=None)


def _over(value: float, limit: Figure) -> float | None:
    return value / limit.number if limit.known and limit.number > 0 else None


def paint_meters(
    painter: QPainter, load: RackLoad, rack: Rack, look: Look, scale: float, by_metric: bool, words: bool = True
) -> None:
    """Paint name and meters in pixels: words where they can be read, else a bar that says fine, near or over."""
    inks = look.inks
    row = geometry.METER_ROW_MM * scale
    wide = geometry.RACK_MM * scale
    state = state_of(worst_share(load, look.hall))
    meters = meters_of(load, look.hall)
    rows = int(geometry.METERS_MM * scale / _ROW_PX)
    top = 0.0
    if row < _ROW_PX and rows >= 3 and wide >= _NARROWEST_PX:  # fewer of them, but readable
        meters, row = few_meters_of(load, look.hall)[: rows - 1], _ROW_PX
        top = geometry.METERS_MM * scale - (len(meters) + 1) * row - 2
    elif row < _ROW_PX:
        high = max(2.0, row * 1.5)
        base = geometry.METERS_MM * scale - high - 1
        painter.fillRect(QRectF(0, base, wide, high), inks.state[state])
        if words and wide >= 30:
            pixels = min(12.0, wide / 4.2)
            painter.setFont(font_of(painter.font(), pixels, bold=True))
            painter.setPen(inks.text)
            name = QRectF(-4, base - pixels * 1.5, wide + 8, pixels * 1.4)
            painter.drawText(name, Qt.AlignmentFlag.AlignCenter, rack.name)
        return
    pixels = min(13.0, row * 0.8)
    font = font_of(painter.font(), pixels)
    metrics = QFontMetricsF(font)
    left, middle = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, Qt.AlignmentFlag.AlignVCenter
    painter.setFont(font_of(painter.font(), pixels, bold=True))
    painter.setPen(inks.text)
    head = QRectF(2, top, wide - 4, row)
    painter.drawText(head, left, rack.name + (" · locked" if rack.locked else ""))
    remark = {"over": "over its limit", "near": "near its limit", "fine": ""}[state]
    if by_metric:
        metric = METRICS[look.metric]
        value = metric.of(load) if metric.of is not None else None
        remark = text(value, metric.unit, look.units) if value is not None else "not known"
    painter.setPen(inks.over if state == "over" else inks.quiet)
    painter.setFont(font_of(painter.font(), pixels, bold=state == "over"))
    if metrics.horizontalAdvance(remark) < wide * 0.62:
        painter.drawText(head, Qt.AlignmentFlag.AlignRight | middle, remark)
    painter.setFont(font)
    for number, meter in enumerate(meters, 1):
        if meter.value is None:
            continue
        line = QRectF(0, round(top + number * row), wide, round((number + 1) * row) - round(number * row) - 1)
        painter.fillRect(line, inks.ground)
        here = state_of(meter.share)
        if meter.bar:
            bar = QRectF(line.left(), line.top(), line.width() * min(meter.bar, 1.0), line.height())
            painter.fillRect(bar, inks.soft[here])
            painter.fillRect(QRectF(bar.left(), bar.bottom() - 2, bar.width(), 2), inks.state[here])
        inner = line.adjusted(4, 0, -4, 0)
        painter.setPen(inks.quiet)
        painter.drawText(inner, left, meter.label)
        painter.setPen(inks.over if here == "over" else inks.text)
        said = f"{load.used_u} of {load.height_u} U" if meter.unit == "u" else text(meter.value, meter.unit, look.units)
        painter.drawText(inner, Qt.AlignmentFlag.AlignRight | middle, said)
