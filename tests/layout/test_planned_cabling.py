"""A plan's cables: as many as its counts say, between racks as placed or as the plan fills them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from wattsweights_gui import paths
from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.chain import evaluate
from wattsweights_gui.engine.plan import default_plan
from wattsweights_gui.exchange.fabric_formats import FORMATS
from wattsweights_gui.layout.edited_fabric import NoFabricError
from wattsweights_gui.layout.floor_plan import arranged
from wattsweights_gui.layout.floor_rules import floor_rules
from wattsweights_gui.layout.planned_cabling import planned_cabling
from wattsweights_gui.project import store

EXAMPLES = ("1t-30-days", "512-against-256", "llama-405b-16k", "moe-nvl72", "two-phase-8mw")


@pytest.mark.parametrize("name", EXAMPLES)
def test_that_every_example_has_the_cables_that_its_cluster_counts(name: str) -> None:
    evaluation = evaluate(store.load(paths.resource("examples", f"{name}.watts")).document.plan, catalog())
    plan, cluster = planned_cabling(evaluation), evaluation.results["cluster"]
    counted = sum(
        getattr(cluster, f).number for f in ("node_leaf_cables", "ufm_cables", "leaf_spine_cables", "spine_core_cables")
    )
    assert len(plan.cabling) == counted
    assert plan.from_plan
    assert sum(c.cables for c in plan.cabling.classes) == counted


@pytest.mark.parametrize("format", FORMATS)
def test_that_every_format_has_something_of_a_small_plan(format: str) -> None:
    evaluation = evaluate(store.load(paths.resource("examples", "512-against-256.watts")).document.plan, catalog())
    text = FORMATS[format][1](planned_cabling(evaluation))
    assert len(text.splitlines()) >= 2


def test_that_a_plan_without_a_layout_has_no_cables_and_says_why() -> None:
    broken = default_plan((("parallelism.layout", "pinned"), ("parallelism.pp", 1), ("parallelism.dp", 900000)))
    evaluation = evaluate(broken.edit(("workload.global_batch", 900000)), catalog())
    with pytest.raises(NoFabricError, match="more than three tiers"):
        planned_cabling(evaluation)


def test_that_cables_are_as_long_as_the_floor_plan_has_their_racks_apart() -> None:
    evaluation = evaluate(store.load(paths.resource("examples", "512-against-256.watts")).document.plan, catalog())
    plan = planned_cabling(evaluation)
    floor = arranged(plan.placements, floor_rules(evaluation))
    spots = plan.cabling.spots
    for number, rack in enumerate(plan.placements.racks):
        box = floor.racks[rack.id].box
        assert spots.x_mm[number] == pytest.approx(box.x + box.width / 2)
        assert spots.y_mm[number] == pytest.approx(box.y + box.depth / 2)


def test_that_a_rack_that_is_moved_on_the_floor_changes_the_lengths_of_its_cables_and_no_others() -> None:
    evaluation = evaluate(store.load(paths.resource("examples", "512-against-256.watts")).document.plan, catalog())
    before = planned_cabling(evaluation)
    rack = before.placements.racks[-1 if before.placements.racks[-1].role == "compute" else 0]
    box = arranged(before.placements, floor_rules(evaluation)).racks[rack.id].box
    # the others are held where they stand, so that the row does not close up
    floor = arranged(before.placements, floor_rules(evaluation)).racks
    held = before.placements
    for one in held.racks:
        held = held.with_rack(
            replace(one, x_mm=floor[one.id].box.x, y_mm=floor[one.id].box.y, turned_deg=floor[one.id].turned)
        )
    assert (planned_cabling(evaluation, held).cabling.run_m == before.cabling.run_m).all()
    moved = held.with_rack(replace(held.rack(rack.id), x_mm=box.x + 60_000.0))
    after = planned_cabling(evaluation, moved)
    for old, new in zip(before.cabling.rows(), after.cabling.rows(), strict=True):
        assert old.run_m is not None
        assert new.run_m is not None
        ends = (old.a_rack == rack.name) + (old.b_rack == rack.name)
        if ends == 1:
            assert new.run_m > old.run_m + 20
        else:
            assert new.run_m == pytest.approx(old.run_m)
