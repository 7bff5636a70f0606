"""Single-phase power supplies on three phases: how they are dealt out, and what each line carries."""

from __future__ import annotations

import math

from wattsweights_gui.engine.declare import equation
from wattsweights_gui.engine.equations.electrical import delta_line_amps

# supplies for 200 to 240 V sit between two lines up to this voltage, between line and neutral above it
LINE_TO_LINE_SUPPLIES_V = 240.0
HIGHEST_SUPPLY_V = 250.0
DEALT = "supplies are dealt out to the phases in turn"


def dealt(supplies: int) -> tuple[int, int, int]:
    """Return the supplies on each of three phases (or between each two lines), dealt out in turn."""
    return supplies // 3 + (supplies % 3 > 0), supplies // 3 + (supplies % 3 > 1), supplies // 3


def supply_volts(volts_line_to_line: float, phases: int) -> float:
    """Return the volts at a single-phase supply on a feed."""
    if phases == 3 and volts_line_to_line > LINE_TO_LINE_SUPPLIES_V:
        return volts_line_to_line / math.sqrt(3.0)
    return volts_line_to_line


def line_amps(
    kw: float, supplies: int, volts_line_to_line: float, phases: int, power_factor: float
) -> tuple[float, ...]:
    """Return the amps of each line of a feed whose load is shared alike by single-phase supplies.

    Args:
        kw: load of the feed.
        supplies: on this feed; 0 for loads that are balanced by themselves (three-phase shelves).
        volts_line_to_line: of a three-phase circuit, or the volts of a single-phase one.
        phases: 1 or 3.
        power_factor: of the supplies.
    """
    if phases == 1:
        return (kw * 1e3 / (volts_line_to_line * power_factor),)
    if supplies <= 0:
        return (kw * 1e3 / (math.sqrt(3.0) * volts_line_to_line * power_factor),) * 3
    va = kw * 1e3 / power_factor / supplies
    first, second, third = (n * va for n in dealt(supplies))
    if volts_line_to_line > LINE_TO_LINE_SUPPLIES_V:
        neutral = volts_line_to_line / math.sqrt(3.0)
        return first / neutral, second / neutral, third / neutral
    return delta_line_amps((first, second, third), volts_line_to_line)


@equation("largest line of the feed", "a", f"{DEALT}; √3 between lines as phasors: APC FA156194")
def highest_line_amps(kw: float, supplies: int, volts_line_to_line: float, phases: int, power_factor: float) -> float:
    """Return the amps of the most loaded line of a feed."""
    return max(line_amps(kw, supplies, volts_line_to_line, phases, power_factor))


@equation("100 (I_max - I_mean) / I_mean", "pct", "largest deviation from the mean; NEMA MG 1 takes volts so")
def imbalance_pct(kw: float, supplies: int, volts_line_to_line: float, phases: int, power_factor: float) -> float:
    """Return how far the most loaded line is above the mean of the three, in per cent; 0 on one phase."""
    amps = line_amps(kw, supplies, volts_line_to_line, phases, power_factor)
    mean = sum(amps) / len(amps)
    # what is left after subtracting equal currents is rounding, not imbalance
    return max(0.0, 100.0 * (max(amps) - mean) / mean) if mean > 0 and max(amps) - mean > 1e-9 * mean else 0.0


@equation("⌈supplies / feeds⌉", "count", "supplies are shared alike by the feeds; the fullest feed")
def supplies_on_feed(supplies: int, feeds: int) -> int:
    """Return the single-phase supplies on the fullest of some feeds."""
    return math.ceil(supplies / feeds)


@equation("100 I / (breaker share)", "pct", "of what the breaker carries continuously")
def breaker_load_pct(amps: float, breaker_a: float, continuous_pct: float) -> float:
    """Return the load of a breaker's most loaded pole, in per cent of what it carries continuously."""
    return 100.0 * amps / (breaker_a * continuous_pct / 100.0)
