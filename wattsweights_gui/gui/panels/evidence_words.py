"""What the evidence dock says: of one row, and of all that are listed."""

from __future__ import annotations

import html

from wattsweights_gui.engine import units
from wattsweights_gui.engine.evidence.rows import EvidenceRow, percent_text, value_text
from wattsweights_gui.engine.evidence.table import Summary
from wattsweights_gui.gui.panels.evidence_rows import class_title, error_text

NOTHING_CHOSEN = "Choose a row or a point: what was assumed of it, and where it comes from, stands here."


def row_html(row: EvidenceRow | None) -> str:
    """Return all that is known of a row."""
    if row is None:
        return f"<p>{NOTHING_CHOSEN}</p>"
    lines = [("Published", value_text(row.published, row.unit)), ("Predicted", value_text(row.predicted, row.unit))]
    if row.low is not None and row.high is not None:
        both = f"{value_text(row.low, row.unit)} to {value_text(row.high, row.unit)}"
        lines.append(("Spread", both))
    lines.append(("Error", error_text(row)))
    if row.rate and row.predicted:
        lines.append(("As time", percent_text(row.class_error_pct)))
    if row.tolerance_pct is not None:
        lines.append(("Allowed", percent_text(row.tolerance_pct)))
    if not row.judged:
        lines.append(("Judged", "no, shown for information"))
    lines += [
        ("Not predicted", row.reason),
        ("Class", class_title(row.kind)),
        ("Table", row.table),
        ("Quantity", row.quantity.replace("_", " ")),
        ("Software", row.software or "no date or release is stated"),
        ("Assumed", row.assumed or ("nothing" if row.predicted is not None else "")),
        ("Source", row.source),
        ("Remarks", row.note),
    ]
    cells = "".join(
        f"<tr><td style='padding-right:10px; white-space:nowrap'>{name}</td><td>{html.escape(words)}</td></tr>"
        for name, words in lines
        if words
    )
    return f"<p><b>{html.escape(row.id)}</b></p><table>{cells}</table>"


def summary_text(rows: list[EvidenceRow], total: int) -> str:
    """Return how far off the listed rows are, in a sentence."""
    summary = Summary.of(rows, as_time=True)
    count = f"{units.number(len(rows))} of {units.number(total)} rows"
    if summary.mean_abs_error_pct is None:
        return f"{count}; none of them is judged and predicted."
    names = ("median", summary.median_abs_error_pct), ("mean", summary.mean_abs_error_pct)
    sizes = ", ".join(f"{name} {percent_text(value)}" for name, value in names)
    ninth, bias = percent_text(summary.p90_abs_error_pct), percent_text(summary.bias_pct)
    rest = summary.rows - summary.predicted
    left = f"; {rest} not predicted" if rest else ""
    time = " of time" if any(row.rate for row in rows) else ""
    return f"{count}. Error{time}: {sizes}, 90th percentile {ninth}, bias {bias}{left}."
