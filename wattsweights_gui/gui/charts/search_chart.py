"""What the charts of a layout search share: they draw its answer, not the plan, and a click chooses a layout."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSizePolicy

from wattsweights_gui.engine import units
from wattsweights_gui.engine.both_ends import BothEnds
from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.search_answers import Candidate, SearchResult
from wattsweights_gui.gui.charts.chart import Chart


class SearchChart(Chart):
    """One chart of what a search found.

    Signals:
        picked: the layout that was clicked.
    """

    picked = Signal(object)

    EMPTY = "What a search finds stands here."

    def __init__(self, parent: Any = None) -> None:
        self.found: SearchResult | None = None
        self.chosen: Candidate | None = None
        super().__init__(parent)
        # a layout in words is long: reading it must not move the plot under the pointer
        for words in (self.sentence, self.readout):
            words.setWordWrap(False)
            words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.head.setFixedHeight(self.fontMetrics().height() + 2)

    def show_found(self, found: SearchResult | None, system: units.System) -> None:
        """Draw an answer, or say why there is nothing to draw."""
        self.found, self.chosen, self.system = found, None, system
        reason = "Search layouts first." if found is None else self.draw_found(found)
        self.empty.setText(f"{self.EMPTY}\n{reason}" if reason else "")
        self.head.setVisible(not reason)
        self._say_what_is_read("")
        self.stack.setCurrentIndex(1 if reason else 0)
        if not reason:
            self.reset_view()

    def draw(self, evaluation: Evaluation, ends: BothEnds | None) -> str:
        """Draw the answer that there is; the plan has no part in it."""
        return "Search layouts first." if self.found is None else self.draw_found(self.found)

    def draw_found(self, found: SearchResult) -> str:
        """Give the items the data; return why there is nothing to draw, or an empty text."""
        raise NotImplementedError

    def mark(self, layout: Candidate | None) -> None:
        """Show which layout is chosen."""
        raise NotImplementedError

    def at(self, x: float, y: float) -> Candidate | None:
        """Return the layout at a point of the plot."""
        raise NotImplementedError

    def choose(self, layout: Candidate | None) -> None:
        """Mark a layout as chosen."""
        self.chosen = layout
        if self.drawn:
            self.mark(layout)

    def _clicked(self, event: Any) -> None:
        super()._clicked(event)
        box = self.item.getViewBox()
        if event.double() or event.button() != Qt.MouseButton.LeftButton or not self.drawn:
            return
        if box.sceneBoundingRect().contains(event.scenePos()):
            point = box.mapSceneToView(event.scenePos())
            layout = self.at(point.x(), point.y())
            if layout is not None:
                self.picked.emit(layout)
