"""What most sub-commands begin with: a file opened, edited, its layout settled, the chain sized."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.cli.assignments import assigned
from wattsweights_gui.cli.output import note, working
from wattsweights_gui.engine.both_ends import BothEnds, both_ends
from wattsweights_gui.engine.chain import Evaluation, refuse_unknown_names
from wattsweights_gui.engine.declare import Finding
from wattsweights_gui.engine.plan import Plan
from wattsweights_gui.layout.counted import evaluated_as_placed
from wattsweights_gui.layout.placements import Placements
from wattsweights_gui.project import store
from wattsweights_gui.project.document import Document


@dataclass(frozen=True)
class Sizing:
    """A plan, everything that follows, and the comparison of both ends."""

    evaluation: Evaluation
    ends: BothEnds


def opened(file: str) -> store.Opened:
    """Open a project file and say what is to be said of it.

    Raises:
        ProjectFileError: with the sentence.
    """
    found = store.load(file)
    for remark in found.remarks:
        note(f"{file}: {remark}")
    return found


def planned(file: str, assignments: Iterable[str] = ()) -> Plan:
    """Return the plan of a file with edits, its automatic layout settled for them.

    Raises:
        ProjectFileError, Refused: with the sentence.
    """
    return planned_of(opened(file).document, assignments)


def planned_of(document: Document, assignments: Iterable[str] = ()) -> Plan:
    """Return the plan of an opened project with edits, its automatic layout settled for them.

    Raises:
        Refused: with the sentence.
    """
    plan, _ = assigned(document.plan, assignments)
    return settled(plan)


def planned_and_placed(file: str, assignments: Iterable[str] = ()) -> tuple[Plan, Placements]:
    """Return the plan of a file as :func:`planned` does, and the racks that are placed for it.

    Raises:
        ProjectFileError, Refused: with the sentence.
    """
    document = opened(file).document
    return planned_of(document, assignments), document.placements


def settled(plan: Plan) -> Plan:
    """Return the plan with the best layout, where it is not pinned.

    Raises:
        Refused: an input names no entry of the catalogue.
    """
    refuse_unknown_names(plan, catalog())
    if plan.value("parallelism.layout") != "auto":
        return plan
    from wattsweights_gui.engine.search import settle

    with working():
        return settle(plan, catalog())


def evaluated(plan: Plan, placements: Placements) -> Evaluation:
    """Size the chain; power, cooling and floor follow what is placed."""
    with working():
        return evaluated_as_placed(plan, catalog(), placements)


def sized(plan: Plan, placements: Placements) -> Sizing:
    """Size the chain as :func:`evaluated` and compare both ends, the largest model included."""
    from wattsweights_gui.engine.largest_model import with_largest_model

    with working():
        evaluation = evaluated_as_placed(plan, catalog(), placements)
        return Sizing(evaluation, with_largest_model(evaluation, both_ends(evaluation)))


def saved(document: Document, file: str, expected: Any = None) -> None:
    """Save a document with the figures of each of its scenarios.

    Raises:
        ProjectFileError: it cannot be saved.
    """
    figures: Mapping[str, Evaluation] = {s.name: evaluated(s.plan, s.placements) for s in document.scenarios}
    store.save(document, file, saved=now(), expected=expected, evaluations=figures)


def now() -> str:
    """Return the time in UTC, as it is written into files."""
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def finding_json(finding: Finding) -> dict[str, Any]:
    """Return a finding as in the contract."""
    return {
        "id": finding.id,
        "severity": finding.severity,
        "subject": finding.subject,
        "message": finding.message,
        "source": finding.source,
        "fix": [{"path": path, "value": value} for path, value in finding.fix],
        "fix_title": finding.fix_title,
    }
