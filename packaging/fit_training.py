"""Refits the constants of the training model on the published rows, and cross-validates them table by table.

Developers only (needs scipy). Run from the root of a checkout:

    python packaging/fit_training.py            # errors with the shipped constants
    python packaging/fit_training.py --fit      # refits resources/catalog/calibration.json
    python packaging/fit_training.py --polish   # only the last step of the fit
    python packaging/fit_training.py --spreads  # keeps the constants, and counts anew how far rows lie from them
    python packaging/fit_training.py --leave    # fits on three quarters of the tables, error on the rows of the rest
"""

from __future__ import annotations

import argparse
import json
import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from multiprocessing import Pool
from pathlib import Path

import numpy as np
from scipy.optimize import least_squares

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.equations.machine import constants_of
from wattsweights_gui.engine.equations.memory import memory
from wattsweights_gui.engine.equations.step_time import step_time
from wattsweights_gui.engine.evidence.training import FITS, TIMES, Outcome, time_quantity
from wattsweights_gui.engine.evidence.training_row import UnreadableError, case_of, machine_of_row

ROOT = Path(__file__).resolve().parent.parent
CALIBRATION = ROOT / "resources/catalog/calibration.json"
ROWS = ROOT / "resources/evidence/training_golden.json"
FOLDS = 4
EARLIER = 0.5
"""Weight of the same configuration under an earlier release."""
BIAS = 0.02
"""Mean error of a class that costs nothing."""
PRIOR = 0.15
"""Weight of a constant's starting value: those that no row sees stay where they are."""


def published(row: dict) -> tuple[str, float] | None:
    """Return the time quantity that is judged."""
    for name, _ in TIMES:
        value = row["measured"].get(name)
        if isinstance(value, int | float):
            return name, float(value)
    return None


def kind(row: dict) -> str:
    """Return the class by which errors are stated."""
    if (row.get("seq_len") or 0) >= 32768:
        return "long_context"
    if row["model"]["kind"] == "moe":
        return "moe"
    return "dense_ampere" if row["gpu"].startswith("A100") else "dense_newer"


def releases(row: dict) -> list[dict]:
    """Return a row as it was measured with earlier releases of its software, where its history tells."""
    words, _, own = row["source"].rpartition("container ")
    return [
        {**row, "source": f"{words}container {release}", "measured": {"tokens_per_s_per_gpu": tokens}}
        for release, tokens, _ in row.get("history") or ()
        if words and release != own
    ]


class Read:
    """A row read once: what no constant changes is kept, so that a fit evaluates nothing but the step time."""

    def __init__(self, row: dict, earlier: bool = False) -> None:
        self.row, self.kind, self.table, self.earlier = row, kind(row), row["source_id"], earlier
        self.name, self.value = published(row)
        self.case = case_of(row, catalog())
        held = memory(self.case.job, self.case.layouts).total
        fits = held <= self.case.machine.hbm_bytes * FITS
        self.penalty = np.where(fits, 0.0, 1e6 * held / self.case.machine.hbm_bytes) if fits.any() else 0.0

    def log_error(self, fit: dict[str, float]) -> float:
        """Return ln(predicted time / published time)."""
        case = self.case
        machine = machine_of_row(self.row, catalog(), case.job.precision, case.year, fit, [])
        time = step_time(case.job, machine, case.layouts)
        best = int(np.argmin(time.total + self.penalty))
        outcome = Outcome(replace(case, machine=machine), case.layouts.take([best]), time.take(best))
        predicted, _ = time_quantity(self.row, outcome, self.name)
        return math.log(predicted / self.value) if self.name == "step_time_s" else math.log(self.value / predicted)


def fitted(rows: list[Read], start: dict[str, float], bounds: dict[str, tuple[float, float]]) -> dict[str, float]:
    """Return the constants that fit rows best; large errors weigh less, a class weighs as the root of its rows."""
    names = list(start)
    counts = defaultdict(int)
    for row in rows:
        counts[row.kind] += 1
    weights = np.array([counts[r.kind] ** -0.25 * (EARLIER if r.earlier else 1.0) for r in rows])
    low = np.array([bounds[n][0] for n in names])
    high = np.array([bounds[n][1] for n in names])
    origin = (np.array([start[n] for n in names]) - low) / (high - low)

    def residuals(x: np.ndarray) -> np.ndarray:
        fit = dict(zip(names, low + x * (high - low), strict=True))
        errors = np.array([r.log_error(fit) for r in rows])
        return np.concatenate([errors * weights, PRIOR * (x - origin)])

    found = least_squares(
        residuals,
        np.clip(origin, 0.01, 0.99),
        bounds=(0.0, 1.0),
        loss="soft_l1",
        f_scale=0.02,
        diff_step=0.01,
        max_nfev=8,
    )
    return dict(zip(names, (low + found.x * (high - low)).tolist(), strict=True))


def polished(
    rows: list[Read], start: dict[str, float], bounds: dict[str, tuple[float, float]], rounds: int = 2
) -> dict[str, float]:
    """Return the constants after a search, one at a time, for the least mean absolute error over the classes."""

    def judged(fit: dict[str, float]) -> float:
        groups = defaultdict(list)
        for row in rows:
            groups[row.kind].append((math.exp(row.log_error(fit)) - 1.0, EARLIER if row.earlier else 1.0))
        return sum(_loss(np.array(found)) for found in groups.values())

    best, reached = dict(start), judged(start)
    for step in (0.04, 0.015)[:rounds]:
        for name, (low, high) in bounds.items():
            for sign in (1.0, -1.0):
                while True:
                    tried = {**best, name: min(high, max(low, best[name] + sign * step * max(best[name], 0.1 * high)))}
                    error = judged(tried) if tried[name] != best[name] else math.inf
                    if error >= reached - 1e-5:
                        break
                    best, reached = tried, error
    return best


