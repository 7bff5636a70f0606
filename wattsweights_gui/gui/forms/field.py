"""One input of the plan in a form: label, editor, mark, reset, and what is wrong with what was typed."""

from __future__ import annotations

import itertools
from typing import Any

from pydantic import BaseModel
from PySide6.QtCore import QObject, QSize, Qt, QTimer
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from wattsweights_gui.engine import declare
from wattsweights_gui.engine.declare import Setting
from wattsweights_gui.exchange.text_file import NotText, text_of
from wattsweights_gui.gui.forms.about_field import tooltip
from wattsweights_gui.gui.forms.choice_boxes import CatalogBox, ChoiceBox, TextBox, YesNoBox
from wattsweights_gui.gui.forms.file_button import FileButton
from wattsweights_gui.gui.forms.long_text_box import LongTextBox
from wattsweights_gui.gui.forms.number_box import NumberBox
from wattsweights_gui.gui.forms.wheel_guard import guard
from wattsweights_gui.gui.theme import SPACE

_gestures = itertools.count()


class Field(QObject):
    """Ties an editor to a path of the plan.

    Attributes:
        path: ``layer.field`` or ``layer.union.field``; the editor's object name too.
        editor: the widget that is typed into.
    """

    def __init__(self, session: Any, theme: Any, path: str, model: type[BaseModel], name: str, about: Setting) -> None:
        super().__init__()
        self.session, self.theme = session, theme
        self.path, self.about = path, about
        self.default = model.model_fields[name].get_default(call_default_factory=True)
        self.label = QLabel(about.title)
        self.label.setWordWrap(True)
        self.editor: Any = _editor(session, model, name, about)
        self.editor.setObjectName(path)
        self.editor.setAccessibleName(about.title)
        self.editor.setAccessibleDescription(about.help)
        self.label.setBuddy(self.editor)
        self.reset_button = QToolButton()
        self.reset_button.setObjectName(f"{path}/reset")
        self.reset_button.setAutoRaise(True)
        self.reset_button.setProperty("role", "tiny")
        self.reset_button.setFixedSize(24, 24)
        self.reset_button.setIconSize(QSize(14, 14))
        self.reset_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.refusal = QWidget()
        self._reason = QLabel()
        self._sign = QLabel()
        self._gesture = next(_gestures)
        self._shown: tuple[object, ...] = ()
        self._refusals: list[str] = []
        self._build_refusal()
        self.reset_button.clicked.connect(self._on_reset)
        self.editor.committed.connect(self._on_committed)
        self.file_button: FileButton | None = None
        if about.from_file:
            self.file_button = FileButton(about.title, about.from_file, self.take_file)
            self.file_button.setObjectName(f"{path}/file")
            box: Any = self.editor
            box.dropped.connect(self.take_file)
        if isinstance(self.editor, NumberBox | CatalogBox):
            self.editor.unreadable.connect(self.refuse)
            self.editor.taken_back.connect(self.clear_refusal)
            self.editor.lineEdit().setObjectName(f"{path}/text")
            self.editor.lineEdit().setAccessibleName(about.title)

    @property
    def wide(self) -> bool:
        """Whether it stands under its label, over both columns: names and notes are cut short in one."""
        return isinstance(self.editor, LongTextBox | TextBox) or (
            isinstance(self.editor, ChoiceBox) and self.editor.long
        )

    def place(self, grid: QGridLayout, row: int) -> int:
        """Put the field into a form and return the next free row."""
        if self.wide:
            grid.addWidget(self.label, row, 0, 1, 2)
            grid.addWidget(self.editor, row + 1, 0, 1, 2)
            grid.addWidget(self.reset_button, row + 1, 2, Qt.AlignmentFlag.AlignTop)
            if self.file_button is not None:
                row += 1
                grid.addWidget(self.file_button, row + 1, 0, 1, 2)
            grid.addWidget(self.refusal, row + 2, 0, 1, 3)
            return row + 3
        grid.addWidget(self.label, row, 0, Qt.AlignmentFlag.AlignVCenter)
        grid.addWidget(self.editor, row, 1)
        grid.addWidget(self.reset_button, row, 2)
        grid.addWidget(self.refusal, row + 1, 0, 1, 3)
        return row + 2

    def refresh(self, force: bool = False) -> None:
        """Show the plan's value; what is being typed in the focused editor is left alone."""
        value = self.session.plan.value(self.path)
        kind = value.kind if isinstance(value, declare.Branch) else value
        chosen = self._is_set()
        system = self.session.units
        now = (kind, chosen, system, self.theme.dark)
        if now == self._shown and not force:
            return
        moved = not self._shown or now[0] != self._shown[0] or now[2] != self._shown[2]
        if (moved and not (self.editor.typed() and self.editor.hasFocus())) or force:
            self.editor.show_value(kind, system)
            self.clear_refusal()
        if not self._shown or self._shown[2] != system:
            tip = tooltip(self.about, self.default, system)
            self.editor.setToolTip(tip)
            self.label.setToolTip(tip)
        self._shown = now
        self._mark(chosen)

    def focus(self) -> None:
        """Put the cursor into the editor."""
        self.editor.setFocus(Qt.FocusReason.TabFocusReason)
        if isinstance(self.editor, NumberBox | CatalogBox):
            self.editor.lineEdit().selectAll()  # typing replaces

    def refuse(self, message: str) -> None:
        """Say under the field what is wrong; what was typed stays."""
        self._reason.setText(message)
        self._sign.setPixmap(self.theme.pixmap("over", 16, "over"))
        self.refusal.setVisible(True)
        # the grid does not ask a folded label how high its text is at the width that it gives
        QTimer.singleShot(0, self, self._make_room)
        self.editor.setAccessibleDescription(message)
        self._style("refused", True)

    def clear_refusal(self) -> None:
        """Take back what was said under the field."""
        if not self.refusal.isHidden():
            self.refusal.setVisible(False)
            self.editor.setAccessibleDescription(self.about.help)
            self._style("refused", False)

    def take_file(self, path: str) -> None:
        """Set the field to the text of a file, or say under the field why not."""
        try:
            text = text_of(path, named=True)
        except NotText as error:
            self.refuse(str(error))
        else:
            self._on_committed(text, False)

    def _on_committed(self, value: object, stepped: bool) -> None:
        if not stepped:
            self._gesture = next(_gestures)
        self._refusals.clear()
        self.session.refused.connect(self._on_refused)
        try:
            done = self.session.apply(
                [(self.path, value)], merge_key=f"{self.path}#{self._gesture}" if stepped else None, origin=self.editor
            )
        finally:
            self.session.refused.disconnect(self._on_refused)
        if done:
            self.refresh(force=True)
        else:
            self.refuse(self._refusals[-1] if self._refusals else "This value cannot be.")
            if isinstance(self.editor, ChoiceBox):  # nothing was typed that could be corrected
                self.editor.show_value(self._shown[0], self.session.units)

    def _on_refused(self, _: str, message: str) -> None:
        self._refusals.append(message)

    def _on_reset(self) -> None:
        if self.session.reset(self.path):
            self.refresh(force=True)
        self.focus()

    def _is_set(self) -> bool:
        if self.session.found_by_search(self.path):
            return False
        layer, _, name = self.path.partition(".")
        holder: Any = self.session.plan.inputs(layer)
        first, _, rest = name.partition(".")
        if rest:
            holder, first = getattr(holder, first), rest
        return first in holder.model_fields_set

    def _mark(self, chosen: bool) -> None:
        accent = self.theme.color("accent").name()
        title = self.about.title
        self.label.setText(f"<span style='color:{accent}'>●</span>&nbsp;<b>{title}</b>" if chosen else title)
        # the place is kept, so that nothing jumps when a value is set
        self.reset_button.setEnabled(chosen)
        self.reset_button.setIcon(self.theme.icon("reset", "quiet") if chosen else self.theme.blank)
        words = (
            f"Reset {title} to its default" if self.default is not None else f"Empty {title}: {self.about.when_none}"
        )
        self.reset_button.setToolTip(words if chosen else "")
        self.reset_button.setAccessibleName(words)

    def _build_refusal(self) -> None:
        row = QHBoxLayout(self.refusal)
        row.setContentsMargins(0, 0, 0, SPACE)
        row.setSpacing(SPACE)
        self._reason.setProperty("role", "refusal")
        self._reason.setObjectName(f"{self.path}/refusal")
        self._reason.setWordWrap(True)
        self._reason.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._sign.setAlignment(Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._sign)
        row.addWidget(self._reason, 1)
        self.refusal.setVisible(False)

    def _make_room(self) -> None:
        self._reason.setMinimumHeight(self._reason.heightForWidth(max(1, self._reason.width())))

    def _style(self, name: str, value: object) -> None:
        self.editor.setProperty(name, value)
        self.editor.style().unpolish(self.editor)
        self.editor.style().polish(self.editor)


def _editor(session: Any, model: type[BaseModel], name: str, about: Setting) -> QWidget:
    annotation = model.model_fields[name].annotation
    branches = declare.branches_of(model, name)
    editor: QWidget
    if branches:
        editor = ChoiceBox((kind, branch.branch_title or kind) for kind, branch in branches.items())
    elif about.catalog:
        when_none = about.when_none or "none" if declare.optional(model, name) else None
        editor = CatalogBox(session.catalog.of_kind(about.catalog), when_none)
    elif words := declare.literals(model, name):
        titles = dict(about.choices)
        none = [(None, about.when_none or "none")] if declare.optional(model, name) else []
        editor = ChoiceBox([*none, *((word, titles.get(word, word)) for word in words)])
    elif annotation is bool:
        return YesNoBox()
    elif annotation is str:
        return LongTextBox(bool(about.from_file)) if about.multiline else TextBox(about.when_none)
    else:
        whole = annotation is int or annotation == int | None
        editor = NumberBox(about, whole=whole, optional=declare.optional(model, name))
    guard(editor)
    return editor
