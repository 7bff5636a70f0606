"""What can be set of two-phase direct-to-chip loops and of immersion tanks."""

from __future__ import annotations

from typing import Literal

from pydantic import field_validator

from wattsweights_gui.engine import cooling_shared as shared
from wattsweights_gui.engine.declare import Branch, setting
from wattsweights_gui.engine.rating_curve import points_of


class TwoPhase(Branch):
    """Two-phase direct-to-chip."""

    branch_title = "Direct-to-chip, two-phase"
    kind: Literal["two_phase"] = "two_phase"
    fluid: Literal["R1233zd(E)", "R515B", "R134a", "R1234ze(E)", "R1234yf", "R245fa", "R1336mzz(Z)", "Novec649"] = (
        setting(
            "R1233zd(E)",
            title="Refrigerant",
            help="Of the technology loop.",
            source="low-pressure two-phase loops",
            choices={"R515B": "R-515B", "Novec649": "Novec 649 (FK-5-1-12)"},
        )
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
    liquid_pct: float | None = shared.liquid_pct()
    rack_limit_kw: float | None = setting(
        None,
        title="Liquid a rack can take",
        unit="kw",
        help="What manifold and lines allow for one rack.",
        hard=(0, 2000),
        when_none="from the vapour line",
    )
    resistance_k_w: float = shared.resistance(0.022, "ours: an estimate, boiling needs no rise of the coolant")
    gpu_limit_c: float = shared.gpu_limit()
    gpu_capture_pct: float = shared.capture("GPUs", 100.0, "ours: cold plates cover the whole package")
    cpu_capture_pct: float = shared.capture("CPUs", 100.0, "ours: cold plates cover the whole package")
    rest_capture_pct: float = shared.capture("the rest of the node", 0.0, "ours: memory, NICs, drives and PSUs in air")
    dry_out_quality: float = setting(
        0.8,
        title="Dry-out quality",
        unit="ratio",
        help="Vapour share at which the wall of a cold plate runs dry.",
        source="two-phase loops in practice stay at 0.3 to 0.8",
        hard=(0.1, 1),
        usual=(0.5, 0.95),
        group="Cold plates",
    )
    vapour_line_id_mm: float = setting(
        77.9,
        title="Vapour line, inner diameter",
        unit="mm",
        help="Of one rack's return line.",
        source="DN80 pipe, schedule 40",
        hard=(5, 500),
        group="Rack lines",
    )
    vapour_velocity_limit_m_s: float = setting(
        15.0,
        title="Vapour velocity limit",
        unit="m_s",
        help="In one rack's return line.",
        source="estimate within 4.5 to 20 m/s of suction lines: ASHRAE Handbook Refrigeration 2010, 1, table 1",
        hard=(0.1, 60),
        usual=(4.5, 20),
        group="Rack lines",
    )
    liquid_line_id_mm: float = setting(
        26.6,
        title="Liquid line, inner diameter",
        unit="mm",
        help="Of one rack's feed.",
        source="DN25 pipe, schedule 40",
        hard=(3, 300),
        group="Rack lines",
    )
    liquid_velocity_limit_m_s: float = setting(
        1.5,
        title="Liquid velocity limit",
        unit="m_s",
        help="In one rack's feed.",
        source="the most of 1 to 1.5 m/s that Data Aire recommends for liquid lines (DAMA manual)",
        hard=(0.05, 10),
        usual=(0.3, 2),
        group="Rack lines",
    )
    line_length_m: float = setting(
        15.0,
        title="Line length",
        unit="m",
        help="Of one rack's feed, and of its return, to the condenser unit.",
        source="ours: an in-row unit and its row",
        hard=(0, 500),
        usual=(1, 60),
        group="Rack lines",
    )
    liquid_viscosity_mpa_s: float | None = setting(
        None,
        title="Liquid viscosity",
        unit="mpa_s",
        help="Of the refrigerant at its feed temperature, from its maker, for the pressure drop of the liquid line.",
        hard=(0.01, 10),
        when_none="by CoolProp, where it has a model",
        group="Rack lines",
    )
    cdu: str = setting(
        "cdu_accelsius_mr250", title="CDU", help="Condenser unit.", source="ours", catalog="cdu", group="CDU"
    )
    spare_cdus: int = setting(
        1, title="Spare CDUs", help="Beyond those needed, in each group.", source="N+1", hard=(0, 100), group="CDU"
    )
    racks_per_group: int | None = shared.racks_per_group()
    cdu_curve: str = shared.cdu_curve("saturation less facility water supply")
    condenser_pinch_k: float = setting(
        5.0,
        title="Condenser pinch",
        unit="k",
        help="Saturation less the facility water that leaves the condenser.",
        source="ours: an estimate, ask the maker",
        hard=(0.5, 30),
        usual=(2, 10),
        group="CDU",
    )
    pump_head_kpa: float = setting(
        200.0,
        title="Pump head",
        unit="kpa",
        help="Of the refrigerant pump, for its draw.",
        source="ours: an estimate, ask the maker",
        hard=(0, 2000),
        group="CDU",
    )
    plates_l: float = setting(
        4.0,
        title="Volume of plates and hoses",
        unit="",
        help="Litres inside one rack's cold plates, manifold and hoses, for the charge.",
        source="ours: an estimate, ask the maker",
        hard=(0, 500),
        group="Charge and pressure",
    )
    receiver_kg: float = setting(
        5.0,
        title="Receiver and condenser, a rack's share",
        unit="kg",
        help="Refrigerant in the condenser unit for one rack.",
        source="ours: an estimate, ask the maker",
        hard=(0, 1000),
        group="Charge and pressure",
    )
    standstill_c: float = setting(
        55.0,
        title="Hottest standstill",
        unit="c",
        help="The warmest that the loop gets with the pumps off; it sets the design pressure.",
        source="assumption: 55 °C as for an ambient up to 43 °C; set it by EN 378-2 for the site",
        hard=(20, 79),
        usual=(38, 70),
        group="Charge and pressure",
    )
    inlet_c: float = shared.inlet()
    air_remainder_limit_kw: float = shared.remainder_limit()
    remainder_to: shared.RemainderTo = shared.remainder_to()
    door: str = shared.door()

    @field_validator("cdu_curve")
    @classmethod
    def _points(cls, text: str) -> str:
        points_of(text)
        return text


class Immersion(Branch):
    """Single-phase immersion: whole nodes in tanks of dielectric liquid, each with its own heat exchanger."""

    branch_title = "Immersion, single-phase"
    kind: Literal["immersion"] = "immersion"
    supply_c: float = setting(
        40.0,
        title="Fluid supply",
        unit="c",
        help="Into the tank.",
        source="ours: 32 to 45 °C in practice",
        hard=(10, 70),
        usual=(25, 50),
    )
    rise_k: float = setting(
        8.0,
        title="Fluid rise",
        unit="k",
        help="Return less supply.",
        source="ours: 5 to 12 K in practice",
        hard=(0.5, 40),
        usual=(4, 15),
    )
    liquid_pct: float = setting(
        97.0,
        title="Heat to the fluid",
        unit="pct",
        help="The tank's walls and lid give the rest to the room.",
        source="ours: an estimate, ask the maker",
        hard=(0, 100),
        usual=(90, 100),
    )
    fluid_density_kg_m3: float = setting(
        800.0,
        title="Fluid density",
        unit="kg_m3",
        help="At the supply temperature, from the fluid's data sheet. No library knows these fluids.",
        source="assumption: a synthetic hydrocarbon at 40 °C; set it from the fluid's data sheet",
        hard=(500, 2500),
        usual=(700, 1900),
        group="Fluid",
    )
    fluid_cp_kj_kg_k: float = setting(
        2.2,
        title="Fluid specific heat",
        unit="kj_kg_k",
        help="At the mean temperature, from the fluid's data sheet.",
        source="assumption: a synthetic hydrocarbon at 40 °C; set it from the fluid's data sheet",
        hard=(0.5, 5),
        usual=(0.9, 2.6),
        group="Fluid",
    )
    tank_kw: float = setting(
        100.0,
        title="Heat a tank takes",
        unit="kw",
        help="What the heat exchanger and pumps of one tank take at the planned temperatures.",
        source="ours: an estimate, ask the maker",
        hard=(0, 2000),
        usual=(30, 400),
        group="Tank",
    )
    tank_flow_l_min: float | None = setting(
        None,
        title="Flow a tank can pump",
        unit="l_min",
        help="Of the dielectric fluid, as its maker prints it.",
        hard=(0, 10000),
        when_none="not known: not checked",
        group="Tank",
    )
    approach_k: float = setting(
        6.0,
        title="Approach of the tank",
        unit="k",
        help="Fluid supply less facility water supply that the tank's heat exchanger needs.",
        source="ours: an estimate, ask the maker",
        hard=(0.5, 40),
        usual=(3, 15),
        group="Tank",
    )
    pump_pct: float = setting(
        1.5,
        title="Tank pumps",
        unit="pct",
        help="Electrical draw of the tank's pumps, of the heat that they move.",
        source="ours: an estimate, ask the maker",
        hard=(0, 50),
        usual=(0.5, 5),
        group="Tank",
    )
    inlet_c: float = shared.inlet()
    air_remainder_limit_kw: float = shared.remainder_limit()
