"""What can be set of the cooling plant, which rejects the heat outside: the alternatives of one input."""

from __future__ import annotations

from typing import Any, Literal

from wattsweights_gui.engine.declare import Branch, setting


class StatedPlant(Branch):
    """A plant of which only its COP is known."""

    branch_title = "Stated COP"
    kind: Literal["stated"] = "stated"
    make_up_l_kwh: float | None = setting(
        None,
        title="Make-up water",
        unit="l_kwh",
        help="Litres for each kWh of heat that the plant rejects, over the year.",
        hard=(0, 20),
        usual=(0, 3),
        when_none="not known",
    )


def _approach(default: float, title: str, help: str, source: str) -> Any:
    return setting(default, title=title, unit="k", help=help, source=source, hard=(0.5, 40), usual=(2, 15))


def _share(default: float, title: str, help: str, source: str = "ours: an estimate, ask the maker") -> Any:
    return setting(default, title=title, unit="pct", help=help, source=source, hard=(0, 50), usual=(0.1, 8))


def _cycles() -> Any:
    return setting(
        4.0,
        title="Cycles of concentration",
        unit="ratio",
        help="Salt in the tower's water over salt in the make-up: it sets the blow-down.",
        source="open towers 3 to 7",
        hard=(1.05, 50),
        usual=(2, 10),
    )


class DryCooler(Branch):
    """Dry coolers."""

    branch_title = "Dry cooler"
    kind: Literal["dry_cooler"] = "dry_cooler"
    approach_k: float = _approach(6.0, "Approach to dry bulb", "Water supply less outside air.", "catalogue: 5 to 8 K")
    fan_pct: float = _share(2.0, "Fans", "Draw at full speed, of the heat.")
    pump_pct: float = _share(1.0, "Pumps", "Draw of the facility water's pumps, of the heat.")


class HybridCooler(Branch):
    """Dry coolers with adiabatic pads that are wetted when the air is too warm."""

    branch_title = "Hybrid: dry cooler with adiabatic pads"
    kind: Literal["hybrid"] = "hybrid"
    approach_k: float = _approach(6.0, "Approach", "Water supply less the air that enters.", "catalogue: 5 to 8 K")
    pad_pct: float = setting(
        80.0,
        title="Pad effectiveness",
        unit="pct",
        help="How far the pad brings the air from dry bulb to wet bulb.",
        source="catalogue: about 0.8",
        hard=(1, 100),
        usual=(60, 95),
    )
    fan_pct: float = _share(2.2, "Fans", "Draw at full speed, of the heat; the pads resist.")
    pump_pct: float = _share(1.0, "Pumps", "Draw of the facility water's pumps, of the heat.")
    cycles: float = _cycles()


class Tower(Branch):
    """Open cooling towers with a heat exchanger, no chiller."""

    branch_title = "Cooling tower"
    kind: Literal["tower"] = "tower"
    approach_k: float = _approach(4.0, "Approach to wet bulb", "Tower water less wet bulb.", "open towers 3 to 6 K")
    exchanger_k: float = _approach(
        2.0, "Approach of the exchanger", "Facility water less tower water.", "plate heat exchangers 1 to 3 K"
    )
    fan_pct: float = _share(1.5, "Fans", "Draw at full speed, of the heat.")
    pump_pct: float = _share(1.5, "Pumps", "Draw of facility and tower water pumps, of the heat.")
    cycles: float = _cycles()


class AirChiller(Branch):
    """Air-cooled chillers, with free cooling coils."""

    branch_title = "Air-cooled chiller with free cooling"
    kind: Literal["air_chiller"] = "air_chiller"
    carnot_pct: float = setting(
        45.0,
        title="Share of Carnot",
        unit="pct",
        help="Compressor COP over that of an ideal machine between the same temperatures.",
        source="ours: air-cooled screw chillers 40 to 50 %",
        hard=(5, 90),
        usual=(30, 65),
    )
    condenser_k: float = _approach(15.0, "Condensing above dry bulb", "At full load.", "ours: 12 to 18 K")
    evaporator_k: float = _approach(4.0, "Evaporating below supply", "At full load.", "ours: 3 to 6 K")
    free_approach_k: float = _approach(
        7.0, "Approach of the free cooling coils", "Water less outside air.", "ours: 5 to 10 K"
    )
    fan_pct: float = _share(3.0, "Fans", "Draw at full speed, of the heat rejected.")
    pump_pct: float = _share(1.0, "Pumps", "Draw of the facility water's pumps, of the heat.")


class WaterChiller(Branch):
    """Water-cooled chillers with towers and a water-side economiser."""

    branch_title = "Water-cooled chiller with tower"
    kind: Literal["water_chiller"] = "water_chiller"
    carnot_pct: float = setting(
        60.0,
        title="Share of Carnot",
        unit="pct",
        help="Compressor COP over that of an ideal machine between the same temperatures.",
        source="ours: centrifugal chillers 55 to 65 %",
        hard=(5, 90),
        usual=(40, 70),
    )
    tower_approach_k: float = _approach(4.0, "Tower approach", "Tower water less wet bulb.", "open towers 3 to 6 K")
    condenser_k: float = _approach(
        8.0, "Condensing above tower water", "Range of the tower water and the condenser's pinch.", "ours: 6 to 9 K"
    )
    evaporator_k: float = _approach(2.0, "Evaporating below supply", "At full load.", "ours: 1 to 3 K")
    free_approach_k: float = _approach(
        2.0, "Approach of the economiser", "Facility water less tower water.", "plate heat exchangers 1 to 3 K"
    )
    auxiliary_pct: float = _share(3.0, "Fans and pumps", "Draw of tower fans and all pumps, of the heat.")
    cycles: float = _cycles()


Plants = StatedPlant | DryCooler | HybridCooler | Tower | AirChiller | WaterChiller
