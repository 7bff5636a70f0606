"""Groups of ranks on the tiers of the network, and the time of their collectives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.equations import collectives as comm
from wattsweights_gui.engine.equations.machine import Machine, machine_of


def h100(**other: float) -> Machine:
    hardware = catalog()
    made = machine_of(hardware.entry("h100_sxm"), hardware, "bf16", 400.0, **other)
    assert made is not None
    return made


def one(value: float) -> np.ndarray:
    return np.array([float(value)])


def test_that_a_group_of_eight_neighbours_stays_in_the_domain():
    group = comm.group_of(h100(), one(8), one(1))
    assert (group.members[0], group.domains[0]) == (8, 1)
    assert group.bytes_s[0] == pytest.approx(0.814 * 450e9)


def test_that_one_member_a_node_runs_at_one_adapter():
    group = comm.group_of(h100(), one(16), one(8))
    assert (group.members[0], group.domains[0]) == (1, 16)
    assert group.bytes_s[0] == h100().nic_bytes_s


def test_that_two_whole_nodes_run_over_eight_adapters():
    group = comm.group_of(h100(), one(16), one(1))
    assert (group.members[0], group.domains[0]) == (8, 2)
    assert group.bytes_s[0] == pytest.approx(min(h100().link_bytes_s, 8 * h100().nic_bytes_s))


def test_that_a_gather_and_a_scatter_are_one_all_reduce():
    on = h100()
    group = comm.group_of(on, one(64), one(1))
    bytes_moved = 2 * (comm.gather_s(group, one(1e9)) - group.start_s)
    assert bytes_moved[0] == pytest.approx((comm.all_reduce_s(on, group, one(1e9)) - group.start_s)[0])


def test_that_reduction_in_the_network_nearly_halves_an_all_reduce():
    group = comm.group_of(h100(), one(1024), one(8))
    ring = comm.all_reduce_s(h100(), group, one(1e10))[0]
    assert comm.all_reduce_s(h100(in_network=True), group, one(1e10))[0] == pytest.approx(ring / 2, rel=0.01)


def test_that_a_group_of_one_moves_nothing():
    group = comm.group_of(h100(), one(1), one(1))
    assert comm.gather_s(group, one(1e9))[0] == 0
    assert comm.all_to_all_s(h100(), group, one(1e9), 8.0)[0] == 0


@given(st.integers(1, 10), st.integers(0, 6), st.floats(1e3, 1e11))
def test_that_more_bytes_never_take_less_time(size, stride, payload):
    on = h100()
    group = comm.group_of(on, one(2**size), one(2**stride))
    assert comm.gather_s(group, one(payload))[0] <= comm.gather_s(group, one(2 * payload))[0]
    assert comm.all_to_all_s(on, group, one(payload), 8)[0] <= comm.all_to_all_s(on, group, one(2 * payload), 8)[0]


@given(st.floats(1, 8), st.integers(1, 4096))
def test_that_oversubscription_slows_only_what_leaves_the_leaf(ratio, domains):
    slowed = float(comm.nic_bytes_s(h100(oversubscription=ratio), one(domains))[0]) if ratio > 1 else 0.0
    if ratio > 1:
        full = h100().nic_bytes_s
        assert full / ratio - 1 <= slowed <= full + 1
        if domains <= 32:
            assert slowed == pytest.approx(full)
