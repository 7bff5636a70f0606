"""Floor: racks, rows, area and load"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import field_validator

from wattsweights_gui.engine.declare import (
    Figure,
    Finding,
    LayerInputs,
    LayerResult,
    Need,
    Sized,
    calc,
    result,
    results,
    setting,
    unknown,
)
from wattsweights_gui.engine.equations import floor_load
from wattsweights_gui.engine.keep_outs import HOW, keep_outs
from wattsweights_gui.engine.placed_racks import heaviest_kg
from wattsweights_gui.engine.racked_system import is_rack_scale, system_of
from wattsweights_gui.engine.units import text

NAME = "floor"
TITLE = "Floor"
ABOUT = "racks, rows, area and load"


class Inputs(LayerInputs):
    """The hall."""

    counted: Literal["placed", "plan"] = setting(
        "placed",
        title="Counted",
        help="What power, cooling and floor follow once racks are placed: the racks as they stand, or the plan's own "
        "counts. Where no rack is placed, and for a group of which nothing is placed, the plan's.",
        source="ours: what is placed is what is built",
        group="Counting",
        choices={"placed": "The placed racks", "plan": "The plan"},
    )
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
    cross_aisle_mm: float = setting(
        1200.0,
        title="Cross aisle",
        unit="mm",
        help="At the end of each row.",
        source="ours: an escape way of 1.2 m",
        group="Hall",
        hard=(0, 10000),
    )
    management_racks: int = setting(
        0,
        title="More racks",
        help="Racks beside those of compute, network (with management servers) and storage.",
        source="none: management servers stand in the network racks",
        group="Hall",
        hard=(0, 10000),
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
    containment: Literal["none", "cold", "hot"] = setting(
        "hot",
        title="Containment",
        help="Which aisles are closed off, so that cold and warm air do not mix.",
        source="ours: usual with dense racks",
        group="Drawing of the floor",
        choices={"none": "None", "cold": "Cold aisles", "hot": "Hot aisles"},
    )
    cdu_place: Literal["row_end", "in_row"] = setting(
        "row_end",
        title="CDUs stand",
        help="Where CDUs that stand on the floor have their place.",
        source="ours",
        group="Drawing of the floor",
        choices={"row_end": "At the end of the rows", "in_row": "In the rows, between the racks"},
    )
    cdu_width_mm: float = setting(
        900.0,
        title="Width of a CDU",
        unit="mm",
        help="Of one that stands on the floor; it is as deep as the racks.",
        source="ours: row CDUs are 600 to 1,200 mm wide",
        group="Drawing of the floor",
        hard=(200, 5000),
    )
    row_pdus: int = setting(
        2,
        title="PDUs or RPPs a row",
        help="At the ends of a row, by turns of side A and B. Where the power path counts PDUs, those stand there; "
        "busways hang over the rows.",
        source="ours: one a side",
        group="Drawing of the floor",
        hard=(0, 8),
    )
    row_pdu_width_mm: float = setting(
        600.0,
        title="Width of a PDU or RPP",
        unit="mm",
        help="Of one that stands on the floor; it is as deep as the racks.",
        source="ours: as a rack",
        group="Drawing of the floor",
        hard=(200, 5000),
    )
    least_aisle_mm: float = setting(
        900.0,
        title="Narrowest way",
        unit="mm",
        help="That must stay free before and behind every rack.",
        source="ours: an escape way of 0.9 m",
        group="Drawing of the floor",
        hard=(0, 5000),
    )
    hall_width_mm: float | None = setting(
        None,
        title="Hall, along the rows",
        unit="mm",
        help="Inside the walls.",
        group="Hall outline",
        hard=(1000, 1000000),
        when_none="as large as the rows need",
        facility=True,
    )
    hall_depth_mm: float | None = setting(
        None,
        title="Hall, across the rows",
        unit="mm",
        help="Inside the walls.",
        group="Hall outline",
        hard=(1000, 1000000),
        when_none="as large as the rows need",
        facility=True,
    )
    keep_outs: str = setting(
        "",
        title="Columns and keep-outs",
        help=f"Where nothing may stand, one a line: {HOW}. One called a column is drawn as such.",
        group="Hall outline",
        multiline=True,
        facility=True,
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

    @field_validator("keep_outs")
    @classmethod
    def _readable(cls, value: str) -> str:
        keep_outs(value)
        return value


class Result(LayerResult):
    """What follows."""

    racks: Figure = result("Racks", "count", "Compute, network, storage and management.", headline=True, short="Racks")
    rows: Figure = result("Rows", "count", "Of racks.")
    area_m2: Figure = result("Area", "m2", "Racks, aisles and CDUs.", headline=True, short="Area")
    heaviest_rack_kg: Figure = result("Heaviest rack", "kg", "With all that is in it.", headline=True, short="Heaviest")
    floor_load_kg_m2: Figure = result("Floor load", "kg_m2", "Heaviest rack over its footprint and half of its aisles.")
    row_pitch_mm: Figure = result("Row pitch", "mm", "Depth of a row with half of the aisles before and behind it.")
    footprint_load_kg_m2: Figure = result("Load on the footprint", "kg_m2", "What the tile under the rack sees.")
    kg_per_foot: Figure = result("Load of a foot", "kg", "Heaviest rack on four levelled feet.")


_NO_DOOR = Figure(0.0, "kg", "Rear door", formula="no rear door")
_FEET = Figure(4, "count", "Feet of a rack")


def size(inputs: Inputs, up: Any) -> Sized:
    """Size the layer."""
    cluster = up.cluster
    storage = up.storage.racks
    if not storage.known:
        storage = Figure(0, "count", "Storage racks", formula=f"left out, not known: {storage.formula}")
    racks = calc(
        floor_load.total_racks,
        compute=cluster.compute_racks,
        network=cluster.network_racks,
        storage=storage,
        management=inputs.fig("management_racks"),
    )
    rows = calc(floor_load.rows, racks=racks, racks_per_row=inputs.fig("racks_per_row"))
    width, depth = inputs.fig("rack_width_mm"), inputs.fig("rack_depth_mm")
    pitch = calc(
        floor_load.row_pitch_mm,
        title="Row pitch",
        depth_mm=depth,
        cold_aisle_mm=inputs.fig("cold_aisle_mm"),
        hot_aisle_mm=inputs.fig("hot_aisle_mm"),
    )
    rows_area = calc(
        floor_load.racks_area_m2,
        title="Racks and aisles",
        racks=racks,
        rows=rows,
        width_mm=width,
        pitch_mm=pitch,
        cross_aisle_mm=inputs.fig("cross_aisle_mm"),
    )
    area = calc(
        floor_load.total_area_m2,
        racks_area_m2=rows_area,
        cdus=_cdus_on_floor(up),
        cdu_area_m2=inputs.fig("cdu_area_m2"),
    )
    heaviest = _heaviest(inputs, up)
    spread = calc(floor_load.spread_load, mass_kg=heaviest, width_mm=width, pitch_mm=pitch)
    outcome = results(
        Result,
        racks=racks,
        rows=rows,
        area_m2=area,
        heaviest_rack_kg=heaviest,
        floor_load_kg_m2=spread,
        row_pitch_mm=pitch,
        footprint_load_kg_m2=calc(floor_load.footprint_load, mass_kg=heaviest, width_mm=width, depth_mm=depth),
        kg_per_foot=calc(floor_load.kg_per_foot, mass_kg=heaviest, feet=_FEET),
    )
    needs = (
        Need("floor", "racks", "Racks", racks, _limit(inputs, "racks_limit"), "count"),
        Need("floor", "area_m2", "Floor area", area, _limit(inputs, "area_limit_m2"), "m2"),
        Need("floor", "floor_load_kg_m2", "Floor load", spread, _limit(inputs, "floor_load_limit_kg_m2"), "kg_m2"),
    )
    return Sized(outcome, tuple(_findings(inputs, up, outcome)), needs)


def _limit(inputs: Inputs, name: str) -> Figure:
    figure = inputs.fig(name)
    return figure if figure.known else unknown("no limit is stated", figure.unit, figure.title)


def _cdus_on_floor(up: Any) -> Figure:
    technology = up.inputs("cooling").technology
    name = getattr(technology, "cdu", None)
    if name is None:
        return Figure(0, "count", "CDUs on the floor", formula="no CDUs with this technology")
    if up.entry(name).get("position") == "in_rack":
        return Figure(0, "count", "CDUs on the floor", formula="these CDUs stand in the racks")
    return up.cooling.cdus  # type: ignore[no-any-return]


def _heaviest(inputs: Inputs, up: Any) -> Figure:
    """Return the mass of a compute rack: rack-scale systems come with their frame."""
    system = system_of(up)
    if system is None:
        return unknown("the plan has no catalogued system, so its mass is not known", "kg")
    node = system.fig("weight_kg", "kg", "mass")
    technology = up.inputs("cooling").technology
    door = _NO_DOOR
    if technology.kind == "rear_door":
        entry = up.entry(technology.door)
        door = entry.fig("wet_mass_kg", "kg", "mass with water")
        if not door.known:
            door = Figure(0.0, "kg", "Rear door", formula=f"the mass of {entry.name} is not printed and left out")
    as_placed = heaviest_kg(up, inputs.fig("rack_frame_kg"), door)
    if as_placed is not None:
        return as_placed
    if is_rack_scale(system):
        frame, count = (
            Figure(0.0, "kg", "Frame", formula="within the system's mass"),
            Figure(1, "count", "Systems a rack"),
        )
    else:
        frame, count = inputs.fig("rack_frame_kg"), up.cluster.nodes_per_rack
    return calc(floor_load.rack_kg, frame_kg=frame, nodes=count, node_kg=node, door_kg=door)


def _findings(inputs: Inputs, up: Any, outcome: Result) -> list[Finding]:
    found: list[Finding] = []
    if up.cluster.nodes.known and not outcome.heaviest_rack_kg.known:
        found.append(
            Finding(
                "floor.mass_unknown",
                "caution",
                "floor.heaviest_rack_kg",
                f"The floor load is not checked: {outcome.heaviest_rack_kg.formula}.",
            )
        )
    if up.cluster.nodes.known and not up.storage.racks.known:
        found.append(
            Finding(
                "floor.storage_racks",
                "caution",
                "floor.racks",
                f"Storage racks are not known and left out: {up.storage.racks.formula}.",
            )
        )
    system = system_of(up)
    deep = system.get("depth_mm") if system is not None else None
    if system is not None and deep is not None and deep > inputs.rack_depth_mm:
        found.append(
            Finding(
                "floor.depth",
                "blocker",
                "floor.rack_depth_mm",
                f"{system.name} is {text(deep, 'mm')} deep; the rack has {text(inputs.rack_depth_mm, 'mm')}.",
                system.sources.get("depth_mm") or system.sources.get("", ""),
                (("floor.rack_depth_mm", float(deep)),),
                f"Racks {text(deep, 'mm')} deep",
            )
        )
    return found
