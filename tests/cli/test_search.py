"""The sub-command search: over numbers of GPUs, types and precisions; why not; what is wrong in a sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from wattsweights_gui.engine.plan import default_plan
from wattsweights_gui.project.document import Document
from wattsweights_gui.project.store import save

SMALL = (
    ("workload.model.params_b", 8.0),
    ("workload.global_batch", 32),
    ("workload.seq_len", 4096),
    ("workload.tokens_b", 100.0),
    ("parallelism.gpus", 32),
)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.watts"
    save(Document.of(default_plan(SMALL)), path, saved="2026-01-02T03:04:05Z")
    return path


def _json(result: Any) -> dict[str, Any]:
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_that_a_range_of_gpus_is_searched_with_its_front(call: Any, small: Path) -> None:
    found = _json(call("search", small, "--gpus", "8-64:8", "--json"))
    assert found["counts"] == {"from": 8, "to": 64, "numbers": 8}
    front = [(layout["gpus"], layout["days"]) for layout in found["front"]]
    assert len(front) > 2
    assert front == sorted(front)
    assert [days for _, days in front] == sorted((days for _, days in front), reverse=True)
    assert found["evaluated"] > 0
    assert found["seconds"] >= 0


@pytest.mark.parametrize(("typed", "counts"), [("16", {16}), ("16,32", {16, 32}), ("16-32", {16, 24, 32})])
def test_that_numbers_of_gpus_are_read_as_typed(call: Any, small: Path, typed: str, counts: set[int]) -> None:
    found = _json(call("search", small, "--gpus", typed, "--top", 1000, "--json"))
    assert {layout["gpus"] for layout in found["best"]} == counts


def test_that_gpu_types_and_precisions_are_searched_together(call: Any, small: Path) -> None:
    asked = ("--gpus", 4, "--gpu-type", "h100_sxm,b200", "--precision", "bf16,fp8", "--top", 1000)
    found = _json(call("search", small, *asked, "--json"))
    assert {(c["gpu"], c["precision"]) for c in found["best"]} == {
        (gpu, precision) for gpu in ("h100_sxm", "b200") for precision in ("bf16", "fp8")
    }
    best = found["best"][0]
    assert (best["gpu"], best["precision"]) == ("b200", "fp8")
    assert {"path": "compute.gpu", "value": "b200"} in best["changes"]
    text = call("search", small, *asked).stdout
    assert "b200" in text
    assert "Precision" in text


def test_that_a_gpu_without_the_precision_is_left_out_and_said_so(call: Any, small: Path) -> None:
    result = call("search", small, "--gpu-type", "a100_sxm_80gb,h100_sxm", "--precision", "fp8")
    assert result.exit_code == 0
    assert "A100 SXM4 80 GB has no units for FP8" in result.stdout


@pytest.mark.parametrize(
    ("objective", "field", "sign"),
    [
        ("days", "days", 1),
        ("gpus", "gpus", 1),
        ("throughput", "tokens_per_s_per_gpu", -1),
        ("power", "power_kw", 1),
        ("energy", "energy_mwh", 1),
        ("cost", "cost", 1),
    ],
)
def test_that_the_best_is_best_in_what_was_asked(call: Any, small: Path, objective: str, field: str, sign: int) -> None:
    prices = ("--usd-per-kwh", "0.1", "--usd-per-gpu-hour", "3")
    found = _json(call("search", small, "--gpus", "8-64:8", "--objective", objective, *prices, "--top", 1000, "--json"))
    values = [sign * layout[field] for layout in found["best"]]
    assert values == sorted(values)
    assert found["objective"] == objective


def test_that_a_front_of_two_others_can_be_asked_for(call: Any, small: Path) -> None:
    found = _json(call("search", small, "--gpus", "8-64:8", "--front", "power,energy", "--json"))
    pairs = [(c["power_kw"], c["energy_mwh"]) for c in found["front"]]
    assert found["front_of"] == ["power", "energy"]
    assert pairs == sorted(pairs)


def test_that_the_wide_space_holds_more_and_never_a_worse_best(call: Any, small: Path) -> None:
    usual, wide = (_json(call("search", small, *more, "--json")) for more in ((), ("--wide",)))
    assert wide["evaluated"] > usual["evaluated"]
    assert wide["best"][0]["days"] <= usual["best"][0]["days"]


def test_that_prices_by_type_decide_the_cheapest(call: Any, small: Path) -> None:
    asked = ("--gpu-type", "h100_sxm,h200_sxm", "--objective", "cost", "--json")
    cheap = _json(call("search", small, *asked, "--usd-per-gpu-hour", "h100_sxm=1,h200_sxm=9"))
    other = _json(call("search", small, *asked, "--usd-per-gpu-hour", "h100_sxm=9,h200_sxm=1"))
    assert (cheap["best"][0]["gpu"], other["best"][0]["gpu"]) == ("h100_sxm", "h200_sxm")


def test_that_why_not_names_the_rule(call: Any, small: Path) -> None:
    found = _json(call("search", small, "--why-not", "tp=16", "--json"))
    assert found["runs"] is False
    assert [r["rule"] for r in found["reasons"]] == ["parallelism.tp.domain"]
    assert found["reasons"][0]["fix"] == [{"path": "parallelism.tp", "value": 8}]
    text = call("search", small, "--why-not", "tp=16")
    assert text.exit_code == 0
    assert "NVLink domain of 8" in text.stdout
    assert "ruled out" in text.stdout


def test_that_why_not_says_how_far_behind_a_layout_is(call: Any, small: Path) -> None:
    found = _json(call("search", small, "--why-not", "pp=8", "--gpus", "16", "--json"))
    assert found["runs"]
    assert found["gpus"] == 16
    assert found["behind_days"] == pytest.approx(found["nearest"]["days"] - found["best"]["days"])
    assert found["behind_days"] > 0
    assert "longer than the best" in call("search", small, "--why-not", "pp=8", "--gpus", "16").stdout


def test_that_nothing_fits_is_an_answer_with_its_reasons(call: Any, project: Path) -> None:
    result = call("search", project, "--gpus", "8")
    assert result.exit_code == 0
    assert "No layout of this model fits these GPUs" in result.stdout
    assert "memory over HBM" in result.stdout


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (("--gpus", "many"), "write 512, 256,512 or 256-4096:8"),
        (("--gpus", "64-8"), "write 8-64"),
        (("--gpus", "8:8"), "a step but no end"),
        (("--gpus", "0"), "from 1 to 1048576"),
        (("--gpus", "8-16:0"), "step"),
        (("--gpus", ""), "there is no number"),
        (("--gpu-type", "h900"), "“h900” is no gpu of the catalogue"),
        (("--gpu-type", ","), "names nothing"),
        (("--precision", "bf17"), "none of bf16"),
        (("--gpu-type", "a100_sxm_80gb", "--precision", "fp8"), "no units for FP8"),
        (("--objective", "glory"), "days"),
        (("--objective", "cost"), "--usd-per-kwh"),
        (("--front", "gpus,cost"), "--usd-per-kwh"),
        (("--front", "gpus"), "write gpus,days"),
        (("--front", "days,days"), "two different"),
        (("--usd-per-gpu-hour", "dear"), "write 3.5 or"),
        (("--usd-per-gpu-hour", "h900=3"), "no GPU of the catalogue"),
        (("--why-not", "tp"), "such as tp=16"),
        (("--why-not", "width=3"), "no part of a layout; there is tp"),
        (("--why-not", "tp=x"), "no whole number"),
        (("--why-not", "tp=2,tp=4"), "twice"),
        (("--why-not", "recompute=some"), "none, selective, full"),
        (("--why-not", "tp=100000"), "from 1 to"),
        (("--why-not", ""), "nothing is named"),
        (("--why-not", "tp=2", "--gpus", "8,16"), "one number of GPUs"),
        (("--why-not", "tp=2", "--front", "gpus,days"), "leave one of them out"),
        (("--top", "0"), "--top"),
    ],
)
def test_that_a_wrong_value_gets_one_line_that_says_what_to_change(
    call: Any, small: Path, asked: tuple[str, ...], words: str
) -> None:
    result = call("search", small, *asked)
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stdout == ""
    assert len(result.stderr.strip().splitlines()) == 1
