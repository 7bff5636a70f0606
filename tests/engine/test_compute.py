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


def test_that_the_hierarchy_grows_outward_and_slows_down() -> None:
    rows = _sized().results["compute"].hierarchy.rows
    hbm = next(row for row in rows if row[0] == "HBM")
    assert hbm[1:] == (80, 3350, pytest.approx(1000 * 80 / 3350))
    shared = next(row for row in rows if row[0].startswith("Shared"))
    assert shared[2] > hbm[2]
