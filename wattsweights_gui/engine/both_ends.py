"""Model down, facility up, and where they collide.

Facility up is a search over the same forward chain: the answer is the largest number of nodes that keeps every limit of
the facility, and one node more breaks one. There is no second set of formulas.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Any

from wattsweights_gui.engine import units
from wattsweights_gui.engine.chain import Evaluation, evaluate
from wattsweights_gui.engine.declare import Figure, Finding, Need, Refused, stated, unknown
from wattsweights_gui.engine.hosting import Hosting, hosted

MODEL_SIDE = ("workload", "compute", "parallelism")
_ALSO_NEEDS = ("parallelism.memory",)


@dataclass(frozen=True)
class End:
    """What one end needs or has; a figure without a value where that end sets none."""

    gpus: Figure
    nodes: Figure
    racks: Figure
    it_power_kw: Figure
    facility_power_kw: Figure
    liquid_heat_kw: Figure
    air_heat_kw: Figure
    facility_water_l_min: Figure
    floor_m2: Figure
    days: Figure
    gpus_used: Figure

    def figures(self) -> dict[str, Figure]:
        """Return the figures by name."""
        return {f.name: getattr(self, f.name) for f in fields(self)}


@dataclass(frozen=True)
class BothEnds:
    """The comparison of both ends.

    Attributes:
        need: what the model gives the facility to carry.
        have: what the facility carries, and the time that the GPUs it hosts would take.
        fits: whether every known limit is kept and nothing is a blocker; ``None`` where no limit is known.
        binding: the needs that are not covered, worst first.
        compared: every quantity with a need and a limit, worst first.
        limited_by: what stops the facility from hosting one node more; ``None`` where nothing does.
        largest_params_b: the largest model that the hosted GPUs hold and train in the days wanted
            (:func:`largest_model.with_largest_model` fills it in).
        verdict: one sentence.
        blockers: findings that keep the plan from running at all, those of the model's side first. A memory that is
            too small is not among them: it is a need.
    """

    need: End
    have: End
    fits: bool | None
    binding: tuple[Need, ...]
    compared: tuple[Need, ...]
    limited_by: Need | None
    largest_params_b: Figure
    verdict: str
    blockers: tuple[Finding, ...] = ()

    @property
    def cannot_run(self) -> tuple[Finding, ...]:
        """The blockers of the model's side: no facility, however large, makes the plan run."""
        return tuple(f for f in self.blockers if f.id.partition(".")[0] in MODEL_SIDE)

    def plain(self) -> dict[str, Any]:
        """Return the JSON of the command line."""
        return {
            "need": {k: f.value for k, f in self.need.figures().items()},
            "have": {k: f.value for k, f in self.have.figures().items()},
            "fits": self.fits,
            "binding": [_row(n) for n in self.binding],
            "compared": [_row(n) for n in self.compared],
            "limited_by": _row(self.limited_by) if self.limited_by else None,
            "largest_params_b": self.largest_params_b.value,
            "verdict": self.verdict,
            "blockers": [{"id": f.id, "subject": f.subject, "message": f.message} for f in self.blockers],
        }


def _row(need: Need) -> dict[str, Any]:
    return {
        "layer": need.layer,
        "quantity": need.quantity,
        "title": need.title,
        "need": need.need.value,
        "have": need.have.value,
        "unit": need.unit,
        "load": None if need.load is None or math.isinf(need.load) else need.load,
        "end": need.end,
        "source": limit_source(need.have),
    }


def limit_source(limit: Figure) -> str:
    """Return where a limit comes from: its own source, else the inputs or rows that it was made of."""
    if limit.path and not limit.path.startswith("layers."):
        return f"{limit.path}: {limit.source}" if limit.source else limit.path
    made_of = [limit_source(operand) for _, operand in limit.operands if operand.value is not None]
    return limit.source or "; ".join(dict.fromkeys(m for m in made_of if m)) or limit.path


def both_ends(evaluation: Evaluation) -> BothEnds:
    """Compare what the model needs with what the facility has.

    Costs about six evaluations of the layers from the fabric down.
    """
    compared = tuple(sorted((n for n in evaluation.needs if n.load is not None), key=lambda n: -(n.load or 0.0)))
    binding = tuple(n for n in compared if n.fits is False)
    hosting = hosted(evaluation)
    need, have = _need(evaluation), _have(evaluation, hosting)
    found = (f for f in evaluation.findings if f.severity == "blocker" and f.id not in _ALSO_NEEDS)
    blockers = tuple(sorted(found, key=lambda f: f.id.partition(".")[0] not in MODEL_SIDE))
    limited = any(n.end == "facility" for n in compared)
    fits = False if blockers else not binding if limited else None
    ends = BothEnds(
        need,
        have,
        fits,
        binding,
        compared,
        hosting.limited_by,
        unknown("not looked for yet", "params_b", "Largest model that the hall can train"),
        "",
        blockers,
    )
    return replace(ends, verdict=_verdict(evaluation, ends))


