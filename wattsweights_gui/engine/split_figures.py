"""The figures of the split layer: each part of memory and time with what it follows from."""

from __future__ import annotations

from typing import Any

from wattsweights_gui.engine import training_plan, units
from wattsweights_gui.engine.declare import Figure, calc, stated, unknown
from wattsweights_gui.engine.equations import memory, reliability, step_time
from wattsweights_gui.engine.equations import run_time as run
from wattsweights_gui.engine.layout_sweep import Sweep
from wattsweights_gui.engine.mfu_losses import hardware_flops_per_token
from wattsweights_gui.engine.stage_memory import kept_free_figures

_PARTS = {
    "compute": "GEMMs and attention kernels on their rooflines, forward, backward and recompute",
    "elementwise": "norms, activations, casts and losses at the achieved HBM rate; waits for the host",
    "tensor": "2 all-gathers and 2 reduce-scatters a layer and pass, less what GEMMs hide",
    "pipeline": "sends between stages, less what computing hides",
    "data": "gradients and weights over the replicas, less what the backward pass hides",
    "experts": "tokens to their experts and back, less what computing hides",
    "context": "keys and values round the context-parallel group, less what attention hides",
    "bubble": "(sum of the other stages' micro-batch times) / interleave: filling and draining",
    "optimizer": "states read and written at the achieved HBM rate",
    "offload": "activations to host memory and back, less what a micro batch's work hides",
}


def taken(figure: Figure) -> Figure:
    """Return a degree as a result."""
    return stated(figure.value, "count", formula="as set", layout=figure)


def memory_figures(inputs: Any, swept: Sweep, operands: dict[str, Figure], up: Any) -> dict[str, Figure]:
    """Return the parts of memory and their total."""
    recipe = up.entry(up.inputs("workload").recipe)
    part = swept.memory

    def states(value: float, words: str, *parts: str) -> Figure:
        each = {f"{p}_bytes": recipe.fig(f"{p}_bytes", "byte_param", f"bytes of {p}") for p in parts}
        return stated(value / 1e9, "gb", formula=words, source=memory.SOURCE, put_in={**each, **operands})

    stage = ("first", "middle", "last")[int(part.stage)]
    on = f" of the {stage} pipeline stage, the fullest"
    weights = states(part.weights, f"bytes × parameters of one GPU{on}", "weights", "extra")
    gradients = states(part.gradients, f"bytes × parameters of one GPU{on}", "gradients")
    optimizer = states(
        part.optimizer, f"bytes × parameters of one GPU over the sharding ranks,{on}", "master", "moments"
    )
    activations = stated(
        part.activations / 1e9,
        "gb",
        formula=f"tensors that the backward pass needs × layers × micro batches in flight,{on}",
        source=memory.SOURCE,
        put_in=operands,
    )
    logits = stated(
        part.logits / 1e9,
        "gb",
        formula=f"logits with their gradient and that of the table, or after them the gradients inside one layer,{on}",
        source=memory.SOURCE,
        put_in=operands,
    )
    gathered = stated(
        part.buffers / 1e9,
        "gb",
        formula=f"parameters that are gathered for use and gradients before they are scattered,{on}",
        source="FSDP keeps two units gathered; in a pipeline a stage stays gathered",
        put_in=operands,
    )
    free = inputs.fig("reserve_gb")
    total = calc(
        run.memory_gb,
        weights=weights,
        gradients=gradients,
        optimizer=optimizer,
        activations=activations,
        logits=logits,
        gathered=gathered,
        kept_free=free,
    )
    return {
        "memory_gb": total,
        "memory_weights_gb": weights,
        "memory_gradients_gb": gradients,
        "memory_optimizer_gb": optimizer,
        "memory_activations_gb": activations,
        "memory_logits_gb": logits,
        "memory_gathered_gb": gathered,
        "memory_reserve_gb": free,
        **kept_free_figures(inputs),
    }


def time_figures(swept: Sweep, operands: dict[str, Figure]) -> dict[str, Figure]:
    """Return the parts of the step time and their total."""
    parts = {
        name: stated(getattr(swept.time, name), "s", formula=words, source=step_time.SOURCE, put_in=operands)
        for name, words in _PARTS.items()
    }
    total = calc(
        run.step_time_s,
        compute=parts["compute"],
        element_wise=parts["elementwise"],
        tensor=parts["tensor"],
        pipeline=parts["pipeline"],
        data=parts["data"],
        experts=parts["experts"],
        context=parts["context"],
        bubble=parts["bubble"],
        optimizer=parts["optimizer"],
        offload=parts["offload"],
    )
    return {
        "step_time_s": total,
        "time_compute_s": parts["compute"],
        "time_memory_s": parts["elementwise"],
        "time_tp_s": parts["tensor"],
        "time_pp_s": parts["pipeline"],
        "time_dp_s": parts["data"],
        "time_ep_s": parts["experts"],
        "time_cp_s": parts["context"],
        "time_bubble_s": parts["bubble"],
        "time_optimizer_s": parts["optimizer"],
        "time_offload_s": parts["offload"],
    }


