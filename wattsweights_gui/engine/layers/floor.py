"""Floor: racks, rows, area and load"""

from __future__ import annotations

from typing import Any

from wattsweights_gui.engine.declare import (
    Figure,
    LayerInputs,
    LayerResult,
    Sized,
    result,
    results,
    setting,
    unknown,
)

NAME = "floor"
TITLE = "Floor"
ABOUT = "racks, rows, area and load"


class Inputs(LayerInputs):
    """The hall."""

    rack_width_mm: float = setting(
        600.0,
        title="Rack width",
        unit="mm",
        help="Of one rack.",
        source="NetShelter MGX",
        group="Rack",
        hard=(300, 2000),
    )
    rack_depth_mm: float = setting(
        1200.0,
        title="Rack depth",
        unit="mm",
        help="Of one rack.",
        source="NetShelter MGX",
        group="Rack",
        hard=(300, 3000),
    )
    rack_frame_kg: float = setting(
        180.0,
        title="Empty rack",
        unit="kg",
        help="Frame, doors, PDUs and cables.",
        source="ours: 48U frame 130 to 200 kg",
        group="Rack",
        hard=(0, 2000),
    )
    cold_aisle_mm: float = setting(
        1800.0,
        title="Cold aisle",
        unit="mm",
        help="Between the fronts of two rows.",
        source="ours: three tiles",
        group="Hall",
        hard=(300, 10000),
    )
    hot_aisle_mm: float = setting(
        2000.0,
        title="Hot aisle",
        unit="mm",
        help="Between the backs of two rows.",
        source="RD110",
        group="Hall",
        hard=(300, 10000),
    )
    racks_per_row: int = setting(
        16, title="Racks a row", help="Before a cross aisle.", source="ours", group="Hall", hard=(1, 500)
    )
    cdu_area_m2: float = setting(
        2.0,
        title="Area of a row CDU",
        unit="m2",
        help="Footprint with access.",
        source="ours",
        group="Hall",
        hard=(0, 50),
    )
    area_limit_m2: float | None = setting(
        None,
        title="Floor area",
        unit="m2",
        help="White space that may be used.",
        group="Facility limits",
        hard=(0, 10000000),
        when_none="no limit stated",
        facility=True,
    )
    racks_limit: int | None = setting(
        None,
        title="Rack positions",
        help="Places for racks.",
        group="Facility limits",
        hard=(0, 1000000),
        when_none="no limit stated",
        facility=True,
    )
    floor_load_limit_kg_m2: float | None = setting(
        None,
        title="Floor load",
        unit="kg_m2",
        help="On the footprint of a rack and half of its aisles.",
        group="Facility limits",
        hard=(0, 100000),
        when_none="no limit stated",
        facility=True,
    )


class Result(LayerResult):
    """What follows."""

    racks: Figure = result("Racks", "count", "Compute, network, storage and management.", headline=True)
    rows: Figure = result("Rows", "count", "Of racks.")
    area_m2: Figure = result("Area", "m2", "Racks, aisles and CDUs.", headline=True)
    heaviest_rack_kg: Figure = result("Heaviest rack", "kg", "With all that is in it.", headline=True)
    floor_load_kg_m2: Figure = result("Floor load", "kg_m2", "Heaviest rack over its footprint and half of its aisles.")


def size(inputs: Inputs, up: Any) -> Sized:
    """Size the layer. Skeleton: every figure is unknown."""
    figures = {name: unknown("not sized yet", about.unit) for name, about in _declared().items()}
    return Sized(results(Result, **figures))


def _declared() -> dict[str, Any]:
    from wattsweights_gui.engine.declare import results_of

    return results_of(Result)
