"""Which placed device is which device of the wiring: those of each kind in the order of racks, from the top down."""

from __future__ import annotations

from wattsweights_gui.engine.wiring import Wiring
from wattsweights_gui.layout.cables import ROLES
from wattsweights_gui.layout.placements import Placements


def wired_places(wiring: Wiring, placements: Placements) -> dict[str, str]:
    """Return the name in the fabric of each placed device that has one, by the placed device's id."""
    waiting = {kind: iter(wiring.devices.of(kind).tolist()) for kind in ROLES.values()}
    found = {}
    for rack in placements.racks:
        for device in sorted(placements.inside(rack.id), key=lambda d: -(d.bottom_u or 0)):
            kind = ROLES.get(device.role)
            at = next(waiting[kind], None) if kind is not None else None
            if at is not None:
                found[device.id] = wiring.name(at)
    return found
