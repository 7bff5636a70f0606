"""Settings that several cooling technologies share: cold plates, CDUs in groups, the air that liquid leaves."""

from __future__ import annotations

from typing import Any, Literal

from wattsweights_gui.engine.declare import setting

RemainderTo = Literal["room", "rear_door"]


def liquid_pct() -> Any:
    """Share of a rack's heat that cold plates take."""
    return setting(
        None,
        title="Heat to liquid",
        unit="pct",
        help="Share of a rack's heat that the cold plates take.",
        hard=(0, 100),
        when_none="from its components",
        usual=(60, 100),
    )


def resistance(default: float, source: str) -> Any:
    """Thermal resistance from coolant to chip."""
    return setting(
        default,
        title="Resistance, coolant to GPU",
        unit="k_w",
        help="From the coolant at the cold plate to the GPU's sensor: cold plate, paste and package.",
        source=source,
        group="Cold plates",
        hard=(0, 1),
        usual=(0.01, 0.06),
    )


def gpu_limit() -> Any:
    """Largest GPU temperature."""
    return setting(
        87.0,
        title="GPU temperature limit",
        unit="c",
        help="Above it the GPU lowers its clocks.",
        source="nvidia-smi of an H800 of 700 W: GPU Max Operating Temp 87 °C",
        group="Cold plates",
        hard=(30, 120),
        usual=(75, 95),
    )


def capture(what: str, default: float, source: str) -> Any:
    """Share of a component's heat that cold plates take."""
    return setting(
        default,
        title=f"Captured of {what}",
        unit="pct",
        help=f"Share of the heat of {what} that cold plates take, for systems whose own split is not catalogued.",
        source=source,
        group="Cold plates",
        hard=(0, 100),
    )


def racks_per_group() -> Any:
    """Racks that one group of CDUs serves."""
    return setting(
        None,
        title="Racks a CDU group",
        help="Racks on one loop. Each group has whole units and its own spares.",
        group="CDU",
        hard=(1, 100000),
        when_none="all racks in one group",
    )


def cdu_curve(above: str) -> Any:
    """Curve of CDU capacity."""
    return setting(
        "",
        title="Capacity curve",
        help=f"Points of a maker's curve: {above} in K, then kW, as 3:900, 4:1200. Used instead of the rating point; "
        "outside of it there is no answer.",
        group="CDU",
        when_none="from the rating point",
    )


def inlet() -> Any:
    """Temperature at the racks' front."""
    return setting(
        24.0,
        title="Inlet air",
        unit="c",
        help="At the front of the racks, for the heat that liquid does not take.",
        source="ASHRAE recommended range",
        hard=(0, 60),
        usual=(18, 27),
        group="Air remainder",
    )


def remainder_limit() -> Any:
    """Heat of one rack that room air can take beside liquid."""
    return setting(
        40.0,
        title="Air remainder a rack may leave",
        unit="kw",
        help="Heat of one rack that the room's air can take beside the liquid.",
        source="rule of thumb for contained aisles",
        hard=(0, 200),
        usual=(5, 50),
        group="Air remainder",
    )


def remainder_to() -> Any:
    """Where the air remainder goes."""
    return setting(
        "room",
        title="Air remainder goes to",
        help="The room's air handlers, or rear doors at the liquid-cooled racks.",
        source="ours",
        choices={"room": "Room air", "rear_door": "Rear doors"},
        group="Air remainder",
    )


def door() -> Any:
    """The door for the air remainder."""
    return setting(
        "rdhx_motivair_chilleddoor",
        title="Rear door",
        help="For the air remainder, where it goes to rear doors.",
        source="ours",
        catalog="rdhx",
        group="Air remainder",
    )
