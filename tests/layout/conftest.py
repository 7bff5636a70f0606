"""A hall of the default plan, and ones that are told apart by a few settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.chain import Evaluation, evaluate
from wattsweights_gui.engine.plan import default_plan
from wattsweights_gui.layout.hall import Hall, hall_of
from wattsweights_gui.layout.placements import Device, Placements, used_u

Make = Callable[..., Evaluation]


def _evaluated(**settings: Any) -> Evaluation:
    """Return the default plan with other settings, ``layer__field=value``."""
    edits = {k.replace("__", "."): v for k, v in settings.items()}
    technology = edits.pop("cooling.technology", None)
    first = [("cooling.technology", technology)] if technology else []
    return evaluate(default_plan([*first, *edits.items()]), catalog())


@pytest.fixture(scope="session")
def plan() -> Evaluation:
    """1,024 H100 in 128 nodes, four a rack, in racks that reject 60 kW by air."""
    return _evaluated(cooling__technology="air", cooling__technology__rack_limit_kw=60.0)


@pytest.fixture(scope="session")
def hall(plan: Evaluation) -> Hall:
    """Its hall."""
    return hall_of(plan)


def quarters(device: Device) -> set[tuple[int, str, str]]:
    """The quarters of rack units that a device takes, counted one by one."""
    if device.bottom_u is None:
        return set()
    faces = ("front", "rear") if device.full_depth else (device.face,)
    halves = (device.half,) if device.half else ("left", "right")
    return {(u, f, h) for u in range(device.bottom_u, device.bottom_u + device.height_u) for f in faces for h in halves}


def _check(placements: Placements) -> None:
    ids = [d.id for inside in placements.devices.values() for d in inside]
    assert len(set(ids)) == len(ids)
    assert set(placements.devices) == {r.id for r in placements.racks}
    for rack in placements.racks:
        inside = placements.inside(rack.id)
        each = [quarters(d) for d in inside]
        assert sum(map(len, each)) == len(set().union(*each)), "devices overlap"
        assert all(1 <= u <= rack.height_u for taken in each for u, _, _ in taken)
        assert used_u(inside) == len({u for taken in each for u, _, _ in taken})
        for side in ("left", "right"):
            assert sum(d.zero_u and d.half == side for d in inside) <= 2


@pytest.fixture(scope="session")
def evaluated() -> Make:
    """Evaluates the default plan with other settings."""
    return _evaluated


@pytest.fixture(scope="session")
def check() -> Callable[[Placements], None]:
    """Asserts that nothing overlaps and everything has one place."""
    return _check
