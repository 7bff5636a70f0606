"""The worker must never be the one that frees a Qt object."""

from __future__ import annotations

import gc
import threading
from functools import partial
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget

from wattsweights_gui.gui.jobs import Jobs


class _Witness:
    """Says in which thread it was freed."""

    def __init__(self, freed_in: list[int]) -> None:
        self.freed_in = freed_in

    def __del__(self) -> None:
        self.freed_in.append(threading.get_ident())


def _busy(progress: Any) -> int:
    """Ask for memory until automatic collection would have run many times."""
    kept: list[list[int]] = []
    for n in range(20 * max(gc.get_threshold()[0], 1)):
        kept.append([n])
    return len(kept)


def _look_at(witness: _Witness, progress: Any) -> bool:
    return witness is not None


def test_that_a_cycle_of_widgets_is_freed_in_the_thread_of_the_window(qtbot: Any, qapp: QApplication) -> None:
    freed_in: list[int] = []
    jobs = Jobs()
    answers: list[int] = []
    jobs.run("warm", lambda progress: 0, on_done=answers.append)
    qtbot.waitUntil(lambda: answers == [0])
    for _ in range(20):
        widget = QWidget()
        timer = QTimer(widget)
        timer.start(1)
        widget.itself = (widget, timer, _Witness(freed_in))  # type: ignore[attr-defined]
        del widget, timer
    jobs.run("busy", _busy, on_done=answers.append)
    qtbot.waitUntil(lambda: len(answers) == 2, timeout=20_000)
    qtbot.wait(5)
    assert threading.get_ident() == threading.main_thread().ident
    assert all(ident == threading.get_ident() for ident in freed_in)
    gc.collect()
    qtbot.wait(5)
    assert len(freed_in) == 20
    assert set(freed_in) == {threading.get_ident()}
    jobs.close()


def test_that_what_a_job_refers_to_is_freed_in_the_thread_of_the_window(qtbot: Any, qapp: QApplication) -> None:
    freed_in: list[int] = []
    jobs = Jobs()
    for _ in range(50):
        witness = _Witness(freed_in)
        answers: list[Any] = []
        jobs.run("one", partial(_look_at, witness), on_done=answers.append)
        del witness
        qtbot.waitUntil(lambda answers=answers: answers == [True])
    jobs.run("cancelled", partial(_look_at, _Witness(freed_in)))
    jobs.cancel("cancelled")
    jobs.close()
    qtbot.wait(5)
    assert len(freed_in) == 51
    assert set(freed_in) == {threading.get_ident()}


def test_that_garbage_is_collected_by_and_by_without_anybody_asking(qtbot: Any, qapp: QApplication) -> None:
    freed_in: list[int] = []
    jobs = Jobs()
    jobs.run("nothing", lambda progress: None)
    cycle: list[Any] = [_Witness(freed_in)]
    cycle.append(cycle)
    del cycle
    kept = [[n] for n in range(5 * gc.get_threshold()[0])]
    qtbot.waitUntil(lambda: bool(freed_in), timeout=10_000)
    assert freed_in == [threading.get_ident()]
    assert kept
    jobs.close()
