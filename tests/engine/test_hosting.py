"""The search for the most nodes that a facility carries."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wattsweights_gui.engine import hosting


@given(st.integers(1, 100_000), st.floats(0.2, 3.0), st.floats(0.0, 0.9))
def test_that_the_answer_fits_and_one_more_does_not(most: int, bend: float, fixed: float) -> None:
    calls: dict[int, float] = {}

    def load(nodes: int) -> dict[str, float]:
        calls[nodes] = fixed + (1 - fixed) * (nodes / (most + 0.5)) ** bend
        return {"grows": calls[nodes], "stays": 0.9}

    found = hosting.largest(load)
    assert found == most
    assert calls[most] <= 1 < calls[most + 1]


@given(st.integers(1, 60_000), st.integers(1, 64))
def test_that_stairs_are_searched_right(most: int, step: int) -> None:
    def load(nodes: int) -> dict[str, float]:
        return {"stairs": -(-nodes // step) / (-(-most // step))}

    found = hosting.largest(load)
    assert found is not None
    assert load(found)["stairs"] <= 1 < load(found + 1)["stairs"]


def test_that_a_nearly_straight_line_takes_few_tries() -> None:
    tries = []

    def load(nodes: int) -> dict[str, float]:
        tries.append(nodes)
        return {"first": 0.1 + nodes / 5000, "second": nodes / 9000, "rack": 0.95}

    assert hosting.largest(load, hint=3000) == 4500
    assert len(tries) <= 5


def test_that_a_limit_that_does_not_grow_has_no_largest() -> None:
    assert hosting.largest(lambda nodes: {"a": 0.5}) is None
