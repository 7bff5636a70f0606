"""The evidence dock: rows, filters, summaries, the scatter plot, and files of strangers."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from shiboken6 import isValid

from wattsweights_gui import paths
from wattsweights_gui.engine.evidence.classes import CLASSES
from wattsweights_gui.gui.main_window import MainWindow
from wattsweights_gui.gui.panels.evidence import EvidenceView
from wattsweights_gui.gui.panels.evidence_rows import COLUMNS, ERROR
from wattsweights_gui.gui.panels.evidence_words import NOTHING_CHOSEN
from wattsweights_gui.gui.panels.palette import CommandPalette

ROWS = json.loads(paths.resource("evidence", "training_golden.json").read_text(encoding="utf-8"))["rows"]


@pytest.fixture
def view(qtbot: Any, window: MainWindow) -> EvidenceView:
    """The dock, opened and answered."""
    window.docks.open("evidence")
    qtbot.waitUntil(lambda: window.docks.evidence.view is not None)
    found = window.docks.evidence.view
    qtbot.waitUntil(lambda: found.report is not None, timeout=60_000)
    qtbot.wait(1)
    return found


def _choose(box: Any, words: str) -> None:
    """Choose an entry as somebody does who types its first letters and then goes on with the arrow."""
    box.setFocus()
    index = next(n for n in range(box.count()) if box.itemText(n).startswith(words))
    while box.currentIndex() != index:
        QTest.keyClick(box, Qt.Key.Key_Down if box.currentIndex() < index else Qt.Key.Key_Up)


def _errors(view: EvidenceView) -> list[float]:
    return [abs(row.error_pct) for row in view.model.shown if row.error_pct is not None]


def test_that_nothing_is_predicted_before_somebody_looks(qtbot: Any, window: MainWindow) -> None:
    qtbot.wait(50)
    assert window.docks.evidence.view is None
    assert not window.session.jobs.running("evidence")


def test_that_the_dock_is_in_the_menu_of_docks(window: MainWindow) -> None:
    assert "Evidence" in [action.text() for action in window.actions_made.docks.actions()]


def test_that_the_palette_opens_the_dock(qtbot: Any, window: MainWindow) -> None:
    window.find()
    palette = window.findChild(CommandPalette)
    QTest.keyClicks(palette.line, "evidence")
    QTest.keyClick(palette.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.docks.evidence.view is not None)
    assert not window.docks.all["evidence"].visibleRegion().isEmpty()


def test_that_rows_are_predicted_in_the_worker_and_the_farthest_off_is_on_top(view: EvidenceView) -> None:
    assert {row.kind for row in view.model.all} >= {
        "dense_ampere",
        "moe",
        "facility",
        "fabric",
        "storage",
        "parameters",
    }
    assert {CLASSES[row.kind].subject for row in view.model.shown} == {"Training time"}
    errors = _errors(view)
    assert errors == sorted(errors, reverse=True)
    assert "mean" in view.state.text()


def test_that_class_table_quantity_and_search_narrow_the_list(qtbot: Any, view: EvidenceView) -> None:
    _choose(view.kind, "Time, mixtures")
    assert {row.kind for row in view.model.shown} == {"moe"}
    _choose(view.table, "megatron_bridge")
    assert {row.table for row in view.model.shown} == {"megatron_bridge"}
    tables = [view.table.itemText(n) for n in range(view.table.count())]
    assert "torchtitan" not in tables
    view.search.setFocus()
    QTest.keyClicks(view.search, "CONTAINER 26.08")
    assert view.model.shown
    assert {row.software for row in view.model.shown} == {"container 26.08"}
    QTest.keyClicks(view.search, " nowhere")
    assert not view.model.shown
    assert not view.scatter.drawn
    view.search.clear()
    _choose(view.quantity, "tokens per s")
    assert {row.quantity for row in view.model.shown} == {"tokens_per_s_per_gpu"}
    _choose(view.kind, "All classes")
    _choose(view.table, "All tables")
    _choose(view.quantity, "All quantities")
    assert len(view.model.shown) == len(view.model.all)


def test_that_a_click_on_a_head_sorts_and_keeps_the_chosen_row(qtbot: Any, view: EvidenceView) -> None:
    chosen = view.model.shown[5].id
    assert view.choose(chosen)
    head = view.list.horizontalHeader()
    place = QPoint(head.sectionViewportPosition(ERROR) + 20, head.height() // 2)
    QTest.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=place)
    errors = _errors(view)
    assert errors == sorted(errors)
    (index,) = view.list.selectionModel().selectedRows()
    assert view.model.at(index).id == chosen


def test_that_the_arrow_keys_go_from_row_to_row_with_what_was_assumed(qtbot: Any, view: EvidenceView) -> None:
    assert NOTHING_CHOSEN in view.details.toPlainText()
    view.list.setFocus()
    QTest.keyClick(view.list, Qt.Key.Key_Down)
    QTest.keyClick(view.list, Qt.Key.Key_Down)
    (index,) = view.list.selectionModel().selectedRows()
    row = view.model.at(index)
    said = " ".join(view.details.toPlainText().split())
    assert row.id in said
    assert (" ".join(row.assumed.split()) or "nothing") in said
    assert " ".join(row.source.split()) in said
    assert view.scatter.chosen == row.id
    assert len(view.scatter.ring.points()) == 1


def test_that_a_click_on_a_point_chooses_its_row(qtbot: Any, view: EvidenceView) -> None:
    _choose(view.kind, "Time, 32k")
    rows = sorted(view.scatter.drawn_rows, key=lambda row: row.published)
    lonely = rows[0]
    box = view.scatter.item.getViewBox()
    point = box.mapViewToScene(QPointF(math.log10(lonely.published), math.log10(lonely.predicted)))
    plot = view.scatter.plot
    QTest.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=plot.mapFromScene(point))
    qtbot.waitUntil(lambda: view.scatter.chosen != "")
    chosen = next(row for row in rows if row.id == view.scatter.chosen)
    assert chosen.published == pytest.approx(lonely.published, rel=0.2)
    assert chosen.id in view.details.toPlainText()
    assert lonely.id in view.scatter.read(math.log10(lonely.published), math.log10(lonely.predicted))


def test_that_the_scatter_counts_what_lies_in_the_band_and_copies_its_numbers(view: EvidenceView) -> None:
    rows = [row for row in view.model.shown if row.published and row.predicted]
    assert len(view.scatter.drawn_rows) == len(rows)
    inside = sum(abs(row.error_pct) <= 10 for row in rows)
    assert view.scatter.sentence.text().startswith(f"{inside} of {len(rows)} points")
    assert len(view.scatter.csv().splitlines()) == len(rows) + 1


def test_that_an_axis_names_the_unit_only_where_all_points_have_the_same(view: EvidenceView) -> None:
    assert "each in its unit" in view.scatter._axis_names["left"][0]
    _choose(view.quantity, "step time")
    assert view.scatter._axis_names["left"][0] == "Predicted (s)"


def test_that_the_summaries_list_every_class_and_table_and_enter_lists_the_rows(qtbot: Any, view: EvidenceView) -> None:
    QTest.mouseClick(view.tabs, Qt.MouseButton.LeftButton, pos=view.tabs.tabRect(1).center())
    titles = [view.by_class.item(n, 0).text() for n in range(view.by_class.rowCount())]
    assert "Time, dense on A100" in titles
    assert "Memory, mixtures of experts" in titles
    view.by_class.setCurrentCell(titles.index("Power, cooling, floor"), 0)
    view.by_class.setFocus()
    QTest.keyClick(view.by_class, Qt.Key.Key_Return)
    assert view.tabs.currentIndex() == 0
    assert {row.kind for row in view.model.shown} == {"facility"}
    QTest.mouseClick(view.tabs, Qt.MouseButton.LeftButton, pos=view.tabs.tabRect(2).center())
    names = [view.by_table.item(n, 0).text() for n in range(view.by_table.rowCount())]
    view.by_table.setCurrentCell(names.index("torchtitan"), 0)
    QTest.keyClick(view.by_table, Qt.Key.Key_Return)
    assert {row.table for row in view.model.shown} == {"torchtitan"}
    assert {row.kind for row in view.model.shown} > {"memory_dense"}


def test_that_a_file_that_does_not_ship_is_opened_and_the_shipped_tables_come_back(
    qtbot: Any, window: MainWindow, view: EvidenceView, tmp_path: Path
) -> None:
    path = tmp_path / "ours.json"
    path.write_text(json.dumps({"rows": [{**ROWS[0], "id": "ours", "source_id": "our_cluster"}]}), encoding="utf-8")
    window.files.dialogs.path = str(path)
    shipped = view.report
    QTest.mouseClick(view.open, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: view.report is not shipped, timeout=20_000)
    assert {row.table for row in view.model.shown} == {"our_cluster"}
    assert view.back.isVisible()
    QTest.mouseClick(view.back, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(view.model.all) == len(shipped.rows), timeout=60_000)
    assert not view.back.isVisible()


@pytest.mark.parametrize(("text", "says"), [("no json", "no JSON"), ("{}", "needs “rows”"), ("[1]", "JSON object")])
def test_that_a_bad_file_is_a_sentence_and_what_was_listed_stays(
    qtbot: Any, window: MainWindow, view: EvidenceView, tmp_path: Path, text: str, says: str
) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text, encoding="utf-8")
    window.files.dialogs.path = str(path)
    before = list(view.model.shown)
    QTest.mouseClick(view.open, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: says in view.state.text(), timeout=20_000)
    assert str(path) in view.state.text()
    assert view.model.shown == before


@pytest.mark.parametrize("choice", ["light", "dark"])
def test_that_the_plot_follows_the_theme(qtbot: Any, window: MainWindow, view: EvidenceView, choice: str) -> None:
    window.choose_theme(choice)
    qtbot.wait(1)
    assert view.scatter.colours.dark == (choice == "dark")
    ring, ground = view.scatter.ring.opts["pen"].color(), view.scatter.colours.ground
    assert abs(ring.lightness() - (255 if ground.startswith("#f") else 0)) > 120


def test_that_every_cell_says_something(view: EvidenceView) -> None:
    _choose(view.kind, "All classes")
    for n in range(0, view.model.rowCount(), 37):
        for column in range(len(COLUMNS)):
            assert view.model.index(n, column).data() is not None
            assert isinstance(view.model.index(n, column).data(), str)


def test_that_an_answer_to_a_view_that_is_gone_is_dropped(qtbot: Any, window: MainWindow) -> None:
    window.docks.open("evidence")
    jobs = window.session.jobs
    qtbot.waitUntil(lambda: jobs.running("evidence"))
    window.docks.evidence.view.deleteLater()
    qtbot.waitUntil(lambda: not jobs.running("evidence"), timeout=60_000)
    assert not isValid(window.docks.evidence.view)
