"""The plant on the design day and over the year of a site: COP, free cooling, water, PUE and WUE as results."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from wattsweights_gui.engine.climate_bins import Bin, bins_of, hottest, origin
from wattsweights_gui.engine.declare import Figure, LaterTable, Table, calc, stated, unknown
from wattsweights_gui.engine.equations import cooling_plant as plants
from wattsweights_gui.engine.equations.cooling_plant import Outcome

_KINDS: dict[str, Callable[..., Outcome]] = {
    "dry_cooler": plants.dry_cooler,
    "hybrid": plants.hybrid,
    "tower": plants.tower,
    "air_chiller": plants.air_chiller,
    "water_chiller": plants.water_chiller,
}
_DEFAULT_DRY_C, _DEFAULT_WET_C = 35.0, 24.0
_NO_SITE = "no site is chosen: name a climate or give bins"
_COLUMNS = ("dry_bulb_c", "wet_bulb_c", "hours", "free_pct", "cop", "water_l_kwh", "supply_c")
_UNITS = ("c", "c", "h", "pct", "ratio", "l_kwh", "c")


def outcome(inputs: Any, dry_c: float, wet_c: float) -> Outcome:
    """Return what the plant does at a dry and wet bulb, for each kW of heat."""
    return _outcome(inputs.plant, inputs.chiller_cop, dry_c, wet_c, inputs.water_supply_c, inputs.water_rise_k)


@lru_cache(maxsize=4096)
def _outcome(plant: Any, cop: float, dry_c: float, wet_c: float, supply_c: float, rise_k: float) -> Outcome:
    if plant.kind == "stated":
        return plants.stated(cop, plant.make_up_l_kwh, supply_c)
    return _KINDS[plant.kind](plant, dry_c, wet_c, supply_c, rise_k)


def site_bins(up: Any, inputs: Any) -> tuple[Bin, ...]:
    """Return the bins of the plan's site: its own, else those of the named climate; none without either."""
    if inputs.climate_bins.strip():
        return bins_of(inputs.climate_bins)
    return _catalogued(up.catalog, inputs.climate) if inputs.climate is not None else ()


@lru_cache(maxsize=32)
def _catalogued(catalog: Any, id: str) -> tuple[Bin, ...]:
    return tuple((b[0], b[1], b[2]) for b in catalog.entry(id).get("bins"))


def design_day(up: Any, inputs: Any) -> tuple[Figure, Figure]:
    """Return dry and wet bulb of the design day: stated, of the bins, of the climate, or a usual hot day."""
    return (
        _design(up, inputs, "design_dry_bulb_c", "Design dry bulb", 0, _DEFAULT_DRY_C),
        _design(up, inputs, "design_wet_bulb_c", "Design wet bulb", 1, _DEFAULT_WET_C),
    )


def _design(up: Any, inputs: Any, name: str, title: str, column: int, otherwise: float) -> Figure:
    if getattr(inputs, name) is not None:
        return inputs.fig(name)  # type: ignore[no-any-return]
    if inputs.climate_bins.strip():
        return stated(
            hottest(bins_of(inputs.climate_bins), column=column)[column],
            "c",
            title,
            formula="exceeded for at most 0.4 % of the year in the plan's bins",
        )
    if inputs.climate is not None:
        return up.entry(inputs.climate).fig(name, "c", title.lower())  # type: ignore[no-any-return]
    return Figure(otherwise, "c", title, formula="no site is chosen: a hot day", source="ours: 35 °C dry, 24 °C wet")


def design_cop(up: Any, inputs: Any) -> Figure:
    """Return the COP of the whole plant on the design day."""
    if inputs.plant.kind == "stated":
        return inputs.fig("chiller_cop")  # type: ignore[no-any-return]
    dry, wet = design_day(up, inputs)
    power = outcome(inputs, dry.number, wet.number).power
    each = stated(
        power,
        "ratio",
        "Electricity for each kW of heat",
        formula=f"{inputs.plant.branch_title.lower()} at the design day",
        source="estimate: approach, Carnot share and fans of the plan",
        put_in=_operands(inputs, dry, wet),
    )
    return calc(plants.plant_cop, title="Cooling plant COP, design day", power_per_kw=each)


def _operands(inputs: Any, dry: Figure, wet: Figure) -> dict[str, Figure]:
    named = {
        "dry_bulb": dry,
        "wet_bulb": wet,
        "supply": inputs.fig("water_supply_c"),
        "rise": inputs.fig("water_rise_k"),
    }
    for name in type(inputs.plant).model_fields:
        if name != "kind":
            named[name] = inputs.fig(f"plant.{name}")
    return named


@lru_cache(maxsize=256)
def _year(
    plant: Any, cop: float, bins: tuple[Bin, ...], supply_c: float, rise_k: float
) -> tuple[float, float, float, float, float]:
    """Return Σ hours × power, Σ hours × water, hours all free, hours partly free, hours the supply is not held."""
    power = water = free = part = warm = 0.0
    for dry, wet, hours in bins:
        state = _outcome(plant, cop, dry, wet, supply_c, rise_k)
        power += hours * state.power
        water += hours * state.water_l_kwh
        free += hours if state.free >= 1.0 else 0.0
        part += hours if 0.0 < state.free < 1.0 else 0.0
        warm += hours if state.held_c > supply_c + 1e-9 else 0.0
    return power, water, free, part, warm


