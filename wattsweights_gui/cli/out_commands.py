"""Sub-commands that write for others: report, export."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import click

from wattsweights_gui.cli.chain_commands import SET
from wattsweights_gui.cli.failures import WrongRequest
from wattsweights_gui.cli.output import JSON, UNITS, say, say_json, working, write_file


@click.command()
@click.argument("file")
@click.option("-o", "--output", required=True, metavar="OUT.pdf", help="The PDF that is written.")
@click.option("--sheets", metavar="LIST", help="Sheets by name, with commas between them; all where none is named.")
@click.option("--paper", default="A4", show_default=True, help="Paper size.")
@SET
@UNITS
@JSON
def report(
    file: str, output: str, sheets: str | None, paper: str, assignments: tuple[str, ...], units: Any, as_json: bool
) -> None:
    """Print FILE as a PDF: cover, conversation, the sheets of the hall, then a section a layer."""
    from wattsweights_gui import reports
    from wattsweights_gui.drawing.paper import paper_named

    try:
        chosen = reports.sheets_named(sheets)
    except ValueError as error:
        raise WrongRequest(f"--sheets: {error}") from None
    try:
        size = paper_named(paper).name
    except ValueError as error:
        raise WrongRequest(f"--paper: {error}") from None
    from wattsweights_gui.catalog.load import catalog
    from wattsweights_gui.cli import work
    from wattsweights_gui.engine.levers import levers
    from wattsweights_gui.reports import to_pdf

    plan, placements = work.planned_and_placed(file, assignments)
    sizing = work.sized(plan, placements)
    with working():
        lever_report = levers(plan, catalog(), placed=sizing.evaluation.placed)
        pages = reports.build(
            sizing.evaluation,
            sizing.ends,
            lever_report,
            units=units,
            sheets=chosen,
            printed=date.today().isoformat(),
            paper=size,
            placements=placements,
        )
        write_file(output, lambda part: to_pdf.write(pages, part))
    if as_json:
        say_json({"file": file, "output": output, "pages": len(pages), "sheets": list(chosen)})
    else:
        say(f"{output}: {len(pages)} pages")


@click.command()
@click.argument("file")
@click.option(
    "--to", "format", required=True, metavar="FORMAT", help="csv, json, xlsx, or one of the fabric's (see below)."
)
@click.option("-o", "--output", required=True, metavar="OUT", help="The file that is written.")
@SET
@UNITS
@JSON
def export(file: str, format: str, output: str, assignments: tuple[str, ...], units: Any, as_json: bool) -> None:
    """Export the figures of FILE as a table: csv and json in the units of the JSON, xlsx as shown.

    The fabric and its racks go out as cables-csv, slurm-tree, slurm-tree-yaml, slurm-block, slurm-block-yaml, graphml,
    dot, netbox-racks, netbox-devices, netbox-cables, hostfile and rankfile.
    """
    from wattsweights_gui.exchange import registry
    from wattsweights_gui.exchange.fabric_formats import FORMATS

    formats = (*registry.EXPORTERS, "xlsx", *FORMATS)
    name = format.casefold()
    if name not in formats:
        raise WrongRequest(f"--to: “{format}” is no format; choose from {', '.join(formats)}.")
    from wattsweights_gui.cli import work

    if name in FORMATS:
        data = _fabric(file, name, assignments)
        write_file(output, lambda part: _write(part, data))
        _said(file, output, name, data, as_json)
        return
    plan, placements = work.planned_and_placed(file, assignments)
    sizing = work.sized(plan, placements)
    with working():
        if name == "xlsx":
            from wattsweights_gui.reports import to_xlsx

            data = to_xlsx.to_bytes(sizing.evaluation, sizing.ends, units, placements)
        else:
            data = registry.EXPORTERS[name](sizing.evaluation)
        write_file(output, lambda part: _write(part, data))
    _said(file, output, name, data, as_json)


def _fabric(file: str, name: str, assignments: tuple[str, ...]) -> bytes:
    """Return a file's fabric in a format; racks as they are placed in it, else as the plan fills them."""
    from wattsweights_gui.cli import work
    from wattsweights_gui.exchange.fabric_formats import FORMATS
    from wattsweights_gui.layout.edited_fabric import NoFabricError
    from wattsweights_gui.layout.planned_cabling import planned_cabling

    plan, placed = work.planned_and_placed(file, assignments)
    evaluation = work.evaluated(plan, placed)
    try:
        with working():
            return FORMATS[name][1](planned_cabling(evaluation, placed)).encode("utf-8")
    except NoFabricError as error:
        raise WrongRequest(f"--to {name}: {error}") from None


def _said(file: str, output: str, name: str, data: bytes, as_json: bool) -> None:
    if as_json:
        say_json({"file": file, "output": output, "format": name, "bytes": len(data)})
    else:
        say(f"{output}: {len(data):,} bytes of {name}")


def _write(path: Path, data: bytes) -> None:
    path.write_bytes(data)


COMMANDS = (report, export)
