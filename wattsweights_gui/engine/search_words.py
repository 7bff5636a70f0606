"""Numbers of GPUs and layouts as people type them: ``256-4096:8``, ``tp=16, pp=8, recompute=full``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wattsweights_gui.engine.declare import Refused
from wattsweights_gui.engine.equations.layouts import WORDS
from wattsweights_gui.engine.search_answers import FIELDS, OBJECTIVES, OPEN, WORDED

STEP = 8
MOST_GPUS = 1_048_576
SHORT: Mapping[str, str] = {
    "micro": "micro_batch",
    "mbs": "micro_batch",
    "interleave": "vpp",
    "expert_tensor": "etp",
    "sp": "sequence_parallel",
    "gpu_type": "gpu",
}
"""What people write for a field, and its name."""
_EXAMPLE = "write 512, 256,512 or 256-4096:8"
_YES, _NO = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


def counts_of(typed: str) -> list[int]:
    """Return numbers of GPUs, fewest first, from a list of numbers and ranges ``from-to:step`` (of 8 without a step).

    A range that does not begin at a multiple of 8 is of the multiples of its step: 1-64 is 8, 16, … 64.

    Raises:
        Refused: a part that is neither.
    """
    found: set[int] = set()
    for part in (p.strip() for p in typed.replace(";", ",").split(",")):
        if part:
            found.update(_range_of(part))
    if not found:
        raise Refused("gpus", f"there is no number in “{typed}”; {_EXAMPLE}.")
    return sorted(found)


def _range_of(part: str) -> range:
    ends, colon, step = part.replace("–", "-").partition(":")
    first, dash, last = ends.partition("-")
    low = _whole(first, part)
    high = _whole(last, part) if dash else low
    if colon and not dash:
        raise Refused("gpus", f"“{part}” has a step but no end; {_EXAMPLE}.")
    if high < low:
        raise Refused("gpus", f"“{part}” ends before it begins; write {high}-{low}.")
    if not dash:
        return range(low, low + 1)
    each = _whole(step, part, "a step") if colon else STEP
    first_whole = low if low % STEP == 0 else -(-low // each) * each
    if first_whole > high:
        raise Refused("gpus", f"there is no multiple of {each} in “{part}”; {_EXAMPLE}.")
    return range(first_whole, high + 1, each)


def _whole(typed: str, part: str, what: str = "a number") -> int:
    digits = typed.strip().replace("\u2009", "")
    if not (digits.isascii() and digits.isdecimal()):
        raise Refused("gpus", f"“{part}” has “{typed}” for {what} of GPUs; {_EXAMPLE}.")
    number = int(digits[:12])
    if not 1 <= number <= MOST_GPUS:
        raise Refused("gpus", f"“{part}” has {digits} for {what} of GPUs; it is from 1 to {MOST_GPUS}.")
    return number


def price_of(typed: str) -> tuple[float | None, tuple[tuple[str, float], ...]]:
    """Return the price of a GPU hour for all, and those by catalogue id, from ``3.5`` or ``h100_sxm=3,b200=5.5``.

    Raises:
        Refused: no price.
    """
    every: float | None = None
    named: dict[str, float] = {}
    for part in (p.strip() for p in typed.replace(";", ",").split(",")):
        gpu, equals, price = (p.strip() for p in part.partition("="))
        try:
            value = float(price if equals else gpu)
        except ValueError:
            value = -1.0
        if not 0.0 <= value < float("inf") or (equals and not gpu):
            raise Refused("price", f"“{part}” is no price in USD; write 3.5 or h100_sxm=3,b200=5.5.")
        if equals:
            named[gpu] = value
        else:
            every = value
    return every, tuple(named.items())


def front_of(typed: str) -> tuple[str, str]:
    """Return two objectives from ``gpus,days``.

    Raises:
        Refused: there are not two of them.
    """
    names = tuple(name.strip().casefold() for name in typed.split(","))
    if len(names) != 2 or not all(name in OBJECTIVES for name in names):
        raise Refused("front", f"“{typed}” is not two of {', '.join(OBJECTIVES)}; write gpus,days.")
    return names[0], names[1]


def layout_of(typed: str) -> dict[str, Any]:
    """Return the fields of a layout by name from ``tp=16, pp=8``.

    Raises:
        Refused: no such field, or a value of another kind.
    """
    found: dict[str, Any] = {}
    for part in (p.strip() for p in typed.replace(";", ",").split(",")):
        if not part:
            continue
        name, equals, value = (p.strip() for p in part.partition("="))
        name = name.casefold().replace("-", "_").replace(" ", "_")
        name = SHORT.get(name, name)
        if not equals or not value:
            raise Refused(part, "write it as name=value, such as tp=16.")
        if name in found:
            raise Refused(name, "it is named twice.")
        found[name] = value_of(name, value)
    if not found:
        raise Refused("layout", "nothing is named; write it as tp=16, pp=8.")
    return found


def value_of(name: str, typed: str) -> Any:
    """Return what was typed for one field of a layout.

    Raises:
        Refused: no such field, or a value of another kind.
    """
    if name in WORDED:
        word = typed.casefold().replace("-", "_").replace(" ", "_")
        if word not in WORDS[name]:
            raise Refused(name, f"“{typed}” is none of {', '.join(WORDS[name])}.")
        return word
    if name == "sequence_parallel":
        if typed.casefold() not in (*_YES, *_NO):
            raise Refused(name, f"“{typed}” is neither yes nor no.")
        return typed.casefold() in _YES
    if name in ("gpu", "precision"):
        return typed
    if name not in (*FIELDS, *OPEN):
        names = (*FIELDS, *WORDED, "sequence_parallel", *OPEN, "gpu", "precision")
        raise Refused(name, f"no part of a layout; there is {', '.join(names)}.")
    if not (typed.isascii() and typed.isdecimal() and len(typed) < 10 and int(typed) >= 1):
        raise Refused(name, f"“{typed}” is no whole number of 1 or more.")
    return int(typed)


__all__ = ["MOST_GPUS", "STEP", "counts_of", "front_of", "layout_of", "price_of", "value_of"]
