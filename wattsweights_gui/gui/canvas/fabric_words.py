"""What the fabric canvas says of a device or a link, in a few lines."""

from __future__ import annotations

from typing import Any

from wattsweights_gui.engine.wiring import KINDS, TIERS
from wattsweights_gui.layout.edited_fabric import LEVEL, EditedFabric
from wattsweights_gui.layout.fabric_edits import LinkKey


def device_words(fabric: EditedFabric, name: str, catalog: Any) -> str:
    """Return what a device is, how many of its ports are used, and where it belongs."""
    device = fabric.index_of[name]
    devices = fabric.devices
    entry = fabric.entry(device)
    model = _name(catalog, entry)
    kind = KINDS[int(devices.kind[device])]
    lines = [name, f"{model}, {kind}" if model else kind.capitalize()]
    places = [
        f"{word} {int(column[device]) + 1}"
        for word, column in (("SU", devices.unit), ("rail", devices.rail), ("plane", devices.plane))
        if column[device] >= 0 and not (word == "plane" and fabric.design.planes == 1)
    ]
    if places:
        lines.append(", ".join(places))
    ports, used = int(devices.ports[device]), int(fabric.used_ports[device])
    lines.append(f"{used} of {ports} ports in use, {fabric.gbit_s[device]:g} Gb/s each")
    ratio = ratio_of(fabric, device)
    if ratio:
        lines.append(ratio)
    group = fabric.group_of(device)
    if group:
        lines.append(f"In {group}")
    lines.append("From the plan" if fabric.planned[device] >= 0 else "Added by hand")
    return "\n".join(lines)


def ratio_of(fabric: EditedFabric, device: int) -> str:
    """Return a switch's links down and up with their ratio; empty for what is no switch."""
    if LEVEL[fabric.devices.kind[device]] == 0:
        return ""
    down, up = int((fabric.links.b == device).sum()), int((fabric.links.a == device).sum())
    if not up:
        return f"{down} links down, none up"
    return f"{down} links down, {up} up: {down / up:.3g} to 1"


def link_words(fabric: EditedFabric, key: LinkKey) -> str:
    """Return both ends of a link, its tier and rate."""
    device = fabric.index_of[key[0]]
    link = fabric.link_of(device, key[1])
    assert link is not None
    links = fabric.links
    ends = ((int(links.a[link]), int(links.a_port[link])), (int(links.b[link]), int(links.b_port[link])))
    a, b = (f"{fabric.name(d)} port {fabric.port_name(d, p)}" for d, p in ends)
    tier = int(links.tier[link])
    name = TIERS[tier] if tier < len(TIERS) else "across one tier"
    origin = "drawn by hand" if fabric.added[link] else "from the plan"
    return f"{a}\nto {b}\n{name.capitalize()}, {fabric.gbit_s[ends[0][0]]:g} Gb/s, {origin}"


def _name(catalog: Any, entry: str) -> str:
    try:
        return str(catalog.entry(entry).name) if entry else ""
    except KeyError:
        return entry
