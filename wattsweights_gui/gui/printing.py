"""Sheets on a painter: preview, printer and PDF show the same pages, laid out once by :mod:`reports`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QDate, QLineF, QLocale, QMarginsF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontMetricsF,
    QPageLayout,
    QPageSize,
    QPainter,
    QPen,
    QPolygonF,
)
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QWidget

from wattsweights_gui import reports
from wattsweights_gui.drawing import fonts
from wattsweights_gui.drawing.inks import hex_of
from wattsweights_gui.drawing.marks import Line, Mark, Page, Polygon, Polyline, Rect, Text
from wattsweights_gui.engine.both_ends import both_ends
from wattsweights_gui.project.guard import refuse_to_replace
from wattsweights_gui.reports import to_pdf

if TYPE_CHECKING:
    from wattsweights_gui.gui.print_preview import PrintPreview

PAPERS: dict[str, QPageSize.PageSizeId] = {
    "A4": QPageSize.PageSizeId.A4,
    "A3": QPageSize.PageSizeId.A3,
    "Letter": QPageSize.PageSizeId.Letter,
    "Tabloid": QPageSize.PageSizeId.Tabloid,
}
_FLAGS = {"left": 0.0, "centre": 0.5, "right": 1.0}


# --------------------------------------------------------------------------------------------------- what to print


def default_paper() -> str:
    """Return the paper that is usual where the user is."""
    imperial = QLocale().measurementSystem() == QLocale.MeasurementSystem.ImperialUSSystem
    return "Letter" if imperial else "A4"


def pages_of(session: Any, paper: str = "", sheets: Sequence[str] | None = None) -> list[Page]:
    """Return the pages of a session's plan as it stands.

    Levers are printed where they were sized for this very plan; numbers of an older one never are.

    Args:
        session: has ``evaluation``, ``ends`` and ``units``, and ``lever_report`` where levers were sized.
        paper: name of a size; the usual one where empty.
        sheets: ids of sheets; all where ``None``.
    """
    report = getattr(session, "lever_report", None)
    if report is not None and report.base.plan != session.evaluation.plan:
        report = None
    ends = session.ends if session.ends is not None else both_ends(session.evaluation)
    return reports.build(
        session.evaluation,
        ends,
        report,
        units=session.units,
        sheets=sheets,
        printed=QDate.currentDate().toString(Qt.DateFormat.ISODate),
        paper=paper or default_paper(),
        placements=getattr(session, "placements", None),
    )


def export_pdf(
    window: QWidget | None, session: Any, path: str | Path, paper: str = "", sheets: Sequence[str] | None = None
) -> None:
    """Write the sheets as a PDF.

    Raises:
        OSError: the file cannot be written.
        ProjectFileError: it is a project, which is not written over.
    """
    refuse_to_replace(path)
    if window is not None:
        window.setCursor(Qt.CursorShape.WaitCursor)
    try:
        to_pdf.write(pages_of(session, paper, sheets), path)
    finally:
        if window is not None:
            window.unsetCursor()


def printer_for(paper: str, title: str) -> QPrinter:
    """Return a printer set to a paper, landscape, the whole sheet without margins of its own."""
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setDocName(title)
    printer.setCreator("WattsWeights")
    printer.setFullPage(True)
    printer.setPageSize(QPageSize(PAPERS[paper]))
    printer.setPageOrientation(QPageLayout.Orientation.Landscape)
    printer.setPageMargins(QMarginsF(0, 0, 0, 0), QPageLayout.Unit.Millimeter)
    return printer


def paper_of(printer: QPrinter, otherwise: str) -> str:
    """Return the name of the paper that was chosen for a printer; ``otherwise`` where it is none of ours."""
    chosen = printer.pageLayout().pageSize().id()
    return next((name for name, size in PAPERS.items() if size == chosen), otherwise)


def print_dialog(
    window: QWidget | None, session: Any, paper: str = "", sheets: Sequence[str] | None = None
) -> QPrintDialog:
    """Open the system's print dialog without blocking; the sheets are laid out for the paper chosen in it."""
    wanted = paper or default_paper()
    printer = printer_for(wanted, session.evaluation.plan.info.project)
    dialog = QPrintDialog(printer, window)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def accepted() -> None:
        print_pages(printer, pages_of(session, paper_of(printer, wanted), sheets))

    dialog.accepted.connect(accepted)
    # its own open() wants an old-style slot; this is what QDialog.open does
    dialog.setModal(True)
    dialog.show()
    return dialog


def print_preview(window: QWidget | None, session: Any) -> PrintPreview:
    """Open the preview without blocking."""
    from wattsweights_gui.gui.print_preview import PrintPreview

    dialog = PrintPreview(session, window)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
    return dialog


# -------------------------------------------------------------------------------------------------------- painting


