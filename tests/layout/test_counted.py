"""What is placed is what is counted: power, cooling and floor follow the racks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from wattsweights_gui import paths
from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.both_ends import both_ends
from wattsweights_gui.engine.chain import Evaluation, evaluate
from wattsweights_gui.engine.levers import levers
from wattsweights_gui.engine.plan import Plan
from wattsweights_gui.layout.counted import counted_racks, evaluated_as_placed
from wattsweights_gui.layout.from_plan import fill_from_plan
from wattsweights_gui.layout.hall import hall_of
from wattsweights_gui.layout.loads import rack_loads, total
from wattsweights_gui.layout.placements import EMPTY, Device, Placements, Rack
from wattsweights_gui.layout.wanted import wanted_of
from wattsweights_gui.project import store

LIQUID = ("cooling.technology", {"kind": "single_phase"})


def plan_of(name: str, *edits: tuple[str, object]) -> Plan:
    return store.load(paths.resource("examples", f"{name}.watts")).document.plan.edit(*edits)


def filled(plan: Plan) -> Placements:
    evaluation = evaluate(plan, catalog())
    hall = hall_of(evaluation)
    return fill_from_plan(EMPTY, hall, wanted_of(evaluation, hall)).placements


def one_more_node(placements: Placements) -> Placements:
    rack = next(r for r in placements.racks if any(d.role == "node" for d in placements.inside(r.id)))
    node = next(d for d in placements.inside(rack.id) if d.role == "node")
    more = replace(node, id="by-hand", name="by hand", bottom_u=None, by_hand=True)
    return placements.with_inside({rack.id: (*placements.inside(rack.id), more)})


def value(evaluation: Evaluation, path: str) -> float:
    return float(evaluation.figure(path).number)


@pytest.mark.parametrize("name", ["512-against-256", "two-phase-8mw", "1t-30-days"])
def test_that_racks_filled_from_the_plan_are_counted_as_the_plan_counts_them(name: str) -> None:
    plan = plan_of(name)
    planned, placed = evaluate(plan, catalog()), evaluated_as_placed(plan, catalog(), filled(plan))
    for path in (
        "power.it_power_max_kw", "power.facility_power_kw", "power.rack_power_kw", "cooling.liquid_heat_kw",
        "cooling.air_heat_kw", "floor.racks", "floor.heaviest_rack_kg",
    ):  # fmt: skip
        assert value(placed, path) == pytest.approx(value(planned, path), rel=1e-9), path
    assert not [f for f in placed.findings if f.id == "floor.counted.differs"]
    assert placed.placed is not None
    assert planned.placed is None


def test_that_a_device_added_by_hand_is_in_power_flow_and_floor_load() -> None:
    plan = plan_of("512-against-256", LIQUID)
    placements = filled(plan)
    before = evaluated_as_placed(plan, catalog(), placements)
    after = evaluated_as_placed(plan, catalog(), one_more_node(placements))
    for path in (
        "power.facility_power_kw", "power.rack_power_kw", "power.row_power_kw", "cooling.rack_heat_kw",
        "cooling.coolant_flow_l_min", "cooling.rack_coolant_flow_l_min", "floor.floor_load_kg_m2",
    ):  # fmt: skip
        assert value(after, path) > value(before, path), path
    node = value(before, "power.node_power_max_kw")
    assert value(after, "power.it_power_max_kw") - value(before, "power.it_power_max_kw") == pytest.approx(node)
    assert value(after, "power.rack_power_kw") - value(before, "power.rack_power_kw") == pytest.approx(node)
    message = next(f.message for f in after.findings if f.id == "floor.counted.differs")
    assert "65 nodes placed, 64 planned" in message


def test_that_the_racks_added_up_are_the_it_power_of_the_hall() -> None:
    plan = plan_of("two-phase-8mw")
    placements = filled(plan)
    evaluation = evaluated_as_placed(plan, catalog(), placements)
    racks = total(rack_loads(placements, hall_of(evaluation)).values())
    counted = evaluation.placed
    assert counted is not None
    cdus = sum(rack.cooling_kw for rack in counted.racks)
    assert not counted.sums["management"], "no draw of a management server is published: the plan's line stands"
    management = value(evaluation, "power.management_power_kw")
    assert racks.power_kw - cdus + management == pytest.approx(value(evaluation, "power.it_power_max_kw"), rel=1e-9)
    assert value(evaluation, "cooling.liquid_heat_kw") + value(evaluation, "cooling.air_heat_kw") == pytest.approx(
        value(evaluation, "power.it_power_max_kw"), rel=1e-9
    )


def test_that_a_power_cap_reaches_the_nodes_that_are_placed() -> None:
    plan = plan_of("512-against-256")
    placements = filled(plan)
    free = evaluated_as_placed(plan, catalog(), placements)
    capped = evaluated_as_placed(plan.edit(("compute.power_cap_w", 500)), catalog(), placements)
    assert value(capped, "power.rack_power_kw") < value(free, "power.rack_power_kw")


def test_that_the_plan_is_counted_where_somebody_says_so() -> None:
    plan = plan_of("512-against-256", ("floor.counted", "plan"))
    placements = one_more_node(filled(plan))
    assert evaluated_as_placed(plan, catalog(), placements).placed is None
    assert value(evaluated_as_placed(plan, catalog(), placements), "power.it_power_max_kw") == pytest.approx(
        value(evaluate(plan, catalog()), "power.it_power_max_kw")
    )


def test_that_a_group_of_which_nothing_is_placed_is_counted_as_planned() -> None:
    plan = plan_of("512-against-256")
    rack = Rack("r", "R01", height_u=48)
    switch = Device("s", "qm9700", "leaf", 1, 1, role="leaf")
    placements = Placements.of((rack,), {"r": (switch,)})
    planned, placed = evaluate(plan, catalog()), evaluated_as_placed(plan, catalog(), placements)
    assert value(placed, "power.compute_power_kw") == value(planned, "power.compute_power_kw")
    assert value(placed, "power.network_power_kw") < value(planned, "power.network_power_kw")
    assert any("No node is placed" in f.message for f in placed.findings)


def test_that_no_device_in_any_rack_is_no_hall_to_count() -> None:
    assert counted_racks(EMPTY, catalog()) is None


def test_that_the_verdict_names_the_placed_rack_that_binds() -> None:
    plan = plan_of("512-against-256", ("cooling.rack_reject_limit_kw", 40.0))
    evaluation = evaluated_as_placed(plan, catalog(), one_more_node(filled(plan)))
    ends = both_ends(evaluation)
    assert evaluation.fullest_rack
    assert f"Rack {evaluation.fullest_rack}" in ends.verdict


def test_that_a_way_out_that_leaves_the_nodes_alone_is_sized_with_the_placed_racks() -> None:
    plan = plan_of("512-against-256", ("cooling.rack_reject_limit_kw", 40.0))
    counted = counted_racks(one_more_node(filled(plan)), catalog())
    report = levers(plan, catalog(), placed=counted)
    assert report.base.placed == counted
    assert any(lever.evaluation.placed == counted for lever in report.singles)


def test_that_the_rack_schedule_of_power_adds_up_to_the_compute_racks_as_placed() -> None:
    plan = plan_of("512-against-256")
    evaluation = evaluated_as_placed(plan, catalog(), one_more_node(filled(plan)))
    table = evaluation.results["power"].rack_schedule
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    compute = [row for row in rows if str(row["racks"]).startswith("Compute")]
    assert len(compute) == 2, "one kind for each filling"
    assert sum(row["count"] * row["connected"] for row in compute) == pytest.approx(
        value(evaluation, "power.compute_power_kw")
    )


def test_that_a_rack_in_3n_2_is_fed_from_three_sides() -> None:
    hall = hall_of(
        evaluate(plan_of("512-against-256", ("power.scheme", "3n_2"), ("power.feeds_per_rack", 6)), catalog())
    )
    assert (hall.feeds_a, hall.feeds_b, hall.feeds_c) == (2, 2, 2)
    assert hall.feeds_left == 4
    plan = plan_of("512-against-256", ("power.scheme", "3n_2"), ("power.feeds_per_rack", 6))
    load = next(iter(rack_loads(filled(plan), hall).values()))
    assert load.a_kw == pytest.approx(load.power_kw / 3)
    assert load.b_kw == pytest.approx(load.power_kw / 3)
