"""How a layer declares what may be set and what follows, and how a figure explains itself.

Everything that shows a number (forms, ``--set``, JSON, *Why?*, reports, charts) is generated from these declarations.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from types import ModuleType, UnionType
from typing import Any, ClassVar, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo

from wattsweights_gui.engine import units

Value = float | int | str | bool | None
Severity = Literal["blocker", "caution", "note"]


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


@dataclass(frozen=True, slots=True)
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


def _figure(
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
    return _figure(value, about.unit, title, "", about.formula, figures, about.source)


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
    return _figure(None, unit, title, "", reason, tuple(operands.items()), "")


def constant(name: str, value: float, unit: str, title: str, source: str) -> Figure:
    """Return a sourced constant."""
    return Figure(value, unit, title, f"constant.{name}", source=source)


def _plain(value: Any) -> Value:
    item = getattr(value, "item", None)
    plain: Value = item() if item is not None else value
    return plain


# ---------------------------------------------------------------------------------------------------------- inputs


@dataclass(frozen=True)
class Setting:
    """What a form, ``--set`` and the manual need to know of one input."""

    title: str
    unit: str = ""
    help: str = ""
    source: str = ""
    group: str = ""
    hard: tuple[float | None, float | None] = (None, None)
    usual: tuple[float | None, float | None] = (None, None)
    catalog: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    step: float | None = None
    implies: tuple[tuple[str, Value], ...] = ()
    when_none: str = ""
    facility: bool = False
    multiline: bool = False


def setting(
    default: Any,
    *,
    title: str,
    unit: str = "",
    help: str,
    source: str = "",
    group: str = "",
    hard: tuple[float | None, float | None] = (None, None),
    usual: tuple[float | None, float | None] = (None, None),
    catalog: str = "",
    choices: Mapping[str, str] | None = None,
    step: float | None = None,
    implies: Mapping[str, Value] | None = None,
    when_none: str = "",
    facility: bool = False,
    multiline: bool = False,
) -> Any:
    """Declare one input.

    Args:
        default: its value until somebody sets it.
        title: the label.
        unit: code in :mod:`units`; the field's name ends in it.
        help: one or two sentences for the tooltip.
        source: where the default comes from.
        group: heading in the form; at most seven fields a group.
        hard: impossible outside; refused.
        usual: odd outside; a finding.
        catalog: kind of catalogue entry that the value names.
        choices: allowed words and their titles (for ``Literal`` fields).
        step: of the spin box.
        implies: other fields of the same layer that an edit of this one sets too.
        when_none: what an empty field means ("no limit", "follows the GPU").
        facility: a limit that the facility sets.
        multiline: free text.
    """
    about = Setting(
        title,
        unit,
        help,
        source,
        group,
        hard,
        usual,
        catalog,
        tuple((choices or {}).items()),
        step,
        tuple((implies or {}).items()),
        when_none,
        facility,
        multiline,
    )
    limits: dict[str, float] = {}
    if hard[0] is not None:
        limits["ge"] = hard[0]
    if hard[1] is not None:
        limits["le"] = hard[1]
    info: Any = Field(default, title=title, description=help, **limits)  # type: ignore[call-overload]
    info.metadata.append(about)
    return info


class Branch(BaseModel):
    """One alternative of a discriminated union inside a layer's inputs; its ``kind`` is a ``Literal``."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
    branch_title: ClassVar[str] = ""


