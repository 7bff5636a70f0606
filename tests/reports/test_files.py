"""The files that a report becomes."""

from __future__ import annotations

import csv
import io
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import pytest
from openpyxl import load_workbook
from pypdf import PdfReader

from wattsweights_gui import reports
from wattsweights_gui.drawing.marks import Page
from wattsweights_gui.engine.both_ends import BothEnds
from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.exchange.csv_text import safe
from wattsweights_gui.reports import to_csv, to_pdf, to_svg, to_xlsx
from wattsweights_gui.reports.cells import Grid, grids

NASTY = ["=1+1", "+1", "-1+2", "@SUM(A1)", "\tx", "\r=x", '=HYPERLINK("http://x","y")']


@pytest.fixture(scope="module")
def pages(evaluation: Evaluation, ends: BothEnds) -> list[Page]:
    return reports.build(evaluation, ends, printed="2026-01-31")


def test_that_the_pdf_has_title_author_outline_and_embedded_subset_fonts(pages: list[Page], tmp_path: Path) -> None:
    to_pdf.write(pages, tmp_path / "a.pdf")
    reader = PdfReader(tmp_path / "a.pdf")
    assert reader.metadata is not None
    assert reader.metadata.title == "Hall 7 pretraining"
    assert reader.metadata.author == "R. Architect"
    assert [entry.title for entry in reader.outline] == list(reports.SHEETS.values())
    assert len(reader.pages) == len(pages)
    box = reader.pages[0].mediabox
    assert (float(box.width), float(box.height)) == pytest.approx((841.89, 595.28), abs=0.1)
    fonts = reader.pages[0]["/Resources"]["/Font"]
    for font in fonts.values():
        described = font.get_object()
        if "DejaVu" in described["/BaseFont"]:
            assert "+" in described["/BaseFont"], "a subset, not the whole font"
            assert "/FontFile2" in described["/FontDescriptor"]
    assert (tmp_path / "a.pdf").stat().st_size < 600_000


def test_that_a_pdf_that_cannot_be_written_leaves_the_old_one(pages: list[Page], tmp_path: Path) -> None:
    target = tmp_path / "a.pdf"
    target.write_bytes(b"older")
    with pytest.raises(ValueError, match="no sheet was chosen"):
        to_pdf.write([], target)
    assert target.read_bytes() == b"older"
    with pytest.raises(FileNotFoundError):
        to_pdf.write(pages[:1], tmp_path / "missing" / "a.pdf")
    assert [p.name for p in tmp_path.iterdir()] == ["a.pdf"]


def test_that_svg_is_well_formed_and_has_the_text(pages: list[Page], tmp_path: Path) -> None:
    to_svg.write(next(p for p in pages if p.sheet == "conversation"), tmp_path / "a.svg")
    root = ElementTree.parse(tmp_path / "a.svg").getroot()
    texts = [t.text for t in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "DOES NOT FIT" in texts
    assert root.get("viewBox") == "0 0 297 210"


@pytest.mark.parametrize("text", NASTY)
def test_that_no_cell_is_run_as_a_formula(make: Callable[..., Evaluation], ends: BothEnds, text: str) -> None:
    plan = make((("project.project", text),))
    written = to_csv.text_of(next(g for g in grids(plan, ends, "si") if g.name == "Inputs"))
    rows = list(csv.reader(io.StringIO(written)))
    cell = next(row[2] for row in rows if row[0] == "project.project")
    assert cell == "'" + text
    book = load_workbook(io.BytesIO(to_xlsx.to_bytes(plan, ends)))
    for sheet in book:
        for row in sheet.iter_rows():
            for found in row:
                assert found.data_type != "f", found.coordinate


def test_that_negative_numbers_stay_numbers() -> None:
    assert safe(-4.0) == -4.0
    assert safe("-4.0 kW") == "'-4.0 kW"
    assert to_csv.text_of(Grid("x", ("a",), ((-4.0,), (None,)))) == 'a\r\n-4.0\r\n""\r\n'


def test_that_spreadsheets_hold_full_precision_in_the_chosen_units(evaluation: Evaluation, ends: BothEnds) -> None:
    for system, factor, sign in (("si", 1.0, "L/min"), ("us", 0.2641720523581484, "gpm")):
        book = load_workbook(io.BytesIO(to_xlsx.to_bytes(evaluation, ends, system)))  # type: ignore[arg-type]
        rows = {row[0]: row for row in book["Figures"].iter_rows(values_only=True)}
        assert rows["cooling.facility_water_l_min"][2] == pytest.approx(1180.0 * factor, rel=1e-12)
        assert rows["cooling.facility_water_l_min"][3] == sign
    assert {"Both ends", "Inputs", "Figures", "Findings"} <= set(book.sheetnames)


def test_that_csv_writes_a_file_a_table(evaluation: Evaluation, ends: BothEnds, tmp_path: Path) -> None:
    files = to_csv.write(evaluation, ends, tmp_path / "plan.csv")
    assert {"plan.csv", "plan-inputs.csv", "plan-figures.csv", "plan-findings.csv"} <= {f.name for f in files}
    rows = list(csv.reader(io.StringIO((tmp_path / "plan.csv").read_text(encoding="utf-8-sig"))))
    assert rows[0][:4] == ["Layer", "Quantity", "Need", "Have"]
    assert len(rows) == 1 + len(ends.compared)
