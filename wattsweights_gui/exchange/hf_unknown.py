"""Whether a configuration of an architecture that is not known may be read as a model built like Llama."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wattsweights_gui.exchange.hf_reader import Reader, shown

GATED = ("silu", "swiglu", "gelu_pytorch_tanh", "gelu_new")
DECODERS = ("ForCausalLM", "LMHeadModel", "ForConditionalGeneration")
WITHOUT_ATTENTION = ("mamba", "ssm", "rwkv", "attn_layer_period", "state_size", "linear_attn", "layers_block_type")


def like_llama(reader: Reader, kind: str, known: str) -> str:
    """Return the remark with which a configuration is read as a dense model built like Llama.

    Raises:
        ValueError: it is another kind of model, or may be one.
    """
    config = reader.config
    other = other_kind(config)
    if other:
        raise ValueError(
            f"config.json: {shown(kind)} is {other}; only decoders with attention in every layer can be sized: {known}."
        )
    if not all(reader.find(name) is not None for name in ("layers", "hidden", "heads", "ffn", "vocab")):
        raise ValueError(f"config.json: {shown(kind)} is no architecture that can be read; there is {known}.")
    if reader.find("experts") is not None or config.get("kv_lora_rank") is not None:
        raise ValueError(
            f"config.json: {shown(kind)} is no architecture that can be read, and its experts or latent attention "
            f"cannot be guessed; there is {known}."
        )
    if config.get("rms_norm_eps") is None or config.get("hidden_act") not in GATED:
        raise ValueError(
            f"config.json: {shown(kind)} is no architecture that can be read, and without rms_norm_eps and a gated "
            f"hidden_act it is not built like Llama; there is {known}."
        )
    return f"“{kind[:40]}” is not known: read as a Llama-like dense model; check its parameters."


def other_kind(config: Mapping[str, Any]) -> str:
    """Return in words what a model of an architecture that is not known is, where it is no plain decoder."""
    classes = config.get("architectures")
    named = [str(name) for name in classes] if isinstance(classes, list) else []
    if config.get("is_encoder_decoder") is True:
        return "an encoder with a decoder"
    if any(key.startswith(WITHOUT_ATTENTION) for key in config if isinstance(key, str)):
        return "a model with layers that have no attention"
    if "type_vocab_size" in config or any(name.endswith(("ForMaskedLM", "ForPreTraining")) for name in named):
        return "an encoder"
    if named and not any(name.endswith(DECODERS) for name in named):
        return f"a model of another kind ({named[0][:60]})"
    return ""
