"""What follows of power: loads, path, rack feeds, row, energy, and the tables of the power schedule."""

from __future__ import annotations

from wattsweights_gui.engine.declare import Figure, LayerResult, Table, result

NODE, FEEDS, PATH, HALL, ENERGY, RULE = (
    "Node", "Feeds of a rack", "Path", "Row and hall", "Energy and money", "Rule of thumb"
)  # fmt: skip


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
    it_power_idle_kw: Figure = result("IT power, idle", "kw", "All nodes wait; switches and storage as at work.")
    it_power_peak_kw: Figure = result("IT power, peak", "kw", "For milliseconds, all nodes peaking at once.")
    facility_power_kw: Figure = result(
        "Facility power",
        "kw",
        "At the utility: IT, losses, cooling and the rest, at maximum IT.",
        headline=True,
        short="Facility",
    )
    facility_typical_kw: Figure = result("Facility power, typical", "kw", "The same at typical IT.")
    pue: Figure = result("PUE", "ratio", "Facility power over IT power.", headline=True, short="PUE")
    pue_typical: Figure = result("PUE, typical", "ratio", "At typical IT: units are loaded less, so losses weigh more.")
    rack_power_kw: Figure = result(
        "Fullest rack", "kw", "Maximum draw of the fullest compute rack.", headline=True, short="Rack"
    )
    rack_feed_kw: Figure = result("Usable a rack", "kw", "What the feeds give when one side is lost.")
    compute_power_kw: Figure = result("Compute nodes", "kw", "All nodes, maximum.")
    network_power_kw: Figure = result("Network", "kw", "All switches, maximum.")
    storage_power_kw: Figure = result("Storage", "kw", "All appliances, maximum.")
    management_power_kw: Figure = result("Management", "kw", "Control plane and login nodes.")
    cdu_power_kw: Figure = result("CDUs", "kw", "Pumps and controls; part of cooling, not of IT.")
    cooling_power_kw: Figure = result("Cooling power", "kw", "Pumps, fans and chillers.")
    loss_kw: Figure = result("Electrical losses", "kw", "Transformer, UPS, distribution and rack PDUs.")

    node_power_max_kw: Figure = result(
        "Node, maximum", "kw", "Nameplate of one node, less what a cap saves.", group=NODE
    )
    node_power_kw: Figure = result("Node, typical", "kw", "One node in training.", group=NODE)
    node_power_idle_kw: Figure = result("Node, idle", "kw", "One node that waits.", group=NODE)
    node_power_peak_kw: Figure = result("Node, peak", "kw", "One node, for milliseconds (EDPp).", group=NODE)
    gpu_power_w: Figure = result("GPU, limit", "w", "Power of one GPU: its TDP or the cap.", group=NODE)
    gpu_speed_pct: Figure = result(
        "GPU speed under the cap", "pct", "Share of the uncapped speed that is left; an estimate.", group=NODE
    )
    supply_efficiency_pct: Figure = result(
        "Power supplies, efficiency", "pct", "Of the nodes or shelves at maximum; inside IT.", group=NODE
    )
    dc_load_kw: Figure = result("Load behind the supplies", "kw", "What compute nodes use of their draw.", group=NODE)
    busbar_amps: Figure = result(
        "Busbar current", "a", "Direct current in the fullest rack behind shelves or converters.", group=NODE
    )

    feed_kva: Figure = result("A feed gives", "kva", "Continuously.", group=FEEDS)
    feed_usable_kw: Figure = result(
        "Feeds of a rack give", "kw", "When the side with most of them is lost.", group=FEEDS
    )
    feed_load_pct: Figure = result("Feed load, normal", "pct", "All feeds share the fullest rack.", group=FEEDS)
    feed_amps: Figure = result("Amps a phase, normal", "a", "Of each feed, fullest rack, balanced.", group=FEEDS)
    failover_load_pct: Figure = result(
        "Feed load, one side lost", "pct", "What stays carries the fullest rack.", group=FEEDS
    )
    failover_amps: Figure = result(
        "Amps a phase, one side lost", "a", "Of each feed that stays, fullest rack, balanced.", group=FEEDS
    )
    phase_imbalance_pct: Figure = result(
        "Imbalance of phases", "pct", "Most loaded line above the mean, by the supplies on each.", group=FEEDS
    )
    phase_amps: Figure = result(
        "Most loaded line, one side lost", "a", "With single-phase supplies dealt to the phases.", group=FEEDS
    )
    phase_load_pct: Figure = result("… of its breaker", "pct", "Of what the breaker carries continuously.", group=FEEDS)
    stranded_rack_kw: Figure = result(
        "Stranded in the fullest rack", "kw", "Usable power that no load can use.", group=FEEDS
    )

    rack_loss_kw: Figure = result("Rack PDU loss", "kw", "Rack PDUs, whips and cords.", group=PATH)
    distribution_loss_kw: Figure = result("Distribution loss", "kw", "PDUs or busways.", group=PATH)
    ups_loss_kw: Figure = result("UPS loss", "kw", "At the load of each unit.", group=PATH)
    transformer_loss_kw: Figure = result("Transformer loss", "kw", "IT, cooling and the rest pass it.", group=PATH)
    ups_input_kw: Figure = result("UPS input", "kw", "IT load with the losses behind the transformer.", group=PATH)
    ups_units: Figure = result("UPS", "count", "Installed, under the redundancy; rectifiers with 800 V DC.", group=PATH)
    ups_load_pct: Figure = result("UPS load, normal", "pct", "Of each unit's rating.", group=PATH)
    ups_failover_pct: Figure = result("UPS load, after a failure", "pct", "Of each unit that stays.", group=PATH)
    distribution_units: Figure = result("PDUs or busways", "count", "Installed, under the redundancy.", group=PATH)
    transformer_units: Figure = result("Transformers", "count", "Installed, under the redundancy.", group=PATH)
    transformer_load_pct: Figure = result("Transformer load, normal", "pct", "Of each unit's rating.", group=PATH)
    generator_units: Figure = result("Generators", "count", "Installed, under the redundancy.", group=PATH)
    generator_load_kw: Figure = result("Generator load", "kw", "What they carry without the utility.", group=PATH)

    row_power_kw: Figure = result("Full row", "kw", "Maximum of a full row of compute racks.", group=HALL)
    row_amps: Figure = result("Row: amps a phase, one side lost", "a", "At the volts of the rack feed.", group=HALL)
    stranded_ups_kw: Figure = result(
        "Stranded in the UPS", "kw", "What the UPS could carry beside this plan.", group=HALL
    )

    energy_mwh_year: Figure = result(
        "Energy a year", "mwh", "At typical draw, with the losses at that draw.", group=ENERGY
    )
    it_energy_mwh_year: Figure = result("IT energy a year", "mwh", "Of it, at the racks.", group=ENERGY)
    cost_usd_year: Figure = result(
        "Energy cost a year", "usd", "By the price and the demand charge that are given.", group=ENERGY
    )
    co2_t_year: Figure = result("CO₂ a year", "t_co2", "By the carbon intensity that is given.", group=ENERGY)
    run_energy_mwh: Figure = result("Energy of the run", "mwh", "For the days that the run takes.", group=ENERGY)
    run_cost_usd: Figure = result(
        "Energy cost of the run", "usd", "By the price that is given, no demand charge.", group=ENERGY
    )
    run_co2_t: Figure = result("CO₂ of the run", "t_co2", "By the carbon intensity that is given.", group=ENERGY)

    rule_of_thumb_kw: Figure = result("GPUs × TDP × overhead", "kw", "The rule of thumb, to compare.", group=RULE)
    rule_difference_pct: Figure = result(
        "Rule of thumb, off by",
        "pct",
        "Against the load that is built up line by line; its overhead hides what those lines show.",
        group=RULE,
    )

    stages: Table = result(
        "Path of power", "text", "Each stage from the utility to the load: units, load, loss, input."
    )
    loads: Table = result("Loads", "text", "Each load as a line: idle, typical, maximum and peak.")
    rule_lines: Table = result(
        "Rule of thumb explained", "text", "Where the rule and the built-up load differ, line by line."
    )
    rack_schedule: Table = result(
        "Racks and their feeds", "text", "Each kind of rack: feeds, plug, usable and stranded kW."
    )
    feed_schedule: Table = result(
        "One feed of each side", "text", "Amps of each line, and what it carries when the other fails."
    )
    levels: Table = result(
        "Row and hall", "text", "The same for a row, PDUs, UPS, generators, transformers and the utility."
    )
    power_caps: Table = result("GPU power caps", "text", "What a cap saves in kW and costs in step time.")
