"""Sub-commands that make and change project files: new, examples, set, import."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wattsweights_gui.cli.failures import WrongRequest
from wattsweights_gui.cli.output import JSON, note, say, say_json, table


@click.command()
@click.argument("file")
@click.option("--example", "name", metavar="NAME", help="Begin with an example that ships (see: examples).")
@click.option("--force", is_flag=True, help="Overwrite a file that exists.")
@JSON
def new(file: str, name: str | None, force: bool, as_json: bool) -> None:
    """Make a new project FILE."""
    from wattsweights_gui.cli import work
    from wattsweights_gui.engine.plan import default_plan
    from wattsweights_gui.project.document import Document

    if Path(file).exists() and not force:
        raise WrongRequest(f"{file}: there is a file of that name; choose another name, or overwrite it with --force.")
    document = _example(name) if name is not None else Document.of(work.settled(default_plan()))
    work.saved(document, file)
    if as_json:
        say_json({"file": file, "example": name, "project": document.plan.info.project})
    else:
        say(f"{file}: {document.plan.info.project}")


def _example(name: str) -> Any:
    from wattsweights_gui.project.examples import example, examples

    try:
        return example(name).document
    except KeyError:
        raise WrongRequest(f"There is no example “{name}”; there is {', '.join(e.name for e in examples())}.") from None


@click.command("examples")
@JSON
def list_examples(as_json: bool) -> None:
    """List the examples that ship, one a line, its name first."""
    from wattsweights_gui.project.examples import examples

    found = examples()
    if as_json:
        say_json({"examples": [{"name": e.name, "title": e.title} for e in found]})
        return
    for line in table([(e.name, e.title) for e in found]):
        say(line)


@click.command("set")
@click.argument("file")
@click.argument("assignments", metavar="PATH=VALUE...", nargs=-1, required=True)
@JSON
def set_values(file: str, assignments: tuple[str, ...], as_json: bool) -> None:
    """Change values in FILE; all of them, or none where one cannot be."""
    from wattsweights_gui.cli import work
    from wattsweights_gui.cli.assignments import assigned

    found = work.opened(file)
    before = found.document.plan
    plan, edits = assigned(before, assignments)
    plan = work.settled(plan)
    work.saved(found.document.with_plan(plan), file, found.token)
    changes = [(path, _at(before, path), _at(plan, path)) for path in dict.fromkeys(path for path, _ in edits)]
    if as_json:
        say_json({"file": file, "changed": [{"path": p, "before": b, "value": a} for p, b, a in changes]})
        return
    for path, old, value in changes:
        say(f"{path}: {_words(old)} -> {_words(value)}")


def _at(plan: Any, path: str) -> Any:
    """Return the value at a path; ``None`` where another alternative of a union has no such field."""
    from wattsweights_gui.engine.declare import Refused

    try:
        return plan.value(path)
    except Refused:
        return None


def _words(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(getattr(value, "kind", value))


@click.command("import")
@click.argument("source")
@click.option("--into", "file", required=True, metavar="FILE", help="Project file; made where there is none.")
@JSON
def import_source(source: str, file: str, as_json: bool) -> None:
    """Import SOURCE (a Hugging Face config.json, or the folder that holds it) into a project FILE."""
    from wattsweights_gui.cli import work
    from wattsweights_gui.engine.plan import default_plan
    from wattsweights_gui.exchange import registry
    from wattsweights_gui.project.document import Document

    try:
        imported = registry.imported(source)
    except registry.NotImportable as error:
        raise WrongRequest(str(error)) from None
    token = None
    if Path(file).exists():
        found = work.opened(file)
        document, token = found.document, found.token
    else:
        document = Document.of(default_plan())
    plan = work.settled(document.plan.edit(*imported.edits))
    work.saved(document.with_plan(plan), file, token)
    for remark in imported.remarks:
        note(f"{source}: {remark}")
    if as_json:
        edits = [{"path": path, "value": value} for path, value in imported.edits]
        say_json({"file": file, "source": source, "format": imported.format, "edits": edits})
        return
    say(f"{file}: {imported.title} from {source}")
    for path, value in imported.edits:
        say(f"  {path} = {_words(value)}")
        for name in sorted(getattr(value, "model_fields_set", ())):
            say(f"    {name} = {_words(getattr(value, name))}")


COMMANDS = (new, list_examples, set_values, import_source)
