"""The cooling layer: heat that closes, flows, CDUs, what a rack can reject and the rules."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wattsweights_gui.engine.equations import fluids, hydraulics
from wattsweights_gui.engine.plan import default_plan, fields_of

TECHNOLOGIES = st.sampled_from(["air", "rear_door", "single_phase", "two_phase", "immersion"])
ONE = ("cooling.technology", "single_phase")
TWO = ("cooling.technology", "two_phase")
T = "cooling.technology."


@settings(max_examples=40, deadline=None)
@given(TECHNOLOGIES, st.integers(1, 3000), st.floats(2, 40), st.floats(1, 20))
def test_that_liquid_and_air_are_all_of_it_and_the_water_carries_it(hall, kind, nodes, supply, rise):
    e = hall.sized(
        ("cooling.technology", kind), ("cooling.water_supply_c", supply), ("cooling.water_rise_k", rise), nodes=nodes
    )
    v = lambda name: hall.value(e, f"cooling.{name}")  # noqa: E731
    water = e.results["cooling"].facility_water_l_min
    if not water.known:
        # water that warm takes no heat from the coolant, and the reason says so
        assert "would cross" in water.formula
        return
    assert v("liquid_heat_kw") + v("air_heat_kw") == pytest.approx(hall.value(e, "power.it_power_max_kw"), rel=1e-9)
    density, cp = fluids.density("water", supply), fluids.specific_heat("water", supply + rise / 2)
    carried = hydraulics.heat_kw(v("facility_water_l_min"), density, cp, rise)
    assert carried == pytest.approx(v("plant_heat_kw"), rel=1e-9)
    assert v("water_liquid_l_min") + v("water_air_l_min") == pytest.approx(v("facility_water_l_min"), rel=1e-9)


@settings(max_examples=30, deadline=None)
@given(
    st.integers(1, 3000),
    st.floats(20, 60),
    st.floats(2, 20),
    st.sampled_from(["pg25", "water", "pg20", "pg30", "eg25"]),
)
def test_that_the_coolant_carries_the_liquid_heat(hall, nodes, supply, rise, fluid):
    e = hall.sized(ONE, (T + "fluid", fluid), (T + "supply_c", supply), (T + "rise_k", rise), nodes=nodes)
    density, cp = fluids.density(fluid, supply), fluids.specific_heat(fluid, supply + rise / 2)
    carried = hydraulics.heat_kw(hall.value(e, "cooling.coolant_flow_l_min"), density, cp, rise)
    assert carried == pytest.approx(hall.value(e, "cooling.liquid_heat_kw"), rel=1e-9)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 3000), st.floats(25, 60), st.floats(0.1, 0.8), st.floats(0, 10))
def test_that_the_refrigerant_takes_up_the_liquid_heat(hall, nodes, t_sat, quality, subcooling):
    e = hall.sized(
        TWO, (T + "saturation_c", t_sat), (T + "exit_quality", quality), (T + "subcooling_k", subcooling), nodes=nodes
    )
    per_kg = quality * fluids.latent_heat("R1233zd(E)", t_sat) + fluids.subcooling_heat("R1233zd(E)", t_sat, subcooling)
    mass = hall.value(e, "cooling.refrigerant_flow_kg_s")
    assert mass * per_kg == pytest.approx(hall.value(e, "cooling.liquid_heat_kw"), rel=1e-9)
    volume = hall.value(e, "cooling.coolant_flow_l_min") / 60_000
    assert volume * fluids.liquid_density("R1233zd(E)", t_sat - subcooling) == pytest.approx(mass, rel=1e-9)


def test_that_a_hall_of_40_kw_a_rack_collides_with_four_dgx_h100(hall):
    need = hall.needs(hall.sized())["rack_heat_kw"]
    assert (need.need.number, need.have.number, need.fits) == (pytest.approx(40.8), 40.0, False)
    assert need.have.source or need.have.formula


def test_that_the_air_remainder_binds_next_when_40_kw_racks_go_two_phase(hall):
    e = hall.sized(TWO)
    assert hall.needs(e)["rack_heat_kw"].fits
    assert e.figure("cooling.rack_limit_by").value == "air remainder"
    assert hall.value(e, "cooling.rack_limit_kw") == pytest.approx(40 / (1 - hall.value(e, "cooling.liquid_pct") / 100))


def test_that_a_gb200_rack_leaves_17_of_132_kw_to_air(hall):
    e = hall.sized(("compute.gpu", "gb200"), ONE, **hall.nvl72)
    assert hall.value(e, "cooling.liquid_heat_kw") == pytest.approx(8 * 115, rel=1e-9)
    assert hall.value(e, "cooling.air_heat_kw") == pytest.approx(8 * 17 + 140, rel=1e-9)


def test_that_a_gb200_rack_needs_171_l_min_at_10_k_but_takes_130_and_the_fix_mends_it(hall):
    plan = (("compute.gpu", "gb200"), ONE)
    e = hall.sized(*plan, **hall.nvl72)
    assert hall.value(e, "cooling.rack_coolant_flow_l_min") == pytest.approx(171.13, rel=5e-3)
    assert hall.needs(e)["rack_heat_kw"].fits is False
    assert e.figure("cooling.rack_limit_by").value == "manifold flow"
    fix = hall.findings(e)["cooling.rack_flow"].fix
    mended = hall.sized(*plan, *fix, **hall.nvl72)
    assert hall.needs(mended)["rack_heat_kw"].fits
    assert "cooling.rack_flow" not in hall.findings(mended)


def test_that_flow_binds_before_heat_on_ten_gb200_racks(hall):
    given_racks = {**hall.nvl72, "nodes": 10}
    # 13.2 K at 130 L/min a rack: 1,300 L/min against 1,200 of a unit with two pumps; 1,150 kW against 1,368
    e = hall.sized(("compute.gpu", "gb200"), ONE, (T + "rise_k", 13.15), (T + "spare_cdus", 0), **given_racks)
    assert hall.value(e, "cooling.cdus") == 2
    assert e.figure("cooling.cdu_limit").value == "flow"


def test_that_the_head_of_a_loop_chooses_the_rating_point_or_is_refused(hall):
    high = hall.sized(ONE, (T + "loop_dp_kpa", 500.0))
    assert hall.findings(high)["cooling.head"].severity == "blocker"
    assert high.figure("cooling.cdu_limit").value == "head"
    assert "cooling.head" not in hall.findings(hall.sized(ONE, (T + "loop_dp_kpa", 200.0)))


def test_that_water_warmer_than_the_approach_allows_derates_the_cdus_and_the_fix_mends_it(hall):
    plan = (ONE, (T + "supply_c", 40.0), ("cooling.water_supply_c", 37.0))
    finding = hall.findings(hall.sized(*plan))["cooling.approach"]
    assert finding.severity == "caution"
    # equal rises: heat in proportion to the approach
    assert hall.value(hall.sized(*plan), "cooling.cdu_capacity_kw") == pytest.approx(1368 * 3 / 4, rel=1e-9)
    assert hall.findings(hall.sized(*plan, ("cooling.water_supply_c", 40.0)))["cooling.approach"].severity == "blocker"
    assert finding.fix == (("cooling.water_supply_c", 36.0),)
    assert "cooling.approach" not in hall.findings(hall.sized(*plan, *finding.fix))


def test_that_water_leaving_warmer_than_boiling_is_a_blocker(hall):
    plan = (TWO, ("cooling.water_supply_c", 30.0))
    finding = hall.findings(hall.sized(*plan))["cooling.pinch"]
    assert finding.severity == "blocker"
    assert "cooling.pinch" not in hall.findings(hall.sized(*plan, *finding.fix))


def test_that_coolant_below_the_dew_point_is_a_blocker_and_water_below_it_a_caution(hall):
    wet = hall.sized(ONE, (T + "supply_c", 15.0), ("cooling.water_supply_c", 10.0))
    assert hall.findings(wet)["cooling.dew_point"].severity == "blocker"
    assert hall.findings(wet)["cooling.water_dew_point"].severity == "caution"
    door = hall.sized(("cooling.technology", "rear_door"), ("cooling.water_supply_c", 10.0))
    assert hall.findings(door)["cooling.water_dew_point"].severity == "blocker"


def test_that_air_cannot_cool_a_liquid_cooled_rack(hall):
    finding = hall.findings(hall.sized(("compute.gpu", "gb200"), **hall.nvl72))["cooling.needs_liquid"]
    assert finding.severity == "blocker"
    assert finding.fix == (("cooling.technology", "single_phase"),)


def test_that_supply_above_the_systems_limit_is_a_blocker(hall):
    e = hall.sized(("compute.gpu", "gb200"), ONE, (T + "supply_c", 48.0), **hall.nvl72)
    assert hall.findings(e)["cooling.supply"].severity == "blocker"


def test_that_dry_out_is_warned_of_above_an_exit_quality_of_0_8(hall):
    assert "cooling.dry_out" not in hall.findings(hall.sized(TWO, (T + "exit_quality", 0.8)))
    dry = hall.sized(TWO, (T + "exit_quality", 0.9))
    assert hall.findings(dry)["cooling.dry_out"].severity == "blocker"
    assert dry.figure("cooling.rack_limit_by").value == "dry-out"
    assert hall.value(hall.sized(TWO), "cooling.dry_out_margin_pct") == pytest.approx(12.5)


def test_that_the_air_remainder_is_named_until_a_limit_is_stated(hall):
    e = hall.sized(ONE)
    finding = hall.findings(e)["cooling.air_remainder"]
    mended = hall.sized(ONE, *finding.fix)
    assert "cooling.air_remainder" not in hall.findings(mended)
    assert hall.needs(mended)["air_heat_kw"].fits


def test_that_a_liquid_to_air_cdu_gives_its_heat_to_the_room(hall):
    e = hall.sized(ONE, (T + "cdu", "cdu_coolit_ahx240"))
    assert hall.value(e, "cooling.room_air_kw") == pytest.approx(hall.value(e, "power.it_power_max_kw"), rel=1e-9)
    assert hall.value(e, "cooling.water_liquid_l_min") == 0
    assert hall.needs(e)["air_heat_kw"].need.number == hall.value(e, "cooling.room_air_kw")


def test_that_a_cdu_of_the_wrong_phase_is_a_blocker(hall):
    finding = hall.findings(hall.sized(TWO, (T + "cdu", "cdu_vertiv_xdu1350")))["cooling.cdu_type"]
    assert finding.severity == "blocker"
    assert "cooling.cdu_type" not in hall.findings(hall.sized(TWO, (T + "cdu", "cdu_vertiv_xdu1350"), *finding.fix))


def test_that_every_two_phase_fluid_is_sized_and_regulated_ones_are_named(hall):
    for fluid in ("R1233zd(E)", "R134a", "R1234ze(E)", "R515B", "R1234yf", "R245fa", "R1336mzz(Z)", "Novec649"):
        e = hall.sized(TWO, (T + "fluid", fluid))
        assert hall.value(e, "cooling.refrigerant_flow_kg_s") > 0
        assert ("cooling.gwp" in hall.findings(e)) == (fluid in ("R134a", "R515B", "R245fa"))
        assert ("cooling.flammable" in hall.findings(e)) == (fluid in ("R1234ze(E)", "R1234yf"))


def test_that_installed_cdus_limit_the_rack_by_their_share(hall):
    e = hall.sized(ONE, ("cooling.cdus_installed", 2), (T + "air_remainder_limit_kw", 200.0))
    share = hall.value(e, "cooling.liquid_pct") / 100
    heat = min(1368, 1200 / hall.value(e, "cooling.coolant_flow_l_min") * hall.value(e, "cooling.liquid_heat_kw"))
    assert e.figure("cooling.rack_limit_by").value == "CDU share"
    assert hall.value(e, "cooling.rack_limit_kw") == pytest.approx(heat / 32 / share, rel=1e-9)


def test_that_the_facility_limit_binds_whatever_the_technology(hall):
    for kind in ("air", "rear_door", "single_phase", "two_phase", "immersion"):
        e = hall.sized(("cooling.technology", kind), ("cooling.rack_reject_limit_kw", 12.0))
        assert hall.value(e, "cooling.rack_limit_kw") == 12.0


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(["rise_k", "manifold_id_mm", "velocity_limit_m_s", "air_remainder_limit_kw"]), st.floats(1.01, 2.0)
)
def test_that_more_of_a_stage_never_lowers_what_a_rack_can_reject(hall, name, factor):
    e = hall.sized(ONE)
    start = e.plan.value(T + name)
    more = hall.sized(ONE, (T + name, start * factor))
    assert hall.value(more, "cooling.rack_limit_kw") >= hall.value(e, "cooling.rack_limit_kw") - 1e-9


@settings(max_examples=20, deadline=None)
@given(st.floats(1.05, 3))
def test_that_a_larger_rise_needs_less_flow_and_no_more_cdus(hall, factor):
    e, more = hall.sized(ONE, nodes=2000), hall.sized(ONE, (T + "rise_k", 10 * factor), nodes=2000)
    assert hall.value(more, "cooling.coolant_flow_l_min") < hall.value(e, "cooling.coolant_flow_l_min")
    assert hall.value(more, "cooling.cdus") <= hall.value(e, "cooling.cdus")


def test_that_every_number_says_how_it_was_made(hall):
    for kind in ("air", "rear_door", "single_phase", "two_phase", "immersion"):
        e = hall.sized(("cooling.technology", kind))
        for layer in hall.layers:
            for name, figure in e.results[layer].figures():
                assert figure.formula, f"{layer}.{name} has no explanation"


def test_that_no_allowed_input_breaks_the_layer(hall):
    corners = [
        (ONE, (T + "supply_c", 70.0), (T + "rise_k", 40.0)),
        (ONE, (T + "supply_c", 2.0), (T + "rise_k", 0.5), ("cooling.water_supply_c", 60.0)),
        (TWO, (T + "saturation_c", 75.0), (T + "subcooling_k", 0.0), (T + "exit_quality", 1.0)),
        (TWO, (T + "saturation_c", 0.0), (T + "subcooling_k", 40.0), (T + "exit_quality", 0.05)),
        (ONE, (T + "liquid_pct", 0.0)),
        (ONE, (T + "liquid_pct", 100.0)),
        (TWO, (T + "liquid_pct", 0.0)),
        (("cooling.technology", "air"), (T + "rack_limit_kw", 0.0)),
        (ONE, ("cooling.cdus_installed", 0)),
    ]
    for corner in corners:
        for nodes in (0, 1, 500):
            e = hall.sized(*corner, nodes=nodes)
            assert e.figure("cooling.air_heat_kw").known


@pytest.mark.parametrize("kind", ["air", "rear_door", "single_phase", "two_phase", "immersion"])
def test_that_no_hard_limit_breaks_a_layer_and_every_fix_of_a_blocker_mends_it(hall, kind):
    base = default_plan([("cooling.technology", kind)])
    corners = [
        (path, value)
        for path, about in fields_of(base).items()
        if path.startswith(hall.layers)
        for value in (*(v for v in about.hard if v is not None), *(c for c, _ in about.choices))
    ]
    assert len(corners) > 40
    for corner in corners:
        for given_racks in ({}, {"nodes": 0}, hall.nvl72):
            e = hall.sized(("cooling.technology", kind), corner, **given_racks)
            for finding in e.findings:
                if finding.fix and finding.severity == "blocker":
                    mended = hall.sized(("cooling.technology", kind), corner, *finding.fix, **given_racks)
                    assert finding.id not in hall.findings(mended), (corner, finding)
