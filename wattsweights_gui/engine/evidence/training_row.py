"""Reads a row of the training evidence into a job, a machine and layouts; says what the publication left out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from wattsweights_gui.engine.declare import Entry
from wattsweights_gui.engine.equations.gpu import clock_share_pct
from wattsweights_gui.engine.equations.job import Job
from wattsweights_gui.engine.equations.layouts import RECOMPUTE, Layouts
from wattsweights_gui.engine.equations.machine import Machine, machine_of
from wattsweights_gui.engine.equations.memory import memory
from wattsweights_gui.engine.equations.systems import system_for
from wattsweights_gui.engine.equations.transformer import TransformerShape
from wattsweights_gui.engine.evidence.training_era import FLASH_YEAR, era_of
from wattsweights_gui.engine.evidence.training_software import Software, ran_on

GPUS = {
    "A100-SXM-80GB": "a100_sxm_80gb",
    "A100-SXM-40GB": "a100_sxm_40gb",
    "A100-PCIe-80GB": "a100_pcie_80gb",
    "H100-SXM-80GB": "h100_sxm",
    "H100-96GB-HBM2e-500W": "h100_sxm",
    "H100-PCIe-80GB": "h100_pcie",
    "H100-NVL-94GB": "h100_nvl",
    "H800-SXM-80GB": "h100_sxm",
    "H200-SXM-141GB": "h200_sxm",
    "B200-SXM": "b200",
    "B300-SXM": "b300",
    "GB200": "gb200",
    "GB300": "gb300",
    "MI300X": "mi300x",
    "MI325X": "mi325x",
    "MI355X": "mi355x",
    "TPU-v5p": "tpu_v5p",
    "TPU-v6e": "tpu_v6e",
    "TPU-trillium": "tpu_v6e",
}
PRECISIONS = {
    "fp8-tensorwise": "fp8",
    "fp8-rowwise": "fp8",
    "fp8": "fp8",
    "fp8-blockwise": "fp8_block",
    "mxfp8": "mxfp8",
    "nvfp4": "nvfp4",
    "fp16": "fp16",
    "bf16": "bf16",
}
NEVER_FITS = 1.25
USUAL_NIC_GBIT_S = 400.0
HBM2E_96_GB_S = 2400.0
LINKS_GB_S = {"H800-SXM-80GB": 200.0, "TPU-v6e": 224.0, "TPU-trillium": 224.0}
"""One direction, where the catalogue has another or none: H800 is cut to 400 GB/s and Trillium has 448, both ways."""
USUAL_SEQ_LEN = 4096
USUAL_IMBALANCE = 1.1
TUNED_MICRO_BATCHES = (1.0, 2.0, 4.0, 8.0, 16.0)
MOST_INTERLEAVE = 24
FUSED_ACCUMULATION = 2022.0
"""From Megatron-LM 3.0 weight gradients are added to the 32-bit sum where they are made, and all-reduces of input
gradients run beside them."""
OVERLAPPED_GRADIENTS = 2023.5
"""Megatron-LM reduces gradients beside the backward pass from the middle of 2023 (--overlap-grad-reduce)."""
NATIVE_ATTENTION = 2024.4


class UnreadableError(ValueError):
    """A row that cannot be predicted, with the reason."""


@dataclass
class Case:
    """A row made ready for the equations.

    Attributes:
        job, machine: fixed parts.
        layouts: the row's layout, or the ones to choose among where the publication says it was tuned.
        assumed: what was assumed, a phrase each.
        year: of the software, as a decimal.
    """

    job: Job
    machine: Machine
    layouts: Layouts
    year: float
    gpus: int
    software: Software
    assumed: list[str] = field(default_factory=list)


def shape_of(model: Mapping[str, Any], positions: str = "") -> TransformerShape:
    """Return the shape of a row's model.

    Args:
        model: of the row.
        positions: what the row says of the position encoding.

    Raises:
        UnreadableError: it lacks a dimension without which nothing can be said.
    """
    missing = [name for name in ("layers", "hidden", "heads", "vocab") if not model.get(name)]
    if missing:
        raise UnreadableError(f"the model has no {', '.join(missing)}")
    mla = model.get("mla") or {}
    heads, hidden = int(model["heads"]), int(model["hidden"])
    moe = model.get("kind") == "moe" and bool(model.get("experts"))
    layer_norm = model.get("norm") == "layer"
    bias = layer_norm
    every = int(model.get("sliding_every") or 1)
    width = model.get("ffn") or model.get("dense_ffn") or (0 if moe else 4 * hidden)
    return TransformerShape(
        layers=int(model["layers"]),
        hidden=hidden,
        heads=heads,
        kv_heads=int(model.get("kv_heads") or heads),
        head_dim=int(model.get("head_dim") or max(1, hidden // heads)),
        ffn=int(width or model.get("expert_ffn") or 4 * hidden),
        gated=bool(model.get("gated_mlp", True)),
        vocab=int(model["vocab"]),
        tied=bool(model.get("tied_embeddings", False)),
        experts=int(model.get("experts") or 0) if moe else 0,
        top_k=int(model.get("top_k") or 0) if moe else 0,
        expert_ffn=int(model.get("expert_ffn") or 0) if moe else 0,
        shared_expert_ffn=int(model.get("shared_expert_ffn") or 0) if moe else 0,
        first_dense_layers=int(model.get("first_dense_layers") or 0) if moe else 0,
        mla=bool(mla),
        q_lora_rank=int(mla.get("q_lora_rank") or 0),
        kv_lora_rank=int(mla.get("kv_lora_rank") or 0),
        qk_nope_head_dim=int(mla.get("qk_nope_head_dim") or 0),
        qk_rope_head_dim=int(mla.get("qk_rope_head_dim") or 0),
        v_head_dim=int(mla.get("v_head_dim") or 0),
        window=int(model.get("sliding_window") or 0),
        full_every=every if model.get("sliding_window") else 1,
        qkv_bias=bias or bool(model.get("attention_bias")),
        out_bias=bias or bool(model.get("attention_bias")),
        mlp_bias=bias or (moe and bool(model.get("attention_bias"))),
        norm_bias=bias,
        alibi="ALiBi" in positions,
        mtp_layers=int(model.get("mtp_layers") or 0),
    )


def case_of(row: Mapping[str, Any], catalog: Any, fit: Mapping[str, float] | None = None) -> Case:
    """Return a row as a case.

    Args:
        row: of the training evidence.
        catalog: the hardware.
        fit: other constants than the catalogue's.

    Raises:
        UnreadableError: with the reason.
    """
    assumed: list[str] = []
    shape = shape_of(row.get("model") or {}, positions_of(row))
    if shape.alibi:
        assumed.append("ALiBi positions, a bias on the scores")
    precision = PRECISIONS.get(str(row.get("precision") or "bf16"))
    if precision is None:
        raise UnreadableError(f"no rule for the precision “{row.get('precision')}”")
    if not row.get("precision"):
        assumed.append("BF16")
    software = ran_on(row, catalog)
    year = era_of(row, precision, software, catalog, assumed)
    seq_len = row.get("seq_len")
    if not seq_len:
        seq_len = USUAL_SEQ_LEN
        assumed.append(f"sequence of {USUAL_SEQ_LEN}")
    machine = machine_of_row(row, catalog, precision, year, fit, assumed, software)
    gpus = int(row.get("gpus") or 0)
    if gpus < 1:
        raise UnreadableError("the number of GPUs is not stated")
    degrees = _degrees(row, gpus, assumed)
    batch = row.get("global_batch")
    if batch and degrees["dp"] > batch and degrees["dp"] % int(batch) == 0:
        # there cannot be more replicas than sequences: what is over must share sequences
        degrees["cp"] *= degrees["dp"] // int(batch)
        degrees["dp"] = int(batch)
        assumed.append(f"context parallel {degrees['cp']}, as there are {batch} sequences a step")
    if not batch:
        each = 4 if shape.hidden <= 8192 else 1
        batch = each * degrees["dp"] * int(row.get("micro_batch") or 1)
        assumed.append(f"{each} sequences a replica")
    job = _job(row, shape, float(seq_len), float(batch), precision, year, software, assumed)
    layouts = _layouts(row, job, degrees, year, software, assumed)
    if str(row.get("recompute")).startswith("not stated"):
        full = replace(layouts, recompute=np.full(len(layouts), RECOMPUTE["full"]))
        needed, least = memory(job, layouts).total.min(), memory(job, full).total.min()
        if needed > NEVER_FITS * machine.hbm_bytes and least < needed:
            layouts = full
            assumed.append("full recompute, as nothing else fits")
    return Case(job, machine, layouts, year, gpus, software, assumed)


def machine_of_row(
    row: Mapping[str, Any],
    catalog: Any,
    precision: str,
    year: float,
    fit: Mapping[str, float] | None,
    assumed: list[str],
    software: Software | None = None,
) -> Machine:
    """Return the machine of a row.

    Raises:
        UnreadableError: the catalogue lacks the GPU, or the GPU the precision.
    """
    software = software or ran_on(row, catalog)
    name = str(row.get("gpu") or "")
    id = GPUS.get(name)
    if id is None:
        raise UnreadableError(f"the catalogue has no GPU “{name}”")
    gpu: Entry = catalog.entry(id)
    share, held, rate = 1.0, None, None
    watts = re.search(r"-(\d+)W$", name)
    if watts and gpu.get("tdp_w"):
        share = clock_share_pct(float(watts[1]), float(gpu.get("tdp_w"))) / 100.0
    if "96GB-HBM2e" in name:
        held, rate = 96.0, HBM2E_96_GB_S
    nic = row.get("network_gbps_per_gpu")
    if not nic:
        system = system_for(gpu, catalog, None)
        nic = (system.get("compute_nic_gbit_s") if system is not None else None) or USUAL_NIC_GBIT_S
        if row.get("gpus", 0) > (row.get("nvlink_domain") or 8):
            assumed.append(f"{nic:g} Gb/s a GPU")
    machine = machine_of(
        gpu,
        catalog,
        precision,
        float(nic),
        clock_share=share,
        domain=float(row.get("nvlink_domain") or gpu.get("scale_up_domain_gpus") or 8),
        memory_gb=held,
        memory_gb_s=rate,
        link_gb_s=LINKS_GB_S.get(name),
        fit=fit,
        native_attention=software.says("native_attention") and year >= NATIVE_ATTENTION,
    )
    if machine is None:
        raise UnreadableError(f"{gpu.name} has no units for {precision}")
    return machine


def _degrees(row: Mapping[str, Any], gpus: int, assumed: list[str]) -> dict[str, int]:
    tp, pp, cp, ep = (int(row.get(k) or 1) for k in ("tp", "pp", "cp", "ep"))
    if row.get("tp") is None:
        assumed.append("weights sharded over all chips")
    dp = int(row.get("dp") or 0)
    product = tp * pp * cp
    if dp < 1:
        if gpus % product:
            raise UnreadableError(f"TP × PP × CP = {product} does not divide {gpus} GPUs")
        dp = gpus // product
    elif dp * product != gpus:
        assumed.append(f"data parallel {gpus // product}, from the GPUs")
        dp = max(1, gpus // product)
    return {"tp": tp, "pp": pp, "cp": cp, "ep": ep, "dp": dp}


def positions_of(row: Mapping[str, Any]) -> str:
    """Return what a row says of its model's position encoding, empty where it says nothing."""
    found = re.search(r"positions?: ([^;.]+)", str(row.get("notes") or ""))
    return str((row.get("model") or {}).get("positions") or (found[1] if found else ""))


