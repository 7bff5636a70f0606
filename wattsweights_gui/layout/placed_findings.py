"""What is wrong with the racks and the fabric of a project, as the command line's check says it."""

from __future__ import annotations

from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.declare import Finding
from wattsweights_gui.layout.disagreements import disagreements
from wattsweights_gui.layout.edited_fabric import NoFabricError, base_of, edited_fabric
from wattsweights_gui.layout.fabric_differences import differences
from wattsweights_gui.layout.fabric_edits import NO_EDITS, FabricEdits
from wattsweights_gui.layout.hall import hall_of
from wattsweights_gui.layout.placements import Placements
from wattsweights_gui.layout.wanted import wanted_of


def placed_findings(evaluation: Evaluation, placements: Placements, edits: FabricEdits) -> tuple[Finding, ...]:
    """Return what of the placed racks and the drawn fabric does not agree with a plan or with its hall.

    Nothing where no rack is placed and nobody has edited the fabric.
    """
    found: list[Finding] = []
    if placements.racks:
        hall = hall_of(evaluation)
        found += disagreements(placements, wanted_of(evaluation, hall), hall)
    if edits != NO_EDITS:
        try:
            found += differences(edited_fabric(base_of(evaluation), edits))
        except NoFabricError as error:
            found.append(Finding("fabric.drawn.none", "caution", "fabric", str(error)))
    return tuple(found)
