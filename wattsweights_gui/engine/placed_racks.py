"""The racks that are placed, as the facility's layers count them: made once for each placement, handed to the chain.

A group of which nothing is placed (compute, network, storage, management) is counted as planned, and its figures say
so: an empty rack is no proof that a hall needs no switches.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from wattsweights_gui.engine.declare import Entry, Figure, Finding, calc, equation, stated
from wattsweights_gui.engine.units import number, text

SOURCE = "the racks as they are placed"
LOAD_GROUPS = ("network", "storage", "management")


@dataclass(frozen=True)
class PlacedRack:
    """What is in one rack.

    Attributes:
        role: ``compute``, ``network`` or ``storage``: what its place in the hall is counted as.
        systems: systems with GPUs by catalogue id: how many, and the maximum draw of one in kW as catalogued.
        network_kw, storage_kw, management_kw: maximum draw of its switches, storage and other servers.
        cooling_kw: of its CDUs; not IT, and counted by the cooling layer.
        devices_kg: mass of all devices. own_frame: whether a rack-scale system brings the frame.
    """

    name: str
    role: str
    systems: tuple[tuple[str, int, float], ...] = ()
    network_kw: float = 0.0
    storage_kw: float = 0.0
    management_kw: float = 0.0
    cooling_kw: float = 0.0
    devices_kg: float = 0.0
    own_frame: bool = False

    @property
    def filling(self) -> tuple[Any, ...]:
        """All but its name: what two racks that are filled alike have in common."""
        return (
            self.role, self.systems, self.network_kw, self.storage_kw, self.management_kw, self.cooling_kw,
            self.devices_kg, self.own_frame,
        )  # fmt: skip

    @property
    def beside_kw(self) -> float:
        """Maximum draw of all that is no system with GPUs, in kW."""
        return self.network_kw + self.storage_kw + self.management_kw + self.cooling_kw

    def nodes(self, system: str | None = None) -> int:
        """Return its systems, of one kind or of all."""
        return sum(count for id, count, _ in self.systems if system is None or id == system)


@dataclass(frozen=True)
class PlacedRacks:
    """All racks in the order of the rows. ``gaps`` are sentences on what is placed and cannot be counted."""

    racks: tuple[PlacedRack, ...]
    gaps: tuple[str, ...] = field(default=())

    @cached_property
    def fillings(self) -> tuple[tuple[PlacedRack, int], ...]:
        """The first rack of each filling, and how many are filled so: racks of a hall are much alike."""
        first: dict[tuple[Any, ...], PlacedRack] = {}
        count: dict[tuple[Any, ...], int] = {}
        for rack in self.racks:
            first.setdefault(rack.filling, rack)
            count[rack.filling] = count.get(rack.filling, 0) + 1
        return tuple((rack, count[filling]) for filling, rack in first.items())

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The number of each rack's filling, in the order of the racks."""
        numbers = {rack.filling: number for number, (rack, _) in enumerate(self.fillings)}
        return tuple(numbers[rack.filling] for rack in self.racks)

    @cached_property
    def has_nodes(self) -> bool:
        """Whether any system with GPUs is placed: else the compute racks are the plan's."""
        return any(rack.systems for rack, _ in self.fillings)

    @cached_property
    def sums(self) -> dict[str, float]:
        """Draw of each group in kW."""
        return {group: sum(getattr(r, f"{group}_kw") * n for r, n in self.fillings) for group in LOAD_GROUPS}

    @cached_property
    def roles(self) -> dict[str, int]:
        """Racks of each role."""
        found: dict[str, int] = {}
        for rack, count in self.fillings:
            found[rack.role] = found.get(rack.role, 0) + count
        return found

    def systems(self, system: str | None = None) -> int:
        """Return the systems of one kind, or all."""
        return sum(rack.nodes(system) * racks for rack, racks in self.fillings)

    def others_kw(self, system: str | None) -> float:
        """Return the catalogued draw of the systems that are not the plan's, in kW."""
        return sum(n * kw * racks for rack, racks in self.fillings for id, n, kw in rack.systems if id != system)


@equation("systems × draw + draw of other systems", "kw", "as placed in the racks")
def placed_compute_kw(systems: float, each_kw: float, others_kw: float) -> float:
    """Return the draw of the systems that are placed, in kW."""
    return systems * each_kw + others_kw


@equation("systems × draw + all else in the rack", "kw", "as placed in the rack")
def placed_rack_kw(systems: float, each_kw: float, beside_kw: float) -> float:
    """Return the draw of a rack as it is filled, in kW."""
    return systems * each_kw + beside_kw