class LayerInputs(BaseModel):
    """Base of every layer's ``Inputs``: frozen, unknown fields refused, never NaN."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
    layer: ClassVar[str] = ""

    @cached_property
    def _figures(self) -> dict[str, Figure]:
        return {}

    def fig(self, name: str) -> Figure:
        """Return one input as a figure; ``name`` may be ``union.field``. Remembered while the value is the same one."""
        holder: BaseModel = self
        first, _, rest = name.partition(".")
        leaf = first
        if rest:
            holder, leaf = getattr(self, first), rest
        value = getattr(holder, leaf)
        remembered = self._figures.get(name)
        if remembered is not None and remembered.value is value:
            return remembered
        about = settings_of(type(holder))[leaf]
        chosen = leaf in holder.model_fields_set
        source = "set in this plan" if chosen else f"default: {about.source or 'ours'}"
        figure = Figure(value, about.unit, about.title, f"{self.layer}.{name}", source=source)
        self._figures[name] = figure
        return figure


@cache
def settings_of(model: type[BaseModel]) -> dict[str, Setting]:
    """Return the settings of a model in declared order; ``kind`` of a branch is left out."""
    return {name: s for name, info in model.model_fields.items() if (s := _setting_of(info)) is not None}


def _setting_of(info: FieldInfo) -> Setting | None:
    return next((m for m in info.metadata if isinstance(m, Setting)), None)


@cache
def branches_of(model: type[BaseModel], name: str) -> dict[str, type[Branch]]:
    """Return the alternatives of a union field by their ``kind``; empty for a plain field."""
    annotation = model.model_fields[name].annotation
    options = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
    found = [o for o in options if inspect.isclass(o) and issubclass(o, Branch)]
    return {get_args(o.model_fields["kind"].annotation)[0]: o for o in found}


def optional(model: type[BaseModel], name: str) -> bool:
    """Return whether a field may be empty."""
    return type(None) in get_args(model.model_fields[name].annotation)


def literals(model: type[BaseModel], name: str) -> tuple[str, ...]:
    """Return the allowed words of a ``Literal`` field, else nothing."""
    annotation = model.model_fields[name].annotation
    if get_origin(annotation) is Literal:
        return tuple(str(a) for a in get_args(annotation))
    return tuple(str(a) for o in get_args(annotation) if get_origin(o) is Literal for a in get_args(o))


class Refused(ValueError):  # noqa: N818 - an edit is refused, the word users see
    """A value that cannot be: the path, and a sentence that says what would be right."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}")
        self.path = path
        self.message = message


def edited(inputs: LayerInputs, name: str, value: Any) -> LayerInputs:
    """Return the inputs with one field changed, validated.

    A union takes the name of an alternative (its fields are then the defaults), a whole alternative as a mapping, or
    ``union.field``. ``name`` may also be ``union.kind``.

    Raises:
        Refused: no such field, or a value that is out of its hard limits or of the wrong type.
    """
    model = type(inputs)
    first, _, rest = name.partition(".")
    path = f"{inputs.layer}.{name}"
    if first not in model.model_fields or first not in settings_of(model):
        raise Refused(path, f"no such field; {inputs.layer} has {', '.join(settings_of(model))}.")
    data: dict[str, Any] = {k: getattr(inputs, k) for k in inputs.model_fields_set}
    branches = branches_of(model, first)
    if branches:
        data[first] = _edited_branch(path, branches, getattr(inputs, first), rest, value)
    elif rest:
        raise Refused(path, f"{first} has no fields of its own.")
    else:
        data[first] = value
    data.update(dict(settings_of(model)[first].implies))
    changed: LayerInputs = validated(model, data, path)
    return changed


def _edited_branch(path: str, branches: Mapping[str, type[Branch]], current: Any, rest: str, value: Any) -> Any:
    if rest in ("", "kind"):
        if isinstance(value, Branch | Mapping):
            return value
        if value not in branches:
            raise Refused(path, f"“{value}” is none of {', '.join(branches)}.")
        return current if value == current.kind else branches[value]()
    branch: type[BaseModel] = type(current)
    known = settings_of(branch)
    if rest not in known:
        owners = [k for k, b in branches.items() if rest in settings_of(b)]
        hint = f"that is a field of {', '.join(owners)}" if owners else f"it has {', '.join(known)}"
        raise Refused(path, f"no such field with {current.kind}; {hint}.")
    data = {k: getattr(current, k) for k in current.model_fields_set | {"kind"}}
    data[rest] = value
    return validated(type(current), data, path)


