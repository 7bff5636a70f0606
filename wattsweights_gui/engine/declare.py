"""How a layer declares what may be set and what follows, and how a figure explains itself.

Everything that shows a number (forms, ``--set``, JSON, *Why?*, reports, charts) is generated from these declarations.
Figures live in :mod:`figures` and inputs in :mod:`settings`; both can be had from here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from wattsweights_gui.engine import units
from wattsweights_gui.engine.figures import (
    Entry,
    Equation,
    Figure,
    Source,
    Value,
    calc,
    constant,
    equation,
    figure_of,
    stated,
    unknown,
)
from wattsweights_gui.engine.settings import (
    Branch,
    LayerInputs,
    Refused,
    Setting,
    branches_of,
    edited,
    holders,
    literals,
    optional,
    reset,
    setting,
    settings_of,
    validated,
)

__all__ = [
    "Branch",
    "Entry",
    "Equation",
    "Figure",
    "Finding",
    "LaterTable",
    "Layer",
    "LayerInputs",
    "LayerResult",
    "Need",
    "Refused",
    "ResultField",
    "Setting",
    "Severity",
    "Sized",
    "Source",
    "Table",
    "Value",
    "branches_of",
    "calc",
    "constant",
    "edited",
    "equation",
    "holders",
    "literals",
    "odd_values",
    "optional",
    "reset",
    "result",
    "results",
    "results_of",
    "setting",
    "settings_of",
    "stated",
    "unknown",
    "validated",
]

Severity = Literal["blocker", "caution", "note"]


@dataclass(frozen=True)
class ResultField:
    """What is said of one result before there is a value."""

    title: str
    unit: str
    help: str
    group: str = ""
    headline: bool = False
    short: str = ""


def result(
    title: str, unit: str = "", help: str = "", *, group: str = "", headline: bool = False, short: str = ""
) -> Any:
    """Declare one result of a layer.

    ``headline`` results stand on the chain card (at most four a layer), called ``short`` there if that is given.
    """
    info: Any = Field(title=title, description=help)
    info.metadata.append(ResultField(title, unit, help, group, headline, short))
    return info


@dataclass(frozen=True)
class Table:
    """A result with rows: column names, units by column, and plain values."""

    columns: tuple[str, ...]
    units: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    title: str = ""
    source: str = ""


class LaterTable(Table):
    """A table whose rows are made when somebody first looks, since an edit must not wait for them.

    Two are equal where their columns and the ``key`` of what the rows follow from are.
    """

    def __init__(
        self,
        columns: tuple[str, ...],
        units: tuple[str, ...],
        key: Any,
        make: Callable[[], tuple[tuple[Value, ...], ...]],
        title: str = "",
        source: str = "",
    ) -> None:
        for name, value in (("columns", columns), ("units", units), ("key", key), ("make", make), ("title", title)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "source", source)

    def __getattr__(self, name: str) -> Any:
        if name != "rows":
            raise AttributeError(name)
        made = self.__dict__["make"]()
        object.__setattr__(self, "rows", made)
        return made

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LaterTable):
            return NotImplemented
        return (self.columns, self.__dict__["key"]) == (other.columns, other.__dict__["key"])

    def __hash__(self) -> int:
        return hash((self.columns, self.__dict__["key"]))


class LayerResult(BaseModel):
    """Base of every layer's ``Result``: figures (and tables), all of them, each with a title, unit and path."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)
    layer: ClassVar[str] = ""

    def figures(self) -> Iterator[tuple[str, Figure]]:
        """Yield the figures by name, in declared order."""
        for name in type(self).model_fields:
            value = getattr(self, name)
            if isinstance(value, Figure):
                yield name, value

    def tables(self) -> Iterator[tuple[str, Table]]:
        """Yield the tables by name, in declared order."""
        for name in type(self).model_fields:
            value = getattr(self, name)
            if isinstance(value, Table):
                yield name, value

    def plain(self) -> dict[str, Any]:
        """Return plain numbers by name; a table is a list of objects."""
        plain: dict[str, Any] = {name: figure.value for name, figure in self.figures()}
        for name, table in self.tables():
            plain[name] = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
        return plain