def _need(evaluation: Evaluation) -> End:
    results = evaluation.results
    return End(
        gpus=results["parallelism"].gpus,
        nodes=results["cluster"].nodes,
        racks=results["floor"].racks,
        it_power_kw=results["power"].it_power_max_kw,
        facility_power_kw=results["power"].facility_power_kw,
        liquid_heat_kw=results["cooling"].liquid_heat_kw,
        air_heat_kw=results["cooling"].air_heat_kw,
        facility_water_l_min=results["cooling"].facility_water_l_min,
        floor_m2=results["floor"].area_m2,
        days=evaluation.plan.layers["workload"].fig("days"),
        gpus_used=results["parallelism"].gpus,
    )


def _have(evaluation: Evaluation, hosting: Hosting) -> End:
    def limit(quantity: str, unit: str, title: str) -> Figure:
        for need in evaluation.needs:
            if need.quantity == quantity and need.end == "facility":
                return need.have
        return unknown("no limit is stated", unit, title)

    days, used = _days_hosted(evaluation, hosting)
    return End(
        gpus=hosting.gpus,
        nodes=hosting.nodes,
        racks=limit("racks", "count", "Rack positions"),
        it_power_kw=limit("it_power_max_kw", "kw", "UPS power for IT"),
        facility_power_kw=limit("facility_power_kw", "kw", "Utility power"),
        liquid_heat_kw=limit("liquid_heat_kw", "kw", "Heat to liquid"),
        air_heat_kw=limit("air_heat_kw", "kw", "Heat to air"),
        facility_water_l_min=limit("facility_water_l_min", "l_min", "Facility water flow"),
        floor_m2=limit("area_m2", "m2", "Floor area"),
        days=days,
        gpus_used=used,
    )


def _days_hosted(evaluation: Evaluation, hosting: Hosting) -> tuple[Figure, Figure]:
    """Return the days on the hosted GPUs, and how many of them whole replicas of the layout use."""
    title, use = "Days on the GPUs that the facility hosts", "Hosted GPUs that whole replicas use"
    split: Any = evaluation.results["parallelism"]

    def neither(why: str, **operands: Figure) -> tuple[Figure, Figure]:
        return unknown(why, "days", title, **operands), unknown(why, "count", use, **operands)

    if hosting.gpus.value is None:
        return neither(hosting.gpus.formula)
    degrees = [split.tp.value, split.pp.value, split.cp.value, split.dp.value]
    if not all(isinstance(d, int | float) and d >= 1 for d in degrees):
        return neither("the layout is not known")
    tp, pp, cp, dp = (int(d) for d in degrees)
    replica = tp * pp * cp
    most = int(hosting.gpus.number) // replica
    if most < 1:
        return neither(
            f"the facility hosts {units.text(hosting.gpus.value, 'count')} GPUs, "
            f"fewer than the {replica} of one replica of this layout",
            gpus_hosted=hosting.gpus,
        )
    fitting = dp if most == dp else _largest_dp(evaluation, most)
    if fitting is None:
        return neither("no whole number of replicas divides the batch", gpus_hosted=hosting.gpus)
    try:
        at = evaluation if most == dp else _with_dp(evaluation, fitting)
    except Refused as refused:
        return neither(refused.message)
    days: Figure = at.results["parallelism"].days
    words = used_words(fitting * replica, int(hosting.gpus.number), fitting)
    used = stated(fitting * replica, "count", use, formula="whole replicas × GPUs of one", gpus_hosted=hosting.gpus)
    return replace(days, title=title, formula=f"{days.formula}, {words}"), used


def used_words(used: int, hosted_gpus: int, replicas: int) -> str:
    """Return how many of the hosted GPUs the days are for."""
    words = f"with {units.text(replicas, 'count')} whole replicas of this layout on {units.text(used, 'count')} of the "
    words += f"{units.text(hosted_gpus, 'count')} hosted GPUs"
    return words if used == hosted_gpus else f"{words}; a search on the hosted GPUs may find a layout that uses more"


