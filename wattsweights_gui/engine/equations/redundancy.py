"""Redundancy of equal units and of a rack's feeds: how many there are, share the load, and stay after the failure."""

from __future__ import annotations

import math

from wattsweights_gui.engine.declare import equation

SCHEMES = {
    "n": "N",
    "n_plus_1": "N+1",
    "2n": "2N",
    "3n_2": "3N/2 (catcher)",
    "block_redundant": "Block redundant",
}
SOURCE = "Schneider Electric, White Paper 75, Comparing UPS system design configurations: the five configurations"
# of the systems that a rack's feeds are spread over, one may fail; N+1 units stand behind one system
_SYSTEMS = {"2n": 2, "3n_2": 3}


@equation("⌈P / (P_unit share)⌉; 3N/2: 2 ⌈P / 2 / (P_unit share)⌉", "count", SOURCE)
def units_needed(output_kw: float, unit_kw: float, most_load_pct: float, scheme: str) -> int:
    """Return the units that must stay to carry a load; at least one.

    Args:
        output_kw: the load.
        unit_kw: rating of one unit.
        most_load_pct: share of its rating that a unit is loaded to at most, in per cent.
        scheme: one of :data:`SCHEMES`; in 3N/2 two of the three systems stay, each with half of the load.
    """
    usable = unit_kw * most_load_pct / 100.0
    if scheme == "3n_2":
        return 2 * max(1, _whole(output_kw / 2.0 / usable))
    return max(1, _whole(output_kw / usable))


def _whole(count: float) -> int:
    # a load of exactly one unit is one unit, whatever the last digit says
    return math.ceil(count - 1e-9)


@equation("N: N; N+1 and block redundant: N + 1; 2N: 2 N; 3N/2: 3 N / 2", "count", SOURCE)
def units_installed(needed: int, scheme: str) -> int:
    """Return the units that a scheme installs for those that must stay."""
    if scheme == "2n":
        return 2 * needed
    if scheme == "3n_2":
        return needed * 3 // 2
    return needed if scheme == "n" else needed + 1


@equation("all that are installed; block redundant: all but the reserve", "count", SOURCE)
def units_sharing(installed: int, scheme: str) -> int:
    """Return the units that share the load in normal operation; the reserve of block redundancy idles."""
    return installed - 1 if scheme == "block_redundant" else installed


@equation("needed P_unit share", "kw", "what the units that stay carry after the failure that the scheme covers")
def capacity_kw(needed: int, unit_kw: float, most_load_pct: float) -> float:
    """Return what a stage carries after its failure, in kW."""
    return needed * unit_kw * most_load_pct / 100.0


@equation("100 P / (units P_unit)", "pct", "equal units share a load alike")
def load_pct(output_kw: float, units: float, unit_kw: float) -> float:
    """Return the load of each of some units, in per cent of its rating."""
    return 100.0 * output_kw / (units * unit_kw)


@equation(
    "feeds that stay when one side is lost",
    "count",
    "N and block redundant: all; N+1: all but one; 2N: half; 3N/2: two thirds",
)
def surviving_feeds(feeds: int, scheme: str) -> int:
    """Return how many of a rack's feeds carry the load after the failure that the scheme covers.

    Feeds are spread evenly over the scheme's systems; the system with most of them is the one that fails. In block
    redundancy static transfer switches move the feeds of a failed block to the reserve, so all of them stay.
    """
    if scheme in ("n", "block_redundant"):
        return feeds
    if scheme == "n_plus_1":
        return max(0, feeds - 1)
    return max(0, feeds - math.ceil(feeds / _SYSTEMS[scheme]))


def sides(feeds: int, scheme: str) -> tuple[int, ...]:
    """Return the feeds of each side, A first: two sides, and three in 3N/2; a side without a feed is left out."""
    count = 3 if scheme == "3n_2" else 2
    return tuple(n for n in (feeds // count + (side < feeds % count) for side in range(count)) if n)
