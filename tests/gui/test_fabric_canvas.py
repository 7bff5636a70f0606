"""The fabric canvas under real hands: a fabric built by mouse, links refused, undo for all of it, save and reopen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from wattsweights_gui.gui.canvas.fabric_canvas import FabricCanvas
from wattsweights_gui.gui.canvas.fabric_look import DEVICES_FROM, PORTS_FROM
from wattsweights_gui.gui.canvas.fabric_overlays import OVERLAYS
from wattsweights_gui.gui.main_window import MainWindow
from wattsweights_gui.layout.fabric_edits import NO_EDITS

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
Key = Qt.Key


def fabric_of(window: MainWindow, qtbot: Any) -> FabricCanvas:
    """Turn to the fabric by the key."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Key.Key_5, CTRL)
    found: FabricCanvas = window.centre_views.view("fabric")
    qtbot.waitUntil(lambda: found.isVisible() and found.view.look.drawing is not None)
    qtbot.waitUntil(lambda: bool(found.disagree.text()))
    return found


@pytest.fixture
def canvas(window: MainWindow, qtbot: Any) -> FabricCanvas:
    """The canvas of the window on the fabric of 64 nodes, 16 leaves and 8 spines."""
    window.session.undo_stack.clear()
    return fabric_of(window, qtbot)


@pytest.fixture
def sheet(canvas: FabricCanvas, qtbot: Any) -> FabricCanvas:
    """An empty sheet, by the key, near enough for ports."""
    canvas.view.setFocus()
    QTest.keyClick(canvas.view, Key.Key_E, CTRL | SHIFT)
    qtbot.waitUntil(lambda: not canvas.view.fabric.own_names)
    rows = canvas.view.drawing.row_y
    canvas.view.zoom(0.85 / canvas.view.scale_now)
    canvas.view.centerOn(QPointF(700.0, rows[2]))
    qtbot.wait(1)
    return canvas


def drag_from_palette(canvas: FabricCanvas, id: str, x: float, row: int, drop: bool = True) -> str:
    """Take a row with the mouse and carry it to a row of the drawing; return the name of what is chosen then."""
    listed, view = canvas.palette_of.list, canvas.view
    canvas.palette_of.select(id)
    listed.scrollToItem(listed.currentItem())
    start = listed.visualItemRect(listed.currentItem()).center()
    pane = listed.viewport()
    QTest.mousePress(pane, LEFT, NONE, start)
    QTest.mouseMove(pane, start + QPoint(20, 4))
    at = view.mapFromScene(QPointF(x, view.drawing.row_y[row] + 22.0))
    goal = pane.mapFromGlobal(view.viewport().mapToGlobal(at))
    QTest.mouseMove(pane, goal - QPoint(5, 0))
    QTest.mouseMove(pane, goal)
    if drop:
        QTest.mouseRelease(pane, LEFT, NONE, goal)
    return next(iter(view.look.chosen), "")


def drag(canvas: FabricCanvas, start: QPoint, goal: QPoint, drop: bool = True) -> None:
    pane = canvas.view.viewport()
    QTest.mousePress(pane, LEFT, NONE, start)
    QTest.mouseMove(pane, start + QPoint(4, 8))
    QTest.mouseMove(pane, goal)
    if drop:
        QTest.mouseRelease(pane, LEFT, NONE, goal)


def draw(canvas: FabricCanvas, a: tuple[str, int], b: tuple[str, int], drop: bool = True) -> None:
    """Draw a link from port to port with the mouse."""
    drag(canvas, canvas.view.point_of(*a), canvas.view.point_of(*b), drop)


def said(canvas: FabricCanvas) -> str:
    return canvas.said.text().replace("\u2009", " ")


def tier(canvas: FabricCanvas, name: str) -> list[str]:
    """The row of a tier as it is shown: links drawn, links of the plan, oversubscription."""
    for row in canvas.inspector.cells[1:]:
        if row[0].text() == name and not row[0].isHidden():
            return [cell.text() for cell in row[1:]]
    return []


