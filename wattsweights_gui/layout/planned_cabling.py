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
from wattsweights_gui.layout.floor_plan import FloorPlan, arranged
from wattsweights_gui.layout.floor_rules import floor_rules
from wattsweights_gui.layout.from_plan import fill_from_plan
from wattsweights_gui.layout.hall import hall_of
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
    floor = middles_of(arranged(placed, floor_rules(evaluation)))
    catalog, wiring, rate = evaluation.catalog, base.wiring, base.gbit_s
    cabling = cabling_of(wiring, spots_of(wiring, placed, floor), media_of(catalog, rate), rate, routing)
    trays = int(catalog.entry(base.node).get("compute_trays") or 1) if base.node else 1
    used = {device.entry for rack in placed.racks for device in placed.inside(rack.id)}
    entries = {id: catalog.entry(id) for id in sorted(used) if id in hall.types}
    site = evaluation.plan.info.site or evaluation.plan.info.project or "Site"
    return PlannedCabling(base.fabric, placed, own, cabling, trays, base.gpus, site, entries)


def middles_of(floor: FloorPlan) -> dict[str, tuple[float, float]]:
    """Return the middle of each rack in mm where the floor plan has it: in its row, or where somebody has put it."""
    return {
        id: (spot.box.x + spot.box.width / 2.0, spot.box.y + spot.box.depth / 2.0) for id, spot in floor.racks.items()
    }
