"""What can be imported and exported. A format is one file here and one line in a table below."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.plan import Edit
from wattsweights_gui.exchange import figures

MAX_BYTES = 16 * 1024 * 1024


class NotImportable(ValueError):  # noqa: N818 - said of a file
    """A source that none of the importers can read, in one sentence."""


@dataclass(frozen=True)
class Imported:
    """What a source says, as edits of a plan.

    Attributes:
        format: key in :data:`IMPORTERS`.
        title: what was found, in words.
        edits: to be applied in order, all or none.
        remarks: sentences for the user on what the source does not say.
    """

    format: str
    title: str
    edits: tuple[Edit, ...]
    remarks: tuple[str, ...] = ()


def imported(source: str | Path) -> Imported:
    """Read a source and recognise its format.

    Args:
        source: a Hugging Face ``config.json``, or the folder of a model that holds one.

    Raises:
        NotImportable: it cannot be read, or nobody knows its format.
    """
    path = Path(source)
    data = _json(path)
    for name, read in IMPORTERS.items():
        found = read(path, data)
        if found is not None:
            title, edits, remarks = found
            return Imported(name, title, edits, remarks)
    raise NotImportable(f"{path}: this is none of the formats that can be imported: a Hugging Face config.json.")


def _json(path: Path) -> Any:
    try:
        if path.is_dir():
            path = path / "config.json"
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):
            raise NotImportable(f"{path}: this is no file; name a config.json.")
        if about.st_size > MAX_BYTES:
            raise NotImportable(f"{path}: the file is larger than any config.json ({about.st_size:,} bytes).")
        return json.loads(path.read_bytes().decode("utf-8-sig"))
    except NotImportable:
        raise
    except FileNotFoundError:
        raise NotImportable(f"{path}: there is no such file.") from None
    except OSError as error:
        raise NotImportable(f"{path}: the file cannot be read: {error.strerror or error}.") from None
    except json.JSONDecodeError as error:
        raise NotImportable(f"{path}: this is no JSON (line {error.lineno}: {error.msg}).") from None
    except (ValueError, RecursionError):
        raise NotImportable(f"{path}: this is no JSON that can be read.") from None


def _hugging_face(path: Path, data: Any) -> tuple[str, tuple[Edit, ...], tuple[str, ...]] | None:
    from wattsweights_gui.exchange import hf_config

    if not isinstance(data, Mapping):
        return None
    try:
        shape, remarks = hf_config.shape_from_config(data)
        edits = tuple(hf_config.edits_from_config(data))
    except (ValueError, OverflowError) as error:
        raise NotImportable(f"{path}: {error}") from None
    return f"the shape of {shape.name or path.stem}", edits, tuple(remarks)


# format -> reader: (path, parsed JSON) to title, edits and remarks; None where it is not of this format
IMPORTERS: dict[str, Callable[[Path, Any], tuple[str, tuple[Edit, ...], tuple[str, ...]] | None]] = {
    "hf-config": _hugging_face,
}
# format -> writer of an evaluation
EXPORTERS: dict[str, Callable[[Evaluation], bytes]] = {"csv": figures.to_csv, "json": figures.to_json}
