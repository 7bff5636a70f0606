"""The sub-command evidence: predicted against published."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from wattsweights_gui.cli.failures import WrongRequest
from wattsweights_gui.cli.output import JSON, say, say_json, table, working
from wattsweights_gui.engine import units

MAX_BYTES = 64 * 1024 * 1024
_COLUMNS = ("id", "quantity", "published", "predicted", "error", "allowed", "")


@click.command()
@click.argument("files", metavar="[FILE]...", nargs=-1)
@click.option("--rows/--no-rows", default=True, help="Whether every row is listed, or the summary alone.")
@JSON
def evidence(files: tuple[str, ...], rows: bool, as_json: bool) -> None:
    """Compare what the program predicts with what was published: the tables that ship, or FILEs of the same schema."""
    named = [(name, _read_models(_document(Path(name)), name)) for name in (files or _shipped())]
    from wattsweights_gui.catalog.load import catalog
    from wattsweights_gui.engine.evidence import EvidenceReport, report

    found: list[Any] = []
    with working():
        for name, document in named:
            try:
                found += report([document], catalog()).rows
            except ValueError as error:
                raise WrongRequest(f"{name}: {error}") from None
        plain = EvidenceReport(tuple(found)).plain()
    if as_json:
        say_json(plain)
        return
    for line in lines(plain, rows):
        say(line)


def _shipped() -> list[str]:
    from wattsweights_gui import paths

    tables = sorted(paths.resource("evidence").glob("*_golden.json"))
    return [str(p) for p in (*tables, paths.resource("catalog", "hf_configs.json"))]


def _document(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise WrongRequest(f"{path}: the file is too large for a table of evidence.")
        data = json.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        reason = "there is no such file" if isinstance(error, FileNotFoundError) else (error.strerror or str(error))
        raise WrongRequest(f"{path}: {reason}.") from None
    except (ValueError, RecursionError):
        raise WrongRequest(f"{path}: this is no JSON; name a table of evidence like those that ship.") from None
    if not isinstance(data, dict):
        raise WrongRequest(f"{path}: this is no table of evidence; it has to be a JSON object with tables of rows.")
    return data


def _read_models(document: dict[str, Any], name: str) -> dict[str, Any]:
    from wattsweights_gui.exchange.model_evidence import with_shapes

    if "models" not in document or "rows" in document:
        return document
    try:
        return with_shapes(document)
    except ValueError as error:
        raise WrongRequest(f"{name}: {error}") from None


def lines(plain: dict[str, Any], with_rows: bool) -> list[str]:
    """Return every row table by table, and the summary."""
    text: list[str] = []
    tables: dict[str, list[dict[str, Any]]] = {}
    for row in plain["rows"]:
        tables.setdefault(row["table"], []).append(row)
    for name, rows in tables.items() if with_rows else ():
        text += [name, *(f"  {line}" for line in table([_COLUMNS, *(_row(r) for r in rows)], right=(2, 3, 4, 5))), ""]
    head = ("table", "rows", "median error", "90th percentile", "bias", "failed")
    summary = [
        (
            name,
            str(s["rows"]),
            _percent(s["median_abs_error_pct"]),
            _percent(s["p90_abs_error_pct"]),
            _percent(s["bias_pct"]),
            str(s["failed"]),
        )
        for name, s in _named(plain["summary"])
    ]
    return [*text, *table([head, *summary], right=(1, 2, 3, 4, 5))]


def _named(summary: Any) -> Iterable[tuple[str, dict[str, Any]]]:
    return summary.items() if isinstance(summary, dict) else [(s["table"], s) for s in summary]


def _row(row: dict[str, Any]) -> tuple[str, ...]:
    remark = row.get("reason") or ""
    if row.get("judged") is False:
        remark = f"not judged {remark}".strip()
    elif row.get("failed"):
        remark = f"failed {remark}".strip()
    unit = row.get("unit") or ""
    return (
        str(row["id"]),
        str(row["quantity"]),
        _value(row["published"], unit),
        _value(row["predicted"], unit),
        _percent(row["error_pct"]),
        _percent(row["tolerance_pct"]),
        remark,
    )


def _value(value: Any, unit: str) -> str:
    if isinstance(value, dict | list):
        return json.dumps(value)
    return units.text(value, unit) if unit in units.UNITS else f"{units.text(value, '')} {unit}".strip()


def _percent(value: Any) -> str:
    return "–" if value is None else f"{units.number(float(value))} %"
