"""What goes to standard output: text for people, or exactly one JSON document."""

from __future__ import annotations

import contextlib
import json
import math
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from wattsweights_gui.cli.failures import WrongRequest
from wattsweights_gui.project.errors import ProjectFileError
from wattsweights_gui.project.guard import refuse_to_replace

JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
UNITS = click.option(
    "--units", type=click.Choice(["si", "us"]), default="si", show_default=True, help="Units that are shown."
)


def say(text: str = "") -> None:
    """Print a line for people; what their terminal has no sign for is replaced."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        plain = text.replace("\u2009", " ").replace("–", "-").replace("“", '"').replace("”", '"')
        text = plain.encode(encoding, "replace").decode(encoding)
    click.echo(text)


def note(text: str) -> None:
    """Print a line on standard error."""
    click.echo(" ".join(text.split(None)), err=True)


def say_json(data: Any) -> None:
    """Print one JSON document, in UTF-8 whatever the terminal; what is not finite is null."""
    click.echo(json.dumps(_finite(data), indent=2, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace"))


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {str(key): _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    if isinstance(data, float) and not math.isfinite(data):
        return None
    if data is None or isinstance(data, str | bool | int | float):
        return data
    if hasattr(data, "model_dump"):
        return _finite(data.model_dump(mode="json"))
    item = getattr(data, "item", None)
    return _finite(item()) if item is not None else str(data)


@contextlib.contextmanager
def working() -> Iterator[None]:
    """Send whatever a library prints while it works to standard error: standard output is for the answer."""
    with contextlib.redirect_stdout(sys.stderr):
        yield


def table(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """Return rows of text in columns; those listed in ``right`` stand right-aligned."""
    if not rows:
        return []
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    return [
        "  ".join(
            cell.rjust(width) if n in right else cell.ljust(width)
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def write_file(path: str, write: Callable[[Path], None]) -> None:
    """Let ``write`` make a file beside ``path`` and put it in its place once it is whole.

    Raises:
        WrongRequest: there is no such folder, or it is a folder.
        OSError: it cannot be written.
    """
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise WrongRequest(f"{path}: this is a folder; name a file.")
    if not target.parent.is_dir():
        raise WrongRequest(f"{path}: there is no folder {target.parent}.")
    try:
        refuse_to_replace(target)
    except ProjectFileError as error:
        raise WrongRequest(f"{path}: {error.message}") from None
    handle, name = tempfile.mkstemp(prefix=".", suffix=f".part{target.suffix}", dir=target.parent)
    os.close(handle)
    part = Path(name)
    try:
        write(part)
        mask = os.umask(0)
        os.umask(mask)
        part.chmod((target.stat().st_mode & 0o777) if target.exists() else 0o666 & ~mask)
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
