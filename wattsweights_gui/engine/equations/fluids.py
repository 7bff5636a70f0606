"""Fluid properties: CoolProp at any state, and Chebyshev series made from it for live edits.

A fluid that is not known is refused, never approximated. Liquids are taken at 3 bar absolute. Glycol is by volume
(``pg25``) unless the name ends in ``_mass``: CoolProp's APG and AEG take volume, MPG and MEG mass per cent.
"""

from __future__ import annotations

import ctypes
import importlib
import math
import os
import re
import sys
from dataclasses import dataclass
from functools import cache
from typing import Any

from wattsweights_gui.engine.declare import equation
from wattsweights_gui.engine.equations import fluid_tables

LOOP_PRESSURE_BAR = 3.0
SOURCE = f"{fluid_tables.MADE_FROM}, as Chebyshev series"
SOURCE_GLYCOL = "CoolProp INCOMP::APG and AEG (per cent by volume); without inhibitor package"

# per cent of the name; the second part of a pair is what CoolProp is told
_PURE = {
    "water": "Water",
    "r1233zd(e)": "R1233zd(E)",
    "r134a": "R134a",
    "r1234ze(e)": "R1234ze(E)",
    "r1234yf": "R1234yf",
    "r245fa": "R245fa",
    "r1336mzz(z)": "R1336mzz(Z)",
    "novec649": "Novec649",
    "fk-5-1-12": "Novec649",
    "r1336mzz(e)": "R1336mzz(E)",
    "r1243zf": "R1243zf",
    "r1234ze(z)": "R1234ze(Z)",
    "r227ea": "R227EA",
    "r236fa": "R236FA",
    "r152a": "R152A",
    "r32": "R32",
    "r290": "R290",
    "r600a": "R600a",
    "r717": "Ammonia",
    "ammonia": "Ammonia",
    "r744": "R744",
}
_R515B_MASS = (0.911, 0.089)
_GLYCOL = re.compile(r"^(pg|eg)(\d+(?:\.\d+)?)(?:_(vol|mass))?$")


class UnknownFluid(ValueError):  # noqa: N818 - reads as what happened
    """No properties are known for this fluid or state; the message says what would be right."""


@dataclass(frozen=True)
class Fluid:
    """A fluid as CoolProp is told: its own name, the back end, the species, and the share of glycol in per cent."""

    name: str
    backend: str
    species: str
    glycol_pct: float = 0.0
    by_mass: bool = False


@dataclass(frozen=True)
class Liquid:
    """A liquid at one state: kg/m³, kJ/(kg·K), mPa·s (``None`` without a model) and W/(m·K)."""

    density_kg_m3: float
    cp_kj_kg_k: float
    viscosity_mpa_s: float | None
    conductivity_w_m_k: float


@dataclass(frozen=True)
class Saturation:
    """A refrigerant boiling at one temperature (bubble point for mixtures)."""

    pressure_bar: float
    latent_heat_kj_kg: float
    liquid_enthalpy_kj_kg: float
    liquid_density_kg_m3: float
    vapour_density_kg_m3: float
    liquid_viscosity_mpa_s: float | None


@cache
def fluid(name: str) -> Fluid:
    """Return the fluid of a name (``water``, ``pg25``, ``pg25_vol``, ``eg30_mass``, ``R134a``, ``R-515B`` …).

    Raises:
        UnknownFluid: not a fluid whose properties are known.
    """
    words = name.split("=")[0].strip()
    key = words.casefold().replace(" ", "")
    if key.startswith("r-"):
        key = "r" + key[2:]
    if key == "r515b":
        return Fluid("R515B", "HEOS", "R1234ze(E)&R227EA")
    if key in _PURE:
        own = "water" if key == "water" else _PURE[key]
        return Fluid(own, "HEOS", _PURE[key])
    glycol = _GLYCOL.match(key)
    if glycol:
        kind, share, basis = glycol.group(1), float(glycol.group(2)), glycol.group(3) or "vol"
        limit = 60.0
        if not 0 < share <= limit:
            raise UnknownFluid(f"“{name}”: glycol is known from 0 to {limit:g} %, not at {share:g} %.")
        by_mass = basis == "mass"
        species = f"{'M' if by_mass else 'A'}{'PG' if kind == 'pg' else 'EG'}"
        return Fluid(f"{kind}{share:g}{'_mass' if by_mass else ''}", "INCOMP", species, share, by_mass)
    known = ", ".join(["water", "pg25", "eg25", *list(dict.fromkeys(_PURE.values()))[1:], "R515B"])
    raise UnknownFluid(f"“{name}” is no fluid whose properties are known; there is {known} (glycol by volume).")


# ------------------------------------------------------------------------------------------------- CoolProp, any state


