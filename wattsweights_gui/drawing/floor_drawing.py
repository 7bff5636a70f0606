"""A floor to scale, in millimetres of paper: racks with their names, rows, aisles, CDUs, PDUs, columns, dimensions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from wattsweights_gui.drawing import fonts
from wattsweights_gui.drawing.marks import (
    HAIRLINE,
    MEDIUM,
    MM_PER_PT,
    SMALLEST_PT,
    THICK,
    THIN,
    Line,
    Mark,
    Rect,
    Text,
)
from wattsweights_gui.engine.units import System, text
from wattsweights_gui.layout.floor_plan import Aisle, Box, FloorPlan, FloorRow, Spot

# the drawing scales of ISO 5455 and the ones between them, and those of architects' rules in inches a foot
_SI = (20, 25, 50, 75, 100, 125, 150, 200, 250, 300, 400, 500, 750, 1000, 1500, 2000, 2500, 5000, 10000)
_US = {
    24: "1/2 in = 1 ft",
    32: "3/8 in = 1 ft",
    48: "1/4 in = 1 ft",
    64: "3/16 in = 1 ft",
    96: "1/8 in = 1 ft",
    128: "3/32 in = 1 ft",
    192: "1/16 in = 1 ft",
    240: "1 in = 20 ft",
    360: "1 in = 30 ft",
    480: "1 in = 40 ft",
    600: "1 in = 50 ft",
    1200: "1 in = 100 ft",
    2400: "1 in = 200 ft",
    6000: "1 in = 500 ft",
    12000: "1 in = 1000 ft",
}
_HIGH = SMALLEST_PT * MM_PER_PT
MARGIN = 12.0  # for dimensions and the names of rows
_TICK = 0.9
_WIDEST_TEXT = "C0000"


@dataclass(frozen=True)
class Scale:
    """A drawing scale: so many mm of floor to one of paper, and how the title block says it."""

    ratio: float
    words: str


def scales(system: System) -> list[Scale]:
    """Return the scales from large to small."""
    if system == "us":
        return [Scale(float(ratio), words) for ratio, words in _US.items()]
    return [Scale(float(ratio), f"1:{ratio}") for ratio in _SI]


def scale_for(width_mm: float, depth_mm: float, room: float, height: float, system: System) -> Scale:
    """Return the largest scale at which a floor fits; the smallest there is where none does."""
    for scale in scales(system):
        if width_mm / scale.ratio <= room and depth_mm / scale.ratio <= height:
            return scale
    return scales(system)[-1]


def readable(plan: FloorPlan, system: System) -> Scale:
    """Return the smallest scale at which the names of racks can still be read."""
    longest = max((fonts.width(s.name, SMALLEST_PT) for s in plan.racks.values()), default=1.0)
    thin = min((min(s.box.width, s.box.depth) for s in plan.racks.values()), default=600.0)
    long = min((max(s.box.width, s.box.depth) for s in plan.racks.values()), default=1200.0)
    fits = [s for s in scales(system) if thin / s.ratio >= _HIGH * 1.12 and long / s.ratio >= longest + 0.8]
    return fits[-1] if fits else scales(system)[0]


def tiles(plan: FloorPlan, room: float, height: float, scale: Scale) -> list[Box]:
    """Return the parts of a floor that fit a page each, cut in aisles where there are some, in reading order."""
    whole = plan.outline
    pieces_x = [whole.right, *(r for _, r in plan.blocks), *(s.box.right for s in plan.racks.values())]
    between_x = sorted({(a[1] + b[0]) / 2 for a, b in pairwise(plan.blocks)})
    middles = sorted({a.box.y + a.box.depth / 2 for a in plan.aisles})
    pieces_y = sorted({s.box.bottom for s in plan.racks.values()})
    columns = _cuts(0.0, whole.right, room * scale.ratio, between_x, sorted(set(pieces_x)))
    lines = _cuts(0.0, whole.bottom, height * scale.ratio, middles, pieces_y)
    return [
        Box(left, top, right - left, bottom - top)
        for top, bottom in pairwise(lines)
        for left, right in pairwise(columns)
    ]


def _cuts(start: float, end: float, most: float, liked: list[float], otherwise: list[float]) -> list[float]:
    found = [start]
    while end - found[-1] > most + 1e-6:
        here = found[-1]
        best = [c for c in liked if here + 1 < c <= here + most] or [
            c for c in otherwise if here + 1 < c <= here + most
        ]
        found.append(max(best, default=here + most))
    return [*found, end]


@dataclass(frozen=True)
class Look:
    """How a floor is drawn: from floor to paper, and what is written into racks."""

    window: Box
    x: float
    y: float
    scale: Scale
    system: System
    second: Callable[[str], str]
    names: bool = True

    def place(self, box: Box) -> tuple[float, float, float, float]:
        """Return a box of the floor on the paper: x, y, width, height."""
        ratio = self.scale.ratio
        return (
            self.x + (box.x - self.window.x) / ratio,
            self.y + (box.y - self.window.y) / ratio,
            box.width / ratio,
            box.depth / ratio,
        )

    def holds(self, box: Box) -> bool:
        """Whether the middle of a box lies in the window."""
        middle_x, middle_y = box.x + box.width / 2, box.y + box.depth / 2
        window = self.window
        return window.x <= middle_x < window.right + 1e-6 and window.y <= middle_y < window.bottom + 1e-6

    def clipped(self, box: Box) -> Box | None:
        """Return the part of a box that lies in the window."""
        left, top = max(box.x, self.window.x), max(box.y, self.window.y)
        right, bottom = min(box.right, self.window.right), min(box.bottom, self.window.bottom)
        return Box(left, top, right - left, bottom - top) if right > left and bottom > top else None


def floor_marks(plan: FloorPlan, look: Look) -> list[Mark]:
    """Return the part of a floor that the window shows; it takes :data:`MARGIN` more to the left and above."""
    marks: list[Mark] = []
    for aisle in plan.aisles:
        marks += _aisle(aisle, look)
    outline = look.clipped(plan.outline)
    if outline is not None:
        marks += _walls(plan, outline, look)
    for spot in plan.spots():
        if look.holds(spot.box):
            marks += _spot(spot, look)
    for out in plan.rules.keep_outs:
        part = look.clipped(Box(out.x_mm, out.y_mm, out.width_mm, out.depth_mm))
        if part is not None:
            marks += _keep_out(part, out.column, out.name, look)
    for row in plan.rows:
        marks += _row_name(row, look)
    marks += _dimensions(plan, look)
    return marks


def _walls(plan: FloorPlan, part: Box, look: Look) -> Iterator[Mark]:
    """Draw the walls; where the page ends and the floor goes on, a thin dashed line."""
    x, y, wide, deep = look.place(part)
    whole = plan.outline
    for ends, wall in (
        ((x, y, x + wide, y), part.y == whole.y),
        ((x, y + deep, x + wide, y + deep), abs(part.bottom - whole.bottom) < 1e-6),
        ((x, y, x, y + deep), part.x == whole.x),
        ((x + wide, y, x + wide, y + deep), abs(part.right - whole.right) < 1e-6),
    ):
        if wall:
            yield Line(*ends, THICK if plan.stated else MEDIUM)
        else:
            yield Line(*ends, THIN, "rule", (3.0, 1.0, 0.6, 1.0))


def _aisle(aisle: Aisle, look: Look) -> Iterator[Mark]:
    part = look.clipped(aisle.box)
    if part is None:
        return
    x, y, wide, deep = look.place(part)
    if aisle.kind == "hot":
        yield Rect(x, y, wide, deep, ink=None, fill="tint")
    if aisle.contained:
        for edge in (y, y + deep):
            yield Line(x, edge, x + wide, edge, 0.5, "black", (1.6, 0.8))
        for edge in (x, x + wide):
            yield Line(edge, y, edge, y + deep, 0.5, "black", (1.6, 0.8))
    words = f"{aisle.kind} aisle" + (", contained" if aisle.contained else "")
    if deep >= _HIGH * 1.15 and fonts.width(words, SMALLEST_PT) <= wide and part.depth > aisle.box.depth * 0.45:
        yield Text(x + wide / 2, y + deep / 2 + _HIGH * 0.36, words, SMALLEST_PT, align="centre", ink="quiet")


def _spot(spot: Spot, look: Look) -> Iterator[Mark]:
    x, y, wide, deep = look.place(spot.box)
    fill = {"rack": "white", "cdu": "hair", "pdu": "tint"}[spot.kind]
    yield Rect(x, y, wide, deep, MEDIUM if spot.by_hand else THIN, "black", fill)
    ends = {
        0: (x, y + deep, x + wide, y + deep),
        180: (x, y, x + wide, y),
        90: (x, y, x, y + deep),
        270: (x + wide, y, x + wide, y + deep),
    }[spot.turned]
    yield Line(*ends, 0.5)  # the front
    if look.names:
        yield from _written(spot.name, look.second(spot.id) if spot.kind == "rack" else "", x, y, wide, deep)


def _written(name: str, second: str, x: float, y: float, wide: float, deep: float) -> Iterator[Mark]:
    """Write a name into a box along its longer side, and a second line where there is room for one."""
    along, over = (deep, wide) if deep >= wide else (wide, deep)
    turned = deep >= wide
    if over < _HIGH * 1.1:
        return
    lines = [name]
    if second and over >= _HIGH * 2.4 and fonts.width(second, SMALLEST_PT) <= along - 0.6:
        lines.append(second)
    if fonts.width(name, SMALLEST_PT) > along - 0.4:
        return
    step = _HIGH * 1.18
    for n, line in enumerate(lines):
        offset = (n - (len(lines) - 1) / 2) * step + _HIGH * 0.36
        if turned:
            yield Text(x + wide / 2 + offset, y + deep / 2, line, SMALLEST_PT, False, "centre", "black", 90.0)
        else:
            yield Text(x + wide / 2, y + deep / 2 + offset, line, SMALLEST_PT, False, "centre")


def _keep_out(part: Box, column: bool, name: str, look: Look) -> Iterator[Mark]:
    x, y, wide, deep = look.place(part)
    yield Rect(x, y, wide, deep, THIN, "black", "rule" if column else None)
    yield Line(x, y, x + wide, y + deep, HAIRLINE)
    yield Line(x, y + deep, x + wide, y, HAIRLINE)
    if deep >= _HIGH * 1.2 and fonts.width(name, SMALLEST_PT) <= wide - 0.6:
        width = fonts.width(name, SMALLEST_PT)
        yield Rect(x + wide / 2 - width / 2 - 0.3, y + deep / 2 - _HIGH / 2, width + 0.6, _HIGH, ink=None, fill="white")
        yield Text(x + wide / 2, y + deep / 2 + _HIGH * 0.36, name, SMALLEST_PT, align="centre")


def _row_name(row: FloorRow, look: Look) -> Iterator[Mark]:
    part = look.clipped(row.box)
    if part is None or not look.holds(Box(part.x, row.box.y, part.width, row.box.depth)):
        return
    x, y, wide, deep = look.place(Box(part.x, row.box.y, part.width, row.box.depth))
    if not look.names:  # nothing else is written there, and there is no room beside the row
        half = fonts.width(row.name, SMALLEST_PT, True) / 2 + 0.5
        middle, high = x + wide / 2, _HIGH * 0.95
        if wide >= 2 * half:
            yield Rect(middle - half, y + deep / 2 - high / 2, 2 * half, high, ink=None, fill="white")
            yield Text(middle, y + deep / 2 + _HIGH * 0.36, row.name, SMALLEST_PT, True, "centre")
        return
    words = f"Row {row.name}" if deep >= fonts.width(f"Row {row.name}", SMALLEST_PT, True) else row.name
    room = look.x - MARGIN / 2
    if x - 1.0 - _HIGH < room or deep < fonts.width(words, SMALLEST_PT, True):
        if deep < _HIGH:
            return
        if x - 0.8 - fonts.width(row.name, SMALLEST_PT, True) > room:
            yield Text(x - 0.8, y + deep / 2 + _HIGH * 0.36, row.name, SMALLEST_PT, True, "right")
        return
    yield Text(x - 0.9, y + deep / 2, words, SMALLEST_PT, True, "centre", "black", 90.0)


def _dimensions(plan: FloorPlan, look: Look) -> Iterator[Mark]:
    """Draw the width above, the depth of rows and aisles and the whole depth to the left."""
    window, ratio = look.window, look.scale.ratio
    x, y = look.x, look.y

    def words(mm: float) -> str:
        return text(round(mm / 1e3, 3), "m", look.system, 4)

    yield from _across(x, x + window.width / ratio, y - MARGIN + 3.4, words(window.width))
    edges = [window.x, *(e for b in plan.blocks for e in b), window.right]
    edges = sorted({round(e, 3) for e in edges if window.x - 1e-6 <= e <= window.right + 1e-6})
    yield from _chain(
        [(x + (a - window.x) / ratio, x + (b - window.x) / ratio, words(b - a))
         for a, b in pairwise(edges)],
        lambda a, b, said: _across(a, b, y - 3.0, said),
    )  # fmt: skip
    yield from _down(y, y + window.depth / ratio, x - MARGIN + 3.4, words(window.depth))
    levels = {window.y, window.bottom}
    for row in plan.rows:
        levels |= {e for e in (row.box.y, row.box.bottom) if window.y <= e <= window.bottom}
    ordered = sorted({round(e, 3) for e in levels})
    yield from _chain(
        [(y + (a - window.y) / ratio, y + (b - window.y) / ratio, words(b - a))
         for a, b in pairwise(ordered)],
        lambda a, b, said: _down(a, b, x - 3.0, said),
    )  # fmt: skip


def _chain(
    parts: list[tuple[float, float, str]], draw: Callable[[float, float, str], Iterator[Mark]]
) -> Iterator[Mark]:
    for a, b, said in parts:
        yield from draw(a, b, said if fonts.width(said, SMALLEST_PT) <= b - a - 0.6 else "")


def _across(x1: float, x2: float, y: float, said: str) -> Iterator[Mark]:
    yield Line(x1, y, x2, y, HAIRLINE)
    for x in (x1, x2):
        yield Line(x - _TICK / 2, y + _TICK / 2, x + _TICK / 2, y - _TICK / 2, THIN)
    if said:
        yield Text((x1 + x2) / 2, y - 0.6, said, SMALLEST_PT, align="centre")


def _down(y1: float, y2: float, x: float, said: str) -> Iterator[Mark]:
    yield Line(x, y1, x, y2, HAIRLINE)
    for y in (y1, y2):
        yield Line(x - _TICK / 2, y + _TICK / 2, x + _TICK / 2, y - _TICK / 2, THIN)
    if said:
        yield Text(x - 0.6, (y1 + y2) / 2, said, SMALLEST_PT, False, "centre", "black", 90.0)
