"""Bytes that are held for each parameter in training, by part."""

from __future__ import annotations

from functools import lru_cache

from wattsweights_gui.engine.declare import Entry, Figure, calc, equation

PARTS = ("weights_bytes", "gradients_bytes", "master_bytes", "moments_bytes", "extra_bytes")


@equation("weights + gradients + master copy + moments + second copy of the weights", "byte_param")
def bytes_per_param(
    weights_bytes: float, gradients_bytes: float, master_bytes: float, moments_bytes: float, extra_bytes: float
) -> float:
    """Return the bytes held for each parameter, all of it on one GPU or spread over many."""
    return weights_bytes + gradients_bytes + master_bytes + moments_bytes + extra_bytes


@equation("parameters × bytes a parameter / 10¹²", "tb")
def state_tb(params: float, bytes_per_param: float) -> float:
    """Return the model state in TB (10^12 bytes)."""
    return params * bytes_per_param / 1e12


@lru_cache(maxsize=128)
def _state_bytes(recipe_id: str, parts: tuple[tuple[str, Figure], ...]) -> Figure:
    return calc(bytes_per_param, title="Bytes a parameter", **dict(parts))


def state_bytes(recipe: Entry) -> Figure:
    """Return the bytes a parameter of a catalogue recipe, with its parts and their source."""
    parts = tuple((part, recipe.fig(part, "byte_param", part.removesuffix("_bytes"))) for part in PARTS)
    return _state_bytes(recipe.id, parts)
