"""The sub-command search: the best layouts of a plan over GPUs, their types and precisions; why not another."""

from __future__ import annotations

import time
from typing import Any

import click

from wattsweights_gui.cli.chain_commands import SET
from wattsweights_gui.cli.failures import WrongRequest
from wattsweights_gui.cli.output import JSON, UNITS, say, say_json, working

OBJECTIVES = ("days", "gpus", "throughput", "power", "energy", "cost")


@click.command()
@click.argument("file")
@SET
@click.option("--top", type=click.IntRange(1, 1000), default=10, show_default=True, help="Layouts that are shown.")
@click.option(
    "--gpus", metavar="NUMBERS", help="512, a list 256,512 or a range 256-4096:8; else the plan's own number."
)
@click.option("--gpu-type", "gpu_types", metavar="ID,…", help="GPUs of the catalogue; else the plan's own.")
@click.option("--precision", "precisions", metavar="NAME,…", help="Such as bf16,fp8; else the plan's own.")
@click.option(
    "--objective",
    type=click.Choice(OBJECTIVES, case_sensitive=False),
    default="days",
    show_default=True,
    help="What the best is best in.",
)
@click.option("--front", metavar="A,B", help="Two objectives whose front is shown.  [default: gpus,days]")
@click.option("--wide", is_flag=True, help="Try every degree that divides, all schedules and all shardings.")
@click.option("--usd-per-kwh", type=click.FloatRange(0), help="Price of energy, for the cost.")
@click.option("--usd-per-gpu-hour", metavar="PRICE", help="Of a GPU for an hour: 3.5, or h100_sxm=3,b200=5.5 by type.")
@click.option("--why-not", metavar="LAYOUT", help="Ask about one layout, such as tp=16,pp=8; nothing else is shown.")
@UNITS
@JSON
def search(
    file: str,
    assignments: tuple[str, ...],
    top: int,
    gpus: str | None,
    gpu_types: str | None,
    precisions: str | None,
    objective: str,
    front: str | None,
    wide: bool,
    usd_per_kwh: float | None,
    usd_per_gpu_hour: str | None,
    why_not: str | None,
    units: Any,
    as_json: bool,
) -> None:
    """Search the layouts of the model in FILE: the best, those that no other beats in two objectives, or why not one.

    All valid layouts are sized: tensor, pipeline, data, context, expert and expert-tensor parallelism, micro batch,
    interleave, schedule, recompute and sharding.
    """
    from wattsweights_gui.catalog.load import catalog
    from wattsweights_gui.cli import search_text, work
    from wattsweights_gui.engine import search as engine
    from wattsweights_gui.engine.search_words import counts_of, front_of, layout_of, price_of

    if front is not None and why_not is not None:
        raise WrongRequest("--front goes with a search, not with --why-not; leave one of them out.")
    counts = counts_of(gpus) if gpus is not None else None
    asked = layout_of(why_not) if why_not is not None else {}
    two = front_of(front) if front is not None else ("gpus", "days")
    hour, hours = price_of(usd_per_gpu_hour) if usd_per_gpu_hour is not None else (None, ())
    prices = engine.Prices(usd_per_kwh, hour, hours)
    if "cost" in (objective, *two) and not prices.given:
        raise WrongRequest("A cost needs a price: give --usd-per-kwh, --usd-per-gpu-hour, or both.")
    known = {entry.id for entry in catalog().of_kind("gpu")}
    for gpu in [gpu for gpu, _ in hours if gpu not in known]:
        raise WrongRequest(f"--usd-per-gpu-hour: “{gpu}” is no GPU of the catalogue.")
    plan = work.planned(file, assignments)
    if asked:
        if counts is not None and len(counts) > 1:
            raise WrongRequest(
                f"--why-not looks at one number of GPUs, not at {len(counts)}: write --gpus {counts[0]}."
            )
        with working():
            about = engine.explain(plan, catalog(), asked, gpus=counts[0] if counts else None)
        if as_json:
            say_json({"file": file, **search_text.why_not_json(about)})
        else:
            for line in search_text.why_not_lines(about, units):
                say(line)
        return
    began = time.perf_counter()
    with working():
        found = engine.search(
            plan,
            catalog(),
            gpus=counts,
            objective=objective,
            front=two,
            axes="wide" if wide else "usual",
            gpu_types=_listed("--gpu-type", gpu_types),
            precisions=_listed("--precision", precisions),
            prices=prices,
            top=top,
        )
    seconds = time.perf_counter() - began
    if as_json:
        say_json({"file": file, "seconds": seconds, **search_text.result_json(found)})
        return
    for line in search_text.result_lines(found, seconds, top, units):
        say(line)


def _listed(option: str, typed: str | None) -> list[str] | None:
    if typed is None:
        return None
    names = [name.strip() for name in typed.split(",") if name.strip()]
    if not names:
        raise WrongRequest(f"{option}: “{typed}” names nothing; write names with commas between them.")
    return names
