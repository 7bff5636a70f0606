"""Power at the utility by consumer, against what the site can draw."""

from __future__ import annotations

from wattsweights_gui.engine import units
from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.declare import Figure
from wattsweights_gui.gui.charts.parts import PartsChart
from wattsweights_gui.reports import parts


class PowerChart(PartsChart):
    """Compute, network, storage, management, losses, cooling and the rest."""

    TITLE = "Power"
    LAYERS = frozenset({"power", "cooling", "cluster", "storage"})
    EMPTY = "Power by consumer stands here once the cluster is sized."
    LAYER = "power"
    UNIT = "kw"
    AXIS = "Power at maximum IT load"
    WHOLE = "At the utility"
    PARTS = parts.POWER

    def whole(self, evaluation: Evaluation) -> parts.Whole:
        """Return the parts that are known."""
        return parts.power(evaluation)

    def say(self, whole: float, limit: Figure | None) -> str:
        """Say what the site draws."""
        text = f"The site draws {units.text(whole, 'kw')} at maximum IT load"
        if limit is None:
            return f"{text}; no limit of the utility is stated."
        return f"{text}, {units.number(100 * whole / limit.number)} % of the {limit.text()} that it can."
