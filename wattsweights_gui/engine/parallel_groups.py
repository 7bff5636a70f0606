"""The parallel groups of a layout on the tiers of the machine: members, place, traffic, time, and what is hidden."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from wattsweights_gui.engine.declare import LaterTable, Value
from wattsweights_gui.engine.equations.collectives import group_of
from wattsweights_gui.engine.equations.job import Job
from wattsweights_gui.engine.equations.layouts import Layouts
from wattsweights_gui.engine.equations.machine import Machine
from wattsweights_gui.engine.equations.step_time import StepTime, step_time
from wattsweights_gui.engine.kernel_points import Degrees

LINKS, BOTH, NETWORK = "NVLink domain", "NVLink domain, then network", "network"
ALONE = "no group"
_SOURCE = "alpha-beta model of this program; rank order TP, CP, DP, PP, experts over the ranks of a stage (Megatron)"


@dataclass(frozen=True)
class ParallelGroup:
    """One kind of group.

    Attributes:
        name: ``tensor``, ``context``, ``experts``, ``data`` or ``pipeline``.
        size, stride: members, and ranks from one to the next.
        members, domains: in one scale-up domain, and domains that the group spans.
        tier: in words. link_bytes, network_bytes: that one GPU sends in a step over each.
        seconds: if nothing else ran meanwhile; exposed: what the step waits for.
    """

    name: str
    size: int
    stride: int
    members: int
    domains: int
    tier: str
    link_bytes: float
    network_bytes: float
    seconds: float
    exposed: float

    @property
    def hidden(self) -> float:
        """Seconds that computing hides."""
        return max(0.0, self.seconds - self.exposed)


@lru_cache(maxsize=64)
def groups_of(job: Job, machine: Machine, degrees: Degrees) -> tuple[ParallelGroup, ...]:
    """Return the groups, innermost first."""
    layout = Layouts.of(**dict(degrees))
    tp, cp, dp, pp, ep, etp = (int(getattr(layout, n)[0]) for n in ("tp", "cp", "dp", "pp", "ep", "etp"))
    # what would be exposed if nothing were hidden: attention takes no time, so that it hides no keys and values
    open_fit = {**machine.fit, "expert_exposed": 1.0}
    bare = replace(job, overlap_gradients=False, overlap_tensor=False, overlap_sends=False)
    whole = replace(machine, attention_flops_s=math.inf, half_flops_s=math.inf, fit=open_fit)
    # with no start-up and one tier at no cost, seconds × rate are the bytes on the other
    still = replace(whole, oversubscription=1.0, fit={**open_fit, "start_us": 0.0, "all_to_all": 1.0})
    exposed = step_time(job, machine, layout)
    alone = step_time(bare, whole, layout)
    links = step_time(bare, replace(still, nic_bytes_s=math.inf), layout)
    nets = step_time(bare, replace(still, link_bytes_s=math.inf, copy_bytes_s=math.inf), layout)
    sizes = {"tensor": (tp, 1), "context": (cp, tp), "experts": (ep, etp), "data": (dp, tp * cp),
             "pipeline": (pp, tp * cp * dp)}  # fmt: skip
    found: list[ParallelGroup] = []
    for name, (size, stride) in sizes.items():

        def of(time: StepTime, name: str = name) -> float:
            return float(getattr(time, name)[0])

        where = group_of(machine, np.array([float(size)]), np.array([float(stride)]))
        members, domains = int(where.members[0]), int(where.domains[0])
        rate = machine.copy_bytes_s if name == "pipeline" else machine.link_bytes_s
        tier = ALONE if size == 1 else LINKS if domains == 1 else BOTH if members > 1 else NETWORK
        found.append(
            ParallelGroup(
                name,
                size,
                stride,
                members,
                domains,
                tier,
                of(links) * rate,
                of(nets) * machine.nic_bytes_s,
                of(alone),
                of(exposed),
            )
        )
    return tuple(found)


NAMES = {
    "tensor": "Tensor parallel",
    "context": "Context parallel",
    "experts": "Expert parallel",
    "data": "Data parallel",
    "pipeline": "Pipeline parallel",
}


def groups_table(job: Job, machine: Machine, degrees: Degrees) -> LaterTable:
    """Return the groups as rows, innermost first."""

    def rows() -> tuple[tuple[Value, ...], ...]:
        return tuple(
            (
                NAMES[g.name],
                g.size,
                g.members,
                g.domains,
                g.tier,
                g.link_bytes / 1e9,
                g.network_bytes / 1e9,
                g.seconds,
                g.exposed,
                g.hidden,
            )
            for g in groups_of(job, machine, degrees)
        )

    return LaterTable(
        ("group", "members", "in_a_domain", "domains", "tier", "nvlink_sent", "network_sent", "time", "exposed",
         "hidden"),
        ("text", "count", "count", "count", "text", "gb", "gb", "s", "s", "s"),
        (job, machine, degrees),
        rows,
        "Parallel groups on the tiers, one GPU and step",
        _SOURCE,
    )  # fmt: skip


def domains_table(job: Job, machine: Machine, degrees: Degrees) -> LaterTable:
    """Return the groups on scale-up domains of 8 and of 72 GPUs side by side, all rates as in the plan."""

    def rows() -> tuple[tuple[Value, ...], ...]:
        of_8, of_72 = (groups_of(job, replace(machine, domain=float(d)), degrees) for d in (8, 72))
        own = groups_of(job, machine, degrees)
        return tuple(
            (NAMES[a.name], a.size, a.tier, a.exposed, b.tier, b.exposed, c.exposed)
            for a, b, c in zip(of_8, of_72, own, strict=True)
        )

    return LaterTable(
        ("group", "members", "tier_of_8", "exposed_of_8", "tier_of_72", "exposed_of_72", "this_plan"),
        ("text", "count", "text", "s", "text", "s", "s"),
        ("domains", job, machine, degrees),
        rows,
        "The same job on domains of 8 and of 72",
        _SOURCE,
    )
