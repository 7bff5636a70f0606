"""Offers unsaved work of an earlier run, one after the other, newest first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wattsweights_gui.project import recovery


def offer(window: Any, offered: Sequence[recovery.Recoverable] | None = None) -> None:
    """Ask whether unsaved work is to be opened; what is not opened is kept and offered at the next start.

    Args:
        window: has ``files`` with its dialogs.
        offered: what is left to be offered; all there is where ``None``.
    """
    left = recovery.list_recoverable() if offered is None else offered
    if not left:
        return
    newest = left[0]
    name = newest.file.name if newest.file is not None else "a project that was never saved"
    since = " The file itself has been changed since then." if newest.changed_since else ""

    def answered(agreed: bool) -> None:
        if agreed:
            window.files.recover(newest)
        else:
            offer(window, left[1:])

    window.files.dialogs.ask(
        f"There is unsaved work on {name}.",
        f"It was last changed at {newest.at.replace('T', ' ')}.{since} Opening it leaves the file as it is until you "
        "save. Otherwise it is offered again at the next start.",
        "Open it",
        answered,
    )
