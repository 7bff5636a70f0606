"""Failures, checkpoint intervals and goodput: published examples and what must always hold."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wattsweights_gui.engine.equations import reliability

TIMES = st.floats(1.0, 3600.0)
MTBFS = st.floats(3600.0, 1e7)


def share(nodes: float, rate: float, write_s: float, restart_s: float) -> float:
    mtbf = reliability.job_mtbf_s(nodes, rate)
    interval = reliability.daly_interval_s(write_s, mtbf)
    return float(reliability.efficiency(interval, write_s, restart_s, mtbf))


@pytest.mark.parametrize(
    ("rate", "write_s", "published"), [(6.50, 300.0, 0.74), (1.0, 300.0, 0.90), (6.50, 10.0, 0.92)]
)
def test_that_metas_example_of_12000_gpus_is_reproduced(rate, write_s, published):
    assert share(1500, rate, write_s, 300.0) == pytest.approx(published, abs=0.02)


def test_that_llama_3_was_interrupted_every_three_hours():
    assert reliability.job_mtbf_s(2048, 3.79) / 3600 == pytest.approx(3.09, rel=0.01)


@given(TIMES, MTBFS, TIMES)
def test_that_the_share_that_trains_lies_between_nothing_and_all(write_s, mtbf_s, restart_s):
    interval = reliability.young_interval_s(write_s, mtbf_s)
    assert 0.0 <= reliability.efficiency(interval, write_s, restart_s, mtbf_s) < 1.0


@given(TIMES, MTBFS, TIMES)
def test_that_more_failures_never_leave_more_time(write_s, mtbf_s, restart_s):
    interval = reliability.daly_interval_s(write_s, mtbf_s)
    often = reliability.efficiency(interval, write_s, restart_s, mtbf_s / 2)
    assert often <= reliability.efficiency(interval, write_s, restart_s, mtbf_s)


@given(TIMES, MTBFS)
def test_that_dalys_interval_beats_half_and_twice_as_long(write_s, mtbf_s):
    best = reliability.daly_interval_s(write_s, mtbf_s)
    at = reliability.efficiency(best, write_s, 0.0, mtbf_s)
    for factor in (0.5, 2.0):
        assert reliability.efficiency(best * factor, write_s, 0.0, mtbf_s) <= at * (1 + 1e-6)


def test_that_nothing_is_lost_where_nothing_fails():
    assert math.isinf(reliability.job_mtbf_s(100, 0.0))
    assert reliability.efficiency(3600.0, 0.0, 600.0, math.inf) == 1.0
