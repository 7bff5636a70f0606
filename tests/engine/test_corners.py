"""Every field at its limits, every choice, every catalogue row: nothing crashes, nothing is infinite or below nought."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine import declare
from wattsweights_gui.engine.both_ends import both_ends
from wattsweights_gui.engine.chain import evaluate
from wattsweights_gui.engine.declare import Refused
from wattsweights_gui.engine.layers import LAYERS
from wattsweights_gui.engine.plan import Plan, fields_of
from wattsweights_gui.project.examples import example

# temperatures, and differences that say which way something is off
MAY_BE_NEGATIVE = ("_c", "_k", "_difference_pct", "_gap_pct")


def _values(plan: Plan, path: str, about: declare.Setting) -> Iterator[Any]:
    layer, _, name = path.partition(".")
    inputs = plan.inputs(layer)
    first, _, rest = name.partition(".")
    holder = type(getattr(inputs, first)) if rest else type(inputs)
    leaf = rest or first
    yield from (limit for limit in about.hard if limit is not None)
    yield from (value for value, _ in about.choices)
    if about.catalog:
        yield from (entry.id for entry in catalog().of_kind(about.catalog))
    if declare.optional(holder, leaf):
        yield None
    if not rest:
        yield from declare.branches_of(type(inputs), first)
    if isinstance(plan.value(path), bool):
        yield from (True, False)


@pytest.mark.parametrize("layer", [layer.name for layer in LAYERS])
@pytest.mark.parametrize("name", ["1t-30-days", "moe-nvl72"])
def test_that_every_value_that_is_allowed_can_be_sized(name: str, layer: str) -> None:
    base = example(name).document.plan
    for path, about in fields_of(base).items():
        if not path.startswith(f"{layer}."):
            continue
        for value in _values(base, path, about):
            try:
                evaluation = evaluate(base.edit((path, value)), catalog())
            except Refused:
                continue
            both_ends(evaluation)
            for sized, outcome in evaluation.results.items():
                for figure_name, figure in outcome.figures():
                    where = f"{path} = {value}: {sized}.{figure_name} = {figure.value}"
                    if isinstance(figure.value, float):
                        assert math.isfinite(figure.value), where
                    if isinstance(figure.value, int | float) and not figure_name.endswith(MAY_BE_NEGATIVE):
                        assert figure.value >= 0, where
                    assert figure.formula, where


def test_that_a_cluster_that_never_fails_trains_all_the_time() -> None:
    plan = example("1t-30-days").document.plan.edit(("parallelism.failures_per_1000_node_days", 0.0))
    assert evaluate(plan, catalog()).figure("parallelism.goodput").value == 1.0


def test_that_a_rack_of_72_fails_as_often_as_nine_nodes_of_eight() -> None:
    plan = example("moe-nvl72").document.plan
    figure = evaluate(plan, catalog()).figure("parallelism.goodput")
    mtbf = dict(figure.operands)["mtbf_s"]
    gpus = evaluate(plan, catalog()).figure("parallelism.gpus").number
    assert mtbf.number == pytest.approx(86400 * 1000 / (gpus / 8 * 3.79))
