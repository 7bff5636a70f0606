"""Cooling: from the chip to the facility water"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Discriminator, field_validator

from wattsweights_gui.engine.climate_bins import kept
from wattsweights_gui.engine.cooling_air import air_figures
from wattsweights_gui.engine.cooling_dielectrics import Immersion, TwoPhase
from wattsweights_gui.engine.cooling_hydraulics import water_pipe
from wattsweights_gui.engine.cooling_loops import approach, cdu_limit, chip_figures, facility_water, loop_figures
from wattsweights_gui.engine.cooling_outside_rules import outside_findings
from wattsweights_gui.engine.cooling_plants import Plants, StatedPlant
from wattsweights_gui.engine.cooling_results import Result
from wattsweights_gui.engine.cooling_rules import cooling_findings
from wattsweights_gui.engine.cooling_tables import classes_table, phases_table, reject_table
from wattsweights_gui.engine.cooling_technologies import Air, RearDoor, SinglePhase
from wattsweights_gui.engine.cooling_year import year_figures
from wattsweights_gui.engine.declare import (
    Figure,
    LayerInputs,
    Need,
    Sized,
    Table,
    calc,
    results,
    setting,
    stated,
    unknown,
)
from wattsweights_gui.engine.equations import air, heat_rejection
from wattsweights_gui.engine.heat_path import heat_path
from wattsweights_gui.engine.heat_split import split_table
from wattsweights_gui.engine.rack_limits import rack_limit

NAME = "cooling"
TITLE = "Cooling"
ABOUT = "from the chip to the facility water"


class Inputs(LayerInputs):
    """The technology and what the facility gives."""

    technology: Annotated[Air | RearDoor | SinglePhase | TwoPhase | Immersion, Discriminator("kind")] = setting(
        Air(), title="Cooling technology", help="How the heat leaves the chips.", source="air-cooled DGX"
    )
    water_supply_c: float = setting(
        18.0,
        title="Facility water supply",
        unit="c",
        help="To CDUs, doors and air handlers.",
        source="ASHRAE W17/W27",
        group="Facility water",
        hard=(2, 60),
        usual=(7, 45),
    )
    water_rise_k: float = setting(
        10.0,
        title="Facility water rise",
        unit="k",
        help="Return less supply.",
        source="RD110",
        group="Facility water",
        hard=(1, 40),
        usual=(5, 15),
    )
    water_velocity_m_s: float = setting(
        2.5,
        title="Velocity limit of the main",
        unit="m_s",
        help="Sizes the facility water's main pipe.",
        source="steel pipe 1.5 to 3 m/s",
        group="Facility water",
        hard=(0.1, 10),
        usual=(1, 3),
    )
    water_pipe_m: float = setting(
        200.0,
        title="Main, there and back",
        unit="m",
        help="Supply and return from the plant to the hall, added up.",
        source="ours: a plant beside the hall",
        group="Facility water",
        hard=(0, 20000),
        usual=(20, 2000),
    )
    plant: Annotated[Plants, Discriminator("kind")] = setting(
        StatedPlant(),
        title="Cooling plant",
        help="What rejects the heat outside.",
        source="ours: until the plant is known",
        group="Cooling plant",
    )
    chiller_cop: float = setting(
        6.0,
        title="Cooling plant COP",
        unit="ratio",
        help="Heat rejected for each kW of electricity of chillers, pumps and fans outside, for a plant that is stated "
        "by its COP.",
        source="ours: water-cooled chillers 5 to 7; dry coolers over 15",
        group="Cooling plant",
        hard=(0.5, 200),
        usual=(2, 60),
    )
    climate: str | None = setting(
        None,
        title="Climate",
        help="Hours of outside air of a site like this one.",
        group="Cooling plant",
        catalog="climate",
        when_none="no site chosen",
    )
    climate_bins: str = setting(
        "",
        title="The site's own hours or bins",
        help="A file of the 8,760 hours becomes bins of 2 K: an EPW weather file, or a CSV table with the headings "
        "dry_bulb_c and wet_bulb_c, relative_humidity_pct or dew_point_c (and pressure_pa). Or one row a bin: dry bulb "
        "in °C, mean coincident wet bulb in °C, hours a year. Used instead of the climate.",
        group="Cooling plant",
        multiline=True,
        from_file="Hours or bins (*.epw *.csv *.tsv *.txt)",
        when_none="the climate's",
    )
    design_dry_bulb_c: float | None = setting(
        None,
        title="Design dry bulb",
        unit="c",
        help="Outside air of the design day, for dry coolers and air-cooled chillers.",
        group="Cooling plant",
        hard=(-50, 60),
        usual=(10, 50),
        when_none="the site's, exceeded for 0.4 % of the year",
    )
    design_wet_bulb_c: float | None = setting(
        None,
        title="Design wet bulb",
        unit="c",
        help="Outside air of the design day, for towers and adiabatic pads.",
        group="Cooling plant",
        hard=(-50, 40),
        usual=(5, 30),
        when_none="the site's, exceeded for 0.4 % of the year",
    )
    fan_pct: float = setting(
        5.8,
        title="Air handler fans",
        unit="pct",
        help="Electrical draw of the fans, of the heat that they move.",
        source="three Vertiv air handlers: 5.5 to 5.9 %",
        group="Room air",
        hard=(0, 50),
        usual=(1, 10),
    )
    air_rise_k: float = setting(
        12.0,
        title="Air rise",
        unit="k",
        help="Of the air through the racks.",
        source="ours: contained aisles 10 to 15 K",
        group="Room air",
        hard=(1, 60),
        usual=(8, 20),
    )
    altitude_m: float = setting(
        0.0,
        title="Altitude",
        unit="m",
        help="Of the site: thin air carries less.",
        source="sea level",
        group="Room air",
        hard=(-400, 6000),
        usual=(-400, 3050),
    )
    room_dew_point_c: float = setting(
        17.0,
        title="Highest dew point of the room",
        unit="c",
        help="Surfaces below it get wet.",
        source="ASHRAE class A1, allowable",
        group="Room air",
        hard=(-20, 40),
        usual=(5, 21),
    )
    dew_margin_k: float = setting(
        1.0,
        title="Margin above the dew point",
        unit="k",
        help="Least distance of the water from the room's dew point.",
        source="IBM rear door water: 18 °C for a dew point of 17 °C",
        group="Room air",
        hard=(0, 20),
    )
    air_units: Literal["crah", "in_row"] = setting(
        "crah",
        title="Air handlers",
        help="Units around the room (CRAH, fan walls), or coolers in the rows.",
        source="ours",
        group="Air handlers",
        choices={"crah": "CRAH or fan wall", "in_row": "In-row coolers"},
    )
    crah: str = setting(
        "crah_fa096hc",
        title="CRAH",
        help="Net of its fans.",
        source="ours",
        group="Air handlers",
        catalog="crah",
    )
    in_row: str = setting(
        "inrow_vertiv_crv040",
        title="In-row cooler",
        help="Between the racks.",
        source="ours",
        group="Air handlers",
        catalog="in_row",
    )
    spare_air_units: int = setting(
        1, title="Spare air handlers", help="Beyond those needed.", source="N+1", group="Air handlers", hard=(0, 1000)
    )
    containment: Literal["none", "cold_aisle", "hot_aisle", "chimney"] = setting(
        "hot_aisle",
        title="Containment",
        help="Keeps exhaust from coming back to the racks' front.",
        source="ours",
        group="Air handlers",
        choices={
            "none": "None",
            "cold_aisle": "Cold aisle",
            "hot_aisle": "Hot aisle",
            "chimney": "Chimney racks",
        },
    )
    recirculation_pct: float | None = setting(
        None,
        title="Recirculation",
        unit="pct",
        help="Share of a rack's exhaust that comes back to its front.",
        group="Air handlers",
        hard=(0, 60),
        usual=(0, 30),
        when_none="by containment",
    )
    rack_reject_limit_kw: float | None = setting(
        None,
        title="Heat a rack can reject",
        unit="kw",
        help="What the hall allows for one rack, whatever the technology.",
        group="Facility limits",
        hard=(0, 10000),
        when_none="from the technology",
        facility=True,
    )
    cdus_installed: int | None = setting(
        None,
        title="CDUs installed",
        help="Including spares.",
        group="Facility limits",
        hard=(0, 100000),
        when_none="as many as needed",
        facility=True,
    )
    liquid_limit_kw: float | None = setting(
        None,
        title="Heat to liquid",
        unit="kw",
        help="What the liquid loop of the hall can take.",
        group="Facility limits",
        hard=(0, 10000000),
        when_none="no limit stated",
        facility=True,
    )
    air_limit_kw: float | None = setting(
        None,
        title="Heat to air",
        unit="kw",
        help="What the air handlers of the hall can take.",
        group="Facility limits",
        hard=(0, 10000000),
        when_none="no limit stated",
        facility=True,
    )
    water_limit_l_min: float | None = setting(
        None,
        title="Facility water flow",
        unit="l_min",
        help="What the plant can pump.",
        group="Facility limits",
        hard=(0, 100000000),
        when_none="no limit stated",
        facility=True,
    )

    @field_validator("climate_bins")
    @classmethod
    def _bins(cls, text: str) -> str:
        return kept(text)


def size(inputs: Inputs, up: Any) -> Sized:
    """Size the layer."""
    technology = inputs.technology
    path = heat_path(up, up.power.it_power_max_kw, up.power.compute_power_kw, up.power.node_power_max_kw)
    rack_heat = up.power.rack_power_kw
    water_liquid, water_air, water = facility_water(inputs, path)
    limit, limit_by, stages = rack_limit(inputs, up, path, water)
    share = path.liquid_pct
    if technology.kind == "rear_door":
        share = calc(heat_rejection.liquid_share_pct, liquid_kw=path.liquid_kw, rack_kw=up.power.compute_power_kw)
    rho_air = calc(
        air.air_density,
        title="Density of the inlet air",
        inlet_c=inputs.fig("technology.inlet_c"),
        altitude_m=inputs.fig("altitude_m"),
    )
    figures: dict[str, Figure | Table] = {
        "liquid_heat_kw": path.liquid_kw,
        "air_heat_kw": path.air_kw,
        "rack_heat_kw": rack_heat,
        "rack_limit_kw": limit,
        "coolant_flow_l_min": path.node_to_cdu_flow,
        "rack_coolant_flow_l_min": path.rack_flow,
        "facility_water_l_min": water,
        "cdus": path.cdus,
        "cdu_power_kw": path.cdu_power_kw,
        "fan_power_kw": path.fan_power_kw,
        "plant_power_kw": path.plant_power_kw,
        "water_return_c": stated(
            inputs.water_supply_c + inputs.water_rise_k,
            "c",
            formula="supply + rise",
            supply=inputs.fig("water_supply_c"),
            rise=inputs.fig("water_rise_k"),
        ),
        "airflow_m3_s": calc(
            air.airflow_m3_s, heat_kw=path.room_air_kw, density_kg_m3=rho_air, rise_k=inputs.fig("air_rise_k")
        ),
        "rack_limit_by": limit_by,
        "liquid_pct": share,
        "room_air_kw": path.room_air_kw,
        "cdu_limit": cdu_limit(path),
        "cdu_approach_k": approach(inputs),
        "water_liquid_l_min": water_liquid,
        "water_air_l_min": water_air,
        "water_class": stated(
            heat_rejection.water_class(inputs.water_supply_c),
            "text",
            formula="smallest class whose largest supply is not below the planned supply",
            source=heat_rejection.CLASS_SOURCE,
            supply=inputs.fig("water_supply_c"),
        ),
        "plant_heat_kw": path.plant_heat_kw,
        "rack_stages": stages,
        "door_heat_kw": path.door_kw,
        "cdu_capacity_kw": path.cdu_capacity_kw,
        **chip_figures(inputs, up),
        **loop_figures(inputs, up, path),
        **air_figures(inputs, up, path),
        **water_pipe(inputs, water),
        **year_figures(inputs, up, path, path.plant_cop),
        "reject_by_technology": reject_table(inputs, up),
        "phases_side_by_side": phases_table(inputs, up),
        "heat_by_component": split_table(up, inputs, share),
        "racks_by_class": classes_table(inputs, up, share, limit, limit_by),
    }
    outcome = results(Result, **figures)
    needs = (
        Need("cooling", "rack_heat_kw", "Heat of the fullest rack", rack_heat, limit, "kw"),
        Need("cooling", "liquid_heat_kw", "Heat to liquid", path.liquid_kw, _limit(inputs, "liquid_limit_kw"), "kw"),
        Need("cooling", "air_heat_kw", "Heat to air", path.room_air_kw, _limit(inputs, "air_limit_kw"), "kw"),
        Need(
            "cooling",
            "facility_water_l_min",
            "Facility water flow",
            water,
            _limit(inputs, "water_limit_l_min"),
            "l_min",
        ),
        Need("cooling", "cdus", "CDUs", path.cdus, _limit(inputs, "cdus_installed"), "count"),
    )
    found = (*cooling_findings(inputs, up, path, outcome), *outside_findings(inputs, up, path, outcome))
    return Sized(outcome, found, needs)


def _limit(inputs: Inputs, name: str) -> Figure:
    figure = inputs.fig(name)
    return figure if figure.known else unknown("no limit is stated", figure.unit, figure.title)
