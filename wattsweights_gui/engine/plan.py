"""The plan: every layer's inputs and what the title block of a sheet says. Frozen; an edit makes a new one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, SerializeAsAny

from wattsweights_gui.engine import declare
from wattsweights_gui.engine.declare import LayerInputs, Refused, setting
from wattsweights_gui.engine.layers import LAYERS, layer_named

Edit = tuple[str, Any]


class ProjectInfo(LayerInputs):
    """What the title block of every sheet says."""

    project: str = setting("Untitled", title="Project", help="Name of the project, as printed in the title block.")
    customer: str = setting("", title="Customer", help="Who the plan is for.")
    site: str = setting("", title="Site", help="Building, hall and row, as the facilities team names them.")
    revision: str = setting("A", title="Revision", help="Revision letter or number of the drawings.")
    author: str = setting("", title="By", help="Who made the plan.")
    checked: str = setting("", title="Checked", help="Who checked the plan.")
    date: str = setting(
        "", title="Date", help="Date of the revision, as it is to be printed.", when_none="the day of printing"
    )
    notes: str = setting("", title="Notes", help="Anything the reader of the plan should know.", multiline=True)


ProjectInfo.layer = "project"


class Plan(BaseModel):
    """All inputs by layer name, in chain order, and the project's own data."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    info: ProjectInfo
    layers: dict[str, SerializeAsAny[LayerInputs]]

    def inputs(self, layer: str) -> LayerInputs:
        """Return one layer's inputs (``project`` is the title block's).

        Raises:
            Refused: no such layer.
        """
        if layer == "project":
            return self.info
        if layer not in self.layers:
            raise Refused(layer, f"no such layer; there are project, {', '.join(self.layers)}.")
        return self.layers[layer]

    def value(self, path: str) -> Any:
        """Return the value at ``layer.field`` or ``layer.union.field``.

        Raises:
            Refused: no such field.
        """
        layer, _, name = path.partition(".")
        holder: Any = self.inputs(layer)
        for part in name.split("."):
            if not isinstance(holder, BaseModel) or part not in type(holder).model_fields:
                raise Refused(path, "no such field.")
            holder = getattr(holder, part)
        return holder

    def edit(self, *edits: Edit) -> Plan:
        """Return the plan with edits applied in order, all or none.

        Raises:
            Refused: the first edit that cannot be.
        """
        changed: dict[str, LayerInputs] = {}
        for path, value in edits:
            layer, _, name = path.partition(".")
            if not name:
                raise Refused(path, "write it as layer.field.")
            changed[layer] = declare.edited(changed.get(layer) or self.inputs(layer), name, value)
        return self._with(changed)

    def reset(self, *paths: str) -> Plan:
        """Return the plan with fields back at their defaults.

        Raises:
            Refused: no such field.
        """
        changed: dict[str, LayerInputs] = {}
        for path in paths:
            layer, _, name = path.partition(".")
            changed[layer] = declare.reset(changed.get(layer) or self.inputs(layer), name)
        return self._with(changed)

    def _with(self, changed: Mapping[str, LayerInputs]) -> Plan:
        info: Any = changed.get("project", self.info)
        return Plan.model_construct(info=info, layers={k: changed.get(k, v) for k, v in self.layers.items()})


def default_plan(edits: Iterable[Edit] = ()) -> Plan:
    """Return a plan in which every field has its default, then the edits."""
    return Plan(info=ProjectInfo(), layers={layer.name: layer.inputs() for layer in LAYERS}).edit(*edits)


def fields_of(plan: Plan) -> dict[str, declare.Setting]:
    """Return every path that may be set in this plan as it stands, with its declaration, in chain order."""
    found: dict[str, declare.Setting] = {}
    for layer in ("project", *plan.layers):
        inputs = plan.inputs(layer)
        for name, about in declare.settings_of(type(inputs)).items():
            found[f"{layer}.{name}"] = about
            branch = getattr(inputs, name)
            if isinstance(branch, declare.Branch):
                for inner, inner_about in declare.settings_of(type(branch)).items():
                    found[f"{layer}.{name}.{inner}"] = inner_about
    return found


__all__ = ["Edit", "Plan", "ProjectInfo", "default_plan", "fields_of", "layer_named"]
