"""Text is measured in the fonts that ship."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wattsweights_gui.drawing import fonts

WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=60)


def test_that_the_fonts_ship_with_their_licence() -> None:
    for bold in (False, True):
        assert fonts.font_file(bold).is_file()
    assert "Bitstream Vera" in fonts.font_file(False).with_name("LICENSE-DejaVu.txt").read_text(encoding="utf-8")


def test_that_digits_are_tabular() -> None:
    assert len({round(fonts.width(d, 8.0), 6) for d in "0123456789"}) == 1


def test_that_width_grows_with_size_and_weight() -> None:
    assert fonts.width("Facility power", 16.0) == pytest.approx(2 * fonts.width("Facility power", 8.0))
    assert fonts.width("Facility power", 8.0, True) > fonts.width("Facility power", 8.0)


@given(WORDS, st.floats(5.0, 80.0))
def test_that_no_wrapped_line_is_wider_than_its_room(text: str, room: float) -> None:
    for line in fonts.wrapped(text, room, 8.0):
        assert fonts.width(line, 8.0) <= room or len(line) == 1


@given(st.lists(st.text("abcdefgh", min_size=1, max_size=8), min_size=1, max_size=20))
def test_that_wrapping_loses_no_word(words: list[str]) -> None:
    assert " ".join(fonts.wrapped(" ".join(words), 30.0, 8.0)).split() == words


def test_that_a_thin_space_keeps_number_and_unit_together() -> None:
    lines = fonts.wrapped("needs 1\u2009043\u2009kW and more", 16.0, 8.0)
    assert any("1\u2009043\u2009kW" in line for line in lines)


@given(WORDS, st.floats(4.0, 60.0))
def test_that_a_fitted_text_fits(text: str, room: float) -> None:
    fitted = fonts.fitted(text, room, 7.0)
    assert fonts.width(fitted, 7.0) <= room or fitted == fonts.ELLIPSIS
