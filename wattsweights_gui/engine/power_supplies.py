"""The supplies of the compute nodes: power shelves, node supplies or converters; their loss lies inside the IT load."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wattsweights_gui.engine.declare import Entry, Figure, calc, unknown
from wattsweights_gui.engine.equations import electrical, part_load
from wattsweights_gui.engine.power_draw import Loads
from wattsweights_gui.engine.power_path import Bank, Stage, curve_of

_NONE = Figure(0, "count", "Idle units", formula="all supplies share the load")
_ALL = Figure(100.0, "pct", "Most load", formula="the redundancy of supplies is the maker's")
NAMES = {"shelf_orv3": "Power shelf", "dcdc_800_54": "Converter to 54 V"}


@dataclass(frozen=True)
class Supply:
    """The stage of the supplies, where it is known, and the figures of the result."""

    stage: Stage | None
    figures: dict[str, Figure]


def kind_of_supply(inputs: Any, system: Entry | None) -> str:
    """Return which supplies feed the nodes: chosen, converters behind 800 V DC, shelves, or 80 PLUS Titanium."""
    if inputs.psu is not None:
        return str(inputs.psu)
    if inputs.distribution == "dc_800":
        return "dcdc_800_54"
    busbar = system is not None and (system.get("power_shelves") or "busbar" in str(system.get("power_inlet") or ""))
    return "shelf_orv3" if busbar else "psu_titanium"


def supply_stage(inputs: Any, up: Any, system: Entry | None, loads: Loads) -> Supply:
    """Return the last stage of the path: what the compute nodes take and what is behind their supplies."""
    kind = kind_of_supply(inputs, system)
    entry: Entry = up.entry(kind)
    count, each = _of_system(system)
    units = calc(electrical.times, title="Supplies", count=loads.systems, each=count)
    taken = loads.compute.most
    out = calc(
        part_load.output_kw,
        title="Load behind the supplies",
        input_kw=taken,
        units=units,
        unit_kw=each,
        curve=curve_of(up.catalog, kind),
    )
    loss = calc(electrical.difference_kw, title="Loss of the supplies", larger=taken, smaller=out)
    bank = Bank(NAMES.get(kind, "PSU"), "", curve_of(up.catalog, kind), each, _ALL, units, units, units, _NONE)
    return Supply(
        Stage(bank, out, loss, taken) if out.known else None,
        {
            "supply_efficiency_pct": calc(part_load.efficiency_pct, output_kw=out, loss_kw=loss),
            "dc_load_kw": out,
            "busbar_amps": _busbar(inputs, entry, out, up),
        },
    )


def _of_system(system: Entry | None) -> tuple[Figure, Figure]:
    """Return the supplies of one system and the rating of one, in kW."""
    if system is None:
        reason = "the plan has no catalogued system, so its supplies are not known"
        return unknown(reason, "count"), unknown(reason, "kw")
    if system.get("power_shelves"):
        return system.fig("power_shelves", "count", "power shelves"), system.fig("power_shelf_kw", "kw", "one shelf")
    watts = system.fig("psu_w", "w", "rating of one supply")
    return system.fig("psu_count", "count", "supplies"), calc(electrical.kw_of_w, title="One supply", watts=watts)


def _busbar(inputs: Any, entry: Entry, out: Figure, up: Any) -> Figure:
    if entry.get("busbar_v") is None and inputs.busbar_v is None:
        return unknown("supplies inside the nodes: there is no busbar in the rack", "a")
    volts = inputs.fig("busbar_v") if inputs.busbar_v is not None else entry.fig("busbar_v", "v", "busbar volts")
    each = calc(electrical.rack_share_kw, title="Load of one rack", kw=out, racks=up.cluster.compute_racks)
    return calc(electrical.amps_dc, kw=each, volts_dc=volts)
