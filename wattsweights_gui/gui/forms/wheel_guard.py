"""Keeps the wheel from changing what nobody is editing: an unfocused field lets the form scroll instead."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QWidget


class WheelGuard(QObject):
    """One event filter for every field that a wheel turn would change."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Pass a wheel turn over an unfocused field on to what is under it."""
        if event.type() == QEvent.Type.Wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()
            return True
        return False


def guard(field: QWidget) -> None:
    """Let a spin box, combo box or slider hear the wheel only while it has the focus."""
    application = QApplication.instance()
    assert application is not None
    found = application.findChild(WheelGuard)
    field.installEventFilter(found if found is not None else WheelGuard(application))
    field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
