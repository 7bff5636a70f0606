"""The layout search: arrays of candidates, rules first, then memory, then time; deterministic.

``search`` ranks layouts at given numbers of GPUs; ``settle`` gives an automatic plan its layout; ``why_not`` and
``explain`` say what rules a layout out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from wattsweights_gui.engine import declare
from wattsweights_gui.engine.chain import Catalog, refuse_unknown_names
from wattsweights_gui.engine.equations.layouts import Layouts
from wattsweights_gui.engine.layout_prices import Draw, Prices
from wattsweights_gui.engine.layout_space import Lost, grid_at, grid_of
from wattsweights_gui.engine.plan import Edit, Plan
from wattsweights_gui.engine.search_answers import OBJECTIVES, TITLES, Candidate, Reason, Sample, SearchResult, WhyNot
from wattsweights_gui.engine.search_setting import Found, Setting, blocks, evaluate_block
from wattsweights_gui.engine.search_settle import settle, with_layout
from wattsweights_gui.engine.search_table import Table, whole_grid
from wattsweights_gui.engine.search_why_not import explain, why_not

SECOND = {"days": "gpus", "gpus": "days", "throughput": "days", "power": "days", "energy": "days", "cost": "days"}
AXES = ("usual", "wide")
STOPPED = "stopped before the end"


def search(
    plan: Plan,
    catalog: Catalog,
    *,
    gpus: Sequence[int] | None = None,
    objective: str = "days",
    front: tuple[str, str] = ("gpus", "days"),
    axes: str = "usual",
    gpu_types: Sequence[str] | None = None,
    precisions: Sequence[str] | None = None,
    prices: Prices | None = None,
    top: int = 10,
    progress: Callable[[float], bool] | None = None,
    partial: Callable[[SearchResult], None] | None = None,
) -> SearchResult:
    """Return the best layouts of a plan's model on its GPUs.

    Args:
        plan: what is trained on what.
        catalog: the hardware.
        gpus: numbers of GPUs to try. ``None`` ranks the layouts of the plan's own number (asked for, or of its
            layout) and draws the front through all whole hosts up to twice that.
        objective: ``days`` (shortest run), ``gpus`` (fewest GPUs, then days), ``throughput`` (tokens/s a GPU),
            ``power`` (least IT power), ``energy`` (least for the run, at the utility) or ``cost`` (least for the run).
        front: the two objectives of the front.
        axes: ``usual`` layouts, as ``settle`` chooses from, or ``wide``: also every degree that divides,
            expert-tensor parallelism, zero bubble, ZeRO-2, nothing sharded, FSDP in pipelines.
        gpu_types: catalogue ids of the GPUs to try; the plan's own where ``None``.
        precisions: to try; the plan's own where ``None``.
        prices: for the cost.
        top: how many to return.
        progress: called with 0 to 1; returning ``False`` stops the search with what was found so far.
        partial: called with the answer so far after each GPU type and precision but the last.

    Raises:
        Refused: no GPU can run any of the formats, no such GPU, precision, objective or axes, or a cost without a
            price.
    """
    prices = prices or Prices()
    _refuse(objective, front, axes, prices)
    settings, notes = _settings(plan, catalog, gpu_types, precisions, axes == "wide")
    own, host = settings[0][0].own_gpus, int(settings[0][0].space.node)
    counts = sorted({int(n) for n in gpus} if gpus else {own, *range(host, 2 * own + 1, host)})
    lost = Lost()
    grids = [_grid(setting, counts, lost) for setting, _ in settings]
    total, done = max(1, sum(map(len, grids))), 0
    asked = _Asked(tuple(counts), own if not gpus else None, objective, front, top, prices)
    stopped, evaluated = False, 0
    tables: list[Table] = []
    for (setting, changes), grid in zip(settings, grids, strict=True):
        found = Found()
        for block in blocks(grid):
            if progress is not None and progress(done / total) is False:
                stopped = True
                break
            evaluate_block(setting, block, found, lost)
            done += len(block)
        evaluated += found.evaluated
        if found.layouts:
            joined = found.joined()
            draw = Draw.of(setting.plan, catalog, joined[0].gpus)
            tables.append(Table.of(setting, changes, joined, draw, prices))
            if draw.why_unknown and (objective in ("power", "energy") or {"power", "energy"} & set(front)):
                notes.append(f"the power is not known: {draw.why_unknown}")
        if stopped:
            break
        if partial is not None and tables and setting is not settings[-1][0]:
            partial(asked.answer(tables, evaluated, lost, notes, stopped=True))
    if progress is not None and not stopped:
        progress(1.0)
    return asked.answer(tables, evaluated, lost, [STOPPED, *notes] if stopped else notes, stopped)


@dataclass(frozen=True)
class _Asked:
    """What a search was asked for; ``own`` is the plan's number of GPUs, where no numbers were given."""

    counts: tuple[int, ...]
    own: int | None
    objective: str
    front: tuple[str, str]
    top: int
    prices: Prices

    def answer(
        self, tables: Sequence[Table], evaluated: int, lost: Lost, notes: Sequence[str], stopped: bool
    ) -> SearchResult:
        """Return the layouts found as a result."""
        lost, notes = lost.copied(), list(notes)
        about: dict[str, Any] = {
            "objective": self.objective,
            "front_of": self.front,
            "counts": self.counts,
            "stopped": stopped,
        }
        if not tables:
            words = "no layout of this model fits these GPUs" if evaluated else "no layout divides these GPUs"
            note = "; ".join(notes if stopped else [words, *notes])
            return SearchResult(evaluated, (), (), lost, note, grid=whole_grid({}, lost), **about)
        table = Table.joined(tables)
        if left_out := self.prices.left_out(dict.fromkeys(gpu for gpu, _, _ in table.variants)):
            notes.append(left_out)
        ranked = table.order(self.objective, SECOND[self.objective])
        size = table.numbers["gpus"]
        if self.own and (size == self.own).any():
            ranked = ranked[size[ranked] == self.own]
        return SearchResult(
            evaluated,
            table.candidates(ranked[: self.top]),
            table.candidates(table.front(*self.front)),
            lost,
            "; ".join(dict.fromkeys(notes)),
            sample=table.sample(ranked),
            grid=table.grid(ranked, lost),
            **about,
        )


