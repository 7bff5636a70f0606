"""The set of sheets: which there are, and how they are built from one evaluation."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from wattsweights_gui import __version__
from wattsweights_gui.drawing.flow import Flow, bound
from wattsweights_gui.drawing.marks import Page
from wattsweights_gui.drawing.paper import Paper, TitleBlock, paper_named
from wattsweights_gui.engine import units
from wattsweights_gui.engine.both_ends import BothEnds
from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.layers import LAYERS, layer_named
from wattsweights_gui.layout.placements import Placements
from wattsweights_gui.layout.planned_cabling import NoCablesError, planned_cabling
from wattsweights_gui.reports import (
    bill_sheet,
    cables_sheet,
    conversation,
    cooling_sheet,
    cover,
    elevations_sheet,
    floor_sheet,
    power_sheet,
    rack_sheet,
    sources,
)
from wattsweights_gui.reports.layer_sheet import layer_sheet
from wattsweights_gui.reports.placed import Placed, placed_of

# id -> title, in the order in which they are bound
SHEETS: dict[str, str] = {
    cover.SHEET: cover.TITLE,
    conversation.SHEET: conversation.TITLE,
    floor_sheet.SHEET: floor_sheet.TITLE,
    elevations_sheet.SHEET: elevations_sheet.TITLE,
    rack_sheet.SHEET: rack_sheet.TITLE,
    power_sheet.SHEET: power_sheet.TITLE,
    cooling_sheet.SHEET: cooling_sheet.TITLE,
    bill_sheet.SHEET: bill_sheet.TITLE,
    cables_sheet.SHEET: cables_sheet.TITLE,
    **{layer.name: layer.title for layer in LAYERS},
    sources.SHEET: sources.TITLE,
}

_OF_THE_HALL: dict[str, Callable[[Placed, Paper], Flow]] = {
    floor_sheet.SHEET: floor_sheet.floor_sheet,
    elevations_sheet.SHEET: elevations_sheet.elevations_sheet,
    rack_sheet.SHEET: rack_sheet.rack_sheet,
    power_sheet.SHEET: power_sheet.power_sheet,
    cooling_sheet.SHEET: cooling_sheet.cooling_sheet,
    bill_sheet.SHEET: bill_sheet.bill_sheet,
}


def sheets_named(chosen: str | Iterable[str] | None) -> tuple[str, ...]:
    """Return ids of sheets in binding order from names or a list with commas; all where nothing is chosen.

    Raises:
        ValueError: no such sheet.
    """
    if chosen is None:
        return tuple(SHEETS)
    names = chosen.split(",") if isinstance(chosen, str) else list(chosen)
    wanted = {name.strip() for name in names if name.strip()}
    for name in sorted(wanted):
        if name not in SHEETS:
            raise ValueError(f"“{name}” is no sheet: choose from {', '.join(SHEETS)}.")
    return tuple(name for name in SHEETS if name in wanted) if wanted else tuple(SHEETS)


def build(
    evaluation: Evaluation,
    ends: BothEnds,
    lever_report: Any = None,
    *,
    units: units.System = "si",
    sheets: str | Iterable[str] | None = None,
    printed: str = "",
    paper: str = "A4",
    title: str = "",
    placements: Placements | None = None,
) -> list[Page]:
    """Return the pages of a report.

    Args:
        evaluation: of the plan.
        ends: its comparison.
        lever_report: a :class:`engine.levers.LeverReport`; without one the sheet says that the ways out were not sized.
        units: SI or US customary.
        sheets: ids of :data:`SHEETS`; all where ``None``.
        printed: the day of printing, put where the plan has no date of its own.
        paper: A4, A3, Letter or Tabloid, landscape.
        title: of the document; the project's name where empty.
        placements: the racks that are placed; where there are none, sheets of the hall are made from the plan.

    Raises:
        ValueError: no such sheet, paper or system of units.
    """
    if units not in ("si", "us"):
        raise ValueError(f"“{units}” is no system of units: use si or us.")
    size = paper_named(paper)
    chosen = sheets_named(sheets)
    hall = None
    if any(name in _OF_THE_HALL or name == cover.SHEET for name in chosen):
        hall = placed_of(evaluation, placements, units)
    flows = [
        _OF_THE_HALL[name](hall, size)
        if hall is not None and name in _OF_THE_HALL
        else _cables(evaluation, placements, size, units)
        if name == cables_sheet.SHEET
        else _sheet(name, evaluation, ends, lever_report, size, units)
        for name in chosen
        if name != cover.SHEET
    ]
    if hall is not None and cover.SHEET in chosen:
        flows.insert(0, cover.cover(hall, size, flows))
    info = evaluation.plan.info
    block = TitleBlock(
        project=info.project,
        customer=info.customer,
        site=info.site,
        revision=info.revision,
        date=info.date or printed,
        author=info.author,
        checked=info.checked,
        units="SI" if units == "si" else "US",
    )
    when = f", printed {printed}" if printed else ""
    notes = (
        f"WattsWeights {__version__}{when}. Page size {size.name}.",
        "● set in this plan; other inputs are defaults, with their source. "
        "– is not known, and the reason stands beside it.",
        "Three significant figures; schedules have decimals. "
        "M is 10⁶, B 10⁹, T 10¹², P 10¹⁵, E 10¹⁸, Z 10²¹, Y 10²⁴. GB is 10⁹ bytes, GiB 2³⁰.",
    )
    return bound(flows, block, notes, title or info.project, info.author)


def _cables(evaluation: Evaluation, placements: Placements | None, paper: Paper, system: units.System) -> Flow:
    try:
        return cables_sheet.cables_sheet(planned_cabling(evaluation, placements), paper, system)
    except NoCablesError as error:
        return cables_sheet.no_cables_sheet(str(error), paper)


def _sheet(
    name: str, evaluation: Evaluation, ends: BothEnds, lever_report: Any, paper: Paper, system: units.System
) -> Flow:
    if name == conversation.SHEET:
        return conversation.conversation(evaluation, ends, lever_report, paper, system)
    if name == sources.SHEET:
        return sources.sources_sheet(evaluation, paper, system)
    return layer_sheet(evaluation, layer_named(name), paper, system)
