"""Data path: the way of a byte from storage to the GPU"""

from __future__ import annotations

from typing import Any, Literal

from wattsweights_gui.engine.declare import (
    Figure,
    LayerInputs,
    LayerResult,
    Sized,
    result,
    results,
    setting,
    unknown,
)

NAME = "datapath"
TITLE = "Data path"
ABOUT = "the way of a byte from storage to the GPU"


class Inputs(LayerInputs):
    """Which way the bytes go."""

    path: Literal["gds", "direct_io", "page_cache", "pageable"] = setting(
        "gds",
        title="Path",
        help="GPUDirect Storage, or through a buffer in host memory.",
        source="DGX SuperPOD",
        choices={
            "gds": "GPUDirect Storage",
            "direct_io": "Bounce, direct I/O, pinned",
            "page_cache": "Bounce, page cache, pinned",
            "pageable": "Bounce, page cache, pageable",
        },
    )
    pcie_generation: int | None = setting(
        None, title="PCIe generation", help="Of the GPU's and the NIC's slots.", hard=(3, 7), when_none="the GPU's own"
    )
    host_memory_gb_s: float = setting(
        500.0,
        title="Host memory bandwidth",
        unit="gb_s",
        help="Of one node, both sockets.",
        source="two sockets of 8 DDR5-4800 channels, 614 GB/s, at 0.8",
        hard=(1, 100000),
    )
    io_cores: int = setting(
        32, title="Cores for I/O", help="CPU cores of one node that may copy.", source="ours", hard=(1, 4096)
    )


class Result(LayerResult):
    """What follows."""

    bottleneck: Figure = result("Bottleneck", "text", "What bounds a read into the GPU.", headline=True)
    direct_gb_s_per_gpu: Figure = result("Direct, a GPU", "gb_s", "Through GPUDirect.", headline=True)
    bounce_gb_s_per_gpu: Figure = result("Bounce, a GPU", "gb_s", "Through host memory.", headline=True)
    demand_gb_s_per_gpu: Figure = result("Asked for, a GPU", "gb_s", "What the job reads.")
    turning_point_gb_s: Figure = result(
        "Turns storage-bound at", "gb_s", "Above this read rate a GPU waits for storage."
    )


def size(inputs: Inputs, up: Any) -> Sized:
    """Size the layer. Skeleton: every figure is unknown."""
    figures = {name: unknown("not sized yet", about.unit) for name, about in _declared().items()}
    return Sized(results(Result, **figures))


def _declared() -> dict[str, Any]:
    from wattsweights_gui.engine.declare import results_of

    return results_of(Result)
