"""Refits the constants of the training model on the published rows, and cross-validates them table by table.

Developers only (needs scipy). Run from the root of a checkout:

    python packaging/fit_training.py            # errors with the shipped constants
    python packaging/fit_training.py --fit      # refits resources/catalog/calibration.json
    python packaging/fit_training.py --polish   # only the last step of the fit
    python packaging/fit_training.py --leave    # fits on three quarters of the tables, error on the rows of the rest
"""

from __future__ import annotations

import argparse
import json
import math
from collections import defaultdict
from pathlib import Path

import numpy as np
from scipy.optimize import least_squares

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.equations.machine import constants_of
from wattsweights_gui.engine.evidence.training import TIMES, outcome_of, time_quantity
from wattsweights_gui.engine.evidence.training_row import UnreadableError, case_of

ROOT = Path(__file__).resolve().parent.parent
CALIBRATION = ROOT / "resources/catalog/calibration.json"
ROWS = ROOT / "resources/evidence/training_golden.json"
FOLDS = 4
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


def log_error(row: dict, hardware: object, fit: dict[str, float]) -> float:
    """Return ln(predicted time / published time)."""
    name, value = published(row)
    outcome = outcome_of(case_of(row, hardware, fit))
    predicted, _ = time_quantity(row, outcome, name)
    return math.log(predicted / value) if name == "step_time_s" else math.log(value / predicted)


def fitted(rows: list[dict], start: dict[str, float], bounds: dict[str, tuple[float, float]]) -> dict[str, float]:
    """Return the constants that fit rows best; large errors weigh less, a class weighs as the root of its rows."""
    names = list(start)
    counts = defaultdict(int)
    for row in rows:
        counts[kind(row)] += 1
    weights = np.array([counts[kind(r)] ** -0.25 for r in rows])
    low = np.array([bounds[n][0] for n in names])
    high = np.array([bounds[n][1] for n in names])
    origin = (np.array([start[n] for n in names]) - low) / (high - low)
    hardware = catalog()

    def residuals(x: np.ndarray) -> np.ndarray:
        fit = dict(zip(names, low + x * (high - low), strict=True))
        errors = np.array([log_error(r, hardware, fit) for r in rows])
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
    rows: list[dict], start: dict[str, float], bounds: dict[str, tuple[float, float]], rounds: int = 2
) -> dict[str, float]:
    """Return the constants after a search, one at a time, for the least mean absolute error over the classes."""
    hardware = catalog()
    kinds = [kind(r) for r in rows]

    def judged(fit: dict[str, float]) -> float:
        groups = defaultdict(list)
        for row, name in zip(rows, kinds, strict=True):
            groups[name].append(math.exp(log_error(row, hardware, fit)) - 1.0)
        return sum(np.mean(np.abs(e)) + 0.3 * abs(np.mean(e)) for e in groups.values())

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


def spreads(rows: list[dict], fit: dict[str, float]) -> list[dict]:
    """Return for each class the factors on predicted time between which nine in ten published runs lie."""
    groups = defaultdict(list)
    for row in rows:
        groups[kind(row)].append(math.exp(-log_error(row, catalog(), fit)))
    return [
        {
            "id": f"spread_{name}",
            "kind": "evidence_spread",
            "name": f"Published over predicted step time, {name.replace('_', ' ')}",
            "low": float(f"{min(1.0, np.percentile(ratios, 5)):.3g}"),
            "high": float(f"{max(1.0, np.percentile(ratios, 95)):.3g}"),
            "rows": len(ratios),
            "sources": [{"document": "golden", "verified": "computed"}],
        }
        for name, ratios in sorted(groups.items())
    ]


def report(rows: list[dict], fit: dict[str, float]) -> None:
    """Print the errors by table and by class."""
    groups = defaultdict(list)
    for row in rows:
        error = math.exp(log_error(row, catalog(), fit)) - 1.0
        groups[row["source_id"]].append(error)
        groups["class " + kind(row)].append(error)
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
                case_of(row, catalog())
                rows.append(row)
        except UnreadableError as error:
            print(row["id"], error)
    free = {k: v for k, v in start.items() if k in bounds}
    if given.fit or given.polish:
        free = polished(rows, fitted(rows, free, bounds) if given.fit else free, bounds)
        for entry in entries:
            entry["value"] = float(f"{free[entry['id'].removeprefix('fit_')]:.3g}")
        data["entries"] = [e for e in data["entries"] if e["kind"] != "evidence_spread"] + spreads(rows, free)
        CALIBRATION.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        for name, value in free.items():
            print(f"{name:20s} {value:8.3g}")
    report(rows, free)
    if given.leave:
        cross_validate(rows, free, bounds)


def cross_validate(rows: list[dict], start: dict[str, float], bounds: dict[str, tuple[float, float]]) -> None:
    """Fit on all but a fold of tables, in turn, and print the errors on the rows that were left out."""
    sizes = defaultdict(int)
    for row in rows:
        sizes[row["source_id"]] += 1
    folds: list[list[str]] = [[] for _ in range(FOLDS)]
    for table in sorted(sizes, key=lambda t: (-sizes[t], t)):
        min(folds, key=lambda f: sum(sizes[t] for t in f)).append(table)
    errors = defaultdict(list)
    for fold in folds:
        others = [r for r in rows if r["source_id"] not in fold]
        without = fitted(others, start, bounds)
        for row in (r for r in rows if r["source_id"] in fold):
            error = math.exp(log_error(row, catalog(), without)) - 1.0
            errors[row["source_id"]].append(error)
            errors["class " + kind(row)].append(error)
    for name, found in errors.items():
        size = np.abs(found)
        print(f"not fitted: {name:24s} mean abs {size.mean() * 100:5.1f}%  bias {np.mean(found) * 100:+5.1f}%")


if __name__ == "__main__":
    main()
