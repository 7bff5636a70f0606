"""The power layer: sums that close, feeds, caps, unknown loads."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

TECHNOLOGIES = st.sampled_from(["air", "rear_door", "single_phase", "two_phase"])


SCHEMES = st.sampled_from(["n", "n_plus_1", "2n", "3n_2", "block_redundant"])
STATED = st.one_of(st.none(), st.floats(60, 100))


@settings(max_examples=60, deadline=None)
@given(
    TECHNOLOGIES,
    st.integers(1, 3000),
    st.sampled_from(["pdu", "busway", "dc_800"]),
    SCHEMES,
    SCHEMES,
    STATED,
    STATED,
    STATED,
    st.floats(1, 40),
    st.floats(0, 500),
    st.booleans(),
)
def test_that_utility_is_it_and_losses_and_cooling_and_the_rest(
    hall, kind, nodes, way, scheme, transformers, ups, pdu, transformer, cop, auxiliary, on_ups
):
    e = hall.sized(
        ("cooling.technology", kind),
        ("power.distribution", way),
        ("power.scheme", scheme),
        ("power.transformer_scheme", transformers),
        ("power.ups_efficiency_pct", ups),
        ("power.distribution_efficiency_pct", pdu),
        ("power.transformer_efficiency_pct", transformer),
        ("cooling.chiller_cop", cop),
        ("power.auxiliary_kw", auxiliary),
        ("power.cdu_on_ups", on_ups),
        nodes=nodes,
    )
    v = lambda name: hall.value(e, f"power.{name}")  # noqa: E731
    total = v("it_power_max_kw") + v("loss_kw") + v("cooling_power_kw") + auxiliary
    assert v("facility_power_kw") == pytest.approx(total, rel=1e-9)
    parts = ("rack_loss_kw", "distribution_loss_kw", "ups_loss_kw", "transformer_loss_kw")
    assert v("loss_kw") == pytest.approx(sum(map(v, parts)), rel=1e-9)
    # the same from the other side: what goes into each stage is what the one before gives
    stages = {r["stage"]: r for r in e.results["power"].plain()["stages"]}
    chain = [next(r for name, r in stages.items() if name.startswith(n)) for n in ("Utility", "Transformer")]
    assert chain[1]["input"] == pytest.approx(chain[0]["output"], rel=1e-9)
    for row in stages.values():
        if row["loss"] is not None:
            assert row["input"] == pytest.approx(row["output"] + row["loss"], rel=1e-9)
            assert row["loss"] >= 0
    pumps = v("cdu_power_kw") if on_ups else 0.0
    ups_row = stages["Rectifier" if way == "dc_800" else "UPS"]
    assert chain[1]["output"] == pytest.approx(ups_row["input"] + v("cooling_power_kw") - pumps + auxiliary, rel=1e-9)
    way_row = next(r for name, r in stages.items() if name.startswith(("PDU", "Busway")))
    assert ups_row["output"] == pytest.approx(way_row["input"] + pumps, rel=1e-9)
    assert way_row["output"] == pytest.approx(stages["Rack PDU"]["input"], rel=1e-9)
    assert stages["Rack PDU"]["output"] == pytest.approx(v("it_power_max_kw"), rel=1e-9)
    assert v("pue") == pytest.approx(v("facility_power_kw") / v("it_power_max_kw"), rel=1e-9)


@settings(max_examples=40, deadline=None)
@given(TECHNOLOGIES, st.integers(1, 3000), st.floats(1, 40))
def test_that_power_and_cooling_agree_on_what_cooling_draws(hall, kind, nodes, cop):
    e = hall.sized(("cooling.technology", kind), ("cooling.chiller_cop", cop), nodes=nodes)
    parts = sum(hall.value(e, f"cooling.{n}") for n in ("cdu_power_kw", "fan_power_kw", "plant_power_kw"))
    assert hall.value(e, "power.cooling_power_kw") == pytest.approx(parts, rel=1e-9)


def test_that_four_dgx_h100_in_a_rack_draw_40_8_kw(hall):
    e = hall.sized()
    assert hall.value(e, "power.rack_power_kw") == pytest.approx(40.8)
    assert hall.value(e, "power.compute_power_kw") == pytest.approx(128 * 10.2)
    assert hall.value(e, "power.it_power_max_kw") == pytest.approx(128 * 10.2 + 100 + 20 + 20)


def test_that_a_rack_scale_system_is_one_rack_with_its_switches(hall):
    e = hall.sized(("compute.gpu", "gb200"), ("cooling.technology", "single_phase"), **hall.nvl72)
    assert hall.value(e, "power.rack_power_kw") == 132
    assert hall.value(e, "power.compute_power_kw") == pytest.approx(8 * 132)


def test_that_a_power_cap_lowers_node_rack_and_hall_by_its_watts(hall):
    free, capped = hall.sized(), hall.sized(("compute.power_cap_w", 500.0))
    assert hall.value(free, "power.node_power_max_kw") - hall.value(capped, "power.node_power_max_kw") == pytest.approx(
        1.6
    )
    assert hall.value(capped, "power.rack_power_kw") == pytest.approx(40.8 - 4 * 1.6)
    assert hall.value(capped, "power.it_power_max_kw") == pytest.approx(
        hall.value(free, "power.it_power_max_kw") - 128 * 1.6
    )


def test_that_two_of_four_feeds_carry_the_rack_in_2n(hall):
    e = hall.sized()
    assert hall.value(e, "power.rack_feed_kw") == pytest.approx(2 * 45.284 * 0.98, rel=1e-4)
    assert hall.value(e, "power.failover_load_pct") == pytest.approx(2 * hall.value(e, "power.feed_load_pct"))
    assert hall.value(e, "power.failover_amps") == pytest.approx(40.8e3 / 2 / (3**0.5 * 415 * 0.98))
    none = hall.sized(("power.scheme", "n"))
    assert hall.value(none, "power.rack_feed_kw") == pytest.approx(4 * 45.284 * 0.98, rel=1e-4)


def test_that_one_feed_in_2n_leaves_nothing_and_the_fix_gives_enough(hall):
    e = hall.sized(("power.feeds_per_rack", 1))
    assert hall.value(e, "power.rack_feed_kw") == 0
    assert not e.figure("power.failover_amps").known
    finding = hall.findings(e)["power.feeds"]
    assert finding.severity == "blocker"
    mended = hall.sized(("power.feeds_per_rack", 1), *finding.fix)
    assert "power.feeds" not in hall.findings(mended)
    assert hall.needs(mended)["rack_power_kw"].fits


def test_that_a_stated_limit_replaces_the_feeds(hall):
    assert hall.needs(hall.sized(("power.rack_feed_limit_kw", 40.0)))["rack_power_kw"].fits is False
    assert hall.needs(hall.sized(("power.rack_feed_limit_kw", 41.0)))["rack_power_kw"].fits is True


def test_that_utility_and_ups_limits_are_compared_in_kw(hall):
    e = hall.sized(("power.utility_mw", 2.0), ("power.it_limit_kw", 1446.0))
    assert hall.needs(e)["facility_power_kw"].have.number == 2000
    assert hall.needs(e)["it_power_max_kw"].fits
    assert hall.needs(hall.sized())["facility_power_kw"].fits is None


def test_that_a_system_without_published_power_is_built_up_with_a_spread(hall):
    e = hall.sized(("compute.gpu", "mi300x"), system="supermicro_as_8125gs_tnmr2")
    node = e.figure("power.node_power_max_kw")
    assert node.low < node.number < node.high
    assert 10 < node.number < 12.5
    assert "power.node_estimate" in hall.findings(e)


def test_that_a_gpu_without_tdp_leaves_power_unknown_with_the_reason(hall):
    e = hall.sized(("compute.gpu", "tpu_v5p"), system=None)
    for path in ("power.it_power_max_kw", "power.facility_power_kw", "cooling.air_heat_kw"):
        assert not e.figure(path).known
        assert "thermal design power" in e.figure(path).formula


def test_that_an_unknown_storage_load_is_left_out_by_name(hall):
    e = hall.sized(storage_kw=None)
    assert hall.value(e, "power.it_power_max_kw") == pytest.approx(128 * 10.2 + 100 + 20)
    assert "storage" in hall.findings(e)["power.left_out.storage"].message


def test_that_the_rule_of_thumb_stands_beside_the_built_up_figure(hall):
    e = hall.sized()
    assert hall.value(e, "power.rule_of_thumb_kw") == pytest.approx(128 * 8 * 0.7 * 1.5)
    assert hall.value(e, "power.rule_difference_pct") == pytest.approx(100 * (1075.2 / 1445.6 - 1))


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 2000), st.integers(1, 200), TECHNOLOGIES)
def test_that_more_nodes_never_need_less(hall, nodes, more, kind):
    few, many = (
        hall.sized(("cooling.technology", kind), nodes=nodes),
        hall.sized(("cooling.technology", kind), nodes=nodes + more),
    )
    before, after = hall.needs(few), hall.needs(many)
    for quantity, need in before.items():
        assert after[quantity].need.number >= need.need.number - 1e-9


def test_that_two_printed_maxima_are_named_and_a_peak_noted(hall):
    e = hall.sized(("compute.gpu", "b300"), system="dgx_b300")
    assert "76" in hall.findings(e)["power.two_maxima"].message
    peak = hall.sized(
        ("compute.gpu", "gb300"), ("cooling.technology", "single_phase"), **{**hall.nvl72, "system": "gb300_nvl72"}
    )
    assert "155" in hall.findings(peak)["power.peak"].message
    assert "power.two_maxima" not in hall.findings(hall.sized())


def test_that_an_unknown_switch_load_is_shown_as_unknown_and_left_out_by_name(hall):
    e = hall.sized(switch_kw=None)
    assert not e.figure("power.network_power_kw").known
    assert hall.value(e, "power.it_power_max_kw") == pytest.approx(128 * 10.2 + 20 + 20)
    assert "switches" in hall.findings(e)["power.left_out.switches"].message
