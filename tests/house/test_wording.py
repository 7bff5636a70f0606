"""What a person reads names a source or an assumption that they can set themselves."""

from __future__ import annotations

from wattsweights_gui import paths
from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.plan import default_plan, fields_of


def test_that_no_source_that_is_shown_is_from_memory() -> None:
    plans = [default_plan((("cooling.technology", kind),)) for kind in ("single_phase", "two_phase", "immersion")]
    shown = [about.source for plan in plans for about in fields_of(plan).values()]
    kinds = ("feed", "ups", "crah", "cdu", "node", "rack", "rear_door", "refrigerant", "generator", "transformer")
    shown += [source for kind in kinds for entry in catalog().of_kind(kind) for source in entry.sources.values()]
    assert len(shown) > 100
    assert not [words for words in shown if "memory:" in words or "from memory" in words]


def test_that_no_code_says_from_memory() -> None:
    code = paths.resource("catalog").parents[1] / "wattsweights_gui"
    files = list(code.rglob("*.py"))
    assert files
    assert not [f.name for f in files if "from memory" in f.read_text(encoding="utf-8")]
