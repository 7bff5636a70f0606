"""Flow and pressure drop: balances, Colebrook, boiling loops."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wattsweights_gui.engine.equations import fluids, hydraulics, two_phase


@given(
    st.floats(0.1, 1e5),
    st.sampled_from(["water", "pg25", "pg30", "eg25"]),
    st.floats(5, 60),
    st.floats(1, 30),
)
def test_that_flow_times_heat_capacity_times_rise_is_the_heat(heat, fluid, supply, rise):
    density, cp = fluids.density(fluid, supply), fluids.specific_heat(fluid, supply + rise / 2)
    flow = hydraulics.flow_l_min(heat, density, cp, rise)
    assert hydraulics.heat_kw(flow, density, cp, rise) == pytest.approx(heat, rel=1e-9)


@given(st.floats(1, 2000), st.floats(10, 60), st.floats(20, 45))
def test_that_the_rise_of_a_flow_is_the_rise_that_made_the_flow(heat, l_min_per_10_kw, supply):
    flow = heat / 10 * l_min_per_10_kw
    rise = hydraulics.rise_k("pg25", heat, flow, supply)
    density, cp = fluids.density("pg25", supply), fluids.specific_heat("pg25", supply + rise / 2)
    assert hydraulics.flow_l_min(heat, density, cp, rise) == pytest.approx(flow, rel=1e-9)


@given(st.floats(2500, 1e7), st.floats(0, 0.05))
def test_that_the_friction_factor_solves_colebrook(reynolds, roughness):
    f = hydraulics.friction_factor(reynolds, roughness)
    right = -2 * math.log10(roughness / 3.7 + 2.51 / (reynolds * math.sqrt(f)))
    assert 1 / math.sqrt(f) == pytest.approx(right, rel=1e-9)


def test_that_laminar_flow_is_64_over_reynolds_and_no_flow_drops_nothing():
    assert hydraulics.friction_factor(1000, 0.01) == 0.064
    assert hydraulics.pipe_drop_kpa(0, 40, 10, 0.045, 1000, 1) == 0


@given(st.floats(1, 500), st.floats(1.01, 5))
def test_that_more_flow_drops_more_pressure(flow, factor):
    pipe = (40.9, 10, 0.045, 1014.5, 1.3677)
    assert hydraulics.pipe_drop_kpa(flow * factor, *pipe) > hydraulics.pipe_drop_kpa(flow, *pipe)


@given(st.floats(1, 1e4), st.floats(10, 300))
def test_that_velocity_and_flow_are_inverse(flow, diameter):
    assert hydraulics.flow_at_velocity(hydraulics.velocity_m_s(flow, diameter), diameter) == pytest.approx(flow)


@given(
    st.floats(1, 1e5),
    st.sampled_from(["R1233zd(E)", "R134a", "R1234ze(E)", "R515B", "R1234yf"]),
    st.floats(20, 60),
    st.floats(0.1, 1.0),
    st.floats(0, 20),
)
def test_that_boiling_and_warming_the_feed_take_up_all_the_heat(heat, fluid, t_sat, quality, subcooling):
    latent, warm = fluids.latent_heat(fluid, t_sat), fluids.subcooling_heat(fluid, t_sat, subcooling)
    mass = two_phase.mass_flow_kg_s(heat, two_phase.heat_per_kg(quality, latent, warm))
    assert mass * quality * latent + mass * warm == pytest.approx(heat, rel=1e-9)


def test_that_a_vapour_line_at_its_limit_has_the_velocity_of_the_limit():
    density, per_kg = 11.7, two_phase.heat_per_kg(0.7, 183.0, 4.0)
    heat = two_phase.vapour_line_kw(15, 77.9, density, 0.7, per_kg)
    mass = two_phase.mass_flow_kg_s(heat, per_kg)
    assert two_phase.vapour_velocity_m_s(mass, 0.7, density, 77.9) == pytest.approx(15)
