"""Names of hosts as Slurm lists them: ``node-[001-032,040]``, written from names and read back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_END = re.compile(r"^(.*?)(\d+)$")
_TOO_MANY = 2_000_000


def compressed(names: Iterable[str]) -> str:
    """Return names as ranges: those of one prefix and width of digits share brackets, in the order of first sight."""
    groups: dict[tuple[str, int], list[int]] = {}
    alone: dict[tuple[str, int], str] = {}
    for name in names:
        match = _END.match(name)
        if match is None:
            alone[(name, 0)] = name
            groups.setdefault((name, 0), [])
        else:
            groups.setdefault((match[1], len(match[2])), []).append(int(match[2]))
    found = []
    for (prefix, width), numbers in groups.items():
        if (prefix, width) in alone:
            found.append(prefix)
            continue
        ranges = [
            f"{a:0{width}d}" if a == b else f"{a:0{width}d}-{b:0{width}d}" for a, b in _runs(sorted(set(numbers)))
        ]
        inside = ",".join(ranges)
        found.append(f"{prefix}{inside}" if len(ranges) == 1 and "-" not in inside else f"{prefix}[{inside}]")
    return ",".join(found)


def _runs(numbers: list[int]) -> Iterator[tuple[int, int]]:
    start = end = None
    for number in numbers:
        if start is None or end is None:
            start = end = number
        elif number == end + 1:
            end = number
        else:
            yield start, end
            start = end = number
    if start is not None and end is not None:
        yield start, end


def expanded(text: str) -> tuple[str, ...]:
    """Return the names that a list stands for.

    Raises:
        ValueError: brackets that do not close, or a range that runs backwards.
    """
    found: list[str] = []
    for part in _parts(text):
        match = re.fullmatch(r"([^\[\]]*)\[([^\[\]]*)\]([^\[\]]*)", part)
        if match is None:
            if "[" in part or "]" in part:
                raise ValueError(f"“{part}” is no list of hosts: its brackets do not pair.")
            if part:
                found.append(part)
            continue
        for piece in match[2].split(","):
            first, _, last = piece.strip().partition("-")
            last = last or first
            if not first.isdigit() or not last.isdigit() or int(last) < int(first):
                raise ValueError(f"“{part}” is no list of hosts: “{piece}” is no range of numbers.")
            if len(found) + int(last) - int(first) > _TOO_MANY:
                raise ValueError(f"“{part}” lists more hosts than any cluster has.")
            found += [f"{match[1]}{n:0{len(first)}d}{match[3]}" for n in range(int(first), int(last) + 1)]
    return tuple(found)


def _parts(text: str) -> Iterator[str]:
    depth, start = 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "[") - (letter == "]")
        if letter == "," and depth == 0:
            yield text[start:at].strip()
            start = at + 1
    yield text[start:].strip()
