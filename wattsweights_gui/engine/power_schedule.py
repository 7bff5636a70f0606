"""Schedules of power: each kind of rack with its feeds, each feed line by line, and the levels from rack to utility."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from wattsweights_gui.engine.declare import Figure, LaterTable, Value, calc
from wattsweights_gui.engine.equations import electrical, phases, redundancy
from wattsweights_gui.engine.placed_racks import filled_kw
from wattsweights_gui.engine.power_draw import Loads
from wattsweights_gui.engine.power_feeds import Circuit, failed_feeds
from wattsweights_gui.engine.power_path import Bank, Path, capacity_of, load_of
from wattsweights_gui.engine.racked_system import system_of

SIDES = "ABC"


@dataclass(frozen=True)
class Rack:
    """One kind of rack: how many, what one draws, and its single-phase supplies (0: balanced)."""

    name: str
    count: Figure
    typical: Figure
    most: Figure
    peak: Figure
    supplies: int


def racks_of(up: Any, loads: Loads, per_rack: Figure, rack: Figure, supplies: Figure) -> tuple[Rack, ...]:
    """Return the kinds of racks whose number is known."""
    found = _compute_as_placed(up, loads, int(supplies.number) if supplies.known else 0) or [
        Rack(
            "Compute",
            up.cluster.compute_racks,
            calc(electrical.total_kw, count=per_rack, each_kw=loads.node.typical),
            rack,
            calc(electrical.total_kw, count=per_rack, each_kw=loads.node.peak),
            int(supplies.number) if supplies.known else 0,
        )
    ]
    for name, count, draws in (
        ("Network and management", up.cluster.network_racks, (loads.network, loads.management)),
        ("Storage", up.storage.racks, (loads.storage,)),
    ):
        if not count.known or count.number <= 0:
            continue
        typical, most, peak = (
            calc(electrical.rack_share_kw, title=f"{name} rack, mean", kw=_both(draws, field), racks=count)
            for field in ("typical", "most", "peak")
        )
        found.append(Rack(f"{name}, mean", count, typical, most, peak, 0))
    return tuple(r for r in found if r.count.known and r.most.known)


def _compute_as_placed(up: Any, loads: Loads, supplies: int) -> list[Rack]:
    """Return the placed racks with systems, one kind for each filling; empty where the plan's racks count."""
    placed = up.placed
    if placed is None or not placed.has_nodes or not loads.node.most.known:
        return []
    system = system_of(up)
    kinds = [(rack, count) for rack, count in placed.fillings if rack.systems]
    return [
        Rack(
            "Compute" if len(kinds) == 1 else f"Compute, as {rack.name}",
            Figure(count, "count", "Racks", formula="placed racks that are filled alike"),
            filled_kw(rack, system, loads.node.typical, rack.name),
            filled_kw(rack, system, loads.node.most, rack.name),
            filled_kw(rack, system, loads.node.peak, rack.name),
            supplies,
        )
        for rack, count in kinds
    ]


def _both(draws: tuple[Any, ...], field: str) -> Figure:
    first: Figure = getattr(draws[0], field)
    if len(draws) == 1:
        return first
    return calc(electrical.sum_kw, first=first, second=getattr(draws[1], field))


def schedule_key(inputs: Any, up: Any, loads: Loads, per_rack: Figure, supplies: Figure) -> Any:
    """Return what the two schedules of racks follow from."""
    # racks by name, because a row of the schedule is called after its first
    placed = up.placed.fillings if up.placed is not None else None
    figures = (up.cluster.compute_racks, up.cluster.network_racks, up.storage.racks, per_rack, supplies)
    draws = (loads.node, loads.network, loads.storage, loads.management)
    return (
        inputs,
        placed,
        tuple(f.value for f in figures),
        tuple((d.typical.value, d.most.value, d.peak.value) for d in draws),
    )