def _job(
    row: Mapping[str, Any],
    shape: TransformerShape,
    seq_len: float,
    batch: float,
    precision: str,
    year: float,
    software: Software,
    assumed: list[str],
) -> Job:
    overlap, settings, notes = (
        str(row.get("overlap") or ""),
        row.get("recipe_settings") or {},
        str(row.get("notes") or ""),
    )
    old, sharded = year < FLASH_YEAR, software.says("sharded")
    off = overlap.startswith(("none", "no gradient")) or (year < OVERLAPPED_GRADIENTS and not sharded)
    if off and not overlap:
        assumed.append("no communication beside computing, as software of then had it")
    compiled = software.says("compiled") if row.get("compiled") is None else bool(row.get("compiled"))
    balance = str(row.get("expert_balance") or "")
    balanced = not shape.experts or "balance" in balance or "capacity" in balance
    if not balanced:
        assumed.append(f"the fullest expert rank {USUAL_IMBALANCE:g} times the mean")
    if old:
        assumed.append("scores of attention through memory")
    pure = row.get("mixed_precision_mode") == "PURE"
    recipe = software.recipe(precision, str(row.get("gpu")).startswith("H"), pure, old)
    assumed.append(f"{recipe.total:g} bytes a parameter")
    current = year >= FUSED_ACCUMULATION and software.says("fused_accumulation")
    words = str(row.get("recompute") or "")
    parts = frozenset(settings.get("recompute_modules") or ())
    if words == "selective" or words.startswith("selective: layernorm"):
        parts = frozenset({"layernorm", "moe_act"})
    if "MLA up-projection" in words:
        parts = frozenset({"layernorm", "mla_up_proj"})
    return Job(
        shape=shape,
        seq_len=seq_len,
        global_batch=batch,
        precision=precision,
        recipe=recipe,
        fused_attention=not old,
        dropout=old and shape.norm_bias,
        compiled=compiled,
        graphed=bool(settings.get("cuda_graph")) or software.says("graphed"),
        imbalance=1.0 if balanced else USUAL_IMBALANCE,
        overlap_gradients=not off,
        overlap_sends=not off,
        overlap_tensor=not off and (software.says("overlaps_tensor") or "asynchronous TP" in notes),
        fused_loss=compiled and not old and year >= software.fused_loss_from,
        trains_weights=row.get("task") != "lora",
        dispatch_bytes=1.0 if precision == "fp8_block" else 2.0,
        recompute_parts=parts,
        keeps_low=software.says("keeps_low"),
        recompute_matmuls=0.5 if words == "selective-op" else 0.0,
        offload_layers=float(settings.get("activation_cpu_offload_layers") or 0.0),
        accumulates="sharded" if sharded else "fused" if current else "apart",
        parallel_block="parallel transformer block" in notes,
        hides_input_gradients=old and current,
        year=year,
    )


