"""Storage: what a job reads and saves, and how many appliances carry it. GB are 10⁹ bytes, GiB 2³⁰."""

from __future__ import annotations

import math

from wattsweights_gui.engine.declare import equation

_MLPERF = "MLCommons, MLPerf Storage rules and workload files"
GIB = 2.0**30
MIB = 2.0**20


@equation("read = tokens/s × bytes a token / 10⁹", "gb_s", "definition")
def token_read_gb_s(tokens_s: float, bytes_per_token: float) -> float:
    """Return the read rate of tokenised data of one GPU."""
    return tokens_s * bytes_per_token / 1e9


@equation("read = GPUs × read a GPU", "gb_s", "definition")
def read_gb_s(gpus: float, read_gb_s_per_gpu: float) -> float:
    """Return the read rate of all GPUs."""
    return gpus * read_gb_s_per_gpu


@equation("demand = batch × bytes a sample / compute time / 10⁹", "gb_s", _MLPERF)
def sample_demand_gb_s(batch_size: float, sample_bytes: float, compute_time_s: float) -> float:
    """Return what one accelerator reads when it never waits."""
    return batch_size * sample_bytes / compute_time_s / 1e9


@equation("read = accelerators × batch / compute time × utilisation × bytes a sample / 2²⁰", "mib", _MLPERF)
def sample_read_mib_s(
    accelerators: float, batch_size: float, sample_bytes: float, compute_time_s: float, utilization_pct: float
) -> float:
    """Return the MiB/s that accelerators read at a utilisation."""
    return accelerators * batch_size / compute_time_s * utilization_pct / 100 * sample_bytes / MIB


@equation("accelerators = read / (demand × utilisation)", "count", _MLPERF)
def accelerators_served(read_gb_s: float, demand_gb_s: float, min_utilization_pct: float) -> float:
    """Return the accelerators that a read rate keeps at a utilisation."""
    return read_gb_s / (demand_gb_s * min_utilization_pct / 100)


@equation("checkpoint = parameters × bytes a parameter / 10¹²", "tb", "definition")
def checkpoint_tb(params: float, bytes_per_param: float) -> float:
    """Return the bytes of a checkpoint at full state."""
    return params * bytes_per_param / 1e12


@equation("P = layers (h (h + 2 d kv) + h² + 3 h f + 2 h) + (1 or 2) V h + h", "params", _MLPERF)
def mlperf_params(
    hidden: float,
    ffn: float,
    heads: float,
    kv_heads: float,
    layers: float,
    vocab: float,
    gated_mlp: bool = True,
    tied_embeddings: bool = False,
) -> float:
    """Return the parameters of a dense transformer as the checkpoint benchmark counts them."""
    head = hidden // heads
    attention = hidden * (hidden + 2 * head * kv_heads) + hidden * hidden
    block = attention + (3 if gated_mlp else 2) * hidden * ffn + 2 * hidden
    return layers * block + (1 if tied_embeddings else 2) * vocab * hidden + hidden


@equation("bandwidth = bytes / time", "gb_s", "definition")
def write_gb_s_for(checkpoint_tb: float, seconds: float) -> float:
    """Return the write rate that saves a checkpoint in a time."""
    return checkpoint_tb * 1000 / seconds


@equation("time = bytes / bandwidth", "s", "definition")
def write_time_s(checkpoint_tb: float, write_gb_s: float) -> float:
    """Return the time that a checkpoint takes to storage or back.

    Raises:
        ZeroDivisionError: there is no bandwidth.
    """
    return checkpoint_tb * 1000 / write_gb_s


@equation("bandwidth = min(storage, GPUs × storage adapters of a GPU)", "gb_s", "the slower of both ends")
def reachable_gb_s(storage_gb_s: float, gpus: float, gb_s_per_gpu: float) -> float:
    """Return what hosts and storage move together."""
    return min(storage_gb_s, gpus * gb_s_per_gpu)


