"""The least number of GPUs that hold a model: over all layouts worth trying, by recipe and recompute mode.

Micro batch 1, and of the ways to cut the layers only those in which the fullest stage gets smaller.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any

import numpy as np

from wattsweights_gui.engine.equations.job import Job, Recipe
from wattsweights_gui.engine.equations.layouts import RECOMPUTE, Layouts
from wattsweights_gui.engine.equations.memory import Ledger, ledger, total_bytes

MOST_REPLICAS = {"none": 16, "zero1": 16, "zero2": 64, "fsdp": 512}
MOST_CONTEXT = 8.0
BLOCK = 384


@dataclass(frozen=True)
class Least:
    """The smallest layout that fits; ``gpus`` is ``None`` where none of those tried does, with the closest in bytes."""

    gpus: int | None
    tp: int
    pp: int
    dp: int
    cp: int
    ep: int
    recompute: str
    memory_bytes: float


def least_gpus(
    job: Job,
    hbm_bytes: float,
    domain: float,
    sharding: str,
    recipes: Mapping[str, Recipe],
    *,
    equal_stages: bool = False,
) -> dict[tuple[str, str], Least]:
    """Return the smallest layout for each recipe and recompute mode.

    Args:
        job: what is trained; its own recipe is not used.
        hbm_bytes: what one GPU may fill.
        domain: GPUs of a scale-up domain; tensor parallelism stays inside.
        sharding: over the data-parallel ranks.
        recipes: bytes a parameter, by name.
        equal_stages: stages hold equal numbers of layers, as Megatron asked until 2025.
    """
    plain = replace(job, recipe=Recipe(), imbalance=job.imbalance)
    return dict(_least(plain, hbm_bytes, domain, sharding, tuple(recipes.items()), equal_stages))


@lru_cache(maxsize=32)
def _least(
    job: Job,
    hbm_bytes: float,
    domain: float,
    sharding: str,
    recipes: tuple[tuple[str, Recipe], ...],
    equal_stages: bool,
) -> tuple[tuple[tuple[str, str], Least], ...]:
    grid = candidates(job, domain, sharding)
    if equal_stages:
        grid = grid.take(np.mod(job.shape.layers, grid.pp) == 0)
    # states alone, spread over all GPUs without a copy, need this many
    floor = job.blocks.total_params * min(r.total for _, r in recipes) / hbm_bytes if job.trains_weights else 0.0
    grid = grid.take(slice(int(np.searchsorted(grid.gpus, floor)), None)) if floor < grid.gpus[-1] else grid
    found: dict[tuple[str, str], Least] = {}
    for mode in RECOMPUTE:
        if mode == "selective" and job.fused_attention:
            # scores never leave the chip: there is nothing that selective recompute would drop
            found.update({(n, mode): replace(found[(n, "none")], recompute=mode) for n, _ in recipes})
            continue
        found.update({(name, mode): least for name, least in _of_mode(job, grid, mode, hbm_bytes, recipes)})
    return tuple(found.items())


def _of_mode(
    job: Job, grid: Layouts, mode: str, hbm_bytes: float, recipes: tuple[tuple[str, Recipe], ...]
) -> list[tuple[str, Least]]:
    """Go through the layouts, fewest GPUs first, until every recipe has one that fits."""
    open_recipes, closest = dict(recipes), dict[str, Least]()
    for start in range(0, len(grid), BLOCK):
        layouts = grid.take(slice(start, start + BLOCK))
        layouts = replace(layouts, recompute=np.full(len(layouts), RECOMPUTE[mode]))
        entries: Ledger = ledger(job, layouts)
        every = total_bytes(job, layouts, entries, _column(list(open_recipes.values())))
        fits = every <= hbm_bytes
        first, least = np.argmax(fits, axis=1), np.argmin(every, axis=1)
        for row, name in enumerate(list(open_recipes)):
            done = bool(fits[row, first[row]])
            at = int(first[row] if done else least[row])
            if done or name not in closest or every[row, at] < closest[name].memory_bytes:
                closest[name] = _least_at(layouts, at, mode, done, float(every[row, at]))
            if done:
                del open_recipes[name]
        if not open_recipes:
            break
    return list(closest.items())


def _column(recipes: list[Recipe]) -> Any:
    """Return recipes as one whose parts are arrays, so that all are weighed in one evaluation."""
    parts: Any = (np.array([getattr(r, f.name) for r in recipes]).reshape(-1, 1, 1) for f in fields(Recipe))
    return Recipe(*parts)


def _least_at(layouts: Layouts, at: int, mode: str, fits: bool, used: float) -> Least:
    t, p, d, c, e = (int(getattr(layouts, name)[at]) for name in ("tp", "pp", "dp", "cp", "ep"))
    return Least(int(layouts.gpus[at]) if fits else None, t, p, d, c, e, mode, used)


def candidates(job: Job, domain: float, sharding: str) -> Layouts:
    """Return the layouts worth trying for memory alone, fewest GPUs first."""
    shape = job.shape
    context = max(min(MOST_CONTEXT, job.seq_len / 1024.0), min(64.0, job.seq_len / 8192.0))
    most = min(float(MOST_REPLICAS[sharding]), job.global_batch)
    replicas = _powers(most) if sharding != "none" or shape.experts else (1,)
    experts = tuple(e for e in _powers(float(shape.experts)) if shape.experts % e == 0) if shape.experts else (1,)
    tensor = tuple(t for t in _powers(domain) if shape.heads % t == 0 and shape.hidden % t == 0)
    return _grid(tensor, shape.layers, _powers(context), replicas, experts, sharding)


@lru_cache(maxsize=32)
def _grid(
    tensor: tuple[int, ...],
    layers: int,
    context: tuple[int, ...],
    replicas: tuple[int, ...],
    experts: tuple[int, ...],
    sharding: str,
) -> Layouts:
    depths = sorted({math.ceil(layers / math.ceil(layers / p)) for p in range(1, layers + 1)})
    axes = np.meshgrid(tensor, depths, context, replicas, experts, indexing="ij")
    t, p, c, d, e = (a.ravel().astype(np.float64) for a in axes)
    keep = (e <= t * c * d) & (np.mod(t * c * d, e) == 0)
    grid = Layouts.of(
        tp=t[keep], pp=p[keep], cp=c[keep], dp=d[keep], ep=e[keep], sharding=sharding, sequence_parallel=1.0
    )
    return grid.take(np.lexsort((grid.ep, grid.pp, grid.cp, grid.dp, grid.gpus)))


def _powers(most: float) -> tuple[int, ...]:
    return tuple(2**i for i in range(int(math.log2(max(1.0, most))) + 1))
