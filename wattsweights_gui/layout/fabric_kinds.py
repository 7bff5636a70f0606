"""What may be dragged into a fabric: the catalogue's switches, whole or split, and its nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

_SPLIT_FROM_GBIT_S = 800.0
_USUAL_SPLIT = 8


@dataclass(frozen=True, slots=True)
class FabricKind:
    """A device of the palette.

    Attributes:
        id: of the palette's row. entry: of the catalogue. node: whether it computes.
        ports: for the compute fabric. gbit_s: of each.
        ethernet: ``None`` where its adapters take both Ethernet and InfiniBand.
        source: of the row.
    """

    id: str
    name: str
    entry: str
    node: bool
    ports: int
    gbit_s: float
    ethernet: bool | None
    source: str

    @property
    def figures(self) -> str:
        """Its ports in words."""
        return f"{self.ports} × {self.gbit_s:g} Gb/s"


def kinds_of(catalog: Any, gbit_s: float, first: tuple[str, ...] = ()) -> tuple[FabricKind, ...]:
    """Return what may be dragged in, what the plan has first.

    Args:
        catalog: the hardware.
        gbit_s: rate of the plan's links: a faster Ethernet switch is also offered split to it.
        first: ids of the plan's own switches and node.
    """
    found: list[FabricKind] = []
    for entry in catalog.of_kind("switch"):
        ports, rate, technology = entry.get("ports"), entry.get("port_gbit_s"), str(entry.get("technology") or "")
        ethernet = technology == "ethernet"
        if not ports or not rate or not (ethernet or technology.startswith("infiniband")):
            continue
        source = entry.sources.get("ports") or entry.sources.get("", "")
        found.append(FabricKind(entry.id, entry.name, entry.id, False, int(ports), float(rate), ethernet, source))
        most = int(entry.get("max_split") or (_USUAL_SPLIT if rate >= _SPLIT_FROM_GBIT_S else 1))
        split = int(rate // gbit_s) if gbit_s else 1
        if ethernet and 1 < split <= most and rate == split * gbit_s:
            name = f"{entry.name}, split {split} ways"
            each = FabricKind(
                f"{entry.id}/{split}", name, entry.id, False, int(ports) * split, gbit_s, ethernet, source
            )
            found.append(each)
    for entry in catalog.of_kind("system"):
        nics, rate = entry.get("compute_nics"), entry.get("compute_nic_gbit_s")
        if not nics or not rate:
            continue
        source = entry.sources.get("compute_nics") or entry.sources.get("", "")
        found.append(FabricKind(entry.id, entry.name, entry.id, True, int(nics), float(rate), None, source))
    return tuple(sorted(found, key=lambda k: (k.entry not in first, k.entry in first and k.gbit_s != gbit_s)))
