"""The checks of the Linux and firmware layer as catalogue entries of kind ``host_check``."""

from __future__ import annotations

import json
from functools import cache

from wattsweights_gui import paths
from wattsweights_gui.engine.declare import Entry, Source

KIND = "host_check"
_FROM_MEMORY = " (assumption: not read in the document; confirm it before it is quoted)"


@cache
def host_checks() -> tuple[Entry, ...]:
    """Return the shipped checks, in the order of the file, read once.

    Each entry's ``get`` knows layer, severity, question, commands, healthy, unhealthy (the symptom), effect (what it
    costs), effect_number, effect_unit, fix, evidence_formats and rule; ``effect`` has a source of its own where the
    figure comes from elsewhere.
    """
    data = json.loads(paths.resource("catalog", "host_checks.json").read_text(encoding="utf-8"))
    documents = data["sources"]

    def words(key: str | None, verified: str) -> str:
        document = documents.get(key or "")
        if document is None:
            return key or ""
        source = Source(
            document.get("publisher") or "",
            document.get("document") or "",
            date=document.get("date") or "",
            url=document.get("url") or "",
        )
        return str(source) + (_FROM_MEMORY if verified == "memory" else "")

    entries = []
    for check in data["checks"]:
        sources = {"": words(check["source"], check["verified"])}
        if check.get("effect_source"):
            sources["effect"] = sources["effect_number"] = words(check["effect_source"], "read")
        fields = {k: v for k, v in check.items() if k not in ("id", "title", "source", "effect_source", "verified")}
        entries.append(Entry(check["id"], KIND, check["title"], fields, sources))
    return tuple(entries)