def _refuse(objective: str, front: tuple[str, str], axes: str, prices: Prices) -> None:
    for path, asked in (("objective", (objective,)), ("front", front)):
        for name in asked:
            if name not in OBJECTIVES:
                raise declare.Refused(path, f"“{name}” is none of {', '.join(OBJECTIVES)}.")
            if name == "cost" and not prices.given:
                raise declare.Refused(path, "a cost needs a price: of a kWh, of a GPU hour, or of both.")
    if len(front) != 2 or front[0] == front[1]:
        raise declare.Refused("front", "a front has two different objectives.")
    if axes not in AXES:
        raise declare.Refused("axes", f"“{axes}” is neither usual nor wide.")


def _grid(setting: Setting, counts: Sequence[int], lost: Lost) -> Layouts:
    return grid_at(setting.space, counts[0], lost) if len(counts) == 1 else grid_of(setting.space, counts, lost)


def _settings(
    plan: Plan,
    catalog: Catalog,
    gpu_types: Sequence[str] | None,
    precisions: Sequence[str] | None,
    wide: bool,
) -> tuple[list[tuple[Setting, tuple[Edit, ...]]], list[str]]:
    """Return each GPU with each precision that it can run, the edits that lead there, and what cannot run.

    Raises:
        Refused: nothing can run, or there is no such GPU or precision.
    """
    own: Any = plan.layers
    made, notes, refusals = [], [], []
    for gpu in dict.fromkeys(gpu_types or (own["compute"].gpu,)):
        for precision in dict.fromkeys(precisions or (own["workload"].precision,)):
            changes = changes_to(plan, catalog, gpu, precision)
            changed = plan.edit(*changes)
            refuse_unknown_names(changed, catalog)
            try:
                made.append((Setting(changed, catalog, wide), changes))
            except declare.Refused as refused:
                refusals.append(refused)
                notes.append(f"left out: {refused.message.rstrip(chr(46))}")
    if not made:
        raise refusals[0]
    return made, notes


def changes_to(plan: Plan, catalog: Catalog, gpu: str, precision: str) -> tuple[Edit, ...]:
    """Return the edits that give a plan another GPU and precision; a system built of another GPU is left open."""
    own: Any = plan.layers
    changes: list[Edit] = []
    if gpu != own["compute"].gpu:
        changes.append(("compute.gpu", gpu))
        system = own["cluster"].system
        if system is not None and all(s.get("gpu") != gpu for s in catalog.of_kind("system") if s.id == system):
            changes.append(("cluster.system", None))
    if precision != own["workload"].precision:
        changes.append(("workload.precision", precision))
    return tuple(changes)


__all__ = [
    "AXES",
    "OBJECTIVES",
    "TITLES",
    "Candidate",
    "Prices",
    "Reason",
    "Sample",
    "SearchResult",
    "WhyNot",
    "explain",
    "search",
    "settle",
    "why_not",
    "with_layout",
]
