"""The memory hierarchy of one GPU, and which parts of this model's work fit into each tier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from wattsweights_gui.engine.declare import Entry, Figure, LaterTable, Value, calc, equation, stated, unknown
from wattsweights_gui.engine.equations.gemm import TILES
from wattsweights_gui.engine.equations.job import LOW_PRECISION, Job
from wattsweights_gui.engine.equations.layouts import Layouts
from wattsweights_gui.engine.equations.memory import activation_bytes_a_layer, local_params, memory
from wattsweights_gui.engine.equations.stages import stages_of
from wattsweights_gui.engine.kernel_points import Degrees

L2_BYTES_A_CLOCK = {"Ampere": 5120.0, "Hopper": 5120.0}
"""A100 whitepaper: 5,120 bytes a clock; Hopper has as many slices. Later generations publish none."""
USUAL_SMS = 132.0
STAGES, DEPTH, ATTENTION_BLOCK = 4, 64, 128
REGISTERS, SHARED, L2 = 0, 1, 2
SIZES = {"byte": 1.0, "mb": 1e6, "gb": 1e9, "tb": 1e12}
TIMES = {"us": 1e-6, "ms": 1e-3, "s": 1.0}


@equation("SMs × KiB of one", "mb", "1 KiB = 1,024 bytes")
def over_sms(sms: float, kib: float) -> float:
    """Return what all SMs hold together, in MB."""
    return sms * kib * 1024.0 / 1e6


@equation("MiB × 1.048576", "mb")
def in_mb(mib: float) -> float:
    """Return a size in MB."""
    return mib * 1.048576


@equation("32-bit rate × 6 B/FLOP", "gb_s", "a fused multiply-add, two FLOPs, reads three registers of four bytes")
def register_rate(fp32_tflops: float) -> float:
    """Return the rate at which the vector units read registers, in GB/s."""
    return fp32_tflops * 1e3 * 6.0


@equation(
    "SMs × 128 B × clock",
    "gb_s",
    "CUDA C++ Programming Guide: 32 banks of 4 bytes an SM, compute capability 7 and later",
)
def shared_rate(sms: float, boost_mhz: float) -> float:
    """Return the rate of all shared memory, in GB/s."""
    return sms * 128.0 * boost_mhz / 1e3


@equation(
    "bytes a clock × clock", "gb_s", "NVIDIA A100 whitepaper: 5,120 B a clock; Hopper taken as the same, an estimate"
)
def l2_rate(bytes_a_clock: float, boost_mhz: float) -> float:
    """Return the read rate of the L2 cache, in GB/s."""
    return bytes_a_clock * boost_mhz / 1e3


@equation("HBM × (GPUs of the scale-up domain - 1)", "gb")
def peers_size(hbm_gb: float, domain: float) -> float:
    """Return what the other GPUs of the domain hold, in GB."""
    return hbm_gb * (domain - 1.0)


@equation("HBM × GPUs of the plan", "tb")
def fleet_size(hbm_gb: float, gpus: float) -> float:
    """Return what all GPUs hold, in TB."""
    return hbm_gb * gpus / 1e3


@equation("adapters' rate / 8", "gb_s")
def nic_rate(nic_gbit_s: float) -> float:
    """Return the network rate of one GPU, in GB/s."""
    return nic_gbit_s / 8.0


@equation("size / bandwidth", "us")
def pass_us(size_mb: float, rate_gb_s: float) -> float:
    """Return the time to read a tier once, in µs."""
    return size_mb / rate_gb_s * 1e3


@equation("size / bandwidth", "ms")
def pass_ms(size_gb: float, rate_gb_s: float) -> float:
    """Return the time to read a tier once, in ms."""
    return size_gb / rate_gb_s * 1e3


@equation("size / bandwidth", "s")
def pass_s(size_tb: float, rate_gb_s: float) -> float:
    """Return the time to read a tier once, in s."""
    return size_tb / rate_gb_s * 1e3


@dataclass(frozen=True)
class Tier:
    """One tier as one GPU sees it.

    Attributes:
        key: what the results of the layer that say the same are called after; name: in words.
        capacity, rate, once: size, bandwidth in GB/s, and the time of one pass; unknown where it is not published.
    """

    key: str
    name: str
    capacity: Figure
    rate: Figure
    once: Figure

    @property
    def size(self) -> float | None:
        """Bytes."""
        return self.capacity.number * SIZES[self.capacity.unit] if self.capacity.known else None

    @property
    def bytes_s(self) -> float | None:
        """Bytes a second."""
        return self.rate.number * 1e9 if self.rate.known else None

    @property
    def seconds(self) -> float | None:
        """Seconds of one pass."""
        return self.once.number * TIMES[self.once.unit] if self.once.known else None


@lru_cache(maxsize=64)
def tiers_of(
    catalog: Any, gpu_id: str, gpus: int, domain: float | None, nic_gbit_s: float, nic_source: str
) -> tuple[Tier, ...]:
    """Return the tiers from the registers to the network.

    Args:
        catalog: the hardware.
        gpu_id: the accelerator.
        gpus: of the plan.
        domain: GPUs of one scale-up domain; ``None`` where that is not known.
        nic_gbit_s, nic_source: of one GPU, and where it comes from.
    """
    gpu: Entry = catalog.entry(gpu_id)
    clock, hbm = gpu.fig("boost_mhz", "mhz", "boost clock"), gpu.fig("memory_gb", "gb", "memory")
    sms = gpu.fig("sm_count", "count", "compute units")
    registers = gpu.fig("register_file_kib_per_sm", "kib", "register file of one compute unit")
    shared = gpu.fig("l1_shared_kib_per_sm", "kib", "shared memory and L1 of one compute unit")
    l2 = gpu.fig("l2_mb", "mb", "L2 cache")
    if not l2.known:
        l2 = calc(in_mb, mib=gpu.fig("l2_mib", "mib", "L2 cache"))
    nvidia = gpu.get("vendor") == "NVIDIA"
    other = unknown(f"its bytes a clock are known for NVIDIA's units only, not for {gpu.name}", "gb_s")
    a_clock = L2_BYTES_A_CLOCK.get(str(gpu.get("architecture")))
    l2_bandwidth = (
        calc(
            l2_rate,
            bytes_a_clock=stated(a_clock, "byte", "L2 bytes a clock", source="A100 whitepaper"),
            boost_mhz=clock,
        )
        if a_clock
        else unknown(f"{gpu.get('vendor')} publishes no L2 bandwidth for {gpu.name}", "gb_s")
    )
    peers = (
        unknown(f"{gpu.name} has no peers on a scale-up link", "gb")
        if domain == 1.0
        else calc(peers_size, hbm_gb=hbm, domain=stated(domain, "count", "GPUs of the domain", formula="of the plan"))
        if domain
        else unknown(f"the catalogue does not know the scale-up domain of {gpu.name}", "gb")
    )
    nic = stated(nic_gbit_s, "gbit_s", "adapters of one GPU", source=nic_source)
    link = gpu.fig("scale_up_uni_gb_s", "gb_s", "scale-up link, one direction")
    fleet = calc(fleet_size, hbm_gb=hbm, gpus=stated(gpus, "count", "GPUs of the plan", formula="TP × CP × PP × DP"))
    rows: tuple[tuple[str, str, Figure, Figure, Any], ...] = (
        (
            "registers",
            "Registers",
            calc(over_sms, sms=sms, kib=registers),
            calc(register_rate, fp32_tflops=gpu.fig("fp32_tflops", "tflops", "32-bit rate")) if nvidia else other,
            pass_us,
        ),
        (
            "shared",
            "Shared memory and L1",
            calc(over_sms, sms=sms, kib=shared),
            calc(shared_rate, sms=sms, boost_mhz=clock) if nvidia else other,
            pass_us,
        ),
        ("l2", "L2", l2, l2_bandwidth, pass_us),
        ("hbm", "HBM", hbm, gpu.fig("memory_gb_s", "gb_s", "memory bandwidth"), pass_ms),
        ("peers", "Peers over the scale-up link", peers, link, pass_ms),
        ("network", "All GPUs, over the network", fleet, calc(nic_rate, nic_gbit_s=nic), pass_s),
    )
    found = []
    for key, name, size, rate, once in rows:
        size, rate = _titled(size, f"{name}: size"), _titled(rate, f"{name}: bandwidth")
        put_in: dict[str, Any] = {f"size_{size.unit}": size, "rate_gb_s": rate}
        found.append(Tier(key, name, size, rate, calc(once, **put_in)))
    return tuple(found)


def _titled(figure: Figure, title: str) -> Figure:
    return figure if figure.title else replace(figure, title=title)


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


def hierarchy(tiers: tuple[Tier, ...], gpu: Entry, job: Job | None, degrees: Degrees) -> LaterTable:
    """Return the table of tiers: size, bandwidth, time of one pass, and what of the model has its home there."""

    def rows() -> tuple[tuple[Value, ...], ...]:
        sets = working_sets(job, degrees, float(gpu.get("sm_count") or USUAL_SMS)) if job is not None else ()
        made: list[tuple[Value, ...]] = []
        for tier in tiers:
            fits = [name for name, size, first in sets if _home(size, first, tiers) == tier]
            gb = tier.size / 1e9 if tier.size is not None else None
            rate = tier.bytes_s / 1e9 if tier.bytes_s is not None else None
            once = tier.seconds * 1e3 if tier.seconds is not None else None
            made.append((tier.name, gb, rate, once, "; ".join(fits) or "–"))
        return tuple(made)

    return LaterTable(
        ("tier", "size", "bandwidth", "one_pass", "what_fits"),
        ("text", "gb", "gb_s", "ms", "text"),
        (gpu.id, tiers, job, degrees),
        rows,
        f"Memory of {gpu.name}",
        f"each number's own among the results above; catalogue: {gpu.sources['']}",
    )


def sets_table(tiers: tuple[Tier, ...], gpu: Entry, job: Job, degrees: Degrees) -> LaterTable:
    """Return each working set with the smallest tier that holds it and the time to read it there once."""

    def rows() -> tuple[tuple[Value, ...], ...]:
        made: list[tuple[Value, ...]] = []
        for name, size, first in working_sets(job, degrees, float(gpu.get("sm_count") or USUAL_SMS)):
            tier = _home(size, first, tiers)
            share = 100.0 * size / tier.size if tier is not None and tier.size else None
            once = size / tier.bytes_s * 1e3 if tier is not None and tier.bytes_s else None
            made.append((name, size / 1e9, tier.name if tier is not None else "in none of them", share, once))
        return tuple(made)

    return LaterTable(
        ("what", "size", "tier", "share_of_tier", "read_once"),
        ("text", "gb", "text", "pct", "ms"),
        (gpu.id, tiers, job, degrees),
        rows,
        "What fits where",
        "tiles and blocks over all SMs of one GPU; sizes of this plan's layout",
    )
