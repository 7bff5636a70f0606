"""What the schedules say, line by line, before it is a table on paper or in a spreadsheet: one truth for both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from wattsweights_gui.engine.declare import Figure, unknown
from wattsweights_gui.engine.units import text
from wattsweights_gui.layout.floor_checks import FloorLoads, floor_loads
from wattsweights_gui.layout.placements import Device, Rack
from wattsweights_gui.reports.placed import Placed, RackClass

BTU_H_A_KW = 3412.142
# what the plan counts with its switches, at their typical draw where one is published
_WITH_TYPICAL = frozenset(
    {"leaf", "spine", "core", "storage switch", "in-band switch", "out-of-band switch", "fabric manager",
     "management server"}
)  # fmt: skip


@dataclass(frozen=True)
class FeedLine:
    """One side of one rack: each of its circuits alike.

    Attributes:
        feeds: names of the circuits, ``A1``.
        connected_kw, expected_kw, failover_kw: of one circuit; the last where the other side is lost, ``None`` where
            nothing stays.
        of_usable_pct: what it carries at the worst, of what it may carry continuously.
    """

    side: str
    feeds: tuple[str, ...]
    connected_kw: float
    connected_a: float | None
    expected_kw: float
    expected_a: float | None
    failover_kw: float | None
    failover_a: float | None
    usable_kw: float | None
    of_usable_pct: float | None


@dataclass(frozen=True)
class Circuit:
    """The circuit that feeds racks, with what is known of it."""

    name: str
    breaker: Figure
    volts: Figure
    phases: Figure
    plug: str
    usable_kw: float | None
    scheme: str


def circuit_of(placed: Placed) -> Circuit:
    """Return the circuit of the plan."""
    plan = placed.evaluation.plan
    entry = placed.evaluation.catalog.entry(plan.value("power.feed"))
    kva, factor = placed.result("power", "feed_kva"), placed.hall.power_factor
    usable = kva.number * factor.number if kva.known and factor.known else None
    plug = next((e.name for e in placed.evaluation.catalog.of_kind("feed_plug") if e.get("feed") == entry.id), "")
    scheme = plan.value("power.scheme")
    names = {"n": "N", "n_plus_1": "N+1", "2n": "2N", "3n_2": "3N/2", "block_redundant": "block redundant"}
    return Circuit(
        entry.name,
        entry.fig("breaker_a", "a", "breaker"),
        placed.hall.volts,
        placed.hall.phases,
        plug,
        usable,
        names.get(scheme, str(scheme)),
    )


def expected_share(placed: Placed, device: Device) -> float:
    """Return the expected draw of a device over its maximum: as the plan has it for nodes and for switches."""
    kind = placed.hall.type_of(device.entry)
    if kind is not None and kind.node:
        return _ratio(placed.result("power", "node_power_kw"), placed.result("power", "node_power_max_kw"))
    typical = None
    if kind is not None and kind.power_kw.known and kind.power_kw.number and device.role in _WITH_TYPICAL:
        typical = placed.evaluation.catalog.entry(device.entry).get("power_typical_w")
    if typical is not None and kind is not None:
        return float(typical) / 1e3 / kind.power_kw.number
    return 1.0


def _ratio(part: Figure, whole: Figure) -> float:
    return part.number / whole.number if part.known and whole.known and whole.number else 1.0


def expected_kw(placed: Placed, rack: str) -> float:
    """Return the expected draw of a rack in kW."""
    found = 0.0
    for device in placed.placements.inside(rack):
        kind = placed.hall.type_of(device.entry)
        if kind is not None and kind.power_kw.known:
            found += kind.power_kw.number * expected_share(placed, device)
    return found


def feed_lines(placed: Placed, rack: str, circuit: Circuit) -> Iterator[FeedLine]:
    """Yield the sides of a rack's feeds."""
    hall, load = placed.hall, placed.loads[rack]
    expected = expected_kw(placed, rack)
    feeds = hall.feeds
    for side, count in (("A", hall.feeds_a), ("B", hall.feeds_b), ("C", hall.feeds_c)):
        if not count:
            continue
        failover = load.power_kw / hall.feeds_left if hall.feeds_left else None
        worst = failover if failover is not None else load.power_kw / feeds
        yield FeedLine(
            side,
            tuple(f"{side}{n}" for n in range(1, count + 1)),
            load.power_kw / feeds,
            hall.amps(load.power_kw, feeds),
            expected / feeds,
            hall.amps(expected, feeds),
            failover,
            hall.amps(load.power_kw, hall.feeds_left),
            circuit.usable_kw,
            100.0 * worst / circuit.usable_kw if circuit.usable_kw else None,
        )


