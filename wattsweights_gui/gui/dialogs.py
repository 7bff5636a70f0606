"""The only place with modal boxes. All of them are opened, none is executed: the window goes on living behind them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QMessageBox, QWidget

Answer = Literal["save", "discard", "cancel"]
PROJECTS = "WattsWeights projects (*.watts)"
CONFIGURATIONS = "Model configurations (*.json)"
PDFS = "PDF (*.pdf)"


def dialogs_of(widget: QWidget) -> Dialogs:
    """Return the dialogs of the window that a widget is part of, also where its dock floats."""
    above: QWidget | None = widget
    while above is not None:
        if (files := getattr(above, "files", None)) is not None:
            found: Dialogs = files.dialogs
            return found
        above = above.parentWidget()
    return Dialogs(widget.window())


class Dialogs:
    """Asks and tells over a window. Tests put a fake with the same methods in its place."""

    def __init__(self, window: QWidget) -> None:
        self.window = window

    def ask_unsaved(self, title: str, then: Callable[[Answer], None]) -> None:
        """Ask what becomes of unsaved edits.

        Args:
            title: of the project.
            then: told the answer; ``cancel`` where the box was closed.
        """
        button = QMessageBox.StandardButton
        box = self._box(QMessageBox.Icon.Question, f"Save the changes to {title}?")
        box.setInformativeText("Without saving, what was edited since the last save is gone.")
        box.setStandardButtons(button.Save | button.Discard | button.Cancel)
        box.setDefaultButton(button.Save)
        answers: dict[int, Answer] = {button.Save.value: "save", button.Discard.value: "discard"}
        box.finished.connect(lambda result: then(answers.get(result, "cancel")))
        box.open()

    def ask(self, question: str, detail: str, yes: str, then: Callable[[bool], None]) -> None:
        """Ask something with two answers.

        Args:
            question: one sentence.
            detail: what follows from either.
            yes: the words on the button that agrees.
            then: told whether it was pressed.
        """
        box = self._box(QMessageBox.Icon.Question, question)
        box.setInformativeText(detail)
        agree = box.addButton(yes, QMessageBox.ButtonRole.AcceptRole)
        cancel = box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(cancel)
        box.finished.connect(lambda _: then(box.clickedButton() is agree))
        box.open()

    def tell(self, message: str, detail: str = "") -> None:
        """Say that something could not be done."""
        box = self._box(QMessageBox.Icon.Warning, message)
        box.setInformativeText(detail)
        box.open()

    def file_to_open(self, title: str, kinds: str, then: Callable[[str], None]) -> None:
        """Let somebody choose a file that exists."""
        self._file(title, kinds, then, QFileDialog.AcceptMode.AcceptOpen, "", "")

    def file_to_write(self, title: str, kinds: str, name: str, then: Callable[[str], None]) -> None:
        """Let somebody choose where to write; the system asks before another file is overwritten."""
        suffix = kinds.rsplit(".", 1)[1].rstrip(")")
        self._file(title, kinds, then, QFileDialog.AcceptMode.AcceptSave, name, suffix)

    def show(self, dialog: QDialog) -> None:
        """Open a dialog that was made elsewhere."""
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _box(self, icon: QMessageBox.Icon, text: str) -> QMessageBox:
        box = QMessageBox(icon, "WattsWeights", text, QMessageBox.StandardButton.NoButton, self.window)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        return box

    def _file(
        self,
        title: str,
        kinds: str,
        then: Callable[[str], None],
        mode: QFileDialog.AcceptMode,
        name: str,
        suffix: str,
    ) -> None:
        dialog = QFileDialog(self.window, title, "", kinds)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(mode)
        if mode == QFileDialog.AcceptMode.AcceptOpen:
            dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        if suffix:
            dialog.setDefaultSuffix(suffix)
        if name:
            dialog.selectFile(name)
        dialog.fileSelected.connect(then)
        dialog.open()
