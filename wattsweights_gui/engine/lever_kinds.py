"""Which levers a plan has: the offers, one function a kind, before any of them is sized."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from wattsweights_gui.engine import declare, units
from wattsweights_gui.engine.both_ends import BothEnds
from wattsweights_gui.engine.chain import Evaluation
from wattsweights_gui.engine.plan import Edit

_GPU_CAPS = (0.9, 0.8, 0.7)


@dataclass(frozen=True)
class Offer:
    """A change that may help; nothing is known of its effect until it is sized.

    ``settles`` says that an automatic layout is searched again, since the model's side changed.
    """

    id: str
    title: str
    kind: str
    edits: tuple[Edit, ...]
    settles: bool = False


Kind = Callable[[Evaluation, BothEnds], Iterator[Offer]]


def offered(evaluation: Evaluation, ends: BothEnds) -> list[Offer]:
    """Return the offers of every kind, in the order of :data:`KINDS`.

    Where the plan cannot run at all, only what makes it run is offered: no power or water mends an impossible split.
    """
    fixes = _fixes(ends)
    if ends.cannot_run:
        return [*fixes, *_layout(evaluation, ends)]
    return [*fixes, *_of_every_kind(evaluation, ends)]


def _fixes(ends: BothEnds) -> list[Offer]:
    """Return the edits that mend the blockers."""
    return [
        Offer(f"fix-{f.id.replace('.', '-').replace('_', '-')}", f.fix_title, "fix", f.fix)
        for f in {f.id: f for f in ends.blockers if f.fix}.values()
    ]


def _of_every_kind(evaluation: Evaluation, ends: BothEnds) -> list[Offer]:
    return [offer for kind in KINDS.values() for offer in kind(evaluation, ends)]


def _auto(evaluation: Evaluation) -> bool:
    return bool(evaluation.plan.value("parallelism.layout") == "auto")


def _precision(evaluation: Evaluation, ends: BothEnds) -> Iterator[Offer]:
    inputs = evaluation.plan.layers["workload"]
    gpu = evaluation.catalog.entry(evaluation.plan.value("compute.gpu"))
    now = evaluation.plan.value("workload.precision")
    names = dict(declare.settings_of(type(inputs))["precision"].choices)
    needs = {"fp8": "fp8_tflops", "fp8_block": "fp8_tflops", "mxfp8": "fp8_tflops", "nvfp4": "fp4_tflops"}
    blackwell = gpu.get("fp4_tflops") is not None
    for precision in ("bf16", "fp8", "mxfp8", "nvfp4"):
        peak = needs.get(precision)
        if precision == now or (peak and gpu.get(peak) is None) or (precision == "mxfp8" and not blackwell):
            continue
        yield Offer(
            f"precision-{precision}",
            f"Run GEMMs in {names[precision]}",
            "precision",
            (("workload.precision", precision),),
            settles=True,
        )


def _recipe(evaluation: Evaluation, ends: BothEnds) -> Iterator[Offer]:
    now = evaluation.catalog.entry(evaluation.plan.value("workload.recipe"))
    for entry in evaluation.catalog.of_kind("byte_recipe"):
        if entry.id != now.id and entry.get("production") and _bytes(entry) < _bytes(now):
            yield Offer(
                f"recipe-{entry.id.replace('_', '-')}",
                f"Hold {_bytes(entry):g} bytes a parameter: {entry.name}",
                "recipe",
                (("workload.recipe", entry.id),),
                settles=True,
            )


def _bytes(recipe: declare.Entry) -> float:
    parts = ("weights_bytes", "gradients_bytes", "master_bytes", "moments_bytes", "extra_bytes")
    return sum(float(recipe.get(part, 0.0)) for part in parts)


def _choices(path: str, kind: str, words: str) -> Kind:
    """Offer every other choice of one layout option; it pins the layout as it stands."""

    def offers(evaluation: Evaluation, ends: BothEnds) -> Iterator[Offer]:
        layer, _, field = path.partition(".")
        about = declare.settings_of(type(evaluation.plan.layers[layer]))[field]
        for value, name in about.choices:
            if value != evaluation.plan.value(path):
                yield Offer(f"{kind}-{value.replace('_', '-')}", f"{words}: {name.lower()}", kind, ((path, value),))

    return offers


def _layout(evaluation: Evaluation, ends: BothEnds) -> Iterator[Offer]:
    hosted = ends.have.gpus.value
    if not _auto(evaluation):
        yield Offer(
            "layout-auto",
            "Let the search choose the layout",
            "layout",
            (("parallelism.layout", "auto"),),
            settles=True,
        )
    if isinstance(hosted, int | float) and hosted >= 1 and ends.need.gpus.value and hosted < ends.need.gpus.number:
        yield Offer(
            "layout-hosted",
            f"Train on the {units.text(hosted, 'count')} GPUs that the facility hosts",
            "layout",
            (("parallelism.gpus", int(hosted)), ("parallelism.layout", "auto")),
            settles=True,
        )


def _gpu(evaluation: Evaluation, ends: BothEnds) -> Iterator[Offer]:
    now = evaluation.plan.value("compute.gpu")
    in_air = evaluation.plan.value("cooling.technology").kind in ("air", "rear_door")
    systems = {entry.get("gpu"): entry for entry in reversed(evaluation.catalog.of_kind("system"))}
    for entry in evaluation.catalog.of_kind("gpu"):
        system = systems.get(entry.id)
        if entry.id == now or system is None or not entry.get("bf16_tflops"):
            continue
        edits: list[Edit] = [
            ("compute.gpu", entry.id),
            ("compute.power_cap_w", None),
            ("cluster.system", None),
            ("cluster.nodes_per_rack", None),
            ("fabric.design", None),
        ]
        words = f"Use {entry.name}"
        if in_air and "liquid" in str(system.get("cooling")):
            edits.append(("cooling.technology", "single_phase"))
            words += ", liquid-cooled"
        yield Offer(f"gpu-{entry.id.replace('_', '-')}", words, "gpu", tuple(edits), settles=True)


def _power_cap(evaluation: Evaluation, ends: BothEnds) -> Iterator[Offer]:
    power = evaluation.catalog.entry(evaluation.plan.value("compute.gpu")).get("tdp_w")
    if not power:
        return
    now = evaluation.plan.value("compute.power_cap_w") or power
    for share in _GPU_CAPS:
        cap = round(power * share / 10.0) * 10.0
        if cap < now:
            yield Offer(
                f"cap-{cap:.0f}w",
                f"Cap every GPU at {units.text(cap, 'w')}",
                "power cap",
                (("compute.power_cap_w", cap),),
                settles=True,
            )


def _tokens(evaluation: Evaluation, ends: BothEnds) -> Iterator[Offer]:
    share = _share_in_time(evaluation, ends)
    if share is not None and share < 1:
        tokens = float(f"{evaluation.plan.value('workload.tokens_b') * share * 0.995:.3g}")
        yield Offer(
            "tokens",
            f"Train on {units.text(tokens, 'tokens_b')} instead",
            "tokens",
            (("workload.tokens_b", tokens),),
            settles=True,
        )


def _days(evaluation: Evaluation, ends: BothEnds) -> Iterator[Offer]:
    share = _share_in_time(evaluation, ends)
    if share is not None and share < 1:
        days = math.ceil(evaluation.plan.value("workload.days") / share)
        yield Offer("days", f"Take {units.text(days, 'days')}", "days", (("workload.days", float(days)),), settles=True)


def _share_in_time(evaluation: Evaluation, ends: BothEnds) -> float | None:
    """Return the share of the run that is done in the days wanted, on the GPUs hosted (or planned, if fewer)."""
    planned, hosted = evaluation.results["parallelism"].days, ends.have.days
    taken = [f.number for f in (planned, hosted) if f.value is not None]
    return evaluation.plan.value("workload.days") / max(taken) if taken and max(taken) > 0 else None


def _model(evaluation: Evaluation, ends: BothEnds) -> Iterator[Offer]:
    share = _share_in_time(evaluation, ends)
    hosted, needed = ends.have.gpus.value, ends.need.gpus.value
    hosted_share = ends.have.gpus.number / ends.need.gpus.number if hosted and needed else None
    shrink = min([s for s in (share, hosted_share) if s is not None], default=1.0)
    if not 0.01 < shrink < 1:
        return
    model: Any = evaluation.plan.value("workload.model")
    if model.kind == "size":
        size = float(f"{model.params_b * shrink:.2g}")
        edit: Edit = ("workload.model.params_b", size)
        words = f"Train a model of {units.text(size, 'params_b')}"
    else:
        layers = max(1, math.floor(model.layers * shrink))
        edit, words = ("workload.model.layers", layers), f"Train a model of {layers} layers of this width"
    yield Offer("model-size", words, "model size", (edit,), settles=True)


def _cooling(evaluation: Evaluation, ends: BothEnds) -> Iterator[Offer]:
    now = evaluation.plan.value("cooling.technology").kind
    for kind, branch in declare.branches_of(type(evaluation.plan.layers["cooling"]), "technology").items():
        if kind != now:
            yield Offer(
                f"cooling-{kind.replace('_', '-')}",
                f"Cool by {branch.branch_title.lower()}",
                "cooling",
                (("cooling.technology", kind),),
            )


def _water(evaluation: Evaluation, ends: BothEnds) -> Iterator[Offer]:
    supply = evaluation.plan.value("cooling.water_supply_c")
    for step in (-5.0, 5.0):
        if 5.0 <= supply + step <= 45.0:
            yield Offer(
                f"supply-{supply + step:g}c",
                f"Supply facility water at {units.text(supply + step, 'c')}",
                "supply temperature",
                (("cooling.water_supply_c", supply + step),),
            )
    rise = evaluation.plan.value("cooling.water_rise_k")
    for factor in (0.75, 1.5):
        yield Offer(
            f"water-rise-{rise * factor:g}k",
            f"Run facility water at {units.text(rise * factor, 'k')} rise",
            "flow",
            (("cooling.water_rise_k", rise * factor),),
        )
    technology = evaluation.plan.value("cooling.technology")
    if technology.kind == "single_phase":
        for factor in (0.7, 1.4):
            rise = float(f"{technology.rise_k * factor:.3g}")
            yield Offer(
                f"coolant-rise-{rise:g}k",
                f"Run the coolant at {units.text(rise, 'k')} rise",
                "flow",
                (("cooling.technology.rise_k", rise),),
            )


def _cdus(evaluation: Evaluation, ends: BothEnds) -> Iterator[Offer]:
    spare = getattr(evaluation.plan.value("cooling.technology"), "spare_cdus", None)
    if spare is None:
        return
    for count in (spare - 1, spare + 1):
        if count >= 0:
            words = f"Keep {count} spare CDU{'' if count == 1 else 's'} instead of {spare}"
            yield Offer(f"spare-cdus-{count}", words, "CDUs", (("cooling.technology.spare_cdus", count),))


def _redundancy(evaluation: Evaluation, ends: BothEnds) -> Iterator[Offer]:
    about = declare.settings_of(type(evaluation.plan.layers["power"]))["scheme"]
    for value, name in about.choices:
        if value != evaluation.plan.value("power.scheme"):
            yield Offer(
                f"redundancy-{value.replace('_', '-')}",
                f"Redundancy of the feeds: {name}",
                "redundancy",
                (("power.scheme", value),),
            )


def _density(evaluation: Evaluation, ends: BothEnds) -> Iterator[Offer]:
    planned = evaluation.results["cluster"].nodes_per_rack.value
    if isinstance(planned, int | float):
        for nodes in range(int(planned) - 1, 0, -1):
            words = f"Put {nodes} node{'s' if nodes > 1 else ''} in a rack instead of {int(planned)}"
            yield Offer(f"density-{nodes}", words, "rack density", (("cluster.nodes_per_rack", nodes),))


def _shorter_rows(evaluation: Evaluation, ends: BothEnds) -> Iterator[Offer]:
    """Offer rows of as many racks as the limit of a row carries, where that limit does not hold."""
    need = next((n for n in ends.binding if n.quantity == "row_power_kw"), None)
    rack = evaluation.results["power"].rack_power_kw
    if need is None or not rack.known or rack.number <= 0:
        return
    racks = math.floor(need.have.number / rack.number * (1 + 1e-9))
    if 1 <= racks < evaluation.plan.value("floor.racks_per_row"):
        words = f"Put {racks} rack{'s' if racks > 1 else ''} in a row"
        yield Offer(f"row-{racks}", words, "row length", (("floor.racks_per_row", racks),))


def _feeds(evaluation: Evaluation, ends: BothEnds) -> Iterator[Offer]:
    feeds = evaluation.plan.value("power.feeds_per_rack")
    yield Offer("feeds", f"Feed each rack with {feeds + 2} circuits", "feeds", (("power.feeds_per_rack", feeds + 2),))


def _limits(evaluation: Evaluation, ends: BothEnds) -> Iterator[Offer]:
    """Offer each limit of the facility raised to what the plan needs of it."""
    for need in ends.binding:
        raised = _RAISED.get((need.layer, need.quantity))
        if raised is None or need.end != "facility":
            continue
        path, factor = raised
        if evaluation.plan.value(path) is None:
            continue
        value: float = float(f"{need.need.number * factor * 1.005:.3g}")
        if value < need.need.number * factor:
            value = math.ceil(need.need.number * factor)
        layer, _, field = path.partition(".")
        about = declare.settings_of(type(evaluation.plan.layers[layer]))[field]
        whole = about.unit == ""
        edit: Edit = (path, math.ceil(need.need.number) if whole else value)
        yield Offer(
            f"raise-{field.replace('_', '-')}",
            f"Raise the facility's limit: {about.title.lower()} {units.text(edit[1], about.unit or 'count')}",
            "facility limit" if field != "cdus_installed" else "CDUs",
            (edit,),
        )


# need -> the input that states its limit, and the factor from the need's unit to the input's
_RAISED: dict[tuple[str, str], tuple[str, float]] = {
    ("power", "facility_power_kw"): ("power.utility_mw", 1e-3),
    ("power", "it_power_max_kw"): ("power.it_limit_kw", 1.0),
    ("power", "generator_load_kw"): ("power.generator_limit_kw", 1.0),
    ("power", "row_power_kw"): ("power.row_limit_kw", 1.0),
    ("power", "rack_power_kw"): ("power.rack_feed_limit_kw", 1.0),
    ("cooling", "rack_heat_kw"): ("cooling.rack_reject_limit_kw", 1.0),
    ("cooling", "cdus"): ("cooling.cdus_installed", 1.0),
    ("cooling", "liquid_heat_kw"): ("cooling.liquid_limit_kw", 1.0),
    ("cooling", "air_heat_kw"): ("cooling.air_limit_kw", 1.0),
    ("cooling", "facility_water_l_min"): ("cooling.water_limit_l_min", 1.0),
    ("floor", "racks"): ("floor.racks_limit", 1.0),
    ("floor", "area_m2"): ("floor.area_limit_m2", 1.0),
    ("floor", "floor_load_kg_m2"): ("floor.floor_load_limit_kg_m2", 1.0),
}

KINDS: dict[str, Kind] = {
    "precision": _precision,
    "recipe": _recipe,
    "sharding": _choices("parallelism.sharding", "sharding", "Shard over the replicas"),
    "recompute": _choices("parallelism.recompute", "recompute", "Recompute activations"),
    "layout": _layout,
    "gpu": _gpu,
    "power cap": _power_cap,
    "tokens": _tokens,
    "days": _days,
    "model size": _model,
    "cooling": _cooling,
    "supply temperature and flow": _water,
    "CDUs": _cdus,
    "redundancy": _redundancy,
    "rack density": _density,
    "row length": _shorter_rows,
    "feeds": _feeds,
    "facility limits": _limits,
}
