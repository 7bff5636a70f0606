"""Every cable of a wired fabric: both ends by rack and unit, length by the tray, medium by reach, label at each end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wattsweights_gui.engine.declare import Entry
from wattsweights_gui.engine.wiring import CORE, LEAF, MANAGER, NODE, SPINE, TIERS, Wiring
from wattsweights_gui.layout.placements import Placements

U_MM = 44.45
"""Height of a rack unit (EIA-310)."""
ROLES = {"node": NODE, "fabric manager": MANAGER, "leaf": LEAF, "spine": SPINE, "core": CORE}
ORDER_LENGTHS_M = (1, 2, 3, 4, 5, 7, 10, 15, 20, 25, 30, 35, 40, 50, 70, 100, 150, 200, 300, 500, 1000, 2000)
"""Lengths that cables are sold in; a longer one is cut to the next 100 m."""
COPPER = ("dac", "acc")
UNPLACED = -1


@dataclass(frozen=True)
class Routing:
    """How cables run.

    Attributes:
        tray_above_mm: from the top of a rack to the tray over it.
        slack_m: at each end, service loop and dressing included.
        spare_pct: of each class of length that is ordered on top.
    """

    tray_above_mm: float = 300.0
    slack_m: float = 0.5
    spare_pct: float = 5.0


@dataclass(frozen=True)
class Medium:
    """What joins two ports.

    Attributes:
        kind: ``dac``, ``acc``, ``optic_mmf`` or ``optic_smf``.
        name: of the cable or of the optics. reach_m: how far it goes.
        watts: of one end, at most; ``None`` where it is not known.
        source: of the row.
    """

    kind: str
    name: str
    reach_m: float
    watts: float | None
    source: str

    @property
    def optical(self) -> bool:
        """Whether it is fibre with an optic at each end."""
        return self.kind not in COPPER


@dataclass(frozen=True)
class Spots:
    """Where the devices of a wiring stand, one element a device: rack by number, unit, place on the floor in mm."""

    racks: tuple[str, ...]
    heights_u: NDArray[np.float64]
    x_mm: NDArray[np.float64]
    y_mm: NDArray[np.float64]
    rack: NDArray[np.int64]
    unit: NDArray[np.float64]


def spots_of(wiring: Wiring, placements: Placements, floor: Mapping[str, tuple[float, float]]) -> Spots:
    """Return where devices stand: those of each kind in the order of racks, from the top down, as they are wired.

    Args:
        wiring: the fabric.
        placements: racks and their devices.
        floor: rack's id → middle of its footprint in mm; a rack that is not named stands at the origin.
    """
    rack = np.full(len(wiring.devices), UNPLACED)
    unit = np.zeros(len(wiring.devices))
    waiting = {kind: list(wiring.devices.of(kind)[::-1]) for kind in ROLES.values()}
    for number, one in enumerate(placements.racks):
        for device in sorted(placements.inside(one.id), key=lambda d: -(d.bottom_u or 0)):
            kind = ROLES.get(device.role)
            if kind is not None and waiting[kind]:
                at = waiting[kind].pop()
                rack[at] = number
                unit[at] = (device.bottom_u or 1) + max(device.height_u - 1, 0) / 2.0
    places = [floor.get(r.id, (0.0, 0.0)) for r in placements.racks] or [(0.0, 0.0)]
    x, y = np.array(places, dtype=np.float64).T
    heights = np.array([r.height_u for r in placements.racks] or [0], dtype=np.float64)
    return Spots(tuple(r.name for r in placements.racks), heights, x, y, rack, unit)


@dataclass(frozen=True, slots=True)
class Cable:
    """One cable as a row of the schedule."""

    id: str
    network: str
    tier: str
    a_rack: str
    a_unit: str
    a_device: str
    a_port: str
    b_rack: str
    b_unit: str
    b_device: str
    b_port: str
    gbit_s: float
    medium: str
    run_m: float | None
    length_m: float | None
    a_label: str
    b_label: str


@dataclass(frozen=True)
class LengthClass:
    """Cables of one medium and length: how many run, and how many are ordered with spares."""

    medium: str
    length_m: float | None
    cables: int
    spares: int


@dataclass(frozen=True, eq=False)
class Cabling:
    """All cables of a fabric, one an element; rows and labels are made when they are asked for."""

    wiring: Wiring
    spots: Spots
    routing: Routing
    gbit_s: float
    run_m: NDArray[np.float64]
    length_m: NDArray[np.float64]
    medium: NDArray[np.int64]
    media: tuple[Medium, ...]
    network: str = "compute"

    def __len__(self) -> int:
        return len(self.run_m)

    @property
    def placed(self) -> bool:
        """Whether both ends of all cables stand in racks."""
        return not bool(np.isnan(self.run_m).any())

    def rows(self, start: int = 0, stop: int | None = None) -> Iterator[Cable]:
        """Yield cables as rows of the schedule, in the order of the links."""
        wiring, links, part = self.wiring, self.wiring.links, slice(start, stop)
        spots = list(zip(self.spots.rack.tolist(), self.spots.unit.tolist(), strict=True))
        racks = self.spots.racks
        where: list[tuple[str, str]] = [
            ("", "") if rack == UNPLACED else (racks[rack], f"U{int(unit)}") for rack, unit in spots
        ]
        starts = ["-".join(w for w in (*place, name) if w) for place, name in zip(where, wiring.names, strict=True)]
        names, media = wiring.names, [m.name for m in self.media] + ["none reaches so far"]
        columns = (links.a, links.a_port, links.b, links.b_port, links.tier, self.medium, self.run_m, self.length_m)
        for at, (a, a_at, b, b_at, tier, medium, run, length) in enumerate(
            zip(*(column[part].tolist() for column in columns), strict=True), start + 1
        ):
            a_port, b_port = wiring.port_name(a, a_at), wiring.port_name(b, b_at)
            known = run == run
            (a_rack, a_unit), (b_rack, b_unit) = where[a], where[b]
            yield Cable(
                f"C{at:05d}",
                self.network,
                TIERS[tier],
                a_rack,
                a_unit,
                names[a],
                a_port,
                b_rack,
                b_unit,
                names[b],
                b_port,
                self.gbit_s,
                media[medium] if known else "",
                run if known else None,
                length if known else None,
                f"{starts[a]}-{a_port.replace(' ', '')}",
                f"{starts[b]}-{b_port.replace(' ', '')}",
            )

    @cached_property
    def classes(self) -> tuple[LengthClass, ...]:
        """Cables by medium and length, with spares rounded up."""
        found: dict[tuple[int, float], int] = {}
        keys = np.stack([self.medium.astype(np.float64), np.nan_to_num(self.length_m, nan=-1.0)])
        unique, counts = np.unique(keys, axis=1, return_counts=True)
        for (medium, length), count in zip(unique.T, counts, strict=True):
            found[(int(medium), float(length))] = int(count)
        return tuple(
            LengthClass(
                self.media[medium].name if medium >= 0 else "none reaches so far",
                length if length >= 0 else None,
                count,
                int(np.ceil(count * self.routing.spare_pct / 100.0 - 1e-9)),
            )
            for (medium, length), count in sorted(found.items())
        )

    @property
    def optics(self) -> int:
        """Ends of cables that carry an optic."""
        kinds = np.array([m.optical for m in self.media] + [False])
        return 2 * int(kinds[self.medium].sum())

    @property
    def watts(self) -> float:
        """What the ends of all cables draw at most, where it is known."""
        each = np.array([m.watts or 0.0 for m in self.media] + [0.0])
        return 2.0 * float(each[self.medium].sum())


def media_of(catalog: Any, gbit_s: float) -> tuple[Medium, ...]:
    """Return what the catalogue has for links of a rate, the nearest first: copper, multimode, single mode.

    A cage may hold two ports: cables and optics of twice the rate serve two links, and draw half at each.
    """
    found: list[Medium] = []
    for entry in catalog.of_kind("cable"):
        rate, reach, kind = entry.get("rate_gbit_s"), entry.get("max_length_m"), str(entry.get("medium"))
        if rate not in (gbit_s, 2.0 * gbit_s) or reach is None or kind.startswith("fibre"):
            continue
        ports = float(rate) / gbit_s
        watts = _watts(entry)
        found.append(
            Medium(kind, entry.name, float(reach), None if watts is None else watts / ports, entry.sources.get("", ""))
        )
    order = {"dac": 0, "acc": 1, "aoc": 2, "optic_mmf": 3, "optic_smf": 4}
    best: dict[tuple[str, float], Medium] = {}
    for medium in sorted(found, key=lambda m: (order.get(m.kind, 5), m.reach_m, m.watts or 99.0)):
        best.setdefault((medium.kind, medium.reach_m), medium)
    return tuple(best.values())


def _watts(entry: Entry) -> float | None:
    for name in ("power_w_per_end", "power_max_w", "power_max_w_per_port"):
        if entry.get(name) is not None:
            return float(entry.get(name))
    return None


def cabling_of(
    wiring: Wiring, spots: Spots, media: tuple[Medium, ...], gbit_s: float, routing: Routing | None = None
) -> Cabling:
    """Return all cables: their run by the tray over the racks (right angles), ordered length and medium.

    A cable within a rack does not leave it. Length = run + slack at both ends, up to the next length that is sold.
    """
    routing = routing or Routing()
    links = wiring.links
    a, b = spots.rack[links.a], spots.rack[links.b]
    there = (a != UNPLACED) & (b != UNPLACED)
    up_a = (spots.heights_u[a] - spots.unit[links.a]) * U_MM + routing.tray_above_mm
    up_b = (spots.heights_u[b] - spots.unit[links.b]) * U_MM + routing.tray_above_mm
    across = np.abs(spots.x_mm[a] - spots.x_mm[b]) + np.abs(spots.y_mm[a] - spots.y_mm[b])
    inside = np.abs(spots.unit[links.a] - spots.unit[links.b]) * U_MM
    run = np.where(a == b, inside, up_a + across + up_b) / 1e3
    run = np.where(there, run, np.nan)
    need = run + 2.0 * routing.slack_m
    sold = np.array(ORDER_LENGTHS_M, dtype=np.float64)
    at = np.searchsorted(sold, np.nan_to_num(need) - 1e-9)
    length = np.where(at < len(sold), sold[np.minimum(at, len(sold) - 1)], np.ceil(need / 100.0) * 100.0)
    length = np.where(there, length, np.nan)
    medium = np.full(len(links), UNPLACED)
    for number in range(len(media) - 1, -1, -1):
        medium = np.where(length <= media[number].reach_m, number, medium)
    return Cabling(wiring, spots, routing, gbit_s, run, length, medium, media)
