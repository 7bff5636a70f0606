"""Efficiency at part load: losses between the points of a published curve, and what goes in for what comes out.

A curve is text, ``25:95.5 50:96.8 100:97``: load and efficiency in per cent. Losses are interpolated, not efficiencies:
below the first point they run straight to what the unit loses at no load.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from wattsweights_gui.engine.declare import equation

SOURCE = (
    "Schneider Electric, White Paper 113, Electrical efficiency modeling: a fixed loss and one that grows with load"
)


@lru_cache(maxsize=128)
def losses_of(curve: str) -> tuple[tuple[float, float], ...]:
    """Return the points of a curve as load and loss, both as shares of the rating, from no load on.

    Raises:
        ValueError: no points, an efficiency that is not above 0 and up to 100 %, or loads that do not rise.
    """
    points: list[tuple[float, float]] = []
    for word in curve.split():
        load, _, efficiency = word.partition(":")
        share, ratio = float(load) / 100.0, float(efficiency) / 100.0
        if not 0.0 < ratio <= 1.0 or share <= (points[-1][0] if points else 0.0):
            raise ValueError(f"“{curve}” is no curve: loads rise from above 0 and efficiencies are up to 100 %")
        points.append((share, share * (1.0 / ratio - 1.0)))
    if not points:
        raise ValueError("a curve needs at least one point of load and efficiency")
    if len(points) == 1:
        return ((0.0, 0.0), *points)
    (first, low), (second, high) = points[:2]
    idle = low - first * (high - low) / (second - first)
    return ((0.0, min(max(0.0, idle), low)), *points)


def loss_share(load: float, curve: str) -> float:
    """Return what a unit loses at a load, both as shares of its rating; straight on beyond the last point."""
    points = losses_of(curve)
    for (left, low), (right, high) in pairwise(points):
        if load <= right:
            return low + (load - left) * (high - low) / (right - left)
    (left, low), (right, high) = points[-2:]
    return low + (load - left) * (high - low) / (right - left)


@equation("units P_unit loss(P / (units P_unit)) + idle P_unit loss(0)", "kw", SOURCE)
def loss_kw(output_kw: float, units: float, unit_kw: float, curve: str, idle_units: float = 0.0) -> float:
    """Return what some equal units lose that share a load, in kW.

    Args:
        output_kw: what they give together.
        units: that share it.
        unit_kw: rating of one.
        curve: load and efficiency in per cent.
        idle_units: in reserve, under voltage without a load.
    """
    rating = units * unit_kw
    return rating * loss_share(output_kw / rating, curve) + idle_units * unit_kw * loss_share(0.0, curve)


@equation("100 P_out / (P_out + P_loss)", "pct", "of the whole stage, idle units included")
def efficiency_pct(output_kw: float, loss_kw: float) -> float:
    """Return the efficiency of a stage in per cent; 0 where it gives nothing and loses something."""
    if output_kw + loss_kw <= 0:
        return 100.0
    return 100.0 * output_kw / (output_kw + loss_kw)


@equation("P_out + P_loss", "kw", "conservation of energy")
def input_kw(output_kw: float, loss_kw: float) -> float:
    """Return what a stage takes in kW."""
    return output_kw + loss_kw


@equation("P_out with P_out + P_loss(P_out) = P_in", "kw", SOURCE)
def output_kw(input_kw: float, units: float, unit_kw: float, curve: str) -> float:
    """Return what some equal units give for what they take, in kW; 0 without units or below their no-load loss."""
    rating = units * unit_kw
    if rating <= 0:
        return 0.0
    taken = input_kw / rating
    points = losses_of(curve)
    if taken <= points[0][1]:
        return 0.0
    # between two points input is straight in output, so the inverse is exact
    for (left, low), (right, high) in pairwise(points):
        if taken <= right + high or right == points[-1][0]:
            return rating * (left + (taken - left - low) * (right - left) / (right + high - left - low))
    raise AssertionError("a curve has two points")
