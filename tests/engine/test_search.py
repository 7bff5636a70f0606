"""The layout search: best against brute force, settled plans, reasons."""

from __future__ import annotations

import itertools

import pytest

from wattsweights_gui import paths
from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine import training_plan
from wattsweights_gui.engine.chain import Upstream, evaluate
from wattsweights_gui.engine.declare import Refused
from wattsweights_gui.engine.equations.layouts import Layouts
from wattsweights_gui.engine.equations.memory import memory
from wattsweights_gui.engine.equations.step_time import step_time
from wattsweights_gui.engine.layout_space import Space, grid_at
from wattsweights_gui.engine.plan import default_plan
from wattsweights_gui.engine.search import search, settle, why_not
from wattsweights_gui.project import store

SMALL = (
    ("workload.model.params_b", 8.0),
    ("workload.global_batch", 32),
    ("workload.seq_len", 4096),
    ("workload.tokens_b", 100.0),
)


def small(*more):
    return default_plan([*SMALL, *more])


def test_that_the_best_layout_is_the_best_of_all_tried_one_by_one():
    plan = small()
    sized = evaluate(plan, catalog(), layers=("workload", "compute"))
    up = Upstream(plan, catalog(), sized.results)
    job, machine = training_plan.job_of(up), training_plan.machine_of_plan(up)
    limit = machine.hbm_bytes - plan.value("parallelism.reserve_gb") * 1e9
    layers, batch, gpus = job.shape.layers, 32, 16
    best = float("inf")
    degrees = itertools.product((1, 2, 4, 8), range(1, layers + 1), (1, 2, 4), (1, 2, 4, 8), (1, 2, 4, 8))
    for tp, pp, cp, micro, vpp in degrees:
        if gpus % (tp * pp * cp) or (vpp > 1 and pp == 1):
            continue
        dp = gpus // (tp * pp * cp)
        if batch % (dp * micro) or job.shape.heads % tp or layers % (pp * vpp):
            continue
        if vpp > 1 and (batch // (dp * micro)) % pp:
            continue
        for recompute, sharding in itertools.product(("none", "full"), ("zero1", "fsdp")):
            if sharding == "fsdp" and (pp > 1 or dp * cp == 1):
                continue
            layout = Layouts.of(
                tp=tp,
                pp=pp,
                cp=cp,
                dp=dp,
                micro_batch=micro,
                vpp=vpp,
                schedule=1.0 if vpp > 1 else 0.0,
                recompute=recompute,
                sharding=sharding,
                sequence_parallel=float(tp > 1),
            )
            if memory(job, layout).total[0] <= limit:
                best = min(best, float(step_time(job, machine, layout).total[0]))
    found = search(plan, catalog(), gpus=[gpus])
    assert found.best[0].step_time_s == pytest.approx(best, rel=1e-12)


def test_that_two_searches_give_the_same_answer():
    plan = small()
    assert search(plan, catalog(), gpus=[8, 16, 32]) == search(plan, catalog(), gpus=[8, 16, 32])


def test_that_every_candidate_uses_the_gpus_asked_for_and_fits():
    found = search(small(), catalog(), gpus=[24, 64], top=50)
    assert {c.gpus for c in found.best} <= {24, 64}
    for c in found.best:
        assert c.tp * c.pp * c.cp * c.dp == c.gpus
        assert c.memory_gb <= catalog().entry("h100_sxm").get("memory_visible_gb")
        assert 32 % (c.dp * c.micro_batch) == 0


def test_that_no_member_of_the_front_is_beaten_in_gpus_and_days():
    front = search(small(), catalog(), gpus=range(8, 65, 8)).front
    for a, b in itertools.pairwise(front):
        assert a.gpus < b.gpus
        assert a.days > b.days


def test_that_a_search_without_numbers_ranks_the_plans_own_and_draws_the_front_to_twice_that():
    found = search(small(("parallelism.gpus", 32)), catalog())
    assert {c.gpus for c in found.best} == {32}
    assert len({c.gpus for c in found.front}) > 2
    assert max(c.gpus for c in found.front) <= 64


def test_that_what_the_rules_ruled_out_is_counted():
    found = search(small(), catalog(), gpus=[24])
    assert found.lost["does not divide the GPUs"] > 0
    assert found.evaluated > 0


def test_that_a_search_can_be_stopped():
    seen = []

    def stop(share):
        seen.append(share)
        return len(seen) < 2

    found = search(default_plan(), catalog(), gpus=range(1024, 16385, 1024), progress=stop)
    assert found.note == "stopped before the end"
    assert len(seen) == 2


def test_that_progress_ends_at_one():
    seen = []
    search(small(), catalog(), gpus=[8, 16], progress=lambda share: seen.append(share) is None)
    assert seen[-1] == 1.0
    assert seen == sorted(seen)


def test_that_an_unknown_objective_is_refused():
    with pytest.raises(Refused, match="none of days, gpus, throughput"):
        search(small(), catalog(), objective="glory")


def test_that_settling_keeps_the_layout_automatic_and_meets_the_days():
    plan = settle(small(("workload.days", 10.0)), catalog())
    assert plan.value("parallelism.layout") == "auto"
    outcome = evaluate(plan, catalog(), layers=("workload", "compute", "parallelism")).results["parallelism"]
    assert outcome.days.number <= 10.0
    assert outcome.memory_gb.number <= catalog().entry("h100_sxm").get("memory_visible_gb")


def test_that_settling_finds_the_fewest_gpus_that_meet_the_days():
    plan = small(("workload.days", 10.0))
    settled = settle(plan, catalog())
    degrees = [settled.value(f"parallelism.{d}") for d in ("tp", "pp", "cp", "dp")]
    used = degrees[0] * degrees[1] * degrees[2] * degrees[3]
    fewer = search(plan, catalog(), gpus=range(8, used, 8))
    assert all(c.days > 10.0 for c in fewer.front)


def test_that_settling_a_pinned_plan_changes_nothing():
    plan = small(("parallelism.tp", 4))
    assert settle(plan, catalog()) is plan


def test_that_settling_at_a_number_of_gpus_uses_it():
    plan = settle(small(("parallelism.gpus", 64)), catalog())
    degrees = [plan.value(f"parallelism.{d}") for d in ("tp", "pp", "cp", "dp")]
    assert degrees[0] * degrees[1] * degrees[2] * degrees[3] == 64


def test_that_settling_twice_settles_to_the_same_layout():
    once = settle(small(), catalog())
    assert settle(once, catalog()).layers["parallelism"] == once.layers["parallelism"]


def test_that_a_plan_whose_gpu_lacks_the_format_settles_to_itself():
    plan = small(("compute.gpu", "a100_sxm_80gb"), ("workload.precision", "fp8"))
    assert settle(plan, catalog()) is plan


def test_that_the_reason_against_a_layout_names_the_rule():
    words = why_not(small(), catalog(), {"tp": 16})
    assert any("NVLink domain of 8" in w for w in words)
    assert why_not(small(), catalog(), {"tp": 8, "pp": 1, "dp": 4, "micro_batch": 1}) == []


def test_that_the_reason_against_a_layout_that_is_too_large_is_its_memory():
    words = why_not(default_plan(), catalog(), {"tp": 1, "pp": 1, "dp": 1})
    assert any("GB" in w for w in words)


def test_that_the_edits_of_a_candidate_pin_it():
    best = search(small(), catalog(), gpus=[16]).best[0]
    pinned = small(*best.edits())
    assert pinned.value("parallelism.layout") == "pinned"
    outcome = evaluate(pinned, catalog(), layers=("workload", "compute", "parallelism")).results["parallelism"]
    assert outcome.step_time_s.number == pytest.approx(best.step_time_s, rel=1e-9)
    assert outcome.memory_gb.number == pytest.approx(best.memory_gb, rel=1e-9)
    assert outcome.days.number == pytest.approx(best.days, rel=1e-6)


def test_that_the_grid_holds_no_layout_twice():
    plan = small()
    sized = evaluate(plan, catalog(), layers=("workload", "compute"))
    job = training_plan.job_of(Upstream(plan, catalog(), sized.results))
    grid = grid_at(Space.of(job, 8.0, 8.0), 64, {})
    names = ("tp", "pp", "dp", "cp", "ep", "micro_batch", "vpp", "recompute", "sharding")
    rows = list(zip(*(getattr(grid, n).tolist() for n in names), strict=True))
    assert len(rows) == len(set(rows))


@pytest.mark.parametrize("days", [22.0, 25.7, 29.9, 30.0, 33.3])
def test_that_a_settled_plan_meets_the_days_even_where_a_simpler_layout_is_nearly_as_good(days):
    document = store.load(paths.resource("examples", "moe-nvl72.watts")).document
    plan = settle(document.plan.edit(("workload.days", days)), catalog())
    assert evaluate(plan, catalog()).results["parallelism"].days.number <= days
