"""What stands beside a chart once something in it is picked: its numbers, one under the other, in words to select."""

from __future__ import annotations

import html
from collections.abc import Iterable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout

from wattsweights_gui.gui.charts.chart import Chart

_WIDTH = 292


class Detail(QScrollArea):
    """A heading, lines of name and value, and notes; hidden while nothing is picked.

    Signals:
        asked: somebody wants to know where the number at a path comes from.
    """

    asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.label = QLabel()
        self.label.setTextFormat(Qt.TextFormat.RichText)
        self.label.setWordWrap(True)
        self.label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.label.setContentsMargins(8, 0, 4, 0)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        self.label.linkActivated.connect(self.asked)
        self.setWidget(self.label)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFixedWidth(_WIDTH)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.hide()

    def say(
        self,
        heading: str,
        lines: Iterable[tuple[str, str, str]],
        notes: Iterable[tuple[str, str]] = (),
        numbers_first: bool = False,
    ) -> None:
        """Show what was picked.

        Args:
            heading: its name.
            lines: name, value and the path that *Why?* explains (empty where there is none).
            notes: a word in front, and a sentence.
            numbers_first: the lines stand over the notes.
        """
        rows = "".join(
            f"<tr><td style='padding-right:10px'>{html.escape(name)}</td>"
            f"<td align='right'>{_linked(value, path)}</td></tr>"
            for name, value, path in lines
        )
        told = "".join(f"<p style='margin:4px 0 0 0'><b>{html.escape(a)}</b> {html.escape(b)}</p>" for a, b in notes)
        numbers = f"<table>{rows}</table>"
        body = numbers + told if numbers_first else told + numbers
        self.label.setText(f"<p style='margin:0'><b>{html.escape(heading)}</b></p>{body}")
        self.setAccessibleName(heading)
        self.verticalScrollBar().setValue(0)
        self.show()

    def clear(self) -> None:
        """Say nothing."""
        self.label.clear()
        self.hide()


def _linked(value: str, path: str) -> str:
    shown = html.escape(value).replace(" ", "&nbsp;")
    return f"<a href='{path}'>{shown}</a>" if path else shown


def put_beside(chart: Chart, detail: Detail) -> None:
    """Lay a chart out with its detail at the right of the plot."""
    box = chart.layout()
    assert isinstance(box, QVBoxLayout)
    box.removeItem(chart.stack)
    chart.stack.setParent(None)
    row = QHBoxLayout()
    row.setSpacing(0)
    row.addLayout(chart.stack, 1)
    row.addWidget(detail)
    box.addLayout(row, 1)
