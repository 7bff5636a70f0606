"""The circuits of a rack: what they give, what they carry before and after a failure, and how its phases are loaded."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from wattsweights_gui.engine.declare import Entry, Figure, calc, constant, unknown
from wattsweights_gui.engine.equations import electrical, phases, redundancy
from wattsweights_gui.engine.racked_system import is_rack_scale

_CONTINUOUS = {
    "nec": constant("nec_continuous_pct", 80.0, "pct", "Continuous share", "NEC 210.20(A), 215.3: 80 % of the breaker"),
    "iec": constant("iec_continuous_pct", 100.0, "pct", "Continuous share", "IEC practice: the rating of the breaker"),
}  # fmt: skip
_UNITY = Figure(1.0, "ratio", "Power factor", formula="direct current has none")


@dataclass(frozen=True)
class Circuit:
    """One feed of a rack."""

    entry: Entry
    kva: Figure
    volts: Figure
    phases: Figure
    breaker_a: Figure
    continuous_pct: Figure
    power_factor: Figure
    plug: str
    plug_source: str

    @property
    def direct(self) -> bool:
        """Whether it is direct current."""
        return bool(self.entry.get("direct_current"))


def circuit_of(inputs: Any, up: Any) -> Circuit:
    """Return the feed of a plan with what it gives continuously."""
    circuit = _circuit(up.catalog, inputs.feed, inputs.continuous)
    return circuit if circuit.direct else dataclasses.replace(circuit, power_factor=inputs.fig("power_factor"))


@lru_cache(maxsize=128)
def _circuit(catalog: Any, feed: str, rule: str) -> Circuit:
    entry: Entry = catalog.entry(feed)
    share = _CONTINUOUS.get(rule) or entry.fig("continuous_pct", "pct", "continuous share")
    breaker, count = entry.fig("breaker_a", "a", "breaker"), entry.fig("phases", "count", "phases")
    volts = {"volts_line_to_neutral": entry.fig("volts_line_to_neutral", "v", "line-to-neutral volts")}
    if entry.get("volts_line_to_neutral") is None or entry.get("phases") == 1:
        volts = {"volts_line_to_line": entry.fig("volts_line_to_line", "v", "line-to-line volts")}
    kva = calc(
        electrical.feed_kva, title=f"{entry.name}: usable", amps=breaker, phases=count, continuous_pct=share, **volts
    )
    plug = next((e for e in catalog.of_kind("feed_plug") if e.get("feed") == feed), None)
    line = entry.fig("volts_line_to_line", "v", "line-to-line volts")
    name, source = (plug.name, plug.sources.get("", "")) if plug else ("not known", "")
    return Circuit(entry, kva, line, count, breaker, share, _UNITY, name, source)


def supplies_of_rack(up: Any, system: Entry | None, circuit: Circuit) -> Figure:
    """Return the single-phase supplies of a compute rack; 0 where its load is balanced by itself, or is taken to be."""
    if circuit.direct or circuit.entry.get("phases") == 1:
        return Figure(0, "count", "Single-phase supplies", formula="the feed has no phases to balance")
    if is_rack_scale(system) or (system is not None and "busbar" in str(system.get("power_inlet") or "")):
        return Figure(0, "count", "Single-phase supplies", formula="power shelves take three phases alike")
    if system is None or system.get("psu_count") is None:
        return Figure(0, "count", "Single-phase supplies", formula="supplies are not known: taken as balanced")
    return calc(
        electrical.times,
        title="Single-phase supplies",
        count=up.cluster.nodes_per_rack,
        each=system.fig("psu_count", "count", "supplies of a node"),
    )


def rack_feeds(inputs: Any, circuit: Circuit, rack: Figure, supplies: Figure) -> tuple[Figure, dict[str, Figure]]:
    """Return what one rack may draw, and the load of its feeds in normal operation and after a failure."""
    kva, pf, count = circuit.kva, circuit.power_factor, inputs.fig("feeds_per_rack")
    left = calc(redundancy.surviving_feeds, title="Feeds that stay", feeds=count, scheme=inputs.fig("scheme"))
    usable = calc(electrical.usable_kw, title="Usable a rack", feeds=left, kva=kva, power_factor=pf)
    have = inputs.fig("rack_feed_limit_kw") if inputs.rack_feed_limit_kw is not None else usable
    lost = unknown("no feed is left after the failure")
    figures = dict.fromkeys(("failover_load_pct", "failover_amps", "phase_amps", "phase_load_pct"), lost)
    each = calc(electrical.share_kw, title="Load of one feed", kw=rack, feeds=count)
    on_feed = calc(phases.supplies_on_feed, title="Supplies on the fullest feed", supplies=supplies, feeds=count)
    wires: dict[str, Any] = {"volts_line_to_line": circuit.volts, "phases": circuit.phases, "power_factor": pf}
    normal = calc(electrical.amps_per_phase, kw=each, **wires)
    if left.number > 0:
        after = calc(electrical.share_kw, title="Load of one feed after the failure", kw=rack, feeds=left)
        highest = calc(phases.highest_line_amps, title="Most loaded line", kw=after, supplies=on_feed, **wires)
        figures = {
            "failover_load_pct": calc(electrical.feed_load_pct, kw=rack, feeds=left, kva=kva, power_factor=pf),
            "failover_amps": calc(electrical.amps_per_phase, kw=after, **wires),
            "phase_amps": highest,
            "phase_load_pct": calc(
                phases.breaker_load_pct,
                amps=highest,
                breaker_a=circuit.breaker_a,
                continuous_pct=circuit.continuous_pct,
            ),
        }
    return have, {
        "feed_kva": kva,
        "feed_usable_kw": usable,
        "feed_load_pct": calc(electrical.feed_load_pct, kw=rack, feeds=count, kva=kva, power_factor=pf),
        "feed_amps": normal,
        "phase_imbalance_pct": calc(phases.imbalance_pct, kw=each, supplies=on_feed, **wires),
        "stranded_rack_kw": calc(electrical.stranded_kw, usable_kw=have, load_kw=rack),
        **figures,
    }


def failed_feeds(feeds: int, scheme: str, side: int) -> int | None:
    """Return how many feeds share the rack when the failure hits that side ``side`` feels most; ``None`` if uncovered.

    Of two sides the other one fails, of three the larger of the others; N+1 loses one feed of any side.
    """
    if scheme == "n":
        return None
    if scheme == "block_redundant":
        return feeds
    if scheme == "n_plus_1":
        return feeds - 1 or None
    others = [n for i, n in enumerate(redundancy.sides(feeds, scheme)) if i != side]
    return feeds - max(others) if others else feeds
