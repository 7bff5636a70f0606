"""Energy of a year and of the run, what it costs and emits; and what a power cap saves and costs in time."""

from __future__ import annotations

from typing import Any

from wattsweights_gui.engine import layout_rules, training_plan
from wattsweights_gui.engine.declare import Entry, Figure, LaterTable, Value, calc, unknown
from wattsweights_gui.engine.equations import electrical, energy
from wattsweights_gui.engine.equations.gpu import CAP_SOURCE, clock_share_pct
from wattsweights_gui.engine.equations.step_time import step_time
from wattsweights_gui.engine.power_draw import Loads
from wattsweights_gui.engine.power_path import Path
from wattsweights_gui.engine.racked_system import gpus_of, nameplate_kw

NO_DEMAND = Figure(0.0, "usd", "Demand charge", formula="none is given")
CAPS_PCT = (100, 95, 90, 85, 80, 75, 70, 65, 60, 55, 50)


def energy_figures(inputs: Any, up: Any, loads: Loads, most: Path, usual: Path, pue: Figure) -> dict[str, Figure]:
    """Return energy, money and emission of a year, and of the run where its days are known.

    Args:
        inputs: of the power layer.
        up: what the layer was handed.
        loads: the IT load.
        most: the path at maximum IT, for the demand charge.
        usual: the path at typical IT.
        pue: at typical IT.
    """
    busy = inputs.fig("busy_pct")
    idle = calc(electrical.at_pue_kw, title="Facility, idle", it_kw=loads.it.idle, pue=pue)
    year = calc(energy.year_mwh, title="Energy a year", busy_kw=usual.facility, idle_kw=idle, busy_pct=busy)
    it_year = calc(
        energy.year_mwh, title="IT energy a year", busy_kw=loads.it.typical, idle_kw=loads.it.idle, busy_pct=busy
    )
    split = getattr(up, "parallelism", None)
    days = split.days if split is not None else unknown("the days of the run are not known", "days")
    run = calc(energy.run_mwh, title="Energy of the run", facility_kw=usual.facility, days=days)
    price, grid = inputs.fig("price_usd_kwh"), inputs.fig("grid_g_kwh")
    demand = inputs.fig("demand_usd") if inputs.demand_usd is not None else NO_DEMAND
    no_price = unknown("no energy price is given: set power.price_usd_kwh", "usd")
    no_grid = unknown("no carbon intensity is given: set power.grid_g_kwh", "t_co2")
    priced, carbon = price.known, grid.known
    return {
        "energy_mwh_year": year,
        "it_energy_mwh_year": it_year,
        "cost_usd_year": calc(
            energy.cost_usd, energy_mwh=year, price_usd_kwh=price, peak_kw=most.facility, demand_usd=demand
        )
        if priced
        else no_price,
        "co2_t_year": calc(energy.co2_t, energy_mwh=year, grid_g_kwh=grid) if carbon else no_grid,
        "run_energy_mwh": run,
        "run_cost_usd": calc(energy.cost_usd, energy_mwh=run, price_usd_kwh=price) if priced else no_price,
        "run_co2_t": calc(energy.co2_t, energy_mwh=run, grid_g_kwh=grid) if carbon else no_grid,
    }


def caps_table(up: Any, system: Entry | None, loads: Loads, typical_pct: float | None) -> LaterTable:
    """Return what each GPU power cap saves in a node and in the hall, and what it costs in step time and days."""
    tdp = up.entry(up.inputs("compute").gpu).fig("tdp_w", "w", "thermal design power")
    node, gpus = nameplate_kw(up, system), gpus_of(system)
    split = getattr(up, "parallelism", None)
    now = up.inputs("compute").power_cap_w
    rest = (loads.network.most, loads.storage.most, loads.management.most)
    fixed = (loads.network.typical, loads.storage.typical, loads.management.typical)
    days = split.days.value if split is not None else None

    def rows() -> tuple[tuple[Value, ...], ...]:
        if not (tdp.known and node.known and gpus.known and loads.systems.known):
            return ()
        step = _step_of(up) if split is not None else None
        limit = tdp.number
        found: list[tuple[Value, ...]] = []
        for pct in CAPS_PCT:
            cap = limit * pct / 100.0
            one = electrical.capped_node_kw(node.number, gpus.number, limit, cap)
            compute = loads.systems.number * one
            speed = clock_share_pct(cap, limit)
            seconds = step(speed) if step is not None else None
            took = None
            if step is not None and seconds and isinstance(days, float | int):
                took = days * seconds / step(_now_pct(now, limit))
            usual = compute * (typical_pct or 100.0) / 100.0 + sum(f.number for f in fixed)
            spent = energy.run_mwh(usual, took) if took is not None else None
            found.append((cap, one, compute + sum(f.number for f in rest), speed, seconds, took, spent))
        return tuple(found)

    return LaterTable(
        ("gpu_cap", "node", "it_maximum", "gpu_speed", "step_time", "days", "it_energy_of_run"),
        ("w", "kw", "kw", "pct", "s", "days", "mwh"),
        (
            *(up.inputs(layer) for layer in ("compute", "parallelism", "workload", "fabric", "host")),
            tdp.value, node.value, loads.systems.value, days, typical_pct, tuple(f.value for f in (*rest, *fixed)),
        ),
        rows,
        "GPU power caps",
        CAP_SOURCE,
    )  # fmt: skip


def _now_pct(cap_w: float | None, limit_w: float) -> float:
    return 100.0 if cap_w is None else float(clock_share_pct(cap_w, limit_w))


def _step_of(up: Any) -> Any:
    """Return a function from a GPU's speed in per cent to the step time in s; ``None`` where the layout cannot run."""
    split = up.inputs("parallelism")
    if layout_rules.impossible(split, up) or training_plan.machine_of_plan(up, 100.0) is None:
        return None
    job, layout = training_plan.job_of(up), training_plan.layout_of(split)

    def step(speed_pct: float) -> float:
        machine = training_plan.machine_of_plan(up, speed_pct)
        assert machine is not None
        return float(step_time(job, machine, layout).total[0])

    return step
