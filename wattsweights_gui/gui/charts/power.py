"""Power at the utility by consumer, against what the site can draw."""

from __future__ import annotations

from typing import ClassVar

from wattsweights_gui.engine import units
from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.declare import Figure
from wattsweights_gui.gui.charts.parts import PartsChart


class PowerChart(PartsChart):
    """Compute, network, storage, management, losses, cooling and the rest."""

    TITLE = "Power"
    LAYERS = frozenset({"power", "cooling", "cluster", "storage"})
    EMPTY = "Power by consumer stands here once the cluster is sized."
    LAYER = "power"
    UNIT = "kw"
    AXIS = "Power at maximum IT load"
    WHOLE = "At the utility"
    PARTS: ClassVar[dict[str, tuple[str, str]]] = {
        "compute_power_kw": ("Compute nodes", "compute"),
        "network_power_kw": ("Network", "network"),
        "storage_power_kw": ("Storage", "storage"),
        "management_power_kw": ("Management", "management"),
        "loss_kw": ("Electrical losses", "losses"),
        "cooling_power_kw": ("Cooling", "cooling"),
        "auxiliary_kw": ("Lighting and other loads", "auxiliary"),
    }

    def values(self, evaluation: Evaluation) -> dict[str, Figure]:
        """Return the consumers; lighting and other loads are an input."""
        found = super().values(evaluation)
        if "auxiliary_kw" not in found:
            found["auxiliary_kw"] = evaluation.plan.inputs("power").fig("auxiliary_kw")
        return found

    def draw(self, evaluation: Evaluation, ends: object) -> str:
        """Draw only once the nodes are known: lighting alone is no answer."""
        found = getattr(evaluation.results.get("power"), "compute_power_kw", None)
        if not isinstance(found, Figure) or not found.known:
            return getattr(found, "formula", "") or "Nothing is known yet."
        return super().draw(evaluation, ends)  # type: ignore[arg-type]

    def limit_of(self, evaluation: Evaluation) -> tuple[str, Figure] | None:
        """Return what the site can draw, in kW."""
        for need in evaluation.needs:
            if need.quantity == "facility_power_kw" and need.have.known and need.unit == "kw":
                return "Utility", Figure(need.have.number, "kw", "Utility power")
        return None

    def say(self, whole: float, limit: Figure | None) -> str:
        """Say what the site draws."""
        text = f"The site draws {units.text(whole, 'kw')} at maximum IT load"
        if limit is None:
            return f"{text}; no limit of the utility is stated."
        return f"{text}, {units.number(100 * whole / limit.number)} % of the {limit.text()} that it can."
