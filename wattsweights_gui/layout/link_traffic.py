"""What the plan's parallel groups send over each link of the fabric in a step, by where their members' adapters lie.

Ranks are counted through the nodes in their order (Megatron: TP, CP, DP, PP). A ring sends to the next member, experts
to all others evenly; pipeline stages to the next. Traffic spreads evenly over the links upward (adaptive routing).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wattsweights_gui.engine import training_plan
from wattsweights_gui.engine.chain import Evaluation, Upstream
from wattsweights_gui.engine.parallel_groups import ParallelGroup, groups_of
from wattsweights_gui.engine.wiring import LEAF, NODE, SPINE, Whole
from wattsweights_gui.layout.edited_fabric import LEVEL, EditedFabric

Bytes = NDArray[np.float64]
_MOST_PEERS = 64


@dataclass(frozen=True, eq=False)
class RankGroups:
    """The groups of a plan, and how many ranks there are.

    Attributes:
        why_not: a sentence where the layout cannot run, so that there are no groups.
    """

    groups: tuple[ParallelGroup, ...]
    ranks: int
    gpus_per_node: int
    why_not: str = ""

    def group(self, name: str) -> ParallelGroup:
        """Return a group by name.

        Raises:
            KeyError: no such group.
        """
        for found in self.groups:
            if found.name == name:
                return found
        raise KeyError(name)

    def group_of_rank(self, group: ParallelGroup) -> Whole:
        """Return which of the groups of one kind each rank belongs to, from 0."""
        rank = np.arange(self.ranks)
        span = group.size * group.stride
        return rank // span * group.stride + rank % group.stride

    def place_in_group(self, group: ParallelGroup) -> Whole:
        """Return which member of its group each rank is, from 0."""
        return np.arange(self.ranks) // group.stride % group.size


def rank_groups(evaluation: Evaluation, gpus_per_node: int) -> RankGroups:
    """Return the groups of the plan's layout."""
    up = Upstream(evaluation.plan, evaluation.catalog, evaluation.results)
    machine = training_plan.machine_of_plan(up)
    inputs: Any = evaluation.plan.layers["parallelism"]
    step = evaluation.results["parallelism"].step_time_s
    if machine is None or not step.known:
        why = training_plan.why_no_machine(up) if machine is None else str(step.formula)
        return RankGroups((), 0, gpus_per_node, f"There are no parallel groups: {why}.")
    degrees = training_plan.degrees_of(inputs)
    by_name = dict(degrees)
    ranks = int(np.prod([max(1, int(by_name[n])) for n in ("tp", "cp", "dp", "pp")]))
    return RankGroups(groups_of(training_plan.job_of(up), machine, degrees), ranks, gpus_per_node)


def traffic(fabric: EditedFabric, found: RankGroups, only: str = "") -> Bytes:
    """Return the bytes that each link carries upward in a step; those of one kind of group where it is named."""
    node_of, leaf_of, link_of = _places(fabric, found)
    links = fabric.links
    load = np.zeros(len(links))
    if not len(node_of):
        return load
    climbs = np.zeros((2, len(fabric.devices)))
    for group in found.groups:
        if group.size <= 1 or group.network_bytes <= 0.0 or (only and group.name != only):
            continue
        rank, place = np.arange(found.ranks), found.place_in_group(group)
        steps = range(1, min(group.size, _MOST_PEERS)) if group.name == "experts" else (1,)
        peers = [rank + ((place + k) % group.size - place) * group.stride for k in steps]
        away = [node_of[peer] != node_of for peer in peers]
        share = group.network_bytes / np.maximum(np.sum(away, axis=0), 1)
        for peer, far in zip(peers, away, strict=True):
            sent = np.where(far & (link_of >= 0), share, 0.0)
            np.add.at(load, link_of[link_of >= 0], sent[link_of >= 0])
            other = (leaf_of[peer] != leaf_of) & (leaf_of >= 0)
            np.add.at(climbs[0], leaf_of[other], sent[other])
    _climb(fabric, load, climbs[0])
    return load


def _places(fabric: EditedFabric, found: RankGroups) -> tuple[Whole, Whole, Whole]:
    """Return node, leaf and node link of every rank; -1 for a rank without one. A GPU uses its own adapter's links."""
    nodes = fabric.devices.of(NODE)
    rank = np.arange(found.ranks)
    number = rank // max(found.gpus_per_node, 1)
    node = np.where(number < len(nodes), nodes[np.minimum(number, max(len(nodes) - 1, 0))] if len(nodes) else -1, -1)
    links = fabric.links
    at_node = np.flatnonzero((fabric.devices.kind[links.a] == NODE) & (LEVEL[fabric.devices.kind[links.b]] == 1))
    port_most = int(fabric.devices.ports.max(initial=1))
    code = links.a[at_node] * port_most + links.a_port[at_node]
    order = np.argsort(code)
    wanted = node * port_most + rank % max(found.gpus_per_node, 1) % max(fabric.design.links_per_node, 1)
    slot = np.searchsorted(code[order], wanted)
    hit = slot < len(code)
    hit &= code[order][np.minimum(slot, max(len(code) - 1, 0))] == wanted if len(code) else False
    link = np.where(hit, at_node[order][np.minimum(slot, max(len(code) - 1, 0))] if len(code) else -1, -1)
    leaf = np.where(link >= 0, links.b[np.maximum(link, 0)] if len(links) else -1, -1)
    return node, leaf, link


def _climb(fabric: EditedFabric, load: Bytes, climbs: Bytes) -> None:
    """Spread what leaves the leaves over their links upward; what the spines cannot turn round goes on to the cores."""
    links, kinds = fabric.links, fabric.devices.kind
    for kind, share_up in ((LEAF, 1.0), (SPINE, _share_beyond(fabric))):
        up = np.flatnonzero((kinds[links.a] == kind) & (LEVEL[kinds[links.b]] > LEVEL[kind]))
        if not len(up):
            return
        ways = np.bincount(links.a[up], minlength=len(kinds))
        each = climbs[links.a[up]] * share_up / ways[links.a[up]]
        load[up] += each
        climbs = np.bincount(links.b[up], weights=each, minlength=len(kinds)).astype(np.float64)


def _share_beyond(fabric: EditedFabric) -> float:
    """Return the share of a spine's traffic that no leaf below it can take: by the leaves that one spine reaches."""
    leaves = int((fabric.devices.kind == LEAF).sum())
    spines = fabric.devices.of(SPINE)
    if leaves <= 1 or not len(spines):
        return 0.0
    below = np.unique(fabric.links.b * len(fabric.devices) + fabric.links.a)
    below = below[np.isin(below // len(fabric.devices), spines)]
    reach = len(below) / len(spines)
    return max(0.0, (leaves - reach) / (leaves - 1))
