"""What a run on some number of GPUs draws and costs: IT power from the chain, energy at the utility, prices."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from wattsweights_gui.engine.chain import Catalog, evaluate
from wattsweights_gui.engine.declare import Refused
from wattsweights_gui.engine.equations.layouts import Array
from wattsweights_gui.engine.hosting import with_gpus
from wattsweights_gui.engine.plan import Plan

SIZED = ("workload", "compute", "parallelism", "fabric", "cluster", "storage", "datapath", "host", "power")
MOST_SIZED = 32
HOURS = 24.0


@dataclass(frozen=True)
class Prices:
    """Prices in USD; ``None`` where none is given.

    Attributes:
        energy_kwh: of a kWh at the utility.
        gpu_hour: of one GPU for one hour, rented or written off, whatever the GPU.
        gpu_hours: the same of GPUs by catalogue id, before ``gpu_hour``.
    """

    energy_kwh: float | None = None
    gpu_hour: float | None = None
    gpu_hours: tuple[tuple[str, float], ...] = ()

    def __post_init__(self) -> None:
        named = [("energy_kwh", self.energy_kwh), ("gpu_hour", self.gpu_hour), *self.gpu_hours]
        for name, price in named:
            if price is not None and not 0.0 <= price < float("inf"):
                raise Refused(f"prices.{name}", f"{price} is no price; it is 0 or more.")

    @property
    def given(self) -> bool:
        """Whether there is any."""
        return self.energy_kwh is not None or self.gpu_hour is not None or bool(self.gpu_hours)

    def of_gpu(self, gpu: str) -> float | None:
        """Return the price of an hour of a GPU by its catalogue id."""
        return dict(self.gpu_hours).get(gpu, self.gpu_hour)

    def left_out(self, gpus: Iterable[str]) -> str:
        """Return in words what the cost of runs on these GPUs does not hold; empty where it holds all."""
        if not self.given:
            return ""
        unpriced = [gpu for gpu in gpus if self.of_gpu(gpu) is None]
        if self.gpu_hour is None and not self.gpu_hours:
            return "the cost is of energy alone: no price of a GPU hour is given"
        words = [f"the cost of {', '.join(unpriced)} is not known: no price of its hour is given"] if unpriced else []
        if self.energy_kwh is None:
            words.append("the cost is of GPU hours alone: no price of energy is given")
        return "; ".join(words)


@dataclass(frozen=True)
class Draw:
    """Power over the numbers of GPUs at which the chain was sized; between them a straight line.

    Attributes:
        gpus: fewest first.
        it_kw: typical draw of nodes, switches, storage and management.
        utility_kw: the same times the PUE at that draw, as the power layer counts the energy of a run.
        why_unknown: why there is no power; empty where there is.
    """

    gpus: Array
    it_kw: Array
    utility_kw: Array
    why_unknown: str = ""

    @classmethod
    def of(cls, plan: Plan, catalog: Catalog, gpus: Array) -> Draw:
        """Size a plan at numbers of GPUs: at each, or at 32 of them where there are more.

        Args:
            plan: with the GPU whose draw is wanted.
            catalog: the hardware.
            gpus: numbers of GPUs, in any order, repeated or not.
        """
        counts = np.unique(gpus)
        if len(counts) > MOST_SIZED:
            counts = counts[np.unique(np.linspace(0, len(counts) - 1, MOST_SIZED).round().astype(int))]
        nothing = np.full(len(counts), np.nan)
        try:
            base = evaluate(plan, catalog, layers=SIZED)
            sized: list[Any] = [with_gpus(base, int(n)).results["power"] for n in counts]
        except Refused as refused:
            return cls(counts, nothing, nothing, str(refused))
        it = np.array([p.it_power_kw.number if p.it_power_kw.known else np.nan for p in sized])
        pue = np.array([p.pue_typical.number if p.pue_typical.known else np.nan for p in sized])
        unknown = next((p.it_power_kw.formula for p in sized if not p.it_power_kw.known), "")
        return cls(counts, it, it * pue, unknown)

    def power_kw(self, gpus: Array) -> Array:
        """Return the typical IT power on so many GPUs, in kW; not a number where it is not known."""
        return np.interp(gpus, self.gpus, self.it_kw)

    def energy_mwh(self, gpus: Array, days: Array) -> Array:
        """Return the energy at the utility of runs, in MWh; not a number where it is not known."""
        energy: Array = np.interp(gpus, self.gpus, self.utility_kw) * days * HOURS / 1e3
        return energy


def cost(prices: Prices, gpu: str, gpus: Array, days: Array, energy_mwh: Array) -> Array:
    """Return the cost of runs on one type of GPU in USD: energy and GPU hours, each where prices of it are given.

    Where other GPUs have a price of their hour and this one has none, it is not a number.
    """
    hour = prices.of_gpu(gpu)
    if not prices.given or (hour is None and prices.gpu_hours):
        return np.full(len(gpus), np.nan)
    total = np.zeros(len(gpus))
    if prices.energy_kwh is not None:
        total = total + energy_mwh * 1e3 * prices.energy_kwh
    if hour is not None:
        total = total + gpus * days * HOURS * hour
    return total
