"""Time of one optimizer step by part."""

from __future__ import annotations

from wattsweights_gui.engine import units
from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.declare import Figure
from wattsweights_gui.gui.charts.parts import PartsChart
from wattsweights_gui.reports import parts


class StepTimeChart(PartsChart):
    """What compute, exposed communication and waiting take of one step."""

    TITLE = "Step time"
    LAYERS = frozenset({"workload", "compute", "parallelism", "fabric"})
    EMPTY = "The time of one step, part by part, stands here once a layout is known."
    LAYER = "parallelism"
    UNIT = "s"
    AXIS = "Time of one step"
    WHOLE = "One step"
    PARTS = parts.STEP_TIME

    def whole(self, evaluation: Evaluation) -> parts.Whole:
        """Return the parts that are known."""
        return parts.step_time(evaluation)

    def say(self, whole: float, limit: Figure | None) -> str:
        """Say what share of the step computes."""
        compute = next((f.number for label, _, f in self.parts if label == "Compute"), None)
        text = f"One step takes {units.text(whole, 's')}"
        if compute is None:
            return text + "."
        return f"{text}; {units.number(100 * compute / whole, 2)} % of it computes."
