"""What can be set of each cooling technology: the alternatives of the cooling layer's inputs."""

from __future__ import annotations

from typing import Literal

from wattsweights_gui.engine.declare import Branch, setting


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
    fan_pct: float = setting(
        2.0,
        title="Door fans",
        unit="pct",
        help="Electrical draw of the door's fans, of the heat that they move.",
        source="ours: an estimate, ask the maker",
        hard=(0, 50),
        usual=(0, 5),
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
        "cdu_vertiv_xdu1350", title="CDU", help="Coolant distribution unit.", source="ours", catalog="cdu", group="CDU"
    )
    spare_cdus: int = setting(
        1, title="Spare CDUs", help="Beyond those needed.", source="N+1", hard=(0, 100), group="CDU"
    )
    rack_flow_limit_l_min: float | None = setting(
        None,
        title="Flow a rack can take",
        unit="l_min",
        help="Of the rack's manifold, as its maker prints it.",
        hard=(0, 10000),
        when_none="the system's own, else from the manifold's size and velocity",
        group="Rack manifold",
    )
    manifold_id_mm: float = setting(
        40.9,
        title="Manifold, inner diameter",
        unit="mm",
        help="Of the rack's branch, where the system prints no flow limit.",
        source="DN40 pipe, schedule 40",
        hard=(5, 500),
        group="Rack manifold",
    )
    velocity_limit_m_s: float = setting(
        2.5,
        title="Velocity limit",
        unit="m_s",
        help="In the rack's branch.",
        source="steel pipe 1.5 to 3 m/s; copper at most 1.5 m/s",
        hard=(0.1, 10),
        usual=(1, 3),
        group="Rack manifold",
    )
    loop_dp_kpa: float | None = setting(
        None,
        title="Pressure drop of the loop",
        unit="kpa",
        help="Outside the CDU: pipes, manifolds, cold plates and couplings at the planned flow.",
        hard=(0, 2000),
        when_none="not known: the head of the CDU is not checked",
        group="CDU",
    )
    inlet_c: float = setting(
        24.0,
        title="Inlet air",
        unit="c",
        help="At the front of the racks, for the heat that liquid does not take.",
        source="ASHRAE recommended range",
        hard=(0, 60),
        usual=(18, 27),
        group="Air remainder",
    )
    air_remainder_limit_kw: float = setting(
        40.0,
        title="Air remainder a rack may leave",
        unit="kw",
        help="Heat of one rack that the room's air can take beside the liquid.",
        source="rule of thumb for contained aisles",
        hard=(0, 200),
        usual=(5, 50),
        group="Air remainder",
    )


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
    cdu: str = setting(
        "cdu_accelsius_mr250", title="CDU", help="Condenser unit.", source="ours", catalog="cdu", group="CDU"
    )
    spare_cdus: int = setting(
        1, title="Spare CDUs", help="Beyond those needed.", source="N+1", hard=(0, 100), group="CDU"
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
        source="refrigerant suction lines 4.5 to 20 m/s (from memory: check)",
        hard=(0.1, 60),
        usual=(4.5, 20),
        group="Rack lines",
    )
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
    inlet_c: float = setting(
        24.0,
        title="Inlet air",
        unit="c",
        help="At the front of the racks, for the heat that liquid does not take.",
        source="ASHRAE recommended range",
        hard=(0, 60),
        usual=(18, 27),
        group="Air remainder",
    )
    air_remainder_limit_kw: float = setting(
        40.0,
        title="Air remainder a rack may leave",
        unit="kw",
        help="Heat of one rack that the room's air can take beside the liquid.",
        source="rule of thumb for contained aisles",
        hard=(0, 200),
        usual=(5, 50),
        group="Air remainder",
    )
