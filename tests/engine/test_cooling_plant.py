"""The plant outside: design day, a site's year, water, and bins that a user brings."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine import climate_bins
from wattsweights_gui.engine.declare import Refused, branches_of
from wattsweights_gui.engine.equations import air
from wattsweights_gui.engine.equations import cooling_plant as plants
from wattsweights_gui.engine.layers import layer_named
from wattsweights_gui.engine.plan import default_plan

C = "cooling."
KINDS = ("dry_cooler", "hybrid", "tower", "air_chiller", "water_chiller")
WARM = ((C + "technology", "single_phase"), (C + "water_supply_c", 32.0))
TWO_BINS = "10, 8, 5000\n30, 20, 3760"


def at(hall, kind, *edits):
    return hall.sized(*WARM, (C + "plant", kind), (C + "climate_bins", TWO_BINS), *edits)


def test_that_every_shipped_climate_is_a_whole_year_that_can_be():
    for entry in catalog().of_kind("climate"):
        bins = entry.get("bins")
        assert sum(b[2] for b in bins) == pytest.approx(8760)
        assert all(b[1] <= b[0] + 0.05 for b in bins)
        assert entry.get("design_wet_bulb_c") < entry.get("design_dry_bulb_c") <= max(b[0] for b in bins) + 3
        assert entry.sources[""]


def test_that_the_quick_wet_bulb_agrees_with_coolprop():
    for dry, humidity, pressure in (
        (35, 30, 101325),
        (10, 80, 101325),
        (40, 10, 92000),
        (25, 50, 84000),
        (-5, 60, 95000),
    ):
        assert air.quick_wet_bulb_c(dry, humidity, pressure) == pytest.approx(
            air.wet_bulb_c(dry, humidity, pressure), abs=0.1
        )


@pytest.mark.parametrize("kind", KINDS)
def test_that_energy_and_water_of_the_year_follow_from_the_bins(hall, kind):
    e = at(hall, kind)
    v = lambda name: hall.value(e, f"cooling.{name}")  # noqa: E731
    inputs = e.plan.layers["cooling"]
    heat = v("plant_heat_kw") * hall.value(e, "power.it_power_kw") / hall.value(e, "power.it_power_max_kw")
    states = [getattr(plants, kind)(inputs.plant, d, w, 32.0, 10.0) for d, w in ((10.0, 8.0), (30.0, 20.0))]
    energy = heat * (5000 * states[0].power + 3760 * states[1].power) / 1e3
    water = heat * (5000 * states[0].water_l_kwh + 3760 * states[1].water_l_kwh) / 1e3
    assert v("plant_mwh_year") == pytest.approx(energy, rel=1e-9)
    assert v("water_m3_year") == pytest.approx(water, rel=1e-9)
    assert v("wue_l_kwh") == pytest.approx(water / hall.value(e, "power.it_power_kw") / 8.76, rel=1e-9)
    assert v("free_cooling_hours") + v("part_free_hours") <= 8760
    assert v("annual_pue") > 1
    assert len(e.results["cooling"].plant_by_bin.rows) == 2


def test_that_an_open_tower_drinks_about_two_litres_for_each_kwh_of_heat(hall):
    e = at(hall, "tower", (C + "plant.cycles", 4.0))
    heat_kwh = hall.value(e, "cooling.plant_mwh_year") * 1e3
    assert heat_kwh > 0
    state = plants.tower(e.plan.layers["cooling"].plant, 30.0, 20.0, 32.0, 10.0)
    assert state.water_l_kwh == pytest.approx(3600 / 2430 * 4 / 3)


def test_that_a_dry_cooler_drinks_nothing_and_a_hybrid_only_when_it_is_hot(hall):
    assert hall.value(at(hall, "dry_cooler"), "cooling.water_m3_year") == 0
    hybrid = at(hall, "hybrid")
    assert 0 < hall.value(hybrid, "cooling.water_m3_year") < hall.value(at(hall, "tower"), "cooling.water_m3_year")
    rows = hybrid.results["cooling"].plant_by_bin.rows
    assert [row[5] > 0 for row in rows] == [False, True]


def test_that_a_dry_cooler_that_cannot_hold_the_supply_is_a_blocker_and_the_fix_mends_it(hall):
    plan = (*WARM, (C + "plant", "dry_cooler"), (C + "climate", "climate_tucson"))
    e = hall.sized(*plan)
    finding = hall.findings(e)["cooling.plant_supply"]
    assert finding.severity == "blocker"
    assert "40.8" in finding.message
    assert hall.value(e, "cooling.warm_hours") > 500
    mended = hall.sized(*plan, *finding.fix)
    assert "cooling.plant_supply" not in hall.findings(mended)


def test_that_warm_water_cools_free_in_chicago_and_cold_water_does_not(hall):
    def hours(supply):
        plan = ((C + "plant", "air_chiller"), (C + "climate", "climate_chicago"), (C + "water_supply_c", supply))
        return hall.value(hall.sized(*plan), "cooling.free_cooling_hours")

    assert hours(7.0) < 3500 < 7500 < hours(30.0)


def test_that_without_a_site_the_year_is_unknown_and_says_why(hall):
    e = hall.sized((C + "plant", "tower"))
    assert "no site" in e.figure("cooling.water_m3_year").formula
    assert hall.findings(e)["cooling.no_site"].severity == "note"
    stated = hall.sized()
    assert stated.figure("cooling.wue_l_kwh").value is None
    drinks = hall.sized((C + "plant.make_up_l_kwh", 1.5))
    heat_kwh = hall.value(drinks, "cooling.plant_mwh_year") * 1e3 * 6.0
    assert hall.value(drinks, "cooling.water_m3_year") == pytest.approx(heat_kwh * 1.5 / 1e3, rel=1e-9)
    assert hall.value(stated, "cooling.annual_pue") == pytest.approx(
        1
        + (hall.value(stated, "power.facility_power_kw") - hall.value(stated, "power.it_power_max_kw") - 50)
        / hall.value(stated, "power.it_power_max_kw")
        + 50 / hall.value(stated, "power.it_power_kw"),
        rel=1e-9,
    )


def test_that_the_design_cop_draws_the_power_that_the_facility_shows(hall):
    for kind in KINDS:
        e = at(hall, kind)
        draw = hall.value(e, "cooling.plant_heat_kw") / hall.value(e, "cooling.plant_cop")
        assert hall.value(e, "cooling.plant_power_kw") == pytest.approx(draw, rel=1e-9)
        whole = sum(hall.value(e, f"cooling.{n}_power_kw") for n in ("plant", "fan", "cdu"))
        assert hall.value(e, "power.cooling_power_kw") == pytest.approx(whole, rel=1e-9)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(KINDS), st.floats(-30, 40), st.floats(0, 15), st.floats(10, 45), st.floats(0.1, 5))
def test_that_colder_air_never_costs_more(kind, dry, depression, supply, colder):
    plant = branches_of(layer_named("cooling").inputs, "plant")[kind]()
    run = getattr(plants, kind)
    warm, cold = (run(plant, dry - c, dry - c - depression, supply, 10.0) for c in (0.0, colder))
    assert cold.power <= warm.power + 1e-12
    assert cold.held_c <= warm.held_c + 1e-12
    assert cold.free >= warm.free
    assert warm.held_c >= supply


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("10, 8, 5000", "8,760"),
        ("10, 12, 8760", "cannot be above"),
        ("10, 8", "no bin"),
        ("a, b, c", "no bin"),
        ("90, 20, 8760", "does not occur"),
        ("10, 8, -1", "not negative"),
        ("LOCATION,x\nrest", "0 hours"),
        ("dry_bulb_c,rh\n10,50", "1 hours; a year has 8,760"),
    ],
)
def test_that_bins_that_cannot_be_are_refused_in_a_sentence(text, words):
    with pytest.raises(Refused) as refused:
        default_plan([(C + "climate_bins", text)])
    assert words in refused.value.message
    assert refused.value.message.endswith(".")


def test_that_a_whole_weather_file_becomes_bins_that_are_kept():
    head = ["LOCATION,Somewhere,,,TMY,0,0,0,0,0"] + ["x"] * 7
    hours = []
    for hour in range(8760):
        dry = 10 + 10 * math.sin(hour / 8760 * 2 * math.pi)
        hours.append(f"2001,1,1,{hour % 24 + 1},0,?,{dry:.1f},5.0,60,101325,0")
    plan = default_plan([(C + "climate_bins", "\n".join(head + hours))])
    kept = plan.value(C + "climate_bins")
    assert len(kept) < 2000
    bins = climate_bins.bins_of(kept)
    assert sum(b[2] for b in bins) == 8760
    assert max(b[0] for b in bins) == pytest.approx(20, abs=1)
    with pytest.raises(Refused, match="8,760"):
        default_plan([(C + "climate_bins", "\n".join(head + hours[:100]))])


def test_that_warm_water_cools_free_longer_in_mannheim_than_in_granada(hall):
    def hours(climate):
        plan = ((C + "plant", "dry_cooler"), (C + "climate", climate), (C + "water_supply_c", 30.0))
        e = hall.sized(*plan)
        warmest = 30.0 - e.plan.layers["cooling"].plant.approach_k
        outside = sum(b[2] for b in catalog().entry(climate).get("bins") if b[0] > warmest)
        assert hall.value(e, "cooling.warm_hours") == outside
        return outside

    assert hours("climate_mannheim") < 0.5 * hours("climate_granada")


def test_that_figures_of_own_hours_name_their_file(hall):
    hours = "# Burgos.csv\ndry_bulb_c,rh\n" + "\n".join(f"{n % 30},50" for n in range(8760))
    e = hall.sized((C + "plant", "tower"), (C + "climate_bins", hours))
    assert e.results["cooling"].plant_by_bin.source == (
        "Burgos.csv: 8,760 hours of dry bulb and relative humidity, in bins of 2 K; set in this plan"
    )
    assert hall.value(e, "cooling.design_dry_bulb_c") == pytest.approx(29, abs=0.6)
