"""The path of power stage by stage: units under the redundancy, load of each, loss at that load, what goes in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from wattsweights_gui.engine.declare import Entry, Figure, LaterTable, Value, calc, stated
from wattsweights_gui.engine.equations import electrical, part_load, redundancy

_EMPTY = (None,) * 4
RECTIFIER = "rectifier_800v"
CONDUCTORS = {"pdu": "pdu_transformer_300", "busway": "busway_conductor", "dc_800": "busway_800v"}
TITLES = {"pdu": "PDU", "busway": "Busway", "dc_800": "Busway, 800 V DC"}
_ZERO = Figure(0, "count", "Idle units", formula="no unit stands in reserve")
_NO_LOSS = Figure("100:100", "text", "Efficiency by load", formula="within the stated efficiency of the distribution")
_ALL_PCT = Figure(100.0, "pct", "Most load", formula="each is compared with its breaker in the feeds of the rack")


@dataclass(frozen=True)
class Bank:
    """Equal units of one stage: how many, of which rating, and how well they do."""

    title: str
    scheme: str
    curve: Figure
    unit_kw: Figure
    most_pct: Figure
    needed: Figure
    installed: Figure
    sharing: Figure
    idle: Figure


@dataclass(frozen=True)
class Stage:
    """A bank of units under a load."""

    bank: Bank
    output: Figure
    loss: Figure
    input: Figure


@dataclass(frozen=True)
class Path:
    """The path under one load, utility to rack. ``loss_kw`` is what the utility gives beside the loads."""

    transformer: Stage
    ups: Stage
    distribution: Stage
    rack: Stage
    generator: Bank
    generator_output: Figure
    loss_kw: Figure
    facility: Figure


def curve_text(entry: Entry) -> str:
    """Return the efficiency of a catalogue entry by load as ``load:efficiency`` in per cent.

    Raises:
        ValueError: the entry prints no efficiency.
    """
    if entry.get("curve"):
        return str(entry.get("curve"))
    if entry.get("curve_load_pct"):
        pairs = zip(entry.get("curve_load_pct"), entry.get("curve_efficiency"), strict=True)
        return " ".join(f"{load:g}:{100.0 * efficiency:g}" for load, efficiency in pairs)
    if entry.get("double_conversion_efficiency"):
        return f"100:{100.0 * entry.get('double_conversion_efficiency'):g}"
    raise ValueError(f"the catalogue has no efficiency of {entry.name}")


@lru_cache(maxsize=64)
def curve_of(catalog: Any, id: str) -> Figure:
    """Return the efficiency of a catalogue entry by load, with its source."""
    entry: Entry = catalog.entry(id)
    name = next((n for n in ("curve", "curve_efficiency", "double_conversion_efficiency") if entry.get(n)), "curve")
    return Figure(
        curve_text(entry),
        "text",
        f"{entry.name}: efficiency by load",
        f"catalog.{id}.{name}",
        source=entry.sources.get(name) or entry.sources.get("", ""),
    )


def _curve(inputs: Any, catalog: Any, stage: str, id: str) -> Figure:
    """Return the curve of a stage: the stated efficiency for every load, else the catalogue's."""
    value = getattr(inputs, f"{stage}_efficiency_pct")
    if value is None:
        return curve_of(catalog, id)
    figure = inputs.fig(f"{stage}_efficiency_pct")
    return stated(f"100:{value!r}", "text", "Efficiency by load", formula="stated for every load", stated_pct=figure)


def _bank(title: str, output: Figure, curve: Figure, unit_kw: Figure, most_pct: Figure, scheme: Figure) -> Bank:
    needed = calc(
        redundancy.units_needed,
        title=f"{title}: units that must stay",
        output_kw=output,
        unit_kw=unit_kw,
        most_load_pct=most_pct,
        scheme=scheme,
    )
    installed = calc(redundancy.units_installed, title=f"{title}: units", needed=needed, scheme=scheme)
    if scheme.value != "block_redundant":
        return Bank(title, str(scheme.value), curve, unit_kw, most_pct, needed, installed, installed, _ZERO)
    sharing = calc(redundancy.units_sharing, title=f"{title}: units that share", installed=installed, scheme=scheme)
    idle = Figure(1, "count", "Idle units", formula="the reserve idles")
    return Bank(title, str(scheme.value), curve, unit_kw, most_pct, needed, installed, sharing, idle)


