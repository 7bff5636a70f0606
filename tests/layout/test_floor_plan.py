"""Where racks stand on the floor: rows, what is in the way, what a person moves, and what cannot be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wattsweights_gui.engine.declare import Refused
from wattsweights_gui.engine.equations import floor_load
from wattsweights_gui.engine.keep_outs import keep_outs
from wattsweights_gui.engine.plan import default_plan
from wattsweights_gui.layout.edits import Edited
from wattsweights_gui.layout.fit import NotPossible
from wattsweights_gui.layout.floor_checks import floor_findings, floor_loads, row_load
from wattsweights_gui.layout.floor_moves import back_in_rows, move_racks
from wattsweights_gui.layout.floor_plan import Box, FloorPlan, arranged, row_name
from wattsweights_gui.layout.floor_rules import FloorRules, floor_rules
from wattsweights_gui.layout.from_plan import fill_from_plan
from wattsweights_gui.layout.hall import Hall, hall_of
from wattsweights_gui.layout.loads import rack_loads, total
from wattsweights_gui.layout.placements import EMPTY, Placements, Rack
from wattsweights_gui.layout.wanted import wanted_of


@pytest.fixture(scope="module")
def rules(plan: Any) -> FloorRules:
    return floor_rules(plan)


@pytest.fixture(scope="module")
def filled(plan: Any, hall: Hall) -> Placements:
    return fill_from_plan(EMPTY, hall, wanted_of(plan, hall)).placements


@pytest.fixture
def floor(filled: Placements, rules: FloorRules) -> FloorPlan:
    return arranged(filled, rules)


def _racks(count: int, **more: Any) -> Placements:
    return Placements.of([Rack(f"r{n}", f"R{n:03d}", **more) for n in range(1, count + 1)], {})


def test_that_every_rack_has_a_place_of_its_own_inside_the_hall(floor: FloorPlan, filled: Placements) -> None:
    assert list(floor.racks) == [r.id for r in filled.racks]
    boxes = [s.box for s in floor.spots()]
    assert not any(a.meets(b) for a, b in combinations(boxes, 2))
    assert all(b.within(floor.outline) for b in boxes)
    assert sorted(id for row in floor.rows for id in row.racks) == sorted(floor.racks)


def test_that_rows_face_each_other_over_cold_aisles_and_turn_their_backs_over_hot_ones(rules: FloorRules) -> None:
    floor = arranged(_racks(64), replace(rules, hall_width_mm=13_200.0))
    first, second, third, _ = floor.rows
    assert [r.turned for r in floor.rows] == [0, 180, 0, 180]
    assert second.box.y - first.box.bottom == pytest.approx(rules.cold_mm)
    assert third.box.y - second.box.bottom == pytest.approx(rules.hot_mm)
    kinds = {a.box.y: a.kind for a in floor.aisles}
    assert kinds[first.box.bottom] == "cold"
    assert kinds[second.box.bottom] == "hot"


def test_that_contained_aisles_are_those_between_two_rows_of_the_kind_that_is_chosen(rules: FloorRules) -> None:
    for chosen in ("none", "cold", "hot"):
        floor = arranged(_racks(64), replace(rules, containment=chosen, hall_width_mm=13_200.0))
        closed = {a.kind for a in floor.aisles if a.contained}
        assert closed == ({chosen} - {"none"})
        assert not floor.aisles[0].contained, "nothing stands on its other side"


def test_that_racks_of_a_row_touch_and_there_are_no_more_than_the_plan_says(
    floor: FloorPlan, rules: FloorRules
) -> None:
    for row in floor.rows:
        boxes = [floor.racks[id].box for id in row.racks]
        assert len(boxes) <= rules.racks_per_row
        assert all(b.x == pytest.approx(a.right) for a, b in pairwise(boxes))


def test_that_cdus_and_pdus_of_the_plan_stand_in_the_rows(evaluated: Callable[..., Any]) -> None:
    for place in ("row_end", "in_row"):
        found = evaluated(cooling__technology="single_phase", floor__cdu_place=place, power__distribution="pdu")
        hall = hall_of(found)
        floor = arranged(fill_from_plan(EMPTY, hall, wanted_of(found, hall)).placements, floor_rules(found))
        cdus = [u for u in floor.units if u.kind == "cdu"]
        assert len(cdus) == found.results["cooling"].cdus.number > 0
        assert len({u.id for u in floor.units}) == len(floor.units)
        assert sum(u.kind == "pdu" for u in floor.units) == found.results["power"].distribution_units.number > 0
        for row in floor.rows:
            last = max(floor.racks[id].box.right for id in row.racks)
            for id in row.cdus:
                box = next(u.box for u in cdus if u.id == id)
                assert (box.x >= last) == (place == "row_end")
        assert not any(a.meets(b) for a, b in combinations([s.box for s in floor.spots()], 2))


def test_that_busways_hang_over_the_rows_and_take_no_floor(evaluated: Callable[..., Any]) -> None:
    found = evaluated(power__distribution="busway")
    hall, rules = hall_of(found), floor_rules(found)
    floor = arranged(fill_from_plan(EMPTY, hall, wanted_of(found, hall)).placements, rules)
    assert rules.overhead == "Busway"
    assert not [u for u in floor.units if u.kind == "pdu"]


def test_that_rows_leave_out_columns_and_other_keep_outs(rules: FloorRules) -> None:
    outs = keep_outs("Column 1: 4.0, 2.2, 0.6, 0.6\n\n7, 2, 2, 2")
    assert outs[0].column
    assert not outs[1].column
    assert outs[1].name == "Keep-out 3"
    floor = arranged(_racks(40), replace(rules, keep_outs=outs))
    for out in outs:
        box = Box(out.x_mm, out.y_mm, out.width_mm, out.depth_mm)
        assert not any(s.box.meets(box) for s in floor.spots())
    assert len(floor.racks) == 40
    assert not floor_findings(floor, rack_loads(_racks(40), _hall()))


def _hall() -> Hall:
    from wattsweights_gui.catalog.load import catalog
    from wattsweights_gui.engine.chain import evaluate

    return hall_of(evaluate(default_plan(), catalog()))


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("Column: 1, 2, 3", "line 1"),
        ("A: 1, 2, 3, 4\nB: one, 2, 3, 4", "line 2"),
        ("A: 1, 2, 0, 4", "has no area"),
        ("A: 1, 2, nan, 4", "in metres"),
    ],
)
def test_that_a_keep_out_that_cannot_be_read_is_refused_with_its_line(typed: str, said: str) -> None:
    with pytest.raises(Refused) as refused:
        default_plan().edit(("floor.keep_outs", typed))
    assert said in refused.value.message


def test_that_a_moved_rack_stays_where_it_is_and_no_other_one_moves(
    floor: FloorPlan, filled: Placements, rules: FloorRules
) -> None:
    id = filled.racks[3].id
    free = floor.outline.depth + 2000.0
    moved = move_racks(filled, floor, [id], 0.0, free)
    assert isinstance(moved, Edited)
    after = arranged(moved.placements, rules)
    assert after.racks[id].by_hand
    assert after.racks[id].box.y == pytest.approx(floor.racks[id].box.y + free)
    assert {k: v.box for k, v in after.racks.items() if k != id} == {
        k: v.box for k, v in floor.racks.items() if k != id
    }
    assert id not in {i for row in after.rows for i in row.racks}
    back = back_in_rows(moved.placements, [id])
    assert isinstance(back, Edited)
    assert arranged(back.placements, rules).racks == floor.racks


def test_that_a_moved_rack_keeps_its_place_when_the_plan_fills_the_racks_anew(
    filled: Placements, floor: FloorPlan, plan: Any, hall: Hall
) -> None:
    id = filled.racks[0].id
    moved = move_racks(filled, floor, [id], 0.0, 60_000.0)
    assert isinstance(moved, Edited)
    again = fill_from_plan(moved.placements, hall, wanted_of(plan, hall)).placements
    assert (again.rack(id).x_mm, again.rack(id).y_mm) == (
        moved.placements.rack(id).x_mm,
        moved.placements.rack(id).y_mm,
    )


def test_that_a_rack_cannot_stand_on_another_one_a_keep_out_outside_or_in_a_way(
    filled: Placements, rules: FloorRules
) -> None:
    with_out = replace(
        rules, hall_width_mm=14_000.0, hall_depth_mm=60_000.0, keep_outs=keep_outs("Column 7: 4, 40, 1, 1")
    )
    floor = arranged(filled, with_out)
    first = floor.racks[filled.racks[0].id]

    def refusal(by_x: float, by_y: float) -> str:
        outcome = move_racks(filled, floor, [first.id], by_x, by_y)
        assert isinstance(outcome, NotPossible), (by_x, by_y)
        assert outcome.why == "space"
        return outcome.reason

    assert "would overlap" in refusal(300.0, 0.0)
    assert "Column 7" in refusal(4_000.0 - first.box.x, 40_000.0 - first.box.y)
    assert "outside the hall" in refusal(13_900.0 - first.box.x, 0.0)
    narrow = refusal(0.0, first.box.depth + 200.0)
    assert "must stay free" in narrow
    assert "0.9" in narrow


def test_that_a_locked_rack_is_not_moved(filled: Placements, floor: FloorPlan) -> None:
    rack = filled.racks[0]
    locked = filled.with_rack(replace(rack, locked=True))
    outcome = move_racks(locked, floor, [rack.id], 0.0, 60_000.0)
    assert isinstance(outcome, NotPossible)
    assert outcome.why == "locked"


def test_that_a_turned_rack_takes_its_depth_across(filled: Placements, floor: FloorPlan) -> None:
    id = filled.racks[0].id
    moved = move_racks(filled, floor, [id], 0.0, 60_000.0, turn=90)
    assert isinstance(moved, Edited)
    box = arranged(moved.placements, floor.rules).racks[id].box
    assert (box.width, box.depth) == (filled.racks[0].depth_mm, filled.racks[0].width_mm)


def test_that_the_floor_load_is_that_of_the_floor_layer_and_too_much_is_a_blocker(
    evaluated: Callable[..., Any],
) -> None:
    found = evaluated(floor__floor_load_limit_kg_m2=200.0)
    hall = hall_of(found)
    placed = fill_from_plan(EMPTY, hall, wanted_of(found, hall)).placements
    floor, loads = arranged(placed, floor_rules(found)), rack_loads(placed, hall)
    spot = floor.racks[placed.racks[0].id]
    here = floor_loads(floor, spot, 1000.0)
    pitch = found.results["floor"].row_pitch_mm.number
    assert here.spread == pytest.approx(floor_load.spread_load(1000.0, spot.box.width, pitch))
    assert here.footprint == pytest.approx(1000.0 / 0.72)
    messages = [f for f in floor_findings(floor, loads) if f.id == "floor.load"]
    assert messages[0].severity == "blocker"
    assert "more racks stand like that" in messages[0].message


def test_that_rows_add_up_to_all_racks(floor: FloorPlan, filled: Placements, hall: Hall) -> None:
    loads = rack_loads(filled, hall)
    rows = total(row_load(row, loads) for row in floor.rows)
    whole = total(loads.values())
    assert rows.power_kw == pytest.approx(whole.power_kw, rel=1e-12)
    assert rows.mass_kg == pytest.approx(whole.mass_kg, rel=1e-12)


def test_that_rows_are_named_like_columns_of_a_spreadsheet() -> None:
    assert [row_name(n) for n in (0, 25, 26, 51, 52, 701, 702)] == ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]


@settings(max_examples=40, deadline=None)
@given(
    count=st.integers(0, 120),
    per_row=st.integers(1, 30),
    cdus=st.integers(0, 12),
    in_rows=st.booleans(),
    width=st.one_of(st.none(), st.floats(8_000, 60_000)),
    column=st.tuples(st.floats(0, 20), st.floats(0, 20)),
)
def test_that_nothing_ever_overlaps(
    rules: FloorRules, count: int, per_row: int, cdus: int, in_rows: bool, width: Any, column: tuple[float, float]
) -> None:
    outs = keep_outs(f"Column: {column[0]}, {column[1]}, 0.8, 0.8")
    given_rules = replace(
        rules, racks_per_row=per_row, cdus=cdus, cdus_in_rows=in_rows, hall_width_mm=width, keep_outs=outs
    )
    floor = arranged(_racks(count), given_rules)
    boxes = [s.box for s in floor.spots()] + [Box(o.x_mm, o.y_mm, o.width_mm, o.depth_mm) for o in outs]
    assert len(floor.racks) == count
    assert not any(a.meets(b) for a, b in combinations(boxes, 2))