@equation("frame + devices + door", "kg", "as placed in the rack")
def placed_rack_kg(frame_kg: float, devices_kg: float, door_kg: float) -> float:
    """Return the mass of a rack as it is filled, in kg."""
    return frame_kg + devices_kg + door_kg


@equation("placed × typical / maximum of the plan", "kw", "the plan's share, for switches as placed")
def placed_typical_kw(placed_kw: float, planned_typical_kw: float, planned_kw: float) -> float:
    """Return the typical draw of placed switches, in kW, by the share of the maximum that the plan's switches draw."""
    return placed_kw * planned_typical_kw / planned_kw if planned_kw > 0 else placed_kw


def counts_as_placed(up: Any, placed: PlacedRacks) -> dict[str, Any]:
    """Return the results of ``cluster`` and ``storage`` with the counts of the placed racks, for the facility's layers.

    Args:
        up: with the results as planned.
        placed: the racks.
    """
    cluster, storage = up.cluster, up.storage
    changes: dict[str, Figure] = {}
    if placed.has_nodes:
        nodes = placed.systems()
        fullest = max(rack.nodes() for rack, _ in placed.fillings)
        gpus = sum(
            n * float(_gpus(up.catalog, s)) * racks for rack, racks in placed.fillings for s, n, _ in rack.systems
        )
        changes["nodes"] = _count(nodes, "Nodes", "systems placed in the racks", cluster.nodes)
        changes["gpus"] = _count(gpus, "GPUs", "GPUs of the systems placed in the racks", cluster.gpus)
        changes["nodes_per_rack"] = _count(
            fullest, "Nodes a rack", "systems in the placed rack that has most of them", cluster.nodes_per_rack
        )
        changes["compute_racks"] = _count(
            placed.roles["compute"],
            "Compute racks",
            "placed racks with systems",
            cluster.compute_racks,
        )
    if placed.roles.get("network"):
        changes["network_racks"] = _count(
            placed.roles["network"], "Network racks", "placed racks without systems or storage", cluster.network_racks
        )
    if placed.sums["network"]:
        most = changes["switch_power_kw"] = stated(
            placed.sums["network"],
            "kw",
            "Switches, maximum",
            formula="Σ draw of the switches placed in the racks, at most",
            planned=cluster.switch_power_kw,
        )
        changes["switch_power_typical_kw"] = calc(
            placed_typical_kw,
            title="Switches, typical",
            placed_kw=most,
            planned_typical_kw=cluster.switch_power_typical_kw,
            planned_kw=cluster.switch_power_kw,
        )
        rack = max((r for r, _ in placed.fillings if r.role == "network"), key=lambda r: r.beside_kw, default=None)
        if rack is not None:
            changes["network_rack_kw"] = stated(
                rack.beside_kw,
                "kw",
                f"Fullest network rack: {rack.name}, as placed",
                formula="Σ draw of the devices placed in it",
                planned=cluster.network_rack_kw,
            )
    found = {"cluster": cluster.model_copy(update=changes)}
    changes = {}
    if placed.roles.get("storage"):
        changes["racks"] = _count(placed.roles["storage"], "Storage racks", "placed racks of storage", storage.racks)
    if placed.sums["storage"]:
        changes["power_kw"] = stated(
            placed.sums["storage"],
            "kw",
            "Storage",
            formula="Σ draw of the storage placed in the racks",
            planned=storage.power_kw,
        )
    found["storage"] = storage.model_copy(update=changes)
    return found


def _gpus(catalog: Any, system: str) -> float:
    return float(catalog.entry(system).get("gpus") or 0)


def _count(value: float, title: str, formula: str, planned: Figure) -> Figure:
    return stated(value, "count", title, formula=formula, planned=planned)


_COMPARED = (
    ("cluster", "nodes", "nodes"),
    ("cluster", "compute_racks", "compute racks"),
    ("cluster", "network_racks", "network racks"),
    ("storage", "racks", "storage racks"),
    ("cluster", "switch_power_kw", "of switches"),
    ("storage", "power_kw", "of storage"),
)


