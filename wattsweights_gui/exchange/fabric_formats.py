"""Formats in which the fabric of a plan goes out, by name."""

from __future__ import annotations

from collections.abc import Callable

from wattsweights_gui.exchange import cable_files, graph_files, rank_files
from wattsweights_gui.exchange import slurm_topology as slurm
from wattsweights_gui.layout.planned_cabling import PlannedCabling


def _makers(plan: PlannedCabling) -> dict[str, tuple[str, str]]:
    entries = {device.entry for rack in plan.placements.racks for device in plan.placements.inside(rack.id)}
    found = {}
    for id in entries:
        entry = plan.entries.get(id)
        if entry is not None:
            found[id] = (str(entry.get("vendor") or "Unknown"), entry.name)
    return found


def _blocks(plan: PlannedCabling) -> tuple[slurm.TreeSwitch, ...]:
    return slurm.blocks_of(plan.wiring, plan.hosts_per_node)


def _units(plan: PlannedCabling) -> tuple[slurm.TreeSwitch, ...]:
    return slurm.units_of(plan.wiring, plan.hosts_per_node)


# name -> (what it is, writer)
FORMATS: dict[str, tuple[str, Callable[[PlannedCabling], str]]] = {
    "cables-csv": ("cable schedule", lambda p: cable_files.cable_csv(p.cabling)),
    "slurm-tree": ("Slurm topology.conf, tree", lambda p: slurm.tree_conf(_units(p))),
    "slurm-tree-yaml": ("Slurm topology.yaml, tree", lambda p: slurm.tree_yaml(_units(p))),
    "slurm-block": ("Slurm topology.conf, blocks", lambda p: slurm.block_conf(_blocks(p))),
    "slurm-block-yaml": ("Slurm topology.yaml, blocks", lambda p: slurm.block_yaml(_blocks(p))),
    "graphml": ("GraphML", lambda p: graph_files.graphml(p.wiring, p.cabling.gbit_s)),
    "dot": ("graphviz DOT", lambda p: graph_files.dot(p.wiring, p.cabling.gbit_s)),
    "netbox-racks": ("NetBox racks, CSV", lambda p: cable_files.netbox_racks(p.placements, p.site)),
    "netbox-devices": (
        "NetBox devices, CSV",
        lambda p: cable_files.netbox_devices(p.placements, p.site, _makers(p)),
    ),
    "netbox-cables": ("NetBox cables, CSV", lambda p: cable_files.netbox_cables(p.cabling)),
    "hostfile": ("hosts in rank order", lambda p: rank_files.host_file(p.wiring, p.gpus_per_node, p.hosts_per_node)),
    "rankfile": ("ranks by host and GPU", lambda p: rank_files.rank_file(p.wiring, p.gpus_per_node, p.hosts_per_node)),
}
