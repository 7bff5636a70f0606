"""The table of levers: ranked, sorted by a click on a head, the choice kept, each column explained."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt

from wattsweights_gui.engine.declare import stated, unknown
from wattsweights_gui.engine.levers import MEASURES
from wattsweights_gui.gui.panels.levers import COLUMNS, LeversPanel


def _lever(name: str, closes: float, days: float | None, kind: str = "cooling") -> Any:
    before = {n: stated(10.0, "count", n) for n in MEASURES}
    after = {**before, "days": unknown("no layout", "days") if days is None else stated(days, "days", "Days")}
    return SimpleNamespace(
        id=name, title=name, kind=kind, closes=closes, fits=closes >= 1, edits=(), evaluation=None,
        ends=SimpleNamespace(fits=closes >= 1, verdict=f"Verdict of {name}."),
        deltas={n: (before[n], after[n]) for n in MEASURES},
    )  # fmt: skip


LEVERS = [
    _lever("Cool by liquid", 1.0, 40.0),
    _lever("Lower the cap, and fewer tokens", 0.9, 20.0, "cap+tokens"),
    _lever("More days", 0.4, None),
    _lever("Denser racks", -0.2, 30.0),
]


@pytest.fixture
def panel(qtbot: Any, session: Any) -> LeversPanel:
    made = LeversPanel(session)
    qtbot.addWidget(made)
    made.resize(900, 300)
    made.show()
    ends = SimpleNamespace(fits=False)
    made._done(SimpleNamespace(singles=tuple(LEVERS[:1] + LEVERS[2:]), pairs=(LEVERS[1],), base_ends=ends))
    return made


def _titles(panel: LeversPanel) -> list[str]:
    return [lever.title for lever in panel.model.levers]


def _click_head(qtbot: Any, panel: LeversPanel, column: int) -> None:
    header = panel.table.horizontalHeader()
    place = QPoint(header.sectionViewportPosition(column) + 12, header.height() // 2)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_that_levers_stand_by_rank_until_a_head_is_clicked(qtbot: Any, panel: LeversPanel) -> None:
    ranked = [lever.title for lever in LEVERS]
    assert _titles(panel) == ranked
    days = next(n for n, (title, _, _) in enumerate(COLUMNS) if title == "Days")
    _click_head(qtbot, panel, days)
    first = _titles(panel)
    _click_head(qtbot, panel, days)
    second = _titles(panel)
    known = ["Lower the cap, and fewer tokens", "Denser racks", "Cool by liquid"]
    assert {tuple(first[:3]), tuple(second[:3])} == {tuple(known), tuple(reversed(known))}
    assert first[3] == second[3] == "More days", "what is not known comes last, whichever way it is sorted"
    _click_head(qtbot, panel, days)
    assert _titles(panel) == ranked


def test_that_the_chosen_lever_stays_chosen_when_the_table_is_sorted(qtbot: Any, panel: LeversPanel) -> None:
    panel.table.selectRow(3)
    assert panel.selected().title == "Denser racks"
    _click_head(qtbot, panel, 0)
    assert panel.selected().title == "Denser racks"
    assert panel.verdict.text() == "Verdict of Denser racks."


def test_that_every_column_is_explained_and_pairs_are_marked(panel: LeversPanel) -> None:
    head = Qt.Orientation.Horizontal
    for column in range(len(COLUMNS)):
        assert len(panel.model.headerData(column, head, Qt.ItemDataRole.ToolTipRole)) > 20
    assert "gap" in panel.model.headerData(1, head, Qt.ItemDataRole.ToolTipRole)
    cells = [panel.model.index(row, 0).data() for row in range(len(LEVERS))]
    assert [cell.startswith("+ ") for cell in cells] == [False, True, False, False]
    assert cells[0].startswith("✓")
    assert "Two changes at once" in panel.model.index(1, 0).data(Qt.ItemDataRole.ToolTipRole)


def test_that_the_table_uses_the_whole_width(panel: LeversPanel) -> None:
    header = panel.table.horizontalHeader()
    assert abs(header.length() - panel.table.viewport().width()) <= 2
