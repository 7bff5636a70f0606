"""Writes ``resources/catalog/climates.json`` from typical meteorological years.

``python packaging/make_climates.py EPW_FOLDER PVLIB_DATA_FOLDER MOS_FOLDER``. The American years are NREL's TMY3 and
TMY2, which anybody may use: EPW files of EnergyPlus (the package sinergym carries them) and the sample years in the
package pvlib. The Spanish year is that of the SWEC set of Sevilla's university (sinergym), the German one the test
reference year of DWD and BBSR, which the package teaser carries as a table for Modelica. Years whose publishers keep
all rights are left out.
"""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

from wattsweights_gui.engine import climate_bins, hourly_weather

OUT = Path(__file__).resolve().parent.parent / "resources" / "catalog" / "climates.json"
EPW = {
    "climate_chicago": ("Chicago O'Hare, Illinois", "USA_IL_Chicago-OHare.Intl.AP.725300_TMY3.epw"),
    "climate_new_york": ("New York JFK, New York", "USA_NY_New.York-J.F.Kennedy.Intl.AP.744860_TMY3.epw"),
    "climate_pittsburgh": ("Pittsburgh, Pennsylvania", "USA_PA_Pittsburgh-Allegheny.County.AP.725205_TMY3.epw"),
    "climate_denver": ("Denver (Aurora), Colorado", "USA_CO_Aurora-Buckley.Field.ANGB.724695_TMY3.epw"),
    "climate_tucson": ("Tucson, Arizona", "USA_AZ_Davis-Monthan.AFB.722745_TMY3.epw"),
    "climate_port_angeles": (
        "Port Angeles, Washington",
        "USA_WA_Port.Angeles-William.R.Fairchild.Intl.AP.727885_TMY3.epw",
    ),
}
SWEC = {"climate_granada": ("Granada, Spain", "ESP_Granada.084190_SWEC.epw")}
TRY = {"climate_mannheim": ("Mannheim, Germany", "DEU_BW_Mannheim_107290_TRY2010_12_Jahr_BBSR.mos")}
TMY3 = {
    "climate_greensboro": ("Greensboro, North Carolina", "723170TYA.CSV"),
    "climate_sand_point": ("Sand Point, Alaska", "703165TY.csv"),
}
TMY2 = {"climate_miami": ("Miami, Florida", "12839.tm2")}


def epw(path: Path) -> tuple[list[tuple[float, float]], int, tuple[float, float, float] | None]:
    """Return hours, elevation and the 0.4 % design temperatures (dry bulb, coincident wet bulb, wet bulb)."""
    text = path.read_text(encoding="latin-1")
    whole = hourly_weather.hours_of(text)
    assert whole is not None
    return list(whole.rows), *_head(text.splitlines())


def _head(lines: list[str]) -> tuple[int, tuple[float, float, float]]:
    """Return elevation and design temperatures of the first two lines of an EPW file."""
    design = lines[1].split(",")
    at = design.index("Cooling")
    temperatures = (float(design[at + 3]), float(design[at + 4]), float(design[at + 9]))
    return round(float(lines[0].split(",")[9])), temperatures


def mos(path: Path) -> tuple[list[tuple[float, float]], int, tuple[float, float, float]]:
    """Return hours, elevation and design temperatures of an EPW file that was turned into a table for Modelica."""
    lines = path.read_text(encoding="latin-1").splitlines()
    rows = [line.split("\t") for line in lines if line[:1].isdigit()]
    hours = [(float(r[1]), hourly_weather.wet_bulb(float(r[1]), float(r[3]), float(r[4]))) for r in rows]
    return hours, *_head([line.lstrip("#") for line in lines[2:4]])


def tmy3(path: Path) -> tuple[list[tuple[float, float]], int, None]:
    """Return hours and elevation of a TMY3 file."""
    with path.open(encoding="latin-1", newline="") as file:
        rows = list(csv.reader(file))
    at = {name: i for i, name in enumerate(rows[1])}
    dry, humidity, pressure = at["Dry-bulb (C)"], at["RHum (%)"], at["Pressure (mbar)"]
    hours = [
        (float(r[dry]), hourly_weather.wet_bulb(float(r[dry]), float(r[humidity]), float(r[pressure]) * 100.0))
        for r in rows[2:]
    ]
    return hours, round(float(rows[0][6])), None


