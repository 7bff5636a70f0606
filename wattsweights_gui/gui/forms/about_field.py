"""What is said of a field on hover: help, hard limits, usual range, default and where that comes from."""

from __future__ import annotations

import html

from wattsweights_gui.engine import units
from wattsweights_gui.engine.declare import Setting


def tooltip(about: Setting, default: object, system: units.System) -> str:
    """Return the tooltip of a field as rich text, in the display system."""
    lines = [f"<b>{html.escape(about.title)}</b>", html.escape(about.help)]
    for words, (low, high) in (("Possible", about.hard), ("Usual", about.usual)):
        if low is not None or high is not None:
            lines.append(f"{words}: {_span(low, high, about.unit, system)}")
    shown = shown_default(about, default, system)
    if shown:
        source = f" ({html.escape(about.source)})" if about.source else ""
        lines.append(f"Default: {html.escape(shown)}{source}")
    elif about.source:
        lines.append(f"Source: {html.escape(about.source)}")
    return "<div style='max-width: 360px'>" + "<br>".join(lines) + "</div>"


def shown_default(about: Setting, default: object, system: units.System) -> str:
    """Return a default in words; empty for an alternative of a union and for empty text."""
    if default is None:
        return about.when_none or "empty"
    titles = dict(about.choices)
    if isinstance(default, str):
        return titles.get(default, default)
    if isinstance(default, bool | int | float):
        return units.text(default, about.unit, system, 6)
    return ""


def _span(low: float | None, high: float | None, unit: str, system: units.System) -> str:
    if low is not None and high is not None:
        return f"{units.text(low, unit, system)} to {units.text(high, unit, system)}"
    if low is not None:
        return f"at least {units.text(low, unit, system)}"
    return f"at most {units.text(high, unit, system)}"
