"""Memory of the fullest GPU by part, against its HBM."""

from __future__ import annotations

from wattsweights_gui.engine import units
from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.declare import Figure
from wattsweights_gui.gui.charts.parts import PartsChart
from wattsweights_gui.reports import parts


class MemoryChart(PartsChart):
    """Weights, gradients, optimizer, activations and what is kept free, with HBM as the limit."""

    TITLE = "Memory"
    LAYERS = frozenset({"workload", "compute", "parallelism"})
    EMPTY = "Memory of the fullest GPU, part by part, stands here once a layout is known."
    LAYER = "parallelism"
    UNIT = "gb"
    AXIS = "Memory of the fullest GPU"
    WHOLE = "Worst GPU"
    PARTS = parts.MEMORY

    def whole(self, evaluation: Evaluation) -> parts.Whole:
        """Return the parts that are known."""
        return parts.memory(evaluation)

    def say(self, whole: float, limit: Figure | None) -> str:
        """Say how full the fullest GPU is."""
        if limit is None:
            return f"The fullest GPU needs {units.text(whole, 'gb')}."
        left = limit.number - whole
        words = f"{units.text(abs(left), 'gb')} {'are left' if left >= 0 else 'are missing'}"
        return f"The fullest GPU needs {units.text(whole, 'gb')} of {limit.text()}: {words}."
