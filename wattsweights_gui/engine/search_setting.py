"""A plan made ready for the equations of the search, and the evaluation of blocks of layouts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from wattsweights_gui.engine import declare, training_plan
from wattsweights_gui.engine.chain import Catalog, Upstream, evaluate
from wattsweights_gui.engine.equations.layouts import Layouts, concatenate
from wattsweights_gui.engine.equations.memory import ledger, total_bytes
from wattsweights_gui.engine.equations.run_time import DAY_S
from wattsweights_gui.engine.equations.stages import stages_of
from wattsweights_gui.engine.equations.step_time import step_time
from wattsweights_gui.engine.host_links import gpus_per_host, plan_system
from wattsweights_gui.engine.layout_space import Lost, Space
from wattsweights_gui.engine.layout_sweep import Stalls
from wattsweights_gui.engine.plan import Plan

BLOCK = 4096
MEMORY = "memory over HBM"


class Setting:
    """A plan made ready for the equations.

    Raises:
        Refused: an input names no entry of the catalogue, or the GPU cannot run the plan's format.
    """

    def __init__(self, plan: Plan, catalog: Catalog, wide: bool = False) -> None:
        inputs: Any = plan.layers["parallelism"]
        sized = evaluate(plan, catalog, layers=("workload", "compute"))
        self.plan = plan
        self.up = Upstream(plan, catalog, sized.results)
        self.inputs = inputs
        gpu, asked = self.up.entry(self.up.inputs("compute").gpu), self.up.inputs("workload").precision
        if training_plan.running_precision(gpu, asked) != asked:
            raise declare.Refused("workload.precision", f"{gpu.name} has no units for {asked.upper()}.")
        self.job = training_plan.job_of(self.up)
        machine = training_plan.machine_of_plan(self.up)
        if machine is None:
            raise declare.Refused("workload.precision", f"{training_plan.why_no_machine(self.up)}.")
        self.machine = machine
        self.limit = machine.hbm_bytes - float(inputs.reserve_gb) * 1e9
        self.stalls = Stalls.of(self.up)
        workload: Any = plan.layers["workload"]
        self.wanted = float(workload.days)
        self.steps = self.up.workload.steps.number
        node = gpus_per_host(plan_system(self.up)).number
        self.space = Space.of(self.job, machine.domain, node, wide)
        self.peak = machine.peak_flops_s
        self._goodput: dict[int, float] = {}

    @property
    def own_gpus(self) -> int:
        """The number of GPUs asked for, or of the plan's layout."""
        inputs = self.inputs
        return int(inputs.gpus or inputs.tp * inputs.pp * inputs.cp * inputs.dp)

    def days(self, gpus: Any, seconds: Any) -> Any:
        """Return the days of runs; goodput depends on the number of GPUs alone."""
        counts, where = np.unique(gpus, return_inverse=True)
        share = np.array([self.goodput(int(n)) for n in counts])[where.reshape(-1)]
        with np.errstate(divide="ignore"):
            return self.steps * seconds / share / DAY_S

    def goodput(self, gpus: int) -> float:
        """Return the share of the time that trains on so many GPUs."""
        found = self._goodput.get(gpus)
        if found is None:
            found = self._goodput[gpus] = self.stalls.goodput(gpus)
        return found

    def used_bytes(self, layouts: Layouts) -> Any:
        """Return the bytes on the fullest GPU of layouts, without what is kept free."""
        parts = [total_bytes(self.job, part, ledger(self.job, part)) for part in blocks(layouts)]
        return np.concatenate(parts)


@dataclass
class Found:
    """What the blocks leave: fitting layouts with memory, time and days."""

    layouts: list[Layouts] = field(default_factory=list)
    memory: list[Any] = field(default_factory=list)
    time: list[Any] = field(default_factory=list)
    days: list[Any] = field(default_factory=list)
    evaluated: int = 0

    def joined(self) -> tuple[Layouts, Any, Any, Any]:
        """Return layouts, bytes, seconds of a step and days of all blocks."""
        return (
            concatenate(self.layouts),
            np.concatenate(self.memory),
            np.concatenate(self.time),
            np.concatenate(self.days),
        )


def blocks(layouts: Layouts) -> Iterator[Layouts]:
    """Return the layouts in blocks that stay in the processor's cache."""
    return (layouts.take(slice(start, start + BLOCK)) for start in range(0, len(layouts), BLOCK))


def evaluate_block(setting: Setting, layouts: Layouts, found: Found, lost: dict[str, int]) -> None:
    """Compute memory, and time of those that fit; those that do not are counted as lost."""
    stages = stages_of(setting.job, layouts)
    used = total_bytes(setting.job, layouts, ledger(setting.job, layouts, stages))
    fits = used <= setting.limit
    found.evaluated += len(layouts)
    dropped = int(len(layouts) - fits.sum())
    if dropped and isinstance(lost, Lost):
        lost.count(MEMORY, layouts.tp[~fits], layouts.pp[~fits])
    elif dropped:
        lost[MEMORY] = lost.get(MEMORY, 0) + dropped
    if not fits.any():
        return
    kept = layouts.take(fits) if dropped else layouts
    seconds = step_time(setting.job, setting.machine, kept).total
    found.layouts.append(kept)
    found.memory.append(used[fits])
    found.time.append(seconds)
    found.days.append(setting.days(kept.gpus, seconds))


__all__ = ["BLOCK", "MEMORY", "Found", "Setting", "blocks", "evaluate_block"]
