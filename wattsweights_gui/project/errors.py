"""What can go wrong with a project file, each as one sentence for the person in front of it."""

from __future__ import annotations

from pathlib import Path


class ProjectFileError(ValueError):
    """A project file that cannot be opened as it is; the file has been left untouched.

    Attributes:
        path: the file.
        message: one sentence: what is wrong, and what would be right.
        mendable: whether ``load(path, mend=True)`` opens it, with what cannot be read set aside in its notes.
    """

    def __init__(self, path: str | Path, message: str, *, mendable: bool = False) -> None:
        super().__init__(f"{path}: {message}")
        self.path = Path(path)
        self.message = message
        self.mendable = mendable


class SaveFailed(ProjectFileError):  # noqa: N818 - the words users see
    """The file could not be written; what was there before is still there."""


class ChangedOnDisk(SaveFailed):
    """Somebody else has written the file since it was opened: saving would overwrite that. Ask first."""
