"""The ways out of a collision: changes to the plan, each run through the whole chain, ranked by what they close."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from wattsweights_gui.engine import lever_kinds
from wattsweights_gui.engine.both_ends import BothEnds, both_ends
from wattsweights_gui.engine.chain import Catalog, Evaluation, evaluate
from wattsweights_gui.engine.declare import Figure, Refused
from wattsweights_gui.engine.placed_racks import PlacedRacks
from wattsweights_gui.engine.plan import Edit, Plan
from wattsweights_gui.engine.search import settle

Progress = Callable[[float], bool]
MEASURES: dict[str, tuple[str, str]] = {
    "gpus": ("parallelism", "gpus"),
    "days": ("parallelism", "days"),
    "facility_power_kw": ("power", "facility_power_kw"),
    "racks": ("floor", "racks"),
    "rack_heat_kw": ("cooling", "rack_heat_kw"),
    "facility_water_l_min": ("cooling", "facility_water_l_min"),
}
COSTS = ("days", "facility_power_kw", "racks", "gpus")
_WORST_LOAD = 100.0
_PAIRED_SINGLES = 7


@dataclass(frozen=True)
class Lever:
    """One change and what it does.

    Attributes:
        id: stable, kebab-case.
        title: what is changed, in words.
        kind: of :data:`lever_kinds.KINDS`; two of one kind are never paired.
        edits: the change; applying them gives the plan that was sized.
        evaluation: the changed plan and what follows.
        ends: its comparison.
        closes: share of the gap that it closes, 0 to 1; negative where it opens the gap further.
        fits: whether everything fits then.
        deltas: name to (before, after), for the names in :data:`MEASURES`.
    """

    id: str
    title: str
    kind: str
    edits: tuple[Edit, ...]
    evaluation: Evaluation
    ends: BothEnds
    closes: float
    fits: bool
    deltas: dict[str, tuple[Figure, Figure]]

    def cost(self, name: str) -> float | None:
        """Return the change of one measure (after less before); ``None`` where one is not known."""
        before, after = self.deltas[name]
        if before.value is None or after.value is None:
            return None
        return after.number - before.number

    def plain(self) -> dict[str, Any]:
        """Return the JSON of the command line."""
        return {
            "id": self.id,
            "title": self.title,
            "kind": self.kind,
            "edits": [{"path": path, "value": _plain_value(value)} for path, value in self.edits],
            "fits": self.fits,
            "closes": self.closes,
            "before": {name: before.value for name, (before, _) in self.deltas.items()},
            "after": {name: after.value for name, (_, after) in self.deltas.items()},
            "costs": {
                "days": self.cost("days"),
                "mw": None if (kw := self.cost("facility_power_kw")) is None else kw / 1000.0,
                "racks": self.cost("racks"),
                "gpus": self.cost("gpus"),
            },
            "still_binding": [{"layer": n.layer, "quantity": n.quantity} for n in self.ends.binding],
            "verdict": self.ends.verdict,
        }


@dataclass(frozen=True)
class LeverReport:
    """All levers, best first.

    Attributes:
        base: the plan as it stands.
        base_ends: its comparison.
        singles: one change each.
        pairs: the best pairs of changes of different kinds, where no single one is enough or a pair is cheaper.
        cancelled: whether the run was stopped before its end.
    """

    base: Evaluation
    base_ends: BothEnds
    singles: tuple[Lever, ...]
    pairs: tuple[Lever, ...]
    cancelled: bool = False

    def plain(self) -> dict[str, Any]:
        """Return the JSON of the command line."""
        return {
            "fits": self.base_ends.fits,
            "verdict": self.base_ends.verdict,
            "binding": self.base_ends.plain()["binding"],
            "levers": [lever.plain() for lever in self.singles],
            "pairs": [lever.plain() for lever in self.pairs],
        }


def levers(
    plan: Plan, catalog: Catalog, progress: Progress | None = None, placed: PlacedRacks | None = None
) -> LeverReport:
    """Size every lever that this plan has, and the best pairs.

    Args:
        plan: settled (its automatic layout is the one to be compared with).
        catalog: the hardware.
        progress: given 0 to 1; returns false to stop, and what was sized by then is returned.
        placed: racks that power, cooling and floor follow; a change of how many nodes there are, or how many a rack
            holds, is sized as planned, because no rack is filled for it yet.
    """
    base = evaluate(plan, catalog, placed=placed)
    base_ends = both_ends(base)
    offered = lever_kinds.offered(base, base_ends)
    most_pairs = math.comb(_PAIRED_SINGLES, 2)
    total = len(offered) + most_pairs
    done = 0

    def ticking() -> bool:
        nonlocal done
        done += 1
        return progress is None or progress(min(1.0, done / total))

    singles: list[Lever] = []
    for offer in offered:
        if (lever := _sized(base, base_ends, offer)) is not None:
            singles.append(lever)
        if not ticking():
            return LeverReport(base, base_ends, _ranked(singles), (), cancelled=True)
    singles = list(_ranked(singles))
    settles = {offer.id for offer in offered if offer.settles}
    pairs: list[Lever] = []
    if base_ends.fits is False:
        for first, second in combinations(_one_of_each_kind(singles), 2):
            offer = lever_kinds.Offer(
                f"{first.id}+{second.id}",
                f"{first.title}, and {second.title[0].lower()}{second.title[1:]}",
                f"{first.kind}+{second.kind}",
                first.edits + second.edits,
                settles=bool(settles & {first.id, second.id}),
            )
            lever = _sized(base, base_ends, offer)
            if lever is not None and lever.closes > max(first.closes, second.closes) + 1e-9:
                pairs.append(lever)
            if not ticking():
                return LeverReport(base, base_ends, tuple(singles), _ranked(pairs), cancelled=True)
    if progress is not None:
        progress(1.0)
    return LeverReport(base, base_ends, tuple(singles), _ranked(pairs)[:10])


def gap(ends: BothEnds) -> float:
    """Return how far the plan is from fitting: ln(need / have) added up over the uncovered needs; 0 where none is.

    A blocker has no size: it counts as the worst load.
    """
    needs = sum(math.log(min(need.load or 1.0, _WORST_LOAD)) for need in ends.binding)
    return needs + len(ends.blockers) * math.log(_WORST_LOAD)


def _sized(base: Evaluation, base_ends: BothEnds, offer: lever_kinds.Offer) -> Lever | None:
    try:
        plan = base.plan.edit(*offer.edits)
        if offer.settles:
            plan = settle(plan, base.catalog)
        after = evaluate(plan, base.catalog, placed=base.placed)
        if base.placed is not None and _counts(base) != _counts(after):
            after = evaluate(plan, base.catalog)
    except Refused:
        return None
    ends = both_ends(after)
    before_gap = gap(base_ends)
    closes = (before_gap - gap(ends)) / before_gap if before_gap > 0 else 0.0
    return Lever(
        offer.id, offer.title, offer.kind, offer.edits, after, ends, closes, ends.fits is True, _deltas(base, after)
    )


def _counts(evaluation: Evaluation) -> tuple[Any, ...]:
    """Return what the plan asks to be placed: another answer needs other racks than those that are placed."""
    cluster, storage = evaluation.results["cluster"], evaluation.results["storage"]
    return cluster.system.value, cluster.nodes.value, cluster.nodes_per_rack.value, storage.racks.value


def _deltas(before: Evaluation, after: Evaluation) -> dict[str, tuple[Figure, Figure]]:
    return {
        name: (getattr(before.results[layer], field), getattr(after.results[layer], field))
        for name, (layer, field) in MEASURES.items()
    }


def _ranked(levers: Iterable[Lever]) -> tuple[Lever, ...]:
    return tuple(sorted(levers, key=lambda lever: (not lever.fits, -round(lever.closes, 6), _price(lever), lever.id)))


def _price(lever: Lever) -> float:
    """Return the relative increase of days, megawatts, racks and GPUs, added up: a tie-break, not a tariff."""
    price = 0.0
    for name in COSTS:
        before, after = lever.deltas[name]
        if before.value and after.value is not None:
            price += max(0.0, after.number / before.number - 1.0)
    return price


def _one_of_each_kind(singles: Iterable[Lever]) -> list[Lever]:
    """Return the best lever of each kind that closes something, but not those that close everything alone."""
    best: dict[str, Lever] = {}
    for lever in singles:
        if lever.closes > 1e-9 and not lever.fits:
            best.setdefault(lever.kind, lever)
    return list(best.values())[:_PAIRED_SINGLES]


def _plain_value(value: Any) -> Any:
    return value.model_dump() if hasattr(value, "model_dump") else value
