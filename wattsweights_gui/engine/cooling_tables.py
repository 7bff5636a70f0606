"""What a rack can reject by every technology, one and two phases side by side, racks by class: made on first look."""

from __future__ import annotations

import math
from typing import Any

from wattsweights_gui.engine import declare
from wattsweights_gui.engine.cooling_hydraulics import coolant_name
from wattsweights_gui.engine.cooling_loops import chip_figures, facility_water, loop_figures
from wattsweights_gui.engine.declare import Figure, LaterTable
from wattsweights_gui.engine.equations import fluids
from wattsweights_gui.engine.heat_path import PUMP_EFFICIENCY, HeatPath, heat_path
from wattsweights_gui.engine.rack_limits import rack_stages, smallest

REJECT = ("technology", "rack_kw", "limited_by", "next_kw", "next_limit", "electricity_kw", "coolant_l_min",
          "water_l_min", "to_air_kw")  # fmt: skip
REJECT_UNITS = ("text", "kw", "text", "kw", "text", "kw", "l_min", "l_min", "kw")
PHASES = ("technology", "fluid", "rack_flow_l_min", "rack_flow_kg_s", "pump_power_w", "supply_c", "water_max_c",
          "gpu_c", "rack_kw", "limited_by")  # fmt: skip
PHASES_UNITS = ("text", "text", "l_min", "kg_s", "w", "c", "c", "c", "kw", "text")
CLASSES = ("racks", "count", "heat_kw", "liquid_kw", "air_kw", "limit_kw", "limited_by")
CLASSES_UNITS = ("text", "count", "kw", "kw", "kw", "kw", "text")


class _With:
    """What a layer is handed, with other inputs of cooling."""

    def __init__(self, up: Any, inputs: Any) -> None:
        self._up, self._inputs = up, inputs

    def __getattr__(self, name: str) -> Any:
        return getattr(self._up, name)

    def inputs(self, layer: str) -> Any:
        return self._inputs if layer == "cooling" else self._up.inputs(layer)


def _walked(up: Any, inputs: Any) -> tuple[_With, HeatPath]:
    there = _With(up, inputs)
    power = up.power
    return there, heat_path(there, power.it_power_max_kw, power.compute_power_kw, power.node_power_max_kw)


def _key(inputs: Any, up: Any) -> Any:
    power = up.power
    return (
        inputs,
        up.inputs("compute"),
        power.it_power_max_kw.value,
        power.compute_power_kw.value,
        power.rack_power_kw.value,
        up.cluster.compute_racks.value,
        up.cluster.system.value,
    )


def reject_table(inputs: Any, up: Any) -> LaterTable:
    """Return what a rack can reject by each technology, the stage that limits it, the next one, and each kW's price."""

    def rows() -> tuple[tuple[Any, ...], ...]:
        model: Any = type(inputs)
        kinds = declare.branches_of(model, "technology")
        return tuple(_reject_row(_by(inputs, kind), up) for kind in kinds)

    return LaterTable(
        REJECT,
        REJECT_UNITS,
        _key(inputs, up),
        rows,
        "What a rack can reject by technology; the last four columns are what each kW of rack heat takes",
        "the technology as planned, others at their defaults",
    )


def _by(inputs: Any, kind: str) -> Any:
    return inputs if inputs.technology.kind == kind else declare.edited(inputs, "technology", kind)


def _ordered(stages: list[tuple[str, Figure]]) -> list[tuple[float, str]]:
    return sorted((f.number, name) for name, f in stages if f.value is not None and not math.isinf(f.number))


def _reject_row(inputs: Any, up: Any) -> tuple[Any, ...]:
    there, path = _walked(up, inputs)
    water = facility_water(inputs, path)[2]
    ordered = _ordered(rack_stages(inputs, there, path, water))
    first, second = (*ordered, (None, None), (None, None))[:2]
    compute = up.power.compute_power_kw
    share = path.liquid_pct.number if path.liquid_pct.known else 0.0
    if inputs.technology.kind == "rear_door" and compute.value and path.liquid_kw.known:
        share = min(100.0, 100.0 * path.liquid_kw.number / compute.number)

    def each(figure: Figure, over: Figure, part: float = 1.0) -> float | None:
        return figure.number / over.number * part if figure.known and over.value else None

    return (
        inputs.technology.branch_title,
        first[0],
        first[1],
        second[0],
        second[1],
        each(path.cooling_kw, up.power.it_power_max_kw),
        each(path.node_to_cdu_flow, path.liquid_kw, share / 100.0),
        each(water, up.power.it_power_max_kw),
        max(0.0, 1.0 - share / 100.0),
    )


