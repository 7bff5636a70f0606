"""A layer's inputs as JSON values and the list of fields that somebody set, and back, to the last digit."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from wattsweights_gui.engine import declare
from wattsweights_gui.engine.declare import Branch, LayerInputs, Refused
from wattsweights_gui.engine.layers import LAYERS
from wattsweights_gui.engine.plan import Plan, ProjectInfo

# raised by one when the meaning of a layer's fields changes; new fields alone do not change it
INPUTS_VERSION = 1
MODELS: dict[str, type[LayerInputs]] = {"project": ProjectInfo, **{layer.name: layer.inputs for layer in LAYERS}}


@dataclass
class Reading:
    """What was noticed while reading a plan.

    Attributes:
        remarks: sentences for the user; nothing was lost.
        set_aside: path, the value as it stood in the file, and why it cannot be used.
    """

    remarks: list[str] = field(default_factory=list)
    set_aside: list[tuple[str, Any, str]] = field(default_factory=list)


def encoded(inputs: LayerInputs) -> tuple[dict[str, Any], list[str]]:
    """Return all values, and the names (``field`` or ``union.field``) of those that somebody set."""
    chosen: list[str] = []
    for name in type(inputs).model_fields:
        value = getattr(inputs, name)
        if name in inputs.model_fields_set:
            chosen.append(name)
        if isinstance(value, Branch):
            chosen += [f"{name}.{inner}" for inner in type(value).model_fields if inner in value.model_fields_set]
    return inputs.model_dump(mode="json"), chosen


def plan_encoded(plan: Plan) -> dict[str, Any]:
    """Return every layer's version, values and set fields, the title block as ``project``."""
    encoded_layers: dict[str, Any] = {}
    for name in ("project", *plan.layers):
        values, chosen = encoded(plan.inputs(name))
        encoded_layers[name] = {"version": INPUTS_VERSION, "inputs": values, "set": chosen}
    return encoded_layers


def plan_decoded(layers: Mapping[str, tuple[Any, Any]], reading: Reading) -> Plan:
    """Return the plan of values and set fields by layer; a layer that is absent has its defaults.

    What cannot be used is left at its default and listed in ``reading.set_aside``: it is for the caller to refuse.
    """
    inputs = {name: decoded(model, *layers.get(name, ({}, ())), reading) for name, model in MODELS.items()}
    info: Any = inputs.pop("project")
    return Plan.model_construct(info=info, layers={layer.name: inputs[layer.name] for layer in LAYERS})


def decoded(model: type[LayerInputs], values: Any, chosen: Any, reading: Reading) -> LayerInputs:
    """Return a layer's inputs from the values of a file.

    A field that nobody had set is left unset, unless its default has changed since: then the value of the file stays,
    as if somebody had set it, because opening a file must not change a number.
    """
    layer = model.layer
    if not isinstance(values, dict):
        reading.set_aside.append((layer, values, "its values are not listed by name."))
        return model()
    set_names = {name for name in chosen if isinstance(name, str)} if isinstance(chosen, list | tuple) else set()
    data: dict[str, Any] = {}
    for name, raw in values.items():
        path = f"{layer}.{name}"
        if name not in declare.settings_of(model):
            reading.set_aside.append((path, raw, "this version has no such field."))
        elif branches := declare.branches_of(model, name):
            branch = _branch(
                path, branches, raw, {n.partition(".")[2] for n in set_names if n.startswith(f"{name}.")}, reading
            )
            if branch is not None and (name in set_names or _differs(model.model_fields[name].default, branch)):
                data[name] = branch
        elif name in set_names:
            data[name] = raw
        elif not _same(raw, (default := model.model_fields[name].default)):
            data[name] = raw
            reading.remarks.append(_default_changed(path, raw, default))
    built: LayerInputs = _built(model, layer, data, reading)
    return built


def _branch(
    path: str, branches: Mapping[str, type[Branch]], raw: Any, chosen: set[str], reading: Reading
) -> Branch | None:
    kind = raw.get("kind") if isinstance(raw, dict) else raw
    if not isinstance(kind, str) or kind not in branches:
        reading.set_aside.append((path, raw, f"it is none of {', '.join(branches)}."))
        return None
    model = branches[kind]
    data: dict[str, Any] = {"kind": kind} if "kind" in chosen else {}
    for name, value in raw.items() if isinstance(raw, dict) else ():
        if name == "kind":
            continue
        if name not in declare.settings_of(model):
            reading.set_aside.append((f"{path}.{name}", value, f"this version has no such field with {kind}."))
        elif name in chosen:
            data[name] = value
        elif not _same(value, (default := model.model_fields[name].default)):
            data[name] = value
            reading.remarks.append(_default_changed(f"{path}.{name}", value, default))
    built: Branch = _built(model, path, data, reading)
    return built


def _built(model: Any, path: str, data: dict[str, Any], reading: Reading) -> Any:
    """Build a model; each field that is refused is set aside, and the rest is kept."""
    while True:
        try:
            return model(**data)
        except ValidationError as error:
            where = [str(p) for p in error.errors(include_url=False, include_context=False)[0]["loc"]]
            try:
                declare.validated(model, data, path)
                reason = "it cannot be read."
            except Refused as refused:
                reason = refused.message
            if where and where[0] in data:
                reading.set_aside.append((f"{path}.{where[0]}", data.pop(where[0]), reason))
            elif data:
                reading.set_aside.append((path, {k: _plain(v) for k, v in data.items()}, reason))
                data = {}
            else:
                raise


def _differs(default: Any, branch: Branch) -> bool:
    """Whether a branch that nobody chose is not what the default of today says, down to which fields are set."""
    return type(default) is not type(branch) or default != branch or bool(branch.model_fields_set)


def _same(raw: Any, default: Any) -> bool:
    if isinstance(raw, bool) or isinstance(default, bool):
        return raw is default
    return bool(raw == default)


def _plain(value: Any) -> Any:
    return value.model_dump(mode="json") if isinstance(value, Branch) else value


def _default_changed(path: str, value: Any, default: Any) -> str:
    today = "to leave it empty" if default is None else json.dumps(default)
    return f"{path} stays at {json.dumps(value)} as saved; its default is {today} today."
