"""Why not this layout: the rules and the numbers against it, and how far behind the best it is where it can run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from wattsweights_gui.engine import training_plan
from wattsweights_gui.engine.chain import Catalog, refuse_unknown_names
from wattsweights_gui.engine.declare import Refused
from wattsweights_gui.engine.equations.layouts import RECOMPUTE, WORDS, Layouts
from wattsweights_gui.engine.equations.step_time import step_time
from wattsweights_gui.engine.layout_prices import Draw, Prices
from wattsweights_gui.engine.layout_rules import impossible
from wattsweights_gui.engine.layout_space import Space, grid_at
from wattsweights_gui.engine.plan import Edit, Plan
from wattsweights_gui.engine.search_answers import FIELDS, OPEN, WORDED, Candidate, Reason, WhyNot
from wattsweights_gui.engine.search_reasons import (
    MEMORY_RULE,
    does_not_make,
    no_layout,
    of_what_was_asked,
    reasons,
)
from wattsweights_gui.engine.search_setting import Found, Setting, blocks, evaluate_block
from wattsweights_gui.engine.search_table import Table

ELSEWHERE = {"gpu": "compute.gpu", "precision": "workload.precision"}
DEGREES = {"tp", "pp", "cp", "dp"}
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
    return [reason.message for reason in reasons(Setting(asked, catalog))]


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
    named = {k: v for k, v in layout.items() if k not in ELSEWHERE and v is not None}
    changed.edit(*((f"parallelism.{name}", value) for name, value in named.items()))  # refuses what cannot be
    if named.get("recompute_layers"):
        named.setdefault("recompute", "full")
    free = Setting(changed, catalog, wide=True)
    count = _count(free, named, gpus)
    lost: dict[str, int] = {}
    grid = _asked_grid(free, named, count, lost)
    best, chosen = (_best(Setting(plan, catalog, wide), count, catalog) for wide in (True, False))
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
    against = reasons(pinned)
    if nearest is None:
        against = _against_all(pinned, against, named, count, lost)
        inputs = pinned.inputs
        if inputs.tp * inputs.pp * inputs.cp * inputs.dp == count and not impossible(inputs, pinned.up):
            nearest = _as_it_is(pinned, training_plan.layout_of(inputs), catalog, changes)
    compared = best if chosen is None or (best is not None and best.days < chosen.days) else chosen
    behind = None if nearest is None or compared is None or against else nearest.days - compared.days
    return WhyNot(
        dict(layout),
        count,
        tuple(against),
        nearest,
        compared,
        behind,
        None if behind is None or compared is None else 100.0 * behind / compared.days,
        lost,
        chosen,
    )


def _against_all(
    pinned: Setting, against: list[Reason], named: Mapping[str, Any], count: int, lost: Mapping[str, int]
) -> list[Reason]:
    """Return why no layout has what was asked; what the plan has of its own is not held against it."""
    unmade = does_not_make(named, count)
    found = [] if unmade is None else [unmade]
    if not set(named) >= DEGREES:
        against = of_what_was_asked((r for r in against if r.rule != MEMORY_RULE), named)
    return [*against, *found] or [no_layout(lost)]


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
    elif not depths:
        chunks = float(named["vpp"])
        depths = [(float(p), chunks) for p in range(1, space.layers + 1) if p * chunks <= space.layers] or [
            (1.0, chunks)
        ]
    narrowed: Any = {**axes, "depths": tuple(depths), "grouped": "shard_group" not in named}
    return replace(space, **narrowed)


def _pinned(plan: Plan, named: Mapping[str, Any], nearest: Candidate | None, count: int) -> Plan:
    """Return the plan with the layout asked about; what was not named is of the nearest, else the plan's."""
    values: dict[str, Any] = dict(named)
    if nearest is not None:
        values = {name: getattr(nearest, name) or None if name in OPEN else getattr(nearest, name) for name in ASKABLE}
    else:
        values.setdefault("vpp", 1)
        values.setdefault("schedule", "interleaved" if values["vpp"] > 1 else "1f1b")
        if "dp" not in values:
            inputs: Any = plan.layers["parallelism"]
            replica = np.prod([int(values.get(name, getattr(inputs, name))) for name in ("tp", "pp", "cp")])
            values["dp"] = max(1, count // int(replica))
        tensor, context = (int(values.get(name, plan.value(f"parallelism.{name}"))) for name in ("tp", "cp"))
        cut = tensor > 1 and int(plan.value("workload.seq_len")) % (tensor * context) == 0
        values.setdefault("sequence_parallel", cut)
    return plan.edit(*((f"parallelism.{name}", value) for name, value in values.items()))


def _best(setting: Setting, count: int, catalog: Catalog) -> Candidate | None:
    found = Found()
    for block in blocks(grid_at(setting.space, count, {})):
        evaluate_block(setting, block, found, {})
    return _first(setting, found, catalog, ()) if found.layouts else None


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
