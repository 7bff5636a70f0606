"""A line of text that shows both ends of what is too long for it, until it is typed into."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QLineEdit, QStyle, QStyleOptionFrame, QStylePainter

from wattsweights_gui.gui.theme import SPACE


class ElidedLine(QLineEdit):
    """Elides in the middle: what tells names apart stands at either end."""

    def shown_text(self) -> str:
        """Return what can be seen of the text while nobody types."""
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideMiddle, self._room().width())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the text as it is where it fits or is being edited."""
        shown = self.shown_text()
        if self.hasFocus() or shown == self.text():
            super().paintEvent(event)
            return
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        painter = QStylePainter(self)
        painter.drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option)
        painter.setPen(option.palette.text().color())
        painter.drawText(self._room(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)

    def _room(self) -> QRect:
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        contents = self.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, self)
        return contents.adjusted(SPACE // 2, 0, -SPACE // 2, 0)
