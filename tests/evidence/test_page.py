"""The generated page of the evidence says what the program says now."""

from __future__ import annotations

import importlib.util
from types import ModuleType

import pytest

from wattsweights_gui import paths
from wattsweights_gui.engine.evidence import EvidenceReport
from wattsweights_gui.engine.evidence.classes import CLASSES

AGAIN = "the page is stale: python packaging/make_evidence_page.py"
SOURCE = paths.resources().parent / "packaging" / "make_evidence_page.py"
PRINTED = """\
megatron21_table1        n=  6 mean abs   3.9%  median   3.6%  p90   6.7%  bias  -1.0%
not fitted: megatron21_table1        mean abs   3.9%  bias  -1.1%
not fitted: class dense_ampere       mean abs   7.6%  bias  +0.2%
"""


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_evidence_page", SOURCE)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.fixture(scope="module")
def made(maker: ModuleType) -> dict[str, EvidenceReport]:
    return maker.shipped()


@pytest.fixture(scope="module")
def committed(maker: ModuleType) -> str:
    return maker.PAGE.read_text(encoding="utf-8")


def test_that_the_page_has_the_errors_of_each_class_to_the_printed_digit(
    maker: ModuleType, made: dict[str, EvidenceReport], committed: str
) -> None:
    assert maker.section_of(committed, "## By class") == maker.classes_section(made), AGAIN


def test_that_the_page_has_every_constant_with_its_value_and_range(maker: ModuleType, committed: str) -> None:
    assert maker.section_of(committed, maker.CONSTANTS) == maker.constants_section(), AGAIN


def test_that_the_page_has_the_errors_of_each_table_of_each_file(
    maker: ModuleType, made: dict[str, EvidenceReport], committed: str
) -> None:
    for path, one in made.items():
        assert "\n".join(maker.tables_section(path, one)) in committed, AGAIN


def test_that_the_rows_left_out_were_left_out_of_the_fit_that_ships(
    maker: ModuleType, made: dict[str, EvidenceReport], committed: str
) -> None:
    section = "\n".join(maker.section_of(committed, maker.NOT_FITTED))
    for kind, summary in maker.training_of(made).classes().items():
        if CLASSES[kind].subject == "Training time" and kind != "tpu":
            assert f"| {CLASSES[kind].title} | {maker.percent(summary.mean_abs_error_pct)} |" in section, AGAIN


def test_that_every_section_of_the_page_names_the_command_that_makes_it_again(
    maker: ModuleType, committed: str
) -> None:
    titles = [line for line in committed.splitlines() if line.startswith("## ")]
    assert len(titles) == 4
    for title in titles:
        assert any("Reproduce with `" in line for line in maker.section_of(committed, title)), title


def test_that_the_page_is_wholly_generated(maker: ModuleType, made: dict[str, EvidenceReport], committed: str) -> None:
    assert maker.page(made, maker.section_of(committed, maker.NOT_FITTED)) == committed, AGAIN


def test_that_the_errors_of_rows_left_out_are_read_from_what_the_fit_prints(maker: ModuleType) -> None:
    classes, tables = maker.left_out(PRINTED)
    assert classes == {"dense_ampere": ("7.6", "+0.2")}
    assert tables == {"megatron21_table1": ("3.9", "-1.1")}
    with pytest.raises(ValueError, match="no line"):
        maker.left_out("something went wrong")


@pytest.mark.parametrize(
    ("value", "words"), [(None, "–"), (0.0, "0"), (-0.001, "0.00"), (0.126, "0.13"), (-5.25, "-5.2"), (12.34, "12.3")]
)
def test_that_only_an_exact_row_is_printed_as_nought(maker: ModuleType, value: float | None, words: str) -> None:
    assert maker.percent(value) == words
