"""What is inside the GPU: kernels on the roofline, tiers of memory, switches that move both."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QObject, QPoint, QPointF, Qt, Signal
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.chain import Evaluation, evaluate
from wattsweights_gui.engine.plan import default_plan
from wattsweights_gui.gui.charts import ChartsPanel
from wattsweights_gui.gui.charts.name_places import place


def sized(*edits: tuple[str, Any]) -> Evaluation:
    return evaluate(default_plan().edit(*edits) if edits else default_plan(), catalog())


class Session(QObject):
    """What charts see of a session."""

    changed = Signal(object, object)
    why_requested = Signal(str)
    units = "si"
    ends: Any = None

    def __init__(self, evaluation: Evaluation) -> None:
        super().__init__()
        self.evaluation = evaluation

    def becomes(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation
        self.changed.emit(("compute", "parallelism"), None)
        QApplication.processEvents()


@pytest.fixture
def session() -> Session:
    return Session(sized())


@pytest.fixture
def panel(qtbot: Any, session: Session) -> Iterator[ChartsPanel]:
    made = ChartsPanel(session)
    qtbot.addWidget(made)
    made.resize(1000, 420)
    made.show()
    yield made
    made.hide()


def rows_of(evaluation: Evaluation, name: str) -> list[dict[str, Any]]:
    table = getattr(evaluation.results["compute"], name)
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def click(chart: Any, x: float, y: float) -> None:
    """Click at a place of the plot, in the plot's own numbers."""
    QApplication.processEvents()
    at = chart.plot.mapFromScene(chart.item.getViewBox().mapViewToScene(QPointF(x, y)))
    QTest.mouseClick(chart.plot.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(at.x(), at.y()))
    QApplication.processEvents()


def test_that_each_kernel_that_computes_is_a_point_as_large_as_its_share(panel: ChartsPanel, session: Session) -> None:
    chart = panel.chart("Roofline")
    kernels = [row for row in rows_of(session.evaluation, "kernels") if row["intensity"]]
    spots = chart.points.points()
    assert len(spots) == len(kernels) > 5
    for spot, row in zip(spots, kernels, strict=True):
        assert 10 ** spot.pos().x() == pytest.approx(row["intensity"])
        assert 10 ** spot.pos().y() == pytest.approx(row["reached"])
    largest = max(range(len(kernels)), key=lambda n: kernels[n]["of_kernel_time"])
    assert spots[largest].size() == max(spot.size() for spot in spots)
    symbols = {row["phase"]: spot.symbol() for spot, row in zip(spots, kernels, strict=True)}
    assert len(set(symbols.values())) == 3


def test_that_kernels_of_another_format_have_the_colour_of_their_own_roof(panel: ChartsPanel, session: Session) -> None:
    chart = panel.chart("Roofline")
    session.becomes(sized(("workload.precision", "fp8")))
    colours = {p.roof: s.brush().color().name() for p, s in zip(chart.kernels, chart.points.points(), strict=True)}
    assert colours["FP8"] == chart.roof.opts["pen"].color().name()
    at = [name for name, _ in chart.others].index("BF16")
    assert colours["BF16"] == chart.faint[at].opts["pen"].color().name() != colours["FP8"]


@pytest.mark.parametrize("size", [(700, 240), (1000, 260), (1000, 420), (1800, 700)])
@pytest.mark.parametrize("precision", ["bf16", "fp8"])
def test_that_names_of_points_never_touch_each_other_or_leave_the_plot(
    panel: ChartsPanel, session: Session, size: tuple[int, int], precision: str
) -> None:
    chart = panel.chart("Roofline")
    session.becomes(sized(("workload.precision", precision)))
    panel.resize(*size)
    QApplication.processEvents()
    panel.grab()
    shown = [text for text in chart.names if text.isVisible()]
    assert shown
    boxes = [text.mapRectToScene(text.boundingRect()) for text in shown]
    for n, one in enumerate(boxes):
        assert chart.plot.sceneRect().adjusted(-1, -1, 1, 1).contains(one)
        assert not any(one.adjusted(2, 2, -2, -2).intersects(other) for other in boxes[n + 1 :])


def test_that_a_click_on_a_point_says_what_bounds_it_and_what_would_help(panel: ChartsPanel, session: Session) -> None:
    chart = panel.chart("Roofline")
    assert chart.detail.isHidden()
    point = next(p for p in chart.kernels if p.row["phase"] == "both" and p.share > 0.5)
    spot = chart.points.points()[chart.kernels.index(point)]
    click(chart, spot.pos().x(), spot.pos().y())
    told = chart.detail.label.text()
    assert chart.detail.isVisible()
    for words in (point.title, point.row["bound_by"], point.row["would_help"], "FLOP/B", "MB", "TFLOP/s", "Share"):
        assert words in told
    click(chart, chart.item.getViewBox().viewRange()[0][0] + 0.1, chart.item.getViewBox().viewRange()[1][1] - 0.1)
    assert chart.detail.isHidden()


def test_that_the_arrow_keys_go_from_kernel_to_kernel_the_longest_first(qtbot: Any, panel: ChartsPanel) -> None:
    chart = panel.chart("Roofline")
    order = [p.title for p in sorted(chart.kernels, key=lambda p: -p.share)]
    chart.setFocus()
    seen = []
    for _ in order:
        qtbot.keyClick(chart, Qt.Key.Key_Right)
        seen.append(chart.picked)
        assert chart.picked in chart.detail.label.text()
    assert seen == order
    qtbot.keyClick(chart, Qt.Key.Key_Left)
    assert chart.picked == order[-2]
    qtbot.keyClick(chart, Qt.Key.Key_Escape)
    assert chart.detail.isHidden()