def goodput(swept: Sweep, inputs: Any, up: Any, count: Figure) -> Figure:
    """Return the share of the time that trains."""
    storage = up.inputs("storage")
    # published rates count nodes of eight; a rack of 72 fails as often as nine of them
    nodes = calc(reliability.nodes_of_eight, title="Nodes of eight", gpus=count)
    mtbf = calc(
        reliability.job_mtbf_s, nodes=nodes, failures_per_1000_node_days=inputs.fig("failures_per_1000_node_days")
    )
    stall = stated(
        swept.stall_s,
        "s",
        "Training stops for",
        formula="a synchronous save stops for the write, an asynchronous one for the copy to host memory",
        mode=storage.fig("checkpoint_mode"),
        write=storage.fig("write_target_s"),
    )
    set_by_hand = storage.checkpoint_interval_s is not None
    interval = (
        storage.fig("checkpoint_interval_s")
        if set_by_hand
        else calc(reliability.daly_interval_s, title="Interval", write_s=stall, mtbf_s=mtbf)
    )
    restart = calc(run.seconds_of_minutes, title="Detect and restart", minutes=inputs.fig("restart_min"))
    return calc(reliability.efficiency, interval_s=interval, write_s=stall, restart_s=restart, mtbf_s=mtbf)


def for_deadline(swept: Sweep, wanted: Figure, degrees: dict[str, Figure], inputs: Any) -> Figure:
    """Return the fewest GPUs of this layout that finish in the days wanted."""
    best = next(((g, d) for g, d in swept.points if d <= wanted.number), None)
    if best is not None:
        return stated(
            best[0],
            "count",
            formula="fewest replicas of this layout, of those that divide the batch, that finish in the days wanted",
            wanted=wanted,
            put_in=degrees,
        )
    if not swept.points:
        return unknown("no number of replicas divides the batch", "count", wanted=wanted)
    gpus, days = min(swept.points, key=lambda p: p[1])
    return unknown(
        f"with this layout the batch splits no further than {units.text(gpus, 'count')} GPUs, "
        f"which take {units.text(days, 'days')}",
        "count",
        wanted=wanted,
    )


def scaled(figure: Figure, factor: float) -> float | None:
    """Return a figure times a factor."""
    return figure.number * factor if figure.known else None


def edge(days: Figure, factor: float, which: str) -> Figure:
    """Return one end of the spread of the days."""
    return stated(
        scaled(days, factor),
        "days",
        formula=f"days × {factor:.3g}: the {which} end of nine published runs in ten like this one",
        source="spread of predicted against published times (calibration.json)",
        days=days,
    )


def useful_flops(inputs: Any, up: Any) -> Figure:
    """Return the model FLOPs of a token that are done: rows that a small expert capacity drops are not."""
    job, whole = training_plan.job_of(up), up.workload.flops_per_token
    if not job.dropped_flops_per_token:
        figure: Figure = whole
        return figure
    return stated(
        job.flops_per_token,
        "flop_token",
        "Model FLOPs a token that are done",
        formula="model FLOPs less those of the experts' rows that the capacity drops",
        source="GShard, arXiv 2006.16668; Switch Transformer, arXiv 2101.03961",
        flops_per_token=whole,
        capacity_factor=inputs.fig("capacity_factor"),
    )


def hfu(mfu: Figure, inputs: Any, up: Any) -> Figure:
    """Return the share of the peak that all FLOPs take, those done again counted."""
    job, layout = training_plan.job_of(up), training_plan.layout_of(inputs)
    again = stated(
        hardware_flops_per_token(job, layout) - job.flops_per_token,
        "flop_token",
        "FLOPs done again",
        formula="forward pass of the layers that are recomputed",
        source="Korthikanti et al. 2022, arXiv 2205.05198",
        recompute=inputs.fig("recompute"),
        layers=inputs.fig("recompute_layers"),
    )
    return calc(run.hfu, mfu=mfu, flops_per_token=useful_flops(inputs, up), again_per_token=again)


def mfu_gap(mfu: Figure, inputs: Any) -> Figure:
    """Return predicted less measured MFU in points."""
    if inputs.measured_mfu_pct is None:
        return unknown("no MFU is measured yet; type one into the split layer", "pct")
    return calc(run.mfu_gap_pct, mfu=mfu, measured_pct=inputs.fig("measured_mfu_pct"))
