"""What is wrong with a layout: each rule with the number, the limit, its source and the edit that mends it."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd
from typing import Any

from wattsweights_gui.engine import units
from wattsweights_gui.engine.declare import Finding, Severity
from wattsweights_gui.engine.equations.systems import system_for
from wattsweights_gui.engine.training_plan import domain_gpus

_MEGATRON = "Megatron Core, argument validation"
_DOMAIN = "Narayanan et al. 2021, arXiv 2104.04473: tensor parallelism inside a node"
BUBBLE_LIMIT = 0.20
SHORT_CHUNK = 1024


def findings_of(inputs: Any, up: Any) -> list[Finding]:
    """Return what the degrees alone break."""
    return list(_rules(inputs, up))


def impossible(inputs: Any, up: Any) -> str:
    """Return why a layout has no memory or time at all; empty where it has."""
    shape = up.inputs("workload").shape()
    if inputs.pp * inputs.vpp > shape.layers + 2 + shape.mtp_layers:
        chunks = f"{inputs.pp} stages" if inputs.vpp == 1 else f"{inputs.pp} × {inputs.vpp} pipeline chunks"
        return f"{chunks} are more than the {shape.layers} layers"
    if inputs.tp > shape.hidden:
        return f"tensor parallel {inputs.tp} is more than the hidden size of {shape.hidden}"
    batch = up.inputs("workload").global_batch
    if inputs.dp * inputs.micro_batch > batch:
        rows = inputs.dp * inputs.micro_batch
        return f"{inputs.dp} replicas with micro batches of {inputs.micro_batch} need {rows} sequences, not {batch}"
    if shape.experts and (inputs.tp * inputs.cp * inputs.dp) % (inputs.ep * inputs.etp):
        return (
            f"expert parallel {inputs.ep} × {inputs.etp} does not divide the {inputs.tp * inputs.cp * inputs.dp} ranks "
            "of a stage (TP × CP × DP)"
        )
    return ""


def split_finding(
    rule: str, severity: Severity, field: str, message: str, source: str, fix: tuple[Any, str] | None = None
) -> Finding:
    """Return a finding of the split layer; its fix is the field's new value (``None`` empties it) and a title."""
    edits = ((f"parallelism.{field}", fix[0]),) if fix else ()
    return Finding(
        f"parallelism.{rule}", severity, f"parallelism.{field}", message, source, edits, fix[1] if fix else ""
    )


def _finding(
    rule: str, severity: Severity, field: str, message: str, source: str, fix: Any = None, fix_title: str = ""
) -> Finding:
    return split_finding(rule, severity, field, message, source, None if fix is None else (fix, fix_title))


def _divisor(number: int, most: int) -> int:
    """Return the largest power of two up to ``most`` that divides a number."""
    best = 1
    while best * 2 <= most and number % (best * 2) == 0:
        best *= 2
    return best


