"""The rack canvas under real hands: drags from the palette, keys for all of it, undo for all of it, save and reopen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from wattsweights_gui.gui.canvas.rack_canvas import RackCanvas
from wattsweights_gui.gui.main_window import MainWindow
from wattsweights_gui.layout.placements import EMPTY, Device

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
Key = Qt.Key


def racks_of(window: MainWindow, qtbot: Any) -> RackCanvas:
    """Turn to the racks by the key."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Key.Key_4, CTRL)
    found: RackCanvas = window.centre_views.view("racks")
    qtbot.waitUntil(lambda: found.isVisible() and bool(found.devices.types))
    return found


@pytest.fixture
def canvas(window: MainWindow, qtbot: Any) -> RackCanvas:
    """The canvas of the window, with the room to itself, in a hall whose racks reject 50 kW."""
    window.session.apply([("cooling.technology.rack_limit_kw", 50.0), ("cooling.rack_reject_limit_kw", None)])
    window.session.undo_stack.clear()
    return racks_of(window, qtbot)


@pytest.fixture
def two(canvas: RackCanvas, qtbot: Any) -> RackCanvas:
    """Two empty racks, added by the button and by the key."""
    QTest.mouseClick(canvas.add_button, LEFT)
    qtbot.waitUntil(canvas.view.isVisible)
    QTest.keyClick(canvas.view, Key.Key_R, CTRL | SHIFT)
    qtbot.waitUntil(lambda: len(canvas.view.items_of) == 2)
    canvas.view.choose((), ())
    canvas.view.fit()
    qtbot.wait(1)
    return canvas


def drag_from_palette(canvas: RackCanvas, entry: str, rack: int, unit: int, drop: bool = True) -> None:
    """Take an entry with the mouse and carry it to a rack unit."""
    listed = canvas.devices.list
    canvas.devices.select(entry)
    listed.scrollToItem(listed.currentItem())
    start = listed.visualItemRect(listed.currentItem()).center()
    pane = listed.viewport()
    QTest.mousePress(pane, LEFT, NONE, start)
    QTest.mouseMove(pane, start + QPoint(20, 4))
    goal = pane.mapFromGlobal(canvas.view.viewport().mapToGlobal(canvas.view.point_of(rack, unit)))
    QTest.mouseMove(pane, goal - QPoint(5, 0))
    QTest.mouseMove(pane, goal)
    if drop:
        QTest.mouseRelease(pane, LEFT, NONE, goal)


def drag(canvas: RackCanvas, start: QPoint, goal: QPoint) -> None:
    pane = canvas.view.viewport()
    QTest.mousePress(pane, LEFT, NONE, start)
    QTest.mouseMove(pane, start + QPoint(4, 6))
    QTest.mouseMove(pane, goal)
    QTest.mouseRelease(pane, LEFT, NONE, goal)


def inside(canvas: RackCanvas, rack: int) -> list[Device]:
    placed = canvas.session.placements
    return sorted(placed.inside(placed.racks[rack].id), key=lambda d: d.bottom_u or 0)


def said(canvas: RackCanvas) -> str:
    return canvas.said.text().replace("\u2009", " ")


