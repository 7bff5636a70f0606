"""The window, driven as a person drives it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QMimeData, QObject, QPointF, Qt, QUrl
from PySide6.QtGui import QColor, QDropEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QPushButton, QToolButton, QWidget

from wattsweights_gui.gui.actions import DEEDS
from wattsweights_gui.gui.main_window import MainWindow
from wattsweights_gui.gui.session import Session
from wattsweights_gui.gui.theme import Theme
from wattsweights_gui.project import recovery, store
from wattsweights_gui.project.examples import examples


def _edit(qtbot: Any, window: MainWindow, path: str, text: str) -> Any:
    """Type a value into the field of a path and press Enter."""
    layer = path.split(".")[0]
    window.docks.open(layer)
    panel = window.docks.layers[layer]
    assert panel.focus_field(path)
    field = panel.form.field(path)
    qtbot.waitUntil(field.editor.isVisible)
    field.editor.lineEdit().selectAll()
    qtbot.keyClicks(field.editor, text)
    qtbot.keyClick(field.editor, Qt.Key.Key_Return)
    return field


def test_that_a_typed_edit_changes_the_chain_the_verdict_and_another_layers_dock(
    qtbot: Any, window: MainWindow
) -> None:
    window.docks.open("floor")
    floor = window.docks.layers["floor"]
    racks = floor.findChild(QToolButton, "layers.floor.result.racks")
    before, card = racks.text(), window.chain.cards["cooling"].content
    verdict = window.verdict.sentence.text()
    assert card.state == "over"
    _edit(qtbot, window, "cooling.technology.rack_limit_kw", "60")
    assert window.chain.cards["cooling"].content != card
    assert window.chain.cards["cooling"].content.state != "over"
    qtbot.waitUntil(lambda: window.verdict.sentence.text() != verdict)
    _edit(qtbot, window, "cluster.nodes_per_rack", "2")
    window.docks.open("floor")
    qtbot.waitUntil(racks.isVisible)
    assert racks.text() != before


def test_that_undo_goes_back_to_the_start_and_redo_to_the_end(qtbot: Any, window: MainWindow) -> None:
    session = window.session
    start = session.plan
    _edit(qtbot, window, "workload.days", "300")
    _edit(qtbot, window, "cooling.water_supply_c", "22")
    session.apply([("compute.power_cap_w", 500.0)], "Cap")
    end = session.plan
    undo, redo = window.actions_made.by_name["undo"], window.actions_made.by_name["redo"]
    while undo.isEnabled():
        undo.trigger()
    assert session.plan.layers == start.layers
    assert not session.dirty
    days = window.docks.layers["workload"].form.field("workload.days").editor
    window.docks.open("workload")
    assert days.text_of() == "200"
    while redo.isEnabled():
        redo.trigger()
    assert session.plan.layers == end.layers


def test_that_a_click_on_a_card_opens_its_dock_and_on_a_number_explains_it(qtbot: Any, window: MainWindow) -> None:
    card = window.chain.cards["power"]
    qtbot.mouseClick(card, Qt.MouseButton.LeftButton, pos=QPointF(card.width() / 3, card.height() / 2).toPoint())
    qtbot.waitUntil(lambda: not window.docks.all["power"].visibleRegion().isEmpty())
    line = card.content.headlines[0]
    with qtbot.waitSignal(window.session.why_requested) as asked:
        qtbot.mouseClick(card, Qt.MouseButton.LeftButton, pos=card.rect_of(line.path).center().toPoint())
    assert asked.args == [line.path]
    assert window.docks.why.path == line.path


def test_that_a_number_in_a_dock_explains_itself(qtbot: Any, window: MainWindow) -> None:
    window.docks.open("power")
    number = window.docks.layers["power"].findChild(QToolButton, "layers.power.result.it_power_kw")
    qtbot.waitUntil(number.isVisible)
    qtbot.mouseClick(number, Qt.MouseButton.LeftButton)
    assert window.docks.why.path == "layers.power.result.it_power_kw"


def test_that_the_verdict_names_the_binding_limit_first_and_leads_to_its_layer(qtbot: Any, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window.verdict.state.text() == "DOES NOT FIT")
    first = window.verdict.findChild(QToolButton, "verdict.binding.1")
    assert "Heat of the fullest rack" in first.text()
    qtbot.mouseClick(first, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.docks.all["cooling"].visibleRegion().isEmpty())


def test_that_a_fix_is_an_edit_that_can_be_taken_back(qtbot: Any, window: MainWindow) -> None:
    session = window.session
    assert session.apply([("cooling.water_supply_c", 8.0)])  # below the dew point
    fixable = [f for f in session.evaluation.findings if f.fix]
    assert fixable
    from wattsweights_gui.gui.panels.findings import layer_of

    layer = layer_of(fixable[0])
    window.docks.open(layer)
    button = window.docks.layers[layer].findChild(QPushButton, f"fix/{fixable[0].id}")
    qtbot.waitUntil(button.isVisible)
    before = session.plan
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert session.plan != before
    session.undo_stack.undo()
    assert session.plan.layers == before.layers


def test_that_dark_and_light_change_the_ground_of_the_whole_window(qtbot: Any, window: MainWindow) -> None:
    def ground() -> QColor:
        return window.grab().toImage().pixelColor(window.chain.mapTo(window, window.chain.rect().center()))

    window.actions_made.by_name["theme.light"].trigger()
    assert ground().lightness() > 128
    window.actions_made.by_name["theme.dark"].trigger()
    assert ground().lightness() < 128
    window.actions_made.by_name["theme.light"].trigger()


def test_that_units_are_switched_everywhere_and_back(qtbot: Any, window: MainWindow) -> None:
    before = window.session.plan
    window.docks.open("cooling")
    field = window.docks.layers["cooling"].form.field("cooling.water_supply_c")
    qtbot.waitUntil(lambda: not field.editor.visibleRegion().isEmpty())
    shown = field.editor.text_of()
    window.actions_made.by_name["units.us"].trigger()
    assert field.editor.text_of() != shown
    assert any("gpm" in line.text for line in window.chain.cards["cooling"].content.headlines)
    window.actions_made.by_name["units.si"].trigger()
    assert field.editor.text_of() == shown
    assert window.session.plan is before


@pytest.mark.qt_log_ignore("does not support raise", extend=True)
def test_that_the_layout_of_docks_comes_back_at_the_next_start(
    qtbot: Any, session: Session, theme: Theme, home: Path
) -> None:
    first = MainWindow(session, theme)
    first.show()
    qtbot.waitExposed(first)
    first.docks.all["log"].hide()
    first.docks.open("cooling").setFloating(True)
    first.close()
    other = Session()
    second = MainWindow(other, theme)
    second.show()
    qtbot.waitExposed(second)
    assert second.docks.all["log"].isHidden()
    assert second.docks.all["cooling"].isFloating()
    second.reset_layout()
    assert not second.docks.all["cooling"].isFloating()
    assert not second.docks.all["log"].isHidden()
    second.close()
    for window in (first, second):
        window.deleteLater()


@pytest.mark.parametrize("name", [example.name for example in examples()])
def test_that_a_laptop_holds_the_window_with_each_example_and_after_the_layout_is_reset(
    qtbot: Any, window: MainWindow, name: str
) -> None:
    window.resize(1366, 768)
    window.session.open_example(name)
    qtbot.wait(60)
    assert window.width() <= 1366
    assert window.minimumSizeHint().width() <= 1366
    window.actions_made.by_name["reset_layout"].trigger()
    qtbot.wait(60)
    assert (window.width(), window.height()) == (1366, 768)


def test_that_an_empty_start_is_a_welcome_page_and_an_example_leads_to_the_chain(
    qtbot: Any, window: MainWindow
) -> None:
    window.welcome()
    assert window.welcome_page.isVisible()
    assert not any(d.isVisible() for d in window.findChildren(QDockWidget))
    window.welcome_page.example_requested.emit("1t-30-days")
    assert window.chain.isVisible()
    assert window.docks.all["workload"].isVisible()
    assert "1T" in window.session.plan.info.project


def test_that_a_project_dropped_on_the_window_is_opened(qtbot: Any, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "dropped.watts"
    window.session.apply([("workload.days", 77.0)])
    window.session.save(path)
    window.session.new()
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    drop = QDropEvent(
        QPointF(10, 10), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    assert window.acceptDrops()
    window.dropEvent(drop)
    assert drop.isAccepted()
    qtbot.waitUntil(lambda: window.session.path == path)
    assert window.session.plan.value("workload.days") == 77.0


def test_that_a_plan_typed_saved_and_reopened_is_the_same(qtbot: Any, window: MainWindow, tmp_path: Path) -> None:
    _edit(qtbot, window, "workload.days", "41,125")
    path = tmp_path / "hall.watts"
    window.files.dialogs.path = str(path)
    window.actions_made.by_name["save"].trigger()
    assert store.load(path).document.plan.layers == window.session.plan.layers
    assert not window.isWindowModified()
    window.files.new()
    window.files.open_path(path)
    assert window.docks.layers["workload"].form.field("workload.days").editor.text_of() == "41.125"


def test_that_unsaved_work_of_a_killed_program_is_offered_and_opened(
    qtbot: Any, window: MainWindow, tmp_path: Path
) -> None:
    code = (
        "import os, time\n"
        "from PySide6.QtWidgets import QApplication\n"
        "from wattsweights_gui.gui.session import Session\n"
        "app = QApplication([])\n"
        "session = Session()\n"
        "session.new()\n"
        "session.apply([('workload.days', 12.5)])\n"
        "end = time.monotonic() + 20\n"
        "while time.monotonic() < end and not any('12.5' in p.read_text() for p in folder.glob('*.jsonl')):\n"
        "    app.processEvents()\n"
        "os.kill(os.getpid(), 9)\n"
    )
    folder = Path(recovery._folder())
    setup = f"from pathlib import Path\nfolder = Path({str(folder)!r})\n"
    subprocess.run([sys.executable, "-c", setup + code], check=False, timeout=60)
    window.files.dialogs.agree = True
    window.offer_recovery()
    assert any("unsaved work" in asked for asked in window.files.dialogs.asked)
    assert window.session.plan.value("workload.days") == 12.5
    assert window.session.dirty
    qtbot.waitUntil(lambda: not recovery.list_recoverable())


def test_that_no_other_window_is_ever_shown_while_docks_fill_and_follow(qtbot: Any, window: MainWindow) -> None:
    shown: list[str] = []

    class Watcher(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
                shown.append(repr(watched))
            return False

    watcher = Watcher()
    QApplication.instance().installEventFilter(watcher)
    try:
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        for name in window.docks.all:
            window.docks.open(name)
            qtbot.wait(1)
        assert window.session.apply([("cooling.technology", "two_phase"), ("workload.days", 3.0)])
        window.session.set_units("us")
        qtbot.wait(50)
    finally:
        QApplication.instance().removeEventFilter(watcher)
    assert not shown
    assert window.isActiveWindow()


def test_that_every_dock_is_made_and_follows_an_edit(qtbot: Any, window: MainWindow) -> None:
    for name in window.docks.all:
        window.docks.open(name)
        qtbot.wait(1)
    for panel in window.docks.layers.values():
        assert panel.form is not None
    assert window.session.apply([("workload.days", 55.0), ("cooling.altitude_m", 100.0)])
    window.docks.open("cooling")
    assert window.docks.layers["cooling"].form.field("cooling.altitude_m").editor.text_of() == "100"


def test_that_every_action_can_be_triggered(qtbot: Any, window: MainWindow, tmp_path: Path) -> None:
    window.files.dialogs.show = lambda dialog: dialog.deleteLater()
    before = set(window.actions_made.by_name)
    for name in [d.name for d in DEEDS if d.name not in ("quit", "print", "preview", "log_folder")]:
        window.files.dialogs.path = str(tmp_path / ("out.pdf" if name == "pdf" else "out.watts"))
        window.actions_made.by_name[name].trigger()
        for dialog in QApplication.topLevelWidgets():
            if dialog.objectName() == "palette":
                dialog.close()
        window.session.jobs.cancel("levers")
        window.session.jobs.cancel("search")
        qtbot.wait(1)
    assert set(window.actions_made.by_name) == before
    assert window.isVisible()


def test_that_docks_are_called_as_their_layers_declare() -> None:
    from wattsweights_gui.engine.layers import LAYERS
    from wattsweights_gui.gui.docks import LAYER_TITLES

    assert LAYER_TITLES[:-1] == tuple((layer.name, layer.title) for layer in LAYERS)
