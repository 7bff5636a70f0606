"""Draw from idle to peak, the rule of thumb explained, power caps, energy and money."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.chain import evaluate
from wattsweights_gui.engine.equations import energy
from wattsweights_gui.project.examples import example


def _rows(evaluation, name):
    return evaluation.results["power"].plain()[name]


def test_that_a_thousand_kw_for_a_year_are_what_textbooks_say():
    assert energy.year_mwh(1000 * 1.3, 0.0, 80.0) == pytest.approx(9110.4)
    assert energy.co2_t(9110.4, 350.0) == pytest.approx(3188.64)
    assert energy.cost_usd(1000.0, 0.1, 500.0, 10.0) == pytest.approx(100_000 + 60_000)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 2000), st.one_of(st.none(), st.floats(100, 700)))
def test_that_idle_is_below_typical_below_maximum_below_peak(hall, nodes, cap):
    e = hall.sized(("compute.power_cap_w", cap), nodes=nodes)
    for stem in ("node_power", "it_power"):
        names = (f"{stem}_idle_kw", f"{stem}_kw", f"{stem}_max_kw", f"{stem}_peak_kw")
        draws = [hall.value(e, f"power.{n}") for n in names]
        assert draws == sorted(draws)
    assert hall.value(e, "power.facility_typical_kw") <= hall.value(e, "power.facility_power_kw")


def test_that_a_published_typical_draw_and_peak_come_before_the_measured_share(hall):
    gb200 = hall.sized(("compute.gpu", "gb200"), ("cooling.technology", "single_phase"), **hall.nvl72)
    assert hall.value(gb200, "power.node_power_kw") == pytest.approx(120)
    gb300 = hall.sized(
        ("compute.gpu", "gb300"), ("cooling.technology", "single_phase"), **(hall.nvl72 | {"system": "gb300_nvl72"})
    )
    assert hall.value(gb300, "power.node_power_peak_kw") == pytest.approx(155)
    h100 = hall.sized()
    assert hall.value(h100, "power.node_power_kw") == pytest.approx(0.82 * 10.2)
    share = dict(h100.figure("power.node_power_kw").operands)["typical_pct"]
    assert "2412.08602" in share.source
    assert hall.value(hall.sized(("power.typical_pct", 76.0)), "power.node_power_kw") == pytest.approx(0.76 * 10.2)


def test_that_the_lines_of_the_rule_add_up_to_both_totals(hall):
    for edits in ((), (("compute.power_cap_w", 500.0),), (("power.rule_overhead", 2.0),)):
        e = hall.sized(*edits)
        *lines, total = _rows(e, "rule_lines")
        for column in ("rule_of_thumb", "built_up", "difference"):
            assert sum(r[column] for r in lines) == pytest.approx(total[column])
        assert total["rule_of_thumb"] == pytest.approx(hall.value(e, "power.rule_of_thumb_kw"))
        assert total["built_up"] == pytest.approx(hall.value(e, "power.it_power_max_kw"))


def test_that_every_load_is_a_line_and_cooling_is_not_it(hall):
    e = hall.sized(("cooling.technology", "single_phase"))
    rows = {r["load"]: r for r in _rows(e, "loads")}
    assert rows["CDUs"]["maximum"] == hall.value(e, "power.cdu_power_kw") > 0
    assert rows["CDUs"]["counted_as"] == "cooling"
    it = [r["maximum"] for r in rows.values() if r["counted_as"] == "IT"]
    assert sum(it) == pytest.approx(rows["IT, all"]["maximum"])
    cooling = [r["maximum"] for r in rows.values() if r["counted_as"] == "cooling"]
    assert sum(cooling) == pytest.approx(hall.value(e, "power.cooling_power_kw"))


def test_that_money_and_carbon_are_asked_for_and_not_made_up(hall):
    e = hall.sized()
    assert not e.figure("power.cost_usd_year").known
    assert "price" in e.figure("power.cost_usd_year").formula
    assert not e.figure("power.co2_t_year").known
    given_ = hall.sized(("power.price_usd_kwh", 0.08), ("power.grid_g_kwh", 300.0), ("power.demand_usd", 12.0))
    year = hall.value(given_, "power.energy_mwh_year")
    peak = hall.value(given_, "power.facility_power_kw")
    assert hall.value(given_, "power.cost_usd_year") == pytest.approx(year * 80 + peak * 12 * 12)
    assert hall.value(given_, "power.co2_t_year") == pytest.approx(year * 0.3)


def test_that_a_year_of_training_is_the_typical_draw_of_every_hour(hall):
    e = hall.sized()
    assert hall.value(e, "power.energy_mwh_year") == pytest.approx(hall.value(e, "power.facility_typical_kw") * 8.76)
    half = hall.sized(("power.busy_pct", 50.0))
    assert hall.value(half, "power.energy_mwh_year") < hall.value(e, "power.energy_mwh_year")


def test_that_pumps_beside_the_ups_are_named_and_put_on_it_by_the_fix(hall):
    edits = (("cooling.technology", "single_phase"), ("power.cdu_on_ups", False))
    finding = hall.findings(hall.sized(*edits))["power.cdu_on_ups"]
    assert "power.cdu_on_ups" not in hall.findings(hall.sized(*edits, *finding.fix))
    assert "power.cdu_on_ups" not in hall.findings(hall.sized(("power.cdu_on_ups", False)))


def test_that_a_row_and_the_generators_have_limits_of_their_own(hall):
    e = hall.sized(("power.row_limit_kw", 600.0), ("power.generator_limit_kw", 5000.0))
    assert hall.needs(e)["row_power_kw"].need.number == pytest.approx(16 * 40.8)
    assert hall.needs(e)["row_power_kw"].fits is False
    assert hall.needs(e)["generator_load_kw"].fits is True


def test_that_a_power_cap_saves_kw_and_costs_days_and_the_plan_agrees_with_the_table():
    plan = example("512-against-256").document.plan
    e = evaluate(plan, catalog())
    rows = _rows(e, "power_caps")
    assert [r["gpu_cap"] for r in rows] == sorted((r["gpu_cap"] for r in rows), reverse=True)
    assert rows[0]["days"] == pytest.approx(e.figure("parallelism.days").number)
    for column, falls in (("node", True), ("it_maximum", True), ("gpu_speed", True), ("step_time", False)):
        values = [r[column] for r in rows]
        assert values == sorted(values, reverse=falls)
    capped = evaluate(plan.edit(("compute.power_cap_w", 560.0)), catalog())
    row = next(r for r in rows if r["gpu_cap"] == 560.0)
    assert row["node"] == pytest.approx(capped.figure("power.node_power_max_kw").number)
    assert row["step_time"] == pytest.approx(capped.figure("parallelism.step_time_s").number, rel=1e-6)
    assert capped.figure("power.gpu_speed_pct").number == pytest.approx(row["gpu_speed"])
    assert capped.figure("power.run_energy_mwh").number > 0
