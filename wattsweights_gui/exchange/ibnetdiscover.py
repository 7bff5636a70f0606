"""Reads what ``ibnetdiscover`` and ``ibnetdiscover -p`` print: the InfiniBand fabric as it is cabled."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wattsweights_gui.layout.as_built import LANE_GBIT_S, BuiltCable, End

AGENT = "Aggregation Node"
"""The in-network reduction agent behind one more port of a switch: no cable."""
_BLOCK = re.compile(r'^(Switch|Ca|Rt)\s+\d+\s+"([SHR])-([0-9a-fA-F]+)"\s*#\s*"([^"]*)"')
_PORT = re.compile(
    r'^\[(\d+)\](?:\[ext \d+\])?(?:\(([0-9a-fA-F]+)\))?\s+"([SHR])-([0-9a-fA-F]+)"\[(\d+)\](?:\[ext \d+\])?(.*)$'
)
_RATE = re.compile(r"\b(\d+)x\s?([A-Z]+(?:10)?)\b")
_LINE = re.compile(
    r"^(SW|CA|RT)\s+\d+\s+(\d+)\s+0x([0-9a-fA-F]+)\s+(\S+\s\S+)\s+-\s+(SW|CA|RT)\s+\d+\s+(\d+)\s+0x([0-9a-fA-F]+)"
    r"\s+\(\s*'([^']*)'\s+-\s+'([^']*)'\s*\)\s*$"
)
_IDLE = re.compile(r"^(SW|CA|RT)\s+\d+\s+\d+\s+0x[0-9a-fA-F]+\s+\S+\s\S+\s+'[^']*'\s*$")
_ADAPTER = re.compile(r"^(.*\S)\s+((?:mlx|bnxt|irdma|hfi)\w*)$")


class NotReadError(ValueError):
    """The text is no output of ``ibnetdiscover``; the message says what is wrong and where."""


def looks_like(text: str) -> bool:
    """Return whether a text is one of the two forms."""
    head = text[:4000]
    return bool(
        re.search(r"^(Switch|Ca)\t", head, re.MULTILINE) or re.search(r"^(SW|CA)\s+\d+\s+\d+ 0x", head, re.MULTILINE)
    )


def read(text: str) -> tuple[BuiltCable, ...]:
    """Return the cables, each once, in the order in which they are printed.

    Raises:
        NotReadError: no cable can be read, or a line cannot.
    """
    found = list(_flat(text) if re.search(r"^(SW|CA|RT)\s+\d+\s+\d+\s+0x", text, re.MULTILINE) else _blocks(text))
    if not found:
        raise NotReadError("There is no cable in it: it should be what ibnetdiscover or ibnetdiscover -p prints.")
    seen: dict[frozenset[End], BuiltCable] = {}
    for cable in found:
        seen.setdefault(cable.ends, cable)
    return tuple(seen.values())


def rate_of(words: str) -> tuple[float | None, str]:
    """Return Gb/s and the name of a rate such as ``4xNDR``."""
    match = _RATE.search(words)
    if match is None or match[2] not in LANE_GBIT_S:
        return None, ""
    return int(match[1]) * LANE_GBIT_S[match[2]], f"{match[1]}x{match[2]}"


def _switch_name(description: str, guid: str) -> str:
    """Return a switch's own name from a description such as ``MF0;leaf-1:MQM9700/U1``."""
    name = description.partition(";")[2] or description
    return name.partition(":")[0].strip() or f"switch {guid}"


def _end(kind: str, description: str, guid: str, port: str) -> End:
    if kind in ("S", "SW"):
        return _switch_name(description, guid), port
    match = _ADAPTER.match(description.strip())
    if match is None:
        return description.strip() or f"adapter {guid}", port
    return match[1], match[2] if port == "1" else f"{match[2]} port {port}"


def _blocks(text: str) -> Iterator[BuiltCable]:
    names = {m[3].lower(): (m[2], m[4]) for line in text.splitlines() if (m := _BLOCK.match(line.strip()))}
    here: tuple[str, str, str] | None = None
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if block := _BLOCK.match(line):
            here = (block[2], block[4], block[3].lower())
            continue
        if not line.startswith("["):
            if not line:
                here = None
            continue
        port = _PORT.match(line)
        if port is None or here is None:
            raise NotReadError(f"Line {number} cannot be read: “{line[:80]}”.")
        kind, guid = port[3], port[4].lower()
        description = names.get(guid, (kind, _quoted(port[6])))[1]
        if AGENT in description or AGENT in here[1]:
            continue
        gbit, words = rate_of(port[6])
        yield BuiltCable(_end(here[0], here[1], here[2], port[1]), _end(kind, description, guid, port[5]), gbit, words)


def _quoted(rest: str) -> str:
    match = re.search(r'"([^"]*)"', rest)
    return match[1] if match else ""


def _flat(text: str) -> Iterator[BuiltCable]:
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("#") or _IDLE.match(line):
            continue
        match = _LINE.match(line)
        if match is None:
            raise NotReadError(f"Line {number} cannot be read: “{line[:80]}”.")
        if AGENT in match[8] or AGENT in match[9]:
            continue
        gbit, words = rate_of(match[4])
        yield BuiltCable(
            _end(match[1], match[8], match[3], match[2]), _end(match[5], match[9], match[7], match[6]), gbit, words
        )
