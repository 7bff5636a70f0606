"""The memory hierarchy of one GPU, and which parts of this model's work fit into each tier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from wattsweights_gui.engine.declare import Entry, LaterTable, Value
from wattsweights_gui.engine.equations.gemm import TILES
from wattsweights_gui.engine.equations.job import LOW_PRECISION, Job
from wattsweights_gui.engine.equations.layouts import Layouts
from wattsweights_gui.engine.equations.memory import activation_bytes_a_layer, local_params, memory
from wattsweights_gui.engine.equations.stages import stages_of
from wattsweights_gui.engine.equations.systems import system_for
from wattsweights_gui.engine.kernel_points import Degrees

SHARED_BYTES_A_CLOCK = 128
"""32 banks of 4 bytes an SM (CUDA C++ programming guide, compute capability 7 and later)."""
L2_BYTES_A_CLOCK = {"Ampere": 5120, "Hopper": 5120}
"""A100 whitepaper: 5,120 bytes a clock; Hopper has as many slices. Later generations publish none."""
OPERAND_BYTES_A_FLOP = 6.0
"""A fused multiply-add, two FLOPs, reads three registers of four bytes."""
STAGES, DEPTH, ATTENTION_BLOCK = 4, 64, 128
REGISTERS, SHARED, L2 = 0, 1, 2
NAMES = ("Registers", "Shared memory and L1", "L2", "HBM", "Peers over the scale-up link", "All GPUs, over the network")


@dataclass(frozen=True)
class Tier:
    """One tier as one GPU sees it: size in bytes, bandwidth in bytes/s; ``None`` where it is not published."""

    name: str
    size: float | None
    bytes_s: float | None


@lru_cache(maxsize=64)
def tiers_of(catalog: Any, gpu_id: str, gpus: int) -> tuple[Tier, ...]:
    """Return the tiers from the registers to the network.

    Args:
        catalog: the hardware.
        gpu_id: the accelerator.
        gpus: of the plan.
    """
    gpu: Entry = catalog.entry(gpu_id)
    sms, clock = gpu.get("sm_count"), gpu.get("boost_mhz")
    nvidia = gpu.get("vendor") == "NVIDIA"

    def over_sms(field: str) -> float | None:
        return float(sms * gpu.get(field) * 1024) if sms and gpu.get(field) else None

    l2 = gpu.get("l2_mb") or (gpu.get("l2_mib") * 1.048576 if gpu.get("l2_mib") else None)
    l2_clock = L2_BYTES_A_CLOCK.get(str(gpu.get("architecture")))
    system = system_for(gpu, catalog, None)
    nic = None
    if system is not None and system.get("compute_nics") and system.get("compute_nic_gbit_s"):
        nic = system.get("compute_nics") * system.get("compute_nic_gbit_s") / 8.0 / system.get("gpus") * 1e9
    domain, held = gpu.get("scale_up_domain_gpus"), gpu.get("memory_gb")
    link = gpu.get("scale_up_uni_gb_s")
    sizes = (
        over_sms("register_file_kib_per_sm"),
        over_sms("l1_shared_kib_per_sm"),
        l2 * 1e6 if l2 else None,
        held * 1e9 if held else None,
        held * 1e9 * (domain - 1) if domain and held else None,
        held * 1e9 * gpus if held else None,
    )
    rates = (
        gpu.get("fp32_tflops") * 1e12 * OPERAND_BYTES_A_FLOP if nvidia and gpu.get("fp32_tflops") else None,
        sms * SHARED_BYTES_A_CLOCK * clock * 1e6 if nvidia and sms and clock else None,
        l2_clock * clock * 1e6 if l2_clock and clock else None,
        gpu.get("memory_gb_s") * 1e9 if gpu.get("memory_gb_s") else None,
        link * 1e9 if link else None,
        nic,
    )
    return tuple(Tier(*row) for row in zip(NAMES, sizes, rates, strict=True))


@lru_cache(maxsize=64)
def working_sets(job: Job, degrees: Degrees, sms: float) -> tuple[tuple[str, float, int], ...]:
    """Return what the work touches at once, its bytes, and the first tier that it may live in; smallest scope first."""
    layout = Layouts.of(**dict(degrees))
    blocks = job.blocks
    tensor = float(layout.tp[0])
    tokens = float(layout.micro_batch[0] * job.seq_len / layout.cp[0])
    tall, wide, _ = TILES[0 if job.tile is None else job.tile]
    in_bytes = 1.0 if job.precision in LOW_PRECISION else 2.0
    stages = stages_of(job, layout)
    params = local_params(job, layout, stages)
    dense, mixed, boundary = activation_bytes_a_layer(job, layout)
    held = memory(job, layout, stages)
    unit = float(np.max(params.unit))
    fullest = float(np.max((params.shared + params.experts) * stages.exists))
    block = ATTENTION_BLOCK
    return (
        (f"Accumulators of the running GEMM tiles ({tall:g} × {wide:g})", sms * tall * wide * 4.0, REGISTERS),
        ("Operands of the running GEMM tiles", sms * (tall + wide) * DEPTH * in_bytes * STAGES, SHARED),
        (
            f"Query, key and value blocks of attention ({block} × {block})",
            sms * block * (2.0 * blocks.qk_dim + blocks.v_dim) * 2.0,
            SHARED,
        ),
        ("Keys and values of a micro batch, one layer", tokens * blocks.kv_width / tensor * 2.0, L2),
        ("Input of a layer, one micro batch", float(boundary[0]), L2),
        ("Largest layer's weights", unit * in_bytes, L2),
        ("Activations that one layer keeps", float((mixed if blocks.moe_layers else dense)[0]), L2),
        ("Weights of the stage", fullest * job.recipe.weights, L2),
        ("All that training holds on one GPU", float(held.total[0]), L2),
        ("All weights of the model", blocks.total_params * job.recipe.weights, L2),
        ("All training state of the model", blocks.total_params * job.recipe.total, L2),
    )


def _home(size: float, first: int, tiers: Sequence[Tier]) -> Tier | None:
    return next((t for t in tiers[first:] if t.size is not None and t.size >= size), None)


def hierarchy(catalog: Any, gpu_id: str, gpus: int, job: Job, degrees: Degrees) -> LaterTable:
    """Return the table of tiers: size, bandwidth, time of one pass, and what of the model has its home there."""
    gpu: Entry = catalog.entry(gpu_id)

    def rows() -> tuple[tuple[Value, ...], ...]:
        tiers = tiers_of(catalog, gpu_id, gpus)
        sets = working_sets(job, degrees, float(gpu.get("sm_count") or 132))
        made: list[tuple[Value, ...]] = []
        for tier in tiers:
            fits = [name for name, size, first in sets if _home(size, first, tiers) == tier]
            gb = tier.size / 1e9 if tier.size is not None else None
            rate = tier.bytes_s / 1e9 if tier.bytes_s is not None else None
            once = gb / rate * 1000.0 if gb is not None and rate else None
            made.append((tier.name, gb, rate, once, "; ".join(fits) or "–"))
        return tuple(made)

    return LaterTable(
        ("tier", "size", "bandwidth", "one_pass", "what_fits"),
        ("text", "gb", "gb_s", "ms", "text"),
        (gpu_id, gpus, job, degrees),
        rows,
        f"Memory of {gpu.name}",
        f"{gpu.sources['']}; registers: three operands a multiply-add; shared memory: 128 B a clock and SM; "
        "L2: 5,120 B a clock, NVIDIA A100 whitepaper",
    )


def sets_table(catalog: Any, gpu_id: str, gpus: int, job: Job, degrees: Degrees) -> LaterTable:
    """Return each working set with the smallest tier that holds it and the time to read it there once."""
    gpu: Entry = catalog.entry(gpu_id)

    def rows() -> tuple[tuple[Value, ...], ...]:
        tiers = tiers_of(catalog, gpu_id, gpus)
        made: list[tuple[Value, ...]] = []
        for name, size, first in working_sets(job, degrees, float(gpu.get("sm_count") or 132)):
            tier = _home(size, first, tiers)
            share = 100.0 * size / tier.size if tier is not None and tier.size else None
            once = size / tier.bytes_s * 1e3 if tier is not None and tier.bytes_s else None
            made.append((name, size / 1e9, tier.name if tier is not None else "in none of them", share, once))
        return tuple(made)

    return LaterTable(
        ("what", "size", "tier", "share_of_tier", "read_once"),
        ("text", "gb", "text", "pct", "ms"),
        (gpu_id, gpus, job, degrees),
        rows,
        "What fits where",
        "tiles and blocks over all SMs of one GPU; sizes of this plan's layout",
    )