@cache
def _coolprop() -> Any:
    """Import CoolProp (0.3 s) once, without its greeting on standard output.

    The greeting comes from C++, so Python's ``sys.stdout`` cannot catch it: the file descriptor is turned away.
    """
    os.environ.setdefault("COOLPROP_DISABLE_SUPERANCILLARIES_ENTIRELY", "1")
    try:
        saved = os.dup(1)
    except OSError:  # a windowed program has no standard output
        return importlib.import_module("CoolProp")
    if sys.stdout is not None:
        sys.stdout.flush()
    _flush_c_stdout()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        module = importlib.import_module("CoolProp")
        # the first state triggers what else is printed
        module.AbstractState("HEOS", "Water")
        return module
    finally:
        _flush_c_stdout()
        os.dup2(saved, 1)
        os.close(saved)
        os.close(nowhere)


def _flush_c_stdout() -> None:
    """Empty the buffer of C's standard output: what stays in it would be printed after the descriptor is back."""
    try:
        library = ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None)
        library.fflush(None)
    except (OSError, AttributeError):
        return  # no such library: then there is no such buffer either


@cache
def _state(name: str) -> Any:
    what = fluid(name)
    state = _coolprop().AbstractState(what.backend, what.species)
    if what.backend == "INCOMP":
        (state.set_mass_fractions if what.by_mass else state.set_volu_fractions)([what.glycol_pct / 100.0])
    elif "&" in what.species:
        state.set_mass_fractions(list(_R515B_MASS))
    return state


def liquid_state(name: str, t_c: float, pressure_bar: float = LOOP_PRESSURE_BAR) -> Liquid:
    """Return a liquid's properties by CoolProp.

    Raises:
        UnknownFluid: the fluid is not known, or not liquid and valid at this state.
    """
    state, coolprop = _state(fluid(name).name), _coolprop()
    try:
        state.update(coolprop.PT_INPUTS, pressure_bar * 1e5, t_c + 273.15)
        if fluid(name).backend == "HEOS" and state.phase() not in (
            coolprop.iphase_liquid, coolprop.iphase_supercritical_liquid,
        ):  # fmt: skip
            raise UnknownFluid(f"{fluid(name).name} is not liquid at {t_c:g} °C and {pressure_bar:g} bar.")
        density, cp, conductivity = state.rhomass(), state.cpmass() / 1e3, math.nan
    except ValueError as error:
        if isinstance(error, UnknownFluid):
            raise
        raise UnknownFluid(
            f"{fluid(name).name} has no liquid properties at {t_c:g} °C and {pressure_bar:g} bar."
        ) from None
    viscosity: float | None
    try:
        viscosity, conductivity = state.viscosity() * 1e3, state.conductivity()
    except ValueError:
        viscosity = None
    return Liquid(density, cp, viscosity, conductivity)


def saturation_state(name: str, t_c: float) -> Saturation:
    """Return a refrigerant's saturation properties by CoolProp.

    Raises:
        UnknownFluid: the fluid is not known, or has no saturation at this temperature.
    """
    what = fluid(name)
    if what.backend == "INCOMP":
        raise UnknownFluid(f"{what.name} is a liquid loop's coolant: it has no saturation state. Choose a refrigerant.")
    state, coolprop = _state(what.name), _coolprop()
    try:
        state.update(coolprop.QT_INPUTS, 0.0, t_c + 273.15)
        pressure, liquid_h, liquid_rho = state.p() / 1e5, state.hmass() / 1e3, state.rhomass()
        viscosity: float | None
        try:
            viscosity = state.viscosity() * 1e3
        except ValueError:
            viscosity = None
        state.update(coolprop.QT_INPUTS, 1.0, t_c + 273.15)
        return Saturation(pressure, state.hmass() / 1e3 - liquid_h, liquid_h, liquid_rho, state.rhomass(), viscosity)
    except ValueError:
        raise UnknownFluid(f"{what.name} does not boil at {t_c:g} °C: that is outside its saturation range.") from None


def humid_air(output: str, t_c: float, relative_humidity_pct: float, pressure_pa: float) -> float:
    """Return a property of humid air by CoolProp's HAPropsSI (``D`` dew point, ``B`` wet bulb, in kelvin)."""
    _coolprop()
    properties = importlib.import_module("CoolProp.HumidAirProp").HAPropsSI
    return float(properties(output, "T", t_c + 273.15, "R", relative_humidity_pct / 100.0, "P", pressure_pa))


# ------------------------------------------------------------------------------------------- series, for live edits


def chebyshev(coefficients: tuple[float, ...], low: float, high: float, t: float) -> float:
    """Evaluate a Chebyshev series by Clenshaw's recurrence."""
    x2 = 2.0 * (2.0 * t - low - high) / (high - low)
    b1 = b2 = 0.0
    for c in coefficients[:0:-1]:
        b1, b2 = x2 * b1 - b2 + c, b1
    return 0.5 * x2 * b1 - b2 + coefficients[0]


_L_LOW, _L_HIGH = fluid_tables.LIQUID_RANGE_C
_S_LOW, _S_HIGH = fluid_tables.SATURATION_RANGE_C


def _liquid_series(name: str, quantity: str, t_c: float) -> float | None:
    table = fluid_tables.LIQUIDS.get(name) or fluid_tables.LIQUIDS.get(fluid(name).name)
    if table is None or not _L_LOW <= t_c <= _L_HIGH:
        return None
    return chebyshev(table[quantity], _L_LOW, _L_HIGH, t_c)


