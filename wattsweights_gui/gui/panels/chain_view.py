"""The chain: a card a layer, in order, wrapped into as many rows as the window has room for."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from wattsweights_gui.engine import declare, units
from wattsweights_gui.engine.declare import Figure, Need
from wattsweights_gui.engine.layers import LAYERS, layer_named
from wattsweights_gui.gui.panels.chain_card import MIN_WIDTH, ChainCard, Content, Line
from wattsweights_gui.gui.panels.results import full_text, spread_text
from wattsweights_gui.gui.theme import SPACE

_GAP = 3 * SPACE
_MARGIN = 2 * SPACE
_MOST_HEADLINES, _LEAST_HEADLINES = 4, 2


class ChainView(QScrollArea):
    """Follows a session; a click on a card opens its layer, a click on a number asks *Why?*."""

    def __init__(self, session: Any, theme: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.theme = session, theme
        self._units = session.units
        self.setObjectName("chain")
        self.setAccessibleName("Sizing chain, from the model to the floor")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._flow = _Flow(theme)
        self.cards: dict[str, ChainCard] = {}
        for layer in LAYERS:
            card = ChainCard(theme, layer.name, self._flow)
            card.asked.connect(session.why_requested)
            self.cards[layer.name] = card
        self._flow.cards = list(self.cards.values())
        self.setWidget(self._flow)
        session.changed.connect(self._on_changed)
        session.settling.connect(self.cards["parallelism"].set_busy)
        theme.changed.connect(self._flow.update)
        self.refresh(mark_changes=False)

    def refresh(self, mark_changes: bool = True) -> None:
        """Show the plan's results as they stand."""
        evaluation = self.session.evaluation
        worst = sorted((n for n in evaluation.needs if n.fits is False), key=_severity)
        rank = {(n.layer, n.quantity): place for place, n in enumerate(worst, 1)}
        by_layer: dict[str, list[Need]] = {}
        for need in evaluation.needs:
            by_layer.setdefault(need.layer, []).append(need)
        for layer in LAYERS:
            outcome = evaluation.results[layer.name]
            headlines = tuple(
                self._line(getattr(outcome, name), about.short)
                for name, about in declare.results_of(layer.result).items()
                if about.headline
            )
            content = self._content(layer.title, headlines, by_layer.get(layer.name, []), rank)
            self.cards[layer.name].show_content(content, mark_changes)

    def _content(
        self, title: str, headlines: tuple[Line, ...], needs: list[Need], rank: dict[tuple[str, str], int]
    ) -> Content:
        limited = [n for n in needs if n.load is not None]
        if not limited:
            return Content(title, headlines)
        tightest = min(limited, key=lambda n: (rank.get((n.layer, n.quantity), 1_000_000), -(n.load or 0.0)))
        about = declare.results_of(layer_named(tightest.layer).result).get(tightest.quantity)
        title_of_need = about.short if about is not None and about.short else tightest.title
        need = self._line(tightest.need, title_of_need, self._path(tightest.layer, tightest.need))
        have = self._line(tightest.have, "there is", self._path(tightest.layer, tightest.have))
        headlines = tuple(x for x in headlines if x.path not in (need.path, have.path))
        place = rank.get((tightest.layer, tightest.quantity), 0)
        return Content(title, headlines, need, have, tightest.load, place)

    def _line(self, figure: Figure, title: str = "", path: str = "") -> Line:
        system: units.System = self.session.units
        title = title or figure.title
        full = full_text(figure, system)
        shown = spread_text(figure, system).strip()
        sign = units.symbol(figure.unit, system) if figure.unit else ""
        if sign and sign.casefold() in title.casefold().split():  # said by the title already
            shown = shown.removesuffix(sign).strip()
        return Line(path or figure.path, title, shown, full)

    def _path(self, layer: str, figure: Figure) -> str:
        """Return a figure's path; of one that a layer put into a need before it named it, the result's."""
        if figure.path:
            return figure.path
        outcome = self.session.evaluation.results[layer]
        same = (f.path for _, f in outcome.figures() if f.operands is figure.operands and f.value == figure.value)
        return next(same, "")

    def _on_changed(self, layers: tuple[str, ...], origin: object) -> None:
        # another document, or other units, is no change of the plan that would be worth pointing at
        edited = self.session.edited and self.session.units == self._units
        self._units = self.session.units
        self.refresh(mark_changes=edited)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap the cards into what there is."""
        super().resizeEvent(event)
        self._flow.arrange(self.viewport().size())

    def minimumSizeHint(self) -> QSize:
        """Return room for one row of one card."""
        return QSize(MIN_WIDTH + 2 * _MARGIN, 160)


def _severity(need: Need) -> tuple[int, float]:
    """Facility limits first: they decide whether the plan can be hosted at all; then the worst."""
    return (0 if need.end == "facility" else 1, -(need.load or 0.0))


class _Flow(QWidget):
    """Lays the cards out in rows of one length and draws the two directions and the links between."""

    def __init__(self, theme: Any) -> None:
        super().__init__()
        self.theme = theme
        self.cards: list[ChainCard] = []

    def arrange(self, room: QSize) -> None:
        """Place the cards in a room; taller than the room where they must be."""
        count = len(self.cards)
        band = self.fontMetrics().height() + 2
        most = max(1, (room.width() - 2 * _MARGIN + _GAP) // (MIN_WIDTH + _GAP))
        rows = math.ceil(count / most)
        columns = math.ceil(count / rows)
        width = (room.width() - 2 * _MARGIN - (columns - 1) * _GAP) // columns
        free = room.height() - 2 * band - 2 * SPACE - (rows - 1) * 2 * SPACE
        card = self.cards[0]
        headlines = _MOST_HEADLINES
        while headlines > _LEAST_HEADLINES and card.height_for(headlines) * rows > free:
            headlines -= 1
        height = min(max(card.height_for(headlines), free // rows), card.height_for(_MOST_HEADLINES + 1))
        total = 2 * band + 2 * SPACE + rows * height + (rows - 1) * 2 * SPACE
        self.resize(room.width(), max(total, room.height()))
        for index, card in enumerate(self.cards):
            row, column = divmod(index, columns)
            x = _MARGIN + column * (width + _GAP)
            card.setGeometry(QRect(x, band + SPACE + row * (height + 2 * SPACE), width, height))
        self._bottom = band + SPACE + rows * height + (rows - 1) * 2 * SPACE
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw both directions above and below, and the links."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        band = self.fontMetrics().height() + 2
        self._direction(painter, QRectF(_MARGIN, 0, self.width() - 2 * _MARGIN, band), "MODEL", "what it needs", True)
        foot = QRectF(_MARGIN, self._bottom + SPACE, self.width() - 2 * _MARGIN, band)
        self._direction(painter, foot, "FACILITY", "what it has", False)
        painter.setPen(QPen(self.theme.color("edge"), 1.5))
        for before, after in zip(self.cards, self.cards[1:], strict=False):
            if before.y() == after.y():
                x, y = (before.geometry().right() + after.x()) / 2 + 0.5, before.geometry().center().y()
                painter.drawPolyline([QPointF(x - 2, y - 4), QPointF(x + 2, y), QPointF(x - 2, y + 4)])

    def _direction(self, painter: QPainter, place: QRectF, end: str, words: str, to_the_right: bool) -> None:
        font = self.font()
        font.setBold(True)
        painter.setFont(font)
        bold = painter.fontMetrics().horizontalAdvance(end)
        painter.setFont(self.font())
        plain = painter.fontMetrics().horizontalAdvance(words)
        flags = Qt.AlignmentFlag.AlignVCenter
        quiet, edge = self.theme.color("quiet"), self.theme.color("edge")
        y = place.center().y()
        left, right = place.left(), place.right()
        painter.setPen(quiet)
        if to_the_right:
            painter.drawText(QRectF(left + bold + 2 * SPACE, place.top(), plain + 2, place.height()), flags, words)
            start, stop, tip = left + bold + plain + 4 * SPACE, right, -5.0
            painter.setFont(font)
            painter.drawText(QRectF(left, place.top(), bold + 2, place.height()), flags, end)
        else:
            painter.drawText(
                QRectF(right - bold - plain - 2 * SPACE, place.top(), plain + 2, place.height()), flags, words
            )
            start, stop, tip = right - bold - plain - 4 * SPACE, left, 5.0
            painter.setFont(font)
            painter.drawText(QRectF(right - bold, place.top(), bold + 2, place.height()), flags, end)
        painter.setPen(QPen(edge, 1))
        painter.drawLine(QPointF(start, y), QPointF(stop, y))
        painter.drawPolyline([QPointF(stop + tip, y - 4), QPointF(stop, y), QPointF(stop + tip, y + 4)])
