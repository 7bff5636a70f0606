"""The unit tables against pint, and how values are shown and typed."""

from __future__ import annotations

import math

import pint
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wattsweights_gui.engine import units

UREG = pint.UnitRegistry()
# our code -> pint's name of the stored unit and of the US display
PINT: dict[str, tuple[str, str]] = {
    "c": ("degC", "degF"),
    "k": ("delta_degC", "delta_degF"),
    "l_min": ("liter/minute", "gallon/minute"),
    "m3_h": ("meter**3/hour", "gallon/minute"),
    "m3_s": ("meter**3/second", "foot**3/minute"),
    "kg_s": ("kilogram/second", "pound/minute"),
    "kpa": ("kilopascal", "psi"),
    "bar": ("bar", "psi"),
    "kg": ("kilogram", "pound"),
    "kg_m2": ("kilogram/meter**2", "pound/foot**2"),
    "kg_m3": ("kilogram/meter**3", "pound/foot**3"),
    "kw_m2": ("kilowatt/meter**2", "watt/foot**2"),
    "mm": ("millimeter", "inch"),
    "m": ("meter", "foot"),
    "m2": ("meter**2", "foot**2"),
    "m3": ("meter**3", "gallon"),
    "m_s": ("meter/second", "foot/second"),
    "kj_kg": ("kilojoule/kilogram", "Btu_it/pound"),
}
TYPED = {
    ("40 kW", "kw"): 40.0,
    ("136000 BTU/h", "kw"): 136000 * 0.29307107017222e-3,
    ("1,5", "kw"): 1.5,
    ("1,234,567", "kw"): 1234567.0,
    ("1 234,5", "kw"): 1234.5,
    ("2 MW", "kw"): 2000.0,
    ("500 kW", "mw"): 0.5,
    ("10 tons", "kw"): 35.168528420667,
    ("104 °F", "c"): 40.0,
    ("104F", "c"): 40.0,
    ("18 F", "k"): 10.0,
    ("100 gpm", "l_min"): 378.5411784,
    ("1 m3/h", "l_min"): 1000 / 60,
    ("1T", "params_b"): 1000.0,
    ("405 B parameters", "params_b"): 405.0,
    ("2 weeks", "days"): 14.0,
    ("1e3", "tokens_b"): 1000.0,
    ("400 Gb/s", "gb_s"): 50.0,
    ("50 GB/s", "gbit_s"): 400.0,
    ("1 GiB", "gb"): 1.073741824,
}


@pytest.mark.parametrize("code", sorted(PINT))
def test_that_the_us_display_agrees_with_pint(code: str) -> None:
    ours, theirs = PINT[code]
    for value in (0.0, 1.0, 37.5):
        expected = UREG.Quantity(value, ours).to(theirs).magnitude
        assert units.shown(value, code, "us")[0] == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_that_every_unit_with_a_us_display_is_checked_against_pint() -> None:
    unchecked = {c for c, u in units.UNITS.items() if u.us_symbol and c not in PINT}
    assert unchecked == {"l_min_kw", "kj_kg_k", "l_kwh"}  # products of checked ones


@given(st.floats(-1e9, 1e9), st.sampled_from(sorted(units.UNITS)))
def test_that_display_and_storage_are_inverse(value: float, code: str) -> None:
    there = units.shown(value, code, "us")[0]
    assert units.stored(there, code, "us") == pytest.approx(value, rel=1e-12, abs=1e-9)


def test_that_a_temperature_has_an_offset_and_a_difference_has_none() -> None:
    assert units.shown(0.0, "c", "us")[0] == 32.0
    assert units.shown(0.0, "k", "us")[0] == 0.0
    assert units.shown(10.0, "k", "us")[0] == 18.0


@pytest.mark.parametrize(("typed", "code"), sorted(TYPED))
def test_that_a_value_may_be_typed_with_a_unit(typed: str, code: str) -> None:
    assert units.parse(typed, code) == pytest.approx(TYPED[typed, code], rel=1e-9)


