"""Feeds, currents, redundancy and losses against published power tables."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wattsweights_gui.engine.equations import electrical

kilowatts = st.floats(0.1, 1e6)


@pytest.mark.parametrize(
    ("volts", "amps", "pct", "va"),
    [(208, 30, 80, 8646), (208, 60, 80, 17292), (415, 60, 80, 34502), (480, 100, 80, 66511), (415, 63, 100, 45284)],
)
def test_that_three_phase_feeds_give_what_hp_and_the_catalogue_print(volts, amps, pct, va):
    assert electrical.feed_kva(
        amps=amps, phases=3, continuous_pct=pct, volts_line_to_line=volts
    ) * 1e3 == pytest.approx(va, abs=1)


def test_that_230_volts_line_to_neutral_is_three_times_not_root_three_times():
    assert electrical.feed_kva(amps=32, phases=3, volts_line_to_neutral=230) == pytest.approx(22.08)
    assert electrical.feed_kva(amps=32, phases=3, volts_line_to_line=230) == pytest.approx(12.748, abs=1e-3)


def test_that_a_circuit_of_two_phases_or_without_volts_is_refused():
    with pytest.raises(ValueError, match="1 or 3 phases"):
        electrical.feed_kva(amps=32, phases=2, volts_line_to_line=400)
    with pytest.raises(ValueError, match="volts"):
        electrical.feed_kva(amps=32, phases=3)
    with pytest.raises(ValueError, match="1 or 3 phases"):
        electrical.amps_per_phase(10, 400, 2, 1.0)


def test_that_two_delta_banks_overload_the_line_that_they_share():
    lines = electrical.delta_line_amps((3090, 3090, 0), 208)
    assert max(lines) == pytest.approx(25.73, abs=0.01)
    assert max(lines) > 24 > 3090 / 208
    assert sum(a > 20 for a in lines) == 1


def test_that_balanced_delta_banks_put_root_three_of_a_bank_on_each_line():
    assert electrical.delta_line_amps((2080, 2080, 2080), 208) == pytest.approx((17.3205,) * 3, rel=1e-5)


@given(kilowatts, st.sampled_from([208.0, 400.0, 415.0, 480.0]), st.floats(0.5, 1.0))
def test_that_a_feed_loaded_with_its_own_kva_carries_its_breaker_amps(amps, volts, power_factor):
    kva = electrical.feed_kva(amps=amps, phases=3, volts_line_to_line=volts)
    assert electrical.amps_per_phase(kva * power_factor, volts, 3, power_factor) == pytest.approx(amps)


@given(kilowatts, st.floats(60, 99.9), st.floats(60, 99.9))
def test_that_what_goes_in_is_what_comes_out_and_the_losses(load, first, second):
    between = electrical.stage_input(load, first)
    into = electrical.stage_input(between, second)
    losses = electrical.stage_loss(load, first) + electrical.stage_loss(between, second)
    assert into == pytest.approx(load + losses, rel=1e-12)


def test_that_a_power_cap_takes_its_watts_off_every_gpu_and_a_cap_above_the_tdp_nothing():
    assert electrical.capped_node_kw(10.2, 8, 700, 500) == pytest.approx(8.6)
    assert electrical.capped_node_kw(10.2, 8, 700, 900) == 10.2


def test_that_pue_without_it_load_is_not_a_number_that_looks_good():
    assert math.isinf(electrical.pue(100.0, 0.0))
