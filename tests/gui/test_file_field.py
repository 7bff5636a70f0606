"""A field whose text comes from a file: chosen, dropped, refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLabel

from wattsweights_gui.gui.forms.form import LayerForm
from wattsweights_gui.gui.session import Session
from wattsweights_gui.gui.theme import Theme

PATH = "cooling.climate_bins"


class _Files:
    """Stands for the window's dialogs: somebody chooses this file."""

    path = ""

    @property
    def dialogs(self) -> _Files:
        return self

    def file_to_open(self, title: str, kinds: str, then: Any) -> None:
        assert "*.epw" in kinds
        then(self.path)


@pytest.fixture
def form(qtbot: Any, session: Session, theme: Theme) -> Iterator[Any]:
    made: Any = LayerForm(session, theme, "cooling")
    made.files = _Files()
    qtbot.addWidget(made)
    made.resize(420, 2400)
    made.show()
    qtbot.waitExposed(made)
    session.changed.connect(lambda layers, origin: made.refresh(origin))
    return made


@pytest.fixture
def year(tmp_path: Path) -> Path:
    file = tmp_path / "Teruel.csv"
    file.write_text("dry_bulb_c,wet_bulb_c\n" + "\n".join("20.5,12.5" for _ in range(8760)), encoding="utf-8")
    return file


def drop(editor: Any, file: Path) -> None:
    """Drop a file on the text, as a file manager does."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(file))])
    at = QPoint(20, 20)
    buttons, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(at, Qt.DropAction.CopyAction, mime, buttons, none)
    QApplication.sendEvent(editor.viewport(), entering)
    assert entering.isAccepted()
    dropping = QDropEvent(QPointF(at), Qt.DropAction.CopyAction, mime, buttons, none)
    QApplication.sendEvent(editor.viewport(), dropping)


def test_that_the_button_takes_the_hours_of_the_chosen_file(
    qtbot: Any, form: Any, session: Session, year: Path
) -> None:
    form.files.path = str(year)
    field = form.field(PATH)
    qtbot.mouseClick(field.file_button, Qt.MouseButton.LeftButton)
    kept = session.plan.value(PATH)
    assert kept.splitlines() == [
        "# Teruel.csv: 8,760 hours of dry bulb and wet bulb, in bins of 2 K",
        "20.5, 12.5, 8760",
    ]
    assert field.editor.toPlainText() == kept
    assert session.evaluation.figure("cooling.design_dry_bulb_c").value == 20.5
    session.undo_stack.undo()
    assert session.plan.value(PATH) == ""


def test_that_a_file_is_dropped_on_the_field(form: Any, session: Session, year: Path) -> None:
    drop(form.field(PATH).editor, year)
    assert session.plan.value(PATH).startswith("# Teruel.csv")


def test_that_a_file_that_cannot_be_is_refused_under_the_field(form: Any, session: Session, tmp_path: Path) -> None:
    before = session.plan
    short = tmp_path / "short.csv"
    short.write_text("dry_bulb_c,wet_bulb_c\n20,12\n", encoding="utf-8")
    for file, words in ((short, "a year has 8,760"), (tmp_path / "gone.csv", "cannot be read")):
        drop(form.field(PATH).editor, file)
        reason: QLabel = form.findChild(QLabel, f"{PATH}/refusal")
        assert reason.isVisible()
        assert words in reason.text()
    assert session.plan is before


def test_that_nothing_happens_where_no_file_is_chosen(qtbot: Any, form: Any, session: Session) -> None:
    before = session.plan
    qtbot.mouseClick(form.field(PATH).file_button, Qt.MouseButton.LeftButton)
    assert session.plan is before


def test_that_the_undo_step_is_named_by_the_first_line_of_what_is_kept(form: Any, session: Session, year: Path) -> None:
    drop(form.field(PATH).editor, year)
    name = session.undo_stack.undoText()
    assert name.startswith("The site's own hours or bins: # Teruel.csv: 8,760 hours")
    assert "\n" not in name
    assert len(name) < 100
