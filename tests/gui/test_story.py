"""The conversation, as somebody has it: open, edit, see it ripple, take a way out, undo, save, reopen, print."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QToolButton

from wattsweights_gui.gui.main_window import MainWindow

pypdf = pytest.importorskip("pypdf")


def _type(qtbot: Any, window: MainWindow, path: str, text: str) -> None:
    window.go_to(path)
    editor = window.docks.layers[path.split(".")[0]].form.field(path).editor
    line = editor.findChild(QLineEdit) or editor
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, text)
    qtbot.keyClick(line, Qt.Key.Key_Return)


def _settled(qtbot: Any, window: MainWindow) -> None:
    session = window.session
    qtbot.waitUntil(lambda: not session.jobs.running("settle") and not session.ends_pending, timeout=10_000)


def _result(window: MainWindow, layer: str, name: str) -> str:
    panel = window.docks.layers[layer]
    panel.build()
    button = panel.findChild(QToolButton, f"layers.{layer}.result.{name}")
    assert button is not None
    panel.refresh()
    return button.text()


def test_the_conversation_from_a_customers_question_to_paper(qtbot: Any, window: MainWindow, tmp_path: Path) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)  # keys go to it
    window.files.open_example("512-against-256")
    _settled(qtbot, window)
    session = window.session
    start = session.plan
    assert window.verdict.state.text().upper() == "DOES NOT FIT"
    assert "40.8" in window.verdict.sentence.text()
    water_before = _result(window, "cooling", "facility_water_l_min")
    card_before = window.chain.cards["power"].content

    # an edit with the keyboard ripples to the chain, another layer's results and a chart
    chart = _load_chart(qtbot, window)
    loads_before = [need.need.value for need in chart.ranked]
    _type(qtbot, window, "power.management_kw", "120 kW")
    _settled(qtbot, window)
    assert session.plan.value("power.management_kw") == 120.0
    assert window.chain.cards["power"].content != card_before
    assert _result(window, "cooling", "facility_water_l_min") != water_before
    qtbot.waitUntil(lambda: [need.need.value for need in chart.ranked] != loads_before, timeout=2000)

    # a click on a number of a card says where it comes from
    card = window.chain.cards["power"]
    card.grab()
    path = "layers.power.result.it_power_kw"
    qtbot.mouseClick(card, Qt.MouseButton.LeftButton, pos=card.rect_of(path).center().toPoint())
    assert window.docks.why.path == path
    assert window.docks.why.tree.topLevelItemCount() > 0

    # bad input is refused where it stands, and nothing has changed
    _type(qtbot, window, "power.power_factor", "7")
    assert session.plan.value("power.power_factor") == start.value("power.power_factor")

    # a way out, applied by the keyboard
    window.find_levers()
    qtbot.waitUntil(lambda: bool(window.docks.levers.model.levers), timeout=30_000)
    table = window.docks.levers.table
    closing = next(i for i, lever in enumerate(window.docks.levers.model.levers) if lever.closes > 0.5)
    table.selectRow(closing)
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_Return)
    _settled(qtbot, window)
    chosen = window.docks.levers.model.levers[closing]
    assert session.evaluation.figure("floor.racks").value == chosen.evaluation.figure("floor.racks").value
    assert session.undo_stack.canUndo()

    # undo to the start, and forth again
    steps = session.undo_stack.count()
    for _ in range(steps):
        qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert not session.undo_stack.canUndo()
    assert session.plan == start
    _settled(qtbot, window)
    assert window.chain.cards["power"].content == card_before
    for _ in range(steps):
        qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert not session.undo_stack.canRedo()
    _settled(qtbot, window)
    last = session.plan

    # saved, reopened: everything is back to the last digit
    project = tmp_path / "story.watts"
    window.files.dialogs.path = str(project)
    qtbot.keyClick(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert project.exists()
    assert not session.dirty
    window.files.new()
    assert session.plan != last
    window.files.open_path(str(project))
    _settled(qtbot, window)
    assert session.plan == last

    # printed: what the paper says is what the screen says
    paper = tmp_path / "story.pdf"
    window.files.export_to(str(paper))
    qtbot.waitUntil(paper.exists, timeout=20_000)
    # behind the cover
    first = " ".join(" ".join(page.extract_text() for page in pypdf.PdfReader(paper).pages[:4]).split())
    assert "GPUs needed" in first.replace("\u2009", " ")


def _load_chart(qtbot: Any, window: MainWindow) -> Any:
    window.docks.open("charts")
    window.docks.charts.build()
    return window.docks.charts.panel.chart("Need against have")
