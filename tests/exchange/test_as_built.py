"""A fabric as built, from both forms of ibnetdiscover, against its plan."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wattsweights_gui.exchange import cable_plan, ibnetdiscover
from wattsweights_gui.layout.as_built import BuiltCable, compare, speed_words

HERE = Path(__file__).parent / "samples"
FORMS = ("ibnetdiscover.txt", "ibnetdiscover-p.txt")


def sample(end: str) -> str:
    return (HERE / f"fabric_sample_h100_8n.{end}").read_text(encoding="utf-8")


@pytest.mark.parametrize("form", FORMS)
def test_that_the_sample_gives_exactly_its_findings(form: str) -> None:
    listed = json.loads(sample("findings.json"))
    plan, built = cable_plan.read(sample("plan.csv")), ibnetdiscover.read(sample(form))
    assert (len(plan), len(built)) == (listed["plan_cables"], listed["built_cables"])
    found = {
        (d.kind, d.planned, d.found if d.kind in ("wrong_peer", "extra") else (), d.planned_speed, d.found_speed)
        for d in compare(plan, built)
    }
    wanted = {
        (
            f["kind"],
            tuple(f.get("planned", ())),
            tuple(f.get("found", ())),
            f.get("planned_speed", ""),
            f.get("found_speed", ""),
        )
        for f in listed["findings"]
    }
    assert found == wanted


def test_that_both_forms_show_the_same_fabric() -> None:
    one, other = (ibnetdiscover.read(sample(form)) for form in FORMS)
    assert {(c.ends, c.gbit_s) for c in one} == {(c.ends, c.gbit_s) for c in other}


def test_that_crossed_rails_and_loops_are_explained_in_sentences() -> None:
    plan, built = cable_plan.read(sample("plan.csv")), ibnetdiscover.read(sample(FORMS[0]))
    sentences = [d.sentence for d in compare(plan, built)]
    assert any("two rails of one node crossed" in s for s in sentences)
    assert any("a loop outside the tree" in s for s in sentences)
    assert any("runs at 2xNDR, planned is 4xNDR" in s for s in sentences)


CABLES = st.lists(
    st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=20, unique_by=(lambda c: c[0], lambda c: c[1])
)


@given(CABLES)
def test_that_a_fabric_built_as_planned_has_no_difference_whichever_end_is_named_first(pairs) -> None:
    plan = [BuiltCable(("leaf", str(a)), ("spine", str(b)), 400.0) for a, b in pairs]
    turned = [BuiltCable(c.b, c.a, c.gbit_s) for c in plan]
    assert compare(plan, turned) == ()


@given(CABLES, st.data())
def test_that_each_cable_taken_away_is_missing_and_nothing_else(pairs, data) -> None:
    plan = [BuiltCable(("leaf", str(a)), ("spine", str(b)), 400.0) for a, b in pairs]
    gone = data.draw(st.sets(st.sampled_from(plan))) if plan else set()
    found = compare(plan, [c for c in plan if c not in gone])
    assert {d.kind for d in found} <= {"missing"}
    assert len(found) == len(gone)


def test_that_two_cables_at_one_port_are_refused() -> None:
    twice = [BuiltCable(("leaf-1", "1"), ("node-1", "a")), BuiltCable(("leaf-1", "1"), ("node-2", "a"))]
    with pytest.raises(ValueError, match="Two cables of the plan end at leaf-1 port 1"):
        compare(twice, [])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no cable in it"),
        ("hello\nworld\n", "no cable in it"),
        ('Switch\t65 "S-fc6a"\t\t# "MF0;leaf-1:QM/U1" enhanced port 0\n[x] nonsense\n', "Line 2 cannot be read"),
        ("SW     1 64 0xfc6a 4x NDR - nonsense\n", "Line 1 cannot be read"),
    ],
)
def test_that_what_is_no_output_of_the_tool_is_refused_with_its_line(text: str, says: str) -> None:
    with pytest.raises(ibnetdiscover.NotReadError, match=says):
        ibnetdiscover.read(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a_device,a_port,b_device\nx,1,y\n", "b_port is missing"),
        ("a_device,a_port,b_device,b_port\nx,1,y,\n", "Row 2 of the cable plan has an empty device or port"),
        ("a_device,a_port,b_device,b_port,speed_gbit_s\nx,1,y,2,fast\n", "“fast” is no speed"),
    ],
)
def test_that_a_cable_plan_that_cannot_be_read_says_what_is_wrong(text: str, says: str) -> None:
    with pytest.raises(cable_plan.NotReadError, match=says):
        cable_plan.read(text)


def test_that_rates_are_named_as_infiniband_names_them() -> None:
    assert ibnetdiscover.rate_of("lid 13 4xNDR") == (400.0, "4xNDR")
    assert ibnetdiscover.rate_of("2x NDR") == (200.0, "2xNDR")
    assert ibnetdiscover.rate_of("nothing") == (None, "")
    assert speed_words(800.0) == "4xXDR"
    assert speed_words(25.0) == "25 Gb/s"