def phases_table(inputs: Any, up: Any) -> LaterTable:
    """Return single-phase and two-phase direct-to-chip side by side for the fullest rack."""
    return LaterTable(
        PHASES,
        PHASES_UNITS,
        _key(inputs, up),
        lambda: tuple(_phase_row(_by(inputs, kind), up) for kind in ("single_phase", "two_phase")),
        "Single-phase and two-phase for the same rack",
        "the technology as planned, the other at its defaults; pump power at one wire-to-water efficiency",
    )


def _phase_row(inputs: Any, up: Any) -> tuple[Any, ...]:
    technology = inputs.technology
    there, path = _walked(up, inputs)
    limit, by, _ = smallest(rack_stages(inputs, there, path))
    boiling = technology.kind == "two_phase"
    loop = loop_figures(inputs, there, path)
    flow = path.rack_flow.number if path.rack_flow.known else None
    mass = path.rack_mass.value
    if boiling:
        water, head = loop["condenser_water_max_c"].value, technology.pump_head_kpa
    else:
        rated = path.cdu.approach_k.value if path.cdu is not None else None
        water = technology.supply_c - float(rated) if rated is not None else None
        head = loop["loop_dp_kpa"].value
        if flow is not None:
            mass = flow / 60_000.0 * fluids.density(coolant_name(technology), technology.supply_c)
    pump = None if flow is None or head is None else flow * float(head) / 60.0 / PUMP_EFFICIENCY.number
    return (
        technology.branch_title,
        technology.fluid,
        flow,
        mass,
        pump,
        technology.saturation_c if boiling else technology.supply_c,
        water,
        chip_figures(inputs, there)["gpu_temperature_c"].value,
        limit.value,
        by.value,
    )


def classes_table(inputs: Any, up: Any, share: Figure, limit: Figure, limit_by: Figure) -> LaterTable:
    """Return the racks of the hall by class: what each rejects to liquid and air, and its limit."""
    power, cluster, storage = up.power, up.cluster, up.storage
    airs = getattr(inputs.technology, "air_remainder_limit_kw", None) or getattr(
        inputs.technology, "rack_limit_kw", None
    )

    def rows() -> tuple[tuple[Any, ...], ...]:
        found: list[tuple[Any, ...]] = []
        rack = power.rack_power_kw.number if power.rack_power_kw.known else None
        liquid = None if rack is None or share.value is None else rack * share.number / 100.0
        air = None if liquid is None else rack - liquid
        found.append(("compute, fullest", cluster.compute_racks.value, rack, liquid, air, limit.value, limit_by.value))
        network = power.network_power_kw.number if power.network_power_kw.known else None
        switches = None if network is None else network + up.inputs("power").management_kw
        full = cluster.network_rack_kw.value
        if cluster.network_racks.value and full is not None:
            # one of those that the mean counts: no number of its own, so that the rows add up
            found.append(("network, fullest", None, full, 0.0, full, airs, "room air"))
        for name, racks, heat in (
            ("network and management, mean", cluster.network_racks.value, switches),
            ("storage, mean", storage.racks.value, storage.power_kw.value),
        ):
            if racks:
                each = None if heat is None else heat / racks
                found.append((name, racks, each, 0.0, each, airs, "room air"))
        return tuple(found)

    figures = (
        cluster.network_rack_kw,
        power.rack_power_kw,
        power.network_power_kw,
        storage.power_kw,
        storage.racks,
        share,
        limit,
    )
    key = (
        *(f.value for f in figures), cluster.compute_racks.value, cluster.network_racks.value, airs,
        up.inputs("power").management_kw,
    )  # fmt: skip
    return LaterTable(
        CLASSES,
        CLASSES_UNITS,
        key,
        rows,
        "Racks by class, maximum heat each",
        "heat of the power layer; all else in air",
    )
