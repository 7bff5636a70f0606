"""What is wrong or odd with a power plan: the number, the limit, its source and the edit that mends it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wattsweights_gui.engine.declare import Entry, Finding
from wattsweights_gui.engine.equations import redundancy
from wattsweights_gui.engine.power_circuit_rules import circuit_findings, path_findings
from wattsweights_gui.engine.power_draw import Loads
from wattsweights_gui.engine.power_feeds import Circuit
from wattsweights_gui.engine.racked_system import facility_data
from wattsweights_gui.engine.units import text


def power_findings(
    inputs: Any, up: Any, system: Entry | None, outcome: Any, loads: Loads, circuit: Circuit
) -> Iterator[Finding]:
    """Yield the findings of a power plan."""
    if up.cluster.nodes.known:
        for what, figure in loads.left_out:
            yield Finding(
                f"power.left_out.{what}",
                "caution",
                "power.it_power_max_kw",
                f"The power of {what} is not known and left out: {figure.formula}.",
            )
    if system is None or system.get("power_max_kw") is None:
        share = outcome.node_power_max_kw
        span = f" ({text(share.low, 'kw')} to {text(share.high, 'kw')})" if share.low and share.high else ""
        if share.known and up.cluster.nodes.known:
            yield Finding(
                "power.node_estimate",
                "caution",
                "power.node_power_max_kw",
                f"No maximum draw of this system is published: {text(share.number, 'kw')}{span} "
                "is built up from its GPUs.",
                "share of the GPUs in the catalogue's systems",
            )
    rack, usable = outcome.rack_power_kw, outcome.feed_usable_kw
    if rack.known and usable.known and rack.number > usable.number * (1 + 1e-9):
        yield _too_few_feeds(inputs, outcome, circuit.power_factor.number)
    switches, may_draw = up.cluster.network_rack_kw, outcome.rack_feed_kw
    if switches.known and may_draw.known and switches.number > may_draw.number * (1 + 1e-9):
        yield Finding(
            "power.network_rack",
            "caution",
            "power.feeds_per_rack",
            f"A rack full of the switches that draw most takes {text(switches.number, 'kw')}; a rack may "
            f"draw {text(may_draw.number, 'kw')} after the failure that the redundancy covers. Put fewer switches into "
            "a rack.",
            may_draw.source,
        )
    yield from circuit_findings(inputs, system, outcome, circuit)
    yield from path_findings(inputs, up, outcome)
    if system is not None and up.inputs("compute").power_cap_w is None:
        yield from _peaks(up, system)


def _peaks(up: Any, system: Entry) -> Iterator[Finding]:
    """Yield what makers print above the maximum that is used."""
    used, peak = system.get("power_max_kw"), system.get("power_peak_kw")
    if used is not None and peak is not None:
        yield Finding(
            "power.peak",
            "note",
            "power.rack_power_kw",
            f"{system.name} peaks to {text(peak, 'kw')} for short; feeds are compared with its maximum of "
            f"{text(used, 'kw')}.",
            system.sources.get("power_peak_kw") or system.sources.get("", ""),
        )
    data = facility_data(up, system)
    most = data.get("max_kw") if data is not None else None
    if data is not None and used is not None and most is not None and most > used * 1.01:
        per_rack = up.cluster.nodes_per_rack
        rack = f", {text(per_rack.number * most, 'kw')} a rack" if per_rack.known else ""
        yield Finding(
            "power.two_maxima",
            "caution",
            "power.node_power_max_kw",
            f"Makers print two maxima for {system.name}: {text(used, 'kw')}, which is used here, "
            f"and {text(most, 'kw')} ({data.name}){rack}. Ask which one sizes feeds and cooling.",
            data.sources.get("max_kw") or data.sources.get("", ""),
        )


def _too_few_feeds(inputs: Any, outcome: Any, power_factor: float) -> Finding:
    kva, rack = outcome.feed_kva.number, outcome.rack_power_kw.number
    most = 32
    enough = next(
        (
            n
            for n in range(inputs.feeds_per_rack, most + 1)
            if redundancy.surviving_feeds(n, inputs.scheme) * kva * power_factor >= rack * (1 - 1e-9)
        ),
        None,
    )
    stated = inputs.rack_feed_limit_kw is not None
    return Finding(
        "power.feeds",
        "caution" if stated else "blocker",
        "power.feeds_per_rack",
        f"The fullest rack draws {text(rack, 'kw')}; its {inputs.feeds_per_rack} feeds give "
        f"{text(outcome.feed_usable_kw.number, 'kw')} with one side lost"
        + (f", below the {text(inputs.rack_feed_limit_kw, 'kw')} stated for a rack." if stated else "."),
        outcome.feed_kva.source,
        (("power.feeds_per_rack", enough),) if enough else (),
        f"{enough} feeds a rack" if enough else "",
    )
