"""The floor layer: racks, area and load."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st


def test_that_every_kind_of_rack_is_counted(hall):
    e = hall.sized(("floor.management_racks", 2))
    assert hall.value(e, "floor.racks") == 32 + 3 + 1 + 2


def test_that_the_area_is_racks_with_half_of_their_aisles_and_cross_aisles(hall):
    e = hall.sized()
    assert hall.value(e, "floor.rows") == 3
    pitch = 1.2 + (1.8 + 2.0) / 2
    assert hall.value(e, "floor.area_m2") == pytest.approx((36 * 0.6 + 3 * 1.2) * pitch)


def test_that_row_cdus_take_floor_and_in_rack_ones_do_not(hall):
    one = ("cooling.technology", "single_phase")
    row = hall.sized(one)
    rack = hall.sized(one, ("cooling.technology.cdu", "cdu_vertiv_coolchip_121"))
    assert hall.value(row, "floor.area_m2") - hall.value(rack, "floor.area_m2") == pytest.approx(
        2.0 * hall.value(row, "cooling.cdus")
    )


def test_that_a_nvl72_rack_loads_tile_and_slab_as_computed_by_hand(hall):
    e = hall.sized(
        ("compute.gpu", "gb200"), ("floor.cold_aisle_mm", 1200.0), ("floor.hot_aisle_mm", 1000.0), **hall.nvl72
    )
    assert hall.value(e, "floor.heaviest_rack_kg") == 1360
    assert hall.value(e, "floor.footprint_load_kg_m2") == pytest.approx(1889, rel=2e-3)
    assert hall.value(e, "floor.floor_load_kg_m2") == pytest.approx(985.5, rel=2e-3)
    assert hall.value(e, "floor.kg_per_foot") == 340


def test_that_a_rack_of_nodes_has_its_frame_and_its_door(hall):
    bare = hall.sized()
    assert hall.value(bare, "floor.heaviest_rack_kg") == pytest.approx(180 + 4 * 130.45)
    door = hall.sized(("cooling.technology", "rear_door"), ("cooling.technology.door", "rdhx_cl20_42u600"))
    assert hall.value(door, "floor.heaviest_rack_kg") == pytest.approx(180 + 4 * 130.45 + 145)


def test_that_a_system_whose_mass_is_not_printed_is_said_to_be_not_checked(hall):
    e = hall.sized(("compute.gpu", "b300"), system="asus_xa_nb3i_e12")
    assert not e.figure("floor.floor_load_kg_m2").known
    assert "floor.mass_unknown" in hall.findings(e)
    assert e.figure("floor.racks").known


def test_that_limits_are_compared(hall):
    e = hall.sized(("floor.racks_limit", 35), ("floor.area_limit_m2", 1000.0), ("floor.floor_load_limit_kg_m2", 300.0))
    assert hall.needs(e)["racks"].fits is False
    assert hall.needs(e)["area_m2"].fits is True
    assert hall.needs(e)["floor_load_kg_m2"].fits is False


def test_that_a_system_deeper_than_the_rack_is_a_blocker(hall):
    finding = hall.findings(hall.sized(("floor.rack_depth_mm", 800.0)))["floor.depth"]
    assert finding.severity == "blocker"


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 5000), st.integers(1, 500))
def test_that_more_racks_need_more_floor(hall, nodes, more):
    few, many = hall.sized(nodes=nodes), hall.sized(nodes=nodes + 4 * more)
    assert hall.value(many, "floor.area_m2") > hall.value(few, "floor.area_m2")
