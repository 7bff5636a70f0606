"""How a layer declares what may be set; how an edit is validated, or refused with a sentence."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from types import UnionType
from typing import Any, ClassVar, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo

from wattsweights_gui.engine import units
from wattsweights_gui.engine.figures import Figure, Value


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
    from_file: str = ""


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
    from_file: str = "",
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
        from_file: kinds of files whose text may be put there, as a dialog names them.
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
        from_file,
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
    shown = "that"
    if isinstance(got, float):
        shown = f"“{got:g}”"
    elif isinstance(got, str | int):
        shown = f"“{got}”"
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


def holders(inputs: LayerInputs) -> list[tuple[str, BaseModel]]:
    """Return the inputs and their chosen alternatives, each with the prefix of its fields' names."""
    found: list[tuple[str, BaseModel]] = [("", inputs)]
    found += [(f"{n}.", v) for n in settings_of(type(inputs)) if isinstance(v := getattr(inputs, n), Branch)]
    return found
