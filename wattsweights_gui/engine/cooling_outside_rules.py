"""What is wrong or odd with the plant, the room's air, the chips and immersion tanks of a cooling plan."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from wattsweights_gui.engine.declare import Finding, Severity
from wattsweights_gui.engine.equations import hydraulics
from wattsweights_gui.engine.heat_path import HeatPath
from wattsweights_gui.engine.racked_system import system_of
from wattsweights_gui.engine.units import text

_COIL_K = 3.0


def _finding(
    id: str, severity: Severity, subject: str, message: str, source: str = "", fix: Any = (), fix_title: str = ""
) -> Finding:
    return Finding(f"cooling.{id}", severity, f"cooling.{subject}", message, source, tuple(fix), fix_title)


def outside_findings(inputs: Any, up: Any, path: HeatPath, outcome: Any) -> Iterator[Finding]:
    """Yield the findings of plant, air, chips, pipes and tanks."""
    yield from _plant(inputs, outcome)
    yield from _air(inputs, path, outcome)
    yield from _chips(inputs, outcome)
    yield from _pipes(inputs, outcome)
    yield from _network_racks(inputs, up)
    if inputs.technology.kind == "immersion":
        yield from _immersion(inputs, up)


def _plant(inputs: Any, outcome: Any) -> Iterator[Finding]:
    if inputs.plant.kind == "stated":
        return
    held = outcome.water_held_c
    if held.known and held.number > inputs.water_supply_c + 1e-9:
        warmer = math.ceil(held.number * 2.0) / 2.0
        yield _finding(
            "plant_supply",
            "blocker",
            "water_supply_c",
            f"On the design day ({text(outcome.design_dry_bulb_c.value, 'c')} dry, "
            f"{text(outcome.design_wet_bulb_c.value, 'c')} wet) the {inputs.plant.branch_title.lower()} supplies "
            f"{text(held.number, 'c')}, {text(held.number - inputs.water_supply_c, 'k')} above the planned "
            f"{text(inputs.water_supply_c, 'c')}.",
            outcome.design_dry_bulb_c.source,
            (("cooling.water_supply_c", warmer),) if warmer <= 60 else (),
            f"Water at {text(warmer, 'c')}",
        )
    elif outcome.warm_hours.known and outcome.warm_hours.number > 0:
        yield _finding(
            "plant_warm_hours",
            "caution",
            "water_supply_c",
            f"In {text(outcome.warm_hours.number, 'h')} of the year the {inputs.plant.branch_title.lower()} does not "
            f"reach {text(inputs.water_supply_c, 'c')}.",
            "hours of the site's bins",
        )
    if inputs.climate is None and not inputs.climate_bins.strip():
        yield _finding(
            "no_site",
            "note",
            "climate",
            "No site is chosen: free cooling, water and energy of the year are not known, and the design day is "
            f"{text(outcome.design_dry_bulb_c.value, 'c')} dry and {text(outcome.design_wet_bulb_c.value, 'c')} wet.",
            outcome.design_dry_bulb_c.source,
        )


def _air(inputs: Any, path: HeatPath, outcome: Any) -> Iterator[Finding]:
    if not path.room_air_kw.known or path.room_air_kw.number <= 0:
        return
    supply = outcome.supply_air_c.number
    if inputs.water_supply_c > supply - _COIL_K + 1e-9:
        yield _finding(
            "air_coil",
            "caution",
            "water_supply_c",
            f"Air handlers supply {text(supply, 'c')} for inlets of {text(inputs.technology.inlet_c, 'c')}; with "
            f"facility water of {text(inputs.water_supply_c, 'c')} they cannot: {text(_COIL_K, 'k')} lie between. "
            f"The {text(path.room_air_kw.number, 'kw')} of room air need a colder loop of their own.",
            "ours: approach of a chilled water coil",
        )


def _chips(inputs: Any, outcome: Any) -> Iterator[Finding]:
    margin = outcome.gpu_margin_k
    if not margin.known or margin.number >= 3.0:
        return
    technology = inputs.technology
    name = "saturation_c" if technology.kind == "two_phase" else "supply_c"
    colder = math.floor((getattr(technology, name) + margin.number - 3.0) * 2.0) / 2.0
    least = 0.0 if technology.kind == "two_phase" else 2.0
    over = margin.number < 0
    yield _finding(
        "gpu_temperature",
        "blocker" if over else "caution",
        f"technology.{name}",
        f"GPUs reach about {text(outcome.gpu_temperature_c.number, 'c')}, "
        + ("above" if over else f"{text(margin.number, 'k')} below")
        + f" their limit of {text(technology.gpu_limit_c, 'c')}: they lower their clocks.",
        "coolant + resistance x power (estimate)",
        ((f"cooling.technology.{name}", colder),) if colder >= least else (),
        f"Coolant at {text(colder, 'c')}",
    )


def _pipes(inputs: Any, outcome: Any) -> Iterator[Finding]:
    for id, speed, limit, subject in (
        ("main_velocity", outcome.water_velocity_m_s, inputs.water_velocity_m_s, "water_velocity_m_s"),
        (
            "pipe_velocity",
            outcome.pipe_velocity_m_s,
            getattr(inputs.technology, "velocity_limit_m_s", math.inf),
            "technology.velocity_limit_m_s",
        ),
    ):
        if speed.known and speed.number > limit * (1 + 1e-9):
            yield _finding(
                id,
                "caution",
                subject,
                f"Even {hydraulics.STEEL_PIPES[-1][0]}, the largest listed pipe, runs at {text(speed.number, 'm_s')}: "
                "plan several mains.",
                hydraulics.PIPE_SOURCE,
            )


def _network_racks(inputs: Any, up: Any) -> Iterator[Finding]:
    """Yield that a rack of switches gives the room more than it takes for a rack: cold plates do not help it."""
    heat = up.cluster.network_rack_kw
    technology = inputs.technology
    limits = [
        (getattr(technology, "rack_limit_kw", None) if technology.kind == "air" else None, "technology.rack_limit_kw"),
        (getattr(technology, "air_remainder_limit_kw", None), "technology.air_remainder_limit_kw"),
        (inputs.rack_reject_limit_kw, "rack_reject_limit_kw"),
    ]
    least, subject = min(((most, name) for most, name in limits if most is not None), default=(math.inf, ""))
    if not heat.known or heat.number <= least * (1 + 1e-9):
        return
    yield _finding(
        "network_rack",
        "caution",
        subject,
        f"A rack full of the switches that draw most gives off {text(heat.number, 'kw')}, all of it to air; "
        f"{text(least, 'kw')} a rack are taken away. Spread the switches over more racks.",
        heat.source,
    )


def _immersion(inputs: Any, up: Any) -> Iterator[Finding]:
    technology, system = inputs.technology, system_of(up)
    there = technology.supply_c - inputs.water_supply_c
    if there < technology.approach_k - 1e-9:
        warmest = technology.supply_c - technology.approach_k
        yield _finding(
            "tank_approach",
            "blocker",
            "technology.supply_c",
            f"The tank's heat exchanger needs {text(technology.approach_k, 'k')} between fluid and facility water; "
            f"there are {text(there, 'k')}.",
            "heat flows from warm to cold",
            (("cooling.water_supply_c", warmest),) if warmest >= 2 else (),
            f"Water at {text(warmest, 'c')}",
        )
    if system is not None:
        yield _finding(
            "immersion_system",
            "caution",
            "technology",
            f"{system.name} is not sold for immersion: fans, paste and optics have to be changed. Ask its maker.",
            system.sources.get("cooling") or system.sources.get("", ""),
        )
    if not {"fluid_density_kg_m3", "fluid_cp_kj_kg_k"} <= technology.model_fields_set:
        yield _finding(
            "immersion_fluid",
            "caution",
            "technology.fluid_density_kg_m3",
            "The fluid's density and specific heat are assumed, those of a usual synthetic hydrocarbon: "
            "enter those of the data sheet.",
            "no property library knows immersion fluids",
        )
