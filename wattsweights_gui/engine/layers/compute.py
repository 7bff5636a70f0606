"""GPU: what one accelerator computes, holds and moves."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

from wattsweights_gui.engine import (
    kernel_tables,
    layout_rules,
    memory_tiers,
    planned_fabric,
    shape_advice,
    training_plan,
    units,
)
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
from wattsweights_gui.engine.equations.systems import system_for

NAME = "compute"
TITLE = "GPU"
ABOUT = "what one accelerator computes, holds and moves"
TIERS = "Memory hierarchy"


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
    registers_mb: Figure = result("Registers", "mb", "Registers of all SMs.", group=TIERS)
    registers_gb_s: Figure = result("Registers, bandwidth", "gb_s", "Reads by the vector units.", group=TIERS)
    registers_pass_us: Figure = result("Registers, one pass", "us", "Time to read all once.", group=TIERS)
    shared_mb: Figure = result("Shared memory and L1", "mb", "Shared memory of all SMs.", group=TIERS)
    shared_gb_s: Figure = result("Shared memory, bandwidth", "gb_s", "All SMs together.", group=TIERS)
    shared_pass_us: Figure = result("Shared memory, one pass", "us", "Time to read all once.", group=TIERS)
    l2_mb: Figure = result("L2", "mb", "The cache that all SMs share.", group=TIERS)
    l2_gb_s: Figure = result("L2, bandwidth", "gb_s", "Reads of all SMs.", group=TIERS)
    l2_pass_us: Figure = result("L2, one pass", "us", "Time to read all once.", group=TIERS)
    hbm_pass_ms: Figure = result("HBM, one pass", "ms", "Time to read the whole memory once.", group=TIERS)
    peers_gb: Figure = result("Peers' HBM", "gb", "HBM of the other GPUs of a scale-up domain.", group=TIERS)
    peers_gb_s: Figure = result("Scale-up link", "gb_s", "One GPU's rate to its peers, one direction.", group=TIERS)
    peers_pass_ms: Figure = result("Peers' HBM, one pass", "ms", "Time to read it all once over the link.", group=TIERS)
    network_tb: Figure = result("All GPUs' HBM", "tb", "HBM of all GPUs of the plan.", group=TIERS)
    network_gb_s: Figure = result("Network of one GPU", "gb_s", "Its adapters, one direction.", group=TIERS)
    network_pass_s: Figure = result(
        "All GPUs' HBM, one pass", "s", "Time to read it all over one GPU's adapters.", group=TIERS
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
    runs = training_plan.running_precision(entry, asked)
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
        **_inside(inputs, up, clock),
    )
    return Sized(figures, tuple(_findings(inputs, entry, asked)))


def _inside(inputs: Inputs, up: Any, clock: Figure) -> dict[str, Figure | Table]:
    """Return the memory hierarchy, and the tables of this model's kernels where there is a layout that can run."""
    split, gpu = up.inputs("parallelism"), up.entry(inputs.gpu)
    gpus = split.tp * split.pp * split.cp * split.dp
    fabric = planned_fabric.fabric_of(up)
    domain = training_plan.domain_gpus(gpu, system_for(gpu, up.catalog, up.inputs("cluster").system))
    tiers = memory_tiers.tiers_of(up.catalog, inputs.gpu, gpus, domain, fabric.nic_gbit_s, fabric.nic_source)
    found: dict[str, Figure | Table] = {}
    for tier in tiers:
        figures = ((tier.capacity, tier.capacity.unit), (tier.rate, "gb_s"), (tier.once, f"pass_{tier.once.unit}"))
        found |= {
            name: figure for figure, end in figures if (name := f"{tier.key}_{end}") not in ("hbm_gb", "hbm_gb_s")
        }
    share = float(clock.number) if clock.known else 100.0
    machine = training_plan.machine_of_plan(up, share)
    no_layout = layout_rules.impossible(split, up)
    job, degrees = training_plan.job_of(up), training_plan.degrees_of(split)
    found["hierarchy"] = memory_tiers.hierarchy(tiers, gpu, None if no_layout else job, degrees)
    if machine is None or no_layout:
        reason = no_layout or training_plan.why_no_machine(up)
        none = Table(("remark",), ("text",), ((f"{reason[0].upper()}{reason[1:]}.",),))
        return found | dict.fromkeys(("working_sets", "kernels", "optimisations", "shape_advice"), none)
    lower = kernel_tables.lower_format(gpu, job.precision)
    half = training_plan.machine_of_plan(up, share, lower) if lower else None
    return found | {
        "working_sets": memory_tiers.sets_table(tiers, gpu, job, degrees),
        "kernels": kernel_tables.kernels_table(job, machine, degrees, lower),
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
                f"{', '.join(p.upper() for p in able) or 'none of those'}. "
                f"Sized in {training_plan.FALL_BACK.upper()} instead.",
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
