"""Unsaved work, journalled while it is done, and offered at the next start.

One journal an open document, in the user's data folder: a header that names the file, then one line a state, each
synced to disk. The project file itself is never written here. A lock tells a journal whose program has died from one
that is in use.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from wattsweights_gui import __version__, paths
from wattsweights_gui.project import snapshot
from wattsweights_gui.project.document import Document, Note, Scenario, kept_row
from wattsweights_gui.project.errors import ProjectFileError
from wattsweights_gui.project.fabric_rows import fabric_device_rows, fabric_edits_of, fabric_link_rows
from wattsweights_gui.project.placed import device_rows, placements_of, rack_rows
from wattsweights_gui.project.plan_json import Reading, plan_decoded, plan_encoded
from wattsweights_gui.project.snapshot import FileToken

MAX_JOURNAL_BYTES = 16 * 1024 * 1024
_MAX_READ_BYTES = 4 * MAX_JOURNAL_BYTES
_SUFFIX = ".jsonl"


@dataclass(frozen=True)
class Recoverable:
    """Work that was not saved when its program ended.

    Attributes:
        journal: where it is kept.
        file: the project that was open; ``None`` where it had never been saved.
        token: of that file as it was opened or last saved; hand it to ``save`` as ``expected``.
        at: when the last change was made, as the program wrote it.
        changed_since: whether the project file is no longer the one that this work began from.
    """

    journal: Path
    file: Path | None
    token: FileToken | None
    at: str
    changed_since: bool


class Journal:
    """The journal of one open document. Use :meth:`start`; end with :meth:`close`.

    A journal must never stop anybody from working: where it cannot be written, ``broken`` says why and it stays quiet.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.broken = ""
        self._file: BinaryIO | None = None
        self._lock: BinaryIO | None = None
        self._header: dict[str, Any] = {}

    @classmethod
    def start(cls, file: str | Path | None, token: FileToken | None) -> Journal:
        """Begin the journal of a document that has just been made, opened or recovered."""
        journal = cls(_folder() / f"{secrets.token_hex(8)}{_SUFFIX}")
        try:
            journal.path.parent.mkdir(parents=True, exist_ok=True)
            journal._lock = _locked(_lock_path(journal.path))
        except OSError as error:
            journal.broken = str(error)
        journal.saved(file, token)
        return journal

    def record(self, document: Document, at: str) -> None:
        """Add the document as it is now; it is on disk when this returns.

        Args:
            document: with its unsaved changes.
            at: when, as it is to be read by people (ISO 8601).
        """
        state = {"at": at, "document": _encoded(document)}
        line = json.dumps(state, separators=(",", ":")).encode() + b"\n"
        if self._file is not None and self._file.tell() + len(line) <= MAX_JOURNAL_BYTES:
            self._append(line)
        else:
            self._rewrite(line)

    def saved(self, file: str | Path | None, token: FileToken | None) -> None:
        """Note that the file now holds everything: nothing is left to recover."""
        self._header = {
            "program_version": __version__,
            "file": os.path.abspath(file) if file is not None else None,
            "token": [token.size, token.sha256] if token is not None else None,
        }
        self._rewrite(b"")

    def close(self) -> None:
        """End the journal: the document was saved, or its changes were given up on purpose."""
        if self._file is not None:
            self._file.close()
            self._file = None
        _remove(self.path)
        if self._lock is not None:
            self._lock.close()
            self._lock = None
        _remove(_lock_path(self.path))

    def _append(self, line: bytes) -> None:
        assert self._file is not None
        try:
            self._file.write(line)
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            self.broken = str(error)

    def _rewrite(self, line: bytes) -> None:
        """Replace the journal by its header and one state: what keeps it small."""
        part = self.path.with_suffix(".part")
        try:
            with part.open("wb") as file:
                file.write(json.dumps(self._header).encode() + b"\n" + line)
                file.flush()
                os.fsync(file.fileno())
            if self._file is not None:
                self._file.close()
                self._file = None
            os.replace(part, self.path)
            self._file = self.path.open("ab")
            self.broken = ""
        except OSError as error:
            self.broken = str(error)
            _remove(part)


def list_recoverable() -> tuple[Recoverable, ...]:
    """Return unsaved work of programs that no longer run, newest first; journals with nothing in them are removed."""
    found: list[tuple[float, Recoverable]] = []
    for path in sorted(_folder().glob(f"*{_SUFFIX}")):
        with _unowned(path) as free:
            if not free:
                continue
            try:
                header, state = _last(path)
                offered = _recoverable(path, header, state)
                found.append((path.stat().st_mtime, offered))
            except _NothingThereError:
                _remove(path)
            except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
                continue  # not readable as a journal: left for a person to look at
    return tuple(r for _, r in sorted(found, key=lambda pair: -pair[0]))


