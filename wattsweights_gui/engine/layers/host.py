"""Host: the Linux and firmware checks that this plan makes relevant"""

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

NAME = "host"
TITLE = "Host"
ABOUT = "the Linux and firmware checks that this plan makes relevant"


class Inputs(LayerInputs):
    """What runs on the nodes."""

    scheduler: Literal["slurm", "kubernetes", "none"] = setting(
        "slurm",
        title="Scheduler",
        help="What starts the jobs.",
        source="DGX SuperPOD",
        choices={"slurm": "Slurm", "kubernetes": "Kubernetes", "none": "None"},
    )
    virtualised: bool = setting(
        False, title="Virtual machines", help="GPUs passed through to guests.", source="bare metal"
    )


class Result(LayerResult):
    """What follows."""

    checks: Figure = result("Checks", "count", "Checks that apply to this plan.", headline=True)
    critical_checks: Figure = result("Critical checks", "count", "Of them, those that cost most.", headline=True)


def size(inputs: Inputs, up: Any) -> Sized:
    """Size the layer. Skeleton: every figure is unknown."""
    figures = {name: unknown("not sized yet", about.unit) for name, about in _declared().items()}
    return Sized(results(Result, **figures))


def _declared() -> dict[str, Any]:
    from wattsweights_gui.engine.declare import results_of

    return results_of(Result)
