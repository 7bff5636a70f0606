"""Electrical power: feeds, currents, redundancy, the chain of losses, PUE and energy."""

from __future__ import annotations

import math

from wattsweights_gui.engine.declare import equation

SQRT3 = math.sqrt(3.0)
HOURS_A_YEAR = 8760.0
POWER_SOURCE = "HP, three-phase power tables 4 and 5: √3 with line-to-line, 3 with line-to-neutral volts"


@equation("S = √3 V_LL I k (3-phase), 3 V_LN I k, or V I k (1-phase)", "kva", POWER_SOURCE)
def feed_kva(
    amps: float,
    phases: int,
    continuous_pct: float = 100.0,
    volts_line_to_line: float = 0.0,
    volts_line_to_neutral: float = 0.0,
) -> float:
    """Return what a circuit gives continuously, in kVA.

    Args:
        amps: breaker rating.
        phases: 1 or 3.
        continuous_pct: share of the breaker that a continuous load may use (NEC 210.20: 80 %, IEC practice: 100 %).
        volts_line_to_line: of a three-phase circuit, or the volts of a single-phase one.
        volts_line_to_neutral: used where line-to-line is not given (0).

    Raises:
        ValueError: neither 1 nor 3 phases, or no volts.
    """
    if phases not in (1, 3):
        raise ValueError(f"a circuit has 1 or 3 phases, not {phases}")
    if volts_line_to_line <= 0 and volts_line_to_neutral <= 0:
        raise ValueError("a circuit needs its volts, line to line or line to neutral")
    share = continuous_pct / 100.0
    if phases == 1:
        return (volts_line_to_line or volts_line_to_neutral) * amps * share / 1e3
    if volts_line_to_line > 0:
        return SQRT3 * volts_line_to_line * amps * share / 1e3
    return 3.0 * volts_line_to_neutral * amps * share / 1e3


@equation("I = P / (√3 V_LL pf), or P / (V pf) for one phase", "a", POWER_SOURCE)
def amps_per_phase(kw: float, volts_line_to_line: float, phases: int, power_factor: float) -> float:
    """Return the line current of a balanced load, in A.

    Raises:
        ValueError: neither 1 nor 3 phases, no volts, or a power factor of 0.
    """
    if phases not in (1, 3):
        raise ValueError(f"a circuit has 1 or 3 phases, not {phases}")
    if volts_line_to_line <= 0 or power_factor <= 0:
        raise ValueError("a current needs volts and a power factor above 0")
    return kw * 1e3 / ((SQRT3 if phases == 3 else 1.0) * volts_line_to_line * power_factor)


@equation("I = P / V", "a", "direct current")
def amps_dc(kw: float, volts_dc: float) -> float:
    """Return the current of a DC bus in A."""
    return kw * 1e3 / volts_dc


def delta_line_amps(bank_va: tuple[float, ...], volts: float, power_factor_angle: float = 0.0) -> tuple[float, ...]:
    """Return the line currents L1, L2, L3 of loads between L1-L2, L2-L3, L3-L1, in A (phasor sum, equal angles).

    Two equal banks put √3 times one bank's current on the line that they share. Source: APC FA156194.
    """
    phasors = [
        complex(
            va / volts * math.cos(math.radians(angle) - power_factor_angle),
            va / volts * math.sin(math.radians(angle) - power_factor_angle),
        )
        for va, angle in zip(bank_va, (30.0, -90.0, 150.0), strict=True)
    ]
    ab, bc, ca = phasors
    return abs(ab - ca), abs(bc - ab), abs(ca - bc)


@equation("P = feeds S pf", "kw", "what remains must carry the whole rack")
def usable_kw(feeds: int, kva: float, power_factor: float) -> float:
    """Return the usable power of some feeds in kW."""
    return feeds * kva * power_factor


@equation("100 P / (feeds S pf)", "pct", "the surviving feeds carry the whole rack")
def feed_load_pct(kw: float, feeds: int, kva: float, power_factor: float) -> float:
    """Return the load of each of some feeds that share a rack's power, in per cent of what it gives continuously.

    Infinite where no feed is left.
    """
    capacity = feeds * kva * power_factor
    return 100.0 * kw / capacity if capacity > 0 else math.inf


