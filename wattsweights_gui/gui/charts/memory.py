"""Memory of the fullest GPU by part, against its HBM."""

from __future__ import annotations

from typing import ClassVar

from wattsweights_gui.engine import units
from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.declare import Figure
from wattsweights_gui.gui.charts.parts import PartsChart


class MemoryChart(PartsChart):
    """Weights, gradients, optimizer, activations and what is kept free, with HBM as the limit."""

    TITLE = "Memory"
    LAYERS = frozenset({"workload", "compute", "parallelism"})
    EMPTY = "Memory of the fullest GPU, part by part, stands here once a layout is known."
    LAYER = "parallelism"
    UNIT = "gb"
    AXIS = "Memory of the fullest GPU"
    WHOLE = "Worst GPU"
    PARTS: ClassVar[dict[str, tuple[str, str]]] = {
        "memory_weights_gb": ("Weights", "weights"),
        "memory_gradients_gb": ("Gradients", "gradients"),
        "memory_optimizer_gb": ("Optimizer, master copy", "optimizer"),
        "memory_activations_gb": ("Activations", "activations"),
        "memory_reserve_gb": ("Kept free", "reserve"),
    }

    def limit_of(self, evaluation: Evaluation) -> tuple[str, Figure] | None:
        """Return what one GPU holds."""
        found = getattr(evaluation.results.get("compute"), "hbm_gb", None)
        return ("HBM", found) if isinstance(found, Figure) else None

    def say(self, whole: float, limit: Figure | None) -> str:
        """Say how full the fullest GPU is."""
        if limit is None:
            return f"The fullest GPU needs {units.text(whole, 'gb')}."
        left = limit.number - whole
        words = f"{units.text(abs(left), 'gb')} {'are left' if left >= 0 else 'are missing'}"
        return f"The fullest GPU needs {units.text(whole, 'gb')} of {limit.text()}: {words}."