def count_findings(up: Any, counted: Any) -> list[Finding]:
    """Say that the facility follows the placed racks, where those and the plan differ, and what cannot be counted.

    Args:
        up: with the counts as planned. counted: with those of the placed racks.
    """
    placed: PlacedRacks = counted.placed
    heaviest, most = fullest(counted)
    draws = f" {heaviest} draws most: {text(most.number, 'kw')}." if most is not None and most.known else ""
    found = [
        Finding(
            "floor.counted",
            "note",
            "floor.counted",
            f"Power, cooling and floor follow the placed racks ({number(len(placed.racks))}).{draws}",
            SOURCE,
            (("floor.counted", "plan"),),
            "Count what the plan asks for",
        )
    ]
    differ = []
    for layer, name, words in _COMPARED:
        here, there = getattr(getattr(counted, layer), name), getattr(getattr(up, layer), name)
        if here.known and (not there.known or abs(here.number - there.number) > 1e-6 * max(1.0, abs(there.number))):
            differ.append(f"{_amount(here)} {words} placed, {_amount(there)} planned")
    if differ:
        message = f"The placed racks are not what the plan asks for: {'; '.join(differ)}."
        found.append(Finding("floor.counted.differs", "caution", "floor.counted", message, SOURCE))
    if not placed.has_nodes:
        message = "No node is placed: nodes and their racks are counted as planned."
        found.append(Finding("floor.counted.nodes", "note", "floor.counted", message, SOURCE))
    found += [Finding("floor.counted.gap", "caution", "floor.counted", gap, SOURCE) for gap in placed.gaps]
    return found


def _amount(figure: Figure) -> str:
    if not figure.known:
        return "an unknown number"
    return number(figure.number) if figure.unit == "count" else text(figure.number, figure.unit)


def fullest(up: Any) -> tuple[str, Figure | None]:
    """Return the name of the placed rack that draws most, and its draw as power has it; empty where none is placed."""
    placed: PlacedRacks | None = up.placed
    if placed is None or not placed.has_nodes:
        return "", None
    each = up.power.node_power_max_kw
    if not each.known:
        return "", None
    system = next((e for e in up.catalog.of_kind("system") if up.cluster.system.value in (e.id, e.name)), None)
    rack = max((r for r, _ in placed.fillings), key=lambda r: _rack_kw(r, system, each.number))
    return rack.name, up.power.rack_power_kw


def heaviest_kw(up: Any, system: Entry | None, each_kw: Figure, what: str) -> Figure | None:
    """Return the draw of the placed rack that draws most; ``None`` where no system is placed.

    Args:
        up: with ``placed``.
        system: of the plan.
        each_kw: draw of one of the plan's systems.
        what: title of the figure.
    """
    placed: PlacedRacks | None = up.placed
    if placed is None or not placed.has_nodes or not each_kw.known:
        return None
    rack = max((r for r, _ in placed.fillings), key=lambda r: _rack_kw(r, system, each_kw.number))
    return filled_kw(rack, system, each_kw, f"{what}: {rack.name}, as placed")


def filled_kw(rack: PlacedRack, system: Entry | None, each_kw: Figure, title: str) -> Figure:
    """Return the draw of a rack as it is filled, with a draw of each of the plan's systems."""
    own = rack.nodes(system.id) if system is not None else 0
    return calc(
        placed_rack_kw,
        title=title,
        systems=Figure(own, "count", f"Systems in {rack.name}"),
        each_kw=each_kw,
        beside_kw=Figure(_rack_kw(rack, system, 0.0), "kw", f"All else in {rack.name}"),
    )


def _rack_kw(rack: PlacedRack, system: Entry | None, each_kw: float) -> float:
    id = system.id if system is not None else None
    return rack.beside_kw + sum(n * (each_kw if s == id else kw) for s, n, kw in rack.systems)


def heaviest_row_kw(up: Any, system: Entry | None, each_kw: Figure, racks_per_row: int) -> float | None:
    """Return the draw of the row that draws most, racks in their order; ``None`` where no system is placed."""
    placed: PlacedRacks | None = up.placed
    if placed is None or not placed.has_nodes or not each_kw.known:
        return None
    kinds = [_rack_kw(rack, system, each_kw.number) for rack, _ in placed.fillings]
    each = [kinds[number] for number in placed.order]
    return max(sum(each[i : i + racks_per_row]) for i in range(0, len(each), racks_per_row))


def heaviest_kg(up: Any, frame_kg: Figure, door_kg: Figure) -> Figure | None:
    """Return the mass of the placed rack that weighs most; ``None`` where no system is placed."""
    placed: PlacedRacks | None = up.placed
    if placed is None or not placed.has_nodes:
        return None

    def mass(rack: PlacedRack) -> float:
        door = door_kg.number if rack.systems else 0.0
        return rack.devices_kg + door + (0.0 if rack.own_frame else frame_kg.number)

    rack = max((r for r, _ in placed.fillings), key=mass)
    return calc(
        placed_rack_kg,
        title=f"Heaviest rack: {rack.name}, as placed",
        frame_kg=Figure(0.0, "kg", "Frame", formula="within the system's mass") if rack.own_frame else frame_kg,
        devices_kg=Figure(rack.devices_kg, "kg", f"Devices in {rack.name}"),
        door_kg=door_kg if rack.systems else Figure(0.0, "kg", "Rear door", formula="no rear door at this rack"),
    )
