"""One GPU in its network, in FLOP/s and bytes/s, with what software reaches of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from wattsweights_gui.engine.declare import Entry
from wattsweights_gui.engine.equations.busbw import Link
from wattsweights_gui.engine.equations.job import EIGHT_BIT

GENERATIONS = {"Ampere": "ampere", "Hopper": "hopper", "Blackwell": "blackwell", "Rubin": "blackwell"}
UNFITTED_GENERATION = "hopper"
REFERENCE_W = {"ampere": 400.0, "hopper": 700.0, "blackwell": 1200.0}
"""Power limit of the boards that a generation's constants stand for; the same silicon under less runs slower."""
CUBE = 1.0 / 3.0
USUAL_SMS = 132.0
USUAL_DOMAIN = 8.0
NO_LINK_BYTES_S = 25e9


class Catalog(Protocol):
    """What is asked of the catalogue."""

    def of_kind(self, kind: str) -> tuple[Entry, ...]:
        """Return all entries of a kind."""
        ...


@dataclass(frozen=True, eq=False)
class Machine:
    """A GPU and its links.

    Attributes:
        gemm_flops_s, half_flops_s: what the largest multiplications reach in the job's format and in 16 bits, FLOP/s.
        peak_flops_s: peak of the job's format, for MFU. half_peak_flops_s: of 16 bits.
        attention_flops_s: what attention kernels reach forward on long sequences with heads 128 wide, FLOP/s, without
            the masked half. attention_narrow: share of it with heads 64 wide.
        hbm_bytes_s: what element-wise kernels reach. sms: streaming multiprocessors.
        domain: GPUs that share one scale-up fabric. link_bytes_s: a ring's rate in it. copy_bytes_s: one copy's.
        nic_bytes_s: one adapter's rate as reached. reach: domains below one leaf switch.
        oversubscription: at the leaf. in_network: the switches add. mesh_links: of a full mesh without a switch.
        fit: the fitted constants by name.
    """

    gemm_flops_s: float
    half_flops_s: float
    peak_flops_s: float
    half_peak_flops_s: float
    attention_flops_s: float
    attention_narrow: float
    hbm_bytes_s: float
    hbm_bytes: float
    sms: float
    domain: float
    link_bytes_s: float
    copy_bytes_s: float
    nic_bytes_s: float
    reach: float
    oversubscription: float
    in_network: bool
    mesh_links: float
    generation: str
    fit: Mapping[str, float]


def constants_of(catalog: Any) -> Mapping[str, float]:
    """Return the fitted and measured constants of the catalogue by name."""
    return _constants_of(catalog)


@lru_cache(maxsize=8)
def _constants_of(catalog: Any) -> Mapping[str, float]:
    entries = (*catalog.of_kind("fitted_constant"), *catalog.of_kind("measured_constant"))
    return {e.id.removeprefix("fit_"): float(e.get("value")) for e in entries}


def peak_tflops(gpu: Entry, precision: str) -> float | None:
    """Return the dense peak of a GEMM precision, or ``None`` where the GPU has no such units."""
    if precision == "nvfp4":
        value = gpu.get("fp4_tflops")
    elif precision in EIGHT_BIT:
        value = gpu.get("fp8_tflops")
    else:
        value = gpu.get("bf16_tflops")
    return None if value is None else float(value)


def generation_of(gpu: Entry) -> str:
    """Return the generation whose fitted constants hold for a GPU: its own, or the nearest that was measured."""
    return GENERATIONS.get(str(gpu.get("architecture") or ""), UNFITTED_GENERATION)


def generation_known(gpu: Entry) -> bool:
    """Return whether constants were fitted on GPUs of this generation."""
    return str(gpu.get("architecture") or "") in ("Ampere", "Hopper", "Blackwell")


