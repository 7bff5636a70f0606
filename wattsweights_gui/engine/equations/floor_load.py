"""Floor: rack positions, area and load."""

from __future__ import annotations

import math

from wattsweights_gui.engine.declare import equation


@equation("compute + network + storage + management", "count", "every rack that stands in the hall")
def total_racks(compute: float, network: float, storage: float, management: float) -> float:
    """Return the racks of a hall."""
    return compute + network + storage + management


@equation("⌈racks / racks a row⌉", "count")
def rows(racks: float, racks_per_row: int) -> int:
    """Return whole rows."""
    return math.ceil(racks / racks_per_row - 1e-9)


@equation("depth + (cold aisle + hot aisle) / 2", "mm", "each row has half of the aisle before and behind it")
def row_pitch_mm(depth_mm: float, cold_aisle_mm: float, hot_aisle_mm: float) -> float:
    """Return the depth of one row with half of its aisles, in mm."""
    return depth_mm + (cold_aisle_mm + hot_aisle_mm) / 2.0


@equation("racks width pitch + rows cross aisle pitch", "m2", "racks with half of their aisles, a cross aisle a row")
def racks_area_m2(racks: float, rows: float, width_mm: float, pitch_mm: float, cross_aisle_mm: float) -> float:
    """Return the area of the rows in m²."""
    return (racks * width_mm + rows * cross_aisle_mm) * pitch_mm / 1e6


@equation("rows + n A_cdu", "m2")
def total_area_m2(racks_area_m2: float, cdus: float, cdu_area_m2: float) -> float:
    """Return the area with the CDUs that stand on the floor, in m²."""
    return racks_area_m2 + cdus * cdu_area_m2


@equation("frame + n m + door", "kg")
def rack_kg(frame_kg: float, nodes: float, node_kg: float, door_kg: float) -> float:
    """Return the mass of a filled rack in kg."""
    return frame_kg + nodes * node_kg + door_kg


@equation("m / (w d)", "kg_m2", "what the tile under the rack sees")
def footprint_load(mass_kg: float, width_mm: float, depth_mm: float) -> float:
    """Return the load on a rack's footprint in kg/m²."""
    return mass_kg / (width_mm * depth_mm / 1e6)


@equation("m / (w pitch)", "kg_m2", "what the slab sees: footprint and half of the aisles")
def spread_load(mass_kg: float, width_mm: float, pitch_mm: float) -> float:
    """Return the load spread over the footprint and half of the aisles, in kg/m²."""
    return mass_kg / (width_mm * pitch_mm / 1e6)


@equation("m / feet", "kg", "levelled floor: feet share alike")
def kg_per_foot(mass_kg: float, feet: int) -> float:
    """Return the load of one foot in kg."""
    return mass_kg / feet
