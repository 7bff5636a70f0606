"""What one transformer block is made of, as memory and time need it: its matrices and its token widths."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from wattsweights_gui.engine.equations import transformer
from wattsweights_gui.engine.equations.layouts import Array
from wattsweights_gui.engine.equations.transformer import TransformerShape

WHOLE, COLUMNS, ROWS = 0, 1, 2


@dataclass(frozen=True, eq=False)
class Matrices:
    """Matrices that multiply every token once: outputs n, inputs k, and how tensor parallelism cuts each.

    Attributes:
        n, k: widths as columns (one row a matrix).
        cut_n, cut_k: 1 where that width is divided over the tensor-parallel group.
    """

    n: Array
    k: Array
    cut_n: Array
    cut_k: Array

    @classmethod
    def of(cls, rows: list[tuple[float, float, int]]) -> Matrices:
        """Build from (outputs, inputs, cut) rows."""
        return cls(
            _column([r[0] for r in rows]),
            _column([r[1] for r in rows]),
            _column([float(r[2] == COLUMNS) for r in rows]),
            _column([float(r[2] == ROWS) for r in rows]),
        )

    @property
    def params(self) -> float:
        """Parameters of all matrices, uncut."""
        return float((self.n * self.k).sum())

    @property
    def cut_params(self) -> float:
        """Parameters of the matrices that tensor parallelism divides."""
        return float((self.n * self.k * np.maximum(self.cut_n, self.cut_k)).sum())


def _column(values: list[float]) -> Array:
    return np.asarray(values, dtype=np.float64).reshape(-1, 1)


@dataclass(frozen=True, eq=False)
class Blocks:
    """A model's blocks.

    Attributes:
        hidden, vocab: widths.
        dense_layers, moe_layers, mtp_layers: how many of each (multi-token prediction layers on top);
        lead_dense_layers: dense ones before the first mixture of experts.
        attention, mlp, shared, router, expert: matrices of one block (of one expert).
        heads, kv_heads: attention heads; qk_dim, v_dim: widths of a head.
        q_width, kv_width, out_width: token widths of queries, of keys plus values, and of the output.
        latent_width: token width of the low-rank latents (MLA), 0 without.
        ffn, shared_ffn, expert_ffn: inner widths; gates: matrices in (2 gated, 1 not).
        experts, top_k: routed experts and how many a token uses; 0 in a dense model.
        window, windowed_share: tokens that a windowed layer sees, and the share of such layers.
        small_params: norms and biases of one block's attention; mlp_small, shared_small, expert_small: biases and gates
            of its MLP, of what all tokens use of a mixture, and of one expert. norms: how many norms it has.
        loose_params: norms outside the blocks.
        embedding_params: input table and learned positions; head_params: output table (0 where it is the input table).
        mtp_params: of all multi-token prediction layers.
    """

    hidden: float
    vocab: float
    dense_layers: int
    lead_dense_layers: int
    moe_layers: int
    mtp_layers: int
    attention: Matrices
    mlp: Matrices
    shared: Matrices
    router: Matrices
    expert: Matrices
    heads: float
    kv_heads: float
    qk_dim: float
    v_dim: float
    q_width: float
    kv_width: float
    out_width: float
    latent_width: float
    ffn: float
    shared_ffn: float
    expert_ffn: float
    gates: float
    experts: int
    top_k: int
    window: float
    windowed_share: float
    small_params: float
    mlp_small: float
    shared_small: float
    expert_small: float
    loose_params: float
    norms: float
    embedding_params: float
    head_params: float
    mtp_params: float
    tied: bool

    @property
    def layers(self) -> int:
        """Blocks, the multi-token prediction layers left out."""
        return self.dense_layers + self.moe_layers

    @property
    def expert_params(self) -> float:
        """Parameters of all routed experts of one block."""
        return self.experts * (self.expert.params + self.expert_small)

    @property
    def total_params(self) -> float:
        """All parameters, the multi-token prediction layers left out."""
        block = self.attention.params + self.small_params
        dense = self.dense_layers * (block + self.mlp.params + self.mlp_small)
        shared = self.shared.params + self.router.params + self.shared_small
        moe = self.moe_layers * (block + self.expert_params + shared)
        return dense + moe + self.embedding_params + self.head_params + self.loose_params

    def score_pairs(self, seq_len: float, causal: bool = True) -> float:
        """Return the query-key pairs of one sequence and head that a kernel computes, averaged over the layers."""
        full = seq_len * seq_len * (0.5 if causal else 1.0)
        if not self.windowed_share:
            return full
        width = min(self.window, seq_len)
        seen = seq_len * width * (1.0 - 0.5 * width / seq_len if causal else 1.0)
        return (1.0 - self.windowed_share) * full + self.windowed_share * min(seen, full)


@lru_cache(maxsize=64)
def blocks_of(shape: TransformerShape) -> Blocks:
    """Return the blocks of a transformer shape; cached by its value."""
    h = float(shape.hidden)
    heads, kv = float(shape.heads), float(shape.kv_heads)
    qk, value = float(shape.qk_dim), float(shape.v_dim)
    if shape.mla:
        nope, rope = float(shape.qk_nope_head_dim), float(shape.qk_rope_head_dim)
        rank, q_rank = float(shape.kv_lora_rank), float(shape.q_lora_rank)
        rows = [(q_rank, h, WHOLE), (heads * qk, q_rank, COLUMNS)] if q_rank else [(heads * qk, h, COLUMNS)]
        rows += [(rank + rope, h, WHOLE), (heads * (nope + value), rank, COLUMNS), (h, heads * value, ROWS)]
        latent, kv = q_rank + rank + rope, heads
    else:
        rows = [(heads * qk + 2 * kv * qk, h, COLUMNS), (h, heads * qk, ROWS)]
        latent = 0.0
    gates = 2.0 if shape.gated else 1.0

    def mlp(width: float) -> Matrices:
        return Matrices.of([(gates * width, h, COLUMNS), (h, width, ROWS)] if width else [])

    moe = shape.experts > 0
    attention = Matrices.of(rows)
    dense_mlp = mlp(float(shape.ffn)) if shape.moe_layers < shape.layers else Matrices.of([])
    shared = mlp(float(shape.shared_expert_ffn) if moe else 0.0)
    router = Matrices.of([(float(shape.experts), h, WHOLE)] if moe else [])
    expert = mlp(float(shape.expert_ffn) if moe else 0.0)
    return Blocks(
        hidden=h,
        vocab=float(shape.vocab),
        dense_layers=shape.layers - shape.moe_layers,
        lead_dense_layers=min(shape.first_dense_layers, shape.layers) if moe else 0,
        moe_layers=shape.moe_layers,
        mtp_layers=shape.mtp_layers,
        attention=attention,
        mlp=dense_mlp,
        shared=shared,
        router=router,
        expert=expert,
        heads=heads,
        kv_heads=kv,
        qk_dim=qk,
        v_dim=value,
        q_width=heads * qk,
        kv_width=kv * (qk + value),
        out_width=heads * value,
        latent_width=latent,
        ffn=float(shape.ffn) if shape.moe_layers < shape.layers else 0.0,
        shared_ffn=float(shape.shared_expert_ffn) if moe else 0.0,
        expert_ffn=float(shape.expert_ffn) if moe else 0.0,
        gates=gates,
        experts=shape.experts,
        top_k=shape.top_k if moe else 0,
        window=float(shape.window),
        windowed_share=shape.windowed_layers / shape.layers,
        small_params=transformer.attention_params(shape)
        - attention.params
        + shape.norms_per_layer * h * (2.0 if shape.norm_bias else 1.0),
        mlp_small=transformer.dense_mlp_params(shape) - dense_mlp.params if shape.moe_layers < shape.layers else 0.0,
        shared_small=transformer.shared_expert_params(shape) - shared.params - router.params if moe else 0.0,
        expert_small=transformer.routed_expert_params(shape) - expert.params if moe else 0.0,
        loose_params=float(transformer.loose_norm_params(shape)),
        norms=float(shape.norms_per_layer),
        embedding_params=float(transformer.embedding_params(shape)),
        head_params=float(transformer.head_params(shape)),
        mtp_params=float(transformer.mtp_params(shape)),
        tied=shape.tied,
    )
