"""What may be placed: the catalogue's entries with what a rack must know of them. What is not known stays unknown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from wattsweights_gui.engine.declare import Entry, Figure, stated, unknown

Airflow = Literal["front_to_rear", "rear_to_front", "either", "passive"]
GROUPS = ("Servers", "Switches", "Storage", "Cooling", "Power", "Panels")
_GROUP_OF = {
    "system": "Servers",
    "switch": "Switches",
    "storage_system": "Storage",
    "cdu": "Cooling",
    "rack_pdu": "Power",
    "power_shelf": "Power",
}
# a tray of a system is counted within it
_WITHIN_OTHERS = frozenset({"nvlink5_switch_tray"})


@dataclass(frozen=True, eq=False)
class DeviceType:
    """One kind of device.

    Attributes:
        height_u: 0 for one that hangs beside the rack units.
        power_kw: at its maximum; ``None`` in the figure where it is not known.
        mass_kg, depth_mm: unknown figures where the catalogue does not know them.
        airflow: ``None`` where it is not known.
        needs_liquid: whether it does not run without a coolant loop.
        whole_rack: a rack-scale system that is its own rack.
        node: a system with GPUs, which the plan counts.
        remarks: sentences on what is not known or stands for something else.
        source: of the row.
    """

    id: str
    name: str
    group: str
    height_u: int
    half_width: bool
    full_depth: bool
    power_kw: Figure
    mass_kg: Figure
    depth_mm: Figure
    airflow: Airflow | None
    needs_liquid: bool
    whole_rack: bool
    node: bool
    remarks: tuple[str, ...]
    source: str

    @property
    def zero_u(self) -> bool:
        """Whether it hangs beside the rack units."""
        return self.height_u == 0

    @property
    def words(self) -> str:
        """What a search finds it by."""
        return f"{self.name} {self.group} {self.id}".casefold()


@lru_cache(maxsize=4)
def device_types(catalog: Any) -> dict[str, DeviceType]:
    """Return everything of a catalogue that has a place in a rack, by id, in the order of a palette."""
    more = {of: entry for entry in catalog.of_kind("placing") for of in entry.get("of")}
    found = [t for kind in (*_GROUP_OF, "device") for t in _of_kind(catalog, kind, more)]
    found.sort(key=lambda t: GROUPS.index(t.group))
    return {t.id: t for t in found}


def _of_kind(catalog: Any, kind: str, more: dict[str, Entry]) -> Iterator[DeviceType]:
    for entry in catalog.of_kind(kind):
        made = _type(entry, more.get(entry.id))
        if made is not None and entry.id not in _WITHIN_OTHERS:
            yield made


def _type(entry: Entry, more: Entry | None) -> DeviceType | None:
    def first(*names: str, default: Any = None) -> Any:
        for place in (entry, more):
            for name in names:
                if place is not None and place.get(name) is not None:
                    return place.get(name)
        return default

    zero_u = bool(first("zero_u", default=False))
    height = 0 if zero_u else first("rack_units", "height_u")
    if height is None or (entry.kind == "cdu" and entry.get("position") != "in_rack"):
        return None
    power, remarks = _power(entry, more)
    mass = entry.fig("weight_kg", "kg", "mass")
    if not mass.known and entry.get("mass_kg") is not None:
        mass = entry.fig("mass_kg", "kg", "mass")
    if entry.get("mass_within_frame"):
        mass = stated(0.0, "kg", f"{entry.name}: mass", formula="within the mass of the empty rack")
    if not mass.known:
        remarks.append(f"The mass of {entry.name} is not known.")
    airflow = first("airflow")
    if airflow is None:
        remarks.append(f"Which way {entry.name} moves its air is not known.")
    whole = bool(entry.get("compute_trays"))
    return DeviceType(
        entry.id,
        entry.name,
        str(entry.get("group") or _GROUP_OF.get(entry.kind, "Panels")),
        int(height),
        bool(first("half_width", default=False)),
        bool(first("full_depth", default=True)),
        power,
        mass,
        entry.fig("depth_mm", "mm", "depth"),
        airflow,
        "liquid" in str(entry.get("cooling") or "") or (entry.kind == "cdu" and entry.get("type") != "liquid_to_air"),
        whole,
        entry.kind == "system",
        tuple(remarks),
        entry.sources.get("", ""),
    )


@lru_cache(maxsize=1024)
def _kw(figure: Figure) -> Figure:
    return stated(figure.number / 1e3, "kw", figure.title, formula="W / 1000", source=figure.source, power=figure)


def _power(entry: Entry, more: Entry | None) -> tuple[Figure, list[str]]:
    """Return the maximum draw, or the nearest that is published and a remark that says so."""
    for name in ("power_max_kw", "power_kw_max", "power_kw", "electric_kw"):
        if entry.get(name) is not None:
            return entry.fig(name, "kw", "draw"), []
    for place in (entry, more):
        if place is not None and place.get("power_max_w") is not None:
            return _kw(place.fig("power_max_w", "w", "maximum draw")), []
    typical = "power_typical_kw" if entry.get("power_typical_kw") is not None else "power_typical_w"
    if entry.get(typical) is not None:
        figure = entry.fig(typical, typical[-2:].lstrip("_"), "typical draw")
        remark = f"The maximum draw of {entry.name} is not known: its typical draw is counted."
        return (figure if typical.endswith("kw") else _kw(figure)), [remark]
    bound = float(entry.get("psu_count") or 0) * float(entry.get("psu_w") or 0) / 1e3
    if bound:
        figure = stated(
            bound,
            "kw",
            f"{entry.name}: draw",
            formula="power supplies × what each gives",
            supplies=entry.fig("psu_count", "count", "power supplies"),
            each=entry.fig("psu_w", "w", "power supply"),
        )
        return figure, [f"The draw of {entry.name} is not published: its power supplies are counted."]
    return unknown(f"the draw of {entry.name} is not known", "kw", f"{entry.name}: draw"), [
        f"The draw of {entry.name} is not known."
    ]
