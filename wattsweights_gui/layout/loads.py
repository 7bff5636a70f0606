"""What a rack draws, weighs and gives off, from the devices that are in it; the same as figures that say why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from wattsweights_gui.engine.declare import Figure, calc, equation, stated, unknown
from wattsweights_gui.layout.hall import Hall
from wattsweights_gui.layout.placements import Device, Placements, Rack, used_u


@dataclass(frozen=True, slots=True)
class RackLoad:
    """The load of one rack, or of several added up. What is not known is left out and named in ``gaps``.

    Attributes:
        power_kw: maximum draw of all devices; every watt becomes heat.
        a_kw, b_kw: what each side carries while both are there.
        failover_amps: a phase of each circuit that stays when a side is lost; ``None`` where none stays.
        mass_kg: with the frame.
        used_u, height_u: rack units with something in them, and all of them.
        liquid_kw, air_kw: heat to the coolant (or to a rear door), and to the room.
        flow_l_min: coolant for it; ``None`` where there is no loop.
        gaps: sentences on what is not known.
    """

    power_kw: float
    a_kw: float
    b_kw: float
    failover_amps: float | None
    mass_kg: float
    used_u: int
    height_u: int
    liquid_kw: float
    air_kw: float
    flow_l_min: float | None
    gaps: tuple[str, ...] = ()

    @property
    def free_u(self) -> int:
        """Rack units with nothing in them."""
        return self.height_u - self.used_u


def rack_load(rack: Rack, devices: Iterable[Device], hall: Hall) -> RackLoad:
    """Return the load of one rack."""
    inside = tuple(devices)
    power = liquid = 0.0
    mass = hall.frame_kg.number
    gaps: dict[str, None] = {}
    for device in inside:
        kind = hall.types.get(device.entry)
        if kind is None:
            gaps[f"{device.entry} is not in the catalogue: it is not counted."] = None
            continue
        for remark in kind.remarks:
            gaps[remark] = None
        if kind.whole_rack and kind.mass_kg.known:
            mass -= hall.frame_kg.number  # a rack-scale system brings its own frame
        mass += kind.mass_kg.number if kind.mass_kg.known else 0.0
        each = kind.power_kw.number if kind.power_kw.known else 0.0
        power += each
        if hall.plates_pct and (kind.node or kind.needs_liquid):
            liquid += each * hall.plates_pct / 100.0
    if hall.door_pct and rack.role == "compute":
        liquid = power * hall.door_pct / 100.0
    feeds = hall.feeds
    flow = hall.flow_l_min_kw
    return RackLoad(
        power,
        power * hall.feeds_a / feeds,
        power * hall.feeds_b / feeds,
        hall.amps(power, hall.feeds_left),
        mass,
        used_u(inside),
        rack.height_u,
        liquid,
        power - liquid,
        liquid * flow.number if flow.known else None,
        tuple(gaps),
    )


def rack_loads(placements: Placements, hall: Hall) -> dict[str, RackLoad]:
    """Return the load of every rack by its id: what power, cooling and floor follow."""
    return {rack.id: rack_load(rack, placements.inside(rack.id), hall) for rack in placements.racks}


def total(loads: Iterable[RackLoad]) -> RackLoad:
    """Return several racks added up; amps of single circuits do not add and are left out."""
    listed = tuple(loads)
    flows = [load.flow_l_min for load in listed if load.flow_l_min is not None]
    return RackLoad(
        sum(load.power_kw for load in listed),
        sum(load.a_kw for load in listed),
        sum(load.b_kw for load in listed),
        None,
        sum(load.mass_kg for load in listed),
        sum(load.used_u for load in listed),
        sum(load.height_u for load in listed),
        sum(load.liquid_kw for load in listed),
        sum(load.air_kw for load in listed),
        sum(flows) if flows else None,
        tuple(dict.fromkeys(gap for load in listed for gap in load.gaps)),
    )


# --------------------------------------------------------------------------------------------------- why these figures


@equation("Σ devices × draw", "kw", "maximum draw; every watt becomes heat")
def devices_kw(**each: float) -> float:
    """Return the draw of all devices of a rack in kW."""
    return sum(each.values())


@equation("frame + Σ devices × mass", "kg")
def devices_kg(**each: float) -> float:
    """Return the mass of a rack with what is in it, in kg."""
    return sum(each.values())


@equation("count × each", "")
def several(count: float, each: float) -> float:
    """Return equal devices added up."""
    return count * each


@equation("draw × circuits of the side / circuits", "kw", "circuits share the load alike while both sides are there")
def side_kw(draw_kw: float, circuits: float, all_circuits: float) -> float:
    """Return what one side of a rack carries, in kW."""
    return draw_kw * circuits / all_circuits


@equation("heat to liquid × flow of a kW", "l_min", "as the plan's loop")
def flow_l_min(liquid_kw: float, flow_l_min_kw: float) -> float:
    """Return the coolant of a rack in L/min."""
    return liquid_kw * flow_l_min_kw


def load_figures(rack: Rack, devices: Iterable[Device], hall: Hall) -> Mapping[str, Figure]:
    """Return the load of one rack as figures that explain themselves, by the names of :class:`RackLoad`."""
    inside = tuple(devices)
    load = rack_load(rack, inside, hall)
    counts: dict[str, int] = {}
    for device in inside:
        counts[device.entry] = counts.get(device.entry, 0) + 1
    draws, masses = {}, {"frame": hall.frame_kg}
    for entry, count in counts.items():
        kind = hall.types.get(entry)
        if kind is None:
            continue
        if kind.power_kw.known:
            title = f"{count} × {kind.name}"
            draws[entry] = _several(count, kind.power_kw, title, "kw")
        if kind.mass_kg.known:
            masses[entry] = _several(count, kind.mass_kg, f"{count} × {kind.name}", "kg")
            if kind.whole_rack:
                masses.pop("frame", None)
    power = calc(devices_kw, title=f"{rack.name}: draw", **draws)
    gaps = " ".join(load.gaps)
    share = hall.plates_pct or hall.door_pct
    liquid = stated(
        load.liquid_kw,
        "kw",
        f"{rack.name}: heat to liquid",
        formula="heat of the nodes × share of the cold plates"
        if hall.plates_pct
        else "heat of the rack × share of the rear door",
        draw=power,
        share=Figure(share, "pct", "Share of the heat"),
    )
    feeds = Figure(hall.feeds, "count", "Circuits of the rack")
    return {
        "power_kw": _with_gaps(power, gaps),
        "a_kw": calc(
            side_kw,
            title=f"{rack.name}: side A",
            draw_kw=power,
            circuits=Figure(hall.feeds_a, "count", "Circuits of A"),
            all_circuits=feeds,
        ),
        "b_kw": calc(
            side_kw,
            title=f"{rack.name}: side B",
            draw_kw=power,
            circuits=Figure(hall.feeds_b, "count", "Circuits of B"),
            all_circuits=feeds,
        ),
        "failover_amps": stated(
            load.failover_amps,
            "a",
            f"{rack.name}: amps a phase, one side lost",
            formula="draw / circuits that stay / (√3 × volts × power factor)",
            draw=power,
            circuits=Figure(hall.feeds_left, "count", "Circuits that stay"),
            volts=hall.volts,
            phases=hall.phases,
            power_factor=hall.power_factor,
        ),
        "mass_kg": _with_gaps(calc(devices_kg, title=f"{rack.name}: mass", **masses), gaps),
        "used_u": stated(load.used_u, "u", f"{rack.name}: rack units used", formula="units with a device at a face"),
        "liquid_kw": liquid,
        "air_kw": stated(
            load.air_kw,
            "kw",
            f"{rack.name}: heat to air",
            formula="draw − heat to liquid",
            draw=power,
            liquid=liquid,
        ),
        "flow_l_min": unknown(hall.flow_l_min_kw.formula, "l_min", f"{rack.name}: coolant")
        if load.flow_l_min is None
        else calc(flow_l_min, title=f"{rack.name}: coolant", liquid_kw=liquid, flow_l_min_kw=hall.flow_l_min_kw),
    }


def _several(count: int, each: Figure, title: str, unit: str) -> Figure:
    figure = calc(several, title=title, count=Figure(count, "count", "Devices"), each=each)
    return stated(figure.value, unit, title, formula=figure.formula, put_in=dict(figure.operands))


def _with_gaps(figure: Figure, gaps: str) -> Figure:
    if not gaps:
        return figure
    return stated(
        figure.value,
        figure.unit,
        figure.title,
        formula=f"{figure.formula}. {gaps}",
        source=figure.source,
        put_in=dict(figure.operands),
    )
