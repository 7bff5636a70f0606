"""Facility rows of power, floor and energy: predicted from their inputs by the engine's equations."""

from __future__ import annotations

import math
import re

from wattsweights_gui.engine.equations import electrical, floor_load, heat_rejection, redundancy
from wattsweights_gui.engine.evidence.facility_given import UNITS, Given, Missing, in_unit_of, unit_of

Answer = tuple[float, str]


def heat(g: Given, quantity: str) -> Answer:
    """A node's heat in another unit, or by its catalogued draw."""
    return in_unit_of(quantity, _power(g), "power"), ""


def _power(g: Given) -> float:
    try:
        return g.quantity("power", "heat", "node_max", "max", "")
    except Missing:
        return node_kw(g)[0]


def node_kw(g: Given) -> Answer:
    """A node's maximum: given, or the catalogue's."""
    if g.has("node_max_kw") or g.has("node_estimated_kw") or g.has("node_kw"):
        return g.number("node_max_kw", "node_estimated_kw", "node_kw"), ""
    for kind, field in (("system", "power_max_kw"), ("node", "max_kw")):
        entry = g.entry("node", kind) or g.entry("system", kind)
        if entry is not None and entry.get(field) is not None:
            return float(entry.get(field)), f"maximum of {entry.name} from the catalogue"
    raise Missing("the row does not give the node's power, and the catalogue does not know it")


def rack_kw(g: Given, quantity: str) -> Answer:
    """A rack: nodes x node, or liquid + air."""
    if g.has("liquid_kw", "air_kw"):
        return in_unit_of(quantity, g.number("liquid_kw") + g.number("air_kw"), "power"), ""
    each, assumed = node_kw(g)
    count = g.number("nodes_per_rack", "nodes")
    return in_unit_of(quantity, electrical.total_kw(count, each), "power"), assumed


def liquid_components_kw(g: Given, quantity: str) -> Answer:
    """Parts on cold plates: each count x its kW, and what is given as a total."""
    total, found = 0.0, False
    for name in g.inputs:
        if name.endswith("_total_kw"):
            total, found = total + g.number(name), True
        elif not name.endswith("_kw") and g.has(f"{name.removesuffix('s')}_kw"):
            total, found = total + electrical.total_kw(g.number(name), g.number(f"{name.removesuffix('s')}_kw")), True
    if not found:
        raise Missing("the row gives no parts with their power")
    return in_unit_of(quantity, total, "power"), ""


def kw_per_rack(g: Given, quantity: str) -> Answer:
    """Power of a unit over its racks."""
    racks = g.number("compute_racks", "racks")
    name = next((n for n in g.inputs if n.endswith("_kw")), "")
    return g.number(name) / racks, ""


def sum_of_racks(g: Given, field: tuple[str, ...]) -> float:
    """Sum over every kind of rack that the row counts: ``x_racks`` times ``x_<field>``."""
    total, found = 0.0, False
    for name in g.inputs:
        if name.endswith("_racks"):
            stem = name.removesuffix("_racks")
            total += electrical.total_kw(g.number(name), g.number(*(f"{stem}_{f}" for f in field)))
            found = True
    if not found:
        raise Missing("the row counts no racks")
    return total


def pod_kw(g: Given, quantity: str) -> Answer:
    """All racks of a pod."""
    return in_unit_of(quantity, sum_of_racks(g, ("rack_kw", "kw")), "power"), ""


def installed_kw(g: Given, quantity: str) -> Answer:
    """Power shelves: all supplies."""
    if g.has("shelf_kw"):
        return electrical.total_kw(g.number("shelves"), g.number("shelf_kw")), ""
    return electrical.total_kw(g.number("shelves") * g.number("psus_per_shelf"), g.number("psu_kw")), ""


