"""The cable sheet: totals by tier, lengths to order with spares, and the schedule with both ends of every cable."""

from __future__ import annotations

from wattsweights_gui.drawing.flow import Flow
from wattsweights_gui.drawing.paper import Paper
from wattsweights_gui.drawing.table import Cell, Column, Row, Table
from wattsweights_gui.engine import units
from wattsweights_gui.engine.wiring import TIERS
from wattsweights_gui.layout.planned_cabling import PlannedCabling
from wattsweights_gui.reports import words

SHEET, TITLE = "cables", "Cables"
MOST_PRINTED = 2500
"""Cables that are printed one by one; more are a file, not paper."""


def cables_sheet(plan: PlannedCabling, paper: Paper, system: units.System) -> Flow:
    """Return the sheet of a plan's compute fabric."""
    flow = Flow(paper, SHEET, TITLE)
    flow.heading(TITLE)
    where = "racks as the plan fills them" if plan.from_plan else "racks as placed"
    routing = plan.cabling.routing
    flow.paragraph(
        f"Compute fabric, {units.number(len(plan.cabling))} cables between {where}. A run goes up to the tray "
        f"{_length(routing.tray_above_mm / 1e3, system)} above the racks, along and across the rows at right angles "
        f"and down again; {_length(routing.slack_m, system)} of slack at each end; ordered in the next length that is "
        "sold.",
        ink="quiet",
    )
    flow.table(_tiers(plan))
    flow.table(_classes(plan, system))
    flow.table(_schedule(plan, system))
    return flow


def no_cables_sheet(reason: str, paper: Paper) -> Flow:
    """Return the sheet of a plan that has no fabric to cable, with the reason."""
    flow = Flow(paper, SHEET, TITLE)
    flow.heading(TITLE)
    flow.paragraph(reason)
    return flow


def _length(metres: float, system: units.System) -> str:
    return units.text(metres, "m", system)


def _head(title: str, unit: str, system: units.System) -> Column:
    return Column(title, units.symbol(unit, system), "right", keep=True)


def _tiers(plan: PlannedCabling) -> Table:
    tiers = plan.wiring.links.tier.tolist()
    rows: list[Row] = [
        (name, units.number(tiers.count(code)), f"{plan.cabling.gbit_s:g}")
        for code, name in enumerate(TIERS)
        if code in tiers
    ]
    rows.append((Cell("All", bold=True), Cell(units.number(len(tiers)), bold=True), ""))
    columns = (Column("Tier"), Column("Cables", align="right"), Column("Rate", "Gb/s", "right"))
    return Table(columns, tuple(rows), "Cables by tier")


def _classes(plan: PlannedCabling, system: units.System) -> Table:
    cabling = plan.cabling
    rows: list[Row] = [
        (
            one.medium or "not placed",
            words.number(one.length_m, "m", system),
            units.number(one.cables),
            units.number(one.spares),
            units.number(one.cables + one.spares),
        )
        for one in cabling.classes
    ]
    whole = sum(one.cables for one in cabling.classes), sum(one.spares for one in cabling.classes)
    totals = (units.number(n) for n in (*whole, sum(whole)))
    rows.append((Cell("All", bold=True), "", *(Cell(text, bold=True) for text in totals)))
    columns = (
        Column("Medium"),
        _head("Length", "m", system),
        Column("Run", align="right"),
        Column("Spares", f"{cabling.routing.spare_pct:g}%", "right"),
        Column("Order", align="right"),
    )
    sources = "; ".join(dict.fromkeys(medium.source for medium in cabling.media if medium.source))
    note = (
        f"{units.number(cabling.optics)} optics, {units.text(cabling.watts / 1e3, 'kw', system)} at most where the "
        f"catalogue knows their draw. Reach and draw: {sources}."
    )
    return Table(columns, tuple(rows), "Lengths to order", note=note)


def _schedule(plan: PlannedCabling, system: units.System) -> Table:
    if len(plan.cabling) > MOST_PRINTED:
        return Table(
            (Column("Cable"),),
            (),
            "Schedule",
            empty=f"{units.number(len(plan.cabling))} cables are too many for paper: export them as cables-csv.",
        )
    rows: list[Row] = [
        (
            c.id, c.a_rack, c.a_unit, c.a_device, c.a_port, c.b_rack, c.b_unit, c.b_device, c.b_port,
            words.number(c.length_m, "m", system), c.medium,
        )
        for c in plan.cabling.rows()
    ]  # fmt: skip
    columns = (
        Column("Cable", keep=True),
        Column("From rack", keep=True),
        Column("U", keep=True),
        Column("Device", keep=True),
        Column("Port", keep=True),
        Column("To rack", keep=True),
        Column("U", keep=True),
        Column("Device", keep=True),
        Column("Port", keep=True),
        _head("Length", "m", system),
        Column("Medium", cut=True, stretch=True),
    )
    note = "The label at each end reads rack-unit-device-port, its own end first."
    return Table(columns, tuple(rows), "Schedule", size=7.0, tight=True, note=note)
