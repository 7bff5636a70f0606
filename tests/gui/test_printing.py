"""Preview, printer and PDF show the same pages."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pypdf import PdfReader
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPainter

from wattsweights_gui import reports
from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.drawing.marks import Line, Page, Polygon, Polyline, Rect, Text
from wattsweights_gui.engine.both_ends import both_ends
from wattsweights_gui.engine.chain import evaluate
from wattsweights_gui.engine.plan import default_plan
from wattsweights_gui.gui import printing


@pytest.fixture(scope="module")
def session() -> Any:
    plan = default_plan((("project.project", "Hall 7"), ("cooling.rack_reject_limit_kw", 40.0)))
    evaluation = evaluate(plan, catalog())
    return SimpleNamespace(evaluation=evaluation, ends=both_ends(evaluation), units="si", plan=plan)


def _texts(path: Path) -> list[list[str]]:
    # Qt sets fi as one glyph
    texts = [unicodedata.normalize("NFKC", page.extract_text()) for page in PdfReader(path).pages]
    return [re.sub(r"\s+", " ", text).split() for text in texts]


def _image(page: Page, dots: float) -> QImage:
    image = QImage(round(page.width * dots), round(page.height * dots), QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    printing.paint_page(painter, page, dots)
    painter.end()
    return image


@pytest.mark.parametrize("paper", list(printing.PAPERS))
def test_that_printer_and_pdf_have_the_same_pages_of_the_chosen_paper(
    qapp: Any, session: Any, tmp_path: Path, paper: str
) -> None:
    pages = printing.pages_of(session, paper, ["conversation", "power"])
    printer = printing.printer_for(paper, "Hall 7")
    printer.setOutputFileName(str(tmp_path / "printed.pdf"))
    printing.print_pages(printer, pages)
    printing.export_pdf(None, session, tmp_path / "written.pdf", paper, ["conversation", "power"])
    printed, written = PdfReader(tmp_path / "printed.pdf"), PdfReader(tmp_path / "written.pdf")
    assert len(printed.pages) == len(written.pages) == len(pages)
    for one, other in zip(printed.pages, written.pages, strict=True):
        # Qt keeps page sizes in whole points
        assert float(one.mediabox.width) == pytest.approx(float(other.mediabox.width), abs=1.5)
        assert float(one.mediabox.height) == pytest.approx(float(other.mediabox.height), abs=1.5)
    for one_words, other_words in zip(_texts(tmp_path / "printed.pdf"), _texts(tmp_path / "written.pdf"), strict=True):
        assert sorted("".join(one_words)) == sorted("".join(other_words))


def test_that_a_page_is_painted_to_scale(qapp: Any) -> None:
    page = Page("x", "x", 1, 1, 100.0, 50.0, (Rect(20.0, 10.0, 40.0, 20.0, 0.1, None, "black"),))
    image = _image(page, 10.0)
    inside, outside = QColor(image.pixel(205, 105)), QColor(image.pixel(195, 105))
    assert (inside.lightness(), outside.lightness()) == (0, 255)
    assert QColor(image.pixel(595, 295)).lightness() == 0
    assert QColor(image.pixel(605, 295)).lightness() == 255


def test_that_text_keeps_the_width_of_the_layout(qapp: Any) -> None:
    from wattsweights_gui.drawing import fonts

    for align in ("left", "centre", "right"):
        mark = Text(60.0, 10.0, "Heat of the fullest rack 40.8 kW", 9.0, True, align)  # type: ignore[arg-type]
        image = _image(Page("x", "x", 1, 1, 120.0, 20.0, (mark,)), 10.0)
        dark = [
            x for x in range(image.width()) if any(QColor(image.pixel(x, y)).lightness() < 128 for y in range(60, 120))
        ]
        wide = fonts.width(mark.text, 9.0, True)
        left = 60.0 - {"left": 0.0, "centre": wide / 2, "right": wide}[align]
        assert dark[0] / 10 == pytest.approx(left, abs=0.6)
        assert dark[-1] / 10 == pytest.approx(left + wide, abs=0.6)


def test_that_every_kind_of_mark_leaves_ink(qapp: Any) -> None:
    for mark in (
        Text(5, 10, "x"),
        Line(1, 1, 9, 9, 0.5, "black", (1.0, 1.0)),
        Rect(1, 1, 5, 5, fill="tint"),
        Polyline(((1, 1), (5, 5), (9, 1)), 0.5),
        Polygon(((1, 1), (5, 5), (9, 1)), 0.5, None, "over"),
    ):
        image = _image(Page("x", "x", 1, 1, 12.0, 12.0, (mark,)), 8.0)
        assert any(image.pixel(x, y) != QColor("white").rgb() for x in range(96) for y in range(96)), mark


def test_that_a_larger_sheet_is_made_smaller_for_the_paper_in_the_printer(qapp: Any) -> None:
    page = Page("x", "x", 1, 1, 200.0, 100.0, (Rect(0.0, 0.0, 200.0, 100.0, 0.1, None, "black"),))
    image = QImage(1000, 1000, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    printing.paint_page(painter, page, 10.0, 100.0, 100.0)
    painter.end()
    assert QColor(image.pixel(990, 490)).lightness() == 0
    assert QColor(image.pixel(990, 510)).lightness() == 255


def test_that_levers_of_an_older_plan_are_never_printed(qapp: Any, session: Any) -> None:
    older = default_plan((("project.project", "Another"),))
    report = SimpleNamespace(base=SimpleNamespace(plan=older), base_ends=session.ends, singles=(), pairs=())
    held = SimpleNamespace(**vars(session), lever_report=report)
    text = " ".join(t.text for t in printing.pages_of(held, "A4", ["conversation"])[0].texts())
    assert "They were not sized for this print." in text
    report.base.plan = session.evaluation.plan
    text = " ".join(t.text for t in printing.pages_of(held, "A4", ["conversation"])[0].texts())
    assert "They were not sized for this print." not in text


def test_that_the_preview_opens_without_blocking_and_prints_what_is_ticked(
    qtbot: Any, session: Any, tmp_path: Path
) -> None:
    dialog = printing.print_preview(None, session)
    qtbot.addWidget(dialog)
    assert dialog.isVisible()
    assert dialog.chosen() == list(reports.SHEETS)
    assert len(dialog.view.pages) >= len(reports.SHEETS)
    for row in range(1, dialog.sheets.count()):
        dialog.sheets.item(row).setCheckState(Qt.CheckState.Unchecked)
    assert [page.sheet for page in dialog.view.pages] == ["cover"]
    dialog.paper.setCurrentText("A3")
    assert dialog.view.pages[0].width == 420.0
    dialog.export(str(tmp_path / "a.pdf"))
    assert len(PdfReader(tmp_path / "a.pdf").pages) == 1
    assert "Written" in dialog.message.text()
    dialog.export(str(tmp_path / "missing" / "a.pdf"))
    assert "was not written" in dialog.message.text()
    dialog.sheets.item(0).setCheckState(Qt.CheckState.Unchecked)
    assert not dialog.print_button.isEnabled()
    assert "Tick a sheet" in dialog.message.text()
    dialog.reject()


def test_that_the_preview_turns_pages_and_goes_to_a_sheet(qtbot: Any, session: Any) -> None:
    dialog = printing.print_preview(None, session)
    qtbot.addWidget(dialog)
    qtbot.waitExposed(dialog)
    last = len(dialog.view.pages)
    assert dialog.where.text() == f"Page 1 of {last}"
    qtbot.keyClick(dialog, Qt.Key.Key_PageDown)
    dialog._turn(1)
    assert dialog.current_page >= 1
    power = next(n for n, page in enumerate(dialog.view.pages) if page.sheet == "power")
    dialog.sheets.setCurrentRow(list(reports.SHEETS).index("power"))
    assert dialog.current_page == power
    dialog.zoom.setCurrentText("Whole page")
    assert dialog.view.pages[0].height * dialog.view.dots <= dialog.area.viewport().height()
    dialog.reject()


def test_that_the_print_dialog_opens_without_blocking(qtbot: Any, session: Any) -> None:
    dialog = printing.print_dialog(None, session, "A4", ["conversation"])
    qtbot.addWidget(dialog)
    assert dialog.isVisible()
    dialog.reject()
