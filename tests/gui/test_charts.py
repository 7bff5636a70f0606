"""Charts follow the plan, and draw only what is looked at."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.drawing.inks import SERIES
from wattsweights_gui.engine.chain import Evaluation, evaluate
from wattsweights_gui.engine.declare import Need, Table, stated, unknown
from wattsweights_gui.engine.plan import default_plan
from wattsweights_gui.gui.charts import ChartsPanel, colours, gpus_days, log_axis
from wattsweights_gui.gui.charts.panel import CHARTS
from wattsweights_gui.reports import parts

GB = {"weights": 24.0, "gradients": 12.0, "optimizer": 17.0, "activations": 15.0, "allocator": 6.0}
SECONDS = {"compute": 14.0, "memory": 1.0, "tp": 2.0, "bubble": 3.0}
KW = {"compute_power_kw": 690.0, "network_power_kw": 40.0, "loss_kw": 43.0, "cooling_power_kw": 180.0}
COUNTS = {"gpus": 512, "min_gpus_memory": 448, "gpus_for_deadline": 2048}
DAYS = {"days": 121.0, "days_low": 104.0, "days_high": 139.0}


def evaluation_with(**changed: float) -> Evaluation:
    base = evaluate(default_plan(), catalog())

    def known(layer: str, values: dict[str, tuple[float, str]]) -> Any:
        figures = {n: stated(changed.get(n, v), u, n, formula="given") for n, (v, u) in values.items()}
        return base.results[layer].model_copy(update=figures)

    split = {name: (0.0, "gb") for name in parts.MEMORY} | {f"memory_{n}_gb": (v, "gb") for n, v in GB.items()}
    split |= {f"time_{n}_s": (v, "s") for n, v in SECONDS.items()}
    split |= {f"time_{n}_s": (0.0, "s") for n in ("pp", "dp", "ep", "cp", "optimizer")}
    split |= {n: (v, "count") for n, v in COUNTS.items()} | {n: (v, "days") for n, v in DAYS.items()}
    powers = {n: (0.0, "kw") for n in ("storage_power_kw", "management_power_kw")} | {
        n: (v, "kw") for n, v in KW.items()
    }
    peak = {"hbm_gb": (80.0, "gb"), "hbm_gb_s": (3350.0, "gb_s"), "peak_tflops": (989.0, "tflops")}
    results = {
        **base.results,
        "parallelism": known("parallelism", split),
        "power": known("power", powers),
        "compute": known("compute", peak),
    }
    heat = stated(changed.get("rack", 40.8), "kw", "Heat")
    needs = (
        Need(
            "cooling",
            "rack_heat_kw",
            "Heat of the fullest rack",
            heat,
            stated(40.0, "kw", "limit", source="hall"),
            "kw",
        ),
        Need("floor", "racks", "Racks", stated(16, "count"), stated(20, "count"), "count"),
        Need("power", "facility_power_kw", "Facility power", stated(1000.0, "kw"), stated(1200.0, "kw"), "kw"),
        Need("floor", "area_m2", "Floor area", stated(9.0, "m2"), unknown("no limit is stated", "m2"), "m2"),
    )
    return replace(base, results=results, needs=needs)


class Session(QObject):
    """What charts see of a session."""

    changed = Signal(object, object)
    ends_changed = Signal()
    ends_pending = False

    def __init__(self, evaluation: Evaluation) -> None:
        super().__init__()
        self.evaluation = evaluation
        self.ends: Any = None
        self.units = "si"

    def becomes(self, evaluation: Evaluation, *layers: str) -> None:
        self.evaluation = evaluation
        self.changed.emit(layers, None)
        QApplication.processEvents()  # charts follow the edit in the next turn of the loop


@pytest.fixture
def session() -> Session:
    return Session(evaluation_with())


@pytest.fixture
def panel(qtbot: Any, session: Session) -> Iterator[ChartsPanel]:
    made = ChartsPanel(session)
    qtbot.addWidget(made)
    made.resize(800, 320)
    made.show()
    yield made
    made.hide()


def _shown(chart: Any) -> dict[str, float]:
    rows = list(csv.reader(io.StringIO(chart.csv())))[1:]
    return {row[0]: float(row[1]) for row in rows}


def test_that_memory_by_part_adds_up_and_has_the_hbm_as_its_limit(panel: ChartsPanel) -> None:
    chart = panel.chart("Memory")
    shown = _shown(chart)
    assert shown["Worst GPU"] == pytest.approx(sum(GB.values()))
    assert shown["HBM"] == 80.0
    assert chart.limit.value() == 80.0
    assert chart.limit.isVisible()
    assert "74" in chart.sentence.text()
    assert "6\u2009GB are left" in chart.sentence.text()


def test_that_memory_is_compared_with_the_limit_that_the_card_shows(panel: ChartsPanel, session: Session) -> None:
    seen = Need("parallelism", "memory_gb", "Memory", stated(74.0, "gb"), stated(85.5, "gb"), "gb", "model")
    session.becomes(replace(session.evaluation, needs=(*session.evaluation.needs, seen)), "parallelism")
    chart = panel.chart("Memory")
    assert chart.limit.value() == 85.5
    assert "11.5\u2009GB are left" in chart.sentence.text()


def test_that_small_parts_share_a_row_where_there_is_no_height_for_all(panel: ChartsPanel, session: Session) -> None:
    chart = panel.chart("Power")
    panel.resize(800, 700)
    QApplication.processEvents()
    assert [label for label, _, _ in chart.rows] == [label for label, _, _ in chart.parts]
    whole = sum(value for _, _, value in chart.rows)
    panel.resize(800, 190)
    QApplication.processEvents()
    assert len(chart.rows) < len(chart.parts)
    label, _, value = chart.rows[-1]
    hidden = [f.number for name, _, f in chart.parts if name not in {shown for shown, _, _ in chart.rows}]
    assert label == f"{len(hidden)} smaller"
    assert value == pytest.approx(sum(hidden))
    assert max(hidden) <= min(v for _, _, v in chart.rows[:-1])
    assert sum(v for _, _, v in chart.rows) == pytest.approx(whole)
    assert "Lighting and other loads" in chart.read(1.0, 1.0)
    # nothing is lost to who takes the numbers along
    assert set(_shown(chart)) >= {name for name, _, _ in chart.parts}


def test_that_rows_of_parts_never_overlap(panel: ChartsPanel) -> None:
    chart = panel.chart("Step time")
    for height in (190, 240, 320, 600):
        panel.resize(800, height)
        QApplication.processEvents()
        box = chart.item.getViewBox()
        low, high = box.viewRange()[1]
        assert box.height() / (high - low) >= 0.85 * chart.fontMetrics().height(), height


def test_that_the_names_of_limits_keep_clear_of_each_other_and_of_the_curve(
    panel: ChartsPanel, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    curve = [(64.0 * n, 121.0 * 8 / n) for n in (2, 4, 8, 16, 32)]
    monkeypatch.setattr(gpus_days, "curve_of", lambda _: curve)
    session.ends = SimpleNamespace(have=SimpleNamespace(gpus=stated(392, "count", "hosted")))
    chart = panel.chart("GPUs and days")
    panel.resize(1000, 230)
    QApplication.processEvents()
    panel.grab()  # words find their place when they are painted
    boxes = [t.mapRectToScene(t.boundingRect()) for t in chart.texts[:3] if t.isVisible()]
    assert len(boxes) == 3
    for n, one in enumerate(boxes):
        assert not any(one.adjusted(1, 1, -1, -1).intersects(other) for other in boxes[n + 1 :])
        assert chart.plot.sceneRect().contains(one)
        points = (chart.item.getViewBox().mapViewToScene(QPointF(math.log10(g), math.log10(d))) for g, d in curve)
        assert not any(one.contains(point) for point in points)


def test_that_an_edit_is_drawn_at_once(panel: ChartsPanel, session: Session) -> None:
    chart = panel.chart("Memory")
    session.becomes(evaluation_with(memory_activations_gb=55.0), "parallelism")
    assert _shown(chart)["Activations"] == 55.0
    assert "are missing" in chart.sentence.text()


def test_that_a_chart_is_left_alone_by_edits_of_other_layers(
    panel: ChartsPanel, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    chart = panel.chart("Memory")
    drawn: list[int] = []
    monkeypatch.setattr(chart, "show_evaluation", lambda *_: drawn.append(1))
    session.becomes(session.evaluation, "floor")
    assert not drawn
    session.becomes(session.evaluation, "parallelism")
    assert drawn == [1]


def test_that_what_the_facility_hosts_is_drawn_once_it_is_compared(panel: ChartsPanel, session: Session) -> None:
    chart = panel.chart("GPUs and days")
    assert "hosts" not in chart.sentence.text()
    session.ends_pending = True
    session.becomes(evaluation_with(days=99.0), "parallelism")
    assert "121" in chart.sentence.text(), "an edit does not wait for the comparison"
    session.ends_pending = False
    session.ends = SimpleNamespace(have=SimpleNamespace(gpus=stated(392, "count", "hosted")))
    session.ends_changed.emit()
    assert "99" in chart.sentence.text()
    assert "The facility hosts 392" in chart.sentence.text()


def test_that_a_hidden_panel_draws_only_when_it_is_shown_again(panel: ChartsPanel, session: Session) -> None:
    chart = panel.chart("Memory")
    panel.hide()
    session.becomes(evaluation_with(memory_weights_gb=30.0), "parallelism")
    assert _shown(chart)["Weights"] == 24.0
    panel.show()
    assert _shown(chart)["Weights"] == 30.0


def test_that_a_chart_is_made_only_when_it_is_looked_at(panel: ChartsPanel) -> None:
    assert len(panel.charts) == 1
    panel.tabs.setCurrentIndex(2)
    assert len(panel.charts) == 2


def test_that_a_step_is_taken_apart_and_what_is_nought_is_left_out(panel: ChartsPanel) -> None:
    chart = panel.chart("Step time")
    shown = _shown(chart)
    assert shown["One step"] == pytest.approx(sum(SECONDS.values()))
    assert "Pipeline sends, exposed" not in shown
    assert "70\u2009% of it computes" in chart.sentence.text().replace(" %", "\u2009%")


def test_that_power_has_every_consumer_and_the_utility_as_its_limit(panel: ChartsPanel, session: Session) -> None:
    shown = _shown(panel.chart("Power"))
    lighting = session.evaluation.plan.inputs("power").fig("auxiliary_kw").number
    assert shown["At the utility"] == pytest.approx(sum(KW.values()) + lighting)
    assert shown["Lighting and other loads"] == lighting
    assert shown["Utility"] == 1200.0


def test_that_loads_stand_worst_first_with_the_word_over(panel: ChartsPanel, session: Session) -> None:
    chart = panel.chart("Need against have")
    rows = list(csv.reader(io.StringIO(chart.csv())))[1:]
    assert [row[1] for row in rows] == ["Heat of the fullest rack", "Facility power", "Racks"]
    assert "over" in chart.texts[0].toPlainText()
    assert "over" not in chart.texts[1].toPlainText()
    assert chart.sentence.text().startswith("Cooling is the tightest")
    assert "(hall)" in chart.read(50.0, 3.0)
    session.becomes(evaluation_with(rack=30.0), "cooling")
    assert "All 3 limits hold" in chart.sentence.text()


def test_that_gpus_and_days_have_floor_ceiling_date_and_this_plan(
    panel: ChartsPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    curve = [(64.0 * n, 121.0 * 8 / n) for n in (2, 4, 8, 16, 32)]
    monkeypatch.setattr(gpus_days, "curve_of", lambda _: curve)
    chart = panel.chart("GPUs and days")
    rows = {row[0]: row[1:] for row in csv.reader(io.StringIO(chart.csv()))}
    assert rows["this plan"] == ["512", "121"] or rows["this plan"] == ["512.0", "121.0"]
    assert float(rows["holds the model"][0]) == 448
    assert float(rows["meets the date"][0]) == 2048
    assert float(rows["wanted"][1]) == 30.0
    assert (
        "104\u2009to 139" in chart.sentence.text()
        or "100 to 140" in chart.sentence.text()
        or ("104 to 139" in chart.sentence.text())
    )
    assert chart.line.getData()[0][0] == pytest.approx(math.log10(128))
    assert chart.read(math.log10(1000), 1.0).startswith("1\u2009024 GPUs")


def test_that_the_curve_is_read_from_the_table_that_has_both_columns() -> None:
    class Outcome:
        def tables(self) -> Iterator[tuple[str, Table]]:
            yield "other", Table(("a",), ("",), ((1,),))
            yield (
                "curve",
                Table(("dp", "gpus", "days"), ("", "count", "days"), ((2, 128, 60.0), (1, 64, 118.0), (4, 256, None))),
            )

    held = replace(evaluation_with(), results={"parallelism": Outcome()})
    assert gpus_days.curve_of(held) == [(64.0, 118.0), (128.0, 60.0)]


def test_that_the_roof_is_flat_after_its_ridge(panel: ChartsPanel) -> None:
    chart = panel.chart("Roofline")
    ridge = 989e12 / 3350e9
    assert chart.ridge.value() == pytest.approx(math.log10(ridge))
    assert chart.attainable(ridge) == pytest.approx(989.0)
    assert chart.attainable(ridge / 2) == pytest.approx(989.0 / 2)
    assert "memory binds" in chart.read(math.log10(10.0), 1.0)
    assert "compute binds" in chart.read(math.log10(1000.0), 1.0)


@pytest.mark.parametrize("title", [title for title, _, _ in CHARTS])
def test_that_an_unknown_plan_shows_why_instead_of_an_empty_plot(
    panel: ChartsPanel, session: Session, title: str
) -> None:
    chart = panel.chart(title)
    assert chart.drawn
    base = session.evaluation
    results = dict(base.results)
    for layer in ("parallelism", "compute", "power"):
        names = {n: unknown("the model is empty", f.unit, f.title) for n, f in results[layer].figures()}
        # a table may make its rows when it is looked at, so it cannot be copied with others
        tables = {n: Table(t.columns, t.units, (), t.title, t.source) for n, t in results[layer].tables()}
        results[layer] = results[layer].model_copy(update={**names, **tables})
    session.becomes(replace(base, results=results, needs=()), *results)
    assert not chart.drawn
    assert "the model is empty" in chart.empty.text() or "State what the hall has" in chart.empty.text()
    session.becomes(base, *results)
    assert chart.drawn


@pytest.mark.parametrize("title", [title for title, _, _ in CHARTS])
def test_that_every_chart_can_be_copied_as_picture_drawing_and_numbers(panel: ChartsPanel, title: str) -> None:
    chart = panel.chart(title)
    clipboard = QGuiApplication.clipboard()
    chart.copy_csv()
    assert clipboard.text() == chart.csv()
    assert len(chart.csv().splitlines()) > 2
    chart.copy_png()
    assert not clipboard.image().isNull()
    chart.copy_svg()
    assert "</svg>" in clipboard.text()
    assert [a.text() for a in chart.copy_menu().actions() if a.text()][:3] == [
        "Copy as picture",
        "Copy as drawing (SVG)",
        "Copy numbers (CSV)",
    ]


def test_that_a_double_click_shows_everything_again(qtbot: Any, panel: ChartsPanel) -> None:
    chart = panel.chart("Memory")
    whole = chart.item.getViewBox().viewRange()
    chart.item.getViewBox().setRange(xRange=(10.0, 20.0))
    assert chart.item.getViewBox().viewRange() != whole
    middle = chart.plot.viewport().rect().center()
    qtbot.mouseClick(chart.plot.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    qtbot.mouseDClick(chart.plot.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    assert chart.item.getViewBox().viewRange()[0] == pytest.approx(whole[0])


def test_that_the_pointer_reads_values(qtbot: Any, panel: ChartsPanel) -> None:
    chart = panel.chart("Memory")
    QApplication.processEvents()
    scene = chart.item.getViewBox().mapViewToScene(QPointF(10.0, 5.0))
    at = chart.plot.mapFromScene(scene)
    qtbot.mouseMove(chart.plot.viewport(), QPoint(at.x(), at.y()))
    qtbot.waitUntil(lambda: chart.readout.text().startswith("Weights"), timeout=2000)


def test_that_a_dark_window_has_dark_charts_with_the_same_series(qtbot: Any, session: Session) -> None:
    made = ChartsPanel(session)
    qtbot.addWidget(made)
    made.show()
    chart = made.chart("Memory")
    assert not chart.colours.dark
    dark = QPalette(made.palette())
    dark.setColor(QPalette.ColorRole.Window, QColor("#1b1d20"))
    made.setPalette(dark)
    QApplication.sendPostedEvents(chart, QEvent.Type.PaletteChange)
    assert chart.colours is colours.DARK
    assert chart.colours.series("weights") == SERIES["weights"] == colours.LIGHT.series("weights")


def test_that_states_stay_apart_without_colour_and_text_is_legible() -> None:
    def luminance(name: str) -> float:
        parts = [QColor(name).redF(), QColor(name).greenF(), QColor(name).blueF()]
        linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    def contrast(one: str, other: str) -> float:
        bright, dim = sorted((luminance(one), luminance(other)), reverse=True)
        return (bright + 0.05) / (dim + 0.05)

    for theme in (colours.LIGHT, colours.DARK):
        assert contrast(theme.text, theme.ground) > 7
        assert contrast(theme.quiet, theme.ground) > 4.5


def test_that_us_units_reach_the_axis_and_the_labels(panel: ChartsPanel, session: Session) -> None:
    base = session.evaluation
    flow = Need("cooling", "w", "Water", stated(1000.0, "l_min"), stated(2000.0, "l_min"), "l_min")
    chart = panel.chart("Need against have")
    session.units = "us"
    session.becomes(replace(base, needs=(flow,)))
    assert "gpm" in chart.texts[0].toPlainText()


def test_that_ticks_are_round_numbers() -> None:
    assert log_axis.ticks(40, 6000) == [50, 100, 200, 500, 1000, 2000, 5000]
    assert log_axis.ticks(1, 0.5) == []
    assert len(log_axis.ticks(1e-3, 1e15)) < 10
