"""Reads a Hugging Face ``config.json`` into a model's shape.

Names and defaults are those of each architecture's configuration class in the ``transformers`` library. A field that is
missing gets that class's documented default, and a note says so; a shape that cannot be known is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from wattsweights_gui.engine.declare import Refused, validated
from wattsweights_gui.engine.model_shape import Shape
from wattsweights_gui.engine.plan import Edit
from wattsweights_gui.exchange.hf_reader import Reader
from wattsweights_gui.exchange.hf_unknown import like_llama

Build = Callable[[Reader], dict[str, Any]]


def _base(r: Reader, *, gated: bool = True, tied: bool = False, kv: int | None = None) -> dict[str, Any]:
    """Return what most architectures share; ``kv`` is the class's number of key/value heads where it has one."""
    heads = r.whole("heads")
    shape: dict[str, Any] = {
        "layers": r.whole("layers"),
        "hidden": r.whole("hidden"),
        "heads": heads,
        "kv_heads": _kv_heads(r, heads, kv),
        "ffn": r.whole("ffn"),
        "gated": gated,
        "vocab": r.whole("vocab"),
        "tied": r.flag("tie_word_embeddings", tied),
    }
    if r.find("head_dim") is not None:
        shape["head_dim"] = r.whole("head_dim")
    return shape


def _kv_heads(r: Reader, heads: int, default: int | None) -> int:
    if default is None or r.given("kv_heads"):
        return r.whole("kv_heads", heads, "as many as query heads (multi-head attention)")
    return r.whole("kv_heads", default, "the default of its configuration class")


