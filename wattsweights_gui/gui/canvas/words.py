"""What the canvas says of a device or a rack, in a few lines."""

from __future__ import annotations

from typing import Any

from wattsweights_gui.layout.placements import Device

_AIR = {
    "front_to_rear": "air from front to rear",
    "rear_to_front": "air from rear to front",
    "either": "air either way, as ordered",
    "passive": "moves no air",
}


def device_words(device: Device, session: Any) -> str:
    """Return what a device is and what it brings to its rack."""
    kind = session.hall.type_of(device.entry)
    lines = [device.name]
    if device.zero_u:
        lines.append(f"Beside the units, {device.half}")
    elif device.height_u == 1:
        lines.append(f"U{device.bottom_u}, {device.face}")
    else:
        lines.append(f"U{device.bottom_u} to U{device.top_u}, {device.face}")
    if kind is None:
        return "\n".join([*lines, f"{device.entry} is not in the catalogue."])
    lines.insert(1, kind.name)
    power = kind.power_kw.text(session.units) if kind.power_kw.known else "draw not known"
    mass = kind.mass_kg.text(session.units) if kind.mass_kg.known else "mass not known"
    depth = f", {kind.depth_mm.text(session.units)} deep" if kind.depth_mm.known else ", depth not known"
    lines.append(f"{power}, {mass}{depth}")
    lines.append(_AIR.get(kind.airflow or "", "airflow not known"))
    lines += list(kind.remarks)
    lines.append(f"Source: {kind.source}" if kind.source else "")
    if device.locked:
        lines.append("Locked")
    lines.append("Placed by hand" if device.by_hand else "Placed from the plan")
    return "\n".join(line for line in lines if line)
