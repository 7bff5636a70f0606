"""Layouts and verdicts of the search in words, the same on the command line and in the window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True)
class Column:
    """A column of a table of layouts: a field of :class:`Candidate`, what it is called, its unit and what it says.

    ``always`` columns are shown even where all layouts say the same.
    """

    title: str
    name: str
    unit: str
    help: str
    always: bool = False
    words: bool = False

    def title_in(self, system: units.System) -> str:
        """Return the title with its unit."""
        sign = "%" if self.unit == "pct" else "" if self.unit == "count" else units.symbol(self.unit, system)
        return f"{self.title}, {sign}" if sign and sign.casefold() != self.title.casefold() else self.title


COLUMNS = (
    Column("GPUs", "gpus", "count", "GPUs of the layout: TP × PP × DP × CP.", True),
    Column("TP", "tp", "count", "Tensor parallel: GPUs that share each matrix.", True),
    Column("PP", "pp", "count", "Pipeline parallel: stages that share the layers.", True),
    Column("DP", "dp", "count", "Data parallel: replicas that share the batch.", True),
    Column("CP", "cp", "count", "Context parallel: GPUs that share each sequence."),
    Column("EP", "ep", "count", "Expert parallel: ranks that share the experts."),
    Column("ETP", "etp", "count", "Expert tensor parallel: GPUs that share each expert."),
    Column("Micro", "micro_batch", "count", "Micro batch: sequences of one forward pass.", True),
    Column("Chunks", "vpp", "count", "Interleave: pipeline chunks a stage."),
    Column("Schedule", "schedule", "", "Order of forward and backward passes in the pipeline.", words=True),
    Column("Recompute", "recompute", "", "Which activations are computed again.", True, words=True),
    Column("Sharding", "sharding", "", "What is spread over the replicas.", True, words=True),
    Column("Group", "shard_group", "count", "Ranks that the sharded states are spread over, where not all."),
    Column("GPU", "gpu", "", "Catalogue entry of the GPU.", words=True),
    Column("Precision", "precision", "", "Format of the matrix multiplications.", words=True),
    Column("Memory", "memory_gb", "gb", "On the fullest GPU, with what is kept free.", True),
    Column("Step", "step_time_s", "s", "Time of one optimizer step.", True),
    Column("MFU", "mfu", "pct", "Model FLOP/s over the GPU's peak.", True),
    Column("Days", "days", "days", "Length of the run, saves and faults included.", True),
    Column("Days from", "days_low", "days", "Low end of the spread that published runs of this kind show.", True),
    Column("Days to", "days_high", "days", "High end of the spread that published runs of this kind show.", True),
    Column("IT power", "power_kw", "kw", "Typical draw of nodes, switches and storage."),
    Column("Energy", "energy_mwh", "mwh", "Of the run, at the utility."),
    Column("Cost", "cost", "usd", "Of the run, from the prices given."),
)


def columns_of(layouts: Sequence[Candidate]) -> list[Column]:
    """Return the columns worth showing: one that says the same ordinary thing of all layouts is left out."""
    return [column for column in COLUMNS if column.always or _tells(column.name, layouts)]


def _tells(name: str, layouts: Sequence[Candidate]) -> bool:
    values = {getattr(layout, name) for layout in layouts}
    if name in ("gpu", "precision"):
        return len(values) > 1 or any(layout.changes for layout in layouts)
    return bool(values - {None, 0, 1, "1f1b"})


def cell_text(layout: Candidate, column: Column, system: units.System = "si") -> str:
    """Return one cell, without the unit, which the column's title says."""
    value = getattr(layout, column.name)
    if value is None or (column.name == "shard_group" and not value):
        return "–"
    if column.name == "schedule":
        return SCHEDULES[value]
    if column.name == "sharding":
        return SHARDINGS[value]
    if column.words:
        return str(value)
    if column.name == "mfu":
        return f"{100.0 * value:.1f}"
    shown = value if column.unit == "count" else units.shown(float(value), column.unit, system)[0]
    return units.number(shown)


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


__all__ = ["COLUMNS", "SCHEDULES", "SHARDINGS", "Column", "cell_text", "columns_of", "degrees_text", "verdict_text"]
