"""The few kinds of mark that every sheet is made of, in millimetres from the page's upper left corner.

A page is plain data: the same marks become PDF, SVG and what a painter shows on screen. Nothing here knows Qt.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Align = Literal["left", "centre", "right"]
Point = tuple[float, float]

MM_PER_PT = 25.4 / 72
SMALLEST_PT = 7.0
HAIRLINE, THIN, MEDIUM, THICK = 0.1, 0.18, 0.35, 0.6


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text; ``y`` is its baseline and ``x`` the edge or middle that ``align`` names.

    Raises:
        ValueError: smaller than can be read on paper.
    """

    x: float
    y: float
    text: str
    size: float = 8.0
    bold: bool = False
    align: Align = "left"
    ink: str = "black"
    angle: float = 0.0

    def __post_init__(self) -> None:
        if self.size < SMALLEST_PT:
            raise ValueError(
                f"“{self.text}” at {self.size:g} pt cannot be read on paper: use {SMALLEST_PT:g} pt or more."
            )


@dataclass(frozen=True, slots=True)
class Line:
    """A straight stroke; ``dash`` holds lengths of stroke and gap in mm."""

    x1: float
    y1: float
    x2: float
    y2: float
    weight: float = THIN
    ink: str = "black"
    dash: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle; without ``ink`` it has no outline, without ``fill`` no ground."""

    x: float
    y: float
    width: float
    height: float
    weight: float = THIN
    ink: str | None = "black"
    fill: str | None = None


@dataclass(frozen=True, slots=True)
class Polyline:
    """An open run of strokes."""

    points: tuple[Point, ...]
    weight: float = THIN
    ink: str = "black"
    dash: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Polygon:
    """A closed shape."""

    points: tuple[Point, ...]
    weight: float = THIN
    ink: str | None = "black"
    fill: str | None = None


Mark = Text | Line | Rect | Polyline | Polygon


@dataclass(frozen=True)
class Page:
    """One page of a set of sheets.

    Attributes:
        sheet: id of the sheet that the page belongs to.
        title: of the sheet, as in the title block and the outline.
        number: counted from 1 through the whole set.
        of: pages in the set.
        width, height: of the paper in mm.
        marks: back to front.
        document: title of the whole set.
        author: who made it.
    """

    sheet: str
    title: str
    number: int
    of: int
    width: float
    height: float
    marks: tuple[Mark, ...]
    document: str = ""
    author: str = ""

    def texts(self) -> list[Text]:
        """Return the lines of text in drawing order."""
        return [mark for mark in self.marks if isinstance(mark, Text)]
