"""A plan that cannot run does not fit, whatever the facility has, and a fix that is offered mends what it is offered for."""

from __future__ import annotations

from typing import Any

import pytest

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.both_ends import both_ends
from wattsweights_gui.engine.chain import evaluate
from wattsweights_gui.engine.levers import levers
from wattsweights_gui.project.examples import example, examples

IMPOSSIBLE: list[tuple[str, str, Any]] = [
    ("moe-nvl72", "parallelism.ep", 7),
    ("moe-nvl72", "parallelism.ep", 512),
    ("moe-nvl72", "parallelism.etp", 3),
    ("moe-nvl72", "parallelism.pp", 1000),
    ("moe-nvl72", "parallelism.vpp", 40),
    ("moe-nvl72", "parallelism.micro_batch", 4096),
    ("llama-405b-16k", "workload.precision", "nvfp4"),
    ("llama-405b-16k", "parallelism.micro_batch", 4096),
]


@pytest.mark.parametrize(("name", "path", "value"), IMPOSSIBLE)
def test_that_a_plan_that_cannot_run_does_not_fit_and_the_verdict_says_why(name: str, path: str, value: Any) -> None:
    evaluation = evaluate(example(name).document.plan.edit((path, value)), catalog())
    ends = both_ends(evaluation)
    assert ends.fits is False
    assert ends.cannot_run[0].message in ends.verdict
    assert ends.plain()["blockers"][0]["message"] == ends.cannot_run[0].message


def test_that_no_power_and_no_cooling_is_offered_for_a_split_that_cannot_run() -> None:
    report = levers(example("moe-nvl72").document.plan.edit(("parallelism.ep", 7)), catalog())
    assert {lever.kind for lever in report.singles} <= {"fix", "layout"}
    assert any(lever.fits for lever in report.singles)


@pytest.mark.parametrize("name", [found.name for found in examples()])
def test_that_no_example_has_a_blocker(name: str) -> None:
    assert both_ends(evaluate(example(name).document.plan, catalog())).blockers == ()


BROKEN: list[tuple[tuple[str, Any], ...]] = [
    (("parallelism.etp", 3),),
    (("parallelism.ep", 7),),
    (("parallelism.ep", 7), ("parallelism.etp", 3)),
    (("parallelism.ep", 512),),
    (("parallelism.micro_batch", 4096),),
    (("parallelism.micro_batch", 3),),
    (("parallelism.dp", 7),),
    (("parallelism.dp", 7), ("parallelism.micro_batch", 3)),
    (("parallelism.tp", 7),),
    (("parallelism.tp", 512),),
    (("parallelism.pp", 1000),),
    (("parallelism.vpp", 7),),
    (("parallelism.vpp", 256),),
    (("parallelism.cp", 3),),
    (("parallelism.shard_group", 7),),
    (("workload.precision", "nvfp4"),),
]


@pytest.mark.parametrize("name", [found.name for found in examples()])
@pytest.mark.parametrize("edits", BROKEN)
def test_that_each_fix_of_a_blocker_removes_it(name: str, edits: tuple[tuple[str, Any], ...]) -> None:
    plan = example(name).document.plan.edit(*edits)
    for layer in ("workload", "compute", "parallelism"):
        for finding in evaluate(plan, catalog()).findings:
            mends = finding.severity == "blocker" and finding.fix and finding.id.startswith(f"{layer}.")
            if mends and finding.id != "parallelism.memory":
                after = evaluate(plan.edit(*finding.fix), catalog())
                assert finding.id not in {f.id for f in after.findings}, (finding.id, finding.fix)
