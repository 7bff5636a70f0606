"""The layout search in the window: searched, cancelled, drawn, chosen, pinned, asked about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QWidget

from wattsweights_gui.engine import search as engine
from wattsweights_gui.gui.charts.colours import DARK, LIGHT
from wattsweights_gui.gui.panels.search import TABS, SearchPanel

SMALL = (
    ("workload.model.params_b", 8.0),
    ("workload.global_batch", 32),
    ("workload.seq_len", 4096),
    ("workload.tokens_b", 100.0),
    ("parallelism.gpus", 32),
)


@pytest.fixture
def panel(qtbot: Any, session: Any) -> Iterator[SearchPanel]:
    session.apply(SMALL)
    qtbot.waitUntil(lambda: not session.jobs.running("settle"), timeout=20_000)
    made = SearchPanel(session)
    qtbot.addWidget(made)
    made.resize(1000, 420)
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.hide()


def _click(qtbot: Any, widget: QWidget) -> None:
    qtbot.mouseClick(widget, Qt.MouseButton.LeftButton)


def _type(qtbot: Any, line: Any, text: str) -> None:
    line.setFocus()
    line.selectAll()
    qtbot.keyClick(line, Qt.Key.Key_Delete)
    qtbot.keyClicks(line, text)


def _searched(qtbot: Any, panel: SearchPanel) -> None:
    _click(qtbot, panel.find)
    qtbot.waitUntil(lambda: not panel.session.jobs.running("search"), timeout=30_000)


def _turn(qtbot: Any, panel: SearchPanel, title: str) -> Any:
    bar = panel.tabs.tabBar()
    qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(TABS.index(title)).center())
    qtbot.wait(20)
    return panel.charts.get(title)


def _click_row(qtbot: Any, table: Any, row: int, twice: bool = False) -> None:
    place = table.visualRect(table.model().index(row, 1)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    if twice:
        qtbot.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)


def _at(chart: Any, x: float, y: float) -> QPoint:
    scene = chart.item.getViewBox().mapViewToScene(QPointF(x, y))
    return chart.plot.mapFromScene(scene)


def test_that_a_search_lists_what_the_engine_finds_and_a_second_one_the_same(qtbot: Any, panel: SearchPanel) -> None:
    _type(qtbot, panel.form.gpus, "8-32:8")
    _searched(qtbot, panel)
    first = list(panel.model.layouts)
    known = engine.search(panel.session.plan, panel.session.catalog, gpus=[8, 16, 24, 32], top=100)
    assert first == list(known.best)
    assert panel.front_model.layouts == list(known.front)
    assert "layouts in" in panel.state.text()
    _searched(qtbot, panel)
    assert panel.model.layouts == first


def test_that_a_search_is_cancelled_by_its_button_and_what_was_shown_stays(qtbot: Any, panel: SearchPanel) -> None:
    _searched(qtbot, panel)
    before = list(panel.model.layouts)
    panel.form.wide.click()
    _type(qtbot, panel.form.gpus, "8-16384")
    _click(qtbot, panel.find)
    assert panel.stop.isVisible()
    assert not panel.find.isEnabled()
    _click(qtbot, panel.stop)
    assert panel.state.text() == "Cancelled."
    assert panel.find.isEnabled()
    assert not panel.progress.isVisible()
    qtbot.wait(50)
    assert panel.model.layouts == before


def test_that_a_double_click_pins_the_layout_and_undo_takes_it_back(qtbot: Any, panel: SearchPanel) -> None:
    session = panel.session
    _searched(qtbot, panel)
    before, count = session.plan, session.undo_stack.count()
    layout = panel.model.layouts[2]
    _click_row(qtbot, panel.table, 2, twice=True)
    assert session.plan.value("parallelism.layout") == "pinned"
    assert [session.plan.value(f"parallelism.{n}") for n in ("tp", "pp", "dp", "vpp")] == [
        layout.tp, layout.pp, layout.dp, layout.vpp,
    ]  # fmt: skip
    assert session.undo_stack.count() == count + 1
    assert "The plan has changed" not in panel.state.text(), "the layouts follow from what is left as it was"
    session.undo_stack.undo()
    assert session.plan == before


def test_that_use_this_layout_pins_one_with_another_gpu_and_number(qtbot: Any, panel: SearchPanel) -> None:
    session = panel.session
    panel.form.gpu_types.ticks["b200"].trigger()
    panel.form.precisions.ticks["fp8"].trigger()
    _type(qtbot, panel.form.gpus, "16")
    _searched(qtbot, panel)
    assert not panel.apply.isEnabled()
    _click_row(qtbot, panel.table, 0)
    _click(qtbot, panel.apply)
    assert session.plan.value("compute.gpu") == "b200"
    assert session.plan.value("workload.precision") == "fp8"
    assert session.plan.value("parallelism.gpus") == 16
    assert session.evaluation.figure("parallelism.days").number == pytest.approx(panel.model.layouts[0].days, rel=1e-6)


@pytest.mark.parametrize("typed", ["many", "8:8", "64-8", "0"])
def test_that_what_cannot_be_read_is_said_under_the_fields(qtbot: Any, panel: SearchPanel, typed: str) -> None:
    _type(qtbot, panel.form.gpus, typed)
    _click(qtbot, panel.find)
    assert typed in panel.form.refusal.text()
    assert panel.form.gpus.property("refused") == "true"
    assert not panel.session.jobs.running("search")
    _type(qtbot, panel.form.gpus, "8")
    _searched(qtbot, panel)
    assert not panel.form.refusal.isVisible()
    assert panel.form.gpus.property("refused") == "false"


def test_that_a_cost_asks_for_its_price(qtbot: Any, panel: SearchPanel) -> None:
    assert not panel.form.hour.isVisibleTo(panel.form)
    panel.form.objective.setFocus()
    qtbot.keyClick(panel.form.objective, Qt.Key.Key_End)
    assert panel.form.objective.currentData() == "cost"
    assert panel.form.hour.isVisibleTo(panel.form)
    _click(qtbot, panel.find)
    assert "needs a price" in panel.form.refusal.text()
    _type(qtbot, panel.form.hour, "2.5")
    qtbot.keyClick(panel.form.hour, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(panel.model.layouts), timeout=30_000)
    costs = [layout.cost for layout in panel.model.layouts]
    assert costs == sorted(costs)


def test_that_a_click_on_a_head_sorts_and_keeps_the_chosen_layout(qtbot: Any, panel: SearchPanel) -> None:
    _searched(qtbot, panel)
    _click_row(qtbot, panel.table, 1)
    chosen = panel.selected()
    header = panel.table.horizontalHeader()
    memory = next(n for n, column in enumerate(panel.model.columns) if column.name == "memory_gb")
    panel.table.scrollTo(panel.model.index(0, memory))
    place = QPoint(header.sectionViewportPosition(memory) + 8, header.height() // 2)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    shown = [layout.memory_gb for layout in panel.model.layouts]
    assert shown in (sorted(shown), sorted(shown, reverse=True))
    rows = panel.table.selectionModel().selectedRows()
    assert panel.model.layouts[rows[0].row()] is chosen
    assert panel.selected() is chosen


def test_that_a_click_on_a_cell_of_the_heat_map_chooses_its_best(qtbot: Any, panel: SearchPanel) -> None:
    _searched(qtbot, panel)
    chart = _turn(qtbot, panel, "TP × PP")
    assert chart.drawn
    cell = next(c for c in chart.cells.values() if c.best is not None and c.tp == 4)
    place = _at(chart, chart.depths.index(cell.pp), chart.tensors.index(cell.tp))
    qtbot.mouseMove(chart.plot.viewport(), place)
    qtbot.waitUntil(lambda: f"TP {cell.tp} × PP {cell.pp}" in chart.readout.text(), timeout=2000)
    qtbot.mouseClick(chart.plot.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert panel.selected() == cell.best
    assert chart.frames[1].xData is not None
    _click(qtbot, panel.apply)
    assert panel.session.plan.value("parallelism.tp") == 4


def test_that_an_empty_cell_says_why_nothing_fits(qtbot: Any, panel: SearchPanel) -> None:
    _searched(qtbot, panel)
    chart = _turn(qtbot, panel, "TP × PP")
    empty = next(c for c in chart.cells.values() if c.best is None)
    column = chart.depths.index(empty.pp) if empty.pp in chart.depths else None
    words = chart.read(column, chart.tensors.index(empty.tp)) if column is not None else ""
    assert column is None or empty.reason in words
    assert all(c.reason for c in chart.cells.values() if c.best is None)


def test_that_a_click_on_a_line_of_the_parallel_coordinates_chooses_its_layout(qtbot: Any, panel: SearchPanel) -> None:
    _searched(qtbot, panel)
    chart = _turn(qtbot, panel, "All")
    assert chart.drawn
    assert len(chart.layouts) == len(panel.found.sample)
    last = len(chart.names) - 1
    beside = 0.95 * chart.heights[0, last] + 0.05 * chart.heights[0, last - 1]
    place = _at(chart, last - 0.05, float(beside))
    qtbot.mouseMove(chart.plot.viewport(), place)
    qtbot.waitUntil(lambda: "TP " in chart.readout.text(), timeout=2000)
    qtbot.mouseClick(chart.plot.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert panel.selected() is not None
    assert panel.selected().days == pytest.approx(panel.model.layouts[0].days, rel=0.05)
    assert len(chart.line.xData) == len(chart.names)
    assert len(chart.csv().splitlines()) == len(chart.layouts) + 1


def test_that_charts_keep_apart_from_the_ground_in_both_themes(qtbot: Any, panel: SearchPanel) -> None:
    _searched(qtbot, panel)
    chart = _turn(qtbot, panel, "TP × PP")
    for colours in (LIGHT, DARK):
        chart.colours = colours
        chart.recolour()
        strongest = chart._colour(chart.best_cell)
        ground = chart.palette().window().color().fromString(colours.ground)
        assert _contrast(strongest, ground) > 4.5
        for cell in (c for c in chart.cells.values() if c.best is not None):
            ink = "#101010" if chart._colour(cell).lightnessF() > 0.5 else "#ffffff"
            assert _contrast(chart._colour(cell), ground.fromString(ink)) > 4.0


def _contrast(a: Any, b: Any) -> float:
    def light(colour: Any) -> float:
        parts = (colour.redF(), colour.greenF(), colour.blueF())
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(a), light(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_that_why_not_names_the_rule_and_then_the_distance(qtbot: Any, panel: SearchPanel) -> None:
    _turn(qtbot, panel, "Why not?")
    form = panel.why_not
    _type(qtbot, form.lines["tp"], "16")
    _click(qtbot, form.button)
    qtbot.waitUntil(lambda: "NVLink domain of 8" in form.answer.text(), timeout=10_000)
    assert "ruled out" in form.answer.text()
    assert panel.selected() is None
    _type(qtbot, form.lines["tp"], "1")
    qtbot.keyClick(form.lines["tp"], Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "it can run" in form.answer.text(), timeout=10_000)
    assert panel.selected().tp == 1
    _click(qtbot, panel.apply)
    assert panel.session.plan.value("parallelism.tp") == 1


@pytest.mark.parametrize(("typed", "words"), [("x", "no whole number"), ("100000", "from 1 to"), ("", "Nothing is")])
def test_that_why_not_says_what_cannot_be_read(qtbot: Any, panel: SearchPanel, typed: str, words: str) -> None:
    _turn(qtbot, panel, "Why not?")
    _type(qtbot, panel.why_not.lines["tp"], typed)
    _click(qtbot, panel.why_not.button)
    qtbot.waitUntil(lambda: words in panel.why_not.answer.text(), timeout=10_000)


def test_that_layouts_are_said_to_be_old_once_the_plan_has_changed(qtbot: Any, panel: SearchPanel) -> None:
    _searched(qtbot, panel)
    panel.session.apply([("workload.tokens_b", 200.0)])
    assert "The plan has changed" in panel.state.text()
