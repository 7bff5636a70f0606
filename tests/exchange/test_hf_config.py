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
        ({"hidden_size": [1]}, "whole number"),
        ({"num_key_value_heads": 7}, "must divide"),
        ({"tie_word_embeddings": "perhaps"}, "true or false"),
        ({"model_type": None}, "no model_type"),
        ({"model_type": "mamba9", "num_hidden_layers": None}, "no architecture that can be read"),
        ({"model_type": "mamba9", "num_experts": 8}, "cannot be guessed"),
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


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
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
