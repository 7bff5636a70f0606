"""Bus bandwidth of collectives as nccl-tests defines it, and the bytes they move.

busbw(S) = f S / t(S) with t(S) = a + f S / B: a start-up time and one plateau B that the slowest tier sets. The
efficiencies and start-up times of each link generation stand in the catalogue (fitted on published runs of 16 MiB and
more; below that, protocol switches rule). Symbols: S bytes of the buffer, n ranks, k scale-up domains, g ranks of a
domain, W one direction of a GPU's scale-up links, N one direction of its adapter.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from wattsweights_gui.engine.declare import Entry, equation

_NCCL_TESTS = "NVIDIA nccl-tests, doc/PERFORMANCE.md"
_FIT = "ours, fitted on published nccl-tests runs of 16 MiB and more (resources/evidence/fabric_golden.json)"

NIC_EFFICIENCY = 0.974
CROSSING_START_S = 268e-6
START_S_PER_RANK = 9e-6
SMALL_DOMAIN = 8
MANY_LARGE_DOMAINS_REACHED = 0.59  # 406 of 687 GB/s on 20 domains of 72, the only published run of its kind
UNFITTED_START_S = 138e-6
UNFITTED_RING = 0.70
UNFITTED_P2P = 0.88


@dataclass(frozen=True)
class Link:
    """What one generation of scale-up links reaches.

    Attributes:
        ring, nvls: share of one direction's rate that a ring and an in-switch reduction keep; ``nvls`` 0 without one.
        nvls_cap_gb_s: plateau of the in-switch reduction; 0 for none.
        p2p: share that one copy between two GPUs keeps.
        start_s: start-up of a collective inside a domain of up to eight.
        mesh_links: links of a full mesh without a switch; 0 with switches.
    """

    ring: float
    nvls: float
    nvls_cap_gb_s: float
    p2p: float
    start_s: float
    mesh_links: int
    fitted: bool

    @classmethod
    def of(cls, entry: Entry | None) -> Link:
        """Read a generation from the catalogue."""
        if entry is None:
            return cls(UNFITTED_RING, 0.0, 0.0, UNFITTED_P2P, UNFITTED_START_S, 0, False)
        ring = entry.get("fitted_ring_efficiency") or entry.get("ring_efficiency")
        start = entry.get("fitted_start_us")
        return cls(
            float(ring or UNFITTED_RING),
            float(entry.get("fitted_nvls_efficiency") or 0.0),
            float(entry.get("fitted_nvls_cap_gb_s") or 0.0),
            float(entry.get("p2p_efficiency") or UNFITTED_P2P),
            UNFITTED_START_S if start is None else float(start) * 1e-6,
            int(entry.get("links", 0)) if "link_uni_gb_s" in entry.fields else 0,
            ring is not None and start is not None,
        )


@equation(
    "f = 2 (n - 1) / n all-reduce; (n - 1) / n all-gather, reduce-scatter, all-to-all; 1 else", "ratio", _NCCL_TESTS
)
def bus_factor(collective: str, ranks: float) -> float:
    """Return bus bandwidth over algorithm bandwidth."""
    if collective == "all_reduce":
        return 2 * (ranks - 1) / ranks
    if collective in ("all_gather", "reduce_scatter", "all_to_all"):
        return (ranks - 1) / ranks
    return 1.0


@equation("busbw = f S / (a + f S / B)", "gb_s", _FIT)
def busbw_gb_s(factor: float, message_bytes: float, start_s: float, plateau_gb_s: float) -> float:
    """Return the bus bandwidth of one message size."""
    work = factor * message_bytes / 1e9
    return work / (start_s + work / plateau_gb_s)


@equation("t = a + f S / B", "s", _FIT)
def collective_time_s(factor: float, message_bytes: float, start_s: float, plateau_gb_s: float) -> float:
    """Return the time of one collective."""
    return start_s + factor * message_bytes / 1e9 / plateau_gb_s


@equation("B = e W; on a full mesh only the links to the other members count", "gb_s", _FIT)
def ring_gb_s(link_gb_s: float, efficiency: float, mesh_links: float, members: float) -> float:
    """Return the plateau of a ring inside one domain."""
    share = min(1.0, (members - 1) / mesh_links) if mesh_links else 1.0
    return efficiency * link_gb_s * share


@equation("B = min(cap, 2 (n - 1) / (n + 1) × e W)", "gb_s", _FIT)
def nvls_gb_s(link_gb_s: float, efficiency: float, cap_gb_s: float, members: float) -> float:
    """Return the plateau of a reduction in the NVLink switches; 0 where there is none."""
    plateau = 2 * (members - 1) / (members + 1) * efficiency * link_gb_s
    return min(plateau, cap_gb_s) if cap_gb_s else plateau


@equation("B = g N × 0.974", "gb_s", _FIT)
def adapters_gb_s(members: float, nic_gb_s: float) -> float:
    """Return what the adapters of one domain's members carry together."""
    return members * nic_gb_s * NIC_EFFICIENCY


