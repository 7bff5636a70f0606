"""One card of the chain: a layer's headline results, and its tightest need over what there is."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from wattsweights_gui.gui.theme import CHANGE_SHOWN_MS, SPACE, figures_font

State = Literal["fine", "near", "over", "unknown"]
MIN_WIDTH = 152
_PAD, _ABOVE = 2 * SPACE, 6
_BAR = 3 * SPACE
_SQUEEZED = (100, 92, 84)
_RADIUS = 4


@dataclass(frozen=True)
class Line:
    """A number on a card: where it comes from, what it is, how it is shown, and its full precision."""

    path: str
    title: str
    text: str
    full: str = ""


@dataclass(frozen=True)
class Content:
    """What a card shows.

    Attributes:
        load: need over have of the tightest need; ``None`` where there is no limit.
        rank: place among the needs that are not covered, 1 the worst; 0 where all are covered.
    """

    title: str
    headlines: tuple[Line, ...]
    need: Line | None = None
    have: Line | None = None
    load: float | None = None
    rank: int = 0

    @property
    def state(self) -> State:
        """Fine below 90%, near up to 100%, over above."""
        if self.load is None:
            return "unknown"
        if self.load > 1 + 1e-9:
            return "over"
        return "near" if self.load >= 0.9 else "fine"

    @property
    def word(self) -> str:
        """The state in a word: colour is never alone."""
        if self.state == "over":
            return "BINDS" if self.rank == 1 else "over"
        return "near" if self.state == "near" else ""

    @property
    def share(self) -> str:
        """Need over have: in percent, or how many times where that is easier to read."""
        if self.load is None:
            return ""
        if math.isinf(self.load):
            return "none there"
        return f"{self.load * 100:.0f}%" if self.load < 10 else f"× {self.load:,.0f}"

    @property
    def against(self) -> str:
        """What stands before what there is."""
        if self.load is None:
            return "there is"
        return self.share if math.isinf(self.load) else f"{self.share} of"


class ChainCard(QWidget):
    """Paints one layer of the chain.

    Signals:
        opened: the layer's name; somebody wants its dock.
        asked: the path of a number that somebody wants explained.
    """

    opened = Signal(str)
    asked = Signal(str)

    def __init__(self, theme: Any, layer: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme, self.layer = theme, layer
        self.content = Content(layer, ())
        self.busy = False
        self._before: dict[str, str] = {}
        self._hot: dict[str, QRectF] = {}
        self._hovered = ""
        self._fade = QTimer(self, singleShot=True, interval=CHANGE_SHOWN_MS)
        self._fade.timeout.connect(self._forget_before)
        self.setObjectName(f"card.{layer}")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_content(self, content: Content, mark_changes: bool = True) -> None:
        """Show other numbers; those that differ say for two seconds what they were."""
        if content == self.content:
            return
        if mark_changes:
            old = {line.path: line.text for line in self._lines(self.content)}
            for line in self._lines(content):
                if line.path in old and old[line.path] != line.text and line.path not in self._before:
                    self._before[line.path] = old[line.path]
            if self._before:
                self._fade.start()
        else:
            self._before.clear()
        self.content = content
        words = [content.title, *(f"{x.title} {x.text}" for x in content.headlines)]
        if content.need is not None:
            have = content.have.text if content.have is not None else "no limit stated"
            words.append(
                f"{content.need.title} needs {content.need.text}, there is {have}, {content.share} {content.word}"
            )
        self.setAccessibleName(". ".join(words))
        self.update()

    def set_busy(self, busy: bool) -> None:
        """Say that the layer's answer is being searched."""
        if busy != self.busy:
            self.busy = busy
            self.update()

    def rect_of(self, path: str) -> QRectF:
        """Return where a number was painted; empty where it was not."""
        return self._hot.get(path, QRectF())

    def shown_change(self, path: str) -> str:
        """Return what a number was before, while that is shown."""
        return self._before.get(path, "")

    def height_for(self, headlines: int) -> int:
        """Return the height that so many headline results need."""
        line = QFontMetricsF(self.font()).height()
        return math.ceil(2 * _ABOVE + line * (headlines + 3) + _BAR + 2 * SPACE)

    @staticmethod
    def _lines(content: Content) -> list[Line]:
        return [*content.headlines, *(x for x in (content.need, content.have) if x is not None)]

    def _forget_before(self) -> None:
        self._before.clear()
        self.update()

    # ------------------------------------------------------------------------------------------------------ painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the card."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._hot.clear()
        content, state, color = self.content, self.content.state, self.theme.color
        over, near = state == "over", state == "near"
        ground = "over_soft" if over else "near_soft" if near else "raised"
        edge = "over_bar" if over else "near_bar" if near else "line"
        wide = 3.0 if content.rank == 1 else 2.0 if over else 1.0
        frame = QRectF(self.rect()).adjusted(wide / 2, wide / 2, -wide / 2, -wide / 2)
        painter.setBrush(color("hover") if self._hovered == "card" and not (over or near) else color(ground))
        painter.setPen(QPen(color("accent" if self.hasFocus() else edge), max(wide, 2.0 if self.hasFocus() else wide)))
        painter.drawRoundedRect(frame, _RADIUS, _RADIUS)
        plain, bold = figures_font(self.font()), QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        metrics = QFontMetricsF(plain)
        line = metrics.height()
        left, right, y = _PAD, self.width() - _PAD, float(_ABOVE)
        word = "searching…" if self.busy else content.word
        token = {"over": "over", "near": "near"}.get(state, "quiet")
        if over and content.rank == 1 and not self.busy:
            width = QFontMetricsF(bold).horizontalAdvance(word) + 2 * SPACE
            badge = QRectF(right - width + SPACE, y - 2, width, line + 4)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color("over"))
            painter.drawRoundedRect(badge, _RADIUS, _RADIUS)
            token = "on_over"
        free = right
        if word:
            painter.setFont(bold if over else plain)
            painter.setPen(color(token))
            free -= QFontMetricsF(painter.font()).horizontalAdvance(word)
            painter.drawText(QRectF(free, y, right - free + 1, line), Qt.AlignmentFlag.AlignLeft, word)
            fits = free - left - 16 - 4 * SPACE >= QFontMetricsF(bold).horizontalAdvance(content.title)
            if (over or near) and not self.busy and (fits or not over):
                ratio = self.devicePixelRatioF()
                free -= 16 + 2 * SPACE
                painter.drawPixmap(QPointF(free, y + (line - 16) / 2), self.theme.pixmap(state, 16, state, ratio))
        painter.setFont(bold)
        painter.setPen(color("text"))
        title = QFontMetricsF(bold).elidedText(content.title, Qt.TextElideMode.ElideRight, free - left - SPACE)
        painter.drawText(QRectF(left, y, free - left, line), Qt.AlignmentFlag.AlignLeft, title)
        y += line + SPACE
        painter.setFont(plain)
        foot = self.height() - _ABOVE - (2 * line + _BAR if content.need is not None else 0)
        for headline in content.headlines:
            if y + line > foot - SPACE / 2:
                break
            self._draw_line(painter, metrics, headline, left, right, y, line)
            y += line
        if content.need is not None:
            self._draw_need(painter, metrics, left, right, foot, line)

    def _draw_need(
        self, painter: QPainter, metrics: QFontMetricsF, left: float, right: float, y: float, line: float
    ) -> None:
        content, color = self.content, self.theme.color
        assert content.need is not None
        painter.setPen(QPen(color("line"), 1))
        painter.drawLine(QPointF(left, y - SPACE / 2), QPointF(right, y - SPACE / 2))
        self._draw_line(painter, metrics, content.need, left, right, y, line)
        y += line
        self._draw_bar(painter, QRectF(left, y + _BAR / 2 - 4, right - left, 8))
        y += _BAR
        if content.have is not None:
            token = {"over": "over", "near": "near"}.get(content.state, "quiet")
            self._draw_line(painter, metrics, replace(content.have, title=content.against), left, right, y, line, token)
        else:
            painter.setPen(color("quiet"))
            painter.drawText(QRectF(left, y, right - left, line), Qt.AlignmentFlag.AlignLeft, "no limit stated")

    def _draw_bar(self, painter: QPainter, track: QRectF) -> None:
        """Draw need over have; where it is over, what there is stands inside of what is needed, its end marked."""
        load, color = self.content.load, self.theme.color
        if load is None:
            painter.setPen(QPen(color("edge"), 1, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(track.left(), track.center().y()), QPointF(track.right(), track.center().y()))
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color("over_bar" if load > 1 else "track"))
        painter.drawRect(track)
        if load <= 1:
            painter.setBrush(color("near_bar" if self.content.state == "near" else "fine_bar"))
            painter.drawRect(QRectF(track.left(), track.top(), track.width() * load, track.height()))
            return
        there = track.width() / load
        painter.setBrush(color("track"))
        painter.drawRect(QRectF(track.left(), track.top() + 2, there, track.height() - 4))
        painter.setPen(QPen(color("text"), 2))
        x = track.left() + there
        painter.drawLine(QPointF(x, track.top() - 2), QPointF(x, track.bottom() + 2))

    def _draw_line(
        self,
        painter: QPainter,
        metrics: QFontMetricsF,
        line: Line,
        left: float,
        right: float,
        y: float,
        height: float,
        token: str = "quiet",
    ) -> None:
        before = self._before.get(line.path)
        text = f"{before} → {line.text}" if before else line.text
        width = metrics.horizontalAdvance(text)
        if width > right - left:
            text = metrics.elidedText(line.text, Qt.TextElideMode.ElideRight, right - left)
            width = metrics.horizontalAdvance(text)
        color = self.theme.color
        place = QRectF(right - width, y, width, height)
        if before:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color("accent_soft"))
            painter.drawRoundedRect(place.adjusted(-2, 0, 2, 0), 2, 2)
        painter.setPen(color("accent" if line.path and self._hovered == line.path else "text"))
        painter.drawText(place.adjusted(0, 0, 1, 0), Qt.AlignmentFlag.AlignLeft, text)
        if line.path:
            self._hot[line.path] = place
        room = right - width - left - SPACE
        if room > 3 * metrics.averageCharWidth():
            painter.setPen(color(token))
            plain = painter.font()
            squeezed, narrow = plain, metrics
            for stretch in _SQUEEZED:  # a word set a little narrower is read faster than one cut short
                squeezed = QFont(plain)
                squeezed.setStretch(stretch)
                narrow = QFontMetricsF(squeezed)
                if narrow.horizontalAdvance(line.title) <= room:
                    break
            painter.setFont(squeezed)
            title = narrow.elidedText(line.title, Qt.TextElideMode.ElideRight, room)
            painter.drawText(QRectF(left, y, room, height), Qt.AlignmentFlag.AlignLeft, title)
            painter.setFont(plain)

    # -------------------------------------------------------------------------------------------------------- events

    def _path_at(self, point: QPointF) -> str:
        return next((p for p, place in self._hot.items() if place.adjusted(-4, 0, 4, 0).contains(point)), "")

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Explain the number under the mouse, or open the layer."""
        if event.button() != Qt.MouseButton.LeftButton or not self.rect().contains(event.position().toPoint()):
            return
        path = self._path_at(event.position())
        if path:
            self.asked.emit(path)
        else:
            self.opened.emit(self.layer)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the layer with Enter or space."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.opened.emit(self.layer)
        else:
            super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show what a click would do."""
        self._hover(self._path_at(event.position()) or "card")

    def leaveEvent(self, event: QEvent) -> None:
        """Show nothing any more."""
        self._hover("")

    def _hover(self, what: str) -> None:
        if what != self._hovered:
            self._hovered = what
            self.update()

    def event(self, event: QEvent) -> bool:
        """Show the full precision of a number, or the whole card's words."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            path = self._path_at(QPointF(event.pos()))
            found = next((x for x in self._lines(self.content) if x.path == path), None)
            QToolTip.showText(event.globalPos(), found.full if found else self.accessibleName(), self)
            return True
        return super().event(event)

    def sizeHint(self) -> QSize:
        """Return the size that all headline results need."""
        return QSize(MIN_WIDTH, self.height_for(4))
