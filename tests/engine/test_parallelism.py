"""The split layer: figures, reasons where there are none, and what is wrong with a layout."""

from __future__ import annotations

import itertools

import pytest

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.chain import evaluate
from wattsweights_gui.engine.plan import default_plan

LAYERS = ("workload", "compute", "parallelism")
LLAMA = (("workload.model", "shape"), ("workload.precision", "bf16"))


def evaluated(*edits):
    return evaluate(default_plan(edits), catalog(), layers=LAYERS)


def split(*edits):
    return evaluated(*edits).results["parallelism"]


def rules(*edits):
    return {f.id: f for f in evaluated(*edits).findings if f.id.startswith("parallelism.")}


def test_that_the_parts_of_memory_and_time_add_up():
    outcome = split(*LLAMA)
    memory = ("weights", "gradients", "optimizer", "activations", "logits", "gathered", "reserve")
    assert outcome.memory_gb.number == pytest.approx(sum(getattr(outcome, f"memory_{p}_gb").number for p in memory))
    time = ("compute", "memory", "tp", "pp", "dp", "ep", "cp", "bubble", "optimizer", "offload")
    assert outcome.step_time_s.number == pytest.approx(sum(getattr(outcome, f"time_{p}_s").number for p in time))


def test_that_mfu_days_and_throughput_agree():
    evaluation = evaluated(*LLAMA)
    outcome, workload = evaluation.results["parallelism"], evaluation.results["workload"]
    rate = outcome.tokens_per_s_per_gpu.number * outcome.gpus.number
    days = workload.tokens.number / rate / outcome.goodput.number / 86400
    assert outcome.days.number == pytest.approx(days)
    assert 0 < outcome.mfu.number < 1
    assert outcome.days_low.number < outcome.days.number < outcome.days_high.number


def test_that_every_figure_says_how_it_came_about():
    for name, figure in split(*LLAMA).figures():
        assert figure.known or figure.formula, name
        assert figure.formula or figure.operands, name


def test_that_an_impossible_layout_gives_reasons_and_no_numbers():
    outcome = split(("parallelism.pp", 4000))
    assert not outcome.step_time_s.known
    assert "more than the" in outcome.step_time_s.formula
    assert outcome.min_gpus_memory.known


def test_that_a_gpu_without_the_format_is_named_and_sized_in_the_one_that_it_has():
    a100 = ("compute.gpu", "a100_sxm_80gb")
    asked, plain = evaluated(a100, ("workload.precision", "fp8")), evaluated(a100, ("workload.precision", "bf16"))
    found = next(f for f in asked.findings if f.id == "compute.precision.unsupported")
    assert "A100" in found.message
    assert "Sized in BF16 instead" in found.message
    times = [e.results["parallelism"].step_time_s.number for e in (asked, plain)]
    assert times[0] == times[1]


@pytest.mark.parametrize(
    ("edits", "rule", "severity"),
    [
        ([("parallelism.tp", 16)], "tp.domain", "blocker"),
        ([("parallelism.tp", 3)], "tp.divides", "blocker"),
        ([("parallelism.pp", 300)], "pp.layers", "blocker"),
        ([("parallelism.dp", 7)], "dp.batch", "blocker"),
        ([("parallelism.ep", 4)], "ep.dense", "blocker"),
        ([("parallelism.cp", 16), ("workload.seq_len", 8192)], "cp.short", "caution"),
        ([("parallelism.pp", 1), ("parallelism.vpp", 2)], "vpp.alone", "caution"),
        ([("parallelism.dp", 128)], "bubble", "caution"),
        ([("parallelism.gpus", 999), ("parallelism.tp", 8)], "gpus.product", "caution"),
        ([("parallelism.recompute", "none")], "memory", "blocker"),
    ],
)
def test_that_a_wrong_layout_is_found(edits, rule, severity):
    found = rules(*LLAMA, *edits)
    assert f"parallelism.{rule}" in found
    finding = found[f"parallelism.{rule}"]
    assert finding.severity == severity
    assert any(c.isdigit() for c in finding.message)
    assert finding.source


def test_that_each_fix_removes_its_finding():
    for edit, rule in ((("parallelism.tp", 16), "tp.domain"), (("parallelism.dp", 7), "dp.batch")):
        finding = rules(*LLAMA, edit)[f"parallelism.{rule}"]
        assert finding.fix
        assert f"parallelism.{rule}" not in rules(*LLAMA, edit, *finding.fix)


def test_that_a_power_cap_and_a_slower_adapter_make_the_step_longer():
    base = split(*LLAMA).step_time_s.number
    assert split(*LLAMA, ("compute.power_cap_w", 400.0)).step_time_s.number > base
    assert split(*LLAMA, ("fabric.nic_gbit_s", 50.0)).step_time_s.number > base


def test_that_fewer_bytes_a_parameter_never_need_more_gpus():
    table = split(*LLAMA).least_gpus
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    for mode in ("none", "selective", "full"):
        sized = sorted((r["bytes_per_param"], r["gpus"] or 10**9) for r in rows if r["recompute"] == mode)
        assert sized[0][1] <= sized[-1][1]


def test_that_more_replicas_take_fewer_days_but_no_fewer_gpu_days():
    points = split(*LLAMA).days_by_gpus.rows
    assert len(points) > 5
    assert points[0][1] > points[-1][1]
    assert all(a[0] * a[1] <= b[0] * b[1] * 1.001 for a, b in itertools.pairwise(points))


def test_that_gpus_for_the_deadline_are_the_fewest_that_meet_it():
    outcome = split(*LLAMA, ("workload.days", 200.0))
    points = outcome.days_by_gpus.rows
    assert outcome.gpus_for_deadline.value == min(g for g, d in points if d <= 200.0)


def test_that_a_deadline_out_of_reach_says_where_the_batch_ends():
    outcome = split(*LLAMA, ("workload.days", 0.5))
    assert not outcome.gpus_for_deadline.known
    assert "the batch splits no further" in outcome.gpus_for_deadline.formula


def test_that_the_needs_of_the_split_are_memory_days_and_gpus():
    needs = {n.quantity: n for n in evaluated(*LLAMA).needs if n.layer == "parallelism"}
    assert set(needs) == {"memory_gb", "days", "gpus"}
    assert all(n.end == "model" for n in needs.values())
