"""The racks that the sheets of a hall are made of: those that are placed, or where there are none, the plan's own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.declare import Figure, Finding, unknown
from wattsweights_gui.engine.units import System, number, text
from wattsweights_gui.layout.disagreements import disagreements
from wattsweights_gui.layout.floor_checks import floor_findings
from wattsweights_gui.layout.floor_plan import FloorPlan, FloorRow, arranged
from wattsweights_gui.layout.floor_rules import floor_rules
from wattsweights_gui.layout.from_plan import fill_from_plan
from wattsweights_gui.layout.hall import Hall, hall_of
from wattsweights_gui.layout.loads import RackLoad, rack_loads, total
from wattsweights_gui.layout.placements import EMPTY, Device, Placements, Rack
from wattsweights_gui.layout.wanted import Wanted, wanted_of

ROLES = {"compute": "Compute", "network": "Network", "storage": "Storage", "": "Other"}
# parts of the sums differ in their last bits by the order in which they are added
_SAME = 1e-9


@dataclass(frozen=True, eq=False)
class RackClass:
    """Racks that are equal but for their names and places."""

    racks: tuple[Rack, ...]
    devices: tuple[Device, ...]
    load: RackLoad

    @property
    def first(self) -> Rack:
        """The one that is drawn."""
        return self.racks[0]

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.racks)

    @cached_property
    def names(self) -> str:
        """All their names, runs as ``C001 to C004``."""
        return name_ranges(r.name for r in self.racks)


@dataclass(frozen=True)
class Agreement:
    """One sum of the racks against the layer's own figure.

    Attributes:
        apart: what the plan counts and no rack holds, by name, in the unit.
    """

    title: str
    unit: str
    racks: float
    plan: Figure
    apart: tuple[tuple[str, float], ...] = ()

    @property
    def difference(self) -> float | None:
        """Racks and what stands apart, less the plan; ``None`` where the plan does not know."""
        if not self.plan.known:
            return None
        return self.racks + sum(value for _, value in self.apart) - self.plan.number

    @property
    def agrees(self) -> bool | None:
        """Whether both say the same."""
        gap = self.difference
        return None if gap is None else abs(gap) <= _SAME * max(1.0, abs(self.plan.number))


@dataclass(frozen=True, eq=False)
class Placed:
    """A hall as it is printed.

    Attributes:
        planned: whether nothing is placed, so that the plan's own filling is printed.
        findings: what does not agree with the plan or the hall, the worst first.
    """

    evaluation: Evaluation
    placements: Placements
    hall: Hall
    wanted: Wanted
    loads: Mapping[str, RackLoad]
    floor: FloorPlan
    planned: bool
    findings: tuple[Finding, ...]
    system: System

    @cached_property
    def total(self) -> RackLoad:
        """All racks added up."""
        return total(self.loads.values())

    @cached_property
    def rows_by_name(self) -> Mapping[str, FloorRow]:
        """Rows of the floor by name."""
        return {row.name: row for row in self.floor.rows}

    @cached_property
    def classes(self) -> tuple[RackClass, ...]:
        """Equal racks together, in the order of their first."""
        found: dict[object, list[Rack]] = {}
        for rack in self.placements.racks:
            found.setdefault(_likeness(rack, self.placements.inside(rack.id)), []).append(rack)
        return tuple(
            RackClass(tuple(racks), self.placements.inside(racks[0].id), self.loads[racks[0].id])
            for racks in found.values()
        )

    def result(self, layer: str, name: str) -> Figure:
        """Return a figure of a layer; an unknown one that says so where this version does not size it."""
        figure = getattr(self.evaluation.results.get(layer), name, None)
        if isinstance(figure, Figure):
            return figure
        return unknown("this version does not size it", "", name.replace("_", " "))

    def device_name(self, entry: str) -> str:
        """Return what a catalogue entry is called."""
        kind = self.hall.type_of(entry)
        return kind.name if kind is not None else entry

    @cached_property
    def agreements(self) -> tuple[Agreement, ...]:
        """The sums that several sheets print, against the layers' figures."""
        management = self.evaluation.plan.inputs("power").fig("management_kw")
        apart = (("management and login nodes, which the plan counts as one load", management.number),)
        whole = self.total
        return (
            Agreement("Racks", "count", len(self.placements.racks), self.result("floor", "racks"), self._more_racks()),
            Agreement("Connected", "kw", whole.power_kw, self.result("power", "it_power_max_kw"), apart),
            Agreement("Heat to liquid", "kw", whole.liquid_kw, self.result("cooling", "liquid_heat_kw")),
            Agreement("Heat to air", "kw", whole.air_kw, self.result("cooling", "air_heat_kw"), apart),
        )

    def _more_racks(self) -> tuple[tuple[str, float], ...]:
        more = float(self.evaluation.plan.value("floor.management_racks"))
        return (("more racks, which the plan only counts", more),) if more else ()

    def remarks(self) -> list[str]:
        """Return sentences on what these sheets are made of, and whether it agrees with the plan."""
        said: list[str] = []
        if self.planned:
            said.append(
                "Nothing is placed yet: these racks are the plan's own filling"
                + (f" by the rule set “{self.wanted.rule}”." if self.wanted.rule else ".")
            )
        if not self.placements.racks:
            said += self.wanted.notes or ("The plan asks for no racks.",)
            return said
        worse = [f for f in self.findings if f.severity != "note"]
        if worse:
            more = f" {number(len(worse) - 1)} more such findings stand on the cover." if len(worse) > 1 else ""
            said.append(f"Does not agree: {worse[0].message}{more}")
        elif not self.planned:
            said.append("The racks agree with the plan.")
        return said


