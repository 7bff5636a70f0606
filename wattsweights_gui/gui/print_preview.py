"""The print preview: the sheets to print, the paper, and the pages as they will come out."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QKeySequence, QPainter, QPaintEvent, QResizeEvent, QShortcut, QShowEvent, QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from wattsweights_gui import reports
from wattsweights_gui.drawing.marks import Page
from wattsweights_gui.gui import printing
from wattsweights_gui.project.errors import ProjectFileError

_GAP = 16
_ZOOMS = (0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0)
_SHEET = Qt.ItemDataRole.UserRole


class PageView(QWidget):
    """Pages one under another; only those in sight are painted."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.pages: list[Page] = []
        self.dots = 3.0

    def set_pages(self, pages: list[Page]) -> None:
        """Show these pages."""
        self.pages = pages
        self._arrange()

    def set_dots(self, dots: float) -> None:
        """Zoom: so many pixels for each mm."""
        self.dots = max(0.5, min(dots, 40.0))
        self._arrange()

    def place(self, index: int) -> QRectF:
        """Return where a page lies, in pixels."""
        y = float(_GAP)
        for page in self.pages[:index]:
            y += page.height * self.dots + _GAP
        page = self.pages[index]
        wide = page.width * self.dots
        return QRectF(max(float(_GAP), (self.width() - wide) / 2), y, wide, page.height * self.dots)

    def page_at(self, y: float) -> int:
        """Return the index of the page at a height in pixels."""
        for index in range(len(self.pages)):
            if y < self.place(index).bottom() + _GAP / 2:
                return index
        return max(0, len(self.pages) - 1)

    def sizeHint(self) -> QSize:
        """Room for all pages."""
        if not self.pages:
            return QSize(300, 200)
        last = self.place(len(self.pages) - 1)
        widest = max(page.width for page in self.pages) * self.dots
        return QSize(round(widest) + 2 * _GAP, round(last.bottom()) + _GAP)

    def _arrange(self) -> None:
        hint = self.sizeHint()
        self.setMinimumSize(hint)
        self.resize(max(hint.width(), self.width()), hint.height())
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the pages in sight on white."""
        painter = QPainter(self)
        for index, page in enumerate(self.pages):
            at = self.place(index)
            if not at.intersects(QRectF(event.rect())):
                continue
            painter.fillRect(at, QColor("white"))
            painter.save()
            painter.setClipRect(at)
            painter.translate(QPointF(at.x(), at.y()))
            printing.paint_page(painter, page, self.dots)
            painter.restore()
        painter.end()


class PrintPreview(QDialog):
    """Sheets to choose at the left, pages at the right, the ways out to paper below."""

    def __init__(self, session: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.setWindowTitle("Print preview")
        self.resize(1100, 760)
        self.sheets = QListWidget()
        self.sheets.setAccessibleName("Sheets")
        self.sheets.setMaximumWidth(220)
        for name, title in reports.SHEETS.items():
            item = QListWidgetItem(title, self.sheets)
            item.setData(_SHEET, name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked)
        self.paper = QComboBox()
        self.paper.setAccessibleName("Paper")
        self.paper.addItems(list(printing.PAPERS))
        self.paper.setCurrentText(printing.default_paper())
        self.zoom = QComboBox()
        self.zoom.setAccessibleName("Zoom")
        self.zoom.addItem("Whole page", "page")
        self.zoom.addItem("Page width", "width")
        for factor in _ZOOMS:
            self.zoom.addItem(f"{factor * 100:g} %", factor)
        self.zoom.setCurrentIndex(1)
        self.where = QLabel()
        self.message = QLabel()
        self.message.setWordWrap(True)
        self.message.setTextFormat(Qt.TextFormat.PlainText)
        self.view = PageView()
        self.area = QScrollArea()
        self.area.setWidget(self.view)
        self.area.setWidgetResizable(True)
        self._lay_out()
        self.sheets.itemChanged.connect(self.rebuild)
        self.sheets.currentItemChanged.connect(self._go_to_sheet)
        self.paper.currentTextChanged.connect(self.rebuild)
        self.zoom.currentIndexChanged.connect(self._zoomed)
        self.area.verticalScrollBar().valueChanged.connect(self._say_where)
        for keys, step in (
            (QKeySequence.StandardKey.MoveToNextPage, 1),
            (QKeySequence.StandardKey.MoveToPreviousPage, -1),
        ):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.activated.connect(partial(self._turn, step))
        self.rebuild()

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        for text, widget in (("Paper", self.paper), ("Zoom", self.zoom)):
            label = QLabel(text)
            label.setBuddy(widget)
            bar.addWidget(label)
            bar.addWidget(widget)
        back, forth = QPushButton("Previous page"), QPushButton("Next page")
        back.clicked.connect(partial(self._turn, -1))
        forth.clicked.connect(partial(self._turn, 1))
        bar.addSpacing(12)
        bar.addWidget(back)
        bar.addWidget(forth)
        bar.addWidget(self.where)
        bar.addStretch(1)
        middle = QHBoxLayout()
        middle.addWidget(self.sheets)
        middle.addWidget(self.area, 1)
        self.export_button, self.print_button = QPushButton("Export PDF…"), QPushButton("Print…")
        close = QPushButton("Close")
        self.export_button.clicked.connect(self._ask_for_file)
        self.print_button.clicked.connect(self._print)
        close.clicked.connect(self.reject)
        below = QHBoxLayout()
        below.addWidget(self.message, 1)
        for button in (self.export_button, self.print_button, close):
            button.setAutoDefault(False)
            below.addWidget(button)
        for button in (back, forth):
            button.setAutoDefault(False)
        box = QVBoxLayout(self)
        box.setContentsMargins(12, 12, 12, 12)
        box.setSpacing(8)
        box.addLayout(bar)
        box.addLayout(middle, 1)
        box.addLayout(below)

    # ---------------------------------------------------------------------------------------------- what is shown

    def chosen(self) -> list[str]:
        """Return the ids of the ticked sheets."""
        items = [self.sheets.item(n) for n in range(self.sheets.count())]
        return [str(item.data(_SHEET)) for item in items if item.checkState() == Qt.CheckState.Checked]

    def rebuild(self, *_: object) -> None:
        """Lay out the ticked sheets for the chosen paper."""
        names = self.chosen()
        for button in (self.export_button, self.print_button):
            button.setEnabled(bool(names))
        self.message.setText("" if names else "Tick a sheet to print it.")
        self.view.set_pages(printing.pages_of(self.session, self.paper.currentText(), names) if names else [])
        self._zoomed()

    def _zoomed(self, *_: object) -> None:
        if not self.view.pages:
            self._say_where()
            return
        page, room = self.view.pages[0], self.area.viewport().size()
        kind = self.zoom.currentData()
        fit_width = (room.width() - 2 * _GAP - 2) / page.width
        if kind == "width":
            dots = fit_width
        elif kind == "page":
            dots = min(fit_width, (room.height() - 2 * _GAP) / page.height)
        else:
            dots = float(kind) * self.logicalDpiX() / 25.4
        at = self.current_page
        self.view.set_dots(dots)
        self._go_to(at)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep a page that fits fitting."""
        super().resizeEvent(event)
        self._zoomed()

    def showEvent(self, event: QShowEvent) -> None:
        """Zoom to the room that there is now."""
        super().showEvent(event)
        self._zoomed()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with the control key held."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.view.set_dots(self.view.dots * (1.15 if event.angleDelta().y() > 0 else 1 / 1.15))
            event.accept()
            return
        super().wheelEvent(event)

    # ------------------------------------------------------------------------------------------------ going about

    @property
    def current_page(self) -> int:
        """Index of the page at the top of the view."""
        bar = self.area.verticalScrollBar()
        return self.view.page_at(bar.value() + 2 * _GAP) if self.view.pages else 0

    def _turn(self, step: int) -> None:
        self._go_to(max(0, min(self.current_page + step, len(self.view.pages) - 1)))

    def _go_to(self, index: int) -> None:
        if 0 <= index < len(self.view.pages):
            bar = self.area.verticalScrollBar()
            bar.setMaximum(max(bar.maximum(), self.view.minimumHeight() - self.area.viewport().height()))
            bar.setValue(round(self.view.place(index).top()) - _GAP)
        self._say_where()

    def _go_to_sheet(self, item: QListWidgetItem | None, *_: object) -> None:
        if item is not None:
            found = (n for n, page in enumerate(self.view.pages) if page.sheet == item.data(_SHEET))
            self._go_to(next(found, -1))

    def _say_where(self, *_: object) -> None:
        pages = self.view.pages
        self.where.setText(f"Page {self.current_page + 1} of {len(pages)}" if pages else "")

    # ------------------------------------------------------------------------------------------------- onto paper

    def _print(self) -> None:
        printing.print_dialog(self, self.session, self.paper.currentText(), self.chosen())

    def _ask_for_file(self) -> None:
        dialog = QFileDialog(self, "Export PDF", f"{self.session.evaluation.plan.info.project}.pdf", "PDF (*.pdf)")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("pdf")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.export)
        dialog.open()

    def export(self, path: str) -> None:
        """Write the ticked sheets as a PDF, and say where it is or why it is not."""
        try:
            printing.export_pdf(self, self.session, path, self.paper.currentText(), self.chosen())
        except ProjectFileError as error:
            self.message.setText(f"The PDF was not written: {error.message}")
        except OSError as error:
            self.message.setText(f"The PDF was not written: {path}: {error.strerror or error}.")
        else:
            self.message.setText(f"Written: {path}")
