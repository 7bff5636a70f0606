"""One accelerator: peaks from the catalogue, ridge, power cap."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.chain import evaluate
from wattsweights_gui.engine.equations import gpu
from wattsweights_gui.engine.plan import default_plan

GPUS = [entry.id for entry in catalog().of_kind("gpu")]


def _sized(*edits: tuple[str, Any]) -> Any:
    return evaluate(default_plan().edit(*edits), catalog(), layers=("workload", "compute"))


def test_that_the_h100_has_the_figures_of_its_datasheet() -> None:
    plain = _sized().results["compute"].plain()
    assert (plain["peak_tflops"], plain["hbm_gb"], plain["hbm_gb_s"]) == (989, 80, 3350)
    assert plain["ridge_flop_per_byte"] == pytest.approx(295.2, abs=0.1)


@pytest.mark.parametrize("name", GPUS)
@pytest.mark.parametrize("precision", gpu.PEAK_FIELDS)
def test_that_every_accelerator_is_sized_in_every_precision(name: str, precision: str) -> None:
    sized = _sized(("compute.gpu", name), ("workload.precision", precision))
    blocked = any(f.id == "compute.precision.unsupported" for f in sized.findings)
    assert blocked != gpu.supports(catalog().entry(name), precision)


def test_that_fp4_on_an_h100_is_named_as_impossible_with_a_way_out() -> None:
    finding = next(f for f in _sized(("workload.precision", "nvfp4")).findings if f.severity == "blocker")
    assert "NVFP4" in finding.message
    assert finding.fix == (("workload.precision", "fp8"),)


@given(st.floats(50, 700), st.floats(1.0, 2.0))
def test_that_a_tighter_cap_is_never_faster(cap: float, factor: float) -> None:
    assert gpu.clock_share_pct(cap / factor, 700) <= gpu.clock_share_pct(cap, 700) <= 100.0


def test_that_a_cap_lowers_power_and_speed() -> None:
    plain = _sized(("compute.power_cap_w", 500)).results["compute"].plain()
    assert plain["gpu_power_w"] == 500
    assert plain["clock_share_pct"] == pytest.approx(100 * (5 / 7) ** (1 / 3))


def _rows(table: Any) -> list[dict[str, Any]]:
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def test_that_the_hierarchy_grows_outward_and_slows_down() -> None:
    rows = _rows(_sized().results["compute"].hierarchy)
    hbm = next(row for row in rows if row["tier"] == "HBM")
    assert (hbm["size"], hbm["bandwidth"]) == (80, 3350)
    assert hbm["one_pass"] == pytest.approx(1000 * 80 / 3350)
    sizes, rates = [row["size"] for row in rows], [row["bandwidth"] for row in rows]
    assert sizes == sorted(sizes)
    assert rates == sorted(rates, reverse=True)


def test_that_each_tier_of_the_h100_has_the_size_and_rate_of_its_whitepaper() -> None:
    plain = _sized().results["compute"].plain()
    assert plain["registers_mb"] == pytest.approx(132 * 256 * 1024 / 1e6)
    assert plain["shared_gb_s"] == pytest.approx(132 * 128 * 1830e6 / 1e9)
    assert plain["l2_mb"] == pytest.approx(50 * 1.048576)
    assert plain["l2_gb_s"] == pytest.approx(5120 * 1830e6 / 1e9)
    assert plain["hbm_pass_ms"] == pytest.approx(80 / 3350 * 1e3)
    assert plain["peers_gb"] == 7 * 80
    assert plain["peers_gb_s"] == 450
    assert plain["network_gb_s"] == 50


@pytest.mark.parametrize("name", GPUS)
def test_that_every_number_of_the_hierarchy_says_where_it_comes_from_or_why_there_is_none(name: str) -> None:
    outcome = _sized(("compute.gpu", name)).results["compute"]
    figures = dict(outcome.figures())
    for tier in ("registers", "shared", "l2", "hbm", "peers", "network"):
        own = [figure for key, figure in figures.items() if key.startswith(f"{tier}_")]
        assert len(own) >= 3
        for figure in own:
            assert figure.formula or figure.source
            assert figure.known or len(figure.formula) > 10
    by_tier = {row["tier"]: row for row in _rows(outcome.hierarchy)}
    l2 = figures["l2_mb"]
    assert by_tier["L2"]["size"] == (pytest.approx(l2.number / 1e3) if l2.known else None)


def test_that_a_gpu_without_published_registers_has_gaps_and_no_invented_numbers() -> None:
    rows = {row["tier"]: row for row in _rows(_sized(("compute.gpu", "b300")).results["compute"].hierarchy)}
    for tier in ("Registers", "Shared memory and L1", "L2"):
        assert rows[tier]["size"] is None
        assert rows[tier]["one_pass"] is None
        assert rows[tier]["what_fits"] == "–"
    assert rows["HBM"]["size"] > 250


def test_that_what_training_holds_lives_in_hbm_where_it_fits() -> None:
    outcome = _sized().results["compute"]
    sets = {row["what"]: row for row in _rows(outcome.working_sets)}
    tiers = {row["tier"]: row for row in _rows(outcome.hierarchy)}
    held = sets["All that training holds on one GPU"]
    assert held["tier"] == ("HBM" if held["size"] <= 80 else "Peers over the scale-up link")
    for what, row in sets.items():
        assert row["size"] <= tiers[row["tier"]]["size"]
        assert what in tiers[row["tier"]]["what_fits"]


def test_that_a_format_that_the_gpu_has_not_is_drawn_with_the_kernels_of_bf16() -> None:
    outcome = _sized(("workload.precision", "nvfp4")).results["compute"]
    same = _sized(("workload.precision", "bf16")).results["compute"]
    assert len(outcome.hierarchy.rows) == 6
    for name in ("kernels", "optimisations", "shape_advice", "working_sets"):
        assert getattr(outcome, name).rows == getattr(same, name).rows


def test_that_a_layout_that_cannot_run_is_said_in_place_of_its_kernels() -> None:
    outcome = _sized(("parallelism.pp", 4096)).results["compute"]
    assert "more than the" in outcome.kernels.rows[0][0]
    assert {row["what_fits"] for row in _rows(outcome.hierarchy)} == {"–"}
