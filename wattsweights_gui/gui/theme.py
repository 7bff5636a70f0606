"""Light and dark: colours, type sizes and one style sheet made of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QObject, QSettings, Qt, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

Choice = Literal["system", "light", "dark"]
SMALL, BODY, HEAD, LARGE = 11, 13, 16, 24


@dataclass(frozen=True)
class Tokens:
    """The colours of one theme; text on its ground passes WCAG AA."""

    ground: str
    panel: str
    field: str
    text: str
    quiet: str
    line: str
    accent: str
    on_accent: str
    fine: str
    near: str
    over: str
    over_ground: str
    hover: str


LIGHT = Tokens(
    ground="#f4f5f6", panel="#ffffff", field="#ffffff", text="#1b1f24", quiet="#596069", line="#cfd4d9",
    accent="#0b5cad", on_accent="#ffffff", fine="#0b5cad", near="#8a5a00", over="#b3350c", over_ground="#fdeee8",
    hover="#e6ebf0",
)  # fmt: skip
DARK = Tokens(
    ground="#16191d", panel="#1f2328", field="#282d33", text="#e8eaed", quiet="#a4abb3", line="#3f464e",
    accent="#6cb2f5", on_accent="#10161c", fine="#6cb2f5", near="#f0b13c", over="#ff8a5c", over_ground="#3a231b",
    hover="#2d333a",
)  # fmt: skip


class Theme(QObject):
    """The theme of the whole application.

    Signals:
        changed: after the palette and the style sheet were set.
    """

    changed = Signal()

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self.choice: Choice = _choice(QSettings().value("theme", "system"))
        self.tokens = LIGHT
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._system_changed)
        self._apply()

    @property
    def dark(self) -> bool:
        """Whether the dark theme shows."""
        return self.tokens is DARK

    def choose(self, choice: str) -> None:
        """Follow the system, or be light or dark; remembered."""
        self.choice = _choice(choice)
        QSettings().setValue("theme", self.choice)
        self._apply()

    def _system_changed(self, *_: object) -> None:
        if self.choice == "system":
            self._apply()

    def _apply(self) -> None:
        system_dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        dark = self.choice == "dark" or (self.choice == "system" and system_dark)
        self.tokens = DARK if dark else LIGHT
        self._app.setStyle("Fusion")
        self._app.setPalette(palette(self.tokens))
        font = QFont(self._app.font())
        font.setPixelSize(BODY)
        self._app.setFont(font)
        self._app.setStyleSheet(style_sheet(self.tokens))
        self.changed.emit()


def _choice(value: object) -> Choice:
    return value if value in ("system", "light", "dark") else "system"  # type: ignore[return-value]


def palette(t: Tokens) -> QPalette:
    """Return the palette of a theme; charts follow it."""
    p = QPalette()
    role = QPalette.ColorRole
    for which, colour in (
        (role.Window, t.ground), (role.WindowText, t.text), (role.Base, t.field), (role.AlternateBase, t.ground),
        (role.Text, t.text), (role.Button, t.panel), (role.ButtonText, t.text), (role.BrightText, t.over),
        (role.ToolTipBase, t.panel), (role.ToolTipText, t.text), (role.PlaceholderText, t.quiet),
        (role.Highlight, t.accent), (role.HighlightedText, t.on_accent), (role.Link, t.accent), (role.Mid, t.line),
        (role.Midlight, t.hover), (role.Dark, t.line), (role.Light, t.panel), (role.Shadow, t.line),
    ):  # fmt: skip
        p.setColor(which, QColor(colour))
    for which in (role.WindowText, role.Text, role.ButtonText):
        p.setColor(QPalette.ColorGroup.Disabled, which, QColor(t.quiet))
    return p


def style_sheet(t: Tokens) -> str:
    """Return the one style sheet; spacing in steps of 4 px, one corner radius."""
    return f"""
    QToolTip {{ background: {t.panel}; color: {t.text}; border: 1px solid {t.line}; padding: 4px; }}
    QMainWindow::separator {{ background: {t.line}; width: 1px; height: 1px; }}
    QMainWindow::separator:hover {{ background: {t.accent}; }}
    QDockWidget {{ font-size: {BODY}px; }}
    QDockWidget::title {{ background: {t.ground}; padding: 4px 8px; }}
    QToolBar {{ border: 0; border-bottom: 1px solid {t.line}; padding: 4px; spacing: 4px; }}
    QToolBar QToolButton {{ padding: 4px 8px; border-radius: 4px; }}
    QToolButton:hover {{ background: {t.hover}; }}
    QToolButton:focus, QPushButton:focus {{ border: 1px solid {t.accent}; }}
    QPushButton {{ background: {t.panel}; border: 1px solid {t.line}; border-radius: 4px; padding: 4px 12px; }}
    QPushButton:hover {{ background: {t.hover}; }}
    QPushButton:disabled {{ color: {t.quiet}; }}
    QPushButton[primary="true"] {{ background: {t.accent}; color: {t.on_accent}; border-color: {t.accent}; }}
    QLineEdit, QComboBox, QPlainTextEdit {{ background: {t.field}; border: 1px solid {t.line}; border-radius: 4px;
        padding: 3px 6px; selection-background-color: {t.accent}; selection-color: {t.on_accent}; }}
    QLineEdit:focus, QComboBox:focus, QPlainTextEdit:focus {{ border: 1px solid {t.accent}; }}
    QLineEdit[refused="true"] {{ border: 1px solid {t.over}; background: {t.over_ground}; }}
    QComboBox::drop-down {{ border: 0; width: 20px; }}
    QComboBox QAbstractItemView {{ background: {t.panel}; border: 1px solid {t.line};
        selection-background-color: {t.accent}; selection-color: {t.on_accent}; }}
    QScrollArea {{ border: 0; background: {t.panel}; }}
    QWidget#page {{ background: {t.panel}; }}
    QTabBar::tab {{ padding: 4px 8px; border: 0; border-bottom: 2px solid transparent; color: {t.quiet}; }}
    QTabBar::tab:selected {{ color: {t.text}; border-bottom: 2px solid {t.accent}; }}
    QTabBar::tab:focus {{ color: {t.accent}; }}
    QTableView, QTreeView, QListView, QTreeWidget, QTableWidget {{ background: {t.panel}; border: 1px solid {t.line};
        border-radius: 4px; alternate-background-color: {t.ground}; gridline-color: {t.line}; }}
    QHeaderView::section {{ background: {t.ground}; color: {t.quiet}; border: 0; border-bottom: 1px solid {t.line};
        padding: 4px 8px; }}
    QMenu {{ background: {t.panel}; border: 1px solid {t.line}; padding: 4px; }}
    QMenu::item {{ padding: 4px 24px 4px 12px; border-radius: 4px; }}
    QMenu::item:selected {{ background: {t.accent}; color: {t.on_accent}; }}
    QMenu::item:disabled {{ color: {t.quiet}; }}
    QProgressBar {{ border: 1px solid {t.line}; border-radius: 4px; height: 8px; text-align: center; }}
    QProgressBar::chunk {{ background: {t.accent}; border-radius: 3px; }}
    QLabel[quiet="true"] {{ color: {t.quiet}; }}
    QLabel[small="true"] {{ font-size: {SMALL}px; }}
    QLabel[head="true"] {{ font-size: {HEAD}px; font-weight: 600; }}
    QLabel[large="true"] {{ font-size: {LARGE}px; font-weight: 600; }}
    QLabel[group="true"] {{ font-weight: 600; color: {t.quiet}; padding-top: 8px; }}
    QLabel[refusal="true"] {{ color: {t.over}; font-size: {SMALL}px; }}
    QLabel[chosen="true"] {{ font-weight: 600; }}
    QLabel[severity="blocker"] {{ color: {t.over}; font-weight: 600; }}
    QLabel[severity="caution"] {{ color: {t.near}; font-weight: 600; }}
    QLabel[severity="note"] {{ color: {t.quiet}; font-weight: 600; }}
    QPushButton[figure="true"] {{ background: transparent; border: 0; padding: 1px 4px; text-align: right; }}
    QPushButton[figure="true"]:hover {{ color: {t.accent}; text-decoration: underline; }}
    QPushButton[figure="true"]:focus {{ border: 1px solid {t.accent}; }}
    QFrame#verdict {{ background: {t.panel}; border: 0; border-bottom: 1px solid {t.line}; }}
    QFrame#verdict[state="over"] {{ background: {t.over_ground}; }}
    QFrame[card="true"] {{ background: {t.panel}; border: 1px solid {t.line}; border-radius: 4px; }}
    QFrame[card="true"]:hover {{ border-color: {t.accent}; }}
    QFrame[card="true"][state="over"] {{ background: {t.over_ground}; border: 2px solid {t.over}; }}
    QFrame[card="true"][state="near"] {{ border: 2px solid {t.near}; }}
    """
