"""The palette of the rack canvas: what may be placed, searched and filtered; a row is dragged into a rack."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPalette
from PySide6.QtWidgets import (
    QComboBox,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from wattsweights_gui.engine.units import text
from wattsweights_gui.gui.theme import SPACE
from wattsweights_gui.layout.device_types import GROUPS, DeviceType

_ENTRY = Qt.ItemDataRole.UserRole
_EVERYTHING = "Everything"
_IN_PLAN = "In the plan"


class _Row(QStyledItemDelegate):
    """Two lines: the name, and below it height, draw and mass; a stripe says which group."""

    def __init__(self, palette: DevicePalette) -> None:
        super().__init__(palette)
        self._palette = palette

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return room for two lines."""
        return QSize(80, 2 * option.fontMetrics.height() + 3 * SPACE)  # type: ignore[attr-defined]

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint the row."""
        kind = self._palette.types.get(index.data(_ENTRY))
        if kind is None:
            return
        self.initStyleOption(option, index)
        option.text = ""  # type: ignore[attr-defined]
        view: Any = option.widget  # type: ignore[attr-defined]
        view.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, view)
        rect = QRect(option.rect)  # type: ignore[attr-defined]
        painter.fillRect(
            QRect(rect.left() + 2, rect.top() + SPACE, 4, rect.height() - 2 * SPACE), self._palette.hue(kind)
        )
        chosen = option.state & QStyle.StateFlag.State_Selected  # type: ignore[attr-defined]
        metrics, roles = option.fontMetrics, QPalette.ColorRole  # type: ignore[attr-defined]
        room = rect.adjusted(3 * SPACE, SPACE, -SPACE, 0)
        room.setHeight(metrics.height())
        palette: QPalette = option.palette  # type: ignore[attr-defined]
        painter.setPen(palette.color(roles.HighlightedText if chosen else roles.Text))
        elided = metrics.elidedText(kind.name, Qt.TextElideMode.ElideMiddle, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, elided)
        painter.setPen(palette.color(roles.HighlightedText if chosen else roles.PlaceholderText))
        below = room.translated(0, metrics.height() + 2)
        words = metrics.elidedText(self._palette.figures(kind), Qt.TextElideMode.ElideRight, below.width())
        painter.drawText(below, Qt.AlignmentFlag.AlignVCenter, words)


class _List(QListWidget):
    """The rows. A drag is carried by our own mouse events, so that the ghost on the canvas can follow every pixel."""

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
            self.taken.emit(self.currentItem().data(_ENTRY))
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


class DevicePalette(QWidget):
    """Search, filter and rows.

    Signals:
        placed: somebody pressed Enter on an entry.
    """

    placed = Signal(str)

    def __init__(self, view: Any, session: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view, self.session = view, session
        self.types: dict[str, DeviceType] = {}
        self._planned: frozenset[str] = frozenset()
        self.line = QLineEdit()
        self.line.setPlaceholderText("Search devices…")
        self.line.setAccessibleName("Search devices")
        self.line.setClearButtonEnabled(True)
        self.filter = QComboBox()
        self.filter.setAccessibleName("Which devices are listed")
        self.filter.addItems([_EVERYTHING, _IN_PLAN, *GROUPS])
        self.list = _List()
        self.list.setObjectName("device palette")
        self.list.setAccessibleName("Devices to be placed")
        self.list.setItemDelegate(_Row(self))
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        box = QVBoxLayout(self)
        box.setContentsMargins(2 * SPACE, SPACE, SPACE, SPACE)
        box.setSpacing(SPACE)
        for widget in (self.line, self.filter):
            box.addWidget(widget)
        box.addWidget(self.list, 1)
        self.line.textChanged.connect(self._narrow)
        self.line.installEventFilter(self)
        self.filter.currentIndexChanged.connect(self._narrow)
        self.list.taken.connect(view.start_place)
        self.list.carried.connect(view.carry)
        self.list.dropped.connect(view.drop)
        self.list.left.connect(view.cancel)
        self.list.itemActivated.connect(lambda item: self.placed.emit(item.data(_ENTRY)))

    @property
    def entry(self) -> str:
        """The entry that is chosen, empty where none is."""
        item = self.list.currentItem()
        return str(item.data(_ENTRY)) if item is not None and not item.isHidden() else ""

    def show_types(self, planned: frozenset[str]) -> None:
        """List what may be placed under the plan as it stands; what the plan has comes first."""
        types = dict(self.session.hall.types)
        if list(types) == list(self.types) and planned == self._planned:
            self.types = types
            self.list.viewport().update()
            return
        entry = self.entry
        self.types, self._planned = types, planned
        self.list.clear()
        for id in sorted(types, key=lambda id: id not in planned):
            item = QListWidgetItem()
            item.setData(_ENTRY, id)
            kind = types[id]
            item.setToolTip("\n".join((kind.name, self.figures(kind), *kind.remarks, f"Source: {kind.source}")))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{kind.name}, {self.figures(kind)}")
            self.list.addItem(item)
            if id == entry:
                self.list.setCurrentItem(item)
        self._narrow()

    def figures(self, kind: DeviceType) -> str:
        """Return height, draw and mass in one line; what is not known is left out and in the tip."""
        units = self.session.units
        parts = ["zero-U" if kind.zero_u else f"{kind.height_u} U" + (" half" if kind.half_width else "")]
        if kind.power_kw.known and kind.power_kw.number:
            parts.append(text(kind.power_kw.value, "kw", units))
        if kind.mass_kg.known and kind.mass_kg.number:
            parts.append(text(kind.mass_kg.value, "kg", units))
        return " · ".join(parts)

    def hue(self, kind: DeviceType) -> Any:
        """Return the colour of a device's group."""
        return self.view.look.inks.hue[kind.group]

    def select(self, entry: str) -> None:
        """Choose a row by its entry."""
        for row in range(self.list.count()):
            if self.list.item(row).data(_ENTRY) == entry:
                self.list.setCurrentRow(row)

    def _narrow(self, *_: object) -> None:
        words = self.line.text().casefold().split()
        group = self.filter.currentText()
        first = None
        for row in range(self.list.count()):
            item = self.list.item(row)
            kind = self.types[item.data(_ENTRY)]
            fits = group in (_EVERYTHING, kind.group) or (group == _IN_PLAN and kind.id in self._planned)
            hidden = not fits or not all(word in kind.words for word in words)
            item.setHidden(hidden)
            first = first if first is not None or hidden else item
        now = self.list.currentItem()
        if now is None or now.isHidden():
            self.list.setCurrentItem(first)

    def eventFilter(self, watched: Any, event: QEvent) -> bool:
        """Go from the search into the rows by the arrow keys."""
        if watched is self.line and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
                self.list.setFocus()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.entry:
                self.placed.emit(self.entry)
                return True
        return super().eventFilter(watched, event)
