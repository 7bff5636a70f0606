"""What joins a GPU to its host and the host to storage: PCIe or chip-to-chip link, adapters for storage."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from wattsweights_gui.engine.declare import Entry, Figure, calc, stated
from wattsweights_gui.engine.equations import datapath
from wattsweights_gui.engine.equations.systems import gpus_per_node, system_for

ASSUMED_GENERATION = 5
STORAGE_SHARE_OF_PORTS = 2


def pcie_generation(up: Any) -> Figure:
    """Return the PCIe generation of the GPU's slot: set, the catalogue's, or Gen5 where neither is known."""
    inputs = up.inputs("datapath")
    if inputs.pcie_generation is not None:
        return inputs.fig("pcie_generation")  # type: ignore[no-any-return]
    return _own_slot(up.catalog, up.inputs("compute").gpu)[0]


def pcie_gb_s(up: Any) -> Figure:
    """Return what copies reach on the GPU's x16 link: measured where it was, else 0.83 of the raw rate."""
    if up.inputs("datapath").pcie_generation is None:
        return _own_slot(up.catalog, up.inputs("compute").gpu)[1]
    return _slot_gb_s(up.catalog, pcie_generation(up))


@lru_cache(maxsize=128)
def _own_slot(catalog: Any, gpu_id: str) -> tuple[Figure, Figure]:
    """Generation and rate of the slot that a GPU has. Pure: remembered."""
    generation = catalog.entry(gpu_id).fig("pcie_gen", "", "PCIe generation")
    if not generation.known:
        formula = "assumed: the catalogue knows no slot"
        generation = stated(ASSUMED_GENERATION, "", "PCIe generation", formula=formula, source="ours")
    return generation, _slot_gb_s(catalog, generation)


def _slot_gb_s(catalog: Any, generation: Figure) -> Figure:
    measured = next((e for e in catalog.of_kind("pcie") if e.get("generation") == generation.value), None)
    if measured is not None and measured.get("measured_uni_gb_s") is not None:
        figure = measured.fig("measured_uni_gb_s", "gb_s", "measured copy rate")
        return stated(figure.value, "gb_s", "PCIe x16", formula="as measured", generation=generation, measured=figure)
    return calc(datapath.pcie_usable_gb_s, title="PCIe x16", generation=generation, lanes=16)


def copy_gb_s_per_gpu(up: Any) -> Figure:
    """Return the rate of copies between a GPU and host memory: chip-to-chip where there is such a link, else PCIe."""
    chip = up.entry(up.inputs("compute").gpu).fig("c2c_uni_gb_s", "gb_s", "chip-to-chip link, one direction")
    return chip if chip.known else pcie_gb_s(up)


def gpus_per_host(system: Entry | None) -> Figure:
    """Return the GPUs of one operating system: of a tray in rack-scale systems, of the node else."""
    if system is not None and system.get("gpus_per_tray"):
        return system.fig("gpus_per_tray", "count", "GPUs of a compute tray")
    if system is not None and system.get("gpus"):
        return system.fig("gpus", "count", "GPUs")
    return stated(gpus_per_node(system), "count", "GPUs of a node", formula="a generic node", source="HGX baseboards")


def plan_system(up: Any) -> Entry | None:
    """Return the system of the plan."""
    return system_for(up.entry(up.inputs("compute").gpu), up.catalog, up.inputs("cluster").system)


def storage_gb_s_per_gpu(up: Any) -> Figure:
    """Return the share of one GPU in its host's storage adapters.

    Half of the storage and in-band ports go to storage, as in the DGX H100 reference design; where the catalogue knows
    none, storage shares the compute adapters.
    """
    system = plan_system(up)
    own = _own_adapters(up.catalog, system.id) if system is not None else None
    if own is not None:
        return own
    shared = up.fabric.nic_gb_s_per_gpu
    formula = "estimate: storage shares the compute adapters; the catalogue knows no others"
    return stated(shared.value, "gb_s", _ADAPTERS, formula=formula, adapter=shared)


_ADAPTERS = "Storage adapters, a GPU"


@lru_cache(maxsize=128)
def _own_adapters(catalog: Any, system_id: str) -> Figure | None:
    """Share of one GPU in the storage adapters that the catalogue knows of its system. Pure: remembered."""
    system = catalog.entry(system_id)
    hosts = gpus_per_host(system)
    rate = system.fig("storage_nic_gbit_s", "gbit_s", "rate of a storage port")
    if not rate.known:
        rate = catalog.entry("bluefield3").fig("port_gbit_s", "gbit_s", "rate of a storage port")
    if system.get("storage_nic_ports"):
        source = "DGX SuperPOD: two of a node's four storage and in-band ports go to storage"
        links = min(STORAGE_SHARE_OF_PORTS, int(system.get("storage_nic_ports")))
        ports = Figure(links, "count", "Ports to storage", f"catalog.{system.id}.storage_nic_ports", source=source)
    elif system.get("storage_dpus_per_tray"):
        ports = system.fig("storage_dpus_per_tray", "count", "storage adapters of a tray")
    else:
        return None
    return calc(datapath.adapters_gb_s_per_gpu, title=_ADAPTERS, links=ports, gbit_s=rate, gpus=hosts)
