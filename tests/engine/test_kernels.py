"""This model's kernels: they add up to the step, nothing is lost over splits, and what saves says how much."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.equations import transformer
from wattsweights_gui.engine.equations.job import Job
from wattsweights_gui.engine.equations.kernels import fused_attention_flops_s
from wattsweights_gui.engine.equations.layouts import Layouts
from wattsweights_gui.engine.equations.machine import Machine, machine_of
from wattsweights_gui.engine.equations.step_time import step_time
from wattsweights_gui.engine.equations.transformer import TransformerShape
from wattsweights_gui.engine.kernel_points import ATTENTION, SCORES, Kernel, kernels_of
from wattsweights_gui.engine.kernel_tables import (
    kernels_table,
    lower_format,
    optimisations_table,
    roof,
)
from wattsweights_gui.engine.shape_advice import advice_table

DENSE = TransformerShape(32, 4096, 32, 8, 128, 14336)
GPT = TransformerShape(24, 2048, 16, 16, 128, 8192, gated=False, vocab=51200, tied=True)
MIXED = TransformerShape(
    24, 2048, 16, 16, 128, 5632, vocab=100352, experts=64, top_k=6, expert_ffn=1408, shared_expert_ffn=2816
)
LATENT = TransformerShape(
    27,
    2048,
    16,
    16,
    128,
    10944,
    vocab=102400,
    experts=64,
    top_k=6,
    expert_ffn=1408,
    shared_expert_ffn=2816,
    first_dense_layers=1,
    mla=True,
    q_lora_rank=1536,
    kv_lora_rank=512,
    qk_nope_head_dim=128,
    qk_rope_head_dim=64,
    v_head_dim=128,
    mtp_layers=1,
)
WINDOWED = replace(DENSE, window=1024, full_every=4)
SHAPES = (DENSE, GPT, MIXED, LATENT, WINDOWED)
ONE_T = TransformerShape(128, 25600, 160, 160, 160, 102400, gated=False, vocab=51200, tied=True)


def machine(gpu: str = "h100_sxm", precision: str = "bf16") -> Machine:
    hardware = catalog()
    made = machine_of(hardware.entry(gpu), hardware, precision, 400.0)
    assert made is not None
    return made


def together(kernels: tuple[Kernel, ...]) -> float:
    return sum(k.calls * k.seconds for k in kernels)


def rows_of(table: Any) -> list[dict[str, Any]]:
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


JOBS = st.builds(
    Job,
    shape=st.sampled_from(SHAPES),
    seq_len=st.sampled_from([2048.0, 4096.0, 32768.0]),
    global_batch=st.sampled_from([64.0, 96.0]),
    precision=st.sampled_from(["bf16", "fp8"]),
    fused_attention=st.booleans(),
    dropout=st.booleans(),
    compiled=st.booleans(),
    graphed=st.booleans(),
    imbalance=st.sampled_from([1.0, 1.3]),
    fused_loss=st.booleans(),
    trains_weights=st.booleans(),
    recompute_matmuls=st.sampled_from([0.0, 0.5]),
    tile=st.sampled_from([None, 0, 1, 2]),
    year=st.sampled_from([2021.5, 2022.5, 2025.0, 2026.6]),
)
LAYOUTS = st.fixed_dictionaries(
    {
        "tp": st.sampled_from([1, 2, 8]),
        "pp": st.sampled_from([1, 2, 4, 5]),
        "cp": st.sampled_from([1, 2]),
        "dp": st.sampled_from([4, 8]),
        "ep": st.sampled_from([1, 4]),
        "micro_batch": st.sampled_from([1, 2]),
        "recompute": st.sampled_from(["none", "selective", "full"]),
        "recompute_layers": st.sampled_from([0, 2]),
        "sequence_parallel": st.sampled_from([0, 1]),
    }
)
GPUS = st.sampled_from(["a100_sxm_80gb", "h100_sxm", "b200", "mi300x", "b300"])


@settings(max_examples=150, deadline=None)
@given(JOBS, LAYOUTS, GPUS)
def test_that_the_kernels_add_up_to_what_the_step_computes(job: Job, layout: dict[str, Any], gpu: str) -> None:
    if gpu == "a100_sxm_80gb":
        job = replace(job, precision="bf16")
    on = machine(gpu, job.precision)
    step = step_time(job, on, Layouts.of(**layout))
    expected = float(step.compute[0] + step.elementwise[0])
    assert together(kernels_of(job, on, tuple(layout.items()))) == pytest.approx(expected, rel=1e-9)


def hardware_flops(shape: TransformerShape, job: Job, recompute: str) -> float:
    """FLOPs that a step runs on all GPUs: a fused attention does 2.5 times its forward work backward."""
    linear, head = transformer.linear_flops_per_token(shape), transformer.head_flops_per_token(shape)
    core = transformer.attention_flops_per_token(shape, job.seq_len, job.fused_attention)
    again = 1.0 if recompute == "full" else 0.0
    core_again = 1.0 if recompute == "selective" and not job.fused_attention else again
    back = 2.5 if job.fused_attention else 2.0
    return (linear * (3.0 + again) + core * (1.0 + back + core_again) + 3.0 * head) * job.tokens_per_step


def flops_of_all(job: Job, on: Machine, layout: dict[str, Any]) -> float:
    degrees, pp = tuple(layout.items()), layout["pp"]
    each = [
        sum(k.calls * k.flops for k in kernels_of(job, on, degrees, n) if k.wide or k.name == ATTENTION)
        for n in range(3)
    ]
    whole = each[0] if pp == 1 else each[0] + (pp - 2) * each[1] + each[2]
    return whole * layout["tp"] * layout["cp"] * layout["dp"]


@settings(max_examples=80, deadline=None)
@given(
    st.sampled_from([DENSE, GPT, WINDOWED]),
    st.booleans(),
    st.sampled_from(["none", "selective", "full"]),
    st.sampled_from([1, 2, 4, 8]),
    st.sampled_from([1, 2, 4]),
    st.sampled_from([1, 2, 4]),
    st.sampled_from([1, 2, 4]),
)
def test_that_all_gpus_together_do_the_hardware_flops_of_the_model(
    shape: TransformerShape, fused: bool, recompute: str, tp: int, cp: int, dp: int, pp: int
) -> None:
    job = Job(shape, 4096.0, 64.0, fused_attention=fused)
    layout = {"tp": tp, "cp": cp, "dp": dp, "pp": pp, "recompute": recompute}
    expected = hardware_flops(shape, job, recompute)
    assert flops_of_all(job, machine(), layout) == pytest.approx(expected, rel=1e-9)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from([1, 2, 4, 8]), st.sampled_from([1, 2, 4]), st.sampled_from([1, 4, 8]))
def test_that_experts_do_the_flops_of_the_tokens_that_they_get(tp: int, cp: int, ep: int) -> None:
    job = Job(MIXED, 4096.0, 64.0)
    layout = {"tp": tp, "cp": cp, "dp": 8, "pp": 1, "ep": ep}
    router = 3.0 * 2.0 * MIXED.hidden * MIXED.experts * MIXED.layers * job.tokens_per_step
    # each tensor-parallel rank routes all tokens for itself
    expected = hardware_flops(MIXED, job, "none") + (tp - 1) * router
    assert flops_of_all(job, machine(), layout) == pytest.approx(expected, rel=1e-9)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(SHAPES), st.booleans(), st.sampled_from([2, 4, 8]), st.sampled_from(["tp", "cp"]))
def test_that_bytes_are_conserved_over_splits_but_for_operands_that_every_rank_reads(
    shape: TransformerShape, fused: bool, ways: int, along: str
) -> None:
    job, on = Job(shape, 8192.0, 64.0, fused_attention=fused), machine()
    one = {(k.name, k.phase): k for k in kernels_of(job, on, (("dp", 4),))}
    split = {(k.name, k.phase): k for k in kernels_of(job, on, (("dp", 4), (along, ways)))}
    tokens = job.seq_len
    for key, whole in one.items():
        if not (whole.wide or "Attention" in whole.name):
            continue
        part = split[key]
        extra = ways * part.calls * part.moved_bytes - whole.calls * whole.moved_bytes
        name, phase = key
        if name in (ATTENTION, SCORES):
            expected = 0.0
        elif whole.grouped:
            continue
        elif along == "cp":
            # each rank reads the weights forward and for its input's gradient, and adds to the sum of the gradients
            each = 2.0 if phase == "forward" else 2.0 + 4.0 + 4.0
            expected = (ways - 1) * each * whole.wide * whole.deep
        elif part.wide == whole.wide and part.deep == whole.deep:
            expected = (ways - 1) * whole.moved_bytes
        else:
            # the uncut side of the tokens: read or written forward, twice backward
            uncut = whole.deep if part.wide < whole.wide else whole.wide
            expected = (ways - 1) * (2.0 if phase == "forward" else 4.0) * tokens * uncut
        assert extra == pytest.approx(whole.calls * expected, rel=1e-9, abs=1.0), key


FASTER = st.floats(1.0, 4.0)


@settings(max_examples=60, deadline=None)
@given(JOBS, LAYOUTS, FASTER, FASTER)
def test_that_more_bandwidth_or_a_higher_peak_never_makes_a_kernel_slower(
    job: Job, layout: dict[str, Any], bandwidth: float, peak: float
) -> None:
    on, degrees = machine("b200", job.precision), tuple(layout.items())
    better = replace(
        on,
        hbm_bytes_s=on.hbm_bytes_s * bandwidth,
        gemm_flops_s=on.gemm_flops_s * peak,
        half_flops_s=on.half_flops_s * peak,
        attention_flops_s=on.attention_flops_s * peak,
    )
    # the same stage of both: another may be the slowest on another machine
    before = {(k.name, k.phase): k for k in kernels_of(job, on, degrees, 0) if k.flops}
    after = {(k.name, k.phase): k for k in kernels_of(job, better, degrees, 0) if k.flops}
    assert before.keys() == after.keys()
    for key, kernel in before.items():
        assert after[key].seconds <= kernel.seconds * (1 + 1e-9), key


@settings(max_examples=60, deadline=None)
@given(JOBS, LAYOUTS)
def test_that_no_kernel_stands_above_the_roof_of_its_format(job: Job, layout: dict[str, Any]) -> None:
    on = machine("b200", job.precision)
    for kernel in kernels_of(job, on, tuple(layout.items())):
        if kernel.flops:
            assert kernel.flops_s <= roof(kernel, on) * (1 + 1e-9), kernel.name


def test_that_a_low_precision_job_keeps_attention_and_the_head_under_the_roof_of_sixteen_bits() -> None:
    on = machine("h100_sxm", "fp8")
    kernels = {k.name: k for k in kernels_of(Job(DENSE, 4096.0, 64.0, "fp8"), on, (("tp", 2),))}
    assert kernels["FFN down"].format == "fp8"
    assert kernels["FFN down"].peak_flops_s == pytest.approx(1979e12, rel=1e-3)
    for name in ("Attention core", "Output head"):
        assert kernels[name].format == "bf16"
        assert kernels[name].peak_flops_s == pytest.approx(989e12, rel=1e-3)


def test_that_latent_attention_has_its_own_matrices_and_experts_their_own_kernels() -> None:
    names = {k.name for k in kernels_of(Job(LATENT, 4096.0, 64.0), machine(), (("dp", 4), ("ep", 4)))}
    assert {"Query down", "Query up", "Key/value down", "Key/value up", "Attention output"} <= names
    assert {"Router", "Experts up", "Experts down", "Shared expert up"} <= names
    assert "Query, key, value" not in names


def test_that_adapters_leave_out_the_gradients_of_the_weights() -> None:
    full, adapter = Job(DENSE, 4096.0, 64.0), Job(DENSE, 4096.0, 64.0, trains_weights=False)
    for one, other in zip(kernels_of(full, machine(), ()), kernels_of(adapter, machine(), ()), strict=True):
        if one.wide and one.phase == "backward":
            assert other.flops == one.flops / 2
            assert other.seconds < one.seconds


def test_that_a_stage_without_the_head_has_no_head() -> None:
    job, degrees = Job(DENSE, 4096.0, 64.0), (("pp", 4),)
    named = [{k.name for k in kernels_of(job, machine(), degrees, stage)} for stage in range(3)]
    assert ["Output head" in names for names in named] == [False, False, True]


# ------------------------------------------------------------------------------------------------------ tables


def one_trillion(**changed: Any) -> tuple[Job, tuple[tuple[str, Any], ...]]:
    job = Job(ONE_T, 2048.0, 3072.0, fused_loss=True, graphed=True, **changed)
    return job, (("tp", 8), ("pp", 64), ("dp", 24), ("micro_batch", 1), ("recompute", "none"))


def test_that_flash_attention_saves_the_traffic_of_the_score_matrix_of_the_1t_model() -> None:
    job, degrees = one_trillion()
    saved = {row["optimisation"]: row for row in rows_of(optimisations_table(job, machine(), degrees, None, ""))}
    row = saved["FlashAttention"]
    # 20 heads a GPU × 2,048² scores × (written, scaled, softmax, read: 8 B), once forward and twice backward,
    # 2 layers a stage × 128 micro batches
    by_hand = 20 * 2048**2 * 8 * 3 * 2 * 128 / 1e9
    assert row["hbm_bytes_saved"] == pytest.approx(by_hand)
    layout, on = Layouts.of(**dict(degrees)), machine()
    slower = step_time(replace(job, fused_attention=False), on, layout).total[0]
    faster = step_time(job, on, layout).total[0]
    assert row["time_saved"] == pytest.approx(slower - faster)
    assert row["of_step"] == pytest.approx(100 * (slower - faster) / slower)


def test_that_lower_precision_halves_the_operands_of_the_1t_model_and_keeps_outputs() -> None:
    job, degrees = one_trillion()
    low = {k.name + k.phase: k for k in kernels_of(replace(job, precision="fp8"), machine("h100_sxm", "fp8"), degrees)}
    for kernel in kernels_of(job, machine(), degrees):
        if kernel.wide and kernel.name != "Output head" and kernel.phase == "forward":
            m = 2048
            operands = m * kernel.deep + kernel.wide * kernel.deep
            assert kernel.moved_bytes - low[kernel.name + kernel.phase].moved_bytes == pytest.approx(operands)


@settings(max_examples=40, deadline=None)
@given(JOBS)
def test_that_switching_an_optimisation_on_saves_what_switching_it_off_loses(job: Job) -> None:
    on, degrees = machine("h100_sxm", job.precision), (("tp", 2), ("dp", 4))
    here = {row["optimisation"]: row for row in rows_of(optimisations_table(job, on, degrees, None, ""))}
    for name, field in (
        ("FlashAttention", "fused_attention"),
        ("Kernel fusion", "compiled"),
        ("CUDA graphs", "graphed"),
    ):
        other = replace(job, **{field: not getattr(job, field)})
        there = {row["optimisation"]: row for row in rows_of(optimisations_table(other, on, degrees, None, ""))}[name]
        assert {here[name]["now"], there["now"]} == {"on", "off"}
        for column in ("hbm_bytes_saved", "time_saved", "of_step"):
            assert here[name][column] == pytest.approx(there[column])
    assert here["Kernel fusion"]["hbm_bytes_saved"] > 0
    assert here["Kernel fusion"]["time_saved"] > -1e-9
    assert here["CUDA graphs"]["hbm_bytes_saved"] == 0


def test_that_the_next_lower_format_is_one_that_the_gpu_has() -> None:
    entry = catalog().entry
    assert lower_format(entry("a100_sxm_80gb"), "bf16") == ""
    assert lower_format(entry("h100_sxm"), "bf16") == "fp8"
    assert lower_format(entry("h100_sxm"), "fp8") == ""
    assert lower_format(entry("b200"), "bf16") == "mxfp8"
    assert lower_format(entry("b200"), "mxfp8") == "nvfp4"
    assert lower_format(entry("mi300x"), "bf16") == "fp8"


def test_that_the_table_of_kernels_shares_out_all_of_their_time_and_says_what_would_help() -> None:
    job = Job(MIXED, 512.0, 64.0, compiled=False, year=2025.0)
    rows = rows_of(kernels_table(job, machine(), (("dp", 8), ("ep", 8)), "fp8"))
    assert sum(row["of_kernel_time"] for row in rows) == pytest.approx(100)
    assert all(row["would_help"] for row in rows)
    norms = next(row for row in rows if row["kernel"].startswith("Routing"))
    assert norms["bound_by"].startswith("memory")
    assert norms["would_help"].startswith("kernel fusion")
    waits = next(row for row in rows if row["kernel"] == "Waiting for launches")
    assert waits["intensity"] is None
    assert "CUDA graphs" in waits["would_help"]


# ------------------------------------------------------------------------------------------------ shape advice

GPT2 = TransformerShape(12, 768, 12, 12, 64, 3072, gated=False, vocab=50257, tied=True)


def advice(shape: TransformerShape, **degrees: Any) -> dict[str, dict[str, Any]]:
    job = Job(shape, 2048.0, 64.0)
    return {
        r["dimension"]: r for r in rows_of(advice_table(job, machine(), tuple({"micro_batch": 4, **degrees}.items())))
    }


def test_that_a_vocabulary_of_50257_is_told_to_be_50304_with_the_gain() -> None:
    row = advice(GPT2)["Vocabulary"]
    assert row["next_good"] == 50304
    assert 5 < row["gain"] < 25
    assert "16" in row["why"]


def test_that_a_vocabulary_that_does_not_divide_is_told_what_frameworks_pad_it_to() -> None:
    row = advice(GPT2, tp=4)["Vocabulary"]
    assert row["next_good"] == 50688 == 99 * 128 * 4
    assert "50688" in row["why"]


def test_that_an_ffn_off_the_line_is_told_the_next_whole_line() -> None:
    row = advice(replace(GPT2, ffn=3074))["FFN width"]
    assert row["next_good"] == 3136 == 49 * 64
    assert row["gain"] > 1


def test_that_a_head_between_two_kernels_is_told_heads_that_do_the_same_work() -> None:
    shape = TransformerShape(32, 2560, 32, 32, 80, 10240, gated=False, vocab=50304)
    row = advice(shape)["Head size"]
    assert row["tile_filled"] == pytest.approx(100 * 80 / 96)
    assert row["next_good"] in (64, 128)
    assert f"{2560 // row['next_good']} heads of {row['next_good']}" in row["why"]
    assert row["gain"] > 1


WIDE_GPT2 = replace(GPT2, vocab=50304, heads=6, kv_heads=6, head_dim=128)


def test_that_narrow_heads_are_told_wide_ones_as_measured_kernels_gain_by_them() -> None:
    row = advice(replace(GPT2, vocab=50304))["Head size"]
    assert (row["now"], row["next_good"]) == (64, 128)
    assert 1 < row["gain"] < 45
    assert "exponentials; 6 heads of 128" in row["why"]


def attention_tflops(seq_len: float, head_dim: int = 128, **options: Any) -> float:
    """Return what the model says of one fused kernel on an H100."""
    shape = replace(GPT2, head_dim=head_dim, heads=16, kv_heads=16)
    job = Job(shape=shape, seq_len=seq_len, global_batch=16)
    on = machine_of(catalog().entry("h100_sxm"), catalog(), "bf16", 400.0, **options)
    assert on is not None
    return fused_attention_flops_s(job, on) / 1e12


def test_that_attention_follows_the_published_benchmark_over_sequence_lengths() -> None:
    """FlashAttention-3, arXiv 2407.08608, figure 5: H100 SXM5, causal, heads 128 wide, forward (cuDNN; FlashAttention-2)."""
    for seq_len, native, ported in (
        (512, 315, 191),
        (1024, 410, 260),
        (2048, 484, 298),
        (8192, 529, 333),
        (16384, 539, 335),
    ):
        assert attention_tflops(seq_len) == pytest.approx(native, rel=0.05)
        assert attention_tflops(seq_len, native_attention=False) == pytest.approx(ported, rel=0.07)
    assert attention_tflops(16384, 64) / attention_tflops(16384) == pytest.approx(413 / 595, rel=0.02)


def test_that_a_bias_on_the_scores_slows_attention_and_nothing_speeds_it_up() -> None:
    plain = Job(shape=GPT2, seq_len=2048, global_batch=16)
    biased = replace(plain, shape=replace(GPT2, alibi=True))
    on = machine_of(catalog().entry("a100_sxm_80gb"), catalog(), "bf16", 200.0)
    assert on is not None
    assert fused_attention_flops_s(biased, on) < fused_attention_flops_s(plain, on)


@pytest.mark.parametrize("shape", [DENSE, WIDE_GPT2, MIXED], ids=["llama 8B", "GPT-2 with wide heads", "MoE"])
def test_that_good_shapes_are_left_alone(shape: TransformerShape) -> None:
    for row in advice(shape).values():
        assert row["next_good"] is None
        assert row["gain"] is None
        assert row["why"] == "good as it is"


def test_that_latent_attention_gets_no_advice_about_its_heads() -> None:
    assert set(advice(LATENT)) == {"Vocabulary", "FFN width", "Expert FFN width", "Shared expert FFN width"}
