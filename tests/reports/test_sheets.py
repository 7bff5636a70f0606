"""What the sheets say, read back from the PDF."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from pypdf import PdfReader

from wattsweights_gui import reports
from wattsweights_gui.drawing.marks import Page, Text
from wattsweights_gui.drawing.paper import SIZES
from wattsweights_gui.engine.both_ends import BothEnds, verdict
from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.declare import Finding, Table, unknown
from wattsweights_gui.engine.layers import LAYERS
from wattsweights_gui.reports import to_pdf, to_svg


def _read(pages: list[Page]) -> list[str]:
    reader = PdfReader(io.BytesIO(to_pdf.to_bytes(pages)))
    return [_plain(page.extract_text()) for page in reader.pages]


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("\u2009", " "))


def _of(pages: list[Page], sheet: str) -> list[Page]:
    return [page for page in pages if page.sheet == sheet]


@pytest.fixture(scope="module")
def pages(evaluation: Evaluation, ends: BothEnds, lever_report: Any) -> list[Page]:
    return reports.build(evaluation, ends, lever_report, printed="2026-01-31")


def test_that_the_first_page_says_the_verdict_and_the_three_numbers_of_gpus(
    pages: list[Page], evaluation: Evaluation, ends: BothEnds
) -> None:
    text = _read(_of(pages, "conversation"))[0]
    for word in verdict(evaluation, ends, "si").replace("\u2009", " ").split():
        assert word in text
    assert "DOES NOT FIT" in text
    for title, number in (("hold the model", "448"), ("meet the date", "2 048"), ("facility hosts", "392")):
        assert title in text
        assert number in text
    assert "104 to 139 expected" in text


def test_that_the_first_page_has_both_sides_the_collisions_and_the_ways_out(pages: list[Page]) -> None:
    text = _read(_of(pages, "conversation"))[0]
    for heading in ("What the customer wants", "What the hall has", "Where they collide", "The ways out"):
        assert heading in text
    assert "121 → 29.3" in text
    assert "No way out at all" not in text, "a lever that closes nothing is no way out"
    assert text.index("Heat of the fullest rack") > 0
    assert text.index("OVER") < text.index("near") < text.index("holds ")


@pytest.mark.parametrize("paper", list(SIZES))
@pytest.mark.parametrize("system", ["si", "us"])
def test_that_the_conversation_is_one_page_on_every_paper(
    evaluation: Evaluation, ends: BothEnds, lever_report: Any, paper: str, system: Any
) -> None:
    many = replace(ends, compared=ends.compared * 12, binding=ends.binding * 12)
    levers = type(lever_report)(base_ends=many, singles=lever_report.singles * 20, pairs=lever_report.pairs * 20)
    built = reports.build(evaluation, many, levers, sheets="conversation", paper=paper, units=system)
    assert len(built) == 1
    assert "more ways: see the levers in the program" in _read(built)[0]
    bottom = max(t.y for t in built[0].texts() if t.text.startswith("and "))
    assert bottom < SIZES[paper][1] - 8.0 - 25.2


@pytest.mark.parametrize("paper", list(SIZES))
@pytest.mark.parametrize("system", ["si", "us"])
def test_that_no_page_has_small_print_or_text_outside_the_frame_or_over_other_text(
    evaluation: Evaluation,
    ends: BothEnds,
    lever_report: Any,
    paper: str,
    system: Any,
    clear: Callable[[Page], None],
) -> None:
    for page in reports.build(evaluation, ends, lever_report, paper=paper, units=system):
        clear(page)


def test_that_every_page_has_the_whole_title_block(pages: list[Page]) -> None:
    for number, text in enumerate(_read(pages), 1):
        for expected in (
            "Hall 7 pretraining",
            "Northwind Labs",
            "Oslo, hall 7, rows A to D",
            "R. Architect",
            "C. Checker",
            "2026-01-31",
            f"{number} of {len(pages)}",
        ):
            assert expected in text


def test_that_a_date_of_the_plan_goes_before_the_day_of_printing(
    make: Callable[..., Evaluation], ends: BothEnds
) -> None:
    plan = make((("project.date", "2025-12-24"),))
    text = _read(reports.build(plan, ends, sheets="conversation", printed="2026-01-31"))[0]
    assert "2025-12-24" in text


def test_that_the_same_number_stands_on_every_sheet_that_has_it(pages: list[Page]) -> None:
    text = {page.sheet: "" for page in pages}
    for page, read in zip(pages, _read(pages), strict=True):
        text[page.sheet] += read
    for sheet in ("conversation", "parallelism"):
        assert "512" in text[sheet]
        assert "121" in text[sheet]
    for sheet in ("conversation", "cooling"):
        assert "40.8" in text[sheet]


def test_that_each_layer_has_its_sheet_with_inputs_results_units_and_sources(pages: list[Page]) -> None:
    sheets = [page.sheet for page in pages]
    assert list(dict.fromkeys(sheets)) == list(reports.SHEETS)
    read = dict.fromkeys(sheets, "")
    for page, text in zip(pages, _read(pages), strict=True):
        read[page.sheet] += text
    for layer in LAYERS:
        assert "Inputs" in read[layer.name]
        assert "Results" in read[layer.name]
    assert "● set" in read["power"]
    assert "default" in read["power"]
    assert "nodes × node_kw + constant" in read["power"]
    assert "nodes = 64" in read["power"]
    assert "A rack of four nodes draws 40.8 kW" in read["cooling"]


def test_that_assumptions_constants_and_equations_are_listed_with_their_sources(pages: list[Page]) -> None:
    text = " ".join(_read([page for page in pages if page.sheet == "sources"]))
    assert "a table, page 3" in text
    assert "ours, for this test" in text
    assert "power.management_kw" in text
    assert "Hardware catalogue" in text


def test_that_an_unknown_figure_is_a_dash_with_its_reason(evaluation: Evaluation, ends: BothEnds) -> None:
    split = evaluation.results["parallelism"]
    blind = split.model_copy(update={"days": unknown("the batch is empty", "days", "Days")})
    results = {**evaluation.results, "parallelism": blind}
    text = " ".join(_read(reports.build(replace(evaluation, results=results), ends, sheets="parallelism")))
    assert "Not known: the batch is empty" in text


def test_that_without_levers_the_sheet_says_so(evaluation: Evaluation, ends: BothEnds) -> None:
    assert "They were not sized for this print." in _read(reports.build(evaluation, ends, sheets="conversation"))[0]


def test_that_us_units_change_every_sheet(evaluation: Evaluation, ends: BothEnds) -> None:
    text = " ".join(_read(reports.build(evaluation, ends, units="us")))
    assert "gpm" in text
    assert "°F" in text
    assert "L/min" not in text
    assert "64.4" in text, "18 °C of facility water"


def test_that_sheets_are_chosen_by_name_and_unknown_ones_are_refused(evaluation: Evaluation, ends: BothEnds) -> None:
    built = reports.build(evaluation, ends, sheets="floor, conversation")
    assert built[0].sheet == "conversation"
    assert {page.sheet for page in built} == {"conversation", "floor"}
    with pytest.raises(ValueError, match=r"“flor” is no sheet: choose from cover, conversation, "):
        reports.build(evaluation, ends, sheets="flor")
    with pytest.raises(ValueError, match="use si or us"):
        reports.build(evaluation, ends, units="metric")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="B5"):
        reports.build(evaluation, ends, paper="B5")


def test_that_a_table_of_five_hundred_rows_repeats_its_head(evaluation: Evaluation, ends: BothEnds) -> None:
    from wattsweights_gui.drawing.flow import Flow
    from wattsweights_gui.drawing.paper import paper_named
    from wattsweights_gui.reports.layer_sheet import data_table

    rows = tuple((f"rack {n}", 40.0 + n, "air") for n in range(500))
    table = Table(("rack", "power", "cooling"), ("text", "kw", "text"), rows, "Rack schedule", "ours")
    flow = Flow(paper_named("A4"), "x", "x")
    flow.table(data_table(table, "schedule", "si"))
    for marks in flow.pages:
        assert [m.text for m in marks if isinstance(m, Text)].count("kW") == 1


def test_that_a_hostile_project_name_and_notes_are_only_text(make: Callable[..., Evaluation], ends: BothEnds) -> None:
    plan = make((("project.project", "<b>&\x00\n中文 'x'"), ("project.notes", "line one\n\nline two " + "w" * 4000)))
    pages = reports.build(plan, ends)
    assert "line two" in " ".join(_read(pages))
    assert "<b>&amp;" not in _read(pages[:1])[0]
    assert "&lt;b&gt;&amp;" in to_svg.to_text(pages[0])


def test_that_findings_stand_worst_first(evaluation: Evaluation, ends: BothEnds) -> None:
    mixed = (
        Finding("a", "note", "power.x", "A note."),
        Finding("b", "blocker", "power.y", "A blocker."),
        Finding("c", "caution", "power.z", "A caution."),
    )
    text = " ".join(_read(reports.build(replace(evaluation, findings=mixed), ends, sheets="power")))
    assert text.index("A blocker.") < text.index("A caution.") < text.index("A note.")
