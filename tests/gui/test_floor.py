"""The floor under real hands: racks chosen, carried, refused, moved by keys, undone; both canvases at one rack."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from wattsweights_gui.gui.canvas.floor_canvas import FloorCanvas
from wattsweights_gui.gui.canvas.floor_paint import readable_on
from wattsweights_gui.gui.canvas.inks import Inks
from wattsweights_gui.gui.main_window import MainWindow
from wattsweights_gui.gui.theme import Theme

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
Key = Qt.Key


@pytest.fixture
def floor(window: MainWindow, qtbot: Any) -> FloorCanvas:
    """The floor of the default plan, reached by the key and filled by the button."""
    window.session.apply([("cooling.rack_reject_limit_kw", None)])
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Key.Key_6, CTRL)
    found: FloorCanvas = window.centre_views.view("floor")
    qtbot.waitUntil(found.isVisible)
    qtbot.waitUntil(found.fill_button.isVisible)
    QTest.mouseClick(found.fill_button, LEFT)
    qtbot.waitUntil(lambda: bool(found.view.loads) and found.view.isVisible())
    window.session.undo_stack.clear()
    found.view.setFocus()
    found.view.fit()
    return found


def middle(floor: FloorCanvas, rack: int) -> QPoint:
    """The middle of a rack, by its number, in the view."""
    id = floor.session.placements.racks[rack].id
    return floor.view.box_on_screen(floor.view.plan.racks[id].box).center().toPoint()


def carry(floor: FloorCanvas, start: QPoint, goal: QPoint) -> None:
    QTest.mousePress(floor.view, LEFT, NONE, start)
    QTest.mouseMove(floor.view, start + QPoint(5, 5))
    QTest.mouseMove(floor.view, goal)
    QTest.mouseRelease(floor.view, LEFT, NONE, goal)


def chosen(floor: FloorCanvas) -> list[str]:
    return [r.name for r in floor.session.placements.racks if r.id in floor.view.chosen_racks]


def test_that_a_click_chooses_the_rack_here_and_in_the_rack_canvas(window: MainWindow, floor: FloorCanvas) -> None:
    racks = window.centre_views.view("racks").view
    QTest.mouseClick(floor.view, LEFT, NONE, middle(floor, 2))
    assert chosen(floor) == [floor.session.placements.racks[2].name]
    assert racks.look.chosen_racks == floor.view.chosen_racks
    QTest.mouseClick(floor.view, LEFT, CTRL, middle(floor, 4))
    assert len(chosen(floor)) == 2
    assert "2 racks" in floor.about.text()
    racks.choose((), {floor.session.placements.racks[7].id})
    assert chosen(floor) == [floor.session.placements.racks[7].name]
    QTest.keyClick(floor.view, Key.Key_Escape)
    assert not chosen(floor)


def test_that_return_and_a_double_click_show_what_is_in_the_rack(
    window: MainWindow, floor: FloorCanvas, qtbot: Any
) -> None:
    QTest.mouseDClick(floor.view, LEFT, NONE, middle(floor, 3))
    assert window.centre_views.name == "racks"
    racks = window.centre_views.view("racks").view
    assert racks.look.chosen_racks == {floor.session.placements.racks[3].id}
    qtbot.waitUntil(lambda: bool(racks.items_of))
    QTest.keyClick(window, Key.Key_6, CTRL)
    qtbot.waitUntil(floor.view.isVisible)
    QTest.keyClick(floor.view, Key.Key_Return)
    assert window.centre_views.name == "racks"


def test_that_a_rack_is_carried_to_a_free_place_and_undo_puts_it_back(floor: FloorCanvas) -> None:
    session, rack = floor.session, floor.session.placements.racks[0]
    before = floor.view.plan.racks[rack.id].box
    floor.view.zoom(0.5)
    start = middle(floor, 0)
    goal = start + QPoint(0, round((floor.view.plan.outline.depth + 1000) * floor.view._scale))
    carry(floor, start, goal)
    moved = session.placements.rack(rack.id)
    assert moved.y_mm is not None
    assert moved.y_mm > floor.view.plan.rows[-1].box.bottom
    assert moved.y_mm % 1 == 0
    assert session.undo_stack.undoText() == f"Move {rack.name}"
    assert floor.view.plan.racks[rack.id].by_hand
    session.undo_stack.undo()
    assert session.placements.rack(rack.id).y_mm is None
    assert floor.view.plan.racks[rack.id].box == before
    session.undo_stack.redo()
    QTest.keyClick(floor.view, Key.Key_B)
    assert floor.view.plan.racks[rack.id].box == before


def test_that_a_rack_is_refused_on_another_one_with_the_reason_and_nothing_changes(floor: FloorCanvas) -> None:
    placed = floor.session.placements
    carry(floor, middle(floor, 0), middle(floor, 5))
    assert "would overlap" in floor.said.text()
    assert floor.session.placements is placed
    assert not floor.session.undo_stack.canUndo()


def test_that_a_rack_is_refused_where_the_way_would_be_too_narrow(floor: FloorCanvas) -> None:
    placed, start = floor.session.placements, middle(floor, 0)
    carry(floor, start, start + QPoint(0, round(1100.0 * floor.view._scale)))
    assert "must stay free" in floor.said.text()
    assert floor.session.placements is placed


def test_that_keys_choose_move_and_turn(floor: FloorCanvas) -> None:
    view, session = floor.view, floor.session
    QTest.keyClick(view, Key.Key_Right)
    assert chosen(floor) == [session.placements.racks[0].name]
    QTest.keyClick(view, Key.Key_Right)
    assert chosen(floor) == [session.placements.racks[1].name]
    QTest.keyClick(view, Key.Key_Left)
    assert chosen(floor) == [session.placements.racks[0].name]
    QTest.keyClick(view, Key.Key_Down, ALT)
    QTest.keyClick(view, Key.Key_Down, ALT)
    rack = session.placements.racks[0]
    assert rack.y_mm == view.plan.rules.hot_mm + 100.0
    assert session.undo_stack.count() == 1, "steps of one rack are one entry"
    QTest.keyClick(view, Key.Key_Down, ALT | SHIFT)
    assert session.placements.racks[0].y_mm == rack.y_mm + 600.0
    session.undo_stack.undo()
    assert session.placements.racks[0].y_mm is None
    QTest.keyClick(view, Key.Key_T)
    assert session.placements.racks[0].turned_deg is None, "turned it would stand on its neighbour"
    assert "would overlap" in floor.said.text()


def test_that_a_locked_rack_says_so(floor: FloorCanvas) -> None:
    from wattsweights_gui.layout.edits import Edited
    from wattsweights_gui.layout.rack_edits import lock_racks

    rack = floor.session.placements.racks[0]
    locked = lock_racks(floor.session.placements, [rack.id], True)
    assert isinstance(locked, Edited)
    floor.session.place(locked.placements, "Lock")
    QTest.mouseClick(floor.view, LEFT, NONE, middle(floor, 0))
    QTest.keyClick(floor.view, Key.Key_Up, ALT)
    assert floor.said.text() == f"{rack.name} is locked: unlock it first."


def test_that_the_wheel_zooms_about_the_pointer_and_a_drag_pans(floor: FloorCanvas) -> None:
    view = floor.view
    at = QPointF(120, 90)
    under = view.floor_at(at)
    scale = view._scale
    spot = view.mapToGlobal(at.toPoint())
    event = QWheelEvent(
        at,
        QPointF(spot),
        QPoint(0, 0),
        QPoint(0, 240),
        Qt.MouseButton.NoButton,
        NONE,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view, event)
    assert view._scale > scale * 1.5
    assert (view.floor_at(at) - under).manhattanLength() < 1.0
    view.fit()
    corner = view.box_on_screen(view.plan.outline).topLeft()
    empty = QPoint(3, 3)
    assert not view.rack_at(QPointF(empty))
    carry(floor, empty, empty + QPoint(40, 30))
    assert view.box_on_screen(view.plan.outline).topLeft() == corner + QPointF(40, 30)
    assert not floor.session.undo_stack.canUndo()
    QTest.keyClick(view, Key.Key_F)
    assert view.box_on_screen(view.plan.outline).topLeft() == corner


@pytest.mark.parametrize("dark", [False, True])
def test_that_racks_are_coloured_by_what_is_chosen_with_text_that_can_be_read(
    floor: FloorCanvas, theme: Theme, dark: bool
) -> None:
    theme.choose("dark" if dark else "light")
    view = floor.view
    loads = {r.name: view.loads[r.id].power_kw for r in floor.session.placements.racks}
    most, least = max(loads, key=loads.__getitem__), min(loads, key=loads.__getitem__)
    numbers = {r.name: n for n, r in enumerate(floor.session.placements.racks)}

    def colour(name: str) -> QColor:
        box = view.box_on_screen(view.plan.racks[floor.session.placements.racks[numbers[name]].id].box)
        return view.grab().toImage().pixelColor(round(box.left()) + 2, round(box.center().y()))

    assert colour(most) != colour(least)
    before = colour(most)
    floor.colour.setCurrentIndex(floor.colour.findData("flow"))
    assert colour(most) != before, "an air-cooled plan has no flow"
    for inks in (Inks(theme),):
        for share in (0.0, 0.25, 0.5, 0.75, 1.0):
            assert _contrast(inks.scale(share), readable_on(inks.scale(share))) >= 4.5


def _contrast(one: QColor, other: QColor) -> float:
    def light(colour: QColor) -> float:
        parts = (colour.redF(), colour.greenF(), colour.blueF())
        linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_that_the_floor_says_what_is_wrong_with_it(floor: FloorCanvas) -> None:
    assert "Nothing overlaps" in floor.wrong.text()
    floor.session.apply([("floor.floor_load_limit_kg_m2", 100.0)])
    assert "the floor carries" in floor.wrong.text()
    floor.session.set_units("us")
    assert "lb/ft²" in floor.wrong.text()


def test_that_a_moved_rack_is_saved_and_opened_where_it_stands(floor: FloorCanvas, tmp_path: Any) -> None:
    QTest.mouseClick(floor.view, LEFT, NONE, middle(floor, 0))
    QTest.keyClick(floor.view, Key.Key_Down, ALT | SHIFT)
    before = floor.session.placements.racks[0]
    assert before.y_mm is not None
    floor.session.save(tmp_path / "hall.watts")
    floor.session.new()
    floor.session.open(tmp_path / "hall.watts")
    assert floor.session.placements.racks[0] == before
    assert floor.view.plan.racks[before.id].by_hand
