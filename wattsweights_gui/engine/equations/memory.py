"""Memory of one GPU by part, on the fullest pipeline stage: states by recipe and sharding, and a ledger of activations.

Activations follow the tensors that the backward pass needs (Korthikanti et al. 2022, arXiv 2205.05198, generalised to
grouped queries, gated MLPs, latent attention and experts).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wattsweights_gui.engine.equations.job import LOW_PRECISION, Job, Recipe
from wattsweights_gui.engine.equations.layouts import Array, Layouts
from wattsweights_gui.engine.equations.stages import Stages, stages_of

SOURCE = "Korthikanti et al. 2022, arXiv 2205.05198, per tensor; Megatron Core documentation, bytes a parameter"
GIB = 2.0**30
KEPT_16 = 2.0
SOFTMAX_STATISTICS = 4.0
SCORE_BYTES = 5.0
"""Of one score that passes through memory: the score, its softmax and the mask of dropout (Korthikanti et al. 2022)."""
GATHERED_UNITS = 2.0
LOGIT_BYTES, COMPILED_LOGIT_BYTES, LOOSE_LOGIT_BYTES = 6.0, 10.0, 12.0
"""Logits in 16 bits, their gradient in 32; with no fused loss also a 32-bit copy, with no compiler also its softmax."""
KEPT_OF_OPERATORS = 0.55
"""Share of a layer's tensors that per-operator checkpointing of every second matrix keeps."""


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes on the fullest GPU, by part; ``stage`` says which stage that is (0 first, 1 middle, 2 last).

    ``logits`` also stands for what comes after them: the gradients of a layer's inner tensors, where these are more.
    """

    weights: Array
    gradients: Array
    optimizer: Array
    activations: Array
    logits: Array
    buffers: Array
    stage: Array

    @property
    def states(self) -> Array:
        """Weights, gradients and optimizer."""
        return self.weights + self.gradients + self.optimizer

    @property
    def total(self) -> Array:
        """All parts."""
        return self.states + self.activations + self.logits + self.buffers


@dataclass(frozen=True, slots=True)
class LocalParams:
    """Parameters that one GPU of each stage (rows) holds before any sharding over data-parallel ranks."""

    shared: Array
    experts: Array
    shared_ranks: Array
    expert_ranks: Array
    unit: Array


def local_params(job: Job, layouts: Layouts, stages: Stages) -> LocalParams:
    """Return parameters a GPU: those all data-parallel ranks repeat, and those of its experts."""
    b, t = job.blocks, layouts.tp
    attention = b.attention.cut_params / t + (b.attention.params - b.attention.cut_params) + b.small_params
    dense = attention + b.mlp.params / t + b.mlp_small
    mixed = attention + b.shared.params / t + b.router.params + b.shared_small
    expert = b.expert_params / (layouts.ep * layouts.etp)
    table, head = b.embedding_params / t, (b.head_params or b.embedding_params) / t
    again = np.where(layouts.pp > 1.0, 1.0, 0.0) if b.tied else 1.0
    extra_expert = b.mtp_layers * (expert if b.experts else 0.0)
    extra_shared = (b.mtp_params - b.mtp_layers * b.expert_params) / t if b.mtp_layers else 0.0
    shared = stages.dense * dense + stages.moe * mixed + stages.inputs * table
    shared = shared + stages.heads * (head * again + b.loose_params + extra_shared)
    ranks = layouts.dp * layouts.cp
    group = np.where(layouts.shard_group > 0.0, np.minimum(layouts.shard_group, ranks), ranks)
    expert_ranks = np.maximum(1.0, layouts.tp * ranks / (layouts.ep * layouts.etp))
    unit = np.maximum(dense, mixed + expert) if b.moe_layers else dense
    return LocalParams(shared, stages.moe * expert + stages.heads * extra_expert, group, expert_ranks, unit)


def activation_bytes_a_layer(job: Job, layouts: Layouts) -> tuple[Array, Array, Array]:
    """Return the bytes that one dense layer, one MoE layer and a layer boundary keep for one micro batch."""
    b, t = job.blocks, layouts.tp
    tokens = layouts.micro_batch * job.seq_len / layouts.cp
    along = np.where(layouts.sequence_parallel > 0.0, t, 1.0)
    parts = job.recompute_parts
    low = 1.0 if job.precision in LOW_PRECISION and job.keeps_low else KEPT_16
    norm_out = 0.0 if "layernorm" in parts else low
    masks = 2.0 if job.dropout else 0.0
    block_inputs = 2.0 * KEPT_16 * b.hidden + masks * b.hidden
    kernel = b.q_width + b.kv_width
    if b.latent_width and "mla_up_proj" in parts:
        kernel = 0.0
    heads = b.heads * SOFTMAX_STATISTICS if job.fused_attention else 0.0
    attention = (
        (block_inputs + norm_out * b.hidden) / along
        + KEPT_16 * b.latent_width
        + (KEPT_16 * kernel + KEPT_16 * b.out_width + heads) / t
    )
    if not job.fused_attention:
        keep = np.where(layouts.recompute == 0.0, 1.0, 0.0)
        attention = attention + keep * SCORE_BYTES * b.heads * job.seq_len / t

    def inner(width: float, parts_kept: float) -> float:
        return (KEPT_16 * b.gates + parts_kept) * width

    activated = 0.0 if "moe_act" in parts else low
    mlp = 0.0 if "mlp" in parts else inner(b.ffn, low)
    dense = attention + norm_out * b.hidden / along + mlp / t
    mixed = dense
    if b.moe_layers:
        sent = b.top_k * layouts.etp / t * job.imbalance
        routed = sent * (low * b.hidden + inner(b.expert_ffn, activated) + KEPT_16 * b.hidden)
        shared = 0.0 if "mlp" in parts else inner(b.shared_ffn, activated) / t
        mixed = attention + norm_out * b.hidden / along + routed + shared + 2.0 * SOFTMAX_STATISTICS * b.experts / along
    boundary = KEPT_16 * b.hidden / along * tokens
    return dense * tokens, mixed * tokens, boundary


@dataclass(frozen=True, slots=True)
class Ledger:
    """What a layout keeps on each stage (rows) before the recipe says how many bytes a parameter takes."""

    params: LocalParams
    kept: Array
    logits: Array
    exists: Array


def ledger(job: Job, layouts: Layouts, stages: Stages | None = None) -> Ledger:
    """Return the parameters and the bytes of activations of each stage."""
    stages = stages or stages_of(job, layouts)
    b = job.blocks
    dense, mixed, boundary = activation_bytes_a_layer(job, layouts)
    layers = stages.dense + stages.moe
    per_layer = stages.dense * dense + stages.moe * mixed
    if job.offload_layers:
        some = np.maximum(layers, 1.0)
        per_layer = per_layer * np.maximum(1.0 - job.offload_layers / some, 1.0 / some)
    if job.recompute_matmuls:
        per_layer = per_layer * np.where(layouts.recompute == 1.0, KEPT_OF_OPERATORS, 1.0)
    work = np.maximum(np.where(stages.moe > 0, mixed, 0.0), np.where(stages.dense > 0, dense, 0.0))
    tokens = layouts.micro_batch * job.seq_len / layouts.cp
    # scores that are not kept are there again while the backward pass is in their layer
    scores = 0.0 if job.fused_attention else SCORE_BYTES * b.heads * job.seq_len / layouts.tp * tokens
    work = work + scores
    # under full recompute one layer at a time has its tensors back, and their gradients beside them
    full = layouts.recompute >= 2.0
    again = np.where(layouts.recompute_layers > 0.0, np.minimum(layouts.recompute_layers, layers), layers)
    whole = per_layer * (1.0 - again / np.maximum(layers, 1.0))
    casts = 1.0 if job.precision in LOW_PRECISION and not job.keeps_low else 0.0
    worked = (2.0 + casts) * work
    kept = stages.in_flight * np.where(full, again * boundary + whole, per_layer) + np.where(full, worked, 0.0)
    if b.mtp_layers:
        kept = kept + stages.heads * b.mtp_layers * np.where(full, boundary, mixed if b.moe_layers else dense)
    each = LOGIT_BYTES
    if not job.fused_loss and job.fused_attention:
        each = COMPILED_LOGIT_BYTES if job.compiled else LOOSE_LOGIT_BYTES
    logits = stages.heads * (1 + b.mtp_layers) * tokens * (b.vocab * each / layouts.tp + KEPT_16 * b.hidden)
    if job.trains_weights and job.fused_attention:
        # the gradient of a table is made whole before it is added to the main gradient
        logits = logits + np.maximum(stages.heads, stages.inputs) * KEPT_16 * b.vocab * b.hidden / layouts.tp
    # after the logits come the gradients of one layer's inner tensors; the larger of both is held
    inner = KEPT_16 * (b.gates + 1.0) * tokens
    grown = inner * b.ffn / layouts.tp * (stages.dense > 0)
    if b.moe_layers:
        routed = b.top_k * b.expert_ffn * job.imbalance * layouts.etp + b.shared_ffn
        grown = np.maximum(grown, inner * routed / layouts.tp * (stages.moe > 0))
    grown = grown + np.where(layouts.recompute == 1.0, scores, 0.0)
    logits = np.where(full, logits, np.maximum(grown, logits))
    return Ledger(local_params(job, layouts, stages), kept, logits, stages.exists)


def states(
    job: Job, layouts: Layouts, params: LocalParams, recipe: Recipe | None = None
) -> tuple[Array, Array, Array, Array]:
    """Return the bytes of weights, gradients, optimizer and gathered buffers of each stage."""
    r = recipe or job.recipe
    everything = params.shared + params.experts
    spread = params.shared / params.shared_ranks + params.experts / params.expert_ranks
    level = layouts.sharding
    trained = 1.0 if job.trains_weights else 0.0
    weights = (r.weights + r.extra) * np.where(level >= 3.0, spread, everything)
    gradients = trained * r.gradients * np.where(level >= 2.0, spread, everything)
    optimizer = _on_gpu(job, r) * np.where(level >= 1.0, spread, everything)
    if not np.any(level >= 3.0):
        return weights, gradients, optimizer, np.zeros_like(everything)
    gathered = gathered_bytes(layouts, params, r, trained)
    return weights, gradients, optimizer, gathered


def _on_gpu(job: Job, recipe: Recipe) -> float:
    """Return the bytes a parameter of master copy and moments that the GPU holds."""
    return recipe.master + recipe.moments if job.trains_weights and not job.offload_optimizer else 0.0


def total_bytes(job: Job, layouts: Layouts, entries: Ledger, recipe: Recipe | None = None) -> Array:
    """Return the bytes on the fullest GPU of each layout: the sum of :func:`states` and the ledger in fewer passes."""
    r, p = recipe or job.recipe, entries.params
    trained = 1.0 if job.trains_weights else 0.0
    level = layouts.sharding
    z1, z2, z3 = level >= 1.0, level >= 2.0, level >= 3.0
    held, summed, updated = r.weights + r.extra, trained * r.gradients, _on_gpu(job, r)
    whole = held * ~z3 + summed * ~z2 + updated * ~z1
    spread = held * z3 + summed * z2 + updated * z1
    everything = p.shared + p.experts
    every = whole * everything + spread * (p.shared / p.shared_ranks + p.experts / p.expert_ranks)
    every = every + (entries.kept + entries.logits)
    if z3.any():
        every = every + gathered_bytes(layouts, p, r, trained)
    fullest: Array = np.max(every * entries.exists, axis=-2)
    return fullest


def gathered_bytes(layouts: Layouts, params: LocalParams, recipe: Recipe, trained: float) -> Array:
    """Return what full sharding gathers: a layer at a time, in a pipeline also its whole stage between batches."""
    stage = (params.shared + params.experts) * (recipe.weights + trained * recipe.gradients)
    layer = params.unit * (GATHERED_UNITS * recipe.weights + recipe.gradients)
    gathered: Array = np.where(layouts.sharding >= 3.0, layer + np.where(layouts.pp > 1.0, stage, 0.0), 0.0)
    return gathered


def memory(job: Job, layouts: Layouts, stages: Stages | None = None) -> Memory:
    """Return the memory of the fullest GPU by part, in bytes, without what is kept free."""
    entries = ledger(job, layouts, stages)
    weights, gradients, optimizer, gathered = states(job, layouts, entries.params)
    every = weights + gradients + optimizer + gathered + entries.kept + entries.logits
    total = np.where(entries.exists > 0, every, 0.0)
    worst = np.argmax(total, axis=0)
    column = np.arange(len(layouts))

    def of_worst(part: Array) -> Array:
        picked: Array = part[worst, column]
        return picked

    return Memory(
        of_worst(weights),
        of_worst(gradients),
        of_worst(optimizer),
        of_worst(entries.kept),
        of_worst(entries.logits),
        of_worst(gathered),
        worst.astype(np.float64),
    )
