"""Ranks on a fabric and blocks of nodes for a scheduler."""

from __future__ import annotations

import math
from collections.abc import Mapping

from wattsweights_gui.engine.declare import equation

_TOPOGRAPH = "NVIDIA topograph, docs/engines/slurm.md"
_MEGATRON = "Megatron-LM, megatron/core/parallel_state.py"


@equation("block = D × 2^⌊log₂ N⌋", "count", _TOPOGRAPH)
def largest_block(smallest_domain_nodes: float, domains: float) -> int:
    """Return the largest of Slurm's BlockSizes for so many NVLink domains."""
    return int(smallest_domain_nodes * 2 ** math.floor(math.log2(domains)))


@equation("block = sub-domain, doubled until it covers the domain", "count", _TOPOGRAPH)
def covering_block(subdomain_nodes: float, domain_nodes: float) -> int:
    """Return the largest of Slurm's BlockSizes where domains are made of sub-domains."""
    return int(subdomain_nodes * 2 ** max(0, math.ceil(math.log2(domain_nodes / subdomain_nodes) - 1e-12)))


def group_stride(order: str, degrees: Mapping[str, int], axis: str) -> int:
    """Return the distance of neighbouring ranks of an axis: the product of the degrees named before it in the order."""
    before = order.split("-")[: order.split("-").index(axis)]
    return math.prod(int(degrees.get(name, 1)) for name in before)


@equation("groups = ranks / degree", "count", _MEGATRON)
def group_count(world_size: float, degree: float) -> int:
    """Return how many groups an axis has."""
    return int(world_size // degree)
