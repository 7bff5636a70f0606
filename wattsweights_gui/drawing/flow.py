"""Puts headings, paragraphs and tables down one page after another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from wattsweights_gui.drawing import fonts
from wattsweights_gui.drawing.marks import MM_PER_PT, SMALLEST_PT, THIN, Line, Mark, Page, Text
from wattsweights_gui.drawing.paper import Paper, TitleBlock, frame
from wattsweights_gui.drawing.table import LaidTable, Table, head_marks, laid, row_marks, split

_LEADING = 1.35
# share of a page
_KEPT = 0.4


@dataclass
class Flow:
    """One sheet in the making: marks a page, and how far down the current one is filled.

    ``scales`` holds the drawing scale of the pages that have one, by their place in the sheet.
    """

    paper: Paper
    sheet: str
    title: str
    pages: list[list[Mark]] = field(default_factory=list)
    y: float = 0.0
    scales: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._start()

    def _start(self) -> None:
        self.pages.append([])
        self.y = self.paper.top

    @property
    def marks(self) -> list[Mark]:
        """Of the current page."""
        return self.pages[-1]

    @property
    def left(self) -> float:
        """Room downwards on the current page in mm."""
        return self.paper.bottom - self.y

    @property
    def fresh(self) -> bool:
        """Whether nothing stands on the current page yet."""
        return self.y <= self.paper.top + 1e-9

    def turn(self) -> None:
        """Go on at the top of a new page, which says what it continues."""
        self._start()
        self.marks.append(Text(self.paper.left, self.y + 3.6, f"{self.title}, continued", 9.0, True, ink="quiet"))
        self.y += 6.5

    def fresh_page(self) -> None:
        """Go on at the top of a new page that does not say what it continues, unless this one is empty."""
        if not self.fresh:
            self._start()

    def scaled(self, words: str) -> None:
        """Say the scale of the current page in its title block."""
        self.scales[len(self.pages) - 1] = words

    def need(self, height: float) -> None:
        """Turn the page unless so much room is left."""
        if self.left < height and not self.fresh:
            self.turn()

    def gap(self, height: float) -> None:
        """Leave some room, none at the top of a page."""
        if not self.fresh:
            self.y += height

    def heading(self, text: str, size: float = 11.0, keep: float = 20.0) -> None:
        """Put a heading that stays with at least ``keep`` mm of what follows it."""
        height = size * MM_PER_PT * _LEADING
        self.need(height + keep)
        self.gap(3.0)
        for line in fonts.wrapped(text, self.paper.room, size, True):
            self.marks.append(Text(self.paper.left, self.y + height * 0.8, line, size, True))
            self.y += height
        self.y += 0.8

    def paragraph(self, text: str, size: float = 8.0, *, bold: bool = False, ink: str = "black") -> None:
        """Put a text over the width of the page."""
        height = size * MM_PER_PT * _LEADING
        for line in fonts.wrapped(text, self.paper.room, size, bold):
            self.need(height)
            self.marks.append(Text(self.paper.left, self.y + height * 0.78, line, size, bold, ink=ink))
            self.y += height
        self.y += 0.8

    def add(self, marks: Iterable[Mark], height: float) -> None:
        """Put marks that were placed from :attr:`y` down, ``height`` mm high."""
        self.marks.extend(marks)
        self.y += height

    def table(self, table: Table) -> None:
        """Put a table; where it breaks across pages, its title and head are repeated."""
        if not table.rows:
            if table.empty:
                if table.title:
                    self.heading(table.title, 9.0, 8.0)
                self.paragraph(table.empty, ink="quiet")
            return
        placed = laid(table, self.paper.room)
        x = self.paper.left
        first = placed.height(placed.rows[0]) + (placed.height(placed.rows[1]) if len(placed.rows) > 1 else 0.0)
        first = min(first, 40.0)
        # a short table is kept whole
        whole = sum(placed.height(row) for row in placed.rows)
        if whole < _KEPT * (self.paper.bottom - self.paper.top):
            first = max(first, whole)
        if table.title:
            self.heading(table.title, 9.0, placed.head_height + first + 4.0)
        else:
            self.need(placed.head_height + first)
        self.add(head_marks(placed, x, self.y), placed.head_height)
        rows = list(placed.rows)
        while rows:
            row = rows.pop(0)
            # a heading inside the table stays with the row under it
            # and a last row, often a sum, with the one before it
            keep = placed.height(row) + (placed.height(rows[0]) if rows and (row.span or len(rows) == 1) else 0.0)
            if keep > self.left:
                if self._filled(placed.head_height):
                    self._continued(table, placed)
                if placed.height(row) > self.left:
                    most = max(1, int((self.left - 3.0) / placed.leading))
                    row, rest = split(row, most)
                    rows.insert(0, rest)
            self.add(row_marks(placed, row, x, self.y), placed.height(row))
        if table.note:
            self.y += 0.8
            self.paragraph(table.note, SMALLEST_PT, ink="quiet")
        self.y += 2.5

    def _filled(self, head: float) -> bool:
        return self.y > self.paper.top + head + 16.0

    def _continued(self, table: Table, placed: LaidTable) -> None:
        self.turn()
        if table.title:
            height = SMALLEST_PT * MM_PER_PT * _LEADING
            said = f"{fonts.fitted(table.title, self.paper.room - 20.0, SMALLEST_PT)}, continued"
            self.marks.append(Text(self.paper.left, self.y + height * 0.78, said, SMALLEST_PT, ink="quiet"))
            self.y += height + 0.8
        self.add(head_marks(placed, self.paper.left, self.y), placed.head_height)

    def rule(self) -> None:
        """Put a thin line across the page."""
        self.marks.append(Line(self.paper.left, self.y, self.paper.right, self.y, THIN))
        self.y += 1.5


def bound(sheets: Iterable[Flow], block: TitleBlock, notes: tuple[str, ...], document: str, author: str) -> list[Page]:
    """Number the pages of all sheets and draw their frames and title blocks."""
    drafts = [(flow, marks, flow.scales.get(n)) for flow in sheets for n, marks in enumerate(flow.pages)]
    pages: list[Page] = []
    for number, (flow, marks, scale) in enumerate(drafts, 1):
        here = replace(block, scale=scale) if scale is not None else block
        framed = frame(flow.paper, here, flow.title, number, len(drafts), notes)
        size = flow.paper.width, flow.paper.height
        pages.append(Page(flow.sheet, flow.title, number, len(drafts), *size, (*framed, *marks), document, author))
    return pages
