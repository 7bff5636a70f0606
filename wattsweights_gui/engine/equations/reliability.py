"""Failures, checkpoint intervals and the share of time that trains.

Symbols: M job MTBF, d blocking write time, R restart time, t checkpoint interval, all in seconds.
"""

from __future__ import annotations

import math

from wattsweights_gui.engine.declare import equation

_YOUNG = "J. W. Young, CACM 17 (1974)"
_DALY = "J. T. Daly, Future Generation Computer Systems 22 (2006)"
_META = "Meta, Revisiting Reliability in Large-Scale ML Research Clusters (arXiv 2410.21680)"


@equation("M = 86400 s × 1000 / (nodes × failures per 1000 node-days)", "s", "failures of nodes are independent")
def job_mtbf_s(nodes: float, failures_per_1000_node_days: float) -> float:
    """Return the mean time between failures of a job on so many nodes; infinite where nothing fails."""
    rate = nodes * failures_per_1000_node_days
    return 86400.0 * 1000.0 / rate if rate > 0 else math.inf


@equation("nodes = GPUs / 8", "count", "published rates count node-days of 8-GPU nodes (Llama 3, RSC-1, RSC-2)")
def nodes_of_eight(gpus: float, gpus_of_node: float = 8.0) -> float:
    """Return how many of the nodes that published failure rates count so many GPUs are, whatever the system."""
    return gpus / gpus_of_node


@equation("M = MTTF of one / number", "h", "failures are independent")
def mtbf_of_many_h(mttf_h: float, number: float) -> float:
    """Return the mean time between failures of many equal parts, in the hours of one part's."""
    return mttf_h / number


@equation("M = 24 h × days / interruptions", "h", "definition")
def observed_mtbf_h(days: float, interruptions: float) -> float:
    """Return the mean time between interruptions that a run saw."""
    return days * 24.0 / interruptions


@equation("rate = 1000 × interruptions / (nodes × days)", "per_1000_node_days", "definition")
def failures_per_1000_node_days(interruptions: float, nodes: float, days: float) -> float:
    """Return the interruptions for each 1,000 node-days that a run saw."""
    return 1000.0 * interruptions / (nodes * days)


@equation("t = √(2 d M)", "s", _YOUNG)
def young_interval_s(write_s: float, mtbf_s: float) -> float:
    """Return the interval between checkpoints that loses least, to first order."""
    return math.sqrt(2.0 * write_s * mtbf_s)


@equation("t = √(2 d M) (1 + √(d / 2M) / 3 + d / (18 M)) - d; M where d ≥ 2M", "s", _DALY)
def daly_interval_s(write_s: float, mtbf_s: float) -> float:
    """Return the interval between checkpoints that loses least, to higher order."""
    if math.isinf(mtbf_s):
        return math.inf
    if write_s >= 2.0 * mtbf_s:
        return mtbf_s
    ratio = write_s / (2.0 * mtbf_s)
    return math.sqrt(2.0 * write_s * mtbf_s) * (1.0 + math.sqrt(ratio) / 3.0 + ratio / 9.0) - write_s


@equation("efficiency = t / (M e^(R/M) (e^((t + d)/M) - 1))", "ratio", f"{_DALY}: the complete exponential model")
def efficiency(interval_s: float, write_s: float, restart_s: float, mtbf_s: float) -> float:
    """Return the share of the time that trains, between 0 and 1, failures during writes and restarts included."""
    if math.isinf(mtbf_s):
        return 1.0 if math.isinf(interval_s) else interval_s / (interval_s + write_s)
    exponent = (interval_s + write_s) / mtbf_s
    if exponent + restart_s / mtbf_s > 700.0:
        return 0.0
    return interval_s / (mtbf_s * math.exp(restart_s / mtbf_s) * math.expm1(exponent))


@equation("ETTR = (1 - (R + t/2) / M) / (1 + d/t)", "ratio", _META)
def ettr(interval_s: float, write_s: float, restart_s: float, mtbf_s: float) -> float:
    """Return the expected share of effective training time; 0 where the first-order form would go below it."""
    return max(0.0, 1.0 - (restart_s + interval_s / 2.0) / mtbf_s) / (1.0 + write_s / interval_s)


@equation("overhead = stall / (interval + stall)", "pct", "definition")
def checkpoint_overhead_pct(stall_s: float, interval_s: float) -> float:
    """Return the share of the time that saves stop training."""
    return 100.0 * stall_s / (interval_s + stall_s)
