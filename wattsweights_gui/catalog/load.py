"""Loads the shipped catalogues into entries whose every field knows its source."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from wattsweights_gui import paths
from wattsweights_gui.catalog.checks import host_checks
from wattsweights_gui.engine.declare import Entry, Source

FILES = (
    "fabric.json",
    "facility.json",
    "power.json",
    "storage.json",
    "byte_recipes.json",
    "climates.json",
    "placing.json",
    "calibration.json",
    "training_software.json",
)
_NOT_FIELDS = frozenset({"id", "kind", "name", "sources", "verified"})


_HOW_SURE = {
    "memory": " (assumption: not read in the document; confirm it before it is quoted)",
    "estimate": " (engineering estimate)",
}


class HardwareCatalog:
    """All entries, by id and by kind."""

    def __init__(self, entries: tuple[Entry, ...]) -> None:
        self._by_id = {entry.id: entry for entry in entries}
        if len(self._by_id) != len(entries):
            seen: set[str] = set()
            twice = next(e.id for e in entries if e.id in seen or seen.add(e.id))  # type: ignore[func-returns-value]
            raise ValueError(f"two catalogue entries are called {twice}")
        self._by_kind: dict[str, tuple[Entry, ...]] = {}
        for entry in entries:
            self._by_kind[entry.kind] = (*self._by_kind.get(entry.kind, ()), entry)

    def entry(self, id: str) -> Entry:
        """Return the entry of an id.

        Raises:
            KeyError: no such entry.
        """
        return self._by_id[id]

    def of_kind(self, kind: str) -> tuple[Entry, ...]:
        """Return all entries of a kind, in catalogue order."""
        return self._by_kind.get(kind, ())


@cache
def catalog() -> HardwareCatalog:
    """Return the shipped catalogue, read once."""
    entries: list[Entry] = []
    for name in FILES:
        data = json.loads(paths.resource("catalog", name).read_text(encoding="utf-8"))
        entries += [_entry(raw, data.get("documents", {})) for raw in data["entries"]]
    entries += host_checks()
    return HardwareCatalog(tuple(entries))


def _entry(raw: Mapping[str, Any], documents: Mapping[str, Mapping[str, Any]]) -> Entry:
    sources: dict[str, str] = {}
    for listed in raw.get("sources", ()):
        document = documents.get(listed.get("document", ""), listed)
        source = Source(
            publisher=str(document.get("publisher") or ""),
            document=str(document.get("document") or ""),
            where=str(listed.get("where") or document.get("where") or ""),
            date=str(listed.get("date") or document.get("date") or ""),
            url=str(document.get("url") or ""),
            verified=str(listed.get("verified") or raw.get("verified") or ""),
        )
        words = str(source) + _HOW_SURE.get(source.verified, "")
        for field in listed.get("fields", ("",)):
            sources.setdefault(field, words)
    sources.setdefault("", next(iter(sources.values()), ""))
    return Entry(
        raw["id"],
        raw["kind"],
        raw.get("name") or raw.get("model") or raw["id"].replace("_", " "),
        {k: v for k, v in raw.items() if k not in _NOT_FIELDS},
        sources,
    )
