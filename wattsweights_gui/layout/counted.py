"""The placed racks as the chain counts them: added up once for each placement."""

from __future__ import annotations

from typing import Any

from wattsweights_gui.engine.chain import Evaluation, evaluate
from wattsweights_gui.engine.placed_racks import PlacedRack, PlacedRacks
from wattsweights_gui.engine.plan import Plan
from wattsweights_gui.layout.device_types import device_types
from wattsweights_gui.layout.placements import Device, Placements, Rack

_GROUPS = {"Switches": "network", "Storage": "storage", "Servers": "management", "Cooling": "cooling"}


def counted_racks(placements: Placements, catalog: Any) -> PlacedRacks | None:
    """Return what the chain counts of the placed racks; ``None`` where no device is placed."""
    types = device_types(catalog)
    racks, gaps, devices = [], {}, 0
    made: dict[tuple[Any, ...], tuple[PlacedRack, tuple[str, ...]]] = {}
    for rack in placements.racks:
        inside = placements.inside(rack.id)
        devices += len(inside)
        # racks of a hall are alike: each filling is added up once
        key = (rack.role, tuple(sorted(device.entry for device in inside)))
        if key not in made:
            made[key] = _rack(rack, inside, types)
        like, remarks = made[key]
        racks.append(
            PlacedRack(
                rack.name, like.role, like.systems, like.network_kw, like.storage_kw, like.management_kw,
                like.cooling_kw, like.devices_kg, like.own_frame,
            )
        )  # fmt: skip
        gaps.update(dict.fromkeys(remarks))
    return PlacedRacks(tuple(racks), tuple(gaps)) if devices else None


def _rack(rack: Rack, inside: tuple[Device, ...], types: Any) -> tuple[PlacedRack, tuple[str, ...]]:
    systems: dict[str, tuple[int, float]] = {}
    draws = dict.fromkeys(("network", "storage", "management", "cooling"), 0.0)
    mass, frame, gaps = 0.0, False, []
    for device in inside:
        kind = types.get(device.entry)
        if kind is None:
            gaps.append(f"{device.entry} is not in the catalogue: it is not counted.")
            continue
        each = kind.power_kw.number if kind.power_kw.known else 0.0
        mass += kind.mass_kg.number if kind.mass_kg.known else 0.0
        frame = frame or kind.whole_rack
        if kind.node:
            systems[kind.id] = (systems.get(kind.id, (0, each))[0] + 1, each)
            continue
        if not kind.power_kw.known and kind.group in _GROUPS:
            gaps.append(f"The draw of {kind.name} is not known: it is not counted.")
        # what hangs in a rack and has no group of its own draws as management does
        draws[_GROUPS.get(kind.group, "management")] += each
    role = "compute" if systems else "storage" if rack.role == "storage" or draws["storage"] else "network"
    return (
        PlacedRack(
            rack.name, role, tuple((id, n, kw) for id, (n, kw) in systems.items()), draws["network"], draws["storage"],
            draws["management"], draws["cooling"], mass, frame,
        ),
        tuple(gaps),
    )  # fmt: skip


def evaluated_as_placed(plan: Plan, catalog: Any, placements: Placements) -> Evaluation:
    """Size the chain with what is placed: power, cooling and floor follow the racks.

    Raises:
        Refused: an input names no entry of the catalogue.
    """
    return evaluate(plan, catalog, placed=counted_racks(placements, catalog))