@cache
def results_of(model: type[LayerResult]) -> dict[str, ResultField]:
    """Return what is declared of each result, in declared order."""
    return {
        name: next(m for m in info.metadata if isinstance(m, ResultField)) for name, info in model.model_fields.items()
    }


def results(model: type[LayerResult], **figures: Figure | Table) -> Any:
    """Build a layer's ``Result``, giving each figure its declared title, unit and path.

    Raises:
        ValueError: a figure is missing, or its unit is not the declared one.
    """
    declared = results_of(model)
    named: dict[str, Figure | Table] = {}
    for name, figure in figures.items():
        about = declared[name]
        if isinstance(figure, Table):
            named[name] = figure
            continue
        if figure.unit != about.unit and figure.unit != "" and figure.value is not None:
            raise ValueError(f"{model.layer}.{name} is declared in {about.unit!r} but was made in {figure.unit!r}")
        copied = figure.formula or not figure.path
        named[name] = figure_of(
            figure.value,
            about.unit,
            about.title,
            f"layers.{model.layer}.result.{name}",
            figure.formula if copied else "taken over",
            figure.operands if copied else ((figure.title or "value", figure),),
            figure.source,
            figure.low,
            figure.high,
        )
    return model(**named)


@dataclass(frozen=True)
class Finding:
    """Something that is wrong or odd: the number, the limit, where the limit comes from, and the edit that mends it."""

    id: str
    severity: Severity
    subject: str
    message: str
    source: str = ""
    fix: tuple[tuple[str, Any], ...] = ()
    fix_title: str = ""


@dataclass(frozen=True)
class Need:
    """One quantity that both ends share: what the plan needs of it and what there is.

    ``end`` says who sets the limit: ``facility`` limits decide how many GPUs can be hosted, ``model`` limits whether
    the plan does its job. ``more_is_worse`` is false where the need is a floor that ``have`` must reach from above.
    """

    layer: str
    quantity: str
    title: str
    need: Figure
    have: Figure
    unit: str
    end: Literal["facility", "model"] = "facility"

    @property
    def load(self) -> float | None:
        """Need over have; ``None`` where one is not known or no limit is set."""
        if self.need.value is None or self.have.value is None:
            return None
        need, have = self.need.number, self.have.number
        if have <= 0:
            return float("inf") if need > 0 else 0.0
        return need / have

    @property
    def fits(self) -> bool | None:
        """Whether the need is covered; ``None`` where that cannot be known."""
        load = self.load
        return None if load is None else load <= 1 + 1e-9


@dataclass(frozen=True)
class Sized:
    """What a layer's ``size`` returns."""

    result: Any
    findings: tuple[Finding, ...] = ()
    needs: tuple[Need, ...] = ()


@dataclass(frozen=True)
class Layer:
    """One layer, as its module declares it: ``NAME``, ``TITLE``, ``ABOUT``, ``Inputs``, ``Result``, ``size``."""

    name: str
    title: str
    about: str
    inputs: type[LayerInputs]
    result: type[LayerResult]
    size: Callable[[Any, Any], Sized]

    @classmethod
    def of(cls, module: ModuleType) -> Layer:
        """Read a layer from its module."""
        inputs, outcome = module.Inputs, module.Result
        inputs.layer = outcome.layer = module.NAME
        return cls(module.NAME, module.TITLE, module.ABOUT, inputs, outcome, module.size)


def odd_values(inputs: LayerInputs) -> list[Finding]:
    """Return a note for each input outside its usual range."""
    found: list[Finding] = []
    for prefix, holder in holders(inputs):
        for name, about in settings_of(type(holder)).items():
            value = getattr(holder, name)
            if isinstance(value, bool) or not isinstance(value, int | float):
                continue
            low, high = about.usual
            if (low is not None and value < low) or (high is not None and value > high):
                span = (
                    f"from {low:g} to {high:g}"
                    if low is not None and high is not None
                    else (f"at least {low:g}" if low is not None else f"at most {high:g}")
                )
                sign = f" {units.symbol(about.unit)}" if units.symbol(about.unit) else ""
                path = f"{inputs.layer}.{prefix}{name}"
                found.append(
                    Finding(
                        f"{path}.unusual",
                        "note",
                        path,
                        f"{about.title} is {units.text(value, about.unit)}; it is usually {span}{sign}.",
                        about.source,
                    )
                )
    return found
