"""Bars that start where the one above ended, and their sum stacked in the last row, against a limit."""

from __future__ import annotations

from collections.abc import Sequence

from wattsweights_gui.drawing import fonts
from wattsweights_gui.drawing.marks import HAIRLINE, SMALLEST_PT, THIN, Line, Mark, Rect, Text

ROW = 4.6
_BAR = 3.0
_LABEL_ROOM = 44.0

# label, ink, size, words at its end
Part = tuple[str, str, float, str]


def height(parts: Sequence[Part], limit: tuple[str, float] | None) -> float:
    """Return the height in mm of what :func:`waterfall` draws."""
    return ROW * (len(parts) + 1) + (4.0 if limit else 0.0) + 1.0


def waterfall(
    x: float, y: float, width: float, parts: Sequence[Part], whole: tuple[str, str], limit: tuple[str, float] | None
) -> list[Mark]:
    """Return the marks.

    Args:
        x, y: upper left corner in mm.
        width: of everything, labels included, in mm.
        parts: label, ink, size and the words at the bar's end, in order.
        whole: label of the sum and the words at its end.
        limit: name with its value in words, and its size; drawn as a line through all rows.
    """
    total = sum(size for _, _, size, _ in parts)
    far = max(total, limit[1] if limit else 0.0)
    words = max(fonts.width(w, 8.0) for w in (*(p[3] for p in parts), whole[1])) + 4.0
    room = width - _LABEL_ROOM - words
    scale = room / far if far > 0 else 0.0
    left, top = x + _LABEL_ROOM, y + (4.0 if limit else 0.0)
    marks: list[Mark] = []
    if limit:
        place = left + limit[1] * scale
        marks.append(Line(place, y + 3.4, place, top + ROW * (len(parts) + 1), 0.4, "black", (1.6, 0.8)))
        # the name ends at the line where the line stands far to the right
        align = "right" if place > left + room / 2 else "left"
        marks.append(Text(place, y + 2.8, limit[0], SMALLEST_PT, True, align))  # type: ignore[arg-type]
    at = 0.0
    for row, (label, ink, size, said) in enumerate(parts):
        middle = top + ROW * row + ROW / 2
        last = top + ROW * len(parts) + ROW / 2
        marks += [
            Text(left - 2.0, middle + 1.0, fonts.fitted(label, _LABEL_ROOM - 3.0, 8.0), 8.0, align="right"),
            Rect(left + at * scale, middle - _BAR / 2, size * scale, _BAR, HAIRLINE, "black", ink),
            Rect(left + at * scale, last - _BAR / 2, size * scale, _BAR, HAIRLINE, "black", ink),
        ]
        at += size
        # the limit's line passes behind the words
        end = left + at * scale
        marks.append(Rect(end + 0.6, middle - 1.8, fonts.width(said, 8.0) + 1.6, 3.6, ink=None, fill="white"))
        marks.append(Text(end + 1.5, middle + 1.0, said, 8.0))
    middle = top + ROW * len(parts) + ROW / 2
    marks += [
        Text(left - 2.0, middle + 1.0, whole[0], 8.0, True, "right"),
        Text(left + total * scale + 1.5, middle + 1.0, whole[1], 8.0, True),
        Line(left, top, left, top + ROW * (len(parts) + 1), THIN),
    ]
    return marks
