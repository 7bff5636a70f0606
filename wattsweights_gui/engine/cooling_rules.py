"""What is wrong or odd with a cooling plan: the number, the limit, its source and the edit that mends it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from wattsweights_gui.engine.cdu_ratings import Rating
from wattsweights_gui.engine.cooling_loops import fluid_entry
from wattsweights_gui.engine.declare import Entry, Finding, Severity
from wattsweights_gui.engine.equations import heat_rejection
from wattsweights_gui.engine.heat_path import HeatPath
from wattsweights_gui.engine.rack_limits import flow_limit, return_limit_c
from wattsweights_gui.engine.racked_system import facility_data, is_rack_scale, system_of
from wattsweights_gui.engine.units import text

_DEW_SOURCE = "IBM rear door water: 1 K above the room's largest dew point"
_GWP_SOURCE = "EU 2024/573 on fluorinated gases; GWP of the catalogue: confirm it on the fluid's safety data sheet"


def _c(value: float) -> str:
    return text(value, "c")


def _finding(
    id: str, severity: Severity, subject: str, message: str, source: str = "", fix: Any = (), fix_title: str = ""
) -> Finding:
    return Finding(f"cooling.{id}", severity, f"cooling.{subject}", message, source, tuple(fix), fix_title)


def cooling_findings(inputs: Any, up: Any, path: HeatPath, outcome: Any) -> Iterator[Finding]:
    """Yield the findings of a cooling plan."""
    kind = inputs.technology.kind
    system = system_of(up)
    data = facility_data(up, system)
    yield from _system(inputs, system, data)
    yield from _dew_point(inputs)
    yield from _air_remainder(inputs, path)
    yield from _printed_heat(up, data)
    if kind == "rear_door":
        yield from _door(inputs, up.entry(inputs.technology.door))
    if path.cdu is not None:
        yield from _cdu(inputs, path, path.cdu)
    if kind == "single_phase":
        yield from _single_phase(inputs, up, data, outcome)
    if kind == "two_phase":
        yield from _two_phase(inputs, up, path, outcome)
    if inputs.water_supply_c > 45:
        yield _finding(
            "water_class",
            "note",
            "water_supply_c",
            f"Facility water of {_c(inputs.water_supply_c)} is above W45: it is class W+, "
            "for which only some systems are qualified.",
            heat_rejection.CLASS_SOURCE,
        )


def _system(inputs: Any, system: Entry | None, data: Entry | None) -> Iterator[Finding]:
    if system is None:
        return
    kind = inputs.technology.kind
    if "liquid" in str(system.get("cooling") or "") and kind in ("air", "rear_door"):
        yield _finding(
            "needs_liquid",
            "blocker",
            "technology",
            f"{system.name} is liquid-cooled: {inputs.technology.branch_title.lower()} cannot cool it.",
            system.sources.get("cooling") or system.sources.get("", ""),
            (("cooling.technology", "single_phase"),),
            "Cool it with single-phase direct-to-chip",
        )
    limit = system.get("inlet_max_c")
    inlet = inputs.technology.inlet_c
    if limit is not None and inlet > limit:
        yield _finding(
            "inlet",
            "blocker",
            "technology.inlet_c",
            f"Inlet air of {_c(inlet)} is above the {_c(limit)} that {system.name} allows.",
            system.sources.get("inlet_max_c") or system.sources.get("", ""),
            (("cooling.technology.inlet_c", float(limit)),),
            f"Inlet at {_c(limit)}",
        )
    if kind in ("single_phase", "two_phase") and system.get("cooling") == "air" and not is_rack_scale(system):
        yield _finding(
            "cold_plates",
            "caution",
            "technology",
            f"{system.name} is sold air-cooled: cold plates on its GPUs and CPUs are assumed. "
            "Ask the maker for a liquid-cooled version and its share of heat to liquid.",
            system.sources.get("cooling") or system.sources.get("", ""),
        )


def _dew_point(inputs: Any) -> Iterator[Finding]:
    floor = inputs.room_dew_point_c + inputs.dew_margin_k
    technology = inputs.technology
    if technology.kind in ("single_phase", "two_phase"):
        name = "supply_c" if technology.kind == "single_phase" else "saturation_c"
        coldest = getattr(technology, name) - (technology.subcooling_k if technology.kind == "two_phase" else 0.0)
        if coldest < floor:
            yield _finding(
                "dew_point",
                "blocker",
                f"technology.{name}",
                f"Coolant of {_c(coldest)} is below {_c(floor)}, the room's highest dew point and its margin: "
                "cold plates get wet.",
                _DEW_SOURCE,
                ((f"cooling.technology.{name}", getattr(technology, name) + floor - coldest),),
                "Supply above the dew point",
            )
    if inputs.water_supply_c < floor:
        door = technology.kind == "rear_door"
        yield _finding(
            "water_dew_point",
            "blocker" if door else "caution",
            "water_supply_c",
            f"Facility water of {_c(inputs.water_supply_c)} is below {_c(floor)}, the room's highest dew point "
            "and its margin: " + ("the door drips." if door else "insulate pipes, drain air handlers."),
            _DEW_SOURCE,
            (("cooling.water_supply_c", floor),),
            f"Water at {_c(floor)}",
        )


def _air_remainder(inputs: Any, path: HeatPath) -> Iterator[Finding]:
    hybrid = inputs.technology.kind in ("single_phase", "two_phase", "rear_door")
    if hybrid and inputs.air_limit_kw is None and path.room_air_kw.known and path.room_air_kw.number > 0:
        yield _finding(
            "air_remainder",
            "caution",
            "air_limit_kw",
            f"{text(path.room_air_kw.number, 'kw')} still go to room air beside the liquid, "
            "and no limit of the air handlers is stated.",
            "heat to air = IT heat - heat to liquid",
            (("cooling.air_limit_kw", math.ceil(path.room_air_kw.number)),),
            "State air handlers for this heat",
        )


def _printed_heat(up: Any, data: Entry | None) -> Iterator[Finding]:
    if data is None or data.get("heat_btu_h") is None or not up.power.node_power_max_kw.known:
        return
    heat, power = data.get("heat_btu_h") / 3412.142, data.get("max_kw")
    if power and heat > power * 1.01 and up.inputs("compute").power_cap_w is None:
        yield _finding(
            "printed_heat",
            "note",
            "technology",
            f"The maker prints {data.get('heat_btu_h'):,} BTU/h = {text(heat, 'kw')} of heat for {data.name}, "
            f"above its maximum draw of {text(power, 'kw')}, which is used here: ask which sizes the cooling.",
            data.sources.get("heat_btu_h") or data.sources.get("", ""),
        )


def _door(inputs: Any, door: Entry) -> Iterator[Finding]:
    span = door.get("water_supply_c") or ()
    if span and inputs.water_supply_c > max(span):
        yield _finding(
            "door_water",
            "caution",
            "water_supply_c",
            f"{door.name} is rated with water of at most {_c(max(span))}; "
            f"with {_c(inputs.water_supply_c)} it takes less than printed.",
            door.sources.get("water_supply_c") or door.sources.get("", ""),
            (("cooling.water_supply_c", float(max(span))),),
            f"Water at {_c(max(span))}",
        )


def _cdu(inputs: Any, path: HeatPath, cdu: Rating) -> Iterator[Finding]:
    technology = inputs.technology
    boiling = cdu.entry.get("type") == "two_phase"
    if boiling != (technology.kind == "two_phase"):
        right = "cdu_accelsius_mr250" if technology.kind == "two_phase" else "cdu_vertiv_xdu1350"
        yield _finding(
            "cdu_type",
            "blocker",
            "technology.cdu",
            f"{cdu.entry.name} is a {'two' if boiling else 'single'}-phase unit: it does not serve a "
            f"{technology.branch_title.lower()} loop.",
            cdu.entry.sources.get("type") or cdu.entry.sources.get("", ""),
            (("cooling.technology.cdu", right),),
            "Choose a unit of the right kind",
        )
        return
    if not path.cdu_capacity_kw.known and technology.cdu_curve.strip():
        yield _finding(
            "curve",
            "blocker",
            "technology.cdu_curve",
            f"The CDUs are not counted: {path.cdu_capacity_kw.formula}.",
            "capacity curve set in this plan",
            (("cooling.technology.cdu_curve", ""),),
            "Count by the rating point",
        )
    if cdu.head_enough is False and path.drop is not None and path.drop.total.known:
        by_hand = technology.loop_dp_kpa is not None
        yield _finding(
            "head",
            "blocker",
            "technology.loop_dp_kpa" if by_hand else "technology.cdu",
            f"{cdu.entry.name} has an external head of {text(cdu.head_kpa.value, 'kpa')}; the loop needs "
            f"{text(path.drop.total.number, 'kpa')} outside the CDU.",
            cdu.head_kpa.source,
        )
    if technology.kind == "two_phase":
        least = inputs.water_supply_c + inputs.water_rise_k + technology.condenser_pinch_k
        if technology.saturation_c < least - 1e-9:
            warmest = technology.saturation_c - inputs.water_rise_k - technology.condenser_pinch_k
            yield _finding(
                "pinch",
                "blocker",
                "technology.saturation_c",
                f"Water leaves the condenser at {_c(inputs.water_supply_c + inputs.water_rise_k)}; with a pinch of "
                f"{text(technology.condenser_pinch_k, 'k')} saturation is at least {_c(least)}, planned is "
                f"{_c(technology.saturation_c)}.",
                "heat flows from warm to cold",
                (("cooling.water_supply_c", warmest),) if warmest >= 2 else (),
                f"Water at {_c(warmest)}",
            )
        return
    if not cdu.approach_k.known or technology.cdu_curve.strip():
        return
    source_c = technology.inlet_c if cdu.to_air else inputs.water_supply_c
    rated, there = cdu.approach_k.number, technology.supply_c - source_c
    if there < rated - 1e-9:
        where = "cooling.technology.inlet_c" if cdu.to_air else "cooling.water_supply_c"
        warmest = technology.supply_c - rated
        capacity = path.cdu_capacity_kw
        takes = (
            f"one unit takes about {text(capacity.number, 'kw')} (estimate) and is counted so"
            if capacity.known
            else "the unit takes no heat"
        )
        yield _finding(
            "approach",
            "caution" if capacity.known else "blocker",
            "technology.supply_c",
            f"{cdu.entry.name} is rated with an approach of {text(rated, 'k')}: "
            f"{'room air' if cdu.to_air else 'facility water'} of {_c(source_c)} gives coolant of "
            f"{_c(source_c + rated)} at rated heat, planned is {_c(technology.supply_c)}. At this approach {takes}.",
            cdu.approach_k.source,
            ((where, warmest),) if warmest >= 2 else (),
            f"{'Room air' if cdu.to_air else 'Facility water'} at {_c(warmest)}",
        )
    crossing = inputs.water_supply_c + inputs.water_rise_k - (technology.supply_c + technology.rise_k)
    if not cdu.to_air and crossing > 1e-9:
        yield _finding(
            "crossing",
            "blocker",
            "water_rise_k",
            f"Facility water would leave at {_c(inputs.water_supply_c + inputs.water_rise_k)}, warmer than the coolant "
            f"that comes back at {_c(technology.supply_c + technology.rise_k)}.",
            "heat flows from warm to cold",
            (("cooling.water_rise_k", inputs.water_rise_k - crossing - 2.0),)
            if inputs.water_rise_k - crossing >= 3.0
            else (),
            "Smaller rise of the water",
        )


def _single_phase(inputs: Any, up: Any, data: Entry | None, outcome: Any) -> Iterator[Finding]:
    technology = inputs.technology
    supply_max = data.get("max_supply_c") if data is not None else None
    if data is not None and supply_max is not None and technology.supply_c > supply_max:
        yield _finding(
            "supply",
            "blocker",
            "technology.supply_c",
            f"Coolant of {_c(technology.supply_c)} is above the {_c(supply_max)} that {data.name} allows.",
            data.sources.get("max_supply_c") or data.sources.get("", ""),
            (("cooling.technology.supply_c", float(supply_max)),),
            f"Supply at {_c(supply_max)}",
        )
    elif technology.supply_c > 45:
        yield _finding(
            "supply",
            "caution",
            "technology.supply_c",
            f"Coolant of {_c(technology.supply_c)} is above 45 °C, "
            "the warmest that liquid-cooled GPUs are commonly qualified for.",
            "NVIDIA GB200 and Lenovo GB300 class W45",
        )
    back = return_limit_c(up)
    if back is not None and technology.supply_c + technology.rise_k > back:
        left = back - technology.supply_c
        yield _finding(
            "return",
            "blocker",
            "technology.rise_k",
            f"Coolant would leave the rack at {_c(technology.supply_c + technology.rise_k)}, "
            f"above its return limit of {_c(back)}.",
            data.sources.get("", "") if data is not None else "",
            (("cooling.technology.rise_k", left),) if left >= 0.5 else (),
            f"Rise of {text(left, 'k')}",
        )
    flow, most = outcome.rack_coolant_flow_l_min, flow_limit(inputs, up)
    if technology.rack_limit_kw is None and flow.known and most.known and flow.number > most.number * (1 + 1e-9):
        rounded = math.ceil(2.0 * technology.rise_k * flow.number / max(most.number, 1e-6)) / 2.0
        room = rounded <= 40 and (back is None or technology.supply_c + rounded <= back)
        yield _finding(
            "rack_flow",
            "caution",
            "technology.rise_k",
            f"The fullest rack needs {text(flow.number, 'l_min')}; it takes {text(most.number, 'l_min')} "
            f"({most.title[0].lower() + most.title[1:] if most.title.startswith('Flow') else most.title}). "
            + (f"A rise of {text(rounded, 'k')} would need no more." if room else "A larger rise alone does not help."),
            most.source,
            (("cooling.technology.rise_k", rounded),) if room else (),
            f"Rise of {text(rounded, 'k')}",
        )


def _two_phase(inputs: Any, up: Any, path: HeatPath, outcome: Any) -> Iterator[Finding]:
    technology = inputs.technology
    dry = technology.dry_out_quality
    if technology.exit_quality > dry:
        wet = max(0.05, round(dry - 0.1, 2))
        yield _finding(
            "dry_out",
            "blocker",
            "technology.exit_quality",
            f"Exit quality {technology.exit_quality:g} is above {dry:g}: cold plates run dry "
            "and hot. Real loops stay at 0.3 to 0.8.",
            "two-phase loops in practice; dry-out margin",
            (("cooling.technology.exit_quality", wet),),
            f"Exit quality {wet:g}",
        )
    speed = outcome.vapour_velocity_m_s
    if speed.known and speed.number > technology.vapour_velocity_limit_m_s:
        wide = technology.vapour_line_id_mm * math.sqrt(speed.number / technology.vapour_velocity_limit_m_s)
        yield _finding(
            "vapour_velocity",
            "caution",
            "technology.vapour_line_id_mm",
            f"Vapour leaves the fullest rack at {text(speed.number, 'm_s')}, "
            f"limit {text(technology.vapour_velocity_limit_m_s, 'm_s')}: "
            f"the line needs {text(wide, 'mm')} inside.",
            "continuity; the vapour line sizes the loop",
            (("cooling.technology.vapour_line_id_mm", math.ceil(wide)),) if wide < 499 else (),
            "Wider vapour line",
        )
    entry = fluid_entry(up, technology.fluid)
    gwp, safety = entry.get("gwp100"), entry.get("safety_class")
    if gwp is not None and gwp >= 150:
        yield _finding(
            "gwp",
            "caution",
            "technology.fluid",
            f"{entry.name} has a GWP of {gwp:,} (safety class {safety}): its charge is regulated. "
            f"A rack holds about {text(outcome.charge_kg.value, 'kg')}, {text(outcome.charge_t_co2.value, 't_co2')}.",
            _GWP_SOURCE,
            (("cooling.technology.fluid", "R1233zd(E)"),),
            "R1233zd(E), GWP about 1",
        )
    if safety == "A2L":
        yield _finding(
            "flammable",
            "caution",
            "technology.fluid",
            f"{entry.name} is of safety class A2L, mildly flammable: the hall needs leak detection and a charge limit.",
            "ASHRAE 34 class of the catalogue: confirm it on the fluid's safety data sheet",
        )
    if str(safety).startswith("B"):
        yield _finding(
            "toxic",
            "caution",
            "technology.fluid",
            f"{entry.name} is of safety class {safety}, toxic: the hall needs leak detection and a charge limit.",
            "ASHRAE 34 class of the catalogue: confirm it on the fluid's safety data sheet",
        )
    if not outcome.liquid_dp_kpa.known and path.rack_flow.known:
        yield _finding(
            "no_viscosity",
            "note",
            "technology.liquid_viscosity_mpa_s",
            f"No viscosity of {technology.fluid} is known: the pressure drop of its liquid line is not given. "
            "Enter its maker's.",
            "CoolProp 8.0",
        )
    pressure = outcome.saturation_pressure_bar
    if pressure.known and pressure.number < 1.01325:
        yield _finding(
            "below_atmosphere",
            "caution",
            "technology.saturation_c",
            f"{technology.fluid} boils at {text(pressure.number, 'bar')} absolute, below the atmosphere: "
            "a leak draws air and moisture in. Plan a purge unit.",
            "saturation pressure against 1.013 bar",
        )
