"""Model: what is to be trained: its shape, its bytes and its work"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Discriminator

from wattsweights_gui.engine.declare import (
    Branch,
    Figure,
    LayerInputs,
    LayerResult,
    Sized,
    result,
    results,
    setting,
    unknown,
)

NAME = "workload"
TITLE = "Model"
ABOUT = "what is to be trained: its shape, its bytes and its work"


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
        help="1: no layer is windowed.",
        source="off",
        group="Attention",
        hard=(1, 2000),
    )
    qkv_bias: bool = setting(
        False,
        title="Bias on Q, K, V",
        help="Bias terms of the attention input projections.",
        source="off",
        group="Details",
    )
    out_bias: bool = setting(
        False,
        title="Bias elsewhere",
        help="Bias terms of the output projection and the MLP.",
        source="off",
        group="Details",
    )
    qk_norm: bool = setting(
        False, title="Q/K norms", help="A norm on each query and key head.", source="off", group="Details"
    )
    norms_per_layer: int = setting(
        2,
        title="Norms a layer",
        help="2, or 4 with norms after the blocks too.",
        source="Llama 3.1 405B",
        group="Details",
        hard=(0, 8),
    )
    norm_bias: bool = setting(
        False, title="Norm bias", help="LayerNorm has a bias, RMSNorm has none.", source="off", group="Details"
    )
    learned_positions: int = setting(
        0,
        title="Learned positions",
        help="Rows of a learned position table; 0 for rotary.",
        source="off",
        group="Details",
        hard=(0, 100000000),
    )
    mtp_layers: int = setting(
        0,
        title="Multi-token prediction layers",
        help="Extra next-token layers that are trained.",
        source="off",
        group="Details",
        hard=(0, 64),
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


class Inputs(LayerInputs):
    """What is asked for."""

    model: Annotated[Size | Shape, Discriminator("kind")] = setting(
        Size(), title="Model", help="The model's shape, or only its size.", source="the customer's 1T question"
    )
    tokens_b: float = setting(
        15000.0,
        title="Training tokens",
        unit="tokens_b",
        help="Tokens of the whole run, in billions.",
        source="15T tokens, as Llama 3",
        group="Run",
        hard=(0.001, 10000000),
        usual=(1, 100000),
    )
    seq_len: int = setting(
        8192,
        title="Sequence length",
        unit="tokens",
        help="Tokens of one sequence.",
        source="Llama 3 pre-training",
        group="Run",
        hard=(16, 100000000),
        usual=(512, 1048576),
    )
    global_batch: int = setting(
        2048,
        title="Global batch",
        help="Sequences of one optimizer step.",
        source="16M tokens at 8k, as Llama 3",
        group="Run",
        hard=(1, 10000000),
        usual=(16, 65536),
    )
    days: float = setting(
        30.0,
        title="Days wanted",
        unit="days",
        help="The date that the customer has in mind.",
        source="the customer's 30 days",
        group="Run",
        hard=(0.01, 10000),
        usual=(1, 365),
    )
    precision: Literal["bf16", "fp16", "fp8", "fp8_block", "mxfp8", "nvfp4"] = setting(
        "bf16",
        title="GEMM precision",
        help="What the matrix multiplications run in; attention, norms, router and optimizer stay in 16 or 32 bits.",
        source="mixed precision is today's default",
        group="Precision",
        choices={
            "bf16": "BF16",
            "fp16": "FP16",
            "fp8": "FP8, per tensor",
            "fp8_block": "FP8, blockwise",
            "mxfp8": "MXFP8",
            "nvfp4": "NVFP4",
        },
    )
    recipe: str = setting(
        "bf16_adam_18",
        title="Bytes a parameter",
        help="What is held for each parameter: weights, gradients, master copy, moments.",
        source="Megatron's default",
        group="Precision",
        catalog="byte_recipe",
    )


class Result(LayerResult):
    """What follows."""

    total_params: Figure = result(
        "Parameters, total",
        "params",
        "All trainable parameters, the multi-token prediction layers left out.",
        headline=True,
    )
    active_params: Figure = result(
        "Parameters, active", "params", "Parameters that one token uses, the input table counted once."
    )
    state_bytes_per_param: Figure = result(
        "Bytes a parameter", "byte_param", "Weights, gradients, master copy and moments under the chosen recipe."
    )
    state_tb: Figure = result("Model state", "tb", "Parameters times bytes a parameter.", headline=True)
    flops_per_token: Figure = result("Model FLOPs a token", "flop_token", "Forward and backward, without recompute.")
    model_flops: Figure = result(
        "Model FLOPs of the run", "flop", "Model FLOPs a token times the tokens.", headline=True
    )
    tokens: Figure = result("Tokens", "tokens", "Tokens of the whole run.")
    steps: Figure = result("Optimizer steps", "count", "Tokens over tokens a step.")
    tokens_per_step: Figure = result("Tokens a step", "tokens", "Global batch times sequence length.")


def size(inputs: Inputs, up: Any) -> Sized:
    """Size the layer. Skeleton: every figure is unknown."""
    figures = {name: unknown("not sized yet", about.unit) for name, about in _declared().items()}
    return Sized(results(Result, **figures))


def _declared() -> dict[str, Any]:
    from wattsweights_gui.engine.declare import results_of

    return results_of(Result)
