"""The cable sheet: every cable of a small plan with both ends, totals that add up, a large plan by lengths alone."""

from __future__ import annotations

import pytest

from wattsweights_gui import paths
from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.drawing.flow import Flow, bound
from wattsweights_gui.drawing.paper import TitleBlock, paper_named
from wattsweights_gui.engine.chain import evaluate
from wattsweights_gui.layout.planned_cabling import planned_cabling
from wattsweights_gui.project import store
from wattsweights_gui.reports.cables_sheet import cables_sheet, no_cables_sheet

BLOCK = TitleBlock("P", "C", "S", "A", "2026-01-02", "me", "you", "SI")


def plan_of(name):
    plan = store.load(paths.resource("examples", f"{name}.watts")).document.plan
    return planned_cabling(evaluate(plan, catalog()))


def pages_of(flow: Flow):
    return bound([flow], BLOCK, (), "Cables", "me")


def texts(flow: Flow):
    return [t.text for page in pages_of(flow) for t in page.texts()]


@pytest.mark.parametrize("size", ["A4", "A3", "Letter", "Tabloid"])
def test_that_every_cable_of_a_small_plan_stands_on_the_sheet_inside_the_frame(size):
    plan, paper = plan_of("512-against-256"), paper_named(size)
    flow = cables_sheet(plan, paper, "si")
    found = texts(flow)
    assert sum(text.startswith("C0") and len(text) == 6 for text in found) == len(plan.cabling) == 1024
    for page in pages_of(flow):
        for text in page.texts():
            assert 0 <= text.x <= page.width
            assert 0 <= text.y <= page.height


def test_that_the_lengths_to_order_add_up_to_all_cables():
    plan = plan_of("512-against-256")
    found = texts(cables_sheet(plan, paper_named("A3"), "si"))
    spares = sum(one.spares for one in plan.cabling.classes)
    assert f"{1024 + spares:,}".replace(",", "\u2009") in found


def test_that_a_large_fabric_is_printed_by_lengths_and_says_where_its_schedule_is():
    flow = cables_sheet(plan_of("llama-405b-16k"), paper_named("A4"), "si")
    assert any("export them as cables-csv" in text for text in texts(flow))
    assert len(flow.pages) <= 2


def test_that_us_units_are_feet():
    assert "ft" in texts(cables_sheet(plan_of("512-against-256"), paper_named("Letter"), "us"))


def test_that_a_plan_without_a_fabric_says_why():
    assert "There are no nodes yet." in texts(no_cables_sheet("There are no nodes yet.", paper_named("A4")))
