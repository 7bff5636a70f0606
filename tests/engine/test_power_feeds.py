"""Feeds of a rack: sides, phases, breakers, plugs, and the findings about them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.equations import phases
from wattsweights_gui.engine.equations.electrical import SQRT3
from wattsweights_gui.engine.power_feeds import failed_feeds

VOLTS = st.sampled_from([208.0, 400.0, 415.0, 480.0])


def _table(evaluation, name):
    return evaluation.results["power"].plain()[name]


@given(st.integers(0, 200))
def test_that_every_supply_is_dealt_to_a_phase_and_none_has_two_more_than_another(supplies):
    dealt = phases.dealt(supplies)
    assert sum(dealt) == supplies
    assert max(dealt) - min(dealt) <= 1


@given(st.floats(0.1, 500), st.integers(0, 60), VOLTS, st.floats(0.5, 1))
def test_that_no_line_carries_less_than_a_balanced_one_at_most(kw, supplies, volts, power_factor):
    lines = phases.line_amps(kw, supplies, volts, 3, power_factor)
    balanced = kw * 1e3 / (SQRT3 * volts * power_factor)
    assert max(lines) >= balanced * (1 - 1e-9)
    assert phases.imbalance_pct(kw, supplies, volts, 3, power_factor) >= 0


@given(st.floats(0.1, 500), st.integers(1, 20), st.sampled_from([400.0, 415.0, 480.0]), st.floats(0.5, 1))
def test_that_line_to_neutral_loads_add_up_to_the_feed(kw, supplies, volts, power_factor):
    lines = phases.line_amps(kw, supplies, volts, 3, power_factor)
    assert sum(lines) * volts / SQRT3 * power_factor / 1e3 == pytest.approx(kw)


def test_that_six_supplies_are_balanced_and_four_are_not():
    assert phases.imbalance_pct(20.0, 6, 415.0, 3, 1.0) == 0
    assert phases.imbalance_pct(20.0, 4, 415.0, 3, 1.0) == pytest.approx(50.0)
    # between lines: two equal banks put √3 of one on the line that they share
    one, shared, other = sorted(phases.line_amps(6.18, 2, 208.0, 3, 1.0))
    assert other == pytest.approx(25.73, abs=0.01)
    assert one == pytest.approx(shared)


def test_that_a_single_phase_feed_has_one_line():
    assert phases.line_amps(5.76, 3, 240.0, 1, 1.0) == (pytest.approx(24.0),)


@pytest.mark.parametrize(
    ("feeds", "scheme", "side", "left"),
    [(4, "2n", 0, 2), (3, "2n", 0, 2), (3, "2n", 1, 1), (6, "3n_2", 0, 4), (4, "n", 0, None),
     (4, "n_plus_1", 0, 3), (1, "n_plus_1", 0, None), (4, "block_redundant", 1, 4)],
)  # fmt: skip
def test_that_a_feed_carries_what_its_scheme_leaves_to_it(feeds, scheme, side, left):
    assert failed_feeds(feeds, scheme, side) == left


def test_that_four_h100_on_two_63_a_feeds_load_the_surviving_one_to_93_per_cent(hall):
    e = hall.sized(("power.feed", "feed_eu_400_63_3"), ("power.feeds_per_rack", 2), ("power.power_factor", 1.0))
    for row in _table(e, "feed_schedule")[:2]:
        assert row["connected"] == pytest.approx(20.4)
        assert row["failed"] == pytest.approx(40.8)
        assert row["amps_failed"] == pytest.approx(58.89, rel=2e-3)
    assert hall.value(e, "power.failover_load_pct") == pytest.approx(93.5, rel=5e-3)


def test_that_nec_takes_a_fifth_off_every_feed(hall):
    whole, nec = hall.sized(("power.continuous", "iec")), hall.sized(("power.continuous", "nec"))
    assert hall.value(nec, "power.feed_kva") == pytest.approx(0.8 * hall.value(whole, "power.feed_kva"))
    assert "NEC" in dict(nec.figure("power.feed_kva").operands)["continuous_pct"].source


def test_that_a_north_american_circuit_at_its_full_rating_is_named(hall):
    e = hall.sized(("power.feed", "feed_na_208_60_3"), ("power.continuous", "iec"), ("power.feeds_per_rack", 8))
    finding = hall.findings(e)["power.continuous"]
    assert finding.fix == (("power.continuous", "nec"),)


def test_that_every_feed_of_the_catalogue_has_a_plug(hall):
    for feed in catalog().of_kind("feed"):
        row = _table(hall.sized(("power.feed", feed.id)), "rack_schedule")[0]
        assert row["plug"] != "not known", feed.id


def test_that_supplies_that_load_one_line_too_far_are_found_though_the_rack_fits(hall):
    # six feeds of 24 supplies: four on each, two of them on one phase
    edits = (("power.feed", "feed_415_32_3_100"), ("power.feeds_per_rack", 6), ("power.power_factor", 1.0))
    e = hall.sized(*edits, nodes_per_rack=6)
    assert "power.phases" not in hall.findings(e)
    tight = hall.sized(*edits, nodes_per_rack=4, system="dgx_b200")
    assert hall.value(tight, "power.phase_imbalance_pct") == pytest.approx(50.0)
    assert hall.value(tight, "power.failover_load_pct") < 100 < hall.value(tight, "power.phase_load_pct")
    assert hall.findings(tight)["power.phases"].severity == "blocker"


def test_that_three_supplies_a_side_are_too_few_for_a_dgx_h100(hall):
    message = hall.findings(hall.sized())["power.supplies"].message
    assert "4 of its 6" in message
    assert "3 are left" in message


def test_that_480_volts_give_277_to_supplies_for_240(hall):
    assert "277" in hall.findings(hall.sized(("power.feed", "feed_480_60_3_80")))["power.supply_volts"].message


def test_that_direct_and_alternating_current_are_not_mixed(hall):
    mixed = hall.sized(("power.distribution", "dc_800"))
    finding = hall.findings(mixed)["power.feed_current"]
    mended = hall.sized(("power.distribution", "dc_800"), *finding.fix)
    assert "power.feed_current" not in hall.findings(mended)
    other = hall.findings(hall.sized(("power.feed", "feed_800vdc_100")))["power.feed_current"]
    assert other.fix == (("power.distribution", "dc_800"),)


def test_that_the_rack_schedule_adds_up_to_the_it_load(hall):
    e = hall.sized()
    total = sum(r["count"] * r["connected"] for r in _table(e, "rack_schedule"))
    assert total == pytest.approx(hall.value(e, "power.it_power_max_kw"))
    for row in _table(e, "rack_schedule"):
        assert row["stranded"] == pytest.approx(row["usable"] - row["connected"])


def test_that_shelves_of_a_gb300_rack_are_too_small_with_half_of_them_out(hall):
    given = hall.nvl72 | {"system": "gb300_nvl72"}
    e = hall.sized(("compute.gpu", "gb300"), ("cooling.technology", "single_phase"), **given)
    assert "132" in hall.findings(e)["power.shelves"].message
    gb200 = hall.sized(("compute.gpu", "gb200"), ("cooling.technology", "single_phase"), **hall.nvl72)
    assert "power.shelves" not in hall.findings(gb200)
    # 132 kW less the loss of the shelves, on a busbar of 50 V
    assert 2400 < hall.value(gb200, "power.busbar_amps") < 2640
