"""How layers fall on pipeline stages, and how many micro batches a stage holds.

Three stages stand for all: the first (input table, most micro batches in flight), a middle one and the last (output
head, loss, multi-token prediction). Rows of the arrays are in that order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wattsweights_gui.engine.equations.blocks import Blocks
from wattsweights_gui.engine.equations.job import Job
from wattsweights_gui.engine.equations.layouts import Array, Layouts

FIRST, MIDDLE, LAST = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Stages:
    """Layers of the three stages (rows) of each layout (columns).

    Attributes:
        dense, moe: layers of each kind.
        inputs, heads: 1 where the stage holds the input table and the output head.
        exists: 1 where there is such a stage.
        micro_batches: of each layout and step.
        in_flight: micro batches whose activations a stage holds, in whole stages.
    """

    dense: Array
    moe: Array
    inputs: Array
    heads: Array
    exists: Array
    micro_batches: Array
    in_flight: Array


def micro_batches(job: Job, layouts: Layouts) -> Array:
    """Return the micro batches of one replica in one step; a batch that does not divide rounds up."""
    batches: Array = np.ceil(job.global_batch / (layouts.dp * layouts.micro_batch))
    return batches


def layers_of_stages(blocks: Blocks, layouts: Layouts) -> Array:
    """Return the layers of the first, a middle and the last stage.

    Where the layers do not divide, the input table, the head and each multi-token prediction layer count as one
    layer, and what is left lands on the last stage (Megatron's and Llama 3's way). With multi-token prediction the head
    runs twice, so that the table counts as nothing and the last stage has what that saves (Megatron-Bridge's layouts of
    DeepSeek-V3: 4 layers in each of 15 stages, 1 in the last).
    """
    total = float(blocks.layers)
    chunks = layouts.pp * layouts.vpp
    even = np.mod(total, chunks) == 0
    full = np.ceil((total + 2.0 + blocks.mtp_layers) / chunks) * layouts.vpp
    table = 0.0 if blocks.mtp_layers else 1.0
    first = np.minimum(np.where(even, total / layouts.pp, full - table), total)
    middle = np.minimum(np.where(even, total / layouts.pp, full), total)
    last = np.maximum(total - first - (layouts.pp - 2.0) * middle, 0.0)
    alone = layouts.pp == 1
    return np.stack([np.where(alone, total, first), middle, np.where(alone, total, last)])


def recomputed_share(job: Job, layouts: Layouts) -> Array:
    """Return the share of the layers whose forward pass is done again in the backward pass."""
    each = job.blocks.layers / layouts.pp
    share: Array = np.where(layouts.recompute_layers > 0.0, np.minimum(1.0, layouts.recompute_layers / each), 1.0)
    return share * (layouts.recompute >= 2.0)


def stages_of(job: Job, layouts: Layouts) -> Stages:
    """Return what the three stages hold."""
    blocks = job.blocks
    layers = layers_of_stages(blocks, layouts)
    lead = float(blocks.lead_dense_layers)
    density = blocks.moe_layers / max(1.0, blocks.layers - lead)
    leading = np.zeros_like(layers)
    leading[FIRST] = np.minimum(lead, layers[FIRST])
    alone = layouts.pp == 1
    leading[LAST] = np.where(alone, leading[FIRST], 0.0)
    moe = (layers - leading) * density
    ones, zeros = np.ones_like(layouts.pp), np.zeros_like(layouts.pp)
    solo = alone * 1.0
    batches = micro_batches(job, layouts)
    rank = np.stack([zeros, np.minimum(1.0, layouts.pp - 1.0), layouts.pp - 1.0])
    waiting = layouts.pp - rank
    interleaved = ((waiting - 1.0) * 2.0 + (layouts.vpp - 1.0) * layouts.pp + 1.0) / layouts.vpp
    held = np.where(layouts.vpp > 1.0, interleaved, waiting)
    # zero bubble: every stage holds as many micro batches as the first; H2 fills the pipe twice (Qi et al. 2024)
    held = np.where(layouts.schedule >= 2.0, layouts.pp, held)
    held = np.minimum(np.where(layouts.schedule >= 3.0, 2.0 * layouts.pp - 1.0, held), batches)
    return Stages(
        dense=layers - moe,
        moe=moe,
        inputs=np.stack([ones, zeros, solo]),
        heads=np.stack([solo, zeros, ones]),
        exists=np.stack([ones, (layouts.pp > 2.0) * 1.0, ones]),
        micro_batches=batches,
        in_flight=held,
    )
