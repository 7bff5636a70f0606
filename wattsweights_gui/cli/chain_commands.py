"""Sub-commands that size: size, search, levers, check."""

from __future__ import annotations

from typing import Any

import click

from wattsweights_gui.cli.output import JSON, UNITS, say, say_json, working

SET = click.option(
    "--set", "assignments", multiple=True, metavar="PATH=VALUE", help="Change a value for this run; may be repeated."
)


@click.command()
@click.argument("file")
@SET
@UNITS
@JSON
def size(file: str, assignments: tuple[str, ...], units: Any, as_json: bool) -> None:
    """Size the whole chain of FILE: every layer, both ends and where they collide."""
    from wattsweights_gui.cli import sizing_text, work

    sizing = work.sized(*work.planned_and_placed(file, assignments))
    if as_json:
        say_json(sizing_json(file, sizing))
        return
    for line in sizing_text.lines(sizing.evaluation, sizing.ends, units):
        say(line)


def sizing_json(file: str, sizing: Any) -> dict[str, Any]:
    """Return the document of ``size --json``."""
    from wattsweights_gui import __version__
    from wattsweights_gui.cli import work
    from wattsweights_gui.project.plan_json import encoded

    evaluation, ends = sizing.evaluation, sizing.ends
    layers = {}
    for name, inputs in evaluation.plan.layers.items():
        values, chosen = encoded(inputs)
        layers[name] = {"inputs": values, "set": chosen, "result": evaluation.results[name].plain()}
    return {
        "program": f"WattsWeights {__version__}",
        "file": file,
        "project": evaluation.plan.info.model_dump(mode="json"),
        "layers": layers,
        "both_ends": ends.plain(),
        "counted": "plan" if evaluation.placed is None else "placed",
        "placed_racks": 0 if evaluation.placed is None else len(evaluation.placed.racks),
        "fullest_rack": evaluation.fullest_rack or None,
        "findings": [work.finding_json(f) for f in evaluation.findings],
    }


@click.command()
@click.argument("file")
@SET
@JSON
def check(file: str, assignments: tuple[str, ...], as_json: bool) -> None:
    """Apply the design rules to FILE: what is wrong with the plan, its racks and its fabric, worst first."""
    from wattsweights_gui.cli import sizing_text, work
    from wattsweights_gui.layout.placed_findings import placed_findings

    document = work.opened(file).document
    evaluation = work.evaluated(work.planned_of(document, assignments), document.placements)
    with working():
        placed = placed_findings(evaluation, document.placements, document.fabric)
    findings = sizing_text.worst_first((*evaluation.findings, *placed))
    if as_json:
        say_json({"file": file, "findings": [work.finding_json(f) for f in findings]})
        return
    for line in sizing_text.findings_lines(findings):
        say(line)


@click.command()
@click.argument("file")
@SET
@UNITS
@click.option("--top", type=click.IntRange(1, 100), default=5, show_default=True, help="Layouts that are shown.")
@JSON
def levers(file: str, assignments: tuple[str, ...], units: Any, top: int, as_json: bool) -> None:
    """Size every way out of the collision in FILE, and the best pairs; best first."""
    from wattsweights_gui.catalog.load import catalog
    from wattsweights_gui.cli import levers_text, work
    from wattsweights_gui.engine.levers import levers as size_levers
    from wattsweights_gui.layout.counted import counted_racks

    plan, placements = work.planned_and_placed(file, assignments)
    with working():
        report = size_levers(plan, catalog(), placed=counted_racks(placements, catalog()))
    if as_json:
        say_json({"file": file, **report.plain()})
        return
    for line in levers_text.lines(report, units, top):
        say(line)


COMMANDS = (size, levers, check)
