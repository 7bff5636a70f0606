"""The way of a byte from storage to the GPU: PCIe, adapters, host memory and CPU copies."""

from __future__ import annotations

import math

from wattsweights_gui.engine.declare import equation

_PCI = "PCI-SIG: line rate and 128b/130b coding"
_MEASURED = "Microsoft, Azure AI benchmarking guide, nvbandwidth: 13.3, 26.3 and 52 GB/s on Gen3, 4 and 5 x16"
USABLE = 0.83
CORE_COPY_GB_S = 10.0
GT_S = {1: 2.5, 2: 5.0, 3: 8.0, 4: 16.0, 5: 32.0, 6: 64.0, 7: 128.0}


@equation("raw = GT/s × lanes × 128/130 / 8 (8/10 below Gen3, 242/256 from Gen6)", "gb_s", _PCI)
def pcie_raw_gb_s(generation: float, lanes: float) -> float:
    """Return the bandwidth of a link, one direction, after line coding.

    Raises:
        KeyError: no such generation.
    """
    coding = 0.8 if generation < 3 else 128 / 130 if generation < 6 else 242 / 256
    return GT_S[int(generation)] * lanes * coding / 8


@equation("usable = raw × 0.83", "gb_s", _MEASURED)
def pcie_usable_gb_s(generation: float, lanes: float) -> float:
    """Return what copies reach on a link, one direction: an estimate beyond Gen5, where nothing was measured."""
    return float(pcie_raw_gb_s(generation, lanes)) * USABLE


@equation("a GPU = links × Gb/s / 8 / GPUs", "gb_s", "definition")
def adapters_gb_s_per_gpu(links: float, gbit_s: float, gpus: float) -> float:
    """Return the share of one GPU in a host's adapters."""
    return links * gbit_s / 8 / gpus


@equation("a GPU = host memory GB/s / crossings of each byte / GPUs", "gb_s", "each byte is written and read again")
def host_memory_gb_s_per_gpu(host_memory_gb_s: float, crossings: float, gpus: float) -> float:
    """Return the read rate of one GPU that host memory carries; infinite where it is not crossed."""
    return host_memory_gb_s / crossings / gpus if crossings else math.inf


@equation(
    "a GPU = cores × 10 GB/s / copies / GPUs",
    "gb_s",
    "assumption: about 10 GB/s a core and copy; measure it on the host",
)
def copies_gb_s_per_gpu(cores: float, copies: float, gpus: float) -> float:
    """Return the read rate of one GPU that CPU cores copy; infinite where they do not."""
    return cores * CORE_COPY_GB_S / copies / gpus if copies else math.inf


@equation("gain = direct / bounce", "ratio", "ratio of the paths' limits; 1 where drive or network is the limit")
def gain(direct: float, bounce: float) -> float:
    """Return what the direct path gains; both in the same unit."""
    return direct / bounce if bounce > 0 else 1.0 if direct <= 0 else math.inf


@equation("direct = min(adapters, GPUs' links)", "gb_s", "NVIDIA, GPUDirect Storage overview guide")
def direct_tree_gb_s(nics: float, nic_gbit_s: float, gpus: float, generation: float) -> float:
    """Return what adapters and GPUs under the same PCIe switches exchange without the CPU; x16 slots."""
    return min(nics * nic_gbit_s / 8, gpus * float(pcie_raw_gb_s(generation, 16)))


@equation("drives = lanes of the link / lanes of a drive × 2^(generation of the link - of the drive)", "count", _PCI)
def drives_to_fill(link_lanes: float, drive_lanes: float, generations_apart: float = 0) -> int:
    """Return the drives whose links fill another link."""
    return math.ceil(link_lanes * 2**generations_apart / drive_lanes)
