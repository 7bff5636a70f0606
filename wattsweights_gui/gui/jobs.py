"""The one place with threads: work that takes longer than a frame, with progress, cancel and no stale answers."""

from __future__ import annotations

import itertools
import logging
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from wattsweights_gui.gui.collecting import collect_here_only

log = logging.getLogger(__name__)

Progress = Callable[..., bool]


class Cancelled(Exception):  # noqa: N818 - no error: somebody pressed Cancel
    """Raised by work that has seen its progress callable return ``False``."""


@dataclass
class _Job:
    name: str
    number: int
    function: Callable[[Progress], Any]
    on_done: Callable[[Any], None] | None
    on_failed: Callable[[Exception], None] | None
    on_progress: Callable[..., None] | None
    cancelled: threading.Event = field(default_factory=threading.Event)


class Jobs(QObject):
    """One worker thread. A newer job of a name takes the place of an older one, whose answer is dropped.

    Signals:
        started, finished: a job's name; ``finished`` follows whatever became of it.
    """

    started = Signal(str)
    finished = Signal(str)
    _answered = Signal(object, str, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._numbers = itertools.count()
        self._newest: dict[str, _Job] = {}
        # what a job refers to (closures over widgets) is let go in this thread, after the worker has let go of it
        self._held: dict[int, _Job] = {}
        self._let_go: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._answered.connect(self._on_answered, Qt.ConnectionType.QueuedConnection)

    def run(
        self,
        name: str,
        function: Callable[[Progress], Any],
        on_done: Callable[[Any], None] | None = None,
        on_failed: Callable[[Exception], None] | None = None,
        on_progress: Callable[..., None] | None = None,
    ) -> None:
        """Do work in the worker.

        Args:
            name: of the kind of work; the newest answer of a name wins.
            function: called there with a ``progress`` callable, which hands its arguments to ``on_progress`` and
                returns ``False`` once the work is not wanted any more.
            on_done, on_failed, on_progress: called here, in the thread of the window.
        """
        self.cancel(name)
        job = _Job(name, next(self._numbers), function, on_done, on_failed, on_progress)
        self._newest[name] = self._held[job.number] = job
        self._drop_what_the_worker_let_go()
        if self._thread is None:
            collect_here_only()
            self._thread = threading.Thread(target=self._work, name="worker", daemon=True)
            self._thread.start()
        self.started.emit(name)
        self._waiting.put(job)

    def running(self, name: str) -> bool:
        """Return whether work of a name has not been answered yet."""
        return name in self._newest

    def cancel(self, name: str) -> None:
        """Give up work of a name; its answer is dropped."""
        job = self._newest.pop(name, None)
        if job is not None:
            job.cancelled.set()
            self.finished.emit(name)

    def close(self) -> None:
        """Give up everything and wait for the worker to end."""
        for name in list(self._newest):
            self.cancel(name)
        if self._thread is not None:
            self._waiting.put(None)
            self._thread.join()
            self._thread = None
        self._drop_what_the_worker_let_go()

    def _drop_what_the_worker_let_go(self) -> None:
        while not self._let_go.empty():
            del self._held[self._let_go.get()]

    def _work(self) -> None:
        while (job := self._waiting.get()) is not None:
            number = job.number
            if not job.cancelled.is_set():
                self._do(job)
            del job
            self._let_go.put(number)

    def _do(self, job: _Job) -> None:
        try:
            answer = job.function(self._progress(job))
        except Cancelled:
            self._answered.emit(job, "cancelled", None)
        except Exception as error:
            self._answered.emit(job, "failed", error)
        else:
            self._answered.emit(job, "done", answer)

    def _progress(self, job: _Job) -> Progress:
        def progress(*values: Any) -> bool:
            if job.cancelled.is_set():
                return False
            if job.on_progress is not None:
                self._answered.emit(job, "progress", values)
            return True

        return progress

    def _on_answered(self, job: _Job, what: str, value: Any) -> None:
        self._drop_what_the_worker_let_go()
        if self._newest.get(job.name) is not job:
            return
        if what == "progress":
            if job.on_progress is not None:
                job.on_progress(*value)
            return
        del self._newest[job.name]
        self.finished.emit(job.name)
        if what == "done" and job.on_done is not None:
            job.on_done(value)
        elif what == "failed":
            log.error("%s failed", job.name, exc_info=value)
            if job.on_failed is not None:
                job.on_failed(value)
