"""Reads the configurations in a table of published parameter counts, for the engine to predict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wattsweights_gui.exchange.hf_config import shape_from_config


def with_shapes(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document of ``models`` in which each carries its ``shape``, or ``unread`` with the reason.

    Raises:
        ValueError: the models are no list of objects.
    """
    models = document.get("models")
    if not isinstance(models, list) or not all(isinstance(model, Mapping) for model in models):
        raise ValueError("“models” has to be a list of objects.")
    return {**document, "models": [_read(model) for model in models]}


def _read(model: Mapping[str, Any]) -> dict[str, Any]:
    try:
        shape, assumed = shape_from_config(model.get("config") or {})
    except ValueError as error:
        return {**model, "unread": str(error)}
    return {**model, "shape": shape.resolved(), "assumed": assumed}
