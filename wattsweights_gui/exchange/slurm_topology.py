"""Slurm's view of a fabric: ``topology.conf`` as a tree or as blocks, and ``topology.yaml``; the tree is read back.

A node hangs under one leaf of a tree, so that the rails of a scalable unit are written as one switch for the unit.
"""

from __future__ import annotations

from dataclasses import dataclass

from wattsweights_gui.engine.equations.clos_placement import largest_block
from wattsweights_gui.engine.wiring import NODE, Wiring
from wattsweights_gui.exchange.host_list import compressed, expanded

LONGEST_NAME = 64
_HEAD = (
    "# Written by WattsWeights. One switch stands for all rails of a scalable unit: Slurm hangs a node under one leaf."
)


class NotReadError(ValueError):
    """The text is no Slurm topology; the message says what is wrong and where."""


@dataclass(frozen=True)
class TreeSwitch:
    """One switch of a tree: the nodes under it, or the switches."""

    name: str
    nodes: tuple[str, ...] = ()
    switches: tuple[str, ...] = ()


def units_of(wiring: Wiring, hosts_per_node: int = 1) -> tuple[TreeSwitch, ...]:
    """Return one switch for each scalable unit, and one above them where there are several.

    Args:
        wiring: the fabric.
        hosts_per_node: hosts that a rack-scale node is to Slurm (compute trays).
    """
    nodes: dict[int, list[str]] = {}
    for device in wiring.devices.of(NODE).tolist():
        nodes.setdefault(int(wiring.devices.unit[device]), []).extend(hosts_of(wiring.name(device), hosts_per_node))
    leaves = [TreeSwitch(f"su{unit + 1:02d}", tuple(names)) for unit, names in sorted(nodes.items())]
    if len(leaves) == 1:
        return tuple(leaves)
    return (*leaves, TreeSwitch("top", switches=tuple(leaf.name for leaf in leaves)))


def hosts_of(node: str, count: int) -> tuple[str, ...]:
    """Return the hosts of a node: itself, or its trays."""
    return (node,) if count == 1 else tuple(f"{node}-{tray:02d}" for tray in range(1, count + 1))


def tree_conf(switches: tuple[TreeSwitch, ...]) -> str:
    """Return a ``topology.conf`` of the plugin ``topology/tree``."""
    lines = [_HEAD]
    for switch in switches:
        what = f"Nodes={compressed(switch.nodes)}" if switch.nodes else f"Switches={compressed(switch.switches)}"
        lines.append(f"SwitchName={switch.name} {what}")
    return "\n".join(lines) + "\n"


def tree_yaml(switches: tuple[TreeSwitch, ...]) -> str:
    """Return the same tree as ``topology.yaml`` (Slurm 25.05 and newer)."""
    lines = [_HEAD, "- topology: tree", "  cluster_default: true", "  tree:", "    switches:"]
    for switch in reversed(switches):
        lines.append(f"      - switch: {switch.name}")
        if switch.nodes:
            lines.append(f"        nodes: {compressed(switch.nodes)}")
        else:
            lines.append(f"        children: {compressed(switch.switches)}")
    return "\n".join(lines) + "\n"


def blocks_of(wiring: Wiring, hosts_per_node: int = 1) -> tuple[TreeSwitch, ...]:
    """Return the NVLink domains as blocks: each rack-scale node, or each unit where nodes are servers."""
    if hosts_per_node > 1:
        nodes = wiring.devices.of(NODE).tolist()
        return tuple(TreeSwitch(f"block{n + 1}", hosts_of(wiring.name(d), hosts_per_node)) for n, d in enumerate(nodes))
    leaves = [s for s in units_of(wiring) if s.nodes]
    return tuple(TreeSwitch(f"block{n + 1}", leaf.nodes) for n, leaf in enumerate(leaves))


def block_sizes(blocks: tuple[TreeSwitch, ...]) -> tuple[int, int]:
    """Return the base and the largest block size: base × powers of two (topograph's rule)."""
    base = min(len(block.nodes) for block in blocks)
    return base, largest_block(base, len(blocks))


def block_conf(blocks: tuple[TreeSwitch, ...]) -> str:
    """Return a ``topology.conf`` of the plugin ``topology/block``."""
    base, most = block_sizes(blocks)
    lines = [_HEAD.partition(" One")[0]]
    lines += [f"BlockName={block.name} Nodes={compressed(block.nodes)}" for block in blocks]
    lines.append(f"BlockSizes={base}" if base == most else f"BlockSizes={base},{most}")
    return "\n".join(lines) + "\n"


def block_yaml(blocks: tuple[TreeSwitch, ...]) -> str:
    """Return the blocks as ``topology.yaml`` (Slurm 25.05 and newer)."""
    lines = [_HEAD.partition(" One")[0], "- topology: block", "  cluster_default: true", "  block:", "    block_sizes:"]
    lines += [f"      - {size}" for size in dict.fromkeys(block_sizes(blocks))]
    lines.append("    blocks:")
    for block in blocks:
        lines += [f"      - block: {block.name}", f"        nodes: {compressed(block.nodes)}"]
    return "\n".join(lines) + "\n"


def read_tree(text: str) -> tuple[TreeSwitch, ...]:
    """Return the switches of a ``topology.conf``.

    Raises:
        NotReadError: a line that cannot be read, a switch named twice, or one that is not there.
    """
    found: dict[str, TreeSwitch] = {}
    for number, raw in enumerate(text.replace("\\\n", " ").splitlines(), 1):
        line = raw.partition("#")[0].strip()
        if not line:
            continue
        fields = dict(part.partition("=")[::2] for part in line.split())
        named = {key.casefold(): value for key, value in fields.items()}
        name = named.get("switchname")
        if not name or not (named.keys() & {"nodes", "switches"}):
            raise NotReadError(f"Line {number}: “{line[:80]}” names no switch with its nodes or switches.")
        if name in found:
            raise NotReadError(f"Line {number}: the switch {name} is named twice.")
        try:
            nodes, below = (expanded(named.get(key, "")) for key in ("nodes", "switches"))
        except ValueError as error:
            raise NotReadError(f"Line {number}: {error}") from None
        found[name] = TreeSwitch(name, nodes, below)
    for switch in found.values():
        if lost := next((below for below in switch.switches if below not in found), None):
            raise NotReadError(f"The switch {switch.name} has {lost} below it, which is not there.")
    if not found:
        raise NotReadError("There is no switch in it: a topology.conf has lines such as SwitchName=s1 Nodes=n[1-4].")
    return tuple(found.values())
