"""The tables of the split layer: memory by stage, groups on the tiers, losses of MFU, the least GPUs by recipe and GPU."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wattsweights_gui import paths
from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine import chain
from wattsweights_gui.engine.plan import default_plan
from wattsweights_gui.project import store

ONE_T = (
    ("workload.model", "shape"),
    ("workload.model.layers", 128),
    ("workload.model.hidden", 25600),
    ("workload.model.heads", 160),
    ("workload.model.kv_heads", 160),
    ("workload.model.ffn", 102400),
    ("workload.model.gated", False),
    ("workload.model.vocab", 51200),
    ("workload.seq_len", 2048),
    ("workload.global_batch", 512),
    ("compute.gpu", "h100_sxm"),
    ("parallelism.layout", "pinned"),
    ("parallelism.tp", 8),
    ("parallelism.pp", 64),
    ("parallelism.dp", 1),
    ("parallelism.recompute", "none"),
)


LLAMA_8B = (
    ("workload.model", "shape"),
    ("workload.model.layers", 32),
    ("workload.model.hidden", 4096),
    ("workload.model.heads", 32),
    ("workload.model.kv_heads", 8),
    ("workload.model.ffn", 14336),
    ("workload.model.gated", True),
    ("workload.model.vocab", 128256),
    ("workload.global_batch", 128),
    ("workload.recipe", "bf16_adam_18"),
    ("fabric.in_network_reduction", False),
)


def split(*edits):
    return chain.evaluate(default_plan(edits), catalog()).results["parallelism"]


def rows(outcome, table):
    found = getattr(outcome, table)
    return [dict(zip(found.columns, row, strict=True)) for row in found.rows]


def pinned(tp=8, pp=8, dp=8, cp=1, **more):
    edits = {"layout": "pinned", "tp": tp, "pp": pp, "dp": dp, "cp": cp, **more}
    return tuple((f"parallelism.{name}", value) for name, value in edits.items())


# ----------------------------------------------------------------------------------------------------------- memory


def test_that_the_fullest_stage_of_the_table_is_the_memory_of_the_worst_gpu():
    outcome = split(*pinned())
    assert max(r["total"] for r in rows(outcome, "memory_stages")) == pytest.approx(outcome.memory_gb.number)


def test_that_stages_differ_the_first_holds_most_micro_batches_and_the_last_the_logits():
    first, middle, last = rows(split(*pinned()), "memory_stages")
    assert (first["stage"], middle["stage"], last["stage"]) == ("first", "middle", "last")
    assert first["micro_batches_held"] > middle["micro_batches_held"] > last["micro_batches_held"] == 1
    # logits at the head, the table's gradient at the input, the gradients of one layer's inner tensors anywhere
    assert last["logits_or_gradients"] >= first["logits_or_gradients"]
    assert first["logits_or_gradients"] >= middle["logits_or_gradients"] > 0


def test_that_one_stage_is_called_the_only_one():
    (only,) = rows(split(*pinned(pp=1, dp=16)), "memory_stages")
    assert only["stage"] == "the only one"


def test_that_the_memory_kept_free_is_told_apart_and_adds_up():
    outcome = split(*pinned(), ("parallelism.reserve_gb", 9.0), ("parallelism.context_gb", 1.5))
    parts = [outcome.memory_context_gb, outcome.memory_collectives_gb, outcome.memory_allocator_gb]
    assert sum(p.number for p in parts) == pytest.approx(9.0)
    assert outcome.memory_context_gb.number == 1.5
    # three kinds of groups have members: 3 × 4 MiB × 16 channels × 2 directions
    assert outcome.memory_collectives_gb.number == pytest.approx(3 * 4 * 2**20 * 16 * 2 / 1e9)


def test_that_a_small_reserve_is_taken_by_the_context_and_named():
    evaluation = chain.evaluate(default_plan((*pinned(), ("parallelism.reserve_gb", 0.5))), catalog())
    assert evaluation.results["parallelism"].memory_allocator_gb.number == 0.0
    assert "parallelism.reserve.small" in {f.id for f in evaluation.findings}


# ----------------------------------------------------------------------------------------------------------- groups


def group(outcome, name):
    return next(r for r in rows(outcome, "groups") if r["group"].startswith(name))


def test_that_tensor_parallelism_stays_inside_the_domain_and_its_bytes_are_counted_by_hand():
    outcome = split(*ONE_T)
    tensor = group(outcome, "Tensor")
    assert (tensor["tier"], tensor["network_sent"]) == ("NVLink domain", 0.0)
    # 2 layers a stage, 512 micro batches, 4 collectives in each of 2 passes, 7 of 8 parts of 2,048 × 25,600 × 2 bytes;
    # the first and the last stage have one table more, whose two gathers are on top
    payload = 2048 * 25600 * 2 * 7 / 8
    by_hand = 512 * 2 * 4 * 2 * payload / 1e9
    assert by_hand <= tensor["nvlink_sent"] <= by_hand * (1 + 2 / 16) + 1e-9


def test_that_a_stage_sends_each_micro_batch_forward_and_its_gradient_back():
    pipeline = group(split(*ONE_T), "Pipeline")
    assert pipeline["tier"] == "network"
    assert pipeline["network_sent"] == pytest.approx(512 * 2 * 2048 * 25600 * 2 / 8 / 1e9)


def test_that_tensor_parallelism_beyond_the_domain_uses_both_tiers_and_takes_longer():
    inside, outside = split(*pinned(tp=8, pp=8, dp=2)), split(*pinned(tp=16, pp=8, dp=1))
    near, far = group(inside, "Tensor"), group(outside, "Tensor")
    assert (far["domains"], far["in_a_domain"], far["tier"]) == (2, 8, "NVLink domain, then network")
    assert far["network_sent"] > 0
    assert far["time"] > near["time"]


def test_that_exposed_and_hidden_make_the_whole_and_agree_with_the_step():
    outcome = split(*pinned(tp=4, pp=4, dp=4, cp=2))
    for r in rows(outcome, "groups"):
        assert r["exposed"] + r["hidden"] == pytest.approx(max(r["time"], r["exposed"]))
    figures = {"Tensor": "tp", "Data": "dp", "Pipeline": "pp", "Context": "cp", "Expert": "ep"}
    for name, short in figures.items():
        assert group(outcome, name)["exposed"] == pytest.approx(getattr(outcome, f"time_{short}_s").number)


@settings(max_examples=15, deadline=None)
@given(st.sampled_from((1, 2, 4, 8)), st.sampled_from((1, 2, 4)), st.sampled_from((2, 4, 8)))
def test_that_gradients_of_all_gpus_together_do_not_depend_on_the_split(tp, pp, dp):
    outcome = split(*LLAMA_8B, *pinned(tp=tp, pp=pp, dp=dp, sharding="none"))
    data = group(outcome, "Data")
    sent = max(data["nvlink_sent"], data["network_sent"] * data["in_a_domain"]) * tp * pp
    # an all-reduce sends 2 (n - 1) / n of 4 bytes for each of 8.03 × 10⁹ parameters; the fullest stage stands for all
    whole = 8.03 * 4 * 2 * (dp - 1) / dp
    assert whole * 0.99 <= sent <= whole * (1.01 if pp == 1 else 1.5)


def test_that_reduction_in_the_network_sends_less():
    layout = (*LLAMA_8B, *pinned(tp=8, pp=1, dp=8, sharding="none"))
    ring = group(split(*layout), "Data")["network_sent"]
    switches = group(split(*layout, ("fabric.in_network_reduction", True)), "Data")["network_sent"]
    assert switches / ring == pytest.approx((1 + 1 / 8) / (2 * 7 / 8))


# -------------------------------------------------------------------------------------------------------------- MFU


def test_that_the_losses_and_the_mfu_make_the_whole_step():
    outcome = split(*pinned(recompute="full"))
    parts = rows(outcome, "mfu_parts")
    assert sum(r["of_step"] for r in parts) == pytest.approx(100.0)
    assert parts[0]["of_step"] == pytest.approx(100.0 * outcome.mfu.number)
    assert sum(r["time"] for r in parts) == pytest.approx(outcome.step_time_s.number)


def test_that_hfu_counts_what_is_done_again_and_mfu_does_not():
    none, full = split(*pinned(recompute="none")), split(*pinned(recompute="full"))
    assert none.hfu.number == pytest.approx(none.mfu.number)
    # forward once more: four passes' worth of work instead of three, but for the head
    assert 1.25 < full.hfu.number / full.mfu.number < 4 / 3
    some = split(*pinned(recompute="full", recompute_layers=1))
    assert 1.0 < some.hfu.number / some.mfu.number < full.hfu.number / full.mfu.number


def test_that_without_a_measured_mfu_there_is_no_gap_and_no_suspect():
    outcome = split(*pinned())
    assert not outcome.mfu_gap_pct.known
    assert rows(outcome, "mfu_suspects") == []


def test_that_a_measured_mfu_below_the_predicted_one_names_suspects_with_size_and_question():
    outcome = split(*pinned(), ("parallelism.measured_mfu_pct", 30.0))
    gap = outcome.mfu_gap_pct.number
    assert gap == pytest.approx(100 * outcome.mfu.number - 30.0)
    found = rows(outcome, "mfu_suspects")
    assert len(found) >= 5
    sizes = [abs(math.log(r["points"] / gap)) for r in found[:-1]]
    assert sizes == sorted(sizes)
    for r in found:
        assert r["points"] > 0
        assert r["confirm_by"].strip()
        assert r["mfu_with_it"] == pytest.approx(100 * outcome.mfu.number - r["points"])
    assert found[-1]["suspect"].startswith("Waits between steps")


def test_that_a_measured_mfu_above_the_predicted_one_asks_how_it_was_counted():
    outcome = split(*pinned(recompute="full"), ("parallelism.measured_mfu_pct", 70.0))
    assert outcome.mfu_gap_pct.number < 0
    found = rows(outcome, "mfu_suspects")
    assert any("HFU" in r["suspect"] for r in found)
    assert all(r["points"] < 0 for r in found)


def test_that_a_peak_with_sparsity_halves_the_measured_mfu_and_is_found():
    predicted = 100 * split(*pinned()).mfu.number
    found = rows(split(*pinned(), ("parallelism.measured_mfu_pct", predicted / 2)), "mfu_suspects")
    assert "sparsity" in found[0]["suspect"]
    assert found[0]["of_gap"] == pytest.approx(100.0)


# ---------------------------------------------------------------------------------------------------- the least GPUs


def least(outcome, gpu, recipe):
    return next(r for r in rows(outcome, "least_by_gpu") if gpu in r["gpu"] and recipe in r["recipe"])


def test_that_the_1t_model_explains_its_512_gpus():
    outcome = split(*ONE_T)
    states = {r["bytes_per_param"]: r["state"] for r in rows(outcome, "least_gpus")}
    for each, tb in ((4, 4), (8, 8), (12, 12), (16, 16), (18, 18)):
        assert states[each] == pytest.approx(tb, rel=0.01)
    # Megatron's 1T layout: equal stages, 16 and 18 bytes a parameter, 80 GB
    for recipe in ("(16 B)", "FP32 gradients (18 B)"):
        found = least(outcome, "H100", recipe)
        assert (found["gpus_equal_stages"], found["layout_equal_stages"]) == (512, "TP 8 × PP 64")
        assert found["gpus"] < 512
    assert least(outcome, "H200", "FP32 gradients (18 B)")["gpus_equal_stages"] < 512
    assert least(outcome, "H100", "(8 B)")["gpus_equal_stages"] < 512
    assert outcome.min_gpus_equal_stages.value >= outcome.min_gpus_memory.value


def test_that_the_notes_of_the_1t_example_say_what_its_tables_say():
    document = store.load(paths.resource("examples", "1t-30-days.watts")).document
    outcome = chain.evaluate(document.plan, catalog()).results["parallelism"]
    found = [r for r in rows(outcome, "least_by_gpu") if r["gpu"].startswith("H100")]
    assert [round(r["state"]) for r in found] == [4, 8, 12, 16, 18]
    notes = document.plan.info.notes
    equal, uneven = ([r[name] for r in found] for name in ("gpus_equal_stages", "gpus"))
    for counts in (equal, uneven):
        *first, last = map(str, counts)
        assert f"{', '.join(first)} and {last}" in notes
    assert [r["layout_equal_stages"] for r in found[3:]] == ["TP 8 × PP 64"] * 2


def test_that_fewer_bytes_a_parameter_never_need_more_gpus():
    outcome = split(*ONE_T)
    for name in {r["gpu"] for r in rows(outcome, "least_by_gpu")}:
        counts = [(r["state"], r["gpus"]) for r in rows(outcome, "least_by_gpu") if r["gpu"] == name]
        counts.sort()
        assert [g for _, g in counts] == sorted(g for _, g in counts)


# ---------------------------------------------------------------------------------------------------------- options


@pytest.mark.parametrize(
    ("edits", "rule"),
    [
        (pinned(dp=8, shard_group=3, sharding="fsdp"), "parallelism.shard_group.divides"),
        (pinned(dp=8, shard_group=4, sharding="none"), "parallelism.shard_group.none"),
        (pinned(pp=1, schedule="zero_bubble"), "parallelism.schedule.alone"),
        (pinned(pp=16, dp=8, schedule="zero_bubble_h2"), "parallelism.schedule.batches"),
        (pinned(capacity_factor=1.25), "parallelism.capacity.dense"),
        (pinned(offload_layers=4000), "parallelism.offload.layers"),
        (pinned(recompute="none", recompute_layers=2), "parallelism.recompute.layers"),
    ],
)
def test_that_an_option_that_breaks_a_rule_is_named_with_its_fix(edits, rule):
    plan = default_plan((("workload.global_batch", 64), *edits))
    found = {f.id: f for f in chain.evaluate(plan, catalog()).findings}
    assert rule in found
    finding = found[rule]
    if finding.fix:
        mended = chain.evaluate(plan.edit(*finding.fix), catalog())
        assert rule not in {f.id for f in mended.findings}
