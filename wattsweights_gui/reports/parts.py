"""Wholes that are shown part by part, on screen and on paper: memory of a GPU, time of a step, power of the site."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.declare import Figure

# result -> (label, series); in the order in which they are drawn
MEMORY: dict[str, tuple[str, str]] = {
    "memory_weights_gb": ("Weights", "weights"),
    "memory_gradients_gb": ("Gradients", "gradients"),
    "memory_optimizer_gb": ("Optimizer, master copy", "optimizer"),
    "memory_activations_gb": ("Activations", "activations"),
    "memory_logits_gb": ("Logits and working gradients", "logits"),
    "memory_gathered_gb": ("Gathered for use", "gathered"),
    "memory_context_gb": ("CUDA context", "context"),
    "memory_collectives_gb": ("Buffers of collectives", "collectives"),
    "memory_allocator_gb": ("Allocator and the rest", "allocator"),
}
STEP_TIME: dict[str, tuple[str, str]] = {
    "time_compute_s": ("Compute", "compute"),
    "time_memory_s": ("Element-wise", "element_wise"),
    "time_tp_s": ("Tensor parallel, exposed", "tensor_parallel"),
    "time_cp_s": ("Context parallel, exposed", "context_parallel"),
    "time_ep_s": ("Expert parallel, exposed", "expert_parallel"),
    "time_pp_s": ("Pipeline sends, exposed", "pipeline_parallel"),
    "time_bubble_s": ("Pipeline bubble", "bubble"),
    "time_dp_s": ("Data parallel, exposed", "data_parallel"),
    "time_optimizer_s": ("Optimizer", "optimizer"),
    "time_offload_s": ("Offload, exposed", "offload"),
}
# place in the table of losses -> (label, series)
LOSSES: dict[str, tuple[str, str]] = {
    "Model FLOPs at the peak: the MFU": ("Model FLOPs: the MFU", "useful"),
    "Recompute at the peak": ("Recompute", "recompute"),
    "Matrices and attention below the peak": ("Matrices, attention below peak", "compute"),
    "Element-wise work and launches": ("Element-wise, launches", "element_wise"),
    "Tensor parallel, exposed": ("Tensor parallel, exposed", "tensor_parallel"),
    "Context parallel, exposed": ("Context parallel, exposed", "context_parallel"),
    "Expert parallel, exposed": ("Expert parallel, exposed", "expert_parallel"),
    "Pipeline sends, exposed": ("Pipeline sends, exposed", "pipeline_parallel"),
    "Pipeline bubble": ("Pipeline bubble", "bubble"),
    "Data parallel, exposed": ("Data parallel, exposed", "data_parallel"),
    "Optimizer": ("Optimizer", "optimizer"),
    "Offload to host memory, exposed": ("Offload, exposed", "offload"),
}
POWER: dict[str, tuple[str, str]] = {
    "compute_power_kw": ("Compute nodes", "compute"),
    "network_power_kw": ("Network", "network"),
    "storage_power_kw": ("Storage", "storage"),
    "management_power_kw": ("Management", "management"),
    "loss_kw": ("Electrical losses", "losses"),
    "cooling_power_kw": ("Cooling", "cooling"),
    "auxiliary_kw": ("Lighting and other loads", "auxiliary"),
}


@dataclass(frozen=True)
class Whole:
    """A whole and its parts.

    Attributes:
        title: what it is.
        unit: of every part.
        parts: label, series and figure of each that is known and not nought.
        sum_name: what the parts make together.
        limit: the name and the value of what they must stay under, where there is one.
    """

    title: str
    unit: str
    parts: tuple[tuple[str, str, Figure], ...]
    sum_name: str
    limit: tuple[str, Figure] | None = None

    @property
    def sum(self) -> float:
        """All parts together, in :attr:`unit`."""
        return sum(figure.number for _, _, figure in self.parts)


def memory(evaluation: Evaluation) -> Whole:
    """Return the fullest GPU's memory against the HBM that the plan is judged by: what software sees, not the label."""
    label = getattr(evaluation.results.get("compute"), "hbm_gb", None)
    judged = (n.have for n in evaluation.needs if (n.layer, n.quantity) == ("parallelism", "memory_gb"))
    hbm = next((have for have in judged if have.known), label)
    limit = ("HBM", hbm) if isinstance(hbm, Figure) and hbm.known else None
    found = _found(evaluation, "parallelism", MEMORY)
    return Whole("Memory of the fullest GPU", "gb", _known(found, MEMORY), "Worst GPU", limit)


def step_time(evaluation: Evaluation) -> Whole:
    """Return the time of one optimizer step."""
    found = _found(evaluation, "parallelism", STEP_TIME)
    return Whole("Time of one step", "s", _known(found, STEP_TIME), "One step")


def losses(evaluation: Evaluation) -> Whole:
    """Return the peak: the MFU and what each part of the step takes, in points; the measured MFU is its limit."""
    outcome = evaluation.results["parallelism"]
    split: Any = evaluation.plan.inputs("parallelism")
    table = outcome.mfu_parts
    found: list[tuple[str, str, Figure]] = []
    if "place" in table.columns:
        for row in (dict(zip(table.columns, values, strict=True)) for values in table.rows):
            label, series = LOSSES[str(row["place"])]
            found.append((label, series, Figure(float(str(row["of_step"])), "pct", label)))
    limit = None
    if split.measured_mfu_pct is not None:
        limit = ("Measured", Figure(split.measured_mfu_pct, "pct", "Measured MFU"))
    return Whole("Where the peak goes", "pct", tuple(found), "The peak", limit)


def power(evaluation: Evaluation) -> Whole:
    """Return the power at the utility; no parts before the nodes are known, since lighting alone is no answer."""
    found = _found(evaluation, "power", POWER)
    found.setdefault("auxiliary_kw", evaluation.plan.inputs("power").fig("auxiliary_kw"))
    nodes = found.get("compute_power_kw")
    if nodes is None or not nodes.known:
        found = {}
    limit = next(
        (
            ("Utility", Figure(need.have.number, "kw", "Utility power"))
            for need in evaluation.needs
            if need.quantity == "facility_power_kw" and need.have.known and need.unit == "kw"
        ),
        None,
    )
    return Whole("Power at maximum IT load", "kw", _known(found, POWER), "At the utility", limit)


def why_unknown(evaluation: Evaluation, layer: str, names: dict[str, tuple[str, str]]) -> str:
    """Return why the parts are not known."""
    found = _found(evaluation, layer, names).values()
    return next((f.formula for f in found if not f.known and f.formula), "Nothing is known yet.")


def _found(evaluation: Evaluation, layer: str, names: dict[str, tuple[str, str]]) -> dict[str, Figure]:
    outcome = evaluation.results.get(layer)
    return {n: f for n in names if isinstance(f := getattr(outcome, n, None), Figure)}


def _known(found: dict[str, Figure], names: dict[str, tuple[str, str]]) -> tuple[tuple[str, str, Figure], ...]:
    return tuple((*names[n], found[n]) for n in names if n in found and found[n].known and found[n].number)
