"""The cables of a plan: its fabric wired, its racks as placed (or as the plan fills them), each cable routed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from wattsweights_gui.engine.chain import Evaluation, Upstream
from wattsweights_gui.engine.declare import Entry
from wattsweights_gui.engine.planned_fabric import PlannedFabric, fabric_of
from wattsweights_gui.engine.wiring import Wiring, wiring_of
from wattsweights_gui.layout.cables import Cabling, Routing, cabling_of, media_of, spots_of
from wattsweights_gui.layout.from_plan import fill_from_plan
from wattsweights_gui.layout.hall import Hall, hall_of
from wattsweights_gui.layout.placements import EMPTY, Placements
from wattsweights_gui.layout.wanted import wanted_of


class NoCablesError(ValueError):
    """There is nothing to cable; the message says why."""


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
        NoCablesError: the number of nodes is not known, or no three tiers join them.
    """
    cluster = evaluation.results["cluster"]
    if not cluster.nodes.known:
        raise NoCablesError(f"There is no fabric yet: {cluster.nodes.formula}.")
    nodes, each = int(cluster.nodes.number), int(cluster.gpus.number // cluster.nodes.number)
    inside = evaluation.plan.value("cluster.fabric_manager") == "in_compute_fabric"
    fabric = fabric_of(Upstream(evaluation.plan, evaluation.catalog, evaluation.results)).for_nodes(nodes, inside)
    try:
        wiring = wiring_of(fabric.design, nodes, inside)
    except ValueError as error:
        raise NoCablesError(str(error)) from None
    hall = hall_of(evaluation)
    own = placements is None or not placements.racks
    placed = fill_from_plan(EMPTY, hall, wanted_of(evaluation, hall)).placements if own else placements
    assert placed is not None
    pitch = evaluation.results["floor"].row_pitch_mm
    floor = rows_of(placed, hall, float(pitch.number) if pitch.known else 3000.0)
    rate = fabric.nic_gbit_s / fabric.design.planes
    cabling = cabling_of(wiring, spots_of(wiring, placed, floor), media_of(evaluation.catalog, rate), rate, routing)
    catalog = evaluation.catalog
    trays = int(catalog.entry(str(cluster.system.value)).get("compute_trays") or 1) if cluster.system.known else 1
    used = {device.entry for rack in placed.racks for device in placed.inside(rack.id)}
    entries = {id: catalog.entry(id) for id in sorted(used) if id in hall.types}
    site = evaluation.plan.info.site or evaluation.plan.info.project or "Site"
    return PlannedCabling(fabric, placed, own, cabling, trays, each, site, entries)


def rows_of(placements: Placements, hall: Hall, pitch_mm: float) -> dict[str, tuple[float, float]]:
    """Return the middle of each rack on the floor in mm: where it was put, else in rows in order."""
    found = {}
    for number, rack in enumerate(placements.racks):
        row, place = divmod(number, max(1, hall.racks_per_row))
        x = place * hall.rack_width_mm if rack.x_mm is None else rack.x_mm
        y = row * pitch_mm if rack.y_mm is None else rack.y_mm
        found[rack.id] = (x + rack.width_mm / 2.0, y + rack.depth_mm / 2.0)
    return found
