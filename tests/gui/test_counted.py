"""The window follows what is placed: a device added is in power, flow and floor load, and undo takes it out again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication

from wattsweights_gui.gui.session import Session
from wattsweights_gui.layout.from_plan import fill_from_plan
from wattsweights_gui.layout.placements import EMPTY
from wattsweights_gui.layout.wanted import wanted_of

PATHS = ("power.facility_power_kw", "cooling.coolant_flow_l_min", "floor.floor_load_kg_m2")


@pytest.fixture
def session(qapp: QCoreApplication) -> Session:
    made = Session()
    made.open_example("512-against-256")
    made.apply((("cooling.technology", "single_phase"),))
    found = fill_from_plan(EMPTY, made.hall, wanted_of(made.evaluation, made.hall)).placements
    made.place(found, "Fill from the plan")
    return made


def add_a_node(session: Session) -> None:
    placed = session.placements
    rack = next(r for r in placed.racks if any(d.role == "node" for d in placed.inside(r.id)))
    node = next(d for d in placed.inside(rack.id) if d.role == "node")
    more = replace(node, id="d99999", name="by hand", by_hand=True)
    session.place(placed.with_inside({rack.id: (*placed.inside(rack.id), more)}), "Add a node")


def test_that_a_device_added_raises_utility_flow_and_floor_load_and_undo_takes_it_back(session: Session) -> None:
    told: list[tuple[str, ...]] = []
    session.changed.connect(lambda layers, _: told.append(layers))
    before = [session.figure(p).number for p in PATHS]
    add_a_node(session)
    assert all(session.figure(p).number > was for p, was in zip(PATHS, before, strict=True))
    assert {"power", "cooling", "floor"} <= set(told[-1])
    session.undo_stack.undo()
    assert [session.figure(p).number for p in PATHS] == before
    session.undo_stack.redo()
    assert session.figure(PATHS[0]).number > before[0]


def test_that_an_edit_of_the_plan_keeps_counting_what_is_placed(session: Session) -> None:
    add_a_node(session)
    session.apply((("power.management_kw", 25.0),))
    assert session.evaluation.placed is not None
    assert any("placed" in f.message for f in session.evaluation.findings if f.id == "floor.counted.differs")
    session.undo_stack.undo()
    assert session.evaluation.placed is not None


def test_that_a_project_that_is_opened_is_counted_by_its_racks(session: Session) -> None:
    add_a_node(session)
    document, power = session.document, session.figure(PATHS[0]).number
    session.show_document(document)
    assert session.figure(PATHS[0]).number == power
    session.new()
    assert session.evaluation.placed is None
