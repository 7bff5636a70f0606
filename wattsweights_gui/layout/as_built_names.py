"""The plan's fabric as cables by name, and the adapters of a log by the plan's names of their ports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from wattsweights_gui.layout.as_built import BuiltCable, End, speed_words
from wattsweights_gui.layout.edited_fabric import EditedFabric


class NamesDifferError(ValueError):
    """The plan and what was built cannot be brought together by their names; the message says what would be right."""


def planned_cables(fabric: EditedFabric) -> tuple[BuiltCable, ...]:
    """Return every link of a fabric by the names of its ends, in Gb/s of the slower end."""
    links, rate = fabric.links, fabric.gbit_s
    found = []
    for a, a_port, b, b_port in zip(links.a, links.a_port, links.b, links.b_port, strict=True):
        gbit = float(min(rate[a], rate[b]))
        one = (fabric.names[a], fabric.port_name(int(a), int(a_port)))
        other = (fabric.names[b], fabric.port_name(int(b), int(b_port)))
        found.append(BuiltCable(one, other, gbit, speed_words(gbit)))
    return tuple(found)


def with_planned_ports(planned: Iterable[BuiltCable], built: Iterable[BuiltCable]) -> tuple[BuiltCable, ...]:
    """Return what was built with the plan's names of ports, where a log says ``mlx5_4`` and the plan ``rail 3``.

    Which adapter is which port is read off the cables: the far end of each tells what the plan has there, and what most
    devices say holds, so that a crossed pair on a few of them still shows as crossed.

    Raises:
        NamesDifferError: the plan knows fewer than half of the devices that were built, or their adapters fit no ports
            of the plan.
    """
    plan, there = tuple(planned), tuple(built)
    wanted, real = _ports(plan), _ports(there)
    known = len(wanted.keys() & real.keys())
    if 2 * known < len(real):
        raise NamesDifferError(
            f"Of {len(real)} devices that were built the plan knows {known} by name: it has {_some(wanted)}, built are "
            f"{_some(real.keys() - wanted.keys())}. "
            "Name the plan's devices as the log does, or hold it against a cable plan (CSV) with the log's names."
        )
    strangers = {device for device in wanted.keys() & real.keys() if not wanted[device] & real[device]}
    if not strangers:
        return there
    named = _learnt(strangers, plan, there)

    def renamed(end: End) -> End:
        return (end[0], named.get(end[1], end[1])) if end[0] in strangers else end

    return tuple(replace(cable, a=renamed(cable.a), b=renamed(cable.b)) for cable in there)


def _learnt(strangers: set[str], plan: tuple[BuiltCable, ...], there: tuple[BuiltCable, ...]) -> dict[str, str]:
    peer = {end: other for c in plan for end, other in ((c.a, c.b), (c.b, c.a))}
    votes: dict[str, Counter[str]] = {}
    for cable in there:
        for end, far in ((cable.a, cable.b), (cable.b, cable.a)):
            meant = peer.get(far)
            if end[0] in strangers and meant is not None and meant[0] == end[0]:
                votes.setdefault(end[1], Counter())[meant[1]] += 1
    named: dict[str, str] = {}
    for port, count in votes.items():
        best, number = count.most_common(1)[0]
        if 2 * number > count.total():
            named[port] = best
    if not named or len(set(named.values())) < len(named):
        raise NamesDifferError(
            f"The adapters of {_some(strangers)} are named otherwise than in the plan, and their cables do not tell "
            "which is which: hold the log against a cable plan (CSV) with the log's names of ports."
        )
    return named


def _ports(cables: tuple[BuiltCable, ...]) -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = {}
    for cable in cables:
        for device, port in (cable.a, cable.b):
            found.setdefault(device, set()).add(port)
    return found


def _some(names: Iterable[str]) -> str:
    first = sorted(names)
    return ", ".join(first[:3]) + (" and others" if len(first) > 3 else "")
