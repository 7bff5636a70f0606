"""Split: how the model is laid over the GPUs: memory, time and the layout"""

from __future__ import annotations

from typing import Any, Literal

from wattsweights_gui.engine.declare import (
    Figure,
    LayerInputs,
    LayerResult,
    Sized,
    result,
    results,
    setting,
    unknown,
)

NAME = "parallelism"
TITLE = "Split"
ABOUT = "how the model is laid over the GPUs: memory, time and the layout"


class Inputs(LayerInputs):
    """The layout and its options."""

    layout: Literal["auto", "pinned"] = setting(
        "auto",
        title="Layout",
        help="Found by the search, or pinned by hand.",
        source="the search",
        group="Layout",
        choices={"auto": "Best found", "pinned": "Pinned by hand"},
    )
    gpus: int | None = setting(
        None,
        title="GPUs asked for",
        help="How many GPUs the search may use.",
        group="Layout",
        hard=(1, 4000000),
        when_none="as many as the date needs",
    )
    tp: int = setting(
        8,
        title="Tensor parallel",
        help="GPUs that share each matrix; never more than the NVLink domain.",
        source="one 8-GPU node",
        group="Layout",
        hard=(1, 4096),
        implies={"layout": "pinned"},
    )
    pp: int = setting(
        16,
        title="Pipeline parallel",
        help="Stages that the layers are cut into.",
        source="Llama 3 405B",
        group="Layout",
        hard=(1, 4096),
        implies={"layout": "pinned"},
    )
    dp: int = setting(
        8,
        title="Data parallel",
        help="Replicas of the whole, each with its share of the batch.",
        source="ours",
        group="Layout",
        hard=(1, 1000000),
        implies={"layout": "pinned"},
    )
    cp: int = setting(
        1,
        title="Context parallel",
        help="GPUs that share each sequence.",
        source="off",
        group="Layout",
        hard=(1, 4096),
        implies={"layout": "pinned"},
    )
    ep: int = setting(
        1,
        title="Expert parallel",
        help="GPUs that share the experts of a layer.",
        source="off",
        group="Layout",
        hard=(1, 65536),
        implies={"layout": "pinned"},
    )
    micro_batch: int = setting(
        1,
        title="Micro batch",
        help="Sequences of one forward pass on one replica.",
        source="Llama 3 405B",
        group="Schedule",
        hard=(1, 4096),
        implies={"layout": "pinned"},
    )
    vpp: int = setting(
        1,
        title="Interleave",
        help="Virtual pipeline chunks a stage.",
        source="off",
        group="Schedule",
        hard=(1, 256),
        implies={"layout": "pinned"},
    )
    schedule: Literal["1f1b", "interleaved", "zero_bubble"] = setting(
        "1f1b",
        title="Pipeline schedule",
        help="Order of forward and backward passes in the pipeline.",
        source="Megatron",
        group="Schedule",
        choices={"1f1b": "1F1B", "interleaved": "Interleaved 1F1B", "zero_bubble": "Zero bubble"},
        implies={"layout": "pinned"},
    )
    recompute: Literal["none", "selective", "full"] = setting(
        "selective",
        title="Recompute",
        help="Which activations are computed again in the backward pass.",
        source="Megatron",
        group="Memory",
        choices={"none": "None", "selective": "Selective (attention)", "full": "Full"},
        implies={"layout": "pinned"},
    )
    sharding: Literal["none", "zero1", "zero2", "fsdp"] = setting(
        "zero1",
        title="Sharding over data parallel",
        help="What is spread over the data-parallel ranks.",
        source="Megatron's distributed optimizer",
        group="Memory",
        choices={
            "none": "Nothing",
            "zero1": "Optimizer (ZeRO-1)",
            "zero2": "Optimizer and gradients (ZeRO-2)",
            "fsdp": "Everything (FSDP, ZeRO-3)",
        },
        implies={"layout": "pinned"},
    )
    sequence_parallel: bool = setting(
        True,
        title="Sequence parallel",
        help="Norms and dropout split along the sequence within the tensor-parallel group.",
        source="Megatron",
        group="Memory",
        implies={"layout": "pinned"},
    )
    reserve_gb: float = setting(
        6.0,
        title="Memory kept free",
        unit="gb",
        help="CUDA context, communication buffers and fragmentation that no model explains.",
        source="measured: reserved over allocated 0.8 to 12.9 GiB, SimuMax B200 rows",
        group="Memory",
        hard=(0, 200),
        usual=(1, 30),
    )
    failures_per_1000_node_days: float = setting(
        3.79,
        title="Interruptions",
        unit="per_1000_node_days",
        help="Unexpected interruptions for each 1,000 node-days.",
        source="Llama 3 405B: 419 in 54 days on 16,384 GPUs",
        group="Goodput",
        hard=(0, 10000),
        usual=(0.1, 50),
    )
    restart_min: float = setting(
        10.0,
        title="Detect and restart",
        unit="min",
        help="From the fault to the next step: detect, replace, load.",
        source="MegaScale: diagnosis under 10 min",
        group="Goodput",
        hard=(0, 10000),
        usual=(0.5, 120),
    )


