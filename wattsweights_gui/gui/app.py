"""Opens the window: application, theme, session, recovery, and what is told of a crash."""

from __future__ import annotations

import faulthandler
import logging
import sys
from logging.handlers import RotatingFileHandler
from typing import Any

from PySide6.QtCore import Qt, QTimer
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
    crash_file = _keep_logs()
    window = open_window(application, path)
    sys.excepthook = lambda *about: _tell(window, *about)
    QTimer.singleShot(0, window.offer_recovery)
    try:
        return application.exec()
    finally:
        sys.excepthook = sys.__excepthook__
        if crash_file is not None:
            faulthandler.disable()
            crash_file.close()


def open_window(application: QApplication, path: str | None = None) -> Any:
    """Return the window, shown: on a project, or on the welcome page."""
    from wattsweights_gui.gui.kept_look import KeptLook
    from wattsweights_gui.gui.main_window import MainWindow
    from wattsweights_gui.gui.session import Session
    from wattsweights_gui.gui.theme import Theme

    # the worker must not keep the window waiting for the interpreter longer than a part of a frame
    sys.setswitchinterval(0.001)
    look = KeptLook()
    theme = Theme(application, look.get("theme", ("system", "light", "dark")))  # type: ignore[arg-type]
    session = Session()
    session.units = look.get("units", ("si", "us"))  # type: ignore[assignment]
    window = MainWindow(session, theme, look)
    if not look.place(window):
        screen = application.primaryScreen().availableGeometry()
        window.resize(window.size().boundedTo(screen.size() * 0.95))
    application.setWindowIcon(theme.icon("app", "accent"))
    if path is None:
        window.welcome()
        window.show()
    else:
        window.show()
        window.files.open_path(path)
    return window


def _keep_logs() -> Any:
    """Write the log and the traces of a hard crash into the user's folder; return the crash file, to be closed."""
    try:
        folder = paths.user_data()
        handler = RotatingFileHandler(folder / "wattsweights.log", maxBytes=_LOG_BYTES, backupCount=2, encoding="utf-8")
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        logging.getLogger().addHandler(handler)
        crash_file = (folder / "crash.log").open("a", encoding="utf-8")
        faulthandler.enable(crash_file)
    except OSError:
        return None  # a log that cannot be written must not keep anybody from working
    return crash_file


def _tell(window: Any, kind: type[BaseException], error: BaseException, trace: Any) -> None:
    """Say that something went wrong in the program itself, and go on."""
    logging.getLogger(__name__).critical("not handled", exc_info=(kind, error, trace))
    sys.__excepthook__(kind, error, trace)
    window.files.dialogs.tell(
        "Something went wrong in the program.",
        "Your plan is as it was; save it under another name to be safe. The log folder (Help menu) has the details.",
    )
