"""The sized chain as text for people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from wattsweights_gui.cli.output import table
from wattsweights_gui.engine import units
from wattsweights_gui.engine.both_ends import BothEnds, verdict
from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.declare import Figure, Finding, Need
from wattsweights_gui.engine.layers import layer_named

SEVERITIES = ("blocker", "caution", "note")
_ENDS = {
    "gpus": "GPUs",
    "nodes": "Nodes",
    "racks": "Racks",
    "it_power_kw": "IT power",
    "facility_power_kw": "Facility power",
    "liquid_heat_kw": "Heat to liquid",
    "air_heat_kw": "Heat to air",
    "facility_water_l_min": "Facility water",
    "floor_m2": "Floor",
    "days": "Days",
}


def lines(evaluation: Evaluation, ends: BothEnds, system: units.System) -> list[str]:
    """Return the verdict, both ends, what binds, a table a layer, and the findings."""
    info = evaluation.plan.info
    head = [
        f"{info.project}{' for ' + info.customer if info.customer else ''}",
        "",
        verdict(evaluation, ends, system),
        "",
    ]
    text = head + _both_ends(ends, system)
    if ends.binding:
        text += ["", "What does not hold, worst first:", *_needs(ends.binding, system)]
    for name, outcome in evaluation.results.items():
        layer = layer_named(name)
        rows = [(f.title, _value(f, system), f.path) for _, f in outcome.figures()]
        text += ["", f"{layer.title}: {layer.about}", *_indented(table(rows, right=(1,)))]
    findings = worst_first(evaluation.findings)
    return [*text, "", *findings_lines(findings)]


def worst_first(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings by severity, else in chain order."""
    return sorted(findings, key=lambda f: SEVERITIES.index(f.severity))


def findings_lines(findings: Iterable[Finding]) -> list[str]:
    """Return each finding with its source and the edit that mends it."""
    text = []
    for finding in findings:
        text.append(f"{finding.severity}: {finding.subject}: {finding.message}")
        if finding.source:
            text.append(f"    source: {finding.source}")
        if finding.fix:
            edits = " ".join(f"{path}={_typed(value)}" for path, value in finding.fix)
            text.append(f"    {finding.fix_title or 'to mend it'}: {edits}")
    return text or ["Nothing is wrong with the plan."]


def _typed(value: Any) -> str:
    """Return a value as it is written after ``--set``."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(getattr(value, "kind", value))


def _both_ends(ends: BothEnds, system: units.System) -> list[str]:
    need, have = ends.need.figures(), ends.have.figures()
    rows = [("", "the model needs", "the facility has")]
    rows += [(title, _value(need[name], system), _value(have[name], system)) for name, title in _ENDS.items()]
    largest, used, hosted = ends.largest_params_b, ends.have.gpus_used, ends.have.gpus
    text = table(rows, right=(1, 2))
    if used.known and used.value != hosted.value:
        text.append(
            f"The days of the facility are those of this layout's whole replicas on {used.text(system)} of the "
            f"{hosted.text(system)} GPUs; a search may find a layout that uses more."
        )
    if largest.known:
        text.append(f"The largest model that this hall trains in the days wanted: {largest.text(system)} (an estimate)")
    return text


def _needs(needs: Iterable[Need], system: units.System) -> list[str]:
    rows = [("layer", "quantity", "need", "have", "limit from")]
    for need in needs:
        source = need.have.source or need.have.path
        rows.append((need.layer, need.title, _value(need.need, system), _value(need.have, system), source))
    return _indented(table(rows, right=(2, 3)))


def _value(figure: Figure, system: units.System) -> str:
    text = figure.text(system)
    if figure.low is not None and figure.high is not None and figure.known:
        low, high = (units.text(x, figure.unit, system) for x in (figure.low, figure.high))
        return f"{text} ({low} to {high})"
    return text


def _indented(text: Iterable[str]) -> list[str]:
    return [f"  {line}" for line in text]
