"""The hours of a year as people bring them: which tables are understood, and what is said of those that are not."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from wattsweights_gui.engine import climate_bins
from wattsweights_gui.engine.climate_bins import NotBins, bins_of, kept
from wattsweights_gui.engine.equations import air
from wattsweights_gui.engine.hourly_weather import Hours, NotHours, hours_of


def dry(hour: int) -> float:
    return 10.0 + 12.0 * math.sin(hour / 8760 * 2 * math.pi)


def table(head: str, row: Callable[[int], str], rows: int = 8760, before: str = "", after: str = "") -> str:
    return before + head + "\n" + "\n".join(row(hour) for hour in range(rows)) + after


def read(text: str) -> Hours:
    found = hours_of(text)
    assert found is not None
    return found


WET = air.wet_bulb_c(10.0, 60.0)
DEW = air.dew_point_c(10.0, 60.0)
SAME = {
    "wet bulb": ("dry_bulb_c,wet_bulb_c", f"10,{WET}"),
    "humidity": ("time,Temperature (°C),Relative Humidity (%)", "2026-01-01 00:00,10,60"),
    "humidity as a share": ("temp_air,relative_humidity", "10,0.6"),
    "dew point": ("DRY BULB [C]\tDEW POINT [C]", f"10.0\t{DEW}"),
    "decimal commas": ("Zeit;TT_TU;RF_TU", "1;10,0;60,0"),
    "Fahrenheit": ("Dry Bulb (°F),Wet Bulb (°F)", f"50,{WET * 1.8 + 32}"),
    "TMY3": ('"Date","Dry-bulb (C)","Dry-bulb source","RHum (%)","RHum source","Pressure (mbar)"', "1,10,A,60,A,1013.25"),
    "PVGIS": ("time(UTC),T2m,RH,G(h),SP", "20200101:0000,10,60,0,101325"),
    "kPa": ("tdb,rh,pressure", "10,60,101.325"),
}  # fmt: skip


@pytest.mark.parametrize("form", SAME)
def test_that_the_same_hour_is_read_from_each_form(form: str) -> None:
    head, row = SAME[form]
    hours = read(table(head, lambda _: row))
    assert len(hours.rows) == 8760
    assert hours.rows[0] == (pytest.approx(10.0, abs=1e-9), pytest.approx(WET, abs=0.1))


def test_that_pressure_lowers_the_wet_bulb_as_coolprop_says() -> None:
    high = read(table("tdb,rh,pressure_hpa", lambda _: "30,20,830"))
    assert high.rows[0][1] == pytest.approx(air.wet_bulb_c(30.0, 20.0, 83_000.0), abs=0.1)
    assert high.rows[0][1] < read(table("tdb,rh", lambda _: "30,20")).rows[0][1] - 0.2


def test_that_lines_before_and_after_a_table_are_passed_over() -> None:
    text = table(
        "time(UTC),T2m,RH",
        lambda hour: f"{hour},{dry(hour):.2f},50",
        before="Latitude (decimal degrees): 48.0\nElevation (m): 500\n\n",
        after="\n\nT2m: 2-m air temperature (degree Celsius)\n",
    )
    assert len(read(text).rows) == 8760


@pytest.mark.parametrize("rows", [8760, 8784, 2 * 8760, 4 * 8784])
def test_that_a_year_has_8760_hours_whatever_its_rows_stand_for(rows: int) -> None:
    text = table("dry bulb,wet bulb", lambda n: f"{dry(n * 8760 // rows):.2f},2.0" if n % 2 else "8,1.5", rows)
    bins = bins_of(text.replace(",2.0", ",-3"))
    assert sum(b[2] for b in bins) == pytest.approx(8760, abs=0.1)
    assert bins_of(kept(text.replace(",2.0", ",-3"))) == bins


def test_that_means_over_the_year_survive_the_bins() -> None:
    text = table("dry_bulb_c,rh", lambda hour: f"{dry(hour):.2f},70")
    hours, bins = read(text), bins_of(text)
    for column in (0, 1):
        mean = sum(row[column] for row in hours.rows) / 8760
        assert sum(b[column] * b[2] for b in bins) / 8760 == pytest.approx(mean, abs=0.05)
    assert len(bins) < 60


def test_that_what_is_kept_says_where_it_is_from() -> None:
    text = "# Cuenca 2019.csv\n" + table("dry_bulb_c,rh", lambda hour: f"{dry(hour):.2f},70")
    said = kept(text)
    assert said.splitlines()[0] == "# Cuenca 2019.csv: 8,760 hours of dry bulb and relative humidity, in bins of 2 K"
    assert climate_bins.origin(said).startswith("Cuenca 2019.csv: 8,760 hours")
    assert len(said) < 2000
    assert kept(said) == said
    assert bins_of(said) == bins_of(text)


WRONG = {
    "too few": (table("dry_bulb_c,rh", lambda _: "10,50", 100), "has 100 hours; a year has 8,760"),
    "no number": (table("dry_bulb_c,rh", lambda h: "10,50" if h else "10,"), "Line 2 (“10,”) has no number"),
    "missing mark": (table("dry_bulb_c,rh", lambda h: "10,50" if h else "-999,50"), "Line 2: a dry bulb of -999 °C"),
    "humidity": (table("dry_bulb_c,rh", lambda h: "10,50" if h else "10,-9"), "humidity of -9 %"),
    "wet above dry": (table("dry_bulb_c,wet_bulb_c", lambda _: "10,15"), "a wet bulb of 15 °C cannot be"),
    "pressure": (table("dry_bulb_c,rh,pressure", lambda _: "10,50,29.9"), "a pressure of 29.9 is none of the air's"),
    "no headings": (table("x,y", lambda _: "10,8"), "do not say what their columns are; head the columns dry_bulb_c"),
    "infinite": (table("dry_bulb_c,rh", lambda _: "inf,50"), "has no number"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_that_hours_that_cannot_be_are_refused_with_the_line_and_what_would_be_right(wrong: str) -> None:
    text, words = WRONG[wrong]
    with pytest.raises(NotHours) as refused:
        hours_of(text)
    assert words in str(refused.value)
    for entry in (bins_of, kept):
        with pytest.raises(NotBins):
            entry(text)


def test_that_bins_are_no_hours() -> None:
    assert hours_of("dry bulb, wet, hours\n10, 8, 8760") is None
    assert hours_of("10, 8, 8760") is None
    assert bins_of("# of a colleague\n10, 8, 8760") == ((10.0, 8.0, 8760.0),)
