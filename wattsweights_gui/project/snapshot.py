"""A project file read once, whole and bounded, and opened in memory as what it is: data from strangers.

The file itself is never opened by SQLite: no lock, no journal, no write-ahead log, no file beside it, and nothing that
changes on disk while it is read.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import stat
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from wattsweights_gui.project.errors import ProjectFileError

APPLICATION_ID = 0x57415454  # "WATT"
MAGIC = b"SQLite format 3\x00"
MAX_BYTES = 256 * 1024 * 1024
MAX_VALUE_BYTES = 8 * 1024 * 1024
MAX_SECONDS = 10.0
_HEADER_BYTES = 100
_READS = frozenset({"count", "length", "typeof", "quick_check", "table_xinfo", "user_version"})


@dataclass(frozen=True)
class FileToken:
    """What a file was like when it was read or written: to see whether somebody has changed it since."""

    size: int
    sha256: str


@dataclass(frozen=True)
class Snapshot:
    """The bytes of a file at one moment."""

    path: Path
    data: bytes
    token: FileToken

    @property
    def version(self) -> int:
        """The schema version that the file's header states."""
        return int.from_bytes(self.data[60:64], "big")


def token_of(path: Path) -> FileToken | None:
    """Return the token of a file as it is now; ``None`` where there is none.

    Raises:
        OSError: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size > MAX_BYTES:  # never one of ours: size alone tells it apart
                return FileToken(size, "")
            return FileToken(size, hashlib.file_digest(file, "sha256").hexdigest())
    except FileNotFoundError:
        return None


def take(path: Path) -> Snapshot:
    """Read a project file and check its header.

    Raises:
        ProjectFileError: it is missing, a folder, not readable, too large, empty, no project, or of a newer version.
    """
    data = _bytes(path)
    if not data:
        raise ProjectFileError(path, "the file is empty; it is no WattsWeights project.")
    if not data.startswith(MAGIC) or len(data) < _HEADER_BYTES:
        raise ProjectFileError(path, "this is no WattsWeights project: it is not a SQLite file.")
    found = int.from_bytes(data[68:72], "big")
    if found != APPLICATION_ID:
        raise ProjectFileError(path, "this is no WattsWeights project: it is a SQLite file of another program.")
    return Snapshot(path, data, FileToken(len(data), hashlib.sha256(data).hexdigest()))


def _bytes(path: Path) -> bytes:
    try:
        kind = path.stat()
        if stat.S_ISDIR(kind.st_mode):
            raise ProjectFileError(path, "this is a folder; name a project file (*.watts).")
        if not stat.S_ISREG(kind.st_mode):
            raise ProjectFileError(path, "this is no file on a disk; name a project file (*.watts).")
        if kind.st_size > MAX_BYTES:
            size = f"{kind.st_size / 1e6:,.0f} MB"
            raise ProjectFileError(
                path, f"the file has {size}; a WattsWeights project has at most {MAX_BYTES / 1e6:.0f} MB."
            )
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except ProjectFileError:
        raise
    except FileNotFoundError:
        raise ProjectFileError(path, "there is no such file.") from None
    except PermissionError:
        raise ProjectFileError(path, "you are not allowed to read this file.") from None
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        reason = getattr(error, "strerror", None) or str(error)
        raise ProjectFileError(path, f"the file cannot be read: {reason}.") from None
    if len(data) > MAX_BYTES:
        raise ProjectFileError(path, "the file grows while it is read; it is no WattsWeights project.")
    return data


def opened(snapshot: Snapshot) -> sqlite3.Connection:
    """Return a connection to a copy in memory, in which nothing but plain reading of tables is allowed.

    Raises:
        ProjectFileError: the pages are damaged.
    """
    data = bytearray(snapshot.data)
    if data[18] > 2 or data[19] > 2:
        raise _damaged(snapshot.path)
    data[18] = data[19] = 1  # a file left in WAL mode cannot be opened in memory; its log is not ours to replay
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        connection.deserialize(bytes(data))
        _guard(connection)
        # also walks every page: rows that cannot be read never come up later, one at a time
        if connection.execute("PRAGMA quick_check(1)").fetchall() != [("ok",)]:
            raise _damaged(snapshot.path)
    except (sqlite3.Error, OverflowError, MemoryError, UnicodeError):
        connection.close()
        raise _damaged(snapshot.path) from None
    except ProjectFileError:
        connection.close()
        raise
    return connection


def _damaged(path: Path) -> ProjectFileError:
    return ProjectFileError(path, "the file is damaged and has been left as it is; open a backup copy.")


def _guard(connection: sqlite3.Connection) -> None:
    for pragma in ("trusted_schema = OFF", "cell_size_check = ON", "query_only = ON", "temp_store = MEMORY"):
        connection.execute(f"PRAGMA {pragma}")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.setlimit(sqlite3.SQLITE_LIMIT_EXPR_DEPTH, 50)
    connection.set_authorizer(_authorizer())
    connection.set_progress_handler(_deadline(MAX_SECONDS), 10_000)


def _authorizer() -> Callable[..., int]:
    def allow(action: int, first: str | None, second: str | None, database: str | None, inner: str | None) -> int:
        if inner is not None:  # asked from inside a trigger or a view
            return sqlite3.SQLITE_DENY
        if action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ):
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_FUNCTION and second in _READS:
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_PRAGMA and first in _READS:
            return sqlite3.SQLITE_OK
        return sqlite3.SQLITE_DENY

    return allow


def _deadline(seconds: float) -> Callable[[], int]:
    end = time.monotonic() + seconds
    return lambda: int(time.monotonic() > end)
