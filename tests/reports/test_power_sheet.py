"""The power schedule says which failure its figures are held against, for every redundancy."""

from __future__ import annotations

import pytest

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.drawing.flow import Flow
from wattsweights_gui.drawing.paper import paper_named
from wattsweights_gui.drawing.table import Cell, Column, Table
from wattsweights_gui.engine.chain import evaluate
from wattsweights_gui.engine.plan import default_plan
from wattsweights_gui.reports.hall_tables import fixed
from wattsweights_gui.reports.placed import placed_of
from wattsweights_gui.reports.power_sheet import power_sheet

WORDS = {
    "n": ("failover is as connected, since N covers no failure", "A rack may draw, all feeds there"),
    "n_plus_1": ("when one feed of the rack is lost", "Fullest side, one feed of each rack lost"),
    "2n": ("when the other side is lost", "One side, the other lost"),
    "3n_2": ("when one of the three sides is lost", "Fullest side, another lost"),
    "block_redundant": ("transfer switches move the feeds of a lost block", "A rack may draw when a block is lost"),
}
# five feeds are 3 + 2, or 2 + 2 + 1: what the fullest side has of those that stay
LEFT = {"n_plus_1": 3 / 4, "2n": 1.0, "3n_2": 2 / 3}


@pytest.mark.parametrize("scheme", WORDS)
def test_that_the_failure_and_what_is_left_are_those_of_the_redundancy(scheme: str) -> None:
    plan = default_plan([("power.scheme", scheme), ("power.feeds_per_rack", 5)])
    placed = placed_of(evaluate(plan, catalog()))
    sheet = power_sheet(placed, paper_named("A3"))
    texts = [t.text for page in sheet.pages for t in page if hasattr(t, "text")]
    whole = " ".join(texts)
    failure, head = WORDS[scheme]
    assert failure in whole
    assert all(word in whole for word in head.split(" ")), head  # a head goes over several lines
    assert ("Side C" in texts) == (scheme == "3n_2")
    row = placed.floor.rows[0]
    power = sum(placed.loads[i].power_kw for i in row.racks)
    if scheme in LEFT:
        assert fixed(power * LEFT[scheme], "kw", "si") in texts


def test_that_a_sum_is_never_alone_on_a_page() -> None:
    for count in range(2, 60):
        flow = Flow(paper_named("A4"), "power_schedule", "Power schedule")
        rows = tuple((Cell(f"rack {n}"),) for n in range(count))
        flow.table(Table((Column("Racks"),), rows, "Feeds", 8.0))
        for page in flow.pages:
            assert sum(hasattr(t, "text") and t.text.startswith("rack ") for t in page) >= 2, count
