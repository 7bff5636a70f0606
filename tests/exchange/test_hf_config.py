"""Hugging Face configurations: published counts to the unit, and a sentence for what cannot be read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wattsweights_gui import paths
from wattsweights_gui.engine.equations import transformer
from wattsweights_gui.engine.plan import default_plan
from wattsweights_gui.exchange.hf_config import ARCHITECTURES, edits_from_config, shape_from_config

MODELS = json.loads(paths.resource("catalog", "hf_configs.json").read_text(encoding="utf-8"))["models"]
LLAMA = next(m["config"] for m in MODELS if m["name"] == "meta-llama/Llama-3.1-405B")
EXPERTS = {"num_experts": 8, "num_experts_per_tok": 2, "moe_intermediate_size": 512}
DEEPSEEK = next(m["config"] for m in MODELS if m["name"] == "deepseek-ai/DeepSeek-V3")


@pytest.mark.parametrize("model", MODELS, ids=lambda m: m["name"])
def test_that_published_counts_are_met_to_the_unit(model: dict[str, Any]) -> None:
    shape = shape_from_config(model["config"])[0].resolved()
    assert transformer.total_params(shape) == model["total_params"]
    assert transformer.active_params(shape) == model["active_params"]
    assert transformer.active_params_no_input(shape) == model["active_params_no_input_embedding"]


def test_that_a_configuration_goes_into_a_plan() -> None:
    plan = default_plan().edit(*edits_from_config(DEEPSEEK))
    assert plan.value("workload.model.experts") == 256
    assert plan.value("workload.model.mtp_layers") == 1


def test_that_a_missing_field_gets_the_documented_default_and_a_note() -> None:
    config = {k: v for k, v in LLAMA.items() if k != "num_key_value_heads"}
    shape, notes = shape_from_config(config)
    assert shape.kv_heads == 128
    assert "num_key_value_heads is missing" in notes[0]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"num_hidden_layers": None}, "no num_hidden_layers"),
        ({"num_hidden_layers": "many"}, "whole number"),
        ({"num_hidden_layers": 10**30}, "from 0 to"),
        ({"num_hidden_layers": 10**5000}, "about 5000 digits"),
        ({"num_hidden_layers": float("inf")}, "whole number"),
        ({"num_hidden_layers": float("nan")}, "whole number"),
        ({"model_type": "qwen3_moe", **EXPERTS, "mlp_only_layers": 5}, "list of layer numbers"),
        ({"model_type": "qwen3_moe", **EXPERTS, "mlp_only_layers": [7]}, "the first layers"),
        ({"model_type": "gemma2", "layer_types": 5}, "list of words"),
        ({"hidden_size": [1]}, "whole number"),
        ({"num_key_value_heads": 7}, "must divide"),
        ({"tie_word_embeddings": "perhaps"}, "true or false"),
        ({"model_type": None}, "no model_type"),
        ({"model_type": "mamba9", "num_hidden_layers": None}, "no architecture that can be read"),
        ({"model_type": "brandnew", "num_experts": 8}, "cannot be guessed"),
        (
            {"model_type": "bert", "type_vocab_size": 2, "architectures": ["BertForMaskedLM"]},
            "is an encoder; only decoders",
        ),
        ({"model_type": "t5", "is_encoder_decoder": True}, "an encoder with a decoder"),
        ({"model_type": "jamba", "attn_layer_period": 8, "mamba_d_state": 16}, "layers that have no attention"),
        ({"model_type": "brandnew", "architectures": ["BrandnewForVision"]}, "another kind"),
        ({"model_type": "brandnew", "rms_norm_eps": None}, "not built like Llama"),
        (
            {"model_type": "gemma2", "layer_types": ["full_attention"] * 5},
            "layer_types has 5 entries",
        ),
    ],
)
def test_that_what_cannot_be_read_is_refused_in_one_sentence(change: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says) as refused:
        shape_from_config({**LLAMA, **change})
    assert "\n" not in str(refused.value)


def test_that_an_unknown_llama_like_model_is_read_with_a_note() -> None:
    shape, notes = shape_from_config({**LLAMA, "model_type": "brandnew"})
    assert shape.layers == 126
    assert "not known" in notes[0]


GEMMA_4B = {
    "model_type": "gemma3",
    "text_config": {"hidden_size": 2560, "intermediate_size": 10240, "num_hidden_layers": 34, "sliding_window": 1024},
}
SEED_36B = {
    "model_type": "seed_oss", "num_hidden_layers": 64, "hidden_size": 5120, "num_attention_heads": 80, "vocab_size": 155136,
    "intermediate_size": 27648,
}  # fmt: skip
SMOL_3B = {
    "model_type": "smollm3", "num_hidden_layers": 36, "hidden_size": 2048, "num_attention_heads": 16,
    "intermediate_size": 11008, "vocab_size": 128256,
}  # fmt: skip


@pytest.mark.parametrize(
    ("config", "published", "assumed"),
    [
        # the file of google/gemma-3-4b-pt leaves out what equals the class's default; 64 rows of its table are padding
        (GEMMA_4B, 3_880_099_328 + 64 * 2560, "num_attention_heads 8"),
        (SEED_36B, 36_151_104_512, "num_key_value_heads is missing: 8"),
        (SMOL_3B, 3_075_098_624, "tie_word_embeddings true"),
    ],
    ids=["gemma3", "seed_oss", "smollm3"],
)
def test_that_what_a_file_leaves_out_is_its_architecture_s_default_and_said(
    config: dict[str, Any], published: int, assumed: str
) -> None:
    shape, notes = shape_from_config(config)
    assert transformer.total_params(shape.resolved()) == published
    assert assumed in " ".join(notes)


def test_that_null_for_the_query_rank_is_an_answer_and_a_missing_one_the_default() -> None:
    assert shape_from_config({**DEEPSEEK, "q_lora_rank": None})[0].q_lora_rank == 0
    without = {k: v for k, v in DEEPSEEK.items() if k != "q_lora_rank"}
    shape, notes = shape_from_config(without)
    assert shape.q_lora_rank == 1536
    assert any("q_lora_rank is missing" in note for note in notes)


def test_that_the_kinds_of_layers_say_how_many_see_everything() -> None:
    kinds = (["sliding_attention"] * 3 + ["full_attention"]) * 8
    gemma = {**LLAMA, "model_type": "gemma2", "num_hidden_layers": 32, "sliding_window": 512, "layer_types": kinds}
    shape = shape_from_config(gemma)[0].resolved()
    assert (shape.window, shape.windowed_layers) == (512, 24)


def test_that_a_folder_of_whoever_saved_the_file_is_not_the_model_s_name() -> None:
    assert shape_from_config({**LLAMA, "_name_or_path": "/home/ann/models/mine"})[0].name == "mine"
    assert (
        shape_from_config({**LLAMA, "_name_or_path": "meta-llama/Llama-3.1-405B"})[0].name
        == "meta-llama/Llama-3.1-405B"
    )


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.just(10**400) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(MODELS), st.sampled_from(sorted(ARCHITECTURES)), st.data())
def test_that_junk_is_read_or_refused_never_a_crash(model: dict[str, Any], kind: str, data: st.DataObject) -> None:
    config = dict(model["config"], model_type=kind)
    for key in data.draw(st.lists(st.sampled_from(sorted(config)), max_size=4)):
        if key != "model_type":
            config[key] = data.draw(JUNK)
    try:
        shape_from_config(config)
    except ValueError as error:
        sentence = str(error)
    else:
        sentence = "read."
    assert sentence


@given(JUNK)
def test_that_any_json_is_read_or_refused(config: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - any sentence will do
        shape_from_config(config)
