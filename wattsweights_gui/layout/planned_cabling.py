"""The cables of a plan: its fabric wired, its racks as placed (or as the plan fills them), each cable routed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.declare import Entry
from wattsweights_gui.engine.planned_fabric import PlannedFabric
from wattsweights_gui.engine.wiring import Wiring
from wattsweights_gui.layout.cables import Cabling, Routing, cabling_of, media_of, spots_of
from wattsweights_gui.layout.edited_fabric import base_of
from wattsweights_gui.layout.from_plan import fill_from_plan
from wattsweights_gui.layout.hall import Hall, hall_of
from wattsweights_gui.layout.placements import EMPTY, Placements
from wattsweights_gui.layout.wanted import wanted_of


@dataclass(frozen=True, eq=False)
class PlannedCabling:
    """A plan's cables and what they hang on.

    Attributes:
        fabric: as planned. placements: racks as placed, or as the plan fills them.
        from_plan: whether nothing was placed, so that the racks are the plan's own filling.
        hosts_per_node: hosts that a node is to a scheduler: compute trays of a rack-scale system, else 1.
        gpus_per_node: of a node.
        site: as the title block names it.
        entries: catalogue rows of what is placed, by id.
    """

    fabric: PlannedFabric
    placements: Placements
    from_plan: bool
    cabling: Cabling
    hosts_per_node: int
    gpus_per_node: int
    site: str
    entries: Mapping[str, Entry]

    @property
    def wiring(self) -> Wiring:
        """The fabric link by link."""
        return self.cabling.wiring


def planned_cabling(
    evaluation: Evaluation, placements: Placements | None = None, routing: Routing | None = None
) -> PlannedCabling:
    """Return the cables of a plan.

    Args:
        evaluation: of the plan.
        placements: what is placed; the plan's own filling where nothing is.
        routing: how cables run.

    Raises:
        NoFabricError: the number of nodes is not known, or no three tiers join them.
    """
    base = base_of(evaluation)
    hall = hall_of(evaluation)
    own = placements is None or not placements.racks
    placed = fill_from_plan(EMPTY, hall, wanted_of(evaluation, hall)).placements if own else placements
    assert placed is not None
    pitch = evaluation.results["floor"].row_pitch_mm
    floor = rows_of(placed, hall, float(pitch.number) if pitch.known else 3000.0)
    catalog, wiring, rate = evaluation.catalog, base.wiring, base.gbit_s
    cabling = cabling_of(wiring, spots_of(wiring, placed, floor), media_of(catalog, rate), rate, routing)
    trays = int(catalog.entry(base.node).get("compute_trays") or 1) if base.node else 1
    used = {device.entry for rack in placed.racks for device in placed.inside(rack.id)}
    entries = {id: catalog.entry(id) for id in sorted(used) if id in hall.types}
    site = evaluation.plan.info.site or evaluation.plan.info.project or "Site"
    return PlannedCabling(base.fabric, placed, own, cabling, trays, base.gpus, site, entries)


def rows_of(placements: Placements, hall: Hall, pitch_mm: float) -> dict[str, tuple[float, float]]:
    """Return the middle of each rack on the floor in mm: where it was put, else in rows in order."""
    found = {}
    for number, rack in enumerate(placements.racks):
        row, place = divmod(number, max(1, hall.racks_per_row))
        x = place * hall.rack_width_mm if rack.x_mm is None else rack.x_mm
        y = row * pitch_mm if rack.y_mm is None else rack.y_mm
        found[rack.id] = (x + rack.width_mm / 2.0, y + rack.depth_mm / 2.0)
    return found
