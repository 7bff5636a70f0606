"""Why not?: for each rule a layout that it rules out; else the number; else how far behind the best it is."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.declare import Refused
from wattsweights_gui.engine.plan import Plan, default_plan
from wattsweights_gui.engine.search import explain, search, why_not
from wattsweights_gui.engine.search_words import counts_of, layout_of, price_of
from wattsweights_gui.engine.search_words_out import degrees_text, verdict_text

SMALL = (
    ("workload.model.params_b", 8.0),
    ("workload.global_batch", 32),
    ("workload.seq_len", 4096),
    ("workload.tokens_b", 100.0),
    ("parallelism.gpus", 32),
)
MOE = {
    "kind": "shape",
    "layers": 6,
    "hidden": 1024,
    "heads": 16,
    "kv_heads": 4,
    "head_dim": 64,
    "ffn": 4096,
    "vocab": 32000,
    "experts": 8,
    "top_k": 2,
    "expert_ffn": 2048,
}


def small() -> Plan:
    return default_plan(SMALL)


def moe() -> Plan:
    return small().edit(("workload.model", MOE))


@pytest.mark.parametrize(
    ("asked", "rule"),
    [
        ({"tp": 16}, "parallelism.tp.domain"),
        ({"tp": 7}, "parallelism.tp.divides"),
        ({"pp": 64}, "parallelism.pp.layers"),
        ({"dp": 3}, "parallelism.dp.batch"),
        ({"micro_batch": 3}, "parallelism.dp.batch"),
        ({"dp": 32, "micro_batch": 2}, "parallelism.dp.batch"),
        ({"ep": 2}, "parallelism.ep.dense"),
        ({"cp": 3}, "parallelism.cp.divides"),
        ({"vpp": 2, "pp": 1}, "parallelism.vpp.alone"),
        ({"vpp": 2, "pp": 4, "dp": 8, "micro_batch": 2, "tp": 1, "cp": 1}, "parallelism.vpp.batches"),
        ({"schedule": "interleaved", "vpp": 1}, "parallelism.schedule.interleaved"),
        ({"schedule": "1f1b", "vpp": 2, "pp": 2}, "parallelism.schedule.chunks"),
        ({"schedule": "zero_bubble", "vpp": 2, "pp": 2}, "parallelism.schedule.zero_bubble"),
        ({"schedule": "zero_bubble_h2", "pp": 1}, "parallelism.schedule.zero_bubble"),
        ({"sharding": "zero2", "pp": 2}, "parallelism.sharding.zero2"),
        ({"shard_group": 5}, "parallelism.shard_group.divides"),
        ({"shard_group": 4, "sharding": "none"}, "parallelism.shard_group.divides"),
        ({"recompute": "none", "recompute_layers": 2}, "parallelism.recompute_layers.full"),
        ({"tp": 1, "pp": 1, "cp": 1, "dp": 1}, "parallelism.memory"),
        ({"tp": 3}, "parallelism.gpus"),
    ],
)
def test_that_each_rule_is_named_for_a_layout_that_it_rules_out(asked: dict[str, Any], rule: str) -> None:
    about = explain(small(), catalog(), asked)
    assert rule in [r.rule for r in about.reasons], about.reasons
    assert about.behind_days is None
    found = next(r for r in about.reasons if r.rule == rule)
    assert found.message[0].isupper() or found.message[0].isdigit()
    assert found.message.endswith(".")
    assert "ruled out" in verdict_text(about)


@pytest.mark.parametrize(
    ("asked", "rule"),
    [
        ({"ep": 3}, "parallelism.ep.divides"),
        ({"ep": 8, "etp": 3}, "parallelism.ep.ranks"),
        ({"tp": 1, "pp": 2, "cp": 1, "dp": 4, "ep": 8}, "parallelism.ep.ranks"),
        ({"tp": 3}, "parallelism.tp.kv_heads"),
    ],
)
def test_that_rules_of_mixtures_are_named(asked: dict[str, Any], rule: str) -> None:
    assert rule in [r.rule for r in explain(moe(), catalog(), asked).reasons]


def test_that_sequence_parallelism_that_does_not_cut_the_sequence_is_named() -> None:
    plan = small().edit(("workload.seq_len", 4100))
    asked = {"tp": 8, "pp": 1, "cp": 1, "dp": 4, "sequence_parallel": True}
    assert "parallelism.sp.divides" in [r.rule for r in explain(plan, catalog(), asked).reasons]


def test_that_memory_is_told_as_a_number_and_its_limit() -> None:
    about = explain(small(), catalog(), {"tp": 1, "pp": 1, "cp": 1, "dp": 1})
    assert about.gpus == 1
    assert about.nearest is not None
    assert not about.nearest.fits
    over = about.nearest.memory_gb - small().value("parallelism.reserve_gb")
    assert f"{over:.1f} GB" in about.reasons[-1].message


def test_that_what_can_run_is_measured_against_the_best_of_all() -> None:
    about = explain(small(), catalog(), {"pp": 8})
    best = search(small(), catalog(), gpus=[32], axes="wide").best[0]
    own = [c for c in search(small(), catalog(), gpus=[32], axes="wide", top=100_000).best if c.pp == 8]
    assert about.best == best
    assert about.nearest is not None
    assert about.nearest.days == pytest.approx(own[0].days)
    assert about.behind_days == pytest.approx(own[0].days - best.days)
    assert about.behind_pct == pytest.approx(100.0 * (own[0].days / best.days - 1.0))
    assert "longer than the best" in verdict_text(about)


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_that_no_layout_that_runs_is_ahead_of_the_best(data: st.DataObject) -> None:
    layouts = search(small(), catalog(), gpus=[32], axes="wide", top=100_000).best
    picked = data.draw(st.sampled_from(layouts))
    names = data.draw(st.sets(st.sampled_from(("tp", "pp", "dp", "cp", "micro_batch", "vpp", "schedule", "sharding"))))
    asked = {name: getattr(picked, name) for name in names}
    if not asked:
        return
    about = explain(small(), catalog(), asked)
    assert about.reasons == ()
    assert about.nearest is not None
    assert about.behind_days is not None
    assert -1e-9 <= about.behind_days <= picked.days - layouts[0].days + 1e-9


def test_that_the_best_itself_is_behind_nothing() -> None:
    best = search(small(), catalog(), gpus=[32], axes="wide").best[0]
    asked = {name: getattr(best, name) for name in ("tp", "pp", "dp", "cp", "micro_batch", "vpp", "schedule")}
    about = explain(small(), catalog(), asked)
    assert about.behind_days == 0.0
    assert "no layout is better" in verdict_text(about)


def test_that_another_gpu_is_set_against_the_plans_own() -> None:
    about = explain(small(), catalog(), {"gpu": "b200"})
    assert about.behind_days is not None
    assert about.behind_days < 0
    assert "shorter than the best on the plan's own GPU" in verdict_text(about)
    assert about.nearest is not None
    assert "b200" in degrees_text(about.nearest)


def test_that_the_fix_of_a_rule_removes_it() -> None:
    for asked in ({"tp": 16, "pp": 1, "cp": 1, "dp": 2}, {"tp": 1, "pp": 2, "cp": 1, "dp": 3, "micro_batch": 1}):
        plan = small().edit(*((f"parallelism.{n}", v) for n, v in asked.items()))
        reasons = explain(plan, catalog(), asked).reasons
        mended = plan.edit(*next(r.fix for r in reasons if r.fix))
        rules = {m for m in why_not(mended, catalog(), {})}
        assert next(r for r in reasons if r.fix).message not in rules


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"width": 3}, "no part of a layout"),
        ({"tp": 0}, "from 1 to"),
        ({"recompute": "some"}, "none of none, selective or full"),
        ({"gpu": "h900"}, "no gpu of the catalogue"),
        ({"gpu": "a100_sxm_80gb", "precision": "fp8"}, "no units for FP8"),
    ],
)
def test_that_what_cannot_be_is_refused_with_a_sentence(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(Refused, match=words):
        explain(small(), catalog(), asked)


def test_that_layouts_numbers_and_prices_are_read_as_people_type_them() -> None:
    assert layout_of("TP=16, pp = 8; micro=2, recompute=Full, sp=no, schedule=zero-bubble") == {
        "tp": 16,
        "pp": 8,
        "micro_batch": 2,
        "recompute": "full",
        "sequence_parallel": False,
        "schedule": "zero_bubble",
    }
    assert counts_of("512") == [512]
    assert counts_of("64, 8-24") == [8, 16, 24, 64]
    assert counts_of("8-32:12") == [8, 20, 32]
    assert price_of("3.5") == (3.5, ())
    assert price_of("2, b200=5.5") == (2.0, (("b200", 5.5),))


@given(st.text(max_size=20))
def test_that_whatever_is_typed_is_read_or_refused(typed: str) -> None:
    for read in (counts_of, layout_of, price_of):
        said = "read."
        try:
            read(typed)
        except Refused as refused:
            said = refused.message
        assert said.endswith(".")
