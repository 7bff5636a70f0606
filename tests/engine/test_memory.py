"""Memory of one GPU: published figures, the least numbers of GPUs, and what must always hold."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wattsweights_gui import paths
from wattsweights_gui.engine.equations import transformer
from wattsweights_gui.engine.equations.blocks import blocks_of
from wattsweights_gui.engine.equations.job import Job, Recipe
from wattsweights_gui.engine.equations.layouts import Layouts
from wattsweights_gui.engine.equations.memory import GIB, ledger, local_params, memory, states, total_bytes
from wattsweights_gui.engine.equations.stages import layers_of_stages, stages_of
from wattsweights_gui.engine.equations.transformer import TransformerShape
from wattsweights_gui.engine.least_gpus import least_gpus
from wattsweights_gui.exchange.hf_config import shape_from_config

GPT_1T = TransformerShape(
    layers=128, hidden=25600, heads=160, kv_heads=160, head_dim=160, ffn=102400, gated=False, vocab=51200, tied=True
)
LLAMA_405B = TransformerShape(126, 16384, 128, 8, 128, 53248)
DEEPSEEK_V3 = TransformerShape(
    61,
    7168,
    128,
    128,
    192,
    18432,
    vocab=129280,
    experts=256,
    top_k=8,
    expert_ffn=2048,
    shared_expert_ffn=2048,
    first_dense_layers=3,
    mla=True,
    q_lora_rank=1536,
    kv_lora_rank=512,
    qk_nope_head_dim=128,
    qk_rope_head_dim=64,
    v_head_dim=128,
)
MEGATRON_1T = Job(GPT_1T, 2048, 512, "fp16", Recipe(), fused_attention=False, dropout=True)


def test_that_activations_of_the_1t_megatron_run_equal_the_papers_figures():
    for recompute, sequence, published in (("none", 0.0, 131.25), ("selective", 1.0, 26.5625)):
        layout = Layouts.of(tp=8, pp=64, recompute=recompute, sharding="none", sequence_parallel=sequence)
        assert memory(MEGATRON_1T, layout).activations[0] / GIB == pytest.approx(published, rel=1e-6)


def test_that_states_of_a_middle_stage_of_the_1t_run_are_33_gib():
    layout = Layouts.of(tp=8, pp=64, sharding="none")
    weights, gradients, optimizer, _ = states(MEGATRON_1T, layout, ledger(MEGATRON_1T, layout).params)
    middle = (weights + gradients + optimizer)[1, 0] / GIB
    assert middle == pytest.approx(33.0, rel=0.005)


def test_that_the_first_stage_holds_the_input_table_and_is_the_fullest():
    layout = Layouts.of(tp=8, pp=64, sharding="none", recompute="selective")
    assert memory(MEGATRON_1T, layout).stage[0] == 0


def test_that_512_gpus_hold_1t_parameters_at_18_bytes_and_256_with_full_recompute():
    recipes = {"18": Recipe(), "4": Recipe(1, 1, 0, 2, 0)}
    found = least_gpus(MEGATRON_1T, 80e9, 8, "none", recipes)
    assert found[("18", "selective")].gpus == 512
    assert (found[("18", "selective")].tp, found[("18", "selective")].pp) == (8, 64)
    assert found[("18", "full")].gpus == 256
    assert found[("4", "full")].gpus == 56


def test_that_nothing_is_said_to_fit_where_no_layout_does():
    found = least_gpus(MEGATRON_1T, 1e9, 8, "none", {"18": Recipe()})
    assert found[("18", "none")].gpus is None
    assert found[("18", "none")].memory_bytes > 1e9


def test_that_memory_of_a_b200_run_is_within_five_percent_of_its_measured_peak():
    shape = TransformerShape(12, 8192, 64, 8, 128, 28672, vocab=128256)
    job = Job(shape, 4096, 8, "bf16", Recipe(), fused_loss=True)
    layout = Layouts.of(tp=4, dp=2, sharding="zero1", recompute="none")
    assert memory(job, layout).total[0] / GIB == pytest.approx(39.07, rel=0.05)


@pytest.mark.parametrize("shape", [GPT_1T, LLAMA_405B, DEEPSEEK_V3])
def test_that_blocks_count_the_parameters_of_the_shape(shape):
    blocks = blocks_of(shape)
    assert blocks.total_params == transformer.total_params(shape)


def test_that_blocks_and_stages_count_each_published_model_to_the_unit():
    listed = json.loads(paths.resource("catalog", "hf_configs.json").read_text(encoding="utf-8"))["models"]
    alone = Layouts.of()
    for model in listed:
        shape = shape_from_config(model["config"])[0].resolved()
        job, whole = Job(shape, 4096, 8), transformer.total_params(shape)
        params = local_params(job, alone, stages_of(job, alone))
        split = float((params.shared + params.experts)[0, 0]) - transformer.mtp_params(shape)
        # a head that is tied stands once on one GPU
        assert blocks_of(shape).total_params == whole, model["name"]
        assert split == pytest.approx(whole, rel=1e-12), model["name"]


@given(st.sampled_from([1, 2, 4, 8]), st.sampled_from([1, 2, 4, 8, 16]), st.sampled_from([1, 2, 4, 16]))
def test_that_splitting_conserves_the_bytes_of_matrices(tp, pp, dp):
    job = Job(LLAMA_405B, 8192, 256)
    layout = Layouts.of(tp=tp, pp=pp, dp=dp, sharding="zero1")
    params = ledger(job, layout).params
    first, middle, last = params.shared[:, 0]
    layers = layers_of_stages(job.blocks, layout)[:, 0]
    total = first if pp == 1 else first + (pp - 2) * middle + last
    whole = (layers[0] if pp == 1 else layers[0] + (pp - 2) * layers[1] + layers[2]) == job.blocks.layers
    if whole:
        norms = 2 * job.blocks.hidden * job.blocks.layers + job.blocks.hidden
        matrices = transformer.total_params(LLAMA_405B) - norms
        assert (total - norms) * tp == pytest.approx(matrices, rel=1e-9)


@given(
    st.sampled_from(["none", "zero1", "zero2", "fsdp"]),
    st.sampled_from(["none", "selective", "full"]),
    st.integers(0, 6),
)
def test_that_more_replicas_never_take_more_memory_for_states(sharding, recompute, power):
    job = Job(DEEPSEEK_V3, 4096, 4096)
    few = memory(job, Layouts.of(tp=2, pp=4, dp=2**power, ep=1, sharding=sharding, recompute=recompute))
    more = memory(job, Layouts.of(tp=2, pp=4, dp=2 ** (power + 1), ep=1, sharding=sharding, recompute=recompute))
    assert more.states[0] <= few.states[0] * (1 + 1e-12)


def test_that_each_step_of_sharding_and_recompute_takes_less():
    job = Job(LLAMA_405B, 8192, 512)
    totals = [memory(job, Layouts.of(tp=8, pp=8, dp=8, sharding=s)).total[0] for s in ("none", "zero1", "zero2")]
    assert totals[0] > totals[1] > totals[2]
    kept = [memory(job, Layouts.of(tp=8, pp=8, dp=8, recompute=r)).activations[0] for r in ("none", "full")]
    assert kept[0] > kept[1]


@given(st.integers(1, 128), st.integers(1, 6), st.integers(1, 200))
def test_that_stages_hold_all_layers_and_none_twice(pp, vpp, layers):
    if pp * vpp > layers:
        return
    blocks = blocks_of(TransformerShape(layers, 1024, 8, 8, 128, 4096))
    first, middle, last = layers_of_stages(blocks, Layouts.of(pp=pp, vpp=vpp))[:, 0]
    held = first if pp == 1 else first + (pp - 2) * middle + last
    assert held >= layers - 1e-9
    assert min(first, middle, last) >= 0
    if layers % (pp * vpp) == 0:
        assert held == layers


def test_that_a_layout_alone_equals_the_same_layout_in_an_array():
    job = Job(DEEPSEEK_V3, 4096, 4096)
    tp = np.array([1.0, 2.0, 4.0, 8.0])
    many = memory(job, Layouts.of(tp=tp, pp=4, dp=16, ep=8, recompute=np.array([0.0, 1.0, 2.0, 0.0])))
    for i, recompute in enumerate((0.0, 1.0, 2.0, 0.0)):
        one = memory(job, Layouts.of(tp=tp[i], pp=4, dp=16, ep=8, recompute=recompute))
        assert one.total[0] == many.total[i]


def test_that_the_totals_of_the_parts_are_the_total():
    job = Job(LLAMA_405B, 8192, 512)
    layout = Layouts.of(tp=8, pp=8, dp=4, sharding="zero1")
    assert memory(job, layout).total[0] == pytest.approx(total_bytes(job, layout, ledger(job, layout))[0])
