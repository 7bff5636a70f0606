"""Why not this layout: the rules and the numbers against it, and how far behind the best it is where it can run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from wattsweights_gui.engine import training_plan, units
from wattsweights_gui.engine.chain import Catalog, refuse_unknown_names
from wattsweights_gui.engine.declare import Refused
from wattsweights_gui.engine.equations.layouts import RECOMPUTE, WORDS, Layouts
from wattsweights_gui.engine.equations.step_time import step_time
from wattsweights_gui.engine.layout_prices import Draw, Prices
from wattsweights_gui.engine.layout_rules import findings_of, impossible
from wattsweights_gui.engine.layout_space import Space, grid_at
from wattsweights_gui.engine.plan import Edit, Plan
from wattsweights_gui.engine.search_answers import FIELDS, OPEN, WORDED, Candidate, Reason, WhyNot
from wattsweights_gui.engine.search_setting import Found, Setting, blocks, evaluate_block
from wattsweights_gui.engine.search_table import Table

ELSEWHERE = {"gpu": "compute.gpu", "precision": "workload.precision"}
DEGREES = {"tp", "pp", "cp", "dp"}
MEMORY_RULE = "parallelism.memory"
ASKABLE = (*FIELDS, *WORDED, "sequence_parallel", *OPEN)


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
    return [reason.message for reason in _reasons(Setting(asked, catalog))]


def explain(plan: Plan, catalog: Catalog, layout: Mapping[str, Any], *, gpus: int | None = None) -> WhyNot:
    """Return why a layout is not the one that the search chooses.

    Args:
        plan: what is trained on what.
        catalog: the hardware.
        layout: what is asked about: fields of the split by name, ``gpu`` and ``precision``. What is not named is free,
            and the best of it is taken, so that ``{"tp": 4}`` is judged by the best layout with that.
        gpus: how many; the plan's own number where ``None``, or the product where all four degrees are named.

    Raises:
        Refused: no such field, or a value that cannot be; or the GPU cannot run the precision.
    """
    changes = _changes(plan, layout)
    changed = plan.edit(*changes)
    refuse_unknown_names(changed, catalog)
    free = Setting(changed, catalog, wide=True)
    named = {k: v for k, v in layout.items() if k not in ELSEWHERE}
    count = _count(free, named, gpus)
    lost: dict[str, int] = {}
    grid = _asked_grid(free, named, count, lost)
    best = _best(Setting(plan, catalog), grid_at(Setting(plan, catalog).space, count, {}), catalog, ())
    found = Found()
    for block in blocks(grid):
        evaluate_block(free, block, found, lost)
    if found.layouts:
        nearest = _first(free, found, catalog, changes)
    elif len(grid):
        nearest = _as_it_is(free, grid.take([int(np.argmin(free.used_bytes(grid)))]), catalog, changes)
    else:
        nearest = None
    pinned = Setting(_pinned(changed, named, nearest, count), catalog)
    reasons = _reasons(pinned)
    if nearest is None:
        if not set(named) >= DEGREES:  # the rest is the plan's, and nobody asked about its memory
            reasons = [r for r in reasons if r.rule != MEMORY_RULE] or reasons
        product = pinned.inputs.tp * pinned.inputs.pp * pinned.inputs.cp * pinned.inputs.dp
        if product != count:
            reasons.insert(0, _makes(pinned.inputs, product, count))
        if not impossible(pinned.inputs, pinned.up):
            nearest = _as_it_is(pinned, training_plan.layout_of(pinned.inputs), catalog, changes)
    behind = None if nearest is None or best is None or reasons else nearest.days - best.days
    return WhyNot(
        dict(layout),
        count,
        tuple(reasons),
        nearest,
        best,
        behind,
        None if behind is None or best is None else 100.0 * behind / best.days,
        lost,
    )


def _makes(inputs: Any, product: int, count: int) -> Reason:
    degrees = f"TP {inputs.tp} × PP {inputs.pp} × CP {inputs.cp} × DP {inputs.dp}"
    return Reason(
        "parallelism.gpus",
        f"{degrees} makes {units.text(product, 'count')} GPUs, not {units.text(count, 'count')}.",
    )


def _changes(plan: Plan, layout: Mapping[str, Any]) -> tuple[Edit, ...]:
    for name in layout:
        if name not in ASKABLE and name not in ELSEWHERE:
            raise Refused(name, f"no part of a layout; there is {', '.join((*ASKABLE, *ELSEWHERE))}.")
    return tuple(
        (path, layout[name]) for name, path in ELSEWHERE.items() if name in layout and layout[name] != plan.value(path)
    )


def _count(setting: Setting, named: Mapping[str, Any], gpus: int | None) -> int:
    degrees = [named.get(name) for name in ("tp", "pp", "cp", "dp")]
    if gpus is not None:
        return gpus
    if None in degrees:
        return setting.own_gpus
    return int(np.prod([int(d or 1) for d in degrees]))


def _asked_grid(setting: Setting, named: Mapping[str, Any], count: int, lost: dict[str, int]) -> Layouts:
    """Return the layouts of the wide space, widened to what was asked, that have all of it."""
    space = _narrowed(setting.space, named)
    grid = grid_at(space, count, lost)
    if "sequence_parallel" in named:
        grid = replace(grid, sequence_parallel=np.full(len(grid), float(bool(named["sequence_parallel"]))))
    for name in OPEN:
        if named.get(name):
            grid = replace(grid, **{name: np.full(len(grid), float(named[name]))})
    keep = np.ones(len(grid), dtype=bool)
    for name, value in named.items():
        if name in (*FIELDS, *WORDED, *OPEN):
            code = WORDS[name][value] if name in WORDED else float(value or 0)
            keep &= getattr(grid, name) == code
    dropped = int(len(grid) - keep.sum())
    if dropped:
        lost["other than what was asked"] = dropped
    return grid.take(keep)


def _narrowed(space: Space, named: Mapping[str, Any]) -> Space:
    """Return the space with each axis that was asked about held at its value, whether or not it was on the axis."""
    axes: dict[str, tuple[float, ...]] = {}
    for name, axis in (("tp", "tensor"), ("cp", "context"), ("ep", "experts"), ("micro_batch", "micro_batches")):
        if name in named:
            axes[axis] = (float(named[name]),)
    if "etp" in named:
        axes["expert_tensor"] = (float(named["etp"]),)
    if "recompute" in named:
        axes["modes"] = (RECOMPUTE[named["recompute"]],)
    depths = [
        (p, v)
        for p, v in space.depths
        if float(named.get("pp", p)) == p and float(named.get("vpp", v)) == v
    ]  # fmt: skip
    if not depths and "pp" in named:
        depths = [(float(named["pp"]), float(named.get("vpp", 1)))]
    narrowed: Any = {**axes, "depths": tuple(depths), "grouped": "shard_group" not in named}
    return replace(space, **narrowed)


def _pinned(plan: Plan, named: Mapping[str, Any], nearest: Candidate | None, count: int) -> Plan:
    """Return the plan with the layout asked about; what was not named is of the nearest, else the plan's."""
    values: dict[str, Any] = dict(named)
    if nearest is not None:
        values = {name: getattr(nearest, name) or None if name in OPEN else getattr(nearest, name) for name in ASKABLE}
    else:
        values.setdefault("vpp", 1)
        if "dp" not in values:
            inputs: Any = plan.layers["parallelism"]
            replica = np.prod([int(values.get(name, getattr(inputs, name))) for name in ("tp", "pp", "cp")])
            values["dp"] = max(1, count // int(replica))
        tensor, context = (int(values.get(name, plan.value(f"parallelism.{name}"))) for name in ("tp", "cp"))
        cut = tensor > 1 and int(plan.value("workload.seq_len")) % (tensor * context) == 0
        values.setdefault("sequence_parallel", cut)
    return plan.edit(*((f"parallelism.{name}", value) for name, value in values.items()))


def _reasons(setting: Setting) -> list[Reason]:
    """Return the rules and the memory that rule out the layout of a plan."""
    found = [
        Reason(f.id, f.message, f.source, f.fix)
        for f in findings_of(setting.inputs, setting.up)
        if f.severity == "blocker"
    ]
    reason = impossible(setting.inputs, setting.up)
    if reason:
        return found or [Reason("parallelism.impossible", f"{reason[0].upper()}{reason[1:]}.")]
    used = float(setting.used_bytes(training_plan.layout_of(setting.inputs))[0])
    if used > setting.limit:
        over, free = used / 1e9, setting.limit / 1e9
        words = f"The fullest GPU would hold {over:.1f} GB; {free:.1f} GB are left beside what is kept free."
        found.append(Reason(MEMORY_RULE, words))
    return found


def _best(setting: Setting, grid: Layouts, catalog: Catalog, changes: tuple[Edit, ...]) -> Candidate | None:
    found = Found()
    for block in blocks(grid):
        evaluate_block(setting, block, found, {})
    return _first(setting, found, catalog, changes) if found.layouts else None


def _first(setting: Setting, found: Found, catalog: Catalog, changes: tuple[Edit, ...]) -> Candidate:
    joined = found.joined()
    table = Table.of(setting, changes, joined, Draw.of(setting.plan, catalog, joined[0].gpus), Prices())
    return table.candidates(table.order("days", "gpus")[:1])[0]


def _as_it_is(setting: Setting, layout: Layouts, catalog: Catalog, changes: tuple[Edit, ...]) -> Candidate:
    """Return a layout evaluated whether or not it fits."""
    seconds = step_time(setting.job, setting.machine, layout).total
    days = setting.days(layout.gpus, seconds)
    draw = Draw.of(setting.plan, catalog, layout.gpus)
    table = Table.of(setting, changes, (layout, setting.used_bytes(layout), seconds, days), draw, Prices())
    return table.candidates(np.array([0]))[0]