def _saturation_series(name: str, quantity: str, t_c: float) -> float | None:
    table = fluid_tables.SATURATION.get(name) or fluid_tables.SATURATION.get(fluid(name).name)
    if table is None or quantity not in table or not _S_LOW <= t_c <= _S_HIGH:
        return None
    return chebyshev(table[quantity], _S_LOW, _S_HIGH, t_c)


@equation("ρ of the liquid at its temperature", "kg_m3", SOURCE)
def density(fluid: str, t_c: float) -> float:
    """Return a coolant's density in kg/m³. Raises UnknownFluid."""
    value = _liquid_series(fluid, "density_kg_m3", t_c)
    return value if value is not None else liquid_state(fluid, t_c).density_kg_m3


@equation("cp of the liquid at its temperature", "kj_kg_k", SOURCE)
def specific_heat(fluid: str, t_c: float) -> float:
    """Return a coolant's specific heat in kJ/(kg·K). Raises UnknownFluid."""
    value = _liquid_series(fluid, "cp_kj_kg_k", t_c)
    return value if value is not None else liquid_state(fluid, t_c).cp_kj_kg_k


@equation("µ of the liquid at its temperature", "mpa_s", SOURCE)
def viscosity(fluid: str, t_c: float) -> float:
    """Return a coolant's viscosity in mPa·s. Raises UnknownFluid where there is no model."""
    value = _liquid_series(fluid, "log_viscosity_mpa_s", t_c)
    if value is not None:
        return math.exp(value)
    exact = liquid_state(fluid, t_c).viscosity_mpa_s
    if exact is None:
        raise UnknownFluid(f"{fluid} has no viscosity in CoolProp: give the pressure drop, it is not worked out.")
    return exact


@equation("saturation pressure (bubble point)", "bar", SOURCE)
def saturation_pressure(fluid: str, t_c: float) -> float:
    """Return a refrigerant's saturation pressure in bar absolute. Raises UnknownFluid."""
    value = _saturation_series(fluid, "log_pressure_bar", t_c)
    return math.exp(value) if value is not None else saturation_state(fluid, t_c).pressure_bar


@equation("h_fg = h_v - h_l", "kj_kg", SOURCE)
def latent_heat(fluid: str, t_c: float) -> float:
    """Return a refrigerant's latent heat in kJ/kg. Raises UnknownFluid."""
    value = _saturation_series(fluid, "latent_heat_kj_kg", t_c)
    return value if value is not None else saturation_state(fluid, t_c).latent_heat_kj_kg


def liquid_enthalpy(fluid: str, t_c: float) -> float:
    """Return the enthalpy of saturated liquid in kJ/kg (CoolProp's reference). Raises UnknownFluid."""
    value = _saturation_series(fluid, "liquid_enthalpy_kj_kg", t_c)
    return value if value is not None else saturation_state(fluid, t_c).liquid_enthalpy_kj_kg


@equation("h_l(T_sat) - h_l(T_sat - ΔT_sub)", "kj_kg", SOURCE)
def subcooling_heat(fluid: str, t_sat_c: float, subcooling_k: float) -> float:
    """Return the heat that warms subcooled liquid to boiling, in kJ/kg. Raises UnknownFluid."""
    if subcooling_k == 0:
        return 0.0
    return liquid_enthalpy(fluid, t_sat_c) - liquid_enthalpy(fluid, t_sat_c - subcooling_k)


@equation("ρ of saturated liquid", "kg_m3", SOURCE)
def liquid_density(fluid: str, t_c: float) -> float:
    """Return a refrigerant's saturated liquid density in kg/m³. Raises UnknownFluid."""
    value = _saturation_series(fluid, "liquid_density_kg_m3", t_c)
    return value if value is not None else saturation_state(fluid, t_c).liquid_density_kg_m3


@equation("ρ of saturated vapour", "kg_m3", SOURCE)
def vapour_density(fluid: str, t_c: float) -> float:
    """Return a refrigerant's saturated vapour density in kg/m³. Raises UnknownFluid."""
    value = _saturation_series(fluid, "log_vapour_density_kg_m3", t_c)
    return math.exp(value) if value is not None else saturation_state(fluid, t_c).vapour_density_kg_m3


@equation("µ of saturated liquid", "mpa_s", SOURCE)
def saturated_liquid_viscosity(fluid: str, t_c: float) -> float | None:
    """Return a refrigerant's saturated liquid viscosity in mPa·s; ``None`` where nobody has a model of it."""
    value = _saturation_series(fluid, "log_liquid_viscosity_mpa_s", t_c)
    if value is not None:
        return math.exp(value)
    table = fluid_tables.SATURATION.get(fluid)
    if table is not None and "log_liquid_viscosity_mpa_s" not in table:
        return None  # CoolProp had no model when the tables were made
    return saturation_state(fluid, t_c).liquid_viscosity_mpa_s
