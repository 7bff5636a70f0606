"""The tables of the hall's sheets as rows for spreadsheets: a line a rack, device, circuit and CDU, nothing grouped."""

from __future__ import annotations

from collections.abc import Iterator

from wattsweights_gui.engine import units
from wattsweights_gui.engine.declare import Figure, Value
from wattsweights_gui.layout.floor_checks import floor_loads, row_load
from wattsweights_gui.reports import schedules as data
from wattsweights_gui.reports.cells import Grid, shown
from wattsweights_gui.reports.placed import ROLES, Placed


def placed_grids(placed: Placed) -> Iterator[Grid]:
    """Yield racks, devices, rows, feeds, cooling of racks, CDUs, the bill of materials, and the sums."""
    yield _racks(placed)
    yield _devices(placed)
    yield _rows(placed)
    yield _feeds(placed)
    yield _cooling(placed)
    yield _cdus(placed)
    yield _bill(placed)
    yield _sums(placed)
    yield Grid(
        "What does not agree",
        ("Severity", "Where", "What", "Source"),
        tuple((f.severity, f.subject, f.message, f.source) for f in placed.findings),
    )


def _head(placed: Placed, *columns: str | tuple[str, str]) -> tuple[str, ...]:
    return tuple(c if isinstance(c, str) else f"{c[0]} ({units.symbol(c[1], placed.system)})" for c in columns)


def _n(value: float | None, unit: str, placed: Placed) -> Value:
    return shown(value, unit, placed.system)


def _of(figure: Figure, placed: Placed) -> Value:
    return shown(figure.value, figure.unit, placed.system) if figure.known else None


def _racks(placed: Placed) -> Grid:
    rows: list[tuple[Value, ...]] = []
    for rack in placed.placements.racks:
        load, spot = placed.loads[rack.id], placed.floor.racks.get(rack.id)
        floor = floor_loads(placed.floor, spot, load.mass_kg) if spot is not None else None
        rows.append(
            (
                rack.name, ROLES.get(rack.role, rack.role), spot.row if spot is not None else None,
                _n(spot.box.x if spot else None, "mm", placed), _n(spot.box.y if spot else None, "mm", placed),
                spot.turned if spot is not None else None, bool(spot is not None and spot.by_hand), load.height_u,
                load.used_u, len(placed.placements.inside(rack.id)), load.power_kw, data.expected_kw(placed, rack.id),
                load.a_kw, load.b_kw, load.liquid_kw, load.air_kw, _n(load.flow_l_min, "l_min", placed),
                _n(load.mass_kg, "kg", placed), _n(floor.footprint if floor else None, "kg_m2", placed),
                _n(floor.spread if floor else None, "kg_m2", placed), " ".join(load.gaps),
            )
        )  # fmt: skip
    head = _head(
        placed, "Rack", "Role", "Row", ("From the left wall", "mm"), ("From the upper wall", "mm"), "Turned (°)",
        "Moved by hand", "Height (U)", "Used (U)", "Devices", ("Connected", "kw"), ("Expected", "kw"), ("Side A", "kw"),
        ("Side B", "kw"), ("Liquid", "kw"), ("Air", "kw"), ("Coolant", "l_min"), ("Mass", "kg"),
        ("On the footprint", "kg_m2"), ("With half aisles", "kg_m2"), "Not known",
    )  # fmt: skip
    return Grid("Rack schedule", head, tuple(rows))


def _devices(placed: Placed) -> Grid:
    rows: list[tuple[Value, ...]] = []
    for rack in placed.placements.racks:
        for device in sorted(placed.placements.inside(rack.id), key=lambda d: -(d.bottom_u or 0)):
            kind = placed.hall.type_of(device.entry)
            rows.append(
                (
                    rack.name, device.bottom_u, device.top_u or None, device.face, device.half, device.name,
                    placed.device_name(device.entry), device.entry, device.role, device.height_u,
                    _of(kind.power_kw, placed) if kind is not None else None,
                    _of(kind.mass_kg, placed) if kind is not None else None,
                )
            )  # fmt: skip
    head = _head(
        placed, "Rack", "From U", "To U", "Face", "Half", "Name", "Device", "Catalogue entry", "Role", "Height (U)",
        ("Connected", "kw"), ("Mass", "kg"),
    )  # fmt: skip
    return Grid("Rack elevations", head, tuple(rows))


def _rows(placed: Placed) -> Grid:
    names = {r.id: r.name for r in placed.placements.racks}
    rows: list[tuple[Value, ...]] = []
    for row in placed.floor.rows:
        load = row_load(row, placed.loads)
        rows.append(
            (
                row.name, ", ".join(names[i] for i in row.racks), len(row.racks), load.power_kw, load.liquid_kw,
                load.air_kw, _n(load.flow_l_min, "l_min", placed), _n(load.mass_kg, "kg", placed),
                ", ".join(row.cdus), ", ".join(row.pdus),
            )
        )  # fmt: skip
    head = _head(
        placed, "Row", "Racks", "Count", ("Connected", "kw"), ("Liquid", "kw"), ("Air", "kw"), ("Coolant", "l_min"),
        ("Mass", "kg"), "CDUs", "PDUs or RPPs",
    )  # fmt: skip
    return Grid("Floor rows", head, tuple(rows))


