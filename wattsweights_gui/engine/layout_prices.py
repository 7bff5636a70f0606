"""What a run on some number of GPUs draws and costs: IT power from the chain, energy at the utility, prices."""

from __future__ import annotations

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
        gpu_hour: of one GPU for one hour, rented or written off.
    """

    energy_kwh: float | None = None
    gpu_hour: float | None = None

    def __post_init__(self) -> None:
        for name in ("energy_kwh", "gpu_hour"):
            price = getattr(self, name)
            if price is not None and not 0.0 <= price < float("inf"):
                raise Refused(f"prices.{name}", f"{price} is no price; it is 0 or more.")

    @property
    def given(self) -> bool:
        """Whether there is any."""
        return self.energy_kwh is not None or self.gpu_hour is not None

    def left_out(self) -> str:
        """Return in words what the cost does not hold; empty where it holds all, or where there is none."""
        if not self.given or None not in (self.energy_kwh, self.gpu_hour):
            return ""
        if self.gpu_hour is None:
            return "the cost is of energy alone: no price of a GPU hour is given"
        return "the cost is of GPU hours alone: no price of energy is given"


@dataclass(frozen=True)
class Draw:
    """Power over the numbers of GPUs at which the chain was sized; between them a straight line.

    Attributes:
        gpus: fewest first.
        it_kw: typical draw of nodes, switches, storage and management.
        utility_kw: the same times the PUE, as the power layer counts a year's energy.
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
        pue = np.array([p.pue.number if p.pue.known else np.nan for p in sized])
        unknown = next((p.it_power_kw.formula for p in sized if not p.it_power_kw.known), "")
        return cls(counts, it, it * pue, unknown)

    def power_kw(self, gpus: Array) -> Array:
        """Return the typical IT power on so many GPUs, in kW; not a number where it is not known."""
        return np.interp(gpus, self.gpus, self.it_kw)

    def energy_mwh(self, gpus: Array, days: Array) -> Array:
        """Return the energy at the utility of runs, in MWh; not a number where it is not known."""
        energy: Array = np.interp(gpus, self.gpus, self.utility_kw) * days * HOURS / 1e3
        return energy


def cost(prices: Prices, gpus: Array, days: Array, energy_mwh: Array) -> Array:
    """Return the cost of runs in USD: energy and GPU hours, each where it has a price; else not a number."""
    if not prices.given:
        return np.full(len(gpus), np.nan)
    total = np.zeros(len(gpus))
    if prices.energy_kwh is not None:
        total = total + energy_mwh * 1e3 * prices.energy_kwh
    if prices.gpu_hour is not None:
        total = total + gpus * days * HOURS * prices.gpu_hour
    return total
