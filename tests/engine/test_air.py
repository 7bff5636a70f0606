"""Airflow with altitude, dew points, ASHRAE classes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wattsweights_gui.engine.equations import air, heat_rejection


def test_that_the_standard_atmosphere_is_the_published_one():
    assert air.pressure_kpa(0) == pytest.approx(101.325)
    assert air.pressure_kpa(1500) == pytest.approx(84.556, rel=1e-4)


@given(st.floats(0.1, 1e5), st.floats(10, 45), st.floats(0, 3000), st.floats(1, 40))
def test_that_airflow_and_rise_are_inverse(heat, inlet, altitude, rise):
    density = air.air_density(inlet, altitude)
    flow = air.airflow_m3_s(heat, density, rise)
    assert air.air_rise_k(heat, density, flow) == pytest.approx(rise, rel=1e-9)


@given(st.floats(0, 3000), st.floats(1, 1000))
def test_that_higher_sites_need_more_air(altitude, more):
    assert air.air_density(24, altitude + more) < air.air_density(24, altitude)


def test_that_dew_points_are_those_of_psychrometric_charts():
    assert air.dew_point_c(24, 50) == pytest.approx(12.95, abs=0.03)
    assert air.wet_bulb_c(35, 40) == pytest.approx(23.93, abs=0.05)


def test_that_classes_derate_above_900_metres_only():
    assert air.derated_inlet_c(35, 900, 900, 300) == 35
    assert air.derated_inlet_c(35, 1800, 900, 300) == pytest.approx(32)


@pytest.mark.parametrize(
    ("supply", "name"), [(7, "W17"), (17, "W17"), (17.1, "W27"), (37, "W40"), (45, "W45"), (46, "W+")]
)
def test_that_the_water_class_is_the_smallest_that_allows_the_supply(supply, name):
    assert heat_rejection.water_class(supply) == name


def test_that_cdu_units_are_whole_and_rounding_makes_no_unit():
    assert heat_rejection.units_needed(1368.0000001, 1368) == 1
    assert heat_rejection.units_needed(1369, 1368) == 2
    assert heat_rejection.cdu_count(0, 0, 1) == 0


def test_that_a_cdu_takes_less_at_a_smaller_approach_and_never_more_than_printed():
    assert heat_rejection.cdu_kw_at_approach(1368, 4, 2) == pytest.approx(684)
    assert heat_rejection.cdu_kw_at_approach(1368, 4, 10) == 1368
    assert heat_rejection.cdu_kw_at_approach(1368, 4, -1) == 0


def test_that_one_cycle_of_concentration_is_refused():
    with pytest.raises(ValueError, match="above 1"):
        heat_rejection.tower_makeup(10, 1.0)
