"""The undo command of what is placed: the whole set before and after. Sets share the racks that did not change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QUndoCommand

from wattsweights_gui.layout.placements import Placements

if TYPE_CHECKING:
    from wattsweights_gui.gui.session import Session

_ID = 2


class PlacingCommand(QUndoCommand):
    """An edit of racks and devices; those of one gesture (the same ``merge_key``) become one."""

    def __init__(
        self, session: Session, before: Placements, after: Placements, label: str, merge_key: str | None = None
    ) -> None:
        super().__init__(label)
        self.session = session
        self.before, self.after = before, after
        self.merge_key = merge_key

    def redo(self) -> None:
        """Place what is placed after the edit."""
        self.session.adopt_placements(self.after)

    def undo(self) -> None:
        """Place what was placed before the edit."""
        self.session.adopt_placements(self.before)

    def id(self) -> int:
        """Say whether commands like this one may become one."""
        return _ID if self.merge_key is not None else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take in the next command of the same gesture."""
        if not isinstance(other, PlacingCommand) or other.merge_key != self.merge_key:
            return False
        self.after = other.after
        self.setText(other.text())
        return True
