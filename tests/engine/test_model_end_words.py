"""What the model end says of formats, ranges, measured MFU, recipes and the spread of a search's days."""

from __future__ import annotations

from typing import Any

import pytest

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.cli.search_text import tried_text
from wattsweights_gui.engine.chain import evaluate
from wattsweights_gui.engine.declare import Refused
from wattsweights_gui.engine.plan import Plan
from wattsweights_gui.engine.search import search
from wattsweights_gui.engine.search_words import counts_of
from wattsweights_gui.project.examples import example


def _plan(*edits: tuple[str, Any]) -> Plan:
    return example("512-against-256").document.plan.edit(*edits)


@pytest.mark.parametrize("precision", ["mxfp8", "nvfp4"])
def test_that_a_format_that_the_gpu_lacks_is_sized_in_bf16_throughout(precision: str) -> None:
    same = evaluate(_plan(("workload.precision", "bf16")), catalog()).results
    other = evaluate(_plan(("workload.precision", precision)), catalog()).results
    for name in ("step_time_s", "memory_gb", "mfu", "hfu", "days"):
        assert getattr(other["parallelism"], name).number == getattr(same["parallelism"], name).number
    assert other["compute"].peak_tflops.number == same["compute"].peak_tflops.number
    assert other["compute"].kernels.rows == same["compute"].kernels.rows
    assert other["parallelism"].mfu_parts.rows[0][1] == pytest.approx(100.0 * other["parallelism"].mfu.number)


def test_that_a_search_refuses_a_format_that_the_gpu_lacks() -> None:
    with pytest.raises(Refused, match="no units for MXFP8"):
        search(_plan(), catalog(), gpus=[512], precisions=["mxfp8"])


def test_that_a_range_of_gpus_is_of_multiples_of_its_step() -> None:
    assert counts_of("1-32") == [8, 16, 24, 32]
    assert counts_of("100-130:16") == [112, 128]
    assert counts_of("1-3:1") == [1, 2, 3]
    assert counts_of("12") == [12]
    with pytest.raises(Refused, match="no multiple of 8"):
        counts_of("9-15")


def test_that_the_answer_says_which_numbers_of_gpus_were_tried() -> None:
    assert tried_text(counts_of("1-32")) == "Tried on 8 to 32 GPUs, every 8: 4 numbers."
    assert tried_text([512]) == "Tried on 512 GPUs."


def test_that_a_measured_mfu_inside_the_spread_agrees_and_no_share_exceeds_the_gap() -> None:
    predicted = 100.0 * evaluate(_plan(), catalog()).results["parallelism"].mfu.number
    near = evaluate(_plan(("parallelism.measured_mfu_pct", predicted - 0.5)), catalog()).results["parallelism"]
    assert [str(row[0])[:24] for row in near.mfu_suspects.rows] == ["Agrees within the spread"]
    far = evaluate(_plan(("parallelism.measured_mfu_pct", predicted / 2)), catalog()).results["parallelism"]
    shares = [float(str(row[3])) for row in far.mfu_suspects.rows]
    assert len(shares) > 3
    assert all(0.0 < share <= 100.0 for share in shares)


def test_that_all_of_the_peak_is_never_measured() -> None:
    with pytest.raises(Refused):
        _plan(("parallelism.measured_mfu_pct", 100.0))


def test_that_no_row_of_the_model_end_is_quoted_from_memory_and_no_recipe_claims_a_run_that_its_source_denies() -> None:
    for kind in ("byte_recipe", "gpu", "model"):
        assert not any("memory: check" in words for e in catalog().of_kind(kind) for words in e.sources.values())
    for recipe in catalog().of_kind("byte_recipe"):
        assert not (recipe.get("production") and "no published large" in recipe.sources[""])


def test_that_each_layout_of_a_search_carries_the_spread_of_its_days() -> None:
    own = evaluate(_plan(), catalog()).results["parallelism"]
    found = search(_plan(), catalog(), gpus=[512], top=3)
    assert found.best
    for layout in found.best:
        assert layout.days_low is not None
        assert layout.days_high is not None
        assert layout.days_low / layout.days == pytest.approx(own.days_low.number / own.days.number)
        assert layout.days_high / layout.days == pytest.approx(own.days_high.number / own.days.number)
