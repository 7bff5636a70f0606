"""Cooling: from the chip to the facility water"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Discriminator

from wattsweights_gui.engine.cooling_loops import approach, cdu_limit, facility_water, loop_figures
from wattsweights_gui.engine.cooling_rules import cooling_findings
from wattsweights_gui.engine.cooling_technologies import Air, RearDoor, SinglePhase, TwoPhase
from wattsweights_gui.engine.declare import (
    Figure,
    LayerInputs,
    LayerResult,
    Need,
    Sized,
    Table,
    calc,
    result,
    results,
    setting,
    stated,
    unknown,
)
from wattsweights_gui.engine.equations import air, heat_rejection
from wattsweights_gui.engine.heat_path import coolant_flow, heat_path
from wattsweights_gui.engine.rack_limits import rack_limit

NAME = "cooling"
TITLE = "Cooling"
ABOUT = "from the chip to the facility water"


class Inputs(LayerInputs):
    """The technology and what the facility gives."""

    technology: Annotated[Air | RearDoor | SinglePhase | TwoPhase, Discriminator("kind")] = setting(
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
    chiller_cop: float = setting(
        6.0,
        title="Cooling plant COP",
        unit="ratio",
        help="Heat rejected for each kW of electricity of chillers, pumps and fans outside.",
        source="ours: water-cooled chillers 5 to 7; dry coolers over 15",
        group="Facility water",
        hard=(0.5, 200),
        usual=(2, 60),
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


class Result(LayerResult):
    """What follows."""

    liquid_heat_kw: Figure = result(
        "Heat to liquid", "kw", "Of all racks, at maximum.", headline=True, short="To liquid"
    )
    air_heat_kw: Figure = result("Heat to air", "kw", "Of all racks, at maximum.", headline=True, short="To air")
    rack_heat_kw: Figure = result(
        "Heat of the fullest rack", "kw", "Maximum draw of the fullest rack.", short="Rack heat"
    )
    rack_limit_kw: Figure = result(
        "A rack can reject", "kw", "By the chosen technology and the facility limit.", headline=True, short="Rack limit"
    )
    coolant_flow_l_min: Figure = result(
        "Coolant flow", "l_min", "Technology loop, all racks; liquid side for two-phase."
    )
    rack_coolant_flow_l_min: Figure = result("Coolant flow a rack", "l_min", "Fullest rack.")
    facility_water_l_min: Figure = result(
        "Facility water flow", "l_min", "For liquid and air heat.", headline=True, short="Water"
    )
    cdus: Figure = result("CDUs", "count", "Including spares.")
    cdu_power_kw: Figure = result("CDU power", "kw", "Pumps and controls of all CDUs.")
    fan_power_kw: Figure = result("Air handler fans", "kw", "For the heat to air.")
    plant_power_kw: Figure = result("Cooling plant power", "kw", "Chillers, pumps and fans outside.")
    water_return_c: Figure = result("Facility water return", "c", "Supply plus rise.")
    airflow_m3_s: Figure = result("Airflow", "m3_s", "For the heat to air.")
    rack_limit_by: Figure = result("Limited by", "text", "The stage that limits what a rack can reject.")
    liquid_pct: Figure = result("Heat of compute racks to liquid", "pct", "What cold plates or doors take.")
    room_air_kw: Figure = result(
        "Heat to the air handlers", "kw", "Heat to air, and what liquid-to-air CDUs give back."
    )
    cdu_limit: Figure = result("CDUs limited by", "text", "Heat, flow or head: the limit that needs most units.")
    cdu_approach_k: Figure = result("Approach available", "k", "Coolant supply less facility water supply.")
    coolant_return_c: Figure = result("Coolant return", "c", "Back at the CDU.")
    saturation_pressure_bar: Figure = result("Saturation pressure", "bar", "Absolute; two-phase loops only.")
    refrigerant_flow_kg_s: Figure = result("Refrigerant mass flow", "kg_s", "All racks; two-phase loops only.")
    vapour_velocity_m_s: Figure = result("Vapour velocity", "m_s", "In the fullest rack's line; two-phase loops only.")
    water_liquid_l_min: Figure = result("Facility water, liquid loop", "l_min", "For CDUs and doors.")
    water_air_l_min: Figure = result("Facility water, air handlers", "l_min", "For the heat to air and the fans.")
    water_class: Figure = result("Water class", "text", "Smallest ASHRAE class that allows the supply temperature.")
    plant_heat_kw: Figure = result("Heat to the plant", "kw", "IT heat, fans and CDU pumps.")
    rack_stages: Table = result("What a rack can reject", "", "Each stage and the rack heat at which it is full.")


def size(inputs: Inputs, up: Any) -> Sized:
    """Size the layer."""
    technology = inputs.technology
    path = heat_path(up, up.power.it_power_max_kw, up.power.compute_power_kw, up.power.node_power_max_kw)
    rack_heat = up.power.rack_power_kw
    limit, limit_by, stages = rack_limit(inputs, up, path)
    share = path.liquid_pct
    if technology.kind == "rear_door":
        share = calc(heat_rejection.liquid_share_pct, liquid_kw=path.liquid_kw, rack_kw=up.power.compute_power_kw)
    rack_liquid = calc(
        heat_rejection.liquid_kw, title="Heat to liquid, fullest rack", heat_kw=rack_heat, liquid_pct=share
    )
    rack_flow, rack_mass = (
        coolant_flow(inputs, rack_liquid)
        if technology.kind in ("single_phase", "two_phase")
        else (path.node_to_cdu_flow, path.mass_flow)
    )
    water_liquid, water_air, water = facility_water(inputs, path)
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
        "rack_coolant_flow_l_min": rack_flow,
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
        **loop_figures(inputs, rack_mass, path),
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
    return Sized(outcome, tuple(cooling_findings(inputs, up, path, outcome)), needs)


def _limit(inputs: Inputs, name: str) -> Figure:
    figure = inputs.fig(name)
    return figure if figure.known else unknown("no limit is stated", figure.unit, figure.title)