@equation("stall = bytes / GPUs / copy rate to host memory", "s", "asynchronous checkpoints stop only for the copy")
def copy_stall_s(checkpoint_tb: float, gpus: float, copy_gb_s: float) -> float:
    """Return the stop for an asynchronous save: each GPU's share to host memory."""
    return checkpoint_tb * 1000 / gpus / copy_gb_s


@equation("host memory = bytes / nodes", "gb", "each host holds its share until it is written")
def staging_gb(checkpoint_tb: float, hosts: float) -> float:
    """Return the host memory that an asynchronous save takes on each host."""
    return checkpoint_tb * 1000 / hosts


@equation("capacity = checkpoints kept × checkpoint + tokens × bytes a token", "tb", "ours: ten checkpoints are kept")
def capacity_tb(checkpoint_tb: float, kept: float, tokens: float, bytes_per_token: float) -> float:
    """Return the usable capacity for checkpoints and the dataset."""
    return checkpoint_tb * kept + tokens * bytes_per_token / 1e12


@equation("⌈need / one⌉", "count")
def appliances_for(need: float, one: float) -> int:
    """Return how many appliances a need takes."""
    return math.ceil(need / one - 1e-9)


@equation("appliances = max(read, write, capacity) + spare", "count", "one more, so that one may fail")
def appliances(read: float = 0, write: float = 0, capacity: float = 0, spare: float = 1) -> int:
    """Return the appliances to buy."""
    return int(max(1, read, write, capacity) + spare)


@equation("bandwidth = appliances × one", "gb_s")
def installed_gb_s(appliances: float, one_gb_s: float) -> float:
    """Return the bandwidth of so many appliances."""
    return appliances * one_gb_s


@equation("capacity = appliances × one", "tb")
def installed_tb(appliances: float, one_tb: float) -> float:
    """Return the usable capacity of so many appliances."""
    return appliances * one_tb


@equation("power = appliances × one", "kw")
def power_kw(appliances: float, one_kw: float) -> float:
    """Return the power of so many appliances."""
    return appliances * one_kw


@equation("racks = ⌈appliances × rack units / 40⌉", "count", "ours: 40 of 48 U filled")
def racks(appliances: float, rack_units: float, filled_units: float = 40) -> int:
    """Return the racks of so many appliances."""
    return math.ceil(appliances * rack_units / filled_units)


@equation("GB/s = MiB/s × 2²⁰ / 10⁹", "gb_s", "MLPerf prints MB that are MiB")
def gb_s_of_mib_s(mib_s: float) -> float:
    """Return GB/s of MiB/s."""
    return mib_s * MIB / 1e9


@equation("GB/s = GiB/s × 2³⁰ / 10⁹", "gb_s", "MLPerf prints GB that are GiB")
def gb_s_of_gib_s(gib_s: float) -> float:
    """Return GB/s of GiB/s."""
    return gib_s * GIB / 1e9


@equation("GB/s = TB/s × 1000", "gb_s")
def gb_s_of_tb_s(tb_s: float) -> float:
    """Return GB/s of TB/s."""
    return tb_s * 1000


@equation("GB/s = TiB/s × 2⁴⁰ / 10⁹", "gb_s")
def gb_s_of_tib_s(tib_s: float) -> float:
    """Return GB/s of TiB/s."""
    return tib_s * 2.0**40 / 1e9


@equation("TB = GiB × 2³⁰ / 10¹²", "tb")
def tb_of_gib(gib: float) -> float:
    """Return TB of GiB."""
    return gib * GIB / 1e12


@equation("TB = PB × 1000", "tb")
def tb_of_pb(pb: float) -> float:
    """Return TB of PB."""
    return pb * 1000


@equation("share = total / parts", "")
def each(total: float, parts: float) -> float:
    """Return the equal share of one part, in the total's unit."""
    return total / parts
