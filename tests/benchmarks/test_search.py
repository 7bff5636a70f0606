"""Speed of the layout search: figures, not assertions; run with ``pytest tests/benchmarks/test_search.py``."""

from __future__ import annotations

from typing import Any

import pytest

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.equations.memory import ledger, total_bytes
from wattsweights_gui.engine.equations.stages import stages_of
from wattsweights_gui.engine.equations.step_time import step_time
from wattsweights_gui.engine.layout_space import grid_of
from wattsweights_gui.engine.plan import Plan, default_plan
from wattsweights_gui.engine.search import search
from wattsweights_gui.engine.search_setting import Setting, blocks
from wattsweights_gui.project.examples import example

COUNTS = range(8, 16384 + 1, 8)
MOST = 200_000


def _plan(model: str) -> Plan:
    return default_plan() if model == "dense 1T" else example("moe-nvl72").document.plan


@pytest.mark.parametrize("model", ["dense 1T", "mixture"])
def test_layouts_whose_memory_and_time_are_both_computed(benchmark: Any, model: str) -> None:
    """Every layout in full, whether or not it fits; target 300,000 a second on one core."""
    setting = Setting(_plan(model), catalog(), wide=True)
    grid = grid_of(setting.space, COUNTS, {})
    grid = grid.take(slice(0, len(grid), max(1, len(grid) // MOST)))

    def evaluated() -> None:
        for block in blocks(grid):
            stages = stages_of(setting.job, block)
            total_bytes(setting.job, block, ledger(setting.job, block, stages))
            _ = step_time(setting.job, setting.machine, block, stages).total

    benchmark.pedantic(evaluated, rounds=3, warmup_rounds=1)
    benchmark.extra_info["layouts"] = len(grid)
    benchmark.extra_info["per_second"] = round(len(grid) / benchmark.stats["median"])


@pytest.mark.parametrize("axes", ["usual", "wide"])
@pytest.mark.parametrize("model", ["dense 1T", "mixture"])
def test_a_search_over_every_multiple_of_8_up_to_16384(benchmark: Any, model: str, axes: str) -> None:
    """Ranked, with fronts, power and what to draw; target 10 s for the 1T model on one core."""
    plan, counts = _plan(model), COUNTS if model == "dense 1T" else range(8, 2048 + 1, 8)
    found = benchmark.pedantic(
        search, args=(plan, catalog()), kwargs={"gpus": counts, "axes": axes}, rounds=2, warmup_rounds=1
    )
    benchmark.extra_info["evaluated"] = found.evaluated
    benchmark.extra_info["per_second"] = round(found.evaluated / benchmark.stats["median"])