def load(recoverable: Recoverable) -> tuple[Document, tuple[str, ...]]:
    """Return the document as it was last journalled, and remarks; the journal stays until it is discarded.

    Raises:
        ProjectFileError: the journal cannot be read.
    """
    try:
        _, state = _last(recoverable.journal)
        return _decoded(state["document"])
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise ProjectFileError(recoverable.journal, "the unsaved work in this journal cannot be read.") from None


def discard(recoverable: Recoverable) -> None:
    """Remove a journal: its work has been opened and saved, or is not wanted."""
    _remove(recoverable.journal)
    _remove(_lock_path(recoverable.journal))


class _NothingThereError(ValueError):
    """A journal without a state: everything had been saved."""


def _last(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the header and the last whole state; a line torn by a power cut is passed over."""
    if path.stat().st_size > _MAX_READ_BYTES:
        raise ValueError("too large for a journal")
    head, *lines = path.read_bytes().split(b"\n")
    header = json.loads(head)
    for line in reversed([x for x in lines if x]):
        with contextlib.suppress(ValueError, RecursionError):
            state = json.loads(line)
            if isinstance(state, dict) and "document" in state:
                return header, state
    if any(lines):
        raise ValueError("no whole state")
    raise _NothingThereError


def _recoverable(path: Path, header: dict[str, Any], state: dict[str, Any]) -> Recoverable:
    file = Path(header["file"]) if header.get("file") else None
    token = FileToken(int(header["token"][0]), str(header["token"][1])) if header.get("token") else None
    changed = False
    if file is not None:
        try:
            changed = snapshot.token_of(file) != token
        except OSError:
            changed = True
    return Recoverable(path, file, token, str(state.get("at", "")), changed)


def _encoded(document: Document) -> dict[str, Any]:
    return {
        "scenarios": [
            {"name": s.name, "layers": plan_encoded(s.plan), **_placed(s, n)}
            for n, s in enumerate(document.scenarios, 1)
        ],
        "notes": [[n.subject, n.text] for n in document.notes],
        "kept": [[row.table, row.as_dict()] for row in document.kept],
    }


def _placed(scenario: Scenario, number: int) -> dict[str, Any]:
    """Return what is placed, its columns named once: a hall has tens of thousands of rows."""
    rows = {
        "racks": list(rack_rows(scenario.placements, number)),
        "devices": list(device_rows(scenario.placements, number)),
        "fabric devices": list(fabric_device_rows(scenario.fabric, number)),
        "fabric links": list(fabric_link_rows(scenario.fabric, number)),
    }
    return {
        table: {"columns": list(listed[0]), "rows": [list(row.values()) for row in listed]}
        for table, listed in rows.items()
        if listed
    }


def _listed(scenario: dict[str, Any], table: str) -> list[dict[str, Any]]:
    about = scenario.get(table) or {"columns": [], "rows": []}
    return [dict(zip(about["columns"], row, strict=True)) for row in about["rows"]]


def _decoded(data: dict[str, Any]) -> tuple[Document, tuple[str, ...]]:
    reading = Reading()
    scenarios = []
    for number, s in enumerate(data["scenarios"], 1):
        plan = plan_decoded({name: (about["inputs"], about["set"]) for name, about in s["layers"].items()}, reading)
        placements, refused = placements_of(_listed(s, "racks"), _listed(s, "devices"), number)
        fabric, not_used = fabric_edits_of(_listed(s, "fabric devices"), _listed(s, "fabric links"))
        reading.set_aside += [(row.subject, row.raw, row.reason) for row in (*refused, *not_used)]
        scenarios.append(Scenario(str(s["name"]), plan, placements, fabric))
    notes = [Note(str(subject), str(text)) for subject, text in data["notes"]]
    notes += [
        Note(path, f"Set aside when recovered: {json.dumps(raw)} ({why})") for path, raw, why in reading.set_aside
    ]
    remarks = [f"{path} cannot be used: {why}" for path, _, why in reading.set_aside]
    kept = tuple(kept_row(str(table), values) for table, values in data["kept"])
    return Document(tuple(scenarios), tuple(notes), kept), (*reading.remarks, *remarks)


# ------------------------------------------------------------------------------------------------------------- locks


def _folder() -> Path:
    return paths.user_data() / "recovery"


def _lock_path(journal: Path) -> Path:
    return journal.with_suffix(".lock")


def _locked(path: Path) -> BinaryIO:
    """Return an open file that no other program can lock while ours lives; the system frees it when we are killed.

    Raises:
        OSError: somebody else holds it.
    """
    file = path.open("a+b")
    try:
        if os.name == "nt":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
        else:
            import fcntl

            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise
    return file


@contextlib.contextmanager
def _unowned(journal: Path) -> Iterator[bool]:
    """Say whether the program that wrote a journal has gone."""
    lock = _lock_path(journal)
    if not lock.exists():
        yield True
        return
    try:
        file = _locked(lock)
    except OSError:
        yield False
        return
    try:
        yield True
    finally:
        file.close()
        if not journal.exists():
            _remove(lock)


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)
