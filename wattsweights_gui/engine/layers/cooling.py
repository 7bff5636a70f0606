"""Cooling: from the chip to the facility water"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Discriminator

from wattsweights_gui.engine.declare import (
    Branch,
    Figure,
    LayerInputs,
    LayerResult,
    Sized,
    result,
    results,
    setting,
    unknown,
)

NAME = "cooling"
TITLE = "Cooling"
ABOUT = "from the chip to the facility water"


class Air(Branch):
    """Room air: CRAH or in-row units."""

    branch_title = "Air"
    kind: Literal["air"] = "air"
    rack_limit_kw: float = setting(
        40.0,
        title="Air a rack can take",
        unit="kw",
        help="What containment and air handlers reject for one rack.",
        source="rule of thumb for contained aisles",
        hard=(0, 200),
        usual=(5, 50),
    )
    inlet_c: float = setting(
        24.0,
        title="Inlet air",
        unit="c",
        help="At the front of the racks.",
        source="ASHRAE recommended range",
        hard=(0, 60),
        usual=(18, 27),
    )


class RearDoor(Branch):
    """Active rear-door heat exchangers."""

    branch_title = "Rear-door heat exchanger"
    kind: Literal["rear_door"] = "rear_door"
    door: str = setting("rdhx_motivair_chilleddoor", title="Door", help="Rear door.", source="ours", catalog="rdhx")
    inlet_c: float = setting(
        24.0,
        title="Inlet air",
        unit="c",
        help="At the front of the racks.",
        source="ASHRAE recommended range",
        hard=(0, 60),
        usual=(18, 27),
    )


class SinglePhase(Branch):
    """Single-phase direct-to-chip."""

    branch_title = "Direct-to-chip, single-phase"
    kind: Literal["single_phase"] = "single_phase"
    fluid: Literal["pg25", "water", "pg20", "pg30", "eg25"] = setting(
        "pg25",
        title="Coolant",
        help="Of the technology loop.",
        source="OCP: PG25",
        choices={
            "pg25": "PG25 (25 % by volume)",
            "water": "Treated water",
            "pg20": "PG20",
            "pg30": "PG30",
            "eg25": "EG25",
        },
    )
    supply_c: float = setting(
        40.0,
        title="Coolant supply",
        unit="c",
        help="Technology loop, at the rack.",
        source="RD110",
        hard=(2, 70),
        usual=(17, 45),
    )
    rise_k: float = setting(
        10.0, title="Coolant rise", unit="k", help="Return less supply.", source="RD110", hard=(0.5, 40), usual=(5, 15)
    )
    liquid_pct: float | None = setting(
        None,
        title="Heat to liquid",
        unit="pct",
        help="Share of a rack's heat that the cold plates take.",
        hard=(0, 100),
        when_none="the system's own",
        usual=(60, 100),
    )
    rack_limit_kw: float | None = setting(
        None,
        title="Liquid a rack can take",
        unit="kw",
        help="What manifold and flow allow for one rack.",
        hard=(0, 2000),
        when_none="from flow",
    )
    cdu: str = setting(
        "cdu_vertiv_xdu1350", title="CDU", help="Coolant distribution unit.", source="ours", catalog="cdu"
    )
    spare_cdus: int = setting(1, title="Spare CDUs", help="Beyond those needed.", source="N+1", hard=(0, 100))


class TwoPhase(Branch):
    """Two-phase direct-to-chip."""

    branch_title = "Direct-to-chip, two-phase"
    kind: Literal["two_phase"] = "two_phase"
    fluid: Literal["R1233zd(E)", "R134a", "R1234ze(E)", "R515B", "R1234yf"] = setting(
        "R1233zd(E)", title="Refrigerant", help="Of the technology loop.", source="low-pressure two-phase loops"
    )
    saturation_c: float = setting(
        40.0,
        title="Saturation temperature",
        unit="c",
        help="At the cold plates.",
        source="ours",
        hard=(0, 75),
        usual=(25, 60),
    )
    exit_quality: float = setting(
        0.7,
        title="Exit quality",
        unit="ratio",
        help="Vapour share leaving the cold plates; dry-out limits it.",
        source="ours: margin to dry-out",
        hard=(0.05, 1.0),
        usual=(0.3, 0.8),
    )
    subcooling_k: float = setting(
        3.0, title="Subcooling", unit="k", help="Liquid supply below saturation.", source="ours", hard=(0, 40)
    )
    liquid_pct: float | None = setting(
        None,
        title="Heat to liquid",
        unit="pct",
        help="Share of a rack's heat that the cold plates take.",
        hard=(0, 100),
        when_none="the system's own",
        usual=(60, 100),
    )
    rack_limit_kw: float | None = setting(
        None,
        title="Liquid a rack can take",
        unit="kw",
        help="What manifold and lines allow for one rack.",
        hard=(0, 2000),
        when_none="from the vapour line",
    )
    cdu: str = setting("cdu_accelsius_mr250", title="CDU", help="Condenser unit.", source="ours", catalog="cdu")
    spare_cdus: int = setting(1, title="Spare CDUs", help="Beyond those needed.", source="N+1", hard=(0, 100))


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

    liquid_heat_kw: Figure = result("Heat to liquid", "kw", "Of all racks, at maximum.", headline=True)
    air_heat_kw: Figure = result("Heat to air", "kw", "Of all racks, at maximum.", headline=True)
    rack_heat_kw: Figure = result("Heat of the fullest rack", "kw", "Maximum draw of the fullest rack.")
    rack_limit_kw: Figure = result(
        "A rack can reject", "kw", "By the chosen technology and the facility limit.", headline=True
    )
    coolant_flow_l_min: Figure = result(
        "Coolant flow", "l_min", "Technology loop, all racks; liquid side for two-phase."
    )
    rack_coolant_flow_l_min: Figure = result("Coolant flow a rack", "l_min", "Fullest rack.")
    facility_water_l_min: Figure = result("Facility water flow", "l_min", "For liquid and air heat.", headline=True)
    cdus: Figure = result("CDUs", "count", "Including spares.")
    cdu_power_kw: Figure = result("CDU power", "kw", "Pumps and controls of all CDUs.")
    fan_power_kw: Figure = result("Air handler fans", "kw", "For the heat to air.")
    plant_power_kw: Figure = result("Cooling plant power", "kw", "Chillers, pumps and fans outside.")
    water_return_c: Figure = result("Facility water return", "c", "Supply plus rise.")
    airflow_m3_s: Figure = result("Airflow", "m3_s", "For the heat to air.")


def size(inputs: Inputs, up: Any) -> Sized:
    """Size the layer. Skeleton: every figure is unknown."""
    figures = {name: unknown("not sized yet", about.unit) for name, about in _declared().items()}
    return Sized(results(Result, **figures))


def _declared() -> dict[str, Any]:
    from wattsweights_gui.engine.declare import results_of

    return results_of(Result)
