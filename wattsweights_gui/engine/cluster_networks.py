"""Beside the compute fabric: storage and management networks, racks of switches, and what all switches draw."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from wattsweights_gui.engine import units
from wattsweights_gui.engine.declare import Entry, Figure, calc, stated
from wattsweights_gui.engine.equations import clos_bill
from wattsweights_gui.engine.equations.rail_designs import Counts
from wattsweights_gui.engine.planned_fabric import PlannedFabric

BILL_DESIGN = "dgx_superpod_h100"
BILL_GPUS_OF_UNIT = 256
USUAL = {"storage": "sn5600", "inband": "sn4600c", "oob": "sn2201"}
MANAGER = "ufm_3_1_appliance"
RACK_UNITS = 16.0


@dataclass(frozen=True)
class Networks:
    """Switches of the other networks, racks and power of all switches; those that systems bring along are in theirs.

    ``fullest_rack_kw`` is what a rack draws that is filled with the hungriest of them. ``power_gaps`` says which draws
    are not known, in one sentence each; empty where all are.
    """

    storage: Figure
    management: Figure
    racks: Figure
    power_kw: Figure
    typical_kw: Figure
    fullest_rack_kw: Figure
    power_gaps: str


def networks_of(
    catalog: Any,
    fabric: PlannedFabric,
    system: Entry | None,
    counts: Counts,
    nodes: Figure,
    gpus: Figure,
    compute: Mapping[str, Figure],
) -> Networks:
    """Count the storage, in-band and out-of-band networks, and add up all switches.

    Args:
        catalog: the hardware.
        fabric: of the plan.
        system: of the plan; ``None`` where the catalogue has none.
        counts: of the compute fabric.
        nodes, gpus: installed.
        compute: figures of the compute fabric by name.
    """
    found = {
        name: _network(catalog, fabric.reference, system, name, compute["scalable_units"], nodes, gpus)
        for name in USUAL
    }
    entries = {name: catalog.entry(_switch_of(fabric, name)) for name in USUAL}
    pieces: list[tuple[Entry, Figure]] = [
        (fabric.leaf, compute["leaf_switches"]),
        (fabric.spine, compute["spine_switches"]),
        (fabric.core, compute["core_switches"]),
        *((entries[name], found[name]) for name in USUAL if not comes_within(system, name)),
    ]
    managers = int(fabric.reference.get("ufm_appliances") or 0) if fabric.reference else 0
    if managers:
        pieces.append((catalog.entry(MANAGER), stated(managers, "count", formula="as in the design's bill")))
    pieces = [(entry, figure) for entry, figure in pieces if figure.number]
    operands: dict[str, Any] = {f"switches_{i}": figure for i, (_, figure) in enumerate(pieces, 1)}
    rack_units = stated(
        sum(float(e.get("rack_units") or 1) * f.number for e, f in pieces),
        "u",
        "Rack units of switches",
        formula="Σ switches × rack units; 1 U where the catalogue does not know",
        **operands,
    )
    fullest = _fullest_kw(tuple((e.id, int(f.number)) for e, f in pieces), catalog)
    power, typical, gaps, draws = _draws(tuple((e.id, int(f.number)) for e, f in pieces), catalog)
    operands |= draws
    words = "Σ switches × draw" + (f". {gaps}" if gaps else "")
    source = "; ".join(dict.fromkeys(e.sources.get("power_max_w", "") for e, _ in pieces if e.get("power_max_w")))
    return Networks(
        found["storage"],
        calc(clos_bill.both_networks, inband=found["inband"], oob=found["oob"]),
        calc(clos_bill.network_racks, rack_units=rack_units, units_per_rack=RACK_UNITS),
        stated(power, "kw", formula=words, source=source, **operands),
        stated(typical, "kw", formula=words, source=source, **operands),
        stated(
            fullest,
            "kw",
            formula=f"{RACK_UNITS} U of the switches that draw most for each rack unit" + (f". {gaps}" if gaps else ""),
            source=source,
            put_in=draws,
        ),
        gaps,
    )


def comes_within(system: Entry | None, network: str) -> bool:
    """Return whether a system brings its switches of a network along: they are in its rack, and in its draw."""
    return system is not None and system.get(f"{network}_switches") is not None


@lru_cache(maxsize=512)
def _fullest_kw(pieces: tuple[tuple[str, int], ...], catalog: Any) -> float:
    """Draw of one rack that is filled with the switches that draw most for each rack unit. Pure: remembered."""
    room, draw = RACK_UNITS, 0.0
    height = {id: float(catalog.entry(id).get("rack_units") or 1) for id, _ in pieces}
    each = {id: _draws(((id, 1),), catalog)[0] for id, _ in pieces}
    for id, number in sorted(pieces, key=lambda piece: each[piece[0]] / height[piece[0]], reverse=True):
        here = min(number, int(room // height[id]))
        room -= here * height[id]
        draw += here * each[id]
    return draw


def _switch_of(fabric: PlannedFabric, network: str) -> str:
    named = fabric.reference.get(f"{network}_switch") if fabric.reference else None
    if named:
        return str(named)
    return fabric.leaf.id if network == "storage" and not fabric.ethernet else USUAL[network]


def _network(
    catalog: Any, design: Entry | None, system: Entry | None, name: str, of_units: Figure, nodes: Figure, gpus: Figure
) -> Figure:
    title = {"storage": "Storage switches", "inband": "In-band switches", "oob": "Out-of-band switches"}[name]
    if design is not None:
        if design.get(f"{name}_switches_per_su") is not None:
            each = design.fig(f"{name}_switches_per_su", "count")
            return calc(clos_bill.per_unit, title=title, units=of_units, each=each)
        if design.get(f"{name}_switches") is not None:
            return design.fig(f"{name}_switches", "count")
        if design.get(f"{name}_nodes_per_switch") is not None:
            each = design.fig(f"{name}_nodes_per_switch", "count")
            return calc(clos_bill.nodes_per_switch, title=title, nodes=nodes, each=each)
    if system is not None and system.get(f"{name}_switches") is not None:
        return calc(clos_bill.per_node, title=title, nodes=nodes, each=system.fig(f"{name}_switches", "count"))
    each = catalog.entry(BILL_DESIGN).fig(f"{name}_switches_per_su", "count")
    return calc(clos_bill.as_in_h100, title=title, gpus=gpus, gpus_of_unit=BILL_GPUS_OF_UNIT, each=each)


@lru_cache(maxsize=512)
def _draws(pieces: tuple[tuple[str, int], ...], catalog: Any) -> tuple[float, float, str, dict[str, Any]]:
    """Maximum and typical kW of all switches, sentences on draws that are not known, the draws. Pure: remembered."""
    power = typical = 0.0
    as_typical: dict[str, None] = {}
    as_supplies: dict[str, None] = {}
    left_out: dict[str, int] = {}
    draws: dict[str, Any] = {}
    for id, number in pieces:
        entry = catalog.entry(id)
        name = f"{entry.name}"
        most, usual = entry.get("power_max_w"), entry.get("power_typical_w")
        known = [field for field in ("power_max_w", "power_typical_w") if entry.get(field) is not None]
        draws |= {f"{id}_{field}": entry.fig(field, "w") for field in known}
        bound = float(entry.get("psu_count") or 0) * float(entry.get("psu_w") or 0)
        if most is None and usual is not None:
            as_typical[f"{name} ({units.text(usual, 'w')})"] = None
        elif most is None and bound:
            as_supplies[f"{name} ({units.text(bound, 'w')})"] = None
        elif most is None:
            left_out[name] = left_out.get(name, 0) + number
        most = most if most is not None else usual if usual is not None else bound
        power += number * most / 1000
        typical += number * (usual if usual is not None else most) / 1000
    gaps = []
    if left_out:
        gaps.append(
            f"Not known and left out of the switch power: {_list(f'{n} {name}' for name, n in left_out.items())}."
        )
    if as_supplies:
        gaps.append(f"Not published, counted at their power supplies: {_list(as_supplies)}.")
    if as_typical:
        gaps.append(f"Maximum not known, counted as typical: {_list(as_typical)}.")
    return power, typical, " ".join(gaps), draws


def _list(names: Iterable[str]) -> str:
    return ", ".join(names)
