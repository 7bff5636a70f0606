"""GPU: what one accelerator computes, holds and moves."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

from wattsweights_gui.engine import kernel_tables, layout_rules, memory_tiers, shape_advice, training_plan, units
from wattsweights_gui.engine.declare import (
    Entry,
    Figure,
    Finding,
    LayerInputs,
    LayerResult,
    Sized,
    Table,
    calc,
    result,
    results,
    setting,
    stated,
    unknown,
)
from wattsweights_gui.engine.equations import gpu as gpu_equations
from wattsweights_gui.engine.equations.machine import GENERATIONS, UNFITTED_GENERATION

NAME = "compute"
TITLE = "GPU"
ABOUT = "what one accelerator computes, holds and moves"
FALL_BACK = "bf16"


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
    flash_attention: bool = setting(
        True,
        title="FlashAttention",
        help="Attention keeps its scores on chip; without it they are written to HBM and read again.",
        source="Dao et al. 2022, arXiv 2205.14135; every framework since 2023",
        group="Optimisations",
    )
    kernel_fusion: bool = setting(
        True,
        title="Kernel fusion",
        help="Chains of element-wise work run as one kernel that reads and writes each tensor once.",
        source="torch.compile, Transformer Engine, Megatron's fused kernels",
        group="Optimisations",
    )
    cuda_graphs: bool = setting(
        True,
        title="CUDA graphs",
        help="Kernels are launched from a recorded graph, so the host never holds the GPU up.",
        source="NVIDIA, MLPerf Training submissions",
        group="Optimisations",
    )
    gemm_tile: Literal["auto", "256x128", "128x128", "128x64"] = setting(
        "auto",
        title="GEMM tile",
        help="Piece of the output that one SM computes at a time; it has to fit registers and shared memory.",
        source="cuBLAS picks by heuristics",
        group="Optimisations",
        choices={"auto": "Fastest for each GEMM", "256x128": "256 × 128", "128x128": "128 × 128", "128x64": "128 × 64"},
    )


class Result(LayerResult):
    """What follows."""

    peak_tflops: Figure = result(
        "Peak compute", "tflops", "Dense peak of the chosen GEMM precision.", headline=True, short="Peak"
    )
    hbm_gb: Figure = result("HBM", "gb", "Memory of one GPU.", headline=True, short="HBM")
    hbm_visible_gb: Figure = result(
        "HBM that software sees",
        "gb",
        "What is there to be filled: the label of HBM is close to GiB, so an “80 GB” GPU shows 85.5 GB (79.6 GiB).",
    )
    hbm_gb_s: Figure = result("HBM bandwidth", "gb_s", "Memory bandwidth of one GPU.", headline=True, short="HBM rate")
    ridge_flop_per_byte: Figure = result("Roofline ridge", "flop_byte", "Below this many FLOP a byte, memory binds.")
    achieved_pct: Figure = result(
        "Achieved share of the peak", "pct", "What the largest GEMMs reach of the peak on this GPU."
    )
    gpu_power_w: Figure = result("GPU power", "w", "Power of one GPU: its limit or the cap.")
    clock_share_pct: Figure = result(
        "Speed under the cap", "pct", "Share of the uncapped speed that is left under the power cap; an estimate."
    )
    hierarchy: Table = result(
        "Memory hierarchy",
        "text",
        "Size, bandwidth and time of one pass of each tier, registers to network, and what has its home there.",
    )
    working_sets: Table = result(
        "What fits where",
        "text",
        "What this model's work touches at once, and the smallest tier of memory that holds it.",
    )
    kernels: Table = result(
        "Kernels", "text", "Each kernel of this layout on the roofline: intensity, rate, time and what bounds it."
    )
    optimisations: Table = result(
        "Optimisations",
        "text",
        "What each optimisation saves in bytes and time, one at a time, the others as they are.",
    )
    shape_advice: Table = result(
        "Shape advice", "text", "Widths of the model that leave tensor cores idle, and what the next good ones gain."
    )


def size(inputs: Inputs, up: Any) -> Sized:
    """Size one accelerator: peak, memory, ridge, power."""
    entry: Entry = up.entry(inputs.gpu)
    asked = str(up.inputs("workload").precision)
    runs = asked if gpu_equations.supports(entry, asked) else FALL_BACK
    peak = entry.fig(gpu_equations.PEAK_FIELDS[runs], "tflops", f"peak in {runs.upper()}")
    bandwidth = entry.fig("memory_gb_s", "gb_s", "memory bandwidth")
    limit = entry.fig("tdp_w", "w", "power limit")
    cap = inputs.fig("power_cap_w") if inputs.power_cap_w is not None else limit
    clock = _clock_share(inputs, cap, limit)
    figures = results(
        Result,
        peak_tflops=peak,
        hbm_gb=entry.fig("memory_gb", "gb", "memory"),
        hbm_visible_gb=_visible(entry),
        hbm_gb_s=bandwidth,
        ridge_flop_per_byte=calc(gpu_equations.ridge, peak_tflops=peak, hbm_gb_s=bandwidth),
        achieved_pct=_achieved(up.catalog, inputs.gpu, runs),
        gpu_power_w=calc(gpu_equations.gpu_power, cap_w=cap, limit_w=limit),
        clock_share_pct=clock,
        **_tables(inputs, up, clock),
    )
    return Sized(figures, tuple(_findings(inputs, entry, asked)))


def _tables(inputs: Inputs, up: Any, clock: Figure) -> dict[str, Table]:
    """Return the tables that follow from this model's kernels; without a layout that can run they are empty."""
    split = up.inputs("parallelism")
    machine = training_plan.machine_of_plan(up, float(clock.number) if clock.known else 100.0)
    if machine is None or layout_rules.impossible(split, up):
        none = Table(("remark",), ("text",), (("There is no layout that could run.",),))
        return dict.fromkeys(("hierarchy", "working_sets", "kernels", "optimisations", "shape_advice"), none)
    job, degrees = training_plan.job_of(up), training_plan.degrees_of(split)
    gpus = split.tp * split.pp * split.cp * split.dp
    lower = kernel_tables.lower_format(up.entry(inputs.gpu), job.precision)
    half = training_plan.machine_of_plan(up, float(clock.number) if clock.known else 100.0, lower) if lower else None
    return {
        "hierarchy": memory_tiers.hierarchy(up.catalog, inputs.gpu, gpus, job, degrees),
        "working_sets": memory_tiers.sets_table(up.catalog, inputs.gpu, gpus, job, degrees),
        "kernels": kernel_tables.kernels_table(job, machine, degrees),
        "optimisations": kernel_tables.optimisations_table(job, machine, degrees, half, lower),
        "shape_advice": shape_advice.advice_table(job, machine, degrees),
    }