def _largest_dp(evaluation: Evaluation, most: int) -> int | None:
    """Return the largest data-parallel degree up to ``most`` that divides the batch into whole micro-batches."""
    workload, split = evaluation.plan.layers["workload"], evaluation.results["parallelism"]
    batch = int(workload.fig("global_batch").number)
    micro = int(split.micro_batch.number) if split.micro_batch.known else 1
    ep, cp, tp = (int(f.number) if f.known else 1 for f in (split.ep, split.cp, split.tp))
    for dp in range(min(most, max(1, batch // micro)), 0, -1):
        if batch % (dp * micro) == 0 and (dp * cp * tp) % ep == 0:
            return dp
    return None


def _with_dp(evaluation: Evaluation, dp: int) -> Evaluation:
    plan = evaluation.plan.edit(("parallelism.dp", dp))
    given = {name: evaluation.results[name] for name in ("workload", "compute")}
    return evaluate(plan, evaluation.catalog, given=given, layers=("parallelism",))


# ----------------------------------------------------------------------------------------------------------- verdict


SENTENCES: dict[str, str] = {
    "gpus": "{need} GPUs are the least that hold the model under its recipe and recompute mode; the plan has {have}",
    "memory_gb": "The fullest GPU needs {need}; it has {have}",
    "days": "Training takes {need}; {have} are wanted",
    "rack_heat_kw": "A full rack gives off {need}; it can reject {have}",
    "rack_power_kw": "A full rack draws {need}; its feeds give {have}",
    "facility_power_kw": "The site draws {need}; the utility gives {have}",
    "it_power_max_kw": "IT draws up to {need}; the UPS gives {have}",
    "liquid_heat_kw": "The liquid loop gets {need}; it takes {have}",
    "air_heat_kw": "The room's air gets {need}; the air handlers take {have}",
    "facility_water_l_min": "Facility water has to flow at {need}; the plant pumps {have}",
    "cdus": "{need} CDUs are needed; {have} are installed",
    "racks": "{need} racks are needed; there are {have} positions",
    "area_m2": "The racks and aisles take {need}; there are {have} of floor",
    "floor_load_kg_m2": "A full rack loads the floor with {need}; it bears {have}",
}


def sentence(need: Need, system: units.System = "si", rack: str = "") -> str:
    """Return one need against its limit in words, with the numbers; ``rack`` names the placed rack that is meant."""
    words = SENTENCES.get(need.quantity, f"{need.title} needs {{need}}; there is {{have}}")
    if rack and need.quantity in ("rack_heat_kw", "rack_power_kw"):
        words = words.replace("A full rack", f"Rack {rack}")
    return words.format(
        need=units.text(need.need.value, need.unit, system), have=units.text(need.have.value, need.unit, system)
    )


def _verdict(evaluation: Evaluation, ends: BothEnds, system: units.System = "si") -> str:
    gpus, have = ends.need.gpus, ends.have.gpus
    counts = f"{units.text(gpus.value, 'count')} GPUs needed"
    if have.value is not None:
        counts += f", {units.text(have.value, 'count')} hosted"
    if ends.cannot_run or (ends.blockers and not ends.binding):
        return f"It does not fit. {ends.blockers[0].message}{_others(ends)} {counts}."
    if gpus.value is None:
        return f"It cannot be known: {gpus.formula or 'the number of GPUs is not known'}."
    if ends.fits is None:
        return f"It cannot be known whether this fits: no limit of the facility is stated. {counts}."
    if ends.fits:
        worst = next((n for n in ends.compared if n.end == "facility"), None)
        tightest = ""
        if worst is not None:
            used, there = (units.text(f.value, worst.unit, system) for f in (worst.need, worst.have))
            tightest = f" Tightest: {worst.title}, {used} of {there}."
        date = _date(evaluation)
        return f"It fits.{tightest} {counts}{date}."
    worst = next((n for n in ends.binding if n.end == "facility"), ends.binding[0])
    return f"It does not fit. {sentence(worst, system, evaluation.fullest_rack)}.{_others(ends)} {counts}."


def _others(ends: BothEnds) -> str:
    """Return how much more than what the verdict names is in the way; empty where nothing is."""
    others = len(ends.binding) + len(ends.blockers) - 1
    if not others:
        return ""
    if not ends.blockers:
        return f" {others} more {'limit does' if others == 1 else 'limits do'} not hold."
    return f" {others} more {'thing stands' if others == 1 else 'things stand'} in the way."


def verdict(evaluation: Evaluation, ends: BothEnds, system: units.System) -> str:
    """Return the verdict sentence in the chosen units."""
    return _verdict(evaluation, ends, system)


def _date(evaluation: Evaluation) -> str:
    split = evaluation.results["parallelism"]
    if split.days.value is None:
        return ""
    low, high = split.days_low.value, split.days_high.value
    if low is not None and high is not None:
        return f"; {units.number(float(low), 2)} to {units.number(float(high), 2)} days"
    return f"; {units.text(split.days.value, 'days')}"