def _layouts(
    row: Mapping[str, Any],
    job: Job,
    degrees: Mapping[str, int],
    year: float,
    software: Software,
    assumed: list[str],
) -> Layouts:
    tp, pp, dp = degrees["tp"], degrees["pp"], degrees["dp"]
    micro, vpp = row.get("micro_batch"), row.get("vpp")
    words = str(row.get("recompute") or "not stated")
    recompute = "full" if words == "full" else "selective" if words.startswith("selective") else "none"
    if words in ("not stated", "several") and year < FLASH_YEAR:
        recompute = "selective"
        assumed.append("selective recompute")
    elif words == "not stated":
        assumed.append("no recompute")
    stage = str(row.get("zero_stage") if row.get("zero_stage") is not None else "")
    group = int(row.get("fsdp_group") or 0)
    if stage == "3" or group > 1 or row.get("tp") is None:
        sharding = "fsdp"
    elif stage.startswith("2"):
        sharding = "zero2"
    elif stage == "0" or (stage == "" and year < FLASH_YEAR):
        sharding = "none"
    else:
        sharding = "zero1"
    sequence = row.get("sequence_parallel")
    if sequence is None:
        sequence = tp > 1 and year >= FLASH_YEAR - 0.8
    micros: tuple[float, ...] = (float(micro or 1.0),)
    interleaves: tuple[float, ...] = (float(vpp or 1.0),)
    each = job.global_batch / dp
    if not micro:
        micros = tuple(m for m in TUNED_MICRO_BATCHES if each % m == 0)
        micros = micros if each % 1 == 0 else tuple(m for m in TUNED_MICRO_BATCHES if m < each + 1.0)
        assumed.append("the fastest micro batch that fits")
    if not vpp and pp > 1 and not software.says("interleaves"):
        assumed.append(f"no interleave: {software.name} has none")
    elif not vpp and pp > 1 and "1f1b" not in str(row.get("schedule")):
        layers = job.shape.layers
        interleaves = tuple(
            float(v)
            for v in range(1, MOST_INTERLEAVE + 1)
            if v == 1 or layers % (pp * v) == 0 or (layers + 2) % (pp * v) == 0
        )
        assumed.append("the fastest interleave")
    schedule = "zero_bubble" if "DualPipe" in str(row.get("notes")) else None
    if schedule:
        interleaves = (2.0,)
    pairs = [(m, v) for m in micros for v in interleaves]
    return Layouts.of(
        tp=tp,
        pp=pp,
        dp=dp,
        cp=degrees["cp"],
        ep=degrees["ep"],
        micro_batch=[m for m, _ in pairs],
        vpp=[v for _, v in pairs],
        schedule=2.0 if schedule else [1.0 if v > 1.0 else 0.0 for _, v in pairs],
        recompute=recompute,
        sharding=sharding,
        sequence_parallel=1.0 if sequence else 0.0,
        shard_group=group if 1 < group < dp else 0.0,
    )
