"""Rack elevations, front and rear, several a page; equal racks of a large hall are drawn once."""

from __future__ import annotations

from wattsweights_gui.drawing.elevation import LEAST_U, Elevation, elevation_marks, fitting_u
from wattsweights_gui.drawing.flow import Flow
from wattsweights_gui.drawing.marks import SMALLEST_PT
from wattsweights_gui.drawing.paper import Paper
from wattsweights_gui.drawing.table import Cell, Column, Row, Span, Table
from wattsweights_gui.engine.units import number, text
from wattsweights_gui.layout.device_types import DeviceType
from wattsweights_gui.reports.hall_tables import opening
from wattsweights_gui.reports.placed import Placed, RackClass, contents

SHEET, TITLE = "elevations", "Rack elevations"
ALL_DRAWN = 48
_NARROWEST, _WIDEST, _APART = 78.0, 110.0, 4.0
_MOST_NAMES = 120  # characters over a drawing; the schedule of racks has them all


def elevations_sheet(placed: Placed, paper: Paper) -> Flow:
    """Return the sheet."""
    flow = Flow(paper, SHEET, TITLE)
    drawn = _drawn(placed)
    if not drawn:
        opening(flow, placed, TITLE)
        return flow
    notes = placed.remarks()
    if len(drawn) < len(placed.placements.racks):
        notes.append(
            f"Of {number(len(placed.placements.racks))} racks, equal ones are drawn once, with the devices' names of "
            "the first; the rack schedule names them all."
        )
    notes.append("A folded corner marks the back of a device; its maximum draw stands beside its name.")
    across = max(1, int((paper.room + _APART) / (_NARROWEST + _APART)))
    room = min(_WIDEST, (paper.room - _APART * (across - 1)) / across)
    unwritten: list[RackClass] = []
    for start in range(0, len(drawn), across):
        group = [(c, _elevation(placed, c)) for c in drawn[start : start + across]]
        above = max(e.above(room) for _, e in group)
        below = max(e.below(room) for _, e in group)
        units = max(c.first.height_u for c, _ in group)
        flow.fresh_page()
        flow.paragraph(" ".join(notes), SMALLEST_PT, ink="quiet")
        unit = min(fitting_u(e, room, flow.left - (above - e.above(room))) for _, e in group)
        for n, (cls, elevation) in enumerate(group):
            x = paper.left + n * (room + _APART)
            # racks stand on one floor, whatever their height
            lift = (units - cls.first.height_u) * unit
            flow.marks.extend(elevation_marks(elevation, x, flow.y + lift, room, above, unit))
            if unit < LEAST_U:
                unwritten.append(cls)
        flow.y += above + units * unit + below
    if unwritten:
        flow.turn()
        flow.table(_list(placed, unwritten))
    return flow


def _drawn(placed: Placed) -> list[RackClass]:
    racks = placed.placements.racks
    if len(racks) > ALL_DRAWN:
        return list(placed.classes)
    return [RackClass((r,), placed.placements.inside(r.id), placed.loads[r.id]) for r in racks]


def _elevation(placed: Placed, cls: RackClass) -> Elevation:
    load, system = cls.load, placed.system
    name = cls.first.name if cls.count == 1 else f"{cls.first.name}  × {number(cls.count)}"
    lines = []
    if cls.count > 1:
        names = cls.names
        if len(names) > _MOST_NAMES:
            names = names[:_MOST_NAMES].rpartition(", ")[0] + " and more: see the rack schedule"
        lines.append(f"× {number(cls.count)}: {names}")
    each = "each " if cls.count > 1 else ""
    lines.append(
        f"{each}{text(load.power_kw, 'kw', system)} · {text(load.mass_kg, 'kg', system)} · "
        f"{load.used_u} of {load.height_u} U"
    )
    heat = f"{text(load.liquid_kw, 'kw', system)} to liquid, " if load.liquid_kw else ""
    lines.append(
        f"A {text(load.a_kw, 'kw', system)}, B {text(load.b_kw, 'kw', system)} · {heat}"
        f"{text(load.air_kw, 'kw', system)} to air"
    )
    entries = {d.entry for d in cls.devices}
    kinds = {e: placed.hall.type_of(e) for e in entries}
    return Elevation(
        cls.first,
        cls.devices,
        {e: k.name if k is not None else e for e, k in kinds.items()},
        {e: _draw(k, placed) for e, k in kinds.items() if k is not None},
        name,
        tuple(lines),
    )


def _draw(kind: DeviceType, placed: Placed) -> str:
    return text(kind.power_kw.value, "kw", placed.system) if kind.power_kw.known and kind.power_kw.number else ""


def _list(placed: Placed, classes: list[RackClass]) -> Table:
    """Return the devices of racks that are too tall for their names to be written into the drawing."""
    rows: list[Row] = []
    for cls in classes:
        rows.append(Span(f"{cls.names}: {contents(placed, cls.devices)}"))
        for device in sorted(cls.devices, key=lambda d: -(d.bottom_u or 0)):
            where = f"U{device.bottom_u}" if device.bottom_u else f"beside, {device.half}"
            kind = placed.device_name(device.entry)
            rows.append((Cell(where), Cell(device.face), Cell(device.name), Cell(kind), Cell(f"{device.height_u} U")))
    columns = (
        Column("At"),
        Column("Face"),
        Column("Name"),
        Column("Device", stretch=True),
        Column("Height", align="right"),
    )
    return Table(columns, tuple(rows), "Devices of tall racks")
