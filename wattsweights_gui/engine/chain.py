"""The chain: layers in order, each handed what came before; which layers' results changed."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from wattsweights_gui.engine import declare
from wattsweights_gui.engine.declare import Entry, Finding, LayerInputs, LayerResult, Need
from wattsweights_gui.engine.layers import LAYERS
from wattsweights_gui.engine.plan import Plan


class Catalog(Protocol):
    """The hardware that layers may name; loaded elsewhere and handed to the engine."""

    def entry(self, id: str) -> Entry:
        """Return the entry of an id.

        Raises:
            KeyError: no such entry.
        """
        ...

    def of_kind(self, kind: str) -> tuple[Entry, ...]:
        """Return all entries of a kind, in catalogue order."""
        ...


class Upstream:
    """What a layer is handed: results before it (``up.workload.total_params``), any layer's inputs, the catalogue."""

    def __init__(self, plan: Plan, catalog: Catalog, results: Mapping[str, LayerResult]) -> None:
        self._plan = plan
        self._results = results
        self.catalog = catalog

    def __getattr__(self, layer: str) -> Any:
        try:
            return self._results[layer]
        except KeyError:
            raise AttributeError(f"{layer} has not been sized yet: a layer may use only results before it") from None

    def inputs(self, layer: str) -> Any:
        """Return the inputs of any layer of the plan."""
        return self._plan.layers[layer]

    def entry(self, id: str) -> Entry:
        """Return a catalogue entry by id."""
        return self.catalog.entry(id)


@dataclass(frozen=True)
class Evaluation:
    """A plan and everything that follows from it."""

    plan: Plan
    catalog: Catalog
    results: Mapping[str, Any]
    findings: tuple[Finding, ...]
    needs: tuple[Need, ...]

    def figure(self, path: str) -> declare.Figure:
        """Return the figure at ``layers.x.result.y``, ``x.y`` (result first, then input) or ``layers.x.inputs.y``.

        Raises:
            KeyError: no such figure.
        """
        parts = path.split(".")
        if parts[0] == "layers" and len(parts) > 3:
            parts = [parts[1], *parts[2:]]
            kind, name = parts[1], ".".join(parts[2:])
        else:
            kind, name = "", ".".join(parts[1:])
        layer = parts[0]
        outcome = self.results.get(layer)
        if outcome is not None and kind in ("", "result") and name in type(outcome).model_fields:
            found = getattr(outcome, name)
            if isinstance(found, declare.Figure):
                return found
        if kind in ("", "inputs") and (layer == "project" or layer in self.plan.layers):
            try:
                self.plan.value(f"{layer}.{name}")
                return self.plan.inputs(layer).fig(name)
            except (declare.Refused, KeyError):
                pass
        raise KeyError(path)


def evaluate(
    plan: Plan,
    catalog: Catalog,
    *,
    given: Mapping[str, LayerResult] | None = None,
    layers: Iterable[str] | None = None,
) -> Evaluation:
    """Size the layers in order.

    Args:
        plan: what is set.
        catalog: what it names.
        given: results that are not to be sized again (facility up sizes from the GPUs down).
        layers: only these, where the rest is given.

    Raises:
        Refused: an input names a catalogue entry that does not exist, or values that cannot go together.
    """
    refuse_unknown_names(plan, catalog)
    results: dict[str, Any] = dict(given or {})
    wanted = set(layers) if layers is not None else None
    findings: list[Finding] = []
    needs: list[Need] = []
    up = Upstream(plan, catalog, results)
    for layer in LAYERS:
        if (wanted is not None and layer.name not in wanted) or (wanted is None and layer.name in results):
            continue
        inputs: LayerInputs = plan.layers[layer.name]
        sized = layer.size(inputs, up)
        results[layer.name] = sized.result
        findings += declare.odd_values(inputs)
        findings += sized.findings
        needs += sized.needs
    return Evaluation(plan, catalog, results, tuple(findings), tuple(needs))


def refuse_unknown_names(plan: Plan, catalog: Catalog) -> None:
    """Check every input that names a catalogue entry.

    Raises:
        Refused: the first that names none of its kind, with the nearest names that exist.
    """
    for name, inputs in plan.layers.items():
        for prefix, holder in declare.holders(inputs):
            for field, about in declare.settings_of(type(holder)).items():
                value = getattr(holder, field)
                if about.catalog and value is not None:
                    known = {entry.id for entry in catalog.of_kind(about.catalog)}
                    if value not in known:
                        near = difflib.get_close_matches(str(value), known, 4, 0.3) or sorted(known)[:6]
                        raise declare.Refused(
                            f"{name}.{prefix}{field}",
                            f"“{value}” is no {about.catalog.replace('_', ' ')} of the catalogue; "
                            f"there is {', '.join(near)}.",
                        )


def changed(before: Evaluation | None, after: Evaluation) -> tuple[str, ...]:
    """Return the names of the layers whose inputs or plain results differ, in chain order."""
    if before is None:
        return tuple(after.results)
    return tuple(
        name
        for name, outcome in after.results.items()
        if _differ(before.results[name], outcome) or before.plan.layers[name] != after.plan.layers[name]
    )


def _differ(before: LayerResult, after: LayerResult) -> bool:
    if before is after:
        return False
    for name in type(after).model_fields:
        old, new = getattr(before, name), getattr(after, name)
        if old is not new and (
            old.value != new.value or old.low != new.low or old.high != new.high
            if isinstance(new, declare.Figure)
            else old != new
        ):
            return True
    return False
