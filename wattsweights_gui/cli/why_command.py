"""The sub-command why: where a number comes from."""

from __future__ import annotations

import difflib
from typing import Any

import click

from wattsweights_gui.cli.chain_commands import SET
from wattsweights_gui.cli.failures import WrongRequest
from wattsweights_gui.cli.output import JSON, UNITS, say, say_json

MAX_DEPTH = 20


@click.command()
@click.argument("file")
@click.argument("path")
@SET
@UNITS
@click.option("--depth", type=click.IntRange(1, MAX_DEPTH), default=MAX_DEPTH, help="Steps that are walked back.")
@JSON
def why(file: str, path: str, assignments: tuple[str, ...], units: Any, depth: int, as_json: bool) -> None:
    """Say where the number at PATH comes from: formula, the numbers put in, and their sources."""
    from wattsweights_gui.cli import work

    figure = found(work.sized(*work.planned_and_placed(file, assignments)), path)
    if as_json:
        say_json({"file": file, **tree(figure, units, depth)})
        return
    for line in text(figure, units, depth):
        say(line)


def found(sizing: Any, path: str) -> Any:
    """Return the figure of a path as the JSON writes it, or shorter (``power.it_power_kw``).

    Raises:
        WrongRequest: there is none, with those that are spelt alike.
    """
    parts = path.split(".")
    if parts[0] == "both_ends" and len(parts) == 3 and parts[1] in ("need", "have"):
        end = getattr(sizing.ends, parts[1]).figures()
        if parts[2] in end:
            return end[parts[2]]
    elif path == "both_ends.largest_params_b":
        return sizing.ends.largest_params_b
    elif parts[0] == "catalog" and len(parts) == 3:
        try:
            return sizing.evaluation.catalog.entry(parts[1]).fig(parts[2])
        except KeyError:
            raise WrongRequest(f"{path}: the catalogue has no entry “{parts[1]}”.") from None
    try:
        return sizing.evaluation.figure(path)
    except (KeyError, AttributeError):
        known = list(dict.fromkeys(_paths(sizing)))
        near = difflib.get_close_matches(path.removeprefix("layers.").replace(".result", ""), known, 5, 0.5)
        hint = f"; did you mean {', '.join(near)}?" if near else "; size --json names all there are."
        raise WrongRequest(f"{path}: there is no such number{hint}") from None


def _paths(sizing: Any) -> list[str]:
    from wattsweights_gui.engine.plan import fields_of

    results = [f"{layer}.{name}" for layer, r in sizing.evaluation.results.items() for name, _ in r.figures()]
    ends = [f"both_ends.{end}.{name}" for end in ("need", "have") for name in sizing.ends.need.figures()]
    return [*results, *fields_of(sizing.evaluation.plan), *ends]


def tree(figure: Any, system: Any, depth: int, _seen: set[Any] | None = None) -> dict[str, Any]:
    """Return a figure and what it was made of; what has been explained before is not explained again."""
    seen = _seen if _seen is not None else set()
    told = {
        "path": figure.path,
        "title": figure.title,
        "value": figure.value,
        "unit": figure.unit,
        "text": figure.text(system),
        "low": figure.low,
        "high": figure.high,
        "formula": figure.formula,
        "source": figure.source,
    }
    key = figure.path or id(figure)
    if figure.operands and key in seen:
        return {**told, "operands": [], "explained_above": True}
    seen.add(key)
    if figure.operands and depth <= 1:
        return {**told, "operands": [], "explained_above": False}
    operands = [{"name": name, **tree(operand, system, depth - 1, seen)} for name, operand in figure.operands]
    return {**told, "operands": operands}


def text(figure: Any, system: Any, depth: int) -> list[str]:
    """Return the tree as indented lines."""
    return _lines(tree(figure, system, depth), 0)


def _lines(told: dict[str, Any], level: int) -> list[str]:
    margin = "    " * level
    name = f"{told['name']}: " if "name" in told else ""
    spread = f" ({told['low']:g} to {told['high']:g})" if None not in (told["low"], told["high"]) else ""
    where = f"  [{told['path']}]" if told["path"] else ""
    text = [f"{margin}{name}{told['title']} = {told['text']}{spread}{where}".replace(":  =", " =")]
    if told.get("explained_above"):
        return [f"{text[0]} (explained above)"]
    if told["formula"]:
        text.append(f"{margin}    {'= ' if told['value'] is not None else 'not known: '}{told['formula']}")
    if told["source"]:
        text.append(f"{margin}    source: {told['source']}")
    for operand in told["operands"]:
        text += _lines(operand, level + 1)
    return text
