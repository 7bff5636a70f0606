"""About: versions, licences, and where the logs are."""

from __future__ import annotations

import platform
from importlib import metadata

from PySide6.QtCore import Qt, qVersion
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from wattsweights_gui import __version__, paths

_WIDTH = 520

PACKAGES = ("PySide6-Essentials", "pyqtgraph", "pydantic", "sqlite-utils", "CoolProp", "numpy", "reportlab", "openpyxl")


def versions() -> list[tuple[str, str]]:
    """Return every part and its version, without importing any of them."""
    found = [("WattsWeights", __version__), ("Python", platform.python_version()), ("Qt", qVersion())]
    for name in PACKAGES:
        try:
            found.append((name, metadata.version(name)))
        except metadata.PackageNotFoundError:
            found.append((name, "not installed"))
    return [*found, ("System", platform.platform())]


class AboutDialog(QDialog):
    """Versions as text that can be selected."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("about")
        self.setWindowTitle("About WattsWeights")
        title = QLabel("WattsWeights")
        title.setProperty("role", "large")
        about = QLabel(
            "Sizes an AI cluster from the model to the chilled water, and back. It opens no network connection."
        )
        about.setWordWrap(True)
        rows = "".join(
            f"<tr><td style='padding-right:16px'>{name}</td><td>{version}</td></tr>" for name, version in versions()
        )
        table = QLabel(f"<table>{rows}</table>")
        table.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        licence = QLabel(
            "Apache License 2.0. Qt and PySide6 are under the LGPL and are separate, replaceable packages. "
            f"Logs and unsaved work are kept in {paths.user_data()}."
        )
        licence.setWordWrap(True)
        licence.setProperty("role", "quiet")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        box = QVBoxLayout(self)
        box.setContentsMargins(24, 16, 24, 16)
        box.setSpacing(8)
        for widget in (title, about, table, licence, buttons):
            box.addWidget(widget)
        self.setFixedWidth(_WIDTH)
        self.setMinimumHeight(box.totalHeightForWidth(_WIDTH))