def usable_shelves_kw(g: Given, quantity: str) -> Answer:
    """Power shelves with the redundant ones out."""
    shelves = int(g.number("shelves"))
    each = g.number("shelf_kw") if g.has("shelf_kw") else g.number("psus_per_shelf") * g.number("psu_kw")
    scheme = g.text("redundancy").casefold().replace("+", "_plus_").replace(" ", "")
    spare = {"n_plus_n": shelves // 2, "2n": shelves // 2, "n_plus_1": 1, "n_plus_2": 2, "n": 0}.get(scheme)
    if spare is None:
        raise Missing(f"redundancy “{scheme}” is not one of n, n_plus_1, n_plus_2, n_plus_n")
    return electrical.redundant_capacity(shelves, each, spare), ""


def dc_amps(g: Given, quantity: str) -> Answer:
    """Current of a DC bus."""
    return electrical.amps_dc(_power(g), g.number("volts_dc", "volts")), ""


def feed_kva(g: Given) -> float:
    """What a circuit gives: from volts, amps and phases, or of a catalogued feed."""
    entry = g.entry("feed", "feed")
    phases = int(g.number("phases", default=float(entry.get("phases")) if entry else None))
    to_neutral = g.number("volts_line_to_neutral", default=0.0)
    to_line = g.number("volts_line_to_line", "volts", default=0.0)
    if entry is not None and not (to_line or to_neutral):
        to_line = float(entry.get("volts_line_to_line"))
    if to_neutral and to_line and phases == 3:
        to_neutral = 0.0
    return electrical.feed_kva(  # type: ignore[no-any-return]
        amps=g.number("breaker_a", "amps", default=float(entry.get("breaker_a")) if entry else None),
        phases=phases,
        continuous_pct=g.number("continuous_pct", default=float(entry.get("continuous_pct")) if entry else 100.0),
        volts_line_to_line=to_line,
        volts_line_to_neutral=to_neutral,
    )


def feed_capacity(g: Given, quantity: str) -> Answer:
    """Usable VA or kVA of a circuit."""
    return in_unit_of(quantity, feed_kva(g), "apparent"), ""


def feed_utilisation(g: Given, quantity: str) -> Answer:
    """Load of a circuit in per cent of what it gives continuously."""
    power_factor = g.number("power_factor", default=1.0)
    load = g.quantity("apparent", "load", default=-1.0)
    kw = load * power_factor if load >= 0 else g.quantity("power", "load", "")
    return electrical.feed_load_pct(kw, 1, feed_kva(g), power_factor), ""


def feed_amps(g: Given, quantity: str) -> Answer:
    """Line current of a balanced load."""
    volts = g.number("volts_line_to_line", "volts", default=0.0)
    phases = int(g.number("phases"))
    if not volts:
        volts = g.number("volts_line_to_neutral") * (electrical.SQRT3 if phases == 3 else 1.0)
    return electrical.amps_per_phase(_power(g), volts, phases, g.number("power_factor", default=1.0)), ""


def pdu_power(g: Given, quantity: str) -> Answer:
    """A rack PDU: its banks bind."""
    kva = g.number("banks") * g.number("bank_volts") * g.number("bank_continuous_a") / 1e3
    return in_unit_of(quantity, kva, "power"), "power factor 1"


def pdu_line_amps(g: Given, quantity: str) -> Answer:
    """The most loaded line of three banks."""
    banks, volts = g.inputs.get("bank_va"), g.number("bank_volts")
    if not isinstance(banks, list) or len(banks) != 3:
        raise Missing("the row does not give three banks")
    loads = (float(banks[0]), float(banks[1]), float(banks[2]))
    if g.text("connection", "delta") == "delta":
        return max(electrical.delta_line_amps(loads, volts)), "equal power factors"
    return max(loads) / volts, "each bank between a line and neutral"


def inner_breaker(g: Given, quantity: str) -> Answer:
    """One load can be no larger than the smaller of feed and inner breaker."""
    return min(g.number("feed_a"), g.number("inner_breaker_a")), ""


def surviving_load(g: Given, quantity: str) -> Answer:
    """Load of the feeds that stay."""
    feeds = int(g.number("feeds"))
    left = redundancy.surviving_feeds(feeds, g.text("scheme", "n_plus_1"))
    kva = g.quantity("apparent", "feed_usable", default=-1.0)
    if kva < 0:
        kva = feed_kva(g)
    kw = g.quantity("power", "rack", "load", "")
    return electrical.feed_load_pct(kw, left, kva, g.number("power_factor", default=1.0)), ""


def psus_left(g: Given, quantity: str) -> Answer:
    """Supplies that still have a feed."""
    return g.number("psus") - g.number(f"psus_on_feed_{g.text('failed_feed').casefold()}"), ""


def redundant_capacity(g: Given, quantity: str) -> Answer:
    """Units without the spare ones."""
    value = electrical.redundant_capacity(
        int(g.number("units")), g.quantity("power", "unit"), int(g.number("spare_units", "spare", default=0.0))
    )
    return in_unit_of(quantity, value, "power"), ""


def system_load(g: Given, quantity: str) -> Answer:
    """Load of each of several systems that share it."""
    value = electrical.system_load_pct(
        g.quantity("power", "it", "load"), int(g.number("systems")), g.quantity("power", "system")
    )
    return value, ""


def usable_systems(g: Given, quantity: str) -> Answer:
    """What systems carry under a redundancy scheme."""
    systems, each = int(g.number("systems")), g.quantity("power", "system")
    scheme = g.text("scheme").casefold()
    shared = re.fullmatch(r"(\d+)_to_make_(\d+)", scheme)
    if shared:
        share = int(shared[2]) / int(shared[1])
    elif scheme in ("2n", "n_plus_n"):
        share = 0.5
    elif scheme in ("3n_2", "3n/2"):
        share = 2.0 / 3.0
    elif scheme in ("n_plus_1", "catcher", "block_redundant"):
        share = (systems - 1) / systems
    elif scheme == "n":
        share = 1.0
    else:
        raise Missing(f"scheme “{scheme}” is not known")
    return in_unit_of(quantity, systems * each * share, "power"), ""


def utility_kw(g: Given, quantity: str) -> Answer:
    """Through every stage to the utility."""
    stages = g.inputs.get("stages")
    if not isinstance(stages, list):
        raise Missing("the row does not give the stages of the path")
    it = power = g.quantity("power", "it", "load")
    for stage in stages:
        power = electrical.stage_input(power, 100.0 * float(stage["efficiency"]))
    return in_unit_of(quantity, power - it if "loss" in quantity else power, "power"), ""


def rack_input_kw(g: Given, quantity: str) -> Answer:
    """In front of the power supplies."""
    value = electrical.stage_input(
        g.quantity("power", "dc_load", "load"), 100.0 * g.number("psu_efficiency", "efficiency")
    )
    return in_unit_of(quantity, value, "power"), ""


def pue(g: Given, quantity: str) -> Answer:
    """Everything over IT."""
    it = g.quantity("power", "it")
    whole = g.quantity("power", "facility", "utility", "total", default=-1.0)
    if whole >= 0:
        return electrical.pue(whole, it), ""
    rest = sum(g.number(n) for n in g.inputs if n.endswith("_kw") and not n.startswith("it_"))
    return electrical.pue(electrical.facility_kw(it, 0.0, rest, 0.0), it), ""


def backward_racks(g: Given, quantity: str) -> Answer:
    """Whole racks that a limit allows; GPUs where the row says how many a rack has."""
    rack = g.quantity("power", "rack")
    if g.has("chilled_water_kw"):
        limit = g.number("chilled_water_kw")
        rack = heat_rejection.liquid_kw(rack, g.number("liquid_capture_pct", default=100.0))
    elif g.has("it_kw") or g.has("it_mw"):
        limit = g.quantity("power", "it")
    else:
        limit = g.quantity("power", "utility", "facility") / g.number("pue", default=1.0)
    racks = math.floor(limit / rack + 1e-9)
    return float(racks * g.number("gpus_per_rack") if quantity == "gpus" else racks), ""


def floor_kg_m2(g: Given, quantity: str) -> Answer:
    """On the footprint, or spread over a share of the aisles."""
    mass, width = g.quantity("mass", "mass", "weight"), g.quantity("length", "width") * 1e3
    depth = g.quantity("length", "depth") * 1e3
    share = g.number("aisle_share", default=0.5)
    aisles = sum(g.quantity("length", stem, default=0.0) * 1e3 for stem in ("front_aisle", "rear_aisle"))
    return in_unit_of(quantity, floor_load.spread_load(mass, width, depth + share * aisles), "area_load"), ""


def kg_per_foot(g: Given, quantity: str) -> Answer:
    """On each levelled foot."""
    return floor_load.kg_per_foot(g.quantity("mass", "mass", "weight"), int(g.number("feet", default=4.0))), ""


def energy(g: Given, quantity: str) -> Answer:
    """A year's energy, and what follows from it."""
    mwh = electrical.energy_mwh_year(
        g.quantity("power", "it"), g.number("pue", default=1.0), g.number("utilisation", default=1.0)
    )
    if quantity.startswith("t_co2"):
        return electrical.co2_t_year(mwh, g.number("kg_co2_per_kwh")), "PUE held constant"
    if "cost" in quantity or "usd" in quantity or "eur" in quantity:
        return mwh * 1e3 * g.number("price_per_kwh", "usd_per_kwh", "eur_per_kwh"), "PUE held constant"
    if quantity.startswith(("m3_water", "water_m3")):
        return mwh / g.number("pue", default=1.0) * g.number("wue_l_per_kwh"), "WUE on IT energy"
    factor = {"gwh_year": 1e-3, "mwh_year": 1.0, "kwh_year": 1e3}.get(quantity)
    if factor is None:
        raise Missing(f"{quantity} is not an energy of a year")
    return mwh * factor, "PUE held constant"


def convert(g: Given, quantity: str) -> Answer:
    """One quantity in another unit."""
    if len(g.inputs) != 1:
        raise Missing("a conversion has one input")
    (name,) = g.inputs
    source, target = unit_of(name), unit_of(quantity)
    value = g.number(name)
    if name in ("c", "t_c", "temperature_c") and quantity.endswith("f"):
        return value * 1.8 + 32.0, ""
    if name in ("f", "t_f", "temperature_f") and quantity.endswith("c"):
        return (value - 32.0) / 1.8, ""
    if source is None or target is None or UNITS[source][0] != UNITS[target][0]:
        raise Missing(f"{name} and {quantity} are not units of the same kind")
    return value * UNITS[source][1] / UNITS[target][1], ""


HANDLERS = {
    "node_power": {"heat_kw": heat, "heat_btu_h": heat, "max_kw": heat},
    "rack_power": {
        "rack_kw": rack_kw,
        "compute_kw": rack_kw,
        "liquid_kw": liquid_components_kw,
        "kw_per_compute_rack": kw_per_rack,
        "kw_per_rack": kw_per_rack,
        "pod_kw": pod_kw,
    },
    "power_shelf": {"installed_kw": installed_kw, "usable_kw": usable_shelves_kw},
    "dc_current": {"current_a": dc_amps},
    "feed_capacity": {
        "usable_va": feed_capacity,
        "usable_kva": feed_capacity,
        "utilisation_pct": feed_utilisation,
    },
    "feed_current": {"amps_per_phase": feed_amps, "current_a": feed_amps},
    "rack_pdu": {
        "max_w": pdu_power,
        "max_kw": pdu_power,
        "shared_line_a": pdu_line_amps,
        "largest_single_breaker_a": inner_breaker,
    },
    "failover": {"surviving_feed_load_pct": surviving_load, "psus_left": psus_left},
    "redundancy": {
        "capacity_kw": redundant_capacity,
        "load_per_system_pct": system_load,
        "usable_it_kw": usable_systems,
        "usable_kw": usable_systems,
    },
    "power_chain": {
        "utility_kw": utility_kw,
        "loss_kw": utility_kw,
        "rack_input_kw": rack_input_kw,
    },
    "pue": {"pue": pue},
    "backward": {"racks": backward_racks, "gpus": backward_racks},
    "floor_load": {"kg_m2": floor_kg_m2, "lb_ft2": floor_kg_m2, "kg_per_foot": kg_per_foot},
}
