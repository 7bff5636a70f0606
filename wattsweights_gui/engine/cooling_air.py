"""The room's air: what handlers supply, how many of them, and the states of the air on its way."""

from __future__ import annotations

from typing import Any

from wattsweights_gui.engine.declare import Figure, LaterTable, calc, stated, unknown
from wattsweights_gui.engine.equations import air, heat_rejection

# share of a rack's own exhaust that comes back to its front, in per cent
RECIRCULATION = {"none": 20.0, "cold_aisle": 5.0, "hot_aisle": 5.0, "chimney": 2.0}
RECIRCULATION_SOURCE = "ours: estimates, measure them by inlet temperatures"
_COLUMNS = ("where", "dry_bulb_c", "dew_point_c", "wet_bulb_c", "humidity_pct", "density_kg_m3")
_UNITS = ("text", "c", "c", "c", "pct", "kg_m3")


def recirculation(inputs: Any) -> Figure:
    """Return the share of exhaust that comes back to the racks' front, in per cent."""
    if inputs.recirculation_pct is not None:
        return inputs.fig("recirculation_pct")  # type: ignore[no-any-return]
    return stated(
        RECIRCULATION[inputs.containment],
        "pct",
        "Recirculation",
        formula="by containment",
        source=RECIRCULATION_SOURCE,
        containment=inputs.fig("containment"),
    )


def air_figures(inputs: Any, up: Any, path: Any) -> dict[str, Figure | LaterTable]:
    """Return supply and return of the room's air, its humidity, and the air handlers with their spares."""
    share, inlet, rise = recirculation(inputs), inputs.fig("technology.inlet_c"), inputs.fig("air_rise_k")
    supply = calc(air.supply_air_c, title="Supply air", inlet_c=inlet, rise_k=rise, recirculation_pct=share)
    entry = up.entry(inputs.crah if inputs.air_units == "crah" else inputs.in_row)
    name = "net_sensible_kw" if inputs.air_units == "crah" else "capacity_kw"
    each = entry.fig(name, "kw", "net sensible capacity")
    room = path.room_air_kw
    by_heat = (
        calc(heat_rejection.units_needed, title="Air handlers by heat", amount=room, of_one=each)
        if each.known and each.number > 0
        else unknown(f"the capacity of {entry.name} is not known", "count")
    )
    none = Figure(0, "count", "By flow", formula="counted by heat")
    return {
        "supply_air_c": supply,
        "return_air_c": stated(
            inputs.technology.inlet_c + inputs.air_rise_k, "c", formula="inlet + rise", inlet=inlet, rise=rise
        ),
        "recirculation_share_pct": share,
        "humidity_pct": calc(air.relative_humidity_pct, dew_point_c=inputs.fig("room_dew_point_c"), dry_bulb_c=inlet),
        "air_handlers": calc(
            heat_rejection.cdu_count, by_heat=by_heat, by_flow=none, spare=inputs.fig("spare_air_units")
        ),
        "air_states": _states(inputs, supply.number),
    }


def _states(inputs: Any, supply_c: float) -> LaterTable:
    """Return the psychrometric states of the air; printing a plan must not wait for a property library."""
    inlet, rise = inputs.technology.inlet_c, inputs.air_rise_k
    dew, altitude = inputs.room_dew_point_c, inputs.altitude_m

    def rows() -> tuple[tuple[Any, ...], ...]:
        pressure = float(air.pressure_kpa(altitude)) * 1e3
        return tuple(
            (where, t_c, *_state(t_c, dew, pressure), float(air.air_density(t_c, altitude)))
            for where, t_c in (("supply", supply_c), ("rack inlet", inlet), ("rack outlet", inlet + rise))
        )

    return LaterTable(
        _COLUMNS,
        _UNITS,
        (supply_c, inlet, rise, dew, altitude),
        rows,
        "States of the room's air at its highest dew point",
        "ASHRAE psychrometer equation, within 0.1 K of CoolProp; density of dry air",
    )


def _state(t_c: float, dew_c: float, pressure_pa: float) -> tuple[float, float, float]:
    humidity = min(100.0, float(air.relative_humidity_pct(dew_c, t_c)))
    wet = t_c if humidity >= 100.0 else air.quick_wet_bulb_c(t_c, humidity, pressure_pa)
    return min(dew_c, t_c), wet, humidity
