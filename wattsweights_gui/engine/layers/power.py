"""Power: from the GPU to the utility"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from wattsweights_gui.engine.declare import Figure, Need, Sized, calc, results, stated, unknown
from wattsweights_gui.engine.equations import electrical
from wattsweights_gui.engine.equations import gpu as gpu_equations
from wattsweights_gui.engine.heat_path import heat_path
from wattsweights_gui.engine.placed_racks import heaviest_kw, heaviest_row_kw
from wattsweights_gui.engine.power_draw import Loads, loads_of, loads_table, rule_table
from wattsweights_gui.engine.power_energy import caps_table, energy_figures
from wattsweights_gui.engine.power_feeds import circuit_of, rack_feeds, supplies_of_rack
from wattsweights_gui.engine.power_outcome import Result
from wattsweights_gui.engine.power_path import Path, capacity_of, load_of, power_path, stages_table
from wattsweights_gui.engine.power_rules import power_findings
from wattsweights_gui.engine.power_schedule import (
    Row,
    feeds_table,
    levels_table,
    racks_of,
    racks_table,
    row_of,
    schedule_key,
)
from wattsweights_gui.engine.power_settings import Inputs
from wattsweights_gui.engine.power_supplies import supply_stage
from wattsweights_gui.engine.racked_system import is_rack_scale, system_of

__all__ = ["ABOUT", "NAME", "TITLE", "Inputs", "Result", "size"]

NAME = "power"
TITLE = "Power"
ABOUT = "from the GPU to the utility"


def size(inputs: Inputs, up: Any) -> Sized:
    """Size the layer: IT load first, cooling's draw by the one path that the cooling layer walks too."""
    system = system_of(up)
    cluster = up.cluster
    loads = loads_of(inputs, up, system)
    heat = heat_path(up, loads.it.most, loads.compute.most, loads.node.most)
    heat_usual = heat_path(up, loads.it.typical, loads.compute.typical, loads.node.most)
    per_rack = Figure(1, "count", "Rack-scale systems a rack") if is_rack_scale(system) else cluster.nodes_per_rack
    rack = calc(electrical.total_kw, title="Fullest rack", count=per_rack, each_kw=loads.node.most)
    rack = heaviest_kw(up, system, loads.node.most, "Fullest rack") or rack
    circuit = circuit_of(inputs, up)
    supplies = supplies_of_rack(up, system, circuit)
    rack_feed, feed_figures = rack_feeds(inputs, circuit, rack, supplies)
    known_racks = [f for f in (cluster.compute_racks, cluster.network_racks, up.storage.racks) if f.known]
    feeds = calc(
        electrical.feeds_of_hall,
        title="Feeds of all racks",
        feeds=inputs.fig("feeds_per_rack"),
        racks=stated(
            sum(f.number for f in known_racks),
            "count",
            "Racks",
            formula="compute + network + storage",
            put_in={f"racks_{i}": f for i, f in enumerate(known_racks)},
        ),
    )
    feed_kw = calc(electrical.usable_kw, title="One feed", feeds=1, kva=circuit.kva, power_factor=circuit.power_factor)
    path = power_path(
        inputs, up, loads.it.most, heat.cooling_kw, heat.cdu_power_kw, feeds, feed_kw, circuit.power_factor,
        circuit.continuous_pct,
    )  # fmt: skip
    usual = power_path(
        inputs, up, loads.it.typical, heat_usual.cooling_kw, heat_usual.cdu_power_kw, feeds, feed_kw,
        circuit.power_factor, circuit.continuous_pct, path,
    )  # fmt: skip
    pue, pue_usual = _pue(path.facility, loads.it.most), _pue(usual.facility, loads.it.typical)
    supply = supply_stage(inputs, up, system, loads)
    rack_typical = calc(electrical.total_kw, title="Fullest rack, typical", count=per_rack, each_kw=loads.node.typical)
    rack_typical = heaviest_kw(up, system, loads.node.typical, "Fullest rack, typical") or rack_typical
    row = row_of(up, path, rack, rack_typical, circuit, _placed_rows(up, system, loads))
    racks = partial(racks_of, up, loads, per_rack, rack, supplies)
    racked = schedule_key(inputs, up, loads, per_rack, supplies)
    utility = inputs.fig("utility_mw")
    utility_kw = (
        calc(electrical.mw_to_kw, title="Utility power", mw=utility)
        if utility.known
        else unknown("no limit is stated", "kw")
    )
    outcome = results(
        Result,
        it_power_kw=loads.it.typical,
        it_power_max_kw=loads.it.most,
        it_power_idle_kw=loads.it.idle,
        it_power_peak_kw=loads.it.peak,
        facility_power_kw=path.facility,
        facility_typical_kw=usual.facility,
        pue=pue,
        pue_typical=pue_usual,
        rack_power_kw=rack,
        rack_feed_kw=rack_feed,
        compute_power_kw=loads.compute.most,
        network_power_kw=cluster.switch_power_kw,
        storage_power_kw=up.storage.power_kw,
        management_power_kw=loads.management.most,
        cdu_power_kw=heat.cdu_power_kw,
        cooling_power_kw=heat.cooling_kw,
        **_node_figures(inputs, up, loads, supply.figures),
        **feed_figures,
        **_path_figures(path),
        row_power_kw=row.most,
        row_amps=row.failed_amps,
        stranded_ups_kw=calc(
            electrical.stranded_kw, usable_kw=capacity_of(path.ups.bank), load_kw=path.ups.output
        ),
        **energy_figures(inputs, up, loads, path, usual, pue_usual),
        **_rule(inputs, up, loads),
        stages=stages_table(path, supply.stage, utility_kw),
        loads=loads_table(loads, _not_it(inputs, heat)),
        rack_schedule=racks_table(racks, racked, inputs, circuit),
        feed_schedule=feeds_table(racks, racked, inputs, circuit),
        levels=levels_table(row, _rows(row, cluster.compute_racks), path, usual, utility_kw),
        power_caps=caps_table(up, system, loads, _typical_pct(loads)),
    )  # fmt: skip
    needs = _needs(inputs, outcome, utility_kw, rack_feed, row)
    return Sized(outcome, tuple(power_findings(inputs, up, system, outcome, loads, circuit)), needs)