def print_pages(printer: QPrinter, pages: Sequence[Page]) -> None:
    """Paint pages on a printer, one sheet of paper each; the range chosen in the print dialog is kept."""
    first = printer.fromPage() or 1
    last = printer.toPage() or len(pages)
    chosen = [page for page in pages if first <= page.number <= last] or list(pages)
    painter = QPainter(printer)
    try:
        for n, page in enumerate(chosen):
            if n:
                printer.newPage()
            # physical DPI stays at the driver's whatever is set: only the logical one scales what is painted
            dots = printer.logicalDpiX() / 25.4
            sheet = printer.pageLayout().fullRect(QPageLayout.Unit.Millimeter)
            paint_page(painter, page, dots, sheet.width(), sheet.height())
    finally:
        painter.end()


def paint_page(painter: QPainter, page: Page, dots: float, width: float = 0.0, height: float = 0.0) -> None:
    """Paint one page.

    Args:
        painter: its origin is the paper's upper left corner.
        page: to be painted.
        dots: of the painter's device for each mm.
        width, height: of the paper there is, in mm; a larger page is made smaller to fit it.
    """
    fit = min(width / page.width, height / page.height, 1.0) if width and height else 1.0
    # a point of rounding in the driver's paper size is no reason to shrink
    scale = dots * (fit if fit < 0.99 else 1.0)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    for mark in page.marks:
        _PAINT[type(mark)](painter, mark, scale)
    painter.restore()


@cache
def _families() -> list[str]:
    found: list[str] = []
    for bold in (False, True):
        number = QFontDatabase.addApplicationFont(str(fonts.font_file(bold)))
        found += [f for f in QFontDatabase.applicationFontFamilies(number) if f not in found]
    return found or ["sans-serif"]


@cache
def _font(pixels: int, bold: bool) -> tuple[QFont, QFontMetricsF]:
    font = QFont(_families()[0])
    font.setStretch(QFont.Stretch.SemiCondensed)
    font.setPixelSize(pixels)
    font.setBold(bold)
    font.setKerning(False)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font, QFontMetricsF(font)


def _pen(painter: QPainter, weight: float, ink: str | None, scale: float, dash: tuple[float, ...] = ()) -> None:
    if ink is None:
        painter.setPen(Qt.PenStyle.NoPen)
        return
    pen = QPen(QColor(hex_of(ink)), weight * scale)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    if dash:
        pen.setDashPattern([d / weight for d in dash])
    painter.setPen(pen)


def _brush(painter: QPainter, fill: str | None) -> None:
    painter.setBrush(QColor(hex_of(fill)) if fill else Qt.BrushStyle.NoBrush)


def _text(painter: QPainter, mark: Text, scale: float) -> None:
    if not mark.text:
        return
    pixels = max(1, round(mark.size * scale * 25.4 / 72))
    font, metrics = _font(pixels, mark.bold)
    drawn = metrics.horizontalAdvance(mark.text)
    wanted = fonts.width(mark.text, mark.size, mark.bold) * scale
    painter.save()
    painter.translate(mark.x * scale, mark.y * scale)
    if mark.angle:
        painter.rotate(-mark.angle)
    painter.setFont(font)
    painter.setPen(QColor(hex_of(mark.ink)))
    if drawn > 0 and wanted > 0:
        # whole pixels of font size and another font both change the width: the layout's width is kept
        painter.scale(wanted / drawn, 1.0)
    painter.drawText(QPointF(-drawn * _FLAGS[mark.align], 0.0), mark.text)
    painter.restore()


def _line(painter: QPainter, mark: Line, scale: float) -> None:
    _pen(painter, mark.weight, mark.ink, scale, mark.dash)
    painter.drawLine(QLineF(mark.x1 * scale, mark.y1 * scale, mark.x2 * scale, mark.y2 * scale))


def _rect(painter: QPainter, mark: Rect, scale: float) -> None:
    _pen(painter, mark.weight, mark.ink, scale)
    _brush(painter, mark.fill)
    painter.drawRect(QRectF(mark.x * scale, mark.y * scale, mark.width * scale, mark.height * scale))


def _points(mark: Polyline | Polygon, scale: float) -> QPolygonF:
    return QPolygonF([QPointF(x * scale, y * scale) for x, y in mark.points])


def _polyline(painter: QPainter, mark: Polyline, scale: float) -> None:
    _pen(painter, mark.weight, mark.ink, scale, mark.dash)
    painter.drawPolyline(_points(mark, scale))


def _polygon(painter: QPainter, mark: Polygon, scale: float) -> None:
    _pen(painter, mark.weight, mark.ink, scale)
    _brush(painter, mark.fill)
    painter.drawPolygon(_points(mark, scale))


_PAINT: dict[type[Mark], Callable[[QPainter, Any, float], None]] = {
    Text: _text,
    Line: _line,
    Rect: _rect,
    Polyline: _polyline,
    Polygon: _polygon,
}