def plateau_gb_s(
    link: Link,
    link_gb_s: float,
    nic_gb_s: float,
    ranks: int,
    domains: int,
    collective: str = "all_reduce",
    algorithm: str = "auto",
    in_network: bool = False,
) -> float:
    """Return the plateau B.

    Args:
        link: of the scale-up generation.
        link_gb_s: scale-up rate of one GPU, one direction.
        nic_gb_s: scale-out rate of one GPU, one direction.
        ranks: GPUs of the group.
        domains: scale-up domains that the group spans.
        collective: as nccl-tests names it, and ``p2p``.
        algorithm: ``ring``, ``nvls``, ``tree``, ``nvls_tree``, ``auto`` (the fastest that there is) and others.
        in_network: reduction in the network's switches; published runs show it for domains of up to eight only.
    """
    members = max(1, ranks // domains)
    if collective == "p2p" or algorithm == "copy":
        mesh = 1 / link.mesh_links if link.mesh_links else 1.0
        return link.p2p * link_gb_s * mesh if domains == 1 else nic_gb_s * NIC_EFFICIENCY
    ring = float(ring_gb_s(link_gb_s, link.ring, link.mesh_links, members)) if members > 1 else math.inf
    if collective == "all_to_all":
        return ring if domains == 1 else min(ring, nic_gb_s * NIC_EFFICIENCY)
    inside = ring
    if collective == "all_reduce" and link.nvls and algorithm != "ring" and members > 1:
        inside = max(ring, nvls_gb_s(link_gb_s, link.nvls, link.nvls_cap_gb_s, members))
    if domains == 1:
        return inside
    outside = float(adapters_gb_s(members, nic_gb_s))
    if collective != "all_reduce" or algorithm == "ring":
        return min(ring, outside)
    if domains == 2:
        return min(inside, 2 * outside)
    return min(inside if in_network and members <= SMALL_DOMAIN else ring, outside)


def start_s(link: Link, ranks: int, domains: int, collective: str = "all_reduce") -> float:
    """Return the start-up time a of a collective.

    Domains over eight pay for each of their ranks, again for each doubling of the domains; crossing domains costs
    extra. Fitted on up to 8 domains of 8 and 2 of 72; published runs on 20 domains of 72 start in about 5 ms, this
    says 3.7 ms.
    """
    if collective == "p2p":
        return 0.0
    members = max(1, ranks // domains)
    inside = link.start_s if members <= SMALL_DOMAIN else START_S_PER_RANK * members * (1 + math.log2(domains))
    return inside + (CROSSING_START_S if domains > 1 else 0.0)


@equation("bytes inside = 2 (g - 1) / g × S", "gib", "hierarchical all-reduce: reduce-scatter and all-gather inside")
def inside_bytes(payload: float, members: float) -> float:
    """Return what one GPU sends inside its domain in a hierarchical all-reduce, in the payload's unit."""
    return 2 * (members - 1) / members * payload


@equation("bytes outside = 2 (k - 1) / k × S / g", "gib", "hierarchical all-reduce: ring of shards between domains")
def outside_bytes(payload: float, members: float, domains: float) -> float:
    """Return what one GPU sends between domains in a hierarchical all-reduce, in the payload's unit."""
    return 2 * (domains - 1) / domains * payload / members


@equation("bytes = f S", "gib", _NCCL_TESTS)
def flat_ring_bytes(payload: float, factor: float) -> float:
    """Return what one GPU sends in one ring over all GPUs, in the payload's unit."""
    return factor * payload
