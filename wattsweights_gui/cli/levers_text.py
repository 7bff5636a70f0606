"""The ways out as text for people."""

from __future__ import annotations

from typing import Any

from wattsweights_gui.cli.output import table
from wattsweights_gui.engine import units
from wattsweights_gui.engine.both_ends import verdict
from wattsweights_gui.engine.levers import MEASURES, Lever, LeverReport


def lines(report: LeverReport, system: units.System, pairs: int) -> list[str]:
    """Return the verdict, every lever with its re-sized numbers, and the best pairs."""
    text = [verdict(report.base, report.base_ends, system), ""]
    if not report.singles:
        return [*text, "There is no lever that changes anything in this plan."]
    text += table([_head(), *(_row(lever, system) for lever in report.singles)], right=range(1, 2 + len(MEASURES)))
    if report.pairs:
        chosen = report.pairs[:pairs]
        text += ["", "The best pairs:"]
        text += table([_head(), *(_row(lever, system) for lever in chosen)], right=range(1, 2 + len(MEASURES)))
    return text


def _head() -> tuple[str, ...]:
    titles = {name: name.replace("_", " ").removesuffix(" kw").removesuffix(" l min") for name in MEASURES}
    return ("lever", "closes", *titles.values(), "fits", "edits")


def _row(lever: Lever, system: units.System) -> tuple[str, ...]:
    changes = []
    for name in MEASURES:
        before, after = lever.deltas[name]
        changes.append(after.text(system) if before.value != after.value else "=")
    edits = " ".join(f"{path}={_typed(value)}" for path, value in lever.edits)
    closes = f"{units.number(100 * lever.closes)} %"
    return (lever.title, closes, *changes, "yes" if lever.fits else "no", edits)


def _typed(value: Any) -> str:
    return "none" if value is None else str(getattr(value, "kind", value))
