"""More memory, bandwidth or peak never makes a plan slower or larger."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.chain import evaluate
from wattsweights_gui.engine.equations.job import Job, Recipe
from wattsweights_gui.engine.equations.transformer import TransformerShape
from wattsweights_gui.engine.least_gpus import least_gpus
from wattsweights_gui.engine.plan import default_plan
from wattsweights_gui.engine.search import search, settle

EIGHT_B = TransformerShape(layers=32, hidden=4096, heads=32, kv_heads=8, head_dim=128, ffn=14336, vocab=128256)
EXPERTS = replace(EIGHT_B, experts=16, top_k=2, expert_ffn=4096)
SMALL = (
    ("workload.model.params_b", 30.0),
    ("workload.global_batch", 64),
    ("workload.seq_len", 4096),
    ("workload.tokens_b", 100.0),
)


def fewest(job: Job, gb: float, sharding: str, recipe: Recipe) -> float:
    found = least_gpus(job, gb * 1e9, 8.0, sharding, {"one": recipe})[("one", "full")]
    return float("inf") if found.gpus is None else found.gpus


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from([EIGHT_B, EXPERTS]),
    st.floats(4.0, 200.0),
    st.floats(1.0, 4.0),
    st.sampled_from(["none", "zero1", "zero2", "fsdp"]),
)
def test_that_more_memory_never_needs_more_gpus(shape, gb, factor, sharding):
    job = Job(shape, 4096, 64)
    assert fewest(job, gb * factor, sharding, Recipe()) <= fewest(job, gb, sharding, Recipe())


@settings(max_examples=20, deadline=None)
@given(st.floats(8.0, 120.0), st.sampled_from([0.0, 2.0, 4.0]), st.sampled_from([2.0, 4.0, 8.0]))
def test_that_fewer_bytes_a_parameter_never_need_more_gpus(gb, master, moments):
    job = Job(EIGHT_B, 4096, 64)
    small, large = Recipe(master=master, moments=moments), Recipe()
    assert fewest(job, gb, "zero1", small) <= fewest(job, gb, "zero1", large)


def days(*edits) -> float:
    found = search(default_plan((*SMALL, *edits)), catalog(), gpus=[32], top=1)
    return found.best[0].days if found.best else float("inf")


@pytest.mark.parametrize(
    ("path", "better", "worse"),
    [
        ("parallelism.reserve_gb", 2.0, 50.0),
        ("fabric.oversubscription", 1.0, 4.0),
        ("fabric.in_network_reduction", True, False),
        ("compute.power_cap_w", 700.0, 400.0),
        ("compute.gpu", "h200_sxm", "h100_sxm"),
    ],
)
def test_that_the_best_layout_of_a_better_machine_is_never_slower(path, better, worse):
    assert days((path, better)) <= days((path, worse)) * (1 + 1e-9)


@pytest.mark.parametrize("gb", [2.0, 6.0, 20.0, 40.0])
def test_that_a_settled_plan_with_more_memory_is_never_larger(gb):
    wanted = (("workload.days", 20.0), *SMALL)

    def gpus(kept_free: float) -> int:
        plan = settle(default_plan((*wanted, ("parallelism.reserve_gb", kept_free))), catalog())
        return int(
            evaluate(plan, catalog(), layers=("workload", "compute", "parallelism")).results["parallelism"].gpus.number
        )

    assert gpus(gb) <= gpus(gb + 15.0)