def placed_of(evaluation: Evaluation, placements: Placements | None = None, system: System = "si") -> Placed:
    """Return what the sheets of a hall are made of."""
    hall = hall_of(evaluation)
    wanted = wanted_of(evaluation, hall)
    planned = placements is None or not placements.racks
    shown = fill_from_plan(EMPTY, hall, wanted).placements if planned or placements is None else placements
    loads = rack_loads(shown, hall)
    floor = arranged(shown, floor_rules(evaluation))
    findings = (
        *disagreements(shown, wanted, hall, loads, system),
        *(floor_findings(floor, loads, system) if shown.racks else ()),
    )
    order = {"blocker": 0, "caution": 1, "note": 2}
    ranked = tuple(sorted(findings, key=lambda f: order[f.severity]))
    return Placed(evaluation, shown, hall, wanted, loads, floor, planned, ranked, system)


def _likeness(rack: Rack, inside: Iterable[Device]) -> object:
    devices = sorted((d.bottom_u or 0, d.face, d.half, d.entry, d.height_u, d.full_depth) for d in inside)
    return rack.role, rack.height_u, rack.width_mm, rack.depth_mm, tuple(devices)


_TO = "\u00a0to\u00a0"  # a run stays on its line
_NUMBERED = re.compile(r"(.*?)(\d+)$", re.DOTALL)


def name_ranges(names: Iterable[str]) -> str:
    """Return names in a list, where runs of numbers are written as their first and last."""

    runs: list[list[str]] = []
    following = ""
    for name in names:
        if runs and name == following:
            runs[-1].append(name)
        else:
            runs.append([name])
        match = _NUMBERED.match(name)
        following = f"{match[1]}{int(match[2]) + 1:0{len(match[2])}d}" if match and len(match[2]) < 10 else ""
    return ", ".join(f"{run[0]}{_TO}{run[-1]}" if len(run) > 2 else ", ".join(run) for run in runs)


def contents(placed: Placed, devices: Iterable[Device]) -> str:
    """Return what is in a rack: ``4 × DGX H100, 2 × rack PDU``."""
    counts: dict[str, int] = {}
    for device in devices:
        counts[device.entry] = counts.get(device.entry, 0) + 1
    return ", ".join(f"{count} × {placed.device_name(entry)}" for entry, count in counts.items()) or "empty"


def shown_text(figure: Figure, system: System) -> str:
    """Return a figure with its unit, or a dash with the reason why it is not known."""
    if figure.known:
        return text(figure.value, figure.unit, system)
    return f"– ({figure.formula or 'not known'})"
