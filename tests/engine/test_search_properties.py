"""The search against brute force: the same numbers one by one as in arrays, and the best of all that there is."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.chain import evaluate
from wattsweights_gui.engine.equations.layouts import RECOMPUTE, SCHEDULE, SHARDING, Layouts, concatenate
from wattsweights_gui.engine.equations.memory import memory
from wattsweights_gui.engine.equations.step_time import step_time
from wattsweights_gui.engine.layout_prices import Draw
from wattsweights_gui.engine.layout_space import grid_of
from wattsweights_gui.engine.plan import Plan, default_plan
from wattsweights_gui.engine.search import OBJECTIVES, Prices, search
from wattsweights_gui.engine.search_setting import Setting
from wattsweights_gui.project.examples import example, examples

PRICES = Prices(0.1, 3.0)
GPUS = ("h100_sxm", "a100_sxm_80gb", "b200", "h200_sxm")
MOE = {
    "kind": "shape",
    "layers": 6,
    "hidden": 1024,
    "heads": 16,
    "kv_heads": 4,
    "head_dim": 64,
    "ffn": 4096,
    "vocab": 32000,
    "experts": 8,
    "top_k": 2,
    "expert_ffn": 2048,
}
plans = st.builds(
    lambda size, batch, length, gpu, sharp: default_plan(
        [
            ("workload.model.params_b", size),
            ("workload.global_batch", batch),
            ("workload.seq_len", length),
            ("workload.tokens_b", 50.0),
            ("compute.gpu", gpu),
            ("compute.flash_attention", sharp),
        ]
    ),
    st.sampled_from((0.5, 1.0, 3.0, 8.0, 13.0)),
    st.sampled_from((6, 8, 12, 16, 24)),
    st.sampled_from((1024, 2048, 4096)),
    st.sampled_from(GPUS),
    st.booleans(),
)
slow = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def moe() -> Plan:
    return default_plan(
        [
            ("workload.model", MOE),
            ("workload.global_batch", 16),
            ("workload.seq_len", 2048),
            ("workload.tokens_b", 50.0),
        ]
    )


def _one_by_one(setting: Setting, layouts: Layouts) -> tuple[list[float], list[float]]:
    alone = [layouts.take([n]) for n in range(len(layouts))]
    held = [float(memory(setting.job, one).total[0]) for one in alone]
    times = [float(step_time(setting.job, setting.machine, one).total[0]) for one in alone]
    return held, times


def _brute(setting: Setting, gpus: int) -> list[Layouts]:
    """Return every usual layout of a number of GPUs, built by loops and the rules in words."""
    job, shape = setting.job, setting.job.shape
    batch, length, layers = int(job.global_batch), int(job.seq_len), shape.layers
    modes = ("none", "full") if job.fused_attention else ("none", "selective", "full")
    domain = int(setting.machine.domain)
    slots = layers + 2 + shape.mtp_layers
    found = []
    powers = [2**n for n in range(8)]
    for tp, cp, pp in itertools.product(powers, powers, range(1, layers + 1)):
        if tp > domain or shape.heads % tp or shape.hidden % tp or length % (2 * cp) or gpus % (tp * cp * pp):
            continue
        if shape.kv_heads % tp and tp % shape.kv_heads:
            continue
        if cp > max(1, min(64, length / 1024)):
            continue
        dp = gpus // (tp * cp * pp)
        for micro, vpp in itertools.product((1, 2, 4, 8), (1, 2, 3, 4, 5, 6, 8, 10, 12, 16)):
            if batch % (dp * micro) or (vpp > 1 and (pp == 1 or (batch // (dp * micro)) % pp)):
                continue
            even = layers % (pp * vpp) == 0 or slots % (pp * vpp) == 0
            fuller = pp > 1 and -(-layers // pp) == -(-layers // (pp - 1))
            if not even and (vpp > 1 or fuller):
                continue
            for ep in [e for e in powers if not shape.experts or shape.experts % e == 0]:
                if (tp * cp * dp) % ep or (ep > 1 and not shape.experts):
                    continue
                for mode, sharding in itertools.product(modes, ("zero1", "fsdp")):
                    if sharding == "fsdp" and (pp > 1 or dp * cp == 1):
                        continue
                    found.append(
                        Layouts.of(
                            tp=tp,
                            cp=cp,
                            pp=pp,
                            dp=dp,
                            ep=ep,
                            micro_batch=micro,
                            vpp=vpp,
                            schedule=SCHEDULE["interleaved" if vpp > 1 else "1f1b"],
                            recompute=RECOMPUTE[mode],
                            sharding=SHARDING[sharding],
                            sequence_parallel=float(tp > 1 and length % (tp * cp) == 0),
                        )
                    )
    return found


def _rows(layouts: Layouts) -> set[tuple[float, ...]]:
    names = ("tp", "pp", "dp", "cp", "ep", "micro_batch", "vpp", "schedule", "recompute", "sharding")
    return set(zip(*(getattr(layouts, n).tolist() for n in names), strict=True))


@slow
@given(plans, st.sampled_from((1, 2, 4, 6, 8, 12, 16, 24)))
def test_that_the_best_is_the_best_of_every_layout_tried_one_by_one(plan: Plan, gpus: int) -> None:
    setting = Setting(plan, catalog())
    every = _brute(setting, gpus)
    found = search(plan, catalog(), gpus=[gpus])
    assert found.evaluated == len(every)
    fitting = []
    for layout in every:
        if memory(setting.job, layout).total[0] <= setting.limit:
            fitting.append(float(step_time(setting.job, setting.machine, layout).total[0]))
    if not fitting:
        assert not found.best
        return
    assert found.best[0].step_time_s == pytest.approx(min(fitting), rel=1e-12)
    assert found.sample.total == len(fitting)


@pytest.mark.parametrize("gpus", [4, 8, 16])
def test_that_the_best_of_a_mixture_is_the_best_of_every_layout_tried_one_by_one(gpus: int) -> None:
    plan = moe()
    setting = Setting(plan, catalog())
    every = _brute(setting, gpus)
    grid = grid_of(setting.space, [gpus], {})
    assert _rows(grid) == _rows(concatenate(every))
    best = min(
        float(step_time(setting.job, setting.machine, one).total[0])
        for one in every
        if memory(setting.job, one).total[0] <= setting.limit
    )
    assert search(plan, catalog(), gpus=[gpus]).best[0].step_time_s == pytest.approx(best, rel=1e-12)


@slow
@given(plans, st.integers(0, 2**32 - 1))
def test_that_a_layout_alone_has_the_numbers_that_it_has_among_others(plan: Plan, seed: int) -> None:
    setting = Setting(plan, catalog(), wide=True)
    grid = grid_of(setting.space, range(1, 65), {})
    picked = grid.take(np.random.default_rng(seed).integers(0, len(grid), 25))
    held, times = _one_by_one(setting, picked)
    np.testing.assert_allclose(setting.used_bytes(picked), held, rtol=1e-12)
    np.testing.assert_allclose(step_time(setting.job, setting.machine, picked).total, times, rtol=1e-12)


def test_that_a_layout_of_a_mixture_alone_has_the_numbers_that_it_has_among_others() -> None:
    setting = Setting(moe(), catalog(), wide=True)
    grid = grid_of(setting.space, [8, 16], {})
    picked = grid.take(slice(0, len(grid), max(1, len(grid) // 60)))
    held, times = _one_by_one(setting, picked)
    np.testing.assert_allclose(setting.used_bytes(picked), held, rtol=1e-12)
    np.testing.assert_allclose(step_time(setting.job, setting.machine, picked).total, times, rtol=1e-12)


@slow
@given(plans, st.sampled_from(list(itertools.permutations(OBJECTIVES, 2))))
def test_that_no_member_of_a_front_is_beaten_by_any_layout(plan: Plan, front: tuple[str, str]) -> None:
    found = search(plan, catalog(), gpus=[8, 16, 24], front=front, prices=PRICES)

    def key(layout: Any, name: str) -> float:
        value = layout.value(name)
        return float("inf") if value is None else -value if name == "throughput" else value

    others = [tuple(key(c, name) for name in front) for c in found.sample]
    for member in found.front:
        own = tuple(key(member, name) for name in front)
        assert not any(a <= own[0] and b <= own[1] and (a, b) != own for a, b in others)
    if found.front and found.sample.total == len(found.sample):
        assert min(others)[0] == key(found.front[0], front[0])


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("axes", ["usual", "wide"])
def test_that_every_search_gives_the_same_answer_twice(objective: str, axes: str) -> None:
    plan = moe()
    asked: dict[str, Any] = {
        "gpus": [8, 16],
        "objective": objective,
        "axes": axes,
        "prices": PRICES,
        "gpu_types": ["h100_sxm", "b200"],
    }
    assert search(plan, catalog(), **asked) == search(plan, catalog(), **asked)


@pytest.mark.parametrize("gpu", ["h100_sxm", "b200"])
def test_that_the_chain_gives_a_candidate_the_numbers_of_the_search(gpu: str) -> None:
    plan = moe()
    for layout in search(plan, catalog(), gpus=[16], axes="wide", gpu_types=[gpu], top=400).best[::40]:
        sized = evaluate(plan.edit(*layout.edits()), catalog()).results["parallelism"]
        assert sized.step_time_s.number == pytest.approx(layout.step_time_s, rel=1e-9)
        assert sized.memory_gb.number == pytest.approx(layout.memory_gb, rel=1e-9)
        assert sized.days.number == pytest.approx(layout.days, rel=1e-6)


def test_that_a_stopped_search_keeps_what_it_found_and_a_partial_answer_comes_after_each_gpu() -> None:
    plan = moe()
    partial: list[Any] = []
    types = ["h100_sxm", "h200_sxm", "b200"]
    whole = search(plan, catalog(), gpus=[8], gpu_types=types, partial=partial.append)
    assert len(partial) == 2
    assert {c.gpu for c in partial[0].sample} == {"h100_sxm"}
    assert [p.evaluated for p in partial] == [whole.evaluated // 3, whole.evaluated * 2 // 3]
    stopped = search(plan, catalog(), gpus=[8], gpu_types=types, progress=lambda share: share < 0.5)
    assert stopped.stopped
    assert 0 < stopped.evaluated < whole.evaluated
    assert stopped.best


@pytest.mark.parametrize("name", sorted(shipped.name for shipped in examples()))
def test_that_a_search_prices_the_layout_of_the_plan_as_the_plan_is_sized(name: str) -> None:
    plan = example(name).document.plan
    sized = evaluate(plan, catalog()).results
    gpus, days = (np.array([getattr(sized["parallelism"], n).number]) for n in ("gpus", "days"))
    draw = Draw.of(plan, catalog(), gpus)
    assert draw.energy_mwh(gpus, days)[0] == pytest.approx(sized["power"].run_energy_mwh.number, rel=1e-9)
    assert draw.power_kw(gpus)[0] == pytest.approx(sized["power"].it_power_kw.number, rel=1e-9)
