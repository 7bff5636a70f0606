"""Which racks and devices a plan asks for, and where they belong by the rule set of its reference design."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from wattsweights_gui.engine.chain import Evaluation, Upstream
from wattsweights_gui.engine.cluster_networks import MANAGER, USUAL, comes_within
from wattsweights_gui.engine.declare import Entry
from wattsweights_gui.engine.planned_fabric import PlannedFabric, fabric_of
from wattsweights_gui.layout.device_types import DeviceType
from wattsweights_gui.layout.hall import Hall
from wattsweights_gui.layout.placements import Face, Half

LETTER = {"compute": "C", "network": "N", "storage": "S", "": "R"}
_SERVER = "management_server_1u"


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for one device of the plan."""

    entry: str
    role: str
    height_u: int
    bottom_u: int | None
    face: Face
    half: Half
    full_depth: bool


@dataclass(frozen=True, slots=True)
class WantedRack:
    """A rack that the plan asks for, and what belongs in it."""

    role: str
    height_u: int
    slots: tuple[Slot, ...]


@dataclass(frozen=True)
class Wanted:
    """What the plan asks for.

    Attributes:
        racks: compute racks, then network racks, then storage racks.
        rule: name of the rule set, and its source.
        source: of the rule set.
        notes: sentences on what the plan counts and cannot be placed.
    """

    racks: tuple[WantedRack, ...]
    rule: str
    source: str
    notes: tuple[str, ...]

    def counts(self) -> dict[str, int]:
        """Return how many devices are wanted of each catalogue entry."""
        found: dict[str, int] = {}
        for rack in self.racks:
            for slot in rack.slots:
                found[slot.entry] = found.get(slot.entry, 0) + 1
        return found


def wanted_of(evaluation: Evaluation, hall: Hall) -> Wanted:
    """Return what a plan asks for."""
    up = Upstream(evaluation.plan, evaluation.catalog, evaluation.results)
    nodes = evaluation.results["cluster"].nodes
    if not nodes.known:
        return Wanted((), "", "", (f"The plan does not know its nodes: {nodes.formula}.",))
    inside = evaluation.plan.value("cluster.fabric_manager") == "in_compute_fabric"
    fabric = fabric_of(up).for_nodes(int(nodes.number), inside)
    rule = rule_for(evaluation.catalog, fabric.reference.id if fabric.reference else "")
    notes: list[str] = []
    racks = [
        *_compute(evaluation, hall, rule, fabric, notes),
        *_network(evaluation, hall, rule, fabric, notes),
        *_storage(evaluation, hall, rule, notes),
    ]
    return Wanted(tuple(racks), rule.name, rule.sources.get("", ""), tuple(dict.fromkeys(notes)))


def rule_for(catalog: Any, design: str) -> Entry:
    """Return the rule set of a reference design; the general one where it has none of its own."""
    rules: tuple[Entry, ...] = catalog.of_kind("fill_rule")
    return next((r for r in rules if design in r.get("designs")), next(r for r in rules if not r.get("designs")))


def _pdus(hall: Hall, rule: Entry, count: int) -> list[Slot]:
    entry = str(rule.get("pdu"))
    sides: tuple[Half, ...] = ("left", "right")
    return [Slot(entry, "PDU", 0, None, "rear", sides[i % 2], True) for i in range(min(count, 4))] if count else []


def _compute(
    evaluation: Evaluation, hall: Hall, rule: Entry, fabric: PlannedFabric, notes: list[str]
) -> list[WantedRack]:
    cluster = evaluation.results["cluster"]
    kind = hall.type_of(str(cluster.system.value))
    if kind is None:
        notes.append("Nodes are not placed: the catalogue has no server with known rack units for this plan.")
        return []
    nodes, per_rack = int(cluster.nodes.number), int(cluster.nodes_per_rack.number)
    height = max(int(rule.get("rack_height_u")), kind.height_u if kind.whole_rack else 0)
    strips = fabric.reference.get("compute_rack_pdus") if fabric.reference else None
    pdus = [] if kind.whole_rack else _pdus(hall, rule, int(strips or rule.get("compute_pdus")))
    cdu = _cdu_in_rack(evaluation, hall, notes) if not kind.whole_rack else None
    places = _stack(kind, per_rack, height, rule, cdu.height_u if cdu is not None else 0)
    if len(places) < per_rack:
        notes.append(
            f"{per_rack} × {kind.name} of {kind.height_u} U do not go into {height} U: {len(places)} a rack are placed."
        )
    if not places:
        return []
    racks, cdus = [], int(evaluation.results["cooling"].cdus.number) if cdu is not None else 0
    for number in range(math.ceil(nodes / len(places))):
        here = min(len(places), nodes - number * len(places))
        slots = [
            Slot(kind.id, "node", kind.height_u, bottom, rule.get("node_face"), "", kind.full_depth)
            for bottom in places[:here]
        ]
        if cdu is not None and number < cdus:
            slots.append(Slot(cdu.id, "CDU", cdu.height_u, 1, "front", "", cdu.full_depth))
        racks.append(WantedRack("compute", height, (*slots, *pdus)))
    if cdus > len(racks):
        notes.append(f"{cdus - len(racks)} in-rack CDUs of the plan are more than its compute racks: not placed.")
    return racks


