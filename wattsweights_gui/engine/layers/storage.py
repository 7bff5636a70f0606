"""Storage: bandwidth for the data and for the checkpoints"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from wattsweights_gui.engine import storage_systems, units
from wattsweights_gui.engine.declare import (
    Entry,
    Figure,
    Finding,
    LayerInputs,
    LayerResult,
    Need,
    Sized,
    Table,
    calc,
    constant,
    result,
    results,
    setting,
    stated,
    unknown,
)
from wattsweights_gui.engine.equations import reliability
from wattsweights_gui.engine.equations import storage as equations
from wattsweights_gui.engine.equations.clos import nodes_for
from wattsweights_gui.engine.host_links import (
    copy_gb_s_per_gpu,
    gpus_per_host,
    plan_system,
    storage_gb_s_per_gpu,
)
from wattsweights_gui.engine.planned_fabric import fabric_of

CHECKPOINTS_KEPT = constant("checkpoints_kept", 10, "count", "Checkpoints kept", "ours")
GUIDELINE_DESIGN = "dgx_superpod_h100"
NOT_BY_READS = 0.05
WRITES_SHARE = 2

NAME = "storage"
TITLE = "Storage"
ABOUT = "bandwidth for the data and for the checkpoints"


class Inputs(LayerInputs):
    """What is read, what is written, and by which system."""

    system: str = setting(
        "ddn_ai400x2",
        title="Storage system",
        help="Appliance that is counted.",
        source="ours: read, write, capacity and power are all published",
        catalog="storage_system",
        group="System",
    )
    appliances: int | None = setting(
        None,
        title="Appliances",
        help="How many are installed.",
        hard=(0, 100000),
        when_none="as many as the job needs",
        group="System",
    )
    bytes_per_token: float = setting(
        4.0,
        title="Bytes read a token",
        unit="byte_token",
        help="Tokenised text is 2 to 4 bytes; images and video far more.",
        source="4-byte token ids",
        hard=(0, 1e9),
        group="Reads",
    )
    read_gb_s_per_gpu: float | None = setting(
        None,
        title="Read a GPU",
        unit="gb_s",
        help="Sustained dataset read of one GPU.",
        hard=(0, 1000),
        when_none="from tokens/s and bytes a token",
        group="Reads",
    )
    checkpoint_recipe: str = setting(
        "mixed_adam_bf16_weights",
        title="Checkpoint content",
        help="What is saved for each parameter.",
        source="MLPerf Storage: 14 B",
        catalog="checkpoint_recipe",
        group="Checkpoints",
    )
    checkpoint_mode: Literal["sync", "async"] = setting(
        "async",
        title="Checkpoint mode",
        help="Synchronous saves stop training until the bytes are on storage; asynchronous ones only for the copy to "
        "host memory.",
        source="today's frameworks",
        choices={"sync": "Synchronous", "async": "Asynchronous"},
        group="Checkpoints",
    )
    write_target_s: float = setting(
        120.0,
        title="Write a checkpoint within",
        unit="s",
        help="What the storage is sized for.",
        source="ours: a tenth of a 20 min interval",
        hard=(0.1, 1000000),
        usual=(5, 3600),
        group="Checkpoints",
    )
    checkpoint_interval_s: float | None = setting(
        None,
        title="Checkpoint interval",
        unit="s",
        help="Time between saves.",
        hard=(1, 10000000),
        when_none="the interval that loses least (Young)",
        group="Checkpoints",
    )
    capacity_tb: float | None = setting(
        None,
        title="Capacity needed",
        unit="tb",
        help="Usable capacity.",
        hard=(0, 1e9),
        when_none="ten checkpoints and the dataset",
        group="System",
    )


class Result(LayerResult):
    """What follows."""

    read_gb_s_per_gpu: Figure = result("Read a GPU", "gb_s", "Sustained dataset read of one GPU.")
    read_gb_s: Figure = result(
        "Read, all GPUs", "gb_s", "Sustained dataset read of the whole job.", headline=True, short="Reads"
    )
    checkpoint_tb: Figure = result("Checkpoint", "tb", "Bytes saved at full state.", headline=True, short="Checkpoint")
    write_gb_s: Figure = result("Write bandwidth", "gb_s", "Of the installed storage.")
    checkpoint_write_s: Figure = result(
        "Checkpoint write time", "s", "At full state, to storage.", headline=True, short="Write"
    )
    checkpoint_stall_s: Figure = result("Training stops for", "s", "What a save costs the run.")
    checkpoint_interval_s: Figure = result("Checkpoint interval", "s", "Time between saves.")
    checkpoint_overhead_pct: Figure = result("Checkpoint overhead", "pct", "Share of the run that saves cost.")
    appliances: Figure = result("Appliances", "count", "Of the chosen system.", headline=True, short="Appliances")
    capacity_tb: Figure = result("Capacity needed", "tb", "Usable.")
    power_kw: Figure = result("Storage power", "kw", "Of all appliances.")
    racks: Figure = result("Storage racks", "count", "Racks with appliances.")
    bound: Figure = result("What sets the number", "text", "The bound that takes most appliances.")
    appliances_needed: Figure = result("Appliances needed", "count", "For the job, one spare included.")
    installed_read_gb_s: Figure = result("Read bandwidth", "gb_s", "Of the installed storage.")
    installed_tb: Figure = result("Capacity installed", "tb", "Usable.")
    write_need_gb_s: Figure = result("Write needed", "gb_s", "To save a checkpoint within the target.")
    restore_s: Figure = result("Checkpoint read time", "s", "One read of a checkpoint, broadcast over the fabric.")
    host_staging_gb: Figure = result("Host memory for a save", "gb", "Of each host, until the save is on storage.")
    job_mtbf_s: Figure = result("Time between failures", "s", "Of the whole job.")
    guideline: Table = result("Guideline", "", "What the reference design advises for this many scalable units.")


@dataclass(frozen=True)
class _Bought:
    """How many appliances, why, and what they do together."""

    number: Figure
    needed: Figure
    bound: Figure
    read: Figure
    write: Figure
    capacity: Figure


def size(inputs: Inputs, up: Any) -> Sized:
    """Size the layer: reads and checkpoints apart, the appliances that carry both, and what a save costs the run."""
    system: Entry = up.entry(inputs.system)
    split = up.parallelism
    per_gpu = _read_per_gpu(inputs, split)
    read = calc(equations.read_gb_s, title="Read, all GPUs", gpus=split.gpus, read_gb_s_per_gpu=per_gpu)
    recipe = up.entry(inputs.checkpoint_recipe).fig("bytes_per_param", "byte_param", "bytes a parameter")
    saved = calc(equations.checkpoint_tb, title="Checkpoint", params=up.workload.total_params, bytes_per_param=recipe)
    target = inputs.fig("write_target_s")
    asked = calc(equations.write_gb_s_for, title="Write needed", checkpoint_tb=saved, seconds=target)
    capacity = _capacity(inputs, up, saved)
    ones = storage_systems.ones(up.catalog, inputs.system)
    bought = _bought(inputs, ones, read, asked, capacity)
    reach = calc(
        equations.reachable_gb_s,
        title="Write bandwidth that nodes reach",
        storage_gb_s=bought.write,
        gpus=split.gpus,
        gb_s_per_gpu=storage_gb_s_per_gpu(up),
    )
    write_s = _move_s("Checkpoint write time", saved, reach)
    copied = calc(
        equations.copy_stall_s,
        title="Copy to host memory",
        checkpoint_tb=saved,
        gpus=split.gpus,
        copy_gb_s=copy_gb_s_per_gpu(up),
    )
    stall = write_s if inputs.checkpoint_mode == "sync" else copied
    mtbf = _mtbf(up)
    interval = _interval(inputs, stall, write_s, mtbf)
    outcome = results(
        Result,
        read_gb_s_per_gpu=per_gpu,
        read_gb_s=read,
        checkpoint_tb=saved,
        write_gb_s=bought.write,
        checkpoint_write_s=write_s,
        checkpoint_stall_s=stall,
        checkpoint_interval_s=interval,
        checkpoint_overhead_pct=calc(reliability.checkpoint_overhead_pct, stall_s=stall, interval_s=interval),
        appliances=bought.number,
        capacity_tb=capacity,
        power_kw=calc(equations.power_kw, appliances=bought.number, one_kw=ones["power"]),
        racks=calc(equations.racks, appliances=bought.number, rack_units=ones["height"]),
        bound=bought.bound,
        appliances_needed=bought.needed,
        installed_read_gb_s=bought.read,
        installed_tb=bought.capacity,
        write_need_gb_s=asked,
        restore_s=_move_s("Checkpoint read time", saved, bought.read),
        host_staging_gb=calc(equations.staging_gb, checkpoint_tb=saved, hosts=_hosts(up)),
        job_mtbf_s=mtbf,
        guideline=_guideline(up),
    )
    return Sized(outcome, tuple(_findings(inputs, up, system, outcome)), _needs(inputs, outcome, target))


def _read_per_gpu(inputs: Inputs, split: Any) -> Figure:
    if inputs.read_gb_s_per_gpu is not None:
        return inputs.fig("read_gb_s_per_gpu")
    return calc(
        equations.token_read_gb_s,
        title="Read a GPU",
        tokens_s=split.tokens_per_s_per_gpu,
        bytes_per_token=inputs.fig("bytes_per_token"),
    )


def _capacity(inputs: Inputs, up: Any, saved: Figure) -> Figure:
    if inputs.capacity_tb is not None:
        return inputs.fig("capacity_tb")
    return calc(
        equations.capacity_tb,
        title="Capacity needed",
        checkpoint_tb=saved,
        kept=CHECKPOINTS_KEPT,
        tokens=up.workload.tokens,
        bytes_per_token=inputs.fig("bytes_per_token"),
    )


def _bought(inputs: Inputs, ones: dict[str, Figure], read: Figure, asked: Figure, capacity: Figure) -> _Bought:
    needs = {"read": read, "write": asked, "capacity": capacity}
    counts: dict[str, Any] = {
        name: calc(equations.appliances_for, title=f"Appliances for {name}", need=needs[name], one=ones[name])
        for name in needs
    }
    known = {name: figure for name, figure in counts.items() if figure.value is not None}
    if known:
        needed = calc(equations.appliances, title="Appliances needed", **known)
        worst = max(known, key=lambda name: known[name].value)
        missing = [name for name in counts if name not in known]
        formula = "the largest of the counts" + (f"; not known: {', '.join(missing)}" if missing else "")
        bound = stated(worst, "text", formula=formula, **known)
    else:
        reason = next(f.formula for f in counts.values())
        needed, bound = unknown(reason, "count"), unknown(reason, "text")
    number = needed if inputs.appliances is None else inputs.fig("appliances")
    return _Bought(
        number,
        needed,
        bound,
        calc(equations.installed_gb_s, title="Read bandwidth installed", appliances=number, one_gb_s=ones["read"]),
        calc(equations.installed_gb_s, title="Write bandwidth installed", appliances=number, one_gb_s=ones["write"]),
        calc(equations.installed_tb, title="Capacity installed", appliances=number, one_tb=ones["capacity"]),
    )


def _hosts(up: Any) -> Figure:
    each = gpus_per_host(plan_system(up))
    return calc(nodes_for, title="Hosts of the job", gpus=up.parallelism.gpus, gpus_per_node=each)


def _move_s(title: str, saved: Figure, rate: Figure) -> Figure:
    if rate.value == 0:
        return unknown("no storage is installed", "s", title, rate=rate)
    return calc(equations.write_time_s, title=title, checkpoint_tb=saved, write_gb_s=rate)


def _mtbf(up: Any) -> Figure:
    rate = up.inputs("parallelism").fig("failures_per_1000_node_days")
    if rate.number == 0:
        return unknown("nothing fails", "s", "Time between failures", failures=rate)
    failing = calc(reliability.nodes_of_eight, title="Nodes of eight GPUs", gpus=up.cluster.gpus)
    return calc(reliability.job_mtbf_s, title="Time between failures", nodes=failing, failures_per_1000_node_days=rate)


def _interval(inputs: Inputs, stall: Figure, write_s: Figure, mtbf: Figure) -> Figure:
    if inputs.checkpoint_interval_s is not None:
        return inputs.fig("checkpoint_interval_s")
    title = "Checkpoint interval"
    young = calc(reliability.young_interval_s, title=title, write_s=stall, mtbf_s=mtbf)
    if inputs.checkpoint_mode == "sync" or young.value is None or write_s.value is None:
        return young
    drain = WRITES_SHARE * write_s.number
    if drain <= young.number:
        return young
    formula = "twice the write time: storage writes at most half of the time (Young's interval is shorter)"
    return stated(drain, "s", title, formula=formula, source="ours", young=young, write_time=write_s)


def _guideline(up: Any) -> Table:
    reference = fabric_of(up).reference
    entries = [e for e in up.catalog.of_kind("storage_guideline")]
    own = [e for e in entries if reference is not None and e.get("reference_design") == reference.id]
    rows = own or [e for e in entries if e.get("reference_design") == GUIDELINE_DESIGN]
    gpus = up.cluster.gpus.value
    columns = ("level", "unit_read_gb_s", "unit_write_gb_s", "plan_read_gb_s", "plan_write_gb_s", "for")
    table = []
    for e in rows:
        units_of = None if gpus is None else gpus / e.get("gpus_per_su")
        read, write = e.get("su_read_gb_s"), e.get("su_write_gb_s")
        planned = (None, None) if units_of is None else (read * units_of, write * units_of)
        table.append((e.get("level"), read, write, *planned, e.get("workload", "")))
    source = rows[0].sources.get("", "") if rows else ""
    title = "Advice for the whole plan by its GPUs (aggregates; node figures are peaks and are not multiplied)"
    if not own and rows:
        title += f"; {GUIDELINE_DESIGN.replace('_', ' ')} taken, this design prints none"
    return Table(columns, ("text", "gb_s", "gb_s", "gb_s", "gb_s", "text"), tuple(table), title, source)


def _needs(inputs: Inputs, outcome: Result, target: Figure) -> tuple[Need, ...]:
    end: Literal["facility", "model"] = "facility" if inputs.appliances is not None else "model"
    return (
        Need(
            "storage",
            "checkpoint_write_s",
            "Checkpoint write time",
            outcome.checkpoint_write_s,
            target,
            "s",
            end,
        ),
        Need("storage", "read_gb_s", "Dataset read", outcome.read_gb_s, outcome.installed_read_gb_s, "gb_s", end),
        Need("storage", "capacity_tb", "Storage capacity", outcome.capacity_tb, outcome.installed_tb, "tb", end),
    )


def _findings(inputs: Inputs, up: Any, system: Entry, outcome: Result) -> list[Finding]:
    found: list[Finding] = []
    read, asked = outcome.read_gb_s, outcome.write_need_gb_s
    if inputs.read_gb_s_per_gpu is None and read.known and asked.known and read.number < NOT_BY_READS * asked.number:
        text = (
            f"Reading tokens takes {units.text(read.number * 1000, 'mb_s')} for the whole job, writing a checkpoint in "
            f"time {asked.text()}: reads do not size this storage, checkpoints and capacity do."
        )
        found.append(Finding("storage.reads_are_tiny", "note", "storage.read_gb_s_per_gpu", text, read.source))
    if not outcome.write_gb_s.known and outcome.appliances.known:
        text = f"The write bandwidth of {system.name} is not known: the appliances are counted without it."
        found.append(Finding("storage.write_unknown", "caution", "storage.system", text, system.sources.get("", "")))
    for name, words in (("power_kw", "power"), ("racks", "height")):
        if not getattr(outcome, name).known and outcome.appliances.known:
            total = name.removesuffix("_kw")
            text = f"The {words} of {system.name} is not known: storage is left out of the plan's {total}."
            found.append(Finding(f"storage.{name}_unknown", "caution", "storage.system", text))
    needed, number = outcome.appliances_needed, outcome.appliances
    if inputs.appliances is not None and needed.known and number.number < needed.number:
        text = (
            f"{number.text()} appliances are installed, the job needs {needed.text()} (for {outcome.bound.value}, "
            "one spare included)."
        )
        fix = (("storage.appliances", int(needed.number)),)
        title = f"{needed.text()} appliances"
        found.append(
            Finding("storage.too_few", "caution", "storage.appliances", text, outcome.bound.source, fix, title)
        )
    write_s, interval = outcome.checkpoint_write_s, outcome.checkpoint_interval_s
    through, gpus = storage_gb_s_per_gpu(up), up.parallelism.gpus
    if asked.known and through.known and gpus.known and asked.number > (most := gpus.number * through.number):
        text = (
            f"A checkpoint within {units.text(inputs.write_target_s, 's')} takes {asked.text()}; the storage adapters "
            f"of all nodes together give {units.text(most, 'gb_s')}, however many appliances there are."
        )
        found.append(Finding("storage.adapters_bind", "caution", "storage.write_target_s", text, through.source))
    if write_s.known and interval.known and write_s.number > interval.number * (1 + 1e-9):
        text = (
            f"A checkpoint takes {write_s.text()} to storage and the next one starts after {interval.text()}: "
            "saves pile up."
        )
        longer = (("storage.checkpoint_interval_s", round(WRITES_SHARE * write_s.number, 1)),)
        title = "An interval that the writes keep up with"
        subject = "storage.checkpoint_interval_s"
        found.append(Finding("storage.saves_pile_up", "blocker", subject, text, write_s.source, longer, title))
    return found
