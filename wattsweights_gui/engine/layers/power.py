"""Power: from the GPU to the utility"""

from __future__ import annotations

from typing import Any, Literal

from wattsweights_gui.engine.declare import (
    Figure,
    LayerInputs,
    LayerResult,
    Sized,
    result,
    results,
    setting,
    unknown,
)

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
        "IT power, typical", "kw", "Nodes, switches, storage and management at their typical draw.", headline=True
    )
    it_power_max_kw: Figure = result("IT power, maximum", "kw", "The same at nameplate: what feeds are sized for.")
    facility_power_kw: Figure = result(
        "Facility power", "kw", "At the utility: IT, losses, cooling and the rest, at maximum IT.", headline=True
    )
    pue: Figure = result("PUE", "ratio", "Facility power over IT power.", headline=True)
    rack_power_kw: Figure = result("Fullest rack", "kw", "Maximum draw of the fullest rack.", headline=True)
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


def size(inputs: Inputs, up: Any) -> Sized:
    """Size the layer. Skeleton: every figure is unknown."""
    figures = {name: unknown("not sized yet", about.unit) for name, about in _declared().items()}
    return Sized(results(Result, **figures))


def _declared() -> dict[str, Any]:
    from wattsweights_gui.engine.declare import results_of

    return results_of(Result)
