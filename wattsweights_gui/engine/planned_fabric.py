"""Which fabric a plan has: a published reference design, or a rail-optimised one from the catalogue's switches."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Protocol

from wattsweights_gui.engine.declare import Entry
from wattsweights_gui.engine.equations.rail_designs import RailDesign, fits_pair, plain
from wattsweights_gui.engine.equations.systems import gpus_per_node, system_for

PCIE_NIC_GBIT_S = {3: 100.0, 4: 200.0, 5: 400.0, 6: 800.0}
UNKNOWN_NIC_GBIT_S = 400.0
ETHERNET_VENDORS = {"AMD": "arista_7060x6_64pe", "Intel": "arista_7060x6_64pe"}
NVIDIA_SWITCHES = ("qm8790", "qm9700", "q3400_ra")
ETHERNET_SWITCH = "sn5600"


class Catalog(Protocol):
    """What is asked of the catalogue."""

    def entry(self, id: str) -> Entry:
        """Return the entry of an id."""
        ...

    def of_kind(self, kind: str) -> tuple[Entry, ...]:
        """Return all entries of a kind."""
        ...


@dataclass(frozen=True, eq=False)
class PlannedFabric:
    """The fabric that a plan follows; the same one for the same choices, so that it can be remembered by identity.

    Attributes:
        reference: the published design; ``None`` where it is a generic one.
        asked: the design that was named, whether it could be followed or not.
        nic_gbit_s: of one GPU, one direction, all planes.
        nic_source: where that rate comes from.
        refused: why the named or usual design is not followed; empty where it is.
        ethernet: RoCE rather than InfiniBand.
        outgrown: why the published design is left for this number of nodes; empty where it is not.
    """

    design: RailDesign
    reference: Entry | None
    asked: Entry | None
    leaf: Entry
    spine: Entry
    core: Entry
    nic_gbit_s: float
    nic_source: str
    refused: str
    ethernet: bool
    outgrown: str = ""

    def for_nodes(self, nodes: int, manager_inside: bool) -> PlannedFabric:
        """Return the fabric for so many nodes: a pair of switches that is too small gives way to a fat tree."""
        if not self.design.pair or fits_pair(self.design, nodes, manager_inside):
            return self
        name = self.reference.name if self.reference else "a pair of switches"
        words = f"{name} is too small for {nodes} nodes: the counts are of a rail-optimised fabric of {self.leaf.name}."
        return replace(self, design=plain(self.design), reference=None, outgrown=words)


def is_fabric_design(entry: Entry) -> bool:
    """Return whether a reference design says how its fabric is built (designs of halls do not)."""
    return "node" in entry.fields and "leaf_switch" in entry.fields


def fabric_of(up: Any) -> PlannedFabric:
    """Return the fabric of the plan that a layer is handed."""
    gpu_id = up.inputs("compute").gpu
    system = system_for(up.entry(gpu_id), up.catalog, up.inputs("cluster").system)
    inputs = up.inputs("fabric")
    return planned_fabric(
        up.catalog, gpu_id, system.id if system else None, inputs.design, inputs.nic_gbit_s, inputs.oversubscription
    )


@lru_cache(maxsize=256)
def planned_fabric(
    catalog: Catalog, gpu_id: str, system_id: str | None, design_id: str | None, nic_gbit_s: float | None, ratio: float
) -> PlannedFabric:
    """Return the fabric of a plan.

    Args:
        catalog: the hardware.
        gpu_id: the accelerator.
        system_id: what one node is; ``None`` for a node of eight that the catalogue does not know.
        design_id: the reference design that was named; ``None`` takes the one of this GPU.
        nic_gbit_s: rate of a GPU's adapter that was set; ``None`` takes the system's own.
        ratio: leaf oversubscription, down over up.
    """
    gpu = catalog.entry(gpu_id)
    system = _node(catalog.entry(system_id) if system_id else None)
    asked = catalog.entry(design_id) if design_id else None
    found = asked or _usual_design(catalog, gpu_id, system)
    own, source = _own_nic(gpu, system)
    refused = ""
    if found is not None:
        refused = _why_not(catalog, found, system, nic_gbit_s)
        if not refused:
            rate = nic_gbit_s or _design_nic(found, own)
            design = design_of(found, catalog).oversubscribed(ratio)
            names = (found.get(f"{tier}_switch") or found.get("leaf_switch") for tier in ("leaf", "spine", "core"))
            leaf, spine, core = (catalog.entry(name) for name in names)
            words = "set in this plan" if nic_gbit_s else f"{found.name}: {found.sources.get('', '')}"
            return PlannedFabric(
                design, found, asked, leaf, spine, core, rate, words, "", leaf.get("technology") == "ethernet"
            )
    rate = nic_gbit_s or own
    leaf = _switch(catalog, gpu, rate)
    design = generic(leaf, rate, system.gpus, system.nics or system.gpus, ratio)
    return PlannedFabric(
        design,
        None,
        asked,
        leaf,
        leaf,
        leaf,
        rate * max(1.0, (system.nics or system.gpus) / system.gpus) if not nic_gbit_s else rate,
        "set in this plan" if nic_gbit_s else source,
        refused,
        leaf.get("technology") == "ethernet",
    )


@dataclass(frozen=True)
class _Node:
    id: str
    name: str
    gpus: int
    nics: int
    nic_gbit_s: float
    source: str


def _node(system: Entry | None) -> _Node:
    gpus = gpus_per_node(system)
    if system is None:
        return _Node("", f"a node of {gpus} GPUs", gpus, 0, 0.0, "")
    return _Node(
        system.id,
        system.name,
        gpus,
        int(system.get("compute_nics") or 0),
        float(system.get("compute_nic_gbit_s") or 0),
        system.sources.get("compute_nic_gbit_s") or system.sources.get("", ""),
    )


def _usual_design(catalog: Catalog, gpu_id: str, system: _Node) -> Entry | None:
    designs = [d for d in catalog.of_kind("reference_design") if is_fabric_design(d) and "rails" in d.fields]
    same = [d for d in designs if d.get("node") == system.id]
    if same:
        return same[0]
    alike = [
        d
        for d in designs
        if catalog.entry(d.get("node")).get("gpu") == gpu_id and catalog.entry(d.get("node")).get("gpus") == system.gpus
    ]
    return alike[0] if alike else None


def _own_nic(gpu: Entry, system: _Node) -> tuple[float, str]:
    if system.nic_gbit_s:
        return system.nic_gbit_s, system.source
    generation = gpu.get("pcie_gen")
    if generation in PCIE_NIC_GBIT_S:
        return PCIE_NIC_GBIT_S[generation], f"estimate: the adapter that fills a PCIe {generation}.0 x16 slot"
    return UNKNOWN_NIC_GBIT_S, "estimate: one 400 Gb/s adapter a GPU; the catalogue knows neither adapter nor slot"


def _design_nic(design: Entry, own: float) -> float:
    return own if design.get("planes", 1) > 1 else float(design.get("port_gbit_s") or own)


def _why_not(catalog: Catalog, design: Entry, system: _Node, nic_gbit_s: float | None) -> str:
    if not is_fabric_design(design):
        return f"{design.name} says nothing of the compute fabric"
    node = catalog.entry(design.get("node"))
    if node.get("gpus") != system.gpus:
        return f"{design.name} is built of {node.name} with {node.get('gpus')} GPUs, {system.name} has {system.gpus}"
    rate = _design_nic(design, float(node.get("compute_nic_gbit_s") or UNKNOWN_NIC_GBIT_S))
    if nic_gbit_s and nic_gbit_s != rate:
        return f"{design.name} has {rate:g} Gb/s a GPU, the plan sets {nic_gbit_s:g} Gb/s"
    return ""


def design_of(entry: Entry, catalog: Catalog) -> RailDesign:
    """Return the numbers of a reference design of the catalogue."""
    node = catalog.entry(entry.get("node"))
    gpus = int(node.get("gpus"))
    links = int(node.get("compute_nics") or gpus)
    if "compute_switches" in entry.fields:
        ports = int(catalog.entry(entry.get("leaf_switch")).get("ports"))
        each = int(entry.get("inter_switch_links_per_node", links // 2))
        return RailDesign(
            links, 1, 1, ports, 2, ports // 2, ports // 2, ports, ports, ports // 2, ports // 2, ports, pair=each
        )
    if "leaf_downlinks" not in entry.fields:
        leaf = catalog.entry(entry.get("leaf_switch"))
        return generic(
            leaf, float(node.get("compute_nic_gbit_s")), gpus, links, 1.0, entry.get("rails", 1), entry.get("planes", 1)
        )
    rails, per_unit, ports = int(entry.get("rails")), int(entry.get("nodes_per_su")), int(entry.get("leaf_ports"))
    down, up = int(entry.get("leaf_downlinks")), int(entry.get("leaf_uplinks"))
    return RailDesign(
        links_per_node=links,
        rails=rails,
        planes=int(entry.get("planes", 1)),
        ports_of_unit=per_unit * links // rails,
        leaves_per_unit=int(entry.get("leaf_switches_per_su")),
        leaf_down=down,
        leaf_up=up,
        leaf_ports=ports,
        spine_ports=ports,
        spine_down=int(entry.get("spine_downlinks", ports // 2)),
        spine_up=int(entry.get("spine_uplinks", ports // 2)),
        core_ports=ports,
        unit_spines="spine_switches_per_su" in entry.fields,
        rail_isolated=bool(entry.get("rail_isolated_spine", False)),
        published_units=int(entry.get("largest_published_su") or entry.get("two_tier_max_su") or 1),
        manager_links=int(entry.get("in_fabric_manager_links", 4)),
        displaced=int(entry.get("in_fabric_manager_displaces_nodes", 1)),
    )


def generic(
    switch: Entry, nic_gbit_s: float, gpus: int, nics: int, ratio: float, rails: int | None = None, planes: int = 1
) -> RailDesign:
    """Return a rail-optimised fat tree of one kind of switch that breaks out to the adapters' rate.

    An adapter faster than a port is split over planes. A rail is one adapter of each node, or of each tray of a rack.
    """
    planes = max(planes, math.ceil(nic_gbit_s / float(switch.get("port_gbit_s"))))
    ports = breakout_ports(switch, nic_gbit_s / planes)
    down = max(1, min(ports - 1, math.floor(ports * ratio / (1 + ratio) + 1e-9)))
    rails = rails or (nics if nics <= 16 else next(r for r in (8, 4, 2, 1) if nics % r == 0))
    up = min(ports - down, max(1, math.ceil(down / ratio - 1e-9)))
    half = ports // 2
    return RailDesign(
        nics, rails, planes, down, rails, down, up, ports, ports, half, ports - half, ports, published_units=0
    )


def breakout_ports(switch: Entry, link_gbit_s: float) -> int:
    """Return the ports of one rate that a switch splits to; at least its own where the link is no slower."""
    ports, rate = int(switch.get("ports")), float(switch.get("port_gbit_s"))
    split = min(int(rate // link_gbit_s) or 1, int(switch.get("max_split") or (8 if rate >= 800 else 1)))
    if switch.get("technology") != "ethernet":
        split = 1
    return ports * split


def _switch(catalog: Catalog, gpu: Entry, nic_gbit_s: float) -> Entry:
    if gpu.get("vendor") != "NVIDIA":
        return catalog.entry(ETHERNET_VENDORS.get(str(gpu.get("vendor")), ETHERNET_VENDORS["AMD"]))
    for name in NVIDIA_SWITCHES:
        if catalog.entry(name).get("port_gbit_s") == nic_gbit_s:
            return catalog.entry(name)
    return catalog.entry(ETHERNET_SWITCH)
