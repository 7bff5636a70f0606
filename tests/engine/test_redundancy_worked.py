"""Redundancy against examples worked by hand: 1,800 kW on units of 500 kW that are loaded to 90 % at most (450 kW)."""

from __future__ import annotations

import pytest

from wattsweights_gui.engine.equations import redundancy

# N: 1800 / 450 = 4. 3N/2: two of three systems stay with 900 kW each, 2 × 2 = 4, and half of that more.
WORKED = [
    # scheme, must stay, installed, share the load, load of each before the failure in per cent
    ("n", 4, 4, 4, 90.0),
    ("n_plus_1", 4, 5, 5, 72.0),
    ("2n", 4, 8, 8, 45.0),
    ("3n_2", 4, 6, 6, 60.0),
    ("block_redundant", 4, 5, 4, 90.0),
]


@pytest.mark.parametrize(("scheme", "stay", "installed", "sharing", "load"), WORKED)
def test_that_each_scheme_has_the_units_of_the_worked_example(
    scheme: str, stay: int, installed: int, sharing: int, load: float
) -> None:
    needed = redundancy.units_needed(1800.0, 500.0, 90.0, scheme)
    assert needed == stay
    assert redundancy.units_installed(needed, scheme) == installed
    assert redundancy.units_sharing(installed, scheme) == sharing
    assert redundancy.load_pct(1800.0, sharing, 500.0) == pytest.approx(load)
    assert redundancy.capacity_kw(needed, 500.0, 90.0) == pytest.approx(1800.0)


def test_that_a_3n_2_of_an_odd_load_rounds_each_system_up() -> None:
    # 2,000 kW: each of two systems carries 1,000 kW, three units of 450 kW; so nine are installed in three systems
    assert redundancy.units_needed(2000.0, 500.0, 90.0, "3n_2") == 6
    assert redundancy.units_installed(6, "3n_2") == 9


@pytest.mark.parametrize(
    ("scheme", "feeds", "sides", "stay"),
    [
        ("n", 6, (3, 3), 6),
        ("n_plus_1", 6, (3, 3), 5),
        ("2n", 6, (3, 3), 3),
        ("3n_2", 6, (2, 2, 2), 4),
        ("3n_2", 3, (1, 1, 1), 2),
        ("3n_2", 4, (2, 1, 1), 2),
        ("block_redundant", 6, (3, 3), 6),
    ],
)
def test_that_feeds_are_on_two_sides_and_on_three_in_3n_2(
    scheme: str, feeds: int, sides: tuple[int, ...], stay: int
) -> None:
    assert redundancy.sides(feeds, scheme) == sides
    assert redundancy.surviving_feeds(feeds, scheme) == stay
