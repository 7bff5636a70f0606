"""Kinds of quantity, their units, and how a value is shown and typed in SI and US customary units.

A stored value is a plain float in the unit that its name ends in; switching the display never changes it.
Temperature and temperature difference are two kinds: one has an offset, the other has none.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Literal

System = Literal["si", "us"]
THIN_SPACE = "\u2009"


@dataclass(frozen=True)
class Unit:
    """A unit that values are stored in.

    ``us_value = value * us_factor + us_offset`` where the US display differs.
    """

    code: str
    symbol: str
    kind: str
    us_symbol: str | None = None
    us_factor: float = 1.0
    us_offset: float = 0.0
    whole: bool = False


_TABLE: tuple[Unit, ...] = (
    Unit("", "", "number"),
    Unit("ratio", "", "number"),
    Unit("pct", "%", "share"),
    Unit("count", "", "count", whole=True),
    Unit("params", "parameters", "count"),
    Unit("params_b", "B parameters", "count"),
    Unit("tokens", "tokens", "count"),
    Unit("tokens_b", "B tokens", "count"),
    Unit("tokens_s", "tokens/s", "rate"),
    Unit("flop", "FLOP", "work"),
    Unit("flop_token", "FLOP/token", "work"),
    Unit("flop_byte", "FLOP/B", "intensity"),
    Unit("tflops", "TFLOP/s", "compute_rate"),
    Unit("byte", "B", "data"),
    Unit("byte_param", "B/parameter", "data_each"),
    Unit("byte_token", "B/token", "data_each"),
    Unit("kib", "KiB", "data"),
    Unit("mib", "MiB", "data"),
    Unit("gib", "GiB", "data"),
    Unit("mb", "MB", "data"),
    Unit("gb", "GB", "data"),
    Unit("tb", "TB", "data"),
    Unit("pb", "PB", "data"),
    Unit("mb_s", "MB/s", "data_rate"),
    Unit("gb_s", "GB/s", "data_rate"),
    Unit("tb_s", "TB/s", "data_rate"),
    Unit("gbit_s", "Gb/s", "data_rate"),
    Unit("tbit_s", "Tb/s", "data_rate"),
    Unit("us", "µs", "time"),
    Unit("ms", "ms", "time"),
    Unit("s", "s", "time"),
    Unit("min", "min", "time"),
    Unit("h", "h", "time"),
    Unit("days", "days", "time"),
    Unit("w", "W", "power"),
    Unit("kw", "kW", "power"),
    Unit("mw", "MW", "power"),
    Unit("kva", "kVA", "apparent_power"),
    Unit("btu_h", "BTU/h", "power"),
    Unit("kwh", "kWh", "energy"),
    Unit("mwh", "MWh", "energy"),
    Unit("gwh", "GWh", "energy"),
    Unit("v", "V", "voltage"),
    Unit("a", "A", "current"),
    Unit("c", "°C", "temperature", "°F", 1.8, 32.0),
    Unit("k", "K", "temperature_difference", "°F diff.", 1.8),
    Unit("l_min", "L/min", "flow", "gpm", 0.2641720523581484),
    Unit("l_min_kw", "L/min/kW", "flow_each", "gpm/kW", 0.2641720523581484),
    Unit("m3_h", "m³/h", "flow", "gpm", 4.402867539302473),
    Unit("m3_s", "m³/s", "air_flow", "cfm", 2118.880003289315),
    Unit("kg_s", "kg/s", "mass_flow", "lb/min", 132.27735731092654),
    Unit("kpa", "kPa", "pressure", "psi", 0.14503773773020923),
    Unit("bar", "bar", "pressure", "psi", 14.503773773020923),
    Unit("kg", "kg", "mass", "lb", 2.2046226218487757),
    Unit("kg_m2", "kg/m²", "area_load", "lb/ft²", 0.20481614362252313),
    Unit("kg_m3", "kg/m³", "density", "lb/ft³", 0.0624279605761446),
    Unit("kw_m2", "kW/m²", "area_power", "W/ft²", 92.90304),
    Unit("mm", "mm", "length", "in", 0.03937007874015748),
    Unit("m", "m", "length", "ft", 3.280839895013123),
    Unit("m2", "m²", "area", "ft²", 10.763910416709722),
    Unit("m_s", "m/s", "speed", "ft/s", 3.280839895013123),
    Unit("u", "U", "rack_units"),
    Unit("ton", "tons", "power"),
    Unit("kj_kg", "kJ/kg", "specific_energy", "BTU/lb", 0.42992261392949266),
    Unit("kj_kg_k", "kJ/(kg·K)", "specific_heat", "BTU/(lb·°F)", 0.2388458966274959),
    Unit("mpa_s", "mPa·s", "viscosity"),
    Unit("usd", "USD", "money"),
    Unit("usd_kwh", "USD/kWh", "price"),
    Unit("t_co2", "t CO₂", "emission"),
    Unit("g_kwh", "g/kWh", "intensity"),
    Unit("m3", "m³", "volume", "gal", 264.1720523581484),
    Unit("l_kwh", "L/kWh", "water_use", "gal/kWh", 0.2641720523581484),
    Unit("per_1000_node_days", "/1000 node-days", "rate"),
    Unit("mhz", "MHz", "frequency"),
    Unit("text", "", "text"),
)

UNITS: dict[str, Unit] = {u.code: u for u in _TABLE}

# what may be typed into a field of a kind: symbol -> (factor, offset) to the SI base of that kind
_TYPED: dict[str, dict[str, tuple[float, float]]] = {
    "power": {
        "w": (1.0, 0.0),
        "kw": (1e3, 0.0),
        "mw": (1e6, 0.0),
        "gw": (1e9, 0.0),
        "btu/h": (0.29307107017222, 0.0),
        "btuh": (0.29307107017222, 0.0),
        "kbtu/h": (293.07107017222, 0.0),
        "ton": (3516.8528420667, 0.0),
        "tons": (3516.8528420667, 0.0),
        "hp": (745.6998715822702, 0.0),
    },
    "temperature": {
        "°c": (1.0, 273.15),
        "c": (1.0, 273.15),
        "°f": (5 / 9, 459.67 * 5 / 9),
        "f": (5 / 9, 459.67 * 5 / 9),
        "k": (1.0, 0.0),
    },
    "temperature_difference": {
        "k": (1.0, 0.0),
        "°c": (1.0, 0.0),
        "c": (1.0, 0.0),
        "°f": (5 / 9, 0.0),
        "f": (5 / 9, 0.0),
        "°f diff.": (5 / 9, 0.0),
    },
    "flow": {
        "l/min": (1 / 6e4, 0.0),
        "lpm": (1 / 6e4, 0.0),
        "l/s": (1e-3, 0.0),
        "m³/h": (1 / 3600, 0.0),
        "m3/h": (1 / 3600, 0.0),
        "gpm": (6.30901964e-5, 0.0),
    },
    "air_flow": {
        "m³/s": (1.0, 0.0),
        "m3/s": (1.0, 0.0),
        "m³/h": (1 / 3600, 0.0),
        "m3/h": (1 / 3600, 0.0),
        "cfm": (4.719474432e-4, 0.0),
    },
    "pressure": {
        "pa": (1.0, 0.0),
        "kpa": (1e3, 0.0),
        "bar": (1e5, 0.0),
        "psi": (6894.757293168, 0.0),
        "mpa": (1e6, 0.0),
    },
    "mass": {"kg": (1.0, 0.0), "t": (1e3, 0.0), "lb": (0.45359237, 0.0), "lbs": (0.45359237, 0.0)},
    "area_load": {
        "kg/m²": (1.0, 0.0),
        "kg/m2": (1.0, 0.0),
        "lb/ft²": (4.882427636383051, 0.0),
        "lb/ft2": (4.882427636383051, 0.0),
        "psf": (4.882427636383051, 0.0),
        "kn/m²": (101.97162129779283, 0.0),
        "kn/m2": (101.97162129779283, 0.0),
    },
    "length": {
        "mm": (1e-3, 0.0),
        "cm": (1e-2, 0.0),
        "m": (1.0, 0.0),
        "km": (1e3, 0.0),
        "in": (0.0254, 0.0),
        "ft": (0.3048, 0.0),
    },
    "area": {
        "m²": (1.0, 0.0),
        "m2": (1.0, 0.0),
        "ft²": (0.09290304, 0.0),
        "ft2": (0.09290304, 0.0),
        "sqft": (0.09290304, 0.0),
    },
    "speed": {"m/s": (1.0, 0.0), "ft/s": (0.3048, 0.0)},
    "data": {
        "b": (1.0, 0.0),
        "kb": (1e3, 0.0),
        "mb": (1e6, 0.0),
        "gb": (1e9, 0.0),
        "tb": (1e12, 0.0),
        "pb": (1e15, 0.0),
        "kib": (2.0**10, 0.0),
        "mib": (2.0**20, 0.0),
        "gib": (2.0**30, 0.0),
        "tib": (2.0**40, 0.0),
    },
    "data_rate": {
        "mb/s": (1e6, 0.0),
        "gb/s": (1e9, 0.0),
        "tb/s": (1e12, 0.0),
        "gbit/s": (1.25e8, 0.0),
        "tbit/s": (1.25e11, 0.0),
        "gib/s": (2.0**30, 0.0),
        "mib/s": (2.0**20, 0.0),
        "tib/s": (2.0**40, 0.0),
    },
    "time": {
        "µs": (1e-6, 0.0),
        "us": (1e-6, 0.0),
        "ms": (1e-3, 0.0),
        "s": (1.0, 0.0),
        "min": (60.0, 0.0),
        "h": (3600.0, 0.0),
        "d": (86400.0, 0.0),
        "day": (86400.0, 0.0),
        "days": (86400.0, 0.0),
        "weeks": (604800.0, 0.0),
    },
    "energy": {"kwh": (3.6e6, 0.0), "mwh": (3.6e9, 0.0), "gwh": (3.6e12, 0.0)},
    "voltage": {"v": (1.0, 0.0), "kv": (1e3, 0.0)},
    "current": {"a": (1.0, 0.0), "ka": (1e3, 0.0)},
    "apparent_power": {"va": (1.0, 0.0), "kva": (1e3, 0.0), "mva": (1e6, 0.0)},
    "volume": {"m³": (1.0, 0.0), "m3": (1.0, 0.0), "l": (1e-3, 0.0), "gal": (0.003785411784, 0.0)},
    "share": {"%": (1.0, 0.0)},
    "count": {"": (1.0, 0.0), "k": (1e3, 0.0), "m": (1e6, 0.0), "b": (1e9, 0.0), "t": (1e12, 0.0)},
}
# a unit's own factor to the SI base of its kind, where it is not the base itself
_BASE: dict[str, tuple[float, float]] = {
    "w": (1.0, 0.0),
    "kw": (1e3, 0.0),
    "mw": (1e6, 0.0),
    "btu_h": (0.29307107017222, 0.0),
    "ton": (3516.8528420667, 0.0),
    "c": (1.0, 273.15),
    "k": (1.0, 0.0),
    "l_min": (1 / 6e4, 0.0),
    "m3_h": (1 / 3600, 0.0),
    "m3_s": (1.0, 0.0),
    "kpa": (1e3, 0.0),
    "bar": (1e5, 0.0),
    "kg": (1.0, 0.0),
    "kg_m2": (1.0, 0.0),
    "mm": (1e-3, 0.0),
    "m": (1.0, 0.0),
    "m2": (1.0, 0.0),
    "m_s": (1.0, 0.0),
    "byte": (1.0, 0.0),
    "kib": (2.0**10, 0.0),
    "mib": (2.0**20, 0.0),
    "gib": (2.0**30, 0.0),
    "mb": (1e6, 0.0),
    "gb": (1e9, 0.0),
    "tb": (1e12, 0.0),
    "pb": (1e15, 0.0),
    "mb_s": (1e6, 0.0),
    "gb_s": (1e9, 0.0),
    "tb_s": (1e12, 0.0),
    "gbit_s": (1.25e8, 0.0),
    "tbit_s": (1.25e11, 0.0),
    "us": (1e-6, 0.0),
    "ms": (1e-3, 0.0),
    "s": (1.0, 0.0),
    "min": (60.0, 0.0),
    "h": (3600.0, 0.0),
    "days": (86400.0, 0.0),
    "kwh": (3.6e6, 0.0),
    "mwh": (3.6e9, 0.0),
    "gwh": (3.6e12, 0.0),
    "v": (1.0, 0.0),
    "a": (1.0, 0.0),
    "kva": (1e3, 0.0),
    "m3": (1.0, 0.0),
    "pct": (1.0, 0.0),
    "count": (1.0, 0.0),
    "params": (1.0, 0.0),
    "tokens": (1.0, 0.0),
    "params_b": (1e9, 0.0),
    "tokens_b": (1e9, 0.0),
}


def unit(code: str) -> Unit:
    """Return the unit of a code.

    Raises:
        KeyError: no such unit.
    """
    return UNITS[code]


def shown(value: float, code: str, system: System = "si") -> tuple[float, str]:
    """Return a stored value in the display system, and the symbol that goes with it."""
    u = UNITS[code]
    if system == "us" and u.us_symbol is not None:
        return value * u.us_factor + u.us_offset, u.us_symbol
    return value, u.symbol


def stored(value: float, code: str, system: System = "si") -> float:
    """Return a displayed value in the stored unit: the inverse of :func:`shown`."""
    u = UNITS[code]
    if system == "us" and u.us_symbol is not None:
        return (value - u.us_offset) / u.us_factor
    return value


def symbol(code: str, system: System = "si") -> str:
    """Return the symbol of a unit in the display system."""
    u = UNITS[code]
    return u.us_symbol if system == "us" and u.us_symbol is not None else u.symbol


_PREFIXES = ((1e24, "Y"), (1e21, "Z"), (1e18, "E"), (1e15, "P"), (1e12, "T"), (1e9, "B"), (1e6, "M"))


def number(value: float, figures: int = 3) -> str:
    """Return a number with ``figures`` significant figures and thin-space thousands; whole numbers keep all digits."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if value == 0:
        return "0"
    if float(value).is_integer() and abs(value) < 1e6:
        return f"{int(value):,}".replace(",", THIN_SPACE)
    value = float(f"{value:.{figures}g}")
    magnitude = math.floor(math.log10(abs(value)))
    if magnitude >= 9:
        for factor, letter in _PREFIXES[::-1] if magnitude < 27 else ():
            if abs(value) < factor * 999.5:
                return f"{number(float(f'{value / factor:.{figures}g}'), figures)}{THIN_SPACE}{letter}"
    if magnitude < -4:
        return f"{value:.{figures - 1}e}"
    digits = max(0, figures - 1 - magnitude)
    rounded = round(value, figures - 1 - magnitude)
    return f"{rounded:,.{digits}f}".replace(",", THIN_SPACE)


