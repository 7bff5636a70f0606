"""Time of one optimizer step by part."""

from __future__ import annotations

from typing import ClassVar

from wattsweights_gui.engine import units
from wattsweights_gui.engine.declare import Figure
from wattsweights_gui.gui.charts.parts import PartsChart


class StepTimeChart(PartsChart):
    """What compute, exposed communication and waiting take of one step."""

    TITLE = "Step time"
    LAYERS = frozenset({"workload", "compute", "parallelism", "fabric"})
    EMPTY = "The time of one step, part by part, stands here once a layout is known."
    LAYER = "parallelism"
    UNIT = "s"
    AXIS = "Time of one step"
    WHOLE = "One step"
    PARTS: ClassVar[dict[str, tuple[str, str]]] = {
        "time_compute_s": ("Compute", "compute"),
        "time_memory_s": ("Element-wise", "element_wise"),
        "time_tp_s": ("Tensor parallel, exposed", "tensor_parallel"),
        "time_cp_s": ("Context parallel, exposed", "context_parallel"),
        "time_ep_s": ("Expert parallel, exposed", "expert_parallel"),
        "time_pp_s": ("Pipeline sends, exposed", "pipeline_parallel"),
        "time_bubble_s": ("Pipeline bubble", "bubble"),
        "time_dp_s": ("Data parallel, exposed", "data_parallel"),
        "time_optimizer_s": ("Optimizer", "optimizer"),
    }

    def say(self, whole: float, limit: Figure | None) -> str:
        """Say what share of the step computes."""
        compute = next((f.number for label, _, f in self.parts if label == "Compute"), None)
        text = f"One step takes {units.text(whole, 's')}"
        if compute is None:
            return text + "."
        return f"{text}; {units.number(100 * compute / whole, 2)} % of it computes."
