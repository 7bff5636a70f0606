"""The undo command of the fabric: all edits by hand before and after. They hold only what differs from the plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QUndoCommand

from wattsweights_gui.layout.fabric_edits import FabricEdits

if TYPE_CHECKING:
    from wattsweights_gui.gui.session import Session

_ID = 3


class FabricCommand(QUndoCommand):
    """An edit of the fabric; those of one gesture (the same ``merge_key``) become one."""

    def __init__(
        self, session: Session, before: FabricEdits, after: FabricEdits, label: str, merge_key: str | None = None
    ) -> None:
        super().__init__(label)
        self.session = session
        self.before, self.after = before, after
        self.merge_key = merge_key

    def redo(self) -> None:
        """Make the fabric what it is after the edit."""
        self.session.adopt_fabric(self.after)

    def undo(self) -> None:
        """Make the fabric what it was before the edit."""
        self.session.adopt_fabric(self.before)

    def id(self) -> int:
        """Say whether commands like this one may become one."""
        return _ID if self.merge_key is not None else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take in the next command of the same gesture."""
        if not isinstance(other, FabricCommand) or other.merge_key != self.merge_key:
            return False
        self.after = other.after
        self.setText(other.text())
        return True