def test_that_devices_are_dragged_refused_undone_saved_and_reopened(
    two: RackCanvas, tmp_path: Path, qtbot: Any
) -> None:
    session, stack = two.session, two.session.undo_stack
    drag_from_palette(two, "dgx_h100", 0, 4)
    drag_from_palette(two, "dgx_h100", 0, 13)
    drag_from_palette(two, "qm9700", 1, 40)
    drag_from_palette(two, "rack_pdu_zero_u", 1, 20)
    assert [(d.entry, d.bottom_u) for d in inside(two, 0)] == [("dgx_h100", 1), ("dgx_h100", 10)]
    assert [(d.entry, d.bottom_u) for d in inside(two, 1)] == [("rack_pdu_zero_u", None), ("qm9700", 40)]
    before = session.placements
    drag_from_palette(two, "dgx_h100", 0, 12, drop=False)
    assert two.view.ghost.shown
    assert "stands at U10 to U17 of R001" in two.view.ghost.reason
    assert len(two.view.ghost.boxes) == 1
    drag_from_palette(two, "dgx_h100", 0, 12)
    assert "stands at U10 to U17 of R001" in said(two)
    drag_from_palette(two, "dgx_gb200_nvl72", 1, 20)
    assert "is not empty" in said(two) or "coolant loop" in said(two)
    assert session.placements is before
    for unit in (22, 31):
        drag_from_palette(two, "dgx_h100", 0, unit)
    drag_from_palette(two, "dgx_h100", 0, 42)
    assert said(two) == "R001 would draw 51 kW; its feeds give 45 kW when one side is lost."
    full = session.placements
    assert stack.count() == 8
    while stack.canUndo():
        QTest.keyClick(two.view, Key.Key_Z, CTRL)
    assert session.placements.racks == ()
    qtbot.waitUntil(lambda: two.stack.currentIndex() == 1)
    while stack.canRedo():
        QTest.keyClick(two.window(), Key.Key_Z, CTRL | SHIFT)
    assert session.placements == full
    path = session.save(tmp_path / "racks.watts")
    session.new()
    assert session.placements == EMPTY
    session.open(path)
    assert session.placements == full
    assert session.placements.racks == full.racks
    assert not session.dirty
    qtbot.waitUntil(lambda: len(two.view.items_of) == 2)


def test_that_a_device_is_moved_to_another_rack_with_the_mouse(two: RackCanvas) -> None:
    drag_from_palette(two, "qm9700", 0, 10)
    drag(two, two.view.point_of(0, 10), two.view.point_of(1, 30))
    assert inside(two, 0) == []
    assert [d.bottom_u for d in inside(two, 1)] == [30]
    drag(two, two.view.point_of(1, 30), QPoint(3, 3))
    assert [d.bottom_u for d in inside(two, 1)] == [30]


def test_that_a_rectangle_chooses_and_all_of_them_move_together(two: RackCanvas) -> None:
    for unit in (10, 12, 14):
        drag_from_palette(two, "qm9700", 0, unit)
    first, last = two.view.point_of(0, 15), two.view.point_of(0, 11)
    drag(two, first, last + QPoint(30, 0))
    assert len(two.view.look.chosen) == 2
    drag(two, two.view.point_of(0, 12), two.view.point_of(1, 5))
    assert [d.bottom_u for d in inside(two, 1)] == [5, 7]
    assert [d.bottom_u for d in inside(two, 0)] == [10]
    QTest.keyClick(two.view, Key.Key_Z, CTRL)
    assert [d.bottom_u for d in inside(two, 0)] == [10, 12, 14]


def test_that_everything_goes_by_keys(two: RackCanvas, qtbot: Any) -> None:
    view = two.view
    view.setFocus()
    QTest.keyClick(view, Key.Key_Right)
    assert view.look.chosen_racks == {two.session.placements.racks[1].id}
    QTest.keyClick(view, Key.Key_F, CTRL)
    assert two.devices.line.hasFocus()
    QTest.keyClicks(two.devices.line, "qm9700")
    QTest.keyClick(two.devices.line, Key.Key_Return)
    assert [d.bottom_u for d in inside(two, 1)] == [1]
    view.setFocus()
    QTest.keyClick(view, Key.Key_Insert)
    assert [d.bottom_u for d in inside(two, 1)] == [1, 2]
    QTest.keyClick(view, Key.Key_Down)
    QTest.keyClick(view, Key.Key_Up, SHIFT)
    assert len(view.look.chosen) == 2
    QTest.keyClick(view, Key.Key_Up, ALT)
    assert [d.bottom_u for d in inside(two, 1)] == [2, 3]
    QTest.keyClick(view, Key.Key_Left, ALT)
    assert [d.bottom_u for d in inside(two, 0)] == [2, 3]
    QTest.keyClick(view, Key.Key_Left, ALT)
    assert said(two) == "There is no rack so far to the side."
    QTest.keyClick(view, Key.Key_C, CTRL)
    QTest.keyClick(view, Key.Key_Right)
    QTest.keyClick(view, Key.Key_V, CTRL)
    assert [d.bottom_u for d in inside(two, 1)] == [1, 2]
    QTest.keyClick(view, Key.Key_T)
    assert {d.face for d in inside(two, 1)} == {"rear"}
    QTest.keyClick(view, Key.Key_K, CTRL | SHIFT)
    QTest.keyClick(view, Key.Key_Delete)
    assert "is locked" in said(two)
    QTest.keyClick(view, Key.Key_K, CTRL | SHIFT)
    QTest.keyClick(view, Key.Key_X, CTRL)
    assert inside(two, 1) == []
    QTest.keyClick(view, Key.Key_V, CTRL)
    QTest.keyClick(view, Key.Key_D, CTRL)
    assert len(two.session.placements.racks) == 3
    QTest.keyClick(view, Key.Key_Insert, SHIFT)
    assert len(inside(two, 1)) > 20
    QTest.keyClick(view, Key.Key_A, CTRL)
    assert len(view.look.chosen) == len(inside(two, 1))
    QTest.keyClick(view, Key.Key_Delete)
    assert inside(two, 1) == []
    count = two.session.undo_stack.count()
    for _ in range(count):
        QTest.keyClick(view, Key.Key_Z, CTRL)
    assert two.session.placements.racks == ()