def _windows(r: Reader, layers: int, window: int, full: int) -> dict[str, Any]:
    """Return the window and how often a layer sees everything, for a number of layers that do."""
    kinds = r.words("layer_types")
    if kinds:
        if len(kinds) < layers:
            raise ValueError(f"config.json: layer_types has {len(kinds)} entries; the model has {layers} layers.")
        full = sum(kind == "full_attention" for kind in kinds[:layers])
    if not window or full >= layers:
        return {}
    if not full:
        return {"window": window, "full_every": 0}
    every = min(range(2, layers + 1), key=lambda n: abs(layers // n - full))
    if layers // every != full:
        r.notes.append(f"{full} of {layers} layers see the whole sequence: taken as every {every}th, the nearest.")
    return {"window": window, "full_every": every}


def _llama(r: Reader) -> dict[str, Any]:
    bias = r.flag("attention_bias", False)
    return _base(r) | {"qkv_bias": bias, "out_bias": bias, "mlp_bias": r.flag("mlp_bias", False)}


def _smollm3(r: Reader) -> dict[str, Any]:
    bias = r.flag("attention_bias", False)
    biases = {"qkv_bias": bias, "out_bias": bias, "mlp_bias": r.flag("mlp_bias", False)}
    return _base(r, tied=True, kv=4) | biases


def _seed_oss(r: Reader) -> dict[str, Any]:
    shape = _base(r, kv=8) | {
        "qkv_bias": r.flag("attention_bias", True),
        "out_bias": r.flag("attention_out_bias", False),
        "mlp_bias": r.flag("mlp_bias", False),
    }
    return shape | {"head_dim": r.whole("head_dim", 128, "Seed-OSS's default")}


def _mistral(r: Reader) -> dict[str, Any]:
    shape = _base(r, kv=8)
    window = 0
    if r.find("sliding_window") is not None or not r.given("sliding_window"):
        window = r.whole("sliding_window", 4096, "Mistral's default")
    return shape | _windows(r, shape["layers"], window, 0)


def _mixtral(r: Reader) -> dict[str, Any]:
    shape = _base(r, kv=8)
    return shape | _windows(r, shape["layers"], r.whole("sliding_window", 0), 0) | {
        "experts": r.whole("experts", 8, "Mixtral's default"),
        "top_k": r.whole("top_k", 2, "Mixtral's default"),
        "expert_ffn": shape["ffn"],
    }  # fmt: skip


def _qwen(r: Reader, kv: int) -> dict[str, Any]:
    shape = _base(r, kv=kv)
    if not r.flag("use_sliding_window", False):
        return shape
    full = min(shape["layers"], r.whole("max_window_layers", 28, "Qwen's default"))
    return shape | _windows(r, shape["layers"], r.whole("sliding_window", 4096, "Qwen's default"), full)


def _qwen2(r: Reader) -> dict[str, Any]:
    return _qwen(r, 32) | {"qkv_bias": True}


def _qwen3(r: Reader, kv: int = 32) -> dict[str, Any]:
    bias = r.flag("attention_bias", False)
    shape = _qwen(r, kv) | {"qk_norm": True, "qkv_bias": bias, "out_bias": bias}
    shape["head_dim"] = r.whole("head_dim", 128, "Qwen3's default")
    return shape


def _routed(r: Reader) -> dict[str, Any]:
    return {"experts": r.whole("experts"), "top_k": r.whole("top_k"), "expert_ffn": r.whole("expert_ffn")}


def _qwen3_moe(r: Reader) -> dict[str, Any]:
    return _qwen3(r, 4) | _routed(r) | _sparse(r)


def _sparse(r: Reader) -> dict[str, Any]:
    """Return which layers have experts, as Qwen says it."""
    step = r.whole("decoder_sparse_step", 1)
    listed = r.indices("mlp_only_layers")
    if not listed:
        return {"moe_every": max(1, step)}
    if sorted(listed) != list(range(len(listed))) or step > 1:
        raise ValueError("config.json: mlp_only_layers names others than the first layers; those can be sized only.")
    return {"first_dense_layers": len(listed)}


def _qwen2_moe(r: Reader) -> dict[str, Any]:
    shape = _qwen(r, 16) | {"qkv_bias": r.flag("qkv_bias", True)} | _routed(r) | _sparse(r)
    shared = r.whole("shared_expert_intermediate_size", 5632, "Qwen2-MoE's default")
    return shape | {"shared_expert_ffn": shared, "shared_expert_gate": True}


def _deepseek(r: Reader) -> dict[str, Any]:
    second = r.config.get("model_type") == "deepseek_v2"
    shape = _base(r) | {
        "mla": True,
        "q_lora_rank": _query_rank(r, second),
        "kv_lora_rank": r.whole("kv_lora_rank", 512, "DeepSeek's default"),
        "qk_nope_head_dim": r.whole("qk_nope_head_dim", 128, "DeepSeek's default"),
        "qk_rope_head_dim": r.whole("qk_rope_head_dim", 64, "DeepSeek's default"),
        "v_head_dim": r.whole("v_head_dim", 128, "DeepSeek's default"),
        "mtp_layers": r.whole("mtp_layers", 0),
    }
    shape.pop("head_dim", None)
    if r.flag("attention_bias", False):
        r.notes.append("attention_bias is true: the biases of latent attention are not counted (below 0.01 %).")
    if r.given("experts") and r.find("experts") is None:
        return shape
    if r.whole("moe_layer_freq", 1) > 1:
        raise ValueError("config.json: moe_layer_freq is above 1; only experts in every layer can be sized.")
    method = r.find("topk_method")
    return shape | _routed(r) | {
        "shared_expert_ffn": _shared_experts(r, 2 if second else 1) * r.whole("expert_ffn"),
        "first_dense_layers": r.whole("first_k_dense_replace", 0 if second else 3, "DeepSeek's default"),
        # the correction bias of the router without an auxiliary loss is a parameter of the checkpoint
        "router_bias": method == "noaux_tc" or (method is None and not second),
    }  # fmt: skip


def _query_rank(r: Reader, second: bool) -> int:
    if r.find("q_lora_rank") is not None or not (second or r.given("q_lora_rank")):
        return r.whole("q_lora_rank", 1536, "DeepSeek's default")
    if not r.given("q_lora_rank"):
        # tools that drop null fields leave it out for DeepSeek-V2-Lite, whose answer is null; the class says 1536
        r.notes.append("q_lora_rank is missing: read as null, queries projected directly, as DeepSeek-V2-Lite has it.")
    return 0


def _shared_experts(r: Reader, default: int) -> int:
    if r.given("n_shared_experts") and r.find("n_shared_experts") is None:
        return 0
    return r.whole("n_shared_experts", default, "the default of its configuration class")


def _glm4_moe(r: Reader) -> dict[str, Any]:
    shape = _base(r, kv=8) | _routed(r)
    return shape | {
        "qkv_bias": r.flag("attention_bias", False),
        "qk_norm": r.flag("use_qk_norm", False),
        "shared_expert_ffn": _shared_experts(r, 1) * r.whole("expert_ffn"),
        "first_dense_layers": r.whole("first_k_dense_replace", 1, "GLM-4-MoE's default"),
        "mtp_layers": r.whole("mtp_layers", 0),
    }


def _dbrx(r: Reader) -> dict[str, Any]:
    attention, ffn = r.inner("attn_config"), r.inner("ffn_config")
    width = ffn.whole("ffn", 3584, "DBRX's default")
    heads = r.whole("heads")
    return {
        "layers": r.whole("layers"), "hidden": r.whole("hidden"), "heads": heads,
        "kv_heads": attention.whole("kv_heads", 1, "DBRX's default"), "ffn": width, "vocab": r.whole("vocab"),
        "tied": r.flag("tie_word_embeddings", False), "experts": ffn.whole("experts"), "top_k": ffn.whole("top_k"),
        "expert_ffn": width,
    }  # fmt: skip


def _grok(r: Reader) -> dict[str, Any]:
    shape = _base(r, tied=True)
    return shape | {
        "experts": r.whole("experts"), "top_k": r.whole("top_k"), "expert_ffn": shape["ffn"], "norms_per_layer": 4,
    }  # fmt: skip


def _gpt_oss(r: Reader) -> dict[str, Any]:
    bias = r.flag("attention_bias", True)
    shape = _base(r, kv=8) | {"experts": r.whole("experts"), "top_k": r.whole("top_k", 4, "gpt-oss's default")}
    window = r.whole("sliding_window", 128, "gpt-oss's default")
    return shape | _windows(r, shape["layers"], window, shape["layers"] // 2) | {
        "expert_ffn": shape["ffn"], "head_dim": r.whole("head_dim", 64, "gpt-oss's default"), "qkv_bias": bias,
        "out_bias": bias, "mlp_bias": True, "router_bias": True, "attention_sinks": True,
    }  # fmt: skip


def _llama4(r: Reader) -> dict[str, Any]:
    text = r.inner("text_config") if "text_config" in r.config else r
    step = text.whole("interleave_moe_layer_step", 1)
    shape = _base(text, kv=8) | {"experts": text.whole("experts"), "top_k": text.whole("top_k", 1, "Llama 4's default")}
    expert, layers = shape["ffn"], shape["layers"]
    chunk = 0
    if text.find("attention_chunk_size") is not None or not text.given("attention_chunk_size"):
        chunk = text.whole("attention_chunk_size", 8192)
    every = max(1, text.whole("no_rope_layer_interval", 4))
    return shape | _windows(text, layers, chunk, layers // every) | {
        "ffn": text.whole("intermediate_size_mlp", 16384, "Llama 4's default"), "expert_ffn": expert,
        "shared_expert_ffn": expert, "moe_every": max(1, step),
    }  # fmt: skip


def _gemma(r: Reader) -> dict[str, Any]:
    text = r.inner("text_config") if "text_config" in r.config else r
    newest = str(text.find("model_type") or r.find("model_type")).startswith("gemma3")
    if newest:
        # published Gemma 3 files leave out what equals their class's default
        known = {"num_attention_heads": 8, "vocab_size": 262208}
        missing = {name: value for name, value in known.items() if text.config.get(name) is None}
        text.defaults |= {name: str(value) for name, value in missing.items()}
        text = Reader({**text.config, **missing}, r.notes, r.defaults)
    shape = _base(text, tied=True, kv=4) | {"norms_per_layer": 4, "qk_norm": newest}
    shape["head_dim"] = text.whole("head_dim", 256, "Gemma's default")
    window = text.whole("sliding_window", 4096, "Gemma's default")
    spelled = "_sliding_window_pattern" if text.given("_sliding_window_pattern") else "sliding_window_pattern"
    every = 2 if text.words("layer_types") else text.whole(spelled, 6 if newest else 2)
    return shape | _windows(text, shape["layers"], window, shape["layers"] // every if every else 0)


def _gemma1(r: Reader) -> dict[str, Any]:
    return _base(r, tied=True, kv=16) | {"head_dim": r.whole("head_dim", 256, "Gemma's default")}


def _falcon(r: Reader) -> dict[str, Any]:
    new = r.flag("new_decoder_architecture", False)
    heads, hidden = r.whole("heads"), r.whole("hidden")
    multi_query = r.flag("multi_query", True)
    kv = r.whole("kv_heads", heads, "as many as query heads") if new else (1 if multi_query else heads)
    bias = r.flag("bias", False)
    parallel = r.flag("parallel_attn", True)
    return {
        "layers": r.whole("layers"), "hidden": hidden, "heads": heads, "kv_heads": kv,
        "ffn": r.whole("ffn", 4 * hidden), "gated": False, "vocab": r.whole("vocab"),
        "tied": r.flag("tie_word_embeddings", True), "norm_bias": True, "qkv_bias": bias, "out_bias": bias,
        "mlp_bias": bias, "norms_per_layer": 2 if new or not parallel else 1, "alibi": r.flag("alibi", False),
    }  # fmt: skip


def _gpt2(r: Reader) -> dict[str, Any]:
    hidden, heads = r.whole("hidden"), r.whole("heads")
    return {
        "layers": r.whole("layers"), "hidden": hidden, "heads": heads, "kv_heads": heads,
        "ffn": r.whole("ffn", 4 * hidden), "gated": False, "vocab": r.whole("vocab"),
        "tied": r.flag("tie_word_embeddings", True), "norm_bias": True, "qkv_bias": True, "out_bias": True,
        "mlp_bias": True, "learned_positions": r.whole("positions", 1024, "GPT-2's default"),
    }  # fmt: skip


def _bloom(r: Reader) -> dict[str, Any]:
    # ALiBi: there is no table of positions
    shape = _gpt2(Reader({**r.config, "n_positions": 0}, r.notes, r.defaults))
    return shape | {"embedding_norm": True, "alibi": True}


def _olmo(r: Reader) -> dict[str, Any]:
    # its norms have no weights; the one that is still counted, after the last layer, is below 0.0001 %
    bias = r.flag("attention_bias", False)
    return _base(r) | {"norms_per_layer": 0, "qkv_bias": bias, "out_bias": bias}


def _olmo2(r: Reader) -> dict[str, Any]:
    shape = _base(r)
    head = r.whole("head_dim", shape["hidden"] // max(1, shape["heads"]))
    return shape | {"qk_norm": True, "qk_norm_width": head * (shape["heads"] + shape["kv_heads"])}


def _nemotron(r: Reader) -> dict[str, Any]:
    bias = r.flag("attention_bias", False)
    return _base(r, gated=False) | {"norm_bias": True, "qkv_bias": bias, "out_bias": bias}


ARCHITECTURES: dict[str, Build] = {
    "llama": _llama, "mistral": _mistral, "ministral": _mistral, "mixtral": _mixtral, "qwen2": _qwen2, "qwen3": _qwen3,
    "qwen3_moe": _qwen3_moe, "qwen2_moe": _qwen2_moe, "deepseek_v2": _deepseek, "deepseek_v3": _deepseek,
    "deepseek_v32": _deepseek, "kimi_k2": _deepseek, "glm4_moe": _glm4_moe, "dbrx": _dbrx, "grok-1": _grok,
    "gpt_oss": _gpt_oss, "llama4": _llama4, "llama4_text": _llama4, "gemma": _gemma1, "gemma2": _gemma,
    "gemma3": _gemma, "gemma3_text": _gemma, "phi3": _base, "falcon": _falcon, "gpt2": _gpt2, "bloom": _bloom,
    "olmo2": _olmo2, "olmo": _olmo, "nemotron": _nemotron, "granite": _llama, "internlm2": _base, "yi": _base,
    "seed_oss": _seed_oss, "smollm3": _smollm3,
}  # fmt: skip


def shape_from_config(config: Mapping[str, Any]) -> tuple[Shape, list[str]]:
    """Return the shape of a configuration and what had to be assumed.

    Raises:
        ValueError: in one sentence, what is missing, wrong or not known.
    """
    if not isinstance(config, Mapping):
        raise ValueError("config.json has to be a JSON object with the fields of a model.")
    kind = config.get("model_type")
    if not isinstance(kind, str):
        raise ValueError("config.json has no model_type: it is not the configuration of a Hugging Face model.")
    reader = Reader(config)
    build = ARCHITECTURES.get(kind)
    if build is None:
        reader.notes.append(like_llama(reader, kind, _known()))
        build = _llama
    try:
        shape = validated(Shape, {"name": _name(config), **build(reader)}, "config.json")
    except Refused as refused:
        raise ValueError(f"config.json: {refused.message}") from None
    assert isinstance(shape, Shape)
    return shape, reader.remarks()


def _known() -> str:
    return ", ".join(sorted(ARCHITECTURES))


def edits_from_config(config: Mapping[str, Any]) -> tuple[Edit, ...]:
    """Return the edits that put a configuration's model into a plan.

    Raises:
        ValueError: as :func:`shape_from_config`.
    """
    shape, _ = shape_from_config(config)
    return (("workload.model", shape),)


def _name(config: Mapping[str, Any]) -> str:
    for key in ("_name_or_path", "name"):
        if isinstance(config.get(key), str) and config[key]:
            # a folder of whoever saved the file is no name
            named = str(config[key]).replace("\\", "/").rstrip("/")
            return (named if named.count("/") <= 1 and not named.startswith("/") else named.rsplit("/", 1)[-1])[:120]
    return str(config.get("model_type", ""))[:120]
