"""A plan whose every result is known, without the layers' own arithmetic: reports are tested for what they print."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.drawing import fonts
from wattsweights_gui.drawing.marks import MM_PER_PT, SMALLEST_PT, Page, Rect, Text
from wattsweights_gui.engine.both_ends import BothEnds, both_ends
from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.declare import (
    Figure,
    Finding,
    LayerResult,
    Need,
    Table,
    calc,
    constant,
    equation,
    results,
    results_of,
    stated,
)
from wattsweights_gui.engine.layers import LAYERS
from wattsweights_gui.engine.plan import Edit, default_plan


@equation("nodes × node_kw + constant", unit="kw", source="ours, for this test")
def _node_sum(nodes: float, node_kw: float, constant: float) -> float:
    return nodes * node_kw + constant


KNOWN: dict[str, Any] = {
    "total_params": 1.0e12,
    "active_params": 1.0e12,
    "state_bytes_per_param": 18.0,
    "state_tb": 18.0,
    "tokens": 1.5e13,
    "min_gpus_memory": 448,
    "gpus_for_deadline": 2048,
    "gpus": 512,
    "tp": 8,
    "pp": 8,
    "dp": 8,
    "ep": 1,
    "cp": 1,
    "days": 121.4,
    "days_low": 104.0,
    "days_high": 139.0,
    "nodes": 64,
    "rack_power_kw": 40.8,
    "racks": 19,
    "facility_power_kw": 1043.0,
    "facility_water_l_min": 1180.0,
    "memory_gb": 71.3,
}


def sized(edits: tuple[Edit, ...] = (), known: dict[str, Any] | None = None) -> Evaluation:
    """An evaluation of a plan with known results."""
    plan = default_plan(edits)
    shipped: Any = catalog()
    values = {**KNOWN, **(known or {})}
    found: dict[str, LayerResult] = {}
    for layer in LAYERS:
        figures: dict[str, Figure | Table] = {}
        for name, about in results_of(layer.result).items():
            if layer.result.model_fields[name].annotation is Table:
                figures[name] = Table(("part", "power"), ("text", "kw"), (("one", 4.5), ("two", 6.0)), about.title)
                continue
            figures[name] = _figure(layer.name, name, about, values, plan, shipped)
        found[layer.name] = results(layer.result, **figures)
    heat = found["cooling"].rack_heat_kw  # type: ignore[attr-defined]
    needs = (
        Need("cooling", "rack_heat_kw", "Heat of the fullest rack", _is(heat, 40.8), _limit(40.0), "kw"),
        Need("power", "facility_power_kw", "Facility power", _is(heat, 1043.0), _limit(1200.0), "kw"),
        Need("floor", "racks", "Racks", stated(19, "count", "Racks"), stated(20, "count", "Rack positions"), "count"),
        Need(
            "parallelism",
            "days",
            "Days",
            stated(121.4, "days", "Days"),
            plan.inputs("workload").fig("days"),
            "days",
            "model",
        ),
    )
    findings = (
        Finding(
            "cooling.rack",
            "blocker",
            "cooling.technology",
            "A rack of four nodes draws 40.8 kW; air takes away 40 kW.",
            "ours",
        ),
        Finding("power.note", "note", "power.typical_pct", "Typical draw is 85 % of the maximum.", "ours"),
    )
    return Evaluation(plan, shipped, found, findings, needs)


def _figure(layer: str, name: str, about: Any, values: dict[str, Any], plan: Any, shipped: Any) -> Figure | Table:
    if layer == "power" and name == "it_power_max_kw":
        return calc(
            _node_sum,
            title="IT power",
            nodes=stated(64, "count", "Nodes", formula="as planned", source="ours"),
            node_kw=shipped.of_kind("gpu")[0].fig("tdp_w", "w", "power"),
            constant=constant("overhead_kw", 20.0, "kw", "Overhead", "a table, page 3"),
        )
    if name == "system":
        return stated("dgx_h100", "text", about.title, formula="as given to the test", source="ours")
    if about.unit == "text":
        return stated("storage", "text", about.title, formula="the slowest", source="ours")
    value = values.get(name, 12.5)
    default = plan.inputs("power").fig("management_kw")
    return stated(value, about.unit, about.title, formula="as given to the test", source="ours", typical=default)


def _is(figure: Figure, value: float) -> Figure:
    return stated(value, "kw", figure.title, formula="as given to the test")


def _limit(value: float) -> Figure:
    return Figure(value, "kw", "What the hall allows", "cooling.rack_reject_limit_kw", source="set in this plan")


def lever(title: str, fits: bool, closes: float, binding: tuple[Need, ...] = (), **after: float) -> Any:
    """A lever as the engine reports it."""
    units = {"gpus": "count", "days": "days", "facility_power_kw": "kw", "racks": "count"}
    before = {"gpus": 512, "days": 121.4, "facility_power_kw": 1043.0, "racks": 19}
    deltas = {n: (Figure(before[n], units[n], n), Figure(after.get(n, before[n]), units[n], n)) for n in before}
    return SimpleNamespace(title=title, fits=fits, closes=closes, deltas=deltas, ends=SimpleNamespace(binding=binding))


@pytest.fixture(scope="session")
def evaluation() -> Evaluation:
    return sized(
        (
            ("project.project", "Hall 7 pretraining"),
            ("project.customer", "Northwind Labs"),
            ("project.site", "Oslo, hall 7, rows A to D"),
            ("project.author", "R. Architect"),
            ("project.checked", "C. Checker"),
            ("power.utility_mw", 1.2),
            ("cooling.rack_reject_limit_kw", 40.0),
        )
    )


@pytest.fixture(scope="session")
def ends(evaluation: Evaluation) -> BothEnds:
    from dataclasses import replace

    from wattsweights_gui.engine import both_ends as module
    from wattsweights_gui.engine.hosting import Hosting

    hosted = Hosting(
        stated(392, "count", "GPUs hosted", formula="tried"), stated(49, "count", "Nodes"), None, evaluation.needs[0]
    )
    original, module.hosted = module.hosted, lambda _: hosted  # type: ignore[assignment]
    on_these = stated(160.0, "days", "Days hosted"), stated(384, "count", "Hosted GPUs that whole replicas use")
    days, module._days_hosted = module._days_hosted, lambda *_: on_these
    try:
        found = both_ends(evaluation)
    finally:
        module.hosted, module._days_hosted = original, days
    return replace(found, largest_params_b=stated(780.0, "params_b", "Largest model"))


@pytest.fixture(scope="session")
def lever_report(ends: BothEnds) -> Any:
    binding = ends.binding
    return SimpleNamespace(
        base_ends=ends,
        singles=(
            lever("Cooling technology: single-phase direct-to-chip", False, 0.83, binding[1:]),
            lever("Three nodes a rack", False, 0.5, binding[1:], racks=25, facility_power_kw=1051.0),
            lever("Precision FP8, blockwise", False, 0.3, binding, days=71.0),
            lever("No way out at all", False, -0.1, binding),
        ),
        pairs=(
            lever("Tokens 4 T and single-phase direct-to-chip", True, 1.0, (), days=29.3),
            lever(
                "4 096 GPUs and GB200 NVL72", True, 1.0, (), gpus=4096, days=22.0, racks=80, facility_power_kw=9100.0
            ),
        ),
    )


@pytest.fixture
def make() -> Callable[..., Evaluation]:
    return sized


def _box(text: Text) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a line of text, turned or not."""
    wide = fonts.width(text.text, text.size, text.bold)
    over, under = text.size * MM_PER_PT * 0.74, text.size * MM_PER_PT * 0.2
    before = {"left": 0.0, "centre": wide / 2, "right": wide}[text.align]
    if text.angle:
        return text.x - over, text.y - (wide - before), text.x + under, text.y + before
    return text.x - before, text.y - over, text.x - before + wide, text.y + under


def _clear(page: Page) -> None:
    frame = next(mark for mark in page.marks if isinstance(mark, Rect))
    boxes = sorted((_box(text), text.text) for text in page.texts() if text.text)
    for text in page.texts():
        assert text.size >= SMALLEST_PT
    for number, ((left, top, right, bottom), said) in enumerate(boxes):
        assert frame.x <= left, said
        assert right <= frame.x + frame.width, said
        assert frame.y < top, said
        assert bottom < frame.y + frame.height, said
        for (other_left, other_top, _, other_bottom), other in boxes[number + 1 :]:
            if other_left >= right - 0.05:
                break
            overlap = min(bottom, other_bottom) - max(top, other_top)
            assert overlap <= 0.05, f"“{said}” runs into “{other}” on {page.title}, page {page.number}"


@pytest.fixture(scope="session")
def clear() -> Callable[[Page], None]:
    """Asserts that all of a page can be read, stands inside the frame, and no text lies over another."""
    return _clear
