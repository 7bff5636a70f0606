"""Finds the data that ships with the program in a checkout, an installed wheel and a frozen program."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path


@cache
def resources() -> Path:
    """Return the folder of shipped data.

    Raises:
        FileNotFoundError: the installation is incomplete.
    """
    package = Path(__file__).resolve().parent
    frozen = Path(getattr(sys, "_MEIPASS", package))
    for candidate in (frozen / "resources", package / "_resources", package.parent / "resources"):
        if (candidate / "catalog").is_dir():
            return candidate
    raise FileNotFoundError(f"The folder of catalogues is missing beside {package}: install WattsWeights again.")


def resource(*parts: str) -> Path:
    """Return the path of one shipped file."""
    return resources().joinpath(*parts)


def user_data() -> Path:
    """Return the folder for logs, recovery journals and recent files, made if absent.

    ``WATTSWEIGHTS_HOME`` overrides it (tests, portable use).
    """
    override = os.environ.get("WATTSWEIGHTS_HOME")
    if override:
        folder = Path(override)
    elif sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA", str(Path.home()))) / "WattsWeights"
    elif sys.platform == "darwin":
        folder = Path.home() / "Library" / "Application Support" / "WattsWeights"
    else:
        folder = Path(os.environ.get("XDG_DATA_HOME", str(Path.home() / ".local" / "share"))) / "wattsweights"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
