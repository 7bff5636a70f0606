"""Every published row of power, cooling and floor, and rows of the same kinds that nobody published."""

from __future__ import annotations

import json

import pytest

from wattsweights_gui import paths
from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.evidence.facility import predict

ROWS = json.loads(paths.resource("evidence", "facility_golden.json").read_text(encoding="utf-8"))["rows"]


def asked(table: str, quantity: str, **inputs: object):
    return predict({"table": table, "quantity": quantity, "inputs": inputs}, catalog())


@pytest.mark.parametrize("row", ROWS, ids=[r["id"] for r in ROWS])
def test_that_a_published_row_is_predicted_within_its_tolerance(row):
    answer = predict({k: row[k] for k in ("table", "quantity", "inputs")}, catalog())
    assert answer.predicted is not None, answer.reason
    if row["tolerance_pct"] is not None:
        assert abs(answer.predicted - row["published"]) <= abs(row["published"]) * row["tolerance_pct"] / 100 + 1e-9


@pytest.mark.parametrize(
    ("table", "quantity", "inputs", "expected", "rel"),
    [
        (
            "feed_capacity",
            "usable_kva",
            {"volts_line_to_line": 480, "breaker_a": 30, "phases": 3, "continuous_pct": 80},
            19.953,
            1e-3,
        ),
        ("feed_capacity", "usable_va", {"feed": "feed_eu_400_63_3"}, 43648, 1e-3),
        ("feed_current", "amps_per_phase", {"kw": 22.08, "volts_line_to_neutral": 230, "phases": 3}, 32.0, 1e-3),
        ("water_flow", "flow_gpm", {"heat_kw": 1000, "fluid": "water", "supply_c": 7, "return_c": 12}, 755.6, 5e-3),
        (
            "water_flow",
            "flow_l_min",
            {"heat_btu_h": 3412142, "fluid": "water", "supply_c": 7, "return_c": 12},
            2860.4,
            5e-3,
        ),
        ("airflow", "cfm", {"kw": 17, "temperature_rise_k": 12, "inlet_c": 24, "altitude_m": 3000}, 3626, 5e-3),
        ("saturation", "p_sat_bar", {"fluid": "R245fa", "t_c": 40}, 2.5065, 6e-3),
        ("saturation", "rho_v_kg_m3", {"fluid": "R1234ze(E)", "t_c": 40}, 40.636, 6e-3),
        (
            "cdu_count",
            "cdus",
            {"racks": 10, "rack_liquid_kw": 115, "rack_flow_l_min": 130, "cdu": "cdu_vertiv_xdu1350", "spare": 1},
            3,
            0,
        ),
        ("ashrae_class", "max_inlet_c", {"class": "A3", "altitude_m": 1775}, 35, 1e-9),
        ("ashrae_class", "max_inlet_c", {"class": "A4", "altitude_m": 1400}, 41, 1e-9),
        ("units", "gpm", {"l_min": 473}, 124.95, 1e-3),
        ("pue", "pue", {"utility_kw": 1300, "it_kw": 1000}, 1.3, 1e-9),
        ("backward", "gpus", {"utility_mw": 10, "pue": 1.3, "rack_kw": 132, "gpus_per_rack": 72}, 4176, 0),
        ("heat_split", "air_share_pct", {"liquid_kw": 115, "air_kw": 17}, 12.88, 1e-3),
        ("heat_split", "air_share_pct", {"liquid_capture_pct": 85}, 15, 1e-9),
        ("cdu_rating", "tcs_supply_c", {"fws_supply_c": 32, "cdu": "cdu_envicool_rack_40"}, 37, 1e-9),
        ("cdu_rating", "l_min_per_kw", {"cdu": "cdu_coolit_chx2000"}, 1.0625, 1e-9),
        ("tower_water", "makeup_gpm", {"flow_gpm": 1500, "range_f": 10, "cycles": 4}, 20, 1e-9),
        ("tower_water", "blowdown_gpm", {"evaporation_gpm": 15, "cycles": 4}, 5, 1e-9),
        ("units", "lb_ft2", {"kg_m2": 1220.61}, 250, 1e-4),
        ("redundancy", "usable_it_kw", {"systems": 3, "system_kw": 1000, "scheme": "3n_2"}, 2000, 1e-9),
        ("rack_power", "rack_kw", {"node": "dgx_b200", "nodes_per_rack": 4}, 57.2, 1e-9),
        (
            "two_phase",
            "mass_flow_kg_s",
            {"heat_kw": 132, "fluid": "R1234yf", "t_sat_c": 40, "exit_quality": 0.7, "subcooling_k": 0},
            1.4257,
            6e-3,
        ),
    ],
)
def test_that_rows_of_the_same_kinds_are_predicted_too(table, quantity, inputs, expected, rel):
    answer = asked(table, quantity, **inputs)
    assert answer.predicted == pytest.approx(expected, rel=rel), answer.reason


@pytest.mark.parametrize(
    ("table", "quantity", "inputs", "words"),
    [
        (
            "water_flow",
            "flow_l_min",
            {"heat_kw": 1000, "fluid": "glysantin", "supply_c": 7, "return_c": 12},
            "glysantin",
        ),
        ("saturation", "p_sat_bar", {"fluid": "pg25", "t_c": 40}, "saturation"),
        ("feed_capacity", "usable_va", {"breaker_a": 30, "phases": 2, "volts": 208}, "phases"),
        ("two_phase", "mass_flow_kg_s", {"heat_kw": 132}, "fluid"),
        ("tower_water", "makeup_gpm", {"evaporation_gpm": 15, "cycles": 1}, "above 1"),
        ("quantum", "kw", {}, "no equation"),
        ("pump", "colour", {}, "not worked out"),
        ("ashrae_class", "w_class_max_c", {"fws_supply_c": 50}, "W+"),
    ],
)
def test_that_a_row_that_cannot_be_predicted_says_why(table, quantity, inputs, words):
    answer = asked(table, quantity, **inputs)
    assert answer.predicted is None
    assert words in answer.reason


def test_that_the_answer_does_not_come_from_what_is_published():
    row = next(r for r in ROWS if r["id"] == "psat.r134a.40c")
    assert predict({**row, "published": 1.0, "id": "x"}, catalog()) == predict(row, catalog())
    warmer = {**row, "inputs": {**row["inputs"], "t_c": 50}}
    assert predict(warmer, catalog()).predicted == pytest.approx(13.179, rel=2e-3)
