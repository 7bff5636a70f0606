"""Light and dark: colours, sizes, spacing and icons of the window, from the tokens in the shipped themes."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any, Literal

from PySide6.QtCore import QByteArray, QObject, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtWidgets import QApplication

from wattsweights_gui import paths

Choice = Literal["system", "light", "dark"]
CHOICES: tuple[tuple[Choice, str], ...] = (("system", "As the system"), ("light", "Light"), ("dark", "Dark"))

# the only sizes of type, in points, and the step of all spacing, in pixels
SMALL, MEDIUM, LARGE, HUGE = 11, 13, 16, 24
SPACE = 4
CHANGE_SHOWN_MS = 2000


@cache
def _tokens(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(paths.resource("themes", f"{name}.json").read_text(encoding="utf-8"))
    return found


@cache
def _drawing(name: str) -> str:
    return paths.resource("icons", f"{name}.svg").read_text(encoding="utf-8")


class Theme(QObject):
    """The look of the application; follows the system until somebody chooses.

    Signals:
        changed: other colours hold from now on; widgets that paint themselves repaint.
    """

    changed = Signal()

    def __init__(self, application: QApplication, choice: Choice = "system") -> None:
        super().__init__(application)
        self._application = application
        self.choice: Choice = choice
        self._shown = ""
        self._icons: dict[tuple[str, str], QIcon] = {}
        self.blank = QIcon()
        application.setStyle("Fusion")
        font = QFont(application.font())
        font.setPointSize(SMALL)
        application.setFont(font)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._system_changed)
        self._apply()

    @property
    def dark(self) -> bool:
        """Whether the ground is dark."""
        if self.choice == "system":
            return bool(QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark)
        return self.choice == "dark"

    def choose(self, choice: Choice) -> None:
        """Show light, dark, or what the system shows."""
        self.choice = choice
        self._apply()

    def color(self, token: str) -> QColor:
        """Return a colour by its token, such as ``accent`` or ``over_bar``."""
        return QColor(_tokens(self._shown)[token])

    def icon(self, name: str, token: str = "text") -> QIcon:
        """Return a line icon in the colour of a token."""
        key = (name, self.color(token).name())
        if key not in self._icons:
            icon = QIcon()
            for size in (16, 24, 32, 64):
                icon.addPixmap(self.pixmap(name, size, token))
            faded = self.pixmap(name, 24, "edge")
            icon.addPixmap(faded, QIcon.Mode.Disabled)
            self._icons[key] = icon
        return self._icons[key]

    def pixmap(self, name: str, size: int, token: str = "text", ratio: float = 1.0) -> QPixmap:
        """Return a line icon drawn at a size in device-independent pixels."""
        from PySide6.QtSvg import QSvgRenderer

        drawing = _drawing(name).replace("#808890", self.color(token).name())
        pixmap = QPixmap(QSize(round(size * ratio), round(size * ratio)))
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        QSvgRenderer(QByteArray(drawing.encode())).render(painter)
        painter.end()
        pixmap.setDevicePixelRatio(ratio)
        return pixmap

    def _system_changed(self) -> None:
        if self.choice == "system":
            self._apply()

    def _apply(self) -> None:
        name = "dark" if self.dark else "light"
        if name == self._shown:
            return
        self._shown = name
        self._icons.clear()
        self._application.setPalette(_palette(_tokens(name)))
        self._application.setStyleSheet(_sheet(_tokens(name)))
        self.changed.emit()


def _palette(tokens: dict[str, Any]) -> QPalette:
    palette = QPalette()
    role, group = QPalette.ColorRole, QPalette.ColorGroup
    for place, token in (
        (role.Window, "surface"),
        (role.WindowText, "text"),
        (role.Base, "field"),
        (role.AlternateBase, "window"),
        (role.Text, "text"),
        (role.PlaceholderText, "quiet"),
        (role.Button, "raised"),
        (role.ButtonText, "text"),
        (role.BrightText, "over"),
        (role.Highlight, "accent"),
        (role.HighlightedText, "on_accent"),
        (role.Link, "accent"),
        (role.LinkVisited, "accent"),
        (role.ToolTipBase, "raised"),
        (role.ToolTipText, "text"),
        (role.Light, "hover"),
        (role.Midlight, "hover"),
        (role.Mid, "line"),
        (role.Dark, "edge"),
        (role.Shadow, "edge"),
    ):
        palette.setColor(place, QColor(tokens[token]))
    for place in (role.Text, role.WindowText, role.ButtonText):
        palette.setColor(group.Disabled, place, QColor(tokens["quiet"]))
    return palette


def _sheet(tokens: dict[str, Any]) -> str:
    sheet = paths.resource("themes", "window.qss").read_text(encoding="utf-8")
    sheet = sheet.replace("@icons", paths.resource("icons").as_posix())
    return re.sub(r"@([a-z_]+)", lambda m: str(tokens[m.group(1)]), sheet)


def figures_font(font: QFont) -> QFont:
    """Return a font with digits of one width, so that columns of numbers line up."""
    tabular = QFont(font)
    if hasattr(QFont, "Tag"):
        tabular.setFeature(QFont.Tag("tnum"), 1)
    return tabular
