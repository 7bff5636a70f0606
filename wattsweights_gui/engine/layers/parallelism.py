"""Split: how the model is laid over the GPUs: memory, time and the layout"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from wattsweights_gui.engine import split_figures, split_tables, training_plan
from wattsweights_gui.engine.declare import (
    Figure,
    LayerResult,
    Need,
    Sized,
    Table,
    calc,
    result,
    results,
    results_of,
    unknown,
)
from wattsweights_gui.engine.equations import run_time as run
from wattsweights_gui.engine.layout_option_rules import option_findings
from wattsweights_gui.engine.layout_rules import consequences, findings_of, impossible
from wattsweights_gui.engine.layout_settings import Inputs
from wattsweights_gui.engine.layout_sweep import least_figures, spread_of, sweep_of

NAME = "parallelism"
TITLE = "Split"
ABOUT = "how the model is laid over the GPUs: memory, time and the layout"


class Result(LayerResult):
    """What follows."""

    min_gpus_memory: Figure = result(
        "GPUs that hold the model, recompute as planned",
        "count",
        "The least number of GPUs on which some layout fits, under the recipe, sharding and recompute of the plan; "
        "the other modes stand in the table of least GPUs.",
        headline=True,
        short="Hold it",
    )
    min_gpus_equal_stages: Figure = result(
        "GPUs that hold the model, equal stages",
        "count",
        "The same where each pipeline stage has as many layers as the others, as Megatron asked until 2025.",
        short="Hold it, equal stages",
    )
    gpus_for_deadline: Figure = result(
        "GPUs that meet the date",
        "count",
        "The least number of GPUs that finish in the days wanted.",
        headline=True,
        short="In time",
    )
    gpus: Figure = result(
        "GPUs in this plan", "count", "GPUs of the layout: TP x PP x CP x DP.", headline=True, short="Planned"
    )
    tp: Figure = result("Tensor parallel", "count", "GPUs that share each matrix.")
    pp: Figure = result("Pipeline parallel", "count", "Stages.")
    dp: Figure = result("Data parallel", "count", "Replicas.")
    ep: Figure = result("Expert parallel", "count", "GPUs that share the experts.")
    cp: Figure = result("Context parallel", "count", "GPUs that share a sequence.")
    micro_batch: Figure = result("Micro batch", "count", "Sequences of one forward pass.")
    micro_batches: Figure = result("Micro batches", "count", "Of one replica in one step.")
    memory_gb: Figure = result(
        "Memory, worst GPU",
        "gb",
        "Weights, gradients, optimizer, activations and what is kept free, on the fullest GPU.",
        short="Memory",
    )
    step_time_s: Figure = result("Step time", "s", "Time of one optimizer step.")
    mfu: Figure = result("MFU", "ratio", "Model FLOPs over peak FLOPs.")
    hfu: Figure = result("HFU", "ratio", "Hardware FLOPs over peak FLOPs: what is computed again counts too.")
    mfu_gap_pct: Figure = result("Measured below predicted", "pct", "Points of MFU between prediction and measurement.")
    tokens_per_s_per_gpu: Figure = result("Tokens/s a GPU", "tokens_s", "Throughput of one GPU.")
    goodput: Figure = result(
        "Goodput", "ratio", "Share of the time that trains, after checkpoints, faults and restarts."
    )
    days: Figure = result("Days", "days", "Days to train, goodput included.", headline=True, short="Days")
    days_low: Figure = result("Days, low", "days", "Low end of the spread that the evidence shows.")
    days_high: Figure = result("Days, high", "days", "High end of the spread that the evidence shows.")
    memory_weights_gb: Figure = result("Weights", "gb", "On the fullest GPU.")
    memory_gradients_gb: Figure = result("Gradients", "gb", "On the fullest GPU.")
    memory_optimizer_gb: Figure = result("Optimizer and master copy", "gb", "On the fullest GPU.")
    memory_activations_gb: Figure = result("Activations", "gb", "On the fullest GPU.")
    memory_logits_gb: Figure = result("Logits and working gradients", "gb", "On the fullest GPU.")
    memory_gathered_gb: Figure = result("Gathered for use", "gb", "Buffers of sharded states, on the fullest GPU.")
    memory_reserve_gb: Figure = result(
        "Kept free", "gb", "Context, buffers of collectives, allocator: the three below."
    )
    memory_context_gb: Figure = result("CUDA context", "gb", "Of the memory kept free.")
    memory_collectives_gb: Figure = result("Buffers of collectives", "gb", "Of the memory kept free.")
    memory_allocator_gb: Figure = result(
        "Allocator and the rest", "gb", "Of the memory kept free: what no model explains."
    )
    time_compute_s: Figure = result("Compute", "s", "Matrix multiplications and attention of one step.")
    time_memory_s: Figure = result("Element-wise", "s", "Memory-bound work of one step.")
    time_tp_s: Figure = result("Tensor parallel, exposed", "s", "Communication that compute does not hide.")
    time_pp_s: Figure = result("Pipeline sends, exposed", "s", "Communication that compute does not hide.")
    time_dp_s: Figure = result("Data parallel, exposed", "s", "Communication that compute does not hide.")
    time_ep_s: Figure = result("Expert parallel, exposed", "s", "Communication that compute does not hide.")
    time_cp_s: Figure = result("Context parallel, exposed", "s", "Communication that compute does not hide.")
    time_bubble_s: Figure = result("Pipeline bubble", "s", "Stages that wait.")
    time_optimizer_s: Figure = result("Optimizer", "s", "Update of the parameters.")
    time_offload_s: Figure = result("Offload, exposed", "s", "Copies to host memory that computing does not hide.")
    memory_stages: Table = result("Memory by stage", "", "First, middle and last pipeline stage, part by part.")
    groups: Table = result("Parallel groups", "", "Members, tier, traffic and time of each group, innermost first.")
    domains: Table = result(
        "Domains of 8 and of 72", "", "The groups, were the scale-up domain of either size: tier and exposed time."
    )
    mfu_parts: Table = result("Where the peak goes", "", "The step from the ideal down; shares are points of MFU.")
    mfu_suspects: Table = result(
        "Likeliest places of the loss", "", "What would explain the measured MFU, and what would confirm it."
    )
    days_by_gpus: Table = result("GPUs against days", "", "This layout with more and fewer replicas.")
    least_gpus: Table = result("Least GPUs by recipe", "", "The smallest layout that holds the model.")
    least_by_gpu: Table = result(
        "Least GPUs by recipe and GPU", "", "The same on other GPUs, with stages of any and of equal numbers of layers."
    )


def size(inputs: Inputs, up: Any) -> Sized:
    """Size the layer: memory and time of the layout in one array evaluation with its replicas varied."""
    found = [*findings_of(inputs, up), *option_findings(inputs, up)]
    workload = up.inputs("workload")
    wanted, hbm = workload.fig("days"), up.compute.hbm_visible_gb
    machine = training_plan.machine_of_plan(up)
    degrees = {n: inputs.fig(n) for n in ("tp", "pp", "dp", "cp", "ep", "micro_batch")}
    count = calc(run.gpus, tp=degrees["tp"], cp=degrees["cp"], pp=degrees["pp"], dp=degrees["dp"])
    known = {n: split_figures.taken(f) for n, f in degrees.items()}
    batches = calc(
        run.micro_batches,
        global_batch=workload.fig("global_batch"),
        dp=degrees["dp"],
        micro_batch=degrees["micro_batch"],
    )
    reason = training_plan.why_no_machine(up) if machine is None else impossible(inputs, up)
    if machine is None or reason:
        figures: dict[str, Any] = {n: unknown(reason, a.unit) for n, a in results_of(Result).items()}
        figures.update(known, gpus=count, micro_batches=batches)
        figures.update(split_tables.empty())
        least = least_figures(inputs, up, machine) if machine is not None else None
        if machine is not None and least is not None:
            figures.update(min_gpus_memory=least[0], min_gpus_equal_stages=least[1])
            figures.update(least_gpus=split_tables.least_table(least[2]))
            figures.update(least_by_gpu=split_tables.least_by_gpu(inputs, up))
        outcome = results(Result, **figures)
        return Sized(outcome, tuple(found), _needs(outcome, count, hbm, wanted))
    swept = sweep_of(inputs, up, machine)
    operands = {**degrees, "recompute": inputs.fig("recompute"), "sharding": inputs.fig("sharding")}
    memory = split_figures.memory_figures(inputs, swept, operands, up)
    step = split_figures.time_figures(
        swept, {**operands, "vpp": inputs.fig("vpp"), "gpu": up.inputs("compute").fig("gpu")}
    )
    tokens = calc(
        run.tokens_per_s_per_gpu,
        tokens_per_step=up.workload.tokens_per_step,
        step_time_s=step["step_time_s"],
        gpus=count,
    )
    goodput = split_figures.goodput(swept, inputs, up, count)
    days = calc(run.days, steps=up.workload.steps, step_time_s=step["step_time_s"], goodput=goodput)
    low, high = spread_of(up, swept.kind)
    days = replace(days, low=split_figures.scaled(days, low), high=split_figures.scaled(days, high))
    least = least_figures(inputs, up, machine)
    mfu = calc(
        run.mfu,
        tokens_per_s=tokens,
        flops_per_token=split_figures.useful_flops(inputs, up),
        peak_tflops=up.compute.peak_tflops,
    )
    outcome = results(
        Result,
        **known,
        **memory,
        **step,
        min_gpus_memory=least[0],
        min_gpus_equal_stages=least[1],
        gpus_for_deadline=split_figures.for_deadline(swept, wanted, degrees, inputs),
        gpus=count,
        micro_batches=batches,
        mfu=mfu,
        hfu=split_figures.hfu(mfu, inputs, up),
        mfu_gap_pct=split_figures.mfu_gap(mfu, inputs),
        tokens_per_s_per_gpu=tokens,
        goodput=goodput,
        days=days,
        days_low=split_figures.edge(days, low, "low"),
        days_high=split_figures.edge(days, high, "high"),
        **split_tables.tables_of(inputs, up, machine, swept, least[2]),
    )
    found += consequences(inputs, up, outcome, swept)
    return Sized(outcome, tuple(found), _needs(outcome, count, hbm, wanted))


def _needs(outcome: Any, count: Figure, hbm: Figure, wanted: Figure) -> tuple[Need, ...]:
    return (
        Need("parallelism", "memory_gb", "Memory of the fullest GPU", outcome.memory_gb, hbm, "gb", "model"),
        Need("parallelism", "days", "Days to train", outcome.days, wanted, "days", "model"),
        Need(
            "parallelism",
            "gpus",
            "GPUs that hold the model, recompute as planned",
            outcome.min_gpus_memory,
            replace(count, path="layers.parallelism.result.gpus"),
            "count",
            "model",
        ),
    )
