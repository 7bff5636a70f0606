"""Racks filled from the plan agree with what the plan counts; what a person did stays."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.chain import Evaluation, evaluate
from wattsweights_gui.layout import edits, rack_edits
from wattsweights_gui.layout.disagreements import disagreements
from wattsweights_gui.layout.edits import Edited
from wattsweights_gui.layout.from_plan import fill_from_plan
from wattsweights_gui.layout.hall import hall_of
from wattsweights_gui.layout.loads import rack_loads, total
from wattsweights_gui.layout.placements import EMPTY, Placements
from wattsweights_gui.layout.wanted import rule_for, wanted_of
from wattsweights_gui.project import examples


def done(outcome: Any) -> Placements:
    assert isinstance(outcome, Edited), outcome
    return outcome.placements


def filled(evaluation: Evaluation, before: Placements = EMPTY) -> Placements:
    hall = hall_of(evaluation)
    return fill_from_plan(before, hall, wanted_of(evaluation, hall)).placements


def said(placements: Placements, evaluation: Evaluation) -> list[str]:
    hall = hall_of(evaluation)
    return [f.message.replace("\u2009", " ") for f in disagreements(placements, wanted_of(evaluation, hall), hall)]


@pytest.mark.parametrize("name", [e.name for e in examples.examples()])
def test_that_every_example_is_placed_as_its_plan_counts(name: str, check: Any) -> None:
    evaluation = evaluate(examples.example(name).document.plan, catalog())
    placed = filled(evaluation)
    check(placed)
    results, roles = evaluation.results, Counter(r.role for r in placed.racks)
    cluster = results["cluster"]
    assert roles["compute"] == cluster.compute_racks.value
    assert roles["network"] == cluster.network_racks.value
    assert roles["storage"] == (results["storage"].racks.value or 0)
    counts = placed.counts()
    assert counts[cluster.system.value] == cluster.nodes.value
    words = Counter(d.role for inside in placed.devices.values() for d in inside)
    assert words["leaf"] == cluster.leaf_switches.value
    assert words["spine"] == cluster.spine_switches.value
    assert words["core"] == cluster.core_switches.value
    nodes = max(sum(d.role == "node" for d in placed.inside(r.id)) for r in placed.racks)
    assert nodes == cluster.nodes_per_rack.value
    names = [d.name for inside in placed.devices.values() for d in inside]
    assert len(set(names)) == len(names)
    assert not [m for m in said(placed, evaluation) if "missing" in m or "too many" in m or "racks; " in m]


def test_that_compute_racks_draw_what_the_power_layer_says(plan: Evaluation) -> None:
    placed, hall = filled(plan), hall_of(plan)
    loads = rack_loads(placed, hall)
    compute = total(loads[r.id] for r in placed.racks if r.role == "compute")
    assert compute.power_kw == pytest.approx(plan.results["power"].compute_power_kw.number)
    fullest = max(load.power_kw for id, load in loads.items() if placed.rack(id).role == "compute")
    assert fullest == pytest.approx(plan.results["power"].rack_power_kw.number)


def test_that_heat_to_liquid_and_flow_are_those_of_the_cooling_layer() -> None:
    evaluation = evaluate(examples.example("two-phase-8mw").document.plan, catalog())
    loads = rack_loads(filled(evaluation), hall_of(evaluation))
    everything, cooling = total(loads.values()), evaluation.results["cooling"]
    assert everything.liquid_kw == pytest.approx(cooling.liquid_heat_kw.number)
    assert everything.flow_l_min == pytest.approx(cooling.coolant_flow_l_min.number)


def test_that_filling_twice_changes_nothing(plan: Evaluation) -> None:
    placed = filled(plan)
    again = filled(plan, placed)
    assert again == placed


def test_that_hand_edits_and_locks_are_kept_when_the_plan_grows_and_shrinks(
    plan: Evaluation, evaluated: Any, check: Any
) -> None:
    hall, placed = hall_of(plan), filled(plan)
    first, last = placed.racks[0], placed.racks[31]
    moved_id = placed.inside(first.id)[0].id
    locked_id = placed.inside(last.id)[0].id
    now = done(edits.move(placed, hall, [moved_id], first.id, 41))
    now = done(edits.set_locked(now, [locked_id], True))
    now = done(edits.place(now, hall, "blank_1u", first.id, 1))
    smaller = evaluated(cooling__technology="air", parallelism__layout="pinned", parallelism__dp=4)
    assert smaller.results["cluster"].nodes.number < 128
    assert any("too many" in m for m in said(now, smaller))
    shrunk = filled(smaller, now)
    check(shrunk)
    assert shrunk.device(moved_id).bottom_u == 41
    assert shrunk.place_of[locked_id] == last.id
    assert sum(d.entry == "blank_1u" for d in shrunk.inside(first.id)) == 1
    assert shrunk.counts()["dgx_h100"] == smaller.results["cluster"].nodes.value
    grown = filled(plan, shrunk)
    check(grown)
    assert grown.device(moved_id).bottom_u == 41
    assert grown.counts()["dgx_h100"] == plan.results["cluster"].nodes.value
    assert not [m for m in said(grown, plan) if "missing" in m or "too many" in m]


def test_that_a_place_emptied_by_hand_stays_empty_and_its_node_goes_elsewhere(plan: Evaluation, check: Any) -> None:
    placed = filled(plan)
    rack = placed.racks[0]
    gone = placed.inside(rack.id)[0]
    now = done(edits.delete(placed, [gone.id]))
    assert "The plan has 128 × DGX H100; 127 are placed: 1 missing." in said(now, plan)
    again = filled(plan, now)
    check(again)
    assert len([d for d in again.inside(rack.id) if d.role == "node" and d.bottom_u == gone.bottom_u]) == 0
    assert again.counts()["dgx_h100"] == 128


def test_that_a_deleted_rack_comes_back_and_its_number_is_said(plan: Evaluation) -> None:
    placed = filled(plan)
    now = done(rack_edits.delete_racks(placed, [placed.racks[3].id]))
    assert "The plan has 32 compute racks; 31 are placed." in said(now, plan)
    assert said(filled(plan, now), plan) == said(placed, plan)


def test_that_a_hall_that_became_too_weak_is_said_with_the_number_of_racks(plan: Evaluation, evaluated: Any) -> None:
    placed = filled(plan)
    weak = evaluated(cooling__technology="air", cooling__technology__rack_limit_kw=25.0)
    found: list[Any] = [m for m in said(placed, weak) if "can reject" in m]
    assert len(found) == 1
    assert "40.8 kW; a rack can reject 25 kW (room air)." in found[0]
    assert "more racks are over it" in found[0]


def test_that_every_published_cluster_design_has_a_rule_set() -> None:
    own = {d for r in catalog().of_kind("fill_rule") for d in r.get("designs")}
    designs = {d.id for d in catalog().of_kind("reference_design") if d.get("node") and d.get("leaf_switch")}
    assert designs <= own
    assert rule_for(catalog(), "a_design_of_tomorrow").id == "fill_generic"
