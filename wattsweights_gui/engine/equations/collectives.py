"""Time of collectives over groups of ranks, by an alpha-beta model per tier, for arrays of layouts.

A group of n ranks, each ``stride`` ranks from the next, puts g members in one scale-up domain and spans k domains. A
ring inside runs at the link's rate; between domains it runs over the g adapters of the members (rings of different
groups use different adapters). Start-up: one hop a member inside, a tree of domains outside.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wattsweights_gui.engine.equations.layouts import Array
from wattsweights_gui.engine.equations.machine import Machine


@dataclass(frozen=True, slots=True)
class Group:
    """Groups of ranks: size, members in a domain, domains, rate in bytes/s, start-up in seconds."""

    size: Array
    members: Array
    domains: Array
    bytes_s: Array
    start_s: Array


def group_of(machine: Machine, size: Array, stride: Array) -> Group:
    """Return where a group lies, and the rate and start-up of its rings."""
    members = np.maximum(1.0, np.minimum(size, np.floor(machine.domain / stride)))
    domains = np.ceil(size / members)
    inside: Array | float = machine.link_bytes_s
    if machine.mesh_links:
        inside = inside * np.minimum(1.0, np.maximum(members - 1.0, 1.0) / machine.mesh_links)
    outside = members * nic_bytes_s(machine, domains)
    crossing = domains > 1.0
    rate = np.where(crossing, np.minimum(np.where(members > 1.0, inside, np.inf), outside), inside)
    start = machine.fit["start_us"] * 1e-6
    hop = np.log2(np.maximum(domains, 1.0)) + np.log2(np.maximum(members, 1.0))
    return Group(size, members, domains, rate, start * np.where(size > 1.0, 1.0 + 0.5 * hop, 0.0))


def nic_bytes_s(machine: Machine, domains: Array) -> Array | float:
    """Return one adapter's rate; traffic beyond one leaf switch shares its oversubscribed up-links."""
    if machine.oversubscription <= 1.0:
        return machine.nic_bytes_s
    beyond = np.maximum(0.0, 1.0 - machine.reach / np.maximum(domains, 1.0))
    slowed: Array = machine.nic_bytes_s / (1.0 + (machine.oversubscription - 1.0) * beyond)
    return slowed


def gather_s(group: Group, payload: Array) -> Array:
    """Return the time of an all-gather or a reduce-scatter of a buffer of ``payload`` bytes."""
    time: Array = group.start_s + payload * (group.size - 1.0) / group.size / group.bytes_s
    return time


def all_reduce_s(machine: Machine, group: Group, payload: Array) -> Array:
    """Return the time of an all-reduce; with reduction in the network each rank sends the buffer once."""
    factor = 2.0 * (group.size - 1.0) / group.size
    if machine.in_network:
        factor = np.where(group.domains > 2.0, np.minimum(factor, 1.0 + 1.0 / group.size), factor)
    time: Array = group.start_s + payload * factor / group.bytes_s
    return time


def all_to_all_s(machine: Machine, group: Group, payload: Array, spread: float) -> Array:
    """Return the time of an all-to-all in which each rank sends ``payload`` bytes evenly over the group.

    What stays in the domain runs over the links, the rest through the rank's own adapter at the same time. A value that
    goes to several experts of one rank is sent once, and to several ranks of another domain crosses the network once.

    Args:
        machine: rates.
        group: the expert-parallel group.
        payload: bytes that one rank sends, copies to several members counted.
        spread: members that one value is sent to.
    """
    n, k = group.size, group.domains
    once_a_rank = n * (1.0 - (1.0 - 1.0 / n) ** spread) / max(1.0, spread)
    inside = payload * once_a_rank * (n - 1.0) / n / (machine.link_bytes_s * machine.fit["all_to_all"])
    distinct = k * (1.0 - (1.0 - 1.0 / k) ** spread) / max(1.0, spread)
    leaving = payload * np.where(k > 1.0, distinct * (k - 1.0) / k, 0.0)
    outside = leaving / nic_bytes_s(machine, k)
    time: Array = np.where(n > 1.0, group.start_s + np.maximum(inside, outside), 0.0)
    return time


def send_s(machine: Machine, stride: Array, payload: Array) -> Array:
    """Return the time of one copy to the rank ``stride`` away."""
    rate = np.where(stride >= machine.domain, machine.nic_bytes_s, machine.copy_bytes_s)
    time: Array = 0.5 * machine.fit["start_us"] * 1e-6 + payload / rate
    return time
