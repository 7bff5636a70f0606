"""Parameters, bytes and FLOPs of a model."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.chain import evaluate
from wattsweights_gui.engine.declare import Refused
from wattsweights_gui.engine.equations import standard_shape, transformer
from wattsweights_gui.engine.equations.transformer import TransformerShape
from wattsweights_gui.engine.plan import default_plan

LLAMA_8B = TransformerShape(
    layers=32, hidden=4096, heads=32, kv_heads=8, head_dim=128, ffn=14336, vocab=128256
)  # fmt: skip


def _sized(*edits: tuple[str, Any]) -> Any:
    return evaluate(default_plan().edit(*edits), catalog(), layers=("workload",))


def test_that_1t_all_in_fp8_with_optimizer_state_is_4_tb_and_says_what_people_run() -> None:
    sized = _sized(("workload.recipe", "fp8_all_4"), ("workload.precision", "fp8"))
    assert sized.results["workload"].state_tb.value == pytest.approx(4.0, rel=0.01)
    finding = next(f for f in sized.findings if f.id == "workload.recipe.not-in-production")
    assert "13.1" in finding.message
    assert "18.1" in finding.message
    table = dict((row[0], row[2]) for row in sized.results["workload"].recipes.rows)
    assert sorted(round(tb) for tb in table.values()) == [4, 7, 8, 10, 12, 13, 16, 18, 18, 20, 20]


def test_that_training_flops_of_llama_8b_are_the_published_count() -> None:
    # 6 x 7.50e9 active parameters without the input table, and causal attention at 8,192 tokens
    expected = 6 * (transformer.active_params_no_input(LLAMA_8B) - 65 * 4096) + 6 * 32 * 32 * 128 * 8192
    assert transformer.model_flops_per_token(LLAMA_8B, 8192) == pytest.approx(expected, rel=1e-12)


@given(st.floats(0.05, 20000))
def test_that_a_size_is_met_within_two_per_cent(params_b: float) -> None:
    shape = standard_shape.standard_shape(params_b * 1e9)
    assert transformer.total_params(shape) == pytest.approx(params_b * 1e9, rel=0.02)
    assert shape.heads % shape.kv_heads == 0


@given(st.integers(1, 200), st.integers(1, 64), st.sampled_from([64, 128]), st.integers(1, 40))
def test_that_more_layers_never_mean_fewer_parameters_or_flops(layers: int, heads: int, width: int, step: int) -> None:
    def shape(n: int) -> TransformerShape:
        return TransformerShape(
            layers=n,
            hidden=heads * width,
            heads=heads,
            kv_heads=heads,
            head_dim=width,
            ffn=4 * heads * width,
            vocab=1000,
        )

    assert transformer.total_params(shape(layers + step)) > transformer.total_params(shape(layers))
    assert transformer.model_flops_per_token(shape(layers + step), 2048) > transformer.model_flops_per_token(
        shape(layers), 2048
    )


def test_that_moe_flops_count_the_active_experts_only() -> None:
    moe = TransformerShape(
        layers=4,
        hidden=1024,
        heads=8,
        kv_heads=8,
        head_dim=128,
        ffn=4096,
        vocab=1000,
        experts=64,
        top_k=2,
        expert_ffn=512,
    )
    more = TransformerShape(
        layers=4,
        hidden=1024,
        heads=8,
        kv_heads=8,
        head_dim=128,
        ffn=4096,
        vocab=1000,
        experts=128,
        top_k=2,
        expert_ffn=512,
    )
    router = 3 * 2 * 4 * 1024 * 64
    difference = transformer.model_flops_per_token(more, 512) - transformer.model_flops_per_token(moe, 512)
    assert difference == pytest.approx(router)


def test_that_a_window_saves_attention_and_never_adds() -> None:
    full = transformer.attention_flops_per_token(LLAMA_8B, 8192)
    windowed = TransformerShape(
        layers=32, hidden=4096, heads=32, kv_heads=8, head_dim=128, ffn=14336, window=1024, full_every=0
    )
    assert transformer.attention_flops_per_token(windowed, 8192) < full / 3
    assert transformer.attention_flops_per_token(windowed, 512) == transformer.attention_flops_per_token(LLAMA_8B, 512)


@pytest.mark.parametrize(
    ("edits", "says"),
    [
        ([("workload.model", "shape"), ("workload.model.kv_heads", 7)], "must divide"),
        ([("workload.model", "shape"), ("workload.model.experts", 8)], "active experts"),
        ([("workload.model", "shape"), ("workload.model.heads", 7), ("workload.model.kv_heads", 7)], "divide"),
        ([("workload.model", "shape"), ("workload.model.mla", True)], "latent attention needs"),
    ],
)
def test_that_dimensions_that_cannot_go_together_are_refused(edits: list[tuple[str, Any]], says: str) -> None:
    with pytest.raises(Refused, match=says):
        default_plan().edit(*edits)


def test_that_every_workload_figure_explains_itself() -> None:
    for name, figure in _sized().results["workload"].figures():
        assert figure.formula, name
        assert figure.operands, name


def test_that_low_precision_over_16_bit_weights_says_what_is_not_counted() -> None:
    finding = next(
        f for f in _sized(("workload.precision", "mxfp8")).findings if f.id == "workload.recipe.no-low-precision-copy"
    )
    assert "2.02" in finding.message
    mended = _sized(("workload.precision", "mxfp8"), *finding.fix)
    assert finding.id not in {f.id for f in mended.findings}


def test_that_a_size_too_small_for_a_standard_shape_is_said() -> None:
    assert "workload.model.size-missed" in {f.id for f in _sized(("workload.model.params_b", 0.001)).findings}
    assert "workload.model.size-missed" not in {f.id for f in _sized().findings}


@pytest.mark.parametrize("precision", ["bf16", "fp16", "fp8", "fp8_block", "mxfp8", "nvfp4"])
def test_that_formats_share_out_all_model_flops_and_keep_attention_and_head_in_16_bits(precision):
    plan = default_plan((("workload.precision", precision),))
    table = evaluate(plan, catalog(), layers=("workload",)).results["workload"].formats
    rows = {row[0]: row for row in table.rows}
    assert sum(row[2] for row in table.rows) == pytest.approx(100.0)
    for name in ("Attention scores and values", "Output head and loss"):
        assert rows[name][1].startswith(("BF16", "FP16"))
    low = precision not in ("bf16", "fp16")
    assert rows["Activations kept for the backward pass"][1].startswith("8 bits") == low
    assert table.source
