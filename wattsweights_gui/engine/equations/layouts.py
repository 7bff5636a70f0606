"""Candidate layouts as a struct of arrays: one layout is an array of length one, a search is blocks of thousands.

The degrees are kept as floats (whole numbers), so that every equation runs on them without conversion. Rank order,
fastest first: tensor, context, (expert), data, pipeline.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]

RECOMPUTE = {"none": 0.0, "selective": 1.0, "full": 2.0}
SHARDING = {"none": 0.0, "zero1": 1.0, "zero2": 2.0, "fsdp": 3.0}
SCHEDULE = {"1f1b": 0.0, "interleaved": 1.0, "zero_bubble": 2.0, "zero_bubble_h2": 3.0}
WORDS: Mapping[str, Mapping[str, float]] = {"recompute": RECOMPUTE, "sharding": SHARDING, "schedule": SCHEDULE}


@dataclass(frozen=True, slots=True)
class Layouts:
    """Layouts, one an element.

    Attributes:
        tp, pp, dp, cp, ep, etp: degrees of tensor, pipeline, data, context, expert and expert-tensor parallelism.
        micro_batch: sequences of one forward pass of one replica.
        vpp: pipeline chunks a stage.
        schedule, recompute, sharding: codes of the words in ``WORDS``.
        sequence_parallel: 1 where norms are split along the sequence over the tensor-parallel group.
        shard_group: ranks that the sharded states are spread over; 0 for all data-parallel ranks.
        recompute_layers: layers of each stage that full recompute does again; 0 for all.
    """

    tp: Array
    pp: Array
    dp: Array
    cp: Array
    ep: Array
    etp: Array
    micro_batch: Array
    vpp: Array
    schedule: Array
    recompute: Array
    sharding: Array
    sequence_parallel: Array
    shard_group: Array
    recompute_layers: Array

    @classmethod
    def of(cls, **given: Any) -> Layouts:
        """Build from numbers, words or arrays that broadcast; what is not given is 1 (0 for codes and the group).

        Raises:
            KeyError: a word that is no schedule, recompute or sharding.
        """
        named = dict.fromkeys(_DEFAULTS, 1.0) | _DEFAULTS
        for name, value in given.items():
            if name not in named:
                raise KeyError(name)
            named[name] = WORDS[name][value] if isinstance(value, str) else value
        arrays = np.broadcast_arrays(*(np.atleast_1d(np.asarray(v, dtype=np.float64)) for v in named.values()))
        return cls(**{name: np.ascontiguousarray(a) for name, a in zip(named, arrays, strict=True)})

    def __len__(self) -> int:
        return len(self.tp)

    @property
    def gpus(self) -> Array:
        """GPUs of each layout."""
        return self.tp * self.pp * self.cp * self.dp

    def take(self, index: Any) -> Layouts:
        """Return the layouts at an index, a slice or a mask."""
        return Layouts(**{f.name: np.atleast_1d(getattr(self, f.name)[index]) for f in fields(self)})

    def repeat(self, **changed: Any) -> Layouts:
        """Return copies of one layout with some degrees given as arrays."""
        arrays = {k: np.atleast_1d(np.asarray(v, dtype=np.float64)) for k, v in changed.items()}
        length = max(len(a) for a in arrays.values())
        full = {f.name: np.broadcast_to(getattr(self, f.name), length) for f in fields(self)}
        return replace(self, **{**full, **arrays})

    def word(self, name: str, index: int = 0) -> str:
        """Return the word of a code."""
        code = float(getattr(self, name)[index])
        return next(w for w, c in WORDS[name].items() if c == code)


_DEFAULTS: dict[str, float] = {
    "tp": 1.0,
    "pp": 1.0,
    "dp": 1.0,
    "cp": 1.0,
    "ep": 1.0,
    "etp": 1.0,
    "micro_batch": 1.0,
    "vpp": 1.0,
    "schedule": 0.0,
    "recompute": 0.0,
    "sharding": 1.0,
    "sequence_parallel": 1.0,
    "shard_group": 0.0,
    "recompute_layers": 0.0,
}


def concatenate(parts: list[Layouts]) -> Layouts:
    """Return all layouts of several blocks in order."""
    return Layouts(**{f.name: np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(Layouts)})
