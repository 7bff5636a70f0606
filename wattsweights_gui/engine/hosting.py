"""Facility up: the most GPUs that keep every limit of the facility.

A search over the same forward chain: the answer is the largest number of nodes that keeps every limit, and one node
more breaks one. There is no second set of formulas.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from wattsweights_gui.engine.chain import Evaluation, evaluate
from wattsweights_gui.engine.declare import Figure, Need, stated, unknown

CARRIED_BY_FACILITY = ("fabric", "cluster", "storage", "power", "cooling", "floor")
MOST_NODES = 1 << 17
_ZERO_LIMIT_LOAD = 100.0
LIMIT = 1 + 1e-9
Loads = Mapping[str, float]


@dataclass(frozen=True)
class Hosting:
    """How many GPUs the facility can carry, how densely racked, and what stops one node more."""

    gpus: Figure
    nodes: Figure
    evaluation: Evaluation | None
    limited_by: Need | None


def with_gpus(evaluation: Evaluation, gpus: int, nodes_per_rack: int | None = None) -> Evaluation:
    """Return the facility's layers sized for another number of GPUs, all else as in the plan.

    Args:
        evaluation: of the plan.
        gpus: to be carried.
        nodes_per_rack: packed so densely; as planned where ``None``.
    """
    plan = evaluation.plan
    if nodes_per_rack is not None:
        plan = plan.edit(("cluster.nodes_per_rack", nodes_per_rack))
    split = evaluation.results["parallelism"]
    asked = stated(gpus, "count", "GPUs in this plan", formula="tried by the search for what the facility hosts")
    asked = replace(asked, path="layers.parallelism.result.gpus")
    given = {k: v for k, v in evaluation.results.items() if k not in CARRIED_BY_FACILITY}
    given["parallelism"] = split.model_copy(update={"gpus": asked})
    return evaluate(plan, evaluation.catalog, given=given, layers=CARRIED_BY_FACILITY)


def hosted(evaluation: Evaluation) -> Hosting:
    """Return the largest number of GPUs that keeps every limit of the facility.

    Racks may be filled less densely than planned where that is what lets the facility carry any at all.
    """
    node_gpus = _node_gpus(evaluation)
    title = "GPUs that the facility hosts"
    if node_gpus is None:
        why = unknown("the GPUs of a node are not known", "count", title)
        return Hosting(why, unknown(why.formula, "count", "Nodes hosted"), None, None)
    planned = evaluation.results["cluster"].nodes_per_rack.value
    densities = range(int(planned), 0, -1) if isinstance(planned, int | float) else (None,)
    first_break: Need | None = None
    for density in densities:
        tried: dict[int, Evaluation] = {}

        def loads(nodes: int, density: int | None = density, tried: dict[int, Evaluation] = tried) -> Loads:
            if nodes not in tried:
                tried[nodes] = with_gpus(evaluation, nodes * node_gpus, density)
            return _loads(tried[nodes])

        if _most(loads(1)) > LIMIT:
            first_break = first_break or _worst(tried[1])
            continue
        nodes = largest(loads, round(evaluation.results["cluster"].nodes.number))
        if nodes is None:
            reason = "no limit that grows with the GPUs is stated"
            return Hosting(unknown(reason, "count", title), unknown(reason, "count", "Nodes hosted"), None, None)
        at, over = tried[nodes], _worst(tried[nodes + 1])
        return _hosting(at, nodes, node_gpus, density, over)
    zero = replace(stated(0, "count", title, formula="not one node keeps the limits"), operands=_operands(first_break))
    return Hosting(zero, stated(0, "count", "Nodes hosted", formula=zero.formula), None, first_break)


def _hosting(at: Evaluation, nodes: int, node_gpus: int, density: int | None, over: Need | None) -> Hosting:
    racking = f" at {density} nodes a rack" if density is not None else ""
    stop = f"; with one node more, “{over.title}” does not fit" if over else ""
    formula = f"the most nodes{racking} that keep every limit of the facility, by sizing the chain again{stop}"
    operands = _operands(over)
    gpus = stated(nodes * node_gpus, "count", "GPUs that the facility hosts", formula=formula)
    count = stated(nodes, "count", "Nodes that the facility hosts", formula=formula)
    return Hosting(replace(gpus, operands=operands), replace(count, operands=operands), at, over)


def _operands(need: Need | None) -> tuple[tuple[str, Figure], ...]:
    return () if need is None else (("need_of_one_more", need.need), ("limit", need.have))


def _node_gpus(evaluation: Evaluation) -> int | None:
    cluster = evaluation.results["cluster"]
    gpus, nodes = cluster.gpus.value, cluster.nodes.value
    return round(gpus / nodes) if gpus and nodes else None


def _worst(evaluation: Evaluation) -> Need | None:
    loads = [n for n in evaluation.needs if n.end == "facility" and n.load is not None]
    return max(loads, key=lambda n: n.load or 0.0, default=None)


def _loads(evaluation: Evaluation) -> Loads:
    return {
        f"{n.layer}.{n.quantity}": min(n.load, _ZERO_LIMIT_LOAD)
        for n in evaluation.needs
        if n.end == "facility" and n.load is not None
    }


def _most(loads: Loads) -> float:
    return max(loads.values(), default=0.0)


def largest(loads: Callable[[int], Loads], hint: int = 2) -> int | None:
    """Return the largest ``n`` whose loads are all at most 1, given that those of 1 are; ``None`` where there is none.

    Each load is nearly a straight line in ``n``: the next guess is where the first of the lines through the last two
    points meets 1, and bisection takes over where lines mislead. ``hint`` is where the second point is taken. ``loads``
    has been called on the answer and on the answer plus one.
    """
    low, high = 1, min(max(2, hint), MOST_NODES)
    at_low = loads(low)
    while _most(at_high := loads(high)) <= LIMIT:
        aim = _meets_one(low, at_low, high, at_high)
        low, at_low = high, at_high
        if high >= MOST_NODES:
            return None
        high = min(max(math.floor(aim) + 1, low + 1), MOST_NODES) if aim is not None else MOST_NODES
    turn = 0
    while high - low > 1:
        turn += 1
        aim = _meets_one(low, at_low, high, at_high)
        if aim is None or turn % 4 == 0:
            aim = (low + high) / 2
        middle = min(max(math.floor(aim), low + 1), high - 1)
        at_middle = loads(middle)
        if _most(at_middle) > LIMIT:
            high, at_high = middle, at_middle
            continue
        low, at_low = middle, at_middle
        if high - low > 1 and _most(above := loads(low + 1)) > LIMIT:
            high, at_high = low + 1, above
    return low


def _meets_one(low: int, at_low: Loads, high: int, at_high: Loads) -> float | None:
    """Return where the first of the straight lines through two points meets 1; ``None`` where none rises."""
    crossings = [
        low + (high - low) * (1.0 - at_low[name]) / (at_high[name] - at_low[name])
        for name in at_high.keys() & at_low.keys()
        if at_high[name] > at_low[name] + 1e-12
    ]
    return min(crossings, default=None)
