"""Cluster: nodes, scalable units, switches and cables"""

from __future__ import annotations

from typing import Any, Literal

from wattsweights_gui.engine.declare import (
    Figure,
    LayerInputs,
    LayerResult,
    Sized,
    result,
    results,
    setting,
    unknown,
)

NAME = "cluster"
TITLE = "Cluster"
ABOUT = "nodes, scalable units, switches and cables"


class Inputs(LayerInputs):
    """Which system and how it is racked."""

    system: str | None = setting(
        None,
        title="System",
        help="The server or rack-scale system.",
        catalog="system",
        when_none="the one for this GPU",
    )
    nodes_per_rack: int | None = setting(
        None,
        title="Nodes a rack",
        help="Compute nodes in one rack.",
        hard=(1, 64),
        when_none="the reference design's densest",
    )
    spare_nodes_pct: float = setting(
        0.0,
        title="Spare nodes",
        unit="pct",
        help="Nodes beside those that the job uses.",
        source="none; 5 to 10 % is the usual advice (S. Bekman)",
        hard=(0, 100),
        usual=(0, 15),
    )
    fabric_manager: Literal["none", "in_compute_fabric"] = setting(
        "none",
        title="Fabric manager",
        help="UFM inside the compute fabric takes four leaf ports and displaces a node.",
        source="DGX SuperPOD tables for larger sizes",
        choices={"none": "On its own", "in_compute_fabric": "In the compute fabric"},
    )


class Result(LayerResult):
    """What follows."""

    nodes: Figure = result("Nodes", "count", "Compute nodes, spares included.", headline=True)
    gpus: Figure = result("GPUs installed", "count", "GPUs of all nodes, spares included.")
    scalable_units: Figure = result("Scalable units", "count", "Whole units needed.", headline=True)
    leaf_switches: Figure = result("Leaf switches", "count", "Of the compute fabric.", headline=True)
    spine_switches: Figure = result("Spine switches", "count", "Of the compute fabric.")
    core_switches: Figure = result("Core switches", "count", "Of the compute fabric; 0 in two tiers.")
    node_leaf_cables: Figure = result("Cables node to leaf", "count", "Of the compute fabric.")
    leaf_spine_cables: Figure = result("Cables leaf to spine", "count", "Of the compute fabric.")
    spine_core_cables: Figure = result("Cables spine to core", "count", "Of the compute fabric.")
    storage_switches: Figure = result("Storage switches", "count", "Of the storage fabric.")
    management_switches: Figure = result("In-band and out-of-band switches", "count", "Management networks.")
    nodes_per_rack: Figure = result("Nodes a rack", "count", "As planned.")
    compute_racks: Figure = result("Compute racks", "count", "Racks with compute nodes.")
    network_racks: Figure = result("Network racks", "count", "Racks with switches and management servers.")
    system: Figure = result("System", "text", "Catalogue name of the server or rack-scale system.")
    switch_power_kw: Figure = result("Switches, maximum", "kw", "All switches of all networks, at their maximum.")
    switch_power_typical_kw: Figure = result("Switches, typical", "kw", "All switches of all networks, as typical.")


def size(inputs: Inputs, up: Any) -> Sized:
    """Size the layer. Skeleton: every figure is unknown."""
    figures = {name: unknown("not sized yet", about.unit) for name, about in _declared().items()}
    return Sized(results(Result, **figures))


def _declared() -> dict[str, Any]:
    from wattsweights_gui.engine.declare import results_of

    return results_of(Result)
