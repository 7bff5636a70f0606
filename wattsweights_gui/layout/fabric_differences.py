"""A fabric that was edited by hand against the one that the plan generates, as findings, worst first."""

from __future__ import annotations

import numpy as np

from wattsweights_gui.engine import fabric_graph
from wattsweights_gui.engine.declare import Finding
from wattsweights_gui.engine.units import number
from wattsweights_gui.engine.wiring import CORE, KINDS, LEAF, MANAGER, NODE, SPINE, TIERS
from wattsweights_gui.layout.edited_fabric import ACROSS, LEVEL, EditedFabric

_ORDER = {"blocker": 0, "caution": 1, "note": 2}
_PLURALS = {NODE: "nodes", MANAGER: "fabric managers", LEAF: "leaves", SPINE: "spines", CORE: "cores"}
_NAMED = 3


def differences(fabric: EditedFabric) -> tuple[Finding, ...]:
    """Return what no longer agrees with the plan; nothing where nobody has edited the fabric."""
    if fabric.edits.from_plan and not fabric.edits.devices and not fabric.edits.links:
        return ()
    found = [*_stale(fabric), *_devices(fabric), *_links(fabric), *_oversubscription(fabric), *_loose(fabric)]
    return tuple(sorted(found, key=lambda f: _ORDER[f.severity]))


def _finding(id: str, severity: str, message: str) -> Finding:
    return Finding(f"fabric.drawn.{id}", severity, "fabric", message)  # type: ignore[arg-type]


def _stale(fabric: EditedFabric) -> list[Finding]:
    if not fabric.stale:
        return []
    more = len(fabric.stale) - 1
    words = fabric.stale[0] + (f" {number(more)} more edits are left behind like that." if more else "")
    return [_finding("stale", "caution", words)]


def _devices(fabric: EditedFabric) -> list[Finding]:
    found = []
    planned, drawn = fabric.base.wiring.devices.kind, fabric.devices.kind
    for kind in range(len(KINDS)):
        want, have = int((planned == kind).sum()), int((drawn == kind).sum())
        if want != have:
            words = _PLURALS[kind]
            found.append(
                _finding(KINDS[kind], "caution", f"The plan has {number(want)} {words}; {number(have)} are drawn.")
            )
    return found


def _links(fabric: EditedFabric) -> list[Finding]:
    found = []
    planned = np.bincount(fabric.base.wiring.links.tier, minlength=ACROSS + 1)
    same = np.bincount(fabric.links.tier[~fabric.added], minlength=ACROSS + 1)
    drawn = np.bincount(fabric.links.tier[fabric.added], minlength=ACROSS + 1)
    for tier in range(ACROSS + 1):
        name = TIERS[tier] if tier < ACROSS else "across one tier"
        missing, extra = int(planned[tier] - same[tier]), int(drawn[tier])
        if missing:
            found.append(
                _finding(
                    f"missing.{tier}",
                    "caution",
                    f"Links {name}: {number(missing)} of the plan's {number(int(planned[tier]))} are not drawn.",
                )
            )
        if extra:
            found.append(_finding(f"extra.{tier}", "note", f"Links {name}: {number(extra)} are drawn by hand."))
    return found


def _oversubscription(fabric: EditedFabric) -> list[Finding]:
    found = []
    planned = {t.name: t for t in fabric_graph.tiers(fabric.base.wiring)}
    for tier in fabric_graph.tiers(fabric):
        asked = planned.get(tier.name)
        ratio = asked.ratio if asked is not None and asked.ratio is not None else 1.0
        if tier.ratio is not None and tier.ratio > ratio + 1e-9:
            words = (
                f"Oversubscription {tier.name} is {tier.ratio:.3g} to 1 at its busiest switch ({tier.down} down, "
                f"{tier.up} up); the plan has {ratio:.3g} to 1."
            )
            found.append(_finding(f"oversubscription.{tier.name}", "caution", words))
    return found


def _loose(fabric: EditedFabric) -> list[Finding]:
    """Return devices that nothing is plugged into, and switches that nothing leads up from."""
    found = []
    used = fabric.used_ports
    bare = np.flatnonzero(used == 0)
    if len(bare):
        named = ", ".join(fabric.name(int(d)) for d in bare[:_NAMED]) + (" …" if len(bare) > _NAMED else "")
        words = "device has" if len(bare) == 1 else "devices have"
        found.append(_finding("bare", "caution", f"{number(len(bare))} {words} no link: {named}."))
    up = np.bincount(fabric.links.a, minlength=len(fabric.devices))
    levels = LEVEL[fabric.devices.kind]
    top = int(levels.max(initial=0))
    ends = np.flatnonzero((levels >= 1) & (levels < top) & (up == 0) & (used > 0))
    if len(ends):
        named = ", ".join(fabric.name(int(d)) for d in ends[:_NAMED]) + (" …" if len(ends) > _NAMED else "")
        words = "switch has" if len(ends) == 1 else "switches have"
        found.append(_finding("no_uplinks", "blocker", f"{number(len(ends))} {words} no link upward: {named}."))
    return found
