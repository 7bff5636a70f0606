"""What software a row of the training evidence ran on, and what that software does where the row is silent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from wattsweights_gui.engine.declare import Entry
from wattsweights_gui.engine.equations.job import LOW_PRECISION, Recipe

USUAL, USUAL_SHARDED = "megatron", "fsdp"
FULLY_SHARDED = 3


@dataclass(frozen=True)
class Software:
    """The software of a row, from the catalogue (``training_software.json``).

    Attributes:
        name: for the words of what was assumed.
        stated: a publication is known to have run it; else it is what most runs of the kind use.
        facts: its entry.
        publication: the entry of the publication, where it is known.
    """

    name: str
    stated: bool
    facts: Entry
    publication: Entry | None

    def says(self, field: str) -> bool:
        """Return a fact that is true or false."""
        return bool(self.facts.get(field))

    @property
    def fused_loss_from(self) -> float:
        """Year from which logits are reduced in place."""
        return float(self.facts.get("fused_loss_from"))

    @property
    def halves_causal(self) -> bool | None:
        """Whether the publication's FLOP count halves attention for causality; ``None`` where nothing is known."""
        known = self.publication.get("halves_causal") if self.publication is not None else None
        return None if known is None else bool(known)

    @property
    def year(self) -> float | None:
        """When the software was current, where the publication dates it apart from itself."""
        known = self.publication.get("year") if self.publication is not None else None
        return None if known is None else float(known)

    @property
    def reserved_memory(self) -> bool:
        """Whether the publication's peak memory is what the allocator reserved."""
        return self.publication is not None and self.publication.get("peak_memory") == "reserved"

    def recipe(self, precision: str, hopper: bool, pure: bool, early: bool) -> Recipe:
        """Return the bytes a parameter that it keeps.

        Args:
            precision: of the matrix multiplications.
            hopper: 8-bit weights need a transposed copy.
            pure: gradients are kept in 16 bits (MosaicML's PURE).
            early: before 2023, when parameters that were sharded kept a 32-bit copy beside them.
        """
        facts = self.facts
        weights, gradients, master = (float(facts.get(k)) for k in ("weights", "gradients", "master"))
        if early and self.says("sharded"):
            master = 4.0
        if pure:
            gradients = 2.0
        extra = 0.0
        if precision in LOW_PRECISION and facts.get("low_weights"):
            weights, gradients = float(facts.get("low_weights")), float(facts.get("low_gradients"))
            extra = float(facts.get("low_extra_hopper")) if hopper else 0.0
        return Recipe(weights, gradients, master, float(facts.get("moments")), extra)


def ran_on(row: Mapping[str, Any], catalog: Any) -> Software:
    """Return the software of a row: the one that its publication is known to have run, else the usual one."""
    publication = next(publications_of(row, catalog), None)
    sharded = row.get("zero_stage") == FULLY_SHARDED
    id = str(publication.get("software")) if publication is not None else USUAL
    if sharded and not catalog.entry(f"software_{id}").get("sharded"):
        # the same project's sharded form, else what most sharded runs use
        own = {entry.id for entry in catalog.of_kind("training_software")}
        id = f"{id}_sharded" if f"software_{id}_sharded" in own else USUAL_SHARDED
    facts = catalog.entry(f"software_{id}")
    return Software(facts.name, publication is not None, facts, publication)


def publications_of(row: Mapping[str, Any], catalog: Any) -> Iterator[Entry]:
    """Yield the catalogue's publications whose words a row's source has, in catalogue order."""
    source, system = str(row.get("source") or "").lower(), row.get("system")
    for entry in catalog.of_kind("training_publication"):
        of_system = entry.get("system")
        if str(entry.get("words")).lower() in source and (of_system is None or of_system == system):
            yield entry


def no_older_than(row: Mapping[str, Any], catalog: Any) -> float:
    """Return the year before which a row cannot have run: that of its model, its GPU and what it names."""
    model = row.get("model")
    of = {
        "model": str(model.get("name") if isinstance(model, Mapping) else ""),
        "gpu": str(row.get("gpu") or ""),
        "overlap": str(row.get("overlap") or ""),
    }
    years = [
        float(entry.get("year"))
        for entry in catalog.of_kind("first_release")
        if of[str(entry.get("of"))].startswith(str(entry.get("words")))
    ]
    return max(years, default=0.0)
