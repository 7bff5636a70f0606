"""From the time of a step to the time of a run: MFU, throughput, days."""

from __future__ import annotations

from wattsweights_gui.engine.declare import equation

DAY_S = 86400.0


@equation("GPUs = TP × CP × PP × DP", "count", "Megatron's grid of ranks; expert parallelism reuses the same ranks")
def gpus(tp: float, cp: float, pp: float, dp: float) -> int:
    """Return the GPUs of a layout."""
    return round(tp * cp * pp * dp)


@equation("s = 60 × min", "s", "")
def seconds_of_minutes(minutes: float) -> float:
    """Return minutes in seconds."""
    return 60.0 * minutes


@equation("micro batches = batch / (DP × micro batch), rounded up", "count", "Megatron-LM")
def micro_batches(global_batch: float, dp: float, micro_batch: float) -> int:
    """Return the micro batches that one replica runs in a step."""
    return int(-(-global_batch // (dp * micro_batch)))


@equation("sum of the parts on the fullest GPU", "gb", "")
def memory_gb(
    weights: float,
    gradients: float,
    optimizer: float,
    activations: float,
    logits: float,
    gathered: float,
    kept_free: float,
) -> float:
    """Return the memory of the fullest GPU."""
    return weights + gradients + optimizer + activations + logits + gathered + kept_free


@equation("sum of the parts on the slowest stage", "s", "")
def step_time_s(
    compute: float,
    element_wise: float,
    tensor: float,
    pipeline: float,
    data: float,
    experts: float,
    context: float,
    bubble: float,
    optimizer: float,
    offload: float,
) -> float:
    """Return the time of one step."""
    return compute + element_wise + tensor + pipeline + data + experts + context + bubble + optimizer + offload


@equation("tokens/s a GPU = tokens a step / (step time × GPUs)", "tokens_s", "")
def tokens_per_s_per_gpu(tokens_per_step: float, step_time_s: float, gpus: float) -> float:
    """Return the throughput of one GPU."""
    return tokens_per_step / (step_time_s * gpus)


@equation("MFU = tokens/s a GPU × model FLOPs a token / peak", "ratio", "PaLM, arXiv 2204.02311, appendix B")
def mfu(tokens_per_s: float, flops_per_token: float, peak_tflops: float) -> float:
    """Return the model FLOPs over the peak, recompute not counted."""
    return tokens_per_s * flops_per_token / (peak_tflops * 1e12)


@equation(
    "HFU = MFU × (model FLOPs + FLOPs done again) / model FLOPs", "ratio", "Korthikanti et al. 2022, arXiv 2205.05198"
)
def hfu(mfu: float, flops_per_token: float, again_per_token: float) -> float:
    """Return the hardware FLOPs over the peak, recompute counted."""
    return mfu * (flops_per_token + again_per_token) / flops_per_token


@equation("gap = 100 × MFU - MFU that is measured", "pct", "")
def mfu_gap_pct(mfu: float, measured_pct: float) -> float:
    """Return the points of MFU that the measured run stays under the predicted one; negative where it is above."""
    return 100.0 * mfu - measured_pct


@equation("days = steps × step time / goodput", "days", "")
def days(steps: float, step_time_s: float, goodput: float) -> float:
    """Return the days of the run; infinite where nothing is left of the time."""
    return steps * step_time_s / goodput / DAY_S if goodput > 0 else float("inf")
