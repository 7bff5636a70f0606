"""GPU: what one accelerator computes, holds and moves"""

from __future__ import annotations

from typing import Any

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

NAME = "compute"
TITLE = "GPU"
ABOUT = "what one accelerator computes, holds and moves"


class Inputs(LayerInputs):
    """Which accelerator, and how it is run."""

    gpu: str = setting(
        "h100_sxm", title="GPU", help="The accelerator.", source="the installed base of 2024 to 2026", catalog="gpu"
    )
    power_cap_w: float | None = setting(
        None,
        title="GPU power cap",
        unit="w",
        help="Power limit set on every GPU; the speed follows.",
        hard=(50, 5000),
        when_none="no cap: the GPU's own limit",
    )


class Result(LayerResult):
    """What follows."""

    peak_tflops: Figure = result("Peak compute", "tflops", "Dense peak of the chosen GEMM precision.", headline=True)
    hbm_gb: Figure = result("HBM", "gb", "Memory of one GPU.", headline=True)
    hbm_gb_s: Figure = result("HBM bandwidth", "gb_s", "Memory bandwidth of one GPU.", headline=True)
    ridge_flop_per_byte: Figure = result("Roofline ridge", "flop_byte", "Below this many FLOP a byte, memory binds.")
    achieved_pct: Figure = result(
        "Achieved share of the peak", "pct", "What large GEMMs reach of the peak on this GPU, and why."
    )
    gpu_power_w: Figure = result("GPU power", "w", "Power of one GPU: its limit or the cap.")
    clock_share_pct: Figure = result(
        "Speed under the cap", "pct", "Share of the uncapped speed that is left under the power cap."
    )


def size(inputs: Inputs, up: Any) -> Sized:
    """Size the layer. Skeleton: every figure is unknown."""
    figures = {name: unknown("not sized yet", about.unit) for name, about in _declared().items()}
    return Sized(results(Result, **figures))


def _declared() -> dict[str, Any]:
    from wattsweights_gui.engine.declare import results_of

    return results_of(Result)
