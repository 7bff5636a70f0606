"""The sub-command evidence: predicted against published."""

from __future__ import annotations

from typing import Any

import click

from wattsweights_gui.cli.failures import WrongRequest
from wattsweights_gui.cli.output import JSON, say, say_json, table, working
from wattsweights_gui.engine.evidence.rows import percent_text, value_text

_COLUMNS = ("id", "quantity", "published", "predicted", "error", "allowed", "software", "")
_SUMMARY = ("rows", "median error", "mean error", "90th percentile", "bias", "lowest", "highest", "failed")


@click.command()
@click.argument("files", metavar="[FILE]...", nargs=-1)
@click.option("--rows/--no-rows", default=True, help="Whether every row is listed, or the summary alone.")
@JSON
def evidence(files: tuple[str, ...], rows: bool, as_json: bool) -> None:
    """Compare what the program predicts with what was published: the tables that ship, or FILEs of the same schema.

    Errors are in per cent of the published value. A class of training times states errors of time: a throughput that is
    predicted too low is a time too long.
    """
    from wattsweights_gui.catalog.load import catalog
    from wattsweights_gui.engine.evidence import EvidenceReport, report
    from wattsweights_gui.exchange import evidence_file

    found: list[Any] = []
    try:
        named = [(path, evidence_file.read(path)) for path in (files or evidence_file.shipped())]
    except evidence_file.UnreadableEvidenceError as error:
        raise WrongRequest(str(error)) from None
    with working():
        for path, document in named:
            try:
                found += report([document], catalog()).rows
            except ValueError as error:
                raise WrongRequest(f"{path}: {error}") from None
        plain = EvidenceReport(tuple(found)).plain()
    if as_json:
        say_json(plain)
        return
    for line in lines(plain, rows):
        say(line)


def lines(plain: dict[str, Any], with_rows: bool) -> list[str]:
    """Return every row table by table, and the summary."""
    if not plain["rows"]:
        return ["There are no rows to compare."]
    text: list[str] = []
    tables: dict[str, list[dict[str, Any]]] = {}
    for row in plain["rows"]:
        tables.setdefault(row["table"], []).append(row)
    for name, rows in tables.items() if with_rows else ():
        text += [name, *(f"  {line}" for line in table([_COLUMNS, *(_row(r) for r in rows)], right=(2, 3, 4, 5))), ""]
    by_table = [(name, *_summed(s)) for name, s in plain["summary"].items()]
    by_class = [(s["title"], *_summed(s)) for s in plain["classes"].values()]
    right = range(1, len(_SUMMARY) + 1)
    text += table([("table", *_SUMMARY), *by_table], right=right)
    return [*text, "", *table([("class", *_SUMMARY), *by_class], right=right)]


def _summed(summary: dict[str, Any]) -> tuple[str, ...]:
    names = ("median_abs_error", "mean_abs_error", "p90_abs_error", "bias", "lowest_error", "highest_error")
    return str(summary["rows"]), *(percent_text(summary[f"{name}_pct"]) for name in names), str(summary["failed"])


def _row(row: dict[str, Any]) -> tuple[str, ...]:
    remark = row.get("reason") or ""
    if row.get("judged") is False:
        remark = f"not judged {remark}".strip()
    elif row.get("failed"):
        remark = f"failed {remark}".strip()
    if row.get("assumed"):
        remark = f"{remark}{'; ' if remark else ''}assumed: {row['assumed']}"
    unit = row.get("unit") or ""
    return (
        str(row["id"]),
        str(row["quantity"]),
        value_text(row["published"], unit),
        value_text(row["predicted"], unit),
        percent_text(row["error_pct"]),
        percent_text(row["tolerance_pct"]),
        str(row.get("software") or ""),
        remark,
    )
