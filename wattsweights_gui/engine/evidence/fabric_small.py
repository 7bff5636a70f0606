"""Rows on fabrics that need no catalogue: closed forms, sums of links, blocks, ranks, bytes of collectives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from wattsweights_gui.engine.equations import busbw, clos, clos_placement

Inputs = Mapping[str, Any]


def _closed_form(quantity: str, i: Inputs) -> Any:
    ports, tiers, ratio = i["switch_ports"], i["tiers"], i.get("oversubscription", 1.0)
    if quantity == "max_endpoints":
        return clos.max_endpoints(ports, tiers, ratio)
    if quantity == "leaf_switches":
        return clos.max_leaves(ports, tiers)
    if quantity == "spine_switches":
        return clos.max_spines(ports, tiers, ratio)
    if quantity == "core_switches":
        return clos.max_cores(ports, ratio) if tiers >= 3 else 0
    return None


def _node_bandwidth(quantity: str, i: Inputs) -> Any:
    gbit_s = i["nics_per_node"] * i["nic_gbit_s"]
    if quantity == "node_scale_out_gbit_s":
        return float(gbit_s)
    if quantity == "node_scale_out_gb_s":
        return clos.gb_s(gbit_s)
    if quantity == "gpu_scale_out_gb_s":
        return clos.gb_s(gbit_s / i["gpus_per_node"])
    return None


def _aggregate(quantity: str, i: Inputs) -> Any:
    if quantity == "switching_tbit_s":
        return clos.links_tbit_s(i["ports"], i["port_gbit_s"])
    if quantity == "scale_up_total_tb_s":
        return i["gpus"] * i["scale_up_bidi_gb_s_per_gpu"] / 1000
    if quantity == "scale_up_bisection_tb_s":
        return i["gpus"] * i["scale_up_bidi_gb_s_per_gpu"] / 2 / 1000
    if quantity == "node_edge_tbit_s":
        return clos.links_tbit_s(i["nodes"] * i["nics_per_node"], i["nic_gbit_s"])
    if quantity == "scale_up_cables":
        return float(i["gpus"] * i["scale_up_links_per_gpu"] * i["wire_pairs_per_link"])
    if quantity == "scale_up_uni_gb_s":
        return float(i["lane_uni_gb_s"] * i["lanes_per_link"] * i["links"])
    return None


def _oversubscription(quantity: str, i: Inputs) -> Any:
    if "down_links" not in i:
        raise ValueError("a design choice: the row gives no links to compute it from")
    if quantity == "up_tbit_s":
        return clos.links_tbit_s(i["up_links"], i["up_gbit_s"])
    if quantity == "oversubscription":
        return clos.oversubscription(i["down_links"], i["down_gbit_s"], i["up_links"], i["up_gbit_s"])
    return None


def _blocks(quantity: str, i: Inputs) -> Any:
    if quantity != "largest_block_size":
        return None
    if "domains" in i:
        return clos_placement.largest_block(i["smallest_domain_nodes"], i["domains"])
    return clos_placement.covering_block(i["largest_subdomain_nodes"], i["largest_domain_nodes"])


def _ranks(quantity: str, i: Inputs) -> Any:
    if quantity == "group_stride":
        return clos_placement.group_stride(i["order"], i, i["axis"])
    if quantity == "group_count":
        return clos_placement.group_count(i["world_size"], i.get(i["axis"], 1))
    return None


def _traffic(quantity: str, i: Inputs) -> Any:
    members, nodes, payload = i["gpus_per_node"], i["nodes"], i["payload_gib"]
    share = 1.0 if i["collective"] == "all_reduce" else 0.5
    if quantity == "intra_node_gib":
        return share * busbw.inside_bytes(payload, members)
    if quantity == "inter_node_gib":
        return share * busbw.outside_bytes(payload, members, nodes)
    if quantity == "flat_ring_gib":
        return busbw.flat_ring_bytes(payload, busbw.bus_factor(i["collective"], members * nodes))
    return None


SMALL: dict[str, Callable[[str, Inputs], Any]] = {
    "closed_form": _closed_form,
    "node_bandwidth": _node_bandwidth,
    "aggregate": _aggregate,
    "oversubscription": _oversubscription,
    "slurm_block_sizes": _blocks,
    "rank_groups": _ranks,
    "collective_traffic": _traffic,
}
