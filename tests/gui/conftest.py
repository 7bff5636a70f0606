"""A window of its own for each test, with a home of its own, and nobody who waits for an answer."""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import gc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from wattsweights_gui.gui.main_window import MainWindow
from wattsweights_gui.gui.session import Session
from wattsweights_gui.gui.theme import Theme


class Asking:
    """Answers what a person would be asked, and keeps what was said."""

    def __init__(self) -> None:
        self.unsaved, self.agree, self.path = "discard", False, ""
        self.said: list[str] = []
        self.asked: list[str] = []

    def ask_unsaved(self, title: str, then: Callable[[Any], None]) -> None:
        self.asked.append(title)
        then(self.unsaved)

    def ask(self, question: str, detail: str, yes: str, then: Callable[[bool], None]) -> None:
        self.asked.append(question)
        then(self.agree)

    def tell(self, message: str, detail: str = "") -> None:
        self.said.append(f"{message} {detail}")

    def file_to_open(self, title: str, kinds: str, then: Callable[[str], None]) -> None:
        then(self.path)

    def file_to_write(self, title: str, kinds: str, name: str, then: Callable[[str], None]) -> None:
        then(self.path)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's data folder with nothing in it."""
    folder = tmp_path / "home"
    monkeypatch.setenv("WATTSWEIGHTS_HOME", str(folder))
    return folder


@pytest.fixture
def session(qapp: QApplication, home: Path) -> Iterator[Session]:
    """A session on the default plan."""
    made = Session()
    yield made
    made.close()


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    """The light theme."""
    return Theme(qapp, "light")


@pytest.fixture
def window(qtbot: Any, session: Session, theme: Theme) -> Iterator[MainWindow]:
    """The window, shown, on the example of the collision; nothing of it survives."""
    before = set(QApplication.topLevelWidgets())
    made = MainWindow(session, theme, asking=Asking())
    made.resize(1920, 1080)
    session.open_example("512-against-256")
    made.show()
    qtbot.waitExposed(made)
    qtbot.wait(1)
    yield made
    made.close()
    made.deleteLater()
    qtbot.wait(1)
    left = [w for w in QApplication.topLevelWidgets() if w not in before and w.isVisible()]
    assert not left, f"still open: {left}"


@pytest.fixture(autouse=True)
def plain_application(qapp: QApplication) -> Iterator[None]:
    """Give the application its own look back: a theme of one test must not colour the next."""
    palette, style = qapp.palette(), qapp.styleSheet()
    yield
    qapp.setStyleSheet(style)
    qapp.setPalette(palette)


@pytest.fixture(autouse=True)
def collects_again() -> Iterator[None]:
    """Give the interpreter its own garbage collection back, for the tests that follow in this process."""
    yield
    gc.enable()