def _under(bank: Bank, output: Figure) -> Stage:
    loss = calc(
        part_load.loss_kw,
        title=f"{bank.title}: loss",
        output_kw=output,
        units=bank.sharing,
        unit_kw=bank.unit_kw,
        curve=bank.curve,
        idle_units=bank.idle,
    )
    taken = calc(part_load.input_kw, title=f"{bank.title}: input", output_kw=output, loss_kw=loss)
    return Stage(bank, output, loss, taken)


def power_path(
    inputs: Any,
    up: Any,
    it: Figure,
    cooling: Figure,
    cdu: Figure,
    feeds: Figure,
    feed_kw: Figure,
    power_factor: Figure,
    continuous_pct: Figure,
    installed: Path | None = None,
) -> Path:
    """Return the path under a load.

    Args:
        inputs: of the power layer.
        up: what the layer was handed.
        it: at the racks.
        cooling: all that cooling draws.
        cdu: of it, the CDUs.
        feeds: circuits of all racks.
        feed_kw: what one of them gives by its breaker.
        power_factor: of the load.
        continuous_pct: share of a breaker that a continuous load may use.
        installed: the path whose units carry this load; ``None`` counts units for it.
    """
    on_ups = cdu if inputs.cdu_on_ups else Figure(0.0, "kw", "CDUs on the UPS", formula="CDUs are fed beside the UPS")
    scheme = inputs.fig("scheme")
    direct = inputs.distribution == "dc_800"
    stated_pct = inputs.distribution_efficiency_pct is not None
    if installed is not None:
        rack_bank = installed.rack.bank
    else:
        curve = _NO_LOSS if stated_pct else curve_of(up.catalog, "rack_pdu")
        rack_bank = Bank("Rack PDU", "", curve, feed_kw, _ALL_PCT, feeds, feeds, feeds, _ZERO)
    rack = _under(rack_bank, it)
    if installed is not None:
        pdu_bank = installed.distribution.bank
    else:
        each = calc(
            electrical.usable_kw,
            title="One PDU or busway",
            feeds=1,
            kva=inputs.fig("distribution_kva"),
            power_factor=power_factor,
        )
        pdu_bank = _bank(
            TITLES[inputs.distribution],
            rack.input,
            _curve(inputs, up.catalog, "distribution", CONDUCTORS[inputs.distribution]),
            each,
            continuous_pct,
            scheme,
        )
    pdu = _under(pdu_bank, rack.input)
    out = calc(electrical.ups_output, title="Output of the UPS", distribution_input=pdu.input, cdu=on_ups)
    ups_bank = (
        installed.ups.bank
        if installed is not None
        else _bank(
            "Rectifier" if direct else "UPS",
            out,
            _curve(inputs, up.catalog, "ups", RECTIFIER if direct else inputs.ups),
            inputs.fig("ups_kw"),
            inputs.fig("ups_most_pct"),
            scheme,
        )
    )
    ups = _under(ups_bank, out)
    behind = calc(
        electrical.transformer_output,
        title="Output of the transformers",
        ups_input=ups.input,
        cooling=cooling,
        cdu=on_ups,
        auxiliary=inputs.fig("auxiliary_kw"),
    )
    if installed is not None:
        bank, generator = installed.transformer.bank, installed.generator
    else:
        unit = calc(
            electrical.usable_kw,
            title="One transformer",
            feeds=1,
            kva=inputs.fig("transformer_kva"),
            power_factor=inputs.fig("power_factor"),
        )
        bank = _bank(
            "Transformer",
            behind,
            _curve(inputs, up.catalog, "transformer", inputs.transformer),
            unit,
            inputs.fig("transformer_most_pct"),
            scheme if inputs.transformer_scheme == "as_ups" else inputs.fig("transformer_scheme"),
        )
        generator = _bank(
            "Generator",
            behind,
            _NO_LOSS,
            inputs.fig("generator_kw"),
            inputs.fig("generator_most_pct"),
            inputs.fig("generator_scheme"),
        )
    transformer = _under(bank, behind)
    loss = calc(
        electrical.losses_kw,
        title="Losses",
        rack=rack.loss,
        distribution=pdu.loss,
        ups=ups.loss,
        transformer=transformer.loss,
    )
    facility = calc(
        electrical.facility_kw,
        title="Facility",
        it_kw=it,
        loss_kw=loss,
        cooling_kw=cooling,
        auxiliary_kw=inputs.fig("auxiliary_kw"),
    )
    return Path(transformer, ups, pdu, rack, generator, behind, loss, facility)


