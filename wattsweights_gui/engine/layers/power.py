"""Power: from the GPU to the utility"""

from __future__ import annotations

from typing import Any, Literal

from wattsweights_gui.engine.declare import (
    Entry,
    Figure,
    LayerInputs,
    LayerResult,
    Need,
    Sized,
    calc,
    result,
    results,
    setting,
    unknown,
)
from wattsweights_gui.engine.equations import electrical
from wattsweights_gui.engine.heat_path import heat_path
from wattsweights_gui.engine.power_path import power_chain, rack_feeds
from wattsweights_gui.engine.power_rules import power_findings
from wattsweights_gui.engine.racked_system import is_rack_scale, node_max_kw, system_of

NAME = "power"
TITLE = "Power"
ABOUT = "from the GPU to the utility"


class Inputs(LayerInputs):
    """Draw, path and what the facility delivers."""

    typical_pct: float = setting(
        85.0,
        title="Typical draw",
        unit="pct",
        help="Average node draw in training, of its maximum.",
        source="ours: large training jobs hold 80 to 90 % of nameplate",
        group="Load",
        hard=(1, 100),
        usual=(50, 100),
    )
    management_kw: float = setting(
        20.0,
        title="Management and login nodes",
        unit="kw",
        help="Control plane, login and monitoring servers.",
        source="ours: about 20 servers of 1 kW",
        group="Load",
        hard=(0, 100000),
    )
    scheme: Literal["n", "n_plus_1", "2n", "3n_2"] = setting(
        "2n",
        title="Redundancy",
        help="Of the UPS and feeds.",
        source="Tier III and IV practice",
        group="Path",
        choices={"n": "N", "n_plus_1": "N+1", "2n": "2N", "3n_2": "3N/2 (catcher)"},
    )
    transformer_efficiency_pct: float = setting(
        99.0,
        title="Transformer efficiency",
        unit="pct",
        help="At the planned load.",
        source="typical dry-type transformer",
        group="Path",
        hard=(50, 100),
        usual=(97, 99.9),
    )
    ups_efficiency_pct: float = setting(
        97.0,
        title="UPS efficiency",
        unit="pct",
        help="At the planned load.",
        source="double conversion, generic curve",
        group="Path",
        hard=(50, 100),
        usual=(92, 99.5),
    )
    distribution_efficiency_pct: float = setting(
        99.0,
        title="Distribution efficiency",
        unit="pct",
        help="PDUs, busways and cables.",
        source="typical",
        group="Path",
        hard=(50, 100),
        usual=(97, 99.9),
    )
    auxiliary_kw: float = setting(
        50.0,
        title="Lighting and other loads",
        unit="kw",
        help="What is neither IT nor cooling.",
        source="ours",
        group="Path",
        hard=(0, 100000),
    )
    feed: str = setting(
        "feed_415_63_3_100",
        title="Rack feed",
        help="Circuit that feeds a rack.",
        source="European and new North American halls",
        catalog="feed",
        group="Rack feeds",
    )
    feeds_per_rack: int = setting(
        4,
        title="Feeds a rack",
        help="Circuits to one rack, both sides added up.",
        source="two on each side",
        group="Rack feeds",
        hard=(1, 32),
    )
    power_factor: float = setting(
        0.98,
        title="Power factor",
        unit="ratio",
        help="Of the rack's load.",
        source="active PSUs",
        group="Rack feeds",
        hard=(0.5, 1.0),
    )
    utility_mw: float | None = setting(
        None,
        title="Utility power",
        unit="mw",
        help="What the site can draw.",
        group="Facility limits",
        hard=(0, 100000),
        when_none="no limit stated",
        facility=True,
    )
    it_limit_kw: float | None = setting(
        None,
        title="UPS power for IT",
        unit="kw",
        help="What the UPS and distribution can give to IT.",
        group="Facility limits",
        hard=(0, 10000000),
        when_none="no limit stated",
        facility=True,
    )
    rack_feed_limit_kw: float | None = setting(
        None,
        title="Power a rack",
        unit="kw",
        help="What one rack may draw.",
        group="Facility limits",
        hard=(0, 10000),
        when_none="from the feeds",
        facility=True,
    )


