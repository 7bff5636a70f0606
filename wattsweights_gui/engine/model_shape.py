"""How a model is given: by its shape, or by its size alone."""

from __future__ import annotations

import dataclasses
from typing import Literal

from pydantic import model_validator

from wattsweights_gui.engine.declare import Branch, setting
from wattsweights_gui.engine.equations.transformer import TransformerShape


class Shape(Branch):
    """A transformer given by its shape."""

    branch_title = "A model of this shape"
    kind: Literal["shape"] = "shape"
    name: str = setting("", title="Name", help="Name of the model, for headings.")
    layers: int = setting(
        126, title="Layers", help="Transformer blocks.", source="Llama 3.1 405B", group="Shape", hard=(1, 2000)
    )
    hidden: int = setting(
        16384, title="Hidden size", help="Model width.", source="Llama 3.1 405B", group="Shape", hard=(16, 262144)
    )
    heads: int = setting(
        128,
        title="Query heads",
        help="Attention heads of a layer.",
        source="Llama 3.1 405B",
        group="Attention",
        hard=(1, 4096),
    )
    kv_heads: int = setting(
        8,
        title="Key/value heads",
        help="Equal to the query heads for multi-head attention, fewer for grouped-query attention.",
        source="Llama 3.1 405B",
        group="Attention",
        hard=(1, 4096),
    )
    head_dim: int | None = setting(
        None,
        title="Head width",
        help="Width of one head.",
        group="Attention",
        hard=(1, 4096),
        when_none="hidden size over heads",
    )
    ffn: int = setting(
        53248,
        title="FFN width",
        help="Inner width of a dense layer's MLP.",
        source="Llama 3.1 405B",
        group="Shape",
        hard=(1, 1048576),
    )
    gated: bool = setting(
        True,
        title="Gated MLP",
        help="Three matrices (SwiGLU, GeGLU) instead of two.",
        source="Llama 3.1 405B",
        group="Shape",
    )
    vocab: int = setting(
        128256,
        title="Vocabulary",
        help="Rows of the token table.",
        source="Llama 3.1 405B",
        group="Shape",
        hard=(1, 10000000),
    )
    tied: bool = setting(
        False, title="Tied embeddings", help="Input and output share one table.", source="Llama 3.1 405B", group="Shape"
    )
    experts: int = setting(
        0,
        title="Routed experts",
        help="Experts a layer; 0 for a dense model.",
        source="dense",
        group="Mixture of experts",
        hard=(0, 65536),
    )
    top_k: int = setting(
        0,
        title="Active experts",
        help="Routed experts that one token uses.",
        source="dense",
        group="Mixture of experts",
        hard=(0, 65536),
    )
    expert_ffn: int = setting(
        0,
        title="Expert FFN width",
        help="Inner width of one routed expert.",
        source="dense",
        group="Mixture of experts",
        hard=(0, 1048576),
    )
    shared_expert_ffn: int = setting(
        0,
        title="Shared expert FFN width",
        help="Total inner width of the experts that every token uses.",
        source="dense",
        group="Mixture of experts",
        hard=(0, 1048576),
    )
    shared_expert_gate: bool = setting(
        False,
        title="Gate on the shared expert",
        help="One weight a hidden dimension that scales the shared expert (Qwen2 MoE).",
        source="off",
        group="Mixture of experts",
    )
    first_dense_layers: int = setting(
        0,
        title="First dense layers",
        help="Leading layers with a dense MLP.",
        source="dense",
        group="Mixture of experts",
        hard=(0, 2000),
    )
    moe_every: int = setting(
        1,
        title="MoE every n-th layer",
        help="1: every layer after the dense ones is a mixture of experts.",
        source="DeepSeek-V3",
        group="Mixture of experts",
        hard=(1, 2000),
    )
    mla: bool = setting(
        False,
        title="Multi-head latent attention",
        help="Keys and values through a low-rank latent (DeepSeek).",
        source="off",
        group="Latent attention",
    )
    q_lora_rank: int = setting(
        0,
        title="Query rank",
        help="0: queries are projected directly.",
        source="off",
        group="Latent attention",
        hard=(0, 65536),
    )
    kv_lora_rank: int = setting(
        0, title="Key/value rank", help="Width of the latent.", source="off", group="Latent attention", hard=(0, 65536)
    )
    qk_nope_head_dim: int = setting(
        0,
        title="Head width without rotary",
        help="Part of a query/key head without position.",
        source="off",
        group="Latent attention",
        hard=(0, 4096),
    )
    qk_rope_head_dim: int = setting(
        0,
        title="Head width with rotary",
        help="Part of a query/key head with position.",
        source="off",
        group="Latent attention",
        hard=(0, 4096),
    )
    v_head_dim: int = setting(
        0,
        title="Value head width",
        help="Width of a value head.",
        source="off",
        group="Latent attention",
        hard=(0, 4096),
    )
    window: int = setting(
        0,
        title="Attention window",
        help="Tokens that a windowed layer sees; 0: all layers see all.",
        source="off",
        group="Attention",
        hard=(0, 100000000),
    )
    full_every: int = setting(
        1,
        title="Full attention every n-th layer",
        help="1: no layer is windowed; 0: all are; 2: every second is.",
        source="off",
        group="Attention",
        hard=(0, 2000),
    )
    qkv_bias: bool = setting(
        False,
        title="Bias on Q, K, V",
        help="Bias terms of the attention input projections.",
        source="off",
        group="Biases",
    )
    out_bias: bool = setting(
        False, title="Bias on the output", help="Bias of the attention output projection.", source="off", group="Biases"
    )
    mlp_bias: bool = setting(
        False, title="Bias on the MLP", help="Bias terms of the MLP.", source="off", group="Biases"
    )
    router_bias: bool = setting(
        False, title="Bias on the router", help="Bias of the expert router.", source="off", group="Biases"
    )
    attention_sinks: bool = setting(
        False, title="Attention sinks", help="One learned sink a head (gpt-oss).", source="off", group="Biases"
    )
    alibi: bool = setting(
        False,
        title="ALiBi position bias",
        help="A bias of distance is added to the scores (MPT, BLOOM); attention kernels that add it are slower.",
        source="off",
        group="Attention",
    )
    norms_per_layer: int = setting(
        2,
        title="Norms a layer",
        help="2, or 4 with norms after the blocks too.",
        source="Llama 3.1 405B",
        group="Norms and positions",
        hard=(0, 8),
    )
    norm_bias: bool = setting(
        False,
        title="Norm bias",
        help="LayerNorm has a bias, RMSNorm has none.",
        source="off",
        group="Norms and positions",
    )
    embedding_norm: bool = setting(
        False,
        title="Norm after the embedding",
        help="A norm on the input embeddings (BLOOM).",
        source="off",
        group="Norms and positions",
    )
    qk_norm: bool = setting(
        False,
        title="Q/K norms",
        help="A norm on each query and key head.",
        source="off",
        group="Norms and positions",
    )
    qk_norm_width: int = setting(
        0,
        title="Q/K norm weights",
        help="Weights of both norms of a layer; 0: two head widths.",
        source="off",
        group="Norms and positions",
        hard=(0, 1048576),
    )
    learned_positions: int = setting(
        0,
        title="Learned positions",
        help="Rows of a learned position table; 0 for rotary.",
        source="off",
        group="Norms and positions",
        hard=(0, 100000000),
    )
    mtp_layers: int = setting(
        0,
        title="Multi-token prediction layers",
        help="Extra next-token layers that are trained.",
        source="off",
        group="Norms and positions",
        hard=(0, 64),
    )

    @model_validator(mode="after")
    def _fits_together(self) -> Shape:
        if self.mla:
            if not (self.kv_lora_rank and self.qk_nope_head_dim and self.v_head_dim):
                raise ValueError(
                    "latent attention needs a key/value rank, a head width and a value head width above 0."
                )
        elif self.heads % self.kv_heads:
            raise ValueError(
                f"{self.heads} query heads cannot share {self.kv_heads} key/value heads: the number of key/value heads "
                "must divide the number of query heads."
            )
        if self.experts:
            if not 1 <= self.top_k <= self.experts:
                raise ValueError(
                    f"{self.top_k} active experts of {self.experts}: active experts are from 1 to {self.experts}."
                )
            if not self.expert_ffn:
                raise ValueError("a mixture of experts needs an expert FFN width above 0.")
            if self.first_dense_layers > self.layers:
                raise ValueError(
                    f"{self.first_dense_layers} dense layers first, but there are only {self.layers} layers."
                )
        if not self.mla and self.head_dim is None and self.hidden % self.heads:
            raise ValueError(
                f"{self.heads} heads do not divide a hidden size of {self.hidden}: give the head width, or a number of "
                "heads that divides."
            )
        return self

    def resolved(self) -> TransformerShape:
        """Return the dimensions with nothing left empty."""
        given = {name: getattr(self, name) for name in _DIMENSIONS}
        return TransformerShape(head_dim=self.head_dim or self.hidden // self.heads, **given)


_DIMENSIONS = tuple(
    f.name for f in dataclasses.fields(TransformerShape) if f.name in Shape.model_fields and f.name != "head_dim"
)


class Size(Branch):
    """A number of parameters, from which a standard shape is proposed."""

    branch_title = "About this many parameters"
    kind: Literal["size"] = "size"
    params_b: float = setting(
        1000.0,
        title="Parameters",
        unit="params_b",
        help="Billions of parameters; a standard dense shape is proposed.",
        source="the customer's 1T question",
        hard=(0.001, 1000000),
        usual=(0.1, 20000),
    )
