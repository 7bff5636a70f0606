"""Fields to choose from: words, catalogue entries (searched while typing), yes or no; and a line of text."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPaintEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QCompleter,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)

from wattsweights_gui.engine.declare import Entry
from wattsweights_gui.engine.units import System
from wattsweights_gui.gui.forms.elided_line import ElidedLine
from wattsweights_gui.gui.forms.undo_keys import left_to_the_plan
from wattsweights_gui.gui.theme import SPACE

_LEAST_LETTERS = 8
_MOST_LETTERS = 18


class ChoiceBox(QComboBox):
    """Chooses one of a few words.

    Signals:
        committed: the word, and ``False`` (it was not stepped).
    """

    committed = Signal(object, bool)

    def __init__(self, choices: Iterable[tuple[object, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(_LEAST_LETTERS)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        for value, title in choices:
            self.addItem(title, value)
        self.view().setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.activated.connect(self._chosen)

    def showPopup(self) -> None:
        """Open the list as wide as its longest entry."""
        self.view().setMinimumWidth(self.list_width())
        super().showPopup()

    def list_width(self) -> int:
        """Return the width that the longest entry needs, and no more than half of the screen's."""
        metrics = self.view().fontMetrics()
        longest = max((metrics.horizontalAdvance(self.itemText(i)) for i in range(self.count())), default=0)
        room = self.screen().availableGeometry().width() // 2
        return min(longest + 48, room)

    @property
    def long(self) -> bool:
        """Whether an entry needs more than the column of fields."""
        return any(len(self.itemText(i)) > _MOST_LETTERS for i in range(self.count()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Elide in the middle: what tells entries apart stands at either end."""
        if self.isEditable():
            super().paintEvent(event)
            return
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        place = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, place, self)
        wide = room.width() - SPACE
        option.currentText = self.fontMetrics().elidedText(option.currentText, Qt.TextElideMode.ElideMiddle, wide)
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    def show_value(self, value: object, system: System) -> None:
        """Show a word as chosen."""
        self.setCurrentIndex(self.findData(value))

    def typed(self) -> bool:
        """Return ``False``: what is chosen is committed at once."""
        return False

    def _chosen(self, index: int) -> None:
        self.committed.emit(self.itemData(index), False)


class CatalogBox(ChoiceBox):
    """Chooses a catalogue entry; typing searches in the names.

    Signals:
        unreadable: a sentence on what was typed.
        taken_back: what was typed is gone.
    """

    unreadable = Signal(str)
    taken_back = Signal()

    def __init__(self, entries: Iterable[Entry], when_none: str | None, parent: QWidget | None = None) -> None:
        choices: list[tuple[object, str]] = [] if when_none is None else [(None, when_none)]
        choices += [(entry.id, entry.name) for entry in entries]
        super().__init__(choices, parent)
        for index in range(self.count()):
            self.setItemData(index, self.itemText(index), Qt.ItemDataRole.ToolTipRole)
        self.setEditable(True)
        self.setLineEdit(ElidedLine())
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        completer = QCompleter(self.model(), self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        self.setCompleter(completer)
        self._value: object = None
        self.lineEdit().editingFinished.connect(self._typed_name)

    def show_value(self, value: object, system: System) -> None:
        """Show an entry as chosen; one that the catalogue does not know is shown by its id."""
        self._value = value
        index = self.findData(value)
        self.setCurrentIndex(index)
        self.setEditText(self.itemText(index) if index >= 0 else str(value))
        self.lineEdit().setCursorPosition(0)
        self.setToolTip(self.currentText())

    def event(self, event: QEvent) -> bool:
        """Leave undo and redo to the plan where nothing is being typed."""
        return False if left_to_the_plan(self, event) else super().event(event)

    def typed(self) -> bool:
        """Return whether something was typed that has not been committed."""
        index = self.findData(self._value)
        return index >= 0 and self.lineEdit().text() != self.itemText(index)

    def _typed_name(self) -> None:
        popup = self.completer().popup()
        if not self.typed() or (popup is not None and popup.isVisible()):
            return
        wanted = self.lineEdit().text().strip().casefold()
        names = [self.itemText(i) for i in range(self.count())]
        near = [i for i, name in enumerate(names) if wanted in (name.casefold(), str(self.itemData(i)).casefold())]
        if not near and wanted:
            near = [i for i, name in enumerate(names) if wanted in name.casefold()]
        if len(near) == 1:
            self._chosen(near[0])
            return
        some = ", ".join(names[i] for i in near[:4]) or ", ".join(names[:4])
        self.unreadable.emit(
            f"“{self.lineEdit().text()}” names {'more than one' if near else 'none'} of the catalogue: such as {some}."
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take back with Escape what was typed."""
        if event.key() == Qt.Key.Key_Escape and self.typed():
            self.setEditText(self.itemText(self.findData(self._value)))
            self.lineEdit().selectAll()
            self.taken_back.emit()
            return
        super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Select all, so that typing searches."""
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self.lineEdit().selectAll()


class YesNoBox(QCheckBox):
    """Yes or no."""

    committed = Signal(object, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.clicked.connect(lambda: self.committed.emit(self.isChecked(), False))
        self.toggled.connect(lambda on: self.setText("yes" if on else "no"))

    def show_value(self, value: object, system: System) -> None:
        """Show what is set."""
        self.setChecked(bool(value))
        self.setText("yes" if value else "no")

    def typed(self) -> bool:
        """Return ``False``: a click commits."""
        return False


class TextBox(ElidedLine):
    """A line of free text."""

    committed = Signal(object, bool)

    def __init__(self, when_none: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = ""
        self.setPlaceholderText(when_none)
        self.editingFinished.connect(self._commit)

    def show_value(self, value: object, system: System) -> None:
        """Show what is set."""
        self._shown = "" if value is None else str(value)
        self.setText(self._shown)
        self.setCursorPosition(0)

    def event(self, event: QEvent) -> bool:
        """Leave undo and redo to the plan where nothing is being typed."""
        return False if left_to_the_plan(self, event) else super().event(event)

    def typed(self) -> bool:
        """Return whether there is something that has not been committed."""
        return self.text() != self._shown

    def _commit(self) -> None:
        if self.typed():
            self.committed.emit(self.text(), False)
