"""The command palette: every action, field and number by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QPainter, QPalette
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from wattsweights_gui.engine.declare import results_of
from wattsweights_gui.engine.layers import LAYERS
from wattsweights_gui.engine.plan import fields_of
from wattsweights_gui.gui.theme import SPACE

MOST = 40
LAYER_TITLES = {"project": "Title block", **{layer.name: layer.title for layer in LAYERS}}


@dataclass(frozen=True)
class Found:
    """Something that can be gone to."""

    title: str
    kind: str
    words: str
    go: Callable[[], Any]


class _WithKind(QStyledItemDelegate):
    """Says at the right what kind of thing a row is."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint the row, its title no further than its kind."""
        found = index.data(Qt.ItemDataRole.UserRole)
        if not isinstance(found, Found):
            super().paint(painter, option, index)
            return
        kind = QRect(option.rect).adjusted(0, 0, -2 * SPACE, 0)  # type: ignore[attr-defined]
        wide = option.fontMetrics.horizontalAdvance(found.kind)  # type: ignore[attr-defined]
        self.initStyleOption(option, index)
        option.text = option.fontMetrics.elidedText(  # type: ignore[attr-defined]
            found.title, Qt.TextElideMode.ElideMiddle, kind.width() - wide - 4 * SPACE
        )
        view = option.widget  # type: ignore[attr-defined]
        view.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, view)
        chosen = option.state & QStyle.StateFlag.State_Selected  # type: ignore[attr-defined]
        role = QPalette.ColorRole.HighlightedText if chosen else QPalette.ColorRole.PlaceholderText
        painter.setPen(QGuiApplication.palette().color(role))
        painter.drawText(kind, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, found.kind)


class CommandPalette(QDialog):
    """A list that narrows as one types; Enter goes there, Escape leaves."""

    def __init__(self, session: Any, actions: list[Any] | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("palette")
        self.setWindowTitle("Find anything")
        self.setModal(True)
        self.resize(560, 420)
        self.session = session
        self.actions_listed = actions or []
        self.line = QLineEdit()
        self.line.setPlaceholderText("An action, a field or a number…")
        self.line.setAccessibleName("Find")
        self.line.textChanged.connect(self._narrow)
        self.line.installEventFilter(self)
        self.list = QListWidget()
        self.list.setAccessibleName("Found")
        self.list.setItemDelegate(_WithKind(self.list))
        self.list.itemActivated.connect(self._go)
        self.list.itemClicked.connect(self._go)
        box = QVBoxLayout(self)
        box.setContentsMargins(8, 8, 8, 8)
        box.addWidget(self.line)
        box.addWidget(self.list, 1)
        self._all: list[Found] = []

    def start(self) -> None:
        """Open with an empty line."""
        self._all = self._collect()
        self.line.clear()
        self._narrow("")
        self.open()
        self.line.setFocus()

    def _collect(self) -> list[Found]:
        found = [
            Found(action.text().replace("&", "").rstrip("…"), "Action", action.toolTip(), action.trigger)
            for action in self.actions_listed
            if action.text() and action.isEnabled()
        ]
        for path, about in fields_of(self.session.plan).items():
            layer = LAYER_TITLES[path.split(".")[0]]
            found.append(Found(about.title, f"{layer} field", path, self._focus(path)))
        for layer in LAYERS:
            for name, about in results_of(layer.result).items():
                path = f"layers.{layer.name}.result.{name}"
                found.append(Found(about.title, f"{layer.title} result", path, self._why(path)))
        return found

    def _focus(self, path: str) -> Callable[[], Any]:
        return lambda: self.session.focus_requested.emit(path)

    def _why(self, path: str) -> Callable[[], Any]:
        return lambda: self.session.why_requested.emit(path)

    def _narrow(self, typed: str) -> None:
        wanted = typed.casefold().split()
        self.list.clear()
        scored = []
        for number, found in enumerate(self._all):
            hay = f"{found.title} {found.kind} {found.words}".casefold()
            if all(word in hay for word in wanted):
                title = found.title.casefold()
                first = not (wanted and title.startswith(wanted[0]))
                scored.append((first, not all(word in title for word in wanted), number, found))
        for *_, found in sorted(scored, key=lambda s: s[:3])[:MOST]:
            item = QListWidgetItem(found.title)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{found.title}, {found.kind}")
            item.setToolTip(found.words)
            item.setData(Qt.ItemDataRole.UserRole, found)
            self.list.addItem(item)
        if not self.list.count():
            nothing = QListWidgetItem(f"Nothing is called “{typed.strip()}”.")
            nothing.setFlags(Qt.ItemFlag.NoItemFlags)
            self.list.addItem(nothing)
        self.list.setCurrentRow(0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.line and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            row, last = self.list.currentRow(), self.list.count() - 1
            if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
                step = 1 if event.key() == Qt.Key.Key_Down else -1
                self.list.setCurrentRow(min(max(row + step, 0), last))
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._go(self.list.currentItem())
                return True
        return super().eventFilter(watched, event)

    def _go(self, item: QListWidgetItem | None) -> None:
        found = item.data(Qt.ItemDataRole.UserRole) if item is not None else None
        if isinstance(found, Found):
            self.accept()
            found.go()
