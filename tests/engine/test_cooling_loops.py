"""Loops and CDUs: exchangers by NTU, curves, pressure drop, boiling lines, chips, tanks, and the tables."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wattsweights_gui import paths
from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.both_ends import both_ends
from wattsweights_gui.engine.chain import evaluate
from wattsweights_gui.engine.declare import Refused
from wattsweights_gui.engine.equations import fluids, heat_exchanger, hydraulics, two_phase
from wattsweights_gui.engine.plan import default_plan
from wattsweights_gui.engine.rating_curve import points_of, read_off
from wattsweights_gui.project.store import load

ONE = ("cooling.technology", "single_phase")
TWO = ("cooling.technology", "two_phase")
TANK = ("cooling.technology", "immersion")
T = "cooling.technology."


@settings(max_examples=100, deadline=None)
@given(st.floats(0.01, 8), st.floats(0, 1))
def test_that_effectiveness_and_ntu_are_inverse(ntu, ratio):
    eps = heat_exchanger.effectiveness(ntu, ratio)
    assert 0 < eps < 1
    assert heat_exchanger.ntu_needed(eps, ratio) == pytest.approx(ntu, rel=1e-6)


@settings(max_examples=100, deadline=None)
@given(st.floats(50, 3000), st.floats(1, 10), st.floats(2, 25))
def test_that_a_cdu_gives_its_rating_at_its_rating_point_and_never_more(kw, approach, rise):
    conductance = heat_exchanger.conductance_from_rating(kw, approach, rise)
    at_rating = heat_exchanger.heat_at(conductance, kw, 40.0, rise, 40.0 - approach, rise)
    assert at_rating == pytest.approx(kw, rel=1e-9)
    colder = heat_exchanger.heat_at(conductance, kw, 40.0, rise, 40.0 - approach - 5, rise)
    assert colder == kw
    warmer = heat_exchanger.heat_at(conductance, kw, 40.0, rise, 40.0 - approach / 2, rise)
    assert warmer == pytest.approx(kw / 2, rel=1e-9)


@settings(max_examples=100, deadline=None)
@given(st.floats(2, 20), st.floats(2, 20), st.floats(0.5, 15))
def test_that_heat_by_ntu_is_conductance_times_the_mean_temperature_difference(coolant_rise, water_rise, approach):
    hot_out, cold_in = 40.0, 40.0 - approach
    ends = (approach, 40.0 + coolant_rise - cold_in - water_rise)
    if ends[1] <= 0.01:
        return
    same = abs(ends[0] - ends[1]) < 1e-6
    mean = ends[0] if same else (ends[0] - ends[1]) / math.log(ends[0] / ends[1])
    heat = heat_exchanger.heat_at(100.0, 1e12, hot_out, coolant_rise, cold_in, water_rise)
    assert heat == pytest.approx(100.0 * mean, rel=1e-6)


def test_that_a_curve_is_read_off_between_its_points_and_never_beyond():
    points = points_of("3:900, 4:1200, 6:1500")
    assert (read_off(points, 3), read_off(points, 3.5), read_off(points, 6)) == (900, 1050, 1500)
    assert read_off(points, 2.9) is None
    assert read_off(points, 6.1) is None


@pytest.mark.parametrize("text", ["3", "3:", "a:b", "3:900", "3:900, 3:800", "3:-1, 4:5", "nan:1, 2:3"])
def test_that_points_that_are_no_curve_are_refused_in_a_sentence(text):
    with pytest.raises(Refused) as refused:
        default_plan([ONE, (T + "cdu_curve", text)])
    assert refused.value.message.endswith(".")


def test_that_a_capacity_curve_counts_the_cdus_and_below_it_nothing_is_counted(hall):
    curve = (T + "cdu_curve", "3:300, 4:400, 20:500")
    e = hall.sized(ONE, curve, ("cooling.water_supply_c", 36.5), (T + "spare_cdus", 0))
    assert hall.value(e, "cooling.cdu_capacity_kw") == pytest.approx(350)
    assert hall.value(e, "cooling.cdus") == math.ceil(hall.value(e, "cooling.liquid_heat_kw") / 350)
    below = hall.sized(ONE, curve, ("cooling.water_supply_c", 38.0))
    assert below.figure("cooling.cdus").value is None
    finding = hall.findings(below)["cooling.curve"]
    assert finding.severity == "blocker"
    assert "not extrapolated" in finding.message


def test_that_a_pump_curve_binds_by_flow_and_by_head(hall):
    e = hall.sized(ONE, (T + "pump_curve", "200:300, 400:100"), (T + "loop_dp_kpa", 200.0), (T + "spare_cdus", 0))
    assert hall.value(e, "cooling.cdus") == math.ceil(hall.value(e, "cooling.coolant_flow_l_min") / 300)
    assert e.figure("cooling.cdu_limit").value == "flow"
    high = hall.sized(ONE, (T + "pump_curve", "200:300, 400:100"), (T + "loop_dp_kpa", 301.0))
    assert high.figure("cooling.cdu_limit").value == "head"
    assert hall.findings(high)["cooling.head"].severity == "blocker"


def test_that_rd110_has_nine_cdus_in_three_pods_of_sixteen_racks(hall):
    racks = {**hall.nvl72, "nodes": 48}
    plan = (ONE, (T + "cdu", "cdu_motivair_mcdu50"), (T + "racks_per_group", 16), (T + "liquid_pct", 87.0))
    known = {e.id for e in hall.sized().catalog.of_kind("cdu")}
    if "cdu_motivair_mcdu50" not in known:
        name = next(i for i in known if "motivair" in i and "50" in i)
        plan = (ONE, (T + "cdu", name), *plan[2:])
    e = hall.sized(("compute.gpu", "gb200"), *plan, ("cooling.water_supply_c", 30.0), **racks)
    heat = 16 * hall.value(e, "power.rack_power_kw") * 0.87
    one = hall.value(e, "cooling.cdu_capacity_kw")
    assert hall.value(e, "cooling.cdus") == 3 * (math.ceil(heat / one) + 1) == 9


def test_that_in_rack_units_are_counted_rack_by_rack(hall):
    e = hall.sized(ONE, (T + "cdu", "cdu_nvent_rackchiller_100"), (T + "spare_cdus", 2))
    assert hall.value(e, "cooling.cdus") == 32 + 2


@settings(max_examples=30, deadline=None)
@given(st.floats(5, 60), st.floats(5, 300), st.floats(0, 50), st.sampled_from(["pg25", "water", "pg40"]))
def test_that_the_loop_is_the_sum_of_rack_pipes_and_fittings(hall, supply, length, zeta, fluid):
    e = hall.sized(
        ONE, (T + "fluid", fluid), (T + "supply_c", supply), (T + "pipe_length_m", length), (T + "fittings_zeta", zeta)
    )
    v = lambda name: hall.value(e, f"cooling.{name}")  # noqa: E731
    assert v("loop_dp_kpa") == pytest.approx(v("rack_dp_kpa") + v("pipe_dp_kpa"), rel=1e-9)
    assert v("pipe_velocity_m_s") <= 2.5 * (1 + 1e-9)
    assert v("pump_power_kw") * 0.356 * 60_000 == pytest.approx(v("coolant_flow_l_min") * v("loop_dp_kpa"), rel=1e-9)


def test_that_a_gb300_rack_follows_its_printed_points(hall):
    given_racks = {**hall.nvl72, "system": "gb300_nvl72"}
    plan = (("compute.gpu", "gb300"), ONE, (T + "fluid", "water"), (T + "liquid_pct", 90.0))
    e = hall.sized(*plan, (T + "supply_c", 40.0), (T + "rise_k", 15.0), **given_racks)
    flow = hall.value(e, "cooling.rack_coolant_flow_l_min")
    assert hall.value(e, "cooling.rack_dp_kpa") == pytest.approx(8.5 * 6.894757 * (flow / 119) ** 1.88, rel=1e-6)
    assert flow == pytest.approx(119, rel=0.06)


def test_that_a_mixture_by_its_share_is_the_named_one_and_heavier_with_more_glycol(hall):
    named = hall.sized(ONE, (T + "fluid", "pg25"))
    stated = hall.sized(ONE, (T + "fluid", "pg"), (T + "glycol_pct", 25.0))
    more = hall.sized(ONE, (T + "fluid", "pg"), (T + "glycol_pct", 45.0))
    flow = lambda e: hall.value(e, "cooling.coolant_flow_l_min")  # noqa: E731
    assert flow(stated) == pytest.approx(flow(named), rel=1e-9)
    assert flow(more) > flow(named)


def test_that_an_unknown_fluid_is_refused_in_a_sentence():
    with pytest.raises(Refused, match="none of"):
        default_plan([TWO, (T + "fluid", "R22")])
    with pytest.raises(fluids.UnknownFluid, match="no fluid whose properties are known"):
        fluids.density("unobtainium", 20.0)


def test_that_a_hot_gpu_binds_the_cold_plate_and_the_fix_mends_it(hall):
    plan = (ONE, (T + "resistance_k_w", 0.06), (T + "supply_c", 50.0), (T + "air_remainder_limit_kw", 200.0))
    e = hall.sized(*plan)
    assert hall.value(e, "cooling.gpu_temperature_c") == pytest.approx(50 + 0.06 * 700)
    assert e.figure("cooling.rack_limit_by").value == "cold plate"
    assert hall.value(e, "cooling.rack_limit_kw") == pytest.approx(40.8 * (87 - 50) / 0.06 / 700)
    finding = hall.findings(e)["cooling.gpu_temperature"]
    assert finding.severity == "blocker"
    assert "cooling.gpu_temperature" not in hall.findings(hall.sized(*plan, *finding.fix))


def test_that_the_boiling_lines_carry_what_the_rack_boils(hall):
    e = hall.sized(TWO, (T + "fluid", "R134a"))
    v = lambda name: hall.value(e, f"cooling.{name}")  # noqa: E731
    mass = v("refrigerant_flow_kg_s") / 32
    vapour = fluids.vapour_density("R134a", 40.0)
    needed = v("vapour_line_mm")
    assert two_phase.vapour_velocity_m_s(mass, 0.7, vapour, needed) == pytest.approx(15.0, rel=1e-9)
    assert v("condenser_water_max_c") == pytest.approx(40 - 5 - 10)
    assert v("liquid_dp_kpa") > 0
    assert v("design_pressure_bar") == pytest.approx(fluids.saturation_pressure("R134a", 55.0))
    assert v("pressure_class_bar") == 16
    assert v("charge_t_co2") == pytest.approx(v("charge_kg") * 1430 / 1000)


def test_that_r1233zd_has_no_liquid_drop_until_its_viscosity_is_entered(hall):
    e = hall.sized(TWO)
    assert e.figure("cooling.liquid_dp_kpa").value is None
    assert "cooling.no_viscosity" in hall.findings(e)
    given_one = hall.sized(TWO, (T + "liquid_viscosity_mpa_s", 0.35))
    assert hall.value(given_one, "cooling.liquid_dp_kpa") > 0
    assert "cooling.no_viscosity" not in hall.findings(given_one)


def test_that_the_saturation_shift_is_clausius_clapeyron():
    above, below = fluids.saturation_pressure("R134a", 40.05), fluids.saturation_pressure("R134a", 39.95)
    shift = two_phase.saturation_shift_k(
        100 * (above - below), 40.0, fluids.vapour_density("R134a", 40), fluids.liquid_density("R134a", 40),
        fluids.latent_heat("R134a", 40),
    )  # fmt: skip
    assert shift == pytest.approx(0.1, rel=2e-3)


def test_that_a_tank_takes_almost_all_and_its_limit_binds(hall):
    e = hall.sized(TANK, (T + "tank_kw", 30.0))
    assert hall.value(e, "cooling.liquid_heat_kw") == pytest.approx(0.97 * 128 * 10.2)
    assert e.figure("cooling.rack_limit_by").value == "tank"
    assert hall.needs(e)["rack_heat_kw"].fits is False
    flow = hall.value(e, "cooling.coolant_flow_l_min")
    assert hydraulics.heat_kw(flow, 800.0, 2.2, 8.0) == pytest.approx(hall.value(e, "cooling.liquid_heat_kw"), rel=1e-9)
    assert "cooling.immersion_fluid" in hall.findings(e)


def test_that_rear_doors_take_the_air_remainder_of_liquid_cooled_racks(hall):
    room, doors = hall.sized(ONE), hall.sized(ONE, (T + "remainder_to", "rear_door"))
    v = lambda e, name: hall.value(e, f"cooling.{name}")  # noqa: E731
    assert v(doors, "liquid_heat_kw") == v(room, "liquid_heat_kw")
    assert v(doors, "room_air_kw") + v(doors, "door_heat_kw") == pytest.approx(v(doors, "air_heat_kw"), rel=1e-9)
    assert v(doors, "room_air_kw") == pytest.approx(140)  # switches, storage and management stay in room air
    carried = hydraulics.heat_kw(
        v(doors, "facility_water_l_min"), fluids.density("water", 18.0), fluids.specific_heat("water", 23.0), 10.0
    )
    assert carried == pytest.approx(v(doors, "plant_heat_kw"), rel=1e-9)


@pytest.mark.parametrize(("gpu", "racks"), [("h100_sxm", {}), ("gb200", "nvl72"), ("gb300", "gb300")])
def test_that_a_systems_components_add_up_to_it_in_liquid_and_in_air(hall, gpu, racks):
    given_racks = {} if not racks else {**hall.nvl72, **({"system": "gb300_nvl72"} if racks == "gb300" else {})}
    e = hall.sized(("compute.gpu", gpu), ONE, **given_racks)
    *parts, whole = e.results["cooling"].heat_by_component.rows
    for column in (3, 5, 6):
        assert sum(p[column] for p in parts) == pytest.approx(whole[column], rel=1e-9)
    assert whole[5] + whole[6] == pytest.approx(whole[3], rel=1e-9)
    assert whole[4] == pytest.approx(hall.value(e, "cooling.liquid_pct"))


@settings(max_examples=30, deadline=None)
@given(st.floats(0, 100), st.floats(0, 100), st.floats(0, 100))
def test_that_captures_split_a_node_without_losing_a_watt(hall, gpu, cpu, rest):
    e = hall.sized(ONE, (T + "gpu_capture_pct", gpu), (T + "cpu_capture_pct", cpu), (T + "rest_capture_pct", rest))
    *parts, whole = e.results["cooling"].heat_by_component.rows
    assert sum(p[5] for p in parts) == pytest.approx(whole[5], rel=1e-9, abs=1e-9)
    assert parts[0][4] == pytest.approx(gpu, abs=1e-9)
    liquid, air = hall.value(e, "cooling.liquid_heat_kw"), hall.value(e, "cooling.air_heat_kw")
    assert liquid + air == pytest.approx(hall.value(e, "power.it_power_max_kw"), rel=1e-9)


def test_that_each_technology_says_what_this_rack_can_reject_and_what_binds_next(hall):
    e = hall.sized(TWO)
    rows = {row[0]: row for row in e.results["cooling"].reject_by_technology.rows}
    assert len(rows) == 5
    assert rows["Air"][1:3] == (40.0, "room air")
    two = rows["Direct-to-chip, two-phase"]
    assert (two[1], two[2]) == (hall.value(e, "cooling.rack_limit_kw"), e.figure("cooling.rack_limit_by").value)
    for row in rows.values():
        assert row[3] is None or row[3] >= row[1]
        assert row[5] > 0
    assert sum(1 for row in rows.values() if row[8] == 1.0) == 1  # air alone leaves everything to air


def test_that_two_phases_need_a_quarter_of_the_flow_for_the_same_rack(hall):
    single, boiling = hall.sized(ONE).results["cooling"].phases_side_by_side.rows
    assert boiling[2] < single[2] / 3
    assert boiling[3] < single[3] / 2
    assert boiling[4] > 0
    assert single[4] > 0


def test_that_racks_by_class_add_up_to_the_hall(hall):
    e = hall.sized(ONE)
    rows = e.results["cooling"].racks_by_class.rows
    assert sum(row[1] * row[2] for row in rows) == pytest.approx(hall.value(e, "power.it_power_max_kw"))
    assert sum(row[1] * row[4] for row in rows) == pytest.approx(hall.value(e, "cooling.air_heat_kw"))


def test_that_short_facility_water_is_named_among_the_stages_and_counted_once(hall):
    plan = (ONE, (T + "air_remainder_limit_kw", 200.0))
    e = hall.sized(*plan)
    half = hall.value(e, "cooling.facility_water_l_min") / 2
    short = hall.sized(*plan, ("cooling.water_limit_l_min", half))
    row = next(r for r in short.results["cooling"].reject_by_technology.rows if r[0].startswith("Direct"))
    assert row[2] == "facility water"
    assert row[1] == pytest.approx(20.4)
    needs = hall.needs(short)
    assert needs["rack_heat_kw"].fits
    assert needs["facility_water_l_min"].load == pytest.approx(2)


def test_that_without_containment_the_handlers_must_supply_colder_air(hall):
    open_room, chimney = (hall.sized(("cooling.containment", c)) for c in ("none", "chimney"))
    assert hall.value(open_room, "cooling.supply_air_c") == pytest.approx(24 - 0.25 * 12)
    assert hall.value(chimney, "cooling.supply_air_c") > hall.value(open_room, "cooling.supply_air_c")
    warm = hall.sized(("cooling.water_supply_c", 25.0))
    assert hall.findings(warm)["cooling.air_coil"].severity == "caution"
    assert len(open_room.results["cooling"].air_states.rows) == 3


def test_that_air_handlers_are_counted_net_of_fans_with_a_spare(hall):
    e = hall.sized()
    assert hall.value(e, "cooling.air_handlers") == math.ceil(hall.value(e, "cooling.room_air_kw") / 351.7) + 1
    rows = hall.sized(("cooling.air_units", "in_row"))
    assert hall.value(rows, "cooling.air_handlers") == math.ceil(hall.value(e, "cooling.room_air_kw") / 42.9) + 1


def test_that_512_gpus_against_a_hall_of_40_kw_a_rack_collide_at_the_rack_and_two_phases_show_what_binds_next():
    plan = load(paths.resource("examples", "512-against-256.watts")).document.scenarios[0].plan

    def ends_of(*edits):
        evaluation = evaluate(plan.edit(*edits), catalog())
        return evaluation, both_ends(evaluation)

    _, ends = ends_of((T + "rack_limit_kw", 40.0))
    worst = ends.binding[0]
    assert ends.fits is False
    assert (worst.layer, worst.quantity) == ("cooling", "rack_heat_kw")
    assert (worst.need.number, worst.have.number) == (pytest.approx(40.8), 40.0)
    # 120 kW of liquid a rack, and twice the nodes in it: the air that is left and the feeds are next
    boiling, ends = ends_of(TWO, (T + "rack_limit_kw", 120.0), ("cluster.nodes_per_rack", 8))
    assert boiling.figure("cooling.rack_limit_by").value == "air remainder"
    assert (ends.binding[0].layer, ends.binding[0].quantity) == ("power", "rack_power_kw")
    fits, ends = ends_of(TWO, (T + "rack_limit_kw", 120.0))
    assert ends.fits is True
    assert fits.figure("cooling.rack_limit_kw").number > 100
