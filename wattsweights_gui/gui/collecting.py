"""Keeps Python's garbage collection in the thread of the window: a Qt object that another thread frees crashes Qt."""

from __future__ import annotations

import gc
from typing import Any

from PySide6.QtCore import QThread
from PySide6.QtWidgets import QApplication

# one for each application, found again by this name
_NAME = "_garbage_collector"


def collect_here_only() -> None:
    """Collect garbage by a timer of the calling thread from now on, no longer wherever memory happens to be asked for.

    A cycle of Qt objects that is freed in a worker leaves its timers behind in the window's thread, which then calls an
    object that is gone (https://pydev.blogspot.com/2014/03/should-python-garbage-collector-be.html).

    Raises:
        RuntimeError: when called in another thread than the application's.
    """
    application: Any = QApplication.instance()
    if application is None or QThread.currentThread() is not application.thread():
        raise RuntimeError("Garbage is collected in the thread of the application only.")
    if getattr(application, _NAME, None) is None:
        # loads the charts' library, which is there by the time that a worker is
        from pyqtgraph.util.garbage_collector import GarbageCollector

        setattr(application, _NAME, GarbageCollector())
    gc.disable()
