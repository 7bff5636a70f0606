"""Levers: each is a change that is sized, and applying it gives what was shown."""

from __future__ import annotations

import pytest

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.chain import evaluate
from wattsweights_gui.engine.levers import LeverReport, levers
from wattsweights_gui.engine.search import settle
from wattsweights_gui.project.examples import example


@pytest.fixture(scope="module", params=["512-against-256", "1t-30-days", "moe-nvl72"])
def report(request: pytest.FixtureRequest) -> LeverReport:
    return levers(example(request.param).document.plan, catalog())


def test_that_applying_a_lever_gives_what_it_showed(report: LeverReport) -> None:
    for lever in (*report.singles, *report.pairs):
        applied = evaluate(settle(report.base.plan.edit(*lever.edits), catalog()), catalog())
        for name, (_, after) in lever.deltas.items():
            layer = {"gpus": "parallelism", "days": "parallelism", "racks": "floor", "facility_power_kw": "power"}.get(
                name, "cooling"
            )
            assert applied.figure(f"{layer}.{name}").value == after.value, (lever.title, name)


def test_that_the_ranking_is_by_what_a_lever_closes(report: LeverReport) -> None:
    keys = [(not lever.fits, -round(lever.closes, 6)) for lever in report.singles]
    assert keys == sorted(keys)
    for lever in report.singles:
        assert lever.fits is (not lever.ends.binding and not lever.ends.blockers)
        if lever.fits and report.base_ends.fits is False:
            assert lever.closes == pytest.approx(1.0)


def test_that_a_pair_closes_more_than_either_of_its_changes(report: LeverReport) -> None:
    single = {lever.id: lever.closes for lever in report.singles}
    for pair in report.pairs:
        assert pair.closes > max(single[part] for part in pair.id.split("+"))
        assert len(set(pair.kind.split("+"))) == 2


def test_that_every_kind_of_lever_that_was_promised_is_offered() -> None:
    found = levers(example("moe-nvl72").document.plan, catalog()).singles
    kinds = {lever.kind for lever in found}
    found = levers(example("1t-30-days").document.plan, catalog()).singles
    kinds |= {lever.kind for lever in found}
    promised = {
        "precision", "recipe", "sharding", "recompute", "gpu", "power cap", "tokens", "days", "model size", "cooling",
        "supply temperature", "flow", "CDUs", "redundancy", "rack density",
    }  # fmt: skip
    assert promised <= kinds, promised - kinds


def test_that_the_hall_of_256_is_helped_by_cooling_and_by_thinner_racks() -> None:
    found = {lever.id: lever for lever in levers(example("512-against-256").document.plan, catalog()).singles}
    assert found["cooling-two-phase"].closes > 0.9


def test_that_a_run_can_be_stopped() -> None:
    calls = []

    def progress(share: float) -> bool:
        calls.append(share)
        return len(calls) < 4

    stopped = levers(example("1t-30-days").document.plan, catalog(), progress)
    assert stopped.cancelled
    assert len(calls) == 4
    assert calls == sorted(calls)


def test_that_a_row_over_its_limit_is_offered_a_higher_limit_and_fewer_racks() -> None:
    plan = example("512-against-256").document.plan
    row = evaluate(plan, catalog()).results["power"].row_power_kw.number
    found = {lever.id: lever for lever in levers(plan.edit(("power.row_limit_kw", row / 2)), catalog()).singles}
    raised = found["raise-row-limit-kw"]
    assert dict(raised.edits)["power.row_limit_kw"] >= row
    fewer = next(lever for lever in found.values() if lever.kind == "row length")
    assert fewer.evaluation.results["power"].row_power_kw.number <= row / 2
    for lever in (raised, fewer):
        assert not any(need.quantity == "row_power_kw" for need in lever.ends.binding)


def test_that_generators_over_their_limit_are_offered_a_higher_one() -> None:
    plan = example("512-against-256").document.plan
    load = evaluate(plan, catalog()).results["power"].generator_load_kw.number
    found = {lever.id: lever for lever in levers(plan.edit(("power.generator_limit_kw", load / 2)), catalog()).singles}
    raised = found["raise-generator-limit-kw"]
    assert dict(raised.edits)["power.generator_limit_kw"] >= load
    assert not any(need.quantity == "generator_load_kw" for need in raised.ends.binding)
