"""Racks and devices as rows of the project file and as lists of the journal, and back, checked one by one."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from wattsweights_gui.layout.placements import MAX_HEIGHT_U, Device, Extra, Face, Half, Placements, Rack

Row = dict[str, Any]
_RACK_DATA = frozenset({"width_mm", "depth_mm", "role", "locked", "by_hand", "left_empty"})
_DEVICE_DATA = frozenset({"height_u", "half", "full_depth", "role", "locked", "by_hand"})


class UnusableRowError(ValueError):
    """A row that cannot be: its subject, what stands there, and why."""

    def __init__(self, subject: str, raw: Any, reason: str) -> None:
        super().__init__(reason)
        self.subject, self.raw, self.reason = subject, raw, reason


def rack_rows(placements: Placements, scenario: int) -> Iterator[Row]:
    """Yield the rows of the racks, in their order; ids are told apart by the scenario's number."""
    for rack in placements.racks:
        data: Row = {**dict(rack.extra), "width_mm": rack.width_mm, "depth_mm": rack.depth_mm}
        data |= {name: getattr(rack, name) for name in ("role", "locked") if getattr(rack, name)}
        data |= {} if rack.by_hand else {"by_hand": False}
        data |= {"left_empty": f"{rack.left_empty:x}"} if rack.left_empty else {}
        yield {
            "id": f"{scenario}.{rack.id}",
            "scenario": scenario,
            "name": rack.name,
            "height_u": rack.height_u,
            "x_mm": rack.x_mm,
            "y_mm": rack.y_mm,
            "turned_deg": rack.turned_deg,
            "data": json.dumps(data, ensure_ascii=False, allow_nan=False),
        }


def device_rows(placements: Placements, scenario: int) -> Iterator[Row]:
    """Yield the rows of the devices, rack by rack."""
    for rack, inside in placements.devices.items():
        for device in inside:
            data: Row = {**dict(device.extra), "height_u": device.height_u}
            data |= {name: getattr(device, name) for name in ("half", "role", "locked") if getattr(device, name)}
            data |= {name: False for name in ("full_depth", "by_hand") if not getattr(device, name)}
            yield {
                "id": f"{scenario}.{device.id}",
                "scenario": scenario,
                "rack": f"{scenario}.{rack}",
                "name": device.name,
                "entry": device.entry,
                "bottom_u": device.bottom_u,
                "face": device.face,
                "data": json.dumps(data, ensure_ascii=False, allow_nan=False),
            }


def placements_of(
    racks: Iterable[Row], devices: Iterable[Row], scenario: Any
) -> tuple[Placements, list[UnusableRowError]]:
    """Return what the rows of one scenario say is placed, and the rows that cannot be, which are left out."""
    refused: list[UnusableRowError] = []
    made: dict[str, Rack] = {}
    for row in racks:
        try:
            rack = _rack(row, scenario)
            if rack.id in made:
                raise UnusableRowError(f"racks.{rack.id}", rack.name, "another rack has the same id.")
            made[rack.id] = rack
        except UnusableRowError as error:
            refused.append(error)
    inside: dict[str, list[Device]] = {id: [] for id in made}
    seen: set[str] = set()
    for row in devices:
        try:
            device, where = _device(row, scenario), _id(row["rack"], scenario)
            if device.id in seen:
                raise UnusableRowError(f"devices.{device.id}", device.name, "another device has the same id.")
            if where not in inside:
                raise UnusableRowError(f"devices.{device.id}", device.name, f"its rack {where} is not in the file.")
            seen.add(device.id)
            inside[where].append(device)
        except UnusableRowError as error:
            refused.append(error)
    return Placements.of(made.values(), inside), refused


def _rack(row: Row, scenario: Any) -> Rack:
    id = _id(row["id"], scenario)
    subject = f"racks.{id}"
    data = _data(row["data"], subject)
    height = _whole(row["height_u"], f"{subject}.height_u", 1, MAX_HEIGHT_U)
    return Rack(
        id,
        _text(row["name"], f"{subject}.name"),
        height,
        _length(data.get("width_mm", 600.0), f"{subject}.width_mm", 100, 10_000),
        _length(data.get("depth_mm", 1200.0), f"{subject}.depth_mm", 100, 10_000),
        _one_of(data.get("role", ""), f"{subject}.role", ("", "compute", "network", "storage")),
        *(_free(row[name], f"{subject}.{name}") for name in ("x_mm", "y_mm", "turned_deg")),
        locked=_flag(data.get("locked", False), f"{subject}.locked"),
        by_hand=_flag(data.get("by_hand", True), f"{subject}.by_hand"),
        left_empty=_mask(data.get("left_empty", "0"), f"{subject}.left_empty", height),
        extra=_extra(data, _RACK_DATA),
    )


