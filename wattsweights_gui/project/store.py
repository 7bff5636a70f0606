"""The project file: opened without touching it, saved as a whole new file that takes the old one's place."""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
import stat
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.project import reading, snapshot
from wattsweights_gui.project.document import Document
from wattsweights_gui.project.errors import ChangedOnDisk, ProjectFileError, SaveFailed
from wattsweights_gui.project.plan_json import plan_encoded
from wattsweights_gui.project.snapshot import FileToken
from wattsweights_gui.project.writing import write_database

PART = ".watts-part"
_STALE_S = 3600.0


@dataclass(frozen=True)
class Opened:
    """A document and the file that it came from.

    Attributes:
        document: what the file holds.
        path: as it was named by the user.
        token: of the file as it was read; hand it to :func:`save`.
        remarks: sentences for the user: what is kept but not understood, what is not run.
    """

    document: Document
    path: Path
    token: FileToken
    remarks: tuple[str, ...] = ()


def load(path: str | Path, *, mend: bool = False) -> Opened:
    """Open a project file; the file is only read, and by nobody but us.

    Args:
        path: of the file.
        mend: give values that cannot be their defaults and put what stood there into the notes, instead of refusing.

    Raises:
        ProjectFileError: with one sentence that says what is wrong.
    """
    taken = snapshot.take(Path(path))
    document, remarks = reading.read(taken, mend)
    return Opened(document, Path(path), taken.token, remarks)


def save(
    document: Document,
    path: str | Path,
    *,
    saved: str,
    expected: FileToken | None = None,
    evaluations: Mapping[str, Evaluation] | None = None,
) -> FileToken:
    """Write a document as a whole new file, check it, and rename it over the old one.

    Args:
        document: to be saved.
        path: a symbolic link is followed, and stays a link.
        saved: when, as it is to be read by people and programs (ISO 8601).
        expected: of the file as it was opened; ``None`` overwrites whatever is there.
        evaluations: by scenario; their figures go into a table for others to query.

    Returns:
        The token of the new file.

    Raises:
        ChangedOnDisk: the file is not the one that was opened.
        SaveFailed: it cannot be written; the old file is still there, whole.
        ProjectFileError: there is no such folder, or it names a folder.
    """
    named = Path(path)
    target = _target(named)
    if expected is not None:
        _refuse_changed(named, target, expected)
    before = _old_mode(named, target)
    part: Path | None = None
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=PART, dir=target.parent)
        os.close(handle)
        part = Path(name)
        write_database(part, document, saved=saved, evaluations=evaluations or {})
        _check(named, part, document)
        _keep_mode(part, before)
        _sync(part)
        token = snapshot.token_of(part)
        if expected is not None:
            _refuse_changed(named, target, expected)
        os.replace(part, target)
    except ProjectFileError:
        raise
    except (OSError, sqlite3.Error) as error:
        raise SaveFailed(named, _why_not(error)) from error
    except (UnicodeError, OverflowError) as error:
        raise SaveFailed(named, f"a text or number of the project cannot be saved ({error}).") from error
    finally:
        if part is not None:
            for left in (part, part.with_name(part.name + "-journal")):
                with contextlib.suppress(OSError):
                    left.unlink(missing_ok=True)
    _sync_folder(target.parent)
    _sweep(target)
    assert token is not None
    return token


def changed_on_disk(path: str | Path, token: FileToken) -> bool:
    """Return whether a file is no longer the one that was read; a file that has gone has changed."""
    try:
        return snapshot.token_of(_target(Path(path))) != token
    except (OSError, ProjectFileError):
        return True


def _target(path: Path) -> Path:
    try:
        target = Path(os.path.realpath(path))
        if target.is_symlink():
            raise ProjectFileError(path, "the link leads in a circle.")
        if target.is_dir():
            raise ProjectFileError(path, "this is a folder; name a project file (*.watts).")
        if not target.parent.is_dir():
            raise ProjectFileError(path, f"there is no folder {target.parent}.")
        if target.exists() and not target.is_file():
            raise ProjectFileError(path, "this is no file on a disk; name a project file (*.watts).")
    except ProjectFileError:
        raise
    except (OSError, ValueError) as error:
        raise ProjectFileError(path, f"this cannot be the name of a file: {error}.") from None
    return target


def _refuse_changed(named: Path, target: Path, expected: FileToken) -> None:
    try:
        now = snapshot.token_of(target)
    except OSError as error:
        raise SaveFailed(named, _why_not(error)) from error
    if now is not None and now != expected:  # a file that has gone can only be written again
        raise ChangedOnDisk(
            named,
            "the file has been changed by somebody else since it was opened: save under another name, or over it.",
        )


def _old_mode(named: Path, target: Path) -> os.stat_result | None:
    try:
        before = target.stat()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SaveFailed(named, _why_not(error)) from error
    if not before.st_mode & 0o222 or not os.access(target, os.W_OK):
        raise SaveFailed(named, "the file is read-only: save under another name, or make it writable.")
    return before


def _keep_mode(part: Path, before: os.stat_result | None) -> None:
    if before is None:
        mask = os.umask(0)
        os.umask(mask)
        part.chmod(0o666 & ~mask)
        return
    part.chmod(stat.S_IMODE(before.st_mode))
    if hasattr(os, "chown"):
        with contextlib.suppress(OSError):  # only root may give a file away; the content is what counts
            os.chown(part, before.st_uid, before.st_gid)


def _check(named: Path, part: Path, document: Document) -> None:
    """Read the new file back before it may take the old one's place."""
    try:
        again, _ = reading.read(snapshot.take(part), mend=False)
    except ProjectFileError as error:
        raise SaveFailed(named, f"the new file could not be read back ({error.message})") from None
    if again != document or any(
        plan_encoded(a.plan) != plan_encoded(b.plan) for a, b in zip(again.scenarios, document.scenarios, strict=True)
    ):  # equality alone would not see which fields somebody set
        raise SaveFailed(named, "the new file does not hold what was to be saved; the old one has been left as it is.")


def _sync(part: Path) -> None:
    handle = os.open(part, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _sync_folder(folder: Path) -> None:
    """Make the rename itself last through a power cut, where the system can."""
    if os.name == "nt":
        return
    with contextlib.suppress(OSError):  # some network folders cannot; the file is whole either way
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _sweep(target: Path) -> None:
    """Remove what a killed save left beside the file, once it is old enough not to be somebody's save in progress."""
    with contextlib.suppress(OSError):
        now = target.stat().st_mtime
        for left in target.parent.iterdir():
            ours = left.name.startswith(f".{target.name[:100]}.") and left.name.endswith(PART)
            if ours and now - left.stat().st_mtime > _STALE_S:
                left.unlink()


def _why_not(error: OSError | sqlite3.Error) -> str:
    code = getattr(error, "errno", None)
    text = str(error)
    if code in (errno.ENOSPC, errno.EDQUOT) or "disk is full" in text:
        return "the disk is full; the file is as it was. Make room, or save elsewhere."
    if code in (errno.EACCES, errno.EPERM):
        return "you are not allowed to write here; the file is as it was. Save elsewhere."
    if code == errno.EROFS or "readonly" in text:
        return "the disk is read-only; the file is as it was. Save elsewhere."
    reason = getattr(error, "strerror", None) or text
    return f"it could not be saved ({reason}); the file is as it was."
