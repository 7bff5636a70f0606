"""Tables keep to their columns and their pages."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wattsweights_gui.drawing import fonts
from wattsweights_gui.drawing.flow import Flow, bound
from wattsweights_gui.drawing.marks import Page, Rect, Text
from wattsweights_gui.drawing.paper import LEFT, RIGHT, SIZES, TOP, TitleBlock, paper_named
from wattsweights_gui.drawing.table import BAR_FULL, Column, Table, laid, load_bar

BLOCK = TitleBlock("Project", "Customer", "Site", "B", "2026-01-31", "A. Author", "C. Checker", "SI")


def _pages(table: Table, paper: str = "A4") -> list[Page]:
    flow = Flow(paper_named(paper), "rows", "Many rows")
    flow.heading("Many rows", 12.0)
    flow.table(table)
    return bound([flow], BLOCK, ("a note",), "Document", "A. Author")


def _numbered(count: int) -> Table:
    columns = (Column("Rack"), Column("Power", "kW", "right"), Column("What is in it", stretch=True))
    rows = tuple((f"R{n:04d}", f"{40 + n % 7}", "four nodes and two switches") for n in range(count))
    return Table(columns, rows, "Rack schedule")


def _extent(mark: Text) -> tuple[float, float]:
    wide = fonts.width(mark.text, mark.size, mark.bold)
    left = mark.x - {"left": 0.0, "centre": wide / 2, "right": wide}[mark.align]
    return left, left + wide


def test_that_small_print_is_refused() -> None:
    with pytest.raises(ValueError, match="7 pt or more"):
        Text(0, 0, "too small", 6.0)


@pytest.mark.parametrize("paper", list(SIZES))
def test_that_five_hundred_rows_break_with_their_head_on_every_page(paper: str) -> None:
    pages = _pages(_numbered(500), paper)
    assert len(pages) > 3
    seen: list[str] = []
    for page in pages:
        texts = [t.text for t in page.texts()]
        assert texts.count("Power") == 1
        assert texts.count("kW") == 1
        seen += [t for t in texts if t.startswith("R") and t[1:].isdigit()]
    assert seen == [f"R{n:04d}" for n in range(500)]


@pytest.mark.parametrize("paper", list(SIZES))
def test_that_nothing_leaves_the_frame_or_runs_into_the_title_block(paper: str) -> None:
    size = paper_named(paper)
    for page in _pages(_numbered(120), paper):
        for text in page.texts():
            left, right = _extent(text)
            assert left > LEFT
            assert right < size.width - RIGHT
            assert TOP < text.y < size.height
            if text.text.startswith("R0"):
                assert text.y < size.bottom


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.text("abc defg-/", max_size=90), st.integers(0, 10**9), st.text("xyz ", max_size=200)),
        min_size=1,
        max_size=12,
    )
)
def test_that_cells_never_run_into_their_neighbours(rows: list[tuple[str, int, str]]) -> None:
    columns = (Column("A long head of a column"), Column("Number", "kW", "right"), Column("Text", stretch=True))
    table = Table(columns, tuple((a, f"{n:,}", c) for a, n, c in rows))
    placed = laid(table, paper_named("A4").room)
    assert placed.width <= paper_named("A4").room + 1e-6
    for row in placed.rows:
        for lines, width, cell in zip(row.lines, placed.widths, row.cells, strict=True):
            for line in lines:
                assert fonts.width(line, placed.size, cell.bold) <= width + 1e-6


def test_that_a_long_title_is_wrapped_and_cut_where_it_continues() -> None:
    table = replace(_numbered(120), title="A title that goes on and on " * 12, note="Source: ours.")
    pages = _pages(table)
    assert len(pages) > 2
    for page in pages:
        for text in page.texts():
            assert _extent(text)[1] < 297.0 - RIGHT
    assert "Source: ours." in [t.text for t in pages[-1].texts()]


def test_that_a_number_is_never_broken() -> None:
    wordy = "many words " * 30
    table = Table((Column("N", align="right"), Column("T"), Column("U")), (("123,456,789", wordy, wordy),))
    assert laid(table, 120.0).rows[0].lines[0] == ("123,456,789",)


def test_that_a_cell_taller_than_a_page_goes_on_on_the_next() -> None:
    words = [f"word{n}" for n in range(6000)]
    pages = _pages(Table((Column("Notes", stretch=True),), ((" ".join(words),),)))
    assert len(pages) > 2
    printed = " ".join(t.text for page in pages for t in page.texts())
    assert [w for w in printed.split() if w.startswith("word")] == words


def test_that_forty_columns_still_fit_the_page() -> None:
    columns = tuple(Column(f"Column {n}", "kW", "right") for n in range(40))
    placed = laid(Table(columns, (tuple(f"{n}" for n in range(40)),)), paper_named("A4").room)
    assert placed.width <= paper_named("A4").room + 1e-6


def test_that_a_load_bar_reaches_its_tick_at_one_and_stops_at_its_end() -> None:
    def filled(load: float) -> float:
        return next(m.width for m in load_bar(0, 0, 30, 3, load) if isinstance(m, Rect) and m.fill)

    assert filled(1.0) == pytest.approx(30 / BAR_FULL)
    assert filled(99.0) == pytest.approx(30)
    assert filled(0.5) == pytest.approx(filled(1.0) / 2)


def test_that_a_paper_nobody_has_is_refused_by_name() -> None:
    assert paper_named("letter").name == "Letter"
    with pytest.raises(ValueError, match="A4, A3, Letter, Tabloid"):
        paper_named("B5")


def test_that_the_title_block_says_sheet_and_count_and_cuts_what_is_too_long() -> None:
    flow = Flow(paper_named("A4"), "x", "Sheet")
    block = TitleBlock("P" * 300, "C" * 300, "S" * 300, "B", "2026-01-31", "A", "C", "US")
    page = bound([flow], block, (), "d", "a")[0]
    texts = [t.text for t in page.texts()]
    assert "1 of 1" in texts
    assert any(t.endswith(fonts.ELLIPSIS) for t in texts)
    for text in page.texts():
        assert _extent(text)[1] < 297.0 - RIGHT


def test_that_a_waterfall_is_to_scale_and_ends_where_its_parts_end() -> None:
    from wattsweights_gui.drawing.marks import Line
    from wattsweights_gui.drawing.waterfall import height, waterfall

    parts = [("Weights", "weights", 24.0, "24 GB"), ("Activations", "activations", 36.0, "36 GB")]
    marks = waterfall(20.0, 30.0, 200.0, parts, ("Worst GPU", "60 GB"), ("HBM 80 GB", 80.0))
    bars = [m for m in marks if isinstance(m, Rect) and m.ink]
    assert bars[2].x == pytest.approx(bars[0].x + bars[0].width), "a part starts where the one above ended"
    assert bars[2].width / bars[0].width == pytest.approx(36 / 24)
    limit = next(m for m in marks if isinstance(m, Line) and m.dash)
    assert (limit.x1 - bars[0].x) / bars[0].width == pytest.approx(80 / 24)
    for text in (m for m in marks if isinstance(m, Text)):
        assert _extent(text)[0] >= 20.0
        assert _extent(text)[1] <= 220.0
        assert 30.0 < text.y < 30.0 + height(parts, ("HBM 80 GB", 80.0))
