"""The layout of an automatic plan: the best of the usual layouts, the simplest of those that are as good."""

from __future__ import annotations

from typing import Any

import numpy as np

from wattsweights_gui.engine import declare
from wattsweights_gui.engine.chain import Catalog
from wattsweights_gui.engine.equations.layouts import Layouts
from wattsweights_gui.engine.equations.run_time import DAY_S
from wattsweights_gui.engine.layout_space import gpu_counts, grid_at, grid_between
from wattsweights_gui.engine.plan import Plan
from wattsweights_gui.engine.search_answers import FIELDS, OPEN, WORDED
from wattsweights_gui.engine.search_setting import BLOCK, Found, Setting, blocks, evaluate_block

MOST_GPUS = 131072
TIE = 1.005
STEP = 2.0


def settle(plan: Plan, catalog: Catalog) -> Plan:
    """Return the plan with its layout chosen where that is automatic; a pinned plan comes back as it is.

    The best layout at ``parallelism.gpus`` where given; else the least number of GPUs that finish in the days wanted;
    where no number does, the fastest up to 131,072 GPUs. The layout stays automatic. Where nothing
    fits, the layout that is nearest to fitting is set, so that its memory shows what is missing.

    Raises:
        Refused: an input names no entry of the catalogue.
    """
    inputs: Any = plan.layers["parallelism"]
    if inputs.layout != "auto":
        return plan
    try:
        setting = Setting(plan, catalog)
    except declare.Refused:
        return plan
    chosen = _at(setting, inputs.gpus) if inputs.gpus else _in_time(setting)
    return plan if chosen is None else with_layout(plan, *chosen)


def _simplest(layouts: Layouts, near: Any) -> int:
    """Return the index of the simplest of the layouts at ``near``."""
    part = layouts.take(near)
    order = np.lexsort((part.tp, part.micro_batch, part.pp, part.ep, part.vpp, part.cp, part.sharding, part.recompute))
    return int(near[order[0]])


def _at(setting: Setting, gpus: int) -> tuple[Layouts, int] | None:
    """Return the best layout at a number of GPUs, or at the largest smaller one that a layout divides."""
    for count in gpu_counts(setting.space, gpus):
        layouts = grid_at(setting.space, count, {})
        if not len(layouts):
            continue
        found = Found()
        for block in blocks(layouts):
            evaluate_block(setting, block, found, {})
        if found.layouts:
            whole, _, seconds, _ = found.joined()
            return whole, _simplest(whole, np.flatnonzero(seconds <= seconds.min() * TIE))
        return layouts, int(np.argmin(setting.used_bytes(layouts)))
    return None


def _in_time(setting: Setting) -> tuple[Layouts, int] | None:
    """Return the best layout at the least number of GPUs that meets the days, else the fastest."""
    work = setting.steps * setting.job.tokens_per_step * setting.job.flops_per_token
    on = setting.machine
    fastest = max(on.gemm_flops_s, on.half_flops_s, on.attention_flops_s)
    least = work / (setting.wanted * DAY_S * fastest)
    found, low = Found(), least
    while low < MOST_GPUS and not _until_met(setting, low, min(STEP * low, MOST_GPUS), found):
        low *= STEP
    if found.layouts:
        whole, _, seconds, days = found.joined()
        meets = days <= setting.wanted
        if not meets.any():
            return whole, _simplest(whole, np.flatnonzero(days <= days.min() * TIE))
        # of those as good as the best, only those that meet the days too
        there = np.flatnonzero(meets & (whole.gpus == whole.gpus[meets].min()))
        return whole, _simplest(whole, there[seconds[there] <= seconds[there].min() * TIE])
    smaller = grid_between(setting.space, 0.0, MOST_GPUS)
    return (smaller, int(np.argmin(setting.used_bytes(smaller)))) if len(smaller) else None


def _until_met(setting: Setting, low: float, high: float, found: Found) -> bool:
    """Evaluate a range of GPUs, fewest first, until all layouts of the first number that meets the days are done."""
    layouts = grid_between(setting.space, np.nextafter(low, np.inf), high)
    gpus, first = layouts.gpus, np.inf
    for start in range(0, len(layouts), BLOCK):
        if gpus[start] > first:
            break
        before = len(found.days)
        evaluate_block(setting, layouts.take(slice(start, start + BLOCK)), found, {})
        if len(found.days) > before:
            met = found.days[-1] <= setting.wanted
            first = min(first, float(found.layouts[-1].gpus[met].min())) if met.any() else first
    return bool(np.isfinite(first))


def with_layout(plan: Plan, layouts: Layouts, index: int) -> Plan:
    """Return the plan with a layout set and left automatic (an edit would pin it)."""
    inputs: Any = plan.layers["parallelism"]
    values: dict[str, Any] = {name: int(getattr(layouts, name)[index]) for name in FIELDS}
    values |= {name: layouts.word(name, index) for name in WORDED}
    values |= {name: int(getattr(layouts, name)[index]) or None for name in OPEN}
    values["sequence_parallel"] = bool(layouts.sequence_parallel[index])
    data = {k: getattr(inputs, k) for k in inputs.model_fields_set} | values
    changed = declare.validated(type(inputs), data, "parallelism")
    return Plan.model_construct(info=plan.info, layers={**plan.layers, "parallelism": changed})


__all__ = ["settle", "with_layout"]