def _stack(kind: DeviceType, per_rack: int, height: int, rule: Entry, below_u: int) -> list[int]:
    """Return the lowest units of equal devices, lower than the rule says where they would not fit otherwise."""
    gap = int(rule.get("node_gap_u"))
    need = per_rack * (kind.height_u + gap) - gap
    first = max(1 + below_u, min(int(rule.get("node_first_u")), height - need + 1))
    if first + need - 1 > height:
        gap = 0
    step = kind.height_u + gap
    return [b for b in (first + i * step for i in range(per_rack)) if b + kind.height_u - 1 <= height]


def _cdu_in_rack(evaluation: Evaluation, hall: Hall, notes: list[str]) -> DeviceType | None:
    name = getattr(evaluation.plan.value("cooling.technology"), "cdu", None)
    if name is None or not evaluation.results["cooling"].cdus.known:
        return None
    entry = evaluation.catalog.entry(name)
    if entry.get("position") != "in_rack":
        return None
    kind = hall.type_of(name)
    if kind is None:
        notes.append(f"{entry.name} stands in the racks; its rack units are not known, so it is not placed.")
    return kind


def _network(
    evaluation: Evaluation, hall: Hall, rule: Entry, fabric: PlannedFabric, notes: list[str]
) -> list[WantedRack]:
    cluster, catalog = evaluation.results["cluster"], evaluation.catalog
    system = next((e for e in catalog.of_kind("system") if e.id == cluster.system.value), None)
    design, networks = fabric.reference, dict(cluster.management_switches.operands)
    pieces: dict[str, tuple[str, int]] = {
        "leaf": (fabric.leaf.id, _count(cluster.leaf_switches)),
        "spine": (fabric.spine.id, _count(cluster.spine_switches)),
        "core": (fabric.core.id, _count(cluster.core_switches)),
        "storage switch": (_named(design, fabric, "storage"), _count(cluster.storage_switches)),
    }
    for name, word in (("inband", "in-band switch"), ("oob", "out-of-band switch")):
        if comes_within(system, name):
            continue  # they come within the system
        figure = networks.get(name)
        pieces[word] = (_named(design, fabric, name), _count(figure) if figure is not None else 0)
    if design is not None:
        pieces["fabric manager"] = (MANAGER, int(design.get("ufm_appliances") or 0))
        pieces["management server"] = (_SERVER, int(design.get("management_servers") or 0))
    line = []
    for role in rule.get("network_order"):
        entry, count = pieces.get(role, ("", 0))
        kind = hall.type_of(entry)
        if count and kind is None:
            notes.append(f"{count} × {catalog.entry(entry).name}: rack units are not known, so they are not placed.")
        elif kind is not None:
            line += [(kind, role)] * count
    racks = max(_count(cluster.network_racks), 1) if line else 0
    strips = design.get("network_rack_pdus") if design else None
    return _spread("network", line, racks, rule, "switch", _pdus(hall, rule, int(strips or rule.get("network_pdus"))))


def _named(design: Entry | None, fabric: PlannedFabric, network: str) -> str:
    """Return the switch of a network, as the cluster layer counts it."""
    named = design.get(f"{network}_switch") if design else None
    if named:
        return str(named)
    return fabric.leaf.id if network == "storage" and not fabric.ethernet else USUAL[network]


def _count(figure: Any) -> int:
    return int(figure.number) if figure.known else 0


def _spread(
    role: str, line: list[tuple[DeviceType, str]], racks: int, rule: Entry, what: str, pdus: list[Slot]
) -> list[WantedRack]:
    """Spread devices over racks in order, as evenly as their heights allow."""
    height = int(rule.get("rack_height_u"))
    whole = sum(kind.height_u for kind, _ in line)
    found: list[WantedRack] = []
    done, place = 0, 0
    for number in range(racks):
        goal = whole * (number + 1) / racks
        here: list[tuple[DeviceType, str]] = []
        used = 0
        while place < len(line) and done < goal - 1e-9 and used + line[place][0].height_u <= height:
            here.append(line[place])
            used += line[place][0].height_u
            done += line[place][0].height_u
            place += 1
        bottom = max(1, min(int(rule.get(f"{what}_first_u")), height - used + 1)) + used
        face: Face = rule.get("switch_face") if what == "switch" else "front"
        slots = []
        for kind, word in here:  # the first of the order stands highest
            bottom -= kind.height_u
            slots.append(Slot(kind.id, word, kind.height_u, bottom, face, "", kind.full_depth))
        found.append(WantedRack(role, height, (*slots, *pdus)))
    return found


def _storage(evaluation: Evaluation, hall: Hall, rule: Entry, notes: list[str]) -> list[WantedRack]:
    storage = evaluation.results["storage"]
    name = evaluation.plan.value("storage.system")
    count = _count(storage.appliances)
    if not count:
        return []
    kind = hall.type_of(name)
    if kind is None:
        title = evaluation.catalog.entry(name).name
        notes.append(f"{count} × {title}: rack units are not known, so they are not placed.")
        return []
    racks = max(_count(storage.racks), math.ceil(count * kind.height_u / int(rule.get("rack_height_u"))), 1)
    line = [(kind, "storage")] * count
    return _spread("storage", line, racks, rule, "storage", _pdus(hall, rule, int(rule.get("storage_pdus"))))