def racks_table(racks: Callable[[], tuple[Rack, ...]], key: Any, inputs: Any, circuit: Circuit) -> LaterTable:
    """Return the rack schedule of power: each kind of rack, its feeds, what is usable and what is stranded."""

    def row(rack: Rack) -> tuple[Value, ...]:
        feeds, scheme = inputs.feeds_per_rack, inputs.scheme
        pf = circuit.power_factor.number
        usable = redundancy.surviving_feeds(feeds, scheme) * circuit.kva.number * pf
        if inputs.rack_feed_limit_kw is not None:
            usable = min(usable, inputs.rack_feed_limit_kw)
        load, count = rack.most.number, rack.count.number
        stranded = max(0.0, usable - load)
        return (
            rack.name, count, feeds, circuit.entry.name, circuit.plug, load, rack.typical.value, rack.peak.value,
            usable, 100.0 * load / usable if usable else None, stranded, stranded * count,
        )  # fmt: skip

    return LaterTable(
        ("racks", "count", "feeds", "feed", "plug", "connected", "expected", "peak", "usable", "of_usable", "stranded",
         "stranded_all"),
        ("text", "count", "count", "text", "text", "kw", "kw", "kw", "kw", "pct", "kw", "kw"),
        key,
        lambda: tuple(map(row, racks())),
        "Racks and their feeds",
        f"usable: after the failure that the redundancy covers; plug: {circuit.plug_source}",
    )  # fmt: skip


def feeds_table(racks: Callable[[], tuple[Rack, ...]], key: Any, inputs: Any, circuit: Circuit) -> LaterTable:
    """Return the power schedule: for each kind of rack and side, one feed before and after the other side fails."""

    def rows() -> tuple[tuple[Value, ...], ...]:
        return tuple(
            _feed_row(rack, side, number, inputs, circuit)
            for rack in racks()
            for side, number in enumerate(redundancy.sides(inputs.feeds_per_rack, inputs.scheme))
        )

    return LaterTable(
        ("rack", "side", "feeds", "volts", "phases", "breaker", "continuous", "usable", "connected", "expected",
         "l1", "l2", "l3", "failed", "amps_failed", "of_usable"),
        ("text", "text", "count", "v", "count", "a", "pct", "kw", "kw", "kw", "a", "a", "a", "kw", "a", "pct"),
        key,
        rows,
        "One feed of each side",
        "failed: what this feed carries when the other side is lost; amps and share of its most loaded line",
    )  # fmt: skip


def _feed_row(rack: Rack, side: int, number: int, inputs: Any, circuit: Circuit) -> tuple[Value, ...]:
    feeds, load = inputs.feeds_per_rack, rack.most.number
    volts, count, pf = circuit.volts.number, int(circuit.phases.number), circuit.power_factor.number

    # the supplies of a lost feed are lost with it: those of the others carry more, and stay where they are
    supplies = phases.supplies_on_feed(rack.supplies, feeds)
    lines = phases.line_amps(load / feeds, supplies, volts, count, pf)
    left = failed_feeds(feeds, inputs.scheme, side)
    after = load / left if left else None
    highest = max(phases.line_amps(after, supplies, volts, count, pf)) if after is not None else None
    share = circuit.continuous_pct.number
    return (
        rack.name, SIDES[side], number, volts, count, circuit.breaker_a.value, share, circuit.kva.number * pf,
        load / feeds, rack.typical.number / feeds, lines[0], lines[1] if count == 3 else None,
        lines[2] if count == 3 else None, after, highest,
        phases.breaker_load_pct(highest, circuit.breaker_a.number, share) if highest is not None else None,
    )  # fmt: skip


@dataclass(frozen=True)
class Row:
    """One full row of compute racks and the PDUs or busways that feed it."""

    racks: Figure
    most: Figure
    typical: Figure
    needed: Figure
    capacity: Figure
    failed_amps: Figure