def sources_of(placed: Placed, rack: str, side: str) -> str:
    """Return what feeds a side of a rack: the PDUs or the busway of its row on that side, else the side."""
    spot = placed.floor.racks.get(rack)
    row = placed.rows_by_name.get(spot.row) if spot is not None and spot.row else None
    if row is not None and placed.floor.rules.overhead:
        return f"{placed.floor.rules.overhead} {side}, row {row.name}"
    pdus = [p for p in (row.pdus if row is not None else ()) if p.endswith(side)]
    return ", ".join(pdus) or f"Side {side}"


@dataclass(frozen=True)
class Loop:
    """What the technology loop gives each rack and CDU; unknown figures where the plan or this version has none."""

    fluid: Figure
    supply: Figure
    back: Figure
    rack_dp: Figure
    rack_pipe: Figure
    cdu_pipe: Figure
    water_supply: Figure
    water_return: Figure
    water_pipe: Figure
    cdu_dp: Figure


def loop_of(placed: Placed) -> Loop:
    """Return the loop of the plan's cooling."""
    inputs: Any = placed.evaluation.plan.inputs("cooling")
    technology = inputs.technology
    kind = technology.kind
    result = placed.result
    if kind in ("single_phase", "two_phase"):
        fluid = inputs.fig("technology.fluid")
        supply = inputs.fig("technology.saturation_c" if kind == "two_phase" else "technology.supply_c")
        back = result("cooling", "coolant_return_c")
        dp = result("cooling", "vapour_dp_kpa" if kind == "two_phase" else "rack_dp_kpa")
        name = "vapour_line_id_mm" if kind == "two_phase" else "manifold_id_mm"
        pipe = inputs.fig(f"technology.{name}") if hasattr(technology, name) else unknown("no line is stated", "mm")
        cdu_dp, cdu_pipe = result("cooling", "loop_dp_kpa"), result("cooling", "pipe_size")
    else:
        none = f"no coolant loop with {type(technology).branch_title.lower()}"
        fluid, supply, back = (unknown(none, unit) for unit in ("text", "c", "c"))
        if kind == "rear_door":
            fluid = Figure("water", "text", "Fluid")
            supply, back = inputs.fig("water_supply_c"), result("cooling", "water_return_c")
        dp, pipe, cdu_dp, cdu_pipe = (unknown(none, unit) for unit in ("kpa", "mm", "kpa", "text"))
    return Loop(
        fluid,
        supply,
        back,
        dp,
        pipe,
        cdu_pipe,
        inputs.fig("water_supply_c"),
        result("cooling", "water_return_c"),
        result("cooling", "water_pipe"),
        cdu_dp,
    )


@dataclass(frozen=True)
class CduLine:
    """CDUs of one row, or those in the racks: how many, and what each carries while all of them run, and N of them."""

    where: str
    names: tuple[str, ...]
    each_kw: float
    each_l_min: float | None
    duty_kw: float
    water_l_min: float | None


def cdu_lines(placed: Placed) -> list[CduLine]:
    """Return the CDUs by where they stand."""
    groups: dict[str, list[str]] = {}
    for unit in placed.floor.units:
        if unit.kind == "cdu":
            groups.setdefault(f"Row {unit.row}", []).append(unit.name)
    for rack in placed.placements.racks:
        for device in placed.placements.inside(rack.id):
            if device.role == "CDU":
                groups.setdefault("In the racks", []).append(device.name)
    count = sum(map(len, groups.values()))
    if not count:
        return []
    whole = placed.total
    technology: Any = placed.evaluation.plan.value("cooling.technology")
    duty = max(1, count - int(getattr(technology, "spare_cdus", 0)))
    water = placed.result("cooling", "water_liquid_l_min")
    return [
        CduLine(
            where,
            tuple(names),
            whole.liquid_kw / count,
            whole.flow_l_min / count if whole.flow_l_min is not None else None,
            whole.liquid_kw / duty,
            water.number / count if water.known else None,
        )
        for where, names in groups.items()
    ]


