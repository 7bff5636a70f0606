"""The other networks of a cluster and its bill of materials: ratios from published bills.

Where a design prints no bill, the H100 SuperPOD's ratio for each GPU is taken: an estimate, and said to be one.
"""

from __future__ import annotations

import math

from wattsweights_gui.engine.declare import Entry, equation
from wattsweights_gui.engine.equations.rail_designs import Counts

_BILL = "NVIDIA DGX SuperPOD H100, RA-11333-001 V11, tables 7 and 8"


@equation("switches = ⌈units × switches a unit⌉", "count", "the design's bill of materials")
def per_unit(units: float, each: float) -> int:
    """Return the switches of a network that a bill gives for each scalable unit."""
    return math.ceil(units * each - 1e-9)


@equation("switches = ⌈GPUs / GPUs of an H100 unit × its switches⌉ (estimate)", "count", _BILL)
def as_in_h100(gpus: float, gpus_of_unit: float, each: float) -> int:
    """Return the switches of a network by the ratio of the H100 SuperPOD."""
    return math.ceil(gpus / gpus_of_unit * each - 1e-9)


@equation("switches = nodes × switches a node", "count", "inside the rack-scale system")
def per_node(nodes: float, each: float) -> int:
    """Return the switches that come with each rack-scale system."""
    return int(nodes * each)


@equation("switches = ⌈nodes / nodes a switch⌉", "count", "DGX BasePOD, RA-11127-001 V5")
def nodes_per_switch(nodes: float, each: float) -> int:
    """Return the switches where each serves so many nodes."""
    return math.ceil(nodes / each)


@equation("switches = in-band + out-of-band", "count")
def both_networks(inband: float, oob: float) -> int:
    """Return the switches of the two management networks."""
    return int(inband + oob)


@equation("racks = ⌈nodes / nodes a rack⌉", "count")
def compute_racks(nodes: float, nodes_per_rack: float) -> int:
    """Return the racks that nodes fill."""
    return math.ceil(nodes / nodes_per_rack)


@equation("racks = ⌈rack units of switches and appliances / 16⌉", "count", f"{_BILL}: 92 U in 6 racks")
def network_racks(rack_units: float, units_per_rack: float = 16) -> int:
    """Return the racks of switches and appliances, as sparsely filled as the published design."""
    return math.ceil(rack_units / units_per_rack)


def bill(design: Entry, counts: Counts, cages: int) -> dict[str, float]:
    """Return the pieces of a reference design by name, those that its catalogue entry lets one count.

    Args:
        design: the reference design.
        counts: of its compute fabric.
        cages: twin-port cages of one compute switch.
    """
    nodes, units = counts.nodes, counts.units
    switches = counts.leaf_switches + counts.spine_switches + counts.core_switches
    manager = counts.manager_leaf_cables
    pieces: dict[str, float] = {
        "compute_switches": switches,
        "compute_leaf_switches": counts.leaf_switches,
        "compute_spine_switches": counts.spine_switches,
        "compute_core_switches": counts.core_switches,
        "switch_twin_transceivers": switches * cages,
        "node_twin_transceivers": counts.node_leaf_cables / 2,
        "switch_node_transceivers": counts.node_leaf_cables / 2,
        "compute_fibre_cables": counts.node_leaf_cables + counts.leaf_spine_cables + counts.spine_core_cables,
        "ufm_compute_twin_transceivers": manager,
    }
    for name in ("inband", "oob", "storage"):
        links = design.get(f"{name}_links_per_node")
        if links is not None:
            pieces[f"{name}_node_cables"] = nodes * links
        each = design.get(f"{name}_switches_per_su")
        if each is not None:
            pieces[f"{name}_switches"] = per_unit(units, each)
    if "storage_node_cables" in pieces:
        pieces["storage_node_transceivers"] = pieces["storage_node_cables"]
        if design.get("storage_inner_links_per_su") is not None:
            pieces["storage_cables_total"] = pieces["storage_node_cables"] + units * design.get(
                "storage_inner_links_per_su"
            )
    for name in ("inband_switches", "management_servers", "ufm_appliances"):
        if design.get(name) is not None:
            pieces[name] = design.get(name)
    if design.get("oob_links_fixed") is not None:
        pieces["oob_copper_cables"] = nodes * design.get("oob_links_per_node") + design.get("oob_links_fixed")
        pieces.pop("oob_node_cables", None)
    if design.get("oob_nodes_per_switch") is not None:
        pieces["oob_switches"] = nodes_per_switch(nodes, design.get("oob_nodes_per_switch"))
    if design.get("inter_switch_twin_cables_per_node") is not None:
        pieces["compute_isl_twin_dac"] = nodes * design.get("inter_switch_twin_cables_per_node")
        pieces["compute_fibre_cables"] = counts.node_leaf_cables
    return pieces


def racked(design: Entry, pieces: dict[str, float], nodes: int, rack_units: float) -> dict[str, float]:
    """Return racks and their power strips, beside :func:`bill`.

    Args:
        design: the reference design.
        pieces: from :func:`bill`.
        nodes: compute nodes.
        rack_units: of all switches and appliances.
    """
    options = design.get("nodes_per_rack_options")
    if not options:
        return {}
    compute = compute_racks(nodes, max(options))
    network = network_racks(rack_units, design.get("network_rack_units", 16))
    found: dict[str, float] = {"compute_racks": compute, "network_racks": network, "racks": compute + network}
    if design.get("compute_rack_pdus") is not None:
        found["compute_rack_pdus"] = compute * design.get("compute_rack_pdus")
        found["management_rack_pdus"] = network * design.get("network_rack_pdus", 0)
    return found
