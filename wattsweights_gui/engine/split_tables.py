"""The tables of the split layer: memory by stage, groups, losses, replicas, and the least GPUs by recipe and GPU."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from wattsweights_gui.engine import mfu_losses, parallel_groups, stage_memory, training_plan
from wattsweights_gui.engine.declare import LaterTable, Table, Value
from wattsweights_gui.engine.equations import memory, step_time
from wattsweights_gui.engine.equations.job import Job
from wattsweights_gui.engine.equations.machine import Machine, generation_known
from wattsweights_gui.engine.layout_sweep import Sweep, layout_text, spread_of
from wattsweights_gui.engine.least_gpus import least_gpus

_LEAST = ("recipe", "bytes_per_param", "state", "recompute", "gpus", "layout", "memory_gb")
_LEAST_UNITS = ("text", "byte_param", "tb", "text", "count", "text", "gb")
_BY_GPU = ("gpu", "recipe", "state", "gpus", "layout", "gpus_equal_stages", "layout_equal_stages")
_BY_GPU_UNITS = ("text", "text", "tb", "count", "text", "count", "text")
_DAYS = (("gpus", "days"), ("count", "days"))
_SMALLEST_GB = 80.0
_TOTALS = frozenset({4.0, 8.0, 12.0, 16.0, 18.0})
"""Bytes a parameter that are compared over GPUs, beside the plan's own."""


def empty() -> dict[str, Table]:
    """Return the tables of a layout that cannot run."""
    none = Table(("remark",), ("text",), (("There is no layout that could run.",),))
    return {
        **dict.fromkeys(("memory_stages", "groups", "domains", "mfu_parts", "mfu_suspects"), none),
        "days_by_gpus": days_table(()),
        "least_gpus": least_table([]),
        "least_by_gpu": Table(_BY_GPU, _BY_GPU_UNITS, ()),
    }


def tables_of(inputs: Any, up: Any, machine: Machine, swept: Sweep, least: list[tuple[Any, ...]]) -> dict[str, Table]:
    """Return all tables of a layout; those that cost time are made on first look."""
    job, degrees = training_plan.job_of(up), training_plan.degrees_of(inputs)
    return {
        "memory_stages": stage_memory.stages_table(job, degrees, inputs.reserve_gb),
        "groups": parallel_groups.groups_table(job, machine, degrees),
        "domains": parallel_groups.domains_table(job, machine, degrees),
        "mfu_parts": mfu_losses.parts_table(job, machine, degrees),
        "mfu_suspects": mfu_losses.suspects_table(
            job, machine, degrees, inputs.measured_mfu_pct, spread_of(up, swept.kind)
        ),
        "days_by_gpus": days_table(swept.points),
        "least_gpus": least_table(least),
        "least_by_gpu": least_by_gpu(inputs, up),
    }


def days_table(points: tuple[tuple[int, float], ...]) -> Table:
    """Return the points of the chart of GPUs against days."""
    return Table(*_DAYS, points, "GPUs against days", step_time.SOURCE)


def least_table(rows: list[tuple[Any, ...]]) -> Table:
    """Return the least GPUs by recipe and recompute mode."""
    return Table(_LEAST, _LEAST_UNITS, tuple(rows), "Least GPUs by recipe", memory.SOURCE)


def least_by_gpu(inputs: Any, up: Any) -> Table:
    """Return the least GPUs from 4 to 18 bytes a parameter on the GPUs of 80 GB and more that come eight to a node."""
    job = training_plan.job_of(up)
    key = (up.catalog, job, inputs.recompute, inputs.sharding, inputs.reserve_gb)
    return LaterTable(_BY_GPU, _BY_GPU_UNITS, key, lambda: _rows(*key), "Least GPUs by recipe and GPU", memory.SOURCE)


@lru_cache(maxsize=16)
def _rows(catalog: Any, job: Job, recompute: str, sharding: str, kept_free_gb: float) -> tuple[tuple[Value, ...], ...]:
    entries = catalog.of_kind("byte_recipe")
    recipes = {e.id: training_plan.recipe_of(e) for e in entries}
    by_total = {recipes[e.id].total: e for e in reversed(entries)}
    shown = [by_total[t] for t in sorted(by_total) if t in _TOTALS or t == job.recipe.total]
    found: list[tuple[Value, ...]] = []
    for gpu in catalog.of_kind("gpu"):
        held = gpu.get("memory_visible_gb") or gpu.get("memory_gb") or 0.0
        domain = gpu.get("scale_up_domain_gpus")
        if held < _SMALLEST_GB or not domain or domain < 8 or not (generation_known(gpu) or gpu.get("vendor") == "AMD"):
            continue
        limit = (held - kept_free_gb) * 1e9
        any_split = least_gpus(job, limit, domain, sharding, recipes)
        equal = least_gpus(job, limit, domain, sharding, recipes, equal_stages=True)
        for entry in shown:
            key = (entry.id, recompute)
            one, even = any_split[key], equal[key]
            state = job.blocks.total_params * recipes[entry.id].total / 1e12
            found.append((gpu.name, entry.name, state, one.gpus, layout_text(one), even.gpus, layout_text(even)))
    return tuple(found)