@equation("(units - spare) P_unit", "kw", "redundancy of equal units")
def redundant_capacity(units: int, unit_kw: float, spare_units: int) -> float:
    """Return what equal units carry with the spare ones out, in kW."""
    return max(0, units - spare_units) * unit_kw


@equation("100 P / (systems P_system)", "pct", "distributed redundant (3N/2) practice")
def system_load_pct(kw: float, systems: int, system_kw: float) -> float:
    """Return how far systems that share a load are loaded in normal operation, in per cent."""
    return 100.0 * kw / (systems * system_kw)


@equation("P_in = P_out / η", "kw", "efficiency at the planned load")
def stage_input(output_kw: float, efficiency_pct: float) -> float:
    """Return what a stage of the power path takes for what it gives, in kW."""
    return output_kw / (efficiency_pct / 100.0)


@equation("P_loss = P_out (1/η - 1)", "kw", "efficiency at the planned load")
def stage_loss(output_kw: float, efficiency_pct: float) -> float:
    """Return what a stage of the power path loses, in kW."""
    return output_kw / (efficiency_pct / 100.0) - output_kw


@equation("IT + losses + cooling + other", "kw", "The Green Grid, PUE boundary")
def facility_kw(it_kw: float, loss_kw: float, cooling_kw: float, auxiliary_kw: float) -> float:
    """Return the power at the utility in kW."""
    return it_kw + loss_kw + cooling_kw + auxiliary_kw


@equation("PUE = facility / IT", "ratio", "The Green Grid; ISO/IEC 30134-2")
def pue(facility_kw: float, it_kw: float) -> float:
    """Return the power usage effectiveness; infinite without IT load."""
    return facility_kw / it_kw if it_kw > 0 else math.inf


@equation("E = P_IT PUE 8760 h", "mwh", "PUE held constant over the year")
def energy_mwh_year(it_kw: float, pue: float, utilisation: float = 1.0) -> float:
    """Return the energy of a year in MWh."""
    return it_kw * pue * utilisation * HOURS_A_YEAR / 1e3


@equation("m = E c", "t_co2", "the grid's carbon intensity")
def co2_t_year(energy_mwh: float, kg_co2_per_kwh: float) -> float:
    """Return the emission of a year in tonnes."""
    return energy_mwh * kg_co2_per_kwh


@equation("number × power of one", "kw")
def total_kw(count: float, each_kw: float) -> float:
    """Return the power of equal things in kW."""
    return count * each_kw


@equation("P_node - gpus (TDP - cap) / 1000", "kw", "a power cap takes its watts off each GPU; fans and CPUs stay")
def capped_node_kw(node_kw: float, gpus: int, tdp_w: float, gpu_power_w: float) -> float:
    """Return a node's maximum draw with its GPUs at a power limit below their TDP, in kW."""
    return node_kw - gpus * max(0.0, tdp_w - gpu_power_w) / 1e3


@equation("gpus TDP / 1000 / share of the GPUs", "kw", "build-up; the share is that of the catalogue's systems")
def node_build_up_kw(gpus: int, tdp_w: float, gpu_share_pct: float) -> float:
    """Return an estimate of a node's maximum draw from its GPUs, in kW."""
    return gpus * tdp_w / 1e3 / (gpu_share_pct / 100.0)


@equation("P_max share", "kw", "typical draw over maximum")
def typical_kw(max_kw: float, typical_pct: float) -> float:
    """Return typical power from maximum power, in kW."""
    return max_kw * typical_pct / 100.0


@equation("min(P_nameplate share, P_typical)", "kw", "idle draw over maximum; a power cap does not lower it")
def idle_kw(nameplate_kw: float, idle_pct: float, typical_kw: float) -> float:
    """Return the draw of a node that waits, in kW; never above what it draws at work."""
    return min(nameplate_kw * idle_pct / 100.0, typical_kw)


@equation("P_max peak", "kw", "transient peak over maximum, for milliseconds: electrical design point, EDPp")
def peak_kw(max_kw: float, peak_pct: float) -> float:
    """Return the transient peak of a node in kW."""
    return max_kw * peak_pct / 100.0


