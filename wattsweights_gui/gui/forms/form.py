"""A layer's form, generated from its declaration: groups of fields, alternatives with fields of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from wattsweights_gui.engine import declare
from wattsweights_gui.gui.forms.field import Field
from wattsweights_gui.gui.theme import SPACE


class _FieldsPart(QWidget):
    """The fields of one model, by group; a union is followed by the fields of its chosen alternative."""

    def __init__(self, session: Any, theme: Any, prefix: str, model: type[BaseModel]) -> None:
        super().__init__()
        self.session, self.theme, self.prefix = session, theme, prefix
        self.fields: dict[str, Field] = {}
        self._chosen: dict[str, dict[str, _FieldsPart]] = {}
        self._places: dict[str, QGridLayout] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(SPACE)
        grid.setVerticalSpacing(SPACE)
        grid.setColumnStretch(0, 5)
        grid.setColumnStretch(1, 6)
        row = 0
        for group, names in _grouped(model):
            if group:
                heading = QLabel(group)
                heading.setProperty("role", "group")
                grid.addWidget(heading, row, 0, 1, 3)
                row += 1
            for name in names:
                about = declare.settings_of(model)[name]
                field = Field(session, theme, f"{prefix}{name}", model, name, about)
                field.setParent(self)
                self.fields[name] = field
                row = field.place(grid, row)
                if declare.branches_of(model, name):
                    place = QGridLayout()
                    place.setContentsMargins(2 * SPACE, 0, 0, 0)
                    grid.addLayout(place, row, 0, 1, 3)
                    self._places[name], self._chosen[name] = place, {}
                    row += 1

    def refresh(self, origin: object = None) -> None:
        """Show the plan's values in all fields but the one that made the edit."""
        for name, field in self.fields.items():
            if field.editor is not origin:
                field.refresh()
            if name in self._places:
                self._show_alternative(name, origin)

    def all_fields(self) -> Iterator[Field]:
        """Yield the fields that apply."""
        for name, field in self.fields.items():
            yield field
            part = self._part(name)
            if part is not None:
                yield from part.all_fields()

    def _part(self, name: str) -> _FieldsPart | None:
        if name not in self._chosen:
            return None
        return self._chosen[name].get(self.session.plan.value(f"{self.prefix}{name}").kind)

    def _show_alternative(self, name: str, origin: object) -> None:
        branch = self.session.plan.value(f"{self.prefix}{name}")
        parts = self._chosen[name]
        if branch.kind not in parts:
            parts[branch.kind] = part = _FieldsPart(self.session, self.theme, f"{self.prefix}{name}.", type(branch))
            self._places[name].addWidget(part, 0, 0)
        for kind, part in parts.items():
            part.setVisible(kind == branch.kind)
        parts[branch.kind].refresh(origin)


def _grouped(model: type[BaseModel]) -> list[tuple[str, list[str]]]:
    groups: dict[str, list[str]] = {}
    for name, about in declare.settings_of(model).items():
        groups.setdefault(about.group, []).append(name)
    return list(groups.items())


class LayerForm(_FieldsPart):
    """The form of a layer's inputs, or of the title block (``project``)."""

    def __init__(self, session: Any, theme: Any, layer: str) -> None:
        super().__init__(session, theme, f"{layer}.", type(session.plan.inputs(layer)))
        self.layer = layer
        self.refresh()

    def field(self, path: str) -> Field | None:
        """Return a field by its path, ``None`` where it does not apply now."""
        return next((f for f in self.all_fields() if f.path == path), None)