def _device(row: Row, scenario: Any) -> Device:
    id = _id(row["id"], scenario)
    subject = f"devices.{id}"
    data = _data(row["data"], subject)
    bottom = None if row["bottom_u"] is None else _whole(row["bottom_u"], f"{subject}.bottom_u", 1, MAX_HEIGHT_U)
    height = _whole(data.get("height_u", 1), f"{subject}.height_u", 0 if bottom is None else 1, MAX_HEIGHT_U)
    face: Face = _one_of(row["face"] or "front", f"{subject}.face", ("front", "rear"))
    half: Half = _one_of(data.get("half", ""), f"{subject}.half", ("", "left", "right"))
    return Device(
        id,
        _text(row["entry"], f"{subject}.entry"),
        _text(row["name"], f"{subject}.name"),
        height,
        bottom,
        face,
        half or ("left" if bottom is None else ""),
        _flag(data.get("full_depth", True), f"{subject}.full_depth"),
        _role(data.get("role", ""), f"{subject}.role"),
        _flag(data.get("locked", False), f"{subject}.locked"),
        _flag(data.get("by_hand", True), f"{subject}.by_hand"),
        _extra(data, _DEVICE_DATA),
    )


def _id(raw: Any, scenario: Any) -> str:
    if not isinstance(raw, str) or not raw.strip():
        raise UnusableRowError("racks", raw, "a rack or device has no id.")
    return raw.removeprefix(f"{scenario}.") or raw


def _data(raw: Any, subject: str) -> Mapping[str, Any]:
    try:
        data = json.loads(raw)
    except (ValueError, TypeError):
        raise UnusableRowError(subject, raw, "its data cannot be read.") from None
    if not isinstance(data, dict):
        raise UnusableRowError(subject, raw, "its data are not listed by name.")
    return data


def _extra(data: Mapping[str, Any], known: frozenset[str]) -> Extra:
    return tuple((name, value) for name, value in data.items() if name not in known)


def _whole(raw: Any, subject: str, least: int, most: int) -> int:
    number = isinstance(raw, int | float) and not isinstance(raw, bool) and math.isfinite(raw)
    if not number or raw != int(raw) or not least <= raw <= most:
        raise UnusableRowError(subject, raw, f"it is no whole number from {least} to {most}.")
    return int(raw)


def _length(raw: Any, subject: str, least: float, most: float) -> float:
    if not isinstance(raw, int | float) or isinstance(raw, bool) or not least <= raw <= most:
        raise UnusableRowError(subject, raw, f"it is no length from {least} to {most} mm.")
    return float(raw)


def _free(raw: Any, subject: str) -> float | None:
    if raw is None:
        return None
    if not isinstance(raw, int | float) or not math.isfinite(raw) or abs(raw) > 1e9:
        raise UnusableRowError(subject, raw, "it is no number.")
    return float(raw)


def _flag(raw: Any, subject: str) -> bool:
    if not isinstance(raw, bool):
        raise UnusableRowError(subject, raw, "it is neither true nor false.")
    return raw


def _text(raw: Any, subject: str) -> str:
    if not isinstance(raw, str) or not raw.strip() or len(raw) > 1000:
        raise UnusableRowError(subject, raw, "it is no name.")
    return raw


def _role(raw: Any, subject: str) -> str:
    if not isinstance(raw, str) or len(raw) > 100:
        raise UnusableRowError(subject, raw, "it is no word.")
    return raw


def _one_of(raw: Any, subject: str, choices: tuple[str, ...]) -> Any:
    if raw not in choices:
        named = ", ".join(c for c in choices if c)
        raise UnusableRowError(subject, raw, f"it is none of {named}.")
    return raw


def _mask(raw: Any, subject: str, height_u: int) -> int:
    try:
        mask = int(raw, 16) if isinstance(raw, str) and len(raw) <= MAX_HEIGHT_U else -1
    except ValueError:
        mask = -1
    if mask < 0 or mask >> 4 * height_u:
        raise UnusableRowError(subject, raw, "it does not name rack units of this rack.")
    return mask
