"""Sheets of paper: sizes, the frame, and the title block at the lower right."""

from __future__ import annotations

from dataclasses import dataclass

from wattsweights_gui.drawing import fonts
from wattsweights_gui.drawing.marks import MEDIUM, MM_PER_PT, SMALLEST_PT, THICK, THIN, Line, Mark, Rect, Text

# landscape, in mm (ISO 216; ANSI/ASME Y14.1)
SIZES: dict[str, tuple[float, float]] = {
    "A4": (297.0, 210.0),
    "A3": (420.0, 297.0),
    "Letter": (279.4, 215.9),
    "Tabloid": (431.8, 279.4),
}
LEFT, TOP, RIGHT, BOTTOM = 15.0, 8.0, 8.0, 8.0
INSET = 4.0
BLOCK_WIDTH, ROW_HEIGHT, BLOCK_ROWS = 156.0, 8.4, 3
BLOCK_HEIGHT = ROW_HEIGHT * BLOCK_ROWS


@dataclass(frozen=True)
class Paper:
    """A paper size, landscape, and the part of it that content may use; all in mm."""

    name: str
    width: float
    height: float

    @property
    def left(self) -> float:
        """Left edge of the content."""
        return LEFT + INSET

    @property
    def right(self) -> float:
        """Right edge of the content."""
        return self.width - RIGHT - INSET

    @property
    def top(self) -> float:
        """Upper edge of the content."""
        return TOP + INSET

    @property
    def bottom(self) -> float:
        """Lower edge of the content: above the title block."""
        return self.height - BOTTOM - BLOCK_HEIGHT - 2.5

    @property
    def room(self) -> float:
        """Width of the content."""
        return self.right - self.left


def paper_named(name: str) -> Paper:
    """Return a paper size by its name, in any spelling of capitals.

    Raises:
        ValueError: no such size.
    """
    for known, (width, height) in SIZES.items():
        if known.casefold() == name.strip().casefold():
            return Paper(known, width, height)
    raise ValueError(f"“{name}” is no paper size: use {', '.join(SIZES)}.")


@dataclass(frozen=True)
class TitleBlock:
    """What the title block of every sheet of a set says."""

    project: str = ""
    customer: str = ""
    site: str = ""
    revision: str = ""
    date: str = ""
    author: str = ""
    checked: str = ""
    units: str = ""
    scale: str = "none"


def frame(paper: Paper, block: TitleBlock, title: str, number: int, of: int, notes: tuple[str, ...]) -> list[Mark]:
    """Return the frame, the title block and the notes to its left."""
    x0, y0 = LEFT, TOP
    x1, y1 = paper.width - RIGHT, paper.height - BOTTOM
    left, top = x1 - BLOCK_WIDTH, y1 - BLOCK_HEIGHT
    marks: list[Mark] = [
        Rect(x0, y0, x1 - x0, y1 - y0, THICK),
        Line(x0, top, x1, top, MEDIUM),
        Line(left, top, left, y1, MEDIUM),
    ]
    rows = (
        (("Project", block.project, 66.0), ("Customer", block.customer, 45.0), ("Site", block.site, 45.0)),
        (("Sheet title", title, 111.0), ("Sheet", f"{number} of {of}", 45.0)),
        (
            ("Revision", block.revision, 20.0),
            ("Date", block.date, 26.0),
            ("Scale", block.scale, 20.0),
            ("Units", block.units, 20.0),
            ("By", block.author, 35.0),
            ("Checked", block.checked, 35.0),
        ),
    )
    for index, row in enumerate(rows):
        x, y = left, top + index * ROW_HEIGHT
        if index:
            marks.append(Line(left, y, x1, y, THIN))
        for label, value, wide in row:
            if x > left:
                marks.append(Line(x, y, x, y + ROW_HEIGHT, THIN))
            marks += _cell(x, y, wide, label, value, bold=index == 1 or label == "Project")
            x += wide
    marks += _notes(x0 + INSET, top, left - x0 - 2 * INSET, notes)
    return marks


def _cell(x: float, y: float, wide: float, label: str, value: str, bold: bool) -> list[Mark]:
    room = wide - 3.0
    value = fonts.clean(value)
    size = next((s for s in (9.0, 8.0) if fonts.width(value, s, bold) <= room), SMALLEST_PT)
    return [
        Text(x + 1.5, y + 2.9, label, SMALLEST_PT, ink="quiet"),
        Text(x + 1.5, y + 7.0, fonts.fitted(value, room, size, bold) if value else "", size, bold),
    ]


def _notes(x: float, y: float, room: float, notes: tuple[str, ...]) -> list[Mark]:
    leading = SMALLEST_PT * MM_PER_PT * 1.3
    lines = [line for note in notes for line in fonts.wrapped(note, room, SMALLEST_PT)]
    most = int((BLOCK_HEIGHT - 2.0) / leading)
    return [
        Text(x, y + 1.2 + leading * (n + 0.8), line, SMALLEST_PT, ink="quiet") for n, line in enumerate(lines[:most])
    ]
