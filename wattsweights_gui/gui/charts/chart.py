"""What every chart has: a sentence over it, the plot, a readout under the pointer, and ways to copy it.

Only this package imports pyqtgraph, and only when the first chart is shown: it costs a second.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QMimeData, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QClipboard,
    QContextMenuEvent,
    QFontMetricsF,
    QGuiApplication,
    QMouseEvent,
    QPainter,
)
from PySide6.QtWidgets import QLabel, QMenu, QStackedLayout, QVBoxLayout, QWidget

from wattsweights_gui.engine import units
from wattsweights_gui.engine.both_ends import BothEnds
from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.declare import Value
from wattsweights_gui.exchange.csv_text import csv_text
from wattsweights_gui.gui.charts.colours import ChartColours, colours_of

Rows = Sequence[tuple[Value, ...]]


class NumberAxis(pg.AxisItem):
    """An axis whose numbers are written as everywhere else: thousands apart."""

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        """Return the words of ticks."""
        plain: list[str] = super().tickStrings(values, scale, spacing)
        return [f"{int(t):,}".replace(",", units.THIN_SPACE) if t.isdigit() else t for t in plain]


class Chart(QWidget):
    """One live chart. A subclass sets its items up once, and only gives them new data in :meth:`draw`."""

    TITLE: ClassVar[str] = ""
    LAYERS: ClassVar[frozenset[str]] = frozenset()
    EMPTY: ClassVar[str] = ""
    # whether it draws what the facility hosts, which is compared a moment after the edit
    ENDS: ClassVar[bool] = False
    # outward, in pixels; none where the axis names bars
    TICK: ClassVar[int] = 4

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.colours: ChartColours = colours_of(self.palette())
        self._axis_names: dict[str, tuple[str, str]] = {}
        self._texts_made: list[pg.TextItem] = []
        self.system: units.System = "si"
        self.sentence = QLabel()
        self.sentence.setTextFormat(Qt.TextFormat.PlainText)
        self.sentence.setWordWrap(True)
        self.readout = QLabel()
        self.readout.setTextFormat(Qt.TextFormat.PlainText)
        self.empty = QLabel()
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setWordWrap(True)
        self.empty.setTextFormat(Qt.TextFormat.PlainText)
        # a stacked layout shows its first page at once: without a parent that would be a window
        self.plot = pg.PlotWidget(self, axisItems=self.axes())
        self.item: pg.PlotItem = self.plot.getPlotItem()
        self.item.setMenuEnabled(False)
        self.item.hideButtons()
        self.plot.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.plot.setMinimumSize(QSize(200, 120))
        self.stack = QStackedLayout()
        self.stack.addWidget(self.plot)
        self.stack.addWidget(self.empty)
        box = QVBoxLayout(self)
        box.setContentsMargins(8, 4, 8, 4)
        box.setSpacing(4)
        # what is read under the pointer takes the sentence's place: a laptop has no line to spare for it
        self.head = QWidget()
        self._heads = QStackedLayout(self.head)
        self._heads.setContentsMargins(0, 0, 0, 0)
        self._heads.addWidget(self.sentence)
        self._heads.addWidget(self.readout)
        box.addWidget(self.head)
        box.addLayout(self.stack, 1)
        self.plot.scene().sigMouseMoved.connect(self._pointed)
        self.plot.scene().sigMouseClicked.connect(self._clicked)
        self.prepare()
        self.restyle()
        # the axis takes its width only once its names are laid out
        self.item.getViewBox().sigResized.connect(self._resized)

    # ---------------------------------------------------------------------------------- what a chart is made of

    def axes(self) -> dict[str, pg.AxisItem]:
        """Return axes other than pyqtgraph's own."""
        return {"bottom": NumberAxis("bottom")}

    def prepare(self) -> None:
        """Make the items, once."""
        raise NotImplementedError

    def draw(self, evaluation: Evaluation, ends: BothEnds | None) -> str:
        """Give the items the data; return why there is nothing to draw, or an empty text."""
        raise NotImplementedError

    def recolour(self) -> None:
        """Give the items the theme's colours."""
        raise NotImplementedError

    def read(self, x: float, y: float) -> str:
        """Return what stands at a point of the plot in words; empty where nothing does."""
        raise NotImplementedError

    def table(self) -> tuple[tuple[str, ...], Rows]:
        """Return what is drawn as a table: head and rows."""
        raise NotImplementedError

    # ------------------------------------------------------------------------------------------------ common

    def show_evaluation(self, evaluation: Evaluation, ends: BothEnds | None, system: units.System) -> None:
        """Draw an evaluation, or say why it cannot be drawn."""
        self.system = system
        reason = self.draw(evaluation, ends)
        self.empty.setText(f"{self.EMPTY}\n{reason}" if reason else "")
        self.head.setVisible(not reason)
        self._say_what_is_read("")
        self.stack.setCurrentIndex(1 if reason else 0)

    @property
    def drawn(self) -> bool:
        """Whether there is anything to see."""
        return self.stack.currentIndex() == 0

    def restyle(self) -> None:
        """Follow the theme."""
        self.colours = colours_of(self.palette())
        for words in self._texts_made:
            words.setFont(self.font())
        self.plot.setBackground(self.colours.ground)
        for name in ("left", "bottom"):
            axis = self.item.getAxis(name)
            axis.setPen(pg.mkPen(self.colours.quiet, width=1))
            axis.setTextPen(pg.mkPen(self.colours.text))
            axis.setStyle(tickFont=self.font(), tickTextOffset=6, tickLength=4 if name == "bottom" else self.TICK)
            axis.setStyle(maxTickLevel=0)
            axis.label.setFont(self.font())
            axis.label.setDefaultTextColor(self.colours.text)
        self.recolour()

    def label_axis(self, name: str, text: str, short: str = "") -> None:
        """Name an axis; its unit stands in the text, never scaled behind the reader's back.

        Args:
            name: ``left`` or ``bottom``.
            text: what it says.
            short: what it says where the axis is too short for the text.
        """
        self._axis_names[name] = (text, short or text)
        self.item.getAxis(name).enableAutoSIPrefix(False)
        self._fit_axis_names()

    def _fit_axis_names(self) -> None:
        measure = QFontMetricsF(self.font())
        box = self.item.getViewBox()
        for name, (text, short) in self._axis_names.items():
            room = box.height() if name == "left" else box.width()
            words = text if measure.horizontalAdvance(text) <= room else short
            axis = self.item.getAxis(name)
            if axis.labelText != words:
                axis.setLabel(words, color=self.colours.text)

    def label(self, text: str = "", anchor: tuple[float, float] = (0.0, 0.0)) -> pg.TextItem:
        """Return words for the plot, no higher than a line of them."""
        made = pg.TextItem(text, anchor=anchor)
        # drawn in the font that its place is measured by, whatever the application's own becomes
        made.setFont(self.font())
        self._texts_made.append(made)
        made.textItem.document().setDocumentMargin(1.0)
        made.updateTextPos()
        return made

    def reset_view(self) -> None:
        """Show everything again."""
        self.item.autoRange()

    def _resized(self, *_: object) -> None:
        self._fit_axis_names()
        if self.drawn:
            self.reset_view()

    def name_rows(self, names: Sequence[tuple[float, str]]) -> None:
        """Name the rows of a bar chart at the left; the axis is given its width at once, so that nothing jumps."""
        axis = self.item.getAxis("left")
        measure = QFontMetricsF(self.font())
        most = max(90.0, 0.4 * self.width())
        short = [(at, measure.elidedText(name, Qt.TextElideMode.ElideRight, most)) for at, name in names]
        axis.setTicks([short])
        axis.setWidth(max(measure.horizontalAdvance(name) for _, name in short) + 14.0)

    def far_for(self, ends: Sequence[tuple[float, str]]) -> float:
        """Return how far an axis from nought must go for a label to fit beside each bar's end."""
        room = max(self.item.getViewBox().width(), 80.0)
        measure = QFontMetricsF(self.font())
        far = 0.0
        for end, label in ends:
            wide = min(measure.horizontalAdvance(label) + 14.0, 0.8 * room)
            far = max(far, end * room / (room - wide))
        return far

    def changeEvent(self, event: object) -> None:
        """Follow a change of theme."""
        super().changeEvent(event)  # type: ignore[arg-type]
        if event.type() == event.Type.PaletteChange and hasattr(self, "stack"):  # type: ignore[attr-defined]
            self.restyle()

    def _pointed(self, position: QPointF) -> None:
        box = self.item.getViewBox()
        if not self.drawn or not box.sceneBoundingRect().contains(position):
            self._say_what_is_read("")
            return
        point = box.mapSceneToView(position)
        self._say_what_is_read(self.read(point.x(), point.y()))

    def _say_what_is_read(self, words: str) -> None:
        self.readout.setText(words)
        self._heads.setCurrentIndex(1 if words else 0)

    def leaveEvent(self, event: QEvent) -> None:
        """Say again what the chart says as a whole."""
        super().leaveEvent(event)
        self._say_what_is_read("")

    def _clicked(self, event: object) -> None:
        if event.double() and event.button() == Qt.MouseButton.LeftButton:  # type: ignore[attr-defined]
            self.reset_view()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show everything again."""
        self.reset_view()
        event.accept()

    # ------------------------------------------------------------------------------------------------- copying

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer the ways to copy the chart."""
        menu = self.copy_menu()
        menu.popup(event.globalPos())

    def copy_menu(self) -> QMenu:
        """Return the menu of ways to copy."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for text, action in (
            ("Copy as picture", self.copy_png),
            ("Copy as drawing (SVG)", self.copy_svg),
            ("Copy numbers (CSV)", self.copy_csv),
        ):
            menu.addAction(text, action).setEnabled(self.drawn)
        menu.addSeparator()
        menu.addAction("Show all", self.reset_view)
        return menu

    def copy_png(self) -> None:
        """Put the chart on the clipboard as a picture."""
        self._clipboard().setPixmap(self.grab())

    def copy_csv(self) -> None:
        """Put the numbers on the clipboard as CSV."""
        self._clipboard().setText(self.csv())

    def copy_svg(self) -> None:
        """Put the chart on the clipboard as SVG."""
        data = QMimeData()
        text = self.svg()
        data.setData("image/svg+xml", text.encode("utf-8"))
        data.setText(text)
        self._clipboard().setMimeData(data)

    def csv(self) -> str:
        """Return the numbers that are drawn as CSV."""
        return csv_text(*self.table())

    def svg(self) -> str:
        """Return the plot as SVG."""
        # only here: the SVG writer is of no use to who never copies
        from PySide6.QtCore import QBuffer
        from PySide6.QtSvg import QSvgGenerator

        buffer = QBuffer()
        generator = QSvgGenerator()
        generator.setOutputDevice(buffer)
        size = self.plot.size()
        generator.setSize(size)
        generator.setViewBox(self.plot.rect())
        generator.setTitle(self.TITLE)
        painter = QPainter(generator)
        self.plot.render(painter, QRectF(0, 0, size.width(), size.height()))
        painter.end()
        return bytes(buffer.data().data()).decode("utf-8")

    @staticmethod
    def _clipboard() -> QClipboard:
        return QGuiApplication.clipboard()
