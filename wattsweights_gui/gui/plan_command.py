"""The one undo command: the whole plan before and after an edit. Plans share what did not change, so it is cheap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QUndoCommand

from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.plan import Plan

if TYPE_CHECKING:
    from wattsweights_gui.gui.session import Session


class PlanCommand(QUndoCommand):
    """An edit of the plan.

    Commands of one gesture (the same ``merge_key``) become one; ``evaluation`` is of ``after`` where it is at hand.
    """

    def __init__(
        self,
        session: Session,
        before: Plan,
        after: Plan,
        label: str,
        merge_key: str | None = None,
        origin: object = None,
        evaluation: Evaluation | None = None,
    ) -> None:
        super().__init__(label)
        self.session = session
        self.before, self.after = before, after
        self.merge_key = merge_key
        self._origin = origin
        self._evaluation = evaluation

    def redo(self) -> None:
        """Make the plan what it is after the edit."""
        self.session.adopt(self.after, self._evaluation, self._origin)
        # by then the editor that made the edit is a view like the others
        self._evaluation = self._origin = None

    def undo(self) -> None:
        """Make the plan what it was before the edit."""
        self.session.adopt(self.before, None, None)

    def id(self) -> int:
        """Say whether commands like this one may become one."""
        return 1 if self.merge_key is not None else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take in the next command of the same gesture."""
        if not isinstance(other, PlanCommand) or other.merge_key != self.merge_key:
            return False
        self.after = other.after
        self.setText(other.text())
        return True
