"""Cables for others: a CSV with both labels, and NetBox's import tables of racks, devices and cables."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from wattsweights_gui.layout.cables import Cable, Cabling
from wattsweights_gui.layout.placements import Placements

HEAD = (
    "cable", "network", "tier", "a_rack", "a_unit", "a_device", "a_port", "b_rack", "b_unit", "b_device", "b_port",
    "speed_gbit_s", "medium", "run_m", "length_m", "a_label", "b_label",
)  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def safe(value: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _csv(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([["" if value is None else safe(value) for value in row] for row in rows])
    return buffer.getvalue()


def cable_csv(cabling: Cabling) -> str:
    """Return the cable schedule; it is read back by :mod:`wattsweights_gui.exchange.cable_plan`."""
    return _csv(HEAD, (_row(cable) for cable in cabling.rows()))


def _row(c: Cable) -> tuple[Any, ...]:
    run = None if c.run_m is None else round(c.run_m, 2)
    return (
        c.id, c.network, c.tier, c.a_rack, c.a_unit, c.a_device, c.a_port, c.b_rack, c.b_unit, c.b_device, c.b_port,
        f"{c.gbit_s:g}", c.medium, run, c.length_m, c.a_label, c.b_label,
    )  # fmt: skip


def netbox_racks(placements: Placements, site: str) -> str:
    """Return NetBox's import table of racks."""
    rows = ((rack.name, site, "planned", rack.height_u, "19") for rack in placements.racks)
    return _csv(("name", "site", "status", "u_height", "width"), rows)


def netbox_devices(placements: Placements, site: str, makers: dict[str, tuple[str, str]]) -> str:
    """Return NetBox's import table of devices.

    Args:
        placements: racks and devices.
        site: that they stand in.
        makers: catalogue entry → (manufacturer, device type).
    """

    def rows() -> Iterable[Sequence[Any]]:
        for rack in placements.racks:
            for device in placements.inside(rack.id):
                maker, kind = makers.get(device.entry, ("Unknown", device.entry))
                at = device.bottom_u if device.bottom_u is not None else ""
                face = device.face if device.bottom_u is not None else ""
                yield device.name, device.role or "device", maker, kind, site, rack.name, at, face, "planned"

    head = ("name", "role", "manufacturer", "device_type", "site", "rack", "position", "face", "status")
    return _csv(head, rows())


def netbox_cables(cabling: Cabling) -> str:
    """Return NetBox's import table of cables."""
    kinds = {"dac": "dac-passive", "acc": "dac-active", "aoc": "aoc", "optic_mmf": "mmf-om4", "optic_smf": "smf"}
    of_name = {m.name: kinds.get(m.kind, "") for m in cabling.media}

    def rows() -> Iterable[Sequence[Any]]:
        for c in cabling.rows():
            yield (
                c.a_device, "dcim.interface", c.a_port, c.b_device, "dcim.interface", c.b_port,
                of_name.get(c.medium, ""), "planned", c.id, c.length_m, "m" if c.length_m is not None else "",
            )  # fmt: skip

    head = (
        "side_a_device", "side_a_type", "side_a_name", "side_b_device", "side_b_type", "side_b_name", "type", "status",
        "label", "length", "length_unit",
    )  # fmt: skip
    return _csv(head, rows())
