"""Result tables of the docks: filled when seen, enlarged in a window that follows the plan, copied as CSV."""

from __future__ import annotations

import csv
import io
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton

from wattsweights_gui.gui.main_window import MainWindow
from wattsweights_gui.gui.panels.table_view import LaterView, TableWindow

LAYOUT = (("parallelism.layout", "pinned"), ("parallelism.tp", 8), ("parallelism.pp", 8), ("parallelism.dp", 4))


def split(window: MainWindow) -> Any:
    window.docks.open("parallelism")
    dock = window.docks.layers["parallelism"]
    dock.build()
    return dock


def made(window: MainWindow, name: str) -> bool:
    return "rows" in vars(getattr(window.session.evaluation.results["parallelism"], name))


def test_that_a_dear_table_is_made_when_somebody_scrolls_to_it(qtbot: Any, window: MainWindow) -> None:
    dock = split(window)
    window.session.apply(LAYOUT)
    qtbot.wait(50)
    assert not made(window, "mfu_parts")
    view = dock.results.findChild(LaterView, "layers.parallelism.result.mfu_parts")
    dock.ensureWidgetVisible(view)
    qtbot.waitUntil(lambda: made(window, "mfu_parts"))
    qtbot.waitUntil(lambda: view.model().rowCount() >= 5)


def test_that_a_table_opens_in_a_window_follows_the_plan_and_is_copied(qtbot: Any, window: MainWindow) -> None:
    dock = split(window)
    window.session.apply(LAYOUT)
    button = dock.results.findChild(QToolButton, "enlarge.parallelism.groups")
    dock.ensureWidgetVisible(button)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    table = dock.results.findChild(TableWindow, "table.parallelism.groups")
    qtbot.waitUntil(table.isVisible)
    assert table.windowTitle() == "Parallel groups"
    members = [table.model.index(row, 1).data() for row in range(5)]
    assert members == ["8", "1", "1", "4", "8"]
    window.session.apply([("parallelism.dp", 2)])
    assert table.model.index(3, 1).data() == "2"
    table.copy_csv()
    rows = list(csv.reader(io.StringIO(QGuiApplication.clipboard().text())))
    assert rows[0][:2] == ["Group", "Members"]
    assert "NVLink sent, GB" in rows[0]
    assert len(rows) == 6
    QTest.keyClick(table, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: dock.results.findChild(TableWindow, "table.parallelism.groups") is None)
    window.session.apply([("parallelism.dp", 4)])


def test_that_the_button_is_reached_and_pressed_by_keys(qtbot: Any, window: MainWindow) -> None:
    dock = split(window)
    window.session.apply(LAYOUT)
    button = dock.results.findChild(QToolButton, "enlarge.parallelism.mfu_parts")
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Space)
    table = dock.results.findChild(TableWindow, "table.parallelism.mfu_parts")
    qtbot.waitUntil(table.isVisible)
    table.close()
