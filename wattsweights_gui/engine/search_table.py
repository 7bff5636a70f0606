"""All layouts that fit, as columns: ordered by an objective, reduced to a front, a sample and the best of TP × PP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wattsweights_gui.engine import layout_prices
from wattsweights_gui.engine.equations.layouts import WORDS, Array, Layouts, concatenate
from wattsweights_gui.engine.layout_space import Lost, cells_of
from wattsweights_gui.engine.layout_sweep import kind_of, spread_of
from wattsweights_gui.engine.search_answers import FIELDS, OBJECTIVES, OPEN, WORDED, Candidate, GridCell, Sample
from wattsweights_gui.engine.search_setting import MEMORY, Setting

MOST_SAMPLED = 2000
LEADING = 200
UNNAMED = "no layout of these degrees"
Index = NDArray[np.int64]
_WORD_OF: Mapping[str, Mapping[float, str]] = {n: {code: w for w, code in codes.items()} for n, codes in WORDS.items()}


@dataclass(frozen=True)
class Table:
    """Layouts with their figures, all equally long.

    Attributes:
        layouts: the degrees.
        numbers: figures by field of :class:`Candidate`; not a number where one is not known.
        fits: whether the memory is enough.
        variant: index into ``variants``.
        variants: GPU, precision and edits outside the split.
    """

    layouts: Layouts
    numbers: Mapping[str, Array]
    fits: NDArray[np.bool_]
    variant: Index
    variants: tuple[tuple[str, str, tuple[Any, ...]], ...]

    @classmethod
    def of(
        cls,
        setting: Setting,
        changes: tuple[Any, ...],
        found: tuple[Layouts, Array, Array, Array],
        draw: layout_prices.Draw,
        prices: layout_prices.Prices,
    ) -> Table:
        """Make the columns of one GPU and precision.

        Args:
            setting: what it was evaluated with.
            changes: edits outside the split that led to it.
            found: layouts, bytes, seconds of a step and days.
            draw: power over the number of GPUs.
            prices: of energy and GPUs.
        """
        own: Any = setting.plan.layers
        layouts, memory, seconds, days = found
        gpus = layouts.gpus
        rate = setting.job.tokens_per_step / seconds / gpus
        low, high = spread_of(setting.up, kind_of(setting.job, setting.machine))
        energy = draw.energy_mwh(gpus, days)
        numbers = {
            "gpus": gpus,
            "memory_gb": memory / 1e9 + float(setting.inputs.reserve_gb),
            "step_time_s": seconds,
            "mfu": rate * setting.job.flops_per_token / setting.peak,
            "days": days,
            "days_low": days * low,
            "days_high": days * high,
            "tokens_per_s_per_gpu": rate,
            "power_kw": draw.power_kw(gpus),
            "energy_mwh": energy,
            "cost": layout_prices.cost(prices, own["compute"].gpu, gpus, days, energy),
        }
        named = (own["compute"].gpu, own["workload"].precision, changes)
        return cls(layouts, numbers, memory <= setting.limit, np.zeros(len(layouts), dtype=np.int64), (named,))

    @classmethod
    def joined(cls, tables: Sequence[Table]) -> Table:
        """Return the layouts of all tables in order."""
        if len(tables) == 1:
            return tables[0]
        return cls(
            concatenate([t.layouts for t in tables]),
            {name: np.concatenate([t.numbers[name] for t in tables]) for name in tables[0].numbers},
            np.concatenate([t.fits for t in tables]),
            np.concatenate([np.full(len(t.layouts), i, dtype=np.int64) for i, t in enumerate(tables)]),
            tuple(t.variants[0] for t in tables),
        )

    def key(self, objective: str) -> Array:
        """Return an objective as numbers of which the smaller is better; infinite where it is not known."""
        values = self.numbers[OBJECTIVES[objective]]
        values = -values if objective == "throughput" else values
        return np.where(np.isnan(values), np.inf, values)

    def order(self, first: str, second: str) -> Index:
        """Return the layouts best first by two objectives; of equals the simplest."""
        on = self.layouts
        simple = (on.etp, on.schedule, on.sharding, on.tp, on.micro_batch, on.pp, on.vpp, on.cp, on.recompute)
        return np.lexsort((self.variant, *simple, self.key(second), self.key(first)))

    def front(self, first: str, second: str) -> Index:
        """Return those that no other beats in both objectives, best in the first of them first."""
        order = self.order(first, second)
        leading, following = self.key(first)[order], self.key(second)[order]
        before = np.concatenate([[np.inf], np.minimum.accumulate(following)[:-1]])
        return order[(following < before) & np.isfinite(leading)]

    def columns(self, index: Index) -> dict[str, tuple[Any, ...]]:
        """Return the fields of :class:`Candidate` of some layouts."""
        part, size = self.layouts.take(index), len(index)
        found: dict[str, tuple[Any, ...]] = {n: _whole(getattr(part, n)) for n in (*FIELDS, *OPEN)}
        for name in WORDED:
            words = _WORD_OF[name]
            found[name] = tuple(words[code] for code in getattr(part, name).tolist())
        found["sequence_parallel"] = tuple((part.sequence_parallel > 0.0).tolist())
        for name, values in self.numbers.items():
            picked = values[index]
            if name == "gpus":
                found[name] = _whole(picked)
            elif np.isfinite(picked).all():
                found[name] = tuple(picked.tolist())
            else:
                found[name] = tuple(v if np.isfinite(v) else None for v in picked.tolist())
        found["fits"] = tuple(self.fits[index].tolist())
        found["why_not"] = tuple("" if fits else MEMORY for fits in found["fits"])
        variants = self.variant[index].tolist()
        for at, name in enumerate(("gpu", "precision", "changes")):
            found[name] = tuple(self.variants[v][at] for v in variants)
        assert all(len(column) == size for column in found.values())
        return found

    def candidates(self, index: Index) -> tuple[Candidate, ...]:
        """Return some layouts whole."""
        columns = self.columns(index)
        names = tuple(columns)
        return tuple(Candidate(**dict(zip(names, row, strict=True))) for row in zip(*columns.values(), strict=True))

    def sample(self, ranked: Index) -> Sample:
        """Return the best of an order and, evenly by rank, some of the rest."""
        picked = ranked
        if len(ranked) > MOST_SAMPLED:
            rest = np.linspace(LEADING, len(ranked) - 1, MOST_SAMPLED - LEADING).round().astype(np.int64)
            picked = ranked[np.concatenate([np.arange(LEADING), np.unique(rest)])]
        return Sample(self.columns(picked), min(LEADING, len(picked)), len(ranked))

    def grid(self, ranked: Index, lost: Lost) -> tuple[GridCell, ...]:
        """Return the shortest run of each tensor × pipeline degree, or what ruled most of its layouts out."""
        days = self.numbers["days"]
        by_days = ranked[np.argsort(days[ranked], kind="stable")]
        tensor, depth = self.layouts.tp[by_days], self.layouts.pp[by_days]
        width = int(depth.max()) + 1
        codes = (tensor * width + depth).astype(np.int64)
        first = np.zeros(int(codes.max()) + 1, dtype=np.int64)
        first[codes[::-1]] = by_days[::-1]  # the last that is written is the shortest
        cells = cells_of(tensor, depth)
        bests = self.candidates(first[[t * width + p for (t, p), _ in cells]])
        made = {
            cell: GridCell(*cell, best.days, best.gpus, number, best=best)
            for (cell, number), best in zip(cells, bests, strict=True)
        }
        return whole_grid(made, lost)


def whole_grid(made: Mapping[tuple[int, int], GridCell], lost: Lost) -> tuple[GridCell, ...]:
    """Return the cells where something fits, and those where all was lost with the reason."""
    cells = {cell: GridCell(*cell, None, None, 0, _reason(counts)) for cell, counts in lost.cells.items()}
    return tuple(cell for _, cell in sorted({**cells, **made}.items()))


def _reason(counts: Mapping[str, int]) -> str:
    """Return memory where any came as far, else the rule that ruled most out; of equals the first by name."""
    if MEMORY in counts:
        return MEMORY
    return max(sorted(counts), key=lambda rule: counts[rule], default=UNNAMED)


def _whole(values: Array) -> tuple[int, ...]:
    return tuple(values.astype(np.int64).tolist())