def test_that_a_bare_number_is_in_the_shown_unit() -> None:
    assert units.parse("104", "c", "us") == pytest.approx(40.0)
    assert units.parse("104", "c", "si") == 104.0


@pytest.mark.parametrize("typed", ["", "kW", "forty", "40 furlongs", "40 °C", "--3", "1e999", "nan"])
def test_that_what_is_no_power_is_refused_with_a_sentence(typed: str) -> None:
    with pytest.raises(ValueError, match=r"[“”].*\."):
        units.parse(typed, "kw")


@given(st.text(max_size=40), st.sampled_from(sorted(units.UNITS)))
def test_that_any_typed_text_is_a_finite_number_or_a_sentence(typed: str, code: str) -> None:
    try:
        value = units.parse(typed, code)
    except ValueError as error:
        sentence = str(error)
    else:
        value, sentence = (value if math.isfinite(value) else None), "."
        assert value is not None
    assert sentence.endswith(".")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0, "0"), (40.8, "40.8"), (40.84, "40.8"), (1234567.0, "1\u2009230\u2009000"), (16384, "16\u2009384"),
        (0.00123456, "0.00123"), (999.96, "1\u2009000"), (9.999, "10.0"), (3.8e24, "3.80\u2009Y"), (1e12, "1\u2009T"),
        (float("nan"), "–"), (1.5e9, "1.50\u2009B"), (-40.84, "-40.8"), (1e-7, "1.00e-07"),
    ],
)  # fmt: skip
def test_that_numbers_have_three_figures_and_thin_spaces(value: float, expected: str) -> None:
    assert units.number(value) == expected


@given(st.floats(1e-4, 1e12))
def test_that_a_shown_number_is_within_half_a_percent(value: float) -> None:
    shown = units.number(value).replace(units.THIN_SPACE, "")
    factor = {"B": 1e9, "T": 1e12}.get(shown[-1], 1.0)
    assert float(shown.rstrip("BT")) * factor == pytest.approx(value, rel=5.1e-3)


@pytest.mark.parametrize(
    ("value", "code", "expected"),
    [
        (0.000144, "gb_s", "144\u2009kB/s"), (2.7e-7, "gb_s", "270\u2009B/s"), (0.022, "gb_s", "22\u2009MB/s"),
        (0.527, "gb_s", "0.527\u2009GB/s"), (3350, "gb_s", "3.35\u2009TB/s"), (8000.0, "gb_s", "8\u2009TB/s"),
        (999.0, "gb_s", "999\u2009GB/s"), (0.05, "tb", "50\u2009GB"), (18000, "tb", "18\u2009000\u2009TB"),
        (0, "gb_s", "0\u2009GB/s"), (-0.02, "gb_s", "-20\u2009MB/s"), (0.02, "kw", "0.0200\u2009kW"),
        (23300, "kw", "23\u2009300\u2009kW"),
    ],
)  # fmt: skip
def test_that_small_and_large_rates_step_to_a_unit_that_reads_well(value: float, code: str, expected: str) -> None:
    assert units.text(value, code) == expected


@given(st.floats(1e-9, 1e9), st.sampled_from(["byte_s", "kb_s", "mb_s", "gb_s", "tb_s"]))
def test_that_a_rate_says_the_same_in_whatever_unit_it_is_shown(value: float, code: str) -> None:
    size = {"B/s": 1.0, "kB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9, "TB/s": 1e12}
    # all digits, so that nothing but the choice of the unit is looked at
    digits, _, sign = units.text(value, code, figures=15).rpartition(units.THIN_SPACE)
    factors = {"B": 1e9, "T": 1e12, "P": 1e15}
    number, _, letter = digits.rpartition(units.THIN_SPACE) if digits[-1] in factors else (digits, "", "")
    shown = float(number.replace(units.THIN_SPACE, "")) * factors.get(letter, 1.0)
    assert shown * size[sign] == pytest.approx(value * size[units.symbol(code)], rel=1e-9)


def test_that_an_unknown_value_is_a_dash() -> None:
    assert units.text(None, "kw") == "–"
    assert units.text(40.8, "kw") == "40.8\u2009kW"
