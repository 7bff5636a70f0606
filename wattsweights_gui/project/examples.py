"""The examples that ship: project files made by the program."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wattsweights_gui import paths
from wattsweights_gui.project import store
from wattsweights_gui.project.document import Document


@dataclass(frozen=True)
class Example:
    """One example by its name; the title is its project's."""

    name: str
    path: Path

    @property
    def document(self) -> Document:
        """What it holds."""
        return store.load(self.path).document

    @property
    def title(self) -> str:
        """The name of its project."""
        return self.document.plan.info.project


def examples() -> tuple[Example, ...]:
    """Return the examples by name."""
    return tuple(Example(p.stem, p) for p in sorted(paths.resource("examples").glob("*.watts")))


def example(name: str) -> Example:
    """Return an example by name.

    Raises:
        KeyError: there is none of that name.
    """
    for found in examples():
        if found.name == name:
            return found
    raise KeyError(name)