def reset(inputs: LayerInputs, name: str) -> LayerInputs:
    """Return the inputs with one field back at its default.

    Raises:
        Refused: no such field.
    """
    first, _, rest = name.partition(".")
    data = {k: getattr(inputs, k) for k in inputs.model_fields_set}
    if first not in settings_of(type(inputs)):
        raise Refused(
            f"{inputs.layer}.{name}", f"no such field; {inputs.layer} has {', '.join(settings_of(type(inputs)))}."
        )
    if rest and first in data:
        branch = data[first]
        data[first] = type(branch)(**{k: getattr(branch, k) for k in (branch.model_fields_set | {"kind"}) - {rest}})
    else:
        data.pop(first, None)
    changed: LayerInputs = validated(type(inputs), data, f"{inputs.layer}.{name}")
    return changed


def validated(model: type[BaseModel], data: Mapping[str, Any], path: str) -> Any:
    """Build a model, or refuse in one sentence.

    Raises:
        Refused: with the first thing that is wrong.
    """
    try:
        return model(**data)
    except ValidationError as error:
        first = error.errors()[0]
        where = [str(p) for p in first["loc"]]
        leaf = where[-1] if where else ""
        about = settings_of(model).get(leaf) if leaf else None
        raise Refused(path, _sentence(first, about, leaf)) from None


def _sentence(error: Any, about: Setting | None, leaf: str) -> str:
    got = error.get("input")
    shown = f"“{got}”" if isinstance(got, str | int | float | bool) else "that"
    kind, context = error["type"], error.get("ctx", {})
    label = about.title if about else leaf
    sign = f" {units.symbol(about.unit)}" if about and units.symbol(about.unit) else ""
    if kind in ("greater_than_equal", "greater_than", "less_than_equal", "less_than"):
        low, high = about.hard if about else (None, None)
        if low is not None and high is not None:
            return f"{shown} cannot be: {label} is from {low:g} to {high:g}{sign}."
        if low is not None:
            return f"{shown} cannot be: {label} is at least {low:g}{sign}."
        return f"{shown} cannot be: {label} is at most {high:g}{sign}."
    if kind == "literal_error":
        return f"{shown} is none of {str(context.get('expected', '')).replace(chr(39), '')}."
    if kind in ("int_parsing", "int_type", "int_from_float"):
        return f"{shown} is not a whole number: {label} needs one{sign and ' in' + sign}."
    if kind in ("float_parsing", "float_type", "finite_number"):
        return f"{shown} is not a number: {label} needs one{sign and ' in' + sign}."
    if kind == "bool_parsing":
        return f"{shown} is neither true nor false."
    if kind == "extra_forbidden":
        return f"no such field: {leaf}."
    message = str(error["msg"]).removeprefix("Value error, ")
    return message if message.endswith(".") else message + "."


# --------------------------------------------------------------------------------------------------------- results


@dataclass(frozen=True)
class ResultField:
    """What is said of one result before there is a value."""

    title: str
    unit: str
    help: str
    group: str = ""
    headline: bool = False


def result(title: str, unit: str = "", help: str = "", *, group: str = "", headline: bool = False) -> Any:
    """Declare one result of a layer; ``headline`` results stand on the chain card (at most four a layer)."""
    info: Any = Field(title=title, description=help)
    info.metadata.append(ResultField(title, unit, help, group, headline))
    return info


@dataclass(frozen=True)
class Table:
    """A result with rows: column names, units by column, and plain values."""

    columns: tuple[str, ...]
    units: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    title: str = ""
    source: str = ""


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
        named[name] = _figure(
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


# -------------------------------------------------------------------------------------------------- findings, needs


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


def holders(inputs: LayerInputs) -> list[tuple[str, BaseModel]]:
    """Return the inputs and their chosen alternatives, each with the prefix of its fields' names."""
    found: list[tuple[str, BaseModel]] = [("", inputs)]
    found += [(f"{n}.", v) for n in settings_of(type(inputs)) if isinstance(v := getattr(inputs, n), Branch)]
    return found


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