def _rules(inputs: Any, up: Any) -> Iterator[Finding]:
    workload = up.inputs("workload")
    shape = workload.shape()
    gpu = up.entry(up.inputs("compute").gpu)
    domain = int(domain_gpus(gpu, system_for(gpu, up.catalog, up.inputs("cluster").system)) or 8)
    tp, pp, dp, cp, ep, etp = inputs.tp, inputs.pp, inputs.dp, inputs.cp, inputs.ep, inputs.etp
    if tp > domain:
        fix = _divisor(shape.heads, domain)
        yield _finding(
            "tp.domain",
            "blocker",
            "tp",
            f"Tensor parallel {tp} leaves the NVLink domain of {domain} GPUs: its all-gathers, four a layer and pass, "
            "would run over network adapters, about a tenth of the bandwidth.",
            _DOMAIN,
            fix,
            f"Set tensor parallel to {fix}",
        )
    for value, words in ((shape.heads, "query heads"), (shape.hidden, "hidden size")):
        if value % tp:
            fix = _divisor(value, min(tp, domain))
            yield _finding(
                "tp.divides",
                "blocker",
                "tp",
                f"Tensor parallel {tp} does not divide the {value} of the {words}.",
                _MEGATRON,
                fix,
                f"Set tensor parallel to {fix}",
            )
            break
    if not shape.mla and shape.kv_heads % tp and tp % shape.kv_heads:
        fix = _divisor(shape.kv_heads, tp)
        yield _finding(
            "tp.kv_heads",
            "blocker",
            "tp",
            f"Tensor parallel {tp} and the {shape.kv_heads} key/value heads divide neither way.",
            _MEGATRON,
            fix,
            f"Set tensor parallel to {fix}",
        )
    if pp * inputs.vpp > shape.layers + 2 + shape.mtp_layers:
        yield Finding(
            "parallelism.pp.layers",
            "blocker",
            "parallelism.pp",
            f"{pp} stages × {inputs.vpp} chunks are more than the {shape.layers} layers: some would be empty.",
            _MEGATRON,
            *_depth_fix(shape.layers, pp, inputs.vpp),
        )
    elif shape.layers % (pp * inputs.vpp) and (shape.layers + 2 + shape.mtp_layers) % (pp * inputs.vpp):
        yield _finding(
            "pp.uneven",
            "note",
            "pp",
            f"{shape.layers} layers do not divide by {pp * inputs.vpp} pipeline chunks, with the tables counted as "
            "layers or without: the fullest stage sets the pace.",
            "Llama 3, arXiv 2407.21783, section 3.3.2",
        )
    if workload.global_batch % (dp * inputs.micro_batch):
        yield Finding(
            "parallelism.dp.batch",
            "blocker",
            "parallelism.dp",
            f"{dp} replicas with micro batches of {inputs.micro_batch} do not divide the batch of "
            f"{workload.global_batch} sequences.",
            _MEGATRON,
            *_batch_fix(workload.global_batch, dp, inputs.micro_batch),
        )
    if ep > 1 and not shape.experts:
        yield _finding(
            "ep.dense",
            "blocker",
            "ep",
            f"Expert parallel {ep} with a dense model: there are no experts to share.",
            _MEGATRON,
            1,
            "Set expert parallel to 1",
        )
    elif shape.experts:
        yield from _expert_rules(inputs, shape, domain)
    if etp > 1 and not shape.experts:
        yield _finding(
            "etp.dense", "note", "etp", f"Expert tensor parallel {etp} does nothing in a dense model.", _MEGATRON, 1,
            "Set it to 1",
        )  # fmt: skip
    if inputs.vpp > 1 and pp == 1:
        yield _finding(
            "vpp.alone", "caution", "vpp", f"Interleave {inputs.vpp} needs a pipeline.", _MEGATRON, 1,
            "Set interleave to 1",
        )  # fmt: skip
    batches = -(-workload.global_batch // (dp * inputs.micro_batch))
    if inputs.vpp > 1 and pp > 1 and batches % pp:
        yield _finding(
            "vpp.batches",
            "caution",
            "vpp",
            f"Interleaving wants the {batches} micro batches to be a multiple of the {pp} stages.",
            _MEGATRON,
            1,
            "Set interleave to 1",
        )
    if cp > 1 and workload.seq_len % (2 * cp):
        yield _finding(
            "cp.divides",
            "blocker",
            "cp",
            f"Context parallel {cp} does not cut {workload.seq_len} tokens into {2 * cp} equal pieces (two a rank, to "
            "balance the causal mask).",
            _MEGATRON,
            1,
            "Set context parallel to 1",
        )
    elif cp > 1 and workload.seq_len / cp < SHORT_CHUNK:
        yield _finding(
            "cp.short",
            "caution",
            "cp",
            f"Context parallel {cp} leaves {workload.seq_len // cp} tokens a GPU; kernels want {SHORT_CHUNK} or more.",
            "ours: tiles of 128 rows on 132 to 152 SMs",
            1,
            "Set context parallel to 1",
        )
    if inputs.sequence_parallel and tp > 1 and workload.seq_len % (tp * cp):
        yield _finding(
            "sp.divides",
            "blocker",
            "sequence_parallel",
            f"Sequence parallel does not cut {workload.seq_len} tokens into {tp * cp} equal pieces.",
            _MEGATRON,
            False,
            "Switch sequence parallel off",
        )
    if inputs.sharding == "fsdp" and pp > 1 and batches > 1:
        yield _finding(
            "fsdp.pipeline",
            "caution",
            "sharding",
            f"FSDP in a pipeline keeps a stage's weights and gradients gathered over {batches} micro batches: it saves "
            "the optimizer's bytes, not theirs.",
            "Llama 3, arXiv 2407.21783, section 3.3.2: weights are kept between micro batches",
            "zero1",
            "Shard the optimizer only",
        )
    product = tp * pp * cp * dp
    if inputs.gpus is not None and inputs.gpus != product and inputs.layout == "pinned":
        yield _finding(
            "gpus.product",
            "caution",
            "gpus",
            f"The layout uses TP {tp} × PP {pp} × CP {cp} × DP {dp} = {units.text(product, 'count')} GPUs, not the "
            f"{units.text(inputs.gpus, 'count')} asked for.",
            "definition",
            product,
            f"Ask for {units.text(product, 'count')}",
        )


def _expert_rules(inputs: Any, shape: Any, domain: int) -> Iterator[Finding]:
    ep, etp = inputs.ep, inputs.etp
    if shape.experts % ep:
        fix = _expert_degree(inputs, shape)
        yield _finding(
            "ep.divides",
            "blocker",
            "ep",
            f"Expert parallel {ep} does not divide the {shape.experts} experts.",
            _MEGATRON,
            fix,
            f"Set expert parallel to {fix}",
        )
    ranks = inputs.tp * inputs.cp * inputs.dp
    if ranks % (ep * etp):
        yield Finding(
            "parallelism.ep.ranks",
            "blocker",
            "parallelism.ep",
            f"Expert parallel {ep} × {etp} does not divide the {ranks} ranks of a stage (TP × CP × DP).",
            _MEGATRON,
            *_expert_fix(inputs, shape),
        )
    elif ep * etp > domain:
        yield _finding(
            "ep.domain",
            "caution",
            "ep",
            f"Expert parallel {ep} leaves the NVLink domain of {domain} GPUs: most tokens travel over the network.",
            "DeepSeek-V3, arXiv 2412.19437, section 3.2",
        )


Fix = tuple[tuple[tuple[str, Any], ...], str]


def _batch_fix(batch: int, dp: int, micro: int) -> Fix:
    """Return the smallest change after which replicas and micro batches divide the batch."""
    if batch % dp == 0:
        fix = _largest_dividing(batch // dp, micro)
        return (("parallelism.micro_batch", fix),), f"Set the micro batch to {fix}"
    if batch % micro == 0:
        fix = _largest_dividing(batch // micro, dp)
        return (("parallelism.dp", fix),), f"Set data parallel to {fix}"
    fix = _largest_dividing(batch, dp)
    edits = (("parallelism.dp", fix), ("parallelism.micro_batch", 1))
    return edits, f"Set data parallel to {fix} and the micro batch to 1"


def _depth_fix(layers: int, pp: int, vpp: int) -> Fix:
    """Return the smallest change after which no pipeline chunk is empty."""
    if pp <= layers:
        fix = _largest_dividing(max(1, layers // pp), vpp)
        return (("parallelism.vpp", fix),), f"Set interleave to {fix}"
    fix = _divisor(layers, max(1, layers // vpp))
    if fix * vpp <= layers:
        return (("parallelism.pp", fix),), f"Set pipeline parallel to {fix}"
    edits = (("parallelism.pp", fix), ("parallelism.vpp", 1))
    return edits, f"Set pipeline parallel to {fix} and interleave to 1"


def _expert_fix(inputs: Any, shape: Any) -> Fix:
    """Return the smallest change after which expert groups divide the ranks of a stage."""
    ranks, ep, etp = inputs.tp * inputs.cp * inputs.dp, inputs.ep, inputs.etp
    if ranks % etp == 0:
        fix = _expert_degree(inputs, shape)
        return (("parallelism.ep", fix),), f"Set expert parallel to {fix}"
    if ranks % ep == 0:
        fix = _largest_dividing(ranks // ep, etp)
        return (("parallelism.etp", fix),), f"Set expert tensor parallel to {fix}"
    fix = _largest_dividing(gcd(shape.experts, ranks), ep)
    edits = (("parallelism.ep", fix), ("parallelism.etp", 1))
    return edits, f"Set expert parallel to {fix} and expert tensor parallel to 1"


def _expert_degree(inputs: Any, shape: Any) -> int:
    """Return the largest expert-parallel degree up to the asked one that divides the experts and a stage's ranks."""
    ranks, etp = inputs.tp * inputs.cp * inputs.dp, inputs.etp
    both = gcd(shape.experts, ranks // etp) if ranks % etp == 0 else shape.experts
    return _largest_dividing(both, inputs.ep)


def _largest_dividing(number: int, most: int) -> int:
    return next(d for d in range(max(1, min(most, number)), 0, -1) if number % d == 0)


def consequences(inputs: Any, up: Any, outcome: Any, swept: Any) -> list[Finding]:
    """Return what the sized layout shows: memory over the HBM, a large bubble."""
    found: list[Finding] = []
    hbm, used = up.compute.hbm_visible_gb, outcome.memory_gb
    if used.known and hbm.known and used.number > hbm.number:
        fix, title = _smaller(inputs)
        found.append(
            Finding(
                "parallelism.memory",
                "blocker",
                "layers.parallelism.result.memory_gb",
                f"The fullest GPU needs {units.text(used.value, 'gb')} and has {units.text(hbm.value, 'gb')}.",
                hbm.source,
                fix,
                title,
            )
        )
    step, bubble = outcome.step_time_s, outcome.time_bubble_s
    if step.known and bubble.known and bubble.number > BUBBLE_LIMIT * step.number:
        batches = outcome.micro_batches.value
        found.append(
            _finding(
                "bubble",
                "caution",
                "pp",
                f"Stages wait {100 * bubble.number / step.number:.0f}% of the step: {batches} micro batches are "
                f"few for {inputs.pp} stages with {inputs.vpp} chunks each; {100 * BUBBLE_LIMIT:.0f}% is already much.",
                "(p - 1) / (v m), Narayanan et al. 2021, arXiv 2104.04473",
            )
        )
    return found


def _smaller(inputs: Any) -> tuple[tuple[tuple[str, Any], ...], str]:
    if inputs.recompute != "full":
        return (("parallelism.recompute", "full"),), "Recompute all activations"
    if inputs.sharding in ("none", "zero1"):
        return (("parallelism.sharding", "fsdp"),), "Shard everything over the replicas"
    return (("parallelism.layout", "auto"),), "Let the search choose the layout"
