"""Fabric: the links inside and between nodes"""

from __future__ import annotations

from typing import Any

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

NAME = "fabric"
TITLE = "Fabric"
ABOUT = "the links inside and between nodes"


class Inputs(LayerInputs):
    """Which design and how it is cut."""

    design: str | None = setting(
        None,
        title="Reference design",
        help="The published cluster design that is followed.",
        catalog="reference_design",
        when_none="the one for this GPU",
    )
    nic_gbit_s: float | None = setting(
        None,
        title="NIC rate a GPU",
        unit="gbit_s",
        help="Scale-out rate of one GPU, one direction.",
        hard=(1, 100000),
        when_none="the system's own",
    )
    oversubscription: float = setting(
        1.0,
        title="Leaf oversubscription",
        unit="ratio",
        help="Leaf down-links over up-links; 1 is non-blocking.",
        source="DGX SuperPOD",
        hard=(1, 32),
        usual=(1, 7),
    )
    in_network_reduction: bool = setting(
        True, title="In-network reduction", help="SHARP on InfiniBand or NVLink switches.", source="DGX SuperPOD"
    )


class Result(LayerResult):
    """What follows."""

    scale_up_domain: Figure = result("NVLink domain", "count", "GPUs that share one scale-up fabric.", headline=True)
    scale_up_gb_s: Figure = result("NVLink bandwidth a GPU", "gb_s", "One direction.")
    nic_gb_s_per_gpu: Figure = result("Scale-out a GPU", "gb_s", "One direction.", headline=True)
    bisection_tb_s: Figure = result(
        "Bisection bandwidth", "tb_s", "One direction, across the widest cut of the compute fabric."
    )
    oversubscription: Figure = result("Oversubscription", "ratio", "Down-link over up-link bandwidth at the leaf.")


def size(inputs: Inputs, up: Any) -> Sized:
    """Size the layer. Skeleton: every figure is unknown."""
    figures = {name: unknown("not sized yet", about.unit) for name, about in _declared().items()}
    return Sized(results(Result, **figures))


def _declared() -> dict[str, Any]:
    from wattsweights_gui.engine.declare import results_of

    return results_of(Result)
