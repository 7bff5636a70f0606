"""The one place with threads: work that takes longer than a frame runs in one worker, with progress and cancel."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event
from typing import Any

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal

Progress = Callable[[float], bool]
Work = Callable[[Progress], Any]


class CancelledError(Exception):
    """The work was stopped at a tick of its progress."""


@dataclass
class Job:
    """One piece of work, its callbacks and whether it was cancelled."""

    name: str
    number: int
    work: Work
    on_done: Callable[[Any], None]
    on_failed: Callable[[str], None] | None = None
    on_progress: Callable[[float], None] | None = None
    cancelled: Event = field(default_factory=Event)


class _Relay(QObject):
    done = Signal(object, object)
    failed = Signal(object, str)
    moved = Signal(object, float)


class _Runner(QRunnable):
    def __init__(self, job: Job, relay: _Relay) -> None:
        super().__init__()
        self.job, self.relay = job, relay

    def run(self) -> None:
        job = self.job

        def progress(share: float) -> bool:
            if job.cancelled.is_set():
                return False
            self.relay.moved.emit(job, share)
            return True

        if job.cancelled.is_set():
            return
        try:
            answer = job.work(progress)
        except CancelledError:
            return
        except Exception as error:  # shown to the user; the window goes on
            if not job.cancelled.is_set():
                detail = f"{error or type(error).__name__}"
                self.relay.failed.emit(job, f"{detail}\n{traceback.format_exc()}")
            return
        self.relay.done.emit(job, answer)


class Jobs(QObject):
    """Runs named work in one thread. A newer job of a name cancels the older; only the newest answer is delivered.

    Signals:
        busy_changed: with the names at work.
    """

    busy_changed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._relay = _Relay(self)
        self._relay.done.connect(self._done)
        self._relay.failed.connect(self._failed)
        self._relay.moved.connect(self._moved)
        self._newest: dict[str, Job] = {}
        self._count = 0

    def run(
        self,
        name: str,
        work: Work,
        on_done: Callable[[Any], None],
        on_failed: Callable[[str], None] | None = None,
        on_progress: Callable[[float], None] | None = None,
    ) -> None:
        """Start work; the callbacks are called in the window's thread.

        Args:
            name: of the kind of work.
            work: called in the worker with a progress function that returns false when it should stop.
            on_done: given the answer, unless a newer job of that name was started or it was cancelled.
            on_failed: given one line and the traceback.
            on_progress: given 0 to 1.
        """
        self.cancel(name)
        self._count += 1
        job = Job(name, self._count, work, on_done, on_failed, on_progress)
        self._newest[name] = job
        self._pool.start(_Runner(job, self._relay))
        self.busy_changed.emit(tuple(self._newest))

    def cancel(self, name: str) -> None:
        """Stop the work of a name at its next tick; its answer is dropped."""
        job = self._newest.pop(name, None)
        if job is not None:
            job.cancelled.set()
            self.busy_changed.emit(tuple(self._newest))

    def running(self, name: str) -> bool:
        """Return whether work of that name is under way."""
        return name in self._newest

    @property
    def idle(self) -> bool:
        """Whether nothing is under way."""
        return not self._newest

    def close(self) -> None:
        """Cancel everything and wait for the worker to end."""
        for name in tuple(self._newest):
            self.cancel(name)
        self._pool.clear()
        self._pool.waitForDone(30_000)

    def _finish(self, job: Job) -> bool:
        if self._newest.get(job.name) is not job or job.cancelled.is_set():
            return False
        del self._newest[job.name]
        self.busy_changed.emit(tuple(self._newest))
        return True

    def _done(self, job: Job, answer: object) -> None:
        if self._finish(job):
            job.on_done(answer)

    def _failed(self, job: Job, message: str) -> None:
        if self._finish(job) and job.on_failed is not None:
            job.on_failed(message)

    def _moved(self, job: Job, share: float) -> None:
        if self._newest.get(job.name) is job and job.on_progress is not None:
            job.on_progress(share)
