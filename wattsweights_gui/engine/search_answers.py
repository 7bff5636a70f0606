"""What a layout search answers with: candidates, fronts, a sample to draw and the best of each TP × PP."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from wattsweights_gui.engine.plan import Edit

FIELDS = ("tp", "pp", "dp", "cp", "ep", "etp", "micro_batch", "vpp")
WORDED = ("schedule", "recompute", "sharding")
OPEN = ("shard_group", "recompute_layers")
"""Degrees that a plan may leave open; 0 in a layout."""
OBJECTIVES: Mapping[str, str] = {
    "days": "days",
    "gpus": "gpus",
    "throughput": "tokens_per_s_per_gpu",
    "power": "power_kw",
    "energy": "energy_mwh",
    "cost": "cost",
}
"""What may be asked for, and the field of a candidate that says it; throughput is to be large, the rest small."""
TITLES: Mapping[str, str] = {
    "days": "Days",
    "gpus": "GPUs",
    "throughput": "Tokens/s a GPU",
    "power": "IT power",
    "energy": "Energy of the run",
    "cost": "Cost of the run",
}


@dataclass(frozen=True)
class Candidate:
    """One evaluated layout.

    Attributes:
        gpu: catalogue id of the GPU; precision: of its matrix multiplications.
        shard_group: ranks that sharded states are spread over; 0 for all data-parallel ranks.
        recompute_layers: layers of each stage that full recompute does again; 0 for all.
        power_kw: typical draw of all IT; energy_mwh: of the run at the utility; cost: of the run in USD. ``None`` where
            the plan or the catalogue does not know.
        days_low, days_high: between which nine in ten published runs of this kind would lie.
        changes: edits outside the split that it was evaluated with: another GPU or precision than the plan's.
    """

    tp: int
    pp: int
    dp: int
    cp: int
    ep: int
    micro_batch: int
    vpp: int
    schedule: str
    recompute: str
    sharding: str
    sequence_parallel: bool
    gpus: int
    memory_gb: float
    step_time_s: float
    mfu: float
    days: float
    tokens_per_s_per_gpu: float
    fits: bool
    why_not: str = ""
    etp: int = 1
    shard_group: int = 0
    recompute_layers: int = 0
    gpu: str = ""
    precision: str = ""
    power_kw: float | None = None
    energy_mwh: float | None = None
    cost: float | None = None
    days_low: float | None = None
    days_high: float | None = None
    changes: tuple[Edit, ...] = ()

    def edits(self) -> tuple[Edit, ...]:
        """Return the edits that make a plan this one: GPU and precision where they differ, and the layout pinned."""
        pinned = [(name, getattr(self, name)) for name in (*FIELDS, *WORDED, "sequence_parallel")]
        pinned += [(name, getattr(self, name) or None) for name in OPEN]
        return (*self.changes, *((f"parallelism.{name}", value) for name, value in pinned))

    def value(self, objective: str) -> float | None:
        """Return what this layout has of an objective."""
        found: float | None = getattr(self, OBJECTIVES[objective])
        return found


@dataclass(frozen=True)
class Sample:
    """A bounded selection of the layouts that fit: the best by the objective, and the rest evenly by rank.

    Attributes:
        columns: values by field of :class:`Candidate`, best first, all equally long.
        leading: how many at the start are the best; those after are spread over all the rest.
        total: layouts that it was taken from.
    """

    columns: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    leading: int = 0
    total: int = 0

    def __len__(self) -> int:
        return len(self.columns.get("tp", ()))

    def candidate(self, index: int) -> Candidate:
        """Return one layout whole."""
        return Candidate(**{name: column[index] for name, column in self.columns.items()})

    def __iter__(self) -> Iterator[Candidate]:
        return (self.candidate(i) for i in range(len(self)))


@dataclass(frozen=True)
class GridCell:
    """The best of one tensor × pipeline degree.

    Attributes:
        days: shortest run of the layouts that fit; ``None`` where none does.
        gpus: of that layout.
        fitting: layouts that fit.
        reason: where none fits, the rule that ruled most of them out, or memory.
        best: that layout.
    """

    tp: int
    pp: int
    days: float | None
    gpus: int | None
    fitting: int
    reason: str = ""
    best: Candidate | None = None


@dataclass(frozen=True)
class SearchResult:
    """What a search found.

    Attributes:
        evaluated: layouts whose memory and time were computed, or whose memory ruled them out.
        best: the best first.
        front: those that no other beats in both of ``front_of``, best in the first of them first.
        lost: how many each rule, and memory, ruled out.
        note: what a reader should know; empty where nothing.
        objective: what ``best`` is ordered by.
        front_of: the two objectives of the front.
        sample: a selection of all that fit, to draw.
        grid: tensor × pipeline degrees in that order.
        counts: numbers of GPUs that were searched, fewest first.
        stopped: whether it was stopped before the end.
    """

    evaluated: int
    best: tuple[Candidate, ...]
    front: tuple[Candidate, ...]
    lost: Mapping[str, int]
    note: str = ""
    objective: str = "days"
    front_of: tuple[str, str] = ("gpus", "days")
    sample: Sample = field(default_factory=Sample)
    grid: tuple[GridCell, ...] = ()
    counts: tuple[int, ...] = ()
    stopped: bool = False


@dataclass(frozen=True)
class Reason:
    """One rule or number that rules a layout out.

    Attributes:
        rule: short name, such as ``parallelism.tp.domain`` or ``memory``.
        message: in a sentence, with the number and the limit.
        source: of the rule.
        fix: edits that mend it.
    """

    rule: str
    message: str
    source: str = ""
    fix: tuple[Edit, ...] = ()


@dataclass(frozen=True)
class WhyNot:
    """Why a layout is not the one that was chosen.

    Attributes:
        asked: what a person asked about, by field of the split (and ``gpu``, ``precision``).
        gpus: the number of GPUs that it was looked at on.
        reasons: what rules it out; empty where it can run.
        nearest: the best layout that has what was asked (what was not is free); where none fits the one nearest to
            fitting; ``None`` where it has no memory or time at all.
        best: the best of all layouts on as many GPUs, with nothing asked, on the plan's GPU in the plan's precision.
        behind_days, behind_pct: how much longer the run of ``nearest`` is than that of ``best`` (less than 0: shorter);
            ``None`` where something rules it out.
        lost: how many layouts with what was asked each rule ruled out.
        chosen: the best of the usual layouts, from which an automatic plan is settled.
    """

    asked: Mapping[str, Any]
    gpus: int
    reasons: tuple[Reason, ...]
    nearest: Candidate | None
    best: Candidate | None
    behind_days: float | None = None
    behind_pct: float | None = None
    lost: Mapping[str, int] = field(default_factory=dict)
    chosen: Candidate | None = None
