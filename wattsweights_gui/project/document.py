"""The document: one or more scenarios, notes, and what this version keeps for another one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from wattsweights_gui.engine.plan import Plan, default_plan
from wattsweights_gui.layout.fabric_edits import NO_EDITS, FabricEdits
from wattsweights_gui.layout.placements import EMPTY, Placements

BASE = "Base"


@dataclass(frozen=True)
class Scenario:
    """One plan of the project, by name, the racks that are placed for it, and what was done to its fabric by hand."""

    name: str
    plan: Plan
    placements: Placements = EMPTY
    fabric: FabricEdits = NO_EDITS


@dataclass(frozen=True)
class Note:
    """Free text about a subject: a path of the plan, or empty for the whole project."""

    subject: str
    text: str


@dataclass(frozen=True)
class KeptRow:
    """A row of the file that this version does not use and writes back as it was."""

    table: str
    values: tuple[tuple[str, str | int | float | None], ...]

    def as_dict(self) -> dict[str, str | int | float | None]:
        """Return the row by column."""
        return dict(self.values)


@dataclass(frozen=True)
class Document:
    """Everything that a project file holds. Frozen: an edit makes a new one.

    Attributes:
        scenarios: at least one, in the order that they are shown; names differ.
        notes: in the order that they were written.
        kept: rows of layers and tables that this version does not know, written back verbatim.
    """

    scenarios: tuple[Scenario, ...]
    notes: tuple[Note, ...] = ()
    kept: tuple[KeptRow, ...] = ()

    def __post_init__(self) -> None:
        names = [s.name for s in self.scenarios]
        if not names:
            raise ValueError("A project has at least one scenario.")
        if len(set(names)) != len(names):
            twice = next(n for n in names if names.count(n) > 1)
            raise ValueError(f"Two scenarios are called “{twice}”: give one of them another name.")

    @classmethod
    def of(cls, plan: Plan | None = None) -> Document:
        """Return a document with one scenario, the default plan where none is given."""
        return cls((Scenario(BASE, plan if plan is not None else default_plan()),))

    @property
    def plan(self) -> Plan:
        """The plan of the first scenario."""
        return self.scenarios[0].plan

    @property
    def placements(self) -> Placements:
        """What is placed in the first scenario."""
        return self.scenarios[0].placements

    @property
    def fabric(self) -> FabricEdits:
        """What was done by hand to the fabric of the first scenario."""
        return self.scenarios[0].fabric

    def scenario(self, name: str) -> Scenario:
        """Return a scenario by name.

        Raises:
            KeyError: no such scenario.
        """
        for scenario in self.scenarios:
            if scenario.name == name:
                return scenario
        raise KeyError(name)

    def with_plan(self, plan: Plan, scenario: str | None = None) -> Document:
        """Return the document with the plan of one scenario (the first where none is named) replaced.

        Raises:
            KeyError: no such scenario.
        """
        name = self.scenario(scenario).name if scenario is not None else self.scenarios[0].name
        return replace(self, scenarios=tuple(replace(s, plan=plan) if s.name == name else s for s in self.scenarios))

    def with_placements(self, placements: Placements, scenario: str | None = None) -> Document:
        """Return the document with what is placed in one scenario (the first where none is named) replaced.

        Raises:
            KeyError: no such scenario.
        """
        name = self.scenario(scenario).name if scenario is not None else self.scenarios[0].name
        changed = (replace(s, placements=placements) if s.name == name else s for s in self.scenarios)
        return replace(self, scenarios=tuple(changed))

    def with_fabric(self, fabric: FabricEdits, scenario: str | None = None) -> Document:
        """Return the document with the edits of the fabric of one scenario (the first where none is named) replaced.

        Raises:
            KeyError: no such scenario.
        """
        name = self.scenario(scenario).name if scenario is not None else self.scenarios[0].name
        return replace(
            self, scenarios=tuple(replace(s, fabric=fabric) if s.name == name else s for s in self.scenarios)
        )

    def with_scenario(self, scenario: Scenario) -> Document:
        """Return the document with one scenario more, at the end.

        Raises:
            ValueError: there is one of that name.
        """
        return replace(self, scenarios=(*self.scenarios, scenario))

    def without_scenario(self, name: str) -> Document:
        """Return the document without a scenario; what was kept for it goes too.

        Raises:
            KeyError: no such scenario.
            ValueError: it is the only one.
        """
        gone = self.scenario(name)
        number = self.scenarios.index(gone) + 1
        kept = tuple(_moved_up(row, number) for row in self.kept if row.as_dict().get("scenario") != number)
        return replace(self, scenarios=tuple(s for s in self.scenarios if s is not gone), kept=kept)

    def with_note(self, subject: str, text: str) -> Document:
        """Return the document with one note more."""
        return replace(self, notes=(*self.notes, Note(subject, text)))


def kept_row(table: str, values: Mapping[str, Any]) -> KeptRow:
    """Return a row to be kept, from its columns."""
    return KeptRow(table, tuple(values.items()))


def _moved_up(row: KeptRow, removed: int) -> KeptRow:
    """Scenarios are numbered by position: those behind a removed one move up."""
    values = row.as_dict()
    number = values.get("scenario")
    if isinstance(number, int) and number > removed:
        values["scenario"] = number - 1
    return kept_row(row.table, values)
