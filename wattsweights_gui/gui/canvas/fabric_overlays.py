"""Colours and widths over the fabric: parallel groups, traffic, oversubscription, and what a fault takes with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtGui import QColor

from wattsweights_gui.engine import fabric_graph
from wattsweights_gui.engine.parallel_groups import NAMES, ParallelGroup
from wattsweights_gui.engine.units import number, text
from wattsweights_gui.engine.wiring import LEAF_SPINE, NODE, NODE_LEAF, SPINE_CORE, TIERS
from wattsweights_gui.gui.canvas.fabric_look import FabricLook, Overlay
from wattsweights_gui.gui.canvas.inks import Inks, mixed
from wattsweights_gui.layout.edited_fabric import ACROSS, LEVEL, EditedFabric
from wattsweights_gui.layout.link_traffic import RankGroups, traffic

# Okabe and Ito's order, apart for colour-blind eyes
_HUES = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8a8f96", "#c9b800")
_WIDEST_PX = 7.0


@dataclass(frozen=True)
class Kind:
    """An overlay as it stands in the list: its name, its title, and what makes it."""

    name: str
    title: str
    make: Callable[[FabricLook, RankGroups, Any], Overlay]


def _none(look: FabricLook, groups: RankGroups, session: Any) -> Overlay:
    return Overlay()


def _fabric(look: FabricLook) -> EditedFabric:
    assert look.fabric is not None
    return look.fabric


def groups_overlay(name: str) -> Callable[[FabricLook, RankGroups, Any], Overlay]:
    """Return what colours nodes by the group of one kind that they belong to; pipeline stages by their number."""

    def make(look: FabricLook, groups: RankGroups, session: Any) -> Overlay:
        if groups.why_not:
            return Overlay(remark=groups.why_not)
        fabric, group = _fabric(look), groups.group(name)
        if group.size == 1:
            return Overlay(remark=f"{NAMES[name]}: groups of one, nothing is sent.")
        place = groups.place_in_group(group) if name == "pipeline" else groups.group_of_rank(group)
        nodes = fabric.devices.of(NODE)
        first = np.arange(len(nodes)) * groups.gpus_per_node
        colour = np.full(len(fabric.devices), -1)
        busy = first < groups.ranks
        colour[nodes[busy]] = place[first[busy]] % len(_HUES)
        words = {int(n): f"{'stage' if name == 'pipeline' else 'group'} {int(place[f]) + 1}"
                 for n, f in zip(nodes[busy], first[busy], strict=True)}  # fmt: skip
        inks = look.inks
        colours = [mixed(inks.surface, QColor(hue), 0.45) for hue in _HUES]
        return Overlay(colours, colour, words, title=NAMES[name], remark=_said(group, groups, session))

    return make


def _said(group: ParallelGroup, groups: RankGroups, session: Any) -> str:
    units = session.units
    count = groups.ranks // group.size
    sent = f"{text(group.network_bytes / 1e9, 'gb', units)} a GPU and step over the network"
    if group.network_bytes <= 0:
        sent = "nothing over the network"
    seconds = f"{text(group.seconds, 's', units)} a step, {text(group.exposed, 's', units)} of it exposed"
    return f"{NAMES[group.name]}: {number(count)} groups of {group.size}, {group.tier}; {sent}; {seconds}."


def traffic_overlay(look: FabricLook, groups: RankGroups, session: Any) -> Overlay:
    """Return links as wide as what they carry upward in a step."""
    if groups.why_not:
        return Overlay(remark=groups.why_not)
    fabric = _fabric(look)
    load = traffic(fabric, groups)
    most = float(load.max(initial=0.0))
    if most <= 0.0:
        return Overlay(remark="No parallel group sends anything over this fabric.")
    words = []
    for tier in (NODE_LEAF, LEAF_SPINE, SPINE_CORE):
        mine = load[fabric.links.tier == tier]
        if len(mine):
            words.append(f"{TIERS[tier]} {text(float(mine.max()) / 1e9, 'gb', session.units)}")
    remark = (
        f"The busiest link of each tier carries upward in a step: {', '.join(words)}. "
        "Estimate: rings in the order of ranks, spread evenly over the links upward."
    )
    return Overlay(wide=load / most * _WIDEST_PX, title="Traffic", remark=remark)


def oversubscription_overlay(look: FabricLook, groups: RankGroups, session: Any) -> Overlay:
    """Return switches coloured by their links down over their links up."""
    fabric = _fabric(look)
    down = np.bincount(fabric.links.b, minlength=len(fabric.devices))
    up = np.bincount(fabric.links.a, minlength=len(fabric.devices))
    levels = LEVEL[fabric.devices.kind]
    passes = (levels >= 1) & (up > 0)
    ratio = np.where(passes, down / np.maximum(up, 1), 0.0)
    colour = np.full(len(fabric.devices), -1)
    colour[passes] = np.digitize(ratio[passes], [1.0 + 1e-9, 2.0 + 1e-9])
    inks: Inks = look.inks
    colours = [mixed(inks.surface, inks.state[name], 0.55) for name in ("fine", "near", "over")]
    words = {int(at): f"{ratio[at]:.3g} : 1" for at in np.flatnonzero(passes)}
    said = [
        f"{t.name} {t.ratio:.3g} to 1 ({t.down} down, {t.up} up)"
        for t in fabric_graph.tiers(fabric)
        if t.ratio is not None
    ]
    remark = f"Links down over links up at the busiest switch: {'; '.join(said)}." if said else "One tier: no links up."
    return Overlay(colours, colour, words, title="Oversubscription", remark=remark)


def fault_overlay(look: FabricLook, groups: RankGroups, session: Any) -> Overlay:
    """Return what the loss of the one device or link that is chosen takes with it."""
    fabric = _fabric(look)
    if len(look.chosen) + len(look.chosen_links) != 1:
        return Overlay(
            title="What a fault takes", remark="Choose one device or one link: it fails, and this says what it takes."
        )
    lost = np.zeros(len(fabric.links), dtype=bool)
    hurt = np.zeros(len(fabric.devices), dtype=np.int64)
    if look.chosen:
        device = fabric.index_of[next(iter(look.chosen))]
        loss = fabric_graph.without_device(fabric, device)
        lost[fabric.neighbours(device)] = True
        hurt[device] = 2
    else:
        link = look.link_number(next(iter(look.chosen_links)))
        assert link is not None
        loss = fabric_graph.without_link(fabric, link)
        lost[link] = True
    ends = np.unique(np.concatenate([fabric.links.a[lost], fabric.links.b[lost]]))
    hurt[ends] = np.maximum(hurt[ends], 1)
    for name in loss.cut_off:
        hurt[fabric.index_of[name]] = 2
    return Overlay(lost=lost, hurt=hurt, title="What a fault takes", remark=loss.sentence)


OVERLAYS: tuple[Kind, ...] = (
    Kind("none", "Nothing more", _none),
    Kind("oversubscription", "Oversubscription", oversubscription_overlay),
    Kind("traffic", "Traffic on links", traffic_overlay),
    Kind("fault", "What a fault takes", fault_overlay),
    *(Kind(name, title, groups_overlay(name)) for name, title in NAMES.items()),
)


def tier_rows(fabric: EditedFabric) -> list[tuple[str, int, int, str]]:
    """Return of each tier of links: its name, links drawn, links planned, and the oversubscription in words."""
    drawn = np.bincount(fabric.links.tier, minlength=ACROSS + 1)
    planned = np.bincount(fabric.base.wiring.links.tier, minlength=ACROSS + 1)
    ratios = {t.name: t.ratio for t in fabric_graph.tiers(fabric)}
    rows = []
    for tier in range(ACROSS + 1):
        if not drawn[tier] and not planned[tier]:
            continue
        name = TIERS[tier] if tier < ACROSS else "across one tier"
        ratio = ratios.get(name)
        rows.append((name, int(drawn[tier]), int(planned[tier]), f"{ratio:.3g} : 1" if ratio is not None else ""))
    return rows
