"""Pages to a vector PDF with embedded fonts, selectable text, a title and an outline."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from wattsweights_gui import __version__
from wattsweights_gui.drawing import fonts
from wattsweights_gui.drawing.inks import rgb
from wattsweights_gui.drawing.marks import Line, Mark, Page, Polygon, Polyline, Rect, Text

PT_PER_MM = 72 / 25.4


def write(pages: Sequence[Page], path: str | Path) -> None:
    """Write the pages as one PDF; an older file of that name is replaced only once the new one is whole.

    Raises:
        ValueError: there are no pages.
        OSError: the file cannot be written.
    """
    data = to_bytes(pages)
    target = Path(path)
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        # mkstemp makes it private; a report is handed on like any other file
        mask = os.umask(0)
        os.umask(mask)
        part.chmod(0o666 & ~mask)
        part.replace(target)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def to_bytes(pages: Sequence[Page]) -> bytes:
    """Return the pages as one PDF.

    Raises:
        ValueError: there are no pages.
    """
    if not pages:
        raise ValueError("There is nothing to print: no sheet was chosen.")
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfgen.canvas import Canvas

    for bold in (False, True):
        pdfmetrics.registerFont(fonts.face(bold))
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pageCompression=1, lang="en")
    canvas.setTitle(pages[0].document)
    canvas.setAuthor(pages[0].author)
    canvas.setSubject("Sizing of an AI cluster")
    canvas.setCreator(f"WattsWeights {__version__}")
    canvas.setProducer(f"WattsWeights {__version__}")
    outlined = ""
    for page in pages:
        canvas.setPageSize((page.width * PT_PER_MM, page.height * PT_PER_MM))
        if page.sheet != outlined:
            outlined = page.sheet
            canvas.bookmarkPage(page.sheet)
            canvas.addOutlineEntry(page.title, page.sheet, 0, False)
        for mark in page.marks:
            _DRAW[type(mark)](canvas, mark, page.height)
        canvas.showPage()
    canvas.showOutline()
    canvas.save()
    return buffer.getvalue()


def _stroke(canvas: Any, weight: float, ink: str | None, dash: tuple[float, ...] = ()) -> None:
    canvas.setLineWidth(weight * PT_PER_MM)
    canvas.setDash([d * PT_PER_MM for d in dash] if dash else [])
    if ink:
        canvas.setStrokeColorRGB(*rgb(ink))


def _text(canvas: Any, mark: Text, height: float) -> None:
    canvas.setFillColorRGB(*rgb(mark.ink))
    canvas.setFont(fonts.BOLD if mark.bold else fonts.REGULAR, mark.size)
    draw = {"left": canvas.drawString, "right": canvas.drawRightString, "centre": canvas.drawCentredString}[mark.align]
    x, y = mark.x * PT_PER_MM, (height - mark.y) * PT_PER_MM
    if not mark.angle:
        draw(x, y, mark.text)
        return
    canvas.saveState()
    canvas.translate(x, y)
    canvas.rotate(mark.angle)
    draw(0, 0, mark.text)
    canvas.restoreState()


def _line(canvas: Any, mark: Line, height: float) -> None:
    _stroke(canvas, mark.weight, mark.ink, mark.dash)
    canvas.line(
        mark.x1 * PT_PER_MM, (height - mark.y1) * PT_PER_MM, mark.x2 * PT_PER_MM, (height - mark.y2) * PT_PER_MM
    )


def _rect(canvas: Any, mark: Rect, height: float) -> None:
    _stroke(canvas, mark.weight, mark.ink)
    if mark.fill:
        canvas.setFillColorRGB(*rgb(mark.fill))
    canvas.rect(
        mark.x * PT_PER_MM,
        (height - mark.y - mark.height) * PT_PER_MM,
        mark.width * PT_PER_MM,
        mark.height * PT_PER_MM,
        stroke=int(mark.ink is not None),
        fill=int(mark.fill is not None),
    )


def _path(canvas: Any, points: tuple[tuple[float, float], ...], height: float) -> Any:
    path = canvas.beginPath()
    for n, (x, y) in enumerate(points):
        (path.lineTo if n else path.moveTo)(x * PT_PER_MM, (height - y) * PT_PER_MM)
    return path


def _polyline(canvas: Any, mark: Polyline, height: float) -> None:
    _stroke(canvas, mark.weight, mark.ink, mark.dash)
    canvas.drawPath(_path(canvas, mark.points, height), stroke=1, fill=0)


def _polygon(canvas: Any, mark: Polygon, height: float) -> None:
    _stroke(canvas, mark.weight, mark.ink)
    if mark.fill:
        canvas.setFillColorRGB(*rgb(mark.fill))
    path = _path(canvas, mark.points, height)
    path.close()
    canvas.drawPath(path, stroke=int(mark.ink is not None), fill=int(mark.fill is not None))


_DRAW: dict[type[Mark], Callable[[Any, Any, float], None]] = {
    Text: _text,
    Line: _line,
    Rect: _rect,
    Polyline: _polyline,
    Polygon: _polygon,
}