def _visible(gpu: Entry) -> Figure:
    if gpu.get("memory_visible_gb") is not None:
        return gpu.fig("memory_visible_gb", "gb", "memory that software sees")
    label = gpu.fig("memory_gb", "gb", "memory")
    if label.value is None:
        return label
    return stated(label.value, "gb", formula="the label; what software sees of it is not in the catalogue", label=label)


def _clock_share(inputs: Inputs, cap: Figure, limit: Figure) -> Figure:
    if inputs.power_cap_w is None:
        return stated(100.0, "pct", formula="no cap is set")
    return calc(gpu_equations.clock_share_pct, cap_w=cap, limit_w=limit)


@lru_cache(maxsize=128)
def _achieved(catalog: Any, gpu_id: str, precision: str) -> Figure:
    gpu: Entry = catalog.entry(gpu_id)
    generation = GENERATIONS.get(str(gpu.get("architecture")), UNFITTED_GENERATION)
    field = gpu_equations.PEAK_FIELDS[precision]
    wanted = {"bf16_tflops": f"fit_gemm_{generation}", "fp8_tflops": f"fit_fp8_{generation}", "fp4_tflops": "fit_fp4"}
    fitted = next((e for e in catalog.of_kind("fitted_constant") if e.id == wanted[field]), None)
    if fitted is None:
        return unknown(f"no share is fitted for {gpu.name}", "pct")
    share = fitted.fig("value", "ratio", fitted.name.lower())
    known = str(gpu.get("architecture")) in GENERATIONS
    why = "tile and wave quantisation, start and end of each tile, and the power limit take the rest"
    return stated(
        100.0 * share.number,
        "pct",
        formula=f"100 × fitted share; {why}" + ("" if known else f"; taken from {UNFITTED_GENERATION}, an estimate"),
        source=share.source,
        low=100.0 * float(fitted.get("low", share.number)),
        high=100.0 * float(fitted.get("high", share.number)),
        share=share,
    )


def _findings(inputs: Inputs, gpu: Entry, asked: str) -> list[Finding]:
    found: list[Finding] = []
    if not gpu_equations.supports(gpu, asked):
        able = [p for p in gpu_equations.PEAK_FIELDS if gpu_equations.supports(gpu, p)]
        best = "fp8" if "fp8" in able and asked not in ("bf16", "fp16") else (able[0] if able else "")
        found.append(
            Finding(
                "compute.precision.unsupported",
                "blocker",
                "workload.precision",
                f"{gpu.name} has no tensor cores for {asked.upper()}; it runs "
                f"{', '.join(p.upper() for p in able) or 'none of those'}. Sized in {FALL_BACK.upper()} instead.",
                gpu.sources.get("bf16_tflops", gpu.sources[""]),
                (("workload.precision", best),) if best else (),
                f"Run GEMMs in {best.upper()}" if best else "",
            )
        )
    power = gpu.get("tdp_w")
    if inputs.power_cap_w is not None and power:
        if inputs.power_cap_w > power:
            found.append(
                Finding(
                    "compute.power_cap.above",
                    "note",
                    "compute.power_cap_w",
                    f"A cap of {units.text(inputs.power_cap_w, 'w')} is above the {units.text(power, 'w')} limit of "
                    f"{gpu.name}: it does nothing.",
                    gpu.sources.get("tdp_w", ""),
                    (("compute.power_cap_w", None),),
                    "Remove the cap",
                )
            )
        elif inputs.power_cap_w < 0.5 * power:
            found.append(
                Finding(
                    "compute.power_cap.deep",
                    "caution",
                    "compute.power_cap_w",
                    f"A cap of {units.text(inputs.power_cap_w, 'w')} is below half of the {units.text(power, 'w')} "
                    "limit: the cube-root law was checked near the limit only, so the speed is uncertain.",
                    gpu_equations.CAP_SOURCE,
                )
            )
    return found
