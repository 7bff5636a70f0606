"""The colours of the rack canvas, made of the theme's tokens: a group of devices has the same hue everywhere."""

from __future__ import annotations

from typing import Any

from PySide6.QtGui import QColor, QFont

from wattsweights_gui.layout.device_types import GROUPS

# Okabe and Ito's order, apart for colour-blind eyes; each is mixed with the ground for a fill
_HUES = dict(zip(GROUPS, ("#0072b2", "#e69f00", "#009e73", "#56b4e9", "#cc79a7", "#8a8f96"), strict=True))


class Inks:
    """Colours by what they are for; made anew when the theme changes."""

    def __init__(self, theme: Any) -> None:
        token = theme.color
        self.ground, self.surface, self.track = token("window"), token("surface"), token("track")
        self.text, self.quiet, self.line, self.edge = token("text"), token("quiet"), token("line"), token("edge")
        self.accent, self.over, self.near = token("accent"), token("over"), token("near")
        self.raised = token("raised")
        self.state = {name: token(f"{name}_bar") for name in ("fine", "near", "over")}
        self.soft = {name: token(f"{name}_soft") for name in ("fine", "near", "over")}
        self.hue = {group: QColor(hue) for group, hue in _HUES.items()}
        strength = 0.34 if theme.dark else 0.22
        self.fill = {group: mixed(self.surface, hue, strength) for group, hue in self.hue.items()}
        self.unknown = mixed(self.surface, self.over, strength)
        self.empty = mixed(self.surface, self.ground, 0.7)

    def scale(self, share: float) -> QColor:
        """Return the colour of a share of the most: from the ground to the accent."""
        return mixed(self.surface, self.accent, 0.12 + 0.75 * min(max(share, 0.0), 1.0))


def mixed(under: QColor, over: QColor, share: float) -> QColor:
    """Return two colours mixed."""
    return QColor.fromRgbF(*(a + (b - a) * share for a, b in zip(under.getRgbF()[:3], over.getRgbF()[:3], strict=True)))


def state_of(share: float | None) -> str:
    """Return ``fine``, ``near`` or ``over`` for a share of a limit; ``fine`` where there is none."""
    if share is None or share <= 0.9:
        return "fine"
    return "near" if share <= 1 + 1e-9 else "over"


def font_of(base: QFont, pixels: float, bold: bool = False) -> QFont:
    """Return a font of a size in pixels of the drawing."""
    font = QFont(base)
    font.setPixelSize(max(1, round(pixels)))
    font.setBold(bold)
    return font