def rows_of(placed: Placed, racks: tuple[Rack, ...]) -> str:
    """Return the rows in which some racks stand."""
    names: dict[str, None] = {}
    for rack in racks:
        spot = placed.floor.racks.get(rack.id)
        names[spot.row if spot is not None and spot.row else "moved"] = None
    listed = list(names)
    return ", ".join(listed) if len(listed) < 4 else f"{listed[0]} to {listed[-1]}"


def heaviest(placed: Placed, cls: RackClass) -> FloorLoads | None:
    """Return what a rack of a class puts on the floor; ``None`` where none of it stands anywhere."""
    spot = next((s for r in cls.racks if (s := placed.floor.racks.get(r.id)) is not None), None)
    return floor_loads(placed.floor, spot, cls.load.mass_kg) if spot is not None else None


@dataclass(frozen=True)
class BillLine:
    """One kind of thing that is bought: how many are placed, and how many the plan has."""

    group: str
    name: str
    placed: float
    plan: float | None
    each_kw: float | None
    each_kg: float | None
    source: str

    @property
    def all_kw(self) -> float | None:
        """Draw of all that are placed."""
        return None if self.each_kw is None else self.placed * self.each_kw

    @property
    def all_kg(self) -> float | None:
        """Mass of all that are placed."""
        return None if self.each_kg is None else self.placed * self.each_kg


_CABLES = ("node_leaf_cables", "leaf_spine_cables", "spine_core_cables", "ufm_cables")


def bill(placed: Placed) -> list[BillLine]:
    """Return all devices, racks, circuits, units on the floor and cables."""
    asked, there = placed.wanted.counts(), placed.placements.counts()
    found: list[BillLine] = []
    for entry in dict.fromkeys((*there, *asked)):
        kind = placed.hall.type_of(entry)
        found.append(
            BillLine(
                kind.group if kind is not None else "Not in the catalogue",
                kind.name if kind is not None else entry,
                there.get(entry, 0),
                asked.get(entry, 0),
                kind.power_kw.number if kind is not None and kind.power_kw.known else None,
                kind.mass_kg.number if kind is not None and kind.mass_kg.known else None,
                kind.source if kind is not None else "",
            )
        )
    order = {g: n for n, g in enumerate(("Servers", "Switches", "Storage", "Cooling", "Power", "Panels"))}
    found.sort(key=lambda line: order.get(line.group, 99))
    return [*found, *_frames(placed), *_circuits(placed), *_cables(placed)]


def _frames(placed: Placed) -> Iterator[BillLine]:
    sizes: dict[tuple[int, float, float], int] = {}
    for rack in placed.placements.racks:
        if not any((k := placed.hall.type_of(d.entry)) is not None and k.whole_rack and k.mass_kg.known
                   for d in placed.placements.inside(rack.id)):  # fmt: skip
            size = (rack.height_u, rack.width_mm, rack.depth_mm)
            sizes[size] = sizes.get(size, 0) + 1
    frame = placed.hall.frame_kg
    for (height, width, depth), count in sizes.items():
        name = f"Rack, {height} U, {text(width, 'mm', placed.system)} × {text(depth, 'mm', placed.system)}"
        yield BillLine("Racks", name, count, None, None, frame.number if frame.known else None, frame.source)
    for kind, title in (("cdu", placed.floor.rules.cdu_name), ("pdu", "PDU or RPP")):
        count = sum(u.kind == kind for u in placed.floor.units)
        if count:
            plan = placed.floor.rules.cdus if kind == "cdu" else placed.floor.rules.pdus
            yield BillLine("On the floor", title, count, plan, None, None, "the plan's floor and cooling")


def _circuits(placed: Placed) -> Iterator[BillLine]:
    circuit, hall = circuit_of(placed), placed.hall
    name = f"Circuit, {circuit.name}" + (f", {circuit.plug}" if circuit.plug else "")
    count = len(placed.placements.racks) * hall.feeds
    plan = len(placed.wanted.racks) * hall.feeds
    if count:
        yield BillLine("Circuits", name, count, plan, None, None, "circuits a rack × racks")


def _cables(placed: Placed) -> Iterator[BillLine]:
    for name in _CABLES:
        figure = placed.result("cluster", name)
        if figure.known and figure.number:
            yield BillLine("Cables", figure.title, figure.number, figure.number, None, None, "as the plan counts them")
