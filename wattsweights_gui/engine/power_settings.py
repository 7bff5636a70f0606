"""What may be set of power: draw, path, redundancy, units, efficiency, rack feeds, energy, the facility's limits."""

from __future__ import annotations

from typing import Literal

from wattsweights_gui.engine.declare import LayerInputs, setting
from wattsweights_gui.engine.equations import redundancy

Scheme = Literal["n", "n_plus_1", "2n", "3n_2", "block_redundant"]
NO_LIMIT = "no limit stated"


class Inputs(LayerInputs):
    """Draw, path and what the facility delivers."""

    typical_pct: float | None = setting(
        None,
        title="Typical draw",
        unit="pct",
        help="Average node draw in training, of its maximum.",
        group="Load",
        hard=(1, 100),
        usual=(50, 100),
        when_none="the system's published typical draw, else the draw measured in training",
    )
    idle_pct: float | None = setting(
        None,
        title="Idle draw",
        unit="pct",
        help="Draw of a node that waits, of its maximum.",
        group="Load",
        hard=(0, 100),
        usual=(5, 50),
        when_none="a fifth of the maximum, an estimate",
    )
    peak_pct: float | None = setting(
        None,
        title="Transient peak",
        unit="pct",
        help="Highest draw of a node for milliseconds (EDPp), of its maximum.",
        group="Load",
        hard=(100, 300),
        usual=(100, 200),
        when_none="the system's published peak, else as a DGX B300 peaks over its estimate",
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
    rule_overhead: float = setting(
        1.5,
        title="Overhead of the rule of thumb",
        unit="ratio",
        help="Factor on GPUs × TDP in the rule that is shown beside the built-up load; nothing is sized with it.",
        source="common in rack planning sheets",
        group="Load",
        hard=(1, 5),
        usual=(1.2, 2),
    )
    distribution: Literal["pdu", "busway", "dc_800"] = setting(
        "busway",
        title="Distribution",
        help="From the UPS to the racks: floor PDUs with transformers, busway, or 800 V DC from central rectifiers.",
        source="practice of dense halls",
        group="Path",
        choices={"pdu": "PDU with transformer", "busway": "Busway", "dc_800": "800 V DC"},
    )
    cdu_on_ups: bool = setting(
        True,
        title="CDUs on the UPS",
        help="Pumps that stop let cold plates overheat within seconds, before generators have started.",
        source="practice of liquid-cooled halls",
        group="Path",
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
    scheme: Scheme = setting(
        "2n",
        title="Redundancy",
        help="Of the UPS, the distribution and the feeds.",
        source="Tier III and IV practice",
        group="Redundancy",
        choices=redundancy.SCHEMES,
    )
    transformer_scheme: Literal["as_ups", "n", "n_plus_1", "2n", "3n_2", "block_redundant"] = setting(
        "as_ups",
        title="Transformer redundancy",
        help="Each side of a redundant path usually has transformers of its own.",
        source="Tier III and IV practice",
        group="Redundancy",
        choices={"as_ups": "As the UPS", **redundancy.SCHEMES},
    )
    generator_scheme: Scheme = setting(
        "n_plus_1",
        title="Generator redundancy",
        help="Of the generators that carry the hall without the utility.",
        source="Tier III practice",
        group="Redundancy",
        choices=redundancy.SCHEMES,
    )
    transformer_kva: float = setting(
        2500.0,
        title="One transformer",
        unit="kva",
        help="Rating of one transformer.",
        source="common size of data halls",
        group="Units",
        hard=(1, 200000),
    )
    transformer_most_pct: float = setting(
        80.0,
        title="Most load of a transformer",
        unit="pct",
        help="Share of its rating that a transformer is loaded to at most, after a failure too.",
        source="ours: room for harmonics and a warm day",
        group="Units",
        hard=(10, 100),
        usual=(60, 100),
    )
    generator_kw: float = setting(
        2500.0,
        title="One generator",
        unit="kw",
        help="Standby rating of one generator.",
        source="Caterpillar 3516E, 2,500 to 2,750 kW",
        group="Units",
        hard=(1, 200000),
    )
    generator_most_pct: float = setting(
        90.0,
        title="Derating of a generator",
        unit="pct",
        help="What is left of the standby rating at the site: prime duty, altitude, inlet temperature.",
        source="estimate: standby is 10 to 15 % above prime duty (ISO 8528 ratings as Huaquan quotes them)",
        group="Units",
        hard=(10, 100),
        usual=(60, 100),
    )
    ups_kw: float = setting(
        1250.0,
        title="One UPS",
        unit="kw",
        help="Rating of one UPS, or of one rectifier to 800 V DC.",
        source="Schneider Electric Galaxy VXL, 500 to 1,250 kW",
        group="Units",
        hard=(1, 100000),
    )
    ups_most_pct: float = setting(
        90.0,
        title="Most load of a UPS",
        unit="pct",
        help="Share of its rating that a UPS is loaded to at most, after a failure too.",
        source="ours: room for battery charging and steps of load",
        group="Units",
        hard=(10, 100),
        usual=(60, 100),
    )
    distribution_kva: float = setting(
        500.0,
        title="One PDU or busway",
        unit="kva",
        help="Rating of one floor PDU or busway run; the continuous share comes off it.",
        source="busway of 800 A at 415 V: 575 kVA, 460 kVA at 80 %",
        group="Units",
        hard=(1, 100000),
    )
    transformer: str = setting(
        "transformer_dry_lv_1000",
        title="Transformer curve",
        help="Efficiency by load.",
        source="10 CFR 431.196: the least that may be sold in the United States",
        catalog="transformer",
        group="Efficiency",
    )
    ups: str = setting(
        "ups_generic_2n",
        title="UPS curve",
        help="Efficiency by load; not used with 800 V DC, which has rectifiers.",
        source="double conversion, generic curve",
        catalog="ups",
        group="Efficiency",
    )
    psu: str | None = setting(
        None,
        title="Power supplies",
        help="Of the nodes or of the rack's shelf. Their loss lies inside the node's draw.",
        catalog="psu",
        group="Efficiency",
        when_none="shelves where the system has them, converters behind 800 V DC, else 80 PLUS Titanium",
    )
    transformer_efficiency_pct: float | None = setting(
        None,
        title="Transformer efficiency",
        unit="pct",
        help="Stated for every load.",
        group="Efficiency",
        hard=(50, 100),
        usual=(97, 99.9),
        when_none="by the curve, at the load",
    )
    ups_efficiency_pct: float | None = setting(
        None,
        title="UPS efficiency",
        unit="pct",
        help="Stated for every load.",
        group="Efficiency",
        hard=(50, 100),
        usual=(92, 99.5),
        when_none="by the curve, at the load",
    )
    distribution_efficiency_pct: float | None = setting(
        None,
        title="Distribution efficiency",
        unit="pct",
        help="PDUs, busways, rack PDUs and cables, stated for every load.",
        group="Efficiency",
        hard=(50, 100),
        usual=(97, 99.9),
        when_none="by the curves, at the load",
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
        help="Of the rack's load; 1 on a direct-current feed.",
        source="active PSUs",
        group="Rack feeds",
        hard=(0.5, 1.0),
    )
    continuous: Literal["feed", "nec", "iec"] = setting(
        "feed",
        title="Continuous load",
        help="Share of a breaker that a load of three hours and more may use.",
        source="NEC 210.20(A): 80 %; IEC practice: the rating",
        group="Rack feeds",
        choices={"feed": "As catalogued for the feed", "nec": "NEC, 80 %", "iec": "IEC practice, 100 %"},
    )
    busbar_v: float | None = setting(
        None,
        title="Busbar in the rack",
        unit="v",
        help="Direct-current volts of the busbar behind power shelves or converters.",
        group="Rack feeds",
        hard=(12, 1500),
        usual=(48, 800),
        when_none="of the shelf or converter",
    )
    price_usd_kwh: float | None = setting(
        None,
        title="Energy price",
        unit="usd_kwh",
        help="What a kWh costs, in the currency that you count in.",
        group="Energy and money",
        hard=(0, 100),
        usual=(0.01, 1),
        when_none="not given: no cost",
    )
    demand_usd: float | None = setting(
        None,
        title="Demand charge",
        unit="usd",
        help="For each kW of highest demand and month.",
        group="Energy and money",
        hard=(0, 10000),
        usual=(0, 50),
        when_none="none",
    )
    grid_g_kwh: float | None = setting(
        None,
        title="Carbon intensity",
        unit="g_kwh",
        help="CO₂ for each kWh, of the grid or the contract.",
        group="Energy and money",
        hard=(0, 5000),
        usual=(0, 1200),
        when_none="not given: no emission",
    )
    busy_pct: float = setting(
        100.0,
        title="Share of the year in training",
        unit="pct",
        help="The rest of the year nodes idle, powered on.",
        source="ours: a cluster that is never empty",
        group="Energy and money",
        hard=(0, 100),
        usual=(50, 100),
    )
    utility_mw: float | None = setting(
        None,
        title="Utility power",
        unit="mw",
        help="What the site can draw.",
        group="Facility limits",
        hard=(0, 100000),
        when_none=NO_LIMIT,
        facility=True,
    )
    generator_limit_kw: float | None = setting(
        None,
        title="Generator power",
        unit="kw",
        help="What the generators give with the spare ones out.",
        group="Facility limits",
        hard=(0, 10000000),
        when_none=NO_LIMIT,
        facility=True,
    )
    it_limit_kw: float | None = setting(
        None,
        title="UPS power for IT",
        unit="kw",
        help="What the UPS and distribution can give to IT.",
        group="Facility limits",
        hard=(0, 10000000),
        when_none=NO_LIMIT,
        facility=True,
    )
    row_limit_kw: float | None = setting(
        None,
        title="Power a row",
        unit="kw",
        help="What one row may draw with one side lost.",
        group="Facility limits",
        hard=(0, 1000000),
        when_none=NO_LIMIT,
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
