"""Racks of switches: what the fullest draws, what systems bring along, and what is said where a rack takes too much."""

from __future__ import annotations

import pytest

from wattsweights_gui import paths
from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.chain import Evaluation, evaluate
from wattsweights_gui.engine.units import THIN_SPACE
from wattsweights_gui.layout.counted import evaluated_as_placed
from wattsweights_gui.layout.from_plan import fill_from_plan
from wattsweights_gui.layout.hall import hall_of
from wattsweights_gui.layout.loads import rack_loads
from wattsweights_gui.layout.placements import EMPTY, Placements
from wattsweights_gui.layout.wanted import wanted_of
from wattsweights_gui.project import store

QM9700_KW = 1.720  # NVIDIA, QM9700 maximum draw with active cables


def planned(name: str, *edits: tuple[str, object]) -> Evaluation:
    plan = store.load(paths.resource("examples", f"{name}.watts")).document.plan
    return evaluate(plan.edit(*edits), catalog())


def filled(evaluation: Evaluation) -> Placements:
    hall = hall_of(evaluation)
    return fill_from_plan(EMPTY, hall, wanted_of(evaluation, hall)).placements


def finding(evaluation: Evaluation, id: str) -> str:
    return next((f.message for f in evaluation.findings if f.id == id), "").replace(THIN_SPACE, " ")


def test_that_the_fullest_rack_of_switches_is_16_units_of_those_that_draw_most() -> None:
    e = planned("llama-405b-16k")
    assert e.figure("cluster.network_rack_kw").number == pytest.approx(16 * QM9700_KW)
    assert e.figure("power.rack_power_kw").number < e.figure("cluster.network_rack_kw").number
    racks = e.results["cooling"].racks_by_class.rows
    assert ("network, fullest", 16 * QM9700_KW) in [(row[0], pytest.approx(row[2])) for row in racks]


def test_that_no_filled_rack_draws_more_and_placed_racks_say_their_own() -> None:
    e = planned("llama-405b-16k")
    placements = filled(e)
    loads = rack_loads(placements, hall_of(e))
    most = max(loads[r.id].power_kw for r in placements.racks if r.role == "network")
    assert most <= e.figure("cluster.network_rack_kw").number * (1 + 1e-9)
    placed = evaluated_as_placed(e.plan, catalog(), placements)
    assert placed.figure("cluster.switch_power_kw").number == pytest.approx(
        e.figure("cluster.switch_power_kw").number, rel=1e-9
    )


@pytest.mark.parametrize(
    ("edits", "words"),
    [
        ((("cooling.technology.rack_limit_kw", 25.0),), "gives off 27.5 kW, all of it to air; 25 kW a rack"),
        ((("cooling.rack_reject_limit_kw", 22.0),), "27.5 kW, all of it to air; 22 kW a rack"),
        ((("cooling.technology", "single_phase"), ("cooling.technology.air_remainder_limit_kw", 20.0)), "20 kW a rack"),
        ((("cooling.technology.rack_limit_kw", 28.0),), ""),
    ],
)
def test_that_a_rack_of_switches_that_the_air_cannot_take_is_said(
    edits: tuple[tuple[str, object], ...], words: str
) -> None:
    said = finding(planned("llama-405b-16k", *edits), "cooling.network_rack")
    assert words in said
    assert bool(words) == bool(said)


def test_that_feeds_that_do_not_carry_a_rack_of_switches_are_said() -> None:
    few = planned("llama-405b-16k", ("power.rack_feed_limit_kw", 21.0))
    assert "takes 27.5 kW; a rack may draw 21 kW after the failure" in finding(few, "power.network_rack")
    assert not finding(planned("llama-405b-16k"), "power.network_rack")


def test_that_switches_within_a_rack_scale_system_are_counted_once() -> None:
    e = planned("moe-nvl72")
    cluster = e.results["cluster"]
    beside = {
        "qm9700": sum(int(getattr(cluster, f"{tier}_switches").number) for tier in ("leaf", "spine", "core", "storage"))
    }
    inband = dict(cluster.management_switches.operands)["inband"].number
    draw = {id: catalog().entry(id).get("power_max_w") or catalog().entry(id).get("power_typical_w")
            for id in ("qm9700", "sn4600c")}  # fmt: skip
    kw = (beside["qm9700"] * draw["qm9700"] + inband * draw["sn4600c"]) / 1e3
    assert cluster.switch_power_kw.number == pytest.approx(kw)
    placements = filled(e)
    inside = sum(load.power_kw for load in rack_loads(placements, hall_of(e)).values())
    management = e.plan.value("power.management_kw")
    assert inside + management == pytest.approx(e.figure("power.it_power_max_kw").number, rel=1e-9)


def test_that_placed_switches_draw_typically_what_the_plan_says_of_theirs() -> None:
    e = planned("512-against-256")
    placed = evaluated_as_placed(e.plan, catalog(), filled(e))
    assert placed.figure("power.it_power_kw").number == pytest.approx(e.figure("power.it_power_kw").number, rel=1e-9)


@pytest.mark.parametrize("name", ["two-phase-8mw", "moe-nvl72", "512-against-256"])
def test_that_racks_by_class_still_add_up_to_the_hall(name: str) -> None:
    e = planned(name)
    rows = [row for row in e.results["cooling"].racks_by_class.rows if row[1] is not None]
    assert sum(row[1] * row[2] for row in rows) == pytest.approx(e.figure("power.it_power_max_kw").number)


def test_that_no_share_of_heat_is_below_nothing() -> None:
    for name in ("two-phase-8mw", "moe-nvl72", "512-against-256", "llama-405b-16k"):
        assert all(0.0 <= row[8] <= 1.0 for row in planned(name).results["cooling"].reject_by_technology.rows)
