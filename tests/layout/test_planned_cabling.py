"""A plan's cables: as many as its counts say, between racks as placed or as the plan fills them."""

from __future__ import annotations

import pytest

from wattsweights_gui import paths
from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.chain import evaluate
from wattsweights_gui.engine.plan import default_plan
from wattsweights_gui.exchange.fabric_formats import FORMATS
from wattsweights_gui.layout.planned_cabling import NoCablesError, planned_cabling
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
    with pytest.raises(NoCablesError, match="more than three tiers"):
        planned_cabling(evaluation)