def _feeds(placed: Placed) -> Grid:
    circuit = data.circuit_of(placed)
    rows: list[tuple[Value, ...]] = []
    for rack in placed.placements.racks:
        for line in data.feed_lines(placed, rack.id, circuit):
            source = data.sources_of(placed, rack.id, line.side)
            for feed in line.feeds:
                rows.append(
                    (
                        rack.name, feed, source, circuit.name, _of(circuit.breaker, placed), _of(circuit.volts, placed),
                        _of(circuit.phases, placed), circuit.plug or None, line.connected_kw, line.connected_a,
                        line.expected_kw, line.expected_a, line.failover_kw, line.failover_a, line.usable_kw,
                        line.of_usable_pct,
                    )
                )  # fmt: skip
    head = _head(
        placed, "Rack", "Feed", "Source", "Circuit", ("Breaker", "a"), ("Line to line", "v"), "Phases", "Plug",
        ("Connected", "kw"), ("Connected", "a"), ("Expected", "kw"), ("Expected", "a"), ("Failover", "kw"),
        ("Failover", "a"), ("Usable", "kw"), ("Worst of usable", "pct"),
    )  # fmt: skip
    return Grid("Power schedule", head, tuple(rows))


def _cooling(placed: Placed) -> Grid:
    loop = data.loop_of(placed)
    rows: list[tuple[Value, ...]] = []
    for rack in placed.placements.racks:
        load = placed.loads[rack.id]
        wet = load.liquid_kw > 0
        of_loop = [_of(f, placed) for f in (loop.fluid, loop.supply, loop.back, loop.rack_dp, loop.rack_pipe)]
        if not wet:
            of_loop = [None] * len(of_loop)
        rows.append(
            (
                rack.name, load.power_kw, load.liquid_kw, load.air_kw, load.power_kw * data.BTU_H_A_KW, of_loop[0],
                _n(load.flow_l_min if wet else None, "l_min", placed), *of_loop[1:],
            )
        )  # fmt: skip
    head = _head(
        placed, "Rack", ("Heat", "kw"), ("Liquid", "kw"), ("Air", "kw"), ("Heat", "btu_h"), "Fluid", ("Flow", "l_min"),
        ("Supply", "c"), ("Return", "c"), ("Pressure drop", "kpa"), ("Line, inner", "mm"),
    )  # fmt: skip
    return Grid("Cooling schedule", head, tuple(rows))


def _cdus(placed: Placed) -> Grid:
    loop = data.loop_of(placed)
    capacity = placed.result("cooling", "cdu_capacity_kw")
    rows: list[tuple[Value, ...]] = []
    for line in data.cdu_lines(placed):
        for name in line.names:
            rows.append(
                (
                    name, line.where, placed.floor.rules.cdu_name or None, line.each_kw, line.duty_kw,
                    _of(capacity, placed), _n(line.each_l_min, "l_min", placed), _of(loop.supply, placed),
                    _of(loop.back, placed), _of(loop.cdu_dp, placed), _of(loop.cdu_pipe, placed),
                    _n(line.water_l_min, "l_min", placed), _of(loop.water_supply, placed),
                    _of(loop.water_return, placed),
                )
            )  # fmt: skip
    head = _head(
        placed, "CDU", "Where", "Unit", ("Heat, all run", "kw"), ("Heat, spares stand", "kw"), ("One takes", "kw"),
        ("Coolant", "l_min"), ("Supply", "c"), ("Return", "c"), ("Pressure drop", "kpa"), "Pipe", ("Water", "l_min"),
        ("Water supply", "c"), ("Water return", "c"),
    )  # fmt: skip
    return Grid("CDU schedule", head, tuple(rows))


def _bill(placed: Placed) -> Grid:
    rows = tuple(
        (
            line.group, line.name, line.placed, line.plan, line.each_kw, line.all_kw, _n(line.each_kg, "kg", placed),
            _n(line.all_kg, "kg", placed), line.source,
        )
        for line in data.bill(placed)
    )  # fmt: skip
    head = _head(
        placed, "Group", "What", "Placed", "Plan", ("Draw of each", "kw"), ("Draw of all", "kw"),
        ("Mass of each", "kg"), ("Mass of all", "kg"), "Source",
    )  # fmt: skip
    return Grid("Bill of materials", head, rows)


def _sums(placed: Placed) -> Grid:
    rows = tuple(
        (
            line.title, line.racks, sum(value for _, value in line.apart),
            "; ".join(name for name, value in line.apart if value), line.plan.value, line.difference,
            units.symbol(line.unit, placed.system), {True: "agrees", False: "differs", None: "not known"}[line.agrees],
            "planned" if placed.planned else "placed",
        )
        for line in placed.agreements
    )  # fmt: skip
    head = (
        "Sum",
        "All racks",
        "Beside the racks",
        "What stands beside",
        "Plan",
        "Difference",
        "Unit",
        "Verdict",
        "Racks",
    )
    return Grid("Sums against the plan", head, rows)
