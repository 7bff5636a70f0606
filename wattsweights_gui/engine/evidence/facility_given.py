"""What a facility row gives, in one unit for each kind, whatever unit the row uses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from wattsweights_gui.engine.declare import Entry
from wattsweights_gui.engine.equations import air, heat_rejection, hydraulics

KW_PER_BTU_H = 1.0 / air.BTU_H_PER_KW
KPA_PER_PSI = 6.894757293168
KPA_PER_FT_H2O = 2.98907
L_PER_IMPERIAL_GALLON = 4.54609
KG_M2_PER_LB_FT2 = 4.882427636383

# unit at the end of a name: (kind, factor to the kind's own unit)
UNITS: dict[str, tuple[str, float]] = {
    "kw": ("power", 1.0),
    "w": ("power", 1e-3),
    "mw": ("power", 1e3),
    "btu_h": ("power", KW_PER_BTU_H),
    "refrigeration_tons": ("power", heat_rejection.KW_PER_TON),
    "tons": ("power", heat_rejection.KW_PER_TON),
    "l_min": ("flow", 1.0),
    "l_s": ("flow", 60.0),
    "m3_h": ("flow", 1000.0 / 60.0),
    "imperial_gpm": ("flow", L_PER_IMPERIAL_GALLON),
    "gpm": ("flow", hydraulics.L_PER_US_GALLON),
    "cfm": ("air_flow", 1.0 / air.CFM_PER_M3_S),
    "m3_s": ("air_flow", 1.0),
    "kpa": ("pressure", 1.0),
    "pa": ("pressure", 1e-3),
    "psi": ("pressure", KPA_PER_PSI),
    "bar": ("pressure", 100.0),
    "ft_h2o": ("pressure", KPA_PER_FT_H2O),
    "kg_m2": ("area_load", 1.0),
    "lb_ft2": ("area_load", KG_M2_PER_LB_FT2),
    "delta_k": ("difference", 1.0),
    "delta_f": ("difference", 5.0 / 9.0),
    "kg": ("mass", 1.0),
    "lb": ("mass", 0.45359237),
    "mm": ("length", 1e-3),
    "in": ("length", 0.0254),
    "ft": ("length", 0.3048),
    "m": ("length", 1.0),
    "m2": ("area", 1.0),
    "ft2": ("area", 0.09290304),
    "kva": ("apparent", 1.0),
    "va": ("apparent", 1e-3),
}
_LONGEST_FIRST = sorted(UNITS, key=len, reverse=True)


class Missing(ValueError):  # noqa: N818 - reads as what happened
    """The row does not give what its quantity needs."""


def unit_of(name: str) -> str | None:
    """Return the unit that a name ends in; ``None`` where it ends in none that is known."""
    return next((u for u in _LONGEST_FIRST if name == u or name.endswith("_" + u)), None)


def in_unit_of(name: str, value: float, kind: str) -> float:
    """Return a value in the kind's own unit as the quantity's name asks for it.

    Raises:
        Missing: the name ends in a unit of another kind.
    """
    unit = unit_of(name)
    if unit is None or UNITS[unit][0] != kind:
        raise Missing(f"{name} does not name a unit of {kind.replace('_', ' ')}")
    return value / UNITS[unit][1]


class Given:
    """A row's inputs, and the catalogue for what they name."""

    def __init__(self, inputs: Mapping[str, Any], catalog: Any) -> None:
        self.inputs = inputs
        self.catalog = catalog

    def has(self, *names: str) -> bool:
        """Return whether all of these are given."""
        return all(n in self.inputs for n in names)

    def number(self, *names: str, default: float | None = None) -> float:
        """Return the first of these that is given.

        Raises:
            Missing: none is.
        """
        for name in names:
            value = self.inputs.get(name)
            if isinstance(value, int | float) and not isinstance(value, bool):
                return float(value)
        if default is not None:
            return default
        raise Missing(f"the row does not give {' or '.join(names)}")

    def text(self, name: str, default: str | None = None) -> str:
        """Return a word.

        Raises:
            Missing: it is not given.
        """
        value = self.inputs.get(name, default)
        if not isinstance(value, str):
            raise Missing(f"the row does not give {name}")
        return value

    def quantity(self, kind: str, *stems: str, default: float | None = None) -> float:
        """Return the first input that is one of the stems with a unit of a kind, in the kind's own unit.

        An empty stem stands for a name that is the bare unit.

        Raises:
            Missing: none is given.
        """
        for stem in stems:
            for unit, (of, factor) in UNITS.items():
                name = f"{stem}_{unit}" if stem else unit
                if of == kind and self.has(name):
                    return self.number(name) * factor
        if default is not None:
            return default
        raise Missing(f"the row does not give {' or '.join(s or kind for s in stems)}")

    def rise_k(self) -> float:
        """Return a temperature rise in K, from itself or from supply and return.

        Raises:
            Missing: neither is given.
        """
        for name, factor in (
            ("temperature_rise_k", 1.0), ("rise_k", 1.0), ("delta_k", 1.0), ("range_k", 1.0),
            ("temperature_rise_f", 5 / 9), ("range_f", 5 / 9),
        ):  # fmt: skip
            if self.has(name):
                return self.number(name) * factor
        for back, supply in (("return_c", "supply_c"), ("water_return_c", "water_supply_c")):
            if self.has(back, supply):
                return self.number(back) - self.number(supply)
        raise Missing("the row gives neither a temperature rise nor supply and return")

    def entry(self, name: str, *kinds: str) -> Entry | None:
        """Return the catalogue entry that an input names, by id or by name; ``None`` where it names none."""
        value = self.inputs.get(name)
        if not isinstance(value, str):
            return None
        wanted = _plain(value)
        for kind in kinds:
            for entry in self.catalog.of_kind(kind):
                if wanted in (_plain(entry.id), _plain(entry.name), _plain(entry.id.removeprefix(kind + "_"))):
                    return entry  # type: ignore[no-any-return]
        return None


def _plain(words: str) -> str:
    return re.sub(r"[^a-z0-9+]", "", words.casefold())


__all__ = ["UNITS", "Given", "Missing", "in_unit_of", "unit_of"]
