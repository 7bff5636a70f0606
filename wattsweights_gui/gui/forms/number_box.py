"""A number with its unit inside: any unit of its kind may be typed, arrow keys step, Escape takes back."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent, QValidator
from PySide6.QtWidgets import QAbstractSpinBox, QLabel, QWidget

from wattsweights_gui.engine import units
from wattsweights_gui.engine.declare import Setting
from wattsweights_gui.gui.forms.undo_keys import left_to_the_plan
from wattsweights_gui.gui.theme import SPACE


def editable(value: float, digits_shown: int = 12) -> str:
    """Return a number as it stands in a field, thousands apart: all of its digits, or seven of a converted one."""
    digits = f"{value:,}" if isinstance(value, int) else f"{value:,.{digits_shown}g}"
    return digits.replace(",", units.THIN_SPACE)


class NumberBox(QAbstractSpinBox):
    """Edits one number.

    Signals:
        committed: the value in its stored unit, ``None`` for an emptied field, and whether it was stepped.
        unreadable: a sentence on what was typed.
        taken_back: what was typed and not committed is gone.
    """

    committed = Signal(object, bool)
    unreadable = Signal(str)
    taken_back = Signal()

    def __init__(self, about: Setting, *, whole: bool, optional: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.about = about
        self.whole = whole
        self.optional = optional
        self.system: units.System = "si"
        self._value: float | None = None
        self._shown = ""
        self.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setKeyboardTracking(False)
        self.lineEdit().setAlignment(Qt.AlignmentFlag.AlignRight)
        self.lineEdit().setPlaceholderText(about.when_none)
        self._sign = QLabel(self.lineEdit())
        self._sign.setProperty("role", "quiet")
        self._sign.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.editingFinished.connect(self._commit)

    def show_value(self, value: float | None, system: units.System) -> None:
        """Show a stored value in the display system; what is being typed is replaced."""
        self._value, self.system = value, system
        sign = self._short_sign(system) if value is not None or not self.about.when_none else ""
        self._sign.setText(sign)
        self._sign.adjustSize()
        margin = self._sign.width() + SPACE if sign else 0
        self.lineEdit().setTextMargins(0, 0, margin, 0)
        self._place_sign()
        if value is None:
            self._shown = ""
        else:
            # what was converted for show has no digits worth more than seven
            converted = units.shown(value, self.about.unit, system)[0]
            self._shown = editable(value) if self.whole else editable(converted, 12 if converted == value else 7)
        self.lineEdit().setText(self._shown)
        self.lineEdit().setCursorPosition(0)

    def _short_sign(self, system: units.System) -> str:
        """Return the unit without words that the label says already: billions of tokens of “Training tokens”."""
        sign = units.symbol(self.about.unit, system)
        words = [w for w in sign.split() if w.casefold() not in self.about.title.casefold()]
        return " ".join(words) or sign

    def typed(self) -> bool:
        """Return whether there is something that has not been committed."""
        return self.lineEdit().text() != self._shown

    def text_of(self) -> str:
        """Return what stands in the field."""
        return self.lineEdit().text()

    def validate(self, text: str, position: int) -> object:
        """Let anything be typed: what is wrong with it is said under the field, not swallowed."""
        return QValidator.State.Acceptable, text, position

    def stepEnabled(self) -> QAbstractSpinBox.StepEnabledFlag:
        """Say that arrow keys step."""
        flags = QAbstractSpinBox.StepEnabledFlag
        return flags.StepUpEnabled | flags.StepDownEnabled

    def stepBy(self, steps: int) -> None:
        """Step the value within its hard limits."""
        value = self._value
        if value is None:
            value = self.about.hard[0] or 0.0
        low, high = self.about.hard
        stepped = value + steps * self._step(value)
        stepped = max(stepped, low) if low is not None else stepped
        stepped = min(stepped, high) if high is not None else stepped
        wanted: float = round(stepped) if self.whole else float(f"{stepped:.12g}")
        if wanted != self._value:
            self.committed.emit(wanted, True)

    def _step(self, value: float) -> float:
        if self.about.step:
            return self.about.step
        if self.whole and abs(value) < 100:
            return 1.0
        # one in the second figure: a step that is felt and not lost, whatever the size
        size = math.floor(math.log10(abs(value))) if value else 0
        return max(1.0, 10.0 ** (size - 1)) if self.whole else 10.0 ** (size - 1)

    def _commit(self) -> None:
        text = self.lineEdit().text().strip()
        if text == self._shown.strip():
            return
        if not text:
            if self.optional:
                self.committed.emit(None, False)
            else:
                self.unreadable.emit(f"{self.about.title} needs a value, such as {self._example()}.")
            return
        try:
            value: float = units.parse(text, self.about.unit or "count", self.system)
        except ValueError as error:
            self.unreadable.emit(str(error))
            return
        if self.whole:
            if abs(value - round(value)) > 1e-9 * max(1.0, abs(value)):
                self.unreadable.emit(f"“{text}” is not a whole number: {self.about.title} needs one.")
                return
            value = round(value)
        self.committed.emit(value, False)

    def _example(self) -> str:
        return units.text(self._value if self._value is not None else 1, self.about.unit, self.system)

    def event(self, event: QEvent) -> bool:
        """Leave undo and redo to the plan where nothing is being typed."""
        return False if left_to_the_plan(self, event) else super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take back with Escape what was typed; Enter commits and stays."""
        if event.key() == Qt.Key.Key_Escape and self.typed():
            self.lineEdit().setText(self._shown)
            self.lineEdit().selectAll()
            self.taken_back.emit()
            return
        super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Select all, so that typing replaces."""
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self.lineEdit().selectAll()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the unit at the right."""
        super().resizeEvent(event)
        self._place_sign()

    def changeEvent(self, event: QEvent) -> None:
        """Follow another font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and hasattr(self, "_sign"):
            self._sign.adjustSize()
            self._place_sign()

    def _place_sign(self) -> None:
        line = self.lineEdit()
        self._sign.move(line.width() - self._sign.width() - 2, (line.height() - self._sign.height()) // 2)

    def sizeHint(self) -> QSize:
        """Return room for a long number and its unit."""
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance("000 000.000 kg/m²"), metrics.height() + 3 * SPACE)

    def minimumSizeHint(self) -> QSize:
        """Return room for a number and its unit."""
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance("00 000 GB/s"), metrics.height() + 3 * SPACE)
