"""The nested picture of the groups, and where the peak goes with a measured MFU."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from wattsweights_gui.gui.charts import ChartsPanel
from wattsweights_gui.gui.main_window import MainWindow
from wattsweights_gui.gui.session import Session

LAYOUT = (("parallelism.layout", "pinned"), ("parallelism.tp", 8), ("parallelism.pp", 8), ("parallelism.dp", 4))


@pytest.fixture
def panel(qtbot: Any, session: Session) -> Iterator[ChartsPanel]:
    made = ChartsPanel(session)
    qtbot.addWidget(made)
    made.resize(900, 320)
    made.show()
    yield made
    made.hide()


def rows(chart: Any) -> list[list[str]]:
    return list(csv.reader(io.StringIO(chart.csv())))[1:]


def test_that_groups_are_nested_outermost_first_with_tier_traffic_and_time(session: Session, panel: Any) -> None:
    session.apply(LAYOUT)
    chart = panel.chart("Groups")
    assert [row[0] for row in rows(chart)] == ["Pipeline parallel", "Data parallel", "Tensor parallel"]
    innermost = chart.read(0.5, 0.9)
    assert "Tensor parallel 8 · NVLink domain" in innermost
    assert "by NVLink" in innermost
    assert "exposed" in innermost
    assert "network" in chart.read(0.5, 0.05)


def test_that_a_tensor_group_over_two_domains_is_named(session: Session, panel: Any) -> None:
    session.apply((*LAYOUT, ("parallelism.tp", 16)))
    chart = panel.chart("Groups")
    assert "tensor parallel leaves the NVLink domain" in chart.sentence.text()
    assert "8 in each of 2 NVLink domains" in chart.read(0.5, 0.9)


def test_that_one_gpu_has_nothing_to_draw_and_says_so(session: Session, panel: Any) -> None:
    session.apply((*LAYOUT, ("parallelism.tp", 1), ("parallelism.pp", 1), ("parallelism.dp", 1)))
    assert "nothing to communicate" in panel.chart("Groups").sentence.text()


@pytest.mark.parametrize("title", ["Groups", "Where the peak goes"])
def test_that_a_layout_that_cannot_run_says_why(session: Session, panel: Any, title: str) -> None:
    session.apply((*LAYOUT, ("parallelism.pp", 4000)))
    chart = panel.chart(title)
    assert not chart.drawn
    assert "more than the" in chart.empty.text()


def test_that_the_losses_make_the_peak(session: Session, panel: Any) -> None:
    session.apply(LAYOUT)
    chart = panel.chart("Where the peak goes")
    shown = {row[0]: float(row[1]) for row in rows(chart)}
    assert shown["The peak"] == pytest.approx(100.0)
    assert shown["Model FLOPs: the MFU"] == pytest.approx(100.0 * session.evaluation.results["parallelism"].mfu.number)
    assert not chart.suspects.isVisible()


def test_that_a_typed_mfu_is_set_against_the_prediction_and_the_suspects_are_listed(
    qtbot: Any, window: MainWindow
) -> None:
    window.session.apply(LAYOUT)
    dock = window.docks.open("parallelism").widget()
    dock.build()
    assert dock.focus_field("parallelism.measured_mfu_pct")
    editor = dock.form.field("parallelism.measured_mfu_pct").editor
    QTest.keyClicks(editor, "25")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert window.session.plan.inputs("parallelism").measured_mfu_pct == 25.0
    window.docks.open("charts")
    window.docks.charts.build()
    chart = window.docks.charts.panel.chart("Where the peak goes")
    assert chart.limit.value() == 25.0
    assert "25 % is measured" in chart.sentence.text()
    assert chart.suspects.topLevelItemCount() >= 5
    chart.suspects.setFocus()
    chart.suspects.setCurrentItem(chart.suspects.topLevelItem(0))
    QTest.keyClick(chart.suspects, Qt.Key.Key_Down)
    chosen = chart.suspects.topLevelItem(1)
    assert chosen.text(0) in chart.sentence.text()
    assert chosen.text(2) in chart.sentence.text()
    window.session.undo_stack.undo()
    assert window.session.plan.inputs("parallelism").measured_mfu_pct is None
