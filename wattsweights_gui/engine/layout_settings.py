"""What may be set of the split: degrees, schedule, memory options, goodput and what was measured."""

from __future__ import annotations

from typing import Literal

from wattsweights_gui.engine.declare import LayerInputs, setting


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
    schedule: Literal["1f1b", "interleaved", "zero_bubble", "zero_bubble_h2"] = setting(
        "1f1b",
        title="Pipeline schedule",
        help="Order of forward and backward passes in the pipeline.",
        source="Megatron",
        group="Schedule",
        choices={
            "1f1b": "1F1B",
            "interleaved": "Interleaved 1F1B",
            "zero_bubble": "Zero bubble (H1)",
            "zero_bubble_h2": "Zero bubble, twice the activations (H2)",
        },
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
    recompute_layers: int | None = setting(
        None,
        title="Layers recomputed",
        help="Layers of each stage that full recompute does again; the others keep their activations.",
        group="Memory",
        hard=(1, 4096),
        when_none="all layers of the stage",
        implies={"layout": "pinned"},
    )
    shard_group: int | None = setting(
        None,
        title="Sharding group (HSDP)",
        help="Ranks that share one copy of the sharded states; groups of them are replicas of each other.",
        group="Memory",
        hard=(1, 1000000),
        when_none="all data-parallel ranks",
        implies={"layout": "pinned"},
    )
    offload_layers: int = setting(
        0,
        title="Layers offloaded",
        help="Layers of each stage whose activations wait in host memory for the backward pass.",
        source="off",
        group="Offload",
        hard=(0, 4096),
    )
    offload_optimizer: bool = setting(
        False,
        title="Optimizer in host memory",
        help="Master copy and moments live in host memory, and the host's cores update them (ZeRO-Offload).",
        source="off",
        group="Offload",
    )
    etp: int = setting(
        1,
        title="Expert tensor parallel",
        help="GPUs that share each expert's matrices; 1 keeps experts whole.",
        source="Megatron Core: experts are small",
        group="Experts",
        hard=(1, 64),
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
        group="Allowances",
        hard=(0, 200),
        usual=(1, 30),
    )
    expert_imbalance: float = setting(
        1.1,
        title="Expert imbalance",
        unit="ratio",
        help="Rows of the fullest expert rank over the mean; 1 is perfect balance.",
        source="Megatron MoE ModelZoo: natural routing costs 8 to 20% against forced balance",
        group="Experts",
        hard=(1, 16),
        usual=(1, 2),
    )
    capacity_factor: float | None = setting(
        None,
        title="Expert capacity factor",
        unit="ratio",
        help="Rows that each expert is given over the mean: buffers are padded to it, and what is over is dropped.",
        group="Experts",
        hard=(0.1, 16),
        usual=(1, 2),
        when_none="dropless: every row is computed",
    )
    context_gb: float = setting(
        1.0,
        title="CUDA context",
        unit="gb",
        help="Part of the memory kept free that the driver, CUDA modules and libraries take.",
        source="ours: an allowance inside the memory kept free",
        group="Allowances",
        hard=(0, 50),
        usual=(0.3, 3),
    )
    measured_mfu_pct: float | None = setting(
        None,
        title="MFU that is measured",
        unit="pct",
        help="Model FLOPs utilisation of the running job, below 100%: no GPU exceeds its peak. Losses are ranked.",
        group="Measured",
        hard=(0.1, 99.9),
        usual=(5, 75),
        when_none="nothing runs yet",
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
