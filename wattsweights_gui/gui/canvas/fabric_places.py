"""Where everything of a fabric lies on its drawing, as arrays: boxes of devices, ports, blocks, trunks. No Qt here.

Cores lie over spines over leaves over nodes, rails in order; a scalable unit is a block of its leaves and nodes. Many
units lie in several lines, so that the whole keeps the proportions of a screen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wattsweights_gui.engine.wiring import CORE, KINDS, LEAF, MANAGER, NODE, SPINE, Whole, Wiring
from wattsweights_gui.layout.edited_fabric import EditedFabric, down_ports

Reals = NDArray[np.float64]

PORT, HIGH, LEAST_WIDE = 5.0, 44.0, 40.0
GAP, LINE = 20.0, 70.0
BLOCK_GAP, TIER_GAP, ROW_GAP = 140.0, 380.0, 190.0
PORT_BOX = 4.0
SHEET_GAP = 220.0
_ONE_LINE_UNITS = 4
_WIDEST_UNIT = 3000.0
_PLURALS = {NODE: "nodes", MANAGER: "fabric manager", LEAF: "leaves", SPINE: "spines", CORE: "cores"}


@dataclass(frozen=True, eq=False)
class Block:
    """A scalable unit, or spines or cores that belong together.

    Attributes:
        title: such as ``SU 3``. words: what is in it.
        x, y, wide, high: around its devices.
    """

    title: str
    words: str
    x: float
    y: float
    wide: float
    high: float


@dataclass(frozen=True, eq=False)
class Drawing:
    """Places of one fabric.

    Attributes:
        x, y, wide: of the devices' boxes, whose height is :data:`HIGH`.
        ax, ay, bx, by: both ends of every link.
        block: number of the block of each device. blocks: all of them.
        trunks: pairs of blocks with their number of links: rows of (block, block, links).
        trunk_of: trunk of each link; -1 inside a block.
        bundle_a, bundle_b, bundle_links: pairs of devices with links, and how many.
        bundle_of: bundle of each link.
        row_y: where the row of each kind lies.
    """

    x: Reals
    y: Reals
    wide: Reals
    down: Whole
    ax: Reals
    ay: Reals
    bx: Reals
    by: Reals
    block: Whole
    blocks: tuple[Block, ...]
    trunks: Whole
    trunk_of: Whole
    bundle_a: Whole
    bundle_b: Whole
    bundle_links: Whole
    bundle_of: Whole
    row_y: dict[int, float]

    @cached_property
    def middles(self) -> tuple[Reals, Reals, Reals, Reals]:
        """The ends of bundles: the middles of the facing edges of their devices."""
        a, b = self.bundle_a, self.bundle_b
        over = self.y[b] <= self.y[a]
        return (
            self.x[a] + self.wide[a] / 2.0,
            self.y[a] + np.where(over, 0.0, HIGH),
            self.x[b] + self.wide[b] / 2.0,
            self.y[b] + np.where(over, HIGH, 0.0),
        )

    def port_points(self, device: Whole, port: Whole, ports: Whole) -> tuple[Reals, Reals]:
        """Return the places of ports: those that face downward on the lower edge, the others on the upper one."""
        down = self.down[device]
        below = port < down
        count = np.where(below, down, np.maximum(ports - down, 1))
        place = np.where(below, port, port - down)
        x = self.x[device] + self.wide[device] * (place + 0.5) / count
        return x, self.y[device] + np.where(below, HIGH, 0.0)

    def device_at(self, x: float, y: float, around: float = 0.0) -> int | None:
        """Return the device at a point, or near it; the one drawn last where several lie there."""
        here = (self.x - around <= x) & (x <= self.x + self.wide + around)
        here &= (self.y - around <= y) & (y <= self.y + HIGH + around)
        found = np.flatnonzero(here)
        return int(found[-1]) if len(found) else None

    def devices_in(self, left: float, top: float, right: float, bottom: float) -> Whole:
        """Return the devices that a rectangle touches."""
        return np.flatnonzero(
            (self.x <= right) & (self.x + self.wide >= left) & (self.y <= bottom) & (self.y + HIGH >= top)
        )

    def link_at(self, x: float, y: float, near: float) -> int | None:
        """Return the link that passes a point most closely, not farther than ``near``."""
        if not len(self.ax):
            return None
        dx, dy = self.bx - self.ax, self.by - self.ay
        along = ((x - self.ax) * dx + (y - self.ay) * dy) / np.maximum(dx * dx + dy * dy, 1e-9)
        along = np.clip(along, 0.0, 1.0)
        away = np.hypot(self.ax + along * dx - x, self.ay + along * dy - y)
        best = int(np.argmin(away))
        return best if away[best] <= near else None

    def bounds(self) -> tuple[float, float, float, float]:
        """Return left, top, right and bottom of all devices; of a sheet where there are none."""
        if not len(self.x):
            return 0.0, self.row_y[SPINE], 1000.0, self.row_y[NODE] + HIGH
        return (float(self.x.min()), float(self.y.min()), float((self.x + self.wide).max()), float(self.y.max()) + HIGH)

    def role_at(self, y: float) -> str:
        """Return what a switch becomes that is dropped at a height: leaf, spine or core."""
        rows = {kind: row for kind, row in self.row_y.items() if kind not in (NODE, MANAGER)}
        return KINDS[min(rows, key=lambda kind: abs(rows[kind] - y))]


def drawing_of(fabric: EditedFabric) -> Drawing:
    """Return where everything of a fabric lies."""
    base_x, base_y, base_wide, rows = _planned(fabric.base.wiring, fabric.edits.from_plan)
    old = fabric.planned >= 0
    number = len(fabric.devices)
    x, y, wide = np.zeros(number), np.zeros(number), np.zeros(number)
    x[old], y[old], wide[old] = (column[fabric.planned[old]] for column in (base_x, base_y, base_wide))
    for name, edit in fabric.edits.devices.items():
        at = fabric.index_of.get(name)
        if at is None:
            continue
        if not old[at]:
            wide[at] = _wide(int(fabric.devices.ports[at]), down_ports(fabric, at))
        if edit.at is not None:
            x[at], y[at] = edit.at
    down = _down(fabric)
    links, ports = fabric.links, fabric.devices.ports
    empty = np.zeros(0)
    whole = np.zeros(0, dtype=np.int64)
    bare = Drawing(
        x, y, wide, down, empty, empty, empty, empty, whole, (), whole, whole, whole, whole, whole, whole, rows
    )
    ax, ay = bare.port_points(links.a, links.a_port, ports[links.a])
    bx, by = bare.port_points(links.b, links.b_port, ports[links.b])
    block, blocks = _blocks(fabric, x, y, wide)
    trunks, trunk_of = _trunks(block, links.a, links.b, len(blocks))
    codes, bundle_of, counts = np.unique(links.a * max(number, 1) + links.b, return_inverse=True, return_counts=True)
    bundle_a, bundle_b = np.divmod(codes, max(number, 1))
    return Drawing(
        x, y, wide, down, ax, ay, bx, by, block, blocks, trunks, trunk_of, bundle_a, bundle_b, counts, bundle_of, rows
    )


def _wide(ports: int, down: int) -> float:
    return max(LEAST_WIDE, max(down, ports - down) * PORT)


def _down(fabric: EditedFabric) -> Whole:
    """Return the ports of each device that face downward; the same for all planned ones of a kind."""
    found = np.zeros(len(fabric.devices), dtype=np.int64)
    for kind in (LEAF, SPINE, CORE):
        these = fabric.devices.of(kind)
        planned = these[fabric.planned[these] >= 0]
        if len(planned):
            found[planned] = down_ports(fabric, int(planned[0]))
    for at in np.flatnonzero(fabric.planned < 0).tolist():
        found[at] = down_ports(fabric, at)
    return found


# ---------------------------------------------------------------------------------------------------- the plan's places


def _planned(wiring: Wiring, used: bool) -> tuple[Reals, Reals, Reals, dict[int, float]]:
    """Return left, top and width of every planned device, and the rows of the kinds."""
    devices, design, tiers = wiring.devices, wiring.design, wiring.counts.tiers
    number = len(devices)
    x, y, wide = np.zeros(number), np.zeros(number), np.full(number, LEAST_WIDE)
    downs = {
        NODE: 0,
        MANAGER: 0,
        LEAF: design.leaf_down if tiers > 1 else design.leaf_ports,
        SPINE: design.spine_down if tiers > 2 else design.spine_ports,
        CORE: design.core_ports,
    }
    for kind in KINDS_OF:
        these = devices.of(kind)
        if len(these):
            wide[these] = _wide(int(devices.ports[these[0]]), min(downs[kind], int(devices.ports[these[0]])))
    rows = {NODE: 0.0, MANAGER: 0.0, LEAF: -TIER_GAP, SPINE: -2 * TIER_GAP, CORE: -3 * TIER_GAP}
    if not used:
        return x, y, wide, {NODE: 0.0, MANAGER: 0.0, LEAF: -SHEET_GAP, SPINE: -2 * SHEET_GAP, CORE: -3 * SHEET_GAP}
    total = _place_units(wiring, x, y, wide, rows)
    gap = max(TIER_GAP, min(total / 8.0, 900.0))
    above = rows[LEAF]
    for kind in (SPINE, CORE):
        these = devices.of(kind)
        these = these[devices.unit[these] < 0]
        if not len(these):
            if not (kind == SPINE and len(devices.of(SPINE))):
                rows[kind] = min(rows[SPINE] if kind == CORE else rows[LEAF], above) - TIER_GAP
            above = min(above, rows[kind])
            continue
        total = max(total, 6 * (float(wide[these[0]]) + GAP))
        above = _place_above(wiring, these, x, y, wide, total, above - gap)
        rows[kind] = float(y[these].max())
    return x, y, wide, rows


KINDS_OF = (NODE, MANAGER, LEAF, SPINE, CORE)


def _place_units(wiring: Wiring, x: Reals, y: Reals, wide: Reals, rows: dict[int, float]) -> float:
    """Place scalable units in lines, each with its spines, leaves and nodes; return the width of a line."""
    devices = wiring.devices
    unit = np.maximum(devices.unit, 0)
    units = int(unit[devices.kind == NODE].max(initial=0)) + 1
    tiers = [kind for kind in (SPINE, LEAF, NODE) if ((devices.kind == kind) & (devices.unit >= 0)).any()]
    members = {(u, kind): np.zeros(0, dtype=np.int64) for u in range(units) for kind in tiers}
    for kind in tiers:
        these = devices.of(kind)
        these = these[devices.unit[these] >= 0] if kind == SPINE else these
        order = np.lexsort((devices.position[these], devices.rail[these], devices.plane[these], unit[these]))
        these = these[order]
        starts = np.searchsorted(unit[these], np.arange(units + 1))
        for u in range(units):
            members[u, kind] = these[starts[u] : starts[u + 1]]
    gap = {SPINE: GAP, LEAF: GAP, NODE: PORT}
    # a row of a unit is as wide as its leaves; spines of a large unit go into as many lines as that takes
    widths = {key: float(wide[m].sum() + gap[key[1]] * max(len(m) - 1, 0)) for key, m in members.items()}
    across = max(widths[u, LEAF] for u in range(units)) if LEAF in tiers else 0.0
    across = min(max(across, max(widths[u, NODE] for u in range(units))), _WIDEST_UNIT)
    lines_of = {kind: max(_lines(wide[members[u, kind]], gap[kind], across) for u in range(units)) for kind in tiers}
    heights = {kind: (lines_of[kind] - 1) * LINE + HIGH for kind in tiers}
    columns = units if units <= _ONE_LINE_UNITS else max(_ONE_LINE_UNITS, round(math.sqrt(1.2 * units)))
    # units in one line leave room below each other: the whole keeps the proportions of a screen
    row_gap = ROW_GAP if columns < units else max(ROW_GAP, min(columns * across / 9.0, 700.0))
    high = sum(heights.values()) + row_gap * (len(tiers) - 1)
    for u in range(units):
        line, column = divmod(u, columns)
        left, top = column * (across + BLOCK_GAP), line * (high + BLOCK_GAP)
        for kind in tiers:
            _in_lines(members[u, kind], x, y, wide, left, top, across, gap[kind])
            if line == 0:
                rows[kind] = top
            top += heights[kind] + row_gap
    managers = devices.of(MANAGER)
    if len(managers):
        last = devices.of(NODE)[-1]
        x[managers], y[managers] = x[last] + wide[last] + GAP, y[last]
        rows[MANAGER] = rows[NODE]
    return min(units, columns) * (across + BLOCK_GAP) - BLOCK_GAP


def _lines(wide: Reals, gap: float, across: float) -> int:
    if not len(wide):
        return 1
    each = max(1, int((across + gap + 1e-6) // (float(wide[0]) + gap)))
    return -(-len(wide) // each)


def _in_lines(
    members: Whole, x: Reals, y: Reals, wide: Reals, left: float, top: float, across: float, gap: float
) -> None:
    """Place devices of one width in lines, the last line in the middle too."""
    if not len(members):
        return
    step = float(wide[members[0]]) + gap
    each = max(1, int((across + gap + 1e-6) // step))
    each = -(-len(members) // -(-len(members) // each))
    line, place = np.divmod(np.arange(len(members)), each)
    x[members] = left + (across - (each * step - gap)) / 2.0 + place * step
    y[members] = top + line * LINE


def _place_above(wiring: Wiring, these: Whole, x: Reals, y: Reals, wide: Reals, total: float, bottom: float) -> float:
    """Place spines or cores in blocks by plane and rail over a width; return the top of the highest."""
    devices = wiring.devices
    code = devices.plane[these] * (int(devices.rail.max(initial=0)) + 2) + devices.rail[these]
    groups = np.unique(code)
    across = (total - BLOCK_GAP * (len(groups) - 1)) / len(groups)
    step = float(wide[these[0]]) + GAP
    across = max(across, step - GAP)
    most = max(_lines(wide[these[code == g]], GAP, across) for g in groups)
    top = bottom - (most - 1) * LINE
    for number, group in enumerate(groups):
        _in_lines(these[code == group], x, y, wide, number * (across + BLOCK_GAP), top, across, GAP)
    return top


# ---------------------------------------------------------------------------------------------------- blocks and trunks


def _blocks(fabric: EditedFabric, x: Reals, y: Reals, wide: Reals) -> tuple[Whole, tuple[Block, ...]]:
    """Return the block of each device, and the blocks: groups by hand, units, spines and cores by plane and rail."""
    devices = fabric.devices
    far = 1 << 20
    unit = np.where((devices.kind == MANAGER) | ((devices.kind <= LEAF) & (devices.unit < 0)), 0, devices.unit)
    loose = fabric.planned < 0
    above = devices.kind * far + (devices.plane + 1) * 4096 + devices.rail + 1
    code = np.where((unit >= 0) & ~loose, unit, above + far)
    code = np.where(loose, (16 + devices.kind) * far, code)
    titles: dict[int, str] = {}
    for at, name in enumerate(fabric.names if any(e.group for e in fabric.edits.devices.values()) else ()):
        edit = fabric.edits.devices.get(name)
        if edit is not None and edit.group:
            mine = next((c for c, t in titles.items() if t == edit.group), 64 * far + len(titles))
            titles[mine] = edit.group
            code[at] = mine
    codes, block = np.unique(code, return_inverse=True)
    found = []
    order = np.argsort(block, kind="stable")
    starts = np.searchsorted(block[order], np.arange(len(codes) + 1))
    for number, each in enumerate(codes.tolist()):
        these = order[starts[number] : starts[number + 1]]
        left, top = float(x[these].min()), float(y[these].min())
        right, bottom = float((x[these] + wide[these]).max()), float(y[these].max()) + HIGH
        counts = np.bincount(devices.kind[these], minlength=len(KINDS))
        words = ", ".join(
            f"{counts[k]} {_PLURALS[k] if counts[k] != 1 or k == MANAGER else KINDS[k]}" for k in KINDS_OF if counts[k]
        )
        title = titles.get(each) or _title(fabric, int(these[0]))
        found.append(Block(title, words, left, top, right - left, bottom - top))
    return block.astype(np.int64), tuple(found)


def _title(fabric: EditedFabric, device: int) -> str:
    devices = fabric.devices
    kind, unit, rail, plane = (int(c[device]) for c in (devices.kind, devices.unit, devices.rail, devices.plane))
    if fabric.planned[device] < 0:
        return f"{_PLURALS[kind].capitalize()} by hand"
    if kind <= LEAF or unit >= 0:
        return f"SU {max(unit, 0) + 1}" if fabric.counts.tiers > 1 else "One tier"
    words = _PLURALS[kind].capitalize()
    words += f", rail {rail + 1}" if rail >= 0 else ""
    return words + (f", plane {plane + 1}" if fabric.design.planes > 1 else "")


def _trunks(block: Whole, a: Whole, b: Whole, blocks: int) -> tuple[Whole, Whole]:
    low, high = np.minimum(block[a], block[b]), np.maximum(block[a], block[b])
    apart = low != high
    trunk_of = np.full(len(a), -1)
    codes, inverse, counts = np.unique((low * max(blocks, 1) + high)[apart], return_inverse=True, return_counts=True)
    trunk_of[apart] = inverse
    return np.stack([*np.divmod(codes, max(blocks, 1)), counts], axis=1).astype(np.int64), trunk_of