def tmy2(path: Path) -> tuple[list[tuple[float, float]], int, None]:
    """Return hours of a TMY2 file, by the columns of its manual."""
    hours = []
    for line in path.read_text(encoding="latin-1").splitlines()[1:]:
        if len(line) < 88:
            continue
        dry, humidity, pressure = int(line[67:71]) / 10.0, float(line[79:82]), int(line[84:88]) * 100.0
        hours.append((dry, hourly_weather.wet_bulb(dry, humidity, pressure)))
    return hours, 2, None


def main() -> None:
    """Write the catalogue."""
    epw_folder, pvlib_folder, mos_folder = (Path(a) for a in sys.argv[1:4])
    entries = []
    nrel = "NREL", "Typical Meteorological Year "
    for reader, folder, sites, (publisher, document), where in (
        (epw, epw_folder, EPW, (nrel[0], nrel[1] + "3"), "EPW file of EnergyPlus"),
        (tmy3, pvlib_folder, TMY3, (nrel[0], nrel[1] + "3"), "sample year in pvlib"),
        (tmy2, pvlib_folder, TMY2, (nrel[0], nrel[1] + "2"), "sample year in pvlib"),
        (mos, mos_folder, TRY, ("DWD and BBSR", "Test reference year 2010, region 12"),
         "converted by Climate.OneBuilding.Org, which DWD and BBSR do not answer for; table in teaser"),
        (epw, epw_folder, SWEC, ("Universidad de Sevilla", "Spanish Weather for Energy Calculations (SWEC)"),
         "hours made by Climed from monthly means, an estimate of a typical year; EPW file of EnergyPlus"),
    ):  # fmt: skip
        for id, (name, file) in sites.items():
            hours, elevation, design = reader(folder / file)
            bins = climate_bins.binned(hours)
            dry, _ = climate_bins.hottest(bins, column=0)
            _, wet = climate_bins.hottest(bins, column=1)
            entry: dict[str, object] = {
                "id": id,
                "kind": "climate",
                "name": name,
                "elevation_m": elevation,
                "design_dry_bulb_c": design[0] if design else dry,
                "design_wet_bulb_c": design[2] if design else wet,
                "hottest_hour_c": max(d for d, _ in hours),
                "bins": [list(b) for b in bins],
                "sources": [
                    {
                        "publisher": publisher,
                        "document": f"{document}, {file}",
                        "where": f"{where}; hours in bins of 2 K of dry and wet bulb; wet bulb by ASHRAE's equation",
                        "verified": "read",
                    }
                ],
                "verified": "read",
            }
            if design:
                edition = 2013 if reader is mos else 2009
                entry["sources"].insert(  # type: ignore[attr-defined]
                    0,
                    {
                        "publisher": "ASHRAE",
                        "document": f"Climate Design Data {edition}, 0.4 % cooling and evaporation",
                        "where": f"header of {file}",
                        "verified": "read",
                        "fields": ["design_dry_bulb_c", "design_wet_bulb_c"],
                    },
                )
            entries.append(entry)
            print(
                id,
                len(bins),
                elevation,
                entry["design_dry_bulb_c"],
                entry["design_wet_bulb_c"],
                sum(b[2] for b in bins),
            )
    rows = ",\n".join("  " + json.dumps(e, ensure_ascii=False) for e in entries)
    head = json.dumps(
        {
            "schema_version": 1,
            "kind": "catalogue",
            "layer": "cooling",
            "doc": {"bins": "dry bulb in °C, mean coincident wet bulb in °C, hours a year"},
        },
        ensure_ascii=False,
    )
    OUT.write_text(head[:-1] + ', "entries": [\n' + rows + "\n]}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
