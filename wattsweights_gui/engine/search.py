"""The layout search: arrays of candidates, rules first, then memory, then time; deterministic.

``search`` ranks layouts at given numbers of GPUs; ``settle`` gives an automatic plan its layout.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from wattsweights_gui.engine import declare, training_plan
from wattsweights_gui.engine.chain import Catalog, Upstream, evaluate
from wattsweights_gui.engine.equations.layouts import Layouts, concatenate
from wattsweights_gui.engine.equations.memory import ledger, total_bytes
from wattsweights_gui.engine.equations.run_time import DAY_S
from wattsweights_gui.engine.equations.stages import stages_of
from wattsweights_gui.engine.equations.step_time import step_time
from wattsweights_gui.engine.host_links import gpus_per_host, plan_system
from wattsweights_gui.engine.layout_rules import findings_of, impossible
from wattsweights_gui.engine.layout_space import Space, gpu_counts, grid_at, grid_between, grid_of
from wattsweights_gui.engine.layout_sweep import Stalls
from wattsweights_gui.engine.plan import Plan
from wattsweights_gui.engine.search_answers import FIELDS, WORDED, Candidate, SearchResult

BLOCK = 2048
MOST_GPUS = 131072
TIE = 1.005
STEP = 2.0


@dataclass
class _Found:
    """What the blocks leave: fitting layouts with memory, time and days."""

    layouts: list[Layouts] = field(default_factory=list)
    memory: list[Any] = field(default_factory=list)
    time: list[Any] = field(default_factory=list)
    days: list[Any] = field(default_factory=list)
    evaluated: int = 0


class _Setting:
    """A plan made ready for the equations."""

    def __init__(self, plan: Plan, catalog: Catalog) -> None:
        inputs: Any = plan.layers["parallelism"]
        sized = evaluate(plan, catalog, layers=("workload", "compute"))
        self.up = Upstream(plan, catalog, sized.results)
        self.inputs = inputs
        self.job = training_plan.job_of(self.up)
        machine = training_plan.machine_of_plan(self.up)
        if machine is None:
            raise declare.Refused("workload.precision", f"{training_plan.why_no_machine(self.up)}.")
        self.machine = machine
        self.limit = machine.hbm_bytes - float(self.inputs.reserve_gb) * 1e9
        self.stalls = Stalls.of(self.up)
        workload: Any = plan.layers["workload"]
        self.wanted = float(workload.days)
        self.steps = self.up.workload.steps.number
        self.space = Space.of(self.job, machine.domain, gpus_per_host(plan_system(self.up)).number)
        self.peak = machine.peak_flops_s

    def days(self, gpus: Any, seconds: Any) -> Any:
        """Return the days of runs; goodput depends on the number of GPUs alone."""
        counts, where = np.unique(gpus, return_inverse=True)
        share = np.array([self.stalls.goodput(int(n)) for n in counts])[where.reshape(-1)]
        with np.errstate(divide="ignore"):
            return self.steps * seconds / share / DAY_S


def _evaluate(setting: _Setting, layouts: Layouts, found: _Found, lost: dict[str, int]) -> None:
    stages = stages_of(setting.job, layouts)
    used = total_bytes(setting.job, layouts, ledger(setting.job, layouts, stages))
    fits = used <= setting.limit
    found.evaluated += len(layouts)
    dropped = int(len(layouts) - fits.sum())
    if dropped:
        lost["memory over HBM"] = lost.get("memory over HBM", 0) + dropped
    if not fits.any():
        return
    kept = layouts.take(fits)
    seconds = step_time(setting.job, setting.machine, kept).total
    found.layouts.append(kept)
    found.memory.append(used[fits])
    found.time.append(seconds)
    found.days.append(setting.days(kept.gpus, seconds))


def _simplest(layouts: Layouts, near: Any) -> int:
    """Return the index of the simplest of the layouts at ``near``."""
    part = layouts.take(near)
    order = np.lexsort((part.tp, part.micro_batch, part.pp, part.ep, part.vpp, part.cp, part.sharding, part.recompute))
    return int(near[order[0]])


def _candidate(setting: _Setting, layouts: Layouts, i: int, memory: float, seconds: float, days: float) -> Candidate:
    gpus = int(layouts.gpus[i])
    degrees: dict[str, Any] = {name: int(getattr(layouts, name)[i]) for name in FIELDS}
    degrees |= {name: layouts.word(name, i) for name in WORDED}
    rate = setting.job.tokens_per_step / seconds / gpus
    return Candidate(
        **degrees,
        sequence_parallel=bool(layouts.sequence_parallel[i]),
        gpus=gpus,
        memory_gb=memory / 1e9 + setting.inputs.reserve_gb,
        step_time_s=seconds,
        mfu=rate * setting.job.flops_per_token / setting.peak,
        days=days,
        tokens_per_s_per_gpu=rate,
        fits=True,
    )


def search(
    plan: Plan,
    catalog: Catalog,
    *,
    gpus: Sequence[int] | None = None,
    objective: str = "days",
    top: int = 10,
    progress: Callable[[float], bool] | None = None,
) -> SearchResult:
    """Return the best layouts of a plan's model on its GPUs.

    Args:
        plan: what is trained on what.
        catalog: the hardware.
        gpus: numbers of GPUs to try. ``None`` ranks the layouts of the plan's own number (asked for, or of its
            layout) and draws the front through all whole hosts up to twice that.
        objective: ``days`` (shortest run), ``gpus`` (fewest GPUs, then days) or ``throughput`` (tokens/s a GPU).
        top: how many to return.
        progress: called with 0 to 1; returning ``False`` stops the search with what was found so far.

    Raises:
        Refused: the GPU cannot run the plan's format, or no such objective.
    """
    if objective not in ("days", "gpus", "throughput"):
        raise declare.Refused("objective", f"“{objective}” is none of days, gpus, throughput.")
    setting = _Setting(plan, catalog)
    inputs = setting.inputs
    own = int(inputs.gpus or inputs.tp * inputs.pp * inputs.cp * inputs.dp)
    host = int(setting.space.node)
    counts = [int(n) for n in gpus] if gpus else sorted({own, *range(host, 2 * own + 1, host)})
    lost: dict[str, int] = {}
    found = _Found()
    stopped = False
    layouts = grid_at(setting.space, counts[0], lost) if len(counts) == 1 else grid_of(setting.space, counts, lost)
    for start in range(0, len(layouts), BLOCK):
        if progress is not None and progress(start / len(layouts)) is False:
            stopped = True
            break
        _evaluate(setting, layouts.take(slice(start, start + BLOCK)), found, lost)
    if progress is not None and not stopped:
        progress(1.0)
    note = "stopped before the end" if stopped else ""
    if not found.layouts:
        words = "no layout of this model fits these GPUs" if found.evaluated else "no layout divides these GPUs"
        return SearchResult(found.evaluated, (), (), lost, note or words)
    layouts, memory, seconds, days = _joined(found)
    size = layouts.gpus
    rate = seconds * size
    keys = {"days": (days, size), "gpus": (size, days), "throughput": (rate, days)}[objective]
    order = np.lexsort(
        (layouts.tp, layouts.micro_batch, layouts.pp, layouts.vpp, layouts.cp, layouts.recompute, keys[1], keys[0])
    )

    def made(i: int) -> Candidate:
        return _candidate(setting, layouts, i, float(memory[i]), float(seconds[i]), float(days[i]))

    ranked = order if gpus or not (size == own).any() else order[size[order] == own]
    best = tuple(made(int(i)) for i in ranked[:top])
    front, shortest = [], np.inf
    for i in np.lexsort((days, size)):
        if days[i] < shortest:
            shortest = days[i]
            front.append(made(int(i)))
    return SearchResult(found.evaluated, best, tuple(front), lost, note)


def _joined(found: _Found) -> tuple[Layouts, Any, Any, Any]:
    return (
        concatenate(found.layouts),
        np.concatenate(found.memory),
        np.concatenate(found.time),
        np.concatenate(found.days),
    )


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
        setting = _Setting(plan, catalog)
    except declare.Refused:
        return plan
    chosen = _at(setting, inputs.gpus) if inputs.gpus else _in_time(setting)
    return plan if chosen is None else with_layout(plan, *chosen)


def _at(setting: _Setting, gpus: int) -> tuple[Layouts, int] | None:
    """Return the best layout at a number of GPUs, or at the largest smaller one that a layout divides."""
    for count in gpu_counts(setting.space, gpus):
        layouts = grid_at(setting.space, count, {})
        if not len(layouts):
            continue
        found = _Found()
        for start in range(0, len(layouts), BLOCK):
            _evaluate(setting, layouts.take(slice(start, start + BLOCK)), found, {})
        if found.layouts:
            whole, _, seconds, _ = _joined(found)
            return whole, _simplest(whole, np.flatnonzero(seconds <= seconds.min() * TIE))
        return layouts, int(np.argmin(_used(setting, layouts)))
    return None


def _used(setting: _Setting, layouts: Layouts) -> Any:
    return np.concatenate(
        [
            total_bytes(setting.job, part, ledger(setting.job, part))
            for part in (layouts.take(slice(s, s + BLOCK)) for s in range(0, len(layouts), BLOCK))
        ]
    )


def _in_time(setting: _Setting) -> tuple[Layouts, int] | None:
    """Return the best layout at the least number of GPUs that meets the days, else the fastest."""
    work = setting.steps * setting.job.tokens_per_step * setting.job.flops_per_token
    on = setting.machine
    fastest = max(on.gemm_flops_s, on.half_flops_s, on.attention_flops_s)
    least = work / (setting.wanted * DAY_S * fastest)
    found, low = _Found(), least
    while low < MOST_GPUS and not _until_met(setting, low, min(STEP * low, MOST_GPUS), found):
        low *= STEP
    if found.layouts:
        whole, _, seconds, days = _joined(found)
        meets = days <= setting.wanted
        if not meets.any():
            return whole, _simplest(whole, np.flatnonzero(days <= days.min() * TIE))
        there = np.flatnonzero(whole.gpus == whole.gpus[meets].min())
        return whole, _simplest(whole, there[seconds[there] <= seconds[there].min() * TIE])
    smaller = grid_between(setting.space, 0.0, MOST_GPUS)
    return (smaller, int(np.argmin(_used(setting, smaller)))) if len(smaller) else None


def _until_met(setting: _Setting, low: float, high: float, found: _Found) -> bool:
    """Evaluate a range of GPUs, fewest first, until all layouts of the first number that meets the days are done."""
    layouts = grid_between(setting.space, np.nextafter(low, np.inf), high)
    gpus, first = layouts.gpus, np.inf
    for start in range(0, len(layouts), BLOCK):
        if gpus[start] > first:
            break
        before = len(found.days)
        _evaluate(setting, layouts.take(slice(start, start + BLOCK)), found, {})
        if len(found.days) > before:
            met = found.days[-1] <= setting.wanted
            first = min(first, float(found.layouts[-1].gpus[met].min())) if met.any() else first
    return bool(np.isfinite(first))


def with_layout(plan: Plan, layouts: Layouts, index: int) -> Plan:
    """Return the plan with a layout set and left automatic (an edit would pin it)."""
    inputs: Any = plan.layers["parallelism"]
    values: dict[str, Any] = {name: int(getattr(layouts, name)[index]) for name in FIELDS}
    values |= {name: layouts.word(name, index) for name in WORDED}
    values["sequence_parallel"] = bool(layouts.sequence_parallel[index])
    data = {k: getattr(inputs, k) for k in inputs.model_fields_set} | values
    changed = declare.validated(type(inputs), data, "parallelism")
    return Plan.model_construct(info=plan.info, layers={**plan.layers, "parallelism": changed})


def why_not(plan: Plan, catalog: Catalog, layout: Mapping[str, Any]) -> list[str]:
    """Return in sentences what rules a layout out; empty where it can run.

    Args:
        plan: what is trained on what.
        catalog: the hardware.
        layout: fields of the split by name, such as ``{"tp": 16, "pp": 8}``; the rest is the plan's.

    Raises:
        Refused: no such field, or a value that cannot be.
    """
    asked = plan.edit(*((f"parallelism.{name}", value) for name, value in layout.items()))
    setting = _Setting(asked, catalog)
    words = [f.message for f in findings_of(setting.inputs, setting.up) if f.severity == "blocker"]
    reason = impossible(setting.inputs, setting.up)
    if reason:
        return words or [f"{reason[0].upper()}{reason[1:]}."]
    used = float(_used(setting, training_plan.layout_of(setting.inputs))[0])
    if used > setting.limit:
        over, free = used / 1e9, setting.limit / 1e9
        words.append(f"The fullest GPU would hold {over:.1f} GB; {free:.1f} GB are left beside what is kept free.")
    return words


__all__ = ["Candidate", "SearchResult", "search", "settle", "why_not", "with_layout"]
