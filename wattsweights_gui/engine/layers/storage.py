"""Storage: bandwidth for the data and for the checkpoints"""

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

NAME = "storage"
TITLE = "Storage"
ABOUT = "bandwidth for the data and for the checkpoints"


class Inputs(LayerInputs):
    """What is read, what is written, and by which system."""

    system: str = setting(
        "ddn_ai400x2_turbo",
        title="Storage system",
        help="Appliance that is counted.",
        source="ours",
        catalog="storage_system",
        group="System",
    )
    appliances: int | None = setting(
        None,
        title="Appliances",
        help="How many are installed.",
        hard=(0, 100000),
        when_none="as many as the job needs",
        group="System",
    )
    bytes_per_token: float = setting(
        4.0,
        title="Bytes read a token",
        unit="byte_token",
        help="Tokenised text is 2 to 4 bytes; images and video far more.",
        source="4-byte token ids",
        hard=(0, 1e9),
        group="Reads",
    )
    read_gb_s_per_gpu: float | None = setting(
        None,
        title="Read a GPU",
        unit="gb_s",
        help="Sustained dataset read of one GPU.",
        hard=(0, 1000),
        when_none="from tokens/s and bytes a token",
        group="Reads",
    )
    checkpoint_recipe: str = setting(
        "mixed_adam_bf16_weights",
        title="Checkpoint content",
        help="What is saved for each parameter.",
        source="MLPerf Storage: 14 B",
        catalog="checkpoint_recipe",
        group="Checkpoints",
    )
    checkpoint_mode: Literal["sync", "async"] = setting(
        "async",
        title="Checkpoint mode",
        help="Synchronous saves stop training until the bytes are on storage; asynchronous ones only until they are in host memory.",
        source="today's frameworks",
        choices={"sync": "Synchronous", "async": "Asynchronous"},
        group="Checkpoints",
    )
    write_target_s: float = setting(
        120.0,
        title="Write a checkpoint within",
        unit="s",
        help="What the storage is sized for.",
        source="ours: a tenth of a 20 min interval",
        hard=(0.1, 1000000),
        usual=(5, 3600),
        group="Checkpoints",
    )
    checkpoint_interval_s: float | None = setting(
        None,
        title="Checkpoint interval",
        unit="s",
        help="Time between saves.",
        hard=(1, 10000000),
        when_none="the interval that loses least (Young)",
        group="Checkpoints",
    )
    capacity_tb: float | None = setting(
        None,
        title="Capacity needed",
        unit="tb",
        help="Usable capacity.",
        hard=(0, 1e9),
        when_none="ten checkpoints and the dataset",
        group="System",
    )


class Result(LayerResult):
    """What follows."""

    read_gb_s_per_gpu: Figure = result("Read a GPU", "gb_s", "Sustained dataset read of one GPU.")
    read_gb_s: Figure = result("Read, all GPUs", "gb_s", "Sustained dataset read of the whole job.", headline=True)
    checkpoint_tb: Figure = result("Checkpoint", "tb", "Bytes saved at full state.", headline=True)
    write_gb_s: Figure = result("Write bandwidth", "gb_s", "Of the installed storage.")
    checkpoint_write_s: Figure = result("Checkpoint write time", "s", "At full state, to storage.", headline=True)
    checkpoint_stall_s: Figure = result("Training stops for", "s", "What a save costs the run.")
    checkpoint_interval_s: Figure = result("Checkpoint interval", "s", "Time between saves.")
    checkpoint_overhead_pct: Figure = result("Checkpoint overhead", "pct", "Share of the run that saves cost.")
    appliances: Figure = result("Appliances", "count", "Of the chosen system.", headline=True)
    capacity_tb: Figure = result("Capacity needed", "tb", "Usable.")
    power_kw: Figure = result("Storage power", "kw", "Of all appliances.")
    racks: Figure = result("Storage racks", "count", "Racks with appliances.")


def size(inputs: Inputs, up: Any) -> Sized:
    """Size the layer. Skeleton: every figure is unknown."""
    figures = {name: unknown("not sized yet", about.unit) for name, about in _declared().items()}
    return Sized(results(Result, **figures))


def _declared() -> dict[str, Any]:
    from wattsweights_gui.engine.declare import results_of

    return results_of(Result)
