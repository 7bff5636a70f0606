"""Counts of folded-Clos (fat-tree) fabrics: switches of each tier, links between them, the largest size of a tier.

One rule gives every published count: a tier above has the *smallest divisor* of a switch's uplinks that has ports for
all of them, so that each pair of switches has the same number of links. Symbols: L leaves, u uplinks of a leaf, R ports
of a switch, S spines, c cores of one spine position.
"""

from __future__ import annotations

import math
from functools import lru_cache

from wattsweights_gui.engine.declare import equation

_RULE = "NVIDIA DGX SuperPOD reference architectures: the rule that reproduces their tables"


@lru_cache(maxsize=4096)
def smallest_divisor(number: int, at_least: int) -> int | None:
    """Return the smallest divisor of a number that is not below a bound; ``None`` where the bound is above it."""
    return next((d for d in range(max(1, at_least), number + 1) if number % d == 0), None)


@equation("nodes = ⌈GPUs / GPUs a node⌉", "count")
def nodes_for(gpus: float, gpus_per_node: float) -> int:
    """Return the nodes that hold so many GPUs; the last one may be partly used."""
    return math.ceil(gpus / gpus_per_node)


@equation("installed = ⌈nodes × (1 + spare share)⌉", "count")
def nodes_with_spares(nodes: float, spare_pct: float) -> int:
    """Return nodes with spares, rounded up (to 1e-9, so that a whole answer stays whole)."""
    return math.ceil(nodes * (1 + spare_pct / 100) - 1e-9)


@equation("units = ⌈(nodes + displaced) × node links of a rail / leaf ports of a unit's rail⌉", "count", _RULE)
def scalable_units(nodes: float, displaced: float, links_per_rail: float, ports_of_unit: float) -> int:
    """Return the scalable units; a partial unit keeps its whole leaf and spine layer."""
    return max(1, math.ceil((nodes + displaced) * links_per_rail / ports_of_unit))


@equation("leaves = units × leaves a unit × planes", "count", _RULE)
def leaf_switches(units: float, leaves_per_unit: float, planes: float) -> int:
    """Return the leaf switches of all rails and planes."""
    return int(units * leaves_per_unit * planes)


@equation("links = leaves × uplinks a leaf", "count", _RULE)
def uplink_cables(switches: float, uplinks: float) -> int:
    """Return the cables from one tier to the next above."""
    return int(switches * uplinks)


@equation("cables = nodes × links a node × planes", "count", _RULE)
def node_cables(nodes: float, links_per_node: float, planes: float) -> int:
    """Return the cables from nodes to leaves; the links of a fabric manager are not among them."""
    return int(nodes * links_per_node * planes)


@equation("spines = smallest divisor of u that is ≥ ⌈L u / R⌉", "count", _RULE)
def spines_two_tiers(leaves: float, uplinks: float, ports: float) -> int:
    """Return the spines above so many leaves (those of one rail where rails do not meet).

    Raises:
        ValueError: more leaves than a spine has ports.
    """
    found = smallest_divisor(int(uplinks), math.ceil(leaves * uplinks / ports))
    if found is None or leaves > ports:
        raise ValueError(f"two tiers of {ports:g}-port switches join at most {ports:g} leaves, not {leaves:g}")
    return found


@equation(
    "spines of a part = smallest divisor of u that is ≥ ⌈leaves of the part × u / spine down-ports⌉", "count", _RULE
)
def spines_of_part(leaves: float, uplinks: float, down_ports: float) -> int:
    """Return the spines of one part of a rail in three tiers.

    Raises:
        ValueError: more leaves than a spine has down-ports.
    """
    found = smallest_divisor(int(uplinks), math.ceil(leaves * uplinks / down_ports))
    if found is None or leaves > down_ports:
        raise ValueError(f"a spine with {down_ports:g} ports down joins at most {down_ports:g} leaves, not {leaves:g}")
    return found


@lru_cache(maxsize=4096)
def cores_of_position(groups: int, links_up: int, spine_uplinks: int, ports: int) -> int | None:
    """Return the cores that join one spine position of every group: the smallest divisor of a spine's uplinks with
    ports for all its links; ``None`` where a core has too few ports for so many groups.
    """
    for cores in range(1, spine_uplinks + 1):
        if spine_uplinks % cores == 0 and groups * math.ceil(links_up / cores) <= ports:
            return cores
    return None


@equation(
    "endpoints = leaves × R o / (1 + o); R² / 2 in two tiers, R³ / 4 in three without oversubscription",
    "count",
    "fat tree",
)
def max_endpoints(switch_ports: float, tiers: float, oversubscription: float = 1.0) -> int:
    """Return the endpoints of the largest fat tree: ports down of a leaf times the leaves that the tiers above join."""
    return int(leaf_down_ports(switch_ports, oversubscription) * max_leaves(switch_ports, tiers))


@equation("leaves = R in two tiers, R (R/2) in three", "count", "fat tree")
def max_leaves(switch_ports: float, tiers: float) -> int:
    """Return the leaves of the largest fat tree of so many tiers (1: one switch)."""
    if tiers <= 1:
        return 1
    return int(switch_ports * (switch_ports // 2) ** (tiers - 2))


@equation("spines of the largest tree = leaves × uplinks / (ports of a spine that face down)", "count", "fat tree")
def max_spines(switch_ports: float, tiers: float, oversubscription: float = 1.0) -> int:
    """Return the second tier of the largest fat tree; all ports of a spine face down where it is the top."""
    up = switch_ports - int(leaf_down_ports(switch_ports, oversubscription))
    facing_down = switch_ports if tiers <= 2 else switch_ports // 2
    return math.ceil(int(max_leaves(switch_ports, tiers)) * up / facing_down)


@equation("cores of the largest three-tier tree = leaves × uplinks / R", "count", "fat tree")
def max_cores(switch_ports: float, oversubscription: float = 1.0) -> int:
    """Return the top tier of the largest three-tier fat tree."""
    up = switch_ports - int(leaf_down_ports(switch_ports, oversubscription))
    return math.ceil(int(max_leaves(switch_ports, 3)) * up / switch_ports)


@equation("ports down = R × o / (1 + o), rounded down", "count", "definition")
def leaf_down_ports(switch_ports: float, oversubscription: float = 1.0) -> int:
    """Return the ports of a leaf that face the nodes at an oversubscription of o : 1."""
    return math.floor(switch_ports * oversubscription / (1 + oversubscription) + 1e-9)


@equation("oversubscription = links down × rate / (links up × rate)", "ratio", "definition")
def oversubscription(down_links: float, down_gbit_s: float, up_links: float, up_gbit_s: float) -> float:
    """Return down-link over up-link bandwidth of one tier."""
    return down_links * down_gbit_s / (up_links * up_gbit_s)


@equation("bandwidth = links × rate / 1000", "tbit_s", "definition")
def links_tbit_s(links: float, gbit_s: float) -> float:
    """Return the bandwidth of equal links together, one direction."""
    return links * gbit_s / 1000


@equation("bandwidth = Gb/s / 8", "gb_s", "definition")
def gb_s(gbit_s: float) -> float:
    """Return bytes a second of a rate in bits."""
    return gbit_s / 8


@equation("bisection = GPUs / 2 × bandwidth a GPU / oversubscription / 1000", "tb_s", "definition of full bisection")
def bisection_tb_s(gpus: float, gb_s_per_gpu: float, oversubscription: float) -> float:
    """Return the bandwidth, one direction, between two halves of the GPUs."""
    return gpus / 2 * gb_s_per_gpu / oversubscription / 1000
