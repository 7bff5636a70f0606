"""Redundancy, part-load losses and the path of power: known cases, balances, and what may never happen."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.equations import part_load, redundancy
from wattsweights_gui.engine.power_path import curve_text

CURVES = [
    entry
    for kind in ("ups", "rectifier", "transformer", "distribution", "psu")
    for entry in catalog().of_kind(kind)
]  # fmt: skip
SCHEMES = tuple(redundancy.SCHEMES)
schemes = st.sampled_from(SCHEMES)


@pytest.mark.parametrize(
    ("scheme", "needed", "installed", "sharing"),
    [("n", 4, 4, 4), ("n_plus_1", 4, 5, 5), ("2n", 4, 8, 8), ("3n_2", 4, 6, 6), ("block_redundant", 4, 5, 4)],
)
def test_that_a_load_of_four_units_takes_the_units_of_its_scheme(scheme, needed, installed, sharing):
    assert redundancy.units_needed(4000.0, 1000.0, 100.0, scheme) == needed
    assert redundancy.units_installed(needed, scheme) == installed
    assert redundancy.units_sharing(installed, scheme) == sharing


def test_that_three_systems_of_a_catcher_carry_two_thirds_each():
    needed = redundancy.units_needed(2000.0, 1000.0, 100.0, "3n_2")
    installed = redundancy.units_installed(needed, "3n_2")
    assert installed == 3
    assert redundancy.load_pct(2000.0, installed, 1000.0) == pytest.approx(66.67, abs=0.01)
    assert redundancy.load_pct(2000.0, needed, 1000.0) == pytest.approx(100.0)


@given(st.floats(0.0, 1e6), st.floats(10.0, 5000.0), st.floats(10, 100), schemes)
def test_that_what_stays_after_the_failure_carries_the_load_and_one_unit_less_does_not(load, unit, most, scheme):
    needed = redundancy.units_needed(load, unit, most, scheme)
    assert redundancy.capacity_kw(needed, unit, most) >= load * (1 - 1e-6)
    installed = redundancy.units_installed(needed, scheme)
    assert installed >= needed
    assert redundancy.units_sharing(installed, scheme) >= needed
    spare = 2 if scheme == "3n_2" else 1
    if needed > spare:
        assert redundancy.capacity_kw(needed - spare, unit, most) < load


@given(st.floats(1.0, 1e5), st.floats(0, 1e5), st.floats(10.0, 5000.0), schemes)
def test_that_more_load_never_takes_fewer_units(load, more, unit, scheme):
    few = redundancy.units_needed(load, unit, 90.0, scheme)
    assert redundancy.units_needed(load + more, unit, 90.0, scheme) >= few


@pytest.mark.parametrize(
    ("scheme", "feeds", "left"),
    [
        ("n", 4, 4),
        ("n_plus_1", 4, 3),
        ("2n", 4, 2),
        ("2n", 3, 1),
        ("2n", 1, 0),
        ("3n_2", 6, 4),
        ("3n_2", 4, 2),
        ("block_redundant", 4, 4),
    ],
)
def test_that_each_scheme_leaves_the_feeds_that_its_failure_leaves(scheme, feeds, left):
    assert redundancy.surviving_feeds(feeds, scheme) == left


@given(st.integers(1, 32))
def test_that_more_redundancy_never_leaves_more_feeds(feeds):
    left = [redundancy.surviving_feeds(feeds, s) for s in ("n", "n_plus_1", "3n_2", "2n")]
    assert left == sorted(left, reverse=True)


@given(st.integers(1, 32), schemes)
def test_that_the_sides_hold_all_feeds_and_the_largest_fails(feeds, scheme):
    sides = redundancy.sides(feeds, scheme)
    assert sum(sides) == feeds
    assert list(sides) == sorted(sides, reverse=True)
    if scheme in ("2n", "3n_2"):
        assert redundancy.surviving_feeds(feeds, scheme) == feeds - sides[0]


@pytest.mark.parametrize("entry", CURVES, ids=lambda e: e.id)
def test_that_a_catalogued_curve_is_met_at_its_points_and_never_loses_less_at_more_load(entry):
    curve = curve_text(entry)
    for word in curve.split():
        load, efficiency = map(float, word.split(":"))
        loss = part_load.loss_kw(load, 1, 100.0, curve)
        assert part_load.efficiency_pct(load, loss) == pytest.approx(efficiency, rel=1e-9)
    losses = [part_load.loss_share(step / 50, curve) for step in range(60)]
    assert losses == sorted(losses)
    assert losses[0] >= 0
    assert entry.sources.get("curve") or entry.sources.get("")


@given(st.floats(0.0, 1e5), st.integers(1, 64), st.floats(10, 5000), st.sampled_from([curve_text(e) for e in CURVES]))
def test_that_the_output_of_an_input_is_the_output_that_took_it(out, units, unit, curve):
    taken = part_load.input_kw(out, part_load.loss_kw(out, units, unit, curve))
    assert part_load.output_kw(taken, units, unit, curve) == pytest.approx(out, rel=1e-9, abs=1e-9 * units * unit)


def test_that_supplies_that_take_less_than_they_lose_idle_give_nothing():
    assert part_load.output_kw(0.001, 10, 3.3, "10:90 20:94 50:96 100:91") == 0.0
    assert part_load.output_kw(0.0, 0, 3.3, "10:90 20:94 50:96 100:91") == 0.0


@pytest.mark.parametrize("curve", ["", "50:0", "50:101", "50:96 50:97", "0:90 50:95"])
def test_that_a_curve_that_cannot_be_is_refused(curve):
    with pytest.raises(ValueError, match="curve"):
        part_load.losses_of(curve)


def test_that_a_stage_that_gives_nothing_and_loses_nothing_is_not_called_bad():
    assert part_load.efficiency_pct(0.0, 0.0) == 100.0


def _stage(hall, name, *edits, **given):
    rows = hall.sized(*edits, **given).results["power"].plain()["stages"]
    return next(r for r in rows if r["stage"].startswith(name))


def test_that_a_2n_ups_is_half_as_loaded_as_its_half_after_the_failure(hall):
    ups = _stage(hall, "UPS")
    assert ups["redundancy"] == "2N"
    assert ups["load_failed"] == pytest.approx(2 * ups["load"])
    assert ups["units"] * ups["unit"] * ups["load"] / 100 == pytest.approx(ups["output"])
    assert ups["load_failed"] <= 90
    assert "generic curve" in hall.sized().figure("power.ups_loss_kw").operands[3][1].title


def test_that_the_reserve_of_block_redundancy_idles_and_still_loses(hall):
    block, plain = (_stage(hall, "UPS", ("power.scheme", s)) for s in ("block_redundant", "n"))
    assert block["units"] == plain["units"] + 1
    assert block["load"] == pytest.approx(plain["load"], rel=1e-3)
    idle = 1250 * part_load.loss_share(0.0, curve_text(catalog().entry("ups_generic_2n")))
    assert block["loss"] == pytest.approx(plain["loss"] + idle, rel=1e-3)


def test_that_the_generators_carry_the_hall_and_lose_nothing_while_they_stand_by(hall):
    row = _stage(hall, "Generator", ("power.generator_scheme", "n_plus_1"))
    assert row["loss"] == 0
    assert row["output"] == hall.value(hall.sized(), "power.generator_load_kw")
    assert row["capacity"] == (row["units"] - 1) * 2500 * 0.9


def test_that_nodes_show_their_supplies_and_racks_their_shelves(hall):
    assert _stage(hall, "PSU")["units"] == 128 * 6
    shelf = _stage(hall, "Power shelf", ("compute.gpu", "gb200"), ("cooling.technology", "single_phase"), **hall.nvl72)
    assert (shelf["units"], shelf["unit"]) == (64, 33)
    assert "within the draw" in shelf["counted_as"]


def test_that_800_volts_have_a_rectifier_and_converters(hall):
    e = hall.sized(("power.distribution", "dc_800"), ("power.feed", "feed_800vdc_200"))
    names = [r["stage"] for r in e.results["power"].plain()["stages"]]
    assert names[3:7] == ["Rectifier", "Busway, 800 V DC", "Rack PDU", "Converter to 54 V"]
    assert hall.value(e, "power.failover_amps") == pytest.approx(40.8e3 / 2 / 800)
    assert "power.feed_current" not in hall.findings(e)


@settings(max_examples=25, deadline=None)
@given(st.floats(60, 99), st.floats(0.1, 1), schemes)
def test_that_a_better_ups_never_raises_the_utility(hall, efficiency, better, scheme):
    worse, improved = (
        hall.sized(("power.ups_efficiency_pct", value), ("power.scheme", scheme))
        for value in (efficiency, efficiency + better)
    )
    assert hall.value(improved, "power.facility_power_kw") < hall.value(worse, "power.facility_power_kw")


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 1000), schemes)
def test_that_capacity_is_at_least_the_load_in_every_level(hall, nodes, scheme):
    e = hall.sized(("power.scheme", scheme), nodes=nodes)
    for level in e.results["power"].plain()["levels"]:
        if level["capacity"] is not None:
            assert level["connected"] <= level["capacity"] * (1 + 1e-9)
            assert level["stranded"] == pytest.approx(level["capacity"] - level["connected"], abs=1e-6)
