"""Nothing overlaps, whatever is tried; what cannot be is refused with a reason, and the set that was given stays."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wattsweights_gui.layout import edits, rack_edits
from wattsweights_gui.layout.edits import Edited
from wattsweights_gui.layout.fit import NotPossible
from wattsweights_gui.layout.hall import Hall, hall_of
from wattsweights_gui.layout.loads import load_figures, rack_load, rack_loads, total
from wattsweights_gui.layout.placements import EMPTY, Placements, Rack, used_u

ENTRIES = ("dgx_h100", "qm9700", "sn2100", "rack_pdu_zero_u", "blank_1u", "ddn_ai400x2", "q3400_ra", "dgx_gb200_nvl72")


def racks(count: int = 3) -> Placements:
    return Placements.of([Rack(f"r{i}", f"R{i:03d}") for i in range(1, count + 1)], {})


def done(outcome: Any) -> Placements:
    assert isinstance(outcome, Edited), outcome
    return outcome.placements


def refused(outcome: Any, why: str) -> str:
    assert isinstance(outcome, NotPossible), outcome
    assert outcome.why == why, outcome
    assert outcome.reason.endswith(".")
    return outcome.reason.replace("\u2009", " ")


steps = st.lists(
    st.tuples(
        st.sampled_from(
            ["place", "move", "paste", "fill", "delete", "lock", "free", "turn", "duplicate", "add", "take"]
        ),
        st.sampled_from(ENTRIES),
        st.integers(0, 5),
        st.integers(-1, 52),
        st.sampled_from(["front", "rear"]),
        st.sampled_from(["", "left", "right"]),
        st.lists(st.integers(0, 30), max_size=4),
    ),
    max_size=14,
)


def attempted(
    now: Placements, hall: Hall, action: str, entry: str, rack: str, unit: int, face: Any, half: Any, ids: list[str]
) -> Any:
    return {
        "place": lambda: edits.place(now, hall, entry, rack, unit, face, half),
        "move": lambda: edits.move(now, hall, ids, rack, unit, face=face),
        "paste": lambda: edits.paste(now, hall, edits.copy(now, ids), rack, unit if unit > 0 else None),
        "fill": lambda: edits.fill(now, hall, entry, rack, face, most=6),
        "delete": lambda: edits.delete(now, ids),
        "lock": lambda: edits.set_locked(now, ids, True),
        "free": lambda: edits.set_locked(now, ids, False),
        "turn": lambda: edits.turn(now, hall, ids),
        "duplicate": lambda: rack_edits.duplicate_rack(now, rack),
        "add": lambda: rack_edits.add_rack(now, hall, after=rack),
        "take": lambda: rack_edits.delete_racks(now, [rack]),
    }[action]()


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps)
def test_that_no_row_of_edits_makes_devices_overlap_or_changes_what_was_before(
    hall: Hall, check: Any, steps: list[Any]
) -> None:
    now = racks()
    kept: list[tuple[Placements, Any]] = []
    for action, entry, where, unit, face, half, picks in steps:
        if not now.racks:
            break
        rack = now.racks[where % len(now.racks)].id
        all_ids = [d.id for inside in now.devices.values() for d in inside]
        ids = [all_ids[i % len(all_ids)] for i in picks] if all_ids else []
        kept.append((now, (now.racks, dict(now.devices))))
        outcome = attempted(now, hall, action, entry, rack, unit, face, half, ids)
        if isinstance(outcome, NotPossible):
            assert outcome.reason
            continue
        now = outcome.placements
        check(now)
    for before, (had_racks, had_devices) in kept:
        assert before.racks == had_racks
        assert dict(before.devices) == had_devices


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from(ENTRIES[:6]), st.integers(0, 2), st.integers(1, 48)), max_size=20), st.data())
def test_that_moving_keeps_mass_power_and_rack_units(hall: Hall, wishes: list[Any], data: Any) -> None:
    now = racks()
    for entry, where, unit in wishes:
        outcome = edits.place(now, hall, entry, now.racks[where].id, unit)
        now = outcome.placements if isinstance(outcome, Edited) else now
    ids = [d.id for inside in now.devices.values() for d in inside]
    if not ids:
        return
    moved = edits.move(
        now,
        hall,
        data.draw(st.lists(st.sampled_from(ids), min_size=1, unique=True)),
        "r2",
        data.draw(st.integers(1, 40)),
    )
    if isinstance(moved, NotPossible):
        return
    before, after = (total(rack_loads(p, hall).values()) for p in (now, moved.placements))
    assert after.mass_kg == pytest.approx(before.mass_kg)
    assert after.power_kw == pytest.approx(before.power_kw)
    assert after.liquid_kw + after.air_kw == pytest.approx(after.power_kw)
    assert moved.placements.count == now.count
    heights = [sum(d.height_u for inside in p.devices.values() for d in inside) for p in (now, moved.placements)]
    assert heights[0] == heights[1]


def test_that_a_device_says_what_stands_in_its_way(hall: Hall) -> None:
    now = done(edits.place(racks(), hall, "dgx_h100", "r1", 3))
    assert refused(edits.place(now, hall, "qm9700", "r1", 10), "space") == "node-0001 stands at U3 to U10 of R001."
    assert "would end outside" in refused(edits.place(now, hall, "dgx_h100", "r1", 42), "space")
    done(edits.place(now, hall, "qm9700", "r1", 11))


def test_that_two_halves_share_a_unit_and_thin_devices_share_it_front_and_rear(hall: Hall, check: Any) -> None:
    now = done(edits.place(racks(), hall, "sn2100", "r1", 5, half="left"))
    refused(edits.place(now, hall, "sn2100", "r1", 5, half="left"), "space")
    now = done(edits.place(now, hall, "sn2100", "r1", 5, half="right"))
    now = done(edits.place(now, hall, "blank_1u", "r1", 7, "front"))
    now = done(edits.place(now, hall, "patch_panel_1u", "r1", 7, "rear"))
    check(now)
    assert used_u(now.inside("r1")) == 2


def test_that_strips_hang_beside_the_units_two_a_side(hall: Hall) -> None:
    now = racks()
    for half in ("left", "left", "right", "right"):
        now = done(edits.place(now, hall, "rack_pdu_zero_u", "r1", None, half=half))
    assert "both are taken" in refused(edits.place(now, hall, "rack_pdu_zero_u", "r1", None, half="left"), "space")
    assert used_u(now.inside("r1")) == 0


def test_that_heat_power_and_mass_are_refused_with_their_numbers(evaluated: Any) -> None:
    tight = hall_of(evaluated(cooling__technology="air", cooling__technology__rack_limit_kw=25.0))
    now = done(edits.fill(racks(), tight, "dgx_h100", "r1"))
    assert len(now.inside("r1")) == 2
    reason = refused(edits.place(now, tight, "dgx_h100", "r1", 30), "heat")
    assert reason == "R001 would give off 30.6 kW; a rack can reject 25 kW (room air)."
    feeds = hall_of(evaluated(power__rack_feed_limit_kw=15.0))
    now = done(edits.place(racks(), feeds, "dgx_h100", "r1", 1))
    assert "its feeds give 15 kW" in refused(edits.place(now, feeds, "dgx_h100", "r1", 9), "power")
    floor = hall_of(evaluated(floor__floor_load_limit_kg_m2=200.0))
    assert floor.mass_kg.number == pytest.approx(200 * 0.6 * 3.1)
    now = done(edits.place(racks(), floor, "dgx_h100", "r1", 1))
    assert "the floor carries 372 kg a rack" in refused(edits.place(now, floor, "dgx_h100", "r1", 9), "mass")


def test_that_a_rack_over_its_limit_can_be_tidied_but_not_filled_further(hall: Hall) -> None:
    now = done(edits.fill(racks(), hall, "dgx_h100", "r1", most=4))
    tight = replace(hall, reject_kw=replace(hall.reject_kw, value=25.0))
    top = max(now.inside("r1"), key=lambda d: d.bottom_u or 0)
    done(edits.move(now, tight, [top.id], "r1", 40))
    refused(edits.place(now, tight, "qm9700", "r1", 48), "heat")


def test_that_liquid_airflow_and_depth_are_refused(evaluated: Any) -> None:
    air = hall_of(evaluated(cooling__technology="air"))
    assert "needs a coolant loop" in refused(edits.place(racks(), air, "dgx_gb200_nvl72", "r1", 1), "liquid")
    liquid = hall_of(evaluated(cooling__technology="single_phase"))
    refused(edits.place(racks(), air, "cdu_coolit_chx80", "r1", 1), "liquid")
    done(edits.place(racks(), liquid, "cdu_coolit_chx80", "r1", 1))
    reason = refused(edits.place(racks(), air, "dgx_h100", "r1", 1, "rear"), "airflow")
    assert reason == "At the rear of R001, DGX H100 would blow warm air into the cold aisle: mount it at the front."
    done(edits.place(racks(), air, "qm9700", "r1", 1, "rear"))
    shallow = Placements.of([Rack("r1", "R001", depth_mm=800.0)], {})
    assert "897 mm deep; R001 has 800 mm" in refused(edits.place(shallow, air, "dgx_h100", "r1", 1), "depth")


def test_that_a_rack_scale_system_takes_an_empty_rack_of_its_height(evaluated: Any) -> None:
    hall = hall_of(evaluated(cooling__technology="single_phase", power__rack_feed_limit_kw=200.0))
    hall = replace(hall, reject_kw=replace(hall.reject_kw, value=200.0))
    now = done(edits.place(racks(), hall, "dgx_gb200_nvl72", "r1", 20))
    assert now.inside("r1")[0].bottom_u == 1
    assert rack_load(now.racks[0], now.inside("r1"), hall).mass_kg == 1360
    refused(edits.place(now, hall, "qm9700", "r1", 48), "space")
    now = done(edits.place(now, hall, "qm9700", "r2", 1))
    assert "is not empty" in refused(edits.place(now, hall, "dgx_gb200_nvl72", "r2", 1), "space")


def test_that_several_devices_move_and_are_pasted_as_they_stand_to_one_another(hall: Hall) -> None:
    now = done(edits.place(racks(), hall, "qm9700", "r1", 10))
    now = done(edits.place(now, hall, "qm9700", "r1", 12))
    now = done(edits.place(now, hall, "qm9700", "r2", 12))
    ids = [d.id for inside in now.devices.values() for d in inside]
    moved = done(edits.move(now, hall, ids, "r2", 20, lead=ids[0]))
    assert [d.bottom_u for d in moved.inside("r2")] == [22, 20]
    assert [d.bottom_u for d in moved.inside("r3")] == [22]
    refused(edits.move(now, hall, ids, "r3", 20, lead=ids[0]), "space")
    pasted = done(edits.paste(now, hall, edits.copy(now, ids[:2]), "r1"))
    assert sorted(d.bottom_u or 0 for d in pasted.inside("r1")) == [1, 3, 10, 12]
    assert len({d.name for d in pasted.inside("r1")}) == 4


def test_that_what_is_locked_stays(hall: Hall) -> None:
    now = done(edits.place(racks(), hall, "qm9700", "r1", 10))
    id = now.inside("r1")[0].id
    now = done(edits.set_locked(now, [id], True))
    refused(edits.move(now, hall, [id], "r1", 20), "locked")
    refused(edits.delete(now, [id]), "locked")
    refused(rack_edits.delete_racks(now, ["r1"]), "locked")
    done(edits.delete(done(edits.set_locked(now, [id], False)), [id]))
    now = done(rack_edits.lock_racks(now, ["r2"], True))
    assert refused(edits.place(now, hall, "qm9700", "r2", 1), "locked").startswith("R002 is locked")


def test_that_a_rack_is_duplicated_with_names_of_its_own(hall: Hall, check: Any) -> None:
    now = done(edits.fill(racks(1), hall, "dgx_h100", "r1", most=3))
    now = done(rack_edits.duplicate_rack(now, "r1", 2))
    assert [r.name for r in now.racks] == ["R001", "R002", "R003"]
    assert [len(now.inside(r.id)) for r in now.racks] == [3, 3, 3]
    assert len({d.name for inside in now.devices.values() for d in inside}) == 9
    check(now)


def test_that_names_are_of_one_thing(hall: Hall) -> None:
    now = done(edits.fill(racks(1), hall, "qm9700", "r1", most=2))
    first, second = now.inside("r1")
    now = done(edits.rename(now, first.id, "  leaf  A "))
    assert now.device(first.id).name == "leaf A"
    refused(edits.rename(now, second.id, "leaf A"), "unknown")
    refused(edits.rename(now, second.id, "  "), "unknown")
    refused(rack_edits.rename_rack(done_rack(now, hall), "r1", "R002"), "unknown")


def done_rack(now: Placements, hall: Hall) -> Placements:
    return rack_edits.add_rack(now, hall).placements


def test_that_loads_say_why_and_agree_with_their_figures(hall: Hall) -> None:
    now = done(edits.fill(racks(1), hall, "dgx_h100", "r1", most=3))
    now = done(edits.fill(now, hall, "sn2201", "r1", most=2))
    load = rack_load(now.racks[0], now.inside("r1"), hall)
    figures = load_figures(now.racks[0], now.inside("r1"), hall)
    assert load.power_kw == pytest.approx(3 * 10.2 + 2 * 0.098)
    for name, figure in figures.items():
        assert figure.value == (None if getattr(load, name) is None else pytest.approx(getattr(load, name))), name
        assert figure.formula
    assert "typical draw is counted" in figures["power_kw"].formula
    assert load.a_kw + load.b_kw == pytest.approx(load.power_kw)


def test_that_an_empty_set_has_nothing() -> None:
    assert EMPTY.count == 0
    assert EMPTY.racks == ()
    with pytest.raises(ValueError, match="same id"):
        Placements.of([Rack("r1", "A"), Rack("r1", "B")], {})
