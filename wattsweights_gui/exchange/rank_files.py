"""Hosts in the order of ranks: a host file for MPI and NCCL launchers, and a rank file with one line a GPU."""

from __future__ import annotations

from wattsweights_gui.engine.wiring import NODE, Wiring
from wattsweights_gui.exchange.slurm_topology import hosts_of


def host_file(wiring: Wiring, gpus_per_node: int, hosts_per_node: int = 1) -> str:
    """Return one line a host with its slots; neighbours in rank order are neighbours in a scalable unit."""
    slots = gpus_per_node // hosts_per_node
    return "".join(f"{host} slots={slots}\n" for host in _hosts(wiring, hosts_per_node))


def rank_file(wiring: Wiring, gpus_per_node: int, hosts_per_node: int = 1) -> str:
    """Return one line a rank: rank, host and local GPU."""
    slots = gpus_per_node // hosts_per_node
    lines = [
        f"rank {number * slots + gpu}={host} slot={gpu}\n"
        for number, host in enumerate(_hosts(wiring, hosts_per_node))
        for gpu in range(slots)
    ]
    return "".join(lines)


def _hosts(wiring: Wiring, hosts_per_node: int) -> list[str]:
    nodes = wiring.devices.of(NODE).tolist()
    return [host for node in nodes for host in hosts_of(wiring.name(node), hosts_per_node)]
