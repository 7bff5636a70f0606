"""What rules one layout out: the design rules, what the search never tries, and memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from wattsweights_gui.engine import training_plan, units
from wattsweights_gui.engine.layout_rules import findings_of, impossible
from wattsweights_gui.engine.search_answers import Reason
from wattsweights_gui.engine.search_setting import Setting

MEMORY_RULE = "parallelism.memory"
STRICT = ("parallelism.vpp.alone", "parallelism.vpp.batches")
"""Cautions of the design rules that the search keeps to: frameworks refuse to start."""
_ABOUT: Mapping[str, tuple[str, ...]] = {
    "parallelism.dp.batch": ("dp", "micro_batch"),
    "parallelism.vpp.batches": ("vpp", "pp", "micro_batch"),
    "parallelism.vpp.alone": ("vpp", "pp"),
    "parallelism.ep.ranks": ("ep", "etp"),
    "parallelism.pp.layers": ("pp", "vpp"),
    "parallelism.sp.divides": ("sequence_parallel", "tp", "cp"),
    "parallelism.schedule.chunks": ("schedule", "vpp"),
    "parallelism.schedule.interleaved": ("schedule", "vpp"),
    "parallelism.schedule.zero_bubble": ("schedule", "vpp", "pp"),
    "parallelism.sharding.zero2": ("sharding", "pp"),
}
_QI = "Qi et al. 2024, arXiv 2401.10241"
_MEGATRON = "Megatron Core, argument validation"
_ZERO = "DeepSpeed documentation, pipeline parallelism: ZeRO-2 and ZeRO-3 are not combined with it"


def reasons(setting: Setting) -> list[Reason]:
    """Return the rules and the memory that rule out the layout of a plan."""
    found = [
        Reason(f.id, f.message, f.source, f.fix)
        for f in findings_of(setting.inputs, setting.up)
        if f.severity == "blocker" or f.id in STRICT
    ]
    found += _never_tried(setting.inputs)
    reason = impossible(setting.inputs, setting.up)
    if reason:
        return found or [Reason("parallelism.impossible", f"{reason[0].upper()}{reason[1:]}.")]
    used = float(setting.used_bytes(training_plan.layout_of(setting.inputs))[0])
    if used > setting.limit:
        over, free = used / 1e9, setting.limit / 1e9
        words = (
            f"The fullest GPU would hold {over:.1f} GB, {over - free:.1f} GB too much: {free:.1f} GB are left beside "
            "what is kept free."
        )
        found.append(Reason(MEMORY_RULE, words, "the memory that the catalogue gives for the GPU"))
    return found


def _never_tried(inputs: Any) -> Iterator[Reason]:
    """Return what contradicts itself, or is another layout under another name."""
    split = "parallelism"
    if inputs.schedule == "interleaved" and inputs.vpp == 1:
        words = "Interleaved with one chunk a stage is plain 1F1B; the search tries it under that name."
        yield Reason(f"{split}.schedule.interleaved", words, _MEGATRON, ((f"{split}.schedule", "1f1b"),))
    elif inputs.schedule == "1f1b" and inputs.vpp > 1:
        words = f"1F1B has one chunk a stage; {inputs.vpp} chunks a stage are the interleaved schedule."
        yield Reason(f"{split}.schedule.chunks", words, _MEGATRON, ((f"{split}.schedule", "interleaved"),))
    elif inputs.schedule.startswith("zero_bubble") and (inputs.vpp > 1 or inputs.pp == 1):
        words = (
            "Zero bubble needs a pipeline."
            if inputs.pp == 1
            else f"Zero bubble is for one chunk a stage, not {inputs.vpp}."
        )
        yield Reason(f"{split}.schedule.zero_bubble", words, _QI, ((f"{split}.schedule", "1f1b"),))
    if inputs.sharding == "zero2" and inputs.pp > 1:
        words = (
            "ZeRO-2 in a pipeline: gradients that are spread as soon as they are made cannot be added up over the "
            "micro batches in flight."
        )
        yield Reason(f"{split}.sharding.zero2", words, _ZERO, ((f"{split}.sharding", "zero1"),))
    replicas = inputs.dp * inputs.cp
    group = inputs.shard_group
    if group and (inputs.sharding == "none" or replicas % min(group, replicas)):
        words = (
            f"A shard group of {group} has nothing to hold: nothing is sharded."
            if inputs.sharding == "none"
            else f"A shard group of {group} does not divide the {replicas} replicas (DP × CP)."
        )
        yield Reason(f"{split}.shard_group.divides", words, "definition", ((f"{split}.shard_group", None),))
    if inputs.recompute_layers and inputs.recompute != "full":
        words = "A number of recomputed layers holds for full recompute alone."
        yield Reason(f"{split}.recompute_layers.full", words, "definition", ((f"{split}.recompute", "full"),))


def of_what_was_asked(found: Iterable[Reason], named: Iterable[str]) -> list[Reason]:
    """Return the reasons that speak of a field that was asked about."""
    asked = set(named)
    return [r for r in found if asked & set(_ABOUT.get(r.rule, r.rule.split(".")[1:2]))]


def does_not_make(named: Mapping[str, Any], count: int) -> Reason | None:
    """Return why degrees that were asked about make no layout of so many GPUs; ``None`` where they could."""
    degrees = [(name, int(named[name])) for name in ("tp", "pp", "cp", "dp") if name in named]
    product = 1
    for _, degree in degrees:
        product *= degree
    whole = len(degrees) == 4
    if product == count or (not whole and count % product == 0):
        return None
    words = " × ".join(f"{name.upper()} {degree}" for name, degree in degrees)
    many = units.text(count, "count")
    if whole:
        return Reason("parallelism.gpus", f"{words} makes {units.text(product, 'count')} GPUs, not {many}.")
    takes = f"{words} takes {units.text(product, 'count')} GPUs" if len(degrees) > 1 else words
    return Reason("parallelism.gpus", f"{takes}: that does not divide {many} GPUs.")


def no_layout(lost: Mapping[str, int]) -> Reason:
    """Return in a sentence what the rules took away, where nothing is left of what was asked."""
    ranked = sorted(((n, rule) for rule, n in lost.items()), key=lambda pair: (-pair[0], pair[1]))
    words = "; ".join(f"{units.text(n, 'count')} ({rule})" for n, rule in ranked[:3])
    return Reason("parallelism.none", f"No valid layout has this; ruled out: {words or 'all'}.")


__all__ = ["MEMORY_RULE", "does_not_make", "no_layout", "of_what_was_asked", "reasons"]
