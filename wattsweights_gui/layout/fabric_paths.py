"""Which links a device, or a pair of devices, uses: masks over all links, by arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wattsweights_gui.engine.wiring import Whole, Wiring

Mask = NDArray[np.bool_]


def links_of(wiring: Wiring, devices: Whole) -> Mask:
    """Return the links that end at one of the devices."""
    chosen = np.zeros(len(wiring.devices), dtype=bool)
    chosen[devices] = True
    return chosen[wiring.links.a] | chosen[wiring.links.b]


def paths_up(wiring: Wiring, devices: Whole) -> Mask:
    """Return the links of the devices, and those that lead from there upward as far as it goes."""
    found = links_of(wiring, devices)
    reached = np.zeros(len(wiring.devices), dtype=bool)
    reached[devices] = True
    for _ in range(4):
        up = reached[wiring.links.a]
        before = int(reached.sum())
        reached[wiring.links.b[up]] = True
        found |= up
        if int(reached.sum()) == before:
            break
    return found


def paths_between(wiring: Wiring, one: int, other: int) -> Mask:
    """Return the links on the shortest paths between two devices; none where there is no path."""
    there, back = distances(wiring, one), distances(wiring, other)
    whole = there[other]
    if whole < 0:
        return np.zeros(len(wiring.links), dtype=bool)
    a, b = wiring.links.a, wiring.links.b
    known = (there[a] >= 0) & (there[b] >= 0)
    on_a_path: Mask = known & ((there[a] + 1 + back[b] == whole) | (there[b] + 1 + back[a] == whole))
    return on_a_path


def distances(wiring: Wiring, start: int) -> Whole:
    """Return the number of links from a device to every other; -1 where it is not reached.

    Nodes do not pass traffic on: a path never leads through one.
    """
    found = np.full(len(wiring.devices), -1)
    found[start] = 0
    passes = wiring.devices.kind > 1
    a, b = wiring.links.a, wiring.links.b
    step = 0
    while True:
        front = (found == step) & (passes | (step == 0))
        reached = np.concatenate([b[front[a]], a[front[b]]])
        reached = reached[found[reached] < 0]
        if not len(reached):
            return found
        step += 1
        found[reached] = step
