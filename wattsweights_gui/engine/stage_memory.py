"""Memory of the first, a middle and the last pipeline stage by part, and what the memory kept free is for."""

from __future__ import annotations

from typing import Any

import numpy as np

from wattsweights_gui.engine.declare import Figure, LaterTable, Value, calc, equation, stated
from wattsweights_gui.engine.equations import memory
from wattsweights_gui.engine.equations.job import Job
from wattsweights_gui.engine.equations.layouts import Layouts
from wattsweights_gui.engine.equations.memory import ledger, states
from wattsweights_gui.engine.equations.stages import stages_of
from wattsweights_gui.engine.kernel_points import Degrees

STAGES = ("first", "middle", "last")
BUFFER_MIB, CHANNELS, DIRECTIONS = 4.0, 16.0, 2.0
"""Of NCCL: its default buffer size, channels of a ring inside a node, and sending beside receiving."""


def stages_table(job: Job, degrees: Degrees, kept_free_gb: float) -> LaterTable:
    """Return the memory of one GPU of each kind of stage, in GB (10^9 bytes)."""

    def rows() -> tuple[tuple[Value, ...], ...]:
        layout = Layouts.of(**dict(degrees))
        held = stages_of(job, layout)
        entries = ledger(job, layout, held)
        weights, gradients, optimizer, gathered = states(job, layout, entries.params)
        found: list[tuple[Value, ...]] = []
        for at, name in enumerate(STAGES):
            if not held.exists[at, 0] or (layout.pp[0] == 1 and at > 0):
                continue
            parts = [float(np.broadcast_to(p, held.exists.shape)[at, 0]) / 1e9 for p in
                     (weights, gradients, optimizer, entries.kept, entries.logits, gathered)]  # fmt: skip
            found.append(
                (
                    "the only one" if layout.pp[0] == 1 else name,
                    float(held.dense[at, 0] + held.moe[at, 0]),
                    float(np.broadcast_to(held.in_flight, held.exists.shape)[at, 0]),
                    *parts,
                    kept_free_gb,
                    sum(parts) + kept_free_gb,
                )
            )
        return tuple(found)

    gb = ("weights", "gradients", "optimizer", "activations", "logits_or_gradients", "gathered", "kept_free", "total")
    return LaterTable(
        ("stage", "layers", "micro_batches_held", *gb),
        ("text", "count", "count", *("gb",) * len(gb)),
        (job, degrees, kept_free_gb),
        rows,
        "Memory by pipeline stage",
        memory.SOURCE,
    )


@equation(
    "groups with more than one member × 4 MiB × 16 channels × 2 directions",
    "gb",
    "NCCL user guide: NCCL_BUFFSIZE is 4 MiB; rings of NVLink nodes open 16 channels",
)
def collective_buffers_gb(groups: float) -> float:
    """Return the bytes of the communicators' buffers, an estimate."""
    return groups * BUFFER_MIB * 2.0**20 * CHANNELS * DIRECTIONS / 1e9


def kept_free_figures(inputs: Any) -> dict[str, Figure]:
    """Return what the memory kept free is for: context, buffers of collectives, and the allocator's rest."""
    kept, context = inputs.fig("reserve_gb"), inputs.fig("context_gb")
    sizes = {n: inputs.fig(n) for n in ("tp", "cp", "dp", "pp", "ep")}
    several = sum(1 for f in sizes.values() if f.number > 1)
    groups = stated(several, "count", "Groups", formula="kinds of groups with more than one member", put_in=sizes)
    buffers = calc(collective_buffers_gb, title="Buffers of collectives", groups=groups)
    first = min(context.number, kept.number)
    second = min(buffers.number, kept.number - first)
    return {
        "memory_context_gb": stated(
            first, "gb", formula="as allowed, inside the memory kept free", allowed=context, kept_free=kept
        ),
        "memory_collectives_gb": stated(
            second, "gb", formula=f"{buffers.formula}, inside the memory kept free", source=buffers.source,
            estimate=buffers, kept_free=kept,
        ),
        "memory_allocator_gb": stated(
            kept.number - first - second,
            "gb",
            formula="kept free - context - buffers of collectives: fragments, workspaces, what no model explains",
            source="measured: reserved over allocated 0.8 to 12.9 GiB, SimuMax B200 rows",
            kept_free=kept,
            context=context,
            buffers=buffers,
        ),
    }  # fmt: skip