def test_that_a_two_tier_fabric_is_built_by_mouse_refused_undone_saved_and_reopened(
    sheet: FabricCanvas, tmp_path: Path, qtbot: Any
) -> None:
    session, view = sheet.session, sheet.view
    one, other = (drag_from_palette(sheet, "dgx_h100", x, 0) for x in (450.0, 600.0))
    leaf = drag_from_palette(sheet, "qm9700", 500.0, 2)
    spine = drag_from_palette(sheet, "qm9700", 600.0, 3)
    faster = drag_from_palette(sheet, "q3400_ra", 1000.0, 2)
    assert [one, other, leaf, spine, faster] == ["node-x1", "node-x2", "leaf-x1", "spine-x1", "leaf-x2"]
    draw(sheet, (one, 0), (leaf, 0))
    draw(sheet, (other, 0), (leaf, 1))
    draw(sheet, (leaf, 32), (spine, 0))
    draw(sheet, (leaf, 33), (spine, 1))
    assert len(view.fabric.links) == 4
    qtbot.waitUntil(lambda: tier(sheet, "Leaf to spine") == ["2", "512", "1 : 1"])

    before = session.fabric_edits
    draw(sheet, (one, 1), (faster, 3), drop=False)
    assert view.ghost.shown
    assert "node-x1 has ports of 400 Gb/s, leaf-x2 of 800 Gb/s" in view.ghost.reason
    draw(sheet, (one, 1), (faster, 3))
    assert "take a switch, or a split of one, of the same speed" in said(sheet)
    draw(sheet, (one, 0), (spine, 5))
    assert said(sheet) == "node-x1 port 1 is taken: it goes to leaf-x1."
    assert session.fabric_edits is before

    draw(sheet, (one, 1), (leaf, 2))
    qtbot.waitUntil(lambda: tier(sheet, "Leaf to spine") == ["2", "512", "1.5 : 1"])
    assert "Oversubscription leaf to spine is 1.5 to 1" in sheet.disagree.toolTip()
    QTest.keyClick(view, Key.Key_Z, CTRL)
    qtbot.waitUntil(lambda: tier(sheet, "Leaf to spine") == ["2", "512", "1 : 1"])
    QTest.keyClick(view, Key.Key_Z, CTRL | SHIFT)
    full = session.fabric_edits
    assert full.count == 10

    path = session.save(tmp_path / "fabric.watts")
    session.new()
    assert session.fabric_edits == NO_EDITS
    session.open(path)
    assert session.fabric_edits == full
    assert not session.dirty
    qtbot.waitUntil(lambda: view.look.fabric is not None and len(view.fabric.links) == 5)
    assert view.fabric.names == (one, other, leaf, spine, faster)


def test_that_every_edit_is_undone_one_by_one(sheet: FabricCanvas) -> None:
    view, stack = sheet.view, sheet.session.undo_stack
    leaf = drag_from_palette(sheet, "qm9700", 400.0, 2)
    spine = drag_from_palette(sheet, "qm9700", 400.0, 3)
    draw(sheet, (leaf, 40), (spine, 7))
    drag(sheet, view.point_of(leaf), view.point_of(leaf) + QPoint(150, 30))
    view.choose({leaf, spine})
    QTest.keyClick(view, Key.Key_G, CTRL)
    assert {view.fabric.group_of(d) for d in (0, 1)} == {"Group 1"}
    view.choose({leaf})
    QTest.keyClick(view, Key.Key_Delete)
    assert view.fabric.own_names == (spine,)
    assert len(view.fabric.links) == 0
    final = sheet.session.fabric_edits
    assert stack.count() == 7
    while stack.canUndo():
        QTest.keyClick(view, Key.Key_Z, CTRL)
    assert sheet.session.fabric_edits == NO_EDITS
    assert len(view.fabric.links) == 1024
    while stack.canRedo():
        QTest.keyClick(view, Key.Key_Z, CTRL | SHIFT)
    assert sheet.session.fabric_edits == final


