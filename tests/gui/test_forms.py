"""Forms take what is typed, in any unit; say what cannot be; and keep their hands still otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea, QWidget

from wattsweights_gui.engine.layers import LAYERS
from wattsweights_gui.engine.plan import fields_of
from wattsweights_gui.gui.forms.form import LayerForm
from wattsweights_gui.gui.forms.number_box import editable
from wattsweights_gui.gui.main_window import MainWindow
from wattsweights_gui.gui.session import Session
from wattsweights_gui.gui.theme import Theme


@pytest.fixture
def forms(qtbot: Any, session: Session, theme: Theme) -> Iterator[Any]:
    """Makes a shown form of a layer."""

    def make(layer: str) -> LayerForm:
        form = LayerForm(session, theme, layer)
        qtbot.addWidget(form)
        form.resize(420, 900)
        form.show()
        form.activateWindow()
        qtbot.waitUntil(form.isActiveWindow)
        session.changed.connect(lambda layers, origin: form.refresh(origin))
        return form

    return make


def _type(qtbot: Any, form: LayerForm, path: str, text: str, end: Qt.Key = Qt.Key.Key_Return) -> Any:
    field = form.field(path)
    assert field is not None
    editor = field.editor
    editor.setFocus(Qt.FocusReason.TabFocusReason)
    editor.lineEdit().selectAll()
    qtbot.keyClicks(editor, text)
    if end:
        qtbot.keyClick(editor, end)
    return field


def _reason(form: QWidget, path: str) -> QLabel:
    found: QLabel = form.findChild(QLabel, f"{path}/refusal")
    return found


@pytest.mark.parametrize(
    ("typed", "stored"),
    [("45", 45.0), ("45 kW", 45.0), ("0,045 MW", 45.0), ("136000 BTU/h", 39.857665543), ("45000 W", 45.0)],
)
def test_that_a_limit_may_be_typed_in_any_unit_of_power(
    qtbot: Any, session: Session, forms: Any, typed: str, stored: float
) -> None:
    _type(qtbot, forms("cooling"), "cooling.rack_reject_limit_kw", typed)
    assert session.plan.value("cooling.rack_reject_limit_kw") == pytest.approx(stored, rel=1e-9)


def test_that_a_refusal_stands_under_its_field_and_what_was_typed_stays(
    qtbot: Any, session: Session, forms: Any
) -> None:
    form, path = forms("cooling"), "cooling.water_supply_c"
    before = session.plan
    field = _type(qtbot, form, path, "300")
    assert session.plan is before
    assert _reason(form, path).isVisible()
    assert "300" in _reason(form, path).text()
    assert field.editor.text_of() == "300"
    assert "300" in field.editor.accessibleDescription()
    qtbot.keyClick(field.editor, Qt.Key.Key_Escape)
    assert not _reason(form, path).isVisible()
    assert field.editor.text_of() == editable(session.plan.value(path))


def test_that_a_corrected_value_takes_the_refusal_away(qtbot: Any, session: Session, forms: Any) -> None:
    form, path = forms("cooling"), "cooling.water_supply_c"
    _type(qtbot, form, path, "warm")
    assert "not a number" in _reason(form, path).text()
    _type(qtbot, form, path, "25")
    assert not _reason(form, path).isVisible()
    assert session.plan.value(path) == 25.0


def test_that_leaving_a_field_commits_it(qtbot: Any, session: Session, forms: Any) -> None:
    _type(qtbot, forms("workload"), "workload.days", "45", Qt.Key.Key_Tab)
    assert session.plan.value("workload.days") == 45.0


def test_that_looking_at_a_field_and_leaving_it_is_no_edit(qtbot: Any, session: Session, forms: Any) -> None:
    form = forms("workload")
    for field in form.all_fields():
        field.editor.setFocus(Qt.FocusReason.TabFocusReason)
        qtbot.keyClick(field.editor, Qt.Key.Key_Tab)
    assert session.undo_stack.count() == 0


def test_that_a_half_is_no_number_of_sequences(qtbot: Any, session: Session, forms: Any) -> None:
    form = forms("workload")
    _type(qtbot, form, "workload.global_batch", "12,5")
    assert "whole number" in _reason(form, "workload.global_batch").text()
    assert session.undo_stack.count() == 0


def test_that_steps_of_one_gesture_are_one_entry_to_undo(qtbot: Any, session: Session, forms: Any) -> None:
    field = forms("workload").field("workload.days")
    field.editor.setFocus(Qt.FocusReason.TabFocusReason)
    before = session.plan.value("workload.days")
    for _ in range(5):
        qtbot.keyClick(field.editor, Qt.Key.Key_Up)
    assert session.plan.value("workload.days") > before
    assert session.undo_stack.count() == 1
    session.undo_stack.undo()
    assert session.plan.value("workload.days") == before
    assert field.editor.text_of() == editable(before)


def test_that_a_set_value_is_marked_and_can_be_reset(qtbot: Any, session: Session, forms: Any) -> None:
    form = forms("workload")
    field = form.field("workload.days")
    assert "●" not in field.label.text()
    _type(qtbot, form, "workload.days", "45")
    assert "●" in field.label.text()
    qtbot.mouseClick(field.reset_button, Qt.MouseButton.LeftButton)
    assert session.plan.value("workload.days") == 30.0
    assert "●" not in field.label.text()


def test_that_an_emptied_limit_is_no_limit(qtbot: Any, session: Session, forms: Any) -> None:
    form, path = forms("cooling"), "cooling.air_limit_kw"
    field = _type(qtbot, form, path, "800")
    assert session.plan.value(path) == 800.0
    field.editor.lineEdit().selectAll()
    qtbot.keyClick(field.editor, Qt.Key.Key_Backspace)
    qtbot.keyClick(field.editor, Qt.Key.Key_Return)
    assert session.plan.value(path) is None
    assert field.editor.lineEdit().placeholderText() == "no limit stated"


def test_that_another_cooling_brings_its_own_fields(qtbot: Any, session: Session, forms: Any) -> None:
    form = forms("cooling")
    assert form.field("cooling.technology.fluid") is None
    box = form.field("cooling.technology").editor
    box.setFocus()
    box.setCurrentIndex(box.findData("single_phase"))
    box.activated.emit(box.currentIndex())
    assert session.plan.value("cooling.technology").kind == "single_phase"
    assert {f.path for f in form.all_fields()} == {p for p in fields_of(session.plan) if p.startswith("cooling.")}
    assert form.field("cooling.technology.fluid").editor.isVisible()


def test_that_a_catalogue_entry_is_found_by_a_part_of_its_name(qtbot: Any, session: Session, forms: Any) -> None:
    form = forms("compute")
    box = form.field("compute.gpu").editor
    names = [(box.itemData(i), box.itemText(i)) for i in range(box.count())]
    wanted, name = next(n for n in names if n[0] != session.plan.value("compute.gpu"))
    box.setFocus()
    box.setEditText(name.lower())
    box.completer().popup().hide()
    box.lineEdit().editingFinished.emit()
    assert session.plan.value("compute.gpu") == wanted
    box.setEditText("abacus")
    box.lineEdit().editingFinished.emit()
    assert "abacus" in _reason(form, "compute.gpu").text()
    assert session.plan.value("compute.gpu") == wanted


def test_that_the_wheel_turns_only_the_field_that_has_the_focus(qtbot: Any, session: Session, forms: Any) -> None:
    form = forms("workload")
    area = QScrollArea()
    qtbot.addWidget(area)
    area.setWidget(form)
    area.show()
    days = form.field("workload.days").editor
    form.field("workload.seq_len").editor.setFocus()

    def turn() -> None:
        centre = QPointF(days.rect().center())
        QApplication.sendEvent(
            days,
            QWheelEvent(
                centre,
                days.mapToGlobal(centre),
                QPoint(0, 0),
                QPoint(0, 120),
                Qt.MouseButton.NoButton,
                Qt.KeyboardModifier.NoModifier,
                Qt.ScrollPhase.NoScrollPhase,
                False,
            ),
        )

    turn()
    assert session.plan.value("workload.days") == 30.0
    days.setFocus()
    qtbot.waitUntil(days.hasFocus)
    turn()
    assert session.plan.value("workload.days") > 30.0
    form.setParent(None)


def test_that_units_change_what_is_shown_and_never_what_is_stored(qtbot: Any, session: Session, forms: Any) -> None:
    form, path = forms("cooling"), "cooling.water_supply_c"
    before = session.plan.value(path)
    session.set_units("us")
    field = form.field(path)
    assert field.editor.text_of() == editable(before * 1.8 + 32)
    assert "°F" in field.editor.toolTip()
    _type(qtbot, form, path, "77")
    assert session.plan.value(path) == pytest.approx(25.0)
    session.set_units("si")
    assert field.editor.text_of() == "25"


@pytest.mark.parametrize("layer", [*(x.name for x in LAYERS), "project"])
def test_that_every_field_of_a_layer_is_in_its_form_and_has_a_name(session: Session, forms: Any, layer: str) -> None:
    paths = [p for p in fields_of(session.plan) if p.split(".")[0] == layer]
    found = {f.path: f for f in forms(layer).all_fields()}
    assert list(found) == paths or set(found) == set(paths)
    for path, field in found.items():
        assert field.editor.objectName() == path
        assert field.editor.accessibleName()
        assert field.about.help in field.editor.toolTip() or field.about.help.split()[0] in field.editor.toolTip()


@pytest.mark.parametrize("path", ["workload.days", "project.customer"])
def test_that_undo_in_a_field_with_nothing_typed_is_left_to_the_plan(window: MainWindow, path: str) -> None:
    window.show_plan()
    window.go_to(path)
    editor = window.docks.layers[path.split(".")[0]].form.field(path).editor
    asked = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert editor.event(asked) is False
    assert not asked.isAccepted()
    line = editor.lineEdit() if hasattr(editor, "lineEdit") else editor
    line.setText("something typed")
    asked = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    editor.event(asked)
    assert asked.isAccepted()


def test_that_going_to_a_field_selects_what_stands_in_it(window: MainWindow) -> None:
    window.go_to("workload.days")
    line = window.docks.layers["workload"].form.field("workload.days").editor.lineEdit()
    assert line.selectedText() == line.text()


def test_that_long_names_have_the_whole_width_and_show_both_ends(qtbot: Any, forms: Any) -> None:
    form = forms("compute")
    form.resize(300, 900)
    QApplication.processEvents()
    gpu = form.field("compute.gpu")
    cap = form.field("compute.power_cap_w")
    assert gpu.editor.width() > 1.5 * cap.editor.width()
    assert gpu.label.y() + gpu.label.height() <= gpu.editor.y()
    line = gpu.editor.lineEdit()
    gpu.editor.setEditText("a name that is far too long to be shown in one line of a form, 180 GB")
    shown = line.shown_text()
    assert "…" in shown
    assert shown.startswith("a name")
    assert shown.endswith("180 GB")
    assert line.text().endswith("in one line of a form, 180 GB"), "what is typed into is whole"


def test_that_the_list_of_a_choice_is_as_wide_as_its_longest_entry(qtbot: Any, forms: Any) -> None:
    form = forms("power")
    box = form.field("power.feed").editor
    longest = max(box.view().fontMetrics().horizontalAdvance(box.itemText(i)) for i in range(box.count()))
    assert longest < box.list_width() <= box.screen().availableGeometry().width() // 2
