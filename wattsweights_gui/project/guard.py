"""A report or a table is never written over a project."""

from __future__ import annotations

from pathlib import Path

from wattsweights_gui.project.errors import ProjectFileError

_DATABASE = b"SQLite format 3\x00"


def refuse_to_replace(path: str | Path) -> None:
    """Check that a file that is to be written is not somebody's project.

    Raises:
        ProjectFileError: it is a project, or another database.
    """
    try:
        with Path(path).open("rb") as file:
            begins = file.read(len(_DATABASE))
    except OSError:
        return  # nothing is there that could be lost, or writing will say what is wrong
    if begins == _DATABASE:
        raise ProjectFileError(Path(path), "this is a project or another database; give the output a name of its own.")
