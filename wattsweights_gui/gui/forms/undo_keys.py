"""Undo and redo belong to the plan, unless something is being typed: a line of text would swallow the keys."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent
from PySide6.QtGui import QKeyEvent, QKeySequence

_KEYS = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)


def left_to_the_plan(editor: Any, event: QEvent) -> bool:
    """Return whether an event asks an editor to keep undo or redo for itself with nothing typed; it is ignored then."""
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent) or editor.typed():
        return False
    if not any(event.matches(key) for key in _KEYS):
        return False
    event.ignore()
    return True
