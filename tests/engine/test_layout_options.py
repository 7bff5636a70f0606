"""Options of a layout in memory and time: layers recomputed, zero bubble, offload, sharding groups, capacity, tiles."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.chain import evaluate
from wattsweights_gui.engine.equations.job import Job
from wattsweights_gui.engine.equations.layouts import Layouts
from wattsweights_gui.engine.equations.machine import machine_of
from wattsweights_gui.engine.equations.memory import ledger, memory
from wattsweights_gui.engine.equations.stages import stages_of
from wattsweights_gui.engine.equations.step_time import step_time
from wattsweights_gui.engine.equations.transformer import TransformerShape
from wattsweights_gui.engine.plan import default_plan

LLAMA_70B = TransformerShape(layers=80, hidden=8192, heads=64, kv_heads=8, head_dim=128, ffn=28672, vocab=128256)
EXPERTS = replace(LLAMA_70B, layers=40, experts=64, top_k=4, expert_ffn=4096)
JOB = Job(LLAMA_70B, 8192, 256)
H100 = machine_of(catalog().entry("h100_sxm"), catalog(), "bf16", 400.0)
BASE = {"tp": 8, "pp": 8, "dp": 4}


def held(job: Job = JOB, **layout) -> float:
    return float(memory(job, Layouts.of(**{**BASE, **layout})).total[0])


def seconds(job: Job = JOB, **layout) -> float:
    return float(step_time(job, H100, Layouts.of(**{**BASE, **layout})).total[0])


def test_that_some_layers_recomputed_lie_between_none_and_all_in_memory_and_time():
    none, full = {"recompute": "none"}, {"recompute": "full"}
    counts = [{"recompute": "full", "recompute_layers": n} for n in (1, 3, 5, 9)]
    memories = [held(**options) for options in counts]
    times = [seconds(**options) for options in counts]
    assert memories == sorted(memories, reverse=True)
    assert times == sorted(times)
    assert seconds(**none) < times[0]
    assert held(**full) == pytest.approx(held(recompute="full", recompute_layers=10))
    assert seconds(**full) == pytest.approx(seconds(recompute="full", recompute_layers=10))
    assert held(**full) < memories[-1]


def test_that_zero_bubble_keeps_as_many_micro_batches_on_every_stage_as_on_the_first():
    for schedule, wanted in (("zero_bubble", [8, 8, 8]), ("zero_bubble_h2", [15, 15, 15])):
        stages = stages_of(JOB, Layouts.of(**BASE, schedule=schedule))
        assert stages.in_flight[:, 0].tolist() == wanted
    plain = stages_of(JOB, Layouts.of(**BASE))
    assert plain.in_flight[:, 0].tolist() == [8, 7, 1]


def test_that_zero_bubble_leaves_a_third_of_the_bubble_and_its_second_form_none_but_the_sends():
    def bubble(schedule: str) -> float:
        return float(step_time(JOB, H100, Layouts.of(**BASE, schedule=schedule)).bubble[0])

    plain, first, second = bubble("1f1b"), bubble("zero_bubble"), bubble("zero_bubble_h2")
    assert first - second == pytest.approx((plain - second) / 3.0)
    assert second < 0.1 * plain
    assert held(schedule="zero_bubble_h2") > held(schedule="zero_bubble") >= held()


def test_that_activations_in_host_memory_free_gpu_memory_and_cost_what_compute_does_not_hide():
    away = replace(JOB, offload_layers=4.0, host_bytes_s=50e9)
    freed = held() - held(away)
    kept = float(ledger(JOB, Layouts.of(**BASE)).kept[0, 0])
    assert freed == pytest.approx(0.4 * kept)
    assert seconds(away) == pytest.approx(seconds())
    slow = replace(away, host_bytes_s=1e9)
    assert seconds(slow) > seconds()
    moved = 2.0 * freed / 8.0  # of one micro batch, there and back
    time = step_time(slow, H100, Layouts.of(**BASE))
    batches = 256 / 4
    assert float(time.offload[0]) <= batches * moved / 1e9


def test_that_all_layers_but_one_can_be_offloaded():
    assert 0 < held(replace(JOB, offload_layers=1000.0)) < held(replace(JOB, offload_layers=8.0))


def test_that_an_optimizer_in_host_memory_frees_master_copy_and_moments_and_its_update_is_slower():
    away = replace(JOB, offload_optimizer=True, host_bytes_s=50e9, host_memory_bytes_s=50e9)
    whole = memory(JOB, Layouts.of(**BASE))
    assert held() - held(away) == pytest.approx(float(whole.optimizer[0]))
    assert seconds(away) > seconds()


@settings(max_examples=20, deadline=None)
@given(st.sampled_from([2, 4, 8, 16]), st.sampled_from(["zero1", "zero2", "fsdp"]))
def test_that_a_smaller_sharding_group_takes_more_memory_and_the_largest_is_all_ranks(group, sharding):
    layout = {"tp": 8, "pp": 1, "dp": 32, "sharding": sharding}
    assert held(**layout, shard_group=group) >= held(**layout, shard_group=2 * group)
    assert held(**layout, shard_group=32) == pytest.approx(held(**layout))
    assert held(**layout, shard_group=1) == pytest.approx(held(**{**layout, "sharding": "none"}), rel=0.05)


def test_that_padding_to_a_capacity_costs_rows_in_memory_and_time():
    layout = {"tp": 1, "pp": 4, "dp": 8, "ep": 8}
    even, padded = Job(EXPERTS, 4096, 128), Job(EXPERTS, 4096, 128, imbalance=1.5)
    assert held(padded, **layout) > held(even, **layout)
    assert seconds(padded, **layout) > seconds(even, **layout)


def test_that_rows_dropped_by_a_small_capacity_are_no_model_flops():
    half = Job(EXPERTS, 4096, 128, imbalance=0.5)
    fewer = Job(replace(EXPERTS, top_k=2), 4096, 128)
    assert half.flops_per_token == pytest.approx(fewer.flops_per_token, rel=1e-9)
    assert Job(EXPERTS, 4096, 128, imbalance=1.5).flops_per_token == Job(EXPERTS, 4096, 128).flops_per_token
    assert Job(LLAMA_70B, 4096, 128, imbalance=0.5).flops_per_token == Job(LLAMA_70B, 4096, 128).flops_per_token


@pytest.mark.parametrize("tile", [0, 1, 2])
def test_that_no_single_tile_beats_the_best_of_all(tile):
    assert seconds(replace(JOB, tile=tile)) >= seconds() * (1 - 1e-12)


@pytest.mark.parametrize("recompute", ["none", "selective", "full"])
def test_that_scores_in_memory_never_take_less_than_fused_attention(recompute):
    loose = replace(JOB, fused_attention=False, fused_loss=True)
    assert held(loose, recompute=recompute) >= held(replace(JOB, fused_loss=True), recompute=recompute)


def test_that_layers_beyond_those_of_a_stage_are_said_to_be_cut():
    plan = default_plan().edit(("parallelism.recompute", "full"), ("parallelism.recompute_layers", 999))
    split = evaluate(plan, catalog())
    assert any(f.id.endswith("recompute.most") for f in split.findings)
    plan = default_plan().edit(("parallelism.pp", 64), ("parallelism.offload_layers", 2))
    assert any(f.id.endswith("offload.layers") for f in evaluate(plan, catalog()).findings)
