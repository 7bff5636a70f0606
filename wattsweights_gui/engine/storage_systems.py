"""What one storage system of the catalogue reads, writes, holds and draws, whichever unit its source prints."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from wattsweights_gui.engine.declare import Entry, Figure, calc, unknown
from wattsweights_gui.engine.equations import storage

_Known = tuple[tuple[str, Callable[..., Any] | None], ...]
READ: _Known = (
    ("read_gb_s", None),
    ("measured_read_gb_s", None),
    ("measured_read_mib_s", storage.gb_s_of_mib_s),
    ("measured_read_tib_s", storage.gb_s_of_tib_s),
    ("measured_checkpoint_read_gib_s", storage.gb_s_of_gib_s),
    ("measured_checkpoint_read_gb_s_about", None),
    ("sustained_tb_s", storage.gb_s_of_tb_s),
    ("read_tb_s_max", storage.gb_s_of_tb_s),
)
WRITE: _Known = (
    ("write_gb_s", None),
    ("measured_checkpoint_write_gib_s", storage.gb_s_of_gib_s),
    ("measured_checkpoint_write_tb_s_about", storage.gb_s_of_tb_s),
)
CAPACITY: _Known = (
    ("usable_gib", storage.tb_of_gib),
    ("capacity_pb", storage.tb_of_pb),
    ("capacity_pb_max", storage.tb_of_pb),
)


def _first(system: Entry, known: _Known, unit: str, words: str) -> Figure:
    for name, convert in known:
        if system.get(name) is not None:
            figure = system.fig(name, unit if convert is None else "")
            if convert is None:
                return figure
            operand: dict[str, Any] = {convert.__code__.co_varnames[0]: figure}
            return calc(convert, **operand)
    return unknown(f"the catalogue does not know the {words} of {system.name}", unit, words)


def read_gb_s(system: Entry) -> Figure:
    """Return what one system reads: its datasheet's figure, else one that was measured."""
    return _first(system, READ, "gb_s", "read bandwidth")


def write_gb_s(system: Entry) -> Figure:
    """Return what one system writes."""
    return _first(system, WRITE, "gb_s", "write bandwidth")


def usable_tb(system: Entry) -> Figure:
    """Return the usable capacity of one system, the largest that is sold."""
    options = system.get("usable_tb_options")
    if options:
        source = system.sources.get("usable_tb_options") or system.sources.get("", "")
        path = f"catalog.{system.id}.usable_tb_options"
        return Figure(max(options), "tb", f"{system.name}: largest usable capacity", path, source=source)
    return _first(system, CAPACITY, "tb", "usable capacity")


def power_kw(system: Entry) -> Figure:
    """Return what one system draws at most."""
    return _first(system, (("power_kw_max", None), ("power_kw", None)), "kw", "power")


@lru_cache(maxsize=128)
def ones(catalog: Any, system_id: str) -> dict[str, Figure]:
    """Return read, write, capacity, power and rack units of one system by name. Pure: remembered."""
    system = catalog.entry(system_id)
    return {
        "read": read_gb_s(system),
        "write": write_gb_s(system),
        "capacity": usable_tb(system),
        "power": power_kw(system),
        "height": system.fig("rack_units", "u", "rack units"),
    }
