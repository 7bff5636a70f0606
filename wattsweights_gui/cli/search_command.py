"""The sub-command search: the best layouts of a plan."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, is_dataclass
from typing import Any

import click

from wattsweights_gui.cli.chain_commands import SET
from wattsweights_gui.cli.output import JSON, say, say_json, table, working
from wattsweights_gui.engine import units


@click.command()
@click.argument("file")
@SET
@click.option("--top", type=click.IntRange(1, 1000), default=10, show_default=True, help="Layouts that are shown.")
@JSON
def search(file: str, assignments: tuple[str, ...], top: int, as_json: bool) -> None:
    """Search the layouts of the model in FILE over its GPUs; the best, and those that no other beats in everything."""
    from wattsweights_gui.catalog.load import catalog
    from wattsweights_gui.cli import work
    from wattsweights_gui.cli.assignments import assigned
    from wattsweights_gui.engine.chain import refuse_unknown_names
    from wattsweights_gui.engine.search import search as search_layouts

    plan, _ = assigned(work.opened(file).document.plan, assignments)
    refuse_unknown_names(plan, catalog())
    began = time.perf_counter()
    with working():
        found = search_layouts(plan, catalog())
    seconds = time.perf_counter() - began
    best = found.best if isinstance(found.best, Sequence) else ([] if found.best is None else [found.best])
    answer: dict[str, Any] = {
        "file": file,
        "evaluated": int(found.evaluated),
        "seconds": seconds,
        "best": [layout_json(layout) for layout in best[:top]],
        "front": [layout_json(layout) for layout in found.front],
    }
    if as_json:
        say_json(answer)
        return
    say(f"{answer['evaluated']:,} layouts evaluated in {seconds:.2f} s.")
    for title, rows in (("The best:", answer["best"]), ("Beaten by no other in everything:", answer["front"][:top])):
        if rows:
            say()
            say(title)
            for line in lines(rows):
                say(f"  {line}")
    if not best:
        say("No layout fits the memory of these GPUs.")


def layout_json(layout: Any) -> dict[str, Any]:
    """Return a layout as plain values by name."""
    if hasattr(layout, "plain"):
        plain: dict[str, Any] = layout.plain()
        return plain
    return asdict(layout) if is_dataclass(layout) and not isinstance(layout, type) else dict(layout)


def lines(layouts: Sequence[dict[str, Any]]) -> list[str]:
    """Return layouts as a table; what is no plain value is left to the JSON."""
    names = [k for k, v in layouts[0].items() if isinstance(v, str | int | float | bool) or v is None]
    rows = [tuple(units.text(layout.get(name), "") for name in names) for layout in layouts]
    return table([tuple(names), *rows], right=range(len(names)))
