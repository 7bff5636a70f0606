"""The sub-command fabric-check: cables as built against the plan."""

from __future__ import annotations

from collections import Counter

import click

from wattsweights_gui.cli.failures import WrongRequest
from wattsweights_gui.cli.output import JSON, say, say_json, working
from wattsweights_gui.layout.as_built import BuiltCable, Difference

_WORDS = {"wrong_peer": "wrong peer", "missing": "missing", "wrong_speed": "wrong speed", "extra": "extra"}


@click.command("fabric-check")
@click.argument("file")
@click.argument("log")
@JSON
def fabric_check(file: str, log: str, as_json: bool) -> None:
    """Hold the cables in LOG against FILE: missing, extra and crossed ones, wrong speed.

    LOG is what ibnetdiscover or ibnetdiscover -p prints. FILE is a project, or a cable plan (CSV with a_device, a_port,
    b_device, b_port, speed_gbit_s), such as export --to cables-csv writes.
    """
    from wattsweights_gui.exchange import ibnetdiscover
    from wattsweights_gui.exchange.text_file import NotText, text_of
    from wattsweights_gui.layout.as_built import compare
    from wattsweights_gui.layout.as_built_names import NamesDifferError, with_planned_ports

    plan = _planned(file)
    try:
        built = ibnetdiscover.read(text_of(log))
    except (NotText, ibnetdiscover.NotReadError) as error:
        raise WrongRequest(f"{log}: {error}") from None
    try:
        with working():
            found = compare(plan, with_planned_ports(plan, built))
    except NamesDifferError as error:
        raise WrongRequest(str(error)) from None
    except ValueError as error:
        raise WrongRequest(f"{file} and {log} cannot be compared: {error}") from None
    if as_json:
        say_json(
            {
                "file": file,
                "log": log,
                "plan_cables": len(plan),
                "built_cables": len(built),
                "findings": [_json(d) for d in found],
            }
        )
        return
    say(f"{len(plan):,} cables planned, {len(built):,} built.")
    counts = Counter(d.kind for d in found)
    say(", ".join(f"{n} {_WORDS[kind]}" for kind, n in counts.items()) + "." if found else "All as planned.")
    for difference in found:
        say(f"{_WORDS[difference.kind]:<12} {difference.sentence}")


def _planned(file: str) -> tuple[BuiltCable, ...]:
    """Return the cables of a project, edits on its fabric included, or of a cable plan."""
    if file.casefold().endswith(".csv"):
        from wattsweights_gui.exchange import cable_plan
        from wattsweights_gui.exchange.text_file import NotText, text_of

        try:
            return cable_plan.read(text_of(file))
        except (NotText, cable_plan.NotReadError) as error:
            raise WrongRequest(f"{file}: {error}") from None
    from wattsweights_gui.cli import work
    from wattsweights_gui.layout.as_built_names import planned_cables
    from wattsweights_gui.layout.edited_fabric import NoFabricError, base_of, edited_fabric

    document = work.opened(file).document
    evaluation = work.evaluated(work.planned_of(document), document.placements)
    try:
        return planned_cables(edited_fabric(base_of(evaluation), document.fabric))
    except NoFabricError as error:
        raise WrongRequest(f"{file}: {error}") from None


def _json(difference: Difference) -> dict[str, object]:
    return {
        "kind": difference.kind,
        "planned": list(difference.planned),
        "found": list(difference.found),
        "planned_speed": difference.planned_speed,
        "found_speed": difference.found_speed,
        "note": difference.note,
        "message": difference.sentence,
    }
