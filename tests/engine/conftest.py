"""Fixtures of the engine's tests: a hall whose cluster and storage are given, so that only its facility is sized."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import pytest

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine import chain
from wattsweights_gui.engine.declare import Figure, Table, results, results_of, unknown
from wattsweights_gui.engine.layers import cluster, storage
from wattsweights_gui.engine.plan import default_plan

FACILITY = ("power", "cooling", "floor")


def _built(layer: Any, **known: Any) -> Any:
    """Return a layer's result with what is known; the rest is unknown and tables are empty."""
    made: dict[str, Any] = {}
    for name, about in results_of(layer.Result).items():
        if layer.Result.model_fields[name].annotation is Table:
            made[name] = Table((), (), ())
        elif name in known:
            made[name] = Figure(known[name], about.unit, name, formula="given")
        else:
            made[name] = unknown("not given", about.unit)
    return results(layer.Result, **made)


def before(
    nodes: int = 128,
    nodes_per_rack: int = 4,
    gpus_per_node: int = 8,
    system: str | None = "dgx_h100",
    switch_kw: float | None = 100.0,
    storage_kw: float | None = 20.0,
) -> dict[str, Any]:
    """Return the results of cluster and storage for a number of nodes."""
    known: dict[str, Any] = {
        "gpus": nodes * gpus_per_node,
        "nodes": nodes,
        "nodes_per_rack": nodes_per_rack,
        "compute_racks": math.ceil(nodes / nodes_per_rack),
        "network_racks": 3,
    }
    if switch_kw is not None:
        known |= {"switch_power_kw": switch_kw, "switch_power_typical_kw": switch_kw * 0.6}
    if system is not None:
        known["system"] = system
    kept = {"racks": 1} if storage_kw is None else {"racks": 1, "power_kw": storage_kw}
    return {"cluster": _built(cluster, **known), "storage": _built(storage, **kept)}


NVL72 = {"nodes": 8, "nodes_per_rack": 1, "gpus_per_node": 72, "system": "dgx_gb200_nvl72"}


def sized(*edits: tuple[str, Any], **given: Any) -> chain.Evaluation:
    """Return power, cooling and floor of the default plan with edits."""
    return chain.evaluate(default_plan(edits), catalog(), given=before(**given), layers=FACILITY)


def value(evaluation: chain.Evaluation, path: str) -> float:
    """Return a result's number."""
    return evaluation.figure(path).number


def findings(evaluation: chain.Evaluation) -> dict[str, Any]:
    """Return the findings by id."""
    return {f.id: f for f in evaluation.findings}


def needs(evaluation: chain.Evaluation) -> dict[str, Any]:
    """Return the needs by quantity."""
    return {n.quantity: n for n in evaluation.needs}


@pytest.fixture(scope="session")
def hall() -> SimpleNamespace:
    """What tests of power, cooling and floor call."""
    return SimpleNamespace(
        sized=sized, before=before, value=value, findings=findings, needs=needs, nvl72=NVL72, layers=FACILITY
    )