def test_that_a_name_is_typed_and_a_taken_one_is_refused(two: RackCanvas, qtbot: Any) -> None:
    view = two.view
    view.setFocus()
    QTest.keyClick(view, Key.Key_Right)
    QTest.keyClick(view, Key.Key_F2)
    assert two.inspector.name.hasFocus()
    QTest.keyClicks(two.inspector.name, "Kitchen")
    QTest.keyClick(two.inspector.name, Key.Key_Return)
    assert [r.name for r in two.session.placements.racks] == ["R001", "Kitchen"]
    QTest.keyClick(view, Key.Key_F2)
    QTest.keyClicks(two.inspector.name, "R001")
    QTest.keyClick(two.inspector.name, Key.Key_Return)
    assert "Another rack is called R001." in said(two)
    assert two.inspector.name.text() == "Kitchen"


def test_that_escape_leaves_a_drag_and_what_is_chosen(two: RackCanvas) -> None:
    drag_from_palette(two, "qm9700", 0, 10)
    pane = two.view.viewport()
    QTest.mousePress(pane, LEFT, NONE, two.view.point_of(0, 10))
    QTest.mouseMove(pane, two.view.point_of(1, 20))
    assert two.view.ghost.shown
    QTest.keyClick(two.view, Key.Key_Escape)
    assert not two.view.ghost.shown
    QTest.mouseRelease(pane, LEFT, NONE, two.view.point_of(1, 20))
    assert [d.bottom_u for d in inside(two, 0)] == [10]
    QTest.keyClick(two.view, Key.Key_Escape)
    assert two.view.look.chosen == set()


def test_that_the_rear_shows_halves_mirrored_and_takes_strips(two: RackCanvas) -> None:
    view = two.view
    view.setFocus()
    QTest.keyClick(view, Key.Key_R)
    assert view.look.face == "rear"
    assert two.faces["rear"].isChecked()
    drag_from_palette(two, "sn2100", 0, 5, drop=False)
    at = view.point_of(0, 5) - QPoint(12, 0)
    pane = two.devices.list.viewport()
    goal = pane.mapFromGlobal(view.viewport().mapToGlobal(at))
    QTest.mouseMove(pane, goal)
    QTest.mouseRelease(pane, LEFT, NONE, goal)
    (half,) = inside(two, 0)
    assert (half.face, half.half) == ("rear", "right")  # the left half as it is seen from behind
    assert view.device_at(at) == half
    assert view.device_at(view.point_of(0, 5) + QPoint(12, 0)) is None


def test_that_wheel_and_keys_zoom_and_the_overview_goes_there(two: RackCanvas, qtbot: Any) -> None:
    view = two.view
    before = view.transform().m11()
    at = view.viewport().rect().center()
    event = QWheelEvent(
        at, view.viewport().mapToGlobal(at), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton, NONE,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view.viewport(), event)
    assert view.transform().m11() > before
    view.setFocus()
    for _ in range(6):
        QTest.keyClick(view, Key.Key_Plus)
    seen = view.mapToScene(at).x()
    QTest.mouseClick(two.overview, LEFT, NONE, QPoint(two.overview.width() - 40, 30))
    assert view.mapToScene(at).x() != pytest.approx(seen)
    QTest.keyClick(view, Key.Key_0)
    assert view.transform().m11() == pytest.approx(before, rel=0.3)


