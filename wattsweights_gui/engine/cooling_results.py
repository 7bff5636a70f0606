"""What follows from the cooling layer's inputs: the results that it shows."""

from __future__ import annotations

from wattsweights_gui.engine.declare import Figure, LayerResult, Table, result


class Result(LayerResult):
    """What follows from the cooling layer's inputs."""

    liquid_heat_kw: Figure = result(
        "Heat to liquid", "kw", "Of all racks, at maximum.", headline=True, short="To liquid"
    )
    air_heat_kw: Figure = result("Heat to air", "kw", "Of all racks, at maximum.", headline=True, short="To air")
    rack_heat_kw: Figure = result(
        "Heat of the fullest rack", "kw", "Maximum draw of the fullest compute rack.", short="Rack heat"
    )
    rack_limit_kw: Figure = result(
        "A rack can reject", "kw", "By the chosen technology and the facility limit.", headline=True, short="Rack limit"
    )
    coolant_flow_l_min: Figure = result(
        "Coolant flow", "l_min", "Technology loop, all racks; liquid side for two-phase."
    )
    rack_coolant_flow_l_min: Figure = result("Coolant flow a rack", "l_min", "Fullest rack.")
    facility_water_l_min: Figure = result(
        "Facility water flow", "l_min", "For liquid and air heat.", headline=True, short="Water"
    )
    cdus: Figure = result("CDUs", "count", "Including spares.")
    cdu_power_kw: Figure = result("CDU power", "kw", "Pumps and controls of all CDUs.")
    fan_power_kw: Figure = result("Air handler fans", "kw", "For the heat to air.")
    plant_power_kw: Figure = result("Cooling plant power", "kw", "Chillers, pumps and fans outside.")
    water_return_c: Figure = result("Facility water return", "c", "Supply plus rise.")
    airflow_m3_s: Figure = result("Airflow", "m3_s", "For the heat to air.")
    rack_limit_by: Figure = result("Limited by", "text", "The stage that limits what a rack can reject.")
    liquid_pct: Figure = result("Heat of compute racks to liquid", "pct", "What cold plates or doors take.")
    room_air_kw: Figure = result(
        "Heat to the air handlers", "kw", "Heat to air, and what liquid-to-air CDUs give back."
    )
    cdu_limit: Figure = result("CDUs limited by", "text", "Heat, flow or head: the limit that needs most units.")
    cdu_approach_k: Figure = result("Approach available", "k", "Coolant supply less facility water supply.")
    coolant_return_c: Figure = result("Coolant return", "c", "Back at the CDU.")
    water_liquid_l_min: Figure = result("Facility water, liquid loop", "l_min", "For CDUs and doors.")
    water_air_l_min: Figure = result("Facility water, air handlers", "l_min", "For the heat to air and the fans.")
    water_class: Figure = result("Water class", "text", "Smallest ASHRAE class that allows the supply temperature.")
    plant_heat_kw: Figure = result("Heat to the plant", "kw", "IT heat, fans and CDU pumps.")
    door_heat_kw: Figure = result("Heat to rear doors", "kw", "Of racks or of their air remainder.")
    cdu_capacity_kw: Figure = result(
        "One CDU takes",
        "kw",
        "At the planned temperatures; an estimate by effectiveness and NTU, or by the curve entered.",
    )
    gpu_temperature_c: Figure = result(
        "GPU temperature", "c", "Estimate: coolant and the resistance of cold plate, paste and package.", group="Chips"
    )
    gpu_margin_k: Figure = result("Margin to the GPU's limit", "k", "What is left.", group="Chips")
    loop_dp_kpa: Figure = result(
        "Pressure drop of the loop", "kpa", "Outside the CDU: what its pumps must give.", group="Single-phase loop"
    )
    rack_dp_kpa: Figure = result(
        "Pressure drop of a rack", "kpa", "Cold plates, manifold, couplings.", group="Single-phase loop"
    )
    pipe_dp_kpa: Figure = result(
        "Pressure drop of pipes and fittings",
        "kpa",
        "Darcy-Weisbach, and loss coefficients.",
        group="Single-phase loop",
    )
    pipe_size: Figure = result("Pipes of a CDU", "text", "Steel, by the velocity limit.", group="Single-phase loop")
    pipe_velocity_m_s: Figure = result("Velocity in the pipes", "m_s", "Mean.", group="Single-phase loop")
    pump_power_kw: Figure = result(
        "Pump power",
        "kw",
        "Of the loop at its own pressure drop; CDUs are counted at their printed draw.",
        group="Single-phase loop",
    )
    saturation_pressure_bar: Figure = result("Saturation pressure", "bar", "Absolute.", group="Two-phase loop")
    refrigerant_flow_kg_s: Figure = result("Refrigerant mass flow", "kg_s", "All racks.", group="Two-phase loop")
    vapour_velocity_m_s: Figure = result(
        "Vapour velocity", "m_s", "In the fullest rack's line.", group="Two-phase loop"
    )
    vapour_line_mm: Figure = result(
        "Vapour line needed", "mm", "Inner diameter at the velocity limit, fullest rack.", group="Two-phase loop"
    )
    vapour_dp_kpa: Figure = result(
        "Pressure drop, vapour line", "kpa", "Estimate, fullest rack.", group="Two-phase loop"
    )
    saturation_shift_k: Figure = result(
        "Saturation lost on the way",
        "k",
        "By how much the condenser is colder than the cold plates.",
        group="Two-phase loop",
    )
    liquid_velocity_m_s: Figure = result(
        "Liquid velocity", "m_s", "In the fullest rack's line.", group="Two-phase loop"
    )
    liquid_dp_kpa: Figure = result("Pressure drop, liquid line", "kpa", "Fullest rack.", group="Two-phase loop")
    dry_out_margin_pct: Figure = result("Margin to dry-out", "pct", "Of the exit quality.", group="Two-phase loop")
    condenser_water_max_c: Figure = result(
        "Warmest facility water", "c", "At which the condenser holds its saturation.", group="Two-phase loop"
    )
    charge_kg: Figure = result(
        "Charge of a rack", "kg", "Lines, plates and its share of the receiver.", group="Refrigerant"
    )
    charge_t_co2: Figure = result("Charge of a rack, CO₂ equivalent", "t_co2", "If all were lost.", group="Refrigerant")
    gwp: Figure = result("GWP", "", "Over 100 years, CO₂ is 1.", group="Refrigerant")
    safety_class: Figure = result("Safety class", "text", "ASHRAE 34 and ISO 817.", group="Refrigerant")
    design_pressure_bar: Figure = result(
        "Design pressure", "bar", "Absolute, at the hottest standstill.", group="Refrigerant"
    )
    pressure_class_bar: Figure = result(
        "Pressure class PN", "bar", "Gauge; the smallest that holds it.", group="Refrigerant"
    )
    supply_air_c: Figure = result("Supply air", "c", "Of the air handlers.", group="Room air")
    return_air_c: Figure = result("Exhaust of the racks", "c", "Inlet plus rise.", group="Room air")
    recirculation_share_pct: Figure = result(
        "Recirculation", "pct", "Exhaust that comes back to the front.", group="Room air"
    )
    humidity_pct: Figure = result(
        "Relative humidity at the inlet", "pct", "At the room's highest dew point.", group="Room air"
    )
    air_handlers: Figure = result("Air handlers", "count", "By net sensible heat, including spares.", group="Room air")
    water_pipe: Figure = result("Main", "text", "Facility water's pipe, by the velocity limit.", group="Facility water")
    water_velocity_m_s: Figure = result("Velocity in the main", "m_s", "Mean.", group="Facility water")
    water_dp_kpa: Figure = result(
        "Pressure drop of the main", "kpa", "Straight pipe, there and back.", group="Facility water"
    )
    plant_cop: Figure = result("Plant COP, design day", "ratio", "Compressors, fans and pumps together.", group="Plant")
    design_dry_bulb_c: Figure = result("Design dry bulb", "c", "Outside air.", group="Plant")
    design_wet_bulb_c: Figure = result("Design wet bulb", "c", "Outside air.", group="Plant")
    water_held_c: Figure = result("Water on the design day", "c", "What the plant supplies then.", group="Plant")
    free_cooling_hours: Figure = result("Free cooling", "h", "Hours a year without compressors.", group="Year")
    part_free_hours: Figure = result("Partly free", "h", "Hours a year with compressors in part.", group="Year")
    warm_hours: Figure = result("Supply not held", "h", "Hours a year above the planned water supply.", group="Year")
    plant_mwh_year: Figure = result("Plant, electricity a year", "mwh", "At the typical IT load.", group="Year")
    cooling_mwh_year: Figure = result("Cooling, electricity a year", "mwh", "Plant, fans and CDUs.", group="Year")
    water_m3_year: Figure = result("Make-up water a year", "m3", "Evaporation and blow-down.", group="Year")
    wue_l_kwh: Figure = result("WUE", "l_kwh", "Site water over IT energy, a year.", group="Year")
    annual_pue: Figure = result("PUE over the year", "ratio", "At the typical IT load.", group="Year")
    rack_stages: Table = result("What a rack can reject", "", "Each stage and the rack heat at which it is full.")
    reject_by_technology: Table = result("By technology", "", "What this rack can reject, and what each kW takes.")
    phases_side_by_side: Table = result("One phase and two", "", "For the same rack.")
    heat_by_component: Table = result("Heat by component", "", "One system: what goes to liquid, what to air.")
    racks_by_class: Table = result("Racks by class", "", "Heat to liquid and air, and the limit.")
    air_states: Table = result("States of the air", "", "Psychrometrics of supply, inlet and outlet.")
    plant_by_bin: Table = result("Plant by bin", "", "COP, free cooling and water by outside air.")
