"""The chain: layers in order, each handed what came before; which layers' results changed."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from wattsweights_gui.engine import declare
from wattsweights_gui.engine.declare import Entry, Finding, LayerInputs, LayerResult, Need
from wattsweights_gui.engine.layers import LAYERS
from wattsweights_gui.engine.placed_racks import PlacedRacks, count_findings, counts_as_placed, fullest
from wattsweights_gui.engine.plan import Plan

FACILITY = ("power", "cooling", "floor")
"""Layers that count the placed racks where there are some."""


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
    """What a layer is handed: results before it (``up.workload.total_params``), any layer's inputs, the catalogue.

    ``placed`` are the racks that the facility's layers count; ``None`` where they count what the plan asks for.
    """

    def __init__(
        self,
        plan: Plan,
        catalog: Catalog,
        results: Mapping[str, LayerResult],
        placed: PlacedRacks | None = None,
    ) -> None:
        self._plan = plan
        self._results = results
        self.catalog = catalog
        self.placed = placed

    def __getattr__(self, layer: str) -> Any:
        try:
            return self._results[layer]
        except KeyError:
            raise AttributeError(f"{layer} has not been sized yet: a layer may use only results before it") from None

    def with_counts(self, placed: PlacedRacks, counts: Mapping[str, Any]) -> Upstream:
        """Return the same with other results of some layers, which are the counts of the placed racks."""
        return Upstream(self._plan, self.catalog, {**self._results, **counts}, placed)

    def take(self, layer: str, result: LayerResult) -> None:
        """Take in the result of a layer that has been sized."""
        self._results = {**self._results, layer: result}

    def inputs(self, layer: str) -> Any:
        """Return the inputs of any layer of the plan."""
        return self._plan.layers[layer]

    def entry(self, id: str) -> Entry:
        """Return a catalogue entry by id."""
        return self.catalog.entry(id)


@dataclass(frozen=True)
class Evaluation:
    """A plan and everything that follows from it.

    ``placed`` are the racks that power, cooling and floor follow; ``None`` where they follow the plan's own counts.
    """

    plan: Plan
    catalog: Catalog
    results: Mapping[str, Any]
    findings: tuple[Finding, ...]
    needs: tuple[Need, ...]
    placed: PlacedRacks | None = None

    @property
    def counted(self) -> Upstream:
        """What the facility's layers were handed: counts of the placed racks, where they follow those."""
        return as_counted(Upstream(self.plan, self.catalog, self.results), self.placed)

    @property
    def fullest_rack(self) -> str:
        """Name of the placed rack that draws most; empty where the numbers follow the plan."""
        return fullest(self.counted)[0]

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
    placed: PlacedRacks | None = None,
) -> Evaluation:
    """Size the layers in order.

    Args:
        plan: what is set.
        catalog: what it names.
        given: results that are not to be sized again (facility up sizes from the GPUs down).
        layers: only these, where the rest is given.
        placed: racks that power, cooling and floor follow, unless the plan says that they follow the plan.

    Raises:
        Refused: an input names a catalogue entry that does not exist, or values that cannot go together.
    """
    refuse_unknown_names(plan, catalog)
    results: dict[str, Any] = dict(given or {})
    wanted = set(layers) if layers is not None else None
    findings: list[Finding] = []
    needs: list[Need] = []
    up = Upstream(plan, catalog, results)
    if placed is not None and (not placed.racks or plan.layers["floor"].counted != "placed"):  # type: ignore[attr-defined]
        placed = None
    counted: Upstream | None = None
    for layer in LAYERS:
        if (wanted is not None and layer.name not in wanted) or (wanted is None and layer.name in results):
            continue
        inputs: LayerInputs = plan.layers[layer.name]
        if layer.name in FACILITY and placed is not None:
            counted = counted or as_counted(up, placed)
            sized = layer.size(inputs, counted)
            counted.take(layer.name, sized.result)
        else:
            sized = layer.size(inputs, up)
        results[layer.name] = sized.result
        findings += declare.odd_values(inputs)
        findings += sized.findings
        needs += sized.needs
    if counted is not None and "power" in results:
        findings += count_findings(up, counted)
    return Evaluation(plan, catalog, results, tuple(findings), tuple(needs), placed)


def as_counted(up: Upstream, placed: PlacedRacks | None) -> Upstream:
    """Return what the facility's layers are handed: the same, with the counts of the placed racks."""
    return up if placed is None else up.with_counts(placed, counts_as_placed(up, placed))


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