def test_that_a_drag_is_given_up_by_escape(sheet: FabricCanvas) -> None:
    view = sheet.view
    leaf = drag_from_palette(sheet, "qm9700", 400.0, 2)
    spine = drag_from_palette(sheet, "qm9700", 400.0, 3)
    count = sheet.session.undo_stack.count()
    draw(sheet, (leaf, 40), (spine, 7), drop=False)
    assert view.ghost.shown
    assert view.ghost.reason == ""
    QTest.keyClick(view, Key.Key_Escape)
    assert not view.ghost.shown
    QTest.mouseRelease(view.viewport(), LEFT, NONE, view.point_of(spine, 7))
    assert sheet.session.undo_stack.count() == count
    QTest.keyClick(view, Key.Key_Escape)
    assert view.look.chosen == set()


def test_that_a_loop_is_a_caution_and_is_drawn(sheet: FabricCanvas) -> None:
    one = drag_from_palette(sheet, "qm9700", 300.0, 2)
    other = drag_from_palette(sheet, "qm9700", 700.0, 2)
    draw(sheet, (one, 32), (other, 33), drop=False)
    assert "a loop outside the tree" in sheet.view.ghost.caution
    draw(sheet, (one, 32), (other, 33))
    assert said(sheet) == "Caution: Two leaves joined directly: a loop outside the tree."
    assert len(sheet.view.fabric.links) == 1


def test_that_a_link_is_clicked_and_deleted(canvas: FabricCanvas, qtbot: Any) -> None:
    view = canvas.view
    canvas.jump("leaf-su01-r1")
    port = next(
        p for p in range(64) if view.rect().adjusted(200, 0, -200, 0).contains(view.point_of("leaf-su01-r1", p))
    )
    QTest.mouseClick(view.viewport(), LEFT, NONE, view.point_of("leaf-su01-r1", port))
    (key,) = view.look.chosen_links
    assert ("leaf-su01-r1", port) in ((key[0], key[1]), (key[2], key[3]))
    assert canvas.inspector.heading.text() == "Link"
    QTest.keyClick(view, Key.Key_Delete)
    assert len(view.fabric.links) == 1023
    qtbot.waitUntil(lambda: "1 of the plan's 512 are not drawn" in canvas.disagree.toolTip())


def test_that_devices_are_linked_from_afar_where_links_are_drawn(sheet: FabricCanvas) -> None:
    view = sheet.view
    leaf = drag_from_palette(sheet, "qm9700", 400.0, 2)
    spine = drag_from_palette(sheet, "qm9700", 400.0, 3)
    view.zoom(0.5 / view.scale_now)
    assert view.scale_now < PORTS_FROM
    drag(sheet, view.point_of(leaf), view.point_of(spine) + QPoint(10, 0))
    assert len(view.fabric.links) == 0  # it was moved
    QTest.keyClick(view, Key.Key_Z, CTRL)
    QTest.mouseClick(sheet.linking, LEFT)
    drag(sheet, view.point_of(leaf), view.point_of(spine))
    assert len(view.fabric.links) == 1


def test_that_nothing_but_the_paths_of_what_is_chosen_lights_up(canvas: FabricCanvas) -> None:
    view = canvas.view
    assert not view.look.lit.any()
    QTest.mouseClick(view.viewport(), LEFT, NONE, view.point_of("node-003"))
    assert view.look.chosen == {"node-003"}
    assert int(view.look.lit.sum()) == 8 + 8 * 32
    QTest.mouseClick(view.viewport(), LEFT, CTRL, view.point_of("node-004"))
    assert int(view.look.lit.sum()) == 16  # by the leaves of their unit
    assert "16 links lie on the shortest paths" in canvas.inspector.about.text()
    QTest.keyClick(view, Key.Key_Escape)
    assert not view.look.lit.any()


