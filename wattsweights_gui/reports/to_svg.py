"""A page to SVG in millimetres, with its text as text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from wattsweights_gui.drawing import fonts
from wattsweights_gui.drawing.inks import hex_of
from wattsweights_gui.drawing.marks import MM_PER_PT, Line, Mark, Page, Polygon, Polyline, Rect, Text

_ANCHOR = {"left": "start", "centre": "middle", "right": "end"}


def write(page: Page, path: str | Path) -> None:
    """Write one page.

    Raises:
        OSError: the file cannot be written.
    """
    Path(path).write_text(to_text(page), encoding="utf-8")


def to_text(page: Page) -> str:
    """Return one page as SVG."""
    marks = "\n".join(_DRAW[type(mark)](mark) for mark in page.marks)
    size = f'width="{page.width:g}mm" height="{page.height:g}mm" viewBox="0 0 {page.width:g} {page.height:g}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n<title>{escape(page.title)}</title>\n'
        f'<rect width="100%" height="100%" fill="{hex_of("white")}"/>\n{marks}\n</svg>\n'
    )


def _pen(weight: float, ink: str | None, fill: str | None = None, dash: tuple[float, ...] = ()) -> str:
    stroke = f'stroke="{hex_of(ink)}" stroke-width="{weight:g}"' if ink else 'stroke="none"'
    dashed = f' stroke-dasharray="{" ".join(f"{d:g}" for d in dash)}"' if dash else ""
    return f'{stroke}{dashed} fill="{hex_of(fill) if fill else "none"}"'


def _text(mark: Text) -> str:
    turn = f' transform="rotate({-mark.angle:g} {mark.x:.3f} {mark.y:.3f})"' if mark.angle else ""
    # the width holds the layout together where the reader lacks the font
    width = fonts.width(mark.text, mark.size, mark.bold)
    held = f' textLength="{width:.3f}" lengthAdjust="spacingAndGlyphs"' if width else ""
    weight = ' font-weight="bold"' if mark.bold else ""
    return (
        f'<text x="{mark.x:.3f}" y="{mark.y:.3f}" font-size="{mark.size * MM_PER_PT:.3f}"{weight} xml:space="preserve" '
        f'font-family="DejaVu Sans Condensed, DejaVu Sans, Arial, sans-serif" text-anchor="{_ANCHOR[mark.align]}" '
        f"fill={quoteattr(hex_of(mark.ink))}{held}{turn}>{escape(mark.text)}</text>"
    )


def _line(mark: Line) -> str:
    ends = f'x1="{mark.x1:.3f}" y1="{mark.y1:.3f}" x2="{mark.x2:.3f}" y2="{mark.y2:.3f}"'
    return f"<line {ends} {_pen(mark.weight, mark.ink, None, mark.dash)}/>"


def _rect(mark: Rect) -> str:
    box = f'x="{mark.x:.3f}" y="{mark.y:.3f}" width="{mark.width:.3f}" height="{mark.height:.3f}"'
    return f"<rect {box} {_pen(mark.weight, mark.ink, mark.fill)}/>"


def _points(mark: Polyline | Polygon) -> str:
    return " ".join(f"{x:.3f},{y:.3f}" for x, y in mark.points)


def _polyline(mark: Polyline) -> str:
    return f'<polyline points="{_points(mark)}" {_pen(mark.weight, mark.ink, None, mark.dash)}/>'


def _polygon(mark: Polygon) -> str:
    return f'<polygon points="{_points(mark)}" {_pen(mark.weight, mark.ink, mark.fill)}/>'


_DRAW: dict[type[Mark], Callable[[Any], str]] = {
    Text: _text,
    Line: _line,
    Rect: _rect,
    Polyline: _polyline,
    Polygon: _polygon,
}