def _loss(found: np.ndarray) -> float:
    errors, weights = found[:, 0], found[:, 1]
    return np.average(np.abs(errors), weights=weights) + max(0.0, abs(np.average(errors, weights=weights)) - BIAS)


def spreads(rows: list[Read], fit: dict[str, float]) -> list[dict]:
    """Return for each class the factors on predicted time between which nine in ten published runs lie."""
    groups = defaultdict(list)
    for row in rows:
        if not row.earlier:
            groups[row.kind].append(math.exp(-row.log_error(fit)))
    return [
        {
            "id": f"spread_{name}",
            "kind": "evidence_spread",
            "name": f"Published over predicted step time, {name.replace('_', ' ')}",
            "low": _rounded(min(1.0, np.percentile(ratios, 5, method="lower")), math.floor),
            "high": _rounded(max(1.0, np.percentile(ratios, 95, method="higher")), math.ceil),
            "rows": len(ratios),
            "sources": [{"document": "golden", "verified": "computed"}],
        }
        for name, ratios in sorted(groups.items())
    ]


def _rounded(factor: float, away: Callable[[float], int]) -> float:
    """Return a factor in thousandths, rounded so that the row it comes from stays inside."""
    return away(factor * 1000.0) / 1000.0


def report(rows: list[Read], fit: dict[str, float]) -> None:
    """Print the errors by table and by class."""
    groups = defaultdict(list)
    for row in rows:
        error = math.exp(row.log_error(fit)) - 1.0
        groups["earlier releases " + row.kind if row.earlier else row.table].append(error)
        if not row.earlier:
            groups["class " + row.kind].append(error)
    for name, errors in groups.items():
        size = np.abs(errors)
        print(
            f"{name:24s} n={len(errors):3d} mean abs {size.mean() * 100:5.1f}%  median {np.median(size) * 100:5.1f}%  "
            f"p90 {np.percentile(size, 90) * 100:5.1f}%  bias {np.mean(errors) * 100:+5.1f}%"
        )


def main() -> None:
    """Run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--polish", action="store_true")
    parser.add_argument("--spreads", action="store_true")
    parser.add_argument("--leave", action="store_true")
    given = parser.parse_args()
    data = json.loads(CALIBRATION.read_text(encoding="utf-8"))
    entries = [e for e in data["entries"] if e["kind"] == "fitted_constant"]
    bounds = {e["id"].removeprefix("fit_"): (float(e["low"]), float(e["high"])) for e in entries}
    start = {k: v for k, v in constants_of(catalog()).items()}
    rows = []
    for row in json.loads(ROWS.read_text(encoding="utf-8"))["rows"]:
        try:
            if published(row) and not row["gpu"].startswith("TPU"):
                rows += [Read(row), *(Read(r, earlier=True) for r in releases(row))]
        except UnreadableError as error:
            print(row["id"], error)
    free = {k: v for k, v in start.items() if k in bounds}
    if given.fit or given.polish:
        free = polished(rows, fitted(rows, free, bounds) if given.fit else free, bounds)
        for entry in entries:
            entry["value"] = float(f"{free[entry['id'].removeprefix('fit_')]:.3g}")
        for name, value in free.items():
            print(f"{name:20s} {value:8.3g}")
    if given.fit or given.polish or given.spreads:
        data["entries"] = [e for e in data["entries"] if e["kind"] != "evidence_spread"] + spreads(rows, free)
        CALIBRATION.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    report(rows, free)
    if given.leave:
        cross_validate(rows, free, bounds)


def without(given: tuple[list[Read], list[str], dict[str, float], dict[str, tuple[float, float]]]) -> list[float]:
    """Return the errors of some tables' rows with constants fitted on the others."""
    rows, tables, start, bounds = given
    found = fitted([r for r in rows if r.table not in tables], start, bounds)
    return [math.exp(r.log_error(found)) - 1.0 for r in rows if r.table in tables]


def cross_validate(rows: list[Read], start: dict[str, float], bounds: dict[str, tuple[float, float]]) -> None:
    """Fit on all but a fold of tables, in turn, and print the errors on the rows that were left out."""
    sizes = defaultdict(int)
    for row in rows:
        sizes[row.table] += 1
    folds: list[list[str]] = [[] for _ in range(FOLDS)]
    for table in sorted(sizes, key=lambda t: (-sizes[t], t)):
        min(folds, key=lambda f: sum(sizes[t] for t in f)).append(table)
    errors = defaultdict(list)
    with Pool(2) as pool:
        left = pool.map(without, [(rows, fold, start, bounds) for fold in folds], chunksize=1)
    for fold, found in zip(folds, left, strict=True):
        for row, error in zip((r for r in rows if r.table in fold), found, strict=True):
            if not row.earlier:
                errors[row.table].append(error)
                errors["class " + row.kind].append(error)
    for name, found in errors.items():
        size = np.abs(found)
        print(f"not fitted: {name:24s} mean abs {size.mean() * 100:5.1f}%  bias {np.mean(found) * 100:+5.1f}%")


if __name__ == "__main__":
    main()
