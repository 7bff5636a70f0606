"""The File menu asks before work is lost, says what could not be done, and leaves the plan alone then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pypdf
import pytest
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication

from wattsweights_gui.gui.actions import DEEDS
from wattsweights_gui.gui.docks import PERSPECTIVES
from wattsweights_gui.gui.main_window import MainWindow
from wattsweights_gui.gui.session import Session
from wattsweights_gui.gui.theme import Theme


class Asking:
    """Answers what a person would be asked, and keeps what was said."""

    def __init__(self) -> None:
        self.unsaved, self.agree, self.path = "cancel", False, ""
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
def window(qapp: QApplication, qtbot: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    monkeypatch.setenv("WATTSWEIGHTS_HOME", str(tmp_path / "home"))
    made = MainWindow(Session(), Theme(qapp, "light"), asking=Asking())
    made.files.open_example("512-against-256")
    yield made
    made.files.dialogs.unsaved = "discard"
    made.close()
    made.session.close()
    made.deleteLater()
    qtbot.wait(1)


def _edit(window: MainWindow, days: float) -> None:
    assert window.session.apply([("workload.days", days)])


def test_that_a_plan_saved_and_opened_again_is_the_same_to_the_last_digit(window: MainWindow, tmp_path: Path) -> None:
    _edit(window, 1.0 / 3.0 + 40)
    before = window.session.plan
    window.files.dialogs.path = str(tmp_path / "hall.watts")
    window.files.save()
    assert not window.session.dirty
    window.files.new()
    assert window.session.plan != before
    window.files.open_path(tmp_path / "hall.watts")
    assert window.session.plan == before


def test_that_nothing_is_given_up_when_the_question_is_cancelled(window: MainWindow) -> None:
    _edit(window, 77)
    before = window.session.plan
    window.files.new()
    window.files.open_example("1t-30-days")
    assert window.session.plan is before
    assert len(window.files.dialogs.asked) == 2


def test_that_a_window_with_unsaved_edits_does_not_close_before_it_is_answered(window: MainWindow) -> None:
    _edit(window, 77)
    event = QCloseEvent()
    window.closeEvent(event)
    assert not event.isAccepted()
    assert window.files.dialogs.asked


def test_that_save_in_the_question_saves_before_it_goes_on(window: MainWindow, tmp_path: Path) -> None:
    _edit(window, 77)
    window.files.dialogs.unsaved, window.files.dialogs.path = "save", str(tmp_path / "kept.watts")
    window.files.open_example("1t-30-days")
    window.files.open_path(tmp_path / "kept.watts")
    assert window.session.plan.value("workload.days") == 77


def test_that_a_file_that_is_no_project_is_told_and_left_untouched(window: MainWindow, tmp_path: Path) -> None:
    strange = tmp_path / "strange.watts"
    strange.write_bytes(b"no project")
    before = window.session.plan
    window.files.open_path(strange)
    assert window.session.plan is before
    assert strange.read_bytes() == b"no project"
    assert "strange.watts cannot be opened" in window.files.dialogs.said[-1]


def test_that_a_file_that_somebody_else_wrote_is_overwritten_only_when_agreed(
    window: MainWindow, tmp_path: Path
) -> None:
    file = tmp_path / "shared.watts"
    window.files.dialogs.path = str(file)
    window.files.save()
    other = Session()
    other.open(file)
    other.apply([("workload.days", 300)])
    other.save()
    theirs = file.read_bytes()
    other.close()
    _edit(window, 10)
    window.files.save()
    assert file.read_bytes() == theirs
    window.files.dialogs.agree = True
    window.files.save()
    assert file.read_bytes() != theirs
    assert not window.session.dirty


def test_that_a_file_that_is_no_configuration_is_told(window: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("[1, 2]")
    before = window.session.plan
    window.files.open_path(tmp_path / "config.json")
    assert window.session.plan is before
    assert "config.json cannot be imported" in window.files.dialogs.said[-1]


def test_that_the_sheets_are_written_as_a_pdf_with_the_ways_out(window: MainWindow, qtbot: Any, tmp_path: Path) -> None:
    paper = tmp_path / "sheets.pdf"
    window.files.dialogs.path = str(paper)
    window.files.open_example("512-against-256")
    window.files.export_pdf()
    qtbot.waitUntil(paper.exists, timeout=30_000)
    first = "\n".join(page.extract_text() for page in pypdf.PdfReader(paper).pages[:4])
    assert "They were not sized" not in first
    assert "Cool by" in first


def test_that_a_pdf_that_cannot_be_written_is_told(window: MainWindow, qtbot: Any, tmp_path: Path) -> None:
    window.files.dialogs.path = str(tmp_path / "no such folder" / "sheets.pdf")
    window.files.export_pdf()
    qtbot.waitUntil(lambda: bool(window.files.dialogs.said), timeout=30_000)
    assert "sheets.pdf cannot be written" in window.files.dialogs.said[-1]


def test_that_a_pdf_is_not_written_over_a_project(window: MainWindow, qtbot: Any, tmp_path: Path) -> None:
    project = tmp_path / "mine.watts"
    window.session.save(project)
    before = project.read_bytes()
    window.files.dialogs.path = str(project)
    window.files.export_pdf()
    qtbot.waitUntil(lambda: bool(window.files.dialogs.said), timeout=30_000)
    assert "mine.watts is not written" in window.files.dialogs.said[-1]
    assert project.read_bytes() == before


def test_that_no_two_actions_share_a_shortcut(window: MainWindow) -> None:
    keys = [key.toString() for action in window.actions_made.listed() for key in action.shortcuts()]
    assert len(keys) == len(set(keys))
    assert len({deed.name for deed in DEEDS}) == len(DEEDS)


def test_that_every_perspective_names_docks_and_charts_that_there_are(window: MainWindow) -> None:
    window.docks.charts.build()
    for where, (names, chart) in PERSPECTIVES.items():
        window.docks.look_from(where)
        assert set(names) <= set(window.docks.all)
        tabs = window.docks.charts.panel.tabs
        assert tabs.tabText(tabs.currentIndex()) == chart
