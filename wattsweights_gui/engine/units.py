"""Kinds of quantity, their units, and how a value is shown and typed in SI and US customary units.

A stored value is a plain float in the unit that its name ends in; switching the display never changes it.
Temperature and temperature difference are two kinds: one has an offset, the other has none.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Literal

from wattsweights_gui.engine.typed_units import BASE, TYPED

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
    Unit("byte_s", "B/s", "data_rate"),
    Unit("kb_s", "kB/s", "data_rate"),
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
    Unit("kw_k", "kW/K", "conductance"),
    Unit("k_w", "K/W", "thermal_resistance"),
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


# a size or rate that is small in its unit is shown in a smaller one, a large rate in the one that makers print
_SMALLER = {"tb_s": "gb_s", "gb_s": "mb_s", "mb_s": "kb_s", "kb_s": "byte_s", "pb": "tb", "tb": "gb", "gb": "mb"}
_LARGER = {"byte_s": "kb_s", "kb_s": "mb_s", "mb_s": "gb_s", "gb_s": "tb_s"}
_STEP_BELOW, _STEP_ABOVE = 0.1, 1000.0


def _stepped(value: float, code: str) -> tuple[float, str]:
    if 0 < abs(value) < _STEP_BELOW:
        while abs(value) < 1.0 and code in _SMALLER:
            value, code = value * 1000.0, _SMALLER[code]
    while abs(value) >= _STEP_ABOVE and math.isfinite(value) and code in _LARGER:
        value, code = value / 1000.0, _LARGER[code]
    return value, code


def text(value: object, code: str, system: System = "si", figures: int = 3) -> str:
    """Return a value with its unit, as shown on screen and paper; ``None`` is an en dash."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, int | float):
        return str(value)
    value, code = _stepped(float(value), code)
    converted, sign = shown(value, code, system)
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
    table = TYPED.get(u.kind, {})
    spelled = bits.get(written, written.casefold())
    if spelled not in table or code not in BASE:
        allowed = ", ".join(sorted(k for k in table if k)) or u.symbol or "a plain number"
        raise ValueError(f"“{written}” is not a unit of this field: use {allowed}.")
    factor, offset = table[spelled]
    base_factor, base_offset = BASE[code]
    return (value * factor + offset - base_offset) / base_factor
