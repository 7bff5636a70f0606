"""The fonts that ship with the program, and how wide a text is in them.

Layout measures with the same files that are embedded in the PDF and loaded by the painter, so that preview, print and
PDF break lines at the same places.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from wattsweights_gui import paths
from wattsweights_gui.drawing.marks import MM_PER_PT

REGULAR, BOLD = "DejaVuSansCondensed", "DejaVuSansCondensed-Bold"
ELLIPSIS = "…"
_CONTROL = re.compile(r"[\x00-\x1f\x7f\u2028\u2029\ufeff]+")
_BREAK_AFTER = "/_.-,;:)&=?\\"


def font_file(bold: bool) -> Path:
    """Return the path of the shipped font."""
    return paths.resource("fonts", f"{BOLD if bold else REGULAR}.ttf")


@cache
def face(bold: bool) -> Any:
    """Return the font, read once."""
    # reportlab costs a tenth of a second: only who lays out a sheet pays it
    from reportlab.pdfbase.ttfonts import TTFont

    return TTFont(BOLD if bold else REGULAR, str(font_file(bold)))


@lru_cache(maxsize=65536)
def width(text: str, size: float, bold: bool = False) -> float:
    """Return the width of one line of text in mm at a size in points."""
    return float(face(bold).stringWidth(text, size)) * MM_PER_PT


def clean(text: str) -> str:
    """Return the text on one line, without control characters."""
    return _CONTROL.sub(" ", text).strip(" ")


def fitted(text: str, room: float, size: float, bold: bool = False) -> str:
    """Return the text, cut with an ellipsis where it is wider than ``room`` mm."""
    if width(text, size, bold) <= room:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if width(text[:middle].rstrip() + ELLIPSIS, size, bold) <= room:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + ELLIPSIS


@lru_cache(maxsize=16384)
def wrapped(text: str, room: float, size: float, bold: bool = False) -> tuple[str, ...]:
    """Return the text in lines no wider than ``room`` mm; newlines in it start a new line.

    A word that is wider than the room is broken, after a punctuation mark where there is one.
    """
    lines: list[str] = []
    for paragraph in text.splitlines() or [""]:
        line = ""
        for word in clean(paragraph).split(" "):
            joined = f"{line} {word}" if line else word
            if width(joined, size, bold) <= room:
                line = joined
                continue
            if line:
                lines.append(line)
            pieces = _broken(word, room, size, bold)
            lines += pieces[:-1]
            line = pieces[-1]
        lines.append(line)
    return tuple(lines)


def longest_word(text: str, size: float, bold: bool = False) -> float:
    """Return the width in mm of the widest word."""
    return max((width(word, size, bold) for word in re.split(r"[ \n]", text)), default=0.0)


def _broken(word: str, room: float, size: float, bold: bool) -> list[str]:
    pieces: list[str] = []
    while width(word, size, bold) > room and len(word) > 1:
        end = max(1, next((n for n in range(1, len(word)) if width(word[: n + 1], size, bold) > room), len(word)))
        better = next((n for n in range(end, end // 2, -1) if word[n - 1] in _BREAK_AFTER), end)
        pieces.append(word[:better])
        word = word[better:]
    return [*pieces, word]
