"""Opens the window: application, theme, session, recovery, and what is told of a crash."""

from __future__ import annotations

import faulthandler
import logging
import sys
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from wattsweights_gui import __version__, paths

_LOG_BYTES = 500_000


def run(path: str | None) -> int:
    """Open the window on a project, or on the welcome page, and return when it has closed.

    Args:
        path: of a project file.
    """
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    existing = QApplication.instance()
    application = existing if isinstance(existing, QApplication) else QApplication(sys.argv[:1])
    application.setApplicationName("WattsWeights")
    application.setApplicationVersion(__version__)
    application.setDesktopFileName("wattsweights")
    crash_file = _keep_crashes()
    window = _empty_window(application)
    if path is None:
        window.hide_work()
    sys.excepthook = lambda *about: _tell(window, *about)
    # the window is painted first, and filled in the next turn of the loop
    window.painted.connect(_keep_logs, Qt.ConnectionType.QueuedConnection)
    window.painted.connect(lambda: _begin(window, path), Qt.ConnectionType.QueuedConnection)
    window.painted.connect(window.offer_recovery, Qt.ConnectionType.QueuedConnection)
    window.show()
    try:
        return application.exec()
    finally:
        sys.excepthook = sys.__excepthook__
        if crash_file is not None:
            faulthandler.disable()
            crash_file.close()


def open_window(application: QApplication, path: str | None = None) -> Any:
    """Return the window, shown and filled: on a project, or on the welcome page."""
    window = _empty_window(application)
    _begin(window, path)
    window.show()
    return window


def _empty_window(application: QApplication) -> Any:
    from wattsweights_gui.gui.kept_look import KeptLook
    from wattsweights_gui.gui.main_window import MainWindow
    from wattsweights_gui.gui.theme import Theme

    look = KeptLook()
    theme = Theme(application, look.get("theme", ("system", "light", "dark")))  # type: ignore[arg-type]
    window = MainWindow(None, theme, look)
    look.place(window)
    return window


def _begin(window: Any, path: str | None) -> None:
    from wattsweights_gui.gui.session import Session

    # the worker must not keep the window waiting for the interpreter longer than a part of a frame
    sys.setswitchinterval(0.001)
    session = Session(undo_stack=window.undo_stack)
    session.units = window.look.get("units", ("si", "us"))
    window.begin(session)
    QGuiApplication.setWindowIcon(window.theme.icon("app", "accent"))
    if path is None:
        window.welcome()
    else:
        window.files.open_path(path)


def _keep_crashes() -> Any:
    """Write the traces of a hard crash into the user's folder; return the file, to be closed."""
    try:
        crash_file = (paths.user_data() / "crash.log").open("a", encoding="utf-8")
        faulthandler.enable(crash_file)
    except OSError:
        return None  # a log that cannot be written must not keep anybody from working
    return crash_file


def _keep_logs() -> None:
    """Write the log into the user's folder; three files of half a megabyte at the most."""
    from logging.handlers import RotatingFileHandler

    try:
        file = paths.user_data() / "wattsweights.log"
        handler = RotatingFileHandler(file, maxBytes=_LOG_BYTES, backupCount=2, encoding="utf-8")
    except OSError:
        return
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.getLogger().addHandler(handler)


def _tell(window: Any, kind: type[BaseException], error: BaseException, trace: Any) -> None:
    """Say that something went wrong in the program itself, and go on."""
    logging.getLogger(__name__).critical("not handled", exc_info=(kind, error, trace))
    sys.__excepthook__(kind, error, trace)
    window.files.dialogs.tell(
        "Something went wrong in the program.",
        "Your plan is as it was; save it under another name to be safe. The log folder (Help menu) has the details.",
    )
