"""What one accelerator does under a power cap, and the ridge of its roofline."""

from __future__ import annotations

from wattsweights_gui.engine.declare import Entry, equation

# compute precision -> the field of the catalogue that holds its dense peak
PEAK_FIELDS: dict[str, str] = {
    "bf16": "bf16_tflops",
    "fp16": "bf16_tflops",
    "fp8": "fp8_tflops",
    "fp8_block": "fp8_tflops",
    "mxfp8": "fp8_tflops",
    "nvfp4": "fp4_tflops",
}
CAP_SOURCE = (
    "dynamic power of silicon goes with f·V², and V with f; MLPerf Inference v5.1: a 1,000 W H200 is 11 % faster than "
    "the 700 W part, the cube root gives 12.6 %"
)


def supports(gpu: Entry, precision: str) -> bool:
    """Return whether a GPU's tensor cores run a precision. Block-scaled MXFP8 came with FP4."""
    if gpu.get(PEAK_FIELDS[precision]) is None:
        return False
    return precision != "mxfp8" or gpu.get("fp4_tflops") is not None or gpu.get("vendor") == "AMD"


@equation("100 × min(1, (cap / limit)^⅓)", "pct", CAP_SOURCE)
def clock_share_pct(cap_w: float, limit_w: float) -> float:
    """Return the share of the uncapped speed left under a power cap, in per cent; an estimate."""
    share: float = min(1.0, cap_w / limit_w) ** (1.0 / 3.0)
    return 100.0 * share


@equation("peak / memory bandwidth", "flop_byte", "Williams, Waterman, Patterson 2009: roofline")
def ridge(peak_tflops: float, hbm_gb_s: float) -> float:
    """Return the FLOP a byte above which compute binds and below which memory does."""
    return peak_tflops * 1e12 / (hbm_gb_s * 1e9)


@equation("min(cap, limit)", "w")
def gpu_power(cap_w: float, limit_w: float) -> float:
    """Return the power that one GPU may draw, in W."""
    return min(cap_w, limit_w)
