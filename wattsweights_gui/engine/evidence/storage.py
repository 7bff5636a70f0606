"""Predicts the published rows on storage, checkpoints, data paths and failures."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from wattsweights_gui.engine.declare import Entry
from wattsweights_gui.engine.equations import datapath, reliability, storage
from wattsweights_gui.engine.evidence import Prediction

Inputs = Mapping[str, Any]


class Catalog(Protocol):
    """What is asked of the catalogue."""

    def of_kind(self, kind: str) -> tuple[Entry, ...]:
        """Return all entries of a kind."""
        ...


def predict(row: Mapping[str, Any], catalog: Catalog) -> Prediction:
    """Predict one row from its inputs alone.

    Args:
        row: with ``table``, ``quantity`` and ``inputs``; its published value is not looked at.
        catalog: the hardware and advice that inputs name.
    """
    table, quantity, inputs = row["table"], row["quantity"], row.get("inputs") or {}
    if table not in _TABLES:
        return Prediction(None, f"no equation for the table {table}")
    try:
        value = _TABLES[table](quantity, inputs, catalog)
    except KeyError as missing:
        return Prediction(None, f"the row does not give {missing.args[0]}")
    except ValueError as problem:
        return Prediction(None, str(problem))
    if value is None:
        return Prediction(None, f"no equation for {quantity}")
    return Prediction(float(value))


def _dataset_read(quantity: str, i: Inputs, catalog: Catalog) -> Any:
    if quantity != "read_mib_s":
        return None
    return storage.sample_read_mib_s(
        i["accelerators"],
        i["batch_size"],
        i["sample_bytes"],
        i["compute_time_s"],
        i["accelerator_utilization_pct"],
    )


def _dataset_demand(quantity: str, i: Inputs, catalog: Catalog) -> Any:
    if quantity != "demand_gb_s_per_gpu":
        return None
    return storage.sample_demand_gb_s(i["batch_size"], i["sample_bytes"], i["compute_time_s"])


def _checkpoint_tb(i: Inputs) -> float:
    if "params_b" in i:
        params = i["params_b"] * 1e9
    else:
        names = ("hidden", "ffn", "heads", "kv_heads", "layers", "vocab")
        params = storage.mlperf_params(
            *(i[name] for name in names), i.get("gated_mlp", True), i.get("tied_embeddings", False)
        )
    return float(storage.checkpoint_tb(params, i["bytes_per_param"]))


_TB_IN = {"tb": 1.0, "gb": 1e3, "tib": 1e12 / 2**40, "gib": 1e12 / 2**30}


def _checkpoint_size(quantity: str, i: Inputs, catalog: Catalog) -> Any:
    factor = _TB_IN.get(quantity.removeprefix("checkpoint_"))
    return None if factor is None else _checkpoint_tb(i) * factor


def _size_tb(i: Inputs) -> float:
    for unit, factor in _TB_IN.items():
        if f"checkpoint_{unit}" in i:
            return float(i[f"checkpoint_{unit}"]) / factor
    return _checkpoint_tb(i)


def _checkpoint_time(quantity: str, i: Inputs, catalog: Catalog) -> Any:
    if quantity != "seconds":
        return None
    for unit, factor in _TB_IN.items():
        if f"bandwidth_{unit}_s" in i:
            return storage.write_time_s(_size_tb(i), i[f"bandwidth_{unit}_s"] / factor * 1000)
    raise KeyError("bandwidth")


def _checkpoint_bandwidth(quantity: str, i: Inputs, catalog: Catalog) -> Any:
    unit = quantity.split("_", 1)[1].removesuffix("_s")
    if unit not in _TB_IN:
        return None
    return float(storage.write_gb_s_for(_size_tb(i), i["seconds"])) / 1000 * _TB_IN[unit]


def _checkpoint_staging(quantity: str, i: Inputs, catalog: Catalog) -> Any:
    hosts = i["nodes"] if "nodes" in i else i["hosts"]
    per_host = float(storage.staging_gb(_size_tb(i), hosts))
    factor = _TB_IN.get(next((u for u in ("gib", "tib", "gb", "tb") if f"_{u}" in f"_{quantity}"), ""))
    return None if factor is None else per_host / 1000 * factor


def _checkpoint_overhead(quantity: str, i: Inputs, catalog: Catalog) -> Any:
    if quantity != "overhead_pct":
        return None
    return reliability.checkpoint_overhead_pct(i["write_s"], i["interval_s"])


def _mtbf_s(i: Inputs) -> float:
    return float(reliability.job_mtbf_s(i["gpus"] / i["gpus_per_node"], i["failures_per_1000_node_days"]))


def _mtbf(quantity: str, i: Inputs, catalog: Catalog) -> Any:
    if quantity == "failures_per_1000_node_days":
        nodes = i["gpus"] / i["gpus_per_node"]
        return reliability.failures_per_1000_node_days(i["interruptions"], nodes, i["days"])
    if not quantity.startswith("job_mtbf_"):
        return None
    if "accelerator_mttf_h" in i:
        hours = reliability.mtbf_of_many_h(i["accelerator_mttf_h"], i["accelerators"])
    elif "interruptions" in i:
        hours = reliability.observed_mtbf_h(i["days"], i["interruptions"])
    else:
        hours = _mtbf_s(i) / 3600
    return float(hours) * {"h": 1.0, "min": 60.0, "s": 3600.0}[quantity.removeprefix("job_mtbf_")]


def _young_daly(quantity: str, i: Inputs, catalog: Catalog) -> Any:
    mtbf, write, restart = _mtbf_s(i), i["checkpoint_write_s"], i.get("restart_s", 0.0)
    if quantity == "interval_s":
        return reliability.young_interval_s(write, mtbf)
    if quantity == "interval_higher_order_s":
        return reliability.daly_interval_s(write, mtbf)
    interval = reliability.young_interval_s(write, mtbf) if quantity.endswith("_young") else i["interval_s"]
    if quantity.startswith("efficiency"):
        return reliability.efficiency(interval, write, restart, mtbf)
    if quantity.startswith("ettr"):
        return reliability.ettr(interval, write, restart, mtbf)
    return None


def _ettr(quantity: str, i: Inputs, catalog: Catalog) -> Any:
    if "checkpoint_write_s" not in i:
        raise ValueError("write and restart times are not published")
    mtbf, write = _mtbf_s(i), i["checkpoint_write_s"]
    given = i.get("interval", i.get("interval_s", "young"))
    known = {"young": reliability.young_interval_s, "daly": reliability.daly_interval_s}
    interval = known[given](write, mtbf) if isinstance(given, str) else given
    return reliability.ettr(interval, write, i["restart_s"], mtbf)


def _guideline(quantity: str, i: Inputs, catalog: Catalog) -> Any:
    if quantity == "read_gb_s_per_gpu":
        notes = (e for e in catalog.of_kind("storage_guideline_note") if "1080p" in i["workload"])
        found = next((e for e in notes if e.get("reference_design") == i["reference_design"]), None)
        return None if found is None else found.get("image_1080p_read_gb_s_per_gpu")
    for entry in catalog.of_kind("storage_guideline"):
        if (entry.get("reference_design"), entry.get("level")) == (i["reference_design"], i["level"]):
            return entry.get(quantity)
    raise ValueError(f"{i['reference_design']} has no level {i['level']}")


def _datapath(quantity: str, i: Inputs, catalog: Catalog) -> Any:
    if quantity == "direct_over_bounce":
        direct = datapath.direct_tree_gb_s(i["nics"], i["nic_gbit_s"], i["gpus_per_tree"], i["pcie_generation"])
        return datapath.gain(direct, i["cpu_tree_gb_s"])
    if quantity == "drives":
        if not i.get("same_generation", True):
            return datapath.drives_to_fill(i["link_lanes"], i["drive_lanes"], i["generations_apart"])
        return datapath.drives_to_fill(i["link_lanes"], i["drive_lanes"])
    if quantity == "gds_over_compat":
        return datapath.gain(i["compat_s"], i["gds_s"])
    if quantity == "gds_over_bounce":
        return datapath.gain(i["gds_gib_s"], i["bounce_gib_s"])
    if quantity == "local_read_gb_s_per_gpu":
        return storage.each(i["node_read_gb_s"], i["gpus"])
    return None


def _pcie(quantity: str, i: Inputs, catalog: Catalog) -> Any:
    if quantity == "raw_gb_s":
        return datapath.pcie_raw_gb_s(i["pcie_generation"], i["lanes"])
    if quantity in ("h2d_gb_s", "d2h_gb_s"):
        return datapath.pcie_usable_gb_s(i["pcie_generation"], i["lanes"])
    return None


def _aggregate(quantity: str, i: Inputs, catalog: Catalog) -> Any:
    if quantity == "share_of_line_rate":
        line = i["nodes"] * i["nics_per_node"] * i["nic_gbit_s"] / 8
        return float(storage.gb_s_of_tib_s(i["measured_tib_s"])) / line
    if quantity == "tib_per_min":
        return storage.each(i["data_tib"], i["minutes"])
    if quantity == "gb_s_per_gpu":
        return storage.each(storage.gb_s_of_tb_s(i["sustained_tb_s"]), i["gpus"])
    if quantity == "gb_s_per_ha_pair":
        return storage.each(i["cluster_gb_s"], i["ha_pairs"])
    if quantity == "accelerators_served":
        wanted = (i["workload"], i["accelerator"])
        for entry in catalog.of_kind("workload_io"):
            if (entry.get("model"), entry.get("accelerator")) == wanted:
                demand = storage.sample_demand_gb_s(
                    entry.get("batch_size"), entry.get("sample_bytes"), entry.get("compute_time_s")
                )
                return math.floor(storage.accelerators_served(i["read_gb_s"], demand, i["min_au_pct"]))
        raise ValueError(f"the catalogue does not know the reads of {wanted[0]} on {wanted[1]}")
    return None


_TABLES: dict[str, Callable[[str, Inputs, Catalog], Any]] = {
    "dataset_read": _dataset_read,
    "dataset_demand": _dataset_demand,
    "checkpoint_size": _checkpoint_size,
    "checkpoint_time": _checkpoint_time,
    "checkpoint_bandwidth": _checkpoint_bandwidth,
    "checkpoint_staging": _checkpoint_staging,
    "checkpoint_overhead": _checkpoint_overhead,
    "mtbf": _mtbf,
    "ettr": _ettr,
    "young_daly": _young_daly,
    "guideline": _guideline,
    "datapath": _datapath,
    "pcie": _pcie,
    "aggregate": _aggregate,
}
