"""Predicts rows of the training evidence: one time quantity in the row's own convention, and each memory figure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from wattsweights_gui.engine.equations import transformer
from wattsweights_gui.engine.equations.layouts import Layouts
from wattsweights_gui.engine.equations.memory import GIB, Memory, memory
from wattsweights_gui.engine.equations.step_time import StepTime, step_time
from wattsweights_gui.engine.evidence.rows import Prediction
from wattsweights_gui.engine.evidence.training_row import Case, UnreadableError, case_of

TIMES = (
    ("step_time_s", "s"),
    ("tokens_per_s_per_gpu", "tokens_s"),
    ("tokens_per_s_per_gpu_derived", "tokens_s"),
    ("hardware_tflops_per_gpu", "tflops"),
    ("model_tflops_per_gpu", "tflops"),
    ("mfu_pct", "pct"),
)
MEMORIES = (
    ("peak_allocated_gib", "gib"),
    ("peak_reserved_gib", "gib"),
    ("peak_memory_gib", "gib"),
    ("max_memory_usage_logged_gb", "gb"),
    ("params_grads_optimizer_gib", "gib"),
    ("activations_gib_no_recompute_no_sp", "gib"),
    ("activations_gib_selective_sp", "gib"),
)
FITS = 1.1
"""Memory over what a GPU has up to which a tuned layout still counts as fitting."""
ALLOCATOR, ALLOCATOR_PIPELINE = 0.035, 0.05
"""Reserved over allocated, less one, without and with a pipeline: medians of the B200 rows."""
HALVED_SINCE = 2024.3
"""From this time on FLOP counts usually halve attention for causality."""


@dataclass(frozen=True)
class Outcome:
    """What the equations say of a case."""

    case: Case
    layout: Layouts
    time: StepTime

    @cached_property
    def memory(self) -> Memory:
        """Of the fullest GPU."""
        return memory(self.case.job, self.layout)

    @property
    def seconds(self) -> float:
        """Of one step."""
        return float(self.time.total[0])


def outcome_of(case: Case) -> Outcome:
    """Return memory and time; where the publication tuned something, of the fastest layout that fits."""
    layouts = case.layouts
    if len(layouts) > 1:
        time, held = step_time(case.job, case.machine, layouts), memory(case.job, layouts)
        fits = held.total <= case.machine.hbm_bytes * FITS
        penalty = np.where(fits, 0.0, 1e6 * held.total / case.machine.hbm_bytes) if fits.any() else 0.0
        best = int(np.argmin(time.total + penalty))
        layouts = layouts.take([best])
    return Outcome(case, layouts, step_time(case.job, case.machine, layouts))


def predict_row(row: Mapping[str, Any], catalog: Any) -> list[tuple[str, float, str, Prediction]]:
    """Return (quantity, published, unit, prediction) for the time and each memory figure that a row publishes.

    What the row measured is only read to know which quantities to predict. A row that cannot be predicted comes back
    with the reason.
    """
    measured = row.get("measured") or {}
    times = [(name, unit) for name, unit in TIMES if _number(measured.get(name)) is not None][:1]
    wanted = times + [(name, unit) for name, unit in MEMORIES if _number(measured.get(name)) is not None]
    if not wanted:
        return []
    try:
        case = case_of(row, catalog)
        outcome = outcome_of(case)
    except UnreadableError as error:
        return [(name, float(measured[name]), unit, Prediction(None, reason=str(error))) for name, unit in wanted]
    found = []
    for name, unit in wanted:
        notes = list(case.assumed)
        if name in dict(TIMES):
            value, words = time_quantity(row, outcome, name)
            low, high = _spread(catalog, class_of(outcome))
            edges = (value * low, value * high) if name == "step_time_s" else (value / high, value / low)
            made = Prediction(value, assumed="; ".join([*notes, *words]), low=edges[0], high=edges[1])
        else:
            value, words = memory_quantity(row, outcome, name)
            made = Prediction(value, assumed="; ".join([*notes, *words]))
        found.append((name, float(measured[name]), unit, made))
    return found


def class_of(outcome: Outcome) -> str:
    """Return the class by which errors are stated."""
    from wattsweights_gui.engine.layout_sweep import kind_of

    return kind_of(outcome.case.job, outcome.case.machine)


@lru_cache(maxsize=16)
def _spread(catalog: Any, kind: str) -> tuple[float, float]:
    from wattsweights_gui.engine.layout_sweep import spread_of_kind

    return spread_of_kind(catalog, kind)


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def time_quantity(row: Mapping[str, Any], outcome: Outcome, name: str) -> tuple[float, list[str]]:
    """Return one time quantity in the row's own convention, and what was assumed of the convention."""
    job, seconds, gpus = outcome.case.job, outcome.seconds, outcome.case.gpus
    if name == "step_time_s":
        return seconds, []
    rate = job.tokens_per_step / seconds / gpus
    if name.startswith("tokens_per_s_per_gpu"):
        return rate, []
    flops, words = flops_per_token(outcome.case, name)
    if name == "mfu_pct":
        return 100.0 * rate * flops / outcome.case.machine.half_peak_flops_s, words
    return rate * flops / 1e12, words


def flops_per_token(case: Case, name: str) -> tuple[float, list[str]]:
    """Return the FLOPs of one token as the publication counts them."""
    job, known = case.job, case.software.halves_causal
    s, shape = job.seq_len, job.shape
    if name == "hardware_tflops_per_gpu":
        h, layers = shape.hidden, shape.layers
        return 96.0 * layers * h * h * (1.0 + s / (6.0 * h) + shape.vocab / (16.0 * layers * h)), []
    halved = job.year >= HALVED_SINCE if known is None else known
    flops = float(transformer.model_flops_per_token(shape, s, causal=halved))
    return flops, ["attention halved for causality" if halved else "attention not halved for causality"]


def memory_quantity(row: Mapping[str, Any], outcome: Outcome, name: str) -> tuple[float, list[str]]:
    """Return one memory figure."""
    held = outcome.memory
    if name == "params_grads_optimizer_gib":
        blocks, words = _blocks_only(outcome), "blocks only, the tables left out, as the paper counts"
        return blocks / GIB, [words]
    if name.startswith("activations_gib"):
        plain = name.endswith("no_recompute_no_sp")
        layouts = outcome.layout
        again = Layouts.of(
            tp=layouts.tp,
            pp=layouts.pp,
            dp=layouts.dp,
            micro_batch=layouts.micro_batch,
            vpp=layouts.vpp,
            recompute="none" if plain else "selective",
            sharding="none",
            sequence_parallel=0.0 if plain else 1.0,
        )
        return float(memory(outcome.case.job, again).activations[0]) / GIB, []
    total = float(held.total[0])
    if name == "peak_allocated_gib":
        return total / GIB, []
    if name == "max_memory_usage_logged_gb":
        return total / GIB, ["the logged figure read as allocated GiB, as PyTorch reports it"]
    if name == "peak_memory_gib" and not outcome.case.software.reserved_memory:
        return total / GIB, ["allocated"]
    lost = ALLOCATOR_PIPELINE if outcome.layout.pp[0] > 1.0 else ALLOCATOR
    return total * (1.0 + lost) / GIB, []


def _blocks_only(outcome: Outcome) -> float:
    job, layout = outcome.case.job, outcome.layout
    blocks = job.blocks
    params = blocks.layers * (blocks.attention.params + blocks.mlp.params)
    return float(params * job.recipe.total / (layout.tp[0] * layout.pp[0]))
