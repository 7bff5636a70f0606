"""What the worker finds out about the plan as it stands: the layout, and the largest model that the hall can train."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer

from wattsweights_gui.engine.plan import Plan

if TYPE_CHECKING:
    from wattsweights_gui.gui.jobs import Progress
    from wattsweights_gui.gui.session import Session

# an automatic layout follows from these layers' inputs
LAYOUT_FOLLOWS = ("workload", "compute", "parallelism", "fabric", "cluster", "storage")
_IDLE_MS = 250


class WorkerAnswers:
    """Asks the worker, and drops an answer to a plan that has moved on."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._settling = False
        self._idle = QTimer(session, singleShot=True, interval=_IDLE_MS)
        self._idle.timeout.connect(self._find_largest_model)
        session.jobs.finished.connect(self._on_finished)

    @property
    def settling(self) -> bool:
        """Whether the layout search is at work."""
        return self._settling

    def settle_if_automatic(self, before: Plan | None) -> None:
        """Search the layout again where it is automatic and may be another one than before.

        Args:
            before: the plan that the layout was found for; ``None`` where that is not known.
        """
        session = self.session
        plan = session.plan
        inputs: Any = plan.layers["parallelism"]
        if inputs.layout != "auto":
            session.jobs.cancel("settle")
            return
        if before is not None and all(before.layers[n] == plan.layers[n] for n in LAYOUT_FOLLOWS if n in plan.layers):
            return
        if importlib.util.find_spec("wattsweights_gui.engine.search") is None:
            return
        catalog = session.catalog

        def work(_: Progress) -> Plan:
            from wattsweights_gui.engine.search import settle

            found: Plan = settle(plan, catalog)
            return found

        def done(found: Plan) -> None:
            if session.plan is plan and found.layers != plan.layers:
                session.logged.emit(f"Layout found: {_layout(found)}")
                session.amend(found)

        def failed(error: Exception) -> None:
            session.logged.emit(f"The layout search ended without an answer: {error}")

        session.jobs.run("settle", work, done, failed)
        self._tell(True)

    def largest_model_later(self) -> None:
        """Look for the largest model once nobody has edited for a moment."""
        self._idle.start()

    def close(self) -> None:
        """Ask for nothing more."""
        self._idle.stop()

    def _find_largest_model(self) -> None:
        session = self.session
        evaluation, ends = session.evaluation, session.ends

        def work(_: Progress) -> Any:
            from wattsweights_gui.engine.largest_model import with_largest_model

            return with_largest_model(evaluation, ends)

        def done(found: Any) -> None:
            if session.evaluation is evaluation:
                session.set_ends(found)

        session.jobs.run("largest model", work, done)

    def _tell(self, settling: bool) -> None:
        if settling != self._settling:
            self._settling = settling
            self.session.settling.emit(settling)

    def _on_finished(self, name: str) -> None:
        if name == "settle":
            self._tell(self.session.jobs.running("settle"))


def _layout(plan: Plan) -> str:
    inputs: Any = plan.layers["parallelism"]
    return f"TP {inputs.tp} × PP {inputs.pp} × DP {inputs.dp} × CP {inputs.cp}, EP {inputs.ep}"