def load_of(bank: Bank, output: Figure, *, failed: bool = False) -> Figure:
    """Return the load of each unit in per cent, in normal operation or after the failure that the scheme covers."""
    words = "after the failure" if failed else "in normal operation"
    return calc(
        redundancy.load_pct,
        title=f"{bank.title}: load of each unit {words}",
        output_kw=output,
        units=bank.needed if failed else bank.sharing,
        unit_kw=bank.unit_kw,
    )


def capacity_of(bank: Bank) -> Figure:
    """Return what a stage carries after the failure that its scheme covers."""
    return calc(
        redundancy.capacity_kw,
        title=f"{bank.title}: capacity",
        needed=bank.needed,
        unit_kw=bank.unit_kw,
        most_load_pct=bank.most_pct,
    )


STAGE_COLUMNS = ("stage", "redundancy", "units", "unit", "derating", "capacity", "output", "load", "load_failed",
                 "efficiency", "loss", "input", "counted_as", "source")  # fmt: skip
STAGE_UNITS = ("text", "text", "count", "kw", "pct", "kw", "kw", "pct", "pct", "pct", "kw", "kw", "text", "text")


def stages_table(path: Path, supply: Stage | None, utility_kw: Figure) -> LaterTable:
    """Return the path as a table, from the utility to the load.

    Args:
        path: at maximum IT.
        supply: power supplies of the compute nodes; ``None`` where they are not known.
        utility_kw: what the site can draw.
    """
    stages = [path.transformer, path.ups, path.distribution, path.rack, *([supply] if supply is not None else [])]
    key = tuple((*_of(s.bank), s.output.value) for s in stages)

    def rows() -> tuple[tuple[Value, ...], ...]:
        if not path.facility.known:
            return ()
        whole = path.facility.value
        found: list[tuple[Value, ...]] = [
            ("Utility", "", None, None, None, utility_kw.value, whole, _pct(path.facility, utility_kw), None, None,
             None, whole, "", utility_kw.source)
        ]  # fmt: skip
        found.append(_row(path.transformer))
        found.append(_standby(path))
        found += [_row(path.ups), _row(path.distribution), _row(path.rack, breakers=True)]
        if supply is not None and supply.output.known:
            found.append(_row(supply, inside=True))
            out = supply.output.value
            found.append(("Load of the compute nodes", "", *_EMPTY, out, *_EMPTY, out, "IT", ""))
        return tuple(found)

    return LaterTable(
        STAGE_COLUMNS,
        STAGE_UNITS,
        (key, path.generator.installed.value, path.generator.scheme, path.facility.value, utility_kw.value),
        rows,
        "Path of power at maximum IT",
        "units by the redundancy scheme; losses at the load of each unit",
    )


def _of(bank: Bank) -> tuple[Value, ...]:
    figures = (bank.curve, bank.unit_kw, bank.most_pct, bank.installed)
    return bank.title, bank.scheme, *(f.value for f in figures)


def _pct(output: Figure, capacity: Figure) -> float | None:
    return 100.0 * output.number / capacity.number if capacity.known and capacity.number else None


def _row(stage: Stage, *, inside: bool = False, breakers: bool = False) -> tuple[Value, ...]:
    bank = stage.bank
    fixed = inside or breakers
    return (
        bank.title,
        redundancy.SCHEMES.get(bank.scheme, ""),
        bank.installed.value,
        bank.unit_kw.value,
        None if fixed else bank.most_pct.value,
        None if fixed else capacity_of(bank).value,
        stage.output.value,
        load_of(bank, stage.output).value,
        None if fixed else load_of(bank, stage.output, failed=True).value,
        part_load.efficiency_pct(stage.output.number, stage.loss.number),
        stage.loss.value,
        stage.input.value,
        "IT: within the draw of the nodes" if inside else "losses",
        bank.curve.source or bank.curve.formula,
    )


def _standby(path: Path) -> tuple[Value, ...]:
    bank, output = path.generator, path.generator_output
    return (
        bank.title,
        redundancy.SCHEMES.get(bank.scheme, ""),
        bank.installed.value,
        bank.unit_kw.value,
        bank.most_pct.value,
        capacity_of(bank).value,
        output.value,
        load_of(bank, output).value,
        load_of(bank, output, failed=True).value,
        None,
        0.0,
        output.value,
        "stands by: load without the utility",
        bank.most_pct.source,
    )