# the list of names is a window of its own, which the offscreen platform neither raises nor gives the keyboard
@pytest.mark.qt_log_ignore("propagateSizeHints", "raise", "grabbing the keyboard")
def test_that_a_search_jumps_to_a_device(canvas: FabricCanvas) -> None:
    view = canvas.view
    view.setFocus()
    QTest.keyClick(view, Key.Key_F, CTRL)
    assert canvas.line.hasFocus()
    QTest.keyClicks(canvas.line, "LEAF-SU02-R5")
    QTest.keyClick(canvas.line, Key.Key_Return)
    assert view.look.chosen == {"leaf-su02-r5"}
    assert view.scale_now >= PORTS_FROM
    assert view.viewport().rect().contains(view.point_of("leaf-su02-r5"))
    canvas.line.clear()
    QTest.keyClicks(canvas.line, "kitchen")
    QTest.keyClick(canvas.line, Key.Key_Return)
    assert said(canvas) == "The fabric has no device “kitchen”."


def test_that_wheel_and_keys_zoom_and_walk(canvas: FabricCanvas) -> None:
    view = canvas.view
    before = view.scale_now
    at = view.viewport().rect().center()
    event = QWheelEvent(
        at, view.viewport().mapToGlobal(at), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton, NONE,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view.viewport(), event)
    assert view.scale_now > before
    view.setFocus()
    QTest.keyClick(view, Key.Key_0)
    assert view.scale_now == pytest.approx(before)
    view.choose({"node-001"})
    QTest.keyClick(view, Key.Key_Right)
    assert view.look.chosen == {"node-002"}
    QTest.keyClick(view, Key.Key_Up)
    (leaf,) = view.look.chosen
    assert leaf.startswith("leaf-su01")
    QTest.keyClick(view, Key.Key_Up)
    (spine,) = view.look.chosen
    assert spine.startswith("spine")
    at_first = view.box_of(spine).x()
    QTest.keyClick(view, Key.Key_Right, ALT)
    assert view.box_of(spine).x() == at_first + 20.0


def test_that_what_no_longer_agrees_with_the_plan_is_said(canvas: FabricCanvas, qtbot: Any) -> None:
    session = canvas.session
    assert canvas.disagree.text() == "The fabric is the plan's own."
    canvas.view.choose({"node-064"})
    QTest.keyClick(canvas.view, Key.Key_Delete)
    qtbot.waitUntil(lambda: "The plan has 64 nodes; 63 are drawn." in canvas.disagree.toolTip())
    session.apply([("parallelism.layout", "pinned"), ("parallelism.tp", 4)])
    nodes = int(session.evaluation.results["cluster"].nodes.number)
    assert nodes < 64
    qtbot.waitUntil(lambda: "node-064 was deleted by hand; the plan no longer has it." in canvas.disagree.text())
    QTest.keyClick(canvas.view, Key.Key_F, CTRL | SHIFT)
    qtbot.waitUntil(lambda: canvas.disagree.text() == "The fabric is the plan's own.")


@pytest.mark.parametrize("overlay", range(len(OVERLAYS)))
def test_that_every_overlay_paints_in_both_themes(canvas: FabricCanvas, window: MainWindow, overlay: int) -> None:
    canvas.view.choose({"leaf-su01-r1"})
    plain = canvas.view.grab().toImage()
    canvas.overlay.setCurrentIndex(overlay)
    look = canvas.view.look
    if OVERLAYS[overlay].name == "oversubscription":
        assert "leaf to spine 1 to 1" in canvas.inspector.overlay_words.text()
        assert "1 : 1" in look.overlay.words.values()
    if OVERLAYS[overlay].name == "fault":
        assert canvas.inspector.overlay_words.text().startswith("Without leaf-su01-r1: 32 nodes lose 1 of 8 links")
        assert int(look.overlay.lost.sum()) == 64
    pictures = []
    for theme in ("light", "dark"):
        window.choose_theme(theme)
        pictures.append(canvas.view.grab().toImage())
    assert pictures[0] != pictures[1]
    shows = bool(len(look.overlay.device) or len(look.overlay.lost) or len(look.overlay.wide))
    assert shows or overlay == 0 or canvas.inspector.overlay_words.text()
    if len(look.overlay.device):
        assert pictures[0] != plain


