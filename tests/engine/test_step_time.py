"""Step time: published runs, and what must always hold."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.equations.job import Job, Recipe
from wattsweights_gui.engine.equations.layouts import Layouts
from wattsweights_gui.engine.equations.machine import Machine, constants_of, machine_of
from wattsweights_gui.engine.equations.step_time import step_time
from wattsweights_gui.engine.equations.transformer import TransformerShape

GPT_175B = TransformerShape(96, 12288, 96, 96, 128, 49152, gated=False, vocab=51200, tied=True)
LLAMA_70B = TransformerShape(80, 8192, 64, 8, 128, 28672)
QWEN_235B = TransformerShape(94, 4096, 64, 4, 128, 12288, vocab=151936, experts=128, top_k=8, expert_ffn=1536)
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


def machine(gpu: str = "h100_sxm", precision: str = "bf16", nic: float = 400.0, **other: float) -> Machine:
    hardware = catalog()
    made = machine_of(hardware.entry(gpu), hardware, precision, nic, **other)
    assert made is not None
    return made


def seconds(job: Job, on: Machine, **layout: object) -> float:
    return float(step_time(job, on, Layouts.of(**layout)).total[0])


def test_that_gpt_175b_on_64_a100_takes_the_published_seconds():
    job = Job(
        GPT_175B,
        2048,
        64,
        "fp16",
        Recipe(),
        fused_attention=False,
        dropout=True,
        overlap_gradients=False,
        overlap_tensor=False,
        year=2022.0,
    )
    on = machine("a100_sxm_80gb", "fp16", 200.0)
    layout = {"tp": 8, "pp": 8, "vpp": 3, "schedule": "interleaved", "sharding": "none"}
    assert seconds(job, on, **layout, recompute="full", sequence_parallel=0.0) == pytest.approx(18.13, rel=0.12)
    assert seconds(job, on, **layout, recompute="selective") == pytest.approx(13.75, rel=0.12)


def test_that_no_gpu_computes_faster_than_its_peak():
    for gpu in ("a100_sxm_80gb", "h100_sxm", "b200", "gb300"):
        job, on = Job(LLAMA_70B, 8192, 64), machine(gpu)
        for tp in (1, 2, 4, 8):
            step = seconds(job, on, tp=tp, pp=1, dp=1)
            assert job.flops_per_token * job.tokens_per_step / step / tp < on.peak_flops_s


def test_that_experts_that_a_token_does_not_use_cost_no_flops():
    dense_like = replace(QWEN_235B, experts=8)
    on = machine("h100_sxm")
    many = seconds(Job(QWEN_235B, 4096, 256), on, tp=1, pp=8, dp=8, ep=8)
    few = seconds(Job(dense_like, 4096, 256), on, tp=1, pp=8, dp=8, ep=8)
    assert many < 4 * few


LAYOUT = st.fixed_dictionaries(
    {
        "tp": st.sampled_from([1, 2, 4, 8, 16]),
        "pp": st.sampled_from([1, 2, 4, 8]),
        "dp": st.sampled_from([1, 2, 8, 32]),
        "cp": st.sampled_from([1, 2, 4]),
        "ep": st.sampled_from([1, 2, 8]),
        "micro_batch": st.sampled_from([1, 2, 4]),
        "vpp": st.sampled_from([1, 2]),
        "recompute": st.sampled_from(["none", "selective", "full"]),
        "sharding": st.sampled_from(["none", "zero1", "zero2", "fsdp"]),
    }
)
JOBS = st.sampled_from([Job(LLAMA_70B, 8192, 256), Job(QWEN_235B, 4096, 512, imbalance=1.1)])


@settings(max_examples=60, deadline=None)
@given(JOBS, LAYOUT, st.sampled_from(["link_bytes_s", "copy_bytes_s", "nic_bytes_s", "hbm_bytes_s"]), st.floats(1.1, 8))
def test_that_more_bandwidth_never_makes_a_step_slower(job, layout, rate, factor):
    on = machine()
    faster = replace(on, **{rate: getattr(on, rate) * factor})
    assert seconds(job, faster, **layout) <= seconds(job, on, **layout) * (1 + 1e-9)


@settings(max_examples=60, deadline=None)
@given(JOBS, LAYOUT, st.floats(1.1, 8))
def test_that_more_peak_never_makes_a_step_slower(job, layout, factor):
    on = machine()
    rates = ("gemm_flops_s", "half_flops_s", "attention_flops_s")
    faster = replace(on, **{r: getattr(on, r) * factor for r in rates})
    assert seconds(job, faster, **layout) <= seconds(job, on, **layout) * (1 + 1e-9)


@settings(max_examples=40, deadline=None)
@given(JOBS, LAYOUT)
def test_that_less_clock_more_oversubscription_and_no_in_network_reduction_never_help(job, layout):
    best = seconds(job, machine(in_network=True), **layout)
    for worse in (machine(clock_share=0.7, in_network=True), machine(oversubscription=4.0, in_network=True), machine()):
        assert seconds(job, worse, **layout) >= best * (1 - 1e-9)


@settings(max_examples=40, deadline=None)
@given(JOBS, st.lists(LAYOUT, min_size=2, max_size=6))
def test_that_a_layout_alone_equals_the_same_layout_in_an_array(job, layouts):
    words = ("recompute", "sharding")
    codes = {"recompute": ["none", "selective", "full"], "sharding": ["none", "zero1", "zero2", "fsdp"]}
    columns = {
        n: np.array([codes[n].index(x[n]) if n in words else x[n] for x in layouts], dtype=float) for n in layouts[0]
    }
    many = step_time(job, machine(), Layouts.of(**columns))
    for i, layout in enumerate(layouts):
        one = step_time(job, machine(), Layouts.of(**layout))
        for part in fields(one):
            assert getattr(one, part.name)[0] == getattr(many, part.name)[i]


@settings(max_examples=40, deadline=None)
@given(JOBS, LAYOUT)
def test_that_every_part_is_finite_and_not_negative(job, layout):
    made = step_time(job, machine(), Layouts.of(**layout))
    for part in fields(made):
        value = getattr(made, part.name)[0]
        assert np.isfinite(value)
        assert value >= 0


def test_that_interleaving_shrinks_the_bubble_and_adds_sends_where_computing_does_not_hide_them():
    waits, on = Job(LLAMA_70B, 8192, 64, overlap_sends=False), machine()
    hides = replace(waits, overlap_sends=True)
    one, five = Layouts.of(tp=8, pp=8, dp=1), Layouts.of(tp=8, pp=8, dp=1, vpp=5, schedule="interleaved")
    plain, chunked = step_time(waits, on, one), step_time(waits, on, five)
    assert chunked.bubble[0] < plain.bubble[0] / 3
    assert chunked.pipeline[0] > plain.pipeline[0]
    assert step_time(hides, on, five).pipeline[0] < plain.pipeline[0]


def test_that_two_chunks_folded_into_a_v_even_out_the_first_and_the_last_stage():
    job, on = Job(replace(DEEPSEEK_V3, mtp_layers=1), 4096, 256), machine()
    plain = step_time(job, on, Layouts.of(pp=16, ep=8, dp=8, schedule="zero_bubble"))
    folded = step_time(job, on, Layouts.of(pp=16, ep=8, dp=8, vpp=2, schedule="zero_bubble"))
    assert folded.compute[0] < plain.compute[0]


def test_that_a_pass_that_hides_gradients_still_pays_for_what_they_take_of_the_gpu():
    job, layout = Job(LLAMA_70B, 8192, 64), Layouts.of(tp=8, dp=8, micro_batch=8, sharding="fsdp")
    on = machine()
    free = replace(on, fit={**on.fit, "contention": 0.0})
    assert step_time(job, on, layout).data[0] > step_time(job, free, layout).data[0] > 0


def test_that_a_block_side_by_side_halves_the_collectives_of_tensor_parallelism():
    job, on, layout = Job(LLAMA_70B, 8192, 64), machine(), Layouts.of(tp=8, dp=1)
    both = step_time(replace(job, parallel_block=True), on, layout)
    assert both.tensor[0] < 0.6 * step_time(job, on, layout).tensor[0]


def test_that_tensor_parallelism_beyond_the_domain_is_slower_than_inside():
    job, on = Job(LLAMA_70B, 8192, 64), machine()
    inside = step_time(job, on, Layouts.of(tp=8, dp=2)).tensor[0]
    outside = step_time(job, on, Layouts.of(tp=16, dp=1)).tensor[0]
    assert outside > inside


def test_that_fp8_speeds_up_a_step_but_not_by_the_ratio_of_the_peaks():
    bf16 = seconds(Job(LLAMA_70B, 8192, 64), machine(), tp=8, dp=1)
    fp8 = seconds(Job(LLAMA_70B, 8192, 64, "fp8"), machine(precision="fp8"), tp=8, dp=1)
    assert bf16 / 2 < fp8 < bf16


def test_that_no_more_than_two_dozen_constants_are_fitted_and_each_lies_in_its_range():
    fitted = catalog().of_kind("fitted_constant")
    assert len(fitted) <= 24
    for entry in fitted:
        assert entry.get("low") <= entry.get("value") <= entry.get("high"), entry.id
        assert entry.get("fitted_on")
        assert entry.sources[""]
    assert set(constants_of(catalog())) >= {e.id.removeprefix("fit_") for e in fitted}
