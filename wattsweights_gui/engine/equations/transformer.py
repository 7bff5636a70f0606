"""Parameters and FLOPs of a transformer from its shape.

Counts follow the published model code; each exact count in ``resources/catalog/hf_configs.json`` is met to the unit.
A forward multiply-add is two FLOPs. Training FLOPs are three times the forward ones (one forward, two backward).
"""

from __future__ import annotations

from dataclasses import dataclass

from wattsweights_gui.engine.declare import equation

ELEMENTS = "counting the weights of each matrix (Vaswani et al. 2017; model code of each architecture)"
FLOPS = "Narayanan et al. 2021, arXiv 2104.04473, appendix; attention halved for causality as Megatron Core counts"


@dataclass(frozen=True, slots=True)
class TransformerShape:
    """A transformer's dimensions; names as in :class:`layers.workload.Shape`."""

    layers: int
    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    ffn: int
    gated: bool = True
    vocab: int = 128256
    tied: bool = False
    experts: int = 0
    top_k: int = 0
    expert_ffn: int = 0
    shared_expert_ffn: int = 0
    first_dense_layers: int = 0
    moe_every: int = 1
    mla: bool = False
    q_lora_rank: int = 0
    kv_lora_rank: int = 0
    qk_nope_head_dim: int = 0
    qk_rope_head_dim: int = 0
    v_head_dim: int = 0
    window: int = 0
    full_every: int = 1
    qkv_bias: bool = False
    out_bias: bool = False
    mlp_bias: bool = False
    qk_norm: bool = False
    qk_norm_width: int = 0
    norms_per_layer: int = 2
    norm_bias: bool = False
    final_norm: bool = True
    embedding_norm: bool = False
    learned_positions: int = 0
    attention_sinks: bool = False
    alibi: bool = False
    router_bias: bool = False
    shared_expert_gate: bool = False
    mtp_layers: int = 0

    @property
    def qk_dim(self) -> int:
        """Width of one query/key head."""
        return self.qk_nope_head_dim + self.qk_rope_head_dim if self.mla else self.head_dim

    @property
    def v_dim(self) -> int:
        """Width of one value head."""
        return self.v_head_dim if self.mla else self.head_dim

    @property
    def moe_layers(self) -> int:
        """Number of layers with routed experts."""
        if self.experts <= 0:
            return 0
        return sum(self.is_moe(i) for i in range(self.layers))

    def is_moe(self, layer: int) -> bool:
        """Return whether a layer (counted from 0) has routed experts."""
        if self.experts <= 0 or layer < self.first_dense_layers:
            return False
        return (layer - self.first_dense_layers + 1) % self.moe_every == 0

    @property
    def windowed_layers(self) -> int:
        """Number of layers whose attention sees a window only; ``full_every`` 1: none, 0: all."""
        if not self.window or self.full_every == 1:
            return 0
        return self.layers - (self.layers // self.full_every if self.full_every else 0)


def _norm(shape: TransformerShape, width: int) -> int:
    return width * (2 if shape.norm_bias else 1)


def attention_params(shape: TransformerShape) -> int:
    """Return the parameters of one layer's attention, norms on queries and keys included."""
    h, a, k = shape.hidden, shape.heads, shape.kv_heads
    if shape.mla:
        qk = shape.qk_dim
        query = (
            h * shape.q_lora_rank + shape.q_lora_rank * a * qk + shape.q_lora_rank if shape.q_lora_rank else h * a * qk
        )
        latent = h * (shape.kv_lora_rank + shape.qk_rope_head_dim) + shape.kv_lora_rank
        up = shape.kv_lora_rank * a * (shape.qk_nope_head_dim + shape.v_head_dim)
        return query + latent + up + a * shape.v_head_dim * h
    d = shape.head_dim
    total: int = h * a * d + 2 * h * k * d + a * d * h
    if shape.qkv_bias:
        total += a * d + 2 * k * d
    if shape.out_bias:
        total += h
    if shape.qk_norm:
        total += shape.qk_norm_width or 2 * d
    if shape.attention_sinks:
        total += a
    return total


def dense_mlp_params(shape: TransformerShape, width: int | None = None) -> int:
    """Return the parameters of a dense MLP of a width (that of the dense layers by default)."""
    f = shape.ffn if width is None else width
    matrices = 3 if shape.gated else 2
    bias = (f * (matrices - 1) + shape.hidden) if shape.mlp_bias else 0
    return matrices * shape.hidden * f + bias


def routed_expert_params(shape: TransformerShape) -> int:
    """Return the parameters of one routed expert."""
    return dense_mlp_params(shape, shape.expert_ffn)


def shared_expert_params(shape: TransformerShape) -> int:
    """Return the parameters that every token uses beside the routed experts of a layer: shared experts, router."""
    shared = dense_mlp_params(shape, shape.shared_expert_ffn) if shape.shared_expert_ffn else 0
    gate = shape.hidden if shape.shared_expert_gate and shape.shared_expert_ffn else 0
    router = shape.hidden * shape.experts + (shape.experts if shape.router_bias else 0)
    return shared + gate + router


def layer_params(shape: TransformerShape, moe: bool) -> int:
    """Return all parameters of one layer."""
    norms = shape.norms_per_layer * _norm(shape, shape.hidden)
    if not moe:
        return attention_params(shape) + dense_mlp_params(shape) + norms
    return attention_params(shape) + norms + shape.experts * routed_expert_params(shape) + shared_expert_params(shape)


def active_layer_params(shape: TransformerShape, moe: bool) -> int:
    """Return the parameters of one layer that one token uses."""
    if not moe:
        return layer_params(shape, moe=False)
    return layer_params(shape, moe=True) - (shape.experts - shape.top_k) * routed_expert_params(shape)


def embedding_params(shape: TransformerShape) -> int:
    """Return the parameters of the input table and learned positions."""
    return shape.vocab * shape.hidden + shape.learned_positions * shape.hidden


def head_params(shape: TransformerShape) -> int:
    """Return the parameters of the output head of its own: none where the tables are tied."""
    return 0 if shape.tied else shape.vocab * shape.hidden


def loose_norm_params(shape: TransformerShape) -> int:
    """Return the parameters of the norms outside the layers."""
    return (int(shape.final_norm) + int(shape.embedding_norm)) * _norm(shape, shape.hidden)


@equation("L layers + embeddings + head + norms", "params", ELEMENTS)
def total_params(shape: TransformerShape) -> int:
    """Return all parameters; multi-token prediction layers are left out, as publishers do."""
    moe = shape.moe_layers
    return (
        moe * (layer_params(shape, moe=True) if moe else 0)
        + (shape.layers - moe) * layer_params(shape, moe=False)
        + embedding_params(shape)
        + head_params(shape)
        + loose_norm_params(shape)
    )


@equation("total - (experts - active experts) in each MoE layer", "params", ELEMENTS)
def active_params(shape: TransformerShape) -> int:
    """Return the parameters that one token uses, the input table counted once."""
    total: int = total_params(shape)
    return total - shape.moe_layers * (shape.experts - shape.top_k) * routed_expert_params(shape)


def active_params_no_input(shape: TransformerShape) -> int:
    """Return the parameters that one token multiplies with: the input table is looked up, not multiplied.

    A tied table multiplies once, as the output head.
    """
    table = embedding_params(shape)
    active: int = active_params(shape)
    return active - (shape.learned_positions * shape.hidden if shape.tied else table)


def mtp_params(shape: TransformerShape) -> int:
    """Return the parameters of the multi-token prediction layers: a block, a 2h x h projection and 3 norms each."""
    moe = shape.experts > 0
    each = layer_params(shape, moe) + 2 * shape.hidden * shape.hidden + 3 * shape.hidden
    return shape.mtp_layers * each


# ------------------------------------------------------------------------------------------------------------- FLOPs


def matmul_params_per_layer(shape: TransformerShape, moe: bool) -> int:
    """Return the weights of one layer that one token multiplies with: norms, biases and sinks left out."""
    h, a, k = shape.hidden, shape.heads, shape.kv_heads
    if shape.mla:
        qk = shape.qk_dim
        query = h * shape.q_lora_rank + shape.q_lora_rank * a * qk if shape.q_lora_rank else h * a * qk
        attention = (
            query
            + h * (shape.kv_lora_rank + shape.qk_rope_head_dim)
            + shape.kv_lora_rank * a * (shape.qk_nope_head_dim + shape.v_head_dim)
            + a * shape.v_head_dim * h
        )
    else:
        attention = h * shape.head_dim * (a + 2 * k) + a * shape.head_dim * h
    matrices = 3 if shape.gated else 2
    if moe:
        return attention + matrices * h * (shape.top_k * shape.expert_ffn + shape.shared_expert_ffn) + h * shape.experts
    return attention + matrices * h * shape.ffn


def linear_flops_per_token(shape: TransformerShape) -> float:
    """Return the forward FLOPs of one token in the layers' matrices, the head left out."""
    moe = shape.moe_layers
    weights = (shape.layers - moe) * matmul_params_per_layer(shape, moe=False)
    if moe:
        weights += moe * matmul_params_per_layer(shape, moe=True)
    return 2.0 * weights


def attention_flops_per_token(shape: TransformerShape, seq_len: float, causal: bool = True) -> float:
    """Return the forward FLOPs of one token's attention scores and values over all layers.

    A windowed layer sees ``min(window, s)`` tokens; causal attention does half of the full square.
    """
    each = 2.0 * shape.heads * (shape.qk_dim + shape.v_dim)
    full = seq_len * (0.5 if causal else 1.0)
    seen = min(float(shape.window), seq_len) if shape.window else seq_len
    # a causal window of w: w tokens for all but the first w queries
    windowed = seen - seen * seen / (2.0 * seq_len) if causal else seen
    w = shape.windowed_layers
    return each * ((shape.layers - w) * full + w * windowed)


def head_flops_per_token(shape: TransformerShape) -> float:
    """Return the forward FLOPs of one token in the output head."""
    return 2.0 * shape.vocab * shape.hidden


def mtp_flops_per_token(shape: TransformerShape, seq_len: float, causal: bool = True) -> float:
    """Return the forward FLOPs of one token in the multi-token prediction layers, their head included."""
    if not shape.mtp_layers:
        return 0.0
    block = 2.0 * (matmul_params_per_layer(shape, moe=shape.experts > 0) + 2 * shape.hidden * shape.hidden)
    attention = attention_flops_per_token(shape, seq_len, causal) / shape.layers
    return shape.mtp_layers * (block + attention + head_flops_per_token(shape))


@equation("3 × (2 × weights that multiply + attention + head)", "flop_token", FLOPS)
def model_flops_per_token(shape: TransformerShape, seq_len: float, causal: bool = True) -> float:
    """Return the model FLOPs of one token in training: forward and backward, no recompute, MTP layers included."""
    forward = (
        linear_flops_per_token(shape)
        + attention_flops_per_token(shape, seq_len, causal)
        + head_flops_per_token(shape)
        + mtp_flops_per_token(shape, seq_len, causal)
    )
    return 3.0 * forward


def full_recompute_flops_per_token(shape: TransformerShape, seq_len: float, causal: bool = True) -> float:
    """Return the extra FLOPs of one token when every layer's forward pass is done again in the backward pass."""
    return linear_flops_per_token(shape) + attention_flops_per_token(shape, seq_len, causal)
