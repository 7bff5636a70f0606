"""Storage, data path and host as layers, behind a split that is given; the catalogue of checks."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wattsweights_gui.catalog.checks import host_checks
from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.chain import Upstream
from wattsweights_gui.engine.declare import stated
from wattsweights_gui.engine.equations import datapath, reliability, storage
from wattsweights_gui.engine.layers import layer_named
from wattsweights_gui.engine.plan import default_plan

CHAIN = ("fabric", "cluster", "storage", "datapath", "host")


def sized(gpus: int = 1024, params: float = 1e12, **edits: Any) -> SimpleNamespace:
    """Size the five layers; ``layer__field=value`` edits the plan."""
    plan = default_plan((name.replace("__", "."), value) for name, value in edits.items())
    results: dict[str, Any] = {
        "parallelism": SimpleNamespace(
            gpus=stated(gpus, "count", "GPUs", formula="given"),
            tokens_per_s_per_gpu=stated(400.0, "tokens_s", "Tokens/s", formula="given"),
        ),
        "workload": SimpleNamespace(
            total_params=stated(params, "params", "Parameters", formula="given"),
            tokens=stated(15e12, "tokens", "Tokens", formula="given"),
        ),
    }
    up = Upstream(plan, catalog(), results)
    findings, needs = [], []
    for name in CHAIN:
        done = layer_named(name).size(plan.layers[name], up)
        results[name] = done.result
        findings += done.findings
        needs += done.needs
    return SimpleNamespace(
        **{n: results[n] for n in CHAIN},
        findings={f.id: f for f in findings},
        needs={n.quantity: n for n in needs},
    )


# ------------------------------------------------------------------------------------------------------- storage


def test_that_a_trillion_parameters_save_14_tb_and_the_write_target_sets_the_appliances():
    s = sized().storage
    assert s.checkpoint_tb.value == pytest.approx(14.0)
    assert s.write_need_gb_s.value == pytest.approx(14000 / 120)
    assert (s.bound.value, s.appliances.value) == ("write", 3)  # two of 65 GB/s, and one spare
    assert s.checkpoint_write_s.value == pytest.approx(14000 / 195)
    assert s.power_kw.value == pytest.approx(6.6)


def test_that_reading_tokens_is_said_to_be_tiny_and_reading_images_is_not():
    done = sized(16384)
    assert done.storage.read_gb_s.number == pytest.approx(16384 * 400 * 4 / 1e9)
    assert "26.2\u2009MB/s" in done.findings["storage.reads_are_tiny"].message
    images = sized(1024, storage__read_gb_s_per_gpu=4.0)
    assert images.storage.bound.value == "read"
    assert "storage.reads_are_tiny" not in images.findings


def test_that_capacity_can_set_the_number():
    assert sized(storage__capacity_tb=50_000.0).storage.bound.value == "capacity"


def test_that_a_synchronous_save_stops_for_the_write_and_an_asynchronous_one_for_the_copy():
    late, soon = sized(storage__checkpoint_mode="sync").storage, sized(storage__checkpoint_mode="async").storage
    assert late.checkpoint_stall_s.value == late.checkpoint_write_s.value
    assert soon.checkpoint_stall_s.value == pytest.approx(14000 / 1024 / 52)
    assert soon.checkpoint_overhead_pct.number < late.checkpoint_overhead_pct.number


def test_that_the_interval_is_youngs_but_never_shorter_than_the_writes_allow():
    s = sized(storage__checkpoint_mode="sync").storage
    mtbf = 86_400_000 / (128 * 3.79)
    assert s.job_mtbf_s.value == pytest.approx(mtbf)
    assert s.checkpoint_interval_s.value == pytest.approx(math.sqrt(2 * s.checkpoint_write_s.number * mtbf))
    soon = sized(16384).storage
    assert soon.checkpoint_interval_s.value == pytest.approx(2 * soon.checkpoint_write_s.number)


def test_that_a_rack_of_72_fails_as_often_as_nine_nodes():
    racks, servers = sized(4608, compute__gpu="gb200").storage, sized(4608).storage
    assert racks.job_mtbf_s.value == pytest.approx(servers.job_mtbf_s.number)


def test_that_each_host_keeps_its_share_of_a_save():
    assert sized(1024).storage.host_staging_gb.value == pytest.approx(14000 / 128)
    assert sized(1152, compute__gpu="gb200").storage.host_staging_gb.value == pytest.approx(14000 / 288)


def test_that_without_failures_no_interval_is_invented():
    s = sized(parallelism__failures_per_1000_node_days=0.0).storage
    assert s.checkpoint_interval_s.value is None
    assert "nothing fails" in s.checkpoint_interval_s.formula


def test_that_saves_that_pile_up_are_a_blocker_with_an_interval_that_works():
    done = sized(storage__checkpoint_interval_s=30.0)
    found = done.findings["storage.saves_pile_up"]
    assert found.severity == "blocker"
    path, value = found.fix[0]
    assert "storage.saves_pile_up" not in sized(**{path.replace(".", "__"): value}).findings


def test_that_only_appliances_that_somebody_fixed_are_a_limit_of_the_facility():
    free, fixed = sized(), sized(storage__appliances=1)
    assert {n.end for n in free.needs.values()} == {"model"}
    assert all(n.fits for n in free.needs.values())
    assert {n.end for n in fixed.needs.values()} == {"facility"}
    assert fixed.needs["checkpoint_write_s"].fits is False
    assert fixed.findings["storage.too_few"].fix == (("storage.appliances", 3),)


def test_that_no_storage_at_all_is_said_and_not_a_crash():
    done = sized(storage__appliances=0)
    assert done.storage.checkpoint_write_s.value is None
    assert "no storage is installed" in done.storage.checkpoint_write_s.formula
    assert done.needs["read_gb_s"].fits is False


@pytest.mark.parametrize("system", [e.id for e in catalog().of_kind("storage_system")])
def test_that_what_a_system_does_not_print_stays_unknown_and_is_said(system):
    done = sized(storage__system=system)
    s = done.storage
    assert s.write_gb_s.known or not s.appliances.known or "storage.write_unknown" in done.findings
    assert s.power_kw.known or not s.appliances.known or "storage.power_kw_unknown" in done.findings
    if s.appliances.known and not s.write_gb_s.known:
        assert s.checkpoint_write_s.value is None


@settings(deadline=None, max_examples=40)
@given(params=st.floats(1e8, 1e14), grow=st.floats(1.01, 10), target=st.floats(5, 3600))
def test_that_a_larger_model_never_needs_fewer_appliances(params, grow, target):
    less = sized(params=params, storage__write_target_s=target)
    more = sized(params=params * grow, storage__write_target_s=target)
    assert more.storage.appliances.number >= less.storage.appliances.number
    in_time = less.storage.checkpoint_write_s.number <= target * (1 + 1e-9)
    assert in_time != ("storage.adapters_bind" in less.findings)


def test_that_the_guideline_is_scaled_as_an_aggregate():
    rows = sized(1024).storage.plain()["guideline"]
    best = next(r for r in rows if r["level"] == "best")
    assert (best["unit_read_gb_s"], best["plan_read_gb_s"]) == (125, 500)


# ------------------------------------------------------------------------------------------------------ failures


@given(write=st.floats(1, 600), restart=st.floats(0, 3600), mtbf=st.floats(600, 1e7), off=st.floats(0.2, 5))
def test_that_dalys_interval_is_near_the_best_of_the_complete_model(write, restart, mtbf, off):
    best = reliability.daly_interval_s(write, mtbf)
    at = reliability.efficiency(best, write, restart, mtbf)
    assert 0 <= at <= 1
    assert reliability.efficiency(best * off, write, restart, mtbf) <= at + 0.02


@given(nodes=st.integers(1, 10**6), rate=st.floats(0.1, 100))
def test_that_failures_seen_give_the_rate_that_made_them(nodes, rate):
    days = 54.0
    seen = days * 86400 / reliability.job_mtbf_s(nodes, rate)
    assert reliability.failures_per_1000_node_days(seen, nodes, days) == pytest.approx(rate)


# ----------------------------------------------------------------------------------------------------- data path


def test_that_a_language_model_is_bound_by_compute_and_images_by_storage():
    assert sized().datapath.bottleneck.value == "compute"
    images = sized(1024, storage__read_gb_s_per_gpu=14.0)
    assert images.datapath.bottleneck.value == "storage adapters"
    assert "datapath.storage_bound" in images.findings


def test_that_the_gain_of_the_direct_path_is_the_ratio_of_the_limits_and_one_where_storage_binds():
    d = sized(8, datapath__path="pageable", datapath__host_memory_gb_s=200.0).datapath
    assert d.bounce_gb_s_per_gpu.value == pytest.approx(200 / 6 / 8)
    assert d.gain.value == pytest.approx(d.direct_gb_s_per_gpu.number / d.bounce_gb_s_per_gpu.number)
    assert d.tightest.value == "host memory"
    assert sized(16384).datapath.gain.value == 1.0


@settings(deadline=None, max_examples=30)
@given(memory=st.floats(10, 5000), cores=st.integers(1, 256), gpus=st.integers(1, 5000))
def test_that_the_bounce_path_is_never_wider_than_the_direct_one(memory, cores, gpus):
    edits = {"datapath__host_memory_gb_s": memory, "datapath__io_cores": cores}
    widths = []
    for path in ("gds", "direct_io", "page_cache", "pageable"):
        d = sized(gpus, datapath__path=path, **edits).datapath
        assert d.bounce_gb_s_per_gpu.number <= d.direct_gb_s_per_gpu.number
        widths.append(d.turning_point_gb_s.number)
    assert widths == sorted(widths, reverse=True)


def test_that_an_adapter_faster_than_its_slot_is_said():
    assert "63" in sized(fabric__nic_gbit_s=800.0).findings["datapath.slot"].message
    assert "datapath.slot" not in sized().findings


@pytest.mark.parametrize(("generation", "measured"), [(3, 13.3), (4, 26.3), (5, 52.0)])
def test_that_the_usable_share_of_pcie_is_what_was_measured(generation, measured):
    assert datapath.pcie_usable_gb_s(generation, 16) == pytest.approx(measured, rel=0.02)
    entry = catalog().entry(f"pcie_gen{generation}_x16")
    assert datapath.pcie_raw_gb_s(generation, 16) == pytest.approx(entry.get("raw_uni_gb_s"), rel=1e-3)


def test_that_gib_and_gb_are_seven_per_cent_apart():
    assert storage.gb_s_of_gib_s(1.0) / 1.0 == pytest.approx(1.0737, rel=1e-3)


# ---------------------------------------------------------------------------------------------------------- host


def names(**edits: Any) -> set[str]:
    return {row["check"] for row in sized(**edits).host.plain()["checklist"]}


def name_of(id: str) -> str:
    return catalog().entry(id).name


def test_that_every_check_has_a_question_a_command_or_none_needed_a_symptom_and_a_source():
    assert len(host_checks()) >= 80
    for check in host_checks():
        assert check.get("question").endswith("?"), check.id
        assert check.get("healthy"), check.id
        assert check.get("unhealthy"), check.id
        assert check.get("effect"), check.id
        assert check.sources[""], check.id


def test_that_infiniband_and_roce_ask_different_questions():
    fast, ethernet = names(), names(compute__gpu="mi300x")
    assert name_of("ib_subnet_manager") in fast - ethernet
    assert name_of("roce_pfc") in ethernet - fast


def test_that_checks_of_nvlink_are_for_gpus_that_have_it():
    assert name_of("fabricmanager_version") in names()
    assert name_of("fabricmanager_version") not in names(compute__gpu="l40s")
    assert name_of("imex_domain") in names(compute__gpu="gb200")
    assert name_of("imex_domain") not in names()
    assert name_of("xid_in_log") not in names(compute__gpu="mi300x")


def test_that_scheduler_path_and_virtual_machines_choose_their_checks():
    assert name_of("slurm_healthcheck") not in names(host__scheduler="kubernetes")
    assert name_of("gds_real_path") not in names(datapath__path="direct_io")
    assert name_of("iommu_mode") in names() - names(host__virtualised=True)


def test_that_critical_checks_come_first_and_are_counted():
    host = sized().host
    severities = [row["severity"] for row in host.plain()["checklist"]]
    assert severities == sorted(severities, key=("critical", "warning", "info").index)
    assert host.checks.value == len(severities)
    assert host.critical_checks.value == severities.count("critical") > 0
