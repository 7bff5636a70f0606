"""A fabric as it was built, held against its plan: cables that are missing, extra, crossed or of another speed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Kind = Literal["wrong_peer", "missing", "wrong_speed", "extra"]
End = tuple[str, str]
"""Device and port, as they are named."""

LANE_GBIT_S = {"SDR": 2.5, "DDR": 5.0, "QDR": 10.0, "FDR10": 10.0, "FDR": 14.0, "EDR": 25.0, "HDR": 50.0, "NDR": 100.0,
               "XDR": 200.0}  # fmt: skip
"""Gb/s of one lane, as the generations are sold (IBTA roadmap); FDR carries 14.0625."""
ORDER: tuple[Kind, ...] = ("wrong_peer", "missing", "wrong_speed", "extra")


@dataclass(frozen=True)
class BuiltCable:
    """One cable; ``gbit_s`` is ``None`` where its speed is not known."""

    a: End
    b: End
    gbit_s: float | None = None
    speed: str = ""

    @property
    def ends(self) -> frozenset[End]:
        """Both ends, whichever comes first."""
        return frozenset((self.a, self.b))


@dataclass(frozen=True)
class Difference:
    """One thing that is not as planned.

    Attributes:
        kind: ``wrong_peer`` (a planned port is up but ends elsewhere), ``missing``, ``wrong_speed`` or ``extra``.
        planned, found: device, port, device, port; empty where there is none.
        planned_speed, found_speed: in words.
        note: what it may mean.
    """

    kind: Kind
    planned: tuple[str, ...] = ()
    found: tuple[str, ...] = ()
    planned_speed: str = ""
    found_speed: str = ""
    note: str = ""

    @property
    def sentence(self) -> str:
        """What is wrong, in a sentence."""
        if self.kind == "missing":
            return f"{_ends(self.planned)} is planned and not there."
        if self.kind == "extra":
            return f"{_ends(self.found)} is there and not planned" + (f": {self.note}." if self.note else ".")
        if self.kind == "wrong_speed":
            return f"{_ends(self.planned)} runs at {self.found_speed}, planned is {self.planned_speed}."
        more = f": {self.note}" if self.note else ""
        return f"{_ends(self.planned)} is planned; built is {_ends(self.found)}{more}."


def _ends(four: tuple[str, ...]) -> str:
    a, a_port, b, b_port = four
    return f"{a} port {a_port} to {b} port {b_port}"


def speed_words(gbit_s: float | None) -> str:
    """Return a rate as InfiniBand names it with four lanes, or in Gb/s."""
    if gbit_s is None:
        return "an unknown speed"
    name = next((n for n, lane in reversed(LANE_GBIT_S.items()) if abs(4 * lane - gbit_s) < 1e-6), "")
    return f"4x{name}" if name else f"{gbit_s:g} Gb/s"


def compare(planned: Iterable[BuiltCable], built: Iterable[BuiltCable]) -> tuple[Difference, ...]:
    """Return what differs: crossed, missing, of another speed, extra.

    A planned port that is up but ends elsewhere is one difference for each planned cable; a built cable that touches a
    planned port is not extra.

    Raises:
        ValueError: two cables of the plan, or two of what was built, end at one port.
    """
    plan, there = tuple(planned), tuple(built)
    peers = _peers(there, "what was built")
    wanted = _peers(plan, "the plan")
    found: list[Difference] = []
    for cable in plan:
        at = next((end for end in (cable.a, cable.b) if end in peers), None)
        four = (*cable.a, *cable.b)
        if at is None:
            found.append(Difference("missing", four))
            continue
        peer, real = peers[at]
        if {at, peer} != set(cable.ends):
            ends = (*at, *peer) if at == cable.a else (*peer, *at)
            found.append(Difference("wrong_peer", four, ends, note=_crossed(at, peer, wanted)))
        elif cable.gbit_s is not None and real.gbit_s is not None and abs(cable.gbit_s - real.gbit_s) > 1e-6:
            found.append(
                Difference(
                    "wrong_speed",
                    four,
                    (*real.a, *real.b),
                    cable.speed or speed_words(cable.gbit_s),
                    real.speed or speed_words(real.gbit_s),
                )
            )
    for cable in there:
        if cable.a not in wanted and cable.b not in wanted:
            found.append(Difference("extra", (), (*cable.a, *cable.b), note=_extra(cable, plan)))
    return tuple(sorted(found, key=lambda d: ORDER.index(d.kind)))


def _peers(cables: tuple[BuiltCable, ...], whose: str) -> dict[End, tuple[End, BuiltCable]]:
    found: dict[End, tuple[End, BuiltCable]] = {}
    for cable in cables:
        for end, other in ((cable.a, cable.b), (cable.b, cable.a)):
            if end in found and found[end][1].ends != cable.ends:
                raise ValueError(
                    f"Two cables of {whose} end at {end[0]} port {end[1]}: to {found[end][0][0]} and to {other[0]}."
                )
            found[end] = (other, cable)
    return found


def _crossed(at: End, peer: End, wanted: dict[End, tuple[End, BuiltCable]]) -> str:
    """Say whether two cables of one node are swapped."""
    meant = wanted.get(peer)
    if meant is None:
        return f"the plan has nothing at {peer[0]} port {peer[1]}"
    return "two rails of one node crossed" if meant[0][0] == at[0] else f"that port is meant for {meant[0][0]}"


def _extra(cable: BuiltCable, plan: tuple[BuiltCable, ...]) -> str:
    level = _levels(plan)
    one, other = level.get(cable.a[0]), level.get(cable.b[0])
    if one is not None and one == other:
        return "between two of one tier: a loop outside the tree"
    return ""


def _levels(plan: tuple[BuiltCable, ...]) -> dict[str, int]:
    """Return the tier of each planned device: 0 for what has the fewest neighbours below, upward."""
    above: dict[str, set[str]] = {}
    for cable in plan:
        above.setdefault(cable.a[0], set()).add(cable.b[0])
        above.setdefault(cable.b[0], set())
    below = Counter(upper for uppers in above.values() for upper in uppers)
    level = {device: 0 for device in above if not below[device]}
    front = list(level)
    while front:
        reached = {upper for device in front for upper in above[device] if upper not in level}
        level |= dict.fromkeys(reached, max(level[d] for d in front) + 1)
        front = list(reached)
    return level
