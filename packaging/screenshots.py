"""Takes pictures of the window without a display: light and dark, on a laptop, a desktop and a 4K screen."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

SIZES = {"laptop": (1366, 768, 1), "desktop": (1920, 1080, 1), "4k": (1920, 1080, 2)}


def main() -> None:
    """Take the pictures that are asked for; each in a process of its own, since a scale holds for a process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the pictures go")
    parser.add_argument(
        "--file", default="", help="a project file; the welcome page where empty, the default plan: new"
    )
    parser.add_argument("--only", default="", help="such as laptop-dark")
    parser.add_argument("--do", default="", help="python, run with window and session before the picture")
    parser.add_argument("--one", default="", help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    wanted.folder.mkdir(parents=True, exist_ok=True)
    if wanted.one:
        take(wanted.folder, wanted.one, wanted.file, wanted.do)
        return
    for size, (_, _, scale) in SIZES.items():
        for theme in ("light", "dark"):
            name = f"{size}-{theme}"
            if wanted.only and name not in wanted.only.split(","):
                continue
            environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": str(scale)}
            given = [sys.executable, __file__, str(wanted.folder), "--one", name]
            subprocess.run([*given, "--file", wanted.file, "--do", wanted.do], env=environment, check=True)


def take(folder: Path, name: str, file: str, code: str) -> None:
    """Take one picture."""
    import tempfile

    os.environ["WATTSWEIGHTS_HOME"] = tempfile.mkdtemp()
    from PySide6.QtCore import QEventLoop, QTimer
    from PySide6.QtWidgets import QApplication

    from wattsweights_gui.gui.app import open_window

    application = QApplication([])
    size, _, theme = name.rpartition("-")
    width, height, _ = SIZES[size]
    window = open_window(application)
    window.resize(width, height)
    window.choose_theme(theme)
    if file == "new":
        window.files.new()
    elif file.endswith(".watts"):
        window.files.open_path(file)
    elif file:
        window.files.open_example(file)

    def wait(milliseconds: int) -> None:
        loop = QEventLoop()
        QTimer.singleShot(milliseconds, loop.quit)
        loop.exec()

    wait(1500)
    if file:
        window.reset_layout()
    if code:
        exec(code, {"window": window, "session": window.session, "wait": wait})
    wait(2500)
    window.grab().save(str(folder / f"{name}.png"))
    window.session.undo_stack.setClean()
    window._closing = True
    window.close()


if __name__ == "__main__":
    main()
