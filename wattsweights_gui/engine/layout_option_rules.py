"""What is wrong with the options of a layout: sharding group, zero bubble, expert capacity, offload, allowances."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from wattsweights_gui.engine import units
from wattsweights_gui.engine.declare import Finding
from wattsweights_gui.engine.layout_rules import split_finding
from wattsweights_gui.engine.stage_memory import kept_free_figures


def option_findings(inputs: Any, up: Any) -> Iterator[Finding]:
    """Yield what the options break."""
    yield from _sharding(inputs)
    yield from _pipeline(inputs, up)
    yield from _experts(inputs, up)
    yield from _memory(inputs, up)


def _sharding(inputs: Any) -> Iterator[Finding]:
    group, ranks = inputs.shard_group, inputs.dp * inputs.cp
    if group is None:
        return
    if inputs.sharding == "none":
        yield split_finding(
            "shard_group.none", "note", "shard_group",
            f"A sharding group of {group} does nothing: nothing is sharded.", "definition",
            (None, "Remove the sharding group"),
        )  # fmt: skip
    elif ranks % group:
        fix = next(d for d in range(min(group, ranks), 0, -1) if ranks % d == 0)
        yield split_finding(
            "shard_group.divides", "blocker", "shard_group",
            f"A sharding group of {group} does not divide the {ranks} ranks that hold the same weights (DP × CP).",
            "PyTorch FSDP: hybrid sharding takes a two-dimensional mesh of ranks",
            (fix, f"Set the sharding group to {fix}"),
        )  # fmt: skip


def _pipeline(inputs: Any, up: Any) -> Iterator[Finding]:
    if not inputs.schedule.startswith("zero_bubble"):
        return
    if inputs.pp == 1:
        yield split_finding(
            "schedule.alone", "note", "schedule", "Zero bubble does nothing without a pipeline.", "definition",
            ("1f1b", "Set the schedule to 1F1B"),
        )  # fmt: skip
        return
    batches = -(-up.inputs("workload").global_batch // (inputs.dp * inputs.micro_batch))
    wanted = 2 * inputs.pp - 1 if inputs.schedule == "zero_bubble_h2" else inputs.pp
    if batches < wanted:
        yield split_finding(
            "schedule.batches", "caution", "schedule",
            f"{'H2' if inputs.schedule == 'zero_bubble_h2' else 'H1'} fills {inputs.pp} stages with {wanted} micro "
            f"batches or more; there are {batches}, so that a bubble is left.",
            "Qi et al. 2024, arXiv 2401.10241",
        )  # fmt: skip


def _experts(inputs: Any, up: Any) -> Iterator[Finding]:
    factor = inputs.capacity_factor
    if factor is None:
        return
    if not up.inputs("workload").shape().experts:
        yield split_finding(
            "capacity.dense", "note", "capacity_factor",
            "A capacity factor does nothing in a dense model.", "definition", (None, "Remove the capacity factor"),
        )  # fmt: skip
    elif factor < inputs.expert_imbalance:
        yield split_finding(
            "capacity.drops", "caution", "capacity_factor",
            f"The fullest expert rank has {inputs.expert_imbalance:g} × the mean, and its buffers hold {factor:g} ×: "
            "what is over is dropped, which can cost quality.",
            "GShard, arXiv 2006.16668; Switch Transformer, arXiv 2101.03961",
            (None, "Compute every row"),
        )  # fmt: skip


def _memory(inputs: Any, up: Any) -> Iterator[Finding]:
    parts = kept_free_figures(inputs)
    if parts["memory_allocator_gb"].number <= 0.0:
        yield split_finding(
            "reserve.small", "caution", "reserve_gb",
            f"{units.text(inputs.reserve_gb, 'gb')} kept free are no more than the CUDA context of "
            f"{units.text(inputs.context_gb, 'gb')} and the buffers of collectives: nothing is left for fragments.",
            "measured: reserved over allocated 0.8 to 12.9 GiB, SimuMax B200 rows",
        )  # fmt: skip
    layers = up.inputs("workload").shape().layers / inputs.pp
    if inputs.offload_layers >= layers:
        most = max(0, math.ceil(layers) - 1)
        yield split_finding(
            "offload.layers", "note", "offload_layers",
            f"{inputs.offload_layers} layers are no fewer than the {layers:.3g} of a stage: all but one are offloaded.",
            "definition", (most, f"Offload {most} layers"),
        )  # fmt: skip
    if inputs.recompute == "full" and inputs.recompute_layers is not None and inputs.recompute_layers > layers:
        yield split_finding(
            "recompute.most", "note", "recompute_layers",
            f"{inputs.recompute_layers} layers are more than the {layers:.3g} of a stage: all of them are recomputed.",
            "Megatron: --recompute-num-layers counts layers of a stage",
            (int(layers), f"Recompute {int(layers)} layers"),
        )  # fmt: skip
    if inputs.recompute_layers is not None and inputs.recompute != "full":
        yield split_finding(
            "recompute.layers", "note", "recompute_layers",
            "A number of layers to recompute counts under full recompute only.", "Megatron: --recompute-num-layers",
            (None, "Recompute no number of layers"),
        )  # fmt: skip
