"""Reads a Hugging Face ``config.json`` into a model's shape.

Names and defaults are those of each architecture's configuration class in the ``transformers`` library. A field that is
missing gets that class's documented default, and a note says so; a shape that cannot be known is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from wattsweights_gui.engine.declare import Refused, validated
from wattsweights_gui.engine.model_shape import Shape
from wattsweights_gui.engine.plan import Edit

LARGEST = 10**9
SPELLINGS: dict[str, tuple[str, ...]] = {
    "layers": ("num_hidden_layers", "n_layer", "n_layers", "num_layers"),
    "hidden": ("hidden_size", "n_embd", "n_embed", "d_model"),
    "heads": ("num_attention_heads", "n_head", "n_heads"),
    "kv_heads": ("num_key_value_heads", "num_kv_heads", "kv_n_heads", "multi_query_group_num"),
    "head_dim": ("head_dim", "kv_channels"),
    "ffn": ("intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size"),
    "vocab": ("vocab_size", "padded_vocab_size"),
    "experts": ("n_routed_experts", "num_local_experts", "num_experts", "moe_num_experts"),
    "top_k": ("num_experts_per_tok", "experts_per_token", "moe_top_k"),
    "expert_ffn": ("moe_intermediate_size",),
    "positions": ("n_positions", "n_ctx", "max_position_embeddings"),
    "mtp_layers": ("num_nextn_predict_layers",),
}


@dataclass
class Reader:
    """One configuration, what was read of it, and what was assumed."""

    config: Mapping[str, Any]
    notes: list[str] = field(default_factory=list)

    def find(self, name: str) -> Any:
        """Return the raw value under any spelling, or ``None``."""
        return next((self.config[k] for k in SPELLINGS.get(name, (name,)) if self.config.get(k) is not None), None)

    def whole(self, name: str, default: int | None = None, because: str = "") -> int:
        """Return a whole number, or the documented default with a note.

        Raises:
            ValueError: missing without a default, or no sensible whole number.
        """
        value = self.find(name)
        spelled = SPELLINGS.get(name, (name,))[0]
        if value is None:
            if default is None:
                raise ValueError(f"config.json has no {spelled}: the model's shape cannot be known without it.")
            if because:
                self.notes.append(f"{spelled} is missing: {default} assumed, {because}.")
            return default
        if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value):
            raise ValueError(f"config.json: {spelled} is “{str(value)[:40]}”; it has to be a whole number.")
        if not 0 <= value <= LARGEST:
            raise ValueError(f"config.json: {spelled} is {value}; it has to be from 0 to {LARGEST}.")
        return int(value)

    def flag(self, name: str, default: bool) -> bool:
        """Return a yes or no.

        Raises:
            ValueError: neither.
        """
        value = self.config.get(name)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise ValueError(f"config.json: {name} is “{str(value)[:40]}”; it has to be true or false.")
        return value

    def inner(self, name: str) -> Reader:
        """Return a nested configuration.

        Raises:
            ValueError: it is none.
        """
        value = self.config.get(name)
        if not isinstance(value, Mapping):
            raise ValueError(f"config.json has no {name}: this architecture keeps its shape there.")
        return Reader(value, self.notes)


Build = Callable[[Reader], dict[str, Any]]


def _base(r: Reader, *, gated: bool = True, tied: bool = False, kv_default: bool = True) -> dict[str, Any]:
    heads = r.whole("heads")
    kv = r.whole("kv_heads", heads, "as many as query heads (multi-head attention)" if kv_default else "")
    shape: dict[str, Any] = {
        "layers": r.whole("layers"),
        "hidden": r.whole("hidden"),
        "heads": heads,
        "kv_heads": kv,
        "ffn": r.whole("ffn"),
        "gated": gated,
        "vocab": r.whole("vocab"),
        "tied": r.flag("tie_word_embeddings", tied),
    }
    if r.find("head_dim") is not None:
        shape["head_dim"] = r.whole("head_dim")
    return shape


def _llama(r: Reader) -> dict[str, Any]:
    bias = r.flag("attention_bias", False)
    return _base(r) | {"qkv_bias": bias, "out_bias": bias, "mlp_bias": r.flag("mlp_bias", False)}


def _mistral(r: Reader) -> dict[str, Any]:
    shape = _base(r)
    window = r.config.get("sliding_window")
    if window:
        shape |= {"window": r.whole("sliding_window"), "full_every": 0}
    return shape


def _mixtral(r: Reader) -> dict[str, Any]:
    shape = _base(r)
    return shape | {
        "experts": r.whole("experts"),
        "top_k": r.whole("top_k", 2, "Mixtral's default"),
        "expert_ffn": shape["ffn"],
    }


def _qwen2(r: Reader) -> dict[str, Any]:
    return _base(r) | {"qkv_bias": True}


def _qwen3(r: Reader) -> dict[str, Any]:
    shape = _base(r) | {"qk_norm": True, "qkv_bias": r.flag("attention_bias", False)}
    shape["head_dim"] = r.whole("head_dim", 128, "Qwen3's default")
    return shape


def _routed(r: Reader) -> dict[str, Any]:
    return {"experts": r.whole("experts"), "top_k": r.whole("top_k"), "expert_ffn": r.whole("expert_ffn")}


def _qwen3_moe(r: Reader) -> dict[str, Any]:
    shape = _qwen3(r) | _routed(r)
    step = r.whole("decoder_sparse_step", 1)
    return shape | {"moe_every": max(1, step)} | _dense_list(r)


def _dense_list(r: Reader) -> dict[str, Any]:
    listed = r.config.get("mlp_only_layers") or []
    if not listed:
        return {}
    if listed != list(range(len(listed))):
        raise ValueError(f"config.json: mlp_only_layers is {str(listed)[:60]}; only leading dense layers can be sized.")
    return {"first_dense_layers": len(listed)}


def _qwen2_moe(r: Reader) -> dict[str, Any]:
    return _qwen2(r) | _routed(r) | {
        "shared_expert_ffn": r.whole("shared_expert_intermediate_size", 0),
        "shared_expert_gate": True,
        "moe_every": max(1, r.whole("decoder_sparse_step", 1)),
    } | _dense_list(r)  # fmt: skip


def _deepseek(r: Reader) -> dict[str, Any]:
    shape = _base(r) | {
        "mla": True,
        "q_lora_rank": r.whole("q_lora_rank", 0, "queries are projected directly"),
        "kv_lora_rank": r.whole("kv_lora_rank", 512, "DeepSeek's default"),
        "qk_nope_head_dim": r.whole("qk_nope_head_dim", 128, "DeepSeek's default"),
        "qk_rope_head_dim": r.whole("qk_rope_head_dim", 64, "DeepSeek's default"),
        "v_head_dim": r.whole("v_head_dim", 128, "DeepSeek's default"),
        "mtp_layers": r.whole("mtp_layers", 0),
    }
    shape.pop("head_dim", None)
    if r.find("experts") is None:
        return shape
    width = r.whole("expert_ffn")
    return shape | _routed(r) | {
        "shared_expert_ffn": r.whole("n_shared_experts", 0) * width,
        "first_dense_layers": r.whole("first_k_dense_replace", 0),
        "moe_every": max(1, r.whole("moe_layer_freq", 1)),
        # the correction bias of the router without an auxiliary loss is a parameter of the checkpoint
        "router_bias": r.config.get("topk_method") == "noaux_tc",
    }  # fmt: skip


def _glm4_moe(r: Reader) -> dict[str, Any]:
    shape = _base(r) | _routed(r)
    return shape | {
        "qkv_bias": r.flag("attention_bias", False),
        "qk_norm": r.flag("use_qk_norm", False),
        "shared_expert_ffn": r.whole("n_shared_experts", 0) * r.whole("expert_ffn"),
        "first_dense_layers": r.whole("first_k_dense_replace", 0),
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
    shape = _base(r) | {"experts": r.whole("experts"), "top_k": r.whole("top_k")}
    return shape | {
        "expert_ffn": shape["ffn"], "head_dim": r.whole("head_dim", 64, "gpt-oss's default"), "qkv_bias": bias,
        "out_bias": bias, "mlp_bias": True, "router_bias": True, "attention_sinks": True,
        "window": r.whole("sliding_window", 128, "gpt-oss's default"), "full_every": 2,
    }  # fmt: skip


def _llama4(r: Reader) -> dict[str, Any]:
    text = r.inner("text_config") if "text_config" in r.config else r
    step = text.whole("interleave_moe_layer_step", 1)
    shape = _base(text) | {"experts": text.whole("experts"), "top_k": text.whole("top_k", 1, "Llama 4's default")}
    expert = shape["ffn"]
    return shape | {
        "ffn": text.whole("intermediate_size_mlp", 16384, "Llama 4's default"), "expert_ffn": expert,
        "shared_expert_ffn": expert, "moe_every": max(1, step), "window": text.whole("attention_chunk_size", 0),
        "full_every": text.whole("no_rope_layer_interval", 4),
    }  # fmt: skip


def _gemma(r: Reader) -> dict[str, Any]:
    text = r.inner("text_config") if "text_config" in r.config else r
    newest = str(text.config.get("model_type", r.config.get("model_type", ""))).startswith("gemma3")
    shape = _base(text, tied=True) | {"norms_per_layer": 4, "qk_norm": newest}
    shape["head_dim"] = text.whole("head_dim", 256, "Gemma's default")
    window = text.whole("sliding_window", 4096, "Gemma's default")
    pattern = text.whole("sliding_window_pattern", 6 if newest else 2, "Gemma's default")
    return shape | {"window": window, "full_every": pattern}


def _gemma1(r: Reader) -> dict[str, Any]:
    return _base(r, tied=True) | {"head_dim": r.whole("head_dim", 256, "Gemma's default")}


def _falcon(r: Reader) -> dict[str, Any]:
    new = r.flag("new_decoder_architecture", False)
    heads, hidden = r.whole("heads"), r.whole("hidden")
    multi_query = r.flag("multi_query", True)
    kv = r.whole("kv_heads", heads) if new else (1 if multi_query else heads)
    bias = r.flag("bias", False)
    parallel = r.flag("parallel_attn", True)
    return {
        "layers": r.whole("layers"), "hidden": hidden, "heads": heads, "kv_heads": kv,
        "ffn": r.whole("ffn", 4 * hidden), "gated": False, "vocab": r.whole("vocab"),
        "tied": r.flag("tie_word_embeddings", True), "norm_bias": True, "qkv_bias": bias, "out_bias": bias,
        "mlp_bias": bias, "norms_per_layer": 2 if new or not parallel else 1,
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
    notes = list(r.notes)
    shape = _gpt2(r) | {"embedding_norm": True, "learned_positions": 0}
    r.notes[:] = notes  # ALiBi: no table of positions whose length could be missing
    return shape


def _olmo2(r: Reader) -> dict[str, Any]:
    shape = _base(r)
    head = r.whole("head_dim", shape["hidden"] // max(1, shape["heads"]))
    return shape | {"qk_norm": True, "qk_norm_width": head * (shape["heads"] + shape["kv_heads"])}


def _nemotron(r: Reader) -> dict[str, Any]:
    return _base(r, gated=False) | {"norm_bias": True}


ARCHITECTURES: dict[str, Build] = {
    "llama": _llama, "mistral": _mistral, "ministral": _mistral, "mixtral": _mixtral, "qwen2": _qwen2, "qwen3": _qwen3,
    "qwen3_moe": _qwen3_moe, "qwen2_moe": _qwen2_moe, "deepseek_v2": _deepseek, "deepseek_v3": _deepseek,
    "deepseek_v32": _deepseek, "kimi_k2": _deepseek, "glm4_moe": _glm4_moe, "dbrx": _dbrx, "grok-1": _grok,
    "gpt_oss": _gpt_oss, "llama4": _llama4, "llama4_text": _llama4, "gemma": _gemma1, "gemma2": _gemma,
    "gemma3": _gemma, "gemma3_text": _gemma, "phi3": _base, "falcon": _falcon, "gpt2": _gpt2, "bloom": _bloom,
    "olmo2": _olmo2, "olmo": _base, "nemotron": _nemotron, "granite": _llama, "internlm2": _base, "yi": _base,
    "seed_oss": _llama, "smollm3": _llama,
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
        if not all(reader.find(name) is not None for name in ("layers", "hidden", "heads", "ffn", "vocab")):
            raise ValueError(
                f"“{kind[:40]}” is no architecture that can be read; there is {', '.join(sorted(ARCHITECTURES))}."
            )
        if reader.find("experts") is not None or config.get("kv_lora_rank") is not None:
            raise ValueError(
                f"“{kind[:40]}” is no architecture that can be read, and its experts or latent attention cannot be "
                f"guessed; there is {', '.join(sorted(ARCHITECTURES))}."
            )
        reader.notes.append(f"“{kind[:40]}” is not known: read as a Llama-like dense model; check its parameters.")
        build = _llama
    try:
        shape = validated(Shape, {"name": _name(config), **build(reader)}, "config.json")
    except Refused as refused:
        raise ValueError(f"config.json: {refused.message}") from None
    assert isinstance(shape, Shape)
    return shape, reader.notes


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
            return str(config[key])[:120]
    return str(config.get("model_type", ""))[:120]
