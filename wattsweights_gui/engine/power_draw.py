"""What the hall's loads draw: nodes idle, at work, at most and for a moment; network, storage and management beside."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from wattsweights_gui.engine.declare import Entry, Figure, LaterTable, Value, calc, stated
from wattsweights_gui.engine.equations import electrical
from wattsweights_gui.engine.placed_racks import placed_compute_kw
from wattsweights_gui.engine.racked_system import nameplate_kw, node_max_kw

MEASURED = "draw_air_node"
STATES = ("idle", "typical", "maximum", "peak")


@dataclass(frozen=True)
class Draw:
    """One load: idle, at work, at most, and the peak of milliseconds, in kW."""

    idle: Figure
    typical: Figure
    most: Figure
    peak: Figure


@dataclass(frozen=True)
class Loads:
    """The IT load line by line; ``left_out`` names the lines that are not known."""

    node: Draw
    systems: Figure
    compute: Draw
    network: Draw
    storage: Draw
    management: Draw
    it: Draw
    left_out: tuple[tuple[str, Figure], ...]


def loads_of(inputs: Any, up: Any, system: Entry | None) -> Loads:
    """Return the IT load line by line and its sums."""
    left_out: list[tuple[str, Figure]] = []
    node = _node(inputs, up, system)
    systems = _systems(up, system)
    states = zip(STATES, _four(node), strict=True)
    compute = Draw(*(_compute(up, system, words, systems, one, node.most) for words, one in states))
    network = _or_none("switches", up.cluster.switch_power_kw, left_out)
    at_work = up.cluster.switch_power_typical_kw
    usual = at_work if at_work.known and at_work.number else network
    storage = _or_none("storage", up.storage.power_kw, left_out)
    management = _management(inputs, up)
    lines = (
        compute,
        Draw(usual, usual, network, network),
        Draw(storage, storage, storage, storage),
        Draw(management, management, management, management),
    )
    return Loads(node, systems, *lines, _sum(lines), tuple(left_out))


def _compute(up: Any, system: Entry | None, words: str, systems: Figure, each: Figure, most: Figure) -> Figure:
    """Return the draw of all systems in one state; systems that are not the plan's are in the same state as those."""
    placed = up.placed
    others = placed.others_kw(system.id if system is not None else None) if placed is not None else 0.0
    title = f"Compute nodes, {words}"
    if not others:
        return calc(electrical.total_kw, title=title, count=systems, each_kw=each)
    state = each.number / most.number if each.known and most.known and most.number else 1.0
    return calc(
        placed_compute_kw,
        title=title,
        systems=systems,
        each_kw=each,
        others_kw=Figure(others * state, "kw", "Other systems placed", formula="catalogued maximum, in the same state"),
    )


def _management(inputs: Any, up: Any) -> Figure:
    typed: Figure = inputs.fig("management_kw")
    placed = up.placed
    if placed is None or not placed.sums["management"]:
        return typed
    return stated(
        placed.sums["management"],
        "kw",
        "Management and login",
        formula="Σ draw of the servers without GPUs placed in the racks",
        planned=typed,
    )


def _four(draw: Draw) -> tuple[Figure, Figure, Figure, Figure]:
    return draw.idle, draw.typical, draw.most, draw.peak


def _sum(lines: tuple[Draw, ...]) -> Draw:
    names = ("compute", "network", "storage", "management")
    return Draw(
        *(
            calc(electrical.it_kw, title=f"IT, {words}", **dict(zip(names, parts, strict=True)))
            for words, parts in zip(STATES, zip(*map(_four, lines), strict=True), strict=True)
        )
    )


def _node(inputs: Any, up: Any, system: Entry | None) -> Draw:
    most = node_max_kw(up, system)
    typical = calc(
        electrical.typical_kw,
        title="Node, typical",
        max_kw=most,
        typical_pct=_share(inputs, "typical_pct", up.catalog, system.id if system else None),
    )
    idle = calc(
        electrical.idle_kw,
        title="Node, idle",
        nameplate_kw=nameplate_kw(up, system),
        idle_pct=_share(inputs, "idle_pct", up.catalog, None),
        typical_kw=typical,
    )
    peak = calc(
        electrical.peak_kw,
        title="Node, peak",
        max_kw=most,
        peak_pct=_share(inputs, "peak_pct", up.catalog, system.id if system else None),
    )
    return Draw(idle, typical, most, peak)


def _share(inputs: Any, name: str, catalog: Any, system_id: str | None) -> Figure:
    if getattr(inputs, name) is not None:
        figure: Figure = inputs.fig(name)
        return figure
    return _share_of(catalog, name, system_id)


@lru_cache(maxsize=128)
def _share_of(catalog: Any, name: str, system_id: str | None) -> Figure:
    """Return a draw over the maximum: what the maker prints of the system, else what was measured of another."""
    measured: Entry = catalog.entry(MEASURED)
    field = {"typical_pct": "power_typical_kw", "peak_pct": "power_peak_kw"}.get(name)
    words = {"typical_pct": "Typical draw", "idle_pct": "Idle draw", "peak_pct": "Transient peak"}[name]
    if system_id is not None and field is not None:
        system: Entry = catalog.entry(system_id)
        printed, most = system.fig(field, "kw"), system.fig("power_max_kw", "kw", "maximum draw")
        if printed.known and most.known:
            return stated(
                100.0 * printed.number / most.number,
                "pct",
                words,
                formula=f"100 × {words.lower()} over maximum, as printed for {system.name}",
                source=printed.source,
                printed=printed,
                most=most,
            )
    share = measured.fig(name, "pct", words.lower())
    return stated(
        share.value,
        "pct",
        f"{words} (estimate)",
        formula="no draw of this system is published: the share that is known of another 8-GPU node",
        source=share.source,
        share=share,
    )