class Result(LayerResult):
    """What follows."""

    it_power_kw: Figure = result(
        "IT power, typical",
        "kw",
        "Nodes, switches, storage and management at their typical draw.",
        headline=True,
        short="IT",
    )
    it_power_max_kw: Figure = result("IT power, maximum", "kw", "The same at nameplate: what feeds are sized for.")
    facility_power_kw: Figure = result(
        "Facility power",
        "kw",
        "At the utility: IT, losses, cooling and the rest, at maximum IT.",
        headline=True,
        short="Facility",
    )
    pue: Figure = result("PUE", "ratio", "Facility power over IT power.", headline=True, short="PUE")
    rack_power_kw: Figure = result(
        "Fullest rack", "kw", "Maximum draw of the fullest rack.", headline=True, short="Rack"
    )
    rack_feed_kw: Figure = result("Usable a rack", "kw", "What the feeds give when one side is lost.")
    node_power_max_kw: Figure = result("Node, maximum", "kw", "Nameplate of one node.")
    node_power_kw: Figure = result("Node, typical", "kw", "One node in training.")
    compute_power_kw: Figure = result("Compute nodes", "kw", "All nodes, maximum.")
    network_power_kw: Figure = result("Network", "kw", "All switches, maximum.")
    storage_power_kw: Figure = result("Storage", "kw", "All appliances, maximum.")
    management_power_kw: Figure = result("Management", "kw", "Control plane and login nodes.")
    loss_kw: Figure = result("Electrical losses", "kw", "Transformer, UPS and distribution.")
    cooling_power_kw: Figure = result("Cooling power", "kw", "Pumps, fans and chillers.")
    rule_of_thumb_kw: Figure = result("GPUs x TDP x 1.5", "kw", "The rule of thumb, to compare.")
    rule_difference_pct: Figure = result(
        "Rule of thumb, off by",
        "pct",
        "Against the load that is built up line by line; its 1.5 hides what those lines show.",
    )
    distribution_loss_kw: Figure = result("Distribution loss", "kw", "PDUs, busways and cables.")
    ups_loss_kw: Figure = result("UPS loss", "kw", "At the planned load.")
    transformer_loss_kw: Figure = result("Transformer loss", "kw", "IT, cooling and the rest pass it.")
    ups_input_kw: Figure = result("UPS input", "kw", "IT load with the losses behind the transformer.")
    feed_kva: Figure = result("A feed gives", "kva", "Continuously.")
    feed_usable_kw: Figure = result("Feeds of a rack give", "kw", "When the side with most of them is lost.")
    feed_load_pct: Figure = result("Feed load, normal", "pct", "All feeds share the fullest rack.")
    failover_load_pct: Figure = result("Feed load, one side lost", "pct", "What stays carries the fullest rack.")
    failover_amps: Figure = result(
        "Amps a phase, one side lost", "a", "Of each feed that stays, fullest rack, balanced."
    )
    energy_mwh_year: Figure = result("Energy a year", "mwh", "At typical IT draw all year, PUE held constant.")


