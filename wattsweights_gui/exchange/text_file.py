"""A file whose text becomes the value of a field: hours of weather, keep-outs, notes."""

from __future__ import annotations

import codecs
from pathlib import Path

LARGEST_BYTES = 64_000_000


class NotText(ValueError):  # noqa: N818 - said of a file
    """A file that cannot be read as a text; the message says why."""


def text_of(path: str | Path, named: bool = False) -> str:
    """Return the text of a file, whatever usual program wrote it.

    Args:
        path: of the file.
        named: whether a first line ``# name of the file`` says where the text is from.

    Raises:
        NotText: there is none, or it holds no text.
    """
    file = Path(path)
    try:
        if file.stat().st_size > LARGEST_BYTES:
            raise NotText(f"{file.name} is larger than {LARGEST_BYTES // 1_000_000} MB; a year of hours has 2 MB.")
        raw = file.read_bytes()
    except OSError as error:
        raise NotText(f"{file} cannot be read: {error.strerror or error}.") from None
    text = _decoded(raw)
    if text is None:
        raise NotText(f"{file.name} holds no text; choose a table (CSV) or an EPW file, not a workbook or an archive.")
    return f"# {file.name}\n{text}" if named else text


def _decoded(raw: bytes) -> str | None:
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return raw.decode("utf-16", errors="replace")
    if b"\0" in raw:
        return None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", errors="replace")