def _systems(up: Any, system: Entry | None) -> Figure:
    if up.placed is not None and up.placed.has_nodes:
        return stated(
            up.placed.systems(system.id if system is not None else None),
            "count",
            "Systems",
            formula="of the plan's kind, placed in the racks",
        )
    if system is None or not up.cluster.gpus.known:
        return up.cluster.nodes  # type: ignore[no-any-return]
    return calc(
        electrical.systems_of,
        title="Systems",
        gpus=up.cluster.gpus,
        gpus_per_system=system.fig("gpus", "count", "GPUs a system"),
    )


def _or_none(what: str, figure: Figure, left_out: list[tuple[str, Figure]]) -> Figure:
    """Return a load, or 0 where it is not known; then it is named as left out."""
    if figure.known:
        return figure
    left_out.append((what, figure))
    return Figure(0.0, "kw", figure.title, formula=f"left out, not known: {figure.formula}", operands=figure.operands)


def loads_table(loads: Loads, cooling: tuple[tuple[str, Figure], ...]) -> LaterTable:
    """Return every load as a line of its own: IT, then what cooling and the rest draw, which is not IT."""
    lines: tuple[tuple[str, str, Draw | Figure], ...] = (
        ("Compute nodes", "IT", loads.compute),
        ("Switches", "IT", loads.network),
        ("Storage", "IT", loads.storage),
        ("Management and login", "IT", loads.management),
        ("IT, all", "sum", loads.it),
        *((name, "cooling" if name != "Lighting and other" else "other", figure) for name, figure in cooling),
    )

    def rows() -> Iterator[tuple[Value, ...]]:
        whole = loads.it.most.value
        for name, counted, draw in lines:
            values: list[Value] = (
                [f.value for f in _four(draw)] if isinstance(draw, Draw) else [None, None, draw.value, None]
            )
            most = values[2]
            known = isinstance(most, float | int) and isinstance(whole, float | int) and whole
            yield name, counted, *values, 100.0 * float(most or 0.0) / float(whole) if known and whole else None

    return LaterTable(
        ("load", "counted_as", "idle", "typical", "maximum", "peak", "of_it"),
        ("text", "text", "kw", "kw", "kw", "kw", "pct"),
        tuple((n, c, tuple(f.value for f in (_four(d) if isinstance(d, Draw) else (d,)))) for n, c, d in lines),
        lambda: tuple(rows()),
        "Loads",
        "idle switches, storage and management are counted as at work; CDUs, fans and plant at the heat of maximum IT",
    )


def rule_table(loads: Loads, gpus: Figure, tdp_w: Figure, gpu_power_w: Figure, overhead: Figure) -> LaterTable:
    """Return the rule of thumb beside the built-up load, and what makes the difference, line by line.

    The rule has two lines (GPUs at TDP, and an overhead for all the rest); built up, each load has one. The differences
    add up to that of the totals.
    """
    figures = (gpus, tdp_w, gpu_power_w, overhead, loads.compute.most, loads.network.most, loads.storage.most,
               loads.management.most)  # fmt: skip

    def rows() -> tuple[tuple[Value, ...], ...]:
        if not all(f.known for f in figures):
            return ()
        at_tdp = electrical.gpus_kw(gpus.number, tdp_w.number)
        at_limit = electrical.gpus_kw(gpus.number, gpu_power_w.number)
        rest = at_tdp * (overhead.number - 1.0)
        nodes, network, storage, management = (f.number for f in figures[4:])
        lines: list[tuple[str, float, float, str]] = [
            ("GPUs", at_tdp, at_limit, "at TDP" if at_limit == at_tdp else "the power cap is below TDP"),
            (
                "Overhead factor",
                rest,
                0.0,
                f"the rule takes {overhead.number - 1.0:.0%} of the GPUs for all that follows",
            ),
            ("Rest of the nodes", 0.0, nodes - at_limit, "CPUs, memory, NVSwitches, NICs, drives, fans, supplies"),
            ("Switches", 0.0, network, "counted by the fabric"),
            ("Storage", 0.0, storage, "counted by the checkpoint and the reads"),
            ("Management and login", 0.0, management, "as set"),
        ]
        lines.append(("Total", sum(x[1] for x in lines), sum(x[2] for x in lines), "IT, maximum"))
        return tuple((name, rule, built, built - rule, why) for name, rule, built, why in lines)

    return LaterTable(
        ("line", "rule_of_thumb", "built_up", "difference", "why"),
        ("text", "kw", "kw", "kw", "text"),
        tuple(f.value for f in figures),
        rows,
        "Rule of thumb against the built-up load",
        "rule of rack planning sheets; lines of this plan",
    )
