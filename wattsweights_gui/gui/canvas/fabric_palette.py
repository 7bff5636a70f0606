"""The palette of the fabric canvas: nodes and switches of the catalogue; a row is dragged onto the drawing."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from wattsweights_gui.gui.theme import SPACE
from wattsweights_gui.layout.fabric_kinds import FabricKind

_ID = Qt.ItemDataRole.UserRole


class _Rows(QListWidget):
    """The rows. A drag is carried by our own mouse events, so that the ghost on the drawing can follow every pixel."""

    taken = Signal(str)
    carried = Signal(QPoint)
    dropped = Signal(QPoint)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._from: QPoint | None = None
        self._carrying = False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember where a drag may begin."""
        super().mousePressEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and self.itemAt(event.position().toPoint()) is not None:
            self._from = event.position().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Begin the drag, or carry it on."""
        if self._from is None:
            return
        if not self._carrying and (event.position().toPoint() - self._from).manhattanLength() > 6:
            self._carrying = True
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self.taken.emit(self.currentItem().data(_ID))
        if self._carrying:
            self.carried.emit(event.globalPosition().toPoint())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Drop it."""
        carrying, self._carrying, self._from = self._carrying, False, None
        self.unsetCursor()
        if carrying:
            self.dropped.emit(event.globalPosition().toPoint())
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Give a drag up by Escape."""
        if event.key() == Qt.Key.Key_Escape and self._carrying:
            self._carrying, self._from = False, None
            self.unsetCursor()
            self.left.emit()
            return
        super().keyPressEvent(event)


class FabricPalette(QWidget):
    """A search line and rows.

    Signals:
        placed: somebody pressed Enter on a kind.
    """

    placed = Signal(object)

    def __init__(self, view: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = view
        self.kinds: dict[str, FabricKind] = {}
        self.line = QLineEdit()
        self.line.setPlaceholderText("Search nodes and switches…")
        self.line.setAccessibleName("Search nodes and switches")
        self.line.setClearButtonEnabled(True)
        self.list = _Rows()
        self.list.setObjectName("fabric palette")
        self.list.setAccessibleName("Nodes and switches to be added")
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setSpacing(2)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        box = QVBoxLayout(self)
        box.setContentsMargins(2 * SPACE, SPACE, SPACE, SPACE)
        box.setSpacing(SPACE)
        box.addWidget(self.line)
        box.addWidget(self.list, 1)
        self.line.textChanged.connect(self._narrow)
        self.line.installEventFilter(self)
        self.list.taken.connect(lambda id: view.start_place(self.kinds[id]))
        self.list.carried.connect(view.carry)
        self.list.dropped.connect(view.drop)
        self.list.left.connect(view.cancel)
        self.list.itemActivated.connect(lambda item: self.placed.emit(self.kinds[item.data(_ID)]))

    @property
    def kind(self) -> FabricKind | None:
        """The kind that is chosen."""
        item = self.list.currentItem()
        return self.kinds[item.data(_ID)] if item is not None and not item.isHidden() else None

    def show_kinds(self, kinds: tuple[FabricKind, ...]) -> None:
        """List what may be added."""
        if tuple(self.kinds.values()) == kinds:
            return
        chosen = self.kind
        self.kinds = {kind.id: kind for kind in kinds}
        self.list.clear()
        for kind in kinds:
            item = QListWidgetItem(f"{kind.name}\n{kind.figures}")
            item.setData(_ID, kind.id)
            item.setToolTip(f"{kind.name}\n{kind.figures}\nSource: {kind.source}")
            self.list.addItem(item)
            if chosen is not None and kind.id == chosen.id:
                self.list.setCurrentItem(item)
        self._narrow()

    def select(self, id: str) -> None:
        """Choose a row by its id."""
        for row in range(self.list.count()):
            if self.list.item(row).data(_ID) == id:
                self.list.setCurrentRow(row)

    def _narrow(self, *_: object) -> None:
        words = self.line.text().casefold().split()
        first = None
        for row in range(self.list.count()):
            item = self.list.item(row)
            kind = self.kinds[item.data(_ID)]
            told = f"{kind.name} {kind.id} {kind.figures}".casefold()
            item.setHidden(not all(word in told for word in words))
            first = first if first is not None or item.isHidden() else item
        now = self.list.currentItem()
        if first is not None and (now is None or now.isHidden()):
            self.list.setCurrentItem(first)

    def eventFilter(self, watched: Any, event: QEvent) -> bool:
        """Go from the search into the rows by the arrow keys; add by Enter."""
        if watched is self.line and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
                self.list.setFocus()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.kind is not None:
                self.placed.emit(self.kind)
                return True
        return super().eventFilter(watched, event)