def size(inputs: Inputs, up: Any) -> Sized:
    """Size the layer: IT load first, cooling's draw by the one path that the cooling layer walks too."""
    system = system_of(up)
    cluster = up.cluster
    node_max = node_max_kw(up, system)
    node = calc(electrical.typical_kw, max_kw=node_max, typical_pct=inputs.fig("typical_pct"))
    systems = _systems(up, system)
    compute = calc(electrical.total_kw, title="Compute nodes", count=systems, each_kw=node_max)
    compute_typical = calc(electrical.total_kw, title="Compute nodes, typical", count=systems, each_kw=node)
    management = inputs.fig("management_kw")
    left_out: list[tuple[str, Figure]] = []
    network = _or_none("switches", cluster.switch_power_kw, left_out)
    network_typical = _or_none("", cluster.switch_power_typical_kw, [])
    storage = _or_none("storage", up.storage.power_kw, left_out)
    it_max = calc(
        electrical.it_kw, title="IT, maximum", compute=compute, network=network, storage=storage, management=management
    )
    it_typical = calc(
        electrical.it_kw,
        title="IT, typical",
        compute=compute_typical,
        network=network_typical if network_typical.number else network,
        storage=storage,
        management=management,
    )
    path = heat_path(up, it_max, compute, node_max)
    chain = power_chain(inputs, it_max, path.cooling_kw)
    facility = calc(
        electrical.facility_kw,
        title="Facility",
        it_kw=it_max,
        loss_kw=chain["loss_kw"],
        cooling_kw=path.cooling_kw,
        auxiliary_kw=inputs.fig("auxiliary_kw"),
    )
    pue = calc(electrical.pue, facility_kw=facility, it_kw=it_max) if _positive(it_max) else unknown("no IT load")
    per_rack = Figure(1, "count", "Rack-scale systems a rack") if is_rack_scale(system) else cluster.nodes_per_rack
    rack = calc(electrical.total_kw, title="Fullest rack", count=per_rack, each_kw=node_max)
    rack_feed, feeds = rack_feeds(inputs, up, rack)
    gpu = up.entry(up.inputs("compute").gpu)
    rule = calc(electrical.rule_of_thumb_kw, gpus=cluster.gpus, tdp_w=gpu.fig("tdp_w", "w", "thermal design power"))
    outcome = results(
        Result,
        it_power_kw=it_typical,
        it_power_max_kw=it_max,
        facility_power_kw=facility,
        pue=pue,
        rack_power_kw=rack,
        rack_feed_kw=rack_feed,
        node_power_max_kw=node_max,
        node_power_kw=node,
        compute_power_kw=compute,
        network_power_kw=cluster.switch_power_kw,
        storage_power_kw=up.storage.power_kw,
        management_power_kw=management,
        cooling_power_kw=path.cooling_kw,
        rule_of_thumb_kw=rule,
        rule_difference_pct=calc(electrical.difference_pct, rule_kw=rule, built_up_kw=it_max),
        energy_mwh_year=calc(electrical.energy_mwh_year, it_kw=it_typical, pue=pue),
        **chain,
        **feeds,
    )
    utility = inputs.fig("utility_mw")
    needs = (
        Need(
            "power",
            "facility_power_kw",
            "Facility power",
            facility,
            calc(electrical.mw_to_kw, title="Utility power", mw=utility)
            if utility.known
            else unknown("no limit is stated", "kw"),
            "kw",
        ),
        Need("power", "it_power_max_kw", "IT power", it_max, _limit(inputs, "it_limit_kw"), "kw"),
        Need("power", "rack_power_kw", "Power of the fullest rack", rack, rack_feed, "kw"),
    )
    return Sized(outcome, tuple(power_findings(inputs, up, system, outcome, left_out)), needs)


def _systems(up: Any, system: Entry | None) -> Figure:
    if system is None or not up.cluster.gpus.known:
        return up.cluster.nodes  # type: ignore[no-any-return]
    return calc(
        electrical.systems_of,
        title="Systems",
        gpus=up.cluster.gpus,
        gpus_per_system=system.fig("gpus", "count", "GPUs a system"),
    )


def _or_none(what: str, figure: Figure, left_out: list[tuple[str, Figure]]) -> Figure:
    """Return a load, or 0 where it is not known; then it is named as left out."""
    if figure.known:
        return figure
    left_out.append((what, figure))
    return Figure(0.0, "kw", figure.title, formula=f"left out, not known: {figure.formula}", operands=figure.operands)


def _positive(figure: Figure) -> bool:
    return figure.value is None or figure.number > 0


def _limit(inputs: Inputs, name: str) -> Figure:
    figure = inputs.fig(name)
    return figure if figure.known else unknown("no limit is stated", figure.unit, figure.title)