def _needs(inputs: Inputs, outcome: Result, utility_kw: Figure, rack_feed: Figure, row: Row) -> tuple[Need, ...]:
    rows = (
        ("facility_power_kw", "Facility power", outcome.facility_power_kw, utility_kw),
        ("generator_load_kw", "Power on generators", outcome.generator_load_kw, _limit(inputs, "generator_limit_kw")),
        ("it_power_max_kw", "IT power", outcome.it_power_max_kw, _limit(inputs, "it_limit_kw")),
        ("row_power_kw", "Power of a full row", row.most, _limit(inputs, "row_limit_kw")),
        ("rack_power_kw", "Power of the fullest rack", outcome.rack_power_kw, rack_feed),
    )
    return tuple(Need("power", quantity, title, need, have, "kw") for quantity, title, need, have in rows)


def _node_figures(inputs: Inputs, up: Any, loads: Loads, supply: dict[str, Figure]) -> dict[str, Figure]:
    compute = up.inputs("compute")
    limit = up.entry(compute.gpu).fig("tdp_w", "w", "thermal design power")
    cap = compute.fig("power_cap_w") if compute.power_cap_w is not None else limit
    speed = (
        stated(100.0, "pct", formula="no cap is set")
        if compute.power_cap_w is None
        else calc(gpu_equations.clock_share_pct, cap_w=cap, limit_w=limit)
    )
    return {
        "node_power_max_kw": loads.node.most,
        "node_power_kw": loads.node.typical,
        "node_power_idle_kw": loads.node.idle,
        "node_power_peak_kw": loads.node.peak,
        "gpu_power_w": calc(gpu_equations.gpu_power, cap_w=cap, limit_w=limit),
        "gpu_speed_pct": speed,
        **supply,
    }


