"""Predicts the published rows on fabrics: counts, bandwidths, hops, blocks, ranks."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from wattsweights_gui.engine.declare import Entry
from wattsweights_gui.engine.equations import busbw, clos, clos_bill
from wattsweights_gui.engine.equations.rail_designs import Counts, RailDesign, count
from wattsweights_gui.engine.evidence import Prediction
from wattsweights_gui.engine.evidence.fabric_small import SMALL
from wattsweights_gui.engine.planned_fabric import Catalog, design_of

SMALLEST_FITTED_BYTES = 16 * 2**20
Inputs = Mapping[str, Any]


def predict(row: Mapping[str, Any], catalog: Catalog) -> Prediction:
    """Predict one row from its inputs alone.

    Args:
        row: with ``table``, ``quantity`` and ``inputs``; its published value is not looked at.
        catalog: the hardware that inputs name.
    """
    table, quantity, inputs = row["table"], row["quantity"], row.get("inputs") or {}
    by_catalog = _BY_CATALOG.get(table)
    try:
        if by_catalog is not None:
            return by_catalog(quantity, inputs, catalog)
        if table in SMALL:
            value = SMALL[table](quantity, inputs)
            return Prediction(None, f"no equation for {quantity}") if value is None else Prediction(float(value))
    except KeyError as missing:
        return Prediction(None, f"the row does not give {missing.args[0]}, or the catalogue does not know it")
    except ValueError as problem:
        return Prediction(None, str(problem))
    return Prediction(None, f"no equation for the table {table}")


def _sized(inputs: Inputs, catalog: Catalog) -> tuple[Entry, RailDesign, Counts]:
    entry = catalog.entry(inputs["reference_design"])
    design = design_of(entry, catalog)
    inside = inputs.get("fabric_manager", "none") != "none"
    if "nodes" in inputs:
        nodes = int(inputs["nodes"])
    elif "gpus" in inputs:
        nodes = int(clos.nodes_for(inputs["gpus"], entry.get("gpus_per_node")))
    else:
        nodes = int(inputs["scalable_units"]) * int(entry.get("nodes_per_su"))
        nodes -= design.displaced if inside else 0
    return entry, design, count(design, nodes, inside)


def _design_counts(quantity: str, inputs: Inputs, catalog: Catalog) -> Prediction:
    entry, _, counts = _sized(inputs, catalog)
    node = catalog.entry(entry.get("node"))
    values: dict[str, float] = {
        "nodes": counts.nodes,
        "compute_trays": counts.nodes * int(node.get("compute_trays") or 1),
        "gpus": counts.nodes * int(node.get("gpus")),
        "scalable_units": counts.units,
        "leaf_switches": counts.leaf_switches,
        "spine_switches": counts.spine_switches,
        "core_switches": counts.core_switches,
        "switches": counts.leaf_switches + counts.spine_switches + counts.core_switches,
        "node_leaf_cables": counts.node_leaf_cables,
        "manager_leaf_cables": counts.manager_leaf_cables,
        "node_and_manager_leaf_cables": counts.node_leaf_cables + counts.manager_leaf_cables,
        "leaf_spine_cables": counts.leaf_spine_cables,
        "spine_core_cables": counts.spine_core_cables,
    }
    assumed = "a fourth tier in closed form: an estimate" if counts.tiers == 4 else ""
    return Prediction(values[quantity], assumed=assumed)


def _bom_counts(quantity: str, inputs: Inputs, catalog: Catalog) -> Prediction:
    entry, _, counts = _sized(inputs, catalog)
    cages = int(catalog.entry(entry.get("leaf_switch")).get("cages") or 0)
    pieces = clos_bill.bill(entry, counts, cages)
    pieces |= clos_bill.racked(entry, pieces, counts.nodes, _rack_units(entry, pieces, catalog))
    if quantity not in pieces:
        return Prediction(None, f"{entry.name} prints no rule for {quantity.replace('_', ' ')}")
    return Prediction(pieces[quantity])


def _rack_units(entry: Entry, pieces: Mapping[str, float], catalog: Catalog) -> float:
    counted = {
        entry.get("leaf_switch"): pieces["compute_switches"],
        "ufm_3_1_appliance": pieces.get("ufm_appliances", 0),
    }
    for name in ("storage", "inband", "oob"):
        switch = entry.get(f"{name}_switch")
        if switch is not None:
            counted[switch] = counted.get(switch, 0) + pieces.get(f"{name}_switches", 0)
    return sum(float(catalog.entry(name).get("rack_units") or 1) * number for name, number in counted.items())


def _switch_hops(quantity: str, inputs: Inputs, catalog: Catalog) -> Prediction:
    _, design, counts = _sized(inputs, catalog)
    rail, unit = inputs["same_rail"], inputs["same_scalable_unit"]
    if counts.tiers == 1 or (rail and unit and counts.leaf_switches > 1):
        return Prediction(1)
    if not rail and design.rail_isolated:
        return Prediction(None, "rails meet only through NVLink inside a node")
    within = counts.tiers == 2 or (rail and counts.parts == 1)
    return Prediction(3 if within else 5)


def _rack_power(quantity: str, inputs: Inputs, catalog: Catalog) -> Prediction:
    power = catalog.entry(inputs["system"]).get("power_max_kw")
    if power is None:
        return Prediction(None, "the catalogue does not know the system's maximum power")
    each = inputs.get("systems_per_rack", 1)
    assumed = "" if "systems_per_rack" in inputs else "one system a rack; switches and storage are not counted"
    return Prediction(power * each * inputs.get("racks", 1), assumed=assumed)


def _collective_busbw(quantity: str, inputs: Inputs, catalog: Catalog) -> Prediction:
    generation = next((e for e in catalog.of_kind("scale_up_generation") if e.id == inputs.get("scale_up_link")), None)
    link = busbw.Link.of(generation)
    ranks, domains = int(inputs["gpus"]), int(inputs["domains"])
    collective, algorithm = inputs["collective"], inputs.get("algorithm", "auto")
    plateau = busbw.plateau_gb_s(
        link,
        float(inputs["scale_up_uni_gb_s_per_gpu"]),
        float(inputs["scale_out_gb_s_per_gpu"]),
        ranks,
        domains,
        collective,
        algorithm,
        bool(inputs.get("in_network_reduction", False)),
    )
    size = inputs.get("message_bytes")
    if size is None:
        return Prediction(plateau, assumed="a message large enough for the plateau")
    start = busbw.start_s(link, ranks, domains, collective)
    value = float(busbw.busbw_gb_s(busbw.bus_factor(collective, ranks), float(size), start, plateau))
    notes = [] if link.fitted else ["efficiencies of a link that nothing was fitted on"]
    if size < SMALLEST_FITTED_BYTES:
        notes.append("below 16 MiB, where protocol switches rule and nothing was fitted")
    return Prediction(value, assumed="; ".join(notes))


def _custom_fabric(quantity: str, inputs: Inputs, catalog: Catalog) -> Prediction:
    products = {
        "gpus": ("pods", "racks_per_pod", "nodes_per_rack", "gpus_per_node"),
        "nodes": ("pods", "racks_per_pod", "nodes_per_rack"),
        "racks": ("pods", "racks_per_pod"),
        "gpus_per_rack": ("nodes_per_rack", "gpus_per_node"),
        "gpus_per_pod": ("racks_per_pod", "nodes_per_rack", "gpus_per_node"),
    }
    if quantity in products:
        return Prediction(math.prod(inputs[name] for name in products[quantity]))
    if quantity == "nodes_per_leaf_set":
        links = inputs["gpus_per_node"] * inputs.get("nics_per_gpu", 1) / inputs.get("rails", 1)
        return Prediction(inputs["leaf_down_ports"] * inputs.get("leaf_down_split", 1) // links)
    segments = math.ceil(inputs["gpus"] / inputs.get("gpus_per_segment", inputs["gpus"]))
    if quantity == "segments":
        return Prediction(segments)
    return Prediction(_custom_switches(quantity, inputs, segments))


def _custom_switches(quantity: str, inputs: Inputs, segments: int) -> float:
    rails, planes = inputs.get("rails", 1), inputs.get("planes", 1)
    ratio = inputs.get("oversubscription", 1.0)
    if "leaf_down_ports" in inputs:
        down = inputs["leaf_down_ports"] * inputs.get("leaf_down_split", 1)
        up = inputs.get("leaf_up_ports", math.ceil(down / ratio))
    else:
        ports = _ports(inputs, inputs["nic_gbit_s"] / planes)
        down = clos.leaf_down_ports(ports, ratio)
        up = ports - down
    in_segment = min(inputs["gpus"], inputs.get("gpus_per_segment", inputs["gpus"]))
    of_rail = math.ceil(in_segment * inputs.get("nics_per_gpu", 1) / rails / down)
    leaf = segments * clos.leaf_switches(of_rail, rails, planes)
    if quantity == "leaf_switches":
        return float(leaf)
    if quantity != "spine_switches":
        raise ValueError(f"no equation for {quantity}")
    groups = planes * (1 if inputs.get("spine_shared_by_rails", True) else rails)
    rate = inputs["leaf_up_gbit_s"] if "leaf_up_gbit_s" in inputs else inputs["nic_gbit_s"] / planes
    return float(groups * clos.spines_two_tiers(leaf // groups, up, _ports(inputs, rate)))


def _ports(inputs: Inputs, gbit_s: float) -> int:
    if "switch_tbit_s" in inputs:
        return int(inputs["switch_tbit_s"] * 1000 / gbit_s)
    return int(inputs["switch_ports"])


_BY_CATALOG: dict[str, Callable[[str, Inputs, Catalog], Prediction]] = {
    "design_counts": _design_counts,
    "bom_counts": _bom_counts,
    "custom_fabric": _custom_fabric,
    "switch_hops": _switch_hops,
    "rack_power": _rack_power,
    "collective_busbw": _collective_busbw,
}
