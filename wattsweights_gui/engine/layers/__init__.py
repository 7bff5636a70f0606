"""The sizing chain. The order of this list IS the chain."""

from __future__ import annotations

from wattsweights_gui.engine.declare import Layer
from wattsweights_gui.engine.layers import (
    cluster,
    compute,
    cooling,
    datapath,
    fabric,
    floor,
    host,
    parallelism,
    power,
    storage,
    workload,
)

LAYERS: tuple[Layer, ...] = tuple(
    Layer.of(module)
    for module in (workload, compute, parallelism, fabric, cluster, storage, datapath, host, power, cooling, floor)
)


def layer_named(name: str) -> Layer:
    """Return the layer of a name.

    Raises:
        KeyError: no such layer.
    """
    return next(layer for layer in LAYERS if layer.name == name)
