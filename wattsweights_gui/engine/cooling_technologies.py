"""What can be set of each cooling technology: the alternatives of the cooling layer's inputs."""

from __future__ import annotations

from typing import Literal

from pydantic import field_validator

from wattsweights_gui.engine import cooling_shared as shared
from wattsweights_gui.engine.declare import Branch, setting
from wattsweights_gui.engine.rating_curve import points_of


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
    rack_airflow_m3_s: float | None = setting(
        None,
        title="Airflow a rack gets",
        unit="m3_s",
        help="Through tiles, ducts or containment, for one rack.",
        hard=(0, 50),
        when_none="not known: not checked",
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
    fluid: Literal["pg25", "water", "pg20", "pg30", "pg40", "eg25", "eg30", "pg", "eg"] = setting(
        "pg25",
        title="Coolant",
        help="Of the technology loop.",
        source="OCP: PG25",
        choices={
            "pg25": "PG25 (25 % by volume)",
            "water": "Treated water",
            "pg20": "PG20",
            "pg30": "PG30",
            "pg40": "PG40",
            "eg25": "EG25",
            "eg30": "EG30",
            "pg": "Propylene glycol, share below",
            "eg": "Ethylene glycol, share below",
        },
    )
    glycol_pct: float = setting(
        25.0,
        title="Glycol share",
        unit="pct",
        help="By volume, for “propylene glycol” and “ethylene glycol”; others carry it in their name.",
        source="OCP: PG25",
        hard=(1, 60),
        usual=(20, 50),
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
    liquid_pct: float | None = shared.liquid_pct()
    rack_limit_kw: float | None = setting(
        None,
        title="Liquid a rack can take",
        unit="kw",
        help="What manifold and flow allow for one rack.",
        hard=(0, 2000),
        when_none="from flow",
    )
    resistance_k_w: float = shared.resistance(
        0.027, "estimate: studies of 1,400 W cold plates find 0.025 to 0.03 K/W (ToAIz 2026, Kenfa)"
    )
    gpu_limit_c: float = shared.gpu_limit()
    gpu_capture_pct: float = shared.capture("GPUs", 100.0, "ours: cold plates cover the whole package")
    cpu_capture_pct: float = shared.capture("CPUs", 100.0, "ours: cold plates cover the whole package")
    rest_capture_pct: float = shared.capture("the rest of the node", 0.0, "ours: memory, NICs, drives and PSUs in air")
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
        help="In the rack's branch and in the loop's pipes.",
        source="steel pipe 1.5 to 3 m/s; copper at most 1.5 m/s",
        hard=(0.1, 10),
        usual=(1, 3),
        group="Rack manifold",
    )
    rack_dp_kpa: float | None = setting(
        None,
        title="Pressure drop of a rack",
        unit="kpa",
        help="Cold plates, manifold and couplings at the planned flow.",
        hard=(0, 2000),
        when_none="scaled from the system's printed point, else from a tray of its kind",
        group="Rack manifold",
    )
    loop_dp_kpa: float | None = setting(
        None,
        title="Pressure drop of the loop",
        unit="kpa",
        help="Outside the CDU: pipes, manifolds, cold plates and couplings at the planned flow.",
        hard=(0, 2000),
        when_none="worked out from rack and pipes",
        group="Loop pipes",
    )
    pipe_length_m: float = setting(
        60.0,
        title="Pipes, there and back",
        unit="m",
        help="Supply and return from the CDU to the farthest rack, added up.",
        source="ours: a row of ten racks and the way to it",
        hard=(0, 5000),
        usual=(5, 500),
        group="Loop pipes",
    )
    roughness_mm: float = setting(
        0.015,
        title="Pipe roughness",
        unit="mm",
        help="Absolute, of the inner wall.",
        source="drawn stainless steel (commercial steel 0.045 mm)",
        hard=(0, 2),
        usual=(0.001, 0.1),
        group="Loop pipes",
    )
    fittings_zeta: float = setting(
        12.0,
        title="Fittings, sum of loss coefficients",
        unit="ratio",
        help="Bends, valves, strainer and couplings between CDU and rack, on the velocity in the pipes.",
        source="ours: eight bends of 0.4, four valves of 0.5, a strainer and tees (Idelchik)",
        hard=(0, 1000),
        usual=(2, 60),
        group="Loop pipes",
    )
    cdu: str = setting(
        "cdu_vertiv_xdu1350", title="CDU", help="Coolant distribution unit.", source="ours", catalog="cdu", group="CDU"
    )
    spare_cdus: int = setting(
        1, title="Spare CDUs", help="Beyond those needed, in each group.", source="N+1", hard=(0, 100), group="CDU"
    )
    racks_per_group: int | None = shared.racks_per_group()
    cdu_curve: str = shared.cdu_curve("coolant supply less facility water supply")
    pump_curve: str = setting(
        "",
        title="Pump curve",
        help="Points of a maker's curve: flow of one unit in L/min, then external head in kPa, as 800:300, 1200:244. "
        "Used instead of the rating point; outside of it there is no answer.",
        group="CDU",
        when_none="from the rating point",
    )
    inlet_c: float = shared.inlet()
    air_remainder_limit_kw: float = shared.remainder_limit()
    remainder_to: shared.RemainderTo = shared.remainder_to()
    door: str = shared.door()

    @field_validator("cdu_curve", "pump_curve")
    @classmethod
    def _points(cls, text: str) -> str:
        points_of(text)
        return text
