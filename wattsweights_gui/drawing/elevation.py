"""A rack from the front and the rear with its rack units, in millimetres of paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from wattsweights_gui.drawing import fonts
from wattsweights_gui.drawing.marks import (
    HAIRLINE,
    MEDIUM,
    MM_PER_PT,
    SMALLEST_PT,
    THIN,
    Line,
    Mark,
    Polygon,
    Rect,
    Text,
)
from wattsweights_gui.layout.placements import Device, Rack

LEADING = SMALLEST_PT * MM_PER_PT * 1.3
TITLE = 4.6
NUMBERS = 4.4  # wide enough for two digits at the smallest print
GAP = 2.6
LEAST_U = SMALLEST_PT * MM_PER_PT
MOST_U = 4.445  # a tenth of a rack unit's true height
_PAD = 0.8


@dataclass(frozen=True)
class Elevation:
    """A rack to be drawn.

    Attributes:
        rack: the rack; the first of several equal ones.
        devices: what is in it.
        kinds: what a catalogue entry is called, by id.
        draws: what a device draws, as it is printed, by catalogue id.
        lines: under the rack's name: how many are equal, what it draws and weighs.
    """

    rack: Rack
    devices: tuple[Device, ...]
    kinds: Mapping[str, str]
    draws: Mapping[str, str]
    title: str
    lines: tuple[str, ...]

    def notes(self, room: float) -> list[str]:
        """Return what stands under the drawing: the devices beside the rack units."""
        beside = [f"{d.name} ({d.half})" for d in self.devices if d.zero_u]
        if not beside:
            return []
        return list(fonts.wrapped("Beside the units, seen from the front: " + ", ".join(beside), room, SMALLEST_PT))

    def head(self, room: float) -> list[str]:
        """Return the lines between the name and the drawing, broken to a width."""
        return [line for text in self.lines for line in fonts.wrapped(text, room, SMALLEST_PT)]

    def above(self, room: float) -> float:
        """Return the height of name, lines and the words FRONT and REAR."""
        return TITLE + LEADING * (len(self.head(room)) + 1) + 0.6

    def below(self, room: float) -> float:
        """Return the height of what stands under the drawing."""
        return LEADING * len(self.notes(room)) + 1.4


def fitting_u(elevation: Elevation, room: float, height: float) -> float:
    """Return the height of a rack unit at which a rack fits a height, in mm of paper; no more than a tenth of it."""
    left = height - elevation.above(room) - elevation.below(room)
    return min(MOST_U, left / elevation.rack.height_u)


def elevation_marks(elevation: Elevation, x: float, y: float, room: float, above: float, unit: float) -> list[Mark]:
    """Return a rack with its upper edge at ``y``, ``room`` mm wide, its frame ``above`` mm further down."""
    marks: list[Mark] = [
        Text(x, y + TITLE * 0.75, fonts.fitted(elevation.title, room, 9.0, True), 9.0, True),
    ]
    for n, line in enumerate(elevation.head(room)):
        marks.append(Text(x, y + TITLE + LEADING * (n + 0.8), line, SMALLEST_PT))
    each = (room - GAP) / 2
    top = y + above
    height = elevation.rack.height_u * unit
    for left, face in ((x, "front"), (x + each + GAP, "rear")):
        marks += _face(elevation, left, top, each, unit, face)
    for n, line in enumerate(elevation.notes(room)):
        marks.append(Text(x, top + height + 0.8 + LEADING * (n + 0.8), line, SMALLEST_PT, ink="quiet"))
    return marks


def _face(elevation: Elevation, x: float, top: float, wide: float, unit: float, face: str) -> list[Mark]:
    units = elevation.rack.height_u
    left, inner = x + NUMBERS, wide - 2 * NUMBERS
    marks: list[Mark] = [
        Text(left + inner / 2, top - 0.9, face.upper(), SMALLEST_PT, True, "centre"),
        Rect(left, top, inner, units * unit, MEDIUM),
    ]
    every = 1 if unit >= LEAST_U else 2 if unit * 2 >= LEAST_U else 5
    for number in range(1, units + 1):
        edge = top + (units - number) * unit
        if number < units:
            marks.append(Line(left, edge, left + inner, edge, HAIRLINE, "hair"))
        if number % every == 0 or number == 1:
            base = edge + unit / 2 + SMALLEST_PT * MM_PER_PT * 0.36
            marks.append(Text(left - 0.7, base, str(number), SMALLEST_PT, False, "right", "quiet"))
            marks.append(Text(left + inner + 0.7, base, str(number), SMALLEST_PT, False, "left", "quiet"))
    for device in sorted(elevation.devices, key=lambda d: d.face == face):
        if not device.zero_u and (device.face == face or device.full_depth):
            marks += _device(elevation, device, left, top, inner, unit, face)
    return marks


def _device(
    elevation: Elevation, device: Device, left: float, top: float, inner: float, unit: float, face: str
) -> list[Mark]:
    own = device.face == face
    x, wide = left, inner
    if device.half:
        wide = inner / 2
        # the half is told as seen from the front: from the rear it is on the other side
        x = left + (wide if (device.half == "right") == (face == "front") else 0.0)
    y = top + (elevation.rack.height_u - device.top_u) * unit
    height = device.height_u * unit
    marks: list[Mark] = [Rect(x, y, wide, height, THIN, "black", "white" if own else "tint")]
    if not own:  # a folded corner says that this is the back of it, without colour too
        fold = min(1.6, height * 0.6)
        marks.append(Polygon(((x + wide - fold, y), (x + wide, y), (x + wide, y + fold)), THIN, "black", "rule"))
    if height < LEAST_U:
        return marks
    room = wide - 2 * _PAD
    lines = int((height - 0.2) / LEADING)
    draw = elevation.draws.get(device.entry, "") if own else ""
    name = device.name if own else f"{device.name}, back"
    kind = elevation.kinds.get(device.entry, device.entry)
    beside = fonts.width(draw, SMALLEST_PT) + 1.0 if draw else 0.0
    if draw and fonts.width(name, SMALLEST_PT, own) > room - beside:
        draw, beside = "", 0.0
    base = y + height / 2 + SMALLEST_PT * MM_PER_PT * 0.36 - (LEADING / 2 if lines >= 2 else 0.0)
    marks.append(Text(x + _PAD, base, fonts.fitted(name, room - beside, SMALLEST_PT, own), SMALLEST_PT, own))
    if draw:
        marks.append(Text(x + wide - _PAD, base, draw, SMALLEST_PT, False, "right"))
    if lines >= 2:
        words = fonts.fitted(kind, room, SMALLEST_PT)
        marks.append(Text(x + _PAD, base + LEADING, words, SMALLEST_PT, ink="quiet"))
    return marks
