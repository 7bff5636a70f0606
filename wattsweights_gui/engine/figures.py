"""How a figure explains itself: its formula, the figures put in, and where each of them comes from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from wattsweights_gui.engine import units

Value = float | int | str | bool | None


@dataclass(frozen=True)
class Source:
    """Where a figure comes from: who published it, in which document, where in it, and when."""

    publisher: str
    document: str = ""
    where: str = ""
    date: str = ""
    url: str = ""
    verified: str = ""

    def __str__(self) -> str:
        parts = [p for p in (self.publisher, self.document, self.where, self.date) if p]
        return ", ".join(parts)


@dataclass(frozen=True, slots=True, repr=False)
class Figure:
    """A number that explains itself. It has no arithmetic operators on purpose: use :func:`calc`.

    Attributes:
        value: plain number, text, or ``None`` where it is not known (``formula`` then says why).
        unit: code in :mod:`units`.
        title: what it is, in words.
        path: ``layer.field`` for inputs, ``layers.layer.result.name`` for results, ``catalog.id.field`` for catalogue
            rows, ``constant.name`` for constants, empty for a step in between.
        formula: the equation in words and symbols; empty for inputs, catalogue rows and constants.
        operands: the figures put in, by the equation's names.
        source: of the equation, the catalogue row, the constant or the default.
        low, high: spread of an estimate.
    """

    value: Value
    unit: str = ""
    title: str = ""
    path: str = ""
    formula: str = ""
    operands: tuple[tuple[str, Figure], ...] = ()
    source: str = ""
    low: float | None = None
    high: float | None = None

    def __repr__(self) -> str:
        # operands share operands: written out, a figure of a late layer would be gigabytes long
        return f"Figure({self.value!r}, {self.unit!r}, {self.path or self.title!r})"

    @property
    def number(self) -> float:
        """The value as a float.

        Raises:
            ValueError: the value is not known or is text.
        """
        if self.value is None or isinstance(self.value, str):
            raise ValueError(f"{self.path or self.title}: {self.formula or 'no number is known'}")
        return float(self.value)

    @property
    def known(self) -> bool:
        """Whether there is a value."""
        return self.value is not None

    def text(self, system: units.System = "si") -> str:
        """The value with its unit as shown to people."""
        return units.text(self.value, self.unit, system)


_PUT = tuple(getattr(Figure, name).__set__ for name in Figure.__slots__)


def figure_of(
    value: Value,
    unit: str,
    title: str,
    path: str,
    formula: str,
    operands: tuple[tuple[str, Figure], ...],
    source: str,
    low: float | None = None,
    high: float | None = None,
    *,
    _make: Any = object.__new__,
    _put: Any = _PUT,
) -> Figure:
    """Return a figure in half the time of a frozen dataclass's own ``__init__``: an edit makes hundreds of them."""
    figure: Figure = _make(Figure)
    value_, unit_, title_, path_, formula_, operands_, source_, low_, high_ = _put
    value_(figure, value)
    unit_(figure, unit)
    title_(figure, title)
    path_(figure, path)
    formula_(figure, formula)
    operands_(figure, operands)
    source_(figure, source)
    low_(figure, low)
    high_(figure, high)
    return figure


@dataclass(frozen=True)
class Equation:
    """What an equation function says of itself."""

    formula: str
    unit: str
    source: str


def equation(formula: str, unit: str = "", source: str = "") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Mark a pure function as an equation: its formula in symbols, the unit of its answer and where it comes from."""

    def mark(function: Callable[..., Any]) -> Callable[..., Any]:
        function.__equation__ = Equation(formula, unit, source)  # type: ignore[attr-defined]
        return function

    return mark


def calc(function: Callable[..., Any], /, *, title: str = "", **operands: Figure | float | int | str | bool) -> Figure:
    """Call an equation with figures (or bare numbers) and return a figure that remembers how it was made.

    Args:
        function: marked with :func:`equation`; called with the operands' values by name.
        title: what the answer is.
        operands: figures, or numbers that need no explanation (such as a literal count).
    """
    about: Equation = function.__equation__  # type: ignore[attr-defined]
    # one pass, no generators: a plan is hundreds of these after every edit
    figures: tuple[tuple[str, Figure], ...] = tuple(operands.items())  # type: ignore[arg-type]
    values: dict[str, Any] = {}
    bare = missing = False
    for name, operand in figures:
        if type(operand) is Figure:
            values[name] = value = operand.value
            missing = missing or value is None
        else:
            bare = True
    if bare:
        figures = tuple((k, v if isinstance(v, Figure) else Figure(v, title=k)) for k, v in operands.items())
        values = {k: f.value for k, f in figures}
        missing = None in values.values()
    if missing:
        name, figure = next((k, f) for k, f in figures if f.value is None)
        return Figure(
            None,
            about.unit,
            title,
            formula=figure.formula or f"{figure.title or name} is not known",
            operands=figures,
            source=about.source,
        )
    value = function(**values)
    if type(value) is not float:
        value = _plain(value)
    return figure_of(value, about.unit, title, "", about.formula, figures, about.source)


def stated(
    value: Value,
    unit: str = "",
    title: str = "",
    *,
    formula: str = "",
    source: str = "",
    low: float | None = None,
    high: float | None = None,
    put_in: Mapping[str, Figure] | None = None,
    **operands: Figure,
) -> Figure:
    """Return a figure made by other means than one equation (an array search, a table look-up) with its explanation.

    ``put_in`` holds operands by name beside those given as keywords.
    """
    named = (*operands.items(), *put_in.items()) if put_in else tuple(operands.items())
    return Figure(_plain(value), unit, title, "", formula, named, source, low, high)


def unknown(reason: str, unit: str = "", title: str = "", **operands: Figure) -> Figure:
    """Return a figure with no value, and why."""
    return figure_of(None, unit, title, "", reason, tuple(operands.items()), "")


def constant(name: str, value: float, unit: str, title: str, source: str) -> Figure:
    """Return a sourced constant."""
    return Figure(value, unit, title, f"constant.{name}", source=source)


def _plain(value: Any) -> Value:
    item = getattr(value, "item", None)
    plain: Value = item() if item is not None else value
    return plain


@dataclass(frozen=True)
class Entry:
    """One row of a catalogue, handed to the engine: its fields and where each came from."""

    id: str
    kind: str
    name: str
    fields: Mapping[str, Any]
    sources: Mapping[str, str] = field(default_factory=dict)

    def get(self, name: str, default: Any = None) -> Any:
        """Return the bare value of a field, or ``default`` where the catalogue does not know it."""
        return self.fields.get(name, default)

    @cached_property
    def _figures(self) -> dict[tuple[str, str, str], Figure]:
        return {}

    def fig(self, name: str, unit: str = "", title: str = "") -> Figure:
        """Return a field as a figure with its source; an absent field is an unknown figure that says so."""
        figure = self._figures.get((name, unit, title))
        if figure is None:
            figure = self._figures[name, unit, title] = self._figure_of(name, unit, title)
        return figure

    def _figure_of(self, name: str, unit: str, title: str) -> Figure:
        value = self.fields.get(name)
        words = title or name.replace("_", " ")
        path = f"catalog.{self.id}.{name}"
        if value is None or isinstance(value, list | dict):
            return Figure(None, unit, words, path, formula=f"the catalogue does not know the {words} of {self.name}")
        return Figure(
            value, unit, f"{self.name}: {words}", path, source=self.sources.get(name) or self.sources.get("", "")
        )