class Result(LayerResult):
    """What follows."""

    min_gpus_memory: Figure = result(
        "GPUs that hold the model",
        "count",
        "The least number of GPUs on which some layout fits, under this recipe and sharding.",
        headline=True,
    )
    gpus_for_deadline: Figure = result(
        "GPUs that meet the date", "count", "The least number of GPUs that finish in the days wanted.", headline=True
    )
    gpus: Figure = result("GPUs in this plan", "count", "GPUs of the layout: TP x PP x CP x DP.", headline=True)
    tp: Figure = result("Tensor parallel", "count", "GPUs that share each matrix.")
    pp: Figure = result("Pipeline parallel", "count", "Stages.")
    dp: Figure = result("Data parallel", "count", "Replicas.")
    ep: Figure = result("Expert parallel", "count", "GPUs that share the experts.")
    cp: Figure = result("Context parallel", "count", "GPUs that share a sequence.")
    micro_batch: Figure = result("Micro batch", "count", "Sequences of one forward pass.")
    memory_gb: Figure = result(
        "Memory, worst GPU",
        "gb",
        "Weights, gradients, optimizer, activations and what is kept free, on the fullest GPU.",
    )
    step_time_s: Figure = result("Step time", "s", "Time of one optimizer step.")
    mfu: Figure = result("MFU", "ratio", "Model FLOPs over peak FLOPs.")
    tokens_per_s_per_gpu: Figure = result("Tokens/s a GPU", "tokens_s", "Throughput of one GPU.")
    goodput: Figure = result(
        "Goodput", "ratio", "Share of the time that trains, after checkpoints, faults and restarts."
    )
    days: Figure = result("Days", "days", "Days to train, goodput included.", headline=True)
    days_low: Figure = result("Days, low", "days", "Low end of the spread that the evidence shows.")
    days_high: Figure = result("Days, high", "days", "High end of the spread that the evidence shows.")
    memory_weights_gb: Figure = result("Weights", "gb", "On the fullest GPU.")
    memory_gradients_gb: Figure = result("Gradients", "gb", "On the fullest GPU.")
    memory_optimizer_gb: Figure = result("Optimizer and master copy", "gb", "On the fullest GPU.")
    memory_activations_gb: Figure = result("Activations", "gb", "On the fullest GPU.")
    memory_reserve_gb: Figure = result("Kept free", "gb", "Context, buffers, fragmentation.")
    time_compute_s: Figure = result("Compute", "s", "Matrix multiplications and attention of one step.")
    time_memory_s: Figure = result("Element-wise", "s", "Memory-bound work of one step.")
    time_tp_s: Figure = result("Tensor parallel, exposed", "s", "Communication that compute does not hide.")
    time_pp_s: Figure = result("Pipeline sends, exposed", "s", "Communication that compute does not hide.")
    time_dp_s: Figure = result("Data parallel, exposed", "s", "Communication that compute does not hide.")
    time_ep_s: Figure = result("Expert parallel, exposed", "s", "Communication that compute does not hide.")
    time_cp_s: Figure = result("Context parallel, exposed", "s", "Communication that compute does not hide.")
    time_bubble_s: Figure = result("Pipeline bubble", "s", "Stages that wait.")
    time_optimizer_s: Figure = result("Optimizer", "s", "Update of the parameters.")


def size(inputs: Inputs, up: Any) -> Sized:
    """Size the layer. Skeleton: every figure is unknown."""
    figures = {name: unknown("not sized yet", about.unit) for name, about in _declared().items()}
    return Sized(results(Result, **figures))


def _declared() -> dict[str, Any]:
    from wattsweights_gui.engine.declare import results_of

    return results_of(Result)
