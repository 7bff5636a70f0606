"""Facility up, to the top: the largest model that the hosted GPUs hold and train in time."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from wattsweights_gui.engine.both_ends import BothEnds
from wattsweights_gui.engine.chain import Evaluation, evaluate
from wattsweights_gui.engine.declare import Figure, Refused, stated, unknown
from wattsweights_gui.engine.plan import Plan


def with_largest_model(evaluation: Evaluation, ends: BothEnds) -> BothEnds:
    """Return the comparison with the largest model that the hosted GPUs hold and train in the days wanted.

    The model is scaled (by its size, or by its layers where a shape is given) through the workload and split layers
    again; its time is taken at the MFU and goodput of this plan, which makes it an estimate.
    """
    return replace(ends, largest_params_b=_largest_model(evaluation, ends.have.gpus))


def _largest_model(evaluation: Evaluation, hosted_gpus: Figure) -> Figure:
    title = "Largest model that the hall can train"
    split, workload = evaluation.results["parallelism"], evaluation.plan.layers["workload"]
    parts = (hosted_gpus, split.mfu, split.goodput, evaluation.results["compute"].peak_tflops)
    missing = next((f for f in parts if f.value is None), None)
    if missing is not None:
        return unknown(missing.formula or "the split is not known", "params_b", title)
    gpus, mfu, goodput, peak = (f.number for f in parts)
    if gpus <= 0:
        return unknown("the facility hosts no GPU", "params_b", title, gpus_hosted=hosted_gpus)
    seconds = workload.fig("days").number * 86400.0
    work = gpus * peak * 1e12 * mfu * goodput * seconds
    model: Any = evaluation.plan.value("workload.model")

    def scaled(factor: float) -> Plan | None:
        try:
            if model.kind == "size":
                return evaluation.plan.edit(("workload.model.params_b", model.params_b * factor))
            return evaluation.plan.edit(("workload.model.layers", max(1, round(model.layers * factor))))
        except Refused:
            return None

    def carried(factor: float) -> float | None:
        """Return the billions of parameters if that size is held and in time."""
        plan = scaled(factor)
        if plan is None:
            return None
        try:
            sized = evaluate(
                plan,
                evaluation.catalog,
                given={"compute": evaluation.results["compute"]},
                layers=("workload", "parallelism"),
            ).results
        except (Refused, AttributeError):
            return None
        flops, least = sized["workload"].model_flops.value, sized["parallelism"].min_gpus_memory.value
        if flops is None or least is None or flops > work or least > gpus:
            return None
        return float(sized["workload"].total_params.number) / 1e9

    best, low, high = None, 1 / 4096, 4096.0
    for _ in range(26):
        middle = math.sqrt(low * high)
        found = carried(middle)
        if found is None:
            high = middle
        else:
            best, low = found, middle
    if best is None:
        return unknown(
            "not even a 4096th of this model is held and in time", "params_b", title, gpus_hosted=hosted_gpus
        )
    return stated(
        best,
        "params_b",
        title,
        formula="the largest scaled model that the hosted GPUs hold and whose FLOPs they do in the days wanted, "
        "at this plan's MFU and goodput (an estimate)",
        gpus_hosted=hosted_gpus,
        days_wanted=workload.fig("days"),
        mfu=split.mfu,
        goodput=split.goodput,
    )
