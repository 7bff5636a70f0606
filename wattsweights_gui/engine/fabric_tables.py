"""Tables of the fabric and cluster layers: tiers, ports and faults of the wiring, collectives by size and nodes."""

from __future__ import annotations

from wattsweights_gui.engine.declare import LaterTable, Table, Value
from wattsweights_gui.engine.equations import busbw
from wattsweights_gui.engine.equations.rail_designs import RailDesign, count

COLLECTIVES = {
    "all_reduce": "All-reduce",
    "reduce_scatter": "Reduce-scatter",
    "all_gather": "All-gather",
    "all_to_all": "All-to-all",
    "p2p": "Send",
}
SIZES_MIB = (1, 16, 64, 256, 1024, 4096, 16384)
NODES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048)
_RULE = "NVIDIA DGX SuperPOD reference architectures: the wiring that has the published counts"
_BUS = "ours, fitted on published nccl-tests runs of 16 MiB and more; below that, protocol switches rule"


def _remark(words: str) -> Table:
    return Table(("remark",), ("text",), ((words,),))


_WIRED = ("link_tiers", "port_use", "faults")


def no_tables() -> dict[str, Table]:
    """Return the tables of a fabric whose nodes are not known."""
    return dict.fromkeys(_WIRED, _remark("The number of nodes is not known."))


def wired_tables(design: RailDesign, nodes: int, manager: bool, gbit_s: float) -> dict[str, Table]:
    """Return the tables that follow from the wiring: tiers, ports and faults.

    Args:
        design: the fabric.
        nodes: of the plan.
        manager: whether the fabric manager sits on leaf ports.
        gbit_s: of one link.
    """
    if count(design, nodes, manager).tiers > 3:
        words = f"{nodes} nodes are more than three tiers of these switches join: there is no wiring."
        return dict.fromkeys(_WIRED, _remark(words))
    key = (design, nodes, manager, gbit_s)
    return {
        "link_tiers": LaterTable(
            ("tier", "links", "rate", "below_a_switch", "above_it", "oversubscription"),
            ("text", "count", "gbit_s", "count", "count", "ratio"),
            ("link_tiers", *key),
            lambda: _tiers(*key),
            "Links of each tier",
            _RULE,
        ),
        "port_use": LaterTable(
            ("device", "devices", "ports", "used", "used_share", "fullest"),
            ("text", "count", "count", "count", "pct", "count"),
            ("port_use", *key),
            lambda: _ports(*key),
            "Ports in use",
            _RULE,
        ),
        "faults": LaterTable(
            ("lost", "links", "nodes_cut_off", "nodes_hurt", "of_their_links", "leaf_uplinks_left", "bisection_left"),
            ("text", "count", "count", "count", "pct", "pct", "pct"),
            ("faults", *key),
            lambda: _faults(*key),
            "What one fault takes",
            _RULE,
        ),
    }


def _tiers(design: RailDesign, nodes: int, manager: bool, gbit_s: float) -> tuple[tuple[Value, ...], ...]:
    from wattsweights_gui.engine import fabric_graph, wiring

    wired = wiring.wiring_of(design, nodes, manager)
    return tuple((t.name, t.links, gbit_s, t.down or None, t.up or None, t.ratio) for t in fabric_graph.tiers(wired))


def _ports(design: RailDesign, nodes: int, manager: bool, _: float) -> tuple[tuple[Value, ...], ...]:
    from wattsweights_gui.engine import fabric_graph, wiring

    wired = wiring.wiring_of(design, nodes, manager)
    return tuple(
        (p.kind, p.devices, p.ports, p.used, 100.0 * p.used / p.ports, p.fullest) for p in fabric_graph.port_use(wired)
    )


def _faults(design: RailDesign, nodes: int, manager: bool, _: float) -> tuple[tuple[Value, ...], ...]:
    from wattsweights_gui.engine import fabric_graph, wiring

    wired = wiring.wiring_of(design, nodes, manager)
    found: list[tuple[Value, ...]] = []

    def row(name: str, loss: fabric_graph.Loss) -> None:
        of_links = 100.0 * loss.node_links / loss.of_links if loss.of_links else 0.0
        found.append(
            (
                name,
                loss.links,
                len(loss.cut_off),
                loss.nodes,
                of_links,
                100.0 * loss.uplinks_left,
                100.0 * loss.bisection_left,
            )
        )

    for tier in (wiring.NODE_LEAF, wiring.LEAF_SPINE, wiring.SPINE_CORE, wiring.PAIR):
        links = (wired.links.tier == tier).nonzero()[0]
        if len(links):
            row(f"one cable or optic, {wiring.TIERS[tier]}", fabric_graph.without_link(wired, int(links[0])))
    for kind, name in ((wiring.LEAF, "one leaf"), (wiring.SPINE, "one spine"), (wiring.CORE, "one core")):
        devices = wired.devices.of(kind)
        if len(devices):
            row(name, fabric_graph.without_device(wired, int(devices[0])))
    return tuple(found)


def collectives_table(
    name: str, link: busbw.Link, link_gb_s: float, nic_gb_s: float, domain: int, node_gpus: int, nodes: int, sharp: bool
) -> Table:
    """Return the bus bandwidth to expect of each collective by size and number of nodes, up to the plan's own.

    Args:
        name: of the scale-up generation, by which tables are told apart.
        link: what it reaches. link_gb_s, nic_gb_s: one direction of a GPU's links and of its adapter.
        domain: GPUs of a scale-up domain. node_gpus: of a node. nodes: of the plan.
        sharp: reduction in the network.
    """
    counts = [n for n in NODES if n < nodes] + [nodes]
    key = ("collectives", name, link, link_gb_s, nic_gb_s, domain, node_gpus, tuple(counts), sharp)

    def rows() -> tuple[tuple[Value, ...], ...]:
        found: list[tuple[Value, ...]] = []
        for collective, title in COLLECTIVES.items():
            for node_count in counts:
                ranks = node_count * node_gpus
                if ranks < 2:
                    continue
                domains = -(-ranks // domain)
                top = busbw.plateau_gb_s(link, link_gb_s, nic_gb_s, ranks, domains, collective, in_network=sharp)
                if not 0.0 < top < float("inf"):
                    continue
                factor = busbw.bus_factor(collective, ranks)
                start = busbw.start_s(link, ranks, domains, collective)
                each = (busbw.busbw_gb_s(factor, mib * 2.0**20, start, top) for mib in SIZES_MIB)
                found.append((title, node_count, ranks, *each, top))
        return tuple(found)

    sizes = tuple(f"at_{mib}_mib" if mib < 1024 else f"at_{mib // 1024}_gib" for mib in SIZES_MIB)
    return LaterTable(
        ("collective", "nodes", "gpus", *sizes, "plateau"),
        ("text", "count", "count", *("gb_s",) * (len(sizes) + 1)),
        key,
        rows,
        "Bus bandwidth to expect, as nccl-tests prints it",
        _BUS,
    )