def _path_figures(path: Path) -> dict[str, Figure]:
    ups, transformer = path.ups, path.transformer
    return {
        "loss_kw": path.loss_kw,
        "rack_loss_kw": path.rack.loss,
        "distribution_loss_kw": path.distribution.loss,
        "ups_loss_kw": ups.loss,
        "transformer_loss_kw": transformer.loss,
        "ups_input_kw": ups.input,
        "ups_units": ups.bank.installed,
        "ups_load_pct": load_of(ups.bank, ups.output),
        "ups_failover_pct": load_of(ups.bank, ups.output, failed=True),
        "distribution_units": path.distribution.bank.installed,
        "transformer_units": transformer.bank.installed,
        "transformer_load_pct": load_of(transformer.bank, transformer.output),
        "generator_units": path.generator.installed,
        "generator_load_kw": path.generator_output,
    }


def _placed_rows(up: Any, system: Any, loads: Loads) -> tuple[Figure, Figure] | None:
    """Return the row of placed racks that draws most, at most and typical; ``None`` where the plan's rows count."""
    per_row = up.inputs("floor").fig("racks_per_row")
    found = [heaviest_row_kw(up, system, each, int(per_row.number)) for each in (loads.node.most, loads.node.typical)]
    most, typical = (
        None
        if kw is None
        else stated(
            kw, "kw", title, formula="Σ draw of the placed racks of the row that draws most", racks_per_row=per_row
        )
        for kw, title in zip(found, ("Row, maximum", "Row, typical"), strict=True)
    )
    return None if most is None or typical is None else (most, typical)


def _rule(inputs: Inputs, up: Any, loads: Loads) -> dict[str, Any]:
    tdp = up.entry(up.inputs("compute").gpu).fig("tdp_w", "w", "thermal design power")
    cap = up.inputs("compute").fig("power_cap_w") if up.inputs("compute").power_cap_w is not None else tdp
    overhead = inputs.fig("rule_overhead")
    rule = calc(electrical.rule_of_thumb_kw, gpus=up.cluster.gpus, tdp_w=tdp, overhead=overhead)
    drawn = calc(gpu_equations.gpu_power, cap_w=cap, limit_w=tdp)
    return {
        "rule_of_thumb_kw": rule,
        "rule_difference_pct": calc(electrical.difference_pct, rule_kw=rule, built_up_kw=loads.it.most),
        "rule_lines": rule_table(loads, up.cluster.gpus, tdp, drawn, overhead),
    }


def _not_it(inputs: Inputs, heat: Any) -> tuple[tuple[str, Figure], ...]:
    return (
        ("CDUs", heat.cdu_power_kw),
        ("Fans of air handlers and doors", heat.fan_power_kw),
        ("Cooling plant", heat.plant_power_kw),
        ("Lighting and other", inputs.fig("auxiliary_kw")),
    )


def _rows(row: Row, racks: Figure) -> Figure:
    if not (row.racks.known and racks.known and row.racks.number):
        return unknown("the racks are not known", "count")
    return stated(math.ceil(racks.number / row.racks.number), "count", "Rows", formula="⌈racks / racks a row⌉")


def _pue(facility: Figure, it: Figure) -> Figure:
    if it.known and it.number <= 0:
        return unknown("no IT load", "ratio")
    return calc(electrical.pue, facility_kw=facility, it_kw=it)


def _typical_pct(loads: Loads) -> float | None:
    share = dict(loads.node.typical.operands).get("typical_pct")
    return float(share.number) if share is not None and share.known else None


def _limit(inputs: Inputs, name: str) -> Figure:
    figure = inputs.fig(name)
    return figure if figure.known else unknown("no limit is stated", figure.unit, figure.title)
