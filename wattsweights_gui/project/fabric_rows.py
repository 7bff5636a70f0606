"""Edits of a fabric as rows of the project file and of the journal, and back, checked one by one.

A device is a row of ``devices`` in no rack, a link a row of ``links``; ``fabric`` in their data says what was done.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from wattsweights_gui.layout.fabric_edits import (
    CHANGES,
    NO_EDITS,
    ROLES,
    DeviceEdit,
    FabricEdits,
    LinkKey,
    Point,
    key_of,
)
from wattsweights_gui.project.placed import Row, UnusableRowError

MARK = "fabric"
_MOST_PORTS = 4096
_SHEET = "empty sheet"
_KNOWN = frozenset({"change", "role", "ports", "gbit_s", "ethernet", "at", "group"})
_LINK_CHANGES = {"added": True, "removed": False}


def is_fabric_row(row: Row) -> bool:
    """Return whether a row is an edit of the fabric."""
    if row.get("rack") is not None or not isinstance(row["data"], str) or f'"{MARK}"' not in row["data"]:
        return False
    try:
        data = json.loads(row["data"])
    except ValueError:
        return False
    return isinstance(data, dict) and MARK in data


def fabric_device_rows(edits: FabricEdits, scenario: int) -> Iterator[Row]:
    """Yield the rows of the devices."""
    if not edits.from_plan:
        yield _device_row(scenario, _SHEET, "", {"from_plan": False})
    for name, edit in edits.devices.items():
        about: Row = {**dict(edit.extra), "change": edit.change}
        about |= {k: getattr(edit, k) for k in ("role", "ports", "gbit_s", "group") if getattr(edit, k)}
        about |= {"ethernet": edit.ethernet} if edit.ethernet is not None else {}
        about |= {"at": list(edit.at)} if edit.at is not None else {}
        yield _device_row(scenario, name, edit.entry, about)


def _device_row(scenario: int, name: str, entry: str, about: Row) -> Row:
    return {
        "id": f"{scenario}.{MARK}.{name}",
        "scenario": scenario,
        "rack": None,
        "name": name,
        "entry": entry or None,
        "bottom_u": None,
        "face": None,
        "data": json.dumps({MARK: about}, ensure_ascii=False, allow_nan=False),
    }


def fabric_link_rows(edits: FabricEdits, scenario: int) -> Iterator[Row]:
    """Yield the rows of the links; ports are counted from 1."""
    for number, ((a, a_port, b, b_port), added) in enumerate(edits.links.items(), 1):
        yield {
            "id": f"{scenario}.{MARK}.{number}",
            "scenario": scenario,
            "from_device": a,
            "from_port": str(a_port + 1),
            "to_device": b,
            "to_port": str(b_port + 1),
            "medium": None,
            "length_m": None,
            "data": json.dumps({MARK: "added" if added else "removed"}),
        }


def fabric_edits_of(devices: Iterable[Row], links: Iterable[Row]) -> tuple[FabricEdits, list[UnusableRowError]]:
    """Return what the rows of one scenario say was done, and the rows that cannot be, which are left out."""
    refused: list[UnusableRowError] = []
    from_plan = True
    made: dict[str, DeviceEdit] = {}
    for row in devices:
        try:
            about = _about(row)
            if about.get("from_plan") is False:
                from_plan = False
                continue
            name = _name(row["name"], f"{MARK}.devices")
            if name in made:
                raise UnusableRowError(f"{MARK}.{name}", name, "another device of the fabric has the same name.")
            made[name] = _device(name, row, about)
        except UnusableRowError as error:
            refused.append(error)
    drawn: dict[LinkKey, bool] = {}
    for row in links:
        try:
            key, added = _link(row)
            drawn[key] = added
        except UnusableRowError as error:
            refused.append(error)
    if from_plan and not made and not drawn:
        return NO_EDITS, refused
    return FabricEdits(from_plan, made, drawn), refused


def _about(row: Row) -> Mapping[str, Any]:
    about = json.loads(row["data"])[MARK]
    if not isinstance(about, dict):
        raise UnusableRowError(f"{MARK}.{row['name']}", about, "its edit is not listed by name.")
    return about


def _device(name: str, row: Row, about: Mapping[str, Any]) -> DeviceEdit:
    subject = f"{MARK}.{name}"
    change = about.get("change")
    if change not in CHANGES:
        raise UnusableRowError(subject, change, f"it is none of {', '.join(CHANGES)}.")
    role, entry = about.get("role", ""), row["entry"] or ""
    if change == "added" and role not in ROLES:
        raise UnusableRowError(f"{subject}.role", role, f"it is none of {', '.join(ROLES)}.")
    ports = about.get("ports", 0)
    if not isinstance(ports, int) or isinstance(ports, bool) or not 0 <= ports < _MOST_PORTS:
        raise UnusableRowError(f"{subject}.ports", ports, f"it is no whole number below {_MOST_PORTS}.")
    rate = _number(about.get("gbit_s", 0.0), f"{subject}.gbit_s")
    ethernet, group = about.get("ethernet"), about.get("group", "")
    if ethernet is not None and not isinstance(ethernet, bool):
        raise UnusableRowError(f"{subject}.ethernet", ethernet, "it is neither true nor false.")
    if not isinstance(group, str) or not isinstance(entry, str) or not isinstance(role, str) or len(group) > 1000:
        raise UnusableRowError(subject, group, "it is no name.")
    extra = tuple((k, v) for k, v in about.items() if k not in _KNOWN)
    return DeviceEdit(change, role, entry, ports, rate, ethernet, _point(about.get("at"), subject), group, extra)


def _point(raw: Any, subject: str) -> Point | None:
    if raw is None:
        return None
    if not isinstance(raw, list) or len(raw) != 2:
        raise UnusableRowError(f"{subject}.at", raw, "it is no place of two numbers.")
    return _number(raw[0], f"{subject}.at"), _number(raw[1], f"{subject}.at")


def _number(raw: Any, subject: str) -> float:
    if not isinstance(raw, int | float) or isinstance(raw, bool) or not math.isfinite(raw) or abs(raw) > 1e9:
        raise UnusableRowError(subject, raw, "it is no number.")
    return float(raw)


def _name(raw: Any, subject: str) -> str:
    if not isinstance(raw, str) or not raw.strip() or len(raw) > 1000:
        raise UnusableRowError(subject, raw, "it is no name.")
    return raw


def _link(row: Row) -> tuple[LinkKey, bool]:
    subject = f"{MARK}.links"
    change = json.loads(row["data"])[MARK]
    if not isinstance(change, str) or change not in _LINK_CHANGES:
        raise UnusableRowError(subject, change, f"it is none of {', '.join(_LINK_CHANGES)}.")
    a, b = ((_name(row[f"{end}_device"], subject), _port(row[f"{end}_port"], subject)) for end in ("from", "to"))
    return key_of(a, b), _LINK_CHANGES[change]


def _port(raw: Any, subject: str) -> int:
    words = str(raw)
    if not words.isascii() or not words.isdigit() or len(words) > 4 or not 1 <= int(words) <= _MOST_PORTS:
        raise UnusableRowError(f"{subject}.port", raw, f"it is no port from 1 to {_MOST_PORTS}.")
    return int(words) - 1
