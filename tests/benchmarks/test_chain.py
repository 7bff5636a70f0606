"""Speed of the engine: run with ``pytest tests/benchmarks --benchmark-only``."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.both_ends import both_ends
from wattsweights_gui.engine.chain import Evaluation, evaluate
from wattsweights_gui.engine.plan import Plan, default_plan
from wattsweights_gui.engine.search import search, settle

EDITS: dict[str, tuple[str, tuple[Any, Any]]] = {
    "workload": ("workload.tokens_b", (14000.0, 15000.0)),
    "compute": ("compute.power_cap_w", (600.0, 650.0)),
    "parallelism": ("parallelism.micro_batch", (1, 2)),
    "fabric": ("fabric.oversubscription", (1.0, 2.0)),
    "cluster": ("cluster.spare_nodes_pct", (0.0, 5.0)),
    "storage": ("storage.write_target_s", (60.0, 120.0)),
    "datapath": ("datapath.host_memory_gb_s", (400.0, 500.0)),
    "host": ("host.virtualised", (True, False)),
    "power": ("power.typical_pct", (80.0, 85.0)),
    "cooling": ("cooling.water_supply_c", (18.0, 20.0)),
    "floor": ("floor.racks_per_row", (16, 20)),
}


@pytest.fixture(scope="module")
def pinned() -> Plan:
    return settle(default_plan(), catalog()).edit(("parallelism.layout", "pinned"))


@pytest.mark.parametrize("layer", EDITS)
def test_the_whole_chain_after_an_edit(benchmark: Any, pinned: Plan, layer: str) -> None:
    """Target: under 5 ms at the median."""
    path, values = EDITS[layer]
    turn = itertools.cycle(values)

    def edited() -> Evaluation:
        return evaluate(pinned.edit((path, next(turn))), catalog())

    benchmark(edited)


def test_both_ends_after_an_edit(benchmark: Any, pinned: Plan) -> None:
    evaluation = evaluate(pinned.edit(("power.utility_mw", 30.0)), catalog())
    benchmark(both_ends, evaluation)


def test_settling_the_layout_of_a_1t_model(benchmark: Any) -> None:
    benchmark.pedantic(settle, args=(default_plan(), catalog()), rounds=3)


def test_layouts_searched_a_second(benchmark: Any) -> None:
    """The figure is ``evaluated`` over the time; target 300,000 a second on one core."""
    counts = list(range(512, 4096 + 1, 512))
    found = benchmark.pedantic(
        search, args=(default_plan(), catalog()), kwargs={"gpus": counts}, rounds=3, warmup_rounds=1
    )
    benchmark.extra_info["evaluated"] = found.evaluated
    benchmark.extra_info["per_second"] = round(found.evaluated / benchmark.stats["median"])
