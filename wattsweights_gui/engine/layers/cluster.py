"""Cluster: nodes, scalable units, switches and cables"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

from wattsweights_gui.engine import units
from wattsweights_gui.engine.cluster_networks import Networks, networks_of
from wattsweights_gui.engine.declare import (
    Entry,
    Figure,
    Finding,
    LayerInputs,
    LayerResult,
    Sized,
    Table,
    calc,
    constant,
    equation,
    result,
    results,
    results_of,
    setting,
    stated,
    unknown,
)
from wattsweights_gui.engine.equations import clos, clos_bill
from wattsweights_gui.engine.equations.rail_designs import Counts, count
from wattsweights_gui.engine.equations.systems import GENERIC_GPUS_PER_NODE, system_for
from wattsweights_gui.engine.fabric_tables import no_tables, wired_tables
from wattsweights_gui.engine.planned_fabric import PlannedFabric, fabric_of

RACK_UNITS = 48
RACK_UNITS_FOR_NODES = 44
GENERIC_NODES_PER_RACK = 4

NAME = "cluster"
TITLE = "Cluster"
ABOUT = "nodes, scalable units, switches and cables"


class Inputs(LayerInputs):
    """Which system and how it is racked."""

    system: str | None = setting(
        None,
        title="System",
        help="The server or rack-scale system.",
        catalog="system",
        when_none="the one for this GPU",
    )
    nodes_per_rack: int | None = setting(
        None,
        title="Nodes a rack",
        help="Compute nodes in one rack.",
        hard=(1, 64),
        when_none="the reference design's densest",
    )
    spare_nodes_pct: float = setting(
        0.0,
        title="Spare nodes",
        unit="pct",
        help="Nodes beside those that the job uses.",
        source="none; 5 to 10 % is the usual advice (S. Bekman)",
        hard=(0, 100),
        usual=(0, 15),
    )
    fabric_manager: Literal["none", "in_compute_fabric"] = setting(
        "none",
        title="Fabric manager",
        help="UFM inside the compute fabric takes four leaf ports and displaces a node.",
        source="DGX SuperPOD tables for larger sizes",
        choices={"none": "On its own", "in_compute_fabric": "In the compute fabric"},
    )


class Result(LayerResult):
    """What follows."""

    nodes: Figure = result("Nodes", "count", "Compute nodes, spares included.", headline=True, short="Nodes")
    gpus: Figure = result("GPUs installed", "count", "GPUs of all nodes, spares included.")
    scalable_units: Figure = result("Scalable units", "count", "Whole units needed.", headline=True, short="Units")
    leaf_switches: Figure = result("Leaf switches", "count", "Of the compute fabric.", headline=True, short="Leaves")
    spine_switches: Figure = result("Spine switches", "count", "Of the compute fabric.")
    core_switches: Figure = result("Core switches", "count", "Of the compute fabric; 0 in two tiers.")
    node_leaf_cables: Figure = result("Cables node to leaf", "count", "Of the compute fabric.")
    leaf_spine_cables: Figure = result("Cables leaf to spine", "count", "Of the compute fabric.")
    spine_core_cables: Figure = result("Cables spine to core", "count", "Of the compute fabric.")
    storage_switches: Figure = result("Storage switches", "count", "Of the storage fabric.")
    management_switches: Figure = result("In-band and out-of-band switches", "count", "Management networks.")
    nodes_per_rack: Figure = result("Nodes a rack", "count", "As planned.")
    compute_racks: Figure = result("Compute racks", "count", "Racks with compute nodes.")
    network_racks: Figure = result("Network racks", "count", "Racks with switches and management servers.")
    tiers: Figure = result("Tiers", "count", "Switch tiers of the compute fabric.")
    ufm_cables: Figure = result("Cables fabric manager", "count", "Leaf ports that the fabric manager takes.")
    system: Figure = result("System", "text", "Catalogue name of the server or rack-scale system.")
    switch_power_kw: Figure = result(
        "Switches, maximum", "kw", "All switches of all networks, at their maximum; not those that systems bring along."
    )
    switch_power_typical_kw: Figure = result("Switches, typical", "kw", "All switches of all networks, as typical.")
    network_rack_kw: Figure = result(
        "Fullest network rack", "kw", "Maximum draw of a rack that is filled with the switches that draw most."
    )
    link_tiers: Table = result("Links of each tier", "", "The wired compute fabric, tier by tier.")
    port_use: Table = result("Ports in use", "", "Ports of each kind of device, and how many have a link.")
    faults: Table = result("What one fault takes", "", "One cable, optic, leaf, spine or core that fails.")


def size(inputs: Inputs, up: Any) -> Sized:
    """Size the layer: nodes, switches and cables by the one rule of the reference designs, racks, switch power."""
    gpus = up.parallelism.gpus
    if not gpus.known:
        return _unknown(gpus)
    gpu: Entry = up.entry(up.inputs("compute").gpu)
    system = system_for(gpu, up.catalog, inputs.system)
    each = _gpus_per_node(system)
    job = calc(clos.nodes_for, title="Nodes of the job", gpus=gpus, gpus_per_node=each)
    nodes = calc(clos.nodes_with_spares, title="Nodes", nodes=job, spare_pct=inputs.fig("spare_nodes_pct"))
    inside = inputs.fabric_manager == "in_compute_fabric"
    fabric = fabric_of(up).for_nodes(int(nodes.number), inside)
    counts = count(fabric.design, int(nodes.number), inside)
    installed = calc(_gpus_of, title="GPUs installed", nodes=nodes, gpus_per_node=each)
    switches = _switches(fabric, counts, nodes)
    networks = networks_of(up.catalog, fabric, system, counts, nodes, installed, switches)
    per_rack = _nodes_per_rack(inputs, fabric, system)
    outcome = results(
        Result,
        nodes=nodes,
        gpus=installed,
        **switches,
        storage_switches=networks.storage,
        management_switches=networks.management,
        nodes_per_rack=per_rack,
        compute_racks=calc(clos_bill.compute_racks, nodes=nodes, nodes_per_rack=per_rack),
        network_racks=networks.racks,
        system=_system(system),
        switch_power_kw=networks.power_kw,
        switch_power_typical_kw=networks.typical_kw,
        network_rack_kw=networks.fullest_rack_kw,
        **wired_tables(fabric.design, int(nodes.number), inside, fabric.nic_gbit_s / fabric.design.planes),
    )
    found = _findings(inputs, gpu, system, fabric, counts, gpus, each, per_rack, networks)
    return Sized(outcome, tuple(found))


def _unknown(gpus: Figure) -> Sized:
    reason = gpus.formula or "the number of GPUs is not known"
    figures: dict[str, Any] = {n: unknown(reason, about.unit) for n, about in results_of(Result).items()}
    return Sized(results(Result, **(figures | no_tables())))


def _gpus_per_node(system: Entry | None) -> Figure:
    if system is not None and system.get("gpus") is not None:
        return system.fig("gpus", "count", "GPUs")
    source = "HGX and OAM baseboards carry 8; the catalogue has no server for this GPU"
    return constant("gpus_per_node", GENERIC_GPUS_PER_NODE, "count", "GPUs of a generic node", source)


@equation("GPUs = nodes × GPUs a node", "count")
def _gpus_of(nodes: float, gpus_per_node: float) -> int:
    return int(nodes * gpus_per_node)


def _system(system: Entry | None) -> Figure:
    if system is None:
        return unknown("the catalogue has no server for this GPU: a generic node of 8 is counted", "text")
    formula = "the system that was chosen, or the first of the catalogue that is built of this GPU"
    return stated(system.id, "text", formula=formula, source=system.sources.get("", ""))


def _switches(fabric: PlannedFabric, counts: Counts, nodes: Figure) -> dict[str, Figure]:
    """Return the counts of the compute fabric as figures that say how they came about."""
    design, has = fabric.design, _design_figures(fabric)
    source = has["uplinks"].source
    planes, uplinks, ports = has["planes"], has["uplinks"], has["ports"]
    units_of = calc(
        clos.scalable_units,
        title="Scalable units",
        nodes=nodes,
        displaced=has["displaced"] if counts.manager_leaf_cables else 0,
        links_per_rail=has["links_per_rail"],
        ports_of_unit=has["ports_of_unit"],
    )
    node_leaf = calc(clos.node_cables, nodes=nodes, links_per_node=has["links"], planes=planes)
    manager = has["manager"] if counts.manager_leaf_cables else Figure(0, "count", "Links of the fabric manager")
    found = {
        "scalable_units": units_of,
        "tiers": stated(counts.tiers, "count", formula="as many as join all leaves", leaf_ports=ports, units=units_of),
        "node_leaf_cables": node_leaf,
        "ufm_cables": stated(manager.value, "count", formula="taken where it sits in the fabric", links=manager),
    }
    if counts.tiers == 1:
        words = "two switches, each node split over both" if design.pair else "all links of the nodes end on one switch"
        leaf = stated(counts.leaf_switches, "count", formula=words, planes=planes, ports=ports, cables=node_leaf)
        between = "links between the pair: half of the nodes' links" if design.pair else "no tier above"
        found["leaf_switches"] = leaf
        found["leaf_spine_cables"] = stated(counts.leaf_spine_cables, "count", formula=between, nodes=nodes)
        for name in ("spine_switches", "core_switches", "spine_core_cables"):
            found[name] = stated(0, "count", formula="no tier above")
        return found
    leaf = calc(
        clos.leaf_switches, title="Leaf switches", units=units_of, leaves_per_unit=has["leaves_per_unit"], planes=planes
    )
    leaf_spine = calc(clos.uplink_cables, title="Cables leaf to spine", switches=leaf, uplinks=uplinks)
    found |= {"leaf_switches": leaf, "leaf_spine_cables": leaf_spine}
    found["spine_switches"] = spine = stated(
        counts.spine_switches,
        "count",
        "Spine switches",
        formula=_spine_rule(fabric, counts),
        source=source,
        leaf_switches=leaf,
        uplinks=uplinks,
        spine_ports=ports,
    )
    rule = {2: "two tiers join all leaves", 3: _CORE_RULE, 4: _ESTIMATE}[counts.tiers]
    found["core_switches"] = core = stated(
        counts.core_switches, "count", "Core switches", formula=rule, source=source, spine_switches=spine
    )
    found["spine_core_cables"] = stated(
        counts.spine_core_cables,
        "count",
        formula="spines × cores of a position × links of each pair" if counts.tiers == 3 else rule,
        spine_switches=spine,
        core_switches=core,
    )
    return found


@lru_cache(maxsize=64)
def _design_figures(fabric: PlannedFabric) -> dict[str, Figure]:
    """Return the numbers of the design as figures. Pure: remembered."""
    design, where = fabric.design, fabric.reference or fabric.leaf
    source = where.sources.get("leaf_downlinks") or where.sources.get("", "")

    def of_design(name: str, value: float, title: str) -> Figure:
        return Figure(value, "count", title, f"catalog.{where.id}.{name}", source=source)

    return {
        "planes": of_design("planes", design.planes, "Planes"),
        "links": of_design("links_per_node", design.links_per_node, "Links of a node, one plane"),
        "uplinks": of_design("leaf_uplinks", design.leaf_up, "Uplinks of a leaf"),
        "ports": of_design("leaf_ports", design.spine_ports, "Ports of a spine"),
        "displaced": of_design(
            "in_fabric_manager_displaces_nodes", design.displaced, "Nodes that the manager displaces"
        ),
        "links_per_rail": of_design("links_per_rail", design.links_per_rail, "Links of a node on one rail"),
        "ports_of_unit": of_design("ports_of_unit", design.ports_of_unit, "Node ports of a unit on one rail"),
        "leaves_per_unit": of_design("leaf_switches_per_su", design.leaves_per_unit, "Leaves of a unit"),
        "manager": of_design("in_fabric_manager_links", design.manager_links, "Links of the fabric manager"),
    }


_CORE_RULE = (
    "for each spine position, the smallest divisor of a spine's uplinks that has ports for the links of all groups"
)
_ESTIMATE = "estimate: three tiers of these switches are too small, a fourth is counted in closed form"


def _spine_rule(fabric: PlannedFabric, counts: Counts) -> str:
    if counts.tiers == 4:
        return _ESTIMATE
    divisor = "smallest divisor of a leaf's uplinks that has ports for all of them"
    if counts.tiers == 2:
        where = ", for each rail, times rails" if fabric.design.rail_isolated else ""
        return f"{divisor}{where}: {counts.leaf_spine_links} links of each leaf to each spine"
    return (
        f"{divisor}, for each of {counts.parts} parts of a rail with at most {counts.part_leaves} leaves, times rails"
    )


def _nodes_per_rack(inputs: Inputs, fabric: PlannedFabric, system: Entry | None) -> Figure:
    if inputs.nodes_per_rack is not None:
        return inputs.fig("nodes_per_rack")
    if system is not None and system.get("compute_trays"):
        trays = system.fig("compute_trays", "count", "compute trays")
        return stated(1, "count", "Nodes a rack", formula="the system is a whole rack", trays=trays)
    options = fabric.reference.get("nodes_per_rack_options") if fabric.reference else None
    if options and fabric.reference:
        source = fabric.reference.sources.get("nodes_per_rack_options", "")
        return stated(max(options), "count", "Nodes a rack", formula="densest of the design's options", source=source)
    units_u = float(system.get("rack_units") or 0) if system else 0.0
    fit = int(RACK_UNITS_FOR_NODES // units_u) if units_u else GENERIC_NODES_PER_RACK
    formula = "estimate: four, as in the reference designs, or what a 48 U rack holds"
    return stated(max(1, min(fit, GENERIC_NODES_PER_RACK)), "count", "Nodes a rack", formula=formula)


def _findings(
    inputs: Inputs,
    gpu: Entry,
    system: Entry | None,
    fabric: PlannedFabric,
    counts: Counts,
    gpus: Figure,
    each: Figure,
    per_rack: Figure,
    networks: Networks,
) -> list[Finding]:
    found: list[Finding] = []
    more: dict[str, Any]

    def add(id: str, severity: Any, subject: str, message: str, source: str = "", **more: Any) -> None:
        found.append(Finding(f"cluster.{id}", severity, subject, message, source, **more))

    if system is None:
        add("no_system", "note", "compute.gpu", f"The catalogue has no server for {gpu.name}: nodes of 8 are counted.")
    elif system.get("gpu") not in (None, gpu.id):
        built = f"{system.name} is built of {system.get('gpu')}, the plan's GPU is {gpu.name}."
        more = {"fix": (("cluster.system", None),), "fix_title": "Take the system of this GPU"}
        add("system_mismatch", "caution", "cluster.system", built, system.sources.get("gpu", ""), **more)
    rest = int(gpus.number % each.number)
    if rest:
        empty = int(each.number) - rest
        text = f"{gpus.text()} GPUs do not fill whole nodes of {each.text()}: the last node has {empty} idle."
        add("partial_node", "note", "parallelism.gpus", text)
    _fabric_findings(add, inputs, fabric, counts)
    if system is not None and system.get("rack_units") and not system.get("compute_trays"):
        height = system.get("rack_units") * per_rack.number
        if height > RACK_UNITS:
            text = (
                f"{per_rack.text()} nodes of {system.get('rack_units')} U are {units.text(height, 'u')}: "
                f"a rack of {RACK_UNITS} U does not hold them."
            )
            fits = max(1, int(RACK_UNITS_FOR_NODES // system.get("rack_units")))
            fix = (("cluster.nodes_per_rack", fits),)
            source = system.sources.get("rack_units", "")
            add(
                "rack_height",
                "blocker",
                "cluster.nodes_per_rack",
                text,
                source,
                fix=fix,
                fix_title=f"{fits} nodes a rack",
            )
    if networks.power_gaps:
        severity = "caution" if "left out" in networks.power_gaps else "note"
        add("switch_power", severity, "fabric.design", networks.power_gaps)
    return found


def _fabric_findings(add: Any, inputs: Inputs, fabric: PlannedFabric, counts: Counts) -> None:
    reference, design = fabric.reference, fabric.design
    if fabric.outgrown:
        more = {"fix": (("fabric.design", None),), "fix_title": "Take the design of this GPU"}
        add("outgrown", "caution", "fabric.design", fabric.outgrown, **(more if fabric.asked else {}))
    if counts.tiers == 4:
        most = clos.max_endpoints(design.leaf_ports, 3)
        text = (
            f"{units.number(counts.node_leaf_cables)} links are more than three tiers of {design.leaf_ports}-port "
            f"switches join ({units.number(most)}): the switch counts are an estimate with a fourth tier."
        )
        add("too_large", "blocker", "fabric.design", text, fabric.leaf.sources.get("ports", ""))
    elif reference is not None:
        nodes, units_known = reference.get("largest_published_nodes"), reference.get("largest_published_su")
        if (nodes and counts.nodes > nodes) or (units_known and counts.units > units_known):
            had = f"{counts.nodes} nodes" if nodes else f"{counts.units} scalable units"
            most_text = f"{nodes} nodes" if nodes else f"{units_known} units"
            text = f"{had} are more than the {most_text} that {reference.name} prints; its rule is carried on."
            source = reference.sources.get("largest_published_su") or reference.sources.get("", "")
            add("beyond_published", "caution", "fabric.design", text, source)
        per_unit = reference.get("nodes_per_su")
        if (
            per_unit
            and counts.nodes + (design.displaced if counts.manager_leaf_cables else 0) < counts.units * per_unit
        ):
            empty = counts.units * per_unit - counts.nodes
            text = (
                f"The last scalable unit has {empty} empty places for nodes: "
                "its leaves, spines and their cables are bought whole."
            )
            add("partial_unit", "note", "cluster.nodes", text, reference.sources.get("nodes_per_su", ""))
    if design.rail_isolated and reference is not None and counts.spine_switches > design.leaf_up:
        text = (
            f"{counts.spine_switches} spines are more than the {design.leaf_up} uplinks of a leaf: rails do not meet "
            "at the spines, so traffic between rails has to go through NVLink in the node."
        )
        add("rails_apart", "note", "fabric.design", text, reference.sources.get("rail_isolated_spine", ""))
    if counts.manager_leaf_cables and count(design, counts.nodes, False).units < counts.units:
        text = (
            f"The fabric manager takes {design.manager_links} leaf ports and the place of a node, so {counts.nodes} "
            f"nodes need {counts.units} scalable units instead of {counts.units - 1}."
        )
        more = {"fix": (("cluster.fabric_manager", "none"),), "fix_title": "Fabric manager on its own"}
        add("manager_unit", "caution", "cluster.fabric_manager", text, **more)