def row_of(
    up: Any,
    path: Path,
    rack: Figure,
    rack_typical: Figure,
    circuit: Circuit,
    placed: tuple[Figure, Figure] | None = None,
) -> Row:
    """Return a full row: each side carries all of it when the other is lost.

    Args:
        up: what power was handed.
        path: of the power.
        rack, rack_typical: draw of the fullest rack.
        circuit: of the racks' feeds.
        placed: draw of the row of placed racks that draws most, at most and typical.
    """
    racks = calc(
        electrical.racks_in_row,
        title="Racks in a full row",
        racks_per_row=up.inputs("floor").fig("racks_per_row"),
        racks=up.cluster.compute_racks,
    )
    most = calc(electrical.total_kw, title="Row, maximum", count=racks, each_kw=rack) if placed is None else placed[0]
    bank = path.distribution.bank
    needed = calc(
        redundancy.units_needed,
        title=f"{bank.title}: units of a row and side",
        output_kw=most,
        unit_kw=bank.unit_kw,
        most_load_pct=bank.most_pct,
        scheme="n",
    )
    return Row(
        racks,
        most,
        calc(electrical.total_kw, title="Row, typical", count=racks, each_kw=rack_typical)
        if placed is None
        else placed[1],
        needed,
        calc(
            redundancy.capacity_kw,
            title="Row: capacity",
            needed=needed,
            unit_kw=bank.unit_kw,
            most_load_pct=bank.most_pct,
        ),
        calc(
            electrical.amps_per_phase,
            title="Row: amps a phase, one side lost",
            kw=most,
            volts_line_to_line=circuit.volts,
            phases=circuit.phases,
            power_factor=circuit.power_factor,
        ),
    )


def levels_table(row: Row, rows: Figure, path: Path, usual: Path, utility_kw: Figure) -> LaterTable:
    """Return the same for a row and for the hall, up to UPS, generator, transformer and utility."""
    banks = (
        (path.distribution.bank, path.distribution.output, usual.distribution.output),
        (path.ups.bank, path.ups.output, usual.ups.output),
        (path.generator, path.generator_output, usual.generator_output),
        (path.transformer.bank, path.transformer.output, usual.transformer.output),
    )

    def made() -> tuple[tuple[Value, ...], ...]:
        if not (path.facility.known and row.most.known):
            return ()
        load, capacity = row.most.number, row.capacity.number
        share = path.distribution.bank
        normal = load * share.needed.number / share.sharing.number
        found: list[tuple[Value, ...]] = [
            ("Row of compute racks", rows.value, row.needed.value, load, row.typical.value, capacity, normal, load,
             row.failed_amps.value, 100.0 * load / capacity, max(0.0, capacity - load))
        ]  # fmt: skip
        found += [_level(*bank) for bank in banks]
        whole, most = path.facility.number, utility_kw.value
        known = isinstance(most, int | float) and most > 0
        found.append(
            ("Utility", 1, None, whole, usual.facility.value, most, whole, None, None,
             100.0 * whole / utility_kw.number if known else None,
             max(0.0, utility_kw.number - whole) if known else None)
        )  # fmt: skip
        return tuple(found)

    return LaterTable(
        ("level", "count", "units", "connected", "expected", "capacity", "side_normal", "side_failed", "amps_failed",
         "of_capacity", "stranded"),
        ("text", "count", "count", "kw", "kw", "kw", "kw", "kw", "a", "pct", "kw"),
        (row.most.value, row.capacity.value, rows.value, path.facility.value, usual.facility.value, utility_kw.value,
         tuple((b.installed.value, b.unit_kw.value, b.most_pct.value, b.scheme, o.value) for b, o, _ in banks)),
        made,
        "Row and hall",
        "side: what one side carries in normal operation, and when the other is lost; capacity: with the failure",
    )  # fmt: skip


def _level(bank: Bank, output: Figure, usual: Figure) -> tuple[Value, ...]:
    load, capacity = output.number, capacity_of(bank).number
    parts = {"2n": 2.0, "3n_2": 3.0}.get(bank.scheme, 1.0)
    failed = load / (parts - 1.0) if parts > 1.0 else load
    return (
        bank.title, 1, bank.installed.value, load, usual.value, capacity, load / parts, failed, None,
        load_of(bank, output, failed=True).number * 100.0 / bank.most_pct.number, max(0.0, capacity - load),
    )  # fmt: skip
