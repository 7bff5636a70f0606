"""The fabric as a graph for other tools: GraphML and DOT, with kinds, ports and rates."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from wattsweights_gui.engine.wiring import KINDS, TIERS, Wiring

_KEYS = (
    ("node", "kind", "string"),
    ("node", "unit", "int"),
    ("node", "rail", "int"),
    ("node", "plane", "int"),
    ("edge", "tier", "string"),
    ("edge", "source_port", "string"),
    ("edge", "target_port", "string"),
    ("edge", "gbit_s", "double"),
)


def graphml(wiring: Wiring, gbit_s: float) -> str:
    """Return a GraphML document: a vertex a device, an edge a link (parallel links are edges of their own)."""
    return "\n".join(_graphml(wiring, gbit_s)) + "\n"


def _graphml(wiring: Wiring, gbit_s: float) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    for of, name, kind in _KEYS:
        yield f'<key id="{name}" for="{of}" attr.name="{name}" attr.type="{kind}"/>'
    yield '<graph id="fabric" edgedefault="undirected">'
    devices, names = wiring.devices, wiring.names
    columns = (devices.kind, devices.unit, devices.rail, devices.plane)
    for name, (kind, *place) in zip(names, zip(*(c.tolist() for c in columns), strict=True), strict=True):
        data = [f'<data key="kind">{escape(KINDS[kind])}</data>']
        data += [
            f'<data key="{k}">{v + 1}</data>' for k, v in zip(("unit", "rail", "plane"), place, strict=True) if v >= 0
        ]
        yield f"<node id={quoteattr(name)}>{''.join(data)}</node>"
    for number, (a, a_port, b, b_port, tier) in enumerate(_links(wiring), 1):
        yield (
            f'<edge id="C{number:05d}" source={quoteattr(names[a])} target={quoteattr(names[b])}>'
            f'<data key="tier">{escape(TIERS[tier])}</data>'
            f'<data key="source_port">{escape(wiring.port_name(a, a_port))}</data>'
            f'<data key="target_port">{escape(wiring.port_name(b, b_port))}</data>'
            f'<data key="gbit_s">{gbit_s:g}</data></edge>'
        )
    yield "</graph></graphml>"


def dot(wiring: Wiring, gbit_s: float) -> str:
    """Return an undirected DOT graph, nodes at the bottom rank, ports as labels at both ends."""
    lines = ["graph fabric {", "  rankdir=BT;", "  node [shape=box];", f'  edge [comment="{gbit_s:g} Gb/s"];']
    names = wiring.names
    for name, kind in zip(names, wiring.devices.kind.tolist(), strict=True):
        lines.append(f'  "{name}" [group="{KINDS[kind]}"];')
    for a, a_port, b, b_port, _ in _links(wiring):
        ends = f'taillabel="{wiring.port_name(a, a_port)}", headlabel="{wiring.port_name(b, b_port)}"'
        lines.append(f'  "{names[a]}" -- "{names[b]}" [{ends}];')
    return "\n".join([*lines, "}"]) + "\n"


def _links(wiring: Wiring) -> Iterator[tuple[int, int, int, int, int]]:
    links = wiring.links
    yield from zip(*(c.tolist() for c in (links.a, links.a_port, links.b, links.b_port, links.tier)), strict=True)