@equation("gpus P_gpu / 1000", "kw", "GPUs at their limit or cap")
def gpus_kw(gpus: float, gpu_power_w: float) -> float:
    """Return the power of GPUs alone, in kW."""
    return gpus * gpu_power_w / 1e3


@equation("gpus TDP overhead / 1000", "kw", "rule of thumb of rack planning sheets, not a measurement")
def rule_of_thumb_kw(gpus: float, tdp_w: float, overhead: float = 1.5) -> float:
    """Return the usual guess of IT power in kW."""
    return gpus * tdp_w * overhead / 1e3


@equation("100 (rule / built up - 1)", "pct")
def difference_pct(rule_kw: float, built_up_kw: float) -> float:
    """Return how far the rule of thumb is off, in per cent; 0 where both are 0."""
    return 100.0 * (rule_kw / built_up_kw - 1.0) if built_up_kw else 0.0


@equation("compute + network + storage + management", "kw", "every line on its own, no overhead factor")
def it_kw(compute: float, network: float, storage: float, management: float) -> float:
    """Return the IT load in kW."""
    return compute + network + storage + management


@equation("MW x 1000", "kw")
def mw_to_kw(mw: float) -> float:
    """Return megawatts in kW."""
    return mw * 1e3


@equation("GPUs installed / GPUs a system", "count")
def systems_of(gpus: float, gpus_per_system: float) -> float:
    """Return how many systems hold the installed GPUs."""
    return gpus / gpus_per_system


@equation("rack PDU + distribution + UPS + transformer", "kw", "what power supplies lose lies inside the IT load")
def losses_kw(rack: float, distribution: float, ups: float, transformer: float) -> float:
    """Return the losses of the path in kW."""
    return rack + distribution + ups + transformer


@equation("distribution input + CDUs on the UPS", "kw", "pumps on the UPS keep coolant moving until generators start")
def ups_output(distribution_input: float, cdu: float) -> float:
    """Return what the UPS gives, in kW."""
    return distribution_input + cdu


@equation("UPS input + cooling - CDUs on the UPS + other", "kw", "other mechanical loads are fed beside the UPS")
def transformer_output(ups_input: float, cooling: float, cdu: float, auxiliary: float) -> float:
    """Return what the transformers and, without the utility, the generators give, in kW."""
    return ups_input + (cooling - cdu) + auxiliary


@equation("P / feeds", "kw", "feeds share alike")
def share_kw(kw: float, feeds: int) -> float:
    """Return the load of one of several feeds in kW."""
    return kw / feeds


@equation("number × each", "count")
def times(count: float, each: float) -> float:
    """Return how many parts equal things have together."""
    return count * each


@equation("max(0, usable - load)", "kw", "power that is built and paid for, and that no load can use")
def stranded_kw(usable_kw: float, load_kw: float) -> float:
    """Return the stranded power in kW."""
    return max(0.0, usable_kw - load_kw)


@equation("P / racks", "kw", "equipment is spread evenly over its racks")
def rack_share_kw(kw: float, racks: float) -> float:
    """Return what one of several equal racks draws, in kW; 0 without racks."""
    return kw / racks if racks else 0.0


@equation("P1 + P2", "kw")
def sum_kw(first: float, second: float) -> float:
    """Return two loads together, in kW."""
    return first + second


@equation("min(racks a row, racks)", "count", "a row is not fuller than the plan has racks")
def racks_in_row(racks_per_row: float, racks: float) -> float:
    """Return the racks of a full row."""
    return min(racks_per_row, racks)


@equation("feeds × racks", "count")
def feeds_of_hall(feeds: float, racks: float) -> float:
    """Return the circuits of all racks; at least one, so that a hall without racks has no division by nought."""
    return max(1.0, feeds * racks)


@equation("P_IT PUE", "kw", "the PUE of work is taken for a hall that waits")
def at_pue_kw(it_kw: float, pue: float) -> float:
    """Return the facility power of an IT load at a PUE, in kW."""
    return it_kw * pue


@equation("P_1 - P_2", "kw")
def difference_kw(larger: float, smaller: float) -> float:
    """Return the difference of two powers in kW."""
    return larger - smaller


@equation("W / 1000", "kw")
def kw_of_w(watts: float) -> float:
    """Return watts in kW."""
    return watts / 1e3
