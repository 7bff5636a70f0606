"""What is wrong or odd with circuits, supplies and the path: phases, volts, redundancy that does not hold, low load."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from wattsweights_gui.engine.declare import Entry, Finding
from wattsweights_gui.engine.equations import phases
from wattsweights_gui.engine.power_feeds import Circuit
from wattsweights_gui.engine.units import text

LIMIT = 1 + 1e-9
LOW_LOAD_PCT = 25.0
DC_FEED = "feed_800vdc_200"


def circuit_findings(inputs: Any, system: Entry | None, outcome: Any, circuit: Circuit) -> Iterator[Finding]:
    """Yield what is wrong with a rack's circuits and the supplies behind them."""
    rack, usable, line = outcome.rack_power_kw, outcome.feed_usable_kw, outcome.phase_load_pct
    fits = rack.known and usable.known and rack.number <= usable.number * LIMIT
    if fits and line.known and line.number > 100.0 * LIMIT:
        yield Finding(
            "power.phases",
            "blocker",
            "power.feeds_per_rack",
            f"With one side lost the rack is within its feeds, but one line is not: single-phase supplies load it to "
            f"{text(outcome.phase_amps.number, 'a')}, {text(line.number, 'pct')} of its breaker "
            f"({text(outcome.phase_imbalance_pct.number, 'pct')} above the mean of the lines).",
            phases.DEALT,
        )
    if inputs.distribution == "dc_800" and not circuit.direct:
        yield Finding(
            "power.feed_current",
            "blocker",
            "power.feed",
            f"The hall distributes 800 V DC, but the racks are fed by {circuit.entry.name}.",
            "",
            (("power.feed", DC_FEED),),
            "Feed racks with 800 V DC",
        )
    if inputs.distribution != "dc_800" and circuit.direct:
        yield Finding(
            "power.feed_current",
            "blocker",
            "power.feed",
            f"The racks are fed by {circuit.entry.name}, but the hall distributes alternating current.",
            "",
            (("power.distribution", "dc_800"),),
            "Distribute 800 V DC",
        )
    if inputs.continuous == "iec" and circuit.entry.get("region") == "NA":
        yield Finding(
            "power.continuous",
            "caution",
            "power.continuous",
            f"{circuit.entry.name} is a North American circuit; there a continuous load may use 80 % of the breaker.",
            "NEC 210.20(A)",
            (("power.continuous", "nec"),),
            "Use 80 % of the breaker",
        )
    if system is not None:
        yield from _supplies(inputs, system, outcome, circuit)


def _supplies(inputs: Any, system: Entry, outcome: Any, circuit: Circuit) -> Iterator[Finding]:
    count, shelves = system.get("psu_count"), system.get("power_shelves")
    volts = phases.supply_volts(circuit.volts.number, int(circuit.phases.number))
    if count and not circuit.direct and volts > phases.HIGHEST_SUPPLY_V:
        yield Finding(
            "power.supply_volts",
            "caution",
            "power.feed",
            f"{circuit.entry.name} gives {text(volts, 'v')} to the supplies of {system.name}; most take 200 to 240 V. "
            "Ask whether these take 277 V, or feed the racks with 415 V.",
            system.sources.get("psu_count") or system.sources.get("", ""),
        )
    needed = _needed(system)
    sides = 2 if inputs.scheme == "2n" else 3 if inputs.scheme == "3n_2" else 0
    if count and needed and sides and not shelves:
        left = count - math.ceil(count / sides)
        if left < needed:
            yield Finding(
                "power.supplies",
                "caution",
                "power.scheme",
                f"{system.name} needs {needed} of its {count} power supplies for full performance; with a side lost "
                f"{left} are left, so it slows down.",
                system.sources.get("psu_redundancy") or system.sources.get("", ""),
            )
    if shelves and system.get("power_shelf_kw") and inputs.scheme == "2n" and outcome.rack_power_kw.known:
        usable = shelves * system.get("power_shelf_kw") / 2.0
        if outcome.rack_power_kw.number > usable * LIMIT:
            yield Finding(
                "power.shelves",
                "caution",
                "power.rack_power_kw",
                f"{shelves} shelves of {text(system.get('power_shelf_kw'), 'kw')} give {text(usable, 'kw')} with half "
                f"of them out; the rack draws {text(outcome.rack_power_kw.number, 'kw')} at most.",
                system.sources.get("power_shelf_kw") or system.sources.get("", ""),
            )


def _needed(system: Entry) -> int | None:
    """Return the supplies that full performance needs, as the maker prints them (``4+2``)."""
    first = str(system.get("psu_redundancy") or "").partition("+")[0]
    return int(first) if first.isdigit() else None


def path_findings(inputs: Any, up: Any, outcome: Any) -> Iterator[Finding]:
    """Yield what is odd with the path: no redundancy, pumps without a UPS, units that idle."""
    if inputs.scheme == "n":
        yield Finding(
            "power.no_redundancy",
            "note",
            "power.scheme",
            "Nothing stands by: one UPS, PDU or feed that fails stops what it feeds, and maintenance does too.",
            "Uptime Institute, Tier I and II",
        )
    cdu = outcome.cdu_power_kw
    if cdu.known and cdu.number > 0 and not inputs.cdu_on_ups:
        yield Finding(
            "power.cdu_on_ups",
            "caution",
            "power.cdu_on_ups",
            f"CDUs of {text(cdu.number, 'kw')} are not on the UPS: cold plates lose their flow until generators run.",
            "practice of liquid-cooled halls",
            (("power.cdu_on_ups", True),),
            "Put the CDUs on the UPS",
        )
    load = outcome.ups_load_pct
    if load.known and load.number < LOW_LOAD_PCT and inputs.ups_efficiency_pct is None:
        yield Finding(
            "power.ups_low",
            "note",
            "power.ups_kw",
            f"Each UPS carries {text(load.number, 'pct')} of its rating and loses "
            f"{text(outcome.ups_loss_kw.number, 'kw')} in all; smaller units lose less.",
            outcome.ups_load_pct.source,
        )