def year_figures(inputs: Any, up: Any, path: Any, cop: Figure) -> dict[str, Figure | Table]:
    """Return what the site's year gives: free cooling hours, energy, water, PUE and WUE."""
    bins = site_bins(up, inputs)
    dry, wet = design_day(up, inputs)
    kind = inputs.plant.kind
    power = up.power
    held = outcome(inputs, dry.number, wet.number).held_c
    figures: dict[str, Figure | Table] = {
        "plant_cop": cop,
        "design_dry_bulb_c": dry,
        "design_wet_bulb_c": wet,
        "water_held_c": stated(
            held, "c", formula="the plan's supply, or the coldest that the plant reaches", dry_bulb=dry, wet_bulb=wet
        ),
    }
    site = _site(up, inputs)
    plain = kind == "stated"
    if not bins and not plain:
        nothing = unknown(_NO_SITE)
        names = ("free_cooling_hours", "part_free_hours", "warm_hours", "plant_mwh_year", "water_m3_year", "wue_l_kwh",
                 "cooling_mwh_year", "annual_pue")  # fmt: skip
        return figures | dict.fromkeys(names, nothing) | {"plant_by_bin": Table(_COLUMNS, _UNITS, (), "Plant by bin")}
    year = bins or ((dry.number, wet.number, 8760.0),)
    hours_power, hours_water, free, part, warm = _year(
        inputs.plant, inputs.chiller_cop, year, inputs.water_supply_c, inputs.water_rise_k
    )
    by_cop = unknown("a stated COP says nothing of the outside air: choose a plant")

    def hours(value: float, words: str) -> Figure:
        return (
            by_cop if plain else stated(value, "h", formula=words, put_in={"site": site} | _operands(inputs, dry, wet))
        )

    heat = calc(
        plants.typical_heat_kw,
        title="Heat to the plant, typical",
        heat_kw=path.plant_heat_kw,
        it_kw=power.it_power_kw,
        it_max_kw=power.it_power_max_kw,
    )
    per_kw = stated(
        hours_power, "h", "Hours times kW for each kW", formula="Σ hours of a bin × plant power for each kW", site=site
    )
    energy = calc(plants.plant_mwh, title="Plant, a year", heat_kw=heat, hours_power=per_kw)
    it = calc(plants.year_mwh, title="IT, a year", power_kw=power.it_power_kw)
    cooling = calc(
        plants.cooling_mwh,
        fans_kw=path.fan_power_kw,
        cdus_kw=path.cdu_power_kw,
        it_kw=power.it_power_kw,
        it_max_kw=power.it_power_max_kw,
        plant_mwh=energy,
    )
    drunk: Figure = by_cop
    if not plain or inputs.plant.make_up_l_kwh is not None:
        each = stated(
            hours_water, "", "Hours times L for each kWh", formula="Σ hours of a bin × make-up water", site=site
        )
        drunk = calc(plants.water_m3, title="Water, a year", heat_kw=heat, hours_water=each)
    no_load = it.value is not None and it.number <= 0
    return figures | {
        "free_cooling_hours": hours(free, "hours of the bins in which no compressor runs"),
        "part_free_hours": hours(part, "hours of the bins in which compressors and free cooling share the heat"),
        "warm_hours": hours(warm, "hours of the bins in which the plant does not reach the planned supply"),
        "plant_mwh_year": energy,
        "cooling_mwh_year": cooling,
        "water_m3_year": drunk,
        "wue_l_kwh": unknown("no IT load") if no_load else calc(plants.wue, water_m3_year=drunk, it_mwh_year=it),
        "annual_pue": unknown("no IT load")
        if no_load
        else calc(
            plants.annual_pue,
            it_mwh=it,
            cooling_mwh=cooling,
            loss_kw=power.loss_kw,
            auxiliary_kw=up.inputs("power").fig("auxiliary_kw"),
            it_kw=power.it_power_kw,
            it_max_kw=power.it_power_max_kw,
        ),
        "plant_by_bin": LaterTable(
            _COLUMNS,
            _UNITS,
            (inputs.plant, inputs.chiller_cop, year, inputs.water_supply_c, inputs.water_rise_k),
            lambda: tuple(_row(inputs, b) for b in year),
            "The plant by bin of outside air",
            site.source,
        ),
    }


def _row(inputs: Any, row: Bin) -> tuple[float, ...]:
    state = outcome(inputs, row[0], row[1])
    return (*row, 100.0 * state.free, 1.0 / state.power, state.water_l_kwh, state.held_c)


def _site(up: Any, inputs: Any) -> Figure:
    if inputs.climate_bins.strip():
        said = origin(inputs.climate_bins)
        source = f"{said}; set in this plan" if said else "set in this plan"
        return Figure("the plan's own bins", "text", "Site", "cooling.climate_bins", source=source)
    if inputs.climate is None:
        return Figure("any", "text", "Site", formula="a stated COP holds for every hour")
    entry = up.entry(inputs.climate)
    return Figure(entry.name, "text", "Site", "cooling.climate", source=entry.sources.get("", ""))
