"""Host: the Linux and firmware checks that this plan makes relevant"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

from wattsweights_gui.engine.declare import (
    Entry,
    Figure,
    LayerInputs,
    LayerResult,
    Sized,
    Table,
    result,
    results,
    setting,
    stated,
)
from wattsweights_gui.engine.host_links import gpus_per_host, plan_system

INFINIBAND_ONLY = frozenset({"ib_link_layer", "ib_subnet_manager", "ib_adaptive_routing", "nccl_timeout"})
ETHERNET_ONLY = frozenset({"roce_multi_qp", "arp_multi_rail"})
NVIDIA_ONLY_LAYERS = frozenset({"nvlink", "nccl", "driver", "gpu"})
NVIDIA_ONLY = frozenset({"dcgm_diag", "xid_metric_sticky", "peermem_or_dmabuf"})
ANY_GPU = frozenset({"gpu_count", "gpu_power_limit", "gpu_ecc_mode", "driver_same_everywhere", "gpu_fallen_off"})
NVLINK = frozenset({"topology_nvlink_full", "nvlink_errors", "nccl_intranode_bw", "fabricmanager_version"})
MULTI_NODE_NVLINK = frozenset({"imex_domain"})
BARE_METAL = frozenset({"iommu_mode"})
SLURM_LAYER = "scheduler"
COLUMNS = ("check", "layer", "severity", "question", "command", "healthy", "symptom", "cost", "fix", "source")

NAME = "host"
TITLE = "Host"
ABOUT = "the Linux and firmware checks that this plan makes relevant"


class Inputs(LayerInputs):
    """What runs on the nodes."""

    scheduler: Literal["slurm", "kubernetes", "none"] = setting(
        "slurm",
        title="Scheduler",
        help="What starts the jobs.",
        source="DGX SuperPOD",
        choices={"slurm": "Slurm", "kubernetes": "Kubernetes", "none": "None"},
    )
    virtualised: bool = setting(
        False, title="Virtual machines", help="GPUs passed through to guests.", source="bare metal"
    )


class Result(LayerResult):
    """What follows."""

    checks: Figure = result("Checks", "count", "Checks that apply to this plan.", headline=True, short="Checks")
    critical_checks: Figure = result(
        "Critical checks", "count", "Of them, those that cost most.", headline=True, short="Critical"
    )
    checklist: Table = result(
        "Checklist", "", "What to ask, how to look, what is healthy, what it costs where it is not."
    )


def size(inputs: Inputs, up: Any) -> Sized:
    """Size the layer: the checks that the plan's fabric, GPU, path and scheduler make relevant."""
    gpu: Entry = up.entry(up.inputs("compute").gpu)
    domain = up.fabric.scale_up_domain.value or 1
    found = _applying(
        up.catalog,
        up.fabric.technology.value == "InfiniBand",
        gpu.get("vendor") == "NVIDIA",
        domain > 1,
        domain > gpus_per_host(plan_system(up)).number,
        up.inputs("datapath").path == "gds",
        inputs.scheduler,
        inputs.virtualised,
    )
    critical, table = found
    formula = "checks of the catalogue that fit the fabric, the GPU, the storage path and the scheduler"
    operands = {"technology": up.fabric.technology, "scheduler": inputs.fig("scheduler")}
    virtual = inputs.fig("virtualised")
    outcome = results(
        Result,
        checks=stated(len(table.rows), "count", formula=formula, virtualised=virtual, **operands),
        critical_checks=stated(critical, "count", formula="those with which a node must not run a job", **operands),
        checklist=table,
    )
    return Sized(outcome)


@lru_cache(maxsize=128)
def _applying(
    catalog: Any,
    infiniband: bool,
    nvidia: bool,
    scale_up: bool,
    multi_node: bool,
    gds: bool,
    scheduler: str,
    virtualised: bool,
) -> tuple[int, Table]:
    """Critical checks and the checklist of one kind of plan. Pure: remembered."""
    rows: list[tuple[Any, ...]] = []
    critical = 0
    for check in catalog.of_kind("host_check"):
        layer = check.get("layer")
        kept = (
            not (infiniband and (layer == "rdma_roce" or check.id in ETHERNET_ONLY))
            and not (not infiniband and check.id in INFINIBAND_ONLY)
            and (nvidia or not (layer in NVIDIA_ONLY_LAYERS or check.id in NVIDIA_ONLY) or check.id in ANY_GPU)
            and (scale_up or check.id not in NVLINK)
            and (multi_node or check.id not in MULTI_NODE_NVLINK)
            and (gds or not check.id.startswith("gds_"))
            and (scheduler == "slurm" or not (check.id.startswith("slurm_") or layer == SLURM_LAYER))
            and not (virtualised and check.id in BARE_METAL)
        )
        if not kept:
            continue
        critical += check.get("severity") == "critical"
        rows.append(
            (
                check.name,
                layer,
                check.get("severity"),
                check.get("question"),
                "\n".join(check.get("commands") or ()),
                check.get("healthy"),
                check.get("unhealthy"),
                check.get("effect"),
                check.get("fix"),
                check.sources.get("", ""),
            )
        )
    rank = {"critical": 0, "warning": 1, "info": 2}
    rows.sort(key=lambda row: rank.get(row[2], 3))
    return critical, Table(COLUMNS, ("text",) * len(COLUMNS), tuple(rows), "Checks of the Linux and firmware layer")
