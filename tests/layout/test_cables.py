"""The cable schedule: every link has one cable, with both ends, a length by the tray and a medium that reaches."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.planned_fabric import design_of
from wattsweights_gui.engine.wiring import LEAF, NODE, SPINE, Wiring, wiring_of
from wattsweights_gui.layout.cables import Cabling, Routing, Spots, cabling_of, media_of, spots_of
from wattsweights_gui.layout.placements import Device, Placements, Rack

DESIGN = design_of(catalog().entry("dgx_superpod_h100"), catalog())
MEDIA = media_of(catalog(), 400.0)


def placed(wiring: Wiring, nodes_a_rack: int = 4) -> Placements:
    """Nodes in racks of their own, all switches in the last racks, ten a rack."""
    racks, devices = [], {}
    serial = iter(range(10**6))

    def put(entry: str, role: str, count: int, each: int, height: int) -> None:
        for start in range(0, count, each):
            rack = Rack(f"r{len(racks) + 1}", f"R{len(racks) + 1:03d}")
            racks.append(rack)
            devices[rack.id] = tuple(
                Device(f"d{next(serial)}", entry, "", height, 1 + k * height, role=role)
                for k in range(min(each, count - start))
            )

    kinds = np.bincount(wiring.devices.kind, minlength=5)
    put("dgx_h100", "node", int(kinds[NODE]), nodes_a_rack, 8)
    put("qm9700", "leaf", int(kinds[LEAF]), 10, 1)
    put("qm9700", "spine", int(kinds[SPINE]), 10, 1)
    return Placements.of(racks, devices)


def cabled(nodes: int, pitch_mm: float = 600.0, routing: Routing | None = None) -> Cabling:
    wiring = wiring_of(DESIGN, nodes)
    placements = placed(wiring)
    floor = {rack.id: (pitch_mm * n, 0.0) for n, rack in enumerate(placements.racks)}
    return cabling_of(wiring, spots_of(wiring, placements, floor), MEDIA, 400.0, routing)


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 128), st.floats(300.0, 3000.0))
def test_that_every_link_has_one_cable_whose_medium_reaches(nodes: int, pitch: float) -> None:
    cabling = cabled(nodes, pitch)
    assert len(cabling) == len(cabling.wiring.links)
    assert cabling.placed
    assert (cabling.length_m >= cabling.run_m + 2 * cabling.routing.slack_m - 1e-9).all()
    reach = np.array([m.reach_m for m in MEDIA])
    assert (cabling.length_m <= reach[cabling.medium]).all()
    assert sum(c.cables for c in cabling.classes) == len(cabling)


def test_that_a_run_goes_up_to_the_tray_across_and_down_again() -> None:
    cabling = cabled(32)
    row = next(cabling.rows())
    # U4.5 of 48 in R001 up to the tray, eight racks of 600 mm across, U1 in R009 down from it
    rise = (48 - 4.5) * 44.45 + 300 if row.a_unit == "U4" else (48 - 28.5) * 44.45 + 300
    fall = (48 - int(row.b_unit[1:])) * 44.45 + 300
    across = 600 * (int(row.b_rack[1:]) - int(row.a_rack[1:]))
    assert row.run_m == pytest.approx((rise + across + fall) / 1e3)


def test_that_a_cable_within_a_rack_does_not_leave_it() -> None:
    wiring = wiring_of(DESIGN, 32)
    spots = Spots(
        ("R1",),
        np.array([48.0]),
        np.array([0.0]),
        np.array([0.0]),
        np.zeros(len(wiring.devices), dtype=np.int64),
        np.arange(len(wiring.devices), dtype=np.float64),
    )
    cabling = cabling_of(wiring, spots, MEDIA, 400.0)
    assert cabling.run_m.max() < 48 * 0.04445
    assert {MEDIA[m].kind for m in set(cabling.medium.tolist())} <= {"dac", "acc"}


def test_that_labels_name_rack_unit_device_and_port_with_the_own_end_first() -> None:
    row = next(cabled(32).rows())
    assert row.a_label == f"{row.a_rack}-{row.a_unit}-node-001-rail1"
    assert row.b_label == f"{row.b_rack}-{row.b_unit}-leaf-su01-r1-{row.b_port}"


def test_that_no_two_ends_have_one_label() -> None:
    labels = [label for row in cabled(96).rows() for label in (row.a_label, row.b_label)]
    assert len(set(labels)) == len(labels)


def test_that_devices_that_stand_nowhere_leave_lengths_unknown() -> None:
    wiring = wiring_of(DESIGN, 32)
    cabling = cabling_of(wiring, spots_of(wiring, Placements(), {}), MEDIA, 400.0)
    assert not cabling.placed
    row = next(cabling.rows())
    assert (row.run_m, row.length_m, row.medium, row.a_rack) == (None, None, "", "")
    assert [c.length_m for c in cabling.classes] == [None]


def test_that_spares_are_rounded_up_in_each_class() -> None:
    cabling = cabled(64, routing=Routing(spare_pct=10.0))
    for one in cabling.classes:
        assert one.spares == -(-one.cables // 10)


def test_that_a_cable_longer_than_anything_reaches_is_said_so() -> None:
    cabling = cabled(32, pitch_mm=1e6)
    assert "none reaches so far" in {row.medium for row in cabling.rows()}


@settings(max_examples=10, deadline=None)
@given(st.floats(0.0, 2.0), st.floats(0.0, 2.0))
def test_that_more_slack_never_shortens_a_cable(one: float, more: float) -> None:
    short, long = (cabled(32, routing=Routing(slack_m=s)) for s in (one, one + more))
    assert (long.length_m >= short.length_m).all()


def test_that_optics_count_two_ends_of_each_fibre_and_copper_none() -> None:
    cabling = cabled(32)
    fibres = sum(row.medium.startswith(("Multimode", "Single")) for row in cabling.rows())
    assert cabling.optics == 2 * fibres
    assert cabling.watts > 0
