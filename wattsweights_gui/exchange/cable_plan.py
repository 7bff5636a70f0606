"""Reads a cable plan: a CSV of ``a_device, a_port, b_device, b_port, speed_gbit_s``, one cable a row."""

from __future__ import annotations

import csv
import io

from wattsweights_gui.layout.as_built import BuiltCable, speed_words

COLUMNS = ("a_device", "a_port", "b_device", "b_port")


class NotReadError(ValueError):
    """The text is no cable plan; the message says what is wrong and where."""


def looks_like(text: str) -> bool:
    """Return whether a text starts as a cable plan does."""
    return set(COLUMNS) <= {name.strip().casefold() for name in text.splitlines()[0].split(",")} if text else False


def read(text: str) -> tuple[BuiltCable, ...]:
    """Return the cables of a plan.

    Raises:
        NotReadError: a column is missing, or a row cannot be read.
    """
    rows = csv.DictReader(io.StringIO(text.lstrip("\ufeff")))
    heads = [name.strip().casefold() for name in rows.fieldnames or ()]
    missing = [name for name in COLUMNS if name not in heads]
    if missing:
        raise NotReadError(f"A cable plan has the columns {', '.join(COLUMNS)}: {', '.join(missing)} is missing.")
    rows.fieldnames = heads
    found = []
    for number, row in enumerate(rows, 2):
        ends = [(row.get(name) or "").strip() for name in COLUMNS]
        if not all(ends):
            raise NotReadError(f"Row {number} of the cable plan has an empty device or port.")
        rate = (row.get("speed_gbit_s") or "").strip()
        try:
            gbit = float(rate) if rate else None
        except ValueError:
            raise NotReadError(f"Row {number} of the cable plan: “{rate}” is no speed in Gb/s.") from None
        found.append(
            BuiltCable((ends[0], ends[1]), (ends[2], ends[3]), gbit, speed_words(gbit) if gbit is not None else "")
        )
    return tuple(found)
