"""Layouts and verdicts of the search in words, the same on the command line and in the window."""

from __future__ import annotations

from wattsweights_gui.engine import units
from wattsweights_gui.engine.search_answers import Candidate, WhyNot

SAME_PCT = 0.05
SCHEDULES = {
    "1f1b": "1F1B",
    "interleaved": "interleaved 1F1B",
    "zero_bubble": "zero bubble H1",
    "zero_bubble_h2": "zero bubble H2",
}
SHARDINGS = {"none": "nothing sharded", "zero1": "ZeRO-1", "zero2": "ZeRO-2", "fsdp": "FSDP"}


def degrees_text(layout: Candidate) -> str:
    """Return a layout in words, degrees of one left out beyond TP, PP and DP."""
    parts = [f"TP {layout.tp} × PP {layout.pp} × DP {layout.dp}"]
    for name, degree in (("CP", layout.cp), ("EP", layout.ep), ("ETP", layout.etp)):
        if degree > 1:
            parts[0] += f" × CP {degree}" if name == "CP" else f", {name} {degree}"
    parts.append(f"micro batch {layout.micro_batch}")
    if layout.pp > 1:
        chunks = f" of {layout.vpp} chunks" if layout.vpp > 1 else ""
        parts.append(f"{SCHEDULES[layout.schedule]}{chunks}")
    layers = f" of {layout.recompute_layers} layers a stage" if layout.recompute_layers else ""
    parts.append("no recompute" if layout.recompute == "none" else f"{layout.recompute} recompute{layers}")
    group = f" in groups of {layout.shard_group}" if layout.shard_group else ""
    parts.append(f"{SHARDINGS[layout.sharding]}{group}")
    if layout.changes:
        parts.append(f"{layout.gpu}, {layout.precision}")
    return ", ".join(parts)


def verdict_text(about: WhyNot, system: units.System = "si") -> str:
    """Return in a sentence whether a layout can run and how far behind the best it is."""
    if about.reasons:
        several = len(about.reasons) > 1
        return f"it is ruled out by {len(about.reasons)} rules." if several else "it is ruled out by one rule."
    if about.nearest is None or about.best is None or about.behind_days is None or about.behind_pct is None:
        return "it can run."
    own = units.text(about.nearest.days, "days", system)
    if about.nearest.changes:
        side = "longer" if about.behind_days > 0 else "shorter"
        share = units.number(abs(about.behind_pct), 2)
        return f"it can run: {own}, {share} % {side} than the best on the plan's own GPU and precision."
    if about.behind_pct < SAME_PCT:
        return f"it can run, and no layout is better: {own}.{_unusual(about)}"
    more = units.text(about.behind_days, "days", system)
    return f"it can run: {own}, {more} ({units.number(about.behind_pct, 2)} %) longer than the best.{_unusual(about)}"


def _unusual(about: WhyNot) -> str:
    """Return that the usual layouts leave it out, where it is better than the best of them."""
    nearest, chosen = about.nearest, about.chosen
    if nearest is None or chosen is None or nearest.days >= chosen.days * (1.0 - SAME_PCT / 100.0):
        return ""
    return (
        f" It is not among the usual layouts that an automatic plan is given, whose best takes "
        f"{units.text(chosen.days, 'days')}: search the wide space, and pin it."
    )


__all__ = ["degrees_text", "verdict_text"]
