"""Model down, facility up, and where they collide."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.declare import Figure, Need


@dataclass(frozen=True)
class End:
    """What one end needs or has; a figure without a value where that end sets none."""

    gpus: Figure
    nodes: Figure
    racks: Figure
    it_power_kw: Figure
    facility_power_kw: Figure
    liquid_heat_kw: Figure
    air_heat_kw: Figure
    facility_water_l_min: Figure
    floor_m2: Figure
    days: Figure

    def figures(self) -> dict[str, Figure]:
        """Return the figures by name."""
        return {f.name: getattr(self, f.name) for f in fields(self)}


@dataclass(frozen=True)
class BothEnds:
    """The comparison of both ends.

    Attributes:
        need: what the model gives the facility to carry.
        have: what the facility carries, and the time that the GPUs it hosts would take.
        fits: whether every known limit is kept; ``None`` where no limit is known.
        binding: the needs that are not covered, worst first.
        compared: every quantity with a need and a limit, worst first.
        limited_by: what stops the facility from hosting one step more; ``None`` where nothing does.
        largest_params_b: the largest model of the plan's kind that the hosted GPUs hold and train in the days wanted.
        verdict: one sentence.
    """

    need: End
    have: End
    fits: bool | None
    binding: tuple[Need, ...]
    compared: tuple[Need, ...]
    limited_by: Need | None
    largest_params_b: Figure
    verdict: str

    def plain(self) -> dict[str, Any]:
        """Return the JSON of the contract."""
        return {
            "need": {k: f.value for k, f in self.need.figures().items()},
            "have": {k: f.value for k, f in self.have.figures().items()},
            "fits": self.fits,
            "binding": [_row(n) for n in self.binding],
            "compared": [_row(n) for n in self.compared],
            "limited_by": _row(self.limited_by) if self.limited_by else None,
            "largest_params_b": self.largest_params_b.value,
            "verdict": self.verdict,
        }


def _row(need: Need) -> dict[str, Any]:
    return {
        "layer": need.layer,
        "quantity": need.quantity,
        "title": need.title,
        "need": need.need.value,
        "have": need.have.value,
        "unit": need.unit,
        "source": need.have.source or need.have.path,
    }


def both_ends(evaluation: Evaluation) -> BothEnds:
    """Compare what the model needs with what the facility has."""
    raise NotImplementedError
