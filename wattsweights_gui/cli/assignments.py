"""``PATH=VALUE`` as people write it: typed by what is declared of the field."""

from __future__ import annotations

import json
from collections.abc import Iterable
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from wattsweights_gui.engine import declare, units
from wattsweights_gui.engine.declare import Refused
from wattsweights_gui.engine.plan import Edit, Plan
from wattsweights_gui.exchange.text_file import NotText, text_of

_YES = frozenset({"true", "yes", "on", "1"})
_NO = frozenset({"false", "no", "off", "0"})
_EMPTY = frozenset({"", "none", "null", "–"})


def assigned(plan: Plan, assignments: Iterable[str]) -> tuple[Plan, list[Edit]]:
    """Return the plan with the assignments applied in order, and the edits that they were.

    Raises:
        Refused: the first that cannot be; the plan given is unchanged.
    """
    edits: list[Edit] = []
    for written in assignments:
        path, equals, typed = written.partition("=")
        if not equals:
            raise Refused(written, "write it as layer.field=value.")
        edit = (field_path(path.strip()), typed.strip())
        edit = (edit[0], typed_value(plan, *edit))
        plan = plan.edit(edit)
        edits.append(edit)
    return plan, edits


def field_path(path: str) -> str:
    """Return ``layer.field`` of a path that may be written as in the JSON, ``layers.layer.inputs.field``."""
    parts = path.split(".")
    if len(parts) > 3 and parts[0] == "layers" and parts[2] == "inputs":
        return ".".join([parts[1], *parts[3:]])
    return path


def typed_value(plan: Plan, path: str, typed: str) -> Any:
    """Return what was typed as a value of the field's type, in the field's own unit.

    Raises:
        Refused: it is no value of that type. A field that does not exist is left to the plan to refuse.
    """
    layer, _, name = path.partition(".")
    inputs = plan.inputs(layer)
    first, _, rest = name.partition(".")
    model: type[BaseModel] = type(inputs)
    if first not in declare.settings_of(model):
        return typed
    if branches := declare.branches_of(model, first):
        if rest in ("", "kind"):
            return _alternative(path, typed, branches)
        model = type(getattr(inputs, first))
        first = rest
    about = declare.settings_of(model).get(first)
    if about is None:
        return typed
    kinds = _kinds(model, first)
    if NoneType in kinds and typed.casefold() in _EMPTY:
        return None
    if words := declare.literals(model, first):
        return _word(typed, words, dict(about.choices))
    if about.multiline and typed.startswith("@"):
        return _text_of_file(path, typed[1:].strip(), bool(about.from_file))
    if bool in kinds:
        return _truth(path, typed)
    if float in kinds or int in kinds:
        return _number(path, typed, about.unit, whole=float not in kinds)
    return typed


def _text_of_file(path: str, file: str, named: bool) -> str:
    try:
        return text_of(file, named)
    except NotText as error:
        raise Refused(path, str(error)) from None


def _kinds(model: type[BaseModel], name: str) -> set[Any]:
    annotation = model.model_fields[name].annotation
    options = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
    return {Literal if get_origin(o) is Literal else o for o in options}


def _alternative(path: str, typed: str, branches: dict[str, type[declare.Branch]]) -> Any:
    if typed.startswith("{"):
        try:
            return json.loads(typed)
        except (ValueError, RecursionError):
            raise Refused(path, "this is no JSON object; write the name of an alternative, or one whole.") from None
    return _word(typed, tuple(branches), {kind: b.branch_title for kind, b in branches.items()})


def _word(typed: str, words: tuple[str, ...], titles: dict[str, str]) -> str:
    """Return the word that was meant, whatever its case, by its name or its title; else what was typed."""
    if typed in words:
        return typed
    for word in words:
        if typed.casefold() in (word.casefold(), titles.get(word, "").casefold()):
            return word
    return typed


def _truth(path: str, typed: str) -> bool:
    if typed.casefold() in _YES:
        return True
    if typed.casefold() in _NO:
        return False
    raise Refused(path, f"“{typed}” is neither true nor false.")


def _number(path: str, typed: str, unit: str, whole: bool) -> float | int:
    try:
        value = units.parse(typed, unit)
    except ValueError as error:
        raise Refused(path, str(error)) from None
    return int(value) if whole and value.is_integer() else value
