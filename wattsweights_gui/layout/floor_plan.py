"""Where racks, CDUs and PDUs stand on the floor: rows by the plan's rules, and what a person has put elsewhere.

Lengths in mm from the upper left corner of the hall, x along the rows, y across them. A rack that is not turned has
its front downwards.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from wattsweights_gui.layout.floor_rules import FloorRules
from wattsweights_gui.layout.placements import Placements, Rack

_CELL_MM = 3000.0
_TOUCH = 1e-6
_SHAPE = 1.5  # a hall that is as large as its rows need is about so much wider than deep


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of the floor."""

    x: float
    y: float
    width: float
    depth: float

    @property
    def right(self) -> float:
        """Right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """Lower edge."""
        return self.y + self.depth

    @property
    def area_m2(self) -> float:
        """In m²."""
        return self.width * self.depth / 1e6

    def meets(self, other: Box) -> bool:
        """Whether both share some of the floor; touching is not sharing."""
        return (
            self.x < other.right - _TOUCH
            and other.x < self.right - _TOUCH
            and self.y < other.bottom - _TOUCH
            and other.y < self.bottom - _TOUCH
        )

    def within(self, other: Box) -> bool:
        """Whether it lies in the other one."""
        return (
            self.x >= other.x - _TOUCH
            and self.y >= other.y - _TOUCH
            and self.right <= other.right + _TOUCH
            and self.bottom <= other.bottom + _TOUCH
        )


@dataclass(frozen=True, slots=True)
class Spot:
    """Something that stands on the floor.

    Attributes:
        kind: ``rack``, ``cdu`` or ``pdu``.
        id: of the rack; the name of other things.
        turned: 0 with the front downwards, 90 to the left, 180 upwards, 270 to the right.
        row: the row's name; empty for what a person has put elsewhere.
    """

    kind: str
    id: str
    name: str
    box: Box
    turned: int
    row: str
    by_hand: bool = False


@dataclass(frozen=True, slots=True)
class Aisle:
    """A way along a row: ``cold`` before fronts, ``hot`` behind backs."""

    kind: str
    box: Box
    contained: bool


@dataclass(frozen=True, slots=True)
class FloorRow:
    """One row, its racks in order, and what else stands in it."""

    name: str
    box: Box
    turned: int
    racks: tuple[str, ...]
    cdus: tuple[str, ...]
    pdus: tuple[str, ...]


@dataclass(frozen=True)
class FloorPlan:
    """The floor as it is arranged.

    Attributes:
        outline: of the hall.
        stated: whether the plan gives the hall's size; else it is as large as the rows need.
        racks: by the rack's id.
        units: CDUs and PDUs.
        blocks: the stretch of x of each block of rows, between two cross aisles.
    """

    rules: FloorRules
    outline: Box
    stated: bool
    racks: Mapping[str, Spot]
    units: tuple[Spot, ...]
    rows: tuple[FloorRow, ...]
    aisles: tuple[Aisle, ...]
    blocks: tuple[tuple[float, float], ...] = field(default=())

    def spots(self) -> Iterator[Spot]:
        """Yield all that stands on the floor."""
        yield from self.racks.values()
        yield from self.units


class Places:
    """Boxes on a grid, so that what is near is found without looking at all."""

    def __init__(self, boxes: Iterable[tuple[str, Box]] = ()) -> None:
        self._cells: dict[tuple[int, int], list[tuple[str, Box]]] = {}
        for id, box in boxes:
            self.add(id, box)

    def add(self, id: str, box: Box) -> None:
        """Add a box."""
        for cell in _cells(box):
            self._cells.setdefault(cell, []).append((id, box))

    def meeting(self, box: Box, but: str = "") -> str | None:
        """Return the id of a box that shares some of the floor with this one; ``None`` where there is none."""
        return next((id for id, _ in self.all_meeting(box) if id != but), None)

    def all_meeting(self, box: Box) -> Iterator[tuple[str, Box]]:
        """Yield every box that shares some of the floor with this one; one that is large may come more than once."""
        for cell in _cells(box):
            for id, other in self._cells.get(cell, ()):
                if box.meets(other):
                    yield id, other


def _cells(box: Box) -> Iterator[tuple[int, int]]:
    for i in range(math.floor(box.x / _CELL_MM), math.floor(box.right / _CELL_MM) + 1):
        for j in range(math.floor(box.y / _CELL_MM), math.floor(box.bottom / _CELL_MM) + 1):
            yield i, j


def box_of(rack: Rack, x: float, y: float, turned: float | None) -> Box:
    """Return the floor that a rack takes at a place."""
    across = quarter(turned) % 180 == 90
    width, depth = (rack.depth_mm, rack.width_mm) if across else (rack.width_mm, rack.depth_mm)
    return Box(x, y, width, depth)


def quarter(turned: float | None) -> int:
    """Return the nearest quarter turn in degrees."""
    return round((turned or 0.0) / 90.0) * 90 % 360


def row_name(number: int) -> str:
    """Return A to Z, then AA and on, for rows counted from 0."""
    name = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        name = chr(65 + rest) + name
    return name


def arranged(placements: Placements, rules: FloorRules) -> FloorPlan:
    """Return the floor: racks that a person has put somewhere stand there, all others in rows."""
    return _Arranging(placements, rules).done()


class _Arranging:
    """The rows while they are laid out, row by row through the blocks."""

    def __init__(self, placements: Placements, rules: FloorRules) -> None:
        self.rules, self.racks = rules, placements.racks
        self.fixed = {
            r.id: box_of(r, r.x_mm, r.y_mm, r.turned_deg)
            for r in self.racks
            if r.x_mm is not None and r.y_mm is not None
        }
        self.hindered = Places(self.fixed.items())
        for number, out in enumerate(rules.keep_outs):
            self.hindered.add(f"!{number}", Box(out.x_mm, out.y_mm, out.width_mm, out.depth_mm))
        self.rack_mm = max((r.width_mm for r in self.racks), default=rules.rack_width_mm)
        self.depth_mm = max((r.depth_mm for r in self.racks), default=rules.rack_depth_mm)
        count = max(1, math.ceil(len(self.racks) / rules.racks_per_row))
        in_row = math.ceil(rules.cdus / count)
        pdus = rules.row_pdus if rules.pdus is None else math.ceil(rules.pdus / count)
        self.length = (
            min(rules.racks_per_row, max(len(self.racks), 1)) * self.rack_mm
            + in_row * rules.cdu_width_mm
            + pdus * rules.pdu_width_mm
        )
        self.across = self._blocks(count)

    def _blocks(self, rows: int) -> int:
        """Return how many blocks of rows stand side by side."""
        rules, each = self.rules, self.length + self.rules.cross_mm
        if rules.hall_width_mm is not None:
            return max(1, math.floor((rules.hall_width_mm - rules.cross_mm + _TOUCH) / each))
        pitch = self.depth_mm + (rules.cold_mm + rules.hot_mm) / 2
        if rules.hall_depth_mm is not None:
            deep = max(1, math.floor((rules.hall_depth_mm - rules.hot_mm) / pitch))
            return math.ceil(rows / deep)
        return min(range(1, rows + 1), key=lambda n: abs(math.log(n * each / (math.ceil(rows / n) * pitch) / _SHAPE)))

    def _y(self, line: int) -> float:
        """Return the upper edge of a line of rows: a hot aisle first, then two fronts at one cold aisle."""
        rules, pair = self.rules, 2 * self.depth_mm + self.rules.cold_mm + self.rules.hot_mm
        return rules.hot_mm + line // 2 * pair + line % 2 * (self.depth_mm + rules.cold_mm)

    def _slots(self) -> Iterator[tuple[int, int]]:
        line = 0
        while True:
            for block in range(self.across):
                yield line, block
            line += 1

    def done(self) -> FloorPlan:
        """Lay out all rows."""
        rules = self.rules
        spots: dict[str, Spot] = {}
        units: list[Spot] = []
        rows: list[FloorRow] = []
        waiting = list(reversed(self.racks))
        total = max(1, math.ceil(len(self.racks) / rules.racks_per_row))
        cdus = [_share(rules.cdus, total, n) for n in range(total)]
        pdus = [rules.row_pdus if rules.pdus is None else _share(rules.pdus, total, n) for n in range(total)]
        made = {"cdu": 0, "pdu": 0}
        slots, empty, most = self._slots(), 0, 0
        while waiting or len(rows) < total:
            if empty > 50 or not self.racks:
                break
            line, block = next(slots)
            number = len(rows)
            name = row_name(number)
            here = self._row(line, block, name, waiting, number, cdus, pdus, made)
            if not here:
                empty += 1
                continue
            empty = 0
            most = max(most, line)
            racks = [s for s in here if s.kind == "rack"]
            for spot in here:
                if spot.kind == "rack":
                    spots[spot.id] = spot
                else:
                    units.append(spot)
            left, right = min(s.box.x for s in here), max(s.box.right for s in here)
            rows.append(
                FloorRow(
                    name,
                    Box(left, self._y(line), right - left, self.depth_mm),
                    line % 2 * 180,
                    tuple(s.id for s in racks),
                    tuple(s.id for s in here if s.kind == "cdu"),
                    tuple(s.id for s in here if s.kind == "pdu"),
                )
            )
        for rack in self.racks:
            if rack.id in self.fixed:
                turned = quarter(rack.turned_deg)
                spots[rack.id] = Spot("rack", rack.id, rack.name, self.fixed[rack.id], turned, "", True)
        rows = [r if all(not spots[i].by_hand for i in r.racks) else _without(r, spots) for r in rows]
        by_order = {r.id: spots[r.id] for r in self.racks if r.id in spots}
        blocks = tuple(
            (rules.cross_mm + b * (self.length + rules.cross_mm), (b + 1) * (self.length + rules.cross_mm))
            for b in range(min(self.across, max(len(rows), 1)))
        )
        outline = self._outline(by_order, units, most, blocks)
        stated = rules.hall_width_mm is not None and rules.hall_depth_mm is not None
        return FloorPlan(
            rules, outline, stated, by_order, tuple(units), tuple(rows), self._aisles(rows, blocks, most), blocks
        )

    def _row(
        self,
        line: int,
        block: int,
        name: str,
        waiting: list[Rack],
        number: int,
        cdus: list[int],
        pdus: list[int],
        made: dict[str, int],
    ) -> list[Spot]:
        rules, turned = self.rules, line % 2 * 180
        x, y = rules.cross_mm + block * (self.length + rules.cross_mm), self._y(line)
        end = x + self.length
        here: list[Spot] = []
        with_cdus = cdus[number] if number < len(cdus) else 0
        with_pdus = pdus[number] if number < len(pdus) else 0
        before, after = (with_pdus + 1) // 2, with_pdus // 2
        after_mm = after * rules.pdu_width_mm + (0 if rules.cdus_in_rows else with_cdus * rules.cdu_width_mm)

        def stand(kind: str, count: int, width: float, at: float) -> float:
            done = 0
            while done < count and at + width <= end + _TOUCH:
                box = Box(at, y, width, self.depth_mm)
                if self.hindered.meeting(box) is not None:
                    at += _step(width)
                    continue
                made[kind] += 1
                if kind == "pdu":
                    label = f"PDU {made[kind]:02d}{'AB'[(made[kind] - 1) % 2]}"
                else:
                    label = f"CDU {made[kind]:02d}"
                here.append(Spot(kind, label, label, box, turned, name))
                at, done = at + width, done + 1
            return at

        x = stand("pdu", before, rules.pdu_width_mm, x)
        racks = 0
        half = min(rules.racks_per_row, len(waiting)) // 2
        while waiting and racks < rules.racks_per_row:
            if rules.cdus_in_rows and with_cdus and racks == half:
                x, with_cdus = stand("cdu", with_cdus, rules.cdu_width_mm, x), 0
            rack = waiting[-1]
            if x + rack.width_mm > end - after_mm + _TOUCH:
                break
            box = Box(x, y, rack.width_mm, rack.depth_mm)
            if turned == 0:  # fronts are in line at the cold aisle
                box = Box(x, y + self.depth_mm - rack.depth_mm, rack.width_mm, rack.depth_mm)
            if rack.id not in self.fixed and self.hindered.meeting(box) is not None:
                x += _step(rack.width_mm)
                continue
            waiting.pop()
            here.append(Spot("rack", rack.id, rack.name, box, turned, name))
            x, racks = x + rack.width_mm, racks + 1
        if with_cdus:
            x = stand("cdu", with_cdus, rules.cdu_width_mm, x)
        stand("pdu", after, rules.pdu_width_mm, x)
        return here if racks else []

    def _outline(
        self, racks: Mapping[str, Spot], units: list[Spot], line: int, blocks: tuple[tuple[float, float], ...]
    ) -> Box:
        rules = self.rules
        everything = [*(s.box for s in racks.values()), *(s.box for s in units)]
        everything += [Box(k.x_mm, k.y_mm, k.width_mm, k.depth_mm) for k in rules.keep_outs]
        way = rules.cold_mm if line % 2 == 0 else rules.hot_mm
        wide = max((b.right for b in everything), default=0.0)
        deep = max((b.bottom for b in everything), default=0.0)
        width = max(blocks[-1][1] + rules.cross_mm if racks else 0.0, wide)
        depth = max(self._y(line) + self.depth_mm + way, deep)
        return Box(0.0, 0.0, rules.hall_width_mm or width, rules.hall_depth_mm or depth)

    def _aisles(self, rows: list[FloorRow], blocks: tuple[tuple[float, float], ...], last: int) -> tuple[Aisle, ...]:
        found = []
        rules = self.rules
        by_place = {(r.box.y, next(i for i, b in enumerate(blocks) if r.box.x < b[1] + _TOUCH)): r for r in rows}
        for line in range(last + 2):
            hot = line % 2 == 0
            deep = rules.hot_mm if hot else rules.cold_mm
            y = self._y(line) - deep
            for block in range(len(blocks)):
                above, below = by_place.get((self._y(line - 1), block)), by_place.get((self._y(line), block))
                beside = [r for r in (above, below) if r is not None]
                if not beside:
                    continue
                left, right = min(r.box.x for r in beside), max(r.box.right for r in beside)
                kind = "hot" if hot else "cold"
                closed = rules.containment == kind and len(beside) == 2
                found.append(Aisle(kind, Box(left, y, right - left, deep), closed))
        return tuple(found)


def _without(row: FloorRow, spots: Mapping[str, Spot]) -> FloorRow:
    racks = tuple(i for i in row.racks if not spots[i].by_hand)
    return FloorRow(row.name, row.box, row.turned, racks, row.cdus, row.pdus)


def _share(count: int, rows: int, number: int) -> int:
    """Return how many of some units stand in a row, spread as evenly as can be."""
    return count * (number + 1) // rows - count * number // rows


def _step(width: float) -> float:
    """Return how far to move on past something that is in the way: a twelfth of a rack, 50 mm at least."""
    return max(50.0, width / 12.0)