def link_of(gpu: Entry, catalog: Catalog) -> Link:
    """Return what the GPU's scale-up generation reaches."""
    name = str(gpu.get("scale_up_link") or "")
    for entry in catalog.of_kind("scale_up_generation"):
        if entry.id == name or (name == "infinity_fabric" and entry.id == "infinity_fabric_mi300"):
            return Link.of(entry)
    return Link.of(None)


def machine_of(
    gpu: Entry,
    catalog: Catalog,
    precision: str,
    nic_gbit_s: float,
    *,
    clock_share: float = 1.0,
    domain: float | None = None,
    memory_gb: float | None = None,
    memory_gb_s: float | None = None,
    link_gb_s: float | None = None,
    oversubscription: float = 1.0,
    in_network: bool = False,
    fit: Mapping[str, float] | None = None,
    native_attention: bool = True,
) -> Machine | None:
    """Return the machine, or ``None`` where the GPU has no units for the precision or no known memory.

    Args:
        gpu: the accelerator.
        catalog: the hardware, for the scale-up link and the fitted constants.
        precision: GEMM precision.
        nic_gbit_s: adapter rate of one GPU.
        clock_share: speed left under a power cap.
        domain: GPUs of the scale-up domain, where it is not the catalogue's.
        memory_gb, memory_gb_s, link_gb_s: where they are not the catalogue's.
        oversubscription: down over up at the leaf.
        in_network: reduction in the switches.
        native_attention: the attention kernel was written for the generation (Hopper ran Ampere's until the middle of
            2024, PyTorch's own attention longer).
        fit: constants to take instead of the catalogue's.
    """
    peak, half = peak_tflops(gpu, precision), peak_tflops(gpu, "bf16")
    held = memory_gb or gpu.get("memory_visible_gb") or gpu.get("memory_gb")
    rate = memory_gb_s or gpu.get("memory_gb_s")
    if peak is None or half is None or held is None or rate is None:
        return None
    constants = {**constants_of(catalog), **(fit or {})}
    generation = generation_of(gpu)
    link = link_of(gpu, catalog)
    if gpu.get("tdp_w") and generation_known(gpu):
        clock_share = clock_share * (float(gpu.get("tdp_w")) / REFERENCE_W[generation]) ** CUBE
    # the cap equation takes the cube root, which holds for clocks alone; matrices under a power limit follow it closer
    clock_share = clock_share ** (constants["power_exponent"] / CUBE)
    attention = "attention_ported" if generation == "hopper" and not native_attention else f"attention_{generation}"
    narrow = "attention_narrow" if native_attention and generation != "ampere" else "attention_narrow_ported"
    share = {"nvfp4": "fp4", **dict.fromkeys(EIGHT_BIT, f"fp8_{generation}")}.get(precision, f"gemm_{generation}")
    uni = link_gb_s or gpu.get("scale_up_uni_gb_s")
    wire = float(uni) * 1e9 if uni else NO_LINK_BYTES_S
    return Machine(
        gemm_flops_s=peak * 1e12 * constants.get(share, constants["fp8_hopper"]) * clock_share,
        half_flops_s=half * 1e12 * constants[f"gemm_{generation}"] * clock_share,
        peak_flops_s=peak * 1e12,
        half_peak_flops_s=half * 1e12,
        attention_flops_s=half * 1e12 * constants[attention] * clock_share,
        attention_narrow=constants[narrow],
        hbm_bytes_s=float(rate) * 1e9 * constants["hbm"],
        hbm_bytes=float(held) * 1e9,
        sms=float(gpu.get("sm_count") or USUAL_SMS),
        domain=float(domain or gpu.get("scale_up_domain_gpus") or USUAL_DOMAIN),
        link_bytes_s=wire * link.ring,
        copy_bytes_s=wire * link.p2p / max(1, link.mesh_links),
        nic_bytes_s=nic_gbit_s / 8.0 * 1e9 * constants["nic"],
        reach=32.0,
        oversubscription=oversubscription,
        in_network=in_network,
        mesh_links=float(link.mesh_links),
        generation=generation,
        fit=constants,
    )
