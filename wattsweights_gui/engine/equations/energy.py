"""Energy of a year and of a run, what it costs and what it emits."""

from __future__ import annotations

from wattsweights_gui.engine.declare import equation

HOURS_A_YEAR = 8760.0
MONTHS_A_YEAR = 12.0


@equation("E = P 8760 h share of the year", "mwh", "typical draw while it trains, idle draw for the rest of the year")
def year_mwh(busy_kw: float, idle_kw: float, busy_pct: float) -> float:
    """Return the energy of a year in MWh, from the draw in training and while idle."""
    share = busy_pct / 100.0
    return (busy_kw * share + idle_kw * (1.0 - share)) * HOURS_A_YEAR / 1e3


@equation("E = P 24 h days", "mwh", "typical draw of the whole facility for as long as the run takes")
def run_mwh(facility_kw: float, days: float) -> float:
    """Return the energy of a run in MWh."""
    return facility_kw * 24.0 * days / 1e3


@equation("cost = E price + P_max demand 12 months", "usd", "the tariff that is given")
def cost_usd(energy_mwh: float, price_usd_kwh: float, peak_kw: float = 0.0, demand_usd: float = 0.0) -> float:
    """Return what a year's energy costs.

    Args:
        energy_mwh: of a year.
        price_usd_kwh: energy price.
        peak_kw: highest demand.
        demand_usd: charge for each kW of it and month.
    """
    return energy_mwh * 1e3 * price_usd_kwh + peak_kw * demand_usd * MONTHS_A_YEAR


@equation("m = E c / 1000", "t_co2", "the intensity that is given")
def co2_t(energy_mwh: float, grid_g_kwh: float) -> float:
    """Return an emission in tonnes."""
    return energy_mwh * grid_g_kwh / 1e3
