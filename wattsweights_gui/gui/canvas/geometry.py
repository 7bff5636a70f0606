"""Where racks and devices are drawn, in millimetres, and which slot is at a point. Plain numbers, no Qt.

Rack units are 44.45 mm and openings 482.6 mm wide (IEC 60297-3-100, EIA-310). Racks stand in lines, bottoms aligned;
above each are its meters.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from wattsweights_gui.layout.placements import ZERO_U_PLACES, Device, Face, Half, Rack

U_MM = 44.45
OPENING_MM = 482.6
RACK_MM = 600.0
RAIL_MM = (RACK_MM - OPENING_MM) / 2
CAP_MM = 40.0
METER_ROW_MM = 52.0
METER_ROWS = 8
METERS_MM = METER_ROW_MM * METER_ROWS + 24.0
GAP_MM = 90.0
LINE_GAP_MM = 160.0
_SHAPE = 1.7

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Spot:
    """What is at a point: a rack by its number in the order, a unit (0 above and below), a half, a side channel."""

    rack: int
    unit: int
    half: Half
    beside: Half = ""

    @property
    def in_units(self) -> bool:
        """Whether it lies in the opening of the rack."""
        return self.unit > 0 and not self.beside


@dataclass(frozen=True)
class Lines:
    """Racks in lines.

    Attributes:
        heights_u: of each rack in order.
        a_line: racks in a line.
    """

    heights_u: tuple[int, ...]
    a_line: int

    @classmethod
    def of(cls, racks: Sequence[Rack], racks_per_row: int) -> Lines:
        """Return lines of whole rows of the hall that fill a screen about evenly."""
        heights = tuple(rack.height_u for rack in racks)
        count = len(heights)
        line = rack_height_mm(max(heights, default=1)) + LINE_GAP_MM
        even = math.sqrt(max(count, 1) * line * _SHAPE / (RACK_MM + GAP_MM))
        row = max(1, racks_per_row)
        if count <= row:
            return cls(heights, max(count, 1))
        return cls(heights, row * max(1, round(even / row)))

    @property
    def line_mm(self) -> float:
        """Height of a line with the gap below it."""
        return rack_height_mm(max(self.heights_u, default=1)) + LINE_GAP_MM

    def corner(self, number: int) -> tuple[float, float]:
        """Return the upper left corner of a rack with its meters."""
        line, place = divmod(number, self.a_line)
        lower = rack_height_mm(max(self.heights_u)) - rack_height_mm(self.heights_u[number])
        return place * (RACK_MM + GAP_MM), line * self.line_mm + lower

    def size(self) -> tuple[float, float]:
        """Return width and height of all of it."""
        count = len(self.heights_u)
        if not count:
            return RACK_MM, rack_height_mm(48)
        lines = math.ceil(count / self.a_line)
        return min(count, self.a_line) * (RACK_MM + GAP_MM) - GAP_MM, lines * self.line_mm - LINE_GAP_MM

    def spot(self, x: float, y: float, face: Face) -> Spot | None:
        """Return what is at a point, seen from a face; ``None`` between racks."""
        place, line = math.floor(x / (RACK_MM + GAP_MM)), math.floor(y / self.line_mm)
        number = line * self.a_line + place
        if not 0 <= place < self.a_line or not 0 <= number < len(self.heights_u) or line < 0:
            return None
        left, top = self.corner(number)
        inner_x, inner_y = x - left, y - top
        height = self.heights_u[number]
        if not 0 <= inner_x <= RACK_MM or not 0 <= inner_y <= rack_height_mm(height):
            return None
        unit = height - math.floor((inner_y - METERS_MM - CAP_MM) / U_MM)
        if not 1 <= unit <= height:
            return Spot(number, 0, "")
        on_left = inner_x < RACK_MM / 2
        half: Half = "left" if on_left == (face == "front") else "right"
        beside = half if not RAIL_MM <= inner_x <= RACK_MM - RAIL_MM else ""
        return Spot(number, unit, half, beside)


def rack_height_mm(height_u: int) -> float:
    """Return the drawn height of a rack with its meters."""
    return METERS_MM + 2 * CAP_MM + height_u * U_MM


def units_box(rack: Rack, bottom_u: int, height_u: int, half: Half, face: Face) -> Box:
    """Return x, y, width, height of rack units, from the rack's upper left corner, seen from a face."""
    top = METERS_MM + CAP_MM + (rack.height_u - (bottom_u + height_u - 1)) * U_MM
    width = OPENING_MM / 2 if half else OPENING_MM
    on_right = half == ("right" if face == "front" else "left")
    return RAIL_MM + (OPENING_MM / 2 if half and on_right else 0.0), top, width, height_u * U_MM


def beside_box(rack: Rack, half: Half, place: int, face: Face) -> Box:
    """Return the box of a strip beside the units: the lower or upper one of a side, seen from a face."""
    on_right = half == ("right" if face == "front" else "left")
    each = rack.height_u * U_MM / (ZERO_U_PLACES // 2)
    left = RACK_MM - RAIL_MM + 14.0 if on_right else 14.0
    top = METERS_MM + CAP_MM + rack.height_u * U_MM - (place + 1) * each
    return left, top + 12.0, RAIL_MM - 28.0, each - 24.0


def boxes(rack: Rack, inside: Sequence[Device], face: Face) -> list[tuple[Device, Box, bool]]:
    """Return the devices seen from a face with their boxes, and whether each is seen from its own front."""
    found: list[tuple[Device, Box, bool]] = []
    beside = {"left": 0, "right": 0}
    for device in inside:
        if device.bottom_u is None:
            side = device.half or "left"
            if face == "rear":
                found.append((device, beside_box(rack, device.half, beside[side], face), True))
            beside[side] += 1
        elif device.full_depth or device.face == face:
            box = units_box(rack, device.bottom_u, device.height_u, device.half, face)
            found.append((device, box, device.face == face))
    return found


def bottom_for(unit: int, height_u: int, rack_u: int, grip: int | None = None) -> int:
    """Return the lowest unit of a device whose unit ``grip`` (its middle where ``None``) is held at a unit."""
    held = (height_u - 1) // 2 if grip is None else grip
    return max(1, min(unit - held, rack_u - height_u + 1))
