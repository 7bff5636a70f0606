"""What the layout search found, as text for people and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from itertools import pairwise
from typing import Any

from wattsweights_gui.cli.output import table
from wattsweights_gui.engine import units
from wattsweights_gui.engine.search_answers import TITLES, Candidate, GridCell, SearchResult, WhyNot
from wattsweights_gui.engine.search_words_out import cell_text, columns_of, degrees_text, verdict_text

LEAST_OF_FRONT = 10


def result_json(found: SearchResult) -> dict[str, Any]:
    """Return the document of ``search --json`` beside the file and the seconds."""
    return {
        "evaluated": found.evaluated,
        "objective": found.objective,
        "front_of": list(found.front_of),
        "counts": {"from": min(found.counts), "to": max(found.counts), "numbers": len(found.counts)},
        "best": [layout_json(c) for c in found.best],
        "front": [layout_json(c) for c in found.front],
        "lost": dict(found.lost),
        "note": found.note,
        "grid": [cell_json(cell) for cell in found.grid],
    }


def layout_json(layout: Candidate) -> dict[str, Any]:
    """Return a layout as plain values by name."""
    plain = asdict(layout)
    plain["changes"] = [{"path": path, "value": value} for path, value in layout.changes]
    return plain


def cell_json(cell: GridCell) -> dict[str, Any]:
    """Return the best of one tensor × pipeline degree without the layout whole."""
    return {n: getattr(cell, n) for n in ("tp", "pp", "days", "gpus", "fitting", "reason")}


def why_not_json(about: WhyNot) -> dict[str, Any]:
    """Return the document of ``search --why-not --json`` beside the file."""
    return {
        "asked": dict(about.asked),
        "gpus": about.gpus,
        "runs": not about.reasons,
        "reasons": [
            {
                "rule": r.rule,
                "message": r.message,
                "source": r.source,
                "fix": [{"path": path, "value": value} for path, value in r.fix],
            }
            for r in about.reasons
        ],
        "nearest": None if about.nearest is None else layout_json(about.nearest),
        "best": None if about.best is None else layout_json(about.best),
        "chosen": None if about.chosen is None else layout_json(about.chosen),
        "behind_days": about.behind_days,
        "behind_pct": about.behind_pct,
        "lost": dict(about.lost),
    }


def result_lines(found: SearchResult, seconds: float, top: int, system: units.System) -> list[str]:
    """Return what was found as lines of text."""
    lines = [f"{found.evaluated:,} layouts evaluated in {seconds:.2f} s.".replace(",", units.THIN_SPACE)]
    if found.note:
        lines.append(f"{found.note[0].upper()}{found.note[1:]}.")
    lines.append(tried_text(found.counts))
    first, second = (TITLES[name] for name in found.front_of)
    front = thinned(found.front, max(top, LEAST_OF_FRONT))
    of_all = f" ({len(front)} of {len(found.front)}; --json has all)" if len(front) < len(found.front) else ""
    for title, rows in (
        (f"The best by {_small(TITLES[found.objective])}:", found.best[:top]),
        (f"Beaten by no other in both {_small(first)} and {_small(second)}{of_all}:", front),
    ):
        if rows:
            lines += ["", title, *(f"  {line}" for line in layout_lines(rows, system))]
    if not found.best:
        lines.append("What ruled layouts out:")
        ranked = sorted(found.lost.items(), key=lambda pair: (-pair[1], pair[0]))
        lines += [f"  {units.text(n, 'count')}  {rule}" for rule, n in ranked]
    return lines


def tried_text(counts: Sequence[int]) -> str:
    """Return in words which numbers of GPUs were tried."""
    if len(counts) == 1:
        return f"Tried on {units.text(counts[0], 'count')} GPUs."
    steps = {b - a for a, b in pairwise(counts)}
    every = f", every {units.text(steps.pop(), 'count')}" if len(steps) == 1 else ""
    low, high, many = (units.text(n, "count") for n in (counts[0], counts[-1], len(counts)))
    return f"Tried on {low} to {high} GPUs{every}: {many} numbers."


def thinned(layouts: Sequence[Candidate], most: int) -> Sequence[Candidate]:
    """Return no more than so many of a front, evenly, with both of its ends."""
    if len(layouts) <= most:
        return layouts
    return [layouts[round(n * (len(layouts) - 1) / (most - 1))] for n in range(most)]


def layout_lines(layouts: Sequence[Candidate], system: units.System) -> list[str]:
    """Return layouts as a table; a column that says the same ordinary thing of all of them is left out."""
    shown = columns_of(layouts)
    rows = [tuple(cell_text(layout, column, system) for column in shown) for layout in layouts]
    right = [n for n, column in enumerate(shown) if not column.words]
    return table([tuple(column.title_in(system) for column in shown), *rows], right=right)


def _small(title: str) -> str:
    return title if title[:2].isupper() else f"{title[0].lower()}{title[1:]}"


def why_not_lines(about: WhyNot, system: units.System) -> list[str]:
    """Return the answer to “why not?” as lines of text."""
    asked = ", ".join(f"{name}={value}" for name, value in about.asked.items())
    lines = [f"{asked} on {units.text(about.gpus, 'count')} GPUs: {verdict_text(about, system)}"]
    for reason in about.reasons:
        lines.append(f"  {reason.rule}: {reason.message}")
        if reason.source:
            lines.append(f"    source: {reason.source}")
        lines += [f"    would mend it: {path}={'' if value is None else value}" for path, value in reason.fix]
    for title, layout in (("The best with it", about.nearest), ("The best of all", about.best)):
        if layout is not None:
            words = degrees_text(layout)
            lines.append(f"  {title}: {words}; {units.text(layout.days, 'days')}, {units.text(layout.memory_gb, 'gb')}")
    return lines


__all__ = ["layout_json", "result_json", "result_lines", "why_not_json", "why_not_lines"]
