"""Model down, facility up, and where they collide."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine import hosting
from wattsweights_gui.engine.both_ends import BothEnds, both_ends, verdict
from wattsweights_gui.engine.chain import Evaluation, evaluate
from wattsweights_gui.engine.largest_model import with_largest_model
from wattsweights_gui.engine.plan import Plan
from wattsweights_gui.project.examples import example, examples

NAMES = [found.name for found in examples()]


def _sized(name: str, *edits: tuple[str, Any]) -> tuple[Evaluation, BothEnds]:
    plan: Plan = example(name).document.plan.edit(*edits)
    evaluation = evaluate(plan, catalog())
    return evaluation, both_ends(evaluation)


def _keeps(evaluation: Evaluation) -> bool:
    return all(need.fits is not False for need in evaluation.needs if need.end == "facility")


def test_that_the_examples_are_those_of_the_conversation() -> None:
    assert NAMES == ["1t-30-days", "512-against-256", "llama-405b-16k", "moe-nvl72", "two-phase-8mw"]


@pytest.mark.parametrize("name", NAMES)
def test_that_what_is_hosted_fits_and_one_node_more_does_not(name: str) -> None:
    evaluation, ends = _sized(name)
    gpus, nodes = int(ends.have.gpus.number), int(ends.have.nodes.number)
    step = gpus // nodes
    density = _density(evaluation)
    assert _keeps(hosting.with_gpus(evaluation, gpus, density))
    assert not _keeps(hosting.with_gpus(evaluation, gpus + step, density))
    assert ends.limited_by is not None


def _density(evaluation: Evaluation) -> int | None:
    planned = int(evaluation.figure("cluster.nodes_per_rack").number)
    node = int(evaluation.figure("cluster.gpus").number / evaluation.figure("cluster.nodes").number)
    return next(d for d in range(planned, 0, -1) if _keeps(hosting.with_gpus(evaluation, node, d)))


def test_that_512_collide_with_256_because_a_rack_gives_off_more_than_it_can_reject() -> None:
    evaluation, ends = _sized("512-against-256")
    assert (ends.need.gpus.value, ends.have.gpus.value) == (512, 256)
    worst = ends.binding[0]
    assert (worst.layer, worst.quantity) == ("cooling", "rack_heat_kw")
    assert worst.need.number == pytest.approx(4 * 10.2)
    assert "40.8" in ends.verdict
    assert "512 GPUs needed, 256 hosted" in ends.verdict
    # three numbers, never mixed up: to hold it, to be in time, hosted
    held = evaluation.figure("parallelism.min_gpus_memory").number
    assert held != ends.have.gpus.number
    assert held <= 512


@pytest.mark.parametrize("name", NAMES)
def test_that_the_verdict_agrees_with_what_binds(name: str) -> None:
    _, ends = _sized(name)
    assert ends.fits is (not ends.binding)
    assert ends.verdict.startswith("It fits" if ends.fits else "It does not fit")
    loads = [need.load for need in ends.compared]
    assert loads == sorted(loads, key=lambda load: -(load or 0.0))
    assert all(need.load is not None and need.load > 1 for need in ends.binding)


@pytest.mark.parametrize("name", NAMES)
def test_that_the_json_has_the_names_of_the_contract(name: str) -> None:
    plain = _sized(name)[1].plain()
    expected = {
        "gpus", "nodes", "racks", "it_power_kw", "facility_power_kw", "liquid_heat_kw", "air_heat_kw",
        "facility_water_l_min", "floor_m2", "days", "gpus_used",
    }  # fmt: skip
    assert set(plain["need"]) == set(plain["have"]) == expected
    assert plain["fits"] in (True, False)
    for row in plain["binding"]:
        assert {"layer", "quantity", "need", "have", "unit", "source"} <= set(row)
        assert row["source"]


@settings(max_examples=15, deadline=None)
@given(st.floats(1.0, 60.0), st.floats(1.01, 3.0))
def test_that_more_megawatts_never_host_fewer_gpus(megawatts: float, factor: float) -> None:
    less = _sized("1t-30-days", ("power.utility_mw", megawatts))[1].have.gpus.number
    more = _sized("1t-30-days", ("power.utility_mw", megawatts * factor))[1].have.gpus.number
    assert more >= less


def test_that_a_hall_that_rejects_nothing_hosts_nothing() -> None:
    _, ends = _sized("1t-30-days", ("cooling.technology.rack_limit_kw", 1.0))
    assert ends.have.gpus.value == 0
    assert ends.have.days.value is None
    assert ends.fits is False


def test_that_a_larger_hall_trains_a_larger_model() -> None:
    small, large = (
        with_largest_model(*_sized("two-phase-8mw", ("power.utility_mw", mw))).largest_params_b.number for mw in (4, 8)
    )
    assert 0 < small < large


def test_that_the_verdict_is_in_the_chosen_units() -> None:
    evaluation, ends = _sized("moe-nvl72", ("cooling.water_limit_l_min", 1000.0))
    assert "L/min" in verdict(evaluation, ends, "si")
    assert "gpm" in verdict(evaluation, ends, "us")