def test_that_a_search_and_a_filter_narrow_the_palette(canvas: RackCanvas) -> None:
    def seen() -> list[str]:
        rows = (canvas.devices.list.item(i) for i in range(canvas.devices.list.count()))
        return [row.data(Qt.ItemDataRole.UserRole) for row in rows if not row.isHidden()]

    everything = len(seen())
    assert everything > 40
    QTest.keyClicks(canvas.devices.line, "quantum ndr")
    assert seen() == ["qm9700", "qm9790"]
    canvas.devices.line.clear()
    canvas.devices.filter.setCurrentText("In the plan")
    assert "dgx_h100" in seen()
    assert len(seen()) < everything


def test_that_racks_are_filled_from_the_plan_and_hand_edits_stay(canvas: RackCanvas, qtbot: Any) -> None:
    session = canvas.session
    QTest.mouseClick(canvas.fill_button, LEFT)
    racks = session.evaluation.results["floor"].racks.value
    assert len(session.placements.racks) == racks
    qtbot.waitUntil(lambda: canvas.disagree.text() == "The racks agree with the plan.")
    node = next(d for d in session.placements.inside(session.placements.racks[0].id) if d.role == "node")
    canvas.view.choose({node.id}, ())
    canvas.view.setFocus()
    QTest.keyClick(canvas.view, Key.Key_Delete)
    qtbot.waitUntil(lambda: "The plan has 64 × DGX H100; 63 are placed: 1 missing." in canvas.disagree.text())
    QTest.keyClick(canvas.view, Key.Key_F, CTRL | SHIFT)
    assert session.placements.counts()["dgx_h100"] == 64
    assert node not in session.placements.inside(session.placements.racks[0].id)  # its place was emptied by hand
    session.apply([("cluster.spare_nodes_pct", 50.0)])
    qtbot.waitUntil(lambda: "96 × DGX H100; 64 are placed: 32 missing." in canvas.disagree.toolTip())


def test_that_a_load_says_why_and_follows_an_undo(two: RackCanvas, window: MainWindow) -> None:
    drag_from_palette(two, "dgx_h100", 0, 4)
    QTest.mouseClick(two.inspector.values["power_kw"], LEFT)
    assert window.docks.why.title.text() == "R001: draw"
    assert window.docks.why.value.text().replace("\u2009", " ") == "10.2 kW"
    assert window.docks.all["why"].isVisible()
    drag_from_palette(two, "dgx_h100", 0, 20)
    assert window.docks.why.value.text().replace("\u2009", " ") == "20.4 kW"
    window.session.undo_stack.undo()
    assert window.docks.why.value.text().replace("\u2009", " ") == "10.2 kW"


def test_that_docks_come_back_when_the_canvas_is_left(canvas: RackCanvas, window: MainWindow) -> None:
    assert not any(dock.isVisible() for dock in window.docks.all.values())
    QTest.keyClick(window, Key.Key_1, CTRL)
    assert window.chain.isVisible()
    assert window.docks.all["workload"].isVisible()


def test_that_racks_of_16384_gpus_are_filled_from_a_plan(window: MainWindow, qtbot: Any) -> None:
    window.session.open_example("llama-405b-16k")
    canvas = racks_of(window, qtbot)
    QTest.mouseClick(canvas.fill_button, LEFT)
    placed, results = window.session.placements, window.session.evaluation.results
    assert placed.counts()["dgx_h100"] * 8 == 16384
    assert len(placed.racks) == results["floor"].racks.value
    assert len(canvas.view.items_of) == len(placed.racks)
    qtbot.waitUntil(lambda: canvas.disagree.text() == "The racks agree with the plan.")
    QTest.keyClick(canvas.view, Key.Key_0)
    assert canvas.view.viewport().rect().contains(canvas.view.mapFromScene(canvas.view.scene().sceneRect().center()))


@pytest.mark.parametrize("metric", range(7))
def test_that_every_colouring_paints_in_both_themes(
    canvas: RackCanvas, window: MainWindow, metric: int, tmp_path: Path
) -> None:
    QTest.mouseClick(canvas.fill_button, LEFT)
    canvas.metric.setCurrentIndex(metric)
    pictures = []
    for theme in ("light", "dark"):
        window.choose_theme(theme)
        pictures.append(canvas.view.grab().toImage())
    assert pictures[0] != pictures[1]
