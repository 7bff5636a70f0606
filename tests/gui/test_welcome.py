"""From the welcome page into a plan and back."""

from __future__ import annotations

from wattsweights_gui.gui.main_window import MainWindow


def test_that_the_tool_bar_is_there_once_a_plan_is_open(window: MainWindow) -> None:
    window.hide_work()
    window.welcome()
    assert not window.findChild(type(window._tool_bar()), "tools").isVisible()
    window.files.open_example("512-against-256")
    assert window._tool_bar().isVisible()
    assert window.docks.all["workload"].isVisible()
    window.welcome()
    window.files.new()
    assert window._tool_bar().isVisible()
