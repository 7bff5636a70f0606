"""Colours of charts on a light and a dark ground. What a series means keeps its colour on screen and on paper."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QColor, QPalette

from wattsweights_gui.drawing.inks import SERIES


@dataclass(frozen=True)
class ChartColours:
    """Of one theme."""

    dark: bool
    ground: str
    text: str
    quiet: str
    grid: str
    fine: str
    near: str
    over: str

    def series(self, name: str) -> str:
        """Return the colour of a series.

        Raises:
            KeyError: no such series.
        """
        return SERIES[name]


LIGHT = ChartColours(False, "#fcfcfc", "#1a1a1a", "#595959", "#d9d9d9", "#5b8db8", "#e69f00", "#d55e00")
DARK = ChartColours(True, "#1b1d20", "#ececec", "#a9adb3", "#3a3e44", "#5b8db8", "#e69f00", "#e8702a")


def colours_of(palette: QPalette) -> ChartColours:
    """Return the colours that go with a window's palette."""
    ground: QColor = palette.color(QPalette.ColorRole.Window)
    return DARK if ground.lightness() < 128 else LIGHT
