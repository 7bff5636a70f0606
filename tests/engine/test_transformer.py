"""Parameters and FLOPs from a shape: sums by hand, parts that add up, and what can never happen."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wattsweights_gui.engine.equations import transformer
from wattsweights_gui.engine.equations.standard_shape import MEGATRON_1T, standard_shape
from wattsweights_gui.engine.equations.transformer import TransformerShape

GPT3 = TransformerShape(
    layers=96, hidden=12288, heads=96, kv_heads=96, head_dim=128, ffn=49152, gated=False, vocab=51200, tied=True
)
DEEPSEEK_V3 = TransformerShape(
    layers=61, hidden=7168, heads=128, kv_heads=128, head_dim=56, ffn=18432, vocab=129280, experts=256, top_k=8,
    expert_ffn=2048, shared_expert_ffn=2048, first_dense_layers=3, mla=True, q_lora_rank=1536, kv_lora_rank=512,
    qk_nope_head_dim=128, qk_rope_head_dim=64, v_head_dim=128, router_bias=True, mtp_layers=1,
)  # fmt: skip


@st.composite
def shapes(draw: st.DrawFn) -> TransformerShape:
    """Any shape that can be built, dense or with experts, with latent attention or without."""
    kv_heads = draw(st.integers(1, 8))
    layers = draw(st.integers(1, 40))
    experts = draw(st.sampled_from([0, 0, 4, 16]))
    mla = draw(st.booleans())
    return TransformerShape(
        layers=layers,
        hidden=draw(st.integers(1, 32)) * 64,
        heads=kv_heads * draw(st.integers(1, 8)),
        kv_heads=kv_heads,
        head_dim=draw(st.sampled_from([64, 96, 128])),
        ffn=draw(st.integers(1, 64)) * 64,
        gated=draw(st.booleans()),
        vocab=draw(st.integers(100, 50000)),
        tied=draw(st.booleans()),
        experts=experts,
        top_k=draw(st.integers(1, experts)) if experts else 0,
        expert_ffn=128 if experts else 0,
        shared_expert_ffn=draw(st.sampled_from([0, 256])) if experts else 0,
        first_dense_layers=draw(st.integers(0, layers)) if experts else 0,
        moe_every=draw(st.integers(1, 3)),
        mla=mla,
        q_lora_rank=draw(st.sampled_from([0, 64])) if mla else 0,
        kv_lora_rank=64 if mla else 0,
        qk_nope_head_dim=64 if mla else 0,
        qk_rope_head_dim=32 if mla else 0,
        v_head_dim=64 if mla else 0,
        window=draw(st.sampled_from([0, 128, 4096])),
        full_every=draw(st.integers(0, 4)),
        qkv_bias=draw(st.booleans()),
        norm_bias=draw(st.booleans()),
        mtp_layers=draw(st.integers(0, 2)),
    )


def test_that_gpt3_flops_are_those_of_the_printed_formula() -> None:
    # Narayanan et al. 2021: 96 B s L h² (1 + s/6h + V/16Lh) counts full recompute and attention not halved
    s, h, layers, vocab = 2048, 12288, 96, 51200
    printed = 96 * s * layers * h * h * (1 + s / (6 * h) + vocab / (16 * layers * h))
    ours = s * (
        transformer.model_flops_per_token(GPT3, s, causal=False)
        + transformer.full_recompute_flops_per_token(GPT3, s, causal=False)
    )
    assert ours == pytest.approx(printed, rel=1e-9)


def test_that_latent_attention_counts_each_of_its_matrices() -> None:
    down = 7168 * 1536 + 7168 * (512 + 64)
    up = 1536 * 128 * (128 + 64) + 512 * 128 * (128 + 128)
    out = 128 * 128 * 7168
    assert transformer.attention_params(DEEPSEEK_V3) == down + up + out + 1536 + 512


def test_that_deepseek_v3_has_its_published_counts() -> None:
    assert transformer.total_params(DEEPSEEK_V3) == 671_026_419_200
    assert transformer.active_params(DEEPSEEK_V3) == pytest.approx(37.55e9, rel=1e-3)
    assert DEEPSEEK_V3.moe_layers == 58


def test_that_interleaved_experts_stand_in_every_second_layer() -> None:
    interleaved = dataclasses.replace(DEEPSEEK_V3, layers=48, first_dense_layers=0, moe_every=2)
    assert [interleaved.is_moe(i) for i in range(4)] == [False, True, False, True]
    assert interleaved.moe_layers == 24


@given(shapes())
def test_that_the_parts_add_up_to_the_whole(shape: TransformerShape) -> None:
    layers = sum(transformer.layer_params(shape, shape.is_moe(i)) for i in range(shape.layers))
    tables = transformer.embedding_params(shape) + transformer.head_params(shape)
    assert transformer.total_params(shape) == layers + tables + transformer.loose_norm_params(shape)
    active = sum(transformer.active_layer_params(shape, shape.is_moe(i)) for i in range(shape.layers))
    assert transformer.active_params(shape) == active + tables + transformer.loose_norm_params(shape)


@given(shapes())
def test_that_active_parameters_are_never_more_than_all(shape: TransformerShape) -> None:
    total, active = transformer.total_params(shape), transformer.active_params(shape)
    assert 0 < transformer.active_params_no_input(shape) <= active <= total
    if not shape.moe_layers or shape.top_k == shape.experts:
        assert active == total


@given(shapes(), st.integers(64, 16384))
def test_that_causal_attention_is_half_at_most_and_no_window_adds_work(shape: TransformerShape, seq_len: int) -> None:
    full = transformer.attention_flops_per_token(dataclasses.replace(shape, window=0), seq_len, causal=False)
    causal = transformer.attention_flops_per_token(dataclasses.replace(shape, window=0), seq_len)
    assert causal == pytest.approx(full / 2)
    assert transformer.attention_flops_per_token(shape, seq_len) <= causal * (1 + 1e-12)
    assert transformer.attention_flops_per_token(shape, seq_len, causal=False) <= full * (1 + 1e-12)


@given(shapes(), st.integers(64, 8192), st.integers(1, 8192))
def test_that_a_longer_sequence_never_costs_less_a_token(shape: TransformerShape, seq_len: int, more: int) -> None:
    shorter = transformer.model_flops_per_token(shape, seq_len)
    assert transformer.model_flops_per_token(shape, seq_len + more) >= shorter


@given(shapes(), st.integers(64, 8192))
def test_that_full_recompute_adds_less_than_a_third(shape: TransformerShape, seq_len: int) -> None:
    again = transformer.full_recompute_flops_per_token(shape, seq_len)
    assert 0 < again < transformer.model_flops_per_token(shape, seq_len) / 3


def test_that_the_standard_trillion_is_the_published_shape() -> None:
    assert standard_shape(1e12) == MEGATRON_1T
    assert transformer.total_params(MEGATRON_1T) == pytest.approx(1008e9, rel=1e-3)


@given(st.floats(1.0, 1e5))
def test_that_a_size_from_one_billion_up_is_met_within_one_per_cent(params_b: float) -> None:
    assert transformer.total_params(standard_shape(params_b * 1e9)) == pytest.approx(params_b * 1e9, rel=0.01)