def test_that_a_device_selected_elsewhere_is_chosen_here_and_the_other_way_round(canvas: FabricCanvas) -> None:
    session, view = canvas.session, canvas.view
    heard: list[str] = []
    session.device_selected.connect(lambda name, origin: heard.append(name))
    session.select_device("spine-3", "a test")
    assert view.look.chosen == {"spine-3"}
    QTest.mouseClick(view.viewport(), LEFT, NONE, view.point_of("node-005"))
    assert session.selected_device == "node-005"
    QTest.keyClick(view, Key.Key_Escape)
    assert heard == ["spine-3", "node-005", ""]


def test_that_racks_and_fabric_choose_the_same_device(canvas: FabricCanvas, window: MainWindow, qtbot: Any) -> None:
    QTest.keyClick(window, Key.Key_4, CTRL)
    racks: Any = window.centre_views.view("racks")
    qtbot.waitUntil(racks.isVisible)
    QTest.mouseClick(racks.fill_button, LEFT)
    qtbot.waitUntil(lambda: bool(racks.view.items_of))
    session = window.session
    rack = session.placements.racks[0]
    node = next(d for d in session.placements.inside(rack.id) if d.role == "node")
    at = racks.view.point_of(0, node.bottom_u + 3)
    QTest.mouseClick(racks.view.viewport(), LEFT, NONE, at)
    assert racks.view.look.chosen == {node.id}
    name = session.selected_device
    assert name.startswith("node-0")
    QTest.keyClick(window, Key.Key_5, CTRL)
    qtbot.waitUntil(lambda: canvas.view.look.chosen == {name})
    QTest.mouseClick(canvas.view.viewport(), LEFT, NONE, canvas.view.point_of("leaf-su01-r1"))
    (chosen,) = racks.view.look.chosen
    assert session.placements.device(chosen).role == "leaf"
    QTest.keyClick(canvas.view, Key.Key_Escape)
    assert racks.view.look.chosen == set()


def test_that_16384_gpus_are_drawn_with_all_their_links(window: MainWindow, qtbot: Any) -> None:
    window.session.open_example("llama-405b-16k")
    canvas = fabric_of(window, qtbot)
    view = canvas.view
    assert len(view.fabric.links) == 49_152
    assert view.scale_now < DEVICES_FROM
    assert len(view.drawing.blocks) == 64 + 8 + 1
    far = view.grab().toImage()
    middle = view.mapFromScene(QPointF(*(getattr(view.drawing.blocks[12], n) for n in ("x", "y")))) + QPoint(20, 10)
    QTest.mouseDClick(view.viewport(), LEFT, NONE, middle)
    assert view.scale_now > DEVICES_FROM
    assert view.grab().toImage() != far
    canvas.jump("node-2048")
    assert view.viewport().rect().contains(view.point_of("node-2048"))


@pytest.mark.parametrize("example", ["llama-405b-16k", "moe-nvl72", "two-phase-8mw"])
def test_that_the_whole_stays_in_sight_at_any_size_of_the_window(window: MainWindow, qtbot: Any, example: str) -> None:
    window.session.open_example(example)
    canvas = fabric_of(window, qtbot)
    view = canvas.view
    for wide, high in ((1366, 768), (1371, 790), (1920, 1080), (1100, 900)):
        window.resize(wide, high)
        qtbot.wait(20)
        left, top, right, bottom = view.drawing.bounds()
        seen = view.viewport().rect()
        assert seen.contains(view.mapFromScene(QPointF(left, top)))
        assert seen.contains(view.mapFromScene(QPointF(right, bottom)))


def test_that_docks_come_back_when_the_canvas_is_left(canvas: FabricCanvas, window: MainWindow) -> None:
    assert not any(dock.isVisible() for dock in window.docks.all.values())
    QTest.keyClick(window, Key.Key_1, CTRL)
    assert window.chain.isVisible()
