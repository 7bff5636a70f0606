"""Whatever fails while saving: a sentence, and the old file."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wattsweights_gui.project import store
from wattsweights_gui.project.document import Document
from wattsweights_gui.project.errors import SaveFailed
from wattsweights_gui.project.store import load, save

AT = "2026-01-02T03:04:05Z"


def _fails(error: BaseException) -> Callable[..., Any]:
    def fail(*_: Any, **__: Any) -> Any:
        raise error

    return fail


NO_SPACE = OSError(errno.ENOSPC, "No space left on device")
FAULTS = {
    "rename": ("os.replace", OSError(errno.EIO, "Input/output error"), "Input/output error"),
    "rename refused": ("os.replace", PermissionError(errno.EACCES, "Permission denied"), "not allowed"),
    "sync": ("os.fsync", NO_SPACE, "disk is full"),
    "new file": ("tempfile.mkstemp", OSError(errno.EROFS, "Read-only file system"), "read-only"),
    "pages": (
        "wattsweights_gui.project.store.write_database",
        sqlite3.OperationalError("database or disk is full"),
        "disk is full",
    ),
    "permissions": ("pathlib.Path.chmod", OSError(errno.EPERM, "Operation not permitted"), "not allowed"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_that_a_failed_save_leaves_the_old_file_and_nothing_else(
    fault: str, document: Document, saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, listed = saved.read_bytes(), sorted(os.listdir(saved.parent))
    where, error, says = FAULTS[fault]
    with monkeypatch.context() as patch:
        patch.setattr(where, _fails(error))
        with pytest.raises(SaveFailed, match=says) as failed:
            save(document.with_note("", "new"), saved, saved=AT)
    assert failed.value.path == saved
    assert saved.read_bytes() == before
    assert sorted(os.listdir(saved.parent)) == listed
    assert load(saved).document == document


def test_that_a_file_that_cannot_be_read_back_does_not_take_the_old_ones_place(
    document: Document, saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = store.write_database

    def torn(path: Path, *args: Any, **more: Any) -> None:
        real(path, *args, **more)
        data = bytearray(path.read_bytes())
        data[8192:12288] = bytes(4096)
        path.write_bytes(data)

    before = saved.read_bytes()
    monkeypatch.setattr(store, "write_database", torn)
    with pytest.raises(SaveFailed):
        save(document, saved, saved=AT)
    assert saved.read_bytes() == before


def test_that_a_file_without_all_that_was_to_be_saved_does_not_take_the_old_ones_place(
    document: Document, saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = store.write_database

    def forgets(path: Path, given: Document, **more: Any) -> None:
        real(path, Document.of(given.plan), **more)

    monkeypatch.setattr(store, "write_database", forgets)
    with pytest.raises(SaveFailed, match="does not hold"):
        save(document, saved, saved=AT)
    assert load(saved).document == document


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_that_a_read_only_file_is_not_replaced_behind_its_owners_back(document: Document, saved: Path) -> None:
    saved.chmod(0o444)
    with pytest.raises(SaveFailed, match="read-only"):
        save(document, saved, saved=AT)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may write everywhere")
def test_that_a_read_only_folder_is_said_so(document: Document, saved: Path) -> None:
    saved.parent.chmod(0o555)
    try:
        with pytest.raises(SaveFailed, match="not allowed"):
            save(document, saved, saved=AT)
    finally:
        saved.parent.chmod(0o755)


def test_that_a_text_that_no_file_can_hold_is_said_so(document: Document, saved: Path) -> None:
    with pytest.raises(SaveFailed, match="cannot be saved"):
        save(document.with_note("", "half a sign: \ud83c"), saved, saved=AT)
    assert load(saved).document == document
