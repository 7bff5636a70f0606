"""Which server or rack-scale system carries a GPU, and how many of them share one scale-up domain."""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

from wattsweights_gui.engine.declare import Entry

GENERIC_GPUS_PER_NODE = 8


class Systems(Protocol):
    """What is asked of the catalogue."""

    def __hash__(self) -> int:
        """Return the identity: a catalogue never changes."""
        ...

    def of_kind(self, kind: str) -> tuple[Entry, ...]:
        """Return all entries of a kind, in catalogue order."""
        ...


def system_for(gpu: Entry, catalog: Systems, chosen: str | None) -> Entry | None:
    """Return the system of a plan.

    Args:
        gpu: the accelerator.
        catalog: the hardware.
        chosen: id of the system that was named; ``None`` takes the first of the catalogue that is built of this GPU.

    Returns:
        The system, or ``None`` where the catalogue has none for this GPU.
    """
    return _system_for(catalog, gpu.id, chosen)


@lru_cache(maxsize=256)
def _system_for(catalog: Systems, gpu_id: str, chosen: str | None) -> Entry | None:
    systems = catalog.of_kind("system")
    if chosen:
        return next((s for s in systems if s.id == chosen), None)
    return next((s for s in systems if s.get("gpu") == gpu_id), None)


def gpus_per_node(system: Entry | None) -> int:
    """Return the GPUs of one system: the catalogue's, or eight (a baseboard) where it knows no system."""
    known = system.get("gpus") if system is not None else None
    return int(known or GENERIC_GPUS_PER_NODE)