def text(value: object, code: str, system: System = "si", figures: int = 3) -> str:
    """Return a value with its unit, as shown on screen and paper; ``None`` is an en dash."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, int | float):
        return str(value)
    converted, sign = shown(float(value), code, system)
    digits = number(converted, figures)
    if not sign:
        return digits
    return f"{digits}{THIN_SPACE}{sign}"


_TYPED_NUMBER = re.compile(
    r"^\s*([-+]?(?:\d[\d \t\u2009\u202f\u00a0_']*)?(?:[.,]\d+)*\.?(?:[eE][-+]?\d+)?)\s*(.*?)\s*$", re.ASCII | re.DOTALL
)


def parse(typed: str, code: str, system: System = "si") -> float:
    """Return what somebody typed (``40``, ``40 kW``, ``136000 BTU/h``, ``1,5``) in the stored unit.

    Raises:
        ValueError: not a number, or a unit of another kind; the message says what would be right.
    """
    match = _TYPED_NUMBER.match(typed)
    digits = re.sub(r"[\s\u2009\u202f\u00a0_']", "", match.group(1)) if match else ""
    if not match or not re.search(r"\d", digits) or digits.count(".") > 1:
        example = f"40 {symbol(code, system)}".strip()
        raise ValueError(f"“{typed.strip()}” is not a number: type a value such as {example}.")
    if re.fullmatch(r"[-+]?\d{1,3}(,\d{3})+(\.\d+)?([eE][-+]?\d+)?", digits) and (
        digits.count(",") > 1 or "." in digits
    ):
        digits = digits.replace(",", "")
    if digits.count(",") > 1:
        raise ValueError(f"“{typed.strip()}” is not a number: write thousands as 1 234 567 or 1,234,567.")
    value = float(digits.replace(",", "."))
    if not math.isfinite(value):
        raise ValueError(f"“{typed.strip()}” is too large a number.")
    written = match.group(2).strip()
    u = UNITS[code]
    if not written or written == symbol(code, system):
        return stored(value, code, system)
    if written == u.symbol:
        return value
    # Gb/s are bits and GB/s are bytes: the only pair that differs in case alone
    bits = {"Gb/s": "gbit/s", "Gbps": "gbit/s", "Tb/s": "tbit/s", "Tbps": "tbit/s"}
    if written not in bits:
        if written.casefold() == symbol(code, system).casefold() and u.kind != "data_rate":
            return stored(value, code, system)
        if written.casefold() == u.symbol.casefold() and u.kind != "data_rate":
            return value
    table = _TYPED.get(u.kind, {})
    spelled = bits.get(written, written.casefold())
    if spelled not in table or code not in _BASE:
        allowed = ", ".join(sorted(k for k in table if k)) or u.symbol or "a plain number"
        raise ValueError(f"“{written}” is not a unit of this field: use {allowed}.")
    factor, offset = table[spelled]
    base_factor, base_offset = _BASE[code]
    return (value * factor + offset - base_offset) / base_factor