@pytest.mark.parametrize("switch", ["flash_attention", "kernel_fusion"])
def test_that_an_optimisation_switched_off_adds_traffic_and_time(
    panel: ChartsPanel, session: Session, switch: str
) -> None:
    chart = panel.chart("Roofline")
    before, fast = {p.title: p for p in chart.kernels}, session.evaluation.figure("parallelism.step_time_s").number
    session.becomes(sized((f"compute.{switch}", False)))
    after, slow = {p.title: p for p in chart.kernels}, session.evaluation.figure("parallelism.step_time_s").number
    moved = sum(p.row["traffic"] * p.row["calls"] for p in after.values())
    assert moved > sum(p.row["traffic"] * p.row["calls"] for p in before.values())
    assert slow > fast
    if switch == "flash_attention":
        assert "Attention scores in HBM, forward" in after.keys() - before.keys()


def test_that_a_smaller_tile_lowers_the_points_and_lengthens_the_step(panel: ChartsPanel, session: Session) -> None:
    chart = panel.chart("Roofline")
    before, fast = {p.title: p.reached for p in chart.kernels}, session.evaluation.figure("parallelism.step_time_s")
    session.becomes(sized(("compute.gemm_tile", "128x64")))
    after = {p.title: p.reached for p in chart.kernels}
    assert after["FFN down, forward"] < before["FFN down, forward"]
    assert session.evaluation.figure("parallelism.step_time_s").number > fast.number


def test_that_the_tiers_are_drawn_as_the_results_have_them(panel: ChartsPanel, session: Session) -> None:
    chart = panel.chart("GPU memory")
    told = {name: [lane[row].toPlainText().strip() for lane in chart.values] for row, name in enumerate(ROWS)}
    for name, paths in ROWS.items():
        figures = [session.evaluation.figure(f"layers.compute.result.{path}") for path in paths]
        assert told[name] == [figure.text() for figure in figures]
    for lane in chart.bars:
        assert all(x1 >= x0 for x0, x1 in zip(lane.opts["x0"], lane.opts["x1"], strict=True))
    widths = [x1 - x0 for x0, x1 in zip(chart.bars[1].opts["x0"], chart.bars[1].opts["x1"], strict=True)]
    assert widths == sorted(widths, reverse=True)


ROWS = {
    "Registers": ("registers_mb", "registers_gb_s", "registers_pass_us"),
    "Shared memory": ("shared_mb", "shared_gb_s", "shared_pass_us"),
    "L2": ("l2_mb", "l2_gb_s", "l2_pass_us"),
    "HBM": ("hbm_gb", "hbm_gb_s", "hbm_pass_ms"),
    "Scale-up peers": ("peers_gb", "peers_gb_s", "peers_pass_ms"),
    "Network": ("network_tb", "network_gb_s", "network_pass_s"),
}


def test_that_a_click_on_a_tier_says_where_its_numbers_come_from_and_leads_to_why(
    qtbot: Any, panel: ChartsPanel, session: Session
) -> None:
    chart = panel.chart("GPU memory")
    click(chart, 0.2, 3.0)
    told = chart.detail.label.text()
    assert "<b>L2</b>" in told
    assert "whitepaper" in told
    with qtbot.waitSignal(session.why_requested) as asked:
        chart.detail.label.linkActivated.emit("layers.compute.result.l2_gb_s")
    assert session.evaluation.figure(asked.args[0]).source
    qtbot.keyClick(chart, Qt.Key.Key_Down)
    assert "<b>HBM</b>" in chart.detail.label.text()
    home = next(row["what"] for row in rows_of(session.evaluation, "working_sets") if row["tier"] == "HBM")
    assert home.replace("'", "&#x27;") in chart.detail.label.text()
    qtbot.keyClick(chart, Qt.Key.Key_Escape)
    assert chart.detail.isHidden()


@pytest.mark.parametrize("gpu", ["mi300x", "b300", "gaudi3", "l40s"])
def test_that_tiers_that_nobody_publishes_are_said_to_be_so(panel: ChartsPanel, session: Session, gpu: str) -> None:
    chart = panel.chart("GPU memory")
    session.becomes(sized(("compute.gpu", gpu)))
    assert chart.drawn
    for row, paths in enumerate(ROWS.values()):
        for lane, path in enumerate(paths):
            known = session.evaluation.figure(f"layers.compute.result.{path}").known
            assert (chart.values[lane][row].toPlainText().strip() in ("not published", "none")) == (not known)
    assert "not published" in chart.sentence.text()


def test_that_a_format_that_the_gpu_has_not_is_said_and_the_kernels_stand_under_the_roof_they_run_in(
    panel: ChartsPanel, session: Session
) -> None:
    chart = panel.chart("Roofline")
    session.becomes(sized(("workload.precision", "nvfp4")))
    assert chart.drawn
    assert {kernel.row["format"] for kernel in chart.kernels} == {"BF16"}
    assert "no units for NVFP4: it runs BF16" in chart.sentence.text()
    assert "989\u2009TFLOP/s in BF16" in chart.sentence.text()


def test_that_a_name_without_room_is_left_out_and_the_first_choose_first() -> None:
    room = (0.0, 0.0, 120.0, 20.0)
    found = place([(10.0, 10.0, 4.0)] * 3, [(60.0, 14.0)] * 3, [], room)
    assert found[0] is not None
    assert found[1:] == [None, None]
